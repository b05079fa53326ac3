//! Assets beside a chain: written once, shared, carried with the folder, named where they are gone, and never a way out of it.

use std::path::Path;

use catena_tests::exports::names;
use host_core::model::{Chain, PluginId, PluginState, SlotId};
use host_core::store;

const LARGE: usize = 1000;

/// Two slots: a large and a small asset, and the same large one again.
fn chain() -> Chain {
    let mut chain = Chain { name: "Samples".into(), ..Chain::default() };
    let large: Vec<u8> = (0..5000_u32).map(|i| (i * 7 + i / 256) as u8).collect();
    for assets in
        [vec![("ir/große Halle.wav", large.clone()), ("small.txt", b"s".to_vec())], vec![("other.wav", large)]]
    {
        let id = chain.insert(9, PluginId::lv2("urn:a"));
        let assets = assets.into_iter().map(|(name, bytes)| (name.to_owned(), bytes.into())).collect();
        chain.slot_mut(id).unwrap().state = Some(PluginState { bytes: b"state"[..].into(), assets });
    }
    chain
}

fn assets(chain: &Chain, slot: u64) -> Vec<(String, usize)> {
    let state = chain.slot(SlotId(slot)).unwrap().state.clone().unwrap();
    state.assets.into_iter().map(|(name, bytes)| (name, bytes.len())).collect()
}

fn sizes(folder: &Path) -> Vec<u64> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(sizes(&path)) } else { found.push(path.metadata().unwrap().len()) }
    }
    found
}

#[test]
fn large_assets_lie_beside_and_come_back_wherever_the_folder_goes() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["x.catena", "y.catena.d"] {
        let path = folder.path().join("here").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        store::write_referring(&path, &chain(), LARGE).unwrap();
    }
    let here = folder.path().join("here");
    assert_eq!(names(&here), ["x.assets", "x.catena", "y.assets", "y.catena.d"]);
    // One folder for one content, with both names.
    assert_eq!(sizes(&here.join("x.assets")), [5000, 5000]);
    assert_eq!(std::fs::read_dir(here.join("x.assets")).unwrap().count(), 1);
    assert!(here.join("x.catena").metadata().unwrap().len() < 2500);
    assert!(!here.join("y.catena.d/assets/1/ir").exists());

    let there = folder.path().join("moved");
    std::fs::rename(&here, &there).unwrap();
    for name in ["x.catena", "y.catena.d"] {
        let path = there.join(name);
        let read = store::read(&path).unwrap();
        assert_eq!(assets(&read, 1), [("ir/große Halle.wav".into(), 5000), ("small.txt".into(), 1)]);
        assert_eq!(assets(&read, 2), [("other.wav".into(), 5000)]);
        // A save stays by reference; what a DAW's session gets, and a file elsewhere, holds everything.
        let before = sizes(&there);
        store::write(&path, &read).unwrap();
        assert_eq!(sizes(&there), before);
        assert_eq!(assets(&store::unpack(&store::pack(&read).unwrap()).unwrap(), 1).len(), 2);
        let alone = folder.path().join("alone.catena");
        store::write(&alone, &read).unwrap();
        assert_eq!(assets(&store::read(&alone).unwrap(), 2), [("other.wav".into(), 5000)]);
    }
}

#[test]
fn what_is_gone_or_changed_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena");
    store::write_referring(&path, &chain(), LARGE).unwrap();
    let content = std::fs::read_dir(folder.path().join("x.assets")).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(content.join("große Halle.wav")).unwrap();
    std::fs::write(content.join("other.wav"), "changed").unwrap();
    let opened = store::open(&path).unwrap();
    let lost = opened.lost.join("\n");
    assert!(lost.contains("ir/große Halle.wav") && lost.contains("is not beside the chain"), "{lost}");
    assert!(lost.contains("\"other.wav\"") && lost.contains("SHA-256"), "{lost}");
    assert_eq!(opened.lost.len(), 2, "{lost}");
    // An asset that was changed in the chain is no reference any more.
    let mut edited = opened.chain.clone();
    edited.slot_mut(SlotId(2)).unwrap().state.as_mut().unwrap().assets.insert("other.wav".into(), b"new"[..].into());
    store::write(&path, &edited).unwrap();
    assert_eq!(assets(&store::open(&path).unwrap().chain, 2), [("other.wav".into(), 3)]);
}

#[test]
fn a_reference_that_leads_out_of_the_folder_is_never_read() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "secret").unwrap();
    let home = folder.path().join("home");
    std::fs::create_dir(&home).unwrap();
    std::os::unix::fs::symlink(&secret, home.join("link")).unwrap();
    let outside = secret.to_str().unwrap();
    // What is the user's own beside the chain, and what is linked to.
    let place = "x.assets/0123456789abcdef";
    for folder in [".ssh", "notes", place, ".hidden.assets/0123456789abcdef", "y.assets/0123456789ABCDEF"] {
        std::fs::create_dir_all(home.join(folder)).unwrap();
        std::fs::write(home.join(folder).join("id_ed25519"), "key").unwrap();
    }
    std::fs::write(home.join(place).join(".netrc"), "key").unwrap();
    std::os::unix::fs::symlink("../../.ssh/id_ed25519", home.join(place).join("link")).unwrap();
    std::os::unix::fs::symlink(".ssh", home.join("z.assets")).unwrap();
    for way in [
        "../secret",
        outside,
        "link",
        "a/../../secret",
        ".ssh/id_ed25519",
        "notes/id_ed25519",
        ".hidden.assets/0123456789abcdef/id_ed25519",
        "y.assets/0123456789ABCDEF/id_ed25519",
        "x.assets/0123456789abcdef/link",
        "x.assets/0123456789abcdef/.netrc",
        "z.assets/id_ed25519",
    ] {
        let path = home.join("x.catena.d");
        // As a stranger writes it: by hand.
        store::write(&path, &chain()).unwrap();
        refer(&path, "assets/1/stolen", way);
        let opened = store::open(&path).unwrap();
        assert!(!assets(&opened.chain, 1).iter().any(|(name, _)| name == "stolen"), "{way}");
        assert!(opened.lost.join("\n").contains("stolen"), "{way}: {:?}", opened.lost);
        assert!(opened.lost.join("\n").contains(&format!("{way:?}")), "{way}: {:?}", opened.lost);
        // Bytes that came from no file refer to nothing, and no save keeps such a path.
        let embedded = store::pack(&opened.chain).unwrap();
        assert!(store::unpack(&embedded).is_ok());
        store::write(&path, &opened.chain).unwrap();
        assert_eq!(store::open(&path).unwrap().lost, [""; 0], "{way}");
    }
    // One of that shape is read.
    let path = home.join("x.catena.d");
    refer(&path, "assets/1/given", "x.assets/0123456789abcdef/id_ed25519");
    assert!(assets(&store::open(&path).unwrap().chain, 1).contains(&("given".into(), 3)));
}

/// Writes into the unpacked chain at `path` by hand that its file `name` lies beside it at `way`.
fn refer(path: &Path, name: &str, way: &str) {
    let file = path.join("chain.json");
    let mut tree: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    tree["references"] = serde_json::json!({ name: way });
    std::fs::write(&file, tree.to_string()).unwrap();
}

#[test]
fn a_file_that_is_not_there_for_a_while_comes_back_after_a_save() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena");
    store::write_referring(&path, &chain(), LARGE).unwrap();
    let (beside, away) = (folder.path().join("x.assets"), folder.path().join("away"));
    std::fs::rename(&beside, &away).unwrap();
    let mut opened = store::open(&path).unwrap();
    assert_eq!(opened.lost.len(), 2, "{:?}", opened.lost);
    opened.chain.name = "Edited".into();
    for _ in 0..2 {
        // Nothing is lost by it, so nothing is put aside.
        assert_eq!(store::write_over(&path, &opened.chain).unwrap(), None);
    }
    assert_eq!(store::open(&path).unwrap().lost.len(), 2);
    // The slot that has the other is taken out.
    let mut less = opened.chain.clone();
    less.remove(SlotId(2));
    store::write(&folder.path().join("less.catena"), &less).unwrap();
    std::fs::rename(&away, &beside).unwrap();
    let again = store::read(&path).unwrap();
    assert_eq!(again.name, "Edited");
    assert_eq!(assets(&again, 1), [("ir/große Halle.wav".into(), 5000), ("small.txt".into(), 1)]);
    assert_eq!(assets(&again, 2), [("other.wav".into(), 5000)]);
    let less = store::read(&folder.path().join("less.catena")).unwrap();
    assert_eq!(assets(&less, 1).len(), 2);
    // That it was not read is written nowhere.
    let whole = folder.path().join("whole.catena.d");
    store::write_whole(&whole, &opened.chain).unwrap();
    assert!(!std::fs::read_to_string(whole.join("chain.json")).unwrap().contains("references"));
}

#[test]
fn another_file_of_the_same_length_is_not_taken_for_the_asset() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena");
    store::write_referring(&path, &chain(), LARGE).unwrap();
    let read = store::read(&path).unwrap();
    let content = std::fs::read_dir(folder.path().join("x.assets")).unwrap().next().unwrap().unwrap().path();
    let other = content.join("other.wav");
    let bytes = |chain: &Chain| chain.slot(SlotId(2)).unwrap().state.clone().unwrap().assets["other.wav"].clone();

    std::fs::write(&other, [0; 5000]).unwrap();
    store::write(&path, &read).unwrap();
    assert!(bytes(&store::read(&path).unwrap()) == bytes(&read), "it is in the chain now");
    store::write_referring(&path, &read, LARGE).unwrap();
    assert!(std::fs::read(&other).unwrap() == bytes(&read)[..], "and beside it again");
    // A link is written through nowhere.
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "victim").unwrap();
    std::fs::remove_file(&other).unwrap();
    std::os::unix::fs::symlink(&victim, &other).unwrap();
    let error = store::write_referring(&path, &read, LARGE).unwrap_err().to_string();
    assert!(error.contains("other.wav") && error.contains("is a link"), "{error}");
    assert_eq!(std::fs::read(&victim).unwrap(), b"victim");
}

//! Of a damaged chain file everything that can be saved is there, and each thing that cannot is named; the damaged file itself is
//! never lost.

use catena_tests::chains::everything;
use catena_tests::exports::names;
use catena_tests::rig::Noise;
use host_core::model::{Chain, Node, PluginId, PluginState, SlotId};
use host_core::store;

/// Three slots with states that do not pack, so that damage hits what it is meant to hit.
fn chain() -> Chain {
    chain_of(600)
}

/// The same with states of so many bytes.
fn chain_of(len: usize) -> Chain {
    let mut chain = Chain { name: "Three".into(), ..Chain::default() };
    let mut noise = Noise::new(7);
    for name in ["One", "Two", "Three"] {
        let id = chain.insert(9, PluginId::clap(name));
        let bytes = noise.bytes(len);
        let assets = [("a.wav".to_owned(), bytes[..40].into())].into();
        chain.slot_mut(id).unwrap().state = Some(PluginState { bytes: bytes.into(), assets });
    }
    chain
}

/// Where `part` stands in `bytes`.
fn find(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).position(|window| window == part).expect("it is in there")
}

fn state_of(chain: &Chain, id: u64) -> &[u8] {
    &chain.slot(SlotId(id)).unwrap().state.as_ref().unwrap().bytes
}

#[test]
fn a_damaged_state_is_lost_alone_and_named() {
    let chain = chain();
    let mut bytes = store::pack(&chain).unwrap();
    let at = find(&bytes, state_of(&chain, 2));
    bytes[at + 300] ^= 1;
    let opened = store::open_bytes(&bytes).unwrap();
    assert_eq!(opened.lost.len(), 1, "{:?}", opened.lost);
    assert!(opened.lost[0].starts_with("the state of Two (slot 2) is damaged"), "{:?}", opened.lost);
    let mut expected = chain.clone();
    let lost = expected.slot_mut(SlotId(2)).unwrap().state.take().unwrap();
    expected.files.insert("assets/2/a.wav".into(), lost.assets["a.wav"].clone());
    assert_eq!(opened.chain, expected);
}

#[test]
fn a_zip_without_its_list_is_read_file_by_file() {
    let chain = chain();
    let whole = store::pack(&chain).unwrap();
    let list = find(&whole, b"PK\x01\x02");
    // The list gone, half of it, and an end that is not one.
    for bytes in [whole[..list].to_vec(), whole[..list + 20].to_vec(), [&whole[..list], &[0; 200][..]].concat()] {
        let opened = store::open_bytes(&bytes).unwrap();
        assert_eq!(opened.chain, chain);
        assert!(opened.lost.len() == 1 && opened.lost[0].contains("the file is damaged"), "{:?}", opened.lost);
    }
    // Cut within the last state: that one is gone.
    let opened = store::open_bytes(&whole[..list - 100]).unwrap();
    assert!(opened.lost.iter().any(|line| line.starts_with("the state of Three (slot 3)")), "{:?}", opened.lost);
    assert_eq!(state_of(&opened.chain, 2), state_of(&chain, 2));
    assert!(opened.chain.slot(SlotId(3)).unwrap().state.is_none());
}

#[test]
fn a_chain_within_a_state_is_not_taken_for_the_chain() {
    // What a nested container keeps is a zip as well, and does not pack again.
    let mut outer = Chain { name: "Outer".into(), ..Chain::default() };
    let id = outer.insert(0, PluginId::clap("catena"));
    let inner = store::pack(&chain_of(200_000)).unwrap();
    let assets = [("inner.catena".to_owned(), inner.clone().into())].into();
    outer.slot_mut(id).unwrap().state = Some(PluginState { bytes: inner.into(), assets });
    let whole = store::pack(&outer).unwrap();
    let headers = |part: &[u8]| whole.windows(part.len()).filter(|window| *window == part).count();
    assert!(headers(b"PK\x03\x04") > 3, "the inner one stands in it as it is");
    let list = whole.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap() - 200;
    let opened = store::open_bytes(&whole[..list]).unwrap();
    assert_eq!((opened.chain.name.as_str(), opened.chain.slots().count()), ("Outer", 1));
}

#[test]
fn no_cut_and_no_flipped_byte_changes_a_chain_unseen() {
    let chain = chain();
    let whole = store::pack(&chain).unwrap();
    for cut in 0..whole.len() {
        if let Ok(opened) = store::open_bytes(&whole[..cut]) {
            assert!(!opened.lost.is_empty(), "cut at {cut}");
        }
    }
    for at in 0..whole.len() {
        for bit in [0x01, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= bit;
            if let Ok(opened) = store::open_bytes(&bytes) {
                assert!(opened.chain == chain || !opened.lost.is_empty(), "byte {at}");
            }
        }
    }
}

#[test]
fn files_of_a_folder_that_are_gone_or_changed_are_named_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena.d");
    let chain = chain();
    store::write(&path, &chain).unwrap();
    std::fs::remove_file(path.join("state/1")).unwrap();
    std::fs::write(path.join("state/2"), b"edited").unwrap();
    std::fs::remove_file(path.join("assets/3/a.wav")).unwrap();
    let opened = store::open(&path).unwrap();
    assert_eq!(
        opened.lost,
        [
            "the file \"a.wav\" of Three (slot 3) is missing",
            "the state of One (slot 1) is missing",
            "the state of Two (slot 2) is not as it was written (its SHA-256 differs); it is used as it is",
        ]
    );
    assert!(opened.chain.slot(SlotId(1)).unwrap().state.is_none());
    assert_eq!(state_of(&opened.chain, 2), b"edited");
    assert!(store::read(&path).unwrap_err().to_string().contains("x.catena.d"));
}

#[test]
fn json_that_breaks_off_is_an_error_that_lists_the_states() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena.d");
    store::write(&path, &chain()).unwrap();
    let json = std::fs::read(path.join("chain.json")).unwrap();
    for cut in [0, 1, json.len() / 2, json.len() - 4] {
        std::fs::write(path.join("chain.json"), &json[..cut]).unwrap();
        let said = store::open(&path).unwrap_err().to_string();
        assert!(said.contains("x.catena.d") && said.contains("chain.json"), "{said}");
        assert!(said.contains("line") && said.contains("state/1, state/2, state/3"), "{said}");
    }
    std::fs::remove_file(path.join("chain.json")).unwrap();
    let said = store::open(&path).unwrap_err().to_string();
    assert!(said.contains("holds no chain.json") && said.contains("state/2"), "{said}");
}

#[test]
fn what_cannot_be_read_in_the_tree_is_left_out_or_passed_by() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena.d");
    store::write(&path, &everything()).unwrap();
    let file = path.join("chain.json");
    let mut tree: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    tree["latency"] = "adaptive".into();
    tree["nodes"][0]["mix"] = "loud".into();
    tree["nodes"][1]["lanes"][0]["nodes"][0]["adapt"] = "warped".into();
    tree["macros"].as_array_mut().unwrap().insert(0, serde_json::json!({"number": "one"}));
    std::fs::write(&file, tree.to_string()).unwrap();
    let opened = store::open(&path).unwrap();
    let lost = opened.lost.join("\n");
    for part in ["the setting \"latency\"", "node 1 (Mine)", "node 2.1.1 (Mine)", "macro entry 1", "loud", "warped"] {
        assert!(lost.contains(part), "{part}: {lost}");
    }
    assert_eq!(opened.lost.len(), 4, "{lost}");
    assert_eq!((opened.chain.name.as_str(), opened.chain.macros.len()), ("Everything", 1));
    assert!(matches!(&opened.chain.nodes[0], Node::Unknown(kept) if *kept == tree["nodes"][0]));
    // What is passed by goes back as it was, its state too.
    let again = folder.path().join("again.catena.d");
    store::write(&again, &opened.chain).unwrap();
    let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(again.join("chain.json")).unwrap()).unwrap();
    assert_eq!((&kept["nodes"][0], &kept["nodes"][1]["lanes"]), (&tree["nodes"][0], &tree["nodes"][1]["lanes"]));
    assert_eq!(std::fs::read(again.join("state/1")).unwrap(), b"state");
}

#[test]
fn a_damaged_chain_is_kept_where_another_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("x.catena");
    let mut damaged = store::pack(&chain()).unwrap();
    let at = find(&damaged, state_of(&chain(), 2));
    damaged[at] ^= 1;
    for kept in ["x.catena.damaged", "x.catena.damaged-2"] {
        std::fs::write(&packed, &damaged).unwrap();
        let aside = store::write_over(&packed, &chain()).unwrap();
        assert_eq!(aside, Some(folder.path().join(kept)));
        assert_eq!(std::fs::read(folder.path().join(kept)).unwrap(), damaged);
        assert_eq!(store::read(&packed).unwrap(), chain());
    }
    assert_eq!(store::write_over(&packed, &Chain::default()).unwrap(), None, "a whole one");
    let unpacked = folder.path().join("y.catena.d");
    store::write(&unpacked, &chain()).unwrap();
    std::fs::remove_file(unpacked.join("state/1")).unwrap();
    assert_eq!(store::write_over(&unpacked, &chain()).unwrap(), Some(folder.path().join("y.catena.d.damaged")));
    assert_eq!(names(&folder.path().join("y.catena.d.damaged/state")), ["2", "3"]);
    assert_eq!(
        names(folder.path()),
        ["x.catena", "x.catena.damaged", "x.catena.damaged-2", "y.catena.d", "y.catena.d.damaged"]
    );
}

#[test]
fn what_is_hidden_or_no_file_in_a_damaged_folder_is_not_copied_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena.d");
    store::write(&path, &chain()).unwrap();
    std::fs::remove_file(path.join("state/1")).unwrap();
    std::fs::create_dir(path.join(".git")).unwrap();
    std::fs::write(path.join(".git/HEAD"), "ref").unwrap();
    std::os::unix::fs::symlink("/", path.join(".root")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(path.join(".socket")).unwrap();
    let aside = store::write_over(&path, &chain()).unwrap().unwrap();
    assert_eq!(names(&aside), ["assets", "chain.json", "state"]);
    assert_eq!(names(&path), [".git", ".root", ".socket", "assets", "chain.json", "state"]);
    assert_eq!(names(folder.path()), ["x.catena.d", "x.catena.d.damaged"], "no half of one is left");
}

//! A chain comes back from every form of file as it was, and equal chains give equal bytes.

use catena_tests::exports::names;
use host_core::model::{Chain, Node, PluginId, PluginState};
use host_core::store;

fn state(bytes: &[u8], assets: &[(&str, &[u8])]) -> PluginState {
    PluginState {
        bytes: bytes.into(),
        assets: assets.iter().map(|(name, bytes)| ((*name).to_owned(), (*bytes).into())).collect(),
    }
}

/// A chain with everything a file must carry: states, assets, awkward names and numbers, things of a newer version.
fn chain() -> Chain {
    let mut chain = Chain { name: "Цепь 鎖 سلسلة".into(), ..Chain::default() };
    let names = ["a.wav", "sub/ノイズ.wav", "../climb", "/etc/passwd", "50%", "back\\slash", "a//b", ""];
    let assets: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, name.as_bytes())).collect();
    let a = chain.insert(0, PluginId::clap("a"));
    let b = chain.insert(1, PluginId::lv2("urn:b"));
    let c = chain.insert(2, PluginId::lv2("urn:c"));
    let slot = chain.slot_mut(a).unwrap();
    slot.state = Some(state(b"\0\xff\x01", &assets));
    slot.name = Some("Łącznik".into());
    // Numbers that only come back whole if every digit is read.
    for (key, value) in [("x", 0.1 + 0.2), ("y", 1.0e-310), ("z", -1234.567890123457), ("w", 5e-324)] {
        slot.params.insert(key.into(), value);
    }
    chain.slot_mut(b).unwrap().state = Some(state(b"", &[]));
    assert!(chain.slot(c).unwrap().state.is_none());
    chain.nodes.push(Node::Unknown(serde_json::json!({"node": "warp", "slots": [9]})));
    chain.extra.insert("moon".into(), serde_json::json!({"phase": 0.1}));
    chain.files.insert("state/9".into(), b"of a node that this version does not know"[..].into());
    chain
}

#[test]
fn packed_unpacked_and_embedded_hold_the_same() {
    let chain = chain();
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("Новая цепь.catena");
    let unpacked = folder.path().join("鎖.catena.d");
    store::write(&packed, &chain).unwrap();
    store::write(&unpacked, &chain).unwrap();
    assert_eq!(store::read(&packed).unwrap(), chain);
    assert_eq!(store::read(&unpacked).unwrap(), chain);
    assert_eq!(store::unpack(&store::pack(&chain).unwrap()).unwrap(), chain);
    assert_eq!(std::fs::read(&packed).unwrap(), store::pack(&chain).unwrap());
    assert_eq!(names(folder.path()), ["Новая цепь.catena", "鎖.catena.d"]);
    assert_eq!(names(&unpacked), ["assets", "chain.json", "state"]);
    assert_eq!(std::fs::read(unpacked.join("state/1")).unwrap(), b"\0\xff\x01");
}

#[test]
fn saving_again_gives_the_same_bytes() {
    let chain = chain();
    let first = store::pack(&chain).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3)); // Past the resolution of a zip's time stamps.
    assert_eq!(store::pack(&store::unpack(&first).unwrap()).unwrap(), first);
}

#[test]
fn an_unpacked_chain_is_replaced_whole_and_a_strangers_folder_never() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena.d");
    store::write(&path, &chain()).unwrap();
    std::fs::create_dir(path.join(".git")).unwrap();
    let mut small = Chain::default();
    small.insert(0, PluginId::clap("only"));
    store::write(&path, &small).unwrap();
    assert_eq!(store::read(&path).unwrap(), small);
    assert_eq!(names(&path), [".git", "chain.json"]);
    assert_eq!(names(folder.path()), ["x.catena.d"]);

    let stranger = folder.path().join("photos");
    std::fs::create_dir(&stranger).unwrap();
    std::fs::write(stranger.join("cat.jpg"), b"cat").unwrap();
    let error = store::write(&stranger, &small).unwrap_err().to_string();
    assert!(error.contains("photos") && error.contains("holds no chain"), "{error}");
    assert_eq!(names(&stranger), ["cat.jpg"]);
}

#[test]
fn a_link_stays_a_link_and_rights_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.catena"), folder.path().join("link.catena"));
    store::write(&real, &Chain::default()).unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("real.catena", &link).unwrap();
    store::write(&link, &chain()).unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(store::read(&real).unwrap(), chain());
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn numbers_that_json_cannot_hold_do_not_spoil_the_file() {
    let mut chain = Chain::default();
    let id = chain.insert(0, PluginId::clap("a"));
    let slot = chain.slot_mut(id).unwrap();
    slot.params.extend([("good".to_owned(), 1.5), ("bad".to_owned(), f64::NAN)]);
    slot.mix = f64::INFINITY;
    let back = store::unpack(&store::pack(&chain).unwrap()).unwrap();
    let slot = back.slot(id).unwrap();
    assert_eq!((slot.params.len(), slot.params["good"], slot.mix), (1, 1.5, 1.0));
}

#[test]
fn a_state_that_packs_extremely_well_can_still_be_read_again() {
    let mut chain = Chain::default();
    let id = chain.insert(0, PluginId::clap("a"));
    chain.slot_mut(id).unwrap().state = Some(state(&vec![0; 300 << 20], &[]));
    let packed = store::pack(&chain).unwrap();
    assert!(store::unpack(&packed).unwrap() == chain);
}

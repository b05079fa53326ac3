//! Files of every version of the schema: those that older ones wrote are read, and what a newer one wrote is written back byte for
//! byte, wherever it stands.

use std::path::Path;

use catena_tests::chains::{everything, folder_of};
use host_core::model::{Chain, IfFails, LatencyMode, MidiSettings, Node, Schema, SlotId, Split, Strip};
use host_core::store;
use serde_json::{Value, json};

fn json_of(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("chain.json")).unwrap()).unwrap()
}

/// Both forms of the kept chain of a version, which hold the same.
fn kept(version: &str) -> Chain {
    let folder = folder_of(version);
    let packed = store::read(&folder.join("kept.catena")).unwrap();
    assert_eq!(store::read(&folder.join("kept.catena.d")).unwrap(), packed, "{version}");
    packed
}

#[test]
fn there_is_a_kept_file_of_every_version() {
    for minor in 0..=Schema::CURRENT.minor {
        let version = format!("{}.{minor}", Schema::CURRENT.major);
        assert_eq!(kept(&version).schema, Schema { major: Schema::CURRENT.major, minor }, "{version}");
    }
}

#[test]
fn a_chain_of_1_0_is_read_as_it_was_meant() {
    let chain = kept("1.0");
    assert_eq!((chain.name.as_str(), chain.bypass, chain.next_slot), ("Voice 声", true, 4));
    assert_eq!(chain.latency, LatencyMode::Constant(20.0));
    let [one, two] = [1, 3].map(|id| chain.slot(SlotId(id)).unwrap());
    let state = one.state.as_ref().unwrap();
    assert_eq!(
        (&*state.bytes, state.assets.keys().next().map(String::as_str)),
        (&b"\x00\x01\xffstate"[..], Some("ir/hall.wav"))
    );
    assert_eq!((one.mix, one.input_gain, one.name.as_deref()), (0.75, -3.0, Some("Squash")));
    assert_eq!((two.if_fails, two.state.is_none()), (IfFails::Mute, true));
    // What came later is at its default.
    assert_eq!((one.strip, one.factor(), one.midi), (Strip::default(), 1, MidiSettings::default()));
    assert!(chain.macros.is_empty() && chain.groups().next().is_none());
}

#[test]
fn a_chain_of_1_1_is_read_as_it_was_meant() {
    let chain = kept("1.1");
    let group = chain.groups().next().unwrap();
    assert_eq!((group.lanes.len(), group.split.clone()), (2, Split::Bands(vec![180.0])));
    assert_eq!(group.lanes[0].nodes[0].slot().unwrap().strip.pan, -0.5);
    assert_eq!(chain.macros[0].number.number(), 3);
    assert_eq!(chain.macros[0].targets.len(), 2);
}

#[test]
fn an_older_chain_says_the_same_after_a_save() {
    for version in ["1.0", "1.1"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.catena.d");
        store::write(&path, &kept(version)).unwrap();
        let [before, after] = [folder_of(version).join("kept.catena.d"), path].map(|path| {
            let mut tree = json_of(&path);
            // They came with the last of 1.1.
            tree.as_object_mut().unwrap().remove("hashes");
            tree
        });
        assert_eq!(after, before, "{version}");
    }
}

/// Puts a field that nobody knows first, in the middle and last among those of `value`.
fn sow(value: &mut Value) {
    let fields = value.as_object_mut().unwrap();
    for name in ["aaa-new", "mmm-new", "zzz-new"] {
        fields.insert(name.into(), json!({"deep": [1, 0.1, "ü", null, true], "also": {}}));
    }
}

#[test]
fn what_a_newer_version_wrote_is_written_back_byte_for_byte() {
    let mut chain = everything();
    chain.nodes.push(Node::Unknown(json!({"node": "warp", "id": 77, "speed": [1, 2.5], "nodes": [{"node": "slot"}]})));
    chain.files.insert("state/77".into(), b"of the warp"[..].into());
    chain.files.insert("thumbnails/small.png".into(), b"png"[..].into());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("future.catena.d");
    store::write(&path, &chain).unwrap();
    let mut tree = json_of(&path);
    tree["schema"]["minor"] = json!(9);
    for at in [
        "",
        "/about",
        "/nodes/0",
        "/nodes/0/identity",
        "/nodes/1",
        "/nodes/1/lanes/0",
        "/nodes/1/lanes/0/nodes/0",
        "/macros/0",
        "/macros/0/targets/0",
    ] {
        sow(tree.pointer_mut(at).unwrap());
    }
    tree["macros"][0]["targets"].as_array_mut().unwrap().push(json!({"to": "moon", "phase": 3}));
    tree["macros"][0]["controller"] = json!({"note": 60});
    let text = serde_json::to_string_pretty(&tree).unwrap() + "\n";
    std::fs::write(path.join("chain.json"), &text).unwrap();

    let read = store::read(&path).unwrap();
    let again = folder.path().join("again.catena.d");
    store::write(&again, &read).unwrap();
    assert_eq!(std::fs::read_to_string(again.join("chain.json")).unwrap(), text);
    for file in ["state/1", "state/77", "assets/1/a.wav", "thumbnails/small.png"] {
        assert_eq!(std::fs::read(again.join(file)).unwrap(), std::fs::read(path.join(file)).unwrap(), "{file}");
    }
    // And packed.
    let packed = store::pack(&read).unwrap();
    assert_eq!(store::pack(&store::unpack(&packed).unwrap()).unwrap(), packed);
}

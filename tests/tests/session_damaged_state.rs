//! A DAW's session that holds a damaged chain: what can be saved is loaded, what was lost is told, and the damaged bytes are kept.

use catena_tests::bundle::in_own_process;
use catena_tests::fixtures;
use catena_tests::session_bench::{fixtures_catalog, session};
use host_core::model::{Chain, Folders, PluginId, PluginState};
use host_core::session::Command;
use host_core::store;

/// Two fixtures, whose second state is damaged.
fn damaged() -> Vec<u8> {
    let mut chain = Chain { name: "Hurt".into(), ..Chain::default() };
    let ids = ["gain", "gain"].map(|_| chain.insert(9, PluginId::clap(fixtures::clap_id("gain"))));
    for id in ids {
        let bytes: Vec<u8> = (0..=255).collect();
        let state = PluginState { bytes: bytes.into(), assets: Default::default() };
        chain.slot_mut(id).unwrap().state = Some(state);
    }
    let mut bytes = store::pack(&chain).unwrap();
    let name = bytes.windows(7).position(|window| window == b"state/2").unwrap();
    bytes[name + 30] ^= 0x40;
    bytes
}

#[test]
fn what_can_be_saved_is_loaded_and_the_rest_is_told_and_kept() {
    in_own_process(
        "what_can_be_saved_is_loaded_and_the_rest_is_told_and_kept",
        |_| vec![],
        |_| {
            let bytes = damaged();
            let (handle, _processor) = session(&fixtures_catalog());
            handle.load(&bytes).unwrap();
            let notice = handle.snapshot().notice.clone();
            assert!(
                notice.contains("damaged") && notice.contains("the state of") && notice.contains("(slot 2)"),
                "{notice}"
            );
            assert_eq!(handle.chain().unwrap().name, "Hurt");
            let kept: Vec<_> =
                std::fs::read_dir(Folders::from_env().damaged()).unwrap().map(|e| e.unwrap().path()).collect();
            assert_eq!(kept.len(), 1, "{kept:?}");
            assert!(notice.contains(&kept[0].display().to_string()), "{notice}");
            assert_eq!(std::fs::read(&kept[0]).unwrap(), bytes);
            // As often as it is loaded, it is kept once.
            handle.load(&bytes).unwrap();
            assert_eq!(std::fs::read_dir(Folders::from_env().damaged()).unwrap().count(), 1);
            // An edit makes it whole.
            let slot = handle.chain().unwrap().slots().next().unwrap().id;
            handle.apply(Command::Bypass(slot, true)).unwrap();
            assert!(store::unpack(&handle.save().unwrap()).is_ok());
        },
    );
}

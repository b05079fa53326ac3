//! Chain files in the user's library are presets of Catena in CLAP hosts: listed by preset-discovery, loaded by preset-load. Tried
//! with the host that Catena itself is: Catena in Catena.

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::exports::{chain_file, exported, names};
use catena_tests::session_bench::{catalog, session};
use host_core::model::{Chain, Folders, PluginId, SlotId};
use host_core::session::{Command, SessionHandle};
use host_core::store;

#[test]
fn the_librarys_chains_are_listed_and_loaded() {
    with_fixtures("the_librarys_chains_are_listed_and_loaded", || {
        let bundle = Bundle::new();
        let (home, chains) = (tempfile::tempdir().unwrap(), Folders::from_env().chains());
        let file = chain_file(home.path(), "in.catena", &chain(&[("delay", &[("100", 64.0)])]));
        exported(&file, "clap-preset", &chains, &["--name", "Delay 鎖"]);
        exported(&file, "clap-preset", &chains.join("Drums"), &["--name", "Other"]);
        std::fs::write(chains.join("broken.catena"), "no chain").unwrap();
        assert_eq!(names(&chains), ["Delay 鎖.catena", "Drums", "broken.catena"]);

        let plugin = PluginId::clap("catena-audio.catena");
        let (outer, _processor) = session(&catalog(&[&bundle.clap()]));
        let done = outer.apply(Command::Add { plugin, index: 0 });
        assert!(done.is_ok(), "{done:?}");
        let slot = outer.chain().unwrap().slots().next().unwrap().id;
        let load = |name: &str| outer.apply(Command::Preset(slot, name.into()));
        load("Delay 鎖").unwrap();
        outer.settle();
        let inner = inner_of(&outer, slot);
        assert_eq!((inner.name.as_str(), inner.slots().count()), ("Delay 鎖", 1));

        // In a folder of the library, too; what is no chain is none of the presets, and one that has become none changes nothing.
        load("Other").unwrap();
        assert!(load("broken").is_err());
        load("Delay 鎖").unwrap();
        std::fs::write(chains.join("Drums/Other.catena"), "no chain").unwrap();
        assert!(load("Other").is_err());
        outer.settle();
        assert_eq!(inner_of(&outer, slot).name, "Delay 鎖");
    });
}

/// The chain inside the slot's Catena.
fn inner_of(outer: &SessionHandle, slot: SlotId) -> Chain {
    let kept = outer.chain().unwrap();
    store::unpack(&kept.slot(slot).unwrap().state.as_ref().unwrap().bytes).unwrap()
}

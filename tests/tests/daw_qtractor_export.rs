//! qtractor takes a chain that was exported as a plugin of its own, as CLAP and as LV2, and keeps what was changed in it.

use std::path::Path;

use catena_tests::bundle::Bundle;
use catena_tests::daw::with_fixtures;
use catena_tests::exports::{chain_file, exported, strip};
use catena_tests::qtractor::Qtractor;
use host_core::store;

fn keeps_its_chain(file: impl FnOnce(&Path) -> std::path::PathBuf, id: &str) {
    let bundle = Bundle::new();
    let chain = chain_file(&bundle.path().join("in"), "in.catena", &strip());
    exported(&chain, "plugin", bundle.path(), &["--id", "catena-chain.strip"]);
    let qtractor = Qtractor::any(&file(bundle.path()), id);
    qtractor.open_and_save();
    let kept = store::unpack(&qtractor.state()).expect("a chain");
    assert_eq!((kept.name.as_str(), kept.slots().count()), ("Strip", 3));
    let mut turned = kept;
    turned.name = "Turned".into();
    qtractor.set_state(&store::pack(&turned).expect("a chain"));
    qtractor.open_and_save();
    let kept = store::unpack(&qtractor.state()).expect("a chain");
    assert_eq!((kept.name.as_str(), &kept.macros), ("Turned", &turned.macros));
}

#[test]
fn qtractor_takes_the_chain_as_a_clap() {
    with_fixtures("qtractor_takes_the_chain_as_a_clap", || {
        keeps_its_chain(|folder| folder.join("Strip.clap"), "catena-chain.strip");
    });
}

#[test]
fn qtractor_takes_the_chain_as_an_lv2() {
    with_fixtures("qtractor_takes_the_chain_as_an_lv2", || {
        keeps_its_chain(|folder| folder.join("Strip.lv2"), "urn:catena-chain:strip");
    });
}

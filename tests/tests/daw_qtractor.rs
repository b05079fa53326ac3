//! qtractor takes the CLAP and the LV2, and keeps the chain in its session.

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::fixtures;
use catena_tests::qtractor::Qtractor;
use host_core::store;

#[test]
fn qtractor_keeps_a_chain_over_save_and_reopen() {
    with_fixtures("qtractor_keeps_a_chain_over_save_and_reopen", || {
        let bundle = Bundle::new();
        keeps_a_chain(&Qtractor::new(&bundle, "catena-audio.catena"));
    });
}

#[test]
fn qtractor_keeps_a_chain_in_the_lv2_too() {
    with_fixtures("qtractor_keeps_a_chain_in_the_lv2_too", || {
        let bundle = Bundle::new();
        keeps_a_chain(&Qtractor::lv2(&bundle, "urn:catena-audio:catena"));
    });
}

/// A chain put into the session comes back from it.
fn keeps_a_chain(qtractor: &Qtractor) {
    qtractor.open_and_save();
    assert_eq!(store::unpack(&qtractor.state()).expect("a chain").slots().count(), 0);
    qtractor.set_state(&chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 0.25)])]));
    qtractor.open_and_save();
    let saved = qtractor.state();
    let kept = store::unpack(&saved).expect("a chain");
    let ids: Vec<_> = kept.slots().map(|slot| slot.plugin.id.clone()).collect();
    assert_eq!(ids, [fixtures::clap_id("delay"), fixtures::clap_id("gain")]);
    assert!(kept.slots().all(|slot| slot.state.is_some()), "each with its state");
    assert_eq!(kept.slots().next().map(|slot| slot.identity.latency), Some(512));
    qtractor.open_and_save();
    assert_eq!(qtractor.state(), saved, "nothing changed, so the same is saved");
}

//! Ardour keeps the chain in its session, and compensates what the chain delays.

use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::fixtures;

fn a_chain_is_kept(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    let said = ardour.create(&[stereo("chain")], 0.0);
    assert!(said.contains("inserted Catena on chain"), "{said}");
    ardour.set_chain("chain", &chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 0.25)])]));
    let said = ardour.reopen(&[("chain", 512)]);
    assert!(said.contains("track chain Catena true latency 512 route 512"), "{said}");
    let saved = ardour.packed("chain");
    let kept = ardour.chain("chain");
    let ids: Vec<_> = kept.slots().map(|slot| slot.plugin.id.clone()).collect();
    assert_eq!(ids, [fixtures::clap_id("delay"), fixtures::clap_id("gain")]);
    assert!(kept.slots().all(|slot| slot.state.is_some()), "each with its state");
    let said = ardour.reopen(&[("chain", 512)]);
    assert!(said.contains("latency 512"), "{said}");
    assert_eq!(ardour.packed("chain"), saved, "nothing changed, so the same is saved");
}

#[test]
fn ardour_keeps_a_chain_in_the_vst3() {
    with_fixtures("ardour_keeps_a_chain_in_the_vst3", || a_chain_is_kept(Format::Vst3));
}

#[test]
fn ardour_keeps_a_chain_in_the_lv2() {
    with_fixtures("ardour_keeps_a_chain_in_the_lv2", || a_chain_is_kept(Format::Lv2));
}

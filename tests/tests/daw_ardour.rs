//! Ardour takes the VST3, keeps the chain in its session, and compensates what the chain delays.

use catena_tests::ardour::Ardour;
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::{fixtures, vst3_state};
use host_core::store;

#[test]
fn ardour_keeps_a_chain_over_save_and_reopen() {
    with_fixtures("ardour_keeps_a_chain_over_save_and_reopen", || {
        let bundle = Bundle::new();
        let ardour = Ardour::new(&bundle);
        let said = ardour.create(b"CatenaAudioChain");
        assert!(said.contains("inserted Catena") && said.contains("saved 0"), "{said}");
        let packed = chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 0.25)])]);
        ardour.set_state(&vst3_state::wrap(&packed));
        let said = ardour.reopen();
        assert!(said.contains("name Catena") && said.contains("active true"), "{said}");
        assert!(said.contains("latency 512"), "{said}");
        let saved = ardour.state();
        let kept = store::unpack(&vst3_state::unwrap(&saved)).expect("a chain");
        let ids: Vec<_> = kept.slots().map(|slot| slot.plugin.id.clone()).collect();
        assert_eq!(ids, [fixtures::clap_id("delay"), fixtures::clap_id("gain")]);
        assert!(kept.slots().all(|slot| slot.state.is_some()), "each with its state");
        let said = ardour.reopen();
        assert!(said.contains("latency 512"), "{said}");
        assert_eq!(ardour.state(), saved, "nothing changed, so the same is saved");
    });
}

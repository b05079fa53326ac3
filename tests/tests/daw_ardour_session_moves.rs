//! A session of Ardour's goes to another place, with a chain that is too large for a value and holds a plugin with files of its own:
//! lilv keeps the chain as a file of the session's, and everything is there where the session is opened next.

use catena_tests::ardour::plugins::{chain_of, with_plugins};
use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::bundle::Bundle;
use catena_tests::{fixtures, fixtures_lv2};
use host_core::model::{Chain, PluginId};
use host_core::store;

/// Numbers by which the plugins are known again.
const NUMBER: f64 = 7.0;
const SEED: f64 = 9.0;

#[test]
fn a_large_chain_and_its_plugins_files_go_with_the_session() {
    with_plugins("a_large_chain_and_its_plugins_files_go_with_the_session", &[], || {
        let bundle = Bundle::new();
        let first = Ardour::new(&bundle, Format::Lv2);
        first.create(&[stereo("chain")], 0.0);
        let chain = chain_of(&[
            (fixtures_lv2::id("state-files"), &[("set", NUMBER)]),
            (PluginId::clap(fixtures::clap_id("big-state")), &[("100", SEED)]),
        ]);
        first.set_chain("chain", &store::pack(&chain).expect("a chain"));
        first.reopen(&[("chain", 0)]);
        let there = first.packed("chain");
        assert!(there.len() > 1 << 20, "{} bytes", there.len());
        let second = Ardour::new(&bundle, Format::Lv2);
        std::fs::rename(first.session(), second.session()).expect("the session");
        drop(first);
        let said = second.reopen(&[("chain", 0)]);
        for word in ["Catena: ", "refuse"] {
            assert!(!said.contains(word), "{said}");
        }
        let kept = second.chain("chain");
        let states = |chain: &Chain| chain.slots().map(|slot| slot.state.clone()).collect::<Vec<_>>();
        assert_eq!(states(&kept), states(&store::unpack(&there).expect("a chain")));
        let params: Vec<_> = kept.slots().map(|slot| slot.params.clone()).collect();
        assert_eq!((params[0].get("set"), params[1].get("100")), (Some(&NUMBER), Some(&SEED)), "{params:?}");
    });
}

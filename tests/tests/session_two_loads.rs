//! Two loads at once on one session: both end, and what plays, shows and is saved is one of the two chains, whole.

use std::sync::Barrier;

use catena_tests::fixtures;
use catena_tests::session_bench::{block, fixtures_catalog, live, session};
use catena_tests::slow_player::SlowPlayer;
use host_core::model::{Chain, PluginId};
use host_core::store;

/// A chain of gains that are `value` together, each half of what is left.
fn chain(name: &str, slots: usize, value: f64) -> Vec<u8> {
    let mut chain = Chain { name: name.into(), ..Chain::default() };
    for number in 0..slots {
        let id = chain.insert(99, PluginId::clap(fixtures::clap_id("gain")));
        let gain = if number == 0 { value } else { 1.0 };
        chain.slot_mut(id).unwrap().params.insert("100".into(), gain);
    }
    store::pack(&chain).unwrap()
}

#[test]
fn both_end_and_the_chain_is_one_of_them() {
    let (first, second) = (chain("first", 5, 0.5), chain("second", 3, 0.25));
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let player = SlowPlayer::start(processor);
    for _round in 0..10 {
        let gate = Barrier::new(2);
        let load = |bytes: &[u8]| {
            gate.wait();
            handle.load(bytes).map(drop)
        };
        std::thread::scope(|scope| {
            let loads = [scope.spawn(|| load(&first)), scope.spawn(|| load(&second))];
            for load in loads {
                load.join().unwrap().unwrap();
            }
        });
        handle.settle();
        let shown = handle.snapshot();
        let expected = if shown.name == "first" { 5 } else { 3 };
        assert_eq!(shown.slots.len(), expected, "{}", shown.name);
        let saved = store::unpack(&handle.save().unwrap()).unwrap();
        assert_eq!((saved.name.as_str(), saved.slots().count()), (shown.name.as_str(), expected));
    }
    let name = handle.snapshot().name.clone();
    player.wait(20);
    let (mut processor, _out) = player.stop();
    let (mut left, mut right) = ([1.0; 64], [1.0; 64]);
    block(&mut processor, &mut left, &mut right);
    assert_eq!(left[63], if name == "first" { 0.5 } else { 0.25 });
}

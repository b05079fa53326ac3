//! A plugin that has other ports after a restart that it asked for is heard with them, in as many instances as it needs now.

use std::time::{Duration, Instant};

use catena_tests::fixtures;
use catena_tests::outside::Outside;
use catena_tests::session_bench::{block, fixtures_catalog, live, session};
use catena_tests::slow_player::{SlowPlayer, largest_step};
use host_core::engine::Processor;
use host_core::model::PluginId;
use host_core::session::{Command, SlotStatus};

fn heard(processor: &mut Processor) -> (f32, f32) {
    let mut last = (0.0, 0.0);
    for _ in 0..40 {
        let (mut left, mut right) = ([0.25; 64], [0.125; 64]);
        block(processor, &mut left, &mut right);
        last = (left[63], right[63]);
    }
    last
}

#[test]
fn two_mono_instances_become_one_of_stereo() {
    let (handle, processor) = session(&fixtures_catalog());
    let outside = Outside::new();
    handle.activate(live(64)).unwrap();
    let plugin = PluginId::clap(fixtures::clap_id("widens"));
    let slot = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
    let count = |what: &str| outside.log().iter().filter(|line| *line == what).count();
    assert_eq!(count("widens made"), 2, "a mono plugin on a stereo chain runs twice");
    let player = SlowPlayer::start(processor);
    player.wait(20);
    handle.apply(Command::Param(slot, "100".into(), 1.0)).unwrap();
    let begun = Instant::now();
    let alive = || count("widens made") - count("widens gone");
    while alive() != 1 && begun.elapsed() < Duration::from_secs(20) {
        player.wait(2);
    }
    handle.settle();
    player.wait(40);
    assert_eq!(alive(), 1, "{:?}", outside.log());
    let (mut processor, out) = player.stop();
    assert_eq!(heard(&mut processor), (0.5, 0.25), "in stereo it is twice as loud");
    let shown = handle.snapshot();
    assert_eq!((&shown.slots[0].status, shown.slots[0].values[0]), (&SlotStatus::Running, 1.0));
    // The player's sine goes from one loudness to the other in a fade.
    let (at, step) = largest_step(&out);
    assert!(step < 0.3, "a step of {step} at {at}");
    let saved = handle.chain().unwrap();
    assert_eq!(saved.slots().next().unwrap().identity.ports.main_inputs(), 2);
}

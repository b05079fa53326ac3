//! The chain is bit-identical to the same plugins run one after another in a bare loop.

use std::sync::Arc;

use catena_tests::rig::{Bare, Noise, Rig, cuts};
use catena_tests::rust_plugins::{Delay, Filter, Gain, make, ports};
use host_core::backend::audio::PluginAudio;
use host_core::engine::{SlotNode, SlotSetup};
use host_core::model::SlotId;

const FRAMES: usize = 20_000;

fn plugin(i: usize) -> (Box<dyn PluginAudio>, u32) {
    let stereo = ports(2, 2);
    match i % 4 {
        0 => (make(&stereo, 1024, Gain(0.7)), 0),
        1 => (make(&stereo, 1024, Filter::new(2, 0.93)), 0),
        2 => (make(&stereo, 1024, Delay::new(2, 37 + i)), 37 + i as u32),
        _ => (make(&stereo, 1024, Filter::new(2, -0.4)), 0),
    }
}

fn slot(i: usize) -> Arc<SlotNode> {
    let (plugin, latency) = plugin(i);
    SlotNode::new(SlotSetup { latency, ..SlotSetup::new(SlotId(i as u64), vec![plugin], ports(2, 2)) })
}

#[test]
fn a_chain_is_bit_identical_to_a_bare_loop_at_every_block_size() {
    let signal = Noise::new(7).signal(2, FRAMES);
    for length in [1, 4, 8] {
        for size in [Some(64), Some(256), Some(1024), None] {
            let cuts = cuts(FRAMES, size, 1024, 3);
            let bare = Bare::new((0..length).map(|i| plugin(i).0).collect()).run(&signal, &cuts);
            let mut rig = Rig::new(2);
            rig.send(&(0..length).map(slot).collect::<Vec<_>>());
            let chain = rig.run(&signal, &cuts);
            assert!(chain == bare, "{length} slots, blocks of {size:?}");
        }
    }
}

#[test]
fn blocks_longer_than_the_largest_are_cut() {
    let signal = Noise::new(8).signal(2, 8192);
    let mut whole = Rig::new(2);
    whole.send(&(0..4).map(slot).collect::<Vec<_>>());
    let mut cut = Rig::new(2);
    cut.max_block = 100;
    cut.send(&(0..4).map(slot).collect::<Vec<_>>());
    assert!(whole.run(&signal, &[8192]) == cut.run(&signal, &[8192]));
}

//! A reset empties the chain; one that belongs to a restart of our own making does not, and it alone.

use std::sync::Arc;

use catena_tests::rig::Rig;
use catena_tests::rust_plugins::{Delay, Tone, make, ports};
use host_core::backend::audio::EventBuffer;
use host_core::engine::{ContainerBlock, EngineConfig, SlotNode, SlotSetup};
use host_core::model::{AudioBus, BusRole, PortLayout, SlotId};

fn delay(frames: u32) -> Arc<SlotNode> {
    let layout = ports(1, 1);
    let plugin = make(&layout, 1024, Delay::new(1, frames as usize));
    SlotNode::new(SlotSetup { latency: frames, channels: 1, ..SlotSetup::new(SlotId(1), vec![plugin], layout) })
}

/// A chain in which a click is under way.
fn clicked() -> Rig {
    let mut rig = Rig::new(1);
    rig.send(&[delay(100)]);
    rig.block(&mut [vec![0.0; 64]]);
    let mut click = vec![0.0; 64];
    click[0] = 0.5;
    rig.block(&mut [click]);
    rig
}

fn still_comes(rig: &mut Rig) -> bool {
    let mut block = [vec![0.0; 64]];
    rig.block(&mut block);
    block[0].iter().any(|sample| *sample > 0.4)
}

#[test]
fn a_reset_empties_the_chain() {
    let mut rig = clicked();
    assert!(still_comes(&mut rig));
    let mut rig = clicked();
    rig.processor.reset();
    assert!(!still_comes(&mut rig));
}

#[test]
fn one_that_comes_with_our_own_restart_does_not_and_the_next_does() {
    let mut rig = clicked();
    rig.controller.expect_own_restart();
    rig.processor.reset();
    assert!(still_comes(&mut rig));
    let mut rig = clicked();
    rig.controller.expect_own_restart();
    rig.processor.reset();
    rig.processor.reset();
    assert!(!still_comes(&mut rig));
}

#[test]
fn a_host_that_sends_none_with_our_restart_may_send_one_later() {
    let mut rig = Rig::new(1);
    rig.send(&[delay(100)]);
    rig.controller.expect_own_restart();
    let mut click = vec![0.0; 64];
    click[0] = 0.5;
    rig.block(&mut [click]);
    rig.processor.reset();
    assert!(!still_comes(&mut rig), "a real reset was taken for that of the restart");
}

#[test]
fn a_chain_without_a_main_signal_runs_as_long_as_its_other_outputs_are() {
    let bus = |role, channels| AudioBus { name: String::new(), channels, role };
    let layout = PortLayout { outputs: vec![bus(BusRole::Main, 2), bus(BusRole::Aux, 2)], ..ports(0, 0) };
    let plugin = make(&layout, 1024, Tone(0.5));
    let setup = SlotSetup { channels: 0, aux: 2, ..SlotSetup::new(SlotId(1), vec![plugin], layout) };
    let mut rig = Rig::with(EngineConfig { channels: 0, sidechain: 0, aux: 2 });
    rig.send(&[SlotNode::new(setup)]);
    let mut aux = [vec![0.0_f32; 64], vec![0.0_f32; 64]];
    for _ in 0..40 {
        let [left, right] = &mut aux;
        rig.processor.process(&mut ContainerBlock {
            main: &mut [],
            sidechain: &[],
            aux: &mut [left, right],
            events_in: &mut EventBuffer::new(16, false),
            events_out: &mut EventBuffer::new(16, false),
            transport: None,
            bypass: false,
        });
    }
    assert_eq!((aux[0][63], aux[1][63]), (0.5, 0.5));
}

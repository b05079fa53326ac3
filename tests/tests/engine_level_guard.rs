//! Too loud for too long: the container is muted without a click until its user lets it sound again; offline it is only told.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use catena_tests::rig::{Rig, sine};
use catena_tests::rust_plugins::{Work, make, ports};
use host_core::backend::audio::{Block, PortBuffers, RunStatus, Transport};
use host_core::engine::{EngineConfig, LevelGuard, SlotNode, SlotSetup};
use host_core::model::{AudioBus, BusRole, PortLayout, SlotId};

/// Its input times what the test says, on all of its outputs.
struct Amp(Arc<AtomicU32>);

impl Work for Amp {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let gain = f32::from_bits(self.0.load(Relaxed));
        let frames = block.frames as usize;
        let PortBuffers { inputs, outputs } = buffers;
        for bus in outputs {
            for (out, input) in bus.channels.iter_mut().zip(&inputs[0].channels) {
                out[..frames].iter_mut().zip(&input[..frames]).for_each(|(out, x)| *out = x * gain);
            }
        }
        RunStatus::Ok
    }
}

fn amp(ports: PortLayout) -> (Arc<SlotNode>, impl Fn(f32)) {
    let gain = Arc::new(AtomicU32::new(1_f32.to_bits()));
    let plugin = make(&ports, 1024, Amp(gain.clone()));
    let slot = SlotNode::new(SlotSetup { aux: 2, ..SlotSetup::new(SlotId(1), vec![plugin], ports) });
    (slot, move |to: f32| gain.store(to.to_bits(), Relaxed))
}

/// Half-scale tone: 24 times that is +21.6 dBFS.
const TOO_MUCH: f32 = 24.0;

#[test]
fn a_feedback_howl_is_muted_in_time_and_sounds_again_when_it_is_told_to() {
    let mut rig = Rig::new(2);
    let (slot, gain) = amp(ports(2, 2));
    rig.send(std::slice::from_ref(&slot));
    rig.controller.set_level_guard(LevelGuard::Mute);
    rig.sine(0, 100, |_, _| ());
    gain(TOO_MUCH);
    let heard = rig.sine(6400, 100, |_, _| ());
    let end = heard.iter().rposition(|x| *x != 0.0).unwrap();
    // 20 ms, a block, 10 ms.
    assert!((960..960 + 128 + 480 + 64).contains(&end), "{end} frames");
    let steepest = TOO_MUCH * 0.5 * std::f32::consts::TAU / 48.0;
    assert!(heard[64..].windows(2).all(|pair| (pair[1] - pair[0]).abs() <= 1.3 * steepest), "no click");
    assert_eq!(rig.controller.loud(), (true, 1));
    // What is quiet again stays muted until the user has seen it, and goes on below meanwhile.
    gain(1.0);
    assert!(rig.sine(12_800, 100, |_, _| ()).iter().all(|x| *x == 0.0));
    rig.controller.reopen();
    let heard = rig.sine(19_200, 100, |_, _| ());
    assert_eq!(heard[6399], sine(19_200 + 6399));
    assert_eq!(rig.controller.loud(), (false, 1));
    // Again, and switched off.
    gain(TOO_MUCH);
    rig.sine(25_600, 100, |_, _| ());
    assert_eq!(rig.controller.loud(), (true, 2));
    rig.controller.set_level_guard(LevelGuard::Off);
    let heard = rig.sine(32_000, 100, |_, _| ());
    assert_eq!(heard[6399], sine(32_000 + 6399) * TOO_MUCH);
    assert_eq!(rig.controller.loud(), (false, 2));
}

#[test]
fn what_is_short_or_just_below_passes() {
    let mut rig = Rig::new(2);
    let (slot, gain) = amp(ports(2, 2));
    rig.send(std::slice::from_ref(&slot));
    rig.controller.set_level_guard(LevelGuard::Mute);
    let heard = rig.sine(0, 1000, |_, block| gain(if block % 100 < 10 { TOO_MUCH } else { 15.8 }));
    assert_eq!(rig.controller.loud(), (false, 0));
    assert_eq!(heard[63_999], sine(63_999) * 15.8);
}

#[test]
fn offline_it_is_told_and_not_muted_and_in_bypass_neither() {
    let mut rig = Rig::new(2);
    let (slot, gain) = amp(ports(2, 2));
    rig.send(std::slice::from_ref(&slot));
    rig.controller.set_level_guard(LevelGuard::Mute);
    gain(TOO_MUCH);
    rig.transport = Some(Transport { offline: true, ..Transport::default() });
    let heard = rig.sine(0, 100, |_, _| ());
    assert_eq!(heard[6399], sine(6399) * TOO_MUCH);
    let (muted, times) = rig.controller.loud();
    assert!(!muted && times > 3);
    rig.transport = None;
    rig.controller.set_level_guard(LevelGuard::Report);
    assert_eq!(rig.sine(6400, 100, |_, _| ())[6399], sine(6400 + 6399) * TOO_MUCH);
    let (muted, more) = rig.controller.loud();
    assert!(!muted && more > times);
    // Whoever hears the dry hears no chain.
    rig.controller.set_level_guard(LevelGuard::Mute);
    rig.bypass = true;
    assert_eq!(rig.sine(12_800, 100, |_, _| ())[6399], sine(12_800 + 6399));
    assert_eq!(rig.controller.loud(), (false, more));
    rig.bypass = false;
    rig.sine(19_200, 100, |_, _| ());
    assert_eq!(rig.controller.loud(), (true, more + 1));
    rig.bypass = true;
    assert_eq!(rig.sine(25_600, 100, |_, _| ())[6399], sine(25_600 + 6399), "the dry is no part of what is muted");
}

#[test]
fn the_auxiliary_outputs_are_muted_with_the_main_one() {
    let mut rig = Rig::with(EngineConfig { channels: 2, sidechain: 0, aux: 2 });
    let bus = |role| AudioBus { name: String::new(), channels: 2, role };
    let ports = PortLayout { outputs: vec![bus(BusRole::Main), bus(BusRole::Aux)], ..ports(2, 2) };
    let (slot, gain) = amp(ports);
    rig.send(std::slice::from_ref(&slot));
    rig.controller.set_level_guard(LevelGuard::Mute);
    rig.sine(0, 100, |_, _| ());
    assert!(rig.aux[0].iter().any(|x| x.abs() > 0.1));
    gain(TOO_MUCH);
    rig.sine(6400, 100, |_, _| ());
    assert!(rig.controller.loud().0 && rig.aux.iter().flatten().all(|x| *x == 0.0));
}

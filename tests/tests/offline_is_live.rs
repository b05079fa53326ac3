//! Offline gives the same samples as live, bit for bit, at the same blocks; and blocks of 1 to 8192 frames give the same samples, for
//! plugins that are themselves indifferent to both.

use catena_tests::rig::{Noise, cuts};
use catena_tests::session_bench::{self, RATE, fixtures_catalog, id, lv2_catalog, session};
use host_core::engine::Processor;
use host_core::model::PluginId;
use host_core::session::{Command, HostSetup, SessionHandle};

const FRAMES: usize = 20_000;
/// Plugins that work sample by sample.
const REAL: [(&str, &str); 3] = [
    ("ZamEQ2.lv2", "urn:zamaudio:ZamEQ2"),
    ("mda.lv2", "http://drobilla.net/plugins/mda/Overdrive"),
    ("eg-amp.lv2", "http://lv2plug.in/plugins/eg-amp"),
];

/// Noise through a chain of fixtures, in blocks of `size` frames, or of any size.
fn heard(offline: bool, size: Option<usize>) -> Vec<f32> {
    let catalog = fixtures_catalog();
    let (session, processor) = session(&catalog);
    for (index, (name, key, value)) in
        [("delay", "100", 77.0), ("gain", "100", 0.7), ("feedback", "", 0.0), ("mono", "100", 1.3)]
            .into_iter()
            .enumerate()
    {
        let slot = session.apply(Command::Add { plugin: id(&catalog, name), index }).unwrap().unwrap();
        if !key.is_empty() {
            session.apply(Command::Param(slot, key.into(), value)).unwrap();
        }
        session.apply(Command::Mix(slot, 0.8)).unwrap();
    }
    run(&session, processor, offline, size)
}

/// Noise through installed plugins: an equalizer, an overdrive and an amplifier.
fn heard_of_real_plugins(offline: bool, size: Option<usize>) -> Vec<f32> {
    let catalog = lv2_catalog(&REAL.map(|(bundle, _)| bundle));
    let (session, processor) = session(&catalog);
    for (index, (_, uri)) in REAL.into_iter().enumerate() {
        session.apply(Command::Add { plugin: PluginId::lv2(uri), index }).unwrap();
    }
    run(&session, processor, offline, size)
}

fn run(session: &SessionHandle, mut processor: Processor, offline: bool, size: Option<usize>) -> Vec<f32> {
    session.activate(HostSetup { rate: RATE, max_block: 8192, offline }).unwrap();
    let mut signal = Noise::new(7).signal(2, FRAMES);
    let [left, right] = signal.as_mut_slice() else { unreachable!() };
    let mut at = 0;
    for cut in cuts(FRAMES, size, 8192, 3) {
        let range = at..at + cut;
        session_bench::block(&mut processor, &mut left[range.clone()], &mut right[range]);
        at += cut;
    }
    session.deactivate();
    left.iter().chain(right.iter()).copied().collect()
}

#[test]
fn offline_is_live_bit_for_bit_at_the_same_blocks() {
    for size in [Some(64), None] {
        let live = heard(false, size);
        assert!(live.iter().any(|sample| *sample != 0.0));
        assert!(live == heard(true, size), "blocks of {size:?}");
    }
}

#[test]
fn any_block_size_gives_the_same_samples() {
    let one = heard(false, Some(64));
    for size in [Some(1), Some(63), Some(1000), Some(8192), None] {
        assert!(one == heard(false, size), "blocks of {size:?}");
    }
}

#[test]
fn of_real_plugins_too() {
    let one = heard_of_real_plugins(false, Some(64));
    assert!(one.iter().any(|sample| *sample != 0.0));
    assert!(one == heard_of_real_plugins(true, Some(64)), "offline");
    for size in [Some(1), Some(63), Some(8192), None] {
        assert!(one == heard_of_real_plugins(false, size), "blocks of {size:?}");
    }
}

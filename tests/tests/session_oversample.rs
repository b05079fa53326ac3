//! A slot is oversampled and back while the chain plays: no step, its state kept, its latency counted, saved and missed.

use std::sync::Arc;

use catena_tests::fixtures;
use catena_tests::session_bench::{Player, block, fixtures_catalog, live, lv2_catalog, session, sine, steepest};
use host_core::engine::Processor;
use host_core::model::{Catalog, PluginId, SlotId};
use host_core::session::{Command, EditError, SessionHandle};

/// An amplifier whose knob is in decibels.
const AMP: &str = "http://lv2plug.in/plugins/eg-amp";

fn over(handle: &SessionHandle, slot: SlotId, factor: u32) -> u32 {
    handle.apply(Command::Oversample(slot, factor)).unwrap();
    handle.settle();
    let view = handle.snapshot().slots.iter().find(|view| view.id == slot).unwrap().clone();
    assert_eq!((view.oversample, view.latency), (factor, handle.latency()));
    handle.latency()
}

/// The largest difference of what comes out of a sine from that sine at half its level, as late as the report says.
fn difference(handle: &SessionHandle, processor: &mut Processor) -> f32 {
    let late = handle.latency() as usize;
    let mut worst = 0.0_f32;
    for number in 0..80 {
        let mut left: Vec<f32> = (0..64).map(|i| sine(number * 64 + i)).collect();
        let mut right = left.clone();
        block(processor, &mut left, &mut right);
        let due = |i: usize| 0.5 * sine(number * 64 + i - late);
        worst = (0..64).filter(|_| number > 40).fold(worst, |worst, i| worst.max((left[i] - due(i)).abs()));
    }
    worst
}

fn half(handle: &SessionHandle, plugin: &PluginId) -> SlotId {
    let slot = handle.apply(Command::Add { plugin: plugin.clone(), index: 0 }).unwrap().unwrap();
    let (key, value) = if plugin.id == AMP { ("gain", -6.020_6) } else { ("100", 0.5) };
    handle.apply(Command::Param(slot, key.into(), value)).unwrap();
    slot
}

/// A CLAP, which is activated anew, and an LV2, which is made anew for another rate.
fn both() -> [(Arc<Catalog>, PluginId); 2] {
    let clap = PluginId::clap(fixtures::clap_id("gain"));
    [(fixtures_catalog(), clap), (lv2_catalog(&["eg-amp.lv2"]), PluginId::lv2(AMP))]
}

#[test]
fn a_slot_is_oversampled_and_back_in_a_sine_without_a_step_and_keeps_its_state() {
    for (catalog, plugin) in both() {
        let (handle, processor) = session(&catalog);
        handle.activate(live(64)).unwrap();
        let slot = half(&handle, &plugin);
        handle.settle();
        let player = Player::start(processor);
        let latencies = [2, 8, 4, 1, 4].map(|factor| over(&handle, slot, factor));
        assert_eq!((latencies[3], latencies[2] == latencies[4], latencies[0] >= 64), (0, true, true), "{latencies:?}");
        // Faster than it can be done.
        for factor in [1, 2, 1, 8, 2] {
            handle.apply(Command::Oversample(slot, factor)).unwrap();
        }
        over(&handle, slot, 2);
        handle.settle();
        let (mut processor, out) = player.stop();
        let out = &out[4096..];
        let steps = out.windows(2).enumerate().map(|(i, pair)| (i, (pair[1] - pair[0]).abs()));
        let (at, worst) = steps.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!(worst <= 2.0 * steepest(), "{plugin}: a step of {worst} at frame {at}");
        assert!(out.chunks_exact(64).all(|block| block.iter().any(|sample| sample.abs() > 0.01)), "a silent block");
        let left = difference(&handle, &mut processor);
        assert!(left < 1e-3, "{plugin}: {left}");
    }
}

#[test]
fn it_is_saved_and_a_missing_plugin_is_as_late_as_it_was() {
    let (catalog, plugin) = &both()[0];
    let (handle, _processor) = session(catalog);
    handle.activate(live(64)).unwrap();
    let slot = half(&handle, plugin);
    let latency = over(&handle, slot, 4);
    let saved = handle.chain().unwrap();
    assert_eq!((saved.slot(slot).unwrap().oversample, saved.slot(slot).unwrap().identity.latency), (4, latency));
    let (again, mut processor) = session(catalog);
    again.load_chain(saved.clone()).unwrap();
    again.activate(live(64)).unwrap();
    again.settle();
    assert_eq!(again.latency(), latency);
    assert!(difference(&again, &mut processor) < 1e-3);
    let (missing, _processor) = session(&Arc::default());
    missing.load_chain(saved).unwrap();
    missing.activate(live(64)).unwrap();
    missing.settle();
    assert_eq!(missing.latency(), latency);
    assert_eq!(missing.chain().unwrap().slot(slot).unwrap().oversample, 4);
}

#[test]
fn only_what_is_offered_is_taken() {
    let (catalog, plugin) = &both()[0];
    let (handle, _processor) = session(catalog);
    let slot = half(&handle, plugin);
    for factor in [0, 3, 16] {
        let refused = handle.apply(Command::Oversample(slot, factor));
        assert_eq!(refused, Err(EditError::Oversampling(factor)));
    }
    // Before there is anything to run it is noted, and holds when there is.
    handle.apply(Command::Oversample(slot, 8)).unwrap();
    handle.activate(live(64)).unwrap();
    handle.settle();
    assert!(handle.latency() >= 64);
}

#[test]
fn the_plugins_own_latency_at_its_rate_counts_in_frames_of_the_chain() {
    let (handle, _processor) = session(&fixtures_catalog());
    let plugin = PluginId::clap(fixtures::clap_id("delay"));
    let slot = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
    handle.apply(Command::Param(slot, "100".into(), 100.0)).unwrap();
    handle.activate(live(64)).unwrap();
    handle.settle();
    assert_eq!(handle.latency(), 100);
    let bare = {
        let gain = handle.apply(Command::Add { plugin: PluginId::clap(fixtures::clap_id("gain")), index: 1 });
        let gain = gain.unwrap().unwrap();
        handle.apply(Command::Oversample(gain, 4)).unwrap();
        handle.settle();
        let bare = handle.latency() - 100;
        handle.apply(Command::Remove(gain)).unwrap();
        bare
    };
    assert_eq!(over(&handle, slot, 4), bare + 25);
}

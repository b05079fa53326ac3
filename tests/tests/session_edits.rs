//! An edit is heard at the changed slot only: a sine through transparent plugins goes on without a step or a gap.

use catena_tests::session_bench::{Player, fixtures_catalog, live, lv2_catalog, session, steepest};
use host_core::model::{PluginId, SlotId};
use host_core::session::{Command, SessionHandle};

/// An amplifier, at 0 dB until told otherwise.
const AMP: &str = "http://lv2plug.in/plugins/eg-amp";
/// A limiter that delays and leaves -6 dBFS alone.
const LIMITER: &str = "http://gareus.org/oss/lv2/dpl#stereo";

fn add(handle: &SessionHandle, uri: &str, index: usize) -> SlotId {
    handle.apply(Command::Add { plugin: PluginId::lv2(uri), index }).unwrap().unwrap()
}

fn fixture(handle: &SessionHandle, name: &str, index: usize) -> SlotId {
    let plugin = PluginId::clap(catena_tests::fixtures::clap_id(name));
    handle.apply(Command::Add { plugin, index }).unwrap().unwrap()
}

/// No step steeper than twice the sine's own, no silent block.
fn assert_smooth(out: &[f32]) {
    let steps = out.windows(2).enumerate().map(|(i, pair)| (i, (pair[1] - pair[0]).abs()));
    let (at, worst) = steps.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert!(worst <= 2.0 * steepest(), "a step of {worst} at frame {at}; the sine's own is {}", steepest());
    let silent = out.chunks_exact(64).position(|block| block.iter().all(|sample| sample.abs() < 1e-4));
    assert_eq!(silent, None, "a silent block");
}

#[test]
fn adding_moving_bypassing_and_removing_leaves_no_step_in_a_sine() {
    let (handle, processor) = session(&lv2_catalog(&["eg-amp.lv2", "dpl.lv2"]));
    add(&handle, LIMITER, 0);
    handle.activate(live(64)).unwrap();
    let latency = handle.latency();
    let player = Player::start(processor);
    let first = add(&handle, AMP, 0);
    let last = add(&handle, AMP, 2);
    handle.apply(Command::Move { slot: last, index: 0 }).unwrap();
    handle.apply(Command::Bypass(first, true)).unwrap();
    handle.apply(Command::Mix(last, 0.5)).unwrap();
    handle.apply(Command::Bypass(first, false)).unwrap();
    handle.apply(Command::Param(last, "gain".into(), -1.0)).unwrap();
    handle.save().unwrap();
    handle.apply(Command::Remove(first)).unwrap();
    handle.apply(Command::Remove(last)).unwrap();
    handle.settle();
    let (_processor, out) = player.stop();
    assert_eq!(handle.latency(), latency, "none of these edits changes the latency");
    assert_smooth(&out[latency as usize + 64..]);
}

#[test]
fn a_preset_and_another_plugin_in_the_place_of_one_leave_no_step() {
    let (handle, processor) = session(&fixtures_catalog());
    let (first, presets) = (fixture(&handle, "gain", 0), fixture(&handle, "presets", 1));
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    for name in ["Quiet", "Loud", "Quiet"] {
        handle.apply(Command::Preset(presets, name.into())).unwrap();
    }
    assert!(handle.apply(Command::Preset(presets, "Broken".into())).is_err());
    // Another plugin in its place: it comes beside it, and then it goes.
    let other = fixture(&handle, "channels", 1);
    handle.apply(Command::Remove(presets)).unwrap();
    handle.apply(Command::Rename(other, Some("other".into()))).unwrap();
    handle.save().unwrap();
    handle.apply(Command::Remove(first)).unwrap();
    handle.settle();
    let (_processor, out) = player.stop();
    assert_smooth(&out[64..]);
}

#[test]
fn with_the_host_not_processing_edits_and_saves_go_on() {
    let (handle, mut processor) = session(&lv2_catalog(&["eg-amp.lv2", "dpl.lv2"]));
    handle.activate(live(64)).unwrap();
    for _ in 0..10 {
        let slot = add(&handle, AMP, 0);
        handle.apply(Command::Param(slot, "gain".into(), 6.0)).unwrap();
        handle.save().unwrap();
        let kept = handle.chain().unwrap();
        assert_eq!(kept.slot(slot).unwrap().params["gain"], 6.0);
        handle.apply(Command::Remove(slot)).unwrap();
    }
    let slot = add(&handle, AMP, 0);
    handle.apply(Command::Param(slot, "gain".into(), 20.0)).unwrap();
    let mut peak = 0.0_f32;
    for _ in 0..100 {
        let (mut left, mut right) = ([0.01; 64], [0.01; 64]);
        catena_tests::session_bench::block(&mut processor, &mut left, &mut right);
        peak = left.iter().fold(peak, |peak, sample| peak.max(*sample));
    }
    assert!((peak - 0.1).abs() < 1e-4, "the gain of 20 dB is heard: {peak}");
}

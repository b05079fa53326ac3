//! Levels, loudness and cost as a session shows them, and the gain that makes a slot as loud as its dry.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use catena_tests::session_bench::{RATE, add, block, fixtures_catalog, live, session, sine, until};
use host_core::engine::Processor;
use host_core::model::{SlotId, Split};
use host_core::session::{
    Command, EditError, LaneEdit, Listen, MatchView, MeterView, NodeView, SessionHandle, SlotView, Snapshot,
};

/// Plays `seconds` of `tone` in blocks of 480 frames, and lets home listen on the way.
fn play(handle: &SessionHandle, processor: &mut Processor, seconds: f64, tone: impl Fn(usize) -> f32) {
    for number in 0..(seconds * 100.0) as usize {
        let mut left: Vec<f32> = (0..480).map(|i| tone(number * 480 + i)).collect();
        let mut right = left.clone();
        block(processor, &mut left, &mut right);
        if number % 20 == 19 {
            handle.look();
        }
    }
    handle.look();
}

fn view(snapshot: &Snapshot, slot: SlotId) -> SlotView {
    snapshot.slots.iter().find(|view| view.id == slot).unwrap().clone()
}

fn decibels(linear: f32) -> f32 {
    20.0 * linear.log10()
}

/// Asserts that a point has a sine with peaks at `level`, dBFS, by peak, RMS and loudness.
fn is_sine(meter: &MeterView, level: f32, what: &str) {
    let values = [meter.peak, meter.hold, meter.since.peak].map(decibels);
    assert!(values.iter().all(|value| (value - level).abs() < 0.1), "{what}: {meter:?}");
    assert!((decibels(meter.rms) - level + 3.01).abs() < 0.1, "{what}: {meter:?}");
    // A sine of 1 kHz in two channels is as many LUFS as its peak is dBFS.
    assert!((meter.short_term.unwrap() - f64::from(level)).abs() < 0.15, "{what}: {meter:?}");
}

#[test]
fn every_slot_lane_and_the_container_show_what_goes_in_and_what_comes_out() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(480)).unwrap();
    let [first, second, third] = ["gain", "gain", "gain"].map(|name| add(&handle, name));
    handle.apply(Command::Param(first, "100".into(), 0.5)).unwrap();
    handle.apply(Command::Param(second, "100".into(), 0.5)).unwrap();
    let group = handle.apply(Command::Parallel { from: second, to: second, split: Split::Copy }).unwrap().unwrap();
    let lanes: Vec<_> = handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect();
    handle.apply(Command::Lane(lanes[1], LaneEdit::Dry(true))).unwrap();
    handle.apply(Command::Lane(lanes[1], LaneEdit::Gain(-6.0206))).unwrap();
    handle.listen(Listen::Everything);
    play(&handle, &mut processor, 1.0, sine);
    handle.settle();
    handle.apply(Command::ResetMeters).unwrap();
    play(&handle, &mut processor, 4.0, sine);
    let snapshot = handle.snapshot();
    is_sine(&snapshot.input, -6.02, "in");
    is_sine(&view(&snapshot, first).input, -6.02, "into the first");
    is_sine(&view(&snapshot, first).output, -12.04, "out of the first");
    let Some(NodeView::Lanes(shown)) = snapshot.nodes.get(1) else { panic!("lanes in the second place") };
    for lane in &shown.lanes {
        is_sine(&lane.input, -12.04, "into a lane");
        is_sine(&lane.output, -18.06, "out of a lane");
    }
    is_sine(&view(&snapshot, second).input, -12.04, "into the slot in the lane");
    is_sine(&view(&snapshot, second).output, -18.06, "out of the slot in the lane");
    is_sine(&view(&snapshot, third).input, -12.04, "behind the lanes");
    is_sine(&snapshot.output, -12.04, "out");
    let loud = snapshot.output.since;
    assert!((loud.integrated.unwrap() + 12.04).abs() < 0.15 && (loud.short_term_max.unwrap() + 12.04).abs() < 0.15);
    let cost = view(&snapshot, first).cost;
    assert!(cost.nanos > 0 && cost.since.nanos > 0 && cost.since.max_nanos >= cost.since.nanos);
    let share = cost.since.nanos as f32 / (480.0 / RATE as f32 * 1e9);
    assert!((cost.since.share / share - 1.0).abs() < 0.01, "{cost:?}");
    assert!(snapshot.cost.since.nanos > cost.since.nanos);
    handle.listen(Listen::Nothing);
    play(&handle, &mut processor, 0.1, sine);
    assert_eq!((handle.snapshot().output.short_term, view(&handle.snapshot(), first).input.short_term), (None, None));
}

#[test]
fn what_clips_is_kept_until_the_meters_are_reset() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(480)).unwrap();
    let slot = add(&handle, "gain");
    play(&handle, &mut processor, 0.1, |frame| 4.0 * sine(frame));
    play(&handle, &mut processor, 0.5, |_| 0.0);
    let before = view(&handle.snapshot(), slot);
    assert!(before.output.since.clips > 100 && before.input.since.clips == before.output.since.clips, "{before:?}");
    assert_eq!((before.output.peak, before.output.since.peak), (0.0, 2.0));
    let dirty = handle.snapshot().dirty;
    handle.apply(Command::ResetMeters).unwrap();
    assert!(until(|| view(&handle.snapshot(), slot).output.since.clips == 0));
    assert_eq!(handle.snapshot().dirty, dirty, "no edit");
}

fn matched(handle: &SessionHandle, processor: &mut Processor, slot: SlotId, tone: impl Fn(usize) -> f32) -> MatchView {
    handle.apply(Command::Match(slot)).unwrap();
    play(handle, processor, 3.6, tone);
    view(&handle.look(), slot).matched
}

/// Loud and quiet in turn, so that a misaligned window would tell.
fn swell(frame: usize) -> f32 {
    let slow = (frame as f32 / RATE as f32 * 0.9).sin();
    sine(frame) * slow * slow
}

#[test]
fn a_match_makes_the_wet_as_loud_as_the_dry_whatever_mix_bypass_and_latency_are() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(480)).unwrap();
    let quiet = add(&handle, "gain");
    handle.apply(Command::Param(quiet, "100".into(), 0.25)).unwrap();
    handle.apply(Command::OutputGain(quiet, 6.0)).unwrap();
    handle.apply(Command::Mix(quiet, 0.5)).unwrap();
    play(&handle, &mut processor, 0.2, sine);
    let near = |became: MatchView, wanted: f64| match became {
        MatchView::Set(gain) if (gain - wanted).abs() < 0.06 => {}
        other => panic!("{other:?} instead of {wanted} dB"),
    };
    near(matched(&handle, &mut processor, quiet, swell), 12.04);
    assert!((handle.chain().unwrap().slot(quiet).unwrap().output_gain - 12.04).abs() < 0.06);
    handle.apply(Command::Param(quiet, "100".into(), 2.0)).unwrap();
    handle.apply(Command::Bypass(quiet, true)).unwrap();
    near(matched(&handle, &mut processor, quiet, swell), -6.02);
    let late = add(&handle, "delay");
    handle.apply(Command::Param(late, "100".into(), 4800.0)).unwrap();
    handle.deactivate();
    handle.activate(live(512)).unwrap();
    handle.activate(live(480)).unwrap();
    assert_eq!(view(&handle.snapshot(), late).latency, 4800);
    near(matched(&handle, &mut processor, late, swell), 0.0);
    // Where somebody listened before, the last 3 s are there already.
    handle.listen(Listen::To(vec![late]));
    play(&handle, &mut processor, 3.6, swell);
    handle.apply(Command::Match(late)).unwrap();
    play(&handle, &mut processor, 0.1, swell);
    near(view(&handle.look(), late).matched, 0.0);
}

#[test]
fn a_match_is_refused_in_silence_and_where_there_is_nothing_to_match() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(480)).unwrap();
    let slot = add(&handle, "gain");
    let refusal = |became: MatchView| match became {
        MatchView::Refused(why) => why,
        other => panic!("{other:?}"),
    };
    let why = refusal(matched(&handle, &mut processor, slot, |_| 0.0));
    assert!(why.contains("goes into it was silent for 3 s"), "{why}");
    assert!(handle.snapshot().notice.contains("was not matched"), "{}", handle.snapshot().notice);
    handle.apply(Command::Param(slot, "100".into(), 0.0)).unwrap();
    let why = refusal(matched(&handle, &mut processor, slot, sine));
    assert!(why.contains("its plugin was silent"), "{why}");
    assert_eq!(handle.chain().unwrap().slot(slot).unwrap().output_gain, 0.0);
    handle.apply(Command::Match(slot)).unwrap();
    play(&handle, &mut processor, 1.0, sine);
    assert!(
        matches!(view(&handle.snapshot(), slot).matched, MatchView::Listening(heard) if (0.5..3.0).contains(&heard))
    );
    let instrument = add(&handle, "instrument");
    let error = handle.apply(Command::Match(instrument)).unwrap_err();
    assert!(matches!(error, EditError::NoMatch { .. }), "{error}");
    assert_eq!(handle.apply(Command::Match(SlotId(99))), Err(EditError::NoSlot(SlotId(99))));
}

#[test]
fn an_editor_of_a_chain_that_rests_is_not_told_of_every_block() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(480)).unwrap();
    let slot = add(&handle, "gain");
    let told = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&told);
    handle.on_news(Box::new(move || _ = count.fetch_add(1, Ordering::Relaxed)));
    play(&handle, &mut processor, 1.0, |_| 0.0);
    let mut silence = || block(&mut processor, &mut [0.0; 480], &mut [0.0; 480]);
    let (revision, before) = (handle.snapshot().revision, told.load(Ordering::Relaxed));
    assert!(until(|| {
        silence();
        handle.snapshot().revision > revision + 60
    }));
    // Who looks sees the costs of now all the same.
    assert!(view(&handle.snapshot(), slot).cost.nanos > 0);
    assert!(told.load(Ordering::Relaxed) - before < 12, "{} of 60", told.load(Ordering::Relaxed) - before);
    let mut level = 0.1;
    assert!(until(|| {
        level = if level > 0.8 { 0.1 } else { level * 1.1 };
        block(&mut processor, &mut [level; 480], &mut [level; 480]);
        told.load(Ordering::Relaxed) - before > 20
    }));
}

//! Parallel lanes: aligned, summed exactly, changed without a click.

use std::sync::Arc;

use catena_tests::rig::{Noise, RATE, Rig, assert_smooth, cuts, sine};
use catena_tests::rust_plugins::{Bad, Delay, Echo, Gain, make, midi_ports, ports};
use host_core::engine::{LaneNode, LanesNode, LanesSetup, PlanLane, PlanLanes, PlanNode, SlotNode, SlotSetup};
use host_core::model::{SlotId, Split};

const BLOCKS: usize = 400;

fn setup(fade_in: bool) -> LanesSetup {
    LanesSetup { channels: 2, max_block: 1024, rate: RATE, fade_in }
}

fn delay(id: u64, latency: u32) -> PlanNode {
    late(id, latency, false)
}

fn late(id: u64, latency: u32, fade_in: bool) -> PlanNode {
    let plugin = make(&ports(2, 2), 1024, Delay::new(2, latency as usize));
    let setup = SlotSetup { latency, fade_in, ..SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2)) };
    PlanNode::Slot(SlotNode::new(setup))
}

fn gain(id: u64, gain: f32) -> PlanNode {
    let plugin = make(&ports(2, 2), 1024, Gain(gain));
    PlanNode::Slot(SlotNode::new(SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2))))
}

fn lane(nodes: Vec<PlanNode>) -> PlanLane {
    PlanLane { node: LaneNode::new(setup(false), false), delay: 0, sends: false, nodes }
}

fn group(split: &Split, lanes: Vec<PlanLane>) -> PlanLanes {
    PlanLanes { node: LanesNode::new(split, setup(false)), siblings: *split == Split::Copy && lanes.len() > 1, lanes }
}

fn lanes(split: &Split, lanes: Vec<PlanLane>) -> PlanNode {
    PlanNode::Lanes(group(split, lanes))
}

fn noise(frames: usize) -> Vec<Vec<f32>> {
    Noise::new(5).signal(2, frames)
}

/// The largest difference, against full scale, in dB.
fn residual(heard: &[Vec<f32>], wanted: impl Fn(usize, usize) -> f32) -> f64 {
    let worst = heard.iter().enumerate().flat_map(|(c, channel)| {
        let wanted = &wanted;
        channel.iter().enumerate().map(move |(i, x)| f64::from((x - wanted(c, i)).abs()))
    });
    20.0 * worst.fold(1e-20, f64::max).log10()
}

#[test]
fn lanes_of_unequal_latency_null_against_one_at_twice_the_level() {
    for (a, b) in [(512, 0), (0, 512), (63, 4800)] {
        let mut rig = Rig::new(2);
        let latency = rig.send_nodes(vec![lanes(&Split::Copy, vec![lane(vec![delay(1, a)]), lane(vec![delay(2, b)])])]);
        assert_eq!(latency, a.max(b));
        let signal = noise(24_000);
        let heard = rig.run(&signal, &cuts(24_000, None, 1024, 3));
        let late = latency as usize;
        let db = residual(&heard, |c, i| if i < late { 0.0 } else { signal[c][i - late] * 2.0 });
        assert!(db < -120.0, "{a} and {b}: {db} dB");
    }
}

#[test]
fn splits_come_back_together_as_they_were() {
    let signal = noise(9_600);
    for split in [Split::MidSide, Split::LeftRight] {
        let mut rig = Rig::new(2);
        rig.send_nodes(vec![lanes(&split, vec![lane(vec![gain(1, 1.0)]), lane(vec![gain(2, 1.0)])])]);
        let heard = rig.run(&signal, &cuts(9_600, Some(64), 64, 1));
        let db = residual(&heard, |c, i| signal[c][i]);
        assert!(db < -120.0, "{split:?}: {db} dB");
    }
    // The side alone is turned down: what both channels have in common is left.
    let mut rig = Rig::new(2);
    rig.send_nodes(vec![lanes(&Split::MidSide, vec![lane(vec![]), lane(vec![gain(2, 0.0)])])]);
    let heard = rig.run(&signal, &[960; 10]);
    let db = residual(&heard, |_, i| (signal[0][i] + signal[1][i]) * 0.5);
    assert!(db < -120.0, "middle alone: {db} dB");
    let mut rig = Rig::new(2);
    rig.send_nodes(vec![lanes(&Split::LeftRight, vec![lane(vec![gain(1, 0.5)]), lane(vec![])])]);
    let heard = rig.run(&signal, &[960; 10]);
    let db = residual(&heard, |c, i| signal[c][i] * if c == 0 { 0.5 } else { 1.0 });
    assert!(db < -120.0, "left at half: {db} dB");
}

/// Level of a sine of `frequency` through two to five bands, dB.
fn level(crossovers: &[f64], frequency: f64, heard_only: Option<usize>) -> f64 {
    let mut rig = Rig::new(2);
    let all: Vec<_> = (0..=crossovers.len()).map(|_| lane(vec![])).collect();
    for (i, lane) in all.iter().enumerate() {
        lane.node.controls().set_heard(heard_only.is_none_or(|only| only == i));
    }
    rig.send_nodes(vec![lanes(&Split::Bands(crossovers.to_vec()), all)]);
    let tone: Vec<f32> =
        (0..96_000).map(|i| (f64::from(i) * frequency / RATE * std::f64::consts::TAU).sin() as f32 * 0.5).collect();
    let heard = rig.run(&[tone.clone(), tone], &[500; 192]);
    // One second, a whole number of periods, behind what the filters need to settle.
    let power: f64 = heard[0][48_000..].iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>() / 48_000.0;
    10.0 * (power / 0.125).log10()
}

#[test]
fn two_to_five_bands_sum_flat() {
    let all = [100.0, 500.0, 2500.0, 9000.0];
    for count in 1..=4 {
        for frequency in [40.0, 100.0, 250.0, 500.0, 1200.0, 2500.0, 5000.0, 9000.0, 16_000.0] {
            let db = level(&all[..count], frequency, None);
            assert!(db.abs() < 0.01, "{count} crossovers, {frequency} Hz: {db} dB");
        }
    }
    // Each band is a band: -6 dB where two meet, gone elsewhere.
    assert!((level(&all, 500.0, Some(1)) + 6.02).abs() < 0.1);
    assert!((level(&all, 500.0, Some(2)) + 6.02).abs() < 0.1);
    assert!(level(&all, 9000.0, Some(0)) < -100.0);
    assert!(level(&all, 40.0, Some(3)) < -100.0);
    assert!(level(&all, 1100.0, Some(2)) > -1.0);
}

#[test]
fn lanes_nested_three_deep_are_aligned() {
    let mut rig = Rig::new(2);
    let inner = lanes(&Split::Copy, vec![lane(vec![delay(1, 100)]), lane(vec![delay(2, 7)])]);
    let middle = lanes(&Split::MidSide, vec![lane(vec![delay(3, 50), inner]), lane(vec![delay(4, 64), gain(5, 2.0)])]);
    let outer = lanes(
        &Split::Copy,
        vec![lane(vec![delay(6, 11), middle, delay(7, 3)]), lane(vec![gain(8, 2.0)]), lane(vec![])],
    );
    let latency = rig.send_nodes(vec![delay(9, 20), outer, gain(10, 0.5)]);
    assert_eq!(latency, 20 + 11 + 150 + 3);
    let signal = noise(12_000);
    let heard = rig.run(&signal, &cuts(12_000, None, 300, 8));
    // Twice from the first lane, twice from the second, once from the third, at half the level.
    let late = latency as usize;
    let db = residual(&heard, |c, i| if i < late { 0.0 } else { signal[c][i - late] * 2.5 });
    assert!(db < -120.0, "{db} dB");
}

#[test]
fn gain_pan_mute_and_solo_move_without_a_click_or_a_step_between_blocks() {
    let mut rig = Rig::new(2);
    let both = group(&Split::Copy, vec![lane(vec![gain(1, 1.0)]), lane(vec![gain(2, 1.0)])]);
    let (a, b) = (both.lanes[0].node.clone(), both.lanes[1].node.clone());
    rig.send_nodes(vec![PlanNode::Lanes(both)]);
    let mut heard = rig.sine(0, 40, |_, _| ());
    let changes: [&dyn Fn(); 6] = [
        &|| a.controls().set_gain(0.25),
        &|| b.controls().set_heard(false),
        &|| b.controls().set_heard(true),
        &|| a.controls().set_pan(1.0),
        &|| a.controls().set_pan(-0.5),
        &|| a.controls().set_gain(1.0),
    ];
    for (n, change) in changes.iter().enumerate() {
        heard.extend(rig.sine((n + 1) * 40 * 64, 40, |_, block| {
            if block == 5 {
                change();
            }
        }));
        assert!(a.controls().settled() && b.controls().settled(), "20 ms have passed");
    }
    // Two copies of the sine: twice its own steps.
    let halved: Vec<f32> = heard.iter().map(|x| x * 0.5).collect();
    assert_smooth(&halved, "lane controls");
    let power = |at: usize| heard[at..at + 480].iter().map(|x| x * x).sum::<f32>().sqrt();
    let plain = (0..480).map(|i| sine(i) * sine(i)).sum::<f32>().sqrt();
    let at = |n: usize| power((n + 1) * 40 * 64 + 1500) / plain;
    for (n, wanted) in [1.25, 0.25, 1.25, 1.0, 1.25, 2.0].into_iter().enumerate() {
        assert!((at(n) - wanted).abs() < 1e-3, "after change {n}: {} instead of {wanted}", at(n));
    }
}

#[test]
fn lanes_come_and_go_round_a_sounding_slot_without_silence_or_step() {
    for split in [Split::Copy, Split::MidSide, Split::LeftRight, Split::Bands(vec![300.0, 3000.0])] {
        let mut rig = Rig::new(2);
        let slot = delay(1, 100);
        rig.send_nodes(vec![slot.clone()]);
        let mut heard = rig.sine(0, BLOCKS, |_, _| ());
        // Lanes for a slot that stays where it is are made round it while it is away from the sound.
        let PlanNode::Slot(node) = &slot else { unreachable!() };
        node.controls().set_present(false);
        heard.extend(rig.sine(BLOCKS * 64, BLOCKS, |_, _| ()));
        let count = split.lanes().unwrap_or(2);
        let new = |nodes| PlanLane { node: LaneNode::new(setup(true), false), delay: 0, sends: false, nodes };
        // The other lane is longer, so that the slot's own is late by the lanes and must not be when they go.
        let longer = late(2, 164, true);
        let mut lanes: Vec<PlanLane> = (2..count).map(|_| new(vec![])).collect();
        lanes.insert(0, new(vec![longer.clone()]));
        lanes.insert(0, new(vec![slot.clone()]));
        if split == Split::Copy {
            lanes[1].node.controls().set_heard(false);
        }
        let made = PlanLanes { node: LanesNode::new(&split, setup(true)), lanes, siblings: split == Split::Copy };
        rig.send_nodes(vec![PlanNode::Lanes(made.clone())]);
        node.controls().set_present(true);
        heard.extend(rig.sine(2 * BLOCKS * 64, BLOCKS, |_, _| ()));
        assert!(made.node.controls().settled() && node.controls().settled());
        assert!(made.lanes.iter().all(|lane| lane.node.controls().settled()));
        // And away again.
        made.node.controls().set_thru();
        node.controls().set_present(false);
        let PlanNode::Slot(longer) = &longer else { unreachable!() };
        longer.controls().set_present(false);
        heard.extend(rig.sine(3 * BLOCKS * 64, BLOCKS, |_, _| ()));
        assert!(made.node.controls().settled());
        rig.send_nodes(vec![slot.clone()]);
        node.controls().set_present(true);
        heard.extend(rig.sine(4 * BLOCKS * 64, BLOCKS, |_, _| ()));
        assert_smooth(&heard[200..], &format!("{split:?}"));
        let last = heard.len() - 1;
        assert_eq!(heard[last], sine(last - 100), "{split:?}");
    }
}

#[test]
fn an_edit_elsewhere_and_a_longer_lane_leave_the_other_lanes_sounding() {
    let mut rig = Rig::new(2);
    let mut both = group(&Split::Copy, vec![lane(vec![delay(1, 512)]), lane(vec![])]);
    rig.send_nodes(vec![PlanNode::Lanes(both.clone())]);
    let mut heard = rig.sine(0, BLOCKS, |_, _| ());
    // A slot before the lanes, one behind them, and one in a lane that makes it longer than the other.
    let (before, behind) = (late(2, 64, true), late(3, 0, true));
    rig.send_nodes(vec![before.clone(), PlanNode::Lanes(both.clone()), behind.clone()]);
    heard.extend(rig.sine(BLOCKS * 64, BLOCKS, |_, _| ()));
    both.lanes[0].nodes.push(late(4, 4800, true));
    rig.send_nodes(vec![before, PlanNode::Lanes(both), behind]);
    heard.extend(rig.sine(2 * BLOCKS * 64, BLOCKS, |_, _| ()));
    let halved: Vec<f32> = heard.iter().map(|x| x * 0.5).collect();
    assert_smooth(&halved[700..], "edits round lanes");
    let last = heard.len() - 1;
    assert!((heard[last] - 2.0 * sine(last - 64 - 512 - 4800)).abs() < 1e-5);
}

#[test]
fn the_delay_line_of_a_lane_keeps_its_content_when_another_place_is_edited() {
    let mut rig = Rig::new(2);
    let both = group(&Split::Copy, vec![lane(vec![delay(1, 4800)]), lane(vec![])]);
    rig.send_nodes(vec![PlanNode::Lanes(both.clone())]);
    let signal = noise(9_600);
    let mut heard = rig.run(&signal, &[64; 40]);
    // In the middle of what the line of the second lane holds.
    rig.send_nodes(vec![PlanNode::Lanes(both), gain(2, 1.0)]);
    let rest: Vec<Vec<f32>> = signal.iter().map(|channel| channel[40 * 64..].to_vec()).collect();
    for (all, more) in heard.iter_mut().zip(rig.run(&rest, &[64; 110])) {
        all.extend(more);
    }
    let db = residual(&heard, |c, i| if i < 4800 { 0.0 } else { signal[c][i - 4800] * 2.0 });
    assert!(db < -120.0, "{db} dB");
}

#[test]
fn a_lane_is_late_by_what_the_user_says_and_the_report_is_not() {
    let mut rig = Rig::new(2);
    let mut both = group(&Split::Copy, vec![lane(vec![delay(1, 30)]), lane(vec![])]);
    both.lanes[1].delay = 1000;
    assert_eq!(rig.send_nodes(vec![PlanNode::Lanes(both)]), 30);
    let mut click = vec![vec![0.0; 4096]; 2];
    click[0][10] = 1.0;
    let heard = rig.run(&click, &[64; 64]);
    let loud: Vec<usize> = (0..4096).filter(|i| heard[0][*i] != 0.0).collect();
    assert_eq!(loud, [40, 1040]);
}

#[test]
fn a_slot_that_cannot_run_is_silent_beside_its_siblings_and_dry_in_a_band() {
    let bad = || {
        let plugin = make(&ports(2, 2), 1024, Bad { bad: f32::NAN, blocks: 20..=u64::MAX, count: 0 });
        PlanNode::Slot(SlotNode::new(SlotSetup::new(SlotId(9), vec![plugin], ports(2, 2))))
    };
    for (split, wanted) in [(Split::Copy, 1.0), (Split::MidSide, 1.0), (Split::Bands(vec![4000.0]), 1.0)] {
        let mut rig = Rig::new(2);
        let first = if split == Split::Copy { vec![gain(1, 1.0)] } else { vec![] };
        // In the band and the middle that hold the sine.
        let all = if split == Split::Copy {
            vec![lane(first), lane(vec![bad()])]
        } else {
            vec![lane(vec![bad()]), lane(first)]
        };
        rig.send_nodes(vec![lanes(&split, all)]);
        let heard = rig.sine(0, BLOCKS, |_, _| ());
        assert!(heard.iter().all(|x| x.is_finite()));
        let halved: Vec<f32> = heard.iter().map(|x| x * 0.5).collect();
        assert_smooth(&halved[200..], &format!("{split:?}"));
        let power = |xs: &[f32]| xs.iter().map(|x| x * x).sum::<f32>().sqrt();
        let level = power(&heard[24_000..24_480]) / power(&(0..480).map(sine).collect::<Vec<_>>());
        assert!((level - wanted).abs() < 1e-3, "{split:?}: {level}");
    }
}

#[test]
fn midi_passes_lanes_once_and_what_a_lane_makes_comes_out() {
    let through = |nodes: Vec<PlanLane>| {
        let mut rig = Rig::new(2);
        rig.send_nodes(vec![lanes(&Split::Copy, nodes)]);
        let mut heard = Vec::new();
        for block in 0..20 {
            if block == 2 {
                rig.events_in.push(5, 0, &[0x90, 60, 100]);
            }
            rig.block(&mut vec![vec![0.0; 64]; 2]);
            heard.extend(rig.events_out.iter().map(|(e, bytes)| (block * 64 + usize::from(e.frame), bytes.to_vec())));
        }
        heard
    };
    let note = |frame: usize, first: u8| (frame, vec![first, 60, 100]);
    let plain = through(vec![lane(vec![delay(1, 300)]), lane(vec![gain(2, 1.0)])]);
    assert_eq!(plain, [note(133 + 300, 0x90)]);
    let layout = midi_ports(2, 2);
    let echo = SlotNode::new(SlotSetup::new(SlotId(3), vec![make(&layout, 1024, Echo)], layout));
    let made = through(vec![lane(vec![delay(1, 300)]), lane(vec![PlanNode::Slot(echo)])]);
    assert_eq!(made, [note(133 + 300, 0x91)]);
}

#[test]
fn lanes_of_mono_and_of_six_channels_come_back_together() {
    for channels in [1_u16, 6] {
        for split in [Split::Copy, Split::MidSide, Split::LeftRight, Split::Bands(vec![1000.0])] {
            let mut rig = Rig::new(channels);
            let setup = LanesSetup { channels, ..setup(false) };
            let count = split.lanes().unwrap_or(1);
            let all = (0..count).map(|_| PlanLane {
                node: LaneNode::new(setup, false),
                delay: 0,
                sends: false,
                nodes: vec![],
            });
            let node: Arc<LanesNode> = LanesNode::new(&split, setup);
            rig.send_nodes(vec![PlanNode::Lanes(PlanLanes { node, lanes: all.collect(), siblings: false })]);
            let signal = Noise::new(2).signal(channels.into(), 4800);
            let heard = rig.run(&signal, &[480; 10]);
            if !matches!(split, Split::Bands(_)) {
                let db = residual(&heard, |c, i| signal[c][i]);
                assert!(db < -120.0, "{channels} channels, {split:?}: {db} dB");
            }
            assert!(heard.iter().flatten().all(|x| x.is_finite()));
        }
    }
}

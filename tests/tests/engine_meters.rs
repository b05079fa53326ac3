//! What the audio thread notes of levels, and what home hears where it listens.

use std::sync::Arc;

use catena_tests::rig::{Rig, sine};
use catena_tests::rust_plugins::{Delay, Gain, make, ports};
use host_core::engine::{
    Heard, LaneNode, LanesNode, LanesSetup, PlanLane, PlanLanes, PlanNode, PointReading, SlotNode, SlotSetup,
};
use host_core::model::{SlotId, Split};

fn gain(id: u64, gain: f32) -> Arc<SlotNode> {
    SlotNode::new(SlotSetup::new(SlotId(id), vec![make(&ports(2, 2), 1024, Gain(gain))], ports(2, 2)))
}

/// 1 kHz at -6 dBFS on both channels for 100 blocks of 48 frames: whole periods.
fn play(rig: &mut Rig) {
    for _ in 0..100 {
        let tone: Vec<f32> = (0..48).map(sine).collect();
        rig.block(&mut [tone.clone(), tone]);
    }
}

/// Asserts that a reading is of 100 blocks of a sine of this amplitude on each side.
fn is_sine(reading: Option<PointReading>, [left, right]: [f32; 2]) {
    let reading = reading.expect("something was played");
    assert_eq!(reading.samples, 9600);
    assert!((reading.peak - left.abs().max(right.abs())).abs() < 1e-5, "{reading:?}");
    let power = f64::from(left * left + right * right) / 4.0;
    assert!((reading.energy / 9600.0 - power).abs() < 1e-5, "{reading:?} instead of {power}");
}

#[test]
fn each_slot_and_the_container_tell_what_comes_out_and_how_much_of_it_clips() {
    let mut rig = Rig::new(2);
    let (loud, quiet) = (gain(1, 4.0), gain(2, 0.125));
    rig.send(&[loud.clone(), quiet.clone()]);
    play(&mut rig);
    loud.meters();
    quiet.meters();
    rig.controller.meters();
    play(&mut rig);
    let (first, second, all) = (loud.meters(), quiet.meters(), rig.controller.meters());
    is_sine(first.output, [2.0; 2]);
    is_sine(second.output, [0.25; 2]);
    is_sine(all.input, [0.5; 2]);
    is_sine(all.all.output, [0.25; 2]);
    // Beyond 1 are the frames of a period of 48 whose sine is above a half: 15 each way.
    let over = (0..48).filter(|frame| (4.0 * sine(*frame)).abs() > 1.0).count() as u32;
    assert_eq!(first.output.unwrap().clips, over * 2 * 100);
    assert_eq!((second.output.unwrap().clips, all.input.unwrap().clips), (0, 0));
    assert_eq!((first.blocks, all.all.blocks), (100, 100));
    assert!(first.nanos > 0 && first.max_nanos > 0 && all.all.nanos >= first.nanos);
    assert_eq!(loud.meters().output, None, "nothing was played since");
    // Where fades and mixes are in the way it is what leaves all the same.
    loud.controls().set_mix(0.5);
    loud.controls().set_output_gain(0.5);
    play(&mut rig);
    loud.meters();
    quiet.meters();
    play(&mut rig);
    is_sine(loud.meters().output, [0.75; 2]);
    rig.bypass = true;
    play(&mut rig);
    rig.controller.meters();
    play(&mut rig);
    is_sine(rig.controller.meters().all.output, [0.5; 2]);
}

/// Two lanes: one as it is, one with gain and pan; the second has a slot.
fn lanes(split: &Split, slot: &Arc<SlotNode>) -> PlanLanes {
    let setup = LanesSetup { channels: 2, max_block: 1024, rate: 48_000.0, fade_in: false };
    let lane = |nodes| PlanLane { node: LaneNode::new(setup, false), delay: 0, sends: false, nodes };
    PlanLanes {
        node: LanesNode::new(split, setup),
        lanes: vec![lane(vec![]), lane(vec![PlanNode::Slot(slot.clone())])],
        siblings: true,
    }
}

#[test]
fn a_lane_tells_what_it_is_given_and_what_it_adds_and_the_lanes_what_they_make_together() {
    let mut rig = Rig::new(2);
    let slot = gain(1, 0.5);
    let group = lanes(&Split::Copy, &slot);
    group.lanes[1].node.controls().set_gain(0.5);
    group.lanes[1].node.controls().set_pan(1.0);
    rig.send_nodes(vec![PlanNode::Lanes(group.clone())]);
    play(&mut rig);
    let read = || {
        let lane = |at: usize| group.lanes[at].node.meters();
        (lane(0), lane(1), group.node.meters())
    };
    read();
    slot.meters();
    play(&mut rig);
    let (first, second, sum) = read();
    is_sine(first.input, [0.5; 2]);
    is_sine(first.output, [0.5; 2]);
    is_sine(second.input, [0.5; 2]);
    is_sine(slot.meters().output, [0.25; 2]);
    is_sine(second.output, [0.0, 0.125]);
    is_sine(sum, [0.5, 0.625]);
    group.node.controls().set_split(&Split::MidSide);
    play(&mut rig);
    read();
    slot.meters();
    play(&mut rig);
    let (first, second, _) = read();
    is_sine(first.input, [0.5; 2]);
    is_sine(second.input, [0.0; 2]);
}

fn take(heard: &mut Heard, point: usize) -> Vec<f32> {
    std::iter::from_fn(|| heard[point].pop().ok()).collect()
}

fn interleaved(channels: &[Vec<f32>]) -> Vec<f32> {
    (0..channels[0].len()).flat_map(|frame| channels.iter().map(move |channel| channel[frame])).collect()
}

#[test]
fn home_hears_what_goes_into_a_slot_what_its_plugin_makes_and_what_comes_out() {
    let mut rig = Rig::new(2);
    let late = SlotNode::new(SlotSetup {
        latency: 100,
        ..SlotSetup::new(SlotId(1), vec![make(&ports(2, 2), 1024, Delay::new(2, 100))], ports(2, 2))
    });
    rig.send(&[gain(2, 0.5), late.clone()]);
    let signal = [(0..4000).map(|i| i as f32 / 4000.0).collect(), (0..4000).map(|i| -i as f32).collect::<Vec<f32>>()];
    let half: Vec<Vec<f32>> = signal.iter().map(|channel| channel.iter().map(|x| x * 0.5).collect()).collect();
    let cuts = catena_tests::rig::cuts(4000, None, 300, 7);
    let mut heard = late.open_tap(48_000).unwrap();
    let mut whole = rig.controller.open_tap(2, 48_000).unwrap();
    let out = rig.run(&signal, &cuts);
    assert_eq!(take(&mut heard, 0), interleaved(&half));
    assert_eq!(take(&mut heard, 1), interleaved(&out), "steady: the plugin's own sound is what comes out");
    assert_eq!(take(&mut heard, 2), interleaved(&out));
    assert_eq!(take(&mut whole, 0), interleaved(&signal));
    assert_eq!(take(&mut whole, 1), interleaved(&out));
    late.controls().set_output_gain(0.25);
    rig.run(&signal, &cuts);
    let _fading = (take(&mut heard, 0), take(&mut heard, 1), take(&mut heard, 2));
    let out = rig.run(&signal, &cuts);
    let wet: Vec<f32> = interleaved(&out).iter().map(|x| x * 4.0).collect();
    assert_eq!(take(&mut heard, 1), wet, "before the output gain");
    assert_eq!(take(&mut heard, 2), interleaved(&out));
    late.close_tap();
    rig.run(&signal, &cuts);
    assert!(take(&mut heard, 0).len() == 8000 && take(&mut heard, 0).is_empty());
}

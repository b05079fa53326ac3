//! A slot's own channel strip: what each control does, that none of them is heard as a click or a zipper, and that none of them
//! moves the sound in time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use catena_tests::ear::splatter;
use catena_tests::rig::{Noise, Rig, assert_smooth, cuts, sine};
use catena_tests::rust_plugins::{Delay, Gain, Tone, Work, make, ports};
use host_core::backend::audio::{Block, PortBuffers, RunStatus};
use host_core::engine::{
    LaneNode, LanesNode, LanesSetup, PlanLane, PlanLanes, PlanNode, SlotControls, SlotNode, SlotSetup,
};
use host_core::model::{IfFails, Phase, SlotId, Split};

const LATE: usize = 100;

/// Sets something, or moves it to a place.
type Set<'a> = &'a dyn Fn(&SlotControls);
type Move<'a> = &'a dyn Fn(&SlotControls, f32);

fn slot_of<W: Work>(id: u64, latency: usize, work: W) -> Arc<SlotNode> {
    let plugin = make(&ports(2, 2), 1024, work);
    SlotNode::new(SlotSetup { latency: latency as u32, ..SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2)) })
}

/// Half as loud, and late.
struct Half(Delay);

impl Work for Half {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        self.0.run(buffers, block);
        for channel in &mut buffers.outputs[0].channels {
            channel[..block.frames as usize].iter_mut().for_each(|x| *x *= 0.5);
        }
        RunStatus::Ok
    }
}

fn half() -> Arc<SlotNode> {
    slot_of(1, LATE, Half(Delay::new(2, LATE)))
}

/// What comes out of a slot that halves, in the end, for a left of 0.4 and a right of -0.2.
fn settled(set: impl Fn(&SlotControls)) -> [f32; 2] {
    let mut rig = Rig::new(2);
    let slot = half();
    rig.send(std::slice::from_ref(&slot));
    let signal = [vec![0.4; 6400], vec![-0.2; 6400]];
    rig.run(&signal, &[64; 50]);
    set(slot.controls());
    let heard = rig.run(&signal, &[64; 100]);
    assert!(slot.controls().settled());
    [heard[0][6399], heard[1][6399]]
}

#[test]
fn each_control_does_what_it_says() {
    let cases: &[(&str, [f32; 2], Set<'_>)] = &[
        ("nothing", [0.2, -0.1], &|_| ()),
        ("pan to the right", [0.1, -0.1], &|set| set.set_pan(0.5)),
        ("pan to the left", [0.2, 0.0], &|set| set.set_pan(-1.0)),
        ("left turned", [-0.2, -0.1], &|set| set.set_phase(Phase::Left)),
        ("right turned", [0.2, 0.1], &|set| set.set_phase(Phase::Right)),
        ("both turned", [-0.2, 0.1], &|set| set.set_phase(Phase::Both)),
        ("mono", [0.05, 0.05], &|set| set.set_mono(true)),
        ("mono of one turned is the side", [-0.15, -0.15], &|set| {
            set.set_mono(true);
            set.set_phase(Phase::Left);
        }),
        ("mono is panned", [0.05, 0.0], &|set| {
            set.set_mono(true);
            set.set_pan(-1.0);
        }),
        ("mute", [0.0, 0.0], &|set| set.set_mute(true)),
        ("a mute in bypass", [0.0, 0.0], &|set| {
            set.set_bypass(true);
            set.set_mute(true);
        }),
        ("delta", [-0.2, 0.1], &|set| set.set_delta(true)),
        ("delta of a half mix", [-0.1, 0.05], &|set| {
            set.set_delta(true);
            set.set_mix(0.5);
        }),
        ("the dry is neither panned nor turned", [0.1, -0.05], &|set| {
            set.set_mix(0.5);
            set.set_phase(Phase::Both);
        }),
        ("bypass", [0.4, -0.2], &|set| {
            set.set_bypass(true);
            set.set_pan(1.0);
            set.set_delta(true);
            set.set_mono(true);
        }),
        ("passed by for a soloed neighbour, muted or not", [0.4, -0.2], &|set| {
            set.set_aside(true);
            set.set_mute(true);
        }),
    ];
    for (what, due, set) in cases {
        let heard = settled(set);
        assert!((heard[0] - due[0]).abs() < 1e-6 && (heard[1] - due[1]).abs() < 1e-6, "{what}: {heard:?}, not {due:?}");
    }
    assert_eq!(settled(|set| set.set_bypass(true)), [0.4, -0.2], "bit by bit");
}

#[test]
fn no_change_of_a_control_is_heard_as_a_click_or_a_zipper() {
    let changes: &[(&str, Move<'_>)] = &[
        ("input gain", &|set, x| set.set_input_gain(1.0 - x)),
        ("output gain", &|set, x| set.set_output_gain(x)),
        ("mix", &|set, x| set.set_mix(x)),
        ("pan", &|set, x| set.set_pan(x)),
        ("phase", &|set, x| set.set_phase(if x > 0.5 { Phase::Left } else { Phase::Normal })),
        ("mono", &|set, x| set.set_mono(x > 0.5)),
    ];
    for (what, change) in changes {
        for late in [0, LATE] {
            // Steps, and automation that moves with every block.
            for automated in [false, true] {
                let mut rig = Rig::new(2);
                let slot = slot_of(1, late, Delay::new(2, late));
                rig.send(std::slice::from_ref(&slot));
                let heard = rig.sine(0, 160, |_, block| match (automated, block) {
                    (false, 40 | 80 | 120) => change(slot.controls(), f32::from(block == 80)),
                    (false, 100) => change(slot.controls(), 0.3),
                    (true, 40..140) => change(slot.controls(), ((block - 40) as f32 / 15.0).sin().powi(2)),
                    _ => {}
                });
                let loudest = splatter(&heard[1200..]);
                assert!(loudest < -90.0, "{what}, {late} frames late, automated {automated}: {loudest} dBFS");
            }
        }
    }
}

#[test]
fn mute_delta_bypass_and_the_way_past_a_soloed_neighbour_fade() {
    let mut rig = Rig::new(2);
    let (a, b) = (half(), slot_of(2, 63, Delay::new(2, 63)));
    rig.send(&[a.clone(), b]);
    let set = a.controls();
    let heard = rig.sine(0, 1000, |_, block| match block {
        100 => set.set_mute(true),
        200 => set.set_mute(false),
        300 => set.set_delta(true),
        400 => set.set_bypass(true),
        500 => set.set_bypass(false),
        600 => set.set_aside(true),
        700 => set.set_delta(false),
        800 => set.set_aside(false),
        // Back before it is there.
        900 => set.set_mute(true),
        903 => set.set_mute(false),
        910 => set.set_delta(true),
        913 => set.set_delta(false),
        _ => {}
    });
    let steepest = 0.5 * std::f32::consts::TAU / 48.0;
    for (i, pair) in heard[1000..].windows(2).enumerate() {
        assert!((pair[1] - pair[0]).abs() <= 1.2 * steepest, "a step at {}: {pair:?}", i + 1000);
    }
    let due = |at: usize| sine(at - LATE - 63);
    for (block, share) in
        [(90, 0.5), (190, 0.0), (290, 0.5), (390, -0.5), (490, 1.0), (590, -0.5), (690, 1.0), (790, 1.0)]
    {
        let at = block * 64 + 5;
        assert!((heard[at] - share * due(at)).abs() < 1e-6, "block {block}: {} for {}", heard[at], share * due(at));
    }
}

/// Settings drawn at random, the same for each slot that they are set on.
fn draw(noise: &mut Noise, sets: &[&SlotControls]) {
    let (what, x, on) = (noise.pick(0..8), noise.sample() + 0.5, noise.pick(0..2) == 1);
    let phase = [Phase::Normal, Phase::Left, Phase::Right, Phase::Both][noise.pick(0..4)];
    for set in sets {
        match what {
            0 => set.set_mix(x),
            1 => set.set_input_gain(2.0 * x),
            2 => set.set_output_gain(2.0 * x),
            3 => set.set_pan(2.0 * x - 1.0),
            4 => set.set_phase(phase),
            5 => set.set_mono(on),
            6 => set.set_bypass(on && x < 0.2),
            _ => set.set_aside(on && x < 0.2),
        }
    }
}

#[test]
fn delta_and_dry_together_are_the_wet_whatever_is_set_in_whatever_order() {
    for seed in 1..=12 {
        let signal = Noise::new(seed).signal(2, 40_000);
        let run = |delta: bool| {
            let mut rig = Rig::new(2);
            let slot = half();
            slot.controls().set_delta(delta);
            rig.send(std::slice::from_ref(&slot));
            let (mut noise, mut heard) = (Noise::new(seed + 100), vec![Vec::new(); 2]);
            let mut at = 0;
            for cut in cuts(40_000, None, 512, seed) {
                if noise.pick(0..4) == 0 {
                    draw(&mut noise, &[slot.controls()]);
                }
                let mut block: Vec<Vec<f32>> = signal.iter().map(|channel| channel[at..at + cut].to_vec()).collect();
                rig.block(&mut block);
                heard.iter_mut().zip(block).for_each(|(heard, block)| heard.extend(block));
                at += cut;
            }
            heard
        };
        let (whole, delta) = (run(false), run(true));
        let mut compared = 0;
        for c in 0..2 {
            for at in 2000..40_000 {
                let dry = signal[c][at - LATE];
                // In bypass both are the dry, and for 10 ms on both sides of it delta fades.
                let passed = (whole[c][at] - dry).abs() < 1e-6;
                let sum = delta[c][at] + dry;
                let fades = (at.saturating_sub(1000)..(at + 1000).min(40_000))
                    .step_by(20)
                    .any(|near| (whole[c][near] - signal[c][near - LATE]).abs() < 1e-6);
                if !passed && !fades {
                    assert!((sum - whole[c][at]).abs() < 2e-6, "seed {seed}, frame {at}: {sum} for {}", whole[c][at]);
                    compared += 1;
                }
            }
        }
        assert!(compared > 5_000, "seed {seed}: only {compared} frames without bypass");
    }
}

#[test]
fn no_control_changes_the_latency_or_moves_the_sound() {
    for seed in 1..=40 {
        let mut rig = Rig::new(2);
        let (a, b) = (slot_of(1, 512, Delay::new(2, 512)), slot_of(2, 63, Delay::new(2, 63)));
        assert_eq!(rig.send(&[a.clone(), b.clone()]), 575);
        let mut noise = Noise::new(seed);
        let sets = [a.controls(), b.controls()];
        (0..10).for_each(|_| draw(&mut noise, &[sets[noise_pick(seed)]]));
        for set in sets {
            // What is wholly turned out, or out of phase with the dry, would be an impulse of nothing.
            set.set_output_gain(1.0);
            set.set_input_gain(1.0);
            set.set_mix(1.0);
        }
        rig.run(&[vec![0.0; 6400], vec![0.0; 6400]], &[64; 100]);
        assert_eq!(rig.send(&[a.clone(), b.clone()]), 575);
        let mut signal = [vec![0.0; 1280], vec![0.0; 1280]];
        (signal[0][7], signal[1][7]) = (1.0, 0.5);
        let heard = rig.run(&signal, &[64; 20]);
        for (at, x) in heard.iter().flat_map(|channel| channel.iter().enumerate()) {
            assert!(at == 7 + 575 || *x == 0.0, "seed {seed}: {x} at {at}");
        }
        assert!(heard.iter().any(|channel| channel[7 + 575] != 0.0), "seed {seed}");
    }
}

fn noise_pick(seed: u64) -> usize {
    (seed % 2) as usize
}

/// Counts its blocks; an echo that sounds on for ever without a reset.
struct Counts(Arc<AtomicUsize>, f32);

impl Work for Counts {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        self.0.fetch_add(1, Relaxed);
        if let Some(change) = block.params.last() {
            self.1 = change.value as f32;
        }
        let frames = block.frames as usize;
        for (out, input) in buffers.outputs[0].channels.iter_mut().zip(&buffers.inputs[0].channels) {
            for (out, input) in out[..frames].iter_mut().zip(&input[..frames]) {
                self.1 = if *input > 0.9 { 0.25 } else { self.1 };
                *out = *input + self.1;
            }
        }
        RunStatus::Ok
    }

    fn reset(&mut self) {
        self.1 = 0.0;
    }
}

#[test]
fn an_idle_plugin_is_not_run_in_bypass_but_to_be_told_something_and_begins_afresh() {
    let mut rig = Rig::new(2);
    let ran = Arc::new(AtomicUsize::new(0));
    let slot = slot_of(1, 0, Counts(ran.clone(), 0.0));
    slot.controls().set_idle(true);
    rig.send(std::slice::from_ref(&slot));
    let level = |rig: &mut Rig, x: f32, blocks: usize| {
        let before = ran.load(Relaxed);
        let heard = rig.run(&[vec![x; blocks * 64], vec![x; blocks * 64]], &vec![64; blocks]);
        (heard[0][blocks * 64 - 1], ran.load(Relaxed) - before)
    };
    assert_eq!(level(&mut rig, 1.0, 10), (1.25, 10));
    slot.controls().set_bypass(true);
    let (heard, runs) = level(&mut rig, 0.5, 40);
    assert!(heard == 0.5 && runs < 10, "{heard}, {runs} blocks for a fade of 480 frames");
    assert!(slot.controls().resting() && slot.controls().settled());
    assert_eq!(level(&mut rig, 0.5, 20), (0.5, 0));
    // A value is told at once, though nobody hears it.
    rig.controller.param(&slot, host_core::backend::audio::ParamEvent { frame: 3, index: 0, value: 0.125 });
    assert_eq!(level(&mut rig, 0.5, 20), (0.5, 1));
    slot.controls().set_bypass(false);
    let heard = rig.run(&[vec![0.5; 6400], vec![0.5; 6400]], &[64; 100]);
    assert!(heard[0].iter().all(|x| *x == 0.5), "what sounded before the bypass is gone");
    assert!(!slot.controls().resting());
    // Not idle: it runs on, unheard.
    slot.controls().set_idle(false);
    slot.controls().set_bypass(true);
    assert_eq!(level(&mut rig, 0.5, 20).1, 20);
}

#[test]
fn an_idle_plugin_with_latency_is_full_before_it_is_heard_again() {
    let mut rig = Rig::new(2);
    let slot = half();
    slot.controls().set_idle(true);
    rig.send(std::slice::from_ref(&slot));
    let heard = rig.sine(0, 600, |_, block| match block {
        100 | 300 => slot.controls().set_bypass(true),
        200 | 400 => slot.controls().set_bypass(false),
        _ => {}
    });
    assert_smooth(&heard[200..], "into bypass and back");
    let due = |at: usize| sine(at - LATE);
    for back in [200 * 64, 400 * 64] {
        assert!((back..back + LATE).all(|at| heard[at] == due(at)), "what is old is not heard");
    }
    for (block, share) in [(90, 0.5), (190, 1.0), (290, 0.5), (390, 1.0), (590, 0.5)] {
        let at = block * 64 + 11;
        assert_eq!(heard[at], share * due(at), "block {block}");
    }
    assert_eq!(slot.meters().faults, 0);
}

fn lanes(nodes: Vec<PlanNode>, gains: &[f32]) -> (PlanLanes, Arc<LanesNode>) {
    let setup = LanesSetup { channels: 2, max_block: 1024, rate: 48_000.0, fade_in: false };
    let group = LanesNode::new(&Split::Copy, setup);
    let mut nodes = Some(nodes);
    let lane = |gain: &f32| {
        let node = LaneNode::new(setup, false);
        node.controls().set_gain(*gain);
        PlanLane { node, delay: 0, sends: false, nodes: nodes.take().unwrap_or_default() }
    };
    let lanes = gains.iter().map(lane).collect();
    (PlanLanes { node: group.clone(), lanes, siblings: true }, group)
}

#[test]
fn lanes_beside_a_soloed_slot_are_passed_by_as_late_as_they_were() {
    for late in [0, LATE] {
        let mut rig = Rig::new(2);
        let inner = slot_of(3, late, Delay::new(2, late));
        let (group, node) = lanes(vec![inner.into()], &[0.5, 0.75]);
        let soloed = slot_of(1, 0, Gain(0.5));
        rig.send_nodes(vec![PlanNode::Lanes(group), soloed.into()]);
        let heard = rig.sine(0, 600, |_, block| match block {
            200 => node.controls().set_aside(true),
            400 => node.controls().set_aside(false),
            _ => {}
        });
        assert_smooth(&heard[200..], "round the lanes and back");
        for (block, share) in [(190, 0.625), (390, 0.5), (590, 0.625)] {
            let at = block * 64 + 11;
            assert!((heard[at] - share * sine(at - late)).abs() < 1e-6, "{late} frames late, block {block}");
        }
        // Soloed from the first block on.
        let mut rig = Rig::new(2);
        let inner = slot_of(3, late, Delay::new(2, late));
        let (group, node) = lanes(vec![inner.into()], &[0.5, 0.75]);
        node.controls().set_aside(true);
        rig.send_nodes(vec![PlanNode::Lanes(group)]);
        let heard = rig.sine(0, 20, |_, _| ());
        assert!(heard.iter().enumerate().skip(late).all(|(at, x)| *x == sine(at - late)));
        assert!(heard[..late].iter().all(|x| *x == 0.0));
    }
}

/// Passes its input, and fails while the switch is on.
struct Fails(Arc<AtomicUsize>);

impl Work for Fails {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        Gain(1.0).run(buffers, block);
        if self.0.load(Relaxed) > 0 { RunStatus::Failed } else { RunStatus::Ok }
    }
}

#[test]
fn what_a_slot_does_when_it_fails_is_faded_to_and_back() {
    for choice in [IfFails::Dry, IfFails::Mute, IfFails::MuteChain] {
        let mut rig = Rig::new(2);
        let fails = Arc::new(AtomicUsize::new(0));
        let slot = slot_of(1, 0, Fails(fails.clone()));
        let tone = make(&ports(0, 2), 1024, Tone(0.125));
        let tone = SlotNode::new(SlotSetup::new(SlotId(3), vec![tone], ports(0, 2)));
        slot.controls().set_if_fails(choice);
        rig.send(&[slot.clone(), tone]);
        let heard = rig.sine(0, 300, |_, block| match block {
            100 => fails.store(1, Relaxed),
            200 => {
                fails.store(0, Relaxed);
                slot.controls().retry();
            }
            _ => {}
        });
        let steepest = 0.5 * std::f32::consts::TAU / 48.0;
        for (i, pair) in heard.windows(2).enumerate() {
            assert!((pair[1] - pair[0]).abs() <= 1.2 * steepest, "{choice:?}: a step at {i}: {pair:?}");
        }
        let at = 190 * 64 + 5;
        let due = due_of(choice, at);
        assert!((heard[at] - due).abs() < 1e-6, "{choice:?}: {} for {due}", heard[at]);
        let at = 290 * 64 + 5;
        assert!((heard[at] - sine(at) - 0.125).abs() < 1e-6, "{choice:?}");
        // 10 ms, three bad blocks before it, and not an instant.
        let is_there = |at: usize| (heard[at] - due_of(choice, at)).abs() < 1e-6;
        let gone = (100 * 64..190 * 64).find(|&at| (at..at + 480).all(is_there));
        let gone = gone.expect("it ends somewhere") - 100 * 64;
        assert!(choice == IfFails::Dry || (400..900).contains(&gone), "{choice:?}: after {gone} frames");
    }
}

fn due_of(choice: IfFails, at: usize) -> f32 {
    match choice {
        IfFails::Dry => sine(at) + 0.125,
        IfFails::Mute => 0.125,
        IfFails::MuteChain => 0.0,
    }
}

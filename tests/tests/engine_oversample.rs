//! A plugin at two, four and eight times the rate: whole frames late, flat, in time with its events and the song, with less aliasing.

use std::sync::{Arc, Mutex};

use catena_tests::rig::{Noise, Rig, cuts};
use catena_tests::rust_plugins::{Bad, Delay, Gain, Work, make, midi_ports, ports};
use host_core::backend::audio::{Block, PortBuffers, RunStatus, Transport};
use host_core::engine::{EngineConfig, PlanNode, PlanSide, SideSource, SlotNode, SlotSetup};
use host_core::model::{AudioBus, BusRole, PortLayout, SlotId};

const FACTORS: [u32; 3] = [2, 4, 8];

/// A slot at `factor` times the rate; its plugin has `latency` frames of its own at that rate.
fn slot<W: Work>(factor: u32, latency: u32, layout: PortLayout, work: W) -> Arc<SlotNode> {
    let plugin = make(&layout, 1024 * factor, work);
    SlotNode::new(SlotSetup { oversample: factor, latency, ..SlotSetup::new(SlotId(1), vec![plugin], layout) })
}

fn late(id: u64, latency: u32) -> Arc<SlotNode> {
    let plugin = make(&ports(2, 2), 1024, Delay::new(2, latency as usize));
    SlotNode::new(SlotSetup { latency, ..SlotSetup::new(SlotId(id), vec![plugin], ports(2, 2)) })
}

fn peak(samples: &[f32]) -> usize {
    (0..samples.len()).max_by(|a, b| samples[*a].abs().total_cmp(&samples[*b].abs())).unwrap()
}

#[test]
fn an_impulse_comes_out_whole_where_the_report_says_whatever_the_plugins_own_latency() {
    for factor in FACTORS {
        for own in [0, 1, 2, 5, 100, 333] {
            let mut rig = Rig::new(2);
            let node = slot(factor, own, ports(2, 2), Delay::new(2, own as usize));
            let latency = rig.send(&[late(2, 30), node]) as usize;
            let mut signal = vec![vec![0.0; 2000]; 2];
            signal[0][10] = 1.0;
            let heard = rig.run(&signal, &cuts(2000, None, 300, 3)).swap_remove(0);
            assert_eq!(peak(&heard), 10 + latency, "{factor} times, {own} frames");
            // As long after the peak as before it: what is between two frames would lean to one side.
            for away in 1..40 {
                let (before, after) = (heard[10 + latency - away], heard[10 + latency + away]);
                let lean = (before - after).abs();
                assert!(lean < 1e-4, "{factor} times, {own} frames: {before} and {after}");
            }
        }
    }
}

#[test]
fn what_passes_is_flat_to_20_khz_and_the_same_in_blocks_of_any_size() {
    for factor in FACTORS {
        for frequency in [50.0, 1000.0, 9000.0, 20_000.0] {
            let tone = |i: usize| (i as f64 * frequency / 48_000.0 * std::f64::consts::TAU).sin() as f32 * 0.5;
            let signal = vec![(0..9600).map(tone).collect::<Vec<_>>(); 2];
            let play = |cuts: &[usize]| {
                let mut rig = Rig::new(2);
                let latency = rig.send(&[slot(factor, 0, ports(2, 2), Gain(0.5))]) as usize;
                (rig.run(&signal, cuts).swap_remove(0), latency)
            };
            let (heard, latency) = play(&[64; 150]);
            assert!((64..=67).contains(&latency), "{latency}");
            let power = |samples: &mut dyn Iterator<Item = f32>| samples.map(|x| f64::from(x * x)).sum::<f64>();
            let (got, due) =
                (power(&mut heard[4800..].iter().copied()), power(&mut (4800..9600).map(|i| tone(i) * 0.5)));
            let db = 10.0 * (got / due).log10();
            assert!(db.abs() < 0.1, "{factor} times, {frequency} Hz: {db} dB");
            // In time: what is left against the same a frame earlier or later would be far more.
            let left = power(&mut (4800..9600).map(|i| heard[i] - 0.5 * tone(i - latency)));
            assert!(10.0 * (left / due).log10() < -38.0, "{factor} times, {frequency} Hz: {left} of {due}");
            assert_eq!(play(&cuts(9600, None, 700, 5)).0, heard, "in blocks of many sizes");
        }
    }
}

/// A hard clipper.
struct Clip;

impl Work for Clip {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        for (to, from) in buffers.outputs[0].channels.iter_mut().zip(&buffers.inputs[0].channels) {
            to[..frames].iter_mut().zip(&from[..frames]).for_each(|(to, from)| *to = (from * 8.0).clamp(-0.5, 0.5));
        }
        RunStatus::Ok
    }
}

/// Level of one frequency, dB.
fn level(samples: &[f32], frequency: f64) -> f64 {
    let part = |f: fn(f64) -> f64| {
        let at = |i: usize| f(i as f64 * frequency / 48_000.0 * std::f64::consts::TAU);
        samples.iter().enumerate().map(|(i, x)| f64::from(*x) * at(i)).sum::<f64>() * 2.0 / samples.len() as f64
    };
    10.0 * (part(f64::sin).powi(2) + part(f64::cos).powi(2)).max(1e-20).log10()
}

#[test]
fn a_clipper_folds_back_far_less() {
    let tone = |i: usize| (i as f64 * 7000.0 / 48_000.0 * std::f64::consts::TAU).sin() as f32 * 0.5;
    let signal = vec![(0..14_400).map(tone).collect::<Vec<_>>(); 2];
    let heard = |factor| {
        let mut rig = Rig::new(2);
        rig.send(&[slot(factor, 0, ports(2, 2), Clip)]);
        rig.run(&signal, &[480; 30]).swap_remove(0)
    };
    let plain = heard(1);
    // The seventh harmonic comes back at 1 kHz, the fifth at 13. At twice the rate the 41st and the 43rd are the first that do.
    for (frequency, harmonic) in [(1000.0, 7), (13_000.0, 5)] {
        let folded = level(&plain[4800..], frequency);
        assert!(folded > -40.0, "{harmonic}: {folded} dB");
        for (factor, less) in [(2, 26.0), (4, 36.0), (8, 38.0)] {
            let left = level(&heard(factor)[4800..], frequency);
            assert!(left < folded - less, "{factor} times, harmonic {harmonic}: {left} dB instead of {folded}");
        }
    }
    for factor in FACTORS {
        let own = level(&heard(factor)[4800..], 7000.0) - level(&plain[4800..], 7000.0);
        assert!(own.abs() < 0.3, "the tone itself: {own} dB");
    }
}

/// Writes 1 where an event or a change comes, passes sound, and keeps where the song was.
struct Marks(Arc<Mutex<Vec<Option<i64>>>>);

impl Work for Marks {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        self.0.lock().unwrap().push(block.transport.and_then(|now| now.frames));
        let done = Gain(1.0).run(
            buffers,
            &mut Block { params: &[], events_out: block.events_out, params_out: block.params_out, ..*block },
        );
        for (event, _) in block.events.iter() {
            buffers.outputs[0].channels[0][usize::from(event.frame)] = 1.0;
        }
        for change in block.params {
            buffers.outputs[0].channels[1][change.frame as usize] = 1.0;
        }
        done
    }
}

#[test]
fn events_and_the_song_are_at_the_plugins_own_frames() {
    for factor in FACTORS {
        let songs = Arc::new(Mutex::new(Vec::new()));
        let layout = PortLayout { midi_out: false, ..midi_ports(2, 2) };
        let node = slot(factor, 0, layout, Marks(songs.clone()));
        let mut rig = Rig::new(2);
        let latency = rig.send(&[late(2, 100), node.clone()]) as usize;
        let mut heard = Vec::new();
        for block in 0..10 {
            if block == 0 {
                rig.events_in.push(20, 0, &[0x90, 60, 1]);
            }
            rig.transport =
                Some(Transport { playing: true, frames: Some(96_000 + 64 * block), ..Transport::default() });
            let mut sound = vec![vec![0.0; 64]; 2];
            rig.block(&mut sound);
            heard.extend(sound.swap_remove(0));
        }
        assert_eq!(peak(&heard), 20 + latency, "{factor} times: the event with the sound of its frame");
        let up = latency - 100 - 32;
        let first = songs.lock().unwrap()[9].unwrap();
        assert_eq!(first, (96_000 + 64 * 9 - 100 - up as i64) * i64::from(factor), "{factor} times");
    }
}

#[test]
fn a_sample_that_is_no_number_is_no_more_than_one_bad_block() {
    for factor in FACTORS {
        let bad = Bad { bad: f32::NAN, blocks: 20..=20, count: 0 };
        let node = slot(factor, 0, ports(2, 2), bad);
        let mut rig = Rig::new(2);
        rig.send(std::slice::from_ref(&node));
        let signal = Noise::new(2).signal(2, 16 * 400);
        let heard = rig.run(&signal, &[16; 400]);
        assert!(heard.iter().flatten().all(|x| x.is_finite()));
        let faults = rig.controller.poll().faults;
        assert_eq!((faults.len(), node.controls().faulted()), (1, false), "{factor} times: {faults:?}");
    }
}

/// Passes its input, and its sidechain to its second output.
struct Both;

impl Work for Both {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        for (out, input) in buffers.outputs.iter_mut().zip(&buffers.inputs) {
            for (out, input) in out.channels.iter_mut().zip(&input.channels) {
                out[..frames].copy_from_slice(&input[..frames]);
            }
        }
        RunStatus::Ok
    }
}

#[test]
fn a_sidechain_and_further_outputs_keep_time_with_the_main_ones() {
    let bus = |role| AudioBus { name: String::new(), channels: 2, role };
    let layout = PortLayout {
        inputs: vec![bus(BusRole::Main), bus(BusRole::Sidechain)],
        outputs: vec![bus(BusRole::Main), bus(BusRole::Aux)],
        ..ports(2, 2)
    };
    for factor in FACTORS {
        let plugin = make(&layout, 1024 * factor, Both);
        let setup = SlotSetup::new(SlotId(1), vec![plugin], layout.clone());
        let node = SlotNode::new(SlotSetup { oversample: factor, aux: 2, ..setup });
        let mut rig = Rig::with(EngineConfig { channels: 2, sidechain: 0, aux: 2 });
        rig.sides = vec![PlanSide { slot: node.clone(), source: SideSource::Input, before: None }];
        let latency = rig.send(&[late(2, 100), node, late(3, 50)]) as usize;
        let (mut main, mut aux) = (Vec::new(), Vec::new());
        for block in 0..10 {
            let mut sound = vec![vec![0.0; 64]; 2];
            sound[0][10] = if block == 0 { 1.0 } else { 0.0 };
            rig.block(&mut sound);
            main.extend(sound.swap_remove(0));
            aux.extend(rig.aux[0].clone());
        }
        assert_eq!((peak(&main), peak(&aux)), (10 + latency, 10 + latency), "{factor} times");
        assert_eq!(main, aux);
    }
}

#[test]
fn a_slot_at_the_chains_own_rate_is_not_touched() {
    let signal = Noise::new(2).signal(2, 4800);
    let mut rig = Rig::new(2);
    let once = slot(1, 0, ports(2, 2), Gain(0.5));
    assert_eq!(rig.send_nodes(vec![PlanNode::Slot(once.clone())]), 0);
    assert_eq!(once.oversample(), 1);
    let heard = rig.run(&signal, &[480; 10]);
    assert!(heard[0].iter().zip(&signal[0]).all(|(a, b)| *a == b * 0.5));
}

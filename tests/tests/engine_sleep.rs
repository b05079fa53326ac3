//! A plugin that would be silent is not run, and nobody hears that: what comes out is, bit by bit, what comes out of one that is
//! always run.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use catena_tests::rig::{Noise, Rig, cuts};
use catena_tests::rust_plugins::{Tone, Work, make, midi_ports, ports};
use catena_tests::session_bench::{add, block, fixtures_catalog, live, lv2_catalog, session};
use host_core::backend::audio::{Block, ParamEvent, PortBuffers, RunStatus, Transport};
use host_core::engine::{EngineConfig, SlotNode, SlotSetup};
use host_core::model::{AudioBus, BusRole, PluginId, PortLayout, Sleep, SlotId};
use host_core::session::{Command, StripEdit};

/// Frames from one echo to the next, and how many there are.
const ECHO: usize = 300;
const ECHOES: usize = 3;
const LATE: usize = 100;
const TAIL: usize = ECHO * ECHOES;

/// Late echoes that end: what it was given within its tail is all that it knows. A value rings like a sound; so does a note.
struct Echoes {
    ran: Arc<AtomicUsize>,
    /// What came, on each channel, as a ring.
    rings: Vec<Vec<f32>>,
    at: usize,
    says_quiet: bool,
}

fn echoes(ran: &Arc<AtomicUsize>) -> Echoes {
    Echoes { ran: ran.clone(), rings: vec![vec![0.0; 2048]; 2], at: 0, says_quiet: false }
}

impl Work for Echoes {
    fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
        self.ran.fetch_add(1, Relaxed);
        let frames = block.frames as usize;
        let PortBuffers { inputs, outputs } = buffers;
        let side = inputs.get(1).map(|bus| &bus.channels);
        for (c, ring) in self.rings.iter_mut().enumerate() {
            for i in 0..frames {
                let mut x = inputs.first().map_or(0.0, |bus| bus.channels[c][i]);
                x += side.map_or(0.0, |side| side[c][i] * 0.5);
                x += block
                    .params
                    .iter()
                    .filter(|change| change.frame as usize == i)
                    .map(|p| p.value as f32)
                    .sum::<f32>();
                x += block.events.iter().filter(|(event, _)| usize::from(event.frame) == i).count() as f32;
                ring[(self.at + i) % 2048] = x;
                let echo = |n: usize| ring[(self.at + i + 4096 - LATE - n * ECHO) % 2048] * 0.5_f32.powi(n as i32);
                outputs[0].channels[c][i] = (0..=ECHOES).map(echo).sum();
            }
        }
        self.at += frames;
        if self.says_quiet { RunStatus::Quiet } else { RunStatus::Ok }
    }
}

fn slot_with(work: impl Work, ports: PortLayout, latency: usize, sleep: Option<u32>) -> Arc<SlotNode> {
    let plugin = make(&ports, 1024, work);
    let setup = SlotSetup { latency: latency as u32, ..SlotSetup::new(SlotId(1), vec![plugin], ports) };
    let slot = SlotNode::new(setup);
    slot.controls().set_sleep(sleep);
    slot
}

fn sleeper(ran: &Arc<AtomicUsize>, sleep: bool) -> Arc<SlotNode> {
    slot_with(echoes(ran), ports(2, 2), LATE, sleep.then_some((LATE + TAIL) as u32))
}

/// Bursts of noise with silences of any length between them.
fn bursts(seed: u64, frames: usize) -> Vec<Vec<f32>> {
    let mut noise = Noise::new(seed);
    let mut signal = vec![Vec::new(); 2];
    while signal[0].len() < frames {
        let (sound, silence) = (noise.pick(1..300), noise.pick(1..6000));
        for _ in 0..sound {
            signal.iter_mut().for_each(|channel| channel.push(noise.sample()));
        }
        signal.iter_mut().for_each(|channel| channel.extend(vec![0.0; silence]));
    }
    signal.iter_mut().for_each(|channel| channel.truncate(frames));
    signal
}

#[test]
fn a_sleeper_is_bit_identical_to_one_that_is_always_run() {
    const FRAMES: usize = 200_000;
    for (seed, size) in [(1, None), (2, None), (3, Some(64)), (4, Some(1)), (5, Some(1024))] {
        let frames = if size == Some(1) { 20_000 } else { FRAMES };
        let signal = bursts(seed, frames);
        let cuts = cuts(frames, size, 1024, seed);
        let play = |sleep: bool| {
            let ran = Arc::new(AtomicUsize::new(0));
            let (first, second) = (sleeper(&ran, sleep), sleeper(&ran, sleep));
            // Values out of nowhere, and settings that move while it sleeps.
            let mut rig = Rig::new(2);
            rig.send(&[first.clone(), second.clone()]);
            let (mut noise, mut heard, mut at) = (Noise::new(seed + 9), vec![Vec::new(); 2], 0);
            for &cut in &cuts {
                let what = noise.pick(0..400);
                match what {
                    0 => {
                        let frame = noise.pick(0..cut) as u32;
                        rig.controller.param(&second, ParamEvent { frame, index: 0, value: 0.25 });
                    }
                    1 => first.controls().set_mix(noise.sample() + 0.5),
                    2 => second.controls().set_bypass(noise.pick(0..2) == 1),
                    3 => second.controls().set_pan(noise.sample()),
                    _ => {}
                }
                let mut block: Vec<Vec<f32>> = signal.iter().map(|channel| channel[at..at + cut].to_vec()).collect();
                rig.block(&mut block);
                heard.iter_mut().zip(block).for_each(|(heard, block)| heard.extend(block));
                at += cut;
            }
            (heard, ran.load(Relaxed))
        };
        let ((always, whole), (slept, part)) = (play(false), play(true));
        let differs = (0..2).find_map(|c| always[c].iter().zip(&slept[c]).position(|(a, b)| a != b));
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(whole, cuts.len() * 2);
        assert!(part * 10 < whole * 9, "seed {seed}: {part} of {whole} blocks were run");
    }
}

/// Blocks of 64 that are run of so many of silence.
fn runs(rig: &mut Rig, ran: &AtomicUsize, blocks: usize) -> usize {
    let before = ran.load(Relaxed);
    rig.run(&[vec![0.0; blocks * 64], vec![0.0; blocks * 64]], &vec![64; blocks]);
    ran.load(Relaxed) - before
}

#[test]
fn it_falls_asleep_when_latency_and_tail_are_over_and_not_before() {
    let mut rig = Rig::new(2);
    let ran = Arc::new(AtomicUsize::new(0));
    let slot = sleeper(&ran, true);
    rig.send(std::slice::from_ref(&slot));
    rig.run(&[vec![0.5; 64], vec![0.5; 64]], &[64]);
    // The block in which the last echo ends counts.
    let due = (LATE + TAIL).div_ceil(64) + 1;
    assert_eq!(runs(&mut rig, &ran, 100), due, "blocks of silence until its word is kept");
    assert!(slot.controls().resting());
    assert_eq!(runs(&mut rig, &ran, 100), 0);
    // Off again: run.
    slot.controls().set_sleep(None);
    assert_eq!(runs(&mut rig, &ran, 10), 10);
    assert!(!slot.controls().resting());
}

#[test]
fn sound_values_notes_and_the_song_wake_it() {
    let mut rig = Rig::new(2);
    let ran = Arc::new(AtomicUsize::new(0));
    let ports = PortLayout { midi_out: false, ..midi_ports(2, 2) };
    let slot = slot_with(echoes(&ran), ports, LATE, Some((LATE + TAIL) as u32));
    rig.send(std::slice::from_ref(&slot));
    let due = (LATE + TAIL).div_ceil(64) + 1;
    runs(&mut rig, &ran, 100);
    rig.run(&[vec![0.0; 64], [vec![0.0; 63], vec![1e-30]].concat()], &[64]);
    assert_eq!(runs(&mut rig, &ran, 100), due, "one tiny sample");
    rig.controller.param(&slot, ParamEvent { frame: 5, index: 0, value: 0.5 });
    assert_eq!(runs(&mut rig, &ran, 100), due, "a value");
    rig.events_in.push(3, 0, &[0x90, 60, 100]);
    assert_eq!(runs(&mut rig, &ran, 100), 100, "a note that sounds");
    rig.events_in.push(3, 0, &[0x80, 60, 0]);
    assert_eq!(runs(&mut rig, &ran, 100), due, "and ends");
    let song = |frames, playing| Some(Transport { playing, frames: Some(frames), ..Transport::default() });
    rig.transport = song(0, false);
    assert_eq!(runs(&mut rig, &ran, 100), due, "there is a song");
    assert_eq!(runs(&mut rig, &ran, 100), 0, "that stands");
    rig.transport = song(48_000, false);
    assert_eq!(runs(&mut rig, &ran, 100), due, "it is set to another place");
    let mut played = 0;
    for block in 0..100 {
        rig.transport = song(48_000 + block * 64, true);
        played += runs(&mut rig, &ran, 1);
    }
    assert_eq!(played, due, "it begins to play, and goes on");
    slot.controls().set_sleep(None);
    assert_eq!(runs(&mut rig, &ran, 10), 10);
}

#[test]
fn a_sidechain_wakes_it_when_its_sound_is_there() {
    let run = |sleep: bool| {
        let mut rig = Rig::with(EngineConfig { channels: 2, sidechain: 2, aux: 0 });
        let ran = Arc::new(AtomicUsize::new(0));
        let bus = |role| AudioBus { name: String::new(), channels: 2, role };
        let ports = PortLayout { inputs: vec![bus(BusRole::Main), bus(BusRole::Sidechain)], ..ports(2, 2) };
        let late = sleeper(&Arc::default(), false);
        let slot = slot_with(echoes(&ran), ports, LATE, sleep.then_some((LATE + TAIL) as u32));
        rig.send(&[late, slot]);
        let mut heard = Vec::new();
        for block in 0..600 {
            let loud = [100, 101, 350].contains(&block);
            rig.sidechain = vec![vec![f32::from(u8::from(loud)) * 0.5; 64]; 2];
            let mut main = vec![vec![0.0; 64]; 2];
            rig.block(&mut main);
            heard.extend(main.swap_remove(0));
        }
        (heard, ran.load(Relaxed))
    };
    let ((always, _), (slept, ran)) = (run(false), run(true));
    assert!(always.iter().any(|x| *x > 0.1));
    assert!(always == slept && ran < 100, "{ran} of 600 blocks");
}

#[test]
fn who_makes_sound_by_himself_or_midi_never_sleeps_while_he_might() {
    let count = |ports: PortLayout, playing: bool| {
        let mut rig = Rig::new(2);
        let ran = Arc::new(AtomicUsize::new(0));
        let slot = slot_with(echoes(&ran), ports, LATE, Some((LATE + TAIL) as u32));
        rig.send(std::slice::from_ref(&slot));
        let mut all = 0;
        for block in 0..100 {
            rig.transport = Some(Transport { playing, frames: Some(block * 64), ..Transport::default() });
            if !playing {
                rig.transport = Some(Transport::default());
            }
            all += runs(&mut rig, &ran, 1);
        }
        all
    };
    assert_eq!(count(midi_ports(2, 2), false), 100, "one that makes MIDI");
    assert_eq!(count(ports(0, 2), true), 100, "one without an input, while the song plays");
    assert!(count(ports(0, 2), false) < 30, "while it stands");
    assert!(count(ports(2, 2), true) < 30, "one with an input");
    // Whatever it says of its tail: one that still sounds is run.
    let mut rig = Rig::new(2);
    let tone = slot_with(Tone(0.25), ports(2, 2), 0, Some(0));
    rig.send(std::slice::from_ref(&tone));
    let heard = rig.run(&[vec![0.0; 6400], vec![0.0; 6400]], &[64; 100]);
    assert!(heard[0].iter().all(|x| *x == 0.25));
}

#[test]
fn one_that_says_itself_that_it_has_nothing_to_do_sleeps_at_once() {
    let mut rig = Rig::new(2);
    let ran = Arc::new(AtomicUsize::new(0));
    // On its own word alone.
    let slot = slot_with(Echoes { says_quiet: true, ..echoes(&ran) }, ports(2, 2), LATE, Some(u32::MAX - 1));
    rig.send(std::slice::from_ref(&slot));
    // The first block is run whatever comes.
    assert_eq!(runs(&mut rig, &ran, 100), 1 + LATE.div_ceil(64));
}

#[test]
fn a_real_plugin_sleeps_by_its_users_word_and_one_that_sounds_for_ever_never() {
    let silence = |processor: &mut _| {
        let mut last = 1.0;
        for _ in 0..400 {
            let (mut left, mut right) = ([0.0; 64], [0.0; 64]);
            block(processor, &mut left, &mut right);
            last = left[63];
        }
        last
    };
    let (handle, mut processor) = session(&lv2_catalog(&["eg-amp.lv2"]));
    let plugin = PluginId::lv2("http://lv2plug.in/plugins/eg-amp");
    let amp = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
    handle.activate(live(64)).unwrap();
    let resting = |handle: &host_core::session::SessionHandle| {
        handle.settle();
        handle.snapshot().slots.iter().map(|view| view.resting).collect::<Vec<_>>()
    };
    let sleep = |handle: &host_core::session::SessionHandle, slot, sleep| {
        handle.apply(Command::Strip(slot, StripEdit::Sleep(sleep))).unwrap();
    };
    silence(&mut processor);
    assert_eq!(resting(&handle), [false], "off by default");
    sleep(&handle, amp, Sleep::Tail);
    silence(&mut processor);
    assert_eq!(resting(&handle), [false], "LV2 has no word for a tail");
    sleep(&handle, amp, Sleep::After(0.25));
    silence(&mut processor);
    assert_eq!(resting(&handle), [true]);
    let (mut left, mut right) = ([0.5; 64], [0.5; 64]);
    block(&mut processor, &mut left, &mut right);
    assert_eq!(left, [0.5; 64], "awake in the block in which something comes");
    let (handle, mut processor) = session(&fixtures_catalog());
    for name in ["gain", "delay", "feedback", "quiet"] {
        let slot = add(&handle, name);
        sleep(&handle, slot, Sleep::Tail);
    }
    handle.activate(live(64)).unwrap();
    silence(&mut processor);
    assert_eq!(resting(&handle), [true, true, false, true], "feedback says that it sounds for ever");
}

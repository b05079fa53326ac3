//! Thousands of random edits, saves, loads and restarts on chains of up to 16 slots while an audio thread plays blocks of 64 frames:
//! nothing crashes, hangs or leaks, and no sample is no number.
//!
//! `CATENA_STRESS_EDITS` says how many (10,000 for a full run), `CATENA_STRESS_SEED` which.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use catena_tests::bundle::threads_named;
use catena_tests::outside::Outside;
use catena_tests::random_edits::draw;
use catena_tests::rig::Noise;
use catena_tests::session_bench::{fixtures_catalog, live, until};
use host_core::backend::audio::{EventBuffer, Transport};
use host_core::engine::{ContainerBlock, Processor};
use host_core::session::{CatalogSource, Command, HostSetup, Purpose, SessionConfig, SessionHandle};

/// Edits and seed of a run that is not told others.
const EDITS: u64 = 1500;
const SEED: u64 = 20_261_130;
/// Blocks that the audio thread plays in a second at the very least: none of its pauses is shorter than 100 us.
const SECOND: u64 = 10_000;
/// Memory that may be taken beside what was there when the run was warm, bytes.
const GROWTH: u64 = 48 << 20;

fn told(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// What the audio thread and the others tell each other.
#[derive(Default)]
struct Said {
    pause: AtomicBool,
    paused: AtomicBool,
    end: AtomicBool,
    blocks: AtomicU64,
    /// Samples that were no numbers.
    bad: AtomicU64,
}

/// Plays blocks of 64 frames: noise on all inputs, notes, long messages, macros on the move.
fn audio(mut processor: Processor, said: &Said) {
    let mut noise = Noise::new(1);
    let (mut events_in, mut events_out) = (EventBuffer::new(256, true), EventBuffer::new(4096, true));
    let (mut main, mut side, mut aux) = ([[0.0_f32; 64]; 2], [[0.0_f32; 64]; 2], [[0.0_f32; 64]; 4]);
    let long = [0x5A; 700];
    let mut song = Transport {
        tempo: Some(120.0),
        time_signature: Some((4, 4)),
        frames: Some(0),
        bar_start: Some(0.0),
        bar: Some(0),
        ..Transport::default()
    };
    while !said.end.load(SeqCst) {
        said.paused.store(said.pause.load(SeqCst), SeqCst);
        std::thread::sleep(Duration::from_micros(100));
        if said.pause.load(SeqCst) {
            continue;
        }
        main.iter_mut().chain(&mut side).flatten().for_each(|sample| *sample = noise.sample() * 0.5);
        events_in.clear();
        events_out.clear();
        let (frame, key) = (noise.pick(0..64) as u16, noise.pick(0..128) as u8);
        events_in.push(frame, 0, &[if key & 1 == 0 { 0x90 } else { 0x80 }, key, 90]);
        events_in.push(40, 0, &[0xB0, noise.pick(0..120) as u8, noise.pick(0..128) as u8]);
        if noise.pick(0..10) == 0 {
            events_in.push(63, 0, &long);
        }
        // It stops, rolls and jumps; what waits for the stop comes through then.
        match noise.pick(0..400) {
            0 => song.playing = true,
            1 => song.playing = false,
            2 => song.frames = Some(noise.pick(0..1_000_000) as i64),
            3 => song.looping = if song.looping.is_none() { Some((4.0, 8.0)) } else { None },
            _ => {}
        }
        song.frames = song.frames.map(|at| at + if song.playing { 64 } else { 0 });
        song.beats = song.frames.map(|at| at as f64 / 24_000.0);
        for frame in 0..noise.pick(0..40) {
            processor.set_macro(frame as u32, noise.pick(0..6), f64::from(noise.sample()) + 0.5);
        }
        let [left, right] = &mut main;
        let [side_left, side_right] = &side;
        processor.process(&mut ContainerBlock {
            main: &mut [left, right],
            sidechain: &[side_left, side_right],
            aux: &mut aux.each_mut().map(|channel| &mut channel[..]),
            events_in: &mut events_in,
            events_out: &mut events_out,
            transport: (noise.pick(0..50) > 0).then_some(song),
            bypass: noise.pick(0..2000) < 3,
        });
        let bad = main.iter().chain(&aux).flatten().filter(|sample| !sample.is_finite()).count();
        said.bad.fetch_add(bad as u64, SeqCst);
        said.blocks.fetch_add(1, SeqCst);
    }
}

/// The DAW around a session: its main thread, and a hand on its audio thread.
struct Daw<'a> {
    handle: &'a SessionHandle,
    said: &'a Said,
    noise: Noise,
    saved: Vec<Vec<u8>>,
    /// The clipboard.
    copied: String,
    setup: HostSetup,
    /// What was done last, oldest first.
    done: Vec<String>,
    slowest: (u64, String),
}

impl Daw<'_> {
    /// Lets `work` while no block is played.
    fn stopped(&mut self, work: impl FnOnce(&mut Self)) {
        self.said.pause.store(true, SeqCst);
        assert!(until(|| self.said.paused.load(SeqCst)), "the audio thread hangs in a block");
        work(self);
        self.said.pause.store(false, SeqCst);
    }

    fn restart(&mut self) {
        self.stopped(|daw| {
            daw.handle.deactivate();
            daw.handle.activate(daw.setup).expect("activated");
        });
    }

    /// One edit, or what else a DAW and a user do.
    fn act(&mut self) -> String {
        match self.noise.pick(0..100) {
            0..3 => {
                self.saved.push(self.handle.save().expect("saved"));
                if self.saved.len() > 4 {
                    self.saved.remove(0);
                }
                "save".into()
            }
            3..5 if !self.saved.is_empty() => {
                let one = self.noise.pick(0..self.saved.len());
                self.handle.load(&self.saved[one]).expect("loaded");
                format!("load {one}")
            }
            5 => {
                self.setup = match self.noise.pick(0..6) {
                    0 => HostSetup { rate: 44_100.0, ..live(64) },
                    1 => live(256),
                    2 => HostSetup { offline: true, ..live(64) },
                    _ => live(64),
                };
                self.restart();
                format!("restart {:?}", self.setup)
            }
            6 if self.noise.pick(0..5) == 0 => {
                // Home takes the audio role after 200 ms without a block.
                self.stopped(|_| std::thread::sleep(Duration::from_millis(250)));
                "no blocks for a while".into()
            }
            7 => {
                self.handle.chain().expect("a chain");
                "chain".into()
            }
            8 | 9 => {
                let shown = self.handle.snapshot();
                let count = self.noise.pick(1..4).min(shown.slots.len());
                let ids = (0..count).map(|_| shown.slots[self.noise.pick(0..shown.slots.len())].id).collect();
                // One of them may be gone by now.
                self.copied = self.handle.copy(ids).unwrap_or_default();
                format!("copy {count}")
            }
            10..13 if self.handle.snapshot().slots.len() < 16 => {
                let index = self.noise.pick(0..16);
                self.handle.paste(&self.copied, None, index);
                format!("paste text at {index}")
            }
            _ => {
                let command = draw(&mut self.noise, &self.handle.snapshot());
                let what = format!("{command:?}");
                if self.noise.pick(0..3) == 0 {
                    // A refusal is an answer too.
                    let refused = self.handle.apply(command).err();
                    return refused.map_or(what.clone(), |error| format!("{what}: {error}"));
                }
                self.handle.send(command);
                what
            }
        }
    }

    fn edit(&mut self, number: u64) {
        let before = self.said.blocks.load(SeqCst);
        let what = self.act();
        if number.is_multiple_of(8) {
            self.handle.settle();
        }
        let errands = self.handle.take_outbox();
        self.handle.take_macros_said();
        if errands.latency {
            self.restart();
        }
        let took = self.said.blocks.load(SeqCst) - before;
        if took > self.slowest.0 {
            self.slowest = (took, what.clone());
        }
        self.done.push(format!("{number} {what}"));
        assert!(took < SECOND, "{took} blocks went by: it hung for more than a second");
        assert_eq!(self.said.bad.load(SeqCst), 0, "a sample that is no number came out");
    }

    /// Nothing in the chain, nothing under way. What is added without waiting is made ready on threads of its own.
    fn empty(&mut self) {
        assert!(until(|| threads_named("catena-job") == 0), "a plugin is made ready for ever");
        self.handle.apply(Command::HoldLatency(false)).expect("nothing waits");
        self.handle.apply(Command::Clear).expect("cleared");
        // A chain that may use several cores has helpers, whatever it holds.
        self.handle.apply(Command::Cores(false)).expect("one core");
        self.handle.settle();
    }
}

impl Drop for Daw<'_> {
    fn drop(&mut self) {
        self.said.end.store(true, SeqCst);
        if std::thread::panicking() {
            println!("the last edits:\n{}", self.done[self.done.len().saturating_sub(30)..].join("\n"));
        }
    }
}

/// Fixtures that were made and are not gone, by name.
fn alive(outside: &Outside) -> HashMap<String, i64> {
    let mut alive = HashMap::new();
    for line in outside.log() {
        let (name, what) = line.split_once(' ').unwrap_or((&line, ""));
        let count = alive.entry(name.to_owned()).or_insert(0_i64);
        *count += i64::from(what == "made") - i64::from(what == "gone");
    }
    alive.retain(|_, count| *count != 0);
    alive
}

/// What a process holds: descriptors, threads, resident bytes.
#[derive(Clone, Copy, Debug)]
struct Held {
    descriptors: usize,
    threads: usize,
    memory: u64,
}

fn held() -> Held {
    let count = |folder| std::fs::read_dir(folder).expect("/proc").count();
    let pages = std::fs::read_to_string("/proc/self/statm").expect("/proc");
    let pages: u64 = pages.split(' ').nth(1).expect("resident").parse().expect("a number");
    Held { descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"), memory: pages * 4096 }
}

#[test]
fn random_edits_under_sound_neither_crash_nor_hang_nor_leak() {
    let (edits, seed) = (told("CATENA_STRESS_EDITS", EDITS), told("CATENA_STRESS_SEED", SEED));
    println!("{edits} edits; again: CATENA_STRESS_EDITS={edits} CATENA_STRESS_SEED={seed}");
    let outside = Outside::new();
    let config = SessionConfig {
        purpose: Purpose::Daw,
        channels: 2,
        sidechain: 2,
        aux: 4,
        catalog: CatalogSource::Given(fixtures_catalog()),
    };
    let (handle, processor) = SessionHandle::open(config).expect("a session");
    handle.activate(live(64)).expect("activated");
    let said = Arc::new(Said::default());
    let player = std::thread::spawn({
        let said = said.clone();
        move || audio(processor, &said)
    });
    // An editor that looks at what there is all the time.
    let editor = std::thread::spawn({
        let (said, handle) = (said.clone(), handle.clone());
        move || {
            while !said.end.load(SeqCst) {
                let shown = handle.snapshot();
                assert!(shown.slots.len() <= 200 && handle.latency() <= host_core::model::MAX_LATENCY);
                std::thread::sleep(Duration::from_millis(3));
            }
        }
    });
    let mut daw = Daw {
        handle: &handle,
        said: &said,
        noise: Noise::new(seed),
        saved: Vec::new(),
        copied: String::new(),
        setup: live(64),
        done: Vec::new(),
        slowest: (0, String::new()),
    };
    let mut warm = None;
    for number in 1..=edits {
        daw.edit(number);
        if number == edits / 5 {
            daw.empty();
            warm = Some(held());
        }
    }
    daw.empty();
    assert!(until(|| alive(&outside).is_empty()), "plugins that are in no chain live on: {:?}", alive(&outside));
    let (warm, now) = (warm.expect("five edits at least"), held());
    println!("slowest: {} blocks for {}\n{warm:?} when it was warm, {now:?} now", daw.slowest.0, daw.slowest.1);
    println!("{} blocks played, {} plugins made", said.blocks.load(SeqCst), outside.log().len() / 2);
    assert!(until(|| held().threads <= warm.threads), "threads: {warm:?}, {:?}", held());
    assert!(until(|| held().descriptors <= warm.descriptors), "descriptors: {warm:?}, {:?}", held());
    assert!(now.memory <= warm.memory + GROWTH, "memory: {warm:?}, {now:?}");
    drop(daw);
    player.join().expect("the audio thread ends well");
    editor.join().expect("the editor ends well");
}

//! What kind of plugin this is: does it wait, is it the same twice, does its state come back, what do blocks cost, what do helpers
//! gain.
//!
//! Whether a plugin waits is read from what the system counts for this process: a thread that gave its core away by itself. A lock
//! that was free and memory that was at hand are not seen so.

use std::sync::Arc;
use std::time::Instant;

use host_core::backend::audio::{Block, EventBuffer, ParamQueue, PluginAudio, RunStatus};
use host_core::backend::{self, Activation, AudioAt, HostContext, PluginMain};
use host_core::engine::flush_to_zero;
use host_core::model::{GRID, PluginEntry};
use host_core::pool::{self, Class, Pool, Share};
use host_core::scan::{Cost, Gain, Qualified};
use nix::sys::resource::{UsageWho, getrusage};
use std::rc::Rc;

/// Block lengths whose cost is measured, frames.
const BLOCKS: [u32; 4] = [64, 128, 256, 1024];
/// Blocks run for each cost, and before it.
const COUNT: usize = 60;
const BEFORE: usize = 10;
/// Blocks that are watched, and their length; those that helpers are measured with are as many.
const WATCHED: usize = 400;
const LENGTH: u32 = 256;
/// Blocks from one chord to the next.
const CHORD: usize = 100;
const RATE: u32 = 48_000;

/// Everything but its latency.
pub fn all(entry: &PluginEntry, rates: &[u32], host: &Rc<HostContext>) -> Result<Qualified, String> {
    let open = || backend::open(entry, host).map_err(|error| error.to_string());
    let (mut one, mut other) = (open()?, open()?);
    let first = Run::of(one.as_mut(), entry, RATE, LENGTH, WATCHED)?;
    let second = Run::of(other.as_mut(), entry, RATE, LENGTH, WATCHED)?;
    let mut found = Qualified {
        watched: first.watched + second.watched,
        waits: first.waits + second.waits,
        faults: first.faults,
        deterministic: first.sum == second.sum,
        ..Qualified::default()
    };
    match state(one.as_mut(), open()?.as_mut()) {
        Ok(bytes) => found.state = Some(bytes),
        Err(problem) => found.state_problem = Some(problem),
    }
    for &rate in rates {
        for block in BLOCKS {
            // Some refuse a rate: what it costs there is nobody's question.
            let Ok(run) = Run::of(one.as_mut(), entry, rate, block, COUNT) else { continue };
            found.costs.push(Cost { rate, block, nanos: run.median, longest: run.longest });
        }
    }
    // Fresh ones: what an instance heard before may sound on in it.
    found.helpers = helpers(open()?.as_mut(), open()?.as_mut(), entry);
    Ok(found)
}

/// Whether a fresh instance writes the state that it was given: its bytes.
fn state(from: &mut dyn PluginMain, to: &mut dyn PluginMain) -> Result<usize, String> {
    let text = |error: backend::StateError| error.to_string();
    let saved = from.save(AudioAt::Inactive).map_err(text)?;
    to.load(&saved, AudioAt::Inactive).map_err(text)?;
    let again = to.save(AudioAt::Inactive).map_err(text)?;
    match saved == again {
        true => Ok(saved.bytes.len()),
        false => Err("what it writes after a restore is another state".into()),
    }
}

/// What helpers gain, where it asks for some.
fn helpers(one: &mut dyn PluginMain, other: &mut dyn PluginMain, entry: &PluginEntry) -> Option<Gain> {
    let spawn = |_, life: Box<dyn FnOnce() + Send>| std::thread::Builder::new().name("catena-pool".into()).spawn(life);
    let pool = Arc::new(Pool::make(Class::ORDINARY, &pool::cores(), &spawn, flush_to_zero).ok()?);
    let (threads, share) = (pool.workers(), Share::new(pool));
    let serial = Run::of(one, entry, RATE, LENGTH, WATCHED).ok()?;
    if !other.set_helpers(Some(share.clone())) {
        return None;
    }
    let pooled = Run::of(other, entry, RATE, LENGTH, WATCHED).ok();
    other.set_helpers(None);
    let pooled = pooled.filter(|_| share.counts().pooled > 0)?;
    let same = serial.sum == pooled.sum;
    Some(Gain { threads, serial: serial.median, pooled: pooled.median, same, waits: pooled.waits })
}

/// What came of some blocks.
struct Run {
    watched: u64,
    waits: u64,
    faults: u64,
    /// Of everything that came out.
    sum: u64,
    median: u64,
    longest: u64,
}

impl Run {
    fn of(
        plugin: &mut dyn PluginMain,
        entry: &PluginEntry,
        rate: u32,
        block: u32,
        count: usize,
    ) -> Result<Self, String> {
        let block = plugin.fixed_block().unwrap_or(block.max(entry.min_block));
        let how = Activation { rate: rate.into(), min_block: block, max_block: block, offline: false };
        let plays = plugin.ports().midi_in;
        let mut audio = plugin.activate(how).map_err(|error| error.to_string())?;
        let run = match audio.start() {
            true => Self::blocks(audio.as_mut(), block, count, plays),
            false => Err("refused to start processing".into()),
        };
        audio.stop();
        plugin.deactivate(audio);
        run
    }

    /// `plays`: it is given chords, without which an instrument does nothing.
    fn blocks(audio: &mut dyn PluginAudio, frames: u32, count: usize, plays: bool) -> Result<Self, String> {
        flush_to_zero();
        let (mut events, mut events_out, mut params_out) =
            (EventBuffer::new(16, false), EventBuffer::new(1024, true), ParamQueue::new(1024));
        let mut times = Vec::with_capacity(count);
        let mut noise = 0x9E37_79B9_7F4A_7C15_u64;
        let mut sum = 0xCBF2_9CE4_8422_2325_u64;
        let mut before = used();
        for number in 0..count + BEFORE {
            if number == BEFORE {
                before = used();
            }
            for channel in audio.buffers().inputs.iter_mut().flat_map(|bus| &mut bus.channels) {
                for sample in &mut channel[..frames as usize] {
                    noise ^= noise << 13;
                    noise ^= noise >> 7;
                    noise ^= noise << 17;
                    *sample = ((noise >> 40) as f32 / (1 << 24) as f32 - 0.5) * 0.5;
                }
            }
            events.clear();
            if plays && number.is_multiple_of(CHORD) {
                for key in (40..72).step_by(4) {
                    // Room for all of them is there.
                    let _fits = events.push(0, 0, &[0x80, key, 0]) && events.push(0, 0, &[0x90, key, 100]);
                }
            }
            events_out.clear();
            params_out.clear();
            let mut block = Block {
                frames,
                steady_time: i64::from(frames) * number as i64,
                grid: GRID,
                transport: None,
                events: &events,
                params: &[],
                events_out: &mut events_out,
                params_out: &mut params_out,
            };
            let began = Instant::now();
            let status = audio.run(&mut block);
            if number >= BEFORE {
                times.push(began.elapsed().as_nanos() as u64);
            }
            if status == RunStatus::Failed {
                return Err("failed while processing".into());
            }
            for channel in audio.buffers().outputs.iter().flat_map(|bus| &bus.channels) {
                for sample in &channel[..frames as usize] {
                    sum = (sum ^ u64::from(sample.to_bits())).wrapping_mul(0x0000_0100_0000_01B3);
                }
            }
        }
        let after = used();
        times.sort_unstable();
        Ok(Self {
            watched: count as u64,
            waits: after.0.saturating_sub(before.0),
            faults: after.1.saturating_sub(before.1),
            sum,
            median: times.get(times.len() / 2).copied().unwrap_or(0),
            longest: times.last().copied().unwrap_or(0),
        })
    }
}

/// How often this thread went to wait, and how often the system gave it memory.
fn used() -> (u64, u64) {
    let counted = |count| u64::try_from(count).unwrap_or(0);
    getrusage(UsageWho::RUSAGE_THREAD)
        .map_or((0, 0), |usage| (counted(usage.voluntary_context_switches()), counted(usage.minor_page_faults())))
}

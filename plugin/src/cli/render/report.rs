//! What a render tells: each slot, and the whole.

use std::collections::BTreeMap;
use std::time::Duration;

use host_core::model::SlotId;
use host_core::session::{SlotStatus, Snapshot};
use serde::Serialize;

use crate::cli::args::Render;
use crate::cli::audio::{Sink, Source};
use crate::cli::{Failure, log, out};

/// Highest level and time of each slot, gathered while rendering.
#[derive(Default)]
pub struct SlotPeaks {
    peaks: BTreeMap<SlotId, f32>,
    /// Sum and number of the times seen, nanoseconds a block.
    times: BTreeMap<SlotId, (u64, u64)>,
    revision: u64,
}

impl SlotPeaks {
    /// Takes in a snapshot.
    pub fn note(&mut self, snapshot: &Snapshot) {
        if snapshot.revision == self.revision {
            return;
        }
        self.revision = snapshot.revision;
        for slot in &snapshot.slots {
            let peak = self.peaks.entry(slot.id).or_default();
            *peak = peak.max(slot.peak);
            // A slot that ran no block since the last look tells none.
            if slot.nanos > 0 {
                let (sum, seen) = self.times.entry(slot.id).or_default();
                *sum += u64::from(slot.nanos);
                *seen += 1;
            }
        }
    }
}

impl SlotPeaks {
    /// Average time of a block, nanoseconds; 0 where none was told.
    fn time(&self, slot: SlotId) -> u32 {
        let (sum, seen) = self.times.get(&slot).copied().unwrap_or((0, 0));
        sum.checked_div(seen).unwrap_or(0) as u32
    }
}

#[derive(Debug, Serialize)]
struct SlotLine {
    slot: usize,
    title: String,
    plugin: String,
    latency: u32,
    nanoseconds_per_block: u32,
    peak: f32,
    bypass: bool,
    problem: Option<String>,
}

/// A finished render.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    input: String,
    output: String,
    format: String,
    rate: u32,
    block: u32,
    latency: u32,
    compensated: bool,
    input_frames: u64,
    output_frames: u64,
    missing_frames: u64,
    input_peak: f32,
    output_peak: f32,
    clipped_samples: u64,
    seconds: f64,
    slots: Vec<SlotLine>,
}

impl Report {
    /// What the chain says of itself.
    pub fn new(task: &Render, snapshot: &Snapshot, peaks: &SlotPeaks, rate: u32, latency: u32) -> Self {
        let slots = snapshot.slots.iter().enumerate().map(|(index, slot)| SlotLine {
            slot: index + 1,
            title: slot.title.clone(),
            plugin: slot.plugin.to_string(),
            latency: slot.latency,
            nanoseconds_per_block: peaks.time(slot.id),
            peak: peaks.peaks.get(&slot.id).copied().unwrap_or(slot.peak),
            bypass: slot.bypass,
            problem: problem(&slot.status),
        });
        Self {
            input: task.input.display().to_string(),
            output: task.output.display().to_string(),
            block: task.block,
            compensated: task.compensate,
            slots: slots.collect(),
            rate,
            latency,
            ..Self::default()
        }
    }

    /// Frames in and out.
    pub fn lengths(self, input_frames: u64, output_frames: u64, source: &Source) -> Self {
        let missing_frames = source.frames.unwrap_or(0).saturating_sub(source.read);
        Self { input_frames, output_frames, missing_frames, ..self }
    }

    /// Levels, linear, and the output's format.
    pub fn levels(self, input_peak: f32, sink: &Sink) -> Self {
        let (output_peak, clipped_samples) = (sink.peak, sink.clipped);
        Self { input_peak, output_peak, clipped_samples, format: sink.format().name().into(), ..self }
    }

    /// How long it took.
    pub fn took(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }

    /// Says what the user should know even without a report. A plugin that failed on the way is a failure.
    pub fn warn(&self, keep_going: bool) -> Result<(), Failure> {
        if self.missing_frames > 0 {
            let (input, missing) = (&self.input, self.missing_frames);
            out::note(format_args!("note: {input} ends {missing} frames before the end that its header names"));
        }
        if self.clipped_samples > 0 {
            let (count, peak) = (self.clipped_samples, out::dbfs(self.output_peak));
            out::note(format_args!(
                "note: {count} samples were too loud and were cut (peak {peak}); --bits 32f keeps them"
            ));
        }
        let failed: Vec<_> =
            self.slots.iter().filter_map(|slot| slot.problem.as_ref().map(|why| (slot, why))).collect();
        for (slot, why) in &failed {
            let text = format!("slot {} ({}): {why}", slot.slot, slot.title);
            log::line(log::Level::Warning, &text);
            if !keep_going {
                out::note(format_args!("note: {text}; the sound passed it unchanged"));
            }
        }
        Ok(())
    }

    /// Prints it.
    pub fn say(&self) -> Result<(), Failure> {
        let mut rows = vec![["", "slot", "latency", "time per block", "peak", "plugin"].map(String::from).to_vec()];
        for slot in &self.slots {
            rows.push(vec![
                slot.slot.to_string(),
                if slot.bypass { format!("{} (bypassed)", slot.title) } else { slot.title.clone() },
                format!("{} frames", slot.latency),
                format!("{:.1} us", f64::from(slot.nanoseconds_per_block) / 1000.0),
                out::dbfs(slot.peak),
                slot.plugin.clone(),
            ]);
        }
        if !self.slots.is_empty() {
            out::say(out::table(&rows))?;
        }
        let rate = f64::from(self.rate);
        let taken_out = if self.compensated { ", taken out" } else { "" };
        let milliseconds = f64::from(self.latency) / rate * 1000.0;
        out::say(format_args!("latency   {} frames ({milliseconds:.1} ms){taken_out}", self.latency))?;
        let (before, after) = (self.input_frames as f64 / rate, self.output_frames as f64 / rate);
        out::say(format_args!("length    {before:.3} s in, {after:.3} s out at {} Hz", self.rate))?;
        out::say(format_args!("peak      {} in, {} out", out::dbfs(self.input_peak), out::dbfs(self.output_peak)))?;
        let speed = after / self.seconds.max(1e-9);
        out::say(format_args!(
            "time      {:.2} s, {speed:.1} times real time, blocks of {}",
            self.seconds, self.block
        ))?;
        out::say(format_args!("written   {} ({})", self.output, self.format))
    }
}

fn problem(status: &SlotStatus) -> Option<String> {
    match status {
        SlotStatus::Running | SlotStatus::Loading => None,
        SlotStatus::Missing => Some("is not installed".into()),
        SlotStatus::Closed(why) | SlotStatus::Faulted(why) => Some(why.clone()),
    }
}

/// One sentence for each slot that does not run.
pub fn faults(snapshot: &Snapshot) -> Vec<String> {
    let say = |slot: &host_core::session::SlotView| {
        problem(&slot.status).map(|why| match slot.status {
            SlotStatus::Missing => format!("{}: {} is not installed", slot.title, slot.plugin),
            _ => format!("{}: {why}", slot.title),
        })
    };
    snapshot.slots.iter().filter_map(say).collect()
}

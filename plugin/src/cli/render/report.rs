//! What a render tells: each slot, and the whole.

use std::time::Duration;

use host_core::session::{CoresView, CostView, LaneView, MeterView, NodeView, SlotStatus, SlotView, Snapshot};
use serde::Serialize;

use crate::cli::args::Render;
use crate::cli::audio::{Sink, Source};
use crate::cli::{Failure, log, out};

/// The sound at one point, over the whole render.
#[derive(Debug, Default, Serialize)]
struct Level {
    peak: f32,
    clipped_samples: u64,
    rms: f32,
    integrated_lufs: Option<f64>,
    short_term_max_lufs: Option<f64>,
}

impl From<&MeterView> for Level {
    fn from(meter: &MeterView) -> Self {
        let loud = |value: Option<f64>| value.filter(|value| value.is_finite());
        let since = &meter.since;
        Self {
            peak: since.peak,
            clipped_samples: since.clips,
            rms: since.rms,
            integrated_lufs: loud(since.integrated),
            short_term_max_lufs: loud(since.short_term_max),
        }
    }
}

impl Level {
    /// Peak, clipped samples, RMS, integrated and highest short-term loudness.
    fn cells(&self) -> Vec<String> {
        let lufs = |value: Option<f64>| value.map_or("silent".to_owned(), |value| format!("{value:.1} LUFS"));
        vec![
            out::dbfs(self.peak),
            self.clipped_samples.to_string(),
            out::dbfs(self.rms),
            lufs(self.integrated_lufs),
            lufs(self.short_term_max_lufs),
        ]
    }
}

/// What blocks took.
#[derive(Debug, Default, Serialize)]
struct Cost {
    nanoseconds_per_block: u32,
    max_nanoseconds_per_block: u32,
    share: f32,
    max_share: f32,
}

impl From<&CostView> for Cost {
    fn from(cost: &CostView) -> Self {
        let since = &cost.since;
        Self {
            nanoseconds_per_block: since.nanos,
            max_nanoseconds_per_block: since.max_nanos,
            share: since.share,
            max_share: since.max_share,
        }
    }
}

impl Cost {
    /// Average, longest, share of the block's own time.
    fn cells(&self) -> Vec<String> {
        let micros = |nanos: u32| format!("{:.1} us", f64::from(nanos) / 1000.0);
        let share = format!("{:.2} %", self.share * 100.0);
        vec![micros(self.nanoseconds_per_block), micros(self.max_nanoseconds_per_block), share]
    }
}

/// Several cores.
#[derive(Debug, Default, Serialize)]
struct Cores {
    wanted: bool,
    threads: usize,
    /// Pieces of work that were run side by side in the last blocks.
    items: usize,
    pooled: u64,
    refused: u64,
    late_waits: u64,
    why_not: Option<String>,
}

impl From<&CoresView> for Cores {
    fn from(cores: &CoresView) -> Self {
        Self {
            wanted: cores.on,
            threads: cores.threads,
            items: cores.items,
            pooled: cores.pooled,
            refused: cores.refused,
            late_waits: cores.late,
            why_not: Some(cores.why_not.clone()).filter(|why| !why.is_empty()),
        }
    }
}

impl Cores {
    /// In one line; `None` where nobody asked for several.
    fn line(&self) -> Option<String> {
        let Self { threads, items, pooled, late_waits, .. } = self;
        self.wanted.then(|| match (&self.why_not, threads) {
            (Some(why), _) => format!("one: {why}"),
            (None, 0) => "one: nothing was played long enough to be shared out".into(),
            (None, _) if *items == 0 => format!("{threads} threads; nothing in the chain gains by them"),
            _ => format!("{threads} threads for {items} pieces of a block, {pooled} times, {late_waits} late waits"),
        })
    }
}

#[derive(Debug, Serialize)]
struct SlotLine {
    slot: String,
    title: String,
    plugin: String,
    latency: u32,
    #[serde(flatten)]
    cost: Cost,
    /// What comes out of it; `input` is what goes in.
    #[serde(flatten)]
    output: Level,
    input: Level,
    bypass: bool,
    problem: Option<String>,
    /// In what its plugin is not the one that was saved.
    doubts: Vec<String>,
}

#[derive(Debug, Serialize)]
struct LaneLine {
    lane: String,
    title: String,
    #[serde(flatten)]
    output: Level,
    input: Level,
}

/// Where a line of the table stands.
#[derive(Clone, Copy, Debug)]
enum Line {
    Slot(usize),
    Lane(usize),
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
    /// Times that the chain's output was above +18 dBFS for 20 ms.
    too_loud: u32,
    seconds: f64,
    cores: Cores,
    slots: Vec<SlotLine>,
    lanes: Vec<LaneLine>,
    /// What comes into the chain and what leaves it, tail and all, and what the whole costs.
    chain_input: Level,
    chain_output: Level,
    chain_cost: Cost,
    #[serde(skip)]
    lines: Vec<Line>,
}

impl Report {
    /// What the chain says of itself.
    pub fn new(task: &Render, snapshot: &Snapshot, rate: u32, latency: u32) -> Self {
        let mut report = Self {
            input: task.input.display().to_string(),
            output: task.output.display().to_string(),
            block: task.block,
            compensated: task.compensate,
            rate,
            latency,
            too_loud: snapshot.guard.times,
            cores: (&snapshot.cores).into(),
            chain_input: (&snapshot.input).into(),
            chain_output: (&snapshot.output).into(),
            chain_cost: (&snapshot.cost).into(),
            ..Self::default()
        };
        report.nodes(&snapshot.nodes, "", snapshot);
        report
    }

    /// Nodes with their numbers, as `catena show` writes them.
    fn nodes(&mut self, nodes: &[NodeView], before: &str, snapshot: &Snapshot) {
        for (place, node) in nodes.iter().enumerate() {
            let number = format!("{before}{}", place + 1);
            match node {
                NodeView::Slot(id) => {
                    let slot = snapshot.slots.iter().find(|slot| slot.id == *id);
                    slot.into_iter().for_each(|slot| self.slot(&number, slot));
                }
                NodeView::Lanes(group) => {
                    for (place, lane) in group.lanes.iter().enumerate() {
                        let number = format!("{number}.{}", place + 1);
                        self.lane(&number, lane);
                        self.nodes(&lane.nodes, &format!("{number}."), snapshot);
                    }
                }
                NodeView::Unknown => {}
            }
        }
    }

    fn slot(&mut self, number: &str, slot: &SlotView) {
        self.lines.push(Line::Slot(self.slots.len()));
        self.slots.push(SlotLine {
            slot: number.into(),
            title: slot.title.clone(),
            plugin: slot.plugin.to_string(),
            latency: slot.latency,
            cost: (&slot.cost).into(),
            output: (&slot.output).into(),
            input: (&slot.input).into(),
            bypass: slot.bypass,
            problem: problem(&slot.status),
            doubts: slot.doubts.clone(),
        });
    }

    fn lane(&mut self, number: &str, lane: &LaneView) {
        self.lines.push(Line::Lane(self.lanes.len()));
        let (input, output) = ((&lane.input).into(), (&lane.output).into());
        self.lanes.push(LaneLine { lane: number.into(), title: lane.title.clone(), output, input });
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
        if self.too_loud > 0 {
            out::note("note: the output was above +18 dBFS for more than 20 ms: the level guard would have muted it");
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
        out::say(out::table(&self.table()))?;
        let rate = f64::from(self.rate);
        let taken_out = if self.compensated { ", taken out" } else { "" };
        let milliseconds = f64::from(self.latency) / rate * 1000.0;
        out::say(format_args!("latency   {} frames ({milliseconds:.1} ms){taken_out}", self.latency))?;
        let (before, after) = (self.input_frames as f64 / rate, self.output_frames as f64 / rate);
        out::say(format_args!("length    {before:.3} s in, {after:.3} s out at {} Hz", self.rate))?;
        out::say(format_args!("peak      {} in, {} out", out::dbfs(self.input_peak), out::dbfs(self.output_peak)))?;
        if let Some(cores) = self.cores.line() {
            out::say(format_args!("cores     {cores}"))?;
        }
        let speed = after / self.seconds.max(1e-9);
        out::say(format_args!(
            "time      {:.2} s, {speed:.1} times real time, blocks of {}",
            self.seconds, self.block
        ))?;
        out::say(format_args!("written   {} ({})", self.output, self.format))
    }

    /// What came in, each slot and lane with what comes out of it, and what went out.
    fn table(&self) -> Vec<Vec<String>> {
        let head = [
            "",
            "",
            "peak",
            "clips",
            "RMS",
            "integrated",
            "short-term max",
            "time per block",
            "longest",
            "share",
            "latency",
            "plugin",
        ];
        let row = |number: &str, title: String, level: &Level, rest: Vec<String>| {
            [vec![number.to_owned(), title], level.cells(), rest].concat()
        };
        let mut rows = vec![head.map(String::from).to_vec(), row("", "in".into(), &self.chain_input, Vec::new())];
        rows.extend(self.lines.iter().map(|line| match line {
            Line::Slot(index) => {
                let slot = &self.slots[*index];
                let title = if slot.bypass { format!("{} (bypassed)", slot.title) } else { slot.title.clone() };
                let mut rest = slot.cost.cells();
                rest.extend([format!("{} frames", slot.latency), slot.plugin.clone()]);
                row(&slot.slot, title, &slot.output, rest)
            }
            Line::Lane(index) => {
                let lane = &self.lanes[*index];
                row(&lane.lane, lane.title.clone(), &lane.output, Vec::new())
            }
        }));
        rows.push(row("", "out".into(), &self.chain_output, self.chain_cost.cells()));
        rows
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

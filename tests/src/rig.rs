//! An engine with both its ends in one hand, and a bare loop beside it.

use std::sync::Arc;

use host_core::backend::audio::{Block, EventBuffer, ParamQueue, PluginAudio, Transport};
use host_core::engine::{
    ContainerBlock, Controller, EngineConfig, Plan, PlanNode, PlanSide, PlanSpec, Processor, Route, Sharing, SlotNode,
    engine,
};
use host_core::model::{GRID, LatencyMode};
use host_core::pool::Share;

/// Sample rate of the rig, Hz.
pub const RATE: f64 = 48_000.0;

/// Noise that is the same in every run.
pub struct Noise(u64);

impl Noise {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next 32 bits.
    pub fn bits(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    /// The next bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.bits() as u8).collect()
    }

    /// The next sample, -0.5 to 0.5.
    pub fn sample(&mut self) -> f32 {
        self.bits() as f32 / u32::MAX as f32 - 0.5
    }

    /// A number from `range`.
    pub fn pick(&mut self, range: std::ops::Range<usize>) -> usize {
        range.start + self.bits() as usize % (range.end - range.start)
    }

    /// `channels` of `frames` samples.
    pub fn signal(&mut self, channels: usize, frames: usize) -> Vec<Vec<f32>> {
        (0..channels).map(|_| (0..frames).map(|_| self.sample()).collect()).collect()
    }
}

/// Lengths of blocks that together are `frames`: one size, or `None` for sizes drawn at random up to `largest`.
pub fn cuts(frames: usize, size: Option<usize>, largest: usize, seed: u64) -> Vec<usize> {
    let mut noise = Noise::new(seed);
    let mut cuts = Vec::new();
    let mut left = frames;
    while left > 0 {
        let cut = size.unwrap_or_else(|| noise.pick(1..largest + 1)).min(left);
        cuts.push(cut);
        left -= cut;
    }
    cuts
}

/// An engine under test.
pub struct Rig {
    /// The container's end.
    pub processor: Processor,
    /// Home's end.
    pub controller: Controller,
    /// What it was made for.
    pub config: EngineConfig,
    /// Latency mode of the plans it builds.
    pub mode: LatencyMode,
    /// What macros move in the plans it builds.
    pub macros: fn(&[Arc<SlotNode>]) -> Vec<Route>,
    /// What sidechains hear in the plans it builds, where that is not the container's.
    pub sides: Vec<PlanSide>,
    /// The helpers that the plans it builds share lanes out to, by the slots' [costs](SlotNode::note_cost).
    pub share: Option<Arc<Share>>,
    /// Largest block of the plans it builds.
    pub max_block: u32,
    /// Events for the next block.
    pub events_in: EventBuffer,
    /// Events of the last block.
    pub events_out: EventBuffer,
    /// The transport of the next block.
    pub transport: Option<Transport>,
    /// The container's bypass.
    pub bypass: bool,
    /// The sidechain of the next block.
    pub sidechain: Vec<Vec<f32>>,
    /// The auxiliary outputs of the last block.
    pub aux: Vec<Vec<f32>>,
}

impl Rig {
    /// For `channels`, without sidechain and auxiliary outputs.
    pub fn new(channels: u16) -> Self {
        Self::with(EngineConfig { channels, sidechain: 0, aux: 0 })
    }

    /// For any container.
    pub fn with(config: EngineConfig) -> Self {
        let (processor, mut controller) = engine(config);
        controller.deactivated(false);
        Self {
            processor,
            controller,
            config,
            mode: LatencyMode::True,
            macros: |_| Vec::new(),
            sides: Vec::new(),
            share: None,
            max_block: 1024,
            events_in: EventBuffer::new(1024, true),
            events_out: EventBuffer::new(1024, true),
            transport: None,
            bypass: false,
            sidechain: Vec::new(),
            aux: vec![Vec::new(); config.aux.into()],
        }
    }

    /// A plan of `slots`.
    pub fn plan(&self, slots: &[Arc<SlotNode>]) -> Box<Plan> {
        self.plan_nodes(slots.iter().cloned().map(PlanNode::Slot).collect())
    }

    /// A plan of slots and lanes.
    pub fn plan_nodes(&self, nodes: Vec<PlanNode>) -> Box<Plan> {
        let macros = (self.macros)(&flat(&nodes));
        Plan::build(PlanSpec {
            mode: self.mode,
            rate: RATE,
            grid: GRID,
            max_block: self.max_block,
            channels: self.config.channels,
            sidechain: self.config.sidechain,
            aux: self.config.aux,
            macros,
            share: self.share.clone().map(|share| {
                let sharing = Sharing::of(&nodes, share.pool().workers(), &self.sides);
                (share, sharing)
            }),
            nodes,
            sides: self.sides.clone(),
        })
    }

    /// Sends a plan of `slots`; its reported latency.
    pub fn send(&mut self, slots: &[Arc<SlotNode>]) -> u32 {
        self.send_nodes(slots.iter().cloned().map(PlanNode::Slot).collect())
    }

    /// Sends a plan of slots and lanes; its reported latency.
    pub fn send_nodes(&mut self, nodes: Vec<PlanNode>) -> u32 {
        let plan = self.plan_nodes(nodes);
        let latency = plan.latency();
        assert!(self.controller.send(plan).is_ok());
        latency
    }

    /// Runs one block in place.
    pub fn block(&mut self, channels: &mut [Vec<f32>]) {
        let frames = channels[0].len();
        for aux in &mut self.aux {
            aux.resize(frames, 0.0);
        }
        let mut main: Vec<&mut [f32]> = channels.iter_mut().map(|channel| &mut channel[..]).collect();
        let mut aux: Vec<&mut [f32]> = self.aux.iter_mut().map(|channel| &mut channel[..]).collect();
        let sidechain: Vec<&[f32]> = self.sidechain.iter().map(|channel| &channel[..]).collect();
        self.events_out.clear();
        self.processor.process(&mut ContainerBlock {
            main: &mut main,
            sidechain: &sidechain,
            aux: &mut aux,
            events_in: &mut self.events_in,
            events_out: &mut self.events_out,
            transport: self.transport,
            bypass: self.bypass,
        });
        self.events_in.clear();
    }

    /// Runs a signal in blocks of the lengths `cuts`.
    pub fn run(&mut self, signal: &[Vec<f32>], cuts: &[usize]) -> Vec<Vec<f32>> {
        let mut heard = vec![Vec::new(); signal.len()];
        let mut at = 0;
        for &cut in cuts {
            let mut block: Vec<Vec<f32>> = signal.iter().map(|channel| channel[at..at + cut].to_vec()).collect();
            self.block(&mut block);
            for (heard, block) in heard.iter_mut().zip(block) {
                heard.extend(block);
            }
            at += cut;
        }
        heard
    }

    /// Runs 1 kHz at -6 dBFS from frame `from` on for `blocks` of 64 frames, calling `each` before each block.
    pub fn sine(&mut self, from: usize, blocks: usize, mut each: impl FnMut(&mut Self, usize)) -> Vec<f32> {
        let mut heard = Vec::new();
        for b in 0..blocks {
            each(self, b);
            let tone: Vec<f32> = (0..64).map(|i| sine(from + b * 64 + i)).collect();
            let mut block = vec![tone; self.config.channels.into()];
            self.block(&mut block);
            heard.extend(block.swap_remove(0));
        }
        heard
    }
}

/// All slots of `nodes`.
fn flat(nodes: &[PlanNode]) -> Vec<Arc<SlotNode>> {
    let of = |node: &PlanNode| match node {
        PlanNode::Slot(node) => vec![node.clone()],
        PlanNode::Lanes(group) => group.lanes.iter().flat_map(|lane| flat(&lane.nodes)).collect(),
    };
    nodes.iter().flat_map(of).collect()
}

/// 1 kHz at -6 dBFS.
pub fn sine(frame: usize) -> f32 {
    ((frame % 48) as f32 / 48.0 * std::f32::consts::TAU).sin() * 0.5
}

/// Asserts that a treated [`sine`] has no step beyond twice its own steepest and no silent block of 64 frames.
pub fn assert_smooth(heard: &[f32], what: &str) {
    let steepest = 0.5 * std::f32::consts::TAU / 48.0;
    for (i, pair) in heard.windows(2).enumerate() {
        assert!((pair[1] - pair[0]).abs() <= 2.0 * steepest, "{what}: step from {} to {} at {i}", pair[0], pair[1]);
    }
    for (i, block) in heard.chunks_exact(64).enumerate() {
        assert!(block.iter().any(|x| x.abs() > 0.01), "{what}: block {i} is silent");
    }
}

/// Calls plugins one after another, each with its own buffers, and nothing else.
pub struct Bare {
    plugins: Vec<Box<dyn PluginAudio>>,
    events: EventBuffer,
    events_out: EventBuffer,
    params_out: ParamQueue,
    clock: i64,
}

impl Bare {
    /// Starts `plugins`.
    pub fn new(mut plugins: Vec<Box<dyn PluginAudio>>) -> Self {
        for plugin in &mut plugins {
            assert!(plugin.start());
        }
        Self {
            plugins,
            events: EventBuffer::new(64, false),
            events_out: EventBuffer::new(64, false),
            params_out: ParamQueue::new(64),
            clock: 0,
        }
    }

    /// Runs a signal through bus 0 of all plugins in turn.
    pub fn run(&mut self, signal: &[Vec<f32>], cuts: &[usize]) -> Vec<Vec<f32>> {
        let mut heard = vec![Vec::new(); signal.len()];
        let mut at = 0;
        for &cut in cuts {
            let mut block: Vec<Vec<f32>> = signal.iter().map(|channel| channel[at..at + cut].to_vec()).collect();
            for plugin in &mut self.plugins {
                for (to, from) in plugin.buffers().inputs[0].channels.iter_mut().zip(&block) {
                    to[..cut].copy_from_slice(from);
                }
                self.events_out.clear();
                self.params_out.clear();
                plugin.run(&mut Block {
                    frames: cut as u32,
                    steady_time: self.clock,
                    grid: GRID,
                    transport: None,
                    events: &self.events,
                    params: &[],
                    events_out: &mut self.events_out,
                    params_out: &mut self.params_out,
                });
                for (to, from) in block.iter_mut().zip(&plugin.buffers().outputs[0].channels) {
                    to.copy_from_slice(&from[..cut]);
                }
            }
            self.clock += cut as i64;
            at += cut;
            for (heard, block) in heard.iter_mut().zip(block) {
                heard.extend(block);
            }
        }
        heard
    }

    /// The plugins, stopped.
    pub fn end(mut self) -> Vec<Box<dyn PluginAudio>> {
        for plugin in &mut self.plugins {
            plugin.stop();
        }
        self.plugins
    }
}

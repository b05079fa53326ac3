//! What a slot is made of. `[home]` all through.

use crate::backend::audio::PluginAudio;
use crate::model::{Adapt, PortLayout, SlotId};

/// Told around the first block that a plugin ever runs, so that one which ends the process can be named. `[audio]`: an
/// implementation stores a word and does nothing else.
pub trait FirstRun: Send + Sync {
    /// The plugin is run now.
    fn begins(&self);
    /// It came back.
    fn ends(&self);
}

/// What a slot is made of.
pub struct SlotSetup {
    /// The slot's id in its chain.
    pub id: SlotId,
    /// Audio halves, as many as [`instances_needed`](crate::engine::instances_needed) says; none: the slot passes its delayed dry.
    pub instances: Vec<Box<dyn PluginAudio>>,
    /// The plugin's ports.
    pub ports: PortLayout,
    /// How a differing layout is met.
    pub adapt: Adapt,
    /// The plugin's latency, frames at its own rate, without that of re-blocking.
    pub latency: u32,
    /// Smallest block the plugin runs safely, frames; above 1 the engine re-blocks.
    pub min_block: u32,
    /// A block length the plugin insists on, frames. It was activated with at least this as its largest block.
    pub fixed_block: Option<u32>,
    /// Channels of the chain.
    pub channels: u16,
    /// Channels of the container's sidechain.
    pub sidechain: u16,
    /// Channels of the container's auxiliary outputs, all together.
    pub aux: u16,
    /// How many times the chain's rate the plugin runs at: 1, 2, 4 or 8. It was activated with as many times the rate and the largest
    /// block.
    pub oversample: u32,
    /// Largest block of the chain, frames, and of the plugin where it is not oversampled.
    pub max_block: u32,
    /// Sample rate, Hz.
    pub rate: f64,
    /// Adds its sound to what came before it.
    pub is_instrument: bool,
    /// The chain is heard already: begin with the undelayed dry and fade in. Otherwise the slot is wet and delayed from
    /// its first frame.
    pub fade_in: bool,
    /// Told of the plugin's first block.
    pub first_run: Option<Box<dyn FirstRun>>,
}

impl SlotSetup {
    /// A slot for a plugin with `ports` and no further demands: one instance set, no latency. `[home]`
    pub fn new(id: SlotId, instances: Vec<Box<dyn PluginAudio>>, ports: PortLayout) -> Self {
        Self {
            id,
            instances,
            adapt: Adapt::Auto,
            latency: 0,
            min_block: 1,
            fixed_block: None,
            oversample: 1,
            channels: 2,
            sidechain: 2,
            aux: 0,
            max_block: 1024,
            rate: 48_000.0,
            is_instrument: ports.main_inputs() == 0 && ports.main_outputs() > 0,
            ports,
            fade_in: false,
            first_run: None,
        }
    }
}

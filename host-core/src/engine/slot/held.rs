//! A slot's plugin, as the audio thread holds it.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use smallvec::SmallVec;

use super::path::Path;
use super::{FirstRun, SlotSetup};
use crate::backend::audio::{Block, PluginAudio, RunStatus};
use crate::engine::foreign::foreign;
use crate::engine::oversample::{self, Oversample};
use crate::engine::reblock::ReBlock;
use crate::model::{MAX_LATENCY, PortLayout};

/// At what rate and in which blocks a slot's plugin runs.
pub struct Pace {
    /// Its rate is this many times the chain's: 1, 2, 4 or 8.
    pub factor: u32,
    /// Block length that it is re-blocked to and the latency this adds, frames at its rate; 0: not re-blocked.
    pub reblock: u32,
    /// Its latency at its rate, re-blocking included, frames.
    pub told: Arc<AtomicU32>,
}

impl Pace {
    /// For a plugin of a slot made by `setup`.
    pub fn new(setup: &SlotSetup) -> Self {
        let factor = match setup.oversample {
            factor @ (2 | 4 | 8) if !setup.instances.is_empty() => factor,
            _ => 1,
        };
        let reblock = setup.fixed_block.unwrap_or(if setup.min_block > factor { setup.min_block } else { 0 });
        Self { factor, reblock, told: Arc::new(AtomicU32::new(setup.latency.saturating_add(reblock))) }
    }

    /// Latency that a plugin with `told` frames of its own, re-blocking included, gives the slot, frames of the chain's rate.
    pub fn latency(&self, told: u32) -> u32 {
        oversample::latency(self.factor, told).min(MAX_LATENCY)
    }

    /// How long a slot sounds on whose plugin does so for `told` frames of its own, `u32::MAX` for ever.
    pub fn tail(&self, told: u32) -> u32 {
        if told == u32::MAX { told } else { oversample::tail(self.factor, told) }
    }
}

/// One audio half, as the engine runs it.
pub enum Instance {
    /// In blocks as they come.
    Plain(Box<dyn PluginAudio>),
    /// In blocks of a set length.
    Blocks(Box<ReBlock>),
    /// Either, at a multiple of the chain's rate.
    Over(Box<Oversample>),
}

impl Instance {
    /// At `pace`. `[home]`
    pub fn new(inner: Box<dyn PluginAudio>, pace: &Pace, ports: &PortLayout, max_block: u32) -> Self {
        let plain = match pace.reblock {
            0 => Self::Plain(inner),
            block => Self::Blocks(Box::new(ReBlock::new(inner, block, ports, max_block * pace.factor))),
        };
        if pace.factor == 1 {
            return plain;
        }
        match Oversample::new(plain, pace.factor, pace.told.clone(), ports, max_block) {
            Ok(over) => Self::Over(Box::new(over)),
            Err(plain) => plain,
        }
    }

    fn seen(&self) -> &dyn PluginAudio {
        match self {
            Self::Plain(inner) => inner.as_ref(),
            Self::Blocks(blocks) => blocks.as_ref(),
            Self::Over(over) => over.as_ref(),
        }
    }

    /// What it tells of its latency while it runs.
    pub fn latency(&self) -> Option<u32> {
        self.seen().latency()
    }

    pub fn wants_run(&self) -> bool {
        self.seen().wants_run()
    }

    pub fn into_inner(self) -> Box<dyn PluginAudio> {
        match self {
            Self::Plain(inner) => inner,
            Self::Blocks(blocks) => blocks.into_inner(),
            Self::Over(over) => over.into_inner().into_inner(),
        }
    }

    /// What the engine runs.
    #[inline]
    pub fn audio(&mut self) -> &mut dyn PluginAudio {
        match self {
            Self::Plain(inner) => inner.as_mut(),
            Self::Blocks(blocks) => blocks.as_mut(),
            Self::Over(over) => over.as_mut(),
        }
    }

    /// Runs a block; only what is the plugin's own is behind the fence.
    #[inline]
    pub fn run(&mut self, block: &mut Block<'_>) -> RunStatus {
        match self {
            Self::Plain(inner) => foreign(|| inner.run(block)),
            Self::Blocks(blocks) => blocks.run(block),
            Self::Over(over) => over.run(block),
        }
    }

    /// Forgets what still sounds; fenced like [`Instance::run`].
    pub fn reset(&mut self) {
        match self {
            Self::Plain(inner) => foreign(|| inner.reset()),
            Self::Blocks(blocks) => blocks.reset(),
            Self::Over(over) => over.reset(),
        }
    }

    /// The plugin itself.
    pub fn plugin(&mut self) -> &mut dyn PluginAudio {
        match self {
            Self::Plain(inner) => inner.as_mut(),
            Self::Blocks(blocks) => blocks.inner(),
            Self::Over(over) => over.inner().plugin(),
        }
    }
}

/// The audio halves of a slot. One is the rule, and lies where the slot lies.
pub struct Held {
    pub instances: SmallVec<[Instance; 1]>,
    pub started: bool,
    /// It has run a block and the process lives.
    pub proven: bool,
}

impl Held {
    pub fn new(instances: SmallVec<[Instance; 1]>, first_run: &Option<Box<dyn FirstRun>>) -> Self {
        Self { instances, started: false, proven: first_run.is_none() }
    }

    /// Starts what is not started. False: one refused. In the audio role.
    pub fn start(&mut self) -> bool {
        if !self.started {
            self.started = self.instances.iter_mut().all(|instance| foreign(|| instance.audio().start()));
        }
        self.started
    }

    /// Stops what is started. In the audio role.
    pub fn stop(&mut self) {
        if std::mem::take(&mut self.started) {
            for instance in &mut self.instances {
                foreign(|| instance.audio().stop());
            }
        }
    }

    /// Forgets what still sounds. In the audio role.
    pub fn reset(&mut self) {
        for instance in &mut self.instances {
            instance.reset();
        }
    }
}

/// What the audio thread has of a slot while it runs it, under one lock: two would cost a chain of cheap plugins a sixth more.
#[repr(C)]
pub struct Core {
    /// The plugin, but for the time when it is parked and lies on the slot's shelf.
    pub held: Held,
    pub path: Path,
}

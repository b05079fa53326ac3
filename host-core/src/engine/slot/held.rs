//! A slot's plugin, as the audio thread holds it.

use smallvec::SmallVec;

use super::FirstRun;
use super::path::Path;
use crate::backend::audio::PluginAudio;
use crate::engine::foreign::foreign;
use crate::engine::reblock::ReBlock;
use crate::model::PortLayout;

/// One audio half, as the engine runs it.
pub enum Instance {
    /// In blocks as they come.
    Plain(Box<dyn PluginAudio>),
    /// In blocks of a set length.
    Blocks(Box<ReBlock>),
}

impl Instance {
    pub fn new(inner: Box<dyn PluginAudio>, block: u32, ports: &PortLayout, max_block: u32) -> Self {
        if block == 0 {
            Self::Plain(inner)
        } else {
            Self::Blocks(Box::new(ReBlock::new(inner, block, ports, max_block)))
        }
    }

    pub fn into_inner(self) -> Box<dyn PluginAudio> {
        match self {
            Self::Plain(inner) => inner,
            Self::Blocks(blocks) => blocks.into_inner(),
        }
    }

    /// What the engine runs.
    #[inline]
    pub fn audio(&mut self) -> &mut dyn PluginAudio {
        match self {
            Self::Plain(inner) => inner.as_mut(),
            Self::Blocks(blocks) => blocks.as_mut(),
        }
    }

    /// The plugin itself.
    pub fn plugin(&mut self) -> &mut dyn PluginAudio {
        match self {
            Self::Plain(inner) => inner.as_mut(),
            Self::Blocks(blocks) => blocks.inner(),
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
            foreign(|| instance.audio().reset());
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

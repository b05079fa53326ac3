//! `buf-size`: which block lengths a plugin is promised.

use super::describe::Description;
use super::options::Options;
use super::resize_port::DEFAULT_SIZE;
use super::uri;
use crate::backend::Activation;

/// The one length that plugins get which insist on one, frames. It is a power of two; the engine re-blocks and
/// declares the latency.
pub const FIXED: u32 = 256;

/// The lengths of one activation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lengths {
    /// Shortest block that the host gives, frames.
    pub min: u32,
    /// Longest.
    pub max: u32,
    /// The only length that is run.
    pub exact: Option<u32>,
    /// Blocks may be cut for changes of control inputs.
    pub may_cut: bool,
    /// Shortest block that is safe for the plugin, as a probe found.
    pub min_safe: u32,
}

/// The length a plugin insists on.
pub fn fixed(about: &Description) -> Option<u32> {
    let requires = |feature: &str| about.required.iter().any(|f| f == feature);
    (requires(uri::FIXED_BLOCK) || requires(uri::POWER_OF_2_BLOCK)).then_some(FIXED)
}

impl Lengths {
    /// What `how` comes to for a plugin.
    pub fn new(about: &Description, how: &Activation, min_safe: u32) -> Self {
        let exact = fixed(about);
        let max = exact.unwrap_or(how.max_block).max(1);
        let may_cut = exact.is_none() && !about.has_feature(uri::COARSE_BLOCK);
        // A cut makes parts shorter than any block of the host's.
        let min = if may_cut { min_safe.max(1) } else { how.min_block.max(1) };
        Self { min: exact.unwrap_or(min).min(max), max, exact, may_cut, min_safe }
    }

    /// The options that tell a plugin of them.
    pub fn options(&self, rate: f64) -> Options {
        let frames = |frames: u32| i32::try_from(frames).unwrap_or(i32::MAX);
        Options {
            min_block: frames(self.min),
            max_block: frames(self.max),
            nominal_block: frames(self.max),
            sequence_size: DEFAULT_SIZE as i32,
            rate: rate as f32,
        }
    }
}

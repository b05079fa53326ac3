//! What a worker is asked and what it answers: one JSON line in, JSON lines out.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::qualify::Qualified;
use crate::model::{BadFile, PluginEntry, PortLayout};

/// A question to a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    /// List the plugins of a CLAP file.
    Clap {
        /// The file.
        path: PathBuf,
        /// Where files of states go.
        assets: PathBuf,
    },
    /// List the plugins of these bundles.
    Lv2 {
        /// The bundles.
        bundles: Vec<PathBuf>,
    },
    /// Open a plugin and run it at these block lengths, one after another.
    Probe {
        /// The plugin.
        entry: Box<PluginEntry>,
        /// Block lengths, frames.
        blocks: Vec<u32>,
        /// Where files of states go.
        assets: PathBuf,
    },
    /// Open a plugin and tell what kind it is, at these rates.
    Qualify {
        /// The plugin.
        entry: Box<PluginEntry>,
        /// Sample rates, Hz.
        rates: Vec<u32>,
        /// Where files of states go.
        assets: PathBuf,
    },
    /// Open a plugin and tell what it delays at these rates.
    Measure {
        /// The plugin.
        entry: Box<PluginEntry>,
        /// Sample rates, Hz.
        rates: Vec<u32>,
        /// Where files of states go.
        assets: PathBuf,
    },
}

/// What a plugin says of its latency, and what it delays, at one rate; frames.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Sample rate, Hz.
    pub rate: u32,
    /// What it says, with what blocks of a set length add.
    pub reported: u32,
    /// What it does; `None` where nothing of what went in could be found in what came out.
    pub measured: Option<u32>,
    /// An impulse came to nothing, and noise was found.
    pub by_noise: bool,
    /// Why there is nothing to tell.
    pub problem: Option<String>,
}

/// One line of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// These bundles are read next, the one that asks for it first.
    Begun(Vec<PathBuf>),
    /// A plugin, without its parameters.
    Plugin(Box<PluginEntry>),
    /// Something that cannot be used.
    Bad(BadFile),
    /// The plugin opened and has these ports.
    Opened(PortLayout),
    /// It ran at this block length, frames.
    Ran(u32),
    /// It refused this block length, in its own words.
    Refused(u32, String),
    /// It delays so much.
    Measured(Measured),
    /// It is of this kind.
    Qualified(Box<Qualified>),
    /// All is said. An answer without it was cut off.
    Done,
    /// The whole request failed, for this reason.
    Failed(String),
}

/// The lines of an answer; lines that are none (a plugin that found the descriptor) are left out.
pub fn replies(lines: &[String]) -> Vec<Reply> {
    lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

//! The audio half of a hosted plugin, and what passes between it and the engine in one block.
//!
//! Nothing here allocates after it was made. A plugin owns its port buffers ([`PortBuffers`]): the engine
//! writes inputs, runs the plugin, reads outputs; so a port is connected once and no pointer crosses the seam.

mod buffers;
mod events;
mod ump;

pub use buffers::{Bus, PortBuffers, Samples};
pub(crate) use events::push_last;
pub use events::{Event, EventBuffer, Expression, Kind, MAX_SYSEX, ParamEvent, ParamQueue, Told};
pub use ump::{bytes as packet_bytes, from_midi_1, message_len, packet_words, to_midi_1, words as packet};

/// Where the host's song is at the first frame of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transport {
    /// The transport rolls.
    pub playing: bool,
    /// The host records.
    pub recording: bool,
    /// The host plays faster or slower than real time (a bounce).
    pub offline: bool,
    /// Quarter notes a minute.
    pub tempo: Option<f64>,
    /// Beats in a bar and the note that is one beat.
    pub time_signature: Option<(u16, u16)>,
    /// Frames since the song's start.
    pub frames: Option<i64>,
    /// Quarter notes since the song's start.
    pub beats: Option<f64>,
    /// Quarter note at which this bar began.
    pub bar_start: Option<f64>,
    /// Number of this bar, first is 0.
    pub bar: Option<i32>,
    /// Loop, first and last quarter note, while the host loops.
    pub looping: Option<(f64, f64)>,
}

/// One block for one plugin.
pub struct Block<'a> {
    /// Frames in the block; at most the `max_block` of its activation.
    pub frames: u32,
    /// Frames processed since activation.
    pub steady_time: i64,
    /// Frames of the grid, counted by `steady_time`, on which an LV2 plugin's control inputs change; at least 1.
    pub grid: u32,
    /// `None`: free-running.
    pub transport: Option<&'a Transport>,
    /// MIDI for the plugin, sorted by frame.
    pub events: &'a EventBuffer,
    /// Parameter changes, sorted by frame.
    pub params: &'a [ParamEvent],
    /// MIDI the plugin makes. Empty at the call.
    pub events_out: &'a mut EventBuffer,
    /// Parameter changes the plugin makes by itself.
    pub params_out: &'a mut ParamQueue,
}

/// What a plugin said of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// It ran.
    Ok,
    /// It ran and need not be run again until sound or an event comes in.
    Quiet,
    /// It failed; its output is not to be used.
    Failed,
}

/// The audio half of a hosted plugin: `Send`, one thread at a time.
pub trait PluginAudio: Send {
    /// Its port buffers. `[audio]`
    fn buffers(&mut self) -> &mut PortBuffers;
    /// Makes it ready to run. False: it refused. `[audio]`
    fn start(&mut self) -> bool;
    /// Runs one block: reads `buffers().inputs`, writes `buffers().outputs`. `[audio & started]`
    fn run(&mut self, block: &mut Block<'_>) -> RunStatus;
    /// Forgets everything that still sounds. `[audio]`
    fn reset(&mut self);
    /// Ends running. `[audio]`
    fn stop(&mut self);
    /// Latency it told while running (LV2's latency port), frames; `None` where home asks for it.
    fn latency(&self) -> Option<u32> {
        None
    }
    /// It asks to be run again although its last block was [`RunStatus::Quiet`]. `[audio]`
    fn wants_run(&self) -> bool {
        false
    }
    /// For the backend's own downcast when the half comes home.
    fn as_any(&mut self) -> &mut dyn std::any::Any;
    /// For the backend's own downcast when the half comes home for good.
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any>;
}

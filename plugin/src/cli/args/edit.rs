//! The arguments of `catena edit`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use host_core::model::{GRID_RANGE, OVERSAMPLING};

use super::lanes::{LaneChange, LanesChange, SplitKind};
use super::macros::MacroChange;
use super::snapshot::SnapshotChange;
use crate::cli::aux::{self, Out};
use crate::cli::midi::{self, Channels, Span};
use crate::cli::numbers;
use host_core::model::LatencyMode;

/// Longest constant latency, milliseconds.
const MAX_CONSTANT: f64 = 5000.0;

/// `catena edit`.
#[derive(Debug, Args)]
#[command(after_help = "\
A SLOT is its number in `catena show` (1 is the first, 2.1.3 the third in the first lane of 2), or a part
of its name that only one slot has. LANES are named by their number (2), a LANE by its own (2.1).

Examples:
  catena edit voice.catena add ZamEQ2
  catena edit voice.catena add ZamGate --at 1
  catena edit voice.catena move ZamGate 2
  catena edit voice.catena replace ZamGate ZamGateX2    another plugin in its place
  catena edit voice.catena duplicate ZamEQ2
  catena edit voice.catena set ZamComp Threshold -20
  catena edit voice.catena set 1 @mix 0.5           also @input-gain and @output-gain (dB), @pan (-1 to 1),
                                                    @mono, @mute, @solo, @delta (on, off), @phase (left,
                                                    right, both, off), @if-fails (dry, mute, mute-chain)
  catena edit voice.catena set 1 @idle on           not run while bypassed
  catena edit voice.catena set 1 @sleep on          not run in silence, once its tail is over; 2.5 where it
                                                    does not say how long that is: 2.5 seconds
  catena edit voice.catena bypass 1
  catena edit voice.catena bypass 1 off
  catena edit voice.catena match ZamComp --audio take.wav    as loud as without it
  catena edit keys.catena midi 1 --keys 0-59          the low keys play slot 1,
  catena edit keys.catena midi 2 --keys 60-127        the high ones slot 2
  catena edit keys.catena midi 3 --source container   not what slots 1 and 2 make of it
  catena edit voice.catena sidechain ZamGate 2      it hears what leaves slot 2; also container, input, none
  catena edit drums.catena aux Kit 3                its further outputs on the instrument's aux outs 3, 4, ...
  catena edit drums.catena aux 2.1 8 --only         a lane on aux out 8, not in the main one
  catena edit voice.catena oversample ZamTube 4     it runs at four times the rate: less aliasing, 66 frames late
  catena edit voice.catena latency 20                the DAW is told 20 ms whatever is in the chain
  catena edit voice.catena grid 16                   LV2 plugins hear automation every 16 samples
  catena edit voice.catena cores on                  lanes are run side by side where that is faster
  catena edit voice.catena snapshot store A         and recall A, copy A B, clear A
  catena edit voice.catena remove 3
  catena edit voice.catena parallel 2               a second, silent lane beside slot 2
  catena edit voice.catena parallel 2 4 --split bands --at-hz 200,2500
  catena edit voice.catena add ZamDelay --into 2.2
  catena edit voice.catena move 2.1.1 1 --into chain
  catena edit voice.catena lane 2.2 gain -6         also pan, mute, solo, dry, delay, name, colour
  catena edit voice.catena lanes 2 level            also add, split, name, dissolve
  catena edit voice.catena remove 2.2
  catena edit voice.catena macro map 1 ZamComp Threshold     one knob for a DAW's automation")]
pub struct Edit {
    /// The chain file
    pub file: PathBuf,
    #[command(subcommand)]
    pub change: Change,
}

/// One change of a chain file.
#[derive(Debug, Subcommand)]
pub enum Change {
    /// Put a plugin in
    Add {
        /// Id, or a part of the name
        plugin: String,
        /// Its place, 1 is the first [default: the end]
        #[arg(long, value_name = "PLACE", value_parser = place, allow_hyphen_values = true)]
        at: Option<usize>,
        /// A lane to put it in
        #[arg(long, value_name = "LANE")]
        into: Option<String>,
    },
    /// Let another plugin take a slot's place: settings, routing and macros stay
    #[command(after_help = "\
The same plugin in the other format, and one that stands in for a missing plugin, gets the values of the parameters too;
what could not be taken over is said.

Example: catena edit voice.catena replace ZamComp lv2:urn:zamaudio:ZamComp")]
    Replace {
        /// Number or name
        slot: String,
        /// Id, or a part of the name
        plugin: String,
    },
    /// Take the plugin of a slot as it is here, although it is not the one that was saved
    Accept {
        /// Number or name
        slot: String,
    },
    /// Put a copy of a slot right behind it, as it is
    Duplicate {
        /// Number or name
        slot: String,
    },
    /// Take a slot out, or lanes or a lane with all that they hold
    Remove {
        /// Number or name
        slot: String,
    },
    /// Move a slot or lanes
    Move {
        /// Number or name
        slot: String,
        /// Its new place, 1 is the first
        #[arg(value_parser = place, allow_hyphen_values = true)]
        place: usize,
        /// A lane to move it into, or "chain" to move it out of all lanes
        #[arg(long, value_name = "LANE")]
        into: Option<String>,
    },
    /// Make lanes round slots that stand side by side
    Parallel {
        /// The first, by number or name
        from: String,
        /// The last [default: the first alone]
        to: Option<String>,
        /// How what comes in is shared
        #[arg(long, value_enum, default_value = "copy")]
        split: SplitKind,
        /// Where bands meet, Hz
        #[arg(long, value_name = "HZ", value_delimiter = ',')]
        at_hz: Vec<String>,
    },
    /// Change a lane
    Lane {
        /// Its number
        lane: String,
        #[command(subcommand)]
        what: LaneChange,
    },
    /// Change lanes as a whole
    Lanes {
        /// Their number
        lanes: String,
        #[command(subcommand)]
        what: LanesChange,
    },
    /// Set a parameter
    Set {
        /// Number or name
        slot: String,
        /// Parameter by key or name as `catena info` shows them, or one of the slot's own: @mix and the others above
        param: String,
        /// A number in the parameter's own unit, on or off, or the name of a step
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Set a slot's output gain so that its plugin's sound is as loud as the dry
    #[command(after_help = "\
AUDIO is run through the chain until 3 s of it made sound before and behind the plugin; their loudness
(ITU-R BS.1770) is made equal by the slot's output gain. Shorter files are repeated.

Example:
  catena edit voice.catena match ZamComp --audio take.wav")]
    Match {
        /// Number or name
        slot: String,
        /// Audio file to listen to: wav, flac or ogg
        #[arg(long, value_name = "FILE")]
        audio: PathBuf,
        /// Where to begin in it, seconds
        #[arg(long, value_name = "SECONDS", default_value = "0", allow_hyphen_values = true)]
        from: String,
    },
    /// Pass a slot by, or end that
    Bypass {
        /// Number or name
        slot: String,
        /// On or off
        #[arg(value_enum, default_value = "on")]
        state: Switch,
    },
    /// Choose which MIDI a slot's plugin hears; what is not named stays
    Midi {
        /// Number or name
        slot: String,
        #[command(flatten)]
        wish: MidiWish,
    },
    /// Choose what a slot's sidechain hears
    Sidechain {
        /// Number or name
        slot: String,
        /// container: the DAW's; input: what comes into the chain; none; or what leaves a slot, a lane or lanes before it, by
        /// number or name
        source: String,
    },
    /// Run a slot's plugin at a multiple of the rate, between resamplers whose latency is counted
    Oversample {
        /// Number or name
        slot: String,
        /// 2, 4 or 8 times; off for none
        #[arg(value_parser = times)]
        times: u32,
    },
    /// Choose the auxiliary outputs of Catena Instrument on which a slot's further outputs, or a lane, are heard
    Aux {
        /// A slot by number or name, or a lane by number
        what: String,
        /// 1 to 8, or none; a slot's further outputs take this one and those behind it
        #[arg(value_parser = aux::out)]
        to: Out,
        /// This one of the slot's further outputs alone, 1 is the first
        #[arg(long, value_name = "N", value_parser = place, allow_hyphen_values = true)]
        output: Option<usize>,
        /// The lane is heard there and not in the main output
        #[arg(long)]
        only: bool,
    },
    /// Load a preset of the plugin
    Preset {
        /// Number or name
        slot: String,
        /// Preset by name or URI, as `catena presets` lists them
        preset: String,
    },
    /// Mute the whole when its output is above +18 dBFS for 20 ms
    Guard {
        /// auto: when played by `catena`, not in a DAW
        #[arg(value_enum)]
        state: GuardState,
    },
    /// Map, name and set the macros: the 128 knobs that a DAW can automate
    Macro {
        #[command(subcommand)]
        change: MacroChange,
    },
    /// Say what the DAW is told of the latency, and when it is told of another
    Latency {
        /// true: what an impulse shows; live: 0; or milliseconds, padded to exactly that
        #[arg(value_parser = latency_mode)]
        mode: Option<LatencyMode>,
        /// Edits that would change it wait until the DAW's transport stops
        #[arg(long, value_enum)]
        hold: Option<Switch>,
    },
    /// Snapshots A to D: store, recall, copy, clear
    Snapshot {
        #[command(subcommand)]
        what: SnapshotChange,
    },
    /// Say on which frames LV2 plugins hear automation: every 64, or as many as this [CLAP plugins hear it where it is]
    Grid {
        /// 1 to 8192, counted from the stream's start; fewer follow faster and cost more
        #[arg(value_parser = clap::value_parser!(u32).range(i64::from(*GRID_RANGE.start())..=i64::from(*GRID_RANGE.end())))]
        frames: u32,
    },
    /// Let the chain use several cores: lanes, and plugins that ask for it, are run side by side where that is faster
    #[command(after_help = "\
The sound is the same to the last bit. In real time it takes an audio thread with real-time priority, and the right to
give as much to helper threads: `catena doctor` says whether they get it.

Examples:
  catena edit drums.catena cores on
  catena edit keys.catena helpers 1 on     a plugin that asks for helpers gets them unmeasured")]
    Cores {
        /// On or off
        #[arg(value_enum)]
        state: Switch,
    },
    /// Choose whether a slot's plugin gets helper threads where it asks for them, in a chain that may use several cores
    Helpers {
        /// Number or name
        slot: String,
        /// auto: where it was measured to be safe and faster with them
        #[arg(value_enum)]
        state: HelpersState,
    },
    /// Rename a slot
    Name {
        /// Number or name
        slot: String,
        /// The new name; none goes back to the plugin's
        name: Option<String>,
    },
}

/// What `catena edit FILE midi` may change.
#[derive(Clone, Debug, Default, Args)]
pub struct MidiWish {
    /// Where it comes from
    #[arg(long, value_enum)]
    pub source: Option<MidiFrom>,
    /// Channels that pass: 1-4,10, or all, or none
    #[arg(long, value_name = "LIST", value_parser = midi::channels)]
    pub channels: Option<Channels>,
    /// Keys that pass, as played: 36-72, or C2-C5 (C4 is 60)
    #[arg(long, value_name = "LOW-HIGH", value_parser = midi::keys)]
    pub keys: Option<Span>,
    /// Velocities that pass: 1-100
    #[arg(long, value_name = "LOW-HIGH", value_parser = midi::velocity)]
    pub velocity: Option<Span>,
    /// Semitones to move keys by
    #[arg(long, value_name = "N", value_parser = midi::transpose, allow_hyphen_values = true)]
    pub transpose: Option<i8>,
    /// Back to the default before all else
    #[arg(long)]
    pub reset: bool,
}

/// Where a slot's MIDI comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MidiFrom {
    /// The slots before it, which pass on what they do not change
    Previous,
    /// What the DAW gives the chain
    Container,
    /// Both
    Merge,
    /// Nowhere
    None,
}

/// Where the level guard is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GuardState {
    /// Everywhere; offline it is only reported
    On,
    /// Nowhere
    Off,
    /// In the standalone program
    Auto,
}

/// Whether a plugin gets helper threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HelpersState {
    /// Always
    On,
    /// Never
    Off,
    /// Where it was measured to be safe and faster with them
    Auto,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On
    On,
    /// Off
    Off,
}

fn times(text: &str) -> Result<u32, String> {
    let times = if text == "off" { Some(1) } else { text.trim_end_matches('x').parse().ok() };
    times.filter(|times| OVERSAMPLING.contains(times)).ok_or_else(|| "write 2, 4 or 8, or off".into())
}

fn latency_mode(text: &str) -> Result<LatencyMode, String> {
    match text {
        "true" => Ok(LatencyMode::True),
        "live" => Ok(LatencyMode::Live),
        text => match numbers::number(text.strip_suffix("ms").unwrap_or(text)) {
            Ok(ms) if (0.0..=MAX_CONSTANT).contains(&ms) => Ok(LatencyMode::Constant(ms)),
            Ok(_) => Err(format!("a constant latency is 0 to {MAX_CONSTANT} milliseconds")),
            Err(_) => Err("write true, live, or a number of milliseconds".into()),
        },
    }
}

pub(super) fn place(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(place @ 1..=100_000) => Ok(place),
        _ => Err("write a place in the chain, 1 for the first".into()),
    }
}

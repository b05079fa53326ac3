//! What can be typed.

mod lanes;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use lanes::{LaneChange, LanesChange, SplitKind};

use super::midi::{self, Channels, Span};
use super::numbers::{self, TailLength};
use super::song::{self, Signature};

const EXAMPLES: &str = "\
A PLUGIN is an id as `catena list` prints it (clap:ID or lv2:URI), or any part of a
name that only one plugin has. In both formats, a name means the CLAP.

Examples:
  catena list comp                                what is there with \"comp\" in its name
  catena new voice.catena ZamComp ZamEQ2          a chain of two plugins
  catena edit voice.catena set 1 Threshold -20    turn a knob of the first
  catena render take.wav out.wav --chain voice.catena --report
  catena voice.catena                             play it live, with an editor
  catena doctor                                   if something does not work

Exit codes: 0 done, 1 failed, 2 wrong use. Each command explains itself: catena render --help";

/// Catena runs a chain of CLAP and LV2 plugins: live, or over an audio file.
#[derive(Debug, Parser)]
#[command(name = "catena", version, after_help = EXAMPLES, max_term_width = 110)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct Catena {
    /// What to do; without one, the chain is played live.
    #[command(subcommand)]
    pub task: Option<Task>,
    #[command(flatten)]
    pub play: Play,
}

/// Playing live.
#[derive(Clone, Debug, Args)]
pub struct Play {
    /// Chain to play live, with an editor; none starts with an empty chain
    pub file: Option<PathBuf>,
    /// Audio system [default: JACK where a server runs, else ALSA]
    #[arg(long, value_enum)]
    pub backend: Option<Backend>,
    /// No window: play until Ctrl+C
    #[arg(long)]
    pub no_editor: bool,
    /// Name shown to JACK and in the window's title
    #[arg(long, default_value = "Catena")]
    pub name: String,
    /// JACK ports to connect to the sound card at the start
    #[arg(long, value_enum, default_value = "both")]
    pub connect: Connect,
    /// ALSA device [default: the system's own]
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
    /// Frames in a block, 1 to 8192 (ALSA and dummy; JACK says its own)
    #[arg(long, value_name = "N", value_parser = numbers::block, allow_hyphen_values = true)]
    pub block: Option<u32>,
    /// Sample rate, Hz, 8000 to 384000 (ALSA and dummy; JACK says its own)
    #[arg(long, value_name = "HZ", value_parser = numbers::rate, allow_hyphen_values = true)]
    pub rate: Option<u32>,
    /// Quarter notes a minute, 10 to 999 (where JACK does not say its own)
    #[arg(long, value_name = "BPM", default_value = "120", value_parser = song::tempo, allow_hyphen_values = true)]
    pub tempo: f64,
    /// Time signature (where JACK does not say its own)
    #[arg(long, value_name = "N/D", default_value = "4/4", value_parser = song::signature)]
    pub time_signature: Signature,
    /// Let the transport roll from the start
    #[arg(long)]
    pub play: bool,
}

/// Where live sound comes from and goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// A JACK server, or PipeWire in its place
    Jack,
    /// The sound card
    Alsa,
    /// No sound: only for trying things out
    Dummy,
}

/// Which JACK ports are connected at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Connect {
    /// Inputs and outputs
    Both,
    /// Inputs only
    In,
    /// Outputs only
    Out,
    /// Nothing
    None,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Look for new and changed plugins
    Scan(Scan),
    /// List plugins
    List(List),
    /// Show a plugin: ports, parameters, presets, latency
    Info(Info),
    /// Make a chain file
    New(New),
    /// Change a chain file
    Edit(Edit),
    /// Show what a chain file holds
    Show(Show),
    /// Run an audio file through a chain
    Render(Render),
    /// Find out what is wrong on this machine, and what cures it
    Doctor(Doctor),
    /// Write the files that describe the LV2 plugins, for the bundle
    #[command(hide = true)]
    Lv2Turtle(Lv2Turtle),
}

/// `catena lv2-turtle`.
#[derive(Debug, Args)]
pub struct Lv2Turtle {
    /// The bundle's folder
    pub folder: PathBuf,
}

/// `catena scan`.
#[derive(Debug, Args)]
#[command(after_help = "\
Looks in the folders of CLAP_PATH and LV2_PATH, else in the standard ones. Each new file is
opened in a process of its own, so a broken plugin harms nothing; it is listed with its
reason and skipped until it changes.

Examples:
  catena scan
  catena scan --force      look at everything again, broken files too")]
pub struct Scan {
    /// Look at every file again, also at known broken ones
    #[arg(long)]
    pub force: bool,
    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
}

/// `catena list`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  catena list
  catena list reverb       in name, maker, id or category
  catena list --json | jq -r '.plugins[].id'")]
pub struct List {
    /// Only plugins with this in their name, maker, id or category
    pub text: Option<String>,
    /// Also what cannot be used, with the reason
    #[arg(long)]
    pub bad: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `catena info`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  catena info ZamComp
  catena info lv2:http://gareus.org/oss/lv2/fil4#stereo
  catena info clap:com.zamaudio.ZamComp --json")]
pub struct Info {
    /// Id, or a part of the name
    pub plugin: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `catena new`.
#[derive(Debug, Args)]
#[command(after_help = "\
The file is packed (NAME.catena), or a folder where its name ends in .catena.d.

Examples:
  catena new empty.catena
  catena new voice.catena ZamComp ZamEQ2
  catena new master.catena.d ZaMultiCompX2 lv2:http://gareus.org/oss/lv2/dpl#stereo")]
pub struct New {
    /// The file to make; an existing one is kept unless --force
    pub file: PathBuf,
    /// Plugins, first to last
    pub plugins: Vec<String>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

/// `catena edit`.
#[derive(Debug, Args)]
#[command(after_help = "\
A SLOT is its number in `catena show` (1 is the first, 2.1.3 the third in the first lane of 2), or a part
of its name that only one slot has. LANES are named by their number (2), a LANE by its own (2.1).

Examples:
  catena edit voice.catena add ZamEQ2
  catena edit voice.catena add ZamGate --at 1
  catena edit voice.catena move ZamGate 2
  catena edit voice.catena set ZamComp Threshold -20
  catena edit voice.catena set 1 @mix 0.5           also @input-gain and @output-gain, dB
  catena edit voice.catena bypass 1
  catena edit voice.catena bypass 1 off
  catena edit keys.catena midi 1 --keys 0-59          the low keys play slot 1,
  catena edit keys.catena midi 2 --keys 60-127        the high ones slot 2
  catena edit keys.catena midi 3 --source container   not what slots 1 and 2 make of it
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
        /// Parameter by key or name as `catena info` shows them; @mix, @input-gain, @output-gain or @merge-midi
        param: String,
        /// A number in the parameter's own unit, on or off, or the name of a step
        #[arg(allow_hyphen_values = true)]
        value: String,
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
    /// Load a preset that the plugin brings
    Preset {
        /// Number or name
        slot: String,
        /// Preset by name or URI, as `catena info` shows them
        preset: String,
    },
    /// Map, name and set the macros: the 128 knobs that a DAW can automate
    Macro {
        #[command(subcommand)]
        change: MacroChange,
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

/// One change of a macro.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
A macro is one knob, 0 to 1, with any number of targets. Mapping changes no sound: the first target
brings the macro to where it stands itself; others keep their value until the macro moves.
At x a target gets MIN + (MAX - MIN) * x ^ (8 ^ CURVE); inverted, 1 - x takes the place of x.

Examples:
  catena edit voice.catena macro map 1 ZamComp Threshold
  catena edit voice.catena macro map 1 2 @mix --min 0.2 --max 0.8 --inverted
  catena edit voice.catena macro name 1 Squeeze
  catena edit voice.catena macro set 1 0.75
  catena edit voice.catena macro unmap 1 2 @mix
  catena edit voice.catena macro unmap 1            all that it moves")]
pub enum MacroChange {
    /// Let a macro move something; again with another range where it does already
    Map {
        /// 1 to 128
        #[arg(value_parser = place, allow_hyphen_values = true)]
        number: usize,
        /// The slot, by number or name
        slot: String,
        /// Parameter by key or name; @bypass, @mix, @input-gain or @output-gain
        what: String,
        /// Value where the macro is at 0 [default: the smallest; -24 dB for a gain]
        #[arg(long, allow_hyphen_values = true)]
        min: Option<String>,
        /// Value where the macro is at 1 [default: the largest; 24 dB for a gain]
        #[arg(long, allow_hyphen_values = true)]
        max: Option<String>,
        /// -1 (rises early) to 1 (rises late) [default: 0, a straight line]
        #[arg(long, allow_hyphen_values = true)]
        curve: Option<String>,
        /// The other way round
        #[arg(long)]
        inverted: bool,
    },
    /// Let go of one target, or of all
    Unmap {
        /// 1 to 128
        #[arg(value_parser = place, allow_hyphen_values = true)]
        number: usize,
        /// The slot, by number or name
        slot: Option<String>,
        /// What of it, as in map
        what: Option<String>,
    },
    /// Rename a macro
    Name {
        /// 1 to 128
        #[arg(value_parser = place, allow_hyphen_values = true)]
        number: usize,
        /// The new name; none goes back to its first target's
        name: Option<String>,
    },
    /// Move a macro, and its targets with it
    Set {
        /// 1 to 128
        #[arg(value_parser = place, allow_hyphen_values = true)]
        number: usize,
        /// 0 to 1
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On
    On,
    /// Off
    Off,
}

pub(super) fn place(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(place @ 1..=100_000) => Ok(place),
        _ => Err("write a place in the chain, 1 for the first".into()),
    }
}

/// `catena show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  catena show voice.catena
  catena show voice.catena --json | jq '.nodes[0].params'")]
pub struct Show {
    /// The chain file
    pub file: PathBuf,
    /// Print the chain's tree as JSON
    #[arg(long)]
    pub json: bool,
}

/// `catena render`.
#[derive(Debug, Args)]
#[command(after_help = "\
IN is wav, flac or ogg; OUT is wav, in IN's own format unless --bits says otherwise. The same
input gives the same bytes. OUT appears when it is complete: a render that fails or is
stopped leaves nothing behind.

Examples:
  catena render take.wav out.wav --chain voice.catena
  catena render take.flac out.wav --chain voice.catena --compensate --tail 0
                                             as long as IN, and in time with it
  catena render take.wav out.wav --chain voice.catena --rate 96000 --bits 32f --report")]
pub struct Render {
    /// Audio file to read
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Wav file to write
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The chain
    #[arg(long, value_name = "FILE")]
    pub chain: PathBuf,
    /// Frames in a block, 1 to 8192
    #[arg(long, value_name = "N", default_value = "1024", value_parser = numbers::block, allow_hyphen_values = true)]
    pub block: u32,
    /// Sample rate of chain and output, Hz, 8000 to 384000 [default: IN's]
    #[arg(long, value_name = "R", value_parser = numbers::rate, allow_hyphen_values = true)]
    pub rate: Option<u32>,
    /// Quarter notes a minute that plugins are told, 10 to 999
    #[arg(long, value_name = "BPM", default_value = "120", value_parser = song::tempo, allow_hyphen_values = true)]
    pub tempo: f64,
    /// Time signature that plugins are told
    #[arg(long, value_name = "N/D", default_value = "4/4", value_parser = song::signature)]
    pub time_signature: Signature,
    /// How long to go on after IN's end: seconds, or auto: until it is silent, at most 60 s
    #[arg(long, value_name = "auto|SECONDS", default_value = "auto", value_parser = numbers::tail, allow_hyphen_values = true)]
    pub tail: TailLength,
    /// Take the chain's latency out, so that OUT is in time with IN
    #[arg(long)]
    pub compensate: bool,
    /// Print each slot with its plugin, latency, time per block and peak
    #[arg(long)]
    pub report: bool,
    /// Sample format of OUT: 16 or 24 bits, or 32-bit float [default: IN's]
    #[arg(long, value_enum)]
    pub bits: Option<Bits>,
    /// Render although a plugin is missing or fails; its slot passes the sound on unchanged
    #[arg(long)]
    pub keep_going: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

/// Sample format of a wav file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Bits {
    /// 16-bit whole numbers
    #[value(name = "16")]
    Int16,
    /// 24-bit whole numbers
    #[value(name = "24")]
    Int24,
    /// 32-bit floating point
    #[value(name = "32f")]
    Float32,
}

/// `catena doctor`.
#[derive(Debug, Args)]
#[command(after_help = "\
Says what is wrong, each with the one command that cures it. Ends with 1 if something keeps Catena from working.

Examples:
  catena doctor
  catena doctor --report > report.txt      everything, to go with a bug report")]
pub struct Doctor {
    /// Everything, with broken files and the last lines of the log, ready for a bug report
    #[arg(long)]
    pub report: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

//! What can be typed.

mod clipboard;
mod edit;
mod export;
mod import;
mod lanes;
mod library;
mod macros;
mod presets;
mod snapshot;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use clipboard::{Copy, Paste};
pub use edit::{Change, Edit, GuardState, HelpersState, MidiFrom, MidiWish, Switch};
pub use export::{AssetsGo, Export, ExportTo};
pub use import::Import;
pub use lanes::{LaneChange, LanesChange, SplitKind};
pub use library::{Library, LibraryTask};
pub use macros::MacroChange;
pub use presets::{PresetTo, Presets, PresetsTask};
pub use snapshot::SnapshotChange;

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
    /// Measure what kind of plugin it is: safe, the same twice, true about its latency, what it costs
    Qualify(Qualify),
    /// Make a chain file
    New(New),
    /// Change a chain file
    Edit(Edit),
    /// Show what a chain file holds
    Show(Show),
    /// Say which plugins chains and sessions need, which are missing here, and what brings them
    Needs(Needs),
    /// Run an audio file through a chain
    Render(Render),
    /// Make a preset for other hosts of a chain, a plugin of its own, or its other form
    Export(Export),
    /// Make a chain of a Carla project, a MOD pedalboard or LV2 presets
    Import(Import),
    /// Chains of the library: list and search them, tag them, have some at hand
    Library(Library),
    /// A plugin's presets: list and search them, save one, or have the plugin begin as you want
    Presets(Presets),
    /// Print slots or a chain as text that any Catena pastes
    Copy(Copy),
    /// Put slots from such a text into a chain file
    Paste(Paste),
    /// Chains that were not saved when a program ended: list them, take one out
    Recover(Recover),
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
  catena info ZaMaximX2 --measure                  what it says that it delays, and what it does
  catena info clap:com.zamaudio.ZamComp --json")]
pub struct Info {
    /// Id, or a part of the name
    pub plugin: String,
    /// Measure what it delays at 44.1, 48, 96 and 192 kHz, beside what it says: by an impulse, else by noise
    #[arg(long)]
    pub measure: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `catena qualify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Runs the plugin in a process of its own: does it wait where it must not, is it the same twice, what does it
delay, does its state come back, what does a block cost, and what does it gain by helper threads where it asks for
them. What came of it is kept until the plugin's file is another, and `catena info` shows it. A plugin that asks for
helper threads gets them in a chain that may use several cores once this found it safe and faster with them.

Examples:
  catena qualify ZamComp
  catena qualify Surge --json")]
pub struct Qualify {
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

/// `catena show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  catena show voice.catena
  catena show voice.catena --check       other parameters, a refused state, another latency than when it was saved
  catena show voice.catena --json | jq '.nodes[0].params'")]
pub struct Show {
    /// The chain file
    pub file: PathBuf,
    /// Open the plugins, and say which are not the ones that were saved
    #[arg(long)]
    pub check: bool,
    /// Print the chain's tree as JSON
    #[arg(long)]
    pub json: bool,
}

/// `catena needs`.
#[derive(Debug, Args)]
#[command(after_help = "\
Reads chain files, the sessions of Ardour (.ardour) and qtractor (.qtr, .qtz) with Catena or an exported chain in them, and
folders of all of these. For each plugin: the version wanted and the one here, the other format where that is here, and the
package that brings it: the one it was noted with when the chain was saved, else the one that brought it here.

Ends with 0 when everything is here, with 1 when something is missing or could not be read.

Examples:
  catena needs voice.catena
  catena needs ~/music/song                 every chain and session below it
  catena needs song/song.ardour --json | jq -r '.plugins[] | select(.here == null) | .install'")]
pub struct Needs {
    /// Chains, sessions, or folders
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Print JSON
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
    /// Print what comes in, each slot and lane, and what goes out: peak, samples over 0 dBFS, RMS, loudness (integrated, and
    /// the highest of any 3 s), time per block (average, longest, share of the block's own), latency
    #[arg(long)]
    pub report: bool,
    /// Use several cores, whatever the chain says: lanes are run side by side where that is faster
    #[arg(long)]
    pub cores: bool,
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

impl Render {
    /// Whether the levels of all points are wanted.
    pub fn tells(&self) -> bool {
        self.report || self.json
    }
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

/// `catena recover`.
#[derive(Debug, Args)]
#[command(after_help = "\
A chain is kept some seconds after each change, in the standalone program and in DAWs, until the
program ends well. What a DAW's session holds is the DAW's: nothing comes into it by itself.

Examples:
  catena recover                         what there is, the newest first
  catena recover take 1 voice.catena     out of it, into a file of its own
  catena recover discard                 all of it")]
pub struct Recover {
    /// What to do; without it, they are listed
    #[command(subcommand)]
    pub task: Option<RecoverTask>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with chains that were not saved.
#[derive(Debug, Subcommand)]
pub enum RecoverTask {
    /// Move one into a chain file
    Take {
        /// Its number in the list
        number: usize,
        /// The file to make; an existing one is kept unless --force
        file: PathBuf,
        /// Replace an existing file
        #[arg(long)]
        force: bool,
    },
    /// Forget one, or all of them
    Discard {
        /// Its number in the list; without one, all
        number: Option<usize>,
    },
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

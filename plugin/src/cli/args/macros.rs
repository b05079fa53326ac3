//! The arguments of `catena edit FILE macro`.

use clap::Subcommand;

use super::edit::place;

/// One change of a macro.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
A macro is one knob, 0 to 1, with any number of targets. Mapping changes no sound: the first target
brings the macro to where it stands itself; others keep their value until the macro moves.
At x a target gets MIN + (MAX - MIN) * x ^ (8 ^ CURVE); inverted, 1 - x takes the place of x.

Examples:
  catena edit voice.catena macro map 1 ZamComp Threshold
  catena edit voice.catena macro map 1 2 @mix --min 0.2 --max 0.8 --inverted
  catena edit voice.catena macro map 2 3.1 @gain    a lane's gain; also @mute
  catena edit voice.catena macro name 1 Squeeze
  catena edit voice.catena macro set 1 0.75
  catena edit voice.catena macro unmap 1 2 @mix
  catena edit voice.catena macro unmap 1            all that it moves
  catena edit voice.catena macro page ZamComp 1     the plugin's own page of controls, to eight macros
  catena edit voice.catena macro cc 1 1 74          controller 74 of channel 1 turns it, on this machine
  catena edit voice.catena macro cc 1 1 74 --in-chain    wherever this chain is
  catena edit voice.catena macro forget-cc 1

A controller takes hold of a macro once it has come to where that stands. It is passed on to the
plugins all the same. The machine's are in controllers.json among the settings; `catena render` knows
only the chain's.")]
pub enum MacroChange {
    /// Let a macro move something; again with another range where it does already
    Map {
        /// 1 to 128
        #[arg(value_parser = place, allow_hyphen_values = true)]
        number: usize,
        /// The slot, by number or name; or a lane, by number
        slot: String,
        /// Parameter by key or name; @bypass, @mix, @input-gain, @output-gain, @pan or @mute; of a lane @gain or @mute
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
    /// Map a page of controls that a plugin offers, as `catena info` lists them, to eight macros in a row
    Page {
        /// The slot, by number or name
        slot: String,
        /// The page, by number or name
        page: String,
        /// The macro of its first control [default: 1, 9, 17 and so on, the first eight that hold nothing]
        #[arg(value_parser = place, allow_hyphen_values = true)]
        first: Option<usize>,
    },
    /// Let go of one target, or of all
    Unmap {
        /// 1 to 128
        #[arg(value_parser = place, allow_hyphen_values = true)]
        number: usize,
        /// The slot or lane, as in map
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
    /// Have a controller of MIDI hardware turn a macro, whatever chain is loaded
    Cc {
        /// 1 to 128
        #[arg(value_parser = place, allow_hyphen_values = true)]
        number: usize,
        /// MIDI channel, 1 to 16
        #[arg(allow_hyphen_values = true)]
        channel: i64,
        /// Controller, 0 to 119
        #[arg(allow_hyphen_values = true)]
        controller: i64,
        /// It has 14 bits: the finer half is CONTROLLER + 32 (0 to 31 only)
        #[arg(long)]
        wide: bool,
        /// Keep it in the chain, not on this machine; it comes before the machine's
        #[arg(long)]
        in_chain: bool,
    },
    /// Have no controller turn a macro any more
    ForgetCc {
        /// 1 to 128
        #[arg(value_parser = place, allow_hyphen_values = true)]
        number: usize,
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

//! The arguments of `catena edit` that change lanes.

use clap::{Subcommand, ValueEnum};

use super::edit::{Switch, place};

/// How what comes into lanes is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SplitKind {
    /// Each lane gets all of it
    Copy,
    /// Middle and sides
    MidSide,
    /// Left and right channel
    LeftRight,
    /// Two to five bands
    Bands,
}

/// One change of a lane.
#[derive(Debug, Subcommand)]
pub enum LaneChange {
    /// Gain, dB
    Gain {
        /// -144 to 48
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Balance
    Pan {
        /// -1 (left) to 1 (right)
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Not heard
    Mute {
        /// On or off
        #[arg(value_enum, default_value = "on")]
        state: Switch,
    },
    /// Heard alone, with the others that are
    Solo {
        /// On or off
        #[arg(value_enum, default_value = "on")]
        state: Switch,
    },
    /// Pass what comes in while the lane is empty
    Dry {
        /// On or off
        #[arg(value_enum, default_value = "on")]
        state: Switch,
    },
    /// Delay beyond what aligns it
    Delay {
        /// Frames, or milliseconds with ms behind them: 480, 10ms
        value: String,
    },
    /// Rename it
    Name {
        /// The new name; none goes back to that of its split
        name: Option<String>,
    },
    /// Colour it
    Colour {
        /// Red, green and blue as six hexadecimal digits: ff8000; none takes the colour away
        value: Option<String>,
    },
    /// Move it among the lanes
    Place {
        /// Its new place, 1 is the first
        #[arg(value_parser = place, allow_hyphen_values = true)]
        place: usize,
    },
}

/// One change of lanes as a whole.
#[derive(Debug, Subcommand)]
pub enum LanesChange {
    /// Add an empty lane: silent until it holds something or is set to dry
    Add {
        /// Its place among the lanes, 1 is the first [default: the end]
        #[arg(long, value_name = "PLACE", value_parser = place, allow_hyphen_values = true)]
        at: Option<usize>,
    },
    /// Share what comes in another way
    Split {
        /// How
        #[arg(value_enum)]
        split: SplitKind,
        /// Where bands meet, Hz
        #[arg(long, value_name = "HZ", value_delimiter = ',')]
        at_hz: Vec<String>,
    },
    /// Set each lane that is not empty to 1/n of the level
    Level,
    /// Rename them
    Name {
        /// The new name; none takes it away
        name: Option<String>,
    },
    /// Take the lanes apart: what they hold stands in series
    Dissolve,
}

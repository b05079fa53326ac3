//! The arguments of `catena edit FILE snapshot`.

use std::str::FromStr;

use clap::Subcommand;
use host_core::model::Letter;

/// Which snapshot, as it is typed.
#[derive(Clone, Copy, Debug)]
pub struct Which(pub Letter);

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Letter::ALL.into_iter().find(|letter| letter.to_string().eq_ignore_ascii_case(text));
        found.map(Self).ok_or_else(|| "a snapshot is A, B, C or D".into())
    }
}

/// What is done to a snapshot.
#[derive(Clone, Debug, Subcommand)]
pub enum SnapshotChange {
    /// Keep the chain as it is as A, B, C or D
    Store {
        /// A, B, C or D
        letter: Which,
    },
    /// Make the chain what the snapshot holds
    Recall {
        /// A, B, C or D
        letter: Which,
    },
    /// Make another snapshot the same
    Copy {
        /// A, B, C or D
        letter: Which,
        /// The other one
        to: Which,
    },
    /// Empty it
    Clear {
        /// A, B, C or D
        letter: Which,
    },
}

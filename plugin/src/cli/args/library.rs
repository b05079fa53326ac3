//! The arguments of `catena library`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Switch;

/// `catena library`.
#[derive(Clone, Debug, Args)]
#[command(disable_help_subcommand = true)]
#[command(after_help = "\
The library is every chain file in ~/.local/share/catena/chains, and those that come with Catena. A CHAIN is a file, or
a part of the name that only one chain of the library has. Tags, authors, licence and notes are in the chain file;
favourites are yours alone.

Examples:
  catena library
  catena library search drums bus                     in names, tags, authors, licences, notes, plugins and makers
  catena library --favourites --json
  catena library tag voice.catena +vocal +female -demo
  catena library author voice.catena +Ann
  catena library licence voice.catena \"CC BY 4.0\"
  catena library note voice.catena \"Close microphone, no room\"
  catena library favourite \"Drum Bus\"                 and: favourite \"Drum Bus\" off")]
pub struct Library {
    #[command(subcommand)]
    pub task: Option<LibraryTask>,
    /// Only favourites
    #[arg(long, global = true)]
    pub favourites: bool,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with the library.
#[derive(Clone, Debug, Subcommand)]
pub enum LibraryTask {
    /// List all chains
    List,
    /// List the chains that have all these words
    Search {
        /// Words, or parts of them
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Add tags to a chain, take tags from it
    Tag {
        /// The chain
        chain: PathBuf,
        /// +TAG or -TAG
        #[arg(required = true, allow_hyphen_values = true)]
        changes: Vec<String>,
    },
    /// Say who made a chain
    Author {
        /// The chain
        chain: PathBuf,
        /// +NAME or -NAME
        #[arg(required = true, allow_hyphen_values = true)]
        changes: Vec<String>,
    },
    /// Say on what terms others may use a chain
    Licence {
        /// The chain
        chain: PathBuf,
        /// None takes it out
        text: Option<String>,
    },
    /// Say anything else of a chain
    Note {
        /// The chain
        chain: PathBuf,
        /// None takes it out
        text: Option<String>,
    },
    /// Rename a chain; the file keeps its name
    Name {
        /// The chain
        chain: PathBuf,
        /// The new name
        name: String,
    },
    /// Have a chain at hand, or end that
    Favourite {
        /// The chain
        chain: PathBuf,
        /// On or off
        #[arg(value_enum, default_value = "on")]
        state: Switch,
    },
}

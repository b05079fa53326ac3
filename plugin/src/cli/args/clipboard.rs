//! `catena copy` and `catena paste`.

use std::path::PathBuf;

use clap::Args;

/// `catena copy`.
#[derive(Debug, Args)]
#[command(after_help = "\
The text holds everything of the slots, their states and files too. It can be pasted with Ctrl+V into
the rack of any Catena, on this machine or another, or with `catena paste`; mails and chats may break its lines.

Examples:
  catena copy voice.catena > voice.txt           the whole chain
  catena copy voice.catena 2 ZamComp | xclip -selection clipboard
  catena copy voice.catena 1 | catena paste bus.catena --at 1")]
pub struct Copy {
    /// The chain file
    pub chain: PathBuf,
    /// Slots or lanes, as `catena show` numbers or names them [default: all]
    pub slots: Vec<String>,
}

/// `catena paste`.
#[derive(Debug, Args)]
#[command(after_help = "\
Reads the text from standard input. What is there already stays as it is. Where there is no such file, it is made of the
text: of a whole chain's with its name and its macros.

Examples:
  catena paste bus.catena < slots.txt            at its end
  catena paste bus.catena --at 1 < slots.txt     before everything
  xclip -o -selection clipboard | catena paste bus.catena --into 2.1")]
pub struct Paste {
    /// The chain file
    pub chain: PathBuf,
    /// Place of the first of them [default: the end]
    #[arg(long, value_name = "N")]
    pub at: Option<usize>,
    /// A lane to put them into, like 2.1
    #[arg(long, value_name = "LANE")]
    pub into: Option<String>,
}

//! The standalone program: a chain played live on JACK or ALSA, with an editor.
//!
//! 1. The chain file is read and the [session](host_core::session) is made;
//! 2. the [keeper](keeper::Keeper) finds a driver, activates the session at its rate and lets it run the
//!    [rig](rig::Rig); where a driver goes away it finds another;
//! 3. the window is shown, or the program waits until it is told to end;
//! 4. what was not saved is kept beside the logs, and everything is taken down.
//!
//! | thread | whose | does |
//! |---|---|---|
//! | main | ours | the window, or waiting for a signal |
//! | keeper | ours | opens, watches and replaces the driver |
//! | audio | JACK's, ALSA's or the dummy's | [`rig::Rig::run`] and nothing else |

mod alsa;
mod document;
mod driver;
mod dummy;
mod jack;
mod keeper;
mod rig;
pub mod signals;
mod song;
mod window;

use host_core::session::Purpose;

use crate::cli::{self, Failure, log};
use document::Document;
use keeper::Keeper;
use rig::Rig;
use song::Song;
use window::Bar;

pub use self::alsa::device as alsa_device;
pub use self::jack::{JackState, state as jack_state};

/// Channels of the chain.
const CHANNELS: usize = 2;

/// Plays.
pub fn run(play: &cli::Play) -> Result<(), Failure> {
    if let Some(file) = &play.file {
        document::check_is_no_command(file)?;
    }
    let chain = play.file.as_deref().map(cli::read_chain).transpose()?;
    if !play.no_editor {
        window::check_display()?;
    }
    // Every thread made from here on leaves these signals to the one that waits for them.
    let stop = signals::Stop::prepare();
    let catalog = cli::catalog()?;
    let (session, processor) = cli::open_session(Purpose::Standalone, CHANNELS as u16, CHANNELS as u16, catalog)?;
    let document = Document::new(session.clone(), play.file.clone());
    if let Some(chain) = chain {
        for problem in document.load(chain)? {
            cli::note(format_args!("note: {problem}"));
        }
    }
    let song = Song::new(cli::Pace { tempo: play.tempo, signature: play.time_signature }, play.play);
    let keeper = Keeper::start(play, session.clone(), Rig::shared(processor, song.clone()), song.clone())?;
    cli::note(keeper.sound().line());
    let ended = if play.no_editor {
        stop.wait();
        Ok(())
    } else {
        window::show(play, &session, Bar::new(document.clone(), keeper.sound(), song), stop)
    };
    keeper.stop();
    session.deactivate();
    if let Some(kept) = document.keep_unsaved() {
        let text = format!("what was not saved is kept in {}", kept.display());
        log::line(log::Level::Info, &text);
        cli::note(text);
    }
    ended
}

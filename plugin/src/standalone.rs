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

use std::sync::Arc;

use host_core::session::{Command, Purpose, SessionHandle};

use crate::cli::{self, Failure, log};
use document::Document;
use keeper::Keeper;
use rig::Rig;
use song::Song;
use window::{Bar, Closing, Ending};

pub use self::alsa::device as alsa_device;
pub use self::document::kept_unsaved;
pub use self::jack::{JackState, state as jack_state};

/// Channels of the chain.
const CHANNELS: usize = 2;

/// Plays.
pub fn run(play: &cli::Play) -> Result<(), Failure> {
    if let Some(file) = &play.file {
        document::check_is_no_command(file)?;
    }
    let chain = play.file.as_deref().map(cli::open_chain).transpose()?;
    if !play.no_editor {
        window::check_display()?;
    }
    // Every thread made from here on leaves these signals to the one that waits for them.
    let stop = signals::Stop::prepare();
    let catalog = cli::catalog()?;
    let (session, processor) = cli::open_session(Purpose::Standalone, CHANNELS as u16, CHANNELS as u16, catalog)?;
    session.set_exporter(catena::export::from_editor);
    let document = Document::new(session.clone(), play.file.clone());
    let mut said = Vec::new();
    if let Some((chain, lost)) = chain {
        let waiting = cli::Progress::waiting("Opening the chain");
        let wrong = document.load(chain)?;
        drop(waiting);
        said.extend(lost.into_iter().chain(wrong));
        said.iter().for_each(|problem| cli::note(format_args!("note: {problem}")));
    }
    let song = Song::new(cli::Pace { tempo: play.tempo, signature: play.time_signature }, play.play);
    let dead = host_core::session::left_behind(&host_core::model::Folders::from_env()).len();
    if dead > 0 {
        cli::note("A chain that was not saved when its program ended is kept: catena recover");
    }
    let kept = document::last_kept().map(|kept| format!("A chain that was not saved is kept in {}", kept.display()));
    kept.iter().for_each(cli::note);
    said.extend(kept);
    let keeper = Keeper::start(play, session.clone(), Rig::shared(processor, song.clone()), song.clone())?;
    cli::note(keeper.sound().line());
    let ended = if play.no_editor {
        stop.wait(|| session.send(Command::Reopen));
        Ok(Farewell::Asked)
    } else {
        with_window(play, &session, &document, &keeper, (&song, said), stop)
    };
    keeper.stop();
    session.deactivate();
    let let_go = matches!(ended, Ok(Farewell::LetGo));
    let kept = if let_go { Ok(None) } else { document.keep_unsaved() };
    if let Ok(Some(kept)) = &kept {
        let text = format!("what was not saved is kept in {}", kept.display());
        log::line(log::Level::Info, &text);
        cli::note(text);
    }
    if let (Err(_), Err(lost)) = (&ended, &kept) {
        // The answer names one failure: this one would go without a word.
        let text = lost.to_string();
        log::line(log::Level::Error, &text);
        cli::complain(&text);
    }
    ended.and(kept.map(drop))
}

/// How playing ended.
enum Farewell {
    /// By the user or the system; what is not saved is kept.
    Asked,
    /// The user saved the chain, or said that it may go.
    LetGo,
}

/// Shows the window until it is closed for good: over a chain that is not saved it comes back once, to ask.
fn with_window(
    play: &cli::Play,
    session: &SessionHandle,
    document: &Document,
    keeper: &Keeper,
    (song, mut said): (&Arc<Song>, Vec<String>),
    stop: signals::Stop,
) -> Result<Farewell, Failure> {
    let (closing, ending) = (Closing::default(), Ending::at(stop, session.clone())?);
    loop {
        let mut bar = Bar::new(document.clone(), keeper.sound(), song.clone(), closing.clone());
        bar.say(&std::mem::take(&mut said));
        window::show(play, session, bar, closing.clone(), ending.clone())?;
        if closing.agreed() {
            return Ok(Farewell::LetGo);
        }
        // Closed over the question, too, is an answer.
        if closing.asks() || ending.is_asked() || !document.is_unsaved() {
            return Ok(Farewell::Asked);
        }
        closing.ask();
    }
}

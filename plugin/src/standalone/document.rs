//! The chain file that is open: which one it is, and whether it is saved.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use host_core::model::{Chain, Folders};
use host_core::scan;
use host_core::session::SessionHandle;

use crate::cli::{self, Failure};

/// Words that are commands of the program.
const COMMANDS: [&str; 14] = [
    "scan", "list", "info", "new", "edit", "show", "needs", "render", "export", "import", "library", "presets",
    "recover", "doctor",
];

/// A file that is not there may be a command with a slip in it.
pub fn check_is_no_command(file: &Path) -> Result<(), Failure> {
    if file.exists() {
        return Ok(());
    }
    let shown = file.display().to_string();
    let near = cli::near(COMMANDS.into_iter(), &shown);
    match near.first() {
        Some(command) if !shown.contains(['.', '/']) => {
            Err(Failure::usage(format!("\"{shown}\" is neither a command nor a file; did you mean: catena {command}")))
        }
        _ => Err(Failure::failed(format!("{shown}: no such file; make one with: catena new {shown} PLUGIN..."))),
    }
}

/// The open file. All clones are one.
#[derive(Clone)]
pub struct Document {
    session: SessionHandle,
    /// Held while the chain is loaded, saved or looked at: these take one another's time, never each other's place.
    turn: Arc<Mutex<()>>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    path: Option<PathBuf>,
    /// The chain as last saved or loaded.
    saved: Option<Chain>,
}

impl Document {
    /// A document of `session`, to be saved at `path`.
    pub fn new(session: SessionHandle, path: Option<PathBuf>) -> Self {
        Self { session, turn: Arc::default(), state: Arc::new(Mutex::new(State { path, saved: None })) }
    }

    /// Where it is saved.
    pub fn path(&self) -> Option<PathBuf> {
        self.lock().path.clone()
    }

    /// Puts `chain` into the session; what could not be opened is in the answer.
    pub fn load(&self, chain: Chain) -> Result<Vec<String>, Failure> {
        let path = self.path();
        self.load_as(chain, path)
    }

    /// An empty chain without a file.
    pub fn clear(&self) -> Result<Vec<String>, Failure> {
        self.load_as(Chain::default(), None)
    }

    /// Opens `path`.
    pub fn open(&self, path: &Path) -> Result<Vec<String>, Failure> {
        let (chain, mut lost) = cli::open_chain(path)?;
        lost.extend(self.load_as(chain, Some(path.into()))?);
        Ok(lost)
    }

    fn load_as(&self, chain: Chain, path: Option<PathBuf>) -> Result<Vec<String>, Failure> {
        let _turn = self.take_turn();
        let reports = self.session.load_chain(chain)?;
        let saved = self.session.chain().ok();
        *self.lock() = State { path, saved };
        Ok(cli::problems(&reports))
    }

    /// Saves at `path`, which is its place from now on. The answer: what is to be said of a damaged chain that was there.
    pub fn save(&self, path: &Path) -> Result<Option<String>, Failure> {
        let _turn = self.take_turn();
        let then = Instant::now();
        let chain = self.session.chain_to_save()?;
        let mut written = chain.clone();
        scan::note_origins(&mut written, &self.session.catalog(), &Folders::from_env());
        let aside = cli::write_chain(path, &written)?;
        self.session.note_saved(then);
        *self.lock() = State { path: Some(path.into()), saved: Some(chain) };
        Ok(aside)
    }

    /// Whether something changed since it was saved. Asks every plugin: not for each frame of a window.
    pub fn is_unsaved(&self) -> bool {
        let _turn = self.take_turn();
        let Ok(chain) = self.session.chain_to_save() else { return true };
        match &self.lock().saved {
            Some(saved) => !same(&chain, saved),
            None => !chain.nodes.is_empty(),
        }
    }

    /// Keeps what was not saved in the state folder, beside what was kept before. None: all is saved. Where a plugin does not
    /// answer, all but its own bytes since they were last kept.
    pub fn keep_unsaved(&self) -> Result<Option<PathBuf>, Failure> {
        if !self.is_unsaved() {
            return Ok(None);
        }
        let chain = match self.session.chain_to_save() {
            Ok(chain) => chain,
            Err(_stuck) => host_core::store::unpack(&self.session.save()?)
                .map_err(|error| Failure::failed(format!("what was not saved is lost: {error}")))?,
        };
        let folder = Folders::from_env().state;
        let lost = |error| Failure::failed(format!("what was not saved is lost: {}: {error}", folder.display()));
        std::fs::create_dir_all(&folder).map_err(lost)?;
        let free = (1..).map(|number| folder.join(kept_name(number))).find(|path| !path.exists());
        if let Some(path) = &free {
            cli::write_chain(path, &chain)?;
        }
        Ok(free)
    }

    fn take_turn(&self) -> std::sync::MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether two states of a chain are one to the user. What a plugin's latency was when it was last seen is no change of his.
fn same(one: &Chain, other: &Chain) -> bool {
    let plain = |chain: &Chain| {
        let mut plain = chain.clone();
        for slot in chain.slots() {
            plain.slot_mut(slot.id).into_iter().for_each(|slot| {
                slot.identity.latency = 0;
                slot.window = Default::default();
            });
        }
        plain
    };
    plain(one) == plain(other)
}

/// What chains that were not saved are called in the state folder, from 1.
fn kept_name(number: usize) -> String {
    if number == 1 { "unsaved.catena".into() } else { format!("unsaved-{number}.catena") }
}

/// The chain that was kept last because it was not saved, whichever of those before it are gone.
pub fn last_kept() -> Option<PathBuf> {
    kept_unsaved().into_iter().max_by_key(|(_, written)| *written).map(|(path, _)| path)
}

/// The chains that were kept because they were not saved, and when.
pub fn kept_unsaved() -> Vec<(PathBuf, SystemTime)> {
    let Ok(files) = std::fs::read_dir(Folders::from_env().state) else { return Vec::new() };
    let kept = files.flatten().filter(|file| {
        let name = file.file_name();
        name.to_str().is_some_and(|name| name.starts_with("unsaved") && name.ends_with(".catena"))
    });
    kept.filter_map(|file| Some((file.path(), file.metadata().and_then(|data| data.modified()).ok()?))).collect()
}

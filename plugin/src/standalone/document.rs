//! The chain file that is open: which one it is, and whether it is saved.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use host_core::model::{Chain, Folders};
use host_core::session::SessionHandle;

use crate::cli::{self, Failure};

/// Words that are commands of the program.
const COMMANDS: [&str; 8] = ["scan", "list", "info", "new", "edit", "show", "render", "doctor"];

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
        Self { session, state: Arc::new(Mutex::new(State { path, saved: None })) }
    }

    /// Where it is saved.
    pub fn path(&self) -> Option<PathBuf> {
        self.lock().path.clone()
    }

    /// Puts `chain` into the session; what could not be opened is in the answer.
    pub fn load(&self, chain: Chain) -> Result<Vec<String>, Failure> {
        let reports = self.session.load_chain(chain)?;
        self.mark_saved();
        Ok(cli::problems(&reports))
    }

    /// An empty chain without a file.
    pub fn clear(&self) -> Result<Vec<String>, Failure> {
        let problems = self.load(Chain::default())?;
        self.lock().path = None;
        Ok(problems)
    }

    /// Opens `path`.
    pub fn open(&self, path: &Path) -> Result<Vec<String>, Failure> {
        let problems = self.load(cli::read_chain(path)?)?;
        self.lock().path = Some(path.into());
        Ok(problems)
    }

    /// Saves at `path`, which is its place from now on.
    pub fn save(&self, path: &Path) -> Result<(), Failure> {
        let chain = self.session.chain()?;
        cli::write_chain(path, &chain)?;
        let mut state = self.lock();
        state.path = Some(path.into());
        state.saved = Some(chain);
        Ok(())
    }

    /// Whether something changed since it was saved. Asks every plugin: not for each frame of a window.
    pub fn is_unsaved(&self) -> bool {
        let Ok(chain) = self.session.chain() else { return true };
        match &self.lock().saved {
            Some(saved) => chain != *saved,
            None => !chain.nodes.is_empty(),
        }
    }

    /// Keeps what was not saved in the state folder. None: all is saved.
    pub fn keep_unsaved(&self) -> Option<PathBuf> {
        if !self.is_unsaved() {
            return None;
        }
        let chain = self.session.chain().ok()?;
        let folder = Folders::from_env().state;
        std::fs::create_dir_all(&folder).ok()?;
        let path = folder.join("unsaved.catena");
        cli::write_chain(&path, &chain).ok()?;
        Some(path)
    }

    fn mark_saved(&self) {
        let chain = self.session.chain().ok();
        self.lock().saved = chain;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! `catena import`: chains out of the files of other programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use host_core::model::{Catalog, Chain};
use host_core::session::{Purpose, SessionHandle};
use host_core::store::import::{self, ImportError, Imported};
use host_core::store::{self, export};
use serde_json::json;

use super::args::Import;
use super::chain::{TRIAL, open_session, problems};
use super::progress::Progress;
use super::{Failure, find, log, out};

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Io { path, source } => Self::io(&path, &source),
            other => Self::failed(other.to_string()),
        }
    }
}

/// Makes them.
pub fn run(task: &Import) -> Result<(), Failure> {
    let catalog = find::catalog()?;
    let mut found = import::read(&task.from, &catalog, task.files)?;
    if task.in_one {
        let name = file_name(&task.out).unwrap_or_else(|| "Imported".into());
        found = vec![import::together(found, &name)];
    }
    let paths = places(task, &found)?;
    for (path, one) in paths.iter().zip(&found) {
        // Before it is written: a plugin that ends the program with it leaves a chain that can be opened all the same.
        store::write(path, &one.chain)?;
    }
    let checked = check(&mut found, catalog);
    for (path, one) in paths.iter().zip(&found) {
        if !task.json {
            out::say(path.display())?;
            one.untaken.iter().for_each(|line| out::note(format_args!("not taken: {line}")));
        }
        one.untaken.iter().for_each(|line| log::line(log::Level::Warning, &format!("import: {line}")));
    }
    if task.json {
        let chains = paths.iter().zip(&found).map(|(path, one)| {
            let slots = one.chain.slots();
            let slots = slots.map(|slot| json!({ "id": slot.id, "plugin": slot.plugin, "title": slot.title() }));
            json!({
                "path": path, "name": one.chain.name, "slots": slots.collect::<Vec<_>>(), "not-taken": one.untaken
            })
        });
        out::json(&json!({ "chains": chains.collect::<Vec<_>>() }))?;
    }
    checked
}

fn file_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let name = name.strip_suffix(".d").unwrap_or(&name);
    Some(name.strip_suffix(".catena").unwrap_or(name).to_owned()).filter(|name| !name.is_empty())
}

/// Where each is written to.
fn places(task: &Import, found: &[Imported]) -> Result<Vec<PathBuf>, Failure> {
    let is_chain =
        [".catena", ".catena.d"].iter().any(|end| task.out.as_os_str().as_encoded_bytes().ends_with(end.as_bytes()));
    let paths = match found {
        [_] if is_chain => vec![task.out.clone()],
        [one] => vec![task.out.join(format!("{}.catena", export::file_name(&one.file_name)))],
        _ if is_chain => {
            let text =
                format!("{} chains come of it: name a folder for them, or put all into one with --in-one", found.len());
            return Err(Failure::usage(text));
        }
        all => several(&task.out, all),
    };
    for path in &paths {
        let unpacked = path.as_os_str().as_encoded_bytes().ends_with(b".catena.d");
        export::check(path, unpacked.then_some("chain.json"), task.force)?;
    }
    Ok(paths)
}

fn several(folder: &Path, found: &[Imported]) -> Vec<PathBuf> {
    let mut taken = BTreeSet::new();
    let mut place = |one: &Imported| {
        let name = export::file_name(&one.file_name);
        let numbered = |number: usize| if number == 1 { name.clone() } else { format!("{name} {number}") };
        let free = (1..).map(numbered).find(|name| taken.insert(name.to_lowercase()));
        folder.join(format!("{}.catena", free.unwrap_or(name)))
    };
    found.iter().map(&mut place).collect()
}

/// Opens what is installed and adds what its plugin does not know.
fn check(found: &mut [Imported], catalog: Catalog) -> Result<(), Failure> {
    let (session, _processor) = open_session(Purpose::Offline, 2, 0, catalog)?;
    let _waiting = Progress::waiting("Opening the plugins");
    session.activate(TRIAL)?;
    for one in found {
        let wrong = problems(&session.load_chain(one.chain.clone())?);
        session.settle();
        // Placeholders are named already.
        let installed = |line: &&String| !line.contains("is not installed here");
        one.untaken.extend(wrong.iter().filter(installed).map(|line| format!("{line}; its settings are kept")));
        one.untaken.extend(unknown(&one.chain, &session));
    }
    session.deactivate();
    Ok(())
}

/// Parameters that a plugin does not have.
fn unknown(chain: &Chain, session: &SessionHandle) -> Vec<String> {
    let snapshot = session.snapshot();
    let mut lines = Vec::new();
    for view in &snapshot.slots {
        let Some(slot) = chain.slot(view.id).filter(|_| !view.params.is_empty()) else { continue };
        for key in slot.params.keys().filter(|key| view.params.iter().all(|param| param.key != **key)) {
            lines.push(format!("{}: {key}, which the plugin that is installed does not have", view.title));
        }
    }
    lines
}

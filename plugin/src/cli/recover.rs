//! `catena recover`: chains that were not saved when a program ended.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use host_core::model::{Chain, Folders, Slot};
use host_core::session::left_behind;
use serde_json::json;

use super::args::{Recover, RecoverTask};
use super::chain::{open_chain, write_chain};
use super::{Failure, out};
use crate::standalone::kept_unsaved;

/// A chain that was not saved.
struct Kept {
    path: PathBuf,
    written: SystemTime,
    /// Its program ended without a word; else it was asked to end.
    crashed: bool,
}

/// Lists them, takes one out, or discards.
pub fn run(task: &Recover) -> Result<(), Failure> {
    let kept = all();
    match &task.task {
        None => list(&kept, task.json),
        Some(RecoverTask::Take { number, file, force }) => {
            let lost = take(one(&kept, *number)?, file, *force)?;
            if task.json { out::json(&json!({ "path": file, "lost": lost })) } else { Ok(()) }
        }
        Some(RecoverTask::Discard { number }) => {
            let gone: Vec<_> = match number {
                Some(number) => vec![one(&kept, *number)?],
                None => kept.iter().collect(),
            };
            gone.iter().try_for_each(|kept| discard(kept))?;
            let gone: Vec<_> = gone.iter().map(|kept| &kept.path).collect();
            if task.json { out::json(&json!({ "discarded": gone })) } else { Ok(()) }
        }
    }
}

/// The newest first.
fn all() -> Vec<Kept> {
    let dead = left_behind(&Folders::from_env()).into_iter();
    let dead = dead.map(|left| Kept { path: left.path, written: left.written, crashed: true });
    let unsaved = kept_unsaved().into_iter().map(|(path, written)| Kept { path, written, crashed: false });
    let mut all: Vec<_> = dead.chain(unsaved).collect();
    all.sort_by_key(|kept| std::cmp::Reverse(kept.written));
    all
}

fn one(kept: &[Kept], number: usize) -> Result<&Kept, Failure> {
    let found = number.checked_sub(1).and_then(|at| kept.get(at));
    found.ok_or_else(|| Failure::usage(format!("there is no number {number}; `catena recover` lists what there is")))
}

fn list(all: &[Kept], as_json: bool) -> Result<(), Failure> {
    let read: Vec<_> = all.iter().map(|kept| (kept, open_chain(&kept.path).map(|(chain, _lost)| chain))).collect();
    if as_json {
        let rows = read.iter().enumerate().map(|(at, (kept, chain))| {
            let written = kept.written.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
            json!({
                "number": at + 1, "path": kept.path, "written": written, "crashed": kept.crashed,
                "name": chain.as_ref().map_or("", |chain| chain.name.as_str()),
                "plugins": chain.as_ref().map(plugins).unwrap_or_default(),
                "error": chain.as_ref().err().map(ToString::to_string),
            })
        });
        return out::json(&json!({ "chains": rows.collect::<Vec<_>>() }));
    }
    if read.is_empty() {
        out::note("Nothing is kept: everything was saved, or let go.");
        return Ok(());
    }
    let row = |(at, (kept, chain)): (usize, &(&Kept, Result<Chain, Failure>))| {
        let what = match chain {
            Ok(chain) if chain.name.is_empty() => plugins(chain).join(", "),
            Ok(chain) => format!("{}: {}", chain.name, plugins(chain).join(", ")),
            Err(error) => format!("cannot be read: {error}"),
        };
        vec![(at + 1).to_string(), age(kept.written), what, kept.path.display().to_string()]
    };
    out::say(out::table(&read.iter().enumerate().map(row).collect::<Vec<_>>()))?;
    out::note("Each is a chain file. Take one out: catena recover take NUMBER FILE");
    Ok(())
}

fn plugins(chain: &Chain) -> Vec<String> {
    chain.slots().map(Slot::title).map(str::to_owned).collect()
}

fn age(written: SystemTime) -> String {
    let minutes = written.elapsed().map_or(0, |age| age.as_secs()) / 60;
    match (minutes, minutes / 60, minutes / 60 / 24) {
        (0, ..) => "just now".into(),
        (1, ..) => "1 minute ago".into(),
        (minutes, 0, _) => format!("{minutes} minutes ago"),
        (_, 1, _) => "1 hour ago".into(),
        (_, hours, 0) => format!("{hours} hours ago"),
        (.., 1) => "1 day ago".into(),
        (.., days) => format!("{days} days ago"),
    }
}

/// What was lost of it is the answer.
fn take(kept: &Kept, file: &Path, force: bool) -> Result<Vec<String>, Failure> {
    if !force && std::fs::symlink_metadata(file).is_ok() {
        let file = file.display();
        return Err(Failure::failed(format!(
            "{file}: is there already; choose another name, or replace it with --force"
        )));
    }
    let (chain, lost) = open_chain(&kept.path)?;
    lost.iter().for_each(|lost| out::note(format_args!("note: {lost}")));
    write_chain(file, &chain)?;
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    match (lost.is_empty(), real(file) == real(&kept.path)) {
        // Written over itself.
        (_, true) => {}
        (true, false) => discard(kept)?,
        (false, false) => out::note(format_args!(
            "note: {} is damaged and stays; `catena recover discard` lets it go",
            kept.path.display()
        )),
    }
    out::note(format_args!("Play it: catena {}", file.display()));
    Ok(lost)
}

fn discard(kept: &Kept) -> Result<(), Failure> {
    std::fs::remove_file(&kept.path).map_err(|error| Failure::failed(format!("{}: {error}", kept.path.display())))
}

//! `catena library`: chains by what is said of them.

use std::path::{Path, PathBuf};

use host_core::model::{About, Chain, Folders, Words};
use host_core::store::library::{Entry, Library, favourites};
use serde_json::json;

use super::args::{self, LibraryTask, Switch};
use super::chain::{read_chain, write_chain};
use super::{Failure, out};

/// Lists, searches, or says something of a chain.
pub fn run(task: &args::Library) -> Result<(), Failure> {
    let task = &unmixed(task);
    match &task.task {
        None | Some(LibraryTask::List) => list(task, &Words::default()),
        Some(LibraryTask::Search { words }) => list(task, &Words::new(&words.join(" "))),
        Some(LibraryTask::Tag { chain, changes }) => {
            change(task, chain, |chain| signed(&mut chain.about.tags, "a tag", changes))
        }
        Some(LibraryTask::Author { chain, changes }) => {
            change(task, chain, |chain| signed(&mut chain.about.authors, "a name", changes))
        }
        Some(LibraryTask::Licence { chain, text }) => {
            change(task, chain, |chain| put(&mut chain.about.licence, text.as_deref()))
        }
        Some(LibraryTask::Note { chain, text }) => {
            change(task, chain, |chain| put(&mut chain.about.notes, text.as_deref()))
        }
        Some(LibraryTask::Name { chain, name }) => change(task, chain, |chain| put(&mut chain.name, Some(name))),
        Some(LibraryTask::Favourite { chain, state }) => {
            let (path, file) = (find(chain)?, Folders::from_env().favourites());
            let path = std::fs::canonicalize(&path).map_err(|error| Failure::io(&path, &error))?;
            let on = *state == Switch::On;
            let changed = favourites::set(&file, &path, on).map_err(|error| Failure::io(&file, &error))?;
            if task.json { out::json(&json!({ "path": path, "favourite": on, "changed": changed })) } else { Ok(()) }
        }
    }
}

/// Among words that begin with a hyphen the command's own option stands for itself.
fn unmixed(task: &args::Library) -> args::Library {
    const JSON: &str = "--json";
    let mut task = task.clone();
    if let Some(LibraryTask::Tag { changes, .. } | LibraryTask::Author { changes, .. }) = &mut task.task {
        task.json |= changes.iter().any(|change| change == JSON);
        changes.retain(|change| change != JSON);
    }
    task
}

fn list(task: &args::Library, words: &Words) -> Result<(), Failure> {
    let library = Library::of(&Folders::from_env());
    let mut found = library.search(words);
    found.retain(|entry| entry.favourite || !task.favourites);
    if task.json {
        return out::json(&json!({ "chains": found }));
    }
    if found.is_empty() {
        let folder = Folders::from_env().chains();
        match library.entries().is_empty() {
            true => out::note(format_args!(
                "The library is empty. Put chains into it: catena export CHAIN --to clap-preset writes to {}",
                folder.display()
            )),
            false => out::note("No chain has all that in its name, tags, authors, licence, notes or plugins."),
        }
        return Ok(());
    }
    out::say(out::table(&found.into_iter().map(row).collect::<Vec<_>>()))
}

fn row(entry: &Entry) -> Vec<String> {
    let About { tags, authors, licence, .. } = &entry.sheet.about;
    let members: Vec<_> = entry.sheet.members.iter().map(|member| member.name.as_str()).collect();
    let mut said: Vec<String> = tags.iter().map(|tag| format!("+{tag}")).collect();
    said.extend((!authors.is_empty()).then(|| format!("by {}", authors.join(", "))));
    said.extend((!licence.is_empty()).then(|| licence.clone()));
    said.push(members.join(", "));
    said.extend(entry.sheet.problem.as_ref().map(|problem| format!("! {problem}")));
    let mark = if entry.favourite { "*" } else { " " };
    said.retain(|text| !text.is_empty());
    vec![format!("{mark} {}", entry.sheet.name), said.join("  "), entry.path.display().to_string()]
}

/// The chain file that is named by its path, or by a part of its name in the library.
fn find(chain: &Path) -> Result<PathBuf, Failure> {
    let text = chain.display().to_string();
    if chain.exists() || text.contains('/') {
        return Ok(chain.to_path_buf());
    }
    let library = Library::of(&Folders::from_env());
    let wanted = text.to_lowercase();
    let with = |fits: &dyn Fn(&str) -> bool| -> Vec<&Entry> {
        library.entries().iter().filter(|entry| fits(&entry.sheet.name.to_lowercase())).collect()
    };
    let whole = with(&|name| name == wanted);
    let found = if whole.is_empty() { with(&|name| name.contains(&wanted)) } else { whole };
    match found.as_slice() {
        [one] => Ok(one.path.clone()),
        [] => Err(Failure::failed(format!(
            "{text}: neither a file nor a chain of the library; `catena library` lists those"
        ))),
        many => {
            let rows: Vec<_> = many
                .iter()
                .map(|entry| vec![format!("  {}", entry.sheet.name), entry.path.display().to_string()])
                .collect();
            let rows = out::table(&rows);
            Err(Failure::usage(format!("\"{text}\" names several chains; take one by its file:\n{rows}")))
        }
    }
}

/// Changes what a chain says of itself.
fn change(
    task: &args::Library,
    chain: &Path,
    edit: impl FnOnce(&mut Chain) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let path = find(chain)?;
    let before = read_chain(&path)?;
    let mut after = before.clone();
    edit(&mut after)?;
    let changed = after != before;
    if changed {
        write_chain(&path, &after)?;
    }
    let told = || json!({ "path": path, "name": after.name, "about": after.about, "changed": changed });
    if task.json { out::json(&told()) } else { Ok(()) }
}

/// Puts a text in the place of one that is there.
fn put(place: &mut String, text: Option<&str>) -> Result<(), Failure> {
    *place = text.unwrap_or_default().to_owned();
    Ok(())
}

/// Takes `+WORD` into a list and `-WORD` out of it.
fn signed(list: &mut Vec<String>, what: &str, changes: &[String]) -> Result<(), Failure> {
    for change in changes {
        let (on, word) = match (change.strip_prefix('+'), change.strip_prefix('-')) {
            (Some(word), _) => (true, word.trim()),
            (_, Some(word)) => (false, word.trim()),
            _ => return Err(Failure::usage(format!("write +{change} for {what} that is to be there, or -{change}"))),
        };
        if word.is_empty() || word.chars().any(char::is_control) {
            return Err(Failure::usage(format!("\"{change}\" is not {what}")));
        }
        match (on, list.iter().position(|own| own == word)) {
            (true, None) => list.push(word.to_owned()),
            (false, Some(at)) => drop(list.remove(at)),
            (true, Some(_)) => {}
            (false, None) => return Err(Failure::failed(format!("the chain has no such thing as \"{word}\""))),
        }
    }
    Ok(())
}

//! Every word that the editor shows is in its table, and the table has no other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What is no user's word, and why.
const NO_WORDS: [(&str, &str); 15] = [
    ("browser/kind.rs", "what plugins call their kinds, which is compared"),
    ("words.rs:audio-effect", "a kind that plugins name, which is passed over"),
    ("words.rs:plugin", "the same"),
    ("words.rs:stereo", "the same"),
    ("words.rs:mono", "the same"),
    ("editor.rs:stage", "egui's name of a panel"),
    ("editor.rs:stage of a plugin", "the same"),
    ("value/wheel.rs:catena wheel", "egui's name of what is remembered"),
    ("host.rs:catena-job", "a thread's name"),
    ("theme/scripts.rs", "names of fonts, files and languages"),
    ("theme/font.rs", "the same"),
    ("library.rs:HOME", "a variable of the environment"),
    ("library.rs:file://", "how paths begin that are dropped"),
    ("text.rs", "reads the table"),
    ("unit.rs:kHz", "as long as plugins' own units are"),
];

/// Calls whose text is egui's name of something, told by no one.
const NAMES: [&str; 10] = [
    "id_salt(",
    "id_salt((",
    "Id::unique(",
    "Id::unique((",
    "Grid::new(",
    "Grid::new((",
    "choice(ui,(",
    ".with(",
    "from_id_salt(",
    "Panel::top(",
];

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap().to_owned();
                found.push((path.strip_prefix(&root).unwrap().display().to_string(), code));
            }
        }
    }
    assert!(found.len() > 30, "{}", found.len());
    found
}

/// Each literal of a source, with the code before it on as many lines as it takes.
fn literals(code: &str) -> Vec<(String, String)> {
    let (mut found, mut before) = (Vec::new(), String::new());
    for line in code.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        let mut rest = line;
        while let Some(start) = rest.find('"') {
            let lit = &rest[start + 1..];
            // A quote as a character.
            if rest[..start].ends_with('\'') && lit.starts_with('\'') {
                rest = lit;
                continue;
            }
            before.push_str(&rest[..start]);
            let Some(end) = lit.find('"') else { break };
            found.push((std::mem::take(&mut before), lit[..end].to_owned()));
            rest = &lit[end + 1..];
        }
        before.push_str(rest);
    }
    found
}

fn table() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("text/en.ftl")).unwrap()
}

/// The names in the table.
fn known() -> BTreeSet<String> {
    let table = table();
    let begins = |line: &&str| line.starts_with(|letter: char| letter.is_ascii_alphabetic());
    table.lines().filter(begins).map(|line| line.split(" =").next().unwrap().to_owned()).collect()
}

fn is_named(before: &str) -> bool {
    before.trim_end().ends_with("text!(")
}

#[test]
fn every_text_that_is_shown_is_in_the_table_and_every_text_of_the_table_is_shown() {
    let used = sources().into_iter().flat_map(|(_, code)| literals(&code));
    let mut used: BTreeSet<_> = used.filter(|(before, _)| is_named(before)).map(|(_, id)| id).collect();
    // One text within another.
    for line in table().lines() {
        let parts = line.split('{').skip(1).filter_map(|part| part.split('}').next()).map(str::trim);
        let inner = |part: &&str| part.contains('-') && !part.contains(['$', '>']);
        used.extend(parts.filter(inner).map(str::to_owned));
    }
    let known = known();
    let lacks: Vec<_> = used.difference(&known).collect();
    assert!(lacks.is_empty(), "not in gui/text/en.ftl: {lacks:?}");
    let idle: Vec<_> = known.difference(&used).collect();
    assert!(idle.is_empty(), "shown nowhere: {idle:?}");
}

#[test]
fn no_word_is_shown_that_is_not_in_the_table() {
    let (mut stray, mut needed) = (BTreeSet::new(), BTreeSet::new());
    for (file, code) in sources() {
        for (before, text) in literals(&code) {
            let bare: String = text.split('{').enumerate().fold(String::new(), |bare, (at, part)| {
                bare + if at == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) }
            });
            let before: String = before.split_whitespace().collect();
            let named = is_named(&before) || NAMES.iter().any(|name| before.ends_with(name));
            let excepted = NO_WORDS.iter().find(|(what, _)| *what == file || *what == format!("{file}:{text}"));
            let typed = file == "unit.rs" && bare.chars().all(|letter| letter.is_lowercase());
            // `\n` alone is no word.
            let bare = bare.replace("\\n", "");
            if bare.contains(char::is_alphabetic) && !named && !typed {
                match excepted {
                    Some((what, _)) => needed.insert(*what),
                    None => stray.insert(format!("{file}: {text}")),
                };
            }
        }
    }
    assert!(
        stray.is_empty(),
        "to gui/text/en.ftl, and shown by text!(\"…\"):\n{}",
        stray.into_iter().collect::<Vec<_>>().join("\n")
    );
    let idle: Vec<_> = NO_WORDS.iter().filter(|(what, _)| !needed.contains(what)).collect();
    assert!(idle.is_empty(), "exceptions for what is not there any more: {idle:?}");
}

//! The rules on the sources, each with the sentence that a breach of it prints.

use std::fmt;
use std::path::{Path, PathBuf};

use super::rooms::{Room, forbidden_outside, knows, room_of};
use super::sources::Source;

/// One line that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The file.
    pub path: PathBuf,
    /// The line.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.what)
    }
}

/// Every breach in `files`, in their order.
pub fn breaches(files: &[Source]) -> Vec<Breach> {
    files
        .iter()
        .flat_map(|file| {
            let mut found = Vec::new();
            if !is_test_file(&file.path) {
                imports(file, &mut found);
                realtime(file, &mut found);
            }
            unsafety(file, &mut found);
            found.sort_by_key(|breach| breach.line);
            found.dedup();
            found
        })
        .collect()
}

/// A file that is a test module of its crate: `engine/tests.rs`, `engine/tests/fades.rs`.
fn is_test_file(path: &Path) -> bool {
    path.with_extension("").iter().skip(2).any(|part| part == "tests")
}

fn imports(file: &Source, found: &mut Vec<Breach>) {
    let Some(room) = room_of(&file.module) else { return };
    let mut breach = |line, what| found.push(Breach { path: file.path.clone(), line, what });
    for named in &file.facts.named {
        let spelled = named.path.join("::");
        if let Some(why) = forbidden_outside(room, &named.path) {
            breach(named.line, format!("{room:?} must not know {spelled}: {why}"));
        }
        match room_of(&named.path) {
            Some(other) if other != room && !knows(room).contains(&other) => {
                breach(named.line, format!("{room:?} must not know {other:?}: it names {spelled}"));
            }
            Some(Room::Clap | Room::Lv2 | Room::Remote) if room == Room::Backend && !is_open(&file.path) => {
                breach(named.line, format!("only backend::open may know the formats: {spelled}"));
            }
            _ => {}
        }
    }
}

fn is_open(path: &Path) -> bool {
    path == Path::new("host-core/src/backend.rs")
}

/// Files that hold code of the audio thread and nothing else.
fn is_realtime(file: &Source) -> bool {
    match room_of(&file.module) {
        Some(Room::Engine | Room::Pool | Room::BackendAudio) => true,
        Some(Room::Clap | Room::Lv2 | Room::Remote) => file.module.iter().skip(3).any(|part| part == "audio"),
        _ => false,
    }
}

/// What waits, writes or allocates text.
const NOT_REALTIME: &[&str] = &["Mutex", "RwLock", "Condvar", "mpsc"];
const NOT_REALTIME_MACROS: &[&str] = &["println", "print", "eprintln", "eprint", "dbg", "format"];

fn realtime(file: &Source, found: &mut Vec<Breach>) {
    if !is_realtime(file) {
        return;
    }
    let mut breach = |line, what| found.push(Breach { path: file.path.clone(), line, what });
    for named in &file.facts.named {
        if let Some(name) = named.path.iter().find(|part| NOT_REALTIME.contains(&part.as_str())) {
            breach(named.line, format!("a realtime room names no {name}"));
        }
    }
    for (name, line) in &file.facts.macros {
        if NOT_REALTIME_MACROS.contains(&name.as_str()) {
            breach(*line, format!("a realtime room calls no {name}!"));
        }
    }
}

/// Where `unsafe` may stand: files and folders, each with a reason at its head.
const UNSAFE: &[&str] = &[
    "host-core/src/backend/clap/activation.rs",
    "host-core/src/backend/clap/audio.rs",
    "host-core/src/backend/clap/events.rs",
    "host-core/src/backend/clap/ext",
    "host-core/src/backend/clap/library.rs",
    "host-core/src/backend/lv2/ffi",
    "host-core/src/backend/remote",
    "host-core/src/engine/cpu.rs",
    "host-core/src/engine/vector.rs",
    "host-core/src/home/os.rs",
    "host-core/src/journal/page.rs",
    "host-core/src/pool/cell.rs",
    "host-core/src/pool/os.rs",
    "host-core/src/windows/errors.rs",
    "plugin/src/clap",
    "plugin/src/lib.rs",
    "plugin/src/lv2/ffi",
    "plugin/src/params/macros.rs",
    "plugin/src/present.rs",
    "plugin/src/standalone/jack",
    "plugin/src/vst3",
    "plugin/entry",
    "tests/src",
    "tests/tests",
    "tests/fixtures",
];

fn unsafety(file: &Source, found: &mut Vec<Breach>) {
    if UNSAFE.iter().any(|place| file.path.with_extension("").starts_with(place) || file.path == Path::new(place)) {
        return;
    }
    for line in &file.facts.unsafe_lines {
        found.push(Breach { path: file.path.clone(), line: *line, what: "unsafe has no address here".into() });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::check::paths::facts;

    fn check(path: &str, module: &str, text: &str) -> Vec<String> {
        let module: Vec<_> = module.split("::").map(str::to_owned).collect();
        let facts = facts(text, &module, &BTreeSet::new()).unwrap();
        breaches(&[Source { path: path.into(), module, facts }]).into_iter().map(|breach| breach.what).collect()
    }

    fn engine(text: &str) -> Vec<String> {
        check("host-core/src/engine/delay.rs", "host_core::engine::delay", text)
    }

    #[test]
    fn a_forbidden_import_is_found_in_every_form() {
        for text in [
            "use crate::session::Command;",
            "use crate::{model, scan};",
            "fn f() { crate::store::read(p); }",
            "use crate as core; fn f() { core::home::now(); }",
            "use crate::backend::PluginMain;",
            "use clack_host::prelude::*;",
            "use std::fs;",
        ] {
            assert_eq!(engine(text).len(), 1, "{text}: {:?}", engine(text));
        }
        assert_eq!(engine("use crate::backend::audio::Block; use crate::model::Chain; use std::sync::Arc;"), [""; 0]);
    }

    #[test]
    fn only_open_knows_the_formats() {
        let text = "pub fn open() { crate::backend::clap::open() }";
        assert_eq!(check("host-core/src/backend.rs", "host_core::backend", text), [""; 0]);
        assert_eq!(check("host-core/src/backend/host.rs", "host_core::backend::host", text).len(), 1);
    }

    #[test]
    fn the_editor_knows_neither_engine_nor_plugin_api() {
        let gui = |text| check("gui/src/rack.rs", "catena_gui::rack", text);
        assert_eq!(gui("use host_core::{model::SlotId, session::Command};"), [""; 0]);
        assert_eq!(gui("use host_core::engine::Processor;").len(), 1);
        assert_eq!(gui("use nice_plug::prelude::*;").len(), 1);
    }

    #[test]
    fn xtask_links_no_product() {
        assert_eq!(check("xtask/src/demo.rs", "xtask::demo", "use host_core::store;").len(), 1);
    }

    #[test]
    fn realtime_rooms_neither_lock_nor_print() {
        assert!(!engine("use std::sync::Mutex;").is_empty());
        assert!(!engine("fn f(x: std::sync::RwLock<u8>) {}").is_empty());
        assert!(!engine("fn f() { println!(\"x\"); }").is_empty());
        assert!(!engine("fn f() { let x = format!(\"x\"); }").is_empty());
        assert_eq!(engine("#[cfg(test)] mod tests { fn f() { println!(\"x\"); } }"), [""; 0]);
        let session = check("host-core/src/session.rs", "host_core::session", "use std::sync::Mutex;");
        assert_eq!(session, [""; 0]);
    }

    #[test]
    fn unsafe_is_found_outside_its_rooms() {
        let text = "fn f() { unsafe { g() } }";
        assert_eq!(check("host-core/src/session.rs", "host_core::session", text).len(), 1);
        assert_eq!(check("host-core/src/backend/lv2/ffi.rs", "host_core::backend::lv2::ffi", text), [""; 0]);
        assert_eq!(check("host-core/src/engine/tests.rs", "host_core::engine::tests", text).len(), 1);
    }

    #[test]
    fn the_whole_workspace_keeps_the_rules() {
        let found = breaches(&crate::check::sources::read().unwrap());
        assert!(found.is_empty(), "{}", found.iter().map(|breach| format!("{breach}\n")).collect::<String>());
    }
}

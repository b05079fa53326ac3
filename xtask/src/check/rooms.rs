//! Who may know whom: the rooms of the code, and for each the rooms and crates it may name.

/// A part of the code with one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// `host_core::model`: plain data.
    Model,
    /// `host_core::backend`: the traits and `open`.
    Backend,
    /// `host_core::backend::audio`: the audio trait and what passes in one block.
    BackendAudio,
    /// `host_core::backend::log`: what plugins say.
    BackendLog,
    /// `host_core::backend::clap`.
    Clap,
    /// `host_core::backend::lv2`.
    Lv2,
    /// `host_core::backend::remote`.
    Remote,
    /// `host_core::engine`.
    Engine,
    /// `host_core::pool`.
    Pool,
    /// `host_core::home`.
    Home,
    /// `host_core::windows`: frames that hosted plugins' windows lie in.
    Windows,
    /// `host_core::child`.
    Child,
    /// `host_core::journal`: which plugins are being opened, for the next start after a crash.
    Journal,
    /// `host_core::scan`.
    Scan,
    /// `host_core::store`.
    Store,
    /// `host_core::session`.
    Session,
    /// The program `catena-worker`.
    Worker,
    /// `catena_gui`.
    Gui,
    /// `catena`: container and formats.
    Plugin,
    /// `catena::export`: chains for other hosts.
    Export,
    /// `catena`: the program and its command line.
    Cli,
    /// The thin entry libraries.
    Entry,
    /// `xtask`.
    Xtask,
    /// Tests and their harness.
    Tests,
    /// The plugins that tests host.
    Fixtures,
}

use Room::*;

/// Rooms by the beginning of a path; the longest that fits counts.
const PLACES: &[(&str, Room)] = &[
    ("host_core::model", Model),
    ("host_core::backend", Backend),
    ("host_core::backend::audio", BackendAudio),
    ("host_core::backend::PluginAudio", BackendAudio),
    ("host_core::backend::log", BackendLog),
    ("host_core::backend::clap", Clap),
    ("host_core::backend::lv2", Lv2),
    ("host_core::backend::remote", Remote),
    ("host_core::engine", Engine),
    ("host_core::pool", Pool),
    ("host_core::home", Home),
    ("host_core::windows", Windows),
    ("host_core::child", Child),
    ("host_core::journal", Journal),
    ("host_core::scan", Scan),
    ("host_core::store", Store),
    ("host_core::session", Session),
    ("host_core::bin", Worker),
    ("catena_gui", Gui),
    ("catena", Plugin),
    ("catena::export", Export),
    ("catena::cli", Cli),
    ("catena::main", Cli),
    ("catena::standalone", Cli),
    ("catena_entry_clap", Entry),
    ("catena_entry_lv2", Entry),
    ("catena_entry_vst3", Entry),
    ("xtask", Xtask),
    ("catena_tests", Tests),
    ("catena_fixtures_clap", Fixtures),
    ("catena_fixtures_lv2", Fixtures),
];

/// The room that `path` leads to; `None` for paths outside the product.
pub fn room_of(path: &[String]) -> Option<Room> {
    let fits = |place: &str| {
        let mut parts = path.iter();
        place.split("::").all(|part| parts.next().is_some_and(|own| own == part))
    };
    PLACES.iter().filter(|(place, _)| fits(place)).max_by_key(|(place, _)| place.len()).map(|(_, room)| *room)
}

/// The table: what `room` may know beside itself. An arrow that is not here is forbidden.
pub fn knows(room: Room) -> &'static [Room] {
    match room {
        Model | Pool | Entry | Xtask | Fixtures => &[],
        // `open` alone hands on to the formats: the file `backend.rs`.
        Backend => &[Model, Home, BackendAudio, BackendLog, Pool, Clap, Lv2, Remote],
        BackendAudio => &[Model, Backend],
        BackendLog => &[],
        Clap => &[Backend, BackendAudio, BackendLog, Model, Home, Pool],
        Lv2 => &[Backend, BackendAudio, BackendLog, Model, Home],
        Remote => &[Backend, BackendAudio, Model, Child],
        Engine => &[BackendAudio, Model, Pool],
        Home | Child | Journal => &[Model],
        Windows => &[Home, BackendLog],
        Scan => &[Model, Child],
        Store => &[Model],
        Session => {
            &[Model, Engine, Backend, BackendAudio, BackendLog, Home, Pool, Windows, Child, Journal, Scan, Store]
        }
        Worker => &[Backend, BackendAudio, BackendLog, Engine, Pool, Scan, Child, Home, Model],
        Gui => &[Model, Session],
        Plugin => &[Session, Engine, BackendAudio, Model, Gui, Export, Cli],
        Export => &[Session, Store, Model, Plugin],
        Cli => &[Session, Scan, Store, Model, Engine, BackendAudio, Gui, Plugin, Export],
        Tests => &[
            Model,
            Backend,
            BackendAudio,
            BackendLog,
            Clap,
            Lv2,
            Remote,
            Engine,
            Pool,
            Home,
            Windows,
            Child,
            Journal,
            Scan,
            Store,
            Session,
            Gui,
            Plugin,
            Export,
            Cli,
        ],
    }
}

/// Crates that few may name: the crates by the beginning of their names, and the rooms that may.
const CONFINED: &[(&str, &[Room])] = &[
    ("clack_host", &[Clap, Tests]),
    ("clack_common", &[Clap, Tests]),
    ("clack_extensions", &[Clap, Tests, Fixtures]),
    ("clack_plugin", &[Tests, Fixtures]),
    ("clap_sys", &[Clap, Plugin, Tests, Fixtures]),
    ("lilv", &[Lv2, Tests]),
    ("lilv_sys", &[Lv2, Tests]),
    ("livi", &[Lv2]),
    ("lv2_raw", &[Lv2, Plugin, Entry, Tests]),
    ("nice_plug", &[Plugin]),
    ("nice_plug_egui", &[Plugin, Cli]),
    ("ebur128", &[Session, Tests]),
    ("oxrdf", &[Store]),
    ("oxttl", &[Store]),
    ("roxmltree", &[Store]),
    ("egui", &[Gui, Plugin, Cli, Tests]),
    ("x11rb", &[Windows, Plugin, Tests, Fixtures]),
    ("jack", &[Cli, Tests]),
    ("cpal", &[Cli, Tests]),
    ("anyhow", &[Worker, Cli, Xtask, Tests]),
];

/// Crates that must not be named in `room`, by the rule that `path` breaks; `None` where it may be named.
pub fn forbidden_outside(room: Room, path: &[String]) -> Option<&'static str> {
    let crate_name = path.first()?.as_str();
    if CONFINED.iter().any(|(name, rooms)| *name == crate_name && !rooms.contains(&room)) {
        return Some("that crate belongs to another room");
    }
    let begins = |place: &str| place.split("::").zip(path).filter(|(a, b)| a == b).count() == place.split("::").count();
    let files = ["std::fs", "std::io", "std::net", "std::process", "std::env", "std::path"];
    if room == Engine && files.iter().any(|place| begins(place)) {
        return Some("the engine knows no files and no system");
    }
    if matches!(room, Engine | Pool | BackendAudio) && matches!(crate_name, "log" | "tracing") {
        return Some("nothing is logged on audio threads");
    }
    let only: &[&str] = match room {
        Model => &["std", "core", "alloc", "serde", "serde_json", "thiserror"],
        // libc for what rustix lacks: signal masks, scheduling classes, affinity of threads, `posix_spawn`.
        Pool | Home | Child => &["std", "core", "alloc", "rustix", "libc", "thiserror"],
        _ => return None,
    };
    let known = KNOWN_CRATES.contains(&crate_name) && !only.contains(&crate_name);
    known.then_some("this room stands on std and little else")
}

/// Every crate that the core depends on, to tell a crate's name from a type's or a local's in code.
const KNOWN_CRATES: &[&str] = &[
    "atomic_refcell",
    "base64",
    "bytemuck",
    "crossbeam_queue",
    "ebur128",
    "libc",
    "nix",
    "rtrb",
    "rustix",
    "serde",
    "serde_json",
    "sha2",
    "sync_wrapper",
    "tempfile",
    "thiserror",
    "zip",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split("::").map(str::to_owned).collect()
    }

    #[test]
    fn the_longest_place_that_fits_is_the_room() {
        assert_eq!(room_of(&path("host_core::backend::clap::open")), Some(Clap));
        assert_eq!(room_of(&path("host_core::backend::PluginMain")), Some(Backend));
        assert_eq!(room_of(&path("host_core::backends")), None);
        assert_eq!(room_of(&path("std::sync::Arc")), None);
    }

    #[test]
    fn crates_of_formats_stay_in_their_rooms() {
        assert!(forbidden_outside(Engine, &path("clack_host::events")).is_some());
        assert!(forbidden_outside(Clap, &path("clack_host::events")).is_none());
        assert!(forbidden_outside(Gui, &path("nice_plug::prelude")).is_some());
        assert!(forbidden_outside(Engine, &path("std::fs::File")).is_some());
        assert!(forbidden_outside(Engine, &path("std::sync::Arc")).is_none());
        assert!(forbidden_outside(Pool, &path("rtrb::Producer")).is_some());
        assert!(forbidden_outside(Model, &path("serde::Serialize")).is_none());
    }
}

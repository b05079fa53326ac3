//! A plugin that kills the process while it is opened is known at the next start; one that opened well is not.

use std::path::Path;
use std::process::Command;

use host_core::journal::{Journal, Step};
use host_core::model::{Folders, PluginId, SlotId};

fn folders(root: &Path) -> Folders {
    let sub = |name: &str| root.join(name);
    Folders { data: sub("data"), cache: sub("cache"), config: sub("config"), state: sub("state") }
}

/// Runs `scene` in a process of its own, which is this test program again.
fn run(scene: &str, root: &Path) -> std::process::ExitStatus {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "scene", "--nocapture"])
        .env("CATENA_TEST_SCENE", scene)
        .env("CATENA_TEST_ROOT", root)
        .output()
        .unwrap()
        .status
}

#[test]
fn scene() {
    let Ok(scene) = std::env::var("CATENA_TEST_SCENE") else { return };
    let root = std::env::var_os("CATENA_TEST_ROOT").unwrap();
    let journal = Journal::open(&folders(Path::new(&root))).unwrap();
    let good = PluginId::clap("good");
    drop(journal.note(&good, SlotId(1), Step::Open));
    let running = journal.note(&good, SlotId(1), Step::FirstBlock);
    let culprit = journal.note(&PluginId::lv2("urn:проба"), SlotId(2), Step::Restore);
    drop(running);
    match scene.as_str() {
        "crash" => std::process::abort(),
        "ends" => drop(culprit),
        _ => unreachable!(),
    }
}

#[test]
fn only_what_was_open_at_the_crash_is_left_behind_until_it_is_forgotten() {
    let root = tempfile::tempdir().unwrap();
    let folders = folders(root.path());
    assert!(Journal::left_behind(&folders).is_empty());
    assert!(run("ends", root.path()).success());
    assert!(Journal::left_behind(&folders).is_empty());
    assert!(!run("crash", root.path()).success());
    for _ in 0..2 {
        let notes = Journal::left_behind(&folders);
        let [note] = notes.as_slice() else { panic!("{notes:?}") };
        assert_eq!((&note.plugin, note.slot, note.step), (&PluginId::lv2("urn:проба"), SlotId(2), Step::Restore));
    }
    Journal::forget(&Journal::left_behind(&folders)[0]);
    assert!(Journal::left_behind(&folders).is_empty());
    assert_eq!(std::fs::read_dir(folders.opening()).unwrap().count(), 0);
}

#[test]
fn a_living_process_leaves_nothing_behind_and_a_reused_number_is_seen_through() {
    let root = tempfile::tempdir().unwrap();
    let folders = folders(root.path());
    let journal = Journal::open(&folders).unwrap();
    let _opening = journal.note(&PluginId::clap("slow"), SlotId(1), Step::Open);
    assert!(Journal::left_behind(&folders).is_empty());

    // The same file as a process of our number would have left that started at another time.
    let ours = folders.opening().join(std::process::id().to_string());
    let text = std::fs::read_to_string(&ours).unwrap();
    let at = text.find("\"started\":").unwrap() + "\"started\":".len();
    let other = format!("{}{}{}", &text[..at], if &text[at..=at] == "1" { "2" } else { "1" }, &text[at + 1..]);
    std::fs::write(&ours, other).unwrap();
    assert_eq!(Journal::left_behind(&folders).len(), 1);
    // A new journal of our own keeps it.
    let second = Journal::open(&folders).unwrap();
    assert_eq!(Journal::left_behind(&folders).len(), 1);
    drop(second);
}

#[test]
fn the_journal_has_its_room_on_the_disk_before_anything_is_noted() {
    use std::os::unix::fs::MetadataExt as _;
    let root = tempfile::tempdir().unwrap();
    let folders = folders(root.path());
    let _journal = Journal::open(&folders).unwrap();
    let file = std::fs::read_dir(folders.opening()).unwrap().next().unwrap().unwrap().metadata().unwrap();
    // A store into a page that a full disk has no room for would end the DAW.
    assert!(file.blocks() * 512 >= file.len(), "{} blocks for {} bytes", file.blocks(), file.len());
}

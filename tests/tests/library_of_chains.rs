//! The library: what chain files say of themselves is found by any word of it, whatever else lies among them.

use std::path::{Path, PathBuf};

use catena_tests::cli::{Home, texts};
use host_core::model::{About, Chain, PluginId, Words};
use host_core::store;
use host_core::store::library::{Library, favourites};

fn chain(name: &str, about: About, plugins: &[(&str, &str, &str)]) -> Chain {
    let mut chain = Chain { name: name.into(), about, ..Chain::default() };
    for (id, plugin, vendor) in plugins {
        let id = chain.insert(usize::MAX, PluginId::clap(*id));
        let slot = chain.slot_mut(id).unwrap();
        (slot.identity.name, slot.identity.vendor) = ((*plugin).into(), (*vendor).into());
    }
    chain
}

struct Shelf {
    root: tempfile::TempDir,
}

impl Shelf {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("chains")).unwrap();
        Self { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn put(&self, name: &str, chain: &Chain) -> PathBuf {
        let path = self.path("chains").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        store::write(&path, chain).unwrap();
        path
    }

    fn look(&self) -> Library {
        Library::look(&[self.path("chains")], &self.path("cache/library.json"), &self.path("favourites"))
    }

    fn found(&self, words: &str) -> Vec<String> {
        self.look().search(&Words::new(words)).iter().map(|entry| entry.sheet.name.clone()).collect()
    }
}

fn about() -> About {
    About {
        tags: vec!["drums".into(), "Größe".into()],
        authors: vec!["Ann Other".into()],
        licence: "CC BY 4.0".into(),
        notes: "Loud,\nfor parties".into(),
        ..About::default()
    }
}

#[test]
fn every_word_that_a_chain_says_of_itself_finds_it_packed_or_not() {
    let shelf = Shelf::new();
    shelf.put("a.catena", &chain("Bus", about(), &[("org.zam.comp", "ZamComp", "Damien")]));
    shelf.put("deep/er/b.catena.d", &chain("", About::default(), &[("org.x", "Squash", "Maker")]));
    for words in ["bus", "DRUMS größe", "ann other", "cc by", "parties", "zamcomp", "damien bus", "org.zam"] {
        assert_eq!(shelf.found(words), ["Bus"], "{words}");
    }
    assert_eq!(shelf.found("squash maker"), ["b"], "a chain without a name is called as its file");
    assert_eq!(shelf.found("").len(), 2);
    assert!(shelf.found("bus maker").is_empty());
}

#[test]
fn a_look_reads_what_is_new_changed_or_gone_and_nothing_else() {
    let shelf = Shelf::new();
    let path = shelf.put("a.catena", &chain("One", About::default(), &[]));
    let folder = shelf.put("b.catena.d", &chain("Two", About::default(), &[]));
    assert_eq!(shelf.found(""), ["One", "Two"]);
    let cache = shelf.path("cache/library.json");
    // What is kept is believed: its file is as it was.
    let text = std::fs::read_to_string(&cache).unwrap().replace("\"One\"", "\"Kept\"");
    std::fs::write(&cache, text).unwrap();
    assert_eq!(shelf.found(""), ["Kept", "Two"]);
    store::write(&path, &chain("Three", about(), &[])).unwrap();
    store::write(&folder, &chain("Four", about(), &[])).unwrap();
    assert_eq!(shelf.found("drums"), ["Four", "Three"]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(shelf.found(""), ["Four"]);
    assert!(!std::fs::read_to_string(&cache).unwrap().contains("Three"), "what is gone is forgotten");
}

#[test]
fn what_is_damaged_foreign_or_made_to_harm_is_listed_with_its_reason_and_hinders_nothing() {
    let shelf = Shelf::new();
    let good = shelf.put("good.catena", &chain("Good", about(), &[]));
    let chains = shelf.path("chains");
    std::fs::write(chains.join("text.catena"), "no zip").unwrap();
    std::fs::write(chains.join("empty.catena"), "").unwrap();
    std::fs::write(chains.join("other.txt"), "not looked at").unwrap();
    let mut cut = std::fs::read(&good).unwrap();
    cut.truncate(cut.len() - 30);
    std::fs::write(chains.join("cut.catena"), cut).unwrap();
    std::fs::create_dir(chains.join("hollow.catena.d")).unwrap();
    let newer = shelf.put("newer.catena.d", &chain("Newer", About::default(), &[]));
    let json = std::fs::read_to_string(newer.join("chain.json")).unwrap();
    std::fs::write(newer.join("chain.json"), json.replace("\"major\": 1", "\"major\": 7")).unwrap();
    // Sparse: a terabyte that takes no room.
    std::fs::File::create(chains.join("huge.catena")).unwrap().set_len(1 << 40).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, chains.join("pipe.catena"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
        .unwrap();
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, chains.join(name)).unwrap();
    link(&chains, "loop");
    link(Path::new("/dev/zero"), "zero.catena");
    link(Path::new("nowhere"), "dead.catena");
    link(&good, "same.catena");
    let elsewhere = shelf.path("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    store::write(&elsewhere.join("linked.catena"), &chain("Linked", About::default(), &[])).unwrap();
    link(&elsewhere, "more");

    let library = shelf.look();
    let entry = |name: &str| {
        library.entries().iter().find(|entry| entry.sheet.name == name).unwrap_or_else(|| panic!("{name}"))
    };
    assert_eq!(
        library.entries().iter().filter(|entry| entry.sheet.name == "Good" && entry.sheet.problem.is_none()).count(),
        1
    );
    assert_eq!(entry("Linked").sheet.problem, None);
    for name in ["text", "empty", "hollow", "newer", "huge", "pipe", "zero"] {
        let problem = entry(name).sheet.problem.as_deref().unwrap_or_else(|| panic!("{name}"));
        assert!(!problem.is_empty());
    }
    assert!(entry("newer").sheet.problem.as_deref().unwrap().contains("another version"));
    // Of what was cut off the chain itself is there.
    let cut = library.entries().iter().find(|entry| entry.path.ends_with("cut.catena")).unwrap();
    assert!(cut.sheet.name == "Good" && cut.sheet.problem.is_some(), "{cut:?}");
    assert!(
        library
            .entries()
            .iter()
            .all(|entry| !entry.path.ends_with("other.txt") && !entry.path.ends_with("dead.catena"))
    );
}

#[test]
fn favourites_are_the_users_and_in_no_chain() {
    let shelf = Shelf::new();
    let [a, b] = ["a", "b"].map(|name| shelf.put(&format!("{name}.catena"), &chain(name, About::default(), &[])));
    let (file, before) = (shelf.path("favourites"), std::fs::read(&b).unwrap());
    assert!(favourites::set(&file, &b, true).unwrap());
    assert!(!favourites::set(&file, &b, true).unwrap());
    assert_eq!(shelf.found(""), ["b", "a"]);
    assert_eq!(std::fs::read(&b).unwrap(), before);
    // It is another file after a save, and a favourite still.
    store::write(&b, &chain("b", about(), &[])).unwrap();
    assert_eq!(shelf.found(""), ["b", "a"]);
    favourites::set(&file, &b, false).unwrap();
    favourites::set(&file, &a, true).unwrap();
    std::fs::write(&file, [b"\xff\n/nowhere\n\n".as_slice(), &std::fs::read(&file).unwrap()].concat()).unwrap();
    assert!(shelf.look().entries().iter().all(|entry| entry.favourite == (entry.sheet.name == "a")));
    assert!(favourites::set(&file, Path::new("/nowhere/x.catena"), true).is_err());
}

#[test]
fn the_command_line_says_things_of_chains_and_finds_them() {
    let home = Home::new();
    let chains = home.path("data/catena/chains");
    std::fs::create_dir_all(&chains).unwrap();
    for name in ["Drum Bus", "Drum Room"] {
        store::write(&chains.join(format!("{name}.catena")), &chain(name, About::default(), &[])).unwrap();
    }
    let done = home.json(["library", "tag", "Drum Bus", "+loud", "+glue", "-loud", "--json"]);
    assert_eq!(
        (&done["name"], &done["about"]["tags"], &done["changed"]),
        (&"Drum Bus".into(), &["glue"].into(), &true.into())
    );
    let again = home.json(["library", "--json", "tag", "Drum Bus", "+glue"]);
    assert_eq!(again["changed"], false);
    let path = chains.join("Drum Room.catena");
    home.ok(["library", "author", path.to_str().unwrap(), "+Ann"]);
    home.ok(["library", "licence", "drum room", "CC0"]);
    home.ok(["library", "note", "drum room", "dry"]);
    let done = home.json(["library", "favourite", "drum room", "--json"]);
    assert_eq!((&done["favourite"], &done["changed"]), (&true.into(), &true.into()));
    assert_eq!(
        store::read(&path).unwrap().about,
        About { authors: vec!["Ann".into()], licence: "CC0".into(), notes: "dry".into(), ..About::default() }
    );
    let names = |args: &[&str]| {
        let all = home.json([&["library"], args, &["--json"]].concat());
        let names = all["chains"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&["search", "drum"]), ["Drum Room", "Drum Bus"], "the favourite first");
    assert_eq!(
        (names(&["search", "glue"]), names(&["search", "ann", "dry"])),
        (vec!["Drum Bus".into()], vec!["Drum Room".into()])
    );
    assert_eq!(names(&["list", "--favourites"]), ["Drum Room"]);
    let text = home.ok(["library"]);
    assert!(text.contains("* Drum Room") && text.contains("+glue") && text.contains("by Ann"), "{text}");
    assert!(home.ok(["show", path.to_str().unwrap()]).contains("licence: CC0"));
    let said = home.fails(2, ["library", "tag", "drum", "+x"]);
    assert!(said.contains("Drum Bus") && said.contains("Drum Room"), "{said}");
    let said = home.fails(2, ["library", "tag", "Drum Bus", "x"]);
    assert!(said.contains("+x"), "{said}");
    home.fails(1, ["library", "tag", "nothing", "+x"]);
    home.ok(["library", "note", "drum room"]);
    assert_eq!(store::read(&path).unwrap().about.notes, "");
    // Nothing is said of an empty library but how to fill it.
    let empty = Home::new();
    let (out, said) = texts(&empty.catena(["library"]).output().unwrap());
    assert!(out.is_empty() && said.contains("export"), "{out}{said}");
}

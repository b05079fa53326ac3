//! `catena export` as tests call it, in the environment of the process they run in.

use std::path::{Path, PathBuf};
use std::process::Command;

use host_core::model::{Law, MacroId};
use host_core::store;

use crate::built;
use crate::daw::chain_with_macros;
use crate::fixtures::library;

/// A delay of 100 frames before two gains: macro 2 is "Level" and turns the first, macro 9 the second.
pub fn strip() -> Vec<u8> {
    let slots: &[_] = &[("delay", &[("100", 100.0)] as &[_]), ("gain", &[("100", 0.5)]), ("gain", &[("100", 0.8)])];
    let law = Law::straight(0.0, 1.0);
    let mut chain =
        store::unpack(&chain_with_macros(slots, &[(9, 2, "100", law), (2, 1, "100", law)])).expect("a chain");
    chain.name = "Strip".into();
    chain.macros[0].name = Some("Level".into());
    (chain.macros[0].value, chain.macros[1].value) = (0.5, 0.8);
    // Held and mapped to nothing: no parameter of the plugin.
    chain.macro_mut(MacroId::new(4).expect("a chain")).name = Some("Idle".into());
    store::pack(&chain).expect("a chain")
}

/// Writes `packed` as the chain file `name` in `folder`.
pub fn chain_file(folder: &Path, name: &str, packed: &[u8]) -> PathBuf {
    std::fs::create_dir_all(folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, packed).expect("a file");
    path
}

/// `catena export CHAIN --to KIND --out OUT` with `more`; both outputs and whether it went well.
pub fn export(chain: &Path, to: &str, out: &Path, more: &[&str]) -> (bool, String, String) {
    for package in ["catena", "catena-entry-clap", "catena-entry-lv2"] {
        library(package);
    }
    let mut command = Command::new(built::folder().join("catena"));
    command.arg("export").arg(chain).args(["--to", to, "--out"]).arg(out).args(more);
    let output = command.output().expect("catena starts");
    let (out, err) = crate::cli::texts(&output);
    (output.status.success(), out, err)
}

/// The same, which must go well; what was printed.
pub fn exported(chain: &Path, to: &str, out: &Path, more: &[&str]) -> String {
    let (done, out, err) = export(chain, to, out, more);
    assert!(done, "{out}\n{err}");
    out
}

/// What `folder` holds, hidden files too, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into()).collect();
    names.sort();
    names
}

/// Asserts that the specifications' own checker has nothing to say of the Turtle in `bundle`, nor in `others`, which it names.
pub fn assert_valid(bundle: &Path, others: &[&Path]) {
    let turtle = |folder: &Path| {
        let names = names(folder).into_iter().filter(|name| name.ends_with(".ttl"));
        names.map(|name| folder.join(name)).collect::<Vec<_>>()
    };
    let turtle: Vec<_> = [&[bundle][..], others].concat().into_iter().flat_map(turtle).collect();
    let output = Command::new("lv2_validate").args(turtle).output().expect("lv2_validate (lv2-dev, sordi)");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("Found 0 errors"), "{}: {said}", bundle.display());
    // A file that is no Turtle is none of the errors that it counts.
    assert!(!said.lines().any(|line| line.starts_with("error")), "{}: {said}", bundle.display());
}

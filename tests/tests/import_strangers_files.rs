//! A stranger's file harms nobody: it is refused or read in part, and takes no file that is not its own.

use std::path::{Path, PathBuf};

use catena_tests::imports::kept;
use host_core::model::Catalog;
use host_core::store::import::{self, ImportError, Imported};

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

fn read(path: &Path) -> Result<Vec<Imported>, ImportError> {
    import::read(path, &Catalog::default(), false)
}

fn project(inner: &str) -> String {
    format!("<?xml version='1.0'?>\n<!DOCTYPE CARLA-PROJECT>\n<CARLA-PROJECT VERSION='2.5'>{inner}</CARLA-PROJECT>\n")
}

fn plugin(data: &str) -> String {
    project(&format!("<Plugin><Info><Type>LV2</Type><Name>X</Name><URI>urn:x</URI></Info><Data>{data}</Data></Plugin>"))
}

fn path_to(file: &str) -> String {
    let kind = "http://lv2plug.in/ns/ext/atom#Path";
    plugin(&format!("<CustomData><Type>{kind}</Type><Key>urn:k</Key><Value>{file}</Value></CustomData>"))
}

#[test]
fn entities_that_grow_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let laughs: String =
        (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10))).collect();
    let text = plugin("<Chunk>&l9;</Chunk>")
        .replace("PROJECT>\n<CARLA", &format!("PROJECT [<!ENTITY l0 \"ha\">{laughs}]>\n<CARLA"));
    let error = read(&write(folder.path(), "laughs.carxp", &text)).unwrap_err();
    assert!(matches!(&error, ImportError::Refused { path, .. } if path.ends_with("laughs.carxp")), "{error}");
    let text = plugin("").replace("PROJECT>\n<CARLA", "PROJECT SYSTEM 'file:///etc/passwd'>\n<CARLA");
    assert!(read(&write(folder.path(), "outside.carxp", &text)).is_ok(), "it is not looked at");
}

#[test]
fn depth_and_number_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let deep = project(&format!("{}{}", "<a>".repeat(200_000), "</a>".repeat(200_000)));
    let deep = read(&write(folder.path(), "deep.carxp", &deep)).unwrap_err();
    assert!(!deep.to_string().is_empty());
    let many = project(&"<Plugin/>".repeat(5000));
    let many = read(&write(folder.path(), "many.carxp", &many)).unwrap_err();
    assert!(matches!(&many, ImportError::Refused { .. }), "{many}");
    let nested = format!("<urn:a> <urn:b> {} 1 {} .", "[ <urn:b> ".repeat(100_000), "]".repeat(100_000));
    assert!(read(&write(folder.path(), "deep/x.ttl", &nested)).is_err());
    let lists = format!("<urn:a> <urn:b> {} 1 {} .", "( ".repeat(100_000), ")".repeat(100_000));
    assert!(read(&write(folder.path(), "lists/x.ttl", &lists)).is_err());
}

#[test]
fn what_is_no_such_file_is_named_and_damage_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    for text in
        ["", "\0\0\u{feff}", "<html/>", "{\"schema\":1}", "<CARLA-PROJECT>", "<CARLA-PROJECT>&nope;</CARLA-PROJECT>"]
    {
        let error = read(&write(folder.path(), "odd.carxp", text)).unwrap_err().to_string();
        assert!(error.contains("odd.carxp") && error.contains("neither a Carla project"), "{text:?}: {error}");
    }
    let whole = std::fs::read_to_string(kept("rack.carxp")).unwrap();
    let error = read(&write(folder.path(), "cut.carxp", &whole[..2000])).unwrap_err().to_string();
    assert!(error.contains("cut.carxp") && error.chars().any(|c| c.is_ascii_digit()), "{error}");
    // Signs that XML cannot hold cost themselves alone.
    let found = read(&write(folder.path(), "odd.carxp", &plugin("<Volume>1</Volume>\u{1}"))).unwrap();
    assert!(found[0].untaken.iter().any(|line| line.contains("question marks")), "{found:?}");
}

#[test]
fn numbers_that_are_none_are_told_and_never_in_a_chain() {
    let folder = tempfile::tempdir().unwrap();
    let param = |value: &str| format!("<Parameter><Symbol>s{value}</Symbol><Value>{value}</Value></Parameter>");
    let all: String = ["nan", "inf", "1e999", "-infinity", "0,5", ""].map(param).concat();
    let text = plugin(&format!("<DryWet>nan</DryWet><Volume>inf</Volume><Panning>-nan</Panning>{all}"));
    let found = read(&write(folder.path(), "x.carxp", &text)).unwrap();
    let slot = found[0].chain.slots().next().unwrap();
    assert_eq!((slot.params.len(), slot.mix, slot.output_gain), (0, 1.0, 0.0));
    assert_eq!(found[0].untaken.iter().filter(|line| line.contains("no number")).count(), 6, "{found:?}");
}

#[test]
fn no_file_outside_of_the_project_is_taken_unless_the_user_wants_it() {
    let (folder, away) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let secret = write(away.path(), "secret.txt", "secret");
    write(folder.path(), "sub/own.txt", "own");
    std::os::unix::fs::symlink(&secret, folder.path().join("link.txt")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.txt")).unwrap();
    let assets = |file: &str, anywhere| {
        let project = write(folder.path(), "x.carxp", &path_to(file));
        let found = import::read(&project, &Catalog::default(), anywhere).unwrap().remove(0);
        let slot = found.chain.slots().next().unwrap().clone();
        let taken = slot.state.map(|state| state.assets.values().map(|bytes| bytes.to_vec()).collect::<Vec<_>>());
        (taken.unwrap_or_default(), found.untaken.join("\n"))
    };
    let (own, told) = assets("sub/own.txt", false);
    assert_eq!(own, [b"own"], "{told}");
    let up = format!("../{}/secret.txt", away.path().file_name().unwrap().to_string_lossy());
    for file in
        [secret.to_str().unwrap(), "link.txt", up.as_str(), "sub/../../etc/passwd", "/dev/zero", "zero.txt", "sub", ""]
    {
        let (taken, told) = assets(file, false);
        assert!(taken.is_empty() && told.contains("urn:k the file"), "{file}: {told}");
    }
    assert_eq!(assets(secret.to_str().unwrap(), true).0, [b"secret"]);
    assert!(assets("/dev/zero", true).0.is_empty());
}

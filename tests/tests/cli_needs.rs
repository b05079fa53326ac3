//! `catena needs` says what chains and sessions need, what of it is here, and which package brings the rest; a plugin that is missing is
//! offered in the other format and never put in by itself.

use std::io::{Cursor, Write as _};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catena_tests::cli::{Home, texts};
use serde_json::Value;
use zip::write::SimpleFileOptions;

const ZAM: &str = "lv2:urn:zamaudio:ZamComp";
const FIL4: &str = "lv2:http://gareus.org/oss/lv2/fil4#stereo";

/// A chain of a CLAP and an LV2 plugin, made where both are.
fn made() -> (Home, Vec<u8>) {
    let home = Home::scanned();
    home.ok(["new", "voice.catena", "clap:com.zamaudio.ZamComp", FIL4]);
    home.ok(["edit", "voice.catena", "set", "1", "Threshold", "-32.5"]);
    home.ok(["edit", "voice.catena", "macro", "map", "1", "ZamComp", "Threshold"]);
    let bytes = std::fs::read(home.path("voice.catena")).unwrap();
    (home, bytes)
}

/// A home that has these LV2 bundles alone; CLAP plugins are where every host looks for them.
fn with_lv2(bundles: &[&str]) -> Home {
    let home = Home::new();
    std::fs::create_dir(home.path("some-lv2")).unwrap();
    for bundle in bundles {
        let real = std::path::Path::new("/usr/lib/lv2").join(bundle);
        std::os::unix::fs::symlink(real, home.path("some-lv2").join(bundle)).unwrap();
    }
    home
}

/// As qtractor packs a session.
fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn catena(home: &Home, args: &[&str]) -> Command {
    let mut command = home.catena(args);
    command.env("LV2_PATH", home.path("some-lv2"));
    command
}

fn said(mut command: Command, code: i32) -> (String, String) {
    let output = command.output().unwrap();
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    (out, err)
}

fn plugin<'a>(told: &'a Value, id: &str) -> &'a Value {
    let all = told["plugins"].as_array().unwrap();
    all.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("{told}"))
}

#[test]
fn what_is_here_is_named_with_its_version_and_package_and_a_save_notes_them() {
    let (home, _) = made();
    let text = home.ok(["needs", "voice.catena"]);
    for word in ["ZamComp", "clap:com.zamaudio.ZamComp", "zam-plugins", "x42-plugins", "here"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let told = home.json(["needs", ".", "--json"]);
    let fil4 = plugin(&told, "http://gareus.org/oss/lv2/fil4#stereo");
    assert_eq!((&fil4["format"], &fil4["package"]["by"]), (&"lv2".into(), &"dpkg".into()), "{fil4}");
    assert_eq!((&fil4["wanted"], &fil4["install"]), (&fil4["here"]["version"], &"apt install x42-plugins".into()));
    let chain = home.json(["show", "voice.catena", "--json"]);
    let identity = &chain["nodes"][0]["identity"];
    assert_eq!(identity["package"]["name"], "zam-plugins", "{identity}");
    assert!(identity["package"]["version"].as_str().is_some_and(|version| !version.is_empty()), "{identity}");
    assert_eq!(identity["hash"].as_str().map(str::len), Some(64), "{identity}");
    // An edit elsewhere keeps them.
    home.ok(["edit", "voice.catena", "bypass", "2"]);
    assert_eq!(home.json(["show", "voice.catena", "--json"])["nodes"][0]["identity"], *identity);
}

#[test]
fn what_is_missing_fails_with_the_command_that_brings_it_and_is_offered_in_the_other_format() {
    let first = with_lv2(&["ZamComp.lv2", "fil4.lv2"]);
    said(catena(&first, &["new", "voice.catena", ZAM, FIL4]), 0);
    said(catena(&first, &["edit", "voice.catena", "set", "1", "Threshold", "-32.5"]), 0);
    said(catena(&first, &["edit", "voice.catena", "macro", "map", "1", "ZamComp", "Threshold"]), 0);
    let bytes = std::fs::read(first.path("voice.catena")).unwrap();
    let home = with_lv2(&[]);
    std::fs::write(home.path("voice.catena"), &bytes).unwrap();
    let (out, err) = said(catena(&home, &["needs", "voice.catena"]), 1);
    assert!(out.contains("lv2:urn:zamaudio:ZamComp is here as CLAP: clap:com.zamaudio.ZamComp"), "{out}");
    for word in ["2 of 2 plugins are missing", "apt install zam-plugins", "apt install x42-plugins"] {
        assert!(err.contains(word), "{word}: {err}");
    }
    let told: Value = serde_json::from_str(&said(catena(&home, &["needs", "--json", "voice.catena"]), 1).0).unwrap();
    let zam = plugin(&told, "urn:zamaudio:ZamComp");
    assert_eq!((&zam["here"], &zam["name"]), (&Value::Null, &"ZamComp".into()));
    assert_eq!(zam["other-format"], serde_json::json!(["clap:com.zamaudio.ZamComp"]));
    assert_eq!(std::fs::read(home.path("voice.catena")).unwrap(), bytes, "nothing was put in");
    let (shown, _) = said(catena(&home, &["show", "voice.catena"]), 0);
    let offer = "here as CLAP: catena edit FILE replace 1 clap:com.zamaudio.ZamComp";
    assert!(shown.contains(offer) && shown.contains("package zam-plugins"), "{shown}");
    let (_, err) = said(catena(&home, &["edit", "voice.catena", "replace", "1", "clap:com.zamaudio.ZamComp"]), 0);
    assert!(!err.contains("could not take over"), "{err}");
    let chain: Value = serde_json::from_str(&said(catena(&home, &["show", "voice.catena", "--json"]), 0).0).unwrap();
    let slot = &chain["nodes"][0];
    assert_eq!((&slot["plugin"], &slot["params"]["4"]), (&"clap:com.zamaudio.ZamComp".into(), &(-32.5).into()));
    assert_eq!(chain["macros"][0]["targets"][0]["param"], "4");
}

#[test]
fn a_slot_is_replaced_and_duplicated_and_what_cannot_be_taken_over_is_said() {
    let (home, _) = made();
    home.ok(["edit", "voice.catena", "duplicate", "ZamComp"]);
    let chain = home.json(["show", "voice.catena", "--json"]);
    assert_eq!(chain["nodes"][0]["params"], chain["nodes"][1]["params"]);
    assert_ne!(chain["nodes"][0]["id"], chain["nodes"][1]["id"]);
    let output = home.catena(["edit", "voice.catena", "replace", "1", "ZamTube"]).output().unwrap();
    let (out, err) = texts(&output);
    assert!(
        output.status.success() && err.contains("could not take over: what macro 1 moves (Threshold)"),
        "{out}{err}"
    );
    assert!(home.fails(1, ["edit", "voice.catena", "replace", "1", "nothing like it"]).contains("no plugin is called"));
}

#[test]
fn sessions_and_folders_are_read_and_what_cannot_be_read_is_named() {
    let (home, bytes) = made();
    let text = STANDARD.encode(&bytes);
    let write = |path: &str, text: &[u8]| {
        std::fs::create_dir_all(home.path(path).parent().unwrap()).unwrap();
        std::fs::write(home.path(path), text).unwrap();
    };
    let xml = "<Session><Route id=\"8\" name=\"drums\"><Processor id=\"191\" name=\"Catena\" type=\"lv2\">\
               <lv2 state-dir=\"state2\"/></Processor></Route></Session>";
    write("songs/one/one.ardour", xml.as_bytes());
    write("songs/one/plugins/191/state1/state.ttl", b"an older one");
    let state =
        format!("<> <urn:catena-audio:chain> \"\"\"{text}\"\"\"^^<http://www.w3.org/2001/XMLSchema#base64Binary> .");
    write("songs/one/plugins/191/state2/state.ttl", state.as_bytes());
    write("songs/two/two.qtr", format!("<config key=\"chunk\">{text}</config>").as_bytes());
    write("songs/notes.txt", b"nothing");
    // Sound in an archive is passed over, whatever is in it.
    let session = format!("<config key=\"chunk\">{text}</config>");
    write("songs/three.qtz", &zipped(&[("three.qtr", session.as_bytes()), ("take.wav", text.as_bytes())]));
    let told = home.json(["needs", "songs", "--json"]);
    let places = plugin(&told, "com.zamaudio.ZamComp")["places"].clone();
    assert_eq!(places, serde_json::json!(["songs/one/one.ardour, drums", "songs/three.qtz", "songs/two/two.qtr"]));
    write("songs/cut.qtz", &zipped(&[("cut.qtr", session.as_bytes())])[..200]);
    let output = home.catena(["needs", "songs/cut.qtz"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output).1.contains("cut.qtz: is damaged"), "{}", texts(&output).1);
    std::fs::remove_file(home.path("songs/cut.qtz")).unwrap();
    // A session of another DAW is asked for by name.
    write("other.als", format!("<X>{text}</X>").as_bytes());
    assert!(home.ok(["needs", "other.als"]).contains("ZamComp"));
    write("songs/broken.catena", b"PK\x03\x04 and no more");
    let output = home.catena(["needs", "songs"]).output().unwrap();
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(out.contains("ZamComp") && err.contains("broken.catena"), "{out}{err}");
    assert!(home.fails(1, ["needs", "songs/notes.txt"]).contains("notes.txt"));
    assert!(home.fails(1, ["needs", "nowhere"]).contains("no such file"));
}

#[test]
fn a_plugin_that_is_not_the_one_that_was_saved_is_named_until_it_is_accepted() {
    let home = Home::scanned();
    home.ok(["new", "x.catena.d", "clap:com.zamaudio.ZamComp"]);
    let file = home.path("x.catena.d/chain.json");
    let mut tree: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    tree["nodes"][0]["identity"]["parameters"][4]["min"] = (-60.0).into();
    std::fs::write(&file, tree.to_string()).unwrap();
    let noted = |args: [&str; 4]| texts(&home.catena(args).output().unwrap()).1;
    let wanted =
        "ZamComp is not the plugin that was saved: its parameters are other ones: Threshold with another range";
    for _ in 0..2 {
        let said = noted(["edit", "x.catena.d", "bypass", "1"]);
        assert!(said.contains(wanted) && said.contains("accept 1"), "{said}");
    }
    // A render says so too, and so does a look that opens the plugins.
    home.sine("in.wav", 48_000, 4800);
    let output = home.catena(["render", "in.wav", "out.wav", "--chain", "x.catena.d", "--json"]).output().unwrap();
    let (out, said) = texts(&output);
    assert!(said.contains(wanted) && said.contains("edit x.catena.d accept 1"), "{said}");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert!(report["slots"][0]["doubts"][0].as_str().unwrap().contains("Threshold"), "{report}");
    assert!(home.ok(["show", "x.catena.d", "--check"]).contains(wanted));
    assert!(!home.ok(["show", "x.catena.d"]).contains("not the plugin"), "it opens nothing by itself");
    let shown = home.json(["show", "x.catena.d", "--check", "--json"]);
    assert_eq!(
        (shown["doubts"][0]["slot"].as_str(), shown["nodes"][0]["id"].as_u64()),
        (Some("1"), Some(1)),
        "{shown}"
    );
    home.ok(["edit", "x.catena.d", "accept", "1"]);
    assert!(!noted(["edit", "x.catena.d", "bypass", "1"]).contains("not the plugin"));
    assert_eq!(home.json(["show", "x.catena.d", "--check", "--json"])["doubts"], serde_json::json!([]));
}

//! Bad input gives one clear sentence, the right exit code, and no file.

use std::path::Path;

use catena_tests::cli::{Home, refused};

/// A home with a sine and an empty chain, and the render of it with `more` arguments.
fn ready() -> Home {
    let home = Home::new();
    home.sine("in.wav", 48_000, 4800);
    home.ok(["new", "c.catena"]);
    home
}

fn render<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["render", "in.wav", "out.wav", "--chain", "c.catena"];
    args.extend(more);
    args
}

#[track_caller]
fn nothing_new(home: &Home) {
    let files = home.files();
    assert!(!files.iter().any(|name| name.contains("out") || name.contains(".part")), "left behind: {files:?}");
}

#[test]
fn blocks_rates_and_tails_out_of_range_are_refused_with_the_range() {
    let home = ready();
    for block in ["0", "8193", "-1", "text", "99999999999"] {
        let said = home.fails(2, render(&["--block", block]));
        assert!(said.contains("1 to 8192") && said.contains("--block"), "{said}");
    }
    for rate in ["0", "7999", "384001", "-1", "text"] {
        let said = home.fails(2, render(&["--rate", rate]));
        assert!(said.contains("8000 to 384000"), "{said}");
    }
    for (tail, expect) in [("-1", "0 to 3600"), ("nan", "finite"), ("1,5", "write 1.5")] {
        let said = home.fails(2, render(&["--tail", tail]));
        assert!(said.contains(expect), "{said}");
    }
    assert!(home.fails(2, render(&["--bits", "20"])).contains("32f"));
    nothing_new(&home);
}

#[test]
fn missing_unreadable_and_empty_files_are_named() {
    let home = ready();
    assert!(home.fails(1, ["render", "no.wav", "out.wav", "--chain", "c.catena"]).contains("no.wav: no such file"));
    assert!(home.fails(1, ["render", "in.wav", "out.wav", "--chain", "no.catena"]).contains("no.catena: no such file"));
    assert!(home.fails(1, ["show", "no.catena"]).contains("no.catena: no such file"));
    assert!(home.fails(1, ["render", "in.wav", "nowhere/out.wav", "--chain", "c.catena"]).contains("no such folder"));
    std::fs::write(home.path("empty.wav"), "").unwrap();
    assert!(home.fails(1, ["render", "empty.wav", "out.wav", "--chain", "c.catena"]).contains("empty.wav: is empty"));
    std::fs::create_dir(home.path("folder.wav")).unwrap();
    assert!(home.fails(1, ["render", "folder.wav", "out.wav", "--chain", "c.catena"]).contains("is a folder"));
    assert!(home.fails(1, ["render", "in.wav", "folder.wav", "--chain", "c.catena"]).contains("is no file"));
    assert!(home.fails(2, ["render", "in.wav", "out.mp3", "--chain", "c.catena"]).contains("ends in .wav"));
    nothing_new(&home);
}

#[test]
fn what_is_not_audio_is_not_rendered() {
    let home = ready();
    std::fs::write(home.path("text.wav"), "This is no sound.".repeat(1000)).unwrap();
    let said = home.fails(1, ["render", "text.wav", "out.wav", "--chain", "c.catena"]);
    assert!(said.contains("text.wav: cannot be read as audio"), "{said}");
    assert!(
        home.fails(1, ["render", "c.catena", "out.wav", "--chain", "c.catena"]).contains("cannot be read as audio")
    );
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 48_000,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let mut writer = hound::WavWriter::create(home.path("nan.wav"), spec).unwrap();
    for frame in 0..1000 {
        writer.write_sample(if frame == 700 { f32::NAN } else { 0.1 }).unwrap();
    }
    writer.finalize().unwrap();
    assert!(home.fails(1, ["render", "nan.wav", "out.wav", "--chain", "c.catena"]).contains("frame 700"));
    nothing_new(&home);
}

#[test]
fn the_output_never_takes_the_inputs_place() {
    let home = ready();
    let before = std::fs::read(home.path("in.wav")).unwrap();
    std::fs::hard_link(home.path("in.wav"), home.path("same.wav")).unwrap();
    std::os::unix::fs::symlink("in.wav", home.path("link.wav")).unwrap();
    for other in ["in.wav", "./in.wav", "same.wav", "link.wav"] {
        let said = home.fails(2, ["render", "in.wav", other, "--chain", "c.catena"]);
        assert!(said.contains("same file"), "{said}");
    }
    assert_eq!(std::fs::read(home.path("in.wav")).unwrap(), before);
}

#[test]
fn a_chain_file_with_an_error_is_named_with_line_and_column() {
    let home = ready();
    let folder = home.path("bad.catena.d");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("chain.json"), "{\n  \"schema\": {\"major\": 1, \"minor\": 0},\n  \"nodes\": [,]\n}\n")
        .unwrap();
    for args in [["show", "bad.catena.d"].to_vec(), ["render", "in.wav", "out.wav", "--chain", "bad.catena.d"].to_vec()]
    {
        let said = home.fails(1, args);
        assert!(said.contains("bad.catena.d") && said.contains("line 3") && said.contains("column"), "{said}");
    }
    std::fs::write(home.path("text.catena"), "hello").unwrap();
    assert!(home.fails(1, ["show", "text.catena"]).contains("text.catena"));
    assert!(home.fails(1, ["text.catena", "--no-editor", "--backend", "dummy"]).contains("text.catena"));
    nothing_new(&home);
}

#[test]
fn unknown_and_ambiguous_plugins_come_with_what_may_be_meant() {
    let home = Home::scanned();
    let said = home.fails(1, ["new", "x.catena", "zamcmop"]);
    assert!(said.contains("zamcmop") && said.contains("ZamComp"), "{said}");
    let said = home.fails(2, ["new", "x.catena", "zamco"]);
    assert!(said.contains("clap:com.zamaudio.ZamComp") && said.contains("clap:com.zamaudio.ZamCompX2"), "{said}");
    assert!(home.fails(1, ["info", "clap:not.there"]).contains("clap:not.there"));
    assert!(home.files().is_empty(), "{:?}", home.files());
}

#[test]
fn values_slots_and_places_out_of_range_change_nothing() {
    let home = Home::scanned();
    home.ok(["new", "c.catena", "ZamCompX2"]);
    let before = std::fs::read(home.path("c.catena")).unwrap();
    let set = |value| home.fails(2, ["edit", "c.catena", "set", "1", "Threshold", value]);
    assert!(set("100").contains("-80 to 0"));
    for value in ["nan", "inf", "loud"] {
        assert!(set(value).contains("Threshold"));
    }
    assert!(set("-20,5").contains("write -20.5"));
    assert!(home.fails(2, ["edit", "c.catena", "set", "1", "@mix", "1.5"]).contains("0 to 1"));
    assert!(home.fails(2, ["edit", "c.catena", "set", "1", "Threshhold", "0"]).contains("Threshold"));
    assert!(home.fails(2, ["edit", "c.catena", "remove", "2"]).contains("slots 1 to 1"));
    assert!(home.fails(2, ["edit", "c.catena", "move", "1", "5"]).contains("1 to 1"));
    assert!(home.fails(2, ["edit", "c.catena", "bypass", "nobody"]).contains("no slot is called"));
    assert_eq!(std::fs::read(home.path("c.catena")).unwrap(), before);
}

#[test]
fn a_missing_plugin_stops_a_render_unless_it_may_go_on() {
    let home = ready();
    home.ok(["scan"]);
    home.ok(["new", "m.catena.d", "ZamTube"]);
    let json = home.path("m.catena.d/chain.json");
    let text = std::fs::read_to_string(&json).unwrap().replace("com.zamaudio.ZamTube", "com.gone.Away");
    std::fs::write(&json, text).unwrap();
    let said = home.fails(1, ["render", "in.wav", "out.wav", "--chain", "m.catena.d"]);
    assert!(said.contains("com.gone.Away") && said.contains("--keep-going"), "{said}");
    nothing_new(&home);
    home.ok(["render", "in.wav", "kept.wav", "--chain", "m.catena.d", "--keep-going"]);
}

#[test]
fn a_file_size_limit_and_a_full_disk_leave_nothing_behind() {
    let home = ready();
    home.sine("long.wav", 48_000, 96_000);
    let catena = catena_tests::cli::programs().join("catena");
    let render = format!("'{}' render long.wav out.wav --chain c.catena", catena.display());
    let limited = home.command("bash").args(["-c", &format!("ulimit -f 100; exec {render}")]).output().unwrap();
    assert!(refused(&limited, 1).contains("out.wav: would be larger"));
    nothing_new(&home);
    // A file system of 64 KiB in a name space of its own.
    let disk = home.path("disk");
    std::fs::create_dir(&disk).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=64k none disk && '{}' render long.wav disk/out.wav --chain c.catena; code=$?; ls -A disk; exit $code",
        catena.display()
    );
    let full =
        home.command("unshare").args(["--user", "--map-root-user", "--mount", "bash", "-c", &script]).output().unwrap();
    assert!(refused(&full, 1).contains("the disk is full"));
}

#[test]
fn a_chain_on_a_full_disk_stays_as_it_was() {
    let home = Home::scanned();
    home.ok(["new", "c.catena", "ZamCompX2"]);
    std::fs::create_dir(home.path("disk")).unwrap();
    let catena = catena_tests::cli::programs().join("catena").display().to_string();
    let script = format!(
        "mount -t tmpfs -o size=8k none disk && cp c.catena disk/ && head -c 100000 /dev/zero > disk/full 2>/dev/null
        '{catena}' edit disk/c.catena add ZamTube; code=$?
        cmp c.catena disk/c.catena && [ \"$(ls -A disk | wc -l)\" = 2 ] || exit 99
        exit $code"
    );
    let full =
        home.command("unshare").args(["--user", "--map-root-user", "--mount", "bash", "-c", &script]).output().unwrap();
    let said = refused(&full, 1);
    assert!(said.contains("c.catena") && said.contains("full"), "{said}");
}

#[test]
fn files_that_may_not_be_read_or_written_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let home = ready();
    let mode = |name: &str, mode| {
        std::fs::set_permissions(home.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    std::fs::copy(home.path("in.wav"), home.path("secret.wav")).unwrap();
    std::fs::copy(home.path("c.catena"), home.path("secret.catena")).unwrap();
    mode("secret.wav", 0o000);
    mode("secret.catena", 0o000);
    mode("", 0o555);
    // In a name space of users that maps nobody, root too is bound by the files' modes.
    let fails = |args: &[&str]| {
        let mut command = home.command("unshare");
        command.args(["--user", "--"]);
        let output = command.arg(catena_tests::cli::programs().join("catena")).args(args).output().unwrap();
        refused(&output, 1)
    };
    let said = fails(&["render", "secret.wav", "out.wav", "--chain", "c.catena"]);
    assert!(said.contains("secret.wav") && said.contains("ermission"), "{said}");
    let said = fails(&["show", "secret.catena"]);
    assert!(said.contains("secret.catena") && said.contains("ermission"), "{said}");
    let said = fails(&["render", "in.wav", "out.wav", "--chain", "c.catena"]);
    assert!(said.contains("out.wav") && said.contains("ermission"), "{said}");
    let said = fails(&["new", "other.catena"]);
    assert!(said.contains("other.catena") && said.contains("ermission"), "{said}");
    mode("", 0o755);
    nothing_new(&home);
}

#[test]
fn words_that_are_no_commands_are_told_apart_from_files() {
    let home = Home::new();
    assert!(home.fails(2, ["rendr"]).contains("catena render"));
    assert!(home.fails(1, ["song.catena"]).contains("song.catena: no such file"));
    home.fails(2, ["render"]);
    home.fails(2, ["scan", "--nonsense"]);
    home.ok(["--help"]);
    assert!(home.ok(["render", "--help"]).contains("Examples"));
}

#[test]
fn a_window_without_a_display_says_how_to_do_without() {
    let home = ready();
    assert!(home.fails(1, ["c.catena"]).contains("--no-editor"));
    assert!(Path::new(&home.path("c.catena")).is_file());
}

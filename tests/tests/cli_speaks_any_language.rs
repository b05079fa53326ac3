//! Numbers are numbers under a locale with commas, even where a plugin sets it for the whole process; names in any script survive
//! every path.

use std::process::Command;

use catena_tests::cli::{Home, samples, texts};

/// `catena` as a user in Germany has it.
fn german(home: &Home, args: &[&str]) -> Command {
    let mut command = home.catena(args);
    command.env("LC_ALL", "de_DE.UTF-8").env("LANG", "de_DE.UTF-8");
    command
}

fn ok(home: &Home, args: &[&str]) -> String {
    let output = german(home, args).output().expect("catena starts");
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{args:?}: {out}\n{err}");
    out
}

#[test]
fn state_command_line_and_numbers_under_a_comma_locale() {
    let home = Home::of_fixtures();
    home.sine("in.wav", 48_000, 9600);
    // The fixture calls setlocale when it is made: whatever reads or writes a number after that must not mind.
    ok(&home, &["new", "c.catena.d", "Fixture locale", "Fixture gain"]);
    ok(&home, &["edit", "c.catena.d", "set", "1", "gain", "0.5"]);
    ok(&home, &["edit", "c.catena.d", "set", "2", "gain", "1.25"]);
    ok(&home, &["edit", "c.catena.d", "set", "2", "@mix", "0.75"]);
    let json = std::fs::read_to_string(home.path("c.catena.d/chain.json")).unwrap();
    assert!(json.contains("1.25") && json.contains("0.75") && !json.contains("1,25"), "{json}");
    let shown: serde_json::Value = serde_json::from_str(&ok(&home, &["show", "c.catena.d", "--json"])).expect("JSON");
    assert!(shown.to_string().contains("0.75"), "{shown}");
    ok(&home, &["render", "in.wav", "out.wav", "--chain", "c.catena.d", "--bits", "32f", "--tail", "0.125"]);
    let (_, before) = samples(&home.path("in.wav"));
    let (_, after) = samples(&home.path("out.wav"));
    let at = 2 * 9000;
    let (before, after) = (before[at..at + 400].iter(), after[at..at + 400].iter());
    // Half, then three quarters at 1.25 and one quarter dry.
    let expected = 0.5 * (0.75 * 1.25 + 0.25);
    assert!(before.zip(after).all(|(dry, wet)| (dry * expected - wet).abs() < 1e-4));
    // A comma is not guessed at.
    let refused = german(&home, &["edit", "c.catena.d", "set", "2", "gain", "0,5"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(texts(&refused).1.contains("write 0.5"), "{}", texts(&refused).1);
}

#[test]
fn names_in_any_script_survive_every_path() {
    let home = Home::of_fixtures();
    for name in ["Größe – déjà vu", "Цепь", "鎖の音", "سلسلة", "emoji 🎛 and 'quotes\" \\ $HOME"] {
        let folder = home.path(name);
        std::fs::create_dir(&folder).unwrap();
        let file = |end: &str| format!("{name}/{name}{end}");
        home.sine(&file(".wav"), 48_000, 4800);
        for chain in [file(".catena"), file(".catena.d")] {
            home.ok(["new", &chain, "Fixture gain"]);
            home.ok(["edit", &chain, "add", "Fixture mono"]);
            home.ok(["edit", &chain, "name", "2", name]);
            assert!(home.ok(["show", &chain]).contains(name), "{chain}");
            let said = home.json(["show", &chain, "--json"]).to_string();
            assert!(said.contains(&name.replace('\\', "\\\\").replace('"', "\\\"")), "{said}");
            home.ok(["render", &file(".wav"), &file("-out.wav"), "--chain", &chain]);
            assert!(home.path(file("-out.wav")).is_file());
            std::fs::remove_file(home.path(file("-out.wav"))).unwrap();
        }
        assert!(home.fails(1, ["show", &file("-no.catena")]).contains(name));
    }
}

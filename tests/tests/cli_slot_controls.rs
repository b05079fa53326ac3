//! A slot's own settings on the command line: set, shown, refused by name, and heard in a render.

use catena_tests::cli::{Home, samples};

#[test]
fn a_slots_settings_are_set_shown_and_refused() {
    let home = Home::scanned();
    home.ok(["new", "a.catena", "ZamTube", "ZaMaximX2"]);
    let set = |name: &str, value: &str| home.ok(["edit", "a.catena", "set", "1", name, value]);
    for (name, value) in [
        ("@pan", "-0.25"),
        ("@phase", "left"),
        ("@mono", "on"),
        ("@mute", "on"),
        ("@solo", "on"),
        ("@delta", "on"),
        ("@idle", "on"),
        ("@sleep", "2.5"),
        ("@if-fails", "mute-chain"),
    ] {
        set(name, value);
    }
    let shown = home.ok(["show", "a.catena"]);
    let marks = "muted, solo, delta, pan -0.25, phase left, mono, idle in bypass, sleeps after 2.5 s, mute the chain if it fails";
    assert!(shown.contains(marks), "{shown}");
    let chain = home.json(["show", "a.catena", "--json"]);
    assert_eq!((&chain["nodes"][0]["pan"], &chain["nodes"][0]["phase"]), (&(-0.25).into(), &"left".into()));
    assert_eq!(chain["nodes"][0]["sleep"], serde_json::json!({"after": 2.5}));
    for (name, value, part) in [
        ("@pan", "2", "-1 to 1"),
        ("@phase", "up", "left, right or both"),
        ("@mute", "perhaps", "on or off"),
        ("@sleep", "soon", "off, on, or the seconds"),
        ("@if-fails", "explode", "dry, mute or mute-chain"),
    ] {
        let output = home.catena(["edit", "a.catena", "set", "1", name, value]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(part), "{name} {value}: {text}");
    }
    for (name, value) in [("@mute", "off"), ("@solo", "off"), ("@delta", "off"), ("@sleep", "on"), ("@phase", "off")] {
        set(name, value);
    }
    let shown = home.ok(["show", "a.catena"]);
    assert!(shown.contains("(pan -0.25, mono, idle in bypass, sleeps, mute the chain"), "{shown}");
}

#[test]
fn lanes_are_mapped_to_macros_and_a_delta_and_the_dry_of_a_render_are_the_wet() {
    let home = Home::scanned();
    home.ok(["new", "a.catena", "ZamTube"]);
    home.sine("in.wav", 48_000, 24_000);
    let render = |out: &str| {
        home.ok(["render", "in.wav", out, "--chain", "a.catena", "--bits", "32f", "--compensate", "--tail", "0"]);
        samples(&home.path(out)).1
    };
    let wet = render("wet.wav");
    home.ok(["edit", "a.catena", "set", "1", "@delta", "on"]);
    let delta = render("delta.wav");
    home.ok(["edit", "a.catena", "set", "1", "@delta", "off"]);
    home.ok(["edit", "a.catena", "bypass", "1"]);
    let dry = render("dry.wav");
    let differs = wet.iter().zip(&dry).any(|(wet, dry)| (wet - dry).abs() > 0.01);
    assert!(differs, "the plugin does something");
    for (at, ((wet, delta), dry)) in wet.iter().zip(&delta).zip(&dry).enumerate() {
        assert!((delta + dry - wet).abs() < 1e-5, "{at}: {delta} + {dry} is not {wet}");
    }
    home.ok(["edit", "a.catena", "parallel", "1"]);
    home.ok(["edit", "a.catena", "macro", "map", "2", "1.2", "@gain", "--min", "-30", "--max", "0"]);
    home.ok(["edit", "a.catena", "macro", "map", "2", "1.1", "@mute"]);
    home.ok(["edit", "a.catena", "macro", "map", "3", "1.1.1", "@pan"]);
    let shown = home.ok(["show", "a.catena"]);
    for part in ["1.2 Lane 2", "1.1 Lane 1", "@gain", "@mute", "-30 to 0", "1.1.1 ZamTube", "@pan"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    home.ok(["edit", "a.catena", "macro", "set", "2", "0.5"]);
    let chain = home.json(["show", "a.catena", "--json"]);
    let lanes = &chain["nodes"][0]["lanes"];
    assert_eq!((&lanes[1]["gain"], &lanes[0]["mute"]), (&(-15.0).into(), &true.into()));
    home.ok(["edit", "a.catena", "macro", "unmap", "2", "1.1", "@mute"]);
    assert!(!home.ok(["show", "a.catena"]).contains("1.1 Lane 1  @mute"));
}

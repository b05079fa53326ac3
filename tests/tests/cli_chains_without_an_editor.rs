//! Chains are made, changed and shown on the command line, with real plugins of both formats.

use catena_tests::cli::Home;

#[test]
fn a_chain_is_made_changed_and_shown() {
    let home = Home::scanned();
    home.ok(["new", "voice.catena", "zamcompx2", "lv2:http://gareus.org/oss/lv2/fil4#stereo", "ZaMaximX2"]);
    home.ok(["edit", "voice.catena", "set", "1", "Threshold", "-20"]);
    home.ok(["edit", "voice.catena", "bypass", "ZaMaximX2"]);
    home.ok(["edit", "voice.catena", "move", "3", "1"]);
    home.ok(["edit", "voice.catena", "add", "clap:com.zamaudio.ZamGateX2", "--at", "2"]);
    home.ok(["edit", "voice.catena", "set", "ZamGateX2", "@mix", "0.25"]);
    let chain = home.json(["show", "voice.catena", "--json"]);
    let plugins: Vec<_> =
        chain["nodes"].as_array().unwrap().iter().map(|node| node["plugin"].as_str().unwrap()).collect();
    assert_eq!(plugins[0], "clap:com.zamaudio.ZaMaximX2");
    assert_eq!(plugins[1], "clap:com.zamaudio.ZamGateX2");
    assert_eq!(plugins[2], "clap:com.zamaudio.ZamCompX2");
    assert!(plugins[3].starts_with("lv2:http://gareus.org/oss/lv2/fil4"), "{plugins:?}");
    assert_eq!(chain["nodes"][0]["bypass"], true);
    assert_eq!(chain["nodes"][1]["mix"], 0.25);
    assert_eq!(chain["nodes"][2]["params"]["4"], -20.0);
    home.ok(["edit", "voice.catena", "bypass", "1", "off"]);
    home.ok(["edit", "voice.catena", "remove", "2"]);
    let shown = home.ok(["show", "voice.catena"]);
    assert!(shown.contains("3 slots") && !shown.contains("ZamGateX2") && !shown.contains("bypassed"), "{shown}");
}

#[test]
fn a_parameter_is_named_as_info_lists_it() {
    let home = Home::scanned();
    home.ok(["new", "c.catena", "ZaMultiCompX2"]);
    for (name, value) in [("toggle1", "on"), ("thr2/Threshold 2", "-20"), ("Ratio3", "3"), ("0", "7")] {
        home.ok(["edit", "c.catena", "set", "1", name, value]);
    }
    let params = &home.json(["show", "c.catena", "--json"])["nodes"][0]["params"];
    assert_eq!([&params["20"], &params["13"], &params["11"], &params["0"]], [1.0, -20.0, 3.0, 7.0]);
    let said = home.fails(2, ["edit", "c.catena", "set", "1", "xover", "300"]);
    assert!(said.contains("several parameters") && said.contains("18"), "{said}");
}

#[test]
fn a_slots_midi_is_chosen_shown_and_put_back() {
    let home = Home::scanned();
    home.ok(["new", "keys.catena", "ZamTube", "ZamDelay"]);
    let wish = ["--source", "container", "--channels", "1-2,10", "--keys", "C2-B4", "--velocity", "10-99"];
    home.ok(["edit", "keys.catena", "midi", "1", "--transpose", "-12"].into_iter().chain(wish));
    home.ok(["edit", "keys.catena", "set", "2", "@merge-midi", "on"]);
    let chain = home.json(["show", "keys.catena", "--json"]);
    let midi = &chain["nodes"][0]["midi"];
    assert_eq!(
        (&midi["source"], &midi["channels"], &midi["transpose"]),
        (&"container".into(), &515.into(), &(-12).into())
    );
    assert_eq!((&midi["keys"], &midi["velocity"]), (&[36, 71][..].into(), &[10, 99][..].into()));
    assert!(chain["nodes"][1].get("midi").is_none());
    let shown = home.ok(["show", "keys.catena"]);
    for said in ["MIDI from the container", "channels 1,2,10", "keys 36 to 71", "transposed by -12", "joins"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    home.ok(["edit", "keys.catena", "midi", "1", "--reset"]);
    assert!(!home.ok(["show", "keys.catena"]).contains("transposed"));
    assert!(home.fails(2, ["edit", "keys.catena", "midi", "1", "--keys", "72-36"]).contains("36-72"));
}

#[test]
fn an_unpacked_chain_is_a_folder_and_names_in_any_script_survive() {
    let home = Home::scanned();
    let name = "голос 声 ä.catena.d";
    home.ok(["new", name, "ZamTube"]);
    assert!(home.path(name).join("chain.json").is_file());
    home.ok(["edit", name, "name", "1", "Röhre 真空管"]);
    assert!(home.ok(["show", name]).contains("Röhre 真空管"));
    home.sine("вход.wav", 48_000, 4800);
    home.ok(["render", "вход.wav", "出力.wav", "--chain", name]);
    assert!(home.path("出力.wav").is_file());
}

#[test]
fn an_existing_chain_is_kept_unless_told_otherwise() {
    let home = Home::new();
    home.ok(["new", "a.catena"]);
    assert!(home.fails(1, ["new", "a.catena"]).contains("--force"));
    home.ok(["new", "a.catena", "--force"]);
}

#[test]
fn an_edit_says_what_it_does_to_the_latency_and_the_mode_is_kept() {
    let home = Home::scanned();
    home.ok(["new", "c.catena", "ZamCompX2"]);
    let said = home.ok(["edit", "c.catena", "add", "ZaMaximX2"]);
    assert!(said.contains("latency 0 -> 480 samples (+480)"), "{said}");
    assert_eq!(home.ok(["edit", "c.catena", "bypass", "2"]), "");
    let said = home.ok(["edit", "c.catena", "latency", "20", "--hold", "on"]);
    assert!(said.contains("latency 480 -> 960 samples (+480)"), "{said}");
    let shown = home.ok(["show", "c.catena"]);
    assert!(shown.contains("latency constant 20 ms, changes of it wait for the stop"), "{shown}");
    let said = home.ok(["edit", "c.catena", "remove", "2"]);
    assert_eq!(said, "", "20 ms are told whatever is in the chain");
    home.ok(["edit", "c.catena", "grid", "16"]);
    assert!(home.ok(["show", "c.catena"]).contains("LV2 controls change every 16 samples"));
    assert_eq!(home.json(["show", "c.catena", "--json"])["grid"], 16);
    home.fails(2, ["edit", "c.catena", "grid", "0"]);
    home.fails(2, ["edit", "c.catena", "grid", "8193"]);
    home.ok(["edit", "c.catena", "grid", "64"]);
    assert!(home.json(["show", "c.catena", "--json"])["grid"].is_null(), "as ever is not written");
    home.ok(["edit", "c.catena", "latency", "live", "--hold", "off"]);
    assert!(home.ok(["show", "c.catena"]).contains("latency told as 0\n"));
    for wrong in ["soon", "-1", "9999"] {
        home.fails(2, ["edit", "c.catena", "latency", wrong]);
    }
    home.fails(2, ["edit", "c.catena", "latency"]);
}

//! Macros are mapped, named, set and listed on the command line.

use catena_tests::cli::Home;

#[test]
fn macros_are_mapped_named_set_and_shown() {
    let home = Home::scanned();
    home.ok(["new", "voice.catena", "ZamCompX2", "lv2:http://gareus.org/oss/lv2/fil4#stereo"]);
    home.ok(["edit", "voice.catena", "set", "1", "Threshold", "-20"]);
    let edit = |rest: &[&str]| home.ok([&["edit", "voice.catena", "macro"], rest].concat());
    edit(&["map", "1", "ZamCompX2", "Threshold"]);
    let chain = home.json(["show", "voice.catena", "--json"]);
    let one = &chain["macros"][0];
    assert_eq!((one["number"].as_u64(), one["targets"][0]["param"].as_str()), (Some(1), Some("4")));
    let (min, max) = (&one["targets"][0]["min"], &one["targets"][0]["max"]);
    let (min, max) = (min.as_f64().unwrap(), max.as_f64().unwrap());
    assert!(
        (one["value"].as_f64().unwrap() - (-20.0 - min) / (max - min)).abs() < 1e-9,
        "it stands where that is: {one}"
    );
    assert_eq!(chain["nodes"][0]["params"]["4"], -20.0, "mapping changes nothing");
    edit(&["map", "1", "2", "@mix", "--min", "0.25", "--max", "0.75", "--curve", "0.5", "--inverted"]);
    edit(&["name", "1", "Squeeze"]);
    edit(&["set", "1", "1"]);
    let chain = home.json(["show", "voice.catena", "--json"]);
    assert_eq!((chain["nodes"][0]["params"]["4"].as_f64(), chain["nodes"][1]["mix"].as_f64()), (Some(max), Some(0.25)));
    let shown = home.ok(["show", "voice.catena"]);
    for words in ["macro 1", "\"Squeeze\"", "1 ZamCompX2", "@mix", "0.25 to 0.75, curve 0.5, inverted"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    edit(&["unmap", "1", "2", "@mix"]);
    assert!(!home.ok(["show", "voice.catena"]).contains("@mix"));
    edit(&["unmap", "1"]);
    edit(&["name", "1"]);
    assert!(!home.ok(["show", "voice.catena"]).contains("macro 1"));
}

#[test]
fn what_cannot_be_is_said_in_one_sentence() {
    let home = Home::scanned();
    home.ok(["new", "a.catena", "ZamTube"]);
    let wrong = |code: i32, rest: &[&str], words: &str| {
        let said = home.fails(code, [&["edit", "a.catena", "macro"], rest].concat());
        assert!(said.contains(words), "{rest:?}: {said}");
    };
    wrong(2, &["map", "129", "1", "@mix"], "macros are 1 to 128");
    wrong(2, &["map", "0", "1", "@mix"], "0");
    wrong(2, &["map", "1", "7", "@mix"], "there is no slot 7");
    wrong(2, &["map", "1", "1", "Nonsense"], "has no parameter");
    wrong(2, &["map", "1", "1", "@mix", "--max", "2"], "outside");
    wrong(2, &["map", "1", "1", "@mix", "--curve", "3"], "curve");
    wrong(2, &["map", "1", "1", "@mix", "--min", "low"], "low");
    wrong(2, &["set", "1", "1.5"], "outside 0 to 1");
    wrong(2, &["unmap", "4"], "not mapped");
    let help = home.ok(["edit", "a.catena", "macro", "--help"]);
    assert!(help.contains("Mapping changes no sound") && help.contains("macro map 1"), "{help}");
}

#[test]
fn controllers_are_assigned_on_the_machine_or_in_the_chain() {
    let home = Home::scanned();
    home.ok(["new", "a.catena", "ZamTube"]);
    let edit = |rest: &[&str]| home.ok([&["edit", "a.catena", "macro"], rest].concat());
    edit(&["cc", "1", "3", "74"]);
    edit(&["cc", "2", "16", "7", "--wide", "--in-chain"]);
    let chain = home.json(["show", "a.catena", "--json"]);
    assert_eq!(chain["macros"][0]["controller"], serde_json::json!({"channel": 16, "number": 7, "wide": true}));
    let shown = home.ok(["show", "a.catena"]);
    for words in ["macro 1  at 0, turned by controller 74 of channel 3 on this machine", "of channel 16 (14 bits)"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    home.ok(["new", "b.catena"]);
    let other = home.ok(["show", "b.catena"]);
    assert!(other.contains("channel 3") && !other.contains("channel 16"), "{other}");
    edit(&["forget-cc", "1"]);
    edit(&["forget-cc", "2"]);
    assert!(!home.ok(["show", "a.catena"]).contains("turned by"));
    let wrong = |rest: &[&str], words: &str| {
        let said = home.fails(2, [&["edit", "a.catena", "macro"], rest].concat());
        assert!(said.contains(words), "{rest:?}: {said}");
    };
    wrong(&["forget-cc", "1"], "no controller moves macro 1");
    wrong(&["cc", "1", "0", "74"], "channels are 1 to 16");
    wrong(&["cc", "1", "1", "120"], "0 to 119");
    wrong(&["cc", "1", "1", "32", "--wide"], "0 to 31");
    wrong(&["cc", "129", "1", "74"], "macros are 1 to 128");
}

//! Lanes are made, filled, changed and shown on the command line.

use catena_tests::cli::{Home, samples};

#[test]
fn lanes_are_made_filled_changed_and_shown() {
    let home = Home::scanned();
    home.ok(["new", "a.catena", "lv2:http://gareus.org/oss/lv2/fil4#stereo", "ZamTube"]);
    home.ok(["edit", "a.catena", "parallel", "2"]);
    let shown = home.ok(["show", "a.catena"]);
    assert!(shown.contains("2  2 lanes: copies") && shown.contains("2.2  Lane 2  (empty, silent)"), "{shown}");
    assert!(shown.contains("2.1.1  ZamTube"), "{shown}");
    home.ok(["edit", "a.catena", "add", "ZaMaximX2", "--into", "2.2"]);
    home.ok(["edit", "a.catena", "move", "1", "1", "--into", "2.2"]);
    home.ok(["edit", "a.catena", "lane", "1.1", "gain", "-6"]);
    home.ok(["edit", "a.catena", "lane", "1.1", "delay", "2.5ms"]);
    home.ok(["edit", "a.catena", "lane", "1.2", "name", "Träger"]);
    home.ok(["edit", "a.catena", "lane", "1.2", "solo"]);
    let shown = home.ok(["show", "a.catena"]);
    assert!(shown.contains("1.1  Lane 1  (gain -6 dB, delay 2.5 ms)"), "{shown}");
    assert!(shown.contains("1.2  Träger  (solo)") && shown.contains("1.2.2  ZaMaximX2"), "{shown}");
    home.ok(["edit", "a.catena", "set", "1.2.2", "@mix", "0.5"]);
    home.ok(["edit", "a.catena", "parallel", "1.2.1", "1.2.2", "--split", "bands", "--at-hz", "300,3000"]);
    let chain = home.json(["show", "a.catena", "--json"]);
    let bands = &chain["nodes"][0]["lanes"][1]["nodes"][0];
    assert_eq!(bands["split"]["bands"], serde_json::json!([300.0, 3000.0]));
    assert_eq!(bands["lanes"][0]["nodes"][1]["mix"], 0.5);
    home.ok(["edit", "a.catena", "move", "1.2.1.1.2", "1", "--into", "1.2.1.3"]);
    home.ok(["edit", "a.catena", "remove", "1.1"]);
    home.ok(["edit", "a.catena", "lanes", "1", "add"]);
    home.ok(["edit", "a.catena", "lanes", "1", "level"]);
    home.ok(["edit", "a.catena", "lanes", "1", "dissolve"]);
    let shown = home.ok(["show", "a.catena"]);
    assert!(shown.contains("2 slots") && shown.contains("1  3 lanes: 3 bands, at 300 Hz, 3000 Hz"), "{shown}");
    assert!(shown.contains("1.3.1  ZaMaximX2"), "{shown}");
}

#[test]
fn what_does_not_go_is_said_and_the_file_stays() {
    let home = Home::scanned();
    home.ok(["new", "a.catena", "ZamTube", "ZaMaximX2"]);
    home.ok(["edit", "a.catena", "parallel", "1", "--split", "mid-side"]);
    let before = home.ok(["show", "a.catena"]);
    let wrong: [(&[&str], &str); 8] = [
        (&["lane", "1.3", "mute"], "no lane 1.3"),
        (&["lane", "1.1", "pan", "3"], "-1 to 1"),
        (&["lanes", "2", "level"], "no lanes 2"),
        (&["parallel", "2", "--split", "bands"], "--at-hz"),
        (&["parallel", "2", "--split", "bands", "--at-hz", "900,300"], "rising frequencies"),
        (&["lanes", "1", "add"], "2 lanes, no more and no less"),
        (&["move", "1", "1", "--into", "1.2"], "part of what is to be moved"),
        (&["bypass", "1.4.1"], "nothing at 1.4.1"),
    ];
    for (args, part) in wrong {
        let output = home.catena([&["edit", "a.catena"], args].concat()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(part), "{args:?}: {text}");
    }
    assert_eq!(home.ok(["show", "a.catena"]), before);
}

#[test]
fn a_render_through_lanes_is_what_they_say() {
    let home = Home::new();
    home.ok(["new", "dry.catena"]);
    home.sine("in.wav", 48_000, 9600);
    // Two dry copies at half the level each, by hand: a chain that holds no plugin needs none.
    let lane = |id: u64| format!(r#"{{"id":{id},"dry":true,"gain":-6.020599913279624}}"#);
    let text = format!(
        r#"{{"schema":{{"major":1,"minor":1}},"nodes":[{{"node":"lanes","id":1,"split":"copy","lanes":[{},{}]}}]}}"#,
        lane(2),
        lane(3)
    );
    let folder = home.path("two.catena.d");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("chain.json"), text).unwrap();
    home.ok(["render", "in.wav", "out.wav", "--chain", "two.catena.d", "--bits", "32f"]);
    let ((_, input), (_, output)) = (samples(&home.path("in.wav")), samples(&home.path("out.wav")));
    for (i, (a, b)) in input.iter().zip(&output).enumerate() {
        assert!((a - b).abs() < 1e-5, "frame {i}: {a} and {b}");
    }
}

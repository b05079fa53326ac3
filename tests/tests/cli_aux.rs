//! Auxiliary outputs are chosen and shown on the command line.

use catena_tests::cli::Home;

#[test]
fn auxiliary_outputs_are_chosen_shown_and_refused_where_there_are_none() {
    let home = Home::of_fixtures();
    home.ok(["new", "a.catena", "clap:catena.fixture.instrument", "clap:catena.fixture.gain"]);
    let shown = |part: &str| {
        let text = home.ok(["show", "a.catena"]);
        assert!(text.contains(part), "{part}: {text}");
    };
    home.ok(["edit", "a.catena", "aux", "1", "8"]);
    shown("further outputs: 1 on aux 8");
    home.ok(["edit", "a.catena", "aux", "instrument", "none", "--output", "1"]);
    shown("further outputs: 1 on none");
    home.ok(["edit", "a.catena", "aux", "1", "1"]);
    assert!(!home.ok(["show", "a.catena"]).contains("further"), "that is where they go by themselves");
    home.ok(["edit", "a.catena", "parallel", "2"]);
    home.ok(["edit", "a.catena", "aux", "2.1", "4"]);
    shown("2.1  Lane 1  (also on aux 4)");
    home.ok(["edit", "a.catena", "aux", "2.1", "5", "--only"]);
    shown("2.1  Lane 1  (on aux 5)");
    let json = home.json(["show", "a.catena", "--json"]);
    assert_eq!(json["nodes"][1]["lanes"][0]["aux"], serde_json::json!({"out": 5, "only": true}));
    home.ok(["edit", "a.catena", "aux", "2.1", "none"]);
    assert!(!home.ok(["show", "a.catena"]).contains("aux"));
    for (args, part) in [
        (&["1", "9"][..], "1 to 8"),
        (&["1", "2", "--only"], "--only goes with a lane"),
        (&["2.1", "2", "--output", "1"], "--output goes with a slot"),
        (&["gain", "2"], "Fixture gain has no outputs beside its main one"),
    ] {
        let text = home.fails(2, [&["edit", "a.catena", "aux"], args].concat());
        assert!(text.contains(part), "{args:?}: {text}");
    }
    let text = home.fails(1, ["edit", "a.catena", "aux", "1", "2", "--output", "3"]);
    assert!(text.contains("has 1 outputs beside its main one, and no number 3"), "{text}");
}

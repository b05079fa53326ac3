//! A slot's sidechain is chosen and shown on the command line.

use catena_tests::cli::Home;

#[test]
fn a_sidechain_is_chosen_shown_and_refused_where_it_cannot_be() {
    let home = Home::scanned();
    home.ok(["new", "a.catena", "ZamTube", "clap:com.zamaudio.ZamGateX2", "ZamEQ2"]);
    let shown = |part: &str| {
        let text = home.ok(["show", "a.catena"]);
        assert!(text.contains(part), "{part}: {text}");
    };
    home.ok(["edit", "a.catena", "sidechain", "2", "ZamTube"]);
    shown("sidechain from 1 ZamTube");
    home.ok(["edit", "a.catena", "sidechain", "2", "input"]);
    shown("sidechain from the chain's input");
    home.ok(["edit", "a.catena", "sidechain", "ZamGateX2", "none"]);
    shown("no sidechain");
    home.ok(["edit", "a.catena", "parallel", "1", "--split", "mid-side"]);
    home.ok(["edit", "a.catena", "sidechain", "2", "1.1"]);
    shown("sidechain from 1.1 Mid");
    assert_eq!(home.json(["show", "a.catena", "--json"])["nodes"][1]["sidechain"]["output"], 5);
    home.ok(["edit", "a.catena", "move", "2", "1"]);
    shown("sidechain silent: 2.1 Mid is not before it");
    home.ok(["edit", "a.catena", "remove", "2"]);
    shown("sidechain silent: what it heard (5) is gone");
    // All of it runs: neither a render nor a preset is refused for that.
    home.sine("in.wav", 48_000, 4800);
    home.ok(["render", "in.wav", "out.wav", "--chain", "a.catena"]);
    let refused = home.fails(1, ["edit", "a.catena", "sidechain", "1", "ZamEQ2"]);
    assert!(refused.contains("ZamGateX2 cannot hear ZamEQ2"), "{refused}");
    let refused = home.fails(1, ["edit", "a.catena", "sidechain", "ZamEQ2", "1"]);
    assert!(refused.contains("ZamEQ2 has no sidechain input"), "{refused}");
    let refused = home.fails(2, ["edit", "a.catena", "sidechain", "1", "7.1"]);
    assert!(refused.contains("nothing at 7.1"), "{refused}");
    home.ok(["edit", "a.catena", "sidechain", "1", "container"]);
    assert!(!home.ok(["show", "a.catena"]).contains("sidechain"));
}

//! A slot is oversampled on the command line.

use catena_tests::cli::Home;

#[test]
fn a_slot_is_oversampled_shown_and_back() {
    let home = Home::scanned();
    home.ok(["new", "a.catena", "clap:com.zamaudio.ZamTube"]);
    home.ok(["edit", "a.catena", "oversample", "ZamTube", "4"]);
    let shown = home.ok(["show", "a.catena"]);
    assert!(shown.contains("4 times oversampled") && shown.contains("latency 66 frames"), "{shown}");
    assert_eq!(home.json(["show", "a.catena", "--json"])["nodes"][0]["oversample"], 4);
    let text = home.fails(2, ["edit", "a.catena", "oversample", "1", "3"]);
    assert!(text.contains("2, 4 or 8"), "{text}");
    home.ok(["edit", "a.catena", "oversample", "1", "off"]);
    let shown = home.ok(["show", "a.catena"]);
    assert!(!shown.contains("oversampled") && !shown.contains("latency 66"), "{shown}");
}

//! `catena copy` and `catena paste`: slots from file to file, as text.

use std::io::Write;
use std::process::{Output, Stdio};

use catena_tests::cli::{Home, refused, texts};

fn paste(home: &Home, args: &[&str], text: &str) -> Output {
    let mut command = home.catena([&["paste"], args].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // One that refuses may not read it all.
    let _closed = child.stdin.take().unwrap().write_all(text.as_bytes());
    child.wait_with_output().unwrap()
}

fn pasted(home: &Home, args: &[&str], text: &str) -> String {
    let output = paste(home, args, text);
    let (out, err) = texts(&output);
    assert!(output.status.success() && out.is_empty(), "{out}\n{err}");
    err
}

fn titles(home: &Home, file: &str) -> Vec<String> {
    let chain = home.json(["show", file, "--json"]);
    let nodes = chain["nodes"].as_array().unwrap();
    nodes.iter().map(|node| node["identity"]["name"].as_str().unwrap_or("lanes").to_owned()).collect()
}

#[test]
fn slots_are_copied_by_number_and_name_and_pasted_at_a_place() {
    let home = Home::scanned();
    home.ok(["new", "a.catena", "ZamCompX2", "ZamEQ2", "ZaMaximX2"]);
    home.ok(["edit", "a.catena", "set", "1", "Threshold", "-20"]);
    home.ok(["new", "b.catena", "ZamTube"]);
    let some = home.ok(["copy", "a.catena", "3", "zamcomp"]);
    let said = pasted(&home, &["b.catena", "--at", "1"], &some);
    assert!(said.contains("ZamCompX2, ZaMaximX2"), "in the chain's own order: {said}");
    assert_eq!(titles(&home, "b.catena"), ["ZamCompX2", "ZaMaximX2", "ZamTube"]);
    assert_eq!(home.json(["show", "b.catena", "--json"])["nodes"][0]["params"]["4"], -20.0);
    home.ok(["edit", "b.catena", "parallel", "3"]);
    pasted(&home, &["b.catena", "--into", "3.2"], &some);
    pasted(&home, &["b.catena"], &home.ok(["copy", "b.catena", "3"]));
    assert_eq!(titles(&home, "b.catena"), ["ZamCompX2", "ZaMaximX2", "lanes", "lanes"]);
    assert!(home.ok(["show", "b.catena"]).contains("4.2.2"), "{}", home.ok(["show", "b.catena"]));
    // A whole chain makes a file of its own, the same.
    home.ok(["edit", "a.catena", "macro", "map", "1", "ZamCompX2", "Threshold"]);
    pasted(&home, &["c.catena"], &home.ok(["copy", "a.catena"]));
    assert_eq!(std::fs::read(home.path("c.catena")).unwrap(), std::fs::read(home.path("a.catena")).unwrap());
    for (args, text, code, told) in [
        (&["b.catena", "--at", "9"][..], some.as_str(), 2, "no place 9"),
        (&["b.catena", "--into", "1.1"], &some, 2, "no lane 1.1"),
        (&["b.catena"], "hello", 1, "no slots in the text"),
        (&["b.catena"], &some[..200], 1, "damaged"),
        (&["d.catena"], "", 1, "no slots in the text"),
        (&["no/such/d.catena", "--at", "1"], &some, 1, "no such file"),
    ] {
        let said = refused(&paste(&home, args, text), code);
        assert!(said.contains(told), "{args:?}: {said}");
    }
    assert!(!home.path("d.catena").exists());
    assert!(home.fails(2, ["copy", "a.catena", "9"]).contains("9"));
    home.ok(["new", "empty.catena"]);
    assert!(home.fails(1, ["copy", "empty.catena"]).contains("nothing in it"));
}

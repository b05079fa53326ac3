//! Every command that reads a chain says what was lost of a damaged one; none takes its place without keeping it.

use catena_tests::cli::{Home, lose_a_state, refused, texts};
use catena_tests::fixtures;

/// A home with the damaged chain `c.catena` of two plugins, one of which has lost its state; its bytes.
fn ready() -> (Home, Vec<u8>) {
    let home = Home::of_fixtures();
    let gain = format!("clap:{}", fixtures::clap_id("gain"));
    home.ok(["new", "c.catena.d", &gain, &gain]);
    let state = home.path("c.catena.d/state/1");
    assert!(state.is_file(), "the fixture has a state");
    home.ok(["new", "c.catena", &gain, &gain]);
    let bytes = lose_a_state(&home.path("c.catena"));
    home.sine("in.wav", 48_000, 4800);
    (home, bytes)
}

#[test]
fn show_and_edit_say_what_was_lost_and_the_damaged_file_is_kept() {
    let (home, bytes) = ready();
    let output = home.catena(["show", "c.catena"]).output().unwrap();
    let (out, err) = texts(&output);
    assert!(output.status.success() && out.contains("2 slots"), "{out}{err}");
    assert!(err.contains("note: c.catena: the state of") && err.contains("(slot 1)"), "{err}");
    assert_eq!(std::fs::read(home.path("c.catena")).unwrap(), bytes);

    let output = home.catena(["edit", "c.catena", "bypass", "1"]).output().unwrap();
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{out}{err}");
    assert!(err.contains("the state of") && err.contains("kept in") && err.contains("c.catena.damaged"), "{err}");
    assert_eq!(std::fs::read(home.path("c.catena.damaged")).unwrap(), bytes);
    let (_, err) = texts(&home.catena(["show", "c.catena"]).output().unwrap());
    assert!(err.is_empty(), "whole again: {err}");
}

#[test]
fn render_goes_on_only_where_it_is_told_to() {
    let (home, _) = ready();
    let said = refused(&home.catena(["render", "in.wav", "out.wav", "--chain", "c.catena"]).output().unwrap(), 1);
    assert!(said.contains("the state of") && said.contains("--keep-going"), "{said}");
    assert!(!home.path("out.wav").exists());
    let output = home.catena(["render", "in.wav", "out.wav", "--chain", "c.catena", "--keep-going"]).output().unwrap();
    assert!(output.status.success() && texts(&output).1.contains("the state of"), "{output:?}");
    assert!(home.path("out.wav").exists());
}

#[test]
fn recover_keeps_what_is_damaged_and_says_why_what_cannot_be_read_cannot() {
    let (home, bytes) = ready();
    let kept = home.path("state/catena/unsaved.catena");
    std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
    std::fs::write(&kept, &bytes).unwrap();
    std::fs::write(home.path("state/catena/unsaved-2.catena"), b"no chain").unwrap();
    let list = home.ok(["recover"]);
    assert!(list.contains("cannot be read: ") && list.contains("unsaved-2.catena"), "{list}");
    let listed = home.json(["recover", "--json"]);
    let chains = listed["chains"].as_array().unwrap();
    let number = chains.iter().find(|one| one["error"].is_null()).unwrap()["number"].to_string();

    let output = home.catena(["recover", "take", &number, "x.catena"]).output().unwrap();
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{out}{err}");
    assert!(err.contains("the state of") && err.contains("is damaged and stays"), "{err}");
    assert_eq!(std::fs::read(&kept).unwrap(), bytes);
    assert!(home.ok(["show", "x.catena"]).contains("2 slots"));
    // Taken to where it lies.
    home.ok(["recover", "take", &number, kept.to_str().unwrap(), "--force"]);
    assert!(kept.exists());
}

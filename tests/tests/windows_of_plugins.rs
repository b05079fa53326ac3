//! Hosted plugins' own windows: they open and close with the slot, what is done in them reaches the chain, and none of them leaves
//! anything behind.
#![allow(unsafe_code, reason = "each test is a process of its own, whose display is set before anything runs")]

use std::sync::Arc;

use catena_tests::desk::{Desk, Place};
use catena_tests::fixtures_lv2::{Fixtures, id};
use catena_tests::outside::Outside;
use catena_tests::session_bench::{Player, add, block, fixtures_catalog, live, lv2_catalog, session, until};
use host_core::model::{Catalog, MacroId, SlotId};
use host_core::session::{Command, MacroEdit, MacroSaid, SessionHandle, SlotView, WindowOffer};

const BLUE: [u8; 3] = [0x20, 0x40, 0xc0];
const RED: [u8; 3] = [0xc0, 0x40, 0x20];
const GREEN: [u8; 3] = [0x20, 0xc0, 0x40];

/// A desk that this process's windows come up on. Each test is a process of its own.
fn desk() -> Desk {
    let desk = Desk::new();
    let home = tempfile::tempdir().unwrap().keep();
    // SAFETY: no other thread of this process runs yet. The folders are for what plugins keep of their windows.
    unsafe {
        std::env::set_var("DISPLAY", desk.display());
        std::env::set_var("HOME", &home);
        std::env::set_var("XDG_CONFIG_HOME", &home);
    }
    desk
}

fn view(handle: &SessionHandle, slot: SlotId) -> SlotView {
    handle.snapshot().slots.iter().find(|view| view.id == slot).expect("the slot").clone()
}

fn value(handle: &SessionHandle, slot: SlotId) -> f64 {
    view(handle, slot).values[0]
}

/// The catalog of the LV2 fixtures; the folder lives as long as the second.
fn lv2_fixtures() -> (Arc<Catalog>, Fixtures) {
    let fixtures = Fixtures::new();
    (Arc::new(Catalog { plugins: fixtures.entries.clone(), bad: vec![] }), fixtures)
}

fn open(handle: &SessionHandle, desk: &Desk, slot: SlotId, name: &str) -> Place {
    handle.apply(Command::OpenWindow(slot)).expect("opened");
    let place = desk.wait_for_window(name);
    assert!(view(handle, slot).window.open);
    place
}

/// Waits until the middle of a window has a colour.
fn wait_for_colour(desk: &Desk, title: &str, colour: [u8; 3]) -> Place {
    let mut found = None;
    desk.wait_for(&format!("{title} to be {colour:?}"), || {
        found = desk
            .find(title)
            .filter(|place| desk.picture().at(place.x + place.width / 2, place.y + place.height / 2) == colour);
        found.is_some()
    });
    found.expect("just seen")
}

/// Clicks a window at a share of its width.
fn click(desk: &Desk, place: &Place, share: f64) {
    desk.click(place.x + (f64::from(place.width) * share) as i32, place.y + place.height / 2);
}

#[test]
fn a_clap_window_opens_moves_its_parameter_and_closes() {
    let (desk, outside) = (desk(), Outside::new());
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slot = add(&handle, "window");
    assert_eq!(view(&handle, slot).window.offer, WindowOffer::Inside);
    let _player = Player::start(processor);
    handle.apply(Command::RenameChain("Drums".into())).unwrap();
    handle.apply(Command::Macro(MacroId::new(1).unwrap(), MacroEdit::Learn(true))).unwrap();
    handle.take_outbox();
    let place = open(&handle, &desk, slot, "Fixture window - slot 1 - Drums - Catena");
    assert_eq!((place.width, place.height), (200, 120));
    handle.name_track("Drum bus".into());
    desk.wait_for_window("Fixture window - slot 1 - Drum bus - Catena");
    let place = wait_for_colour(&desk, "Fixture window", BLUE);
    desk.show("window-clap-fixture");
    click(&desk, &place, 0.25);
    assert!(until(|| value(&handle, slot) == 0.75), "{:?}", view(&handle, slot));
    assert!(until(|| handle.snapshot().macros.iter().any(|one| !one.targets.is_empty())), "a touch is learnt");
    assert!(handle.take_outbox().dirty, "the DAW is told");
    click(&desk, &place, 0.75);
    desk.wait_for("the size it asked for", || desk.find("Fixture window").is_some_and(|now| now.width == 300));
    let chain = handle.chain().unwrap();
    assert_eq!(chain.slot(slot).unwrap().window.size, Some((300, 160)));
    assert!(chain.slot(slot).unwrap().window.open);
    handle.apply(Command::Undo).unwrap();
    handle.apply(Command::Undo).unwrap();
    assert_eq!(value(&handle, slot), 0.25, "the gesture is one step");
    desk.close(&desk.wait_for_window("Fixture window"));
    desk.wait_until_gone("Fixture window");
    assert!(until(|| !view(&handle, slot).window.open));
    let log = outside.log();
    let of_windows = |what: &str| log.iter().filter(|line| *line == what).count();
    assert_eq!((of_windows("window window created"), of_windows("window window destroyed")), (1, 1), "{log:?}");
    assert!(log.contains(&"window window scale 1".to_owned()), "{log:?}");
}

#[test]
fn a_gesture_in_a_window_reaches_the_daw_as_begin_values_end() {
    let desk = desk();
    for (catalog, name, keep) in [(fixtures_catalog(), "window", None), {
        let (catalog, fixtures) = lv2_fixtures();
        (catalog, "lv2", Some(fixtures))
    }] {
        let (handle, processor) = session(&catalog);
        handle.activate(live(64)).unwrap();
        let plugin =
            if keep.is_some() { id("window") } else { host_core::model::PluginId::clap("catena.fixture.window") };
        let slot = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
        let _player = Player::start(processor);
        let first = MacroId::new(1).unwrap();
        let key = view(&handle, slot).params[0].key.clone();
        let aim = host_core::model::Aim::Param(slot, key);
        handle.apply(Command::Macro(first, MacroEdit::Map { aim, range: None })).unwrap();
        open(&handle, &desk, slot, "Fixture window");
        let place = wait_for_colour(&desk, "Fixture window", BLUE);
        handle.take_macros_said();
        click(&desk, &place, 0.2);
        let mut said = Vec::new();
        assert!(
            until(|| {
                said.extend(handle.take_macros_said());
                said.contains(&MacroSaid::End(first))
            }),
            "{name}: {said:?}"
        );
        assert_eq!(said.first(), Some(&MacroSaid::Begin(first)), "{name}: {said:?}");
        assert!(said.contains(&MacroSaid::Value(first, 0.75)), "{name}: {said:?}");
        assert_eq!(said.iter().filter(|one| matches!(one, MacroSaid::Begin(_))).count(), 1, "{name}: {said:?}");
        handle.apply(Command::CloseWindow(slot)).unwrap();
        desk.wait_until_gone("Fixture window");
    }
}

#[test]
fn an_lv2_window_hears_its_plugin_and_moves_its_parameter() {
    let desk = desk();
    let (catalog, _fixtures) = lv2_fixtures();
    let (handle, processor) = session(&catalog);
    handle.activate(live(64)).unwrap();
    let slot = handle.apply(Command::Add { plugin: id("window"), index: 0 }).unwrap().unwrap();
    let _player = Player::start(processor);
    let place = open(&handle, &desk, slot, "Fixture window - slot 1 - Catena");
    assert_eq!((place.width, place.height), (200, 120), "the frame has the size of what is in it");
    let place = wait_for_colour(&desk, "Fixture window", BLUE);
    handle.take_outbox();
    click(&desk, &place, 0.1);
    assert!(until(|| value(&handle, slot) == 0.75), "{:?}", view(&handle, slot).values);
    assert!(handle.take_outbox().dirty);
    // What is moved elsewhere is told to the window.
    handle.apply(Command::Param(slot, "knob".into(), 0.6)).unwrap();
    wait_for_colour(&desk, "Fixture window", RED);
    handle.apply(Command::Undo).unwrap();
    handle.apply(Command::Undo).unwrap();
    assert!(until(|| value(&handle, slot) == 0.25), "the hand in the window is one step");
    wait_for_colour(&desk, "Fixture window", BLUE);
    // A question goes to the plugin that runs, and its answer comes back.
    click(&desk, &place, 0.5);
    wait_for_colour(&desk, "Fixture window", GREEN);
    desk.show("window-lv2-fixture");
    click(&desk, &place, 0.9);
    desk.wait_for("the size it asked for", || desk.find("Fixture window").is_some_and(|now| now.width == 300));
    handle.apply(Command::CloseWindow(slot)).unwrap();
    desk.wait_until_gone("Fixture window");
}

#[test]
fn a_window_of_one_of_two_instances_moves_both() {
    let desk = desk();
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slot = add(&handle, "window-mono");
    let player = Player::start(processor);
    open(&handle, &desk, slot, "Fixture window-mono");
    let place = wait_for_colour(&desk, "Fixture window-mono", BLUE);
    click(&desk, &place, 0.25);
    assert!(until(|| value(&handle, slot) == 0.75));
    // What is on its way is taken before a save.
    handle.chain().unwrap();
    let (mut processor, _out) = player.stop();
    let mut heard = (0.0, 0.0);
    for _ in 0..40 {
        let (mut left, mut right) = ([1.0; 64], [1.0; 64]);
        block(&mut processor, &mut left, &mut right);
        heard = (left[63], right[63]);
    }
    assert_eq!(heard, (0.75, 0.75), "the left instance has the window");
}

#[test]
fn the_user_resizes_a_window_in_the_plugins_own_steps() {
    let desk = desk();
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "window");
    let place = open(&handle, &desk, slot, "Fixture window");
    desk.resize(&place, 333, 222);
    desk.wait_for("the step below", || {
        desk.find("Fixture window").is_some_and(|now| (now.width, now.height) == (330, 220))
    });
    wait_for_colour(&desk, "Fixture window", BLUE);
    // Place and size come back.
    desk.move_to(&place, 400, 300);
    assert!(until(|| handle.chain().unwrap().slot(slot).unwrap().window.place.is_some_and(|place| place.0 >= 400)));
    let before = desk.wait_for_window("Fixture window");
    handle.apply(Command::CloseWindow(slot)).unwrap();
    desk.wait_until_gone("Fixture window");
    let bytes = handle.save().unwrap();
    let (again, _processor) = session(&fixtures_catalog());
    again.load(&bytes).unwrap();
    assert_eq!(desk.find("Fixture window"), None, "a load opens no window");
    let now = open(&again, &desk, slot, "Fixture window");
    assert_eq!((now.x, now.y, now.width, now.height), (before.x, before.y, before.width, before.height));
}

#[test]
fn a_window_goes_with_its_slot_and_comes_back_with_a_slot_that_is_opened_anew() {
    let (desk, outside) = (desk(), Outside::new());
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let (slot, other) = (add(&handle, "window"), add(&handle, "gain"));
    let _player = Player::start(processor);
    open(&handle, &desk, slot, "Fixture window - slot 1");
    handle.apply(Command::Bypass(slot, true)).unwrap();
    handle.apply(Command::Move { slot: other, index: 0 }).unwrap();
    desk.wait_for_window("Fixture window - slot 2");
    handle.apply(Command::Retry(slot)).unwrap();
    assert!(until(|| outside.log().iter().filter(|line| *line == "window window created").count() == 2));
    desk.wait_for_window("Fixture window - slot 2");
    handle.apply(Command::Remove(slot)).unwrap();
    desk.wait_until_gone("Fixture window");
    handle.apply(Command::Undo).unwrap();
    assert!(view(&handle, slot).window.left_open, "an editor opens it again");
    open(&handle, &desk, slot, "Fixture window");
    handle.apply(Command::Clear).unwrap();
    desk.wait_until_gone("Fixture window");
}

#[test]
fn a_container_that_goes_takes_its_windows_along() {
    let (desk, outside) = (desk(), Outside::new());
    let (catalog, _fixtures) = lv2_fixtures();
    for catalog in [fixtures_catalog(), catalog] {
        let (handle, processor) = session(&catalog);
        handle.activate(live(64)).unwrap();
        let plugin = catalog.plugins.iter().find(|entry| entry.name == "Fixture window").unwrap().id.clone();
        let slot = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
        let player = Player::start(processor);
        open(&handle, &desk, slot, "Fixture window");
        drop(player.stop());
        drop(handle);
        desk.wait_until_gone("Fixture window");
    }
    assert_eq!(outside.log().iter().filter(|line| *line == "window window destroyed").count(), 1);
}

#[test]
fn a_plugin_that_only_floats_is_shown_with_its_title() {
    let desk = desk();
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "floats");
    assert_eq!(view(&handle, slot).window.offer, WindowOffer::Floating);
    open(&handle, &desk, slot, "Fixture floats - slot 1 - Catena");
    handle.apply(Command::CloseWindow(slot)).unwrap();
    desk.wait_until_gone("Fixture floats");
}

#[test]
fn without_a_display_or_a_window_the_user_is_told_why() {
    // SAFETY: no other thread of this process runs yet.
    unsafe { std::env::remove_var("DISPLAY") };
    let (handle, _processor) = session(&fixtures_catalog());
    let slot = add(&handle, "window");
    let error = handle.apply(Command::OpenWindow(slot)).unwrap_err().to_string();
    assert_eq!(
        error,
        "the window of Fixture window cannot be opened: there is no X11 display to show a window on (DISPLAY is not set)"
    );
    handle.send(Command::OpenWindow(slot));
    assert!(until(|| handle.snapshot().notice == error), "{}", handle.snapshot().notice);
    let slot = add(&handle, "gain");
    let error = handle.apply(Command::OpenWindow(slot)).unwrap_err().to_string();
    assert!(error.contains("it has none of its own; its parameters are in the list"), "{error}");
    let (handle, _processor) = session(&lv2_catalog(&["calf.lv2"]));
    let plugin = host_core::model::PluginId::lv2("http://calf.sourceforge.net/plugins/Reverb");
    let slot = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
    let error = handle.apply(Command::OpenWindow(slot)).unwrap_err().to_string();
    assert!(error.contains("it needs GTK 2, which Catena does not load"), "{error}");
}

/// Descriptors and threads of this process.
fn held() -> (usize, usize) {
    let count = |folder: &str| std::fs::read_dir(folder).unwrap().count();
    (count("/proc/self/fd"), count("/proc/self/task"))
}

#[test]
fn fifty_windows_opened_and_closed_in_any_order_leave_nothing_behind() {
    let desk = desk();
    let (catalog, _fixtures) = lv2_fixtures();
    let mut plugins = Catalog::clone(&fixtures_catalog());
    plugins.plugins.extend(catalog.plugins.iter().cloned());
    let (handle, _processor) = session(&Arc::new(plugins));
    let clap = host_core::model::PluginId::clap("catena.fixture.window");
    let slots: Vec<_> = (0..10)
        .map(|number| {
            let plugin = if number % 2 == 0 { clap.clone() } else { id("window") };
            handle.apply(Command::Add { plugin, index: number }).unwrap().unwrap()
        })
        .collect();
    // Once each, so that what is made once in a process is there.
    for slot in &slots {
        handle.apply(Command::OpenWindow(*slot)).unwrap();
        handle.apply(Command::CloseWindow(*slot)).unwrap();
    }
    desk.wait_until_gone("Fixture");
    let (mut noise, before) = (catena_tests::rig::Noise::new(7), held());
    let (mut is_open, mut opened) = ([false; 10], 0);
    while opened < 50 {
        let number = noise.pick(0..10);
        let command = if is_open[number] { Command::CloseWindow } else { Command::OpenWindow };
        handle.apply(command(slots[number])).unwrap();
        opened += usize::from(!is_open[number]);
        is_open[number] = !is_open[number];
    }
    assert!(is_open.contains(&true));
    desk.show("window-many");
    for slot in slots {
        handle.apply(Command::CloseWindow(slot)).unwrap();
    }
    // All windows of home and of plugins go with their connections, which are descriptors.
    desk.wait_until_gone("Fixture");
    assert!(until(|| held() == before), "{:?} and {before:?}", held());
}

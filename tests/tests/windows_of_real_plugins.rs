//! Windows of real plugins: a Zam plugin's CLAP, and LV2 ones of x42 and LSP, drawn with OpenGL and Cairo. Each is drawn, is turned by the
//! mouse, shows what is turned elsewhere, and goes.
#![allow(unsafe_code, reason = "each test is a process of its own, whose display is set before anything runs")]

use std::path::Path;
use std::sync::Arc;

use catena_tests::desk::{Desk, Place};
use catena_tests::session_bench::{Player, catalog, live, lv2_catalog, session, until};
use host_core::model::{Catalog, PluginId, SlotId};
use host_core::session::{Command, SessionHandle, SlotView, WindowOffer};

const GREETING: &str = "Update notification";

fn view(handle: &SessionHandle, slot: SlotId) -> SlotView {
    handle.snapshot().slots.iter().find(|view| view.id == slot).expect("the slot").clone()
}

/// How many colours a window shows.
fn colours(desk: &Desk, place: &Place) -> usize {
    let part = desk.picture().part(place.x, place.y, place.width, place.height);
    part.into_iter().collect::<std::collections::BTreeSet<_>>().len()
}

/// The values that a user may move.
fn values(handle: &SessionHandle, slot: SlotId) -> Vec<f64> {
    let view = view(handle, slot);
    let own = view.params.iter().zip(&view.values).filter(|(param, _)| !param.read_only);
    own.map(|(_, value)| *value).collect()
}

/// Drags here and there in a window until a value moves. False: none did.
fn turn_something(desk: &Desk, handle: &SessionHandle, slot: SlotId, place: &Place) -> bool {
    let before = values(handle, slot);
    // From below: menus are above.
    for y in (place.y + 30..place.bottom() - 20).rev().step_by(34) {
        for x in (place.x + 25..place.right() - 20).step_by(34) {
            desk.drag(x, y, (12, -24));
            if values(handle, slot) != before {
                return true;
            }
        }
    }
    until(|| values(handle, slot) != before)
}

fn is_drawn_turned_and_gone(catalog: Arc<Catalog>, plugin: PluginId, name: &str) {
    let desk = Desk::new();
    let home = tempfile::tempdir().unwrap();
    // SAFETY: nothing else of this process reads the environment now. The folders are for what plugins keep of their windows.
    unsafe {
        std::env::set_var("DISPLAY", desk.display());
        std::env::set_var("HOME", home.path());
        std::env::set_var("XDG_CONFIG_HOME", home.path());
    }
    let (handle, processor) = session(&catalog);
    handle.activate(live(256)).unwrap();
    let slot = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
    let player = Player::start(processor);
    handle.apply(Command::OpenWindow(slot)).unwrap();
    let title = format!("{} - slot 1 - Catena", view(&handle, slot).title);
    let mut place = desk.wait_for_window(&title);
    desk.wait_for("its picture", || {
        place = desk.find(&title).unwrap_or(place.clone());
        colours(&desk, &place) > 20
    });
    desk.show(&format!("window-{name}"));
    // LSP greets whoever has not seen this version.
    if let Some(greeting) = desk.find(GREETING) {
        desk.close(&greeting);
        desk.wait_until_gone(GREETING);
    }
    handle.take_outbox();
    assert!(turn_something(&desk, &handle, slot, &place), "nothing in the window moves a value");
    desk.show(&format!("window-{name}-turned"));
    assert!(until(|| handle.take_outbox().dirty), "the DAW is told");
    let steps = until(|| !handle.snapshot().history.steps.is_empty());
    assert!(steps, "it can be undone");
    handle.apply(Command::CloseWindow(slot)).unwrap();
    desk.wait_until_gone(&title);
    handle.apply(Command::OpenWindow(slot)).unwrap();
    let again = desk.wait_for_window(&title);
    desk.wait_for("its picture again", || colours(&desk, &again) > 20);
    drop(player.stop());
    drop(handle);
    desk.wait_until_gone(&title);
}

#[test]
fn of_zam_as_clap() {
    let file = Path::new("/usr/lib/clap/ZamEQ2.clap");
    is_drawn_turned_and_gone(catalog(&[file]), PluginId::clap("com.zamaudio.ZamEQ2"), "zam-clap");
}

#[test]
fn of_x42_as_lv2() {
    is_drawn_turned_and_gone(
        lv2_catalog(&["fil4.lv2"]),
        PluginId::lv2("http://gareus.org/oss/lv2/fil4#stereo"),
        "x42-lv2",
    );
}

#[test]
fn of_lsp_as_lv2() {
    let plugin = PluginId::lv2("http://lsp-plug.in/plugins/lv2/compressor_stereo");
    is_drawn_turned_and_gone(lv2_catalog(&["lsp-plugins.lv2"]), plugin, "lsp-lv2");
}

#[test]
fn of_x42_as_external_ui() {
    let desk = Desk::new();
    let home = tempfile::tempdir().unwrap();
    // SAFETY: nothing else of this process reads the environment now.
    unsafe {
        std::env::set_var("DISPLAY", desk.display());
        std::env::set_var("HOME", home.path());
        std::env::set_var("XDG_CONFIG_HOME", home.path());
    }
    let (handle, processor) = session(&lv2_catalog(&["meters.lv2"]));
    handle.activate(live(256)).unwrap();
    let plugin = PluginId::lv2("http://gareus.org/oss/lv2/meters#goniometer");
    let slot = handle.apply(Command::Add { plugin, index: 0 }).unwrap().unwrap();
    assert_eq!(view(&handle, slot).window.offer, WindowOffer::Floating);
    let _player = Player::start(processor);
    let title = format!("{} - slot 1 - Catena", view(&handle, slot).title);
    for round in 0..2 {
        handle.apply(Command::OpenWindow(slot)).unwrap();
        let mut place = desk.wait_for_window(&title);
        desk.wait_for("its picture", || {
            place = desk.find(&title).unwrap_or(place.clone());
            colours(&desk, &place) > 20
        });
        desk.show(&format!("window-external-{round}"));
        // By the user's hand, and by ours.
        match round {
            0 => desk.close(&place),
            _ => drop(handle.apply(Command::CloseWindow(slot)).unwrap()),
        }
        desk.wait_until_gone(&title);
        assert!(until(|| !view(&handle, slot).window.open));
    }
}

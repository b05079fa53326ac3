//! In Ardour's own window: what is typed in the editor's fields is there, letter for letter, and is nothing to Ardour; keys that
//! the editor has no use for are Ardour's. A slot is added with the mouse, the window gets another size, and the plugin is taken
//! out of the track with its editor open.

use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::ardour_window::{ArdourWindow, cards};
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::desk::Desk;
use catena_tests::fixtures;
use host_core::model::Chain;

/// The size that the window gets, and the bar that Ardour has above the editor, pixels.
const LARGER: (i32, i32) = (1180, 760);
/// The editor's ground, and that of the line that the keyboard would add.
const GROUND: [u8; 3] = [0x1b, 0x1d, 0x22];
const LINE: [u8; 3] = [0x1f, 0x46, 0x58];

fn ids(chain: &Chain) -> Vec<String> {
    chain.slots().map(|slot| slot.plugin.id.clone()).collect()
}

fn keys_and_mouse(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    ardour.create(&[stereo("chain")], 0.0);
    ardour.set_chain("chain", &chain(&[("delay", &[("100", 512.0)])]));
    let desk = Desk::new();
    let mut window = ArdourWindow::open(&ardour, &desk);
    let editor = window.open_editor();
    window.wait_for("the slot", |_| cards(&desk.picture(), &editor).len() == 1);
    window.wait_for_roll(false);

    // The chain's name: all of it, spaces too, and the song stands.
    desk.wait_until_still(&editor);
    window.click_until("the editor to have the keys", |_| (editor.x + 150, editor.y + 20), |_| desk.has_keys(&editor));
    desk.wait_until_still(&editor);
    desk.type_text("abc def");
    desk.press("Return");
    window.save_until("the name in the session", |chain| chain.name == "abc def");
    window.wait_for_roll(false);

    // The search: one plugin is left, and a click on it adds it after what is there.
    desk.activate(&window.frame().expect("an open editor"));
    window.click_until(
        "the editor to have the keys",
        |_| (editor.right() - 120, editor.y + 143),
        |_| desk.has_keys(&editor),
    );
    desk.type_text("fixture gain");
    desk.wait_until_still(&editor);
    desk.show("ardour-editor-search");
    let line = |window: &ArdourWindow| {
        let editor = window.editor().expect("an open editor");
        (editor.right() - 120, editor.y + 258)
    };
    window.click_until("the second slot", line, |_| cards(&desk.picture(), &editor).len() == 2);
    window.save_until("the second slot in the session", |chain| {
        ids(chain) == [fixtures::clap_id("delay"), fixtures::clap_id("gain")]
    });

    // Nothing in the editor has the keys: space is Ardour's.
    let frame = window.frame().expect("an open editor");
    desk.activate(&frame);
    desk.click(editor.x + 200, editor.bottom() - 40);
    window.wait_for("Ardour to have the keys", |_| !desk.has_keys(&editor));
    desk.press("space");
    window.wait_for_roll(true);
    desk.press("space");
    window.wait_for_roll(false);

    // Another size: the editor fills it.
    desk.resize(&window.frame().expect("an open editor"), LARGER.0, LARGER.1);
    window.wait_for("the editor to grow", |window| {
        window.editor().is_some_and(|editor| editor.width == LARGER.0 && editor.height > LARGER.1 - 60)
    });
    let editor = window.editor().expect("an open editor");
    window.wait_for("what is drawn to fill it", |_| {
        let picture = desk.picture();
        cards(&picture, &editor).len() == 2
            && picture.count(editor.x + 100, editor.bottom() - 30, 100, 20, |point| point == GROUND) == 2000
            && picture.count(editor.right() - 200, editor.y + 230, 190, 60, |point| point == LINE) > 2000
    });
    desk.show("ardour-editor-larger");

    // The plugin goes while its editor is open: both are gone, Ardour lives and saves a session without it.
    window.remove_plugin();
    window.wait_for("the editor to go", |window| window.frame().is_none() && desk.find("Catena").is_none());
    desk.show("ardour-editor-removed");
    window.save_until_without("a session without the plugin");
    assert!(window.lives());
}

#[test]
fn keys_and_mouse_reach_the_vst3s_editor_in_ardour() {
    with_fixtures("keys_and_mouse_reach_the_vst3s_editor_in_ardour", || keys_and_mouse(Format::Vst3));
}

#[test]
fn keys_and_mouse_reach_the_lv2s_editor_in_ardour() {
    with_fixtures("keys_and_mouse_reach_the_lv2s_editor_in_ardour", || keys_and_mouse(Format::Lv2));
}

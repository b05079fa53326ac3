//! In Ardour's own window a plugin's own lies in Catena's editor: it is drawn and turned there, goes with the editor and comes back.

use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::ardour_window::ArdourWindow;
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain_shown, with_fixtures};
use catena_tests::desk::{Desk, Place};

/// What the fixture's window shows.
const BLUE: [u8; 3] = [0x20, 0x40, 0xc0];

fn holds_it(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    ardour.create(&[stereo("chain")], 0.0);
    ardour.set_chain("chain", &chain_shown(&[("window", &[]), ("gain", &[])]));
    let desk = Desk::new();
    let mut window = ArdourWindow::open(&ardour, &desk);
    for round in 0..3 {
        let editor = window.open_editor();
        let blue = || {
            let is_blue = |x: &i32| desk.picture().at(*x, editor.y + editor.height / 2) == BLUE;
            let at = (editor.x..editor.right()).step_by(4).find(is_blue)?;
            Some(Place { x: at, ..editor.clone() })
        };
        window.wait_for("the plugin's window in the editor", |_| blue().is_some());
        desk.show(&format!("ardour-inside-{round}"));
        if round == 0 {
            // Its left half turns its parameter.
            let at = blue().expect("just seen");
            desk.click(at.x + 30, editor.y + editor.height / 2);
            let turned = |slot: &host_core::model::Slot| slot.params.values().any(|value| *value == 0.75);
            window.save_until("what was turned", |chain| chain.slots().next().is_some_and(turned));
        }
        window.close_editor();
        assert!(window.lives());
    }
    // The plugin goes with its editor open.
    window.open_editor();
    window.remove_plugin();
    window.wait_for("the editor to go", |window| window.editor().is_none());
    assert!(window.lives());
}

#[test]
fn of_the_lv2() {
    with_fixtures("of_the_lv2", || holds_it(Format::Lv2));
}

#[test]
fn of_the_vst3() {
    with_fixtures("of_the_vst3", || holds_it(Format::Vst3));
}

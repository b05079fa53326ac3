//! A window is drawn however long the window manager takes to show it.

use std::collections::BTreeSet;
use std::process::Stdio;

use catena_tests::cli::Home;
use catena_tests::desk::Desk;
use catena_tests::running::Running;

#[test]
fn the_standalones_window_is_drawn_when_it_is_shown_late() {
    let (home, desk) = (Home::of_fixtures(), Desk::new());
    home.ok(["new", "c.catena", "catena.fixture.gain"]);
    let _catena = desk.while_manager_sleeps(|| {
        let mut command = home.catena(["--backend", "dummy", "c.catena"]);
        command.env("DISPLAY", desk.display()).stdout(Stdio::null()).stderr(Stdio::null());
        let program = Running(command.spawn().expect("catena starts"));
        desk.wait_for_hidden_window("Catena");
        program
    });
    let window = desk.wait_for_window("Catena");
    desk.wait_for("a picture", || {
        let part = desk.picture_of(&window).part(0, 0, window.width, window.height);
        part.into_iter().collect::<BTreeSet<_>>().len() > 50
    });
}

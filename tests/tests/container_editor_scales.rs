//! At each scale the size told to the DAW is what is drawn, whoever says the scale and however often the editor is opened; and a hosted
//! plugin's window is told the same.

use std::time::{Duration, Instant};

use catena_tests::bundle::{Bundle, in_own_process};
use catena_tests::container_host::{ClapFile, ClapHost, take_sizes};
use catena_tests::daw::chain_shown;
use catena_tests::host_window::{GROUND, HostWindow};
use catena_tests::lv2_host::{Asked, Lv2File, Lv2Host, Lv2Window, Offer};
use catena_tests::outside::Outside;
use catena_tests::{desk, fixtures};
use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt as _};

const SCALES: [f64; 5] = [1.0, 1.25, 1.5, 2.0, 3.0];
/// The editor's first size, points.
const SIZE: (f64, f64) = (1000.0, 620.0);
const URI: &str = "urn:catena-audio:catena";

fn pixels(scale: f64) -> (u32, u32) {
    ((SIZE.0 * scale).round() as u32, (SIZE.1 * scale).round() as u32)
}

/// Runs `body` in a process of its own whose screen holds an editor at three times its size.
fn on_a_large_screen(name: &str, body: impl FnOnce()) {
    let mut screen = None;
    let prepare = |home: &std::path::Path| {
        let folder = home.join("clap");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::copy(fixtures::clap(), folder.join("harmless.clap")).expect("the fixtures");
        let (server, display) = desk::screen_of("3200x2000");
        screen = Some(server);
        vec![("CLAP_PATH", folder), ("LV2_PATH", home.join("no-lv2")), ("DISPLAY", format!(":{display}").into())]
    };
    in_own_process(name, prepare, |_| body());
    drop(screen);
}

/// A host's window that holds an editor at three times its size.
fn large_window() -> HostWindow {
    let desk = HostWindow::new();
    desk.x.configure_window(desk.parent, &ConfigureWindowAux::new().width(3200).height(2000)).expect("sent");
    desk
}

/// Waits, while the host goes on, until the editor in the host's window is as large as told and drawn to its lower right corner.
fn is_drawn(desk: &HostWindow, told: (u32, u32), mut goes_on: impl FnMut()) {
    let end = Instant::now() + Duration::from_secs(30);
    let corner = || {
        let (width, height) = desk.size(*desk.inside().first()?);
        if (u32::from(width), u32::from(height)) == told { desk.corner() } else { None }
    };
    while corner() != Some(GROUND) {
        let windows = desk.inside();
        let sizes: Vec<_> = windows.iter().map(|window| desk.size(*window)).collect();
        assert!(Instant::now() < end, "told {told:?}, there is {sizes:?}, with {:x?} in its corner", corner());
        goes_on();
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_editor_that_its_host_shows_late_is_drawn() {
    on_a_large_screen("an_editor_that_its_host_shows_late_is_drawn", || {
        let (bundle, desk) = (Bundle::new(), large_window());
        let host = ClapHost::new(&ClapFile::open(&bundle.clap()), "catena-audio.catena");
        desk.say_scale(Some(1.0));
        let told = host.open_editor_after(desk.parent, None, || std::thread::sleep(desk::LATE));
        is_drawn(&desk, told, || _ = host.pump());
    });
}

#[test]
fn clap() {
    on_a_large_screen("clap", || {
        let (bundle, desk, outside) = (Bundle::new(), large_window(), Outside::new());
        let file = ClapFile::open(&bundle.clap());
        for by_host in [false, true] {
            for scale in SCALES {
                desk.say_scale((!by_host).then_some(scale));
                let mut host = ClapHost::new(&file, "catena-audio.catena");
                assert!(host.load(&chain_shown(&[("window", &[])])));
                host.activate(48_000.0, 256);
                // The second opening begins with what is known of the first.
                for opening in 0..2 {
                    let told = host.open_scaled_editor(desk.parent, by_host.then_some(scale));
                    assert_eq!(told, pixels(scale), "by the host: {by_host}, opening {opening}");
                    is_drawn(&desk, told, || _ = host.pump());
                    let (end, line) =
                        (Instant::now() + Duration::from_secs(30), format!("window window scale {scale}"));
                    while outside.log().iter().rfind(|one| one.starts_with("window window scale")) != Some(&line) {
                        assert!(Instant::now() < end, "{scale}: {:?}", outside.log());
                        host.pump();
                        std::thread::sleep(Duration::from_millis(10));
                    }
                    host.close_editor();
                    desk.wait_empty();
                }
            }
        }
    });
}

#[test]
fn lv2() {
    on_a_large_screen("lv2", || {
        let (bundle, desk) = (Bundle::new(), large_window());
        let file = Lv2File::open(&bundle.lv2());
        for by_host in [false, true] {
            for scale in SCALES {
                desk.say_scale((!by_host).then_some(scale));
                let host = Lv2Host::new(&file, URI, Offer::all(256));
                for _ in 0..2 {
                    let told = if by_host { scale as f32 } else { 1.0 };
                    let window = Lv2Window::open(&file, &host, URI, desk.parent, told).expect("a window");
                    let (width, height) = pixels(scale);
                    assert_eq!(window.asked().first(), Some(&Asked::Size(width as i32, height as i32)));
                    is_drawn(&desk, (width, height), || _ = window.idle());
                    drop(window);
                    desk.wait_empty();
                }
            }
        }
    });
}

#[test]
fn the_size_that_the_user_chose_is_told_and_drawn() {
    on_a_large_screen("the_size_that_the_user_chose_is_told_and_drawn", || {
        let (bundle, desk) = (Bundle::new(), large_window());
        let file = ClapFile::open(&bundle.clap());
        let settings = host_core::model::Folders::from_env().settings();
        std::fs::create_dir_all(settings.parent().expect("a folder")).expect("made");
        take_sizes();
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        assert!(host.load(&chain_shown(&[("window", &[])])));
        host.activate(48_000.0, 256);
        for (chosen, before) in [(2.0, 1.0), (1.0, 2.0)] {
            std::fs::write(&settings, format!(r#"{{"version": 1, "scale": {chosen}}}"#)).expect("written");
            // It is seen within a second of the last look.
            std::thread::sleep(Duration::from_millis(1100));
            let told = host.open_scaled_editor(desk.parent, None);
            assert_eq!(told, pixels(before), "as it was left");
            is_drawn(&desk, pixels(chosen), || _ = host.pump());
            assert_eq!(host.editor_size(), pixels(chosen));
            host.close_editor();
            desk.wait_empty();
            let told = host.open_scaled_editor(desk.parent, None);
            assert_eq!(told, pixels(chosen), "opened again");
            is_drawn(&desk, told, || _ = host.pump());
            host.close_editor();
            desk.wait_empty();
        }
    });
}

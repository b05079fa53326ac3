//! The DAW may take the container away whatever its editor does: open, just opened, or closed a moment ago.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use catena_tests::bundle::{Bundle, in_own_process, threads_named};
use catena_tests::container_host::{ClapFile, ClapHost, show_windows};
use catena_tests::daw::{chain, impulse, with_fixtures};
use catena_tests::{desk, fixtures};

/// The screen's root window, as the server tells it to each client that says hello (X11 protocol, chapter 8).
fn root(display: &str) -> (UnixStream, u32) {
    let mut server = UnixStream::connect(format!("/tmp/.X11-unix/X{}", display.trim_start_matches(':'))).expect("Xvfb");
    server.write_all(&[b'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]).expect("hello");
    let mut head = [0; 8];
    server.read_exact(&mut head).expect("an answer");
    assert_eq!(head[0], 1, "the server lets us in");
    let mut setup = vec![0; 4 * usize::from(u16::from_le_bytes([head[6], head[7]]))];
    server.read_exact(&mut setup).expect("the rest of it");
    let vendor = usize::from(u16::from_le_bytes([setup[16], setup[17]])).next_multiple_of(4);
    let screen = 32 + vendor + 8 * usize::from(setup[21]);
    let root = u32::from_le_bytes(setup[screen..screen + 4].try_into().expect("four bytes"));
    (server, root)
}

/// Windows on the screen: children of the root (X11 protocol, QueryTree).
fn windows(server: &mut UnixStream, root: u32) -> usize {
    let mut ask = vec![15, 0, 2, 0];
    ask.extend_from_slice(&root.to_le_bytes());
    server.write_all(&ask).expect("a question");
    let mut answer = [0; 32];
    server.read_exact(&mut answer).expect("an answer");
    let count = usize::from(u16::from_le_bytes([answer[16], answer[17]]));
    server.read_exact(&mut vec![0; 4 * count]).expect("the list");
    count
}

/// Waits until the number of windows on the screen is as `wanted` says, while the host's main thread goes on.
fn wait_for_windows(host: Option<&ClapHost>, server: &mut UnixStream, root: u32, wanted: impl Fn(usize) -> bool) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !wanted(windows(server, root)) {
        assert!(std::time::Instant::now() < end, "{} windows", windows(server, root));
        host.map(ClapHost::pump);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn the_container_goes_with_its_editor_open_or_just_closed() {
    let mut screen = None;
    let prepare = |home: &std::path::Path| {
        let folder = home.join("clap");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::copy(fixtures::clap(), folder.join("harmless.clap")).expect("the fixtures");
        let (server, display) = desk::screen();
        screen = Some(server);
        vec![("CLAP_PATH", folder), ("LV2_PATH", home.join("no-lv2")), ("DISPLAY", format!(":{display}").into())]
    };
    in_own_process("the_container_goes_with_its_editor_open_or_just_closed", prepare, |_| {
        let (mut server, root) = root(&std::env::var("DISPLAY").expect("a screen"));
        let before = windows(&mut server, root);
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        for seen in [true, false] {
            for closed in [true, false] {
                let mut host = ClapHost::new(&file, "catena-audio.catena");
                assert!(host.load(&chain(&[("delay", &[("100", 512.0)]), ("gain", &[])])));
                host.activate(48_000.0, 256);
                host.open_editor(root);
                if seen {
                    wait_for_windows(Some(&host), &mut server, root, |now| now > before);
                    for _ in 0..20 {
                        host.process(&impulse(256, 0), &[]);
                        host.pump();
                    }
                }
                if closed {
                    host.close_editor();
                }
                drop(host);
                wait_for_windows(None, &mut server, root, |now| now == before);
            }
        }
        // The process is whole: another one works.
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        host.activate(48_000.0, 256);
        assert_eq!(host.process(&impulse(256, 3), &[]).0[0][0][3], 0.5);
        assert_eq!(threads_named("catena-home"), 1);
    });
    drop(screen);
}

#[test]
fn a_host_without_windows_is_offered_no_editor() {
    with_fixtures("a_host_without_windows_is_offered_no_editor", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        assert!(ClapHost::new(&file, "catena-audio.catena").offers_editor());
        show_windows(false);
        assert!(!ClapHost::new(&file, "catena-audio.catena").offers_editor());
    });
}

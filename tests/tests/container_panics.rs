//! A panic inside a function of ours that a DAW calls stops there: the DAW hears its own sound or is told of a failure, and what was
//! called goes on or is out of use by itself. One is begun on purpose at each of these places, by name (`CATENA_PANIC`).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use catena_tests::bundle::{Bundle, in_own_process};
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::chain;
use catena_tests::fixtures;
use catena_tests::host_window::{HostWindow, on_a_screen};
use catena_tests::lv2_host::{Lv2File, Lv2Host, Lv2Window, Offer, Stored};
use catena_tests::vst3_host::Vst3Module;
use catena_tests::vst3_state::{unwrap, wrap};
use host_core::store;

const URI: &str = "urn:catena-audio:catena";
const BLOCK: u32 = 64;
const PANIC: &str = "CATENA_PANIC";

/// In a process of its own where the place panics: `place` and how many calls pass there before.
fn with_panic(name: &str, place: &str, body: impl FnOnce()) {
    let prepare = |home: &Path| {
        let folder = home.join("clap");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::copy(fixtures::clap(), folder.join("harmless.clap")).expect("the fixtures");
        vec![("CLAP_PATH", folder), ("LV2_PATH", home.join("no-lv2")), (PANIC, place.into())]
    };
    in_own_process(name, prepare, |_| body());
}

/// A quarter of the level.
fn quarter() -> Vec<u8> {
    chain(&[("gain", &[("100", 0.25)])])
}

fn lv2(state: &[u8]) -> (Bundle, Lv2File, Lv2Host) {
    let bundle = Bundle::new();
    let file = Lv2File::open(&bundle.lv2());
    let mut host = Lv2Host::new(&file, URI, Offer::all(BLOCK as i32));
    assert_eq!(host.restore(&[Stored::chain(state)], None), 0);
    host.activate();
    (bundle, file, host)
}

/// What comes out of the left output where 1 goes in, at the block's end.
fn level(host: &mut Lv2Host) -> f32 {
    let sound = [1.0; BLOCK as usize];
    host.play(&[&sound, &sound], BLOCK, &[]).0[0][BLOCK as usize - 1]
}

/// Plugins in a saved state.
fn slots(bytes: &[u8]) -> usize {
    store::unpack(bytes).expect("a chain").slots().count()
}

#[test]
fn in_run_of_the_lv2_and_its_own_sound_is_heard_from_then_on() {
    with_panic("in_run_of_the_lv2_and_its_own_sound_is_heard_from_then_on", "lv2 run 30", || {
        let (_bundle, _file, mut host) = lv2(&chain(&[("delay", &[("100", 20.0)]), ("gain", &[("100", 0.25)])]));
        for _ in 0..30 {
            level(&mut host);
        }
        assert_eq!((host.get("lv2_latency"), host.events().len()), (20.0, 0));
        for block in 0..4 {
            let (left, right) = ([0.5; BLOCK as usize], [-0.5; BLOCK as usize]);
            let heard = host.play(&[&left, &right], BLOCK, &[]).0;
            assert_eq!((&heard[0][..], &heard[1][..]), (&left[..], &right[..]), "block {block}");
            assert_eq!(host.get("lv2_latency"), 0.0, "it comes at once");
        }
        // The chain is not lost, and a new start finds it out of use still: nobody knows what the panic left half done.
        assert_eq!(slots(&host.save(None).1[0].bytes), 2);
        host.deactivate();
        host.activate();
        assert_eq!(level(&mut host), 1.0);
    });
}

#[test]
fn in_activate_of_the_lv2_and_its_own_sound_is_heard() {
    with_panic("in_activate_of_the_lv2_and_its_own_sound_is_heard", "lv2 activate 0", || {
        let (_bundle, _file, mut host) = lv2(&quarter());
        assert_eq!(level(&mut host), 1.0);
        assert_eq!(slots(&host.save(None).1[0].bytes), 1);
        host.deactivate();
    });
}

#[test]
fn in_save_of_the_lv2_and_the_next_save_has_all() {
    with_panic("in_save_of_the_lv2_and_the_next_save_has_all", "lv2 save 0", || {
        let (_bundle, _file, mut host) = lv2(&quarter());
        assert_ne!(host.save(None).0, 0, "told");
        let (status, stored) = host.save(None);
        assert_eq!((status, slots(&stored[0].bytes)), (0, 1));
        (0..30).for_each(|_| _ = level(&mut host));
        assert_eq!(level(&mut host), 0.25);
    });
}

#[test]
fn in_restore_of_the_lv2_and_what_was_there_goes_on() {
    with_panic("in_restore_of_the_lv2_and_what_was_there_goes_on", "lv2 restore 1", || {
        let (_bundle, _file, mut host) = lv2(&quarter());
        let half = [Stored::chain(&chain(&[("gain", &[("100", 0.5)])]))];
        assert_ne!(host.restore(&half, None), 0, "told");
        (0..30).for_each(|_| _ = level(&mut host));
        assert_eq!(level(&mut host), 0.25);
        assert_eq!(host.restore(&half, None), 0);
        (0..30).for_each(|_| _ = level(&mut host));
        assert_eq!(level(&mut host), 0.5);
    });
}

#[test]
fn in_instantiate_of_the_lv2_and_there_is_no_plugin() {
    with_panic("in_instantiate_of_the_lv2_and_there_is_no_plugin", "lv2 instantiate 0", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        assert!(catch_unwind(AssertUnwindSafe(|| Lv2Host::new(&file, URI, Offer::all(64)))).is_err(), "null");
        drop(Lv2Host::new(&file, URI, Offer::all(64)));
    });
}

#[test]
fn where_the_lv2s_window_opens_and_the_next_one_does() {
    let name = "where_the_lv2s_window_opens_and_the_next_one_does";
    on_a_screen(name, &[(PANIC, "lv2 window 0")], || {
        let ((_bundle, file, host), desk) = (lv2(&quarter()), HostWindow::new());
        let open = || Lv2Window::open(&file, &host, URI, desk.parent, 1.0);
        assert!(open().is_none(), "told");
        desk.wait_empty();
        assert!(open().expect("a window").idle());
    });
}

#[test]
fn in_port_event_of_the_lv2s_window_and_it_stays_open() {
    let name = "in_port_event_of_the_lv2s_window_and_it_stays_open";
    on_a_screen(name, &[(PANIC, "lv2 port_event 0")], || {
        let ((_bundle, file, host), desk) = (lv2(&quarter()), HostWindow::new());
        let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
        for value in [0.5, 0.25] {
            window.port_event(0, value);
            assert!(window.idle());
        }
    });
}

#[test]
fn in_idle_of_the_lv2s_window_and_the_host_may_close_it_and_open_another() {
    let name = "in_idle_of_the_lv2s_window_and_the_host_may_close_it_and_open_another";
    on_a_screen(name, &[(PANIC, "lv2 idle 2")], || {
        let ((_bundle, file, mut host), desk) = (lv2(&quarter()), HostWindow::new());
        let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
        assert_eq!([window.idle(), window.idle(), window.idle()], [true, true, false], "closed, it says");
        drop(window);
        desk.wait_empty();
        assert!(Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window").idle());
        (0..30).for_each(|_| _ = level(&mut host));
        assert_eq!(level(&mut host), 0.25);
    });
}

fn clap(name: &str, place: &str, body: impl FnOnce(ClapHost)) {
    with_panic(name, place, || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        host.activate(48_000.0, BLOCK);
        body(host);
    });
}

#[test]
fn in_process_of_the_clap_and_the_host_is_told() {
    clap("in_process_of_the_clap_and_the_host_is_told", "clap process 1", |mut host| {
        let sound = vec![vec![0.5; BLOCK as usize]; 2];
        assert_eq!(host.process(&sound, &[]).0[0], sound);
        assert!(catch_unwind(AssertUnwindSafe(|| host.process(&sound, &[]))).is_err(), "an error");
        assert_eq!(host.process(&sound, &[]).0[0], sound);
    });
}

#[test]
fn in_load_of_the_clap_and_the_next_one_does() {
    clap("in_load_of_the_clap_and_the_next_one_does", "clap load 0", |host| {
        assert!(!host.load(&quarter()), "told");
        assert!(host.load(&quarter()));
        assert_eq!(slots(&host.save().expect("a state")), 1);
    });
}

#[test]
fn in_save_of_the_clap_and_the_next_one_does() {
    clap("in_save_of_the_clap_and_the_next_one_does", "clap save 0", |host| {
        assert!(host.load(&quarter()));
        assert_eq!(host.save(), None, "told");
        assert_eq!(slots(&host.save().expect("a state")), 1);
    });
}

/// Waits until the window's thread has ended by the panic, and the window with it.
fn wait_for_the_end(desk: &HostWindow, mut pump: impl FnMut()) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !desk.inside().is_empty() {
        assert!(std::time::Instant::now() < end, "it goes on");
        pump();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

fn clap_with_a_window(name: &str, place: &str, body: impl FnOnce(&ClapHost, &HostWindow)) {
    on_a_screen(name, &[(PANIC, place)], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        assert!(host.load(&quarter()));
        host.activate(48_000.0, BLOCK);
        body(&host, &desk);
        // Sound goes on whatever became of the window.
        let sound = vec![vec![1.0; BLOCK as usize]; 2];
        (0..30).for_each(|_| drop(host.process(&sound, &[])));
        assert_eq!(host.process(&sound, &[]).0[0][0][BLOCK as usize - 1], 0.25);
    });
}

/// The first opening is refused and leaves nothing, the next one is a window.
fn opens_the_second_time(name: &str, place: &str, told: impl FnOnce(&ClapHost)) {
    clap_with_a_window(name, place, |host, desk| {
        assert!(!host.try_open_editor(desk.parent), "told");
        told(host);
        desk.wait_empty();
        host.open_editor(desk.parent);
        assert!(!desk.inside().is_empty());
        host.close_editor();
        desk.wait_empty();
    });
}

#[test]
fn where_the_claps_window_opens_and_the_next_one_does() {
    opens_the_second_time("where_the_claps_window_opens_and_the_next_one_does", "editor spawn 0", |_| {});
}

#[test]
fn where_the_claps_window_gets_its_place_and_it_may_be_closed_and_opened_again() {
    let name = "where_the_claps_window_gets_its_place_and_it_may_be_closed_and_opened_again";
    opens_the_second_time(name, "editor set_parent 0", ClapHost::close_editor);
}

#[test]
fn in_the_thread_of_the_claps_window_and_it_is_gone_until_it_is_opened_again() {
    let name = "in_the_thread_of_the_claps_window_and_it_is_gone_until_it_is_opened_again";
    clap_with_a_window(name, "window frame 20", |host, desk| {
        host.open_editor(desk.parent);
        wait_for_the_end(desk, || _ = host.pump());
        host.close_editor();
        host.open_editor(desk.parent);
        assert!(!desk.inside().is_empty());
        host.close_editor();
        desk.wait_empty();
    });
}

fn vst3_with_a_window(name: &str, place: &str, body: impl FnOnce(&catena_tests::vst3_host::Vst3Host, &HostWindow)) {
    on_a_screen(name, &[(PANIC, place)], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
        body(&Vst3Module::open(&bundle.vst3_module()).make(b"CatenaAudioChain"), &desk);
    });
}

#[test]
fn where_the_vst3s_window_opens_and_the_next_one_does() {
    let name = "where_the_vst3s_window_opens_and_the_next_one_does";
    vst3_with_a_window(name, "editor spawn 0", |host, desk| {
        assert!(host.open_view(desk.parent).is_none(), "told");
        desk.wait_empty();
        host.close_view(host.open_view(desk.parent).expect("a window"));
        desk.wait_empty();
    });
}

#[test]
fn in_the_thread_of_the_vst3s_window_and_it_is_gone_until_it_is_opened_again() {
    let name = "in_the_thread_of_the_vst3s_window_and_it_is_gone_until_it_is_opened_again";
    vst3_with_a_window(name, "window frame 20", |host, desk| {
        let view = host.open_view(desk.parent).expect("a window");
        wait_for_the_end(desk, || {});
        host.close_view(view);
        let view = host.open_view(desk.parent).expect("a window");
        assert!(!desk.inside().is_empty());
        host.close_view(view);
        desk.wait_empty();
    });
}

fn vst3(name: &str, place: &str, body: impl FnOnce(&catena_tests::vst3_host::Vst3Host)) {
    with_panic(name, place, || {
        let bundle = Bundle::new();
        body(&Vst3Module::open(&bundle.vst3_module()).make(b"CatenaAudioChain"));
    });
}

#[test]
fn in_process_of_the_vst3_and_the_host_is_told() {
    vst3("in_process_of_the_vst3_and_the_host_is_told", "vst3 process 1", |host| {
        host.activate(48_000.0, BLOCK as usize);
        let sound = vec![vec![0.5; BLOCK as usize]; 2];
        assert_eq!(host.process(&sound), sound);
        assert!(catch_unwind(AssertUnwindSafe(|| host.process(&sound))).is_err(), "an error");
        assert_eq!(host.process(&sound), sound);
    });
}

#[test]
fn in_set_state_of_the_vst3_and_the_next_one_does() {
    vst3("in_set_state_of_the_vst3_and_the_next_one_does", "vst3 IComponentTrait setState 0", |host| {
        assert!(!host.set_state(&wrap(&quarter())), "told");
        assert!(host.set_state(&wrap(&quarter())));
        assert_eq!(slots(&unwrap(&host.state())), 1);
    });
}

#[test]
fn in_get_state_of_the_vst3_and_the_next_one_does() {
    vst3("in_get_state_of_the_vst3_and_the_next_one_does", "vst3 IComponentTrait getState 0", |host| {
        assert!(host.set_state(&wrap(&quarter())));
        assert!(catch_unwind(AssertUnwindSafe(|| host.state())).is_err(), "told");
        assert_eq!(slots(&unwrap(&host.state())), 1);
    });
}

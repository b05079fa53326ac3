//! In LV2 a macro that its control port moves is heard at its target with the block that brings it, late by the latency
//! before it; and one that is moved inside reaches the host's port while the window is open.

use std::time::{Duration, Instant};

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain_with_macros, impulse, with_fixtures};
use catena_tests::host_window::{HostWindow, on_a_screen};
use catena_tests::lv2_host::{Asked, Lv2File, Lv2Host, Lv2Window, Offer, Played, Stored};
use host_core::model::{Law, MacroId};
use host_core::store;

const URI: &str = "urn:catena-audio:catena";
const BLOCK: usize = 64;
const PATIENCE: Duration = Duration::from_secs(60);

/// A host with that chain in it, running, its fades over.
fn running(file: &Lv2File, state: &[u8]) -> Lv2Host {
    let mut host = Lv2Host::new(file, URI, Offer::all(BLOCK as i32));
    assert_eq!(host.restore(&[Stored::chain(state)], None), 0);
    host.activate();
    for _ in 0..20 {
        host.play(&[], BLOCK as u32, &[]);
    }
    host
}

fn heard(host: &mut Lv2Host) -> Vec<f32> {
    host.play(&[], BLOCK as u32, &[]).0.remove(0)
}

#[test]
fn a_moved_control_port_is_heard_with_its_block_and_late_by_the_latency_before_its_target() {
    with_fixtures("a_moved_control_port_is_heard_with_its_block_and_late_by_the_latency_before_its_target", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let law = Law { min: 0.0, max: 1000.0, curve: 0.25, inverted: false };
        for delay in [0_usize, 100] {
            let slots: &[_] = &[("delay", &[("100", delay as f64)] as &[_]), ("recorder", &[])];
            let mut host = running(&file, &chain_with_macros(slots, &[(1, 1, "100", law)]));
            assert!(heard(&mut host).iter().all(|x| *x == 0.0), "a load moves nothing");
            let values = [0.25, 0.25, 1.0, 0.5, 0.5, 0.5];
            let play = |value: &f32| {
                host.set("macro_1", *value);
                heard(&mut host)
            };
            let told: Vec<f32> = values.iter().flat_map(play).collect();
            // The recorder writes each value that it is told at the frame that it is told for.
            let mut wanted = vec![0.0; values.len() * BLOCK];
            for (block, value) in [(0, 0.25), (2, 1.0), (3, 0.5)] {
                wanted[block * BLOCK + delay] = law.at(value) as f32;
            }
            assert_eq!(told, wanted, "delay {delay}");
            // The last one, which nothing is mapped to, and what is no number.
            host.set("macro_128", 1.0);
            host.set("macro_1", f32::NAN);
            assert!((0..4).all(|_| heard(&mut host).iter().all(|x| *x == 0.0)));
        }
    });
}

#[test]
fn a_saved_chain_says_where_its_macros_stand_whatever_the_ports_said_before() {
    with_fixtures("a_saved_chain_says_where_its_macros_stand_whatever_the_ports_said_before", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let law = Law::straight(0.0, 2.0);
        let mut host = running(&file, &chain_with_macros(&[("gain", &[("100", 0.5)])], &[(128, 0, "100", law)]));
        let level = |host: &mut Lv2Host| host.play(&[&[1.0; BLOCK], &[1.0; BLOCK]], BLOCK as u32, &[]).0[0][BLOCK - 1];
        assert_eq!(level(&mut host), 0.5);
        host.set("macro_128", 0.75);
        assert_eq!(level(&mut host), 1.5);
        let (status, stored) = host.save(None);
        assert_eq!(status, 0);
        // A host sets its ports from its own file, before it restores the state or after.
        for early in [true, false] {
            let mut again = Lv2Host::new(&file, URI, Offer::all(BLOCK as i32));
            if early {
                again.set("macro_128", 0.75);
            }
            assert_eq!(again.restore(&stored, None), 0);
            again.set("macro_128", 0.75);
            again.activate();
            for _ in 0..20 {
                heard(&mut again);
            }
            assert_eq!(level(&mut again), 1.5, "early {early}");
        }
    });
}

#[test]
fn a_macro_moved_inside_stands_there_after_a_reload_whatever_the_hosts_port_says_and_the_hosts_next_move_counts() {
    with_fixtures(
        "a_macro_moved_inside_stands_there_after_a_reload_whatever_the_hosts_port_says_and_the_hosts_next_move_counts",
        || {
            let bundle = Bundle::new();
            let file = Lv2File::open(&bundle.lv2());
            let law = Law::straight(0.0, 2.0);
            let state = chain_with_macros(&[("gain", &[("100", 0.5)])], &[(2, 0, "100", law)]);
            let mut host = running(&file, &state);
            let level =
                |host: &mut Lv2Host| host.play(&[&[1.0; BLOCK], &[1.0; BLOCK]], BLOCK as u32, &[]).0[0][BLOCK - 1];
            host.set("macro_2", 0.75);
            assert_eq!(level(&mut host), 1.5);
            let (_, mut stored) = host.save(None);
            // It is moved inside, where no window tells the host.
            let mut chain = store::unpack(&stored[0].bytes).expect("a chain");
            chain.macro_mut(MacroId::new(2).expect("a macro")).value = 0.25;
            let id = chain.slots().next().expect("a slot").id;
            chain.slot_mut(id).expect("a slot").params.insert("100".into(), 0.5);
            chain.slot_mut(id).expect("a slot").state = None;
            stored[0].bytes = store::pack(&chain).expect("a chain");
            // A new session, and the one that runs, in which the host brings back its port after the state.
            for fresh in [true, false] {
                let mut again =
                    if fresh { Lv2Host::new(&file, URI, Offer::all(BLOCK as i32)) } else { running(&file, &state) };
                assert_eq!(again.restore(&stored, None), 0);
                if fresh {
                    again.activate();
                } else {
                    heard(&mut again);
                }
                again.set("macro_2", 0.75);
                for _ in 0..20 {
                    heard(&mut again);
                }
                assert_eq!(level(&mut again), 0.5, "fresh {fresh}");
                again.set("macro_2", 1.0);
                assert_eq!(level(&mut again), 2.0, "fresh {fresh}");
                again.set("macro_2", 0.75);
                assert_eq!(level(&mut again), 1.5, "fresh {fresh}");
            }
        },
    );
}

#[test]
fn a_hand_on_a_mapped_knob_moves_the_hosts_port_while_the_window_is_open() {
    on_a_screen("a_hand_on_a_mapped_knob_moves_the_hosts_port_while_the_window_is_open", &[], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
        let file = Lv2File::open(&bundle.lv2());
        let knob = Law { min: 0.0, max: 1.0, curve: 0.0, inverted: true };
        // Macro 1 sets the user's hand in motion; macro 3 moves the knob and the gain.
        let macros =
            [(1, 0, "101", Law::straight(0.0, 1.0)), (3, 0, "100", knob), (3, 1, "100", Law::straight(0.0, 2.0))];
        let mut host = running(&file, &chain_with_macros(&[("touch", &[]), ("gain", &[("100", 2.0)])], &macros));
        let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
        let port = host.port("macro_3") as u32;
        let wanted =
            [Asked::Touch(port, true), Asked::Value(port, 0.5), Asked::Value(port, 0.25), Asked::Touch(port, false)];
        let mine = |window: &Lv2Window| -> Vec<Asked> {
            let asked = window.asked().into_iter();
            asked.filter(|asked| matches!(asked, Asked::Touch(at, _) | Asked::Value(at, _) if *at == port)).collect()
        };
        host.set("macro_1", 1.0);
        let (end, mut level, mut changed) = (Instant::now() + PATIENCE, 0.0, false);
        while mine(&window).len() < wanted.len() || level != 0.25 {
            assert!(Instant::now() < end, "{:?}, {level}", window.asked());
            assert!(window.idle(), "the window is gone");
            // The host sets its port to what it was told.
            if let Some(Asked::Value(_, value)) = mine(&window).iter().rfind(|asked| matches!(asked, Asked::Value(..)))
            {
                host.set("macro_3", *value);
            }
            let sound = impulse(BLOCK, 0);
            let (out, events) = host.play(&[&sound[0], &sound[1]], BLOCK as u32, &[]);
            changed |= events.contains(&Played::StateChanged);
            level = out[0][0];
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(mine(&window), wanted);
        assert!(changed, "the session differs from what was saved");
    });
}

//! The VST3: the chain in its state, the latency told once per change, hidden words for a dirty project.

use std::sync::atomic::Ordering::SeqCst;

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, impulse, peak, with_fixtures};
use catena_tests::vst3_host::{Vst3Host, Vst3Module};
use catena_tests::vst3_state::wrap;

const BLOCK: usize = 256;

fn lands(host: &Vst3Host, at: usize) -> usize {
    let input = impulse(8192, at);
    let mut heard = Vec::new();
    for start in (0..8192).step_by(BLOCK) {
        let block: Vec<_> = input.iter().map(|channel| channel[start..start + BLOCK].to_vec()).collect();
        heard.extend_from_slice(&host.process(&block)[0]);
    }
    peak(&heard)
}

#[test]
fn the_chain_is_in_the_state_and_its_latency_is_told_once() {
    with_fixtures("the_chain_is_in_the_state_and_its_latency_is_told_once", || {
        let bundle = Bundle::new();
        let module = Vst3Module::open(&bundle.vst3_module());
        let host = module.make(b"CatenaAudioChain");
        assert!(host.set_state(&wrap(&chain(&[("delay", &[("100", 512.0)]), ("big-state", &[])]))));
        host.activate(48_000.0, BLOCK);
        assert_eq!(lands(&host, 1000), 1512);
        assert_eq!(host.latency(), 512);
        // Told by a thread of the wrapper's own while no editor is open.
        let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while host.asked.latency.load(SeqCst) == 0 && std::time::Instant::now() < end {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        host.deactivate();
        host.activate(48_000.0, BLOCK);
        assert_eq!(lands(&host, 1000), 1512);
        assert_eq!(host.asked.latency.load(SeqCst), 1, "one notice for one change");

        let saved = host.state();
        let again = module.make(b"CatenaAudioChain");
        assert!(again.set_state(&saved));
        assert_eq!(again.state(), saved);
    });
}

#[test]
fn five_delays_in_a_row_land_where_the_host_was_told_at_every_rate_live_and_offline() {
    with_fixtures("five_delays_in_a_row_land_where_the_host_was_told_at_every_rate_live_and_offline", || {
        let bundle = Bundle::new();
        let module = Vst3Module::open(&bundle.vst3_module());
        let frames = [0.0, 1.0, 63.0, 512.0, 4800.0].map(|frames| [("100", frames)]);
        let state = wrap(&chain(&frames.each_ref().map(|params| ("delay", &params[..]))));
        for rate in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
            for offline in [false, true] {
                let mut host = module.make(b"CatenaAudioChain");
                host.offline = offline;
                assert!(host.set_state(&state));
                host.activate(rate, BLOCK);
                assert_eq!(lands(&host, 1000), 1000 + 5376, "at {rate} Hz, offline {offline}");
                assert_eq!(host.latency(), 5376, "at {rate} Hz, offline {offline}");
                host.deactivate();
            }
        }
    });
}

/// Runs blocks until `done` holds. False: it never did in ten seconds.
fn run_until(host: &Vst3Host, mut done: impl FnMut(&Vst3Host) -> bool) -> bool {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while !done(host) && std::time::Instant::now() < end {
        host.process(&[vec![0.0; BLOCK], vec![0.0; BLOCK]]);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    done(host)
}

#[test]
fn a_plugin_that_changes_by_itself_moves_the_revision() {
    with_fixtures("a_plugin_that_changes_by_itself_moves_the_revision", || {
        let bundle = Bundle::new();
        let module = Vst3Module::open(&bundle.vst3_module());
        let mut host = module.make(b"CatenaAudioChain");
        let revision = host.parameter("Revision").expect("a parameter");
        host.activate(48_000.0, BLOCK);
        // The host's own loads are no edits.
        assert!(host.set_state(&wrap(&chain(&[("gain", &[])]))));
        for _ in 0..20 {
            host.process(&impulse(BLOCK, 0));
        }
        assert!(host.changed.borrow().is_empty(), "{:?}", host.changed);

        // This one marks its state dirty at each load.
        let restless = wrap(&chain(&[("talks", &[("100", 1.0)])]));
        host.takes_changes = false;
        assert!(host.set_state(&restless));
        let home_has_run = std::time::Instant::now() + std::time::Duration::from_millis(300);
        run_until(&host, |_| std::time::Instant::now() > home_has_run);
        assert!(host.changed.borrow().is_empty());
        host.takes_changes = true;
        assert!(run_until(&host, |host| !host.changed.borrow().is_empty()), "told once there is room for it");
        let first = host.changed.take();
        assert!(first.iter().all(|(id, value)| *id == revision && *value > 0.0), "{first:?}");
        assert_eq!(host.value(revision), first[first.len() - 1].1, "the controller shows what was told");

        assert!(host.set_state(&restless));
        assert!(run_until(&host, |host| !host.changed.borrow().is_empty()), "and each time again");
        assert!(host.changed.borrow()[0].1 != first[0].1, "with another value");
    });
}

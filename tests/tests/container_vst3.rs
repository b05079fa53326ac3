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

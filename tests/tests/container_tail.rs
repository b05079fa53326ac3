//! The tail that the DAW is told covers what still sounds inside.

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::{chain, impulse, with_fixtures};

#[test]
fn the_tail_is_at_least_the_latency_and_nothing_without_a_chain() {
    with_fixtures("the_tail_is_at_least_the_latency_and_nothing_without_a_chain", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        for (state, least) in [(chain(&[]), 0), (chain(&[("delay", &[("100", 4800.0)])]), 4800)] {
            let mut host = ClapHost::new(&file, "catena-audio.catena");
            assert!(host.load(&state), "{:?}", host.asked.log());
            host.activate(48_000.0, 256);
            for _ in 0..4 {
                host.process(&impulse(256, 0), &[]);
            }
            let tail = host.tail();
            assert!(tail >= least && (least > 0 || tail == 0), "{tail} frames for {least}");
        }
    });
}

//! The container's bypass is a parameter that the DAW switches: aligned, saved with the project, and undone by it.

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost, HostEvent};
use catena_tests::daw::{chain, impulse, with_fixtures};

const BLOCK: usize = 256;
const LATENCY: usize = 480;

/// Runs silence for long enough that every fade is over, then an impulse; answers its place and height.
fn heard(host: &mut ClapHost) -> (usize, f32) {
    for _ in 0..20 {
        host.process(&[vec![0.0; BLOCK], vec![0.0; BLOCK]], &[]);
        host.pump();
    }
    let (mut out, mut input) = (Vec::new(), impulse(BLOCK, 10));
    for _ in 0..4 {
        out.extend_from_slice(&host.process(&input, &[]).0[0][0]);
        input = vec![vec![0.0; BLOCK]; 2];
    }
    let peak = catena_tests::daw::peak(&out);
    (peak, out[peak])
}

fn switch(host: &mut ClapHost, id: u32, value: f64) {
    host.process(&[vec![0.0; BLOCK], vec![0.0; BLOCK]], &[HostEvent::Param(0, id, value)]);
}

#[test]
fn bypass_passes_the_input_at_the_reported_latency_and_is_saved() {
    with_fixtures("bypass_passes_the_input_at_the_reported_latency_and_is_saved", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        let id = host.bypass_id().expect("a parameter flagged as bypass");
        assert!(host.load(&chain(&[("delay", &[("100", LATENCY as f64)]), ("gain", &[("100", 2.0)])])));
        host.activate(48_000.0, BLOCK as u32);
        assert_eq!(host.latency() as usize, LATENCY, "{:?}", host.asked.log());
        assert_eq!(heard(&mut host), (10 + LATENCY, 1.0), "the chain doubles");
        switch(&mut host, id, 1.0);
        assert_eq!(heard(&mut host), (10 + LATENCY, 0.5), "bypassed: the input, where it was");
        assert_eq!(host.latency() as usize, LATENCY);
        let saved = host.save().expect("a state");
        switch(&mut host, id, 0.0);
        assert_eq!(heard(&mut host), (10 + LATENCY, 1.0));

        let mut again = ClapHost::new(&file, "catena-audio.catena");
        assert!(again.load(&saved));
        assert_eq!(again.value(id), 1.0, "the DAW sees the saved bypass");
        again.activate(48_000.0, BLOCK as u32);
        assert_eq!(heard(&mut again), (10 + LATENCY, 0.5));
        switch(&mut again, id, 0.0);
        assert_eq!(heard(&mut again), (10 + LATENCY, 1.0));
    });
}

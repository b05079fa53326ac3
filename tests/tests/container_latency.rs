//! The latency that a CLAP host is told is where an impulse lands, and each change costs it exactly one restart.

use std::sync::atomic::Ordering::SeqCst;

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::{chain, impulse, peak, with_fixtures};
use catena_tests::session_bench::until;
use host_core::model::LatencyMode;
use host_core::store;

const BLOCK: usize = 256;

/// Runs an impulse at frame `at` of a stream through `host`; answers where it comes out.
fn lands(host: &mut ClapHost, at: usize) -> usize {
    let frames = (at + 8192).next_multiple_of(BLOCK);
    let input = impulse(frames, at);
    let mut heard = Vec::new();
    for start in (0..frames).step_by(BLOCK) {
        let block: Vec<_> = input.iter().map(|channel| channel[start..start + BLOCK].to_vec()).collect();
        let (out, _) = host.process(&block, &[]);
        heard.extend_from_slice(&out[0][0]);
    }
    peak(&heard)
}

fn delays(frames: &[f64]) -> Vec<u8> {
    let params: Vec<_> = frames.iter().map(|frames| [("100", *frames)]).collect();
    chain(&params.iter().map(|params| ("delay", params.as_slice())).collect::<Vec<_>>())
}

#[test]
fn an_impulse_lands_where_the_host_was_told() {
    with_fixtures("an_impulse_lands_where_the_host_was_told", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        for rate in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
            for offline in [false, true] {
                let mut host = ClapHost::new(&file, "catena-audio.catena");
                assert!(host.load(&delays(&[0.0, 1.0, 63.0, 512.0, 4800.0])), "{:?}", host.asked.log());
                assert!(host.set_offline(offline));
                host.activate(rate, BLOCK as u32);
                assert_eq!(host.latency(), 5376, "{rate} {:?}", host.asked.log());
                assert_eq!(lands(&mut host, 1000), 1000 + 5376, "at {rate} Hz, offline {offline}");
                host.pump();
                assert_eq!(host.asked.restarts.load(SeqCst), 0, "what activate told needs no restart");
                assert_eq!(host.asked.latency_in_activate.load(SeqCst), 1);
                assert_eq!(host.asked.latency_elsewhere.load(SeqCst), 0);
            }
        }
    });
}

#[test]
fn a_change_of_latency_costs_exactly_one_restart() {
    with_fixtures("a_change_of_latency_costs_exactly_one_restart", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        host.activate(48_000.0, BLOCK as u32);
        assert_eq!(host.latency(), 0);
        for (change, frames) in [512.0, 100.0, 0.0].into_iter().enumerate() {
            let told = host.latency();
            assert!(host.load(&delays(&[frames])), "{:?}", host.asked.log());
            assert!(host.pump_until(|host| host.asked.restarts.load(SeqCst) > change as u32), "a restart is asked for");
            assert_eq!(host.latency(), told, "the value stays until the restart");
            for _ in 0..20 {
                host.process(&impulse(BLOCK, 0), &[]);
                host.pump();
            }
            host.restart();
            assert_eq!(host.latency(), frames as u32);
            assert_eq!(lands(&mut host, 1000), 1000 + frames as usize);
            for _ in 0..20 {
                host.process(&impulse(BLOCK, 0), &[]);
                host.pump();
            }
            assert_eq!(host.asked.restarts.load(SeqCst), change as u32 + 1, "one restart per change");
            assert_eq!(host.asked.latency_in_activate.load(SeqCst), change as u32 + 1);
            assert_eq!(host.asked.latency_elsewhere.load(SeqCst), 0);
        }
    });
}

/// The chain of delays under a latency mode.
fn delays_told(frames: &[f64], mode: LatencyMode) -> Vec<u8> {
    let mut chain = store::unpack(&delays(frames)).unwrap();
    chain.latency = mode;
    store::pack(&chain).unwrap()
}

#[test]
fn a_constant_latency_is_told_and_kept_exactly_and_live_tells_nothing() {
    with_fixtures("a_constant_latency_is_told_and_kept_exactly_and_live_tells_nothing", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        for rate in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
            let mut host = ClapHost::new(&file, "catena-audio.catena");
            let constant = (rate / 50.0) as u32;
            let mode = LatencyMode::Constant(20.0);
            assert!(host.load(&delays_told(&[0.0], mode)));
            host.activate(rate, BLOCK as u32);
            // Whatever is in the chain, up to 20 ms: the DAW is told once.
            for inner in [0, 1, 512, constant - 1, constant] {
                assert!(host.load(&delays_told(&[inner.into()], mode)), "{:?}", host.asked.log());
                // A chain that is loaded while it plays begins with the sound as it comes, until home has let it rise.
                let there = until(|| {
                    host.pump();
                    lands(&mut host, 2000) == 2000 + constant as usize
                });
                assert!(there && lands(&mut host, 3000) == 3000 + constant as usize, "{inner} at {rate} Hz");
                assert_eq!(host.latency(), constant, "{inner} at {rate} Hz");
            }
            assert_eq!(host.asked.restarts.load(SeqCst), 0, "{rate} Hz: it never changed");
            // Beyond it the true one is told, and the user.
            assert!(host.load(&delays_told(&[f64::from(constant) + 7.0], mode)));
            assert!(host.pump_until(|host| host.asked.restarts.load(SeqCst) == 1), "a restart is asked for");
            host.restart();
            assert_eq!(host.latency(), constant + 7);
            assert!(until(|| lands(&mut host, 2000) == 2000 + constant as usize + 7));
            // Live: nothing is told, and the sound is as late as it is.
            assert!(host.load(&delays_told(&[512.0], LatencyMode::Live)));
            assert!(host.pump_until(|host| host.asked.restarts.load(SeqCst) == 2));
            host.restart();
            assert_eq!(host.latency(), 0);
            assert!(until(|| lands(&mut host, 2000) == 2512));
        }
    });
}

//! Each layout of channels shows the channels it says, and a chain goes with the container from one to another.

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::{chain, chain_with_aux, peak, with_fixtures};

#[test]
fn every_layout_shows_its_channels_and_runs_the_chain() {
    with_fixtures("every_layout_shows_its_channels_and_runs_the_chain", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        assert!(host.load(&chain(&[("delay", &[("100", 64.0)])])));
        for (number, (inputs, outputs)) in [(2, 2), (1, 1), (1, 2), (4, 4), (6, 6), (8, 8)].into_iter().enumerate() {
            assert!(host.choose_layout(number as u32));
            assert_eq!((host.ports(true), host.ports(false)), (vec![inputs, 2], vec![outputs]), "layout {number}");
            host.activate(48_000.0, 256);
            assert_eq!(host.latency(), 64, "layout {number}: {:?}", host.asked.log());
            let silence = vec![vec![0.0; 256]; inputs as usize];
            for _ in 0..8 {
                host.process(&silence, &[]);
            }
            let mut input = silence.clone();
            for (channel, samples) in input.iter_mut().enumerate() {
                samples[0] = (channel + 1) as f32 / 16.0;
            }
            let (out, _) = host.process(&input, &[]);
            for (channel, samples) in out[0].iter().enumerate() {
                let from = channel.min(inputs as usize - 1);
                assert_eq!(samples[64], input[from][0], "layout {number}, channel {channel}");
            }
            host.deactivate();
        }
    });
}

#[test]
fn the_instrument_has_eight_stereo_outputs_beside_its_own() {
    with_fixtures("the_instrument_has_eight_stereo_outputs_beside_its_own", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena-instrument");
        assert_eq!((host.ports(true), host.ports(false)), (vec![2], vec![2; 9]));
        assert!(host.load(&chain(&[("instrument", &[])])), "{:?}", host.asked.log());
        host.activate(48_000.0, 256);
        let silence = [vec![0.0; 256], vec![0.0; 256]];
        for _ in 0..8 {
            host.process(&silence, &[]);
        }
        let note = catena_tests::container_host::HostEvent::Midi(33, vec![0x90, 60, 127]);
        let (out, _) = host.process(&silence, &[note]);
        assert_eq!(catena_tests::daw::peak(&out[0][0]), 33, "the note sounds at its frame");
        assert!(out[0][0][33] > 0.1);
    });
}

#[test]
fn a_plugins_second_output_is_heard_where_the_chain_sends_it_in_time_with_the_first() {
    with_fixtures("a_plugins_second_output_is_heard_where_the_chain_sends_it_in_time_with_the_first", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena-instrument");
        assert!(host.load(&chain_with_aux(Some(6))), "{:?}", host.asked.log());
        host.activate(48_000.0, 256);
        assert_eq!(host.latency(), 64);
        let silence = [vec![0.0; 256], vec![0.0; 256]];
        for _ in 0..8 {
            host.process(&silence, &[]);
        }
        let note = |at, status| catena_tests::container_host::HostEvent::Midi(at, vec![status, 60, 127]);
        let (out, _) = host.process(&silence, &[note(33, 0x90), note(80, 0x80)]);
        assert_eq!(
            (peak(&out[0][0]), peak(&out[6][0])),
            (33 + 64, 80 + 64),
            "the fixture's second output tells note-offs"
        );
        assert!(out[6][0][80 + 64] > 0.1 && out[1][0].iter().all(|sample| *sample == 0.0));
    });
}

#[test]
fn a_block_longer_than_was_announced_runs_the_chain_all_the_same() {
    with_fixtures("a_block_longer_than_was_announced_runs_the_chain_all_the_same", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        assert!(host.load(&chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 2.0)])])));
        host.activate(48_000.0, 256);
        for (frames, at) in [(8192, 7000), (1000, 10), (20_000, 19_000)] {
            for _ in 0..3 {
                host.process(&[vec![0.0; frames], vec![0.0; frames]], &[]);
            }
            let (out, _) = host.process(&catena_tests::daw::impulse(frames, at), &[]);
            assert_eq!(out[0][0][at + 512], 1.0, "in a block of {frames} frames");
        }
    });
}

#[test]
fn a_restart_for_longer_blocks_keeps_the_chain_running() {
    with_fixtures("a_restart_for_longer_blocks_keeps_the_chain_running", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        assert!(host.load(&chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 2.0)])])));
        for frames in [256, 8192, 64, 4096] {
            host.activate(48_000.0, frames as u32);
            for _ in 0..20 {
                host.process(&[vec![0.0; frames], vec![0.0; frames]], &[]);
            }
            let (mut out, mut input) = (Vec::new(), catena_tests::daw::impulse(frames, 10));
            while out.len() < 1024 {
                out.extend_from_slice(&host.process(&input, &[]).0[0][0]);
                input = vec![vec![0.0; frames]; 2];
            }
            assert_eq!(out[10 + 512], 1.0, "in blocks of {frames} frames");
            host.deactivate();
        }
    });
}

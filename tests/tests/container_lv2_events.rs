//! MIDI and the song pass through the LV2 plugins: in order, at their frames, byte for byte, shifted by the latency before
//! them.

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::lv2_host::{Lv2File, Lv2Host, Offer, Played, Song, Stored, log_lines};

const BLOCK: u32 = 512;

fn running(file: &Lv2File, state: &[u8]) -> Lv2Host {
    let mut host = Lv2Host::new(file, "urn:catena-audio:catena", Offer::all(BLOCK as i32));
    assert_eq!(host.restore(&[Stored::chain(state)], None), 0, "{:?}", log_lines());
    host.activate();
    for _ in 0..8 {
        host.play(&[], BLOCK, &[]);
    }
    host
}

/// Every kind of message, on all channels, at frames that rise.
fn messages() -> Vec<Played> {
    let mut messages: Vec<Vec<u8>> = (0..16_u8)
        .flat_map(|channel| {
            [
                vec![0x90 | channel, 60, 1],
                vec![0x90 | channel, 61, 0],
                vec![0xA0 | channel, 60, 33],
                vec![0xB0 | channel, 74, 127],
                vec![0xC0 | channel, 5],
                vec![0xD0 | channel, 99],
                vec![0xE0 | channel, 0x7F, 0x3F],
                vec![0x80 | channel, 60, 64],
            ]
        })
        .collect();
    for length in [4, 300, 64 * 1024] {
        let mut sysex = vec![0x55; length];
        (sysex[0], sysex[length - 1]) = (0xF0, 0xF7);
        messages.push(sysex);
    }
    (0..).zip(messages).map(|(number, message)| Played::Midi(number * 2, message)).collect()
}

#[test]
fn every_message_passes_at_its_frame() {
    with_fixtures("every_message_passes_at_its_frame", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        for (number, (state, latency)) in [
            (chain(&[]), 0),
            (chain(&[("note-echo", &[])]), 0),
            (chain(&[("delay", &[("100", 100.0)]), ("note-echo", &[])]), 100),
        ]
        .into_iter()
        .enumerate()
        {
            let mut host = running(&file, &state);
            let sent = messages();
            let (_, heard) = host.play(&[], BLOCK, &sent);
            assert_eq!(heard.len(), sent.len(), "chain {number}");
            for (heard, sent) in heard.iter().zip(&sent) {
                let Played::Midi(frame, bytes) = sent else { panic!("{sent:?}") };
                assert!(
                    *heard == Played::Midi(frame + latency, bytes.clone()),
                    "{number}: {heard:.60?} for {sent:.60?}"
                );
            }
        }
    });
}

#[test]
fn unsorted_events_and_events_outside_the_block_are_played_in_it() {
    with_fixtures("unsorted_events_and_events_outside_the_block_are_played_in_it", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = running(&file, &chain(&[]));
        let note = |frame: i64, key: u8| Played::Midi(frame, vec![0x90, key, 1]);
        let (_, heard) = host.play(&[], BLOCK, &[note(300, 1), note(7, 2), note(-5, 3), note(9999, 4)]);
        assert_eq!(heard, [note(0, 3), note(7, 2), note(300, 1), note(511, 4)]);
    });
}

#[test]
fn what_a_block_without_frames_brings_is_played_with_the_next_frame() {
    with_fixtures("what_a_block_without_frames_brings_is_played_with_the_next_frame", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let note = |frame: i64, key: u8| Played::Midi(frame, vec![0x90, key, 1]);
        let mut sysex = vec![0x55; 300];
        (sysex[0], sysex[299]) = (0xF0, 0xF7);
        for (state, late) in [(chain(&[]), 0), (chain(&[("delay", &[("100", 100.0)]), ("note-echo", &[])]), 100)] {
            let mut host = running(&file, &state);
            host.run(0, &[note(0, 1), Played::Midi(0, sysex.clone())]);
            assert_eq!(host.events(), []);
            host.run(0, &[note(99, 2)]);
            assert_eq!(host.events(), []);
            let (_, heard) = host.play(&[], BLOCK, &[note(0, 3), note(7, 4)]);
            let wanted =
                [note(late, 1), Played::Midi(late, sysex.clone()), note(late, 2), note(late, 3), note(late + 7, 4)];
            assert_eq!(heard, wanted);
            assert_eq!(host.play(&[], BLOCK, &[]).1, [], "once");
            // A new start begins with nothing, and ends what sounded before it.
            host.run(0, &[note(0, 5)]);
            host.deactivate();
            host.activate();
            let begun = |event: &Played| matches!(event, Played::Midi(_, bytes) if bytes[0] == 0x90 || bytes[1] == 5);
            assert!(!host.play(&[], BLOCK, &[]).1.iter().any(begun));
        }
        let mut host = running(&file, &chain(&[("witness", &[])]));
        let song = Song { playing: true, frame: 0, tempo: 90.0, bar: 3, bar_beat: 1.0, signature: (3.0, 4) };
        host.run(0, &[Played::Position(0, song)]);
        let heard = host.play(&[], BLOCK, &[]).0;
        assert_eq!(told(&heard[0]), (true, 90.0, 10.0, (9.0, 3.0), (3.0, 4.0)));
    });
}

/// What the fixture was told: playing, tempo, beats, bar start, bar, signature.
fn told(heard: &[f32]) -> (bool, f32, f32, (f32, f32), (f32, f32)) {
    // CLAP's flag for playing, as the fixture writes it.
    (heard[1] as u32 & (1 << 4) != 0, heard[2], heard[3], (heard[9], heard[10]), (heard[11], heard[12]))
}

#[test]
fn the_song_reaches_every_plugin_inside_and_rolls_on_between_positions() {
    with_fixtures("the_song_reaches_every_plugin_inside_and_rolls_on_between_positions", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = running(&file, &chain(&[("witness", &[])]));
        let song = Song { playing: true, frame: 0, tempo: 120.0, bar: 3, bar_beat: 1.0, signature: (3.0, 4) };
        let heard = host.play(&[], BLOCK, &[Played::Position(0, song)]).0;
        assert_eq!(told(&heard[0]), (true, 120.0, 10.0, (9.0, 3.0), (3.0, 4.0)));
        // No position: the song rolls on, 512 frames at 120 to the minute.
        let heard = host.play(&[], BLOCK, &[]).0;
        let (_, _, beats, ..) = told(&heard[0]);
        assert!((beats - (10.0 + 512.0 / 24_000.0)).abs() < 1e-4, "{beats}");
        // A jump inside a block counts from its frame on.
        let jump = Song { bar: 0, bar_beat: 0.0, ..song };
        host.play(&[], BLOCK, &[Played::Position(256, jump)]);
        let (_, _, beats, ..) = told(&host.play(&[], BLOCK, &[]).0[0]);
        assert!((beats - 256.0 / 24_000.0).abs() < 1e-4, "{beats}");
        host.play(&[], BLOCK, &[Played::Position(0, Song { playing: false, ..song })]);
        assert!(!told(&host.play(&[], BLOCK, &[]).0[0]).0);
    });
}

//! MIDI passes through the container in order, at its frame, byte for byte, shifted by the latency before it.

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost, HostEvent};
use catena_tests::daw::{chain, impulse, with_fixtures};
use clap_sys::events::{CLAP_NOTE_EXPRESSION_PRESSURE, CLAP_NOTE_EXPRESSION_TUNING};

/// Every kind of message, on several channels, at frames that rise.
fn messages() -> Vec<HostEvent> {
    let mut messages: Vec<Vec<u8>> = (0..16_u8)
        .flat_map(|channel| {
            [
                vec![0x90 | channel, 60, 1],
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
    (0..).zip(messages).map(|(frame, message)| HostEvent::Midi(frame * 2, message)).collect()
}

/// As it comes out: short messages fill three bytes in CLAP.
fn padded(events: &[HostEvent], shift: u32) -> Vec<HostEvent> {
    let pad = |event: &HostEvent| match event {
        HostEvent::Midi(frame, bytes) => {
            let mut bytes = bytes.clone();
            bytes.resize(bytes.len().max(3), 0);
            HostEvent::Midi(frame + shift, bytes)
        }
        HostEvent::Packet(frame, data) => HostEvent::Packet(frame + shift, *data),
        HostEvent::Expression(frame, which, channel, key, value) => {
            HostEvent::Expression(frame + shift, *which, *channel, *key, *value)
        }
        other => other.clone(),
    };
    events.iter().map(pad).collect()
}

#[test]
fn every_message_passes_at_its_frame_through_a_chain_and_through_none() {
    with_fixtures("every_message_passes_at_its_frame_through_a_chain_and_through_none", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let chains = [
            (chain(&[]), 0),
            (chain(&[("gain", &[])]), 0),
            (chain(&[("note-echo", &[])]), 0),
            (chain(&[("delay", &[("100", 100.0)]), ("note-echo", &[])]), 100),
        ];
        for (number, (state, latency)) in chains.into_iter().enumerate() {
            let mut host = ClapHost::new(&file, "catena-audio.catena");
            assert!(host.load(&state), "{:?}", host.asked.log());
            host.activate(48_000.0, 512);
            assert_eq!(host.latency(), latency);
            // The first blocks fade the chain in.
            for _ in 0..8 {
                host.process(&impulse(512, 0), &[]);
            }
            let sent = messages();
            let (_, heard) = host.process(&impulse(512, 0), &sent);
            let expected = padded(&sent, latency);
            assert_eq!(heard.len(), expected.len(), "chain {number}: {:?}", heard.first());
            for (heard, expected) in heard.iter().zip(&expected) {
                assert!(heard == expected, "chain {number}: {heard:.60?} for {expected:.60?}");
            }
        }
    });
}

#[test]
fn packets_of_midi_2_and_note_expressions_pass_as_they_are() {
    with_fixtures("packets_of_midi_2_and_note_expressions_pass_as_they_are", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let sent = [
            HostEvent::Midi(1, vec![0x93, 60, 1]),
            HostEvent::Packet(2, [0x4093_3C00, 0x1234_0000, 0, 0]),
            HostEvent::Packet(2, [0x10F8_0000, 0, 0, 0]),
            HostEvent::Expression(3, CLAP_NOTE_EXPRESSION_TUNING, 3, 60, -7.25),
            HostEvent::Expression(4, CLAP_NOTE_EXPRESSION_PRESSURE, -1, -1, 0.125),
            HostEvent::Packet(5, [0x4083_3C00, 0, 0, 0]),
        ];
        let delayed: &[(&str, &[(&str, f64)])] = &[("delay", &[("100", 100.0)]), ("note-echo", &[])];
        for (state, latency) in [(chain(&[]), 0), (chain(delayed), 100)] {
            let mut host = ClapHost::new(&file, "catena-audio.catena");
            assert!(host.load(&state), "{:?}", host.asked.log());
            host.activate(48_000.0, 512);
            for _ in 0..8 {
                host.process(&impulse(512, 0), &[]);
            }
            let (_, heard) = host.process(&impulse(512, 0), &sent);
            assert_eq!(heard, padded(&sent, latency));
        }
    });
}

#[test]
fn unsorted_events_come_out_sorted_and_notes_of_claps_own_kind_become_midi() {
    with_fixtures("unsorted_events_come_out_sorted_and_notes_of_claps_own_kind_become_midi", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        assert_eq!((host.note_dialects(true), host.note_dialects(false)), ((11, 2), (11, 2)));
        host.activate(48_000.0, 512);
        let sent = [
            HostEvent::Midi(300, vec![0x90, 1, 1]),
            HostEvent::Midi(7, vec![0x90, 2, 1]),
            HostEvent::Note(7, true, 3, 60, 1.0),
            HostEvent::Note(9, false, 3, 60, 0.0),
        ];
        let (_, heard) = host.process(&impulse(512, 0), &sent);
        let expected = [
            HostEvent::Midi(7, vec![0x90, 2, 1]),
            HostEvent::Midi(7, vec![0x93, 60, 127]),
            HostEvent::Midi(9, vec![0x83, 60, 0]),
            HostEvent::Midi(300, vec![0x90, 1, 1]),
        ];
        assert_eq!(heard, expected);
    });
}

//! MIDI to and from CLAP plugins: in order, at its frame, byte for byte, in the dialect that the port speaks.

use catena_tests::clap_bench::{Bench, at_48k, param};
use catena_tests::fixtures::open_clap;
use host_core::backend::audio::{Expression, Kind, MAX_SYSEX};

#[test]
fn a_note_sounds_at_its_frame() {
    let mut main = open_clap("instrument");
    let mut audio = main.activate(at_48k(256)).unwrap();
    assert!(audio.start());
    let mut bench = Bench::default();
    bench.events.push(7, 0, &[0x90, 60, 127]);
    bench.events.push(200, 0, &[0x90, 61, 127]);
    bench.events.push(201, 0, &[0x80, 60, 127]);
    bench.run(audio.as_mut(), 256);
    let buses = &audio.buffers().outputs;
    let sounding = |bus: usize| (0..256).filter(|at| buses[bus].channels[0][*at] != 0.0).collect::<Vec<_>>();
    assert_eq!(sounding(0), [7, 200]);
    assert_eq!(sounding(1), [201]);
    main.deactivate(audio);
}

#[test]
fn every_message_passes_in_order_at_its_frame_byte_for_byte() {
    let mut main = open_clap("note-echo");
    assert!(main.ports().midi_in && main.ports().midi_out);
    let mut audio = main.activate(at_48k(256)).unwrap();
    assert!(audio.start());
    let mut bench = Bench::default();
    let mut sent = Vec::new();
    let mut send = |bench: &mut Bench, frame: u16, bytes: &[u8]| {
        assert!(bench.events.push(frame, 0, bytes));
        sent.push((frame, bytes.to_vec()));
    };
    for channel in 0..16 {
        for message in
            [&[0x90 | channel, 60, 1][..], &[0xB0 | channel, 7, 99], &[0xC0 | channel, 5], &[0xE0 | channel, 1, 2]]
        {
            send(&mut bench, u16::from(channel) * 3, message);
        }
        send(&mut bench, u16::from(channel) * 3, &[0xD0 | channel, 70]);
        send(&mut bench, u16::from(channel) * 3 + 1, &[0xA0 | channel, 60, 70]);
        send(&mut bench, u16::from(channel) * 3 + 2, &[0x80 | channel, 60, 0]);
    }
    send(&mut bench, 100, &[0xF8]);
    send(&mut bench, 101, &[0xF0, 1, 0xF7]);
    let mut long = vec![0x11; MAX_SYSEX];
    (long[0], long[MAX_SYSEX - 1]) = (0xF0, 0xF7);
    send(&mut bench, 255, &long);
    bench.run(audio.as_mut(), 256);
    let came: Vec<_> = bench.events_out.iter().map(|(event, bytes)| (event.frame, bytes.to_vec())).collect();
    assert_eq!(came.len(), sent.len());
    assert!(came == sent);
    main.deactivate(audio);
}

#[test]
fn a_port_that_speaks_only_claps_notes_gets_and_gives_them() {
    let mut main = open_clap("clap-notes");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    let mut bench = Bench::default();
    bench.events.push(3, 0, &[0x95, 60, 100]);
    bench.events.push(4, 0, &[0xC5, 1]);
    bench.events.push(9, 0, &[0x85, 60, 64]);
    // A message for a port it does not have is not sent.
    bench.events.push(10, 1, &[0x95, 60, 100]);
    bench.run(audio.as_mut(), 64);
    let came: Vec<_> = bench.events_out.iter().map(|(event, bytes)| (event.frame, bytes.to_vec())).collect();
    assert_eq!(came, [(3, vec![0x95, 60, 100]), (9, vec![0x85, 60, 64])]);
    let events = param(main.as_ref(), "events");
    assert_eq!(main.value(events), Some(2.0));
    main.deactivate(audio);
}

fn packet(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

#[test]
fn packets_and_expressions_reach_a_port_that_takes_them_as_they_are() {
    let mut main = open_clap("note-echo");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    let mut bench = Bench::default();
    let tuning = Expression { id: 2, channel: 3, key: 60, value: 0.3 }.to_bytes();
    let sent = [
        (1, Kind::Ump, packet(&[0x4093_3C00, 0x1234_0000])),
        (2, Kind::Expression, tuning.to_vec()),
        (3, Kind::Ump, packet(&[0x10F8_0000])),
        (4, Kind::Midi, vec![0x83, 60, 1]),
    ];
    sent.iter().for_each(|(frame, kind, bytes)| assert!(bench.events.push_as(*frame, 0, *kind, bytes)));
    bench.run(audio.as_mut(), 64);
    let came: Vec<_> =
        bench.events_out.iter().map(|(event, bytes)| (event.frame, event.kind(), bytes.to_vec())).collect();
    assert_eq!(came, sent);
    main.deactivate(audio);
}

#[test]
fn a_port_of_midi_1_gets_packets_and_expressions_in_its_own_words() {
    let mut main = open_clap("instrument");
    let mut audio = main.activate(at_48k(64)).unwrap();
    assert!(audio.start());
    let mut bench = Bench::default();
    bench.events.push_as(7, 0, Kind::Ump, &packet(&[0x4090_3C00, 0xFFFF_0000]));
    bench.events.push_as(9, 0, Kind::Expression, &Expression { id: 2, channel: 0, key: 60, value: 0.3 }.to_bytes());
    bench.events.push_as(20, 0, Kind::Ump, &packet(&[0x4080_3C00, 0]));
    bench.run(audio.as_mut(), 64);
    let buses = &audio.buffers().outputs;
    let sounding = |bus: usize| (0..64).filter(|at| buses[bus].channels[0][*at] != 0.0).collect::<Vec<_>>();
    assert_eq!((sounding(0), sounding(1)), (vec![7], vec![20]));
    main.deactivate(audio);
}

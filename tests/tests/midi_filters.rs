//! What a slot's plugin hears: its own source, its own filter, at its frame; and the note-off of a note begun before a filter
//! changed still passes.

use std::sync::Arc;

use catena_tests::rig::Rig;
use catena_tests::rust_plugins::{Delay, Heard, Listener, Octave, make, midi_ports, ports};
use host_core::engine::{SlotNode, SlotSetup};
use host_core::model::{MidiSettings, MidiSource, PortLayout, SlotId};

const BLOCK: usize = 64;

/// A plugin that takes MIDI and makes none.
fn listener(id: u64) -> (Arc<SlotNode>, Heard) {
    let (work, heard) = Listener::new();
    let layout = PortLayout { midi_in: true, ..ports(2, 2) };
    (SlotNode::new(SlotSetup::new(SlotId(id), vec![make(&layout, 1024, work)], layout)), heard)
}

fn octave(id: u64) -> Arc<SlotNode> {
    let layout = midi_ports(2, 2);
    SlotNode::new(SlotSetup::new(SlotId(id), vec![make(&layout, 1024, Octave)], layout))
}

fn delay(id: u64, frames: u32) -> Arc<SlotNode> {
    let layout = ports(2, 2);
    let plugin = make(&layout, 1024, Delay::new(2, frames as usize));
    SlotNode::new(SlotSetup { latency: frames, ..SlotSetup::new(SlotId(id), vec![plugin], layout) })
}

/// Sends `messages` in one block; what comes out of the container in it.
fn send(rig: &mut Rig, messages: &[(u16, &[u8])]) -> Vec<(u16, Vec<u8>)> {
    for (frame, bytes) in messages {
        assert!(rig.events_in.push(*frame, 0, bytes));
    }
    rig.block(&mut vec![vec![0.0; BLOCK]; 2]);
    rig.events_out.iter().map(|(event, bytes)| (event.frame, bytes.to_vec())).collect()
}

fn take(heard: &Heard) -> Vec<Vec<u8>> {
    std::mem::take(&mut *heard.lock().unwrap()).into_iter().map(|(_, bytes)| bytes).collect()
}

#[test]
fn a_filter_bears_on_its_own_plugin_and_the_stream_goes_on_whole() {
    let mut rig = Rig::new(2);
    let ((low, low_heard), (high, high_heard)) = (listener(1), listener(2));
    low.controls().set_midi(MidiSettings { keys: (0, 59), transpose: 12, ..MidiSettings::default() });
    high.controls().set_midi(MidiSettings {
        keys: (60, 127),
        velocity: (20, 127),
        channels: 1,
        ..MidiSettings::default()
    });
    rig.send(&[low, high]);
    let played: &[(u16, &[u8])] = &[
        (0, &[0x90, 40, 100]),
        (1, &[0x90, 70, 100]),
        (2, &[0x90, 71, 19]),
        (3, &[0x91, 72, 100]),
        (4, &[0xC0, 9]),
        (5, &[0x80, 40, 1]),
        (6, &[0x80, 70, 1]),
        (7, &[0x80, 71, 1]),
        (8, &[0xF0, 1, 2, 3, 4, 5, 0xF7]),
    ];
    let out = send(&mut rig, played);
    assert_eq!(out, played.iter().map(|(frame, bytes)| (*frame, bytes.to_vec())).collect::<Vec<_>>());
    let sysex: &[u8] = &[0xF0, 1, 2, 3, 4, 5, 0xF7];
    assert_eq!(take(&low_heard), [&[0x90, 52, 100][..], &[0xC0, 9], &[0x80, 52, 1], sysex]);
    assert_eq!(take(&high_heard), [&[0x90, 70, 100][..], &[0xC0, 9], &[0x80, 70, 1], sysex]);
}

#[test]
fn the_note_off_of_a_note_begun_before_a_filter_change_still_passes_to_the_key_it_had() {
    let mut rig = Rig::new(2);
    let (slot, heard) = listener(1);
    rig.send(std::slice::from_ref(&slot));
    let set = |settings| slot.controls().set_midi(settings);
    send(&mut rig, &[(0, &[0x90, 60, 100]), (0, &[0x95, 61, 100])]);
    assert_eq!(take(&heard).len(), 2);
    set(MidiSettings { channels: 1, keys: (100, 127), transpose: 3, ..MidiSettings::default() });
    send(&mut rig, &[(9, &[0x80, 60, 7]), (9, &[0x90, 60, 1]), (9, &[0x90, 101, 1])]);
    assert_eq!(take(&heard), [[0x80, 60, 7], [0x90, 104, 1]]);
    set(MidiSettings { transpose: -1, ..MidiSettings::default() });
    send(&mut rig, &[(0, &[0x80, 101, 8]), (0, &[0x85, 61, 9]), (0, &[0x90, 60, 1])]);
    assert_eq!(take(&heard), [[0x80, 104, 8], [0x85, 61, 9], [0x90, 59, 1]]);
    // Nothing is filtered any more, but the key that was moved is still down.
    set(MidiSettings::default());
    send(&mut rig, &[(0, &[0x90, 62, 1])]);
    send(&mut rig, &[]);
    send(&mut rig, &[(0, &[0x80, 60, 3]), (0, &[0x80, 62, 4])]);
    assert_eq!(take(&heard), [[0x90, 62, 1], [0x80, 59, 3], [0x80, 62, 4]]);
}

#[test]
fn a_slot_hears_the_container_past_a_plugin_that_makes_midi_each_at_its_frame() {
    for (source, due) in [
        (MidiSource::Previous, &[(110, 72)][..]),
        (MidiSource::Container, &[(110, 60)]),
        (MidiSource::Merge, &[(110, 72), (110, 60)]),
        (MidiSource::None, &[]),
    ] {
        let mut rig = Rig::new(2);
        let (slot, heard) = listener(3);
        slot.controls().set_midi(MidiSettings { source, ..MidiSettings::default() });
        rig.send(&[octave(1), delay(2, 100), slot]);
        send(&mut rig, &[(10, &[0x90, 60, 100])]);
        (0..4).for_each(|_| drop(send(&mut rig, &[])));
        let heard: Vec<_> = heard.lock().unwrap().iter().map(|(at, bytes)| (*at, bytes[1])).collect();
        assert_eq!(heard, due, "{source:?}");
    }
}

#[test]
fn what_both_sources_hold_is_heard_once() {
    let mut rig = Rig::new(2);
    let (slot, heard) = listener(2);
    slot.controls().set_midi(MidiSettings { source: MidiSource::Merge, ..MidiSettings::default() });
    rig.send(&[delay(1, 30), slot]);
    send(&mut rig, &[(10, &[0x90, 60, 100]), (10, &[0x90, 61, 100])]);
    send(&mut rig, &[(0, &[0x80, 60, 0])]);
    send(&mut rig, &[]);
    assert_eq!(take(&heard), [[0x90, 60, 100], [0x90, 61, 100], [0x80, 60, 0]]);
}

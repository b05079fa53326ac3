//! Every note that Catena began in a slot, or that a slot's plugin began past it, is ended by Catena when nobody else can end it: when
//! the slot is bypassed, removed, replaced, moved to another source or restarted; and a panic ends all.

use std::sync::Arc;

use catena_tests::rig::Rig;
use catena_tests::rust_plugins::{Delay, Heard, Listener, Octave, make, midi_ports, ports};
use host_core::backend::audio::EventBuffer;
use host_core::engine::{ContainerBlock, SlotNode, SlotSetup};
use host_core::model::{MidiSettings, MidiSource, PortLayout, SlotId};

const ON: [u8; 3] = [0x93, 60, 100];
const OFF: [u8; 3] = [0x83, 60, 64];
const MADE: [u8; 3] = [0x93, 72, 100];
const MADE_OFF: [u8; 3] = [0x83, 72, 64];

fn listener(id: u64) -> (Arc<SlotNode>, Heard) {
    let (work, heard) = Listener::new();
    let layout = PortLayout { midi_in: true, ..ports(2, 2) };
    (SlotNode::new(SlotSetup::new(SlotId(id), vec![make(&layout, 1024, work)], layout)), heard)
}

fn octave(id: u64) -> Arc<SlotNode> {
    let layout = midi_ports(2, 2);
    SlotNode::new(SlotSetup { fade_in: true, ..SlotSetup::new(SlotId(id), vec![make(&layout, 1024, Octave)], layout) })
}

fn delay(id: u64, frames: u32) -> Arc<SlotNode> {
    let layout = ports(2, 2);
    let plugin = make(&layout, 1024, Delay::new(2, frames as usize));
    SlotNode::new(SlotSetup { latency: frames, ..SlotSetup::new(SlotId(id), vec![plugin], layout) })
}

/// Runs `blocks` of 64 frames, `message` in the first; everything that came out of the container.
fn play(rig: &mut Rig, message: Option<[u8; 3]>, blocks: usize) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    if let Some(bytes) = message {
        assert!(rig.events_in.push(0, 0, &bytes));
    }
    for _ in 0..blocks {
        rig.block(&mut vec![vec![0.0; 64]; 2]);
        out.extend(rig.events_out.iter().map(|(_, bytes)| bytes.to_vec()));
    }
    out
}

fn take(heard: &Heard) -> Vec<Vec<u8>> {
    std::mem::take(&mut *heard.lock().unwrap()).into_iter().map(|(_, bytes)| bytes).collect()
}

/// A slot with a note in it; what `change` makes it hear within 30 blocks.
fn after(change: impl FnOnce(&mut Rig, &Arc<SlotNode>)) -> Vec<Vec<u8>> {
    let mut rig = Rig::new(2);
    let (slot, heard) = listener(1);
    rig.send(std::slice::from_ref(&slot));
    play(&mut rig, Some(ON), 30);
    assert_eq!(take(&heard), [ON]);
    change(&mut rig, &slot);
    play(&mut rig, None, 30);
    take(&heard)
}

#[test]
fn in_a_slot_that_is_bypassed_and_it_begins_none_until_that_ends() {
    let mut rig = Rig::new(2);
    let (slot, heard) = listener(1);
    rig.send(std::slice::from_ref(&slot));
    play(&mut rig, Some(ON), 30);
    take(&heard);
    slot.controls().set_bypass(true);
    play(&mut rig, Some([0xC3, 5, 0]), 30);
    assert_eq!(take(&heard), [OFF, [0xC3, 5, 0]]);
    play(&mut rig, Some(ON), 30);
    slot.controls().set_bypass(false);
    play(&mut rig, Some([0x83, 60, 1]), 1);
    play(&mut rig, Some(ON), 1);
    let heard = take(&heard);
    assert!(heard.iter().all(|bytes| bytes[0] == 0x83 || bytes[..] == ON), "{heard:?}");
    assert_eq!(heard.iter().filter(|bytes| bytes[0] == 0x93).count(), 1, "{heard:?}");
}

#[test]
fn in_a_slot_that_is_taken_out_or_restarted_or_given_another_source() {
    assert_eq!(after(|_, slot| slot.controls().set_present(false)), [OFF]);
    assert_eq!(after(|_, slot| slot.controls().set_park(true)), [OFF]);
    let source = |source| MidiSettings { source, ..MidiSettings::default() };
    for other in [MidiSource::None, MidiSource::Container, MidiSource::Merge] {
        assert_eq!(after(|_, slot| slot.controls().set_midi(source(other))), [OFF], "{other:?}");
    }
    assert!(after(|_, _| ()).is_empty());
}

#[test]
fn in_a_slot_whose_plugin_was_at_home_meanwhile() {
    let heard = after(|rig, slot| {
        let plugins = slot.take().unwrap();
        play(rig, None, 5);
        assert!(
            slot.put(
                plugins
                    .into_iter()
                    .map(|mut plugin| {
                        plugin.reset();
                        plugin
                    })
                    .collect()
            )
            .is_ok()
        );
    });
    assert_eq!(heard, [OFF]);
}

#[test]
fn in_a_slot_before_which_a_maker_of_midi_comes_goes_or_is_replaced() {
    let mut rig = Rig::new(2);
    let (slot, heard) = listener(1);
    rig.send(std::slice::from_ref(&slot));
    play(&mut rig, Some(ON), 5);
    assert_eq!(take(&heard), [ON]);
    // The note-off of the held key will go to the octave from now on.
    rig.send(&[octave(2), slot.clone()]);
    play(&mut rig, None, 30);
    assert_eq!(take(&heard), [OFF]);
    play(&mut rig, Some(ON), 5);
    assert_eq!(take(&heard), [MADE]);
    rig.send(&[octave(3), slot.clone()]);
    play(&mut rig, None, 30);
    assert_eq!(take(&heard), [MADE_OFF]);
    play(&mut rig, Some(ON), 5);
    assert_eq!(take(&heard), [MADE]);
    rig.send(&[slot]);
    play(&mut rig, None, 30);
    assert_eq!(take(&heard), [MADE_OFF]);
}

#[test]
fn past_a_maker_of_midi_whatever_becomes_of_it_with_those_still_on_their_way() {
    type Change = fn(&SlotNode);
    let changes: [(&str, Change); 3] = [
        ("bypassed", |slot| slot.controls().set_bypass(true)),
        ("on its way out", |slot| slot.controls().set_present(false)),
        ("restarted", |slot| slot.controls().set_park(true)),
    ];
    for (what, change) in changes {
        let mut rig = Rig::new(2);
        let maker = octave(1);
        let (slot, heard) = listener(3);
        rig.send(&[maker.clone(), delay(2, 1000), slot]);
        play(&mut rig, Some(ON), 1);
        change(&maker);
        let out = play(&mut rig, None, 40);
        assert_eq!(take(&heard), [MADE, MADE_OFF], "{what}");
        assert_eq!(out, [MADE, MADE_OFF], "{what}");
    }
}

#[test]
fn what_passed_a_maker_is_ended_when_the_maker_takes_its_place() {
    let mut rig = Rig::new(2);
    let maker = octave(1);
    let (slot, heard) = listener(2);
    maker.controls().set_bypass(true);
    rig.send(&[maker.clone(), slot]);
    play(&mut rig, Some(ON), 20);
    maker.controls().set_bypass(false);
    play(&mut rig, None, 20);
    assert_eq!(take(&heard), [ON, OFF]);
}

#[test]
fn at_the_daw_when_the_container_is_bypassed() {
    let mut rig = Rig::new(2);
    rig.send(&[octave(1)]);
    assert_eq!(play(&mut rig, Some(ON), 30), [MADE]);
    rig.bypass = true;
    assert_eq!(play(&mut rig, None, 30), [MADE_OFF]);
    assert_eq!(play(&mut rig, Some(ON), 1), [ON]);
    rig.bypass = false;
    assert_eq!(play(&mut rig, None, 30), [OFF]);
}

#[test]
fn not_at_the_daw_where_the_bypass_of_the_container_changes_no_stream() {
    let mut rig = Rig::new(2);
    let (slot, heard) = listener(1);
    rig.send(&[slot]);
    assert_eq!(play(&mut rig, Some(ON), 30), [ON]);
    for bypass in [true, false] {
        rig.bypass = bypass;
        assert_eq!(play(&mut rig, None, 30), [[0; 3]; 0], "bypass {bypass}");
    }
    assert_eq!(play(&mut rig, Some(OFF), 1), [OFF]);
    assert_eq!(take(&heard), [ON, OFF]);
}

#[test]
fn in_a_slot_that_did_not_hear_its_end_since_home_played_the_audio_role() {
    for (missed, ended) in [(OFF, true), ([0xB3, 123, 0], true), ([0xB3, 1, 7], false)] {
        let heard = after(|rig, _| {
            rig.controller.deactivated(true);
            let lease = rig.controller.lease().expect("deactivated");
            let (mut events_in, mut events_out) = (EventBuffer::new(4, false), EventBuffer::new(4, false));
            assert!(events_in.push(0, 0, &missed));
            let (mut left, mut right) = ([0.0; 64], [0.0; 64]);
            rig.processor.process(&mut ContainerBlock {
                main: &mut [&mut left, &mut right],
                sidechain: &[],
                aux: &mut [],
                events_in: &mut events_in,
                events_out: &mut events_out,
                transport: None,
                bypass: false,
            });
            assert_eq!(events_out.len(), 1);
            drop(lease);
            rig.controller.deactivated(false);
        });
        let due: &[[u8; 3]] = if ended { &[OFF] } else { &[] };
        assert_eq!(heard, due, "{missed:?}");
    }
}

#[test]
fn a_panic_ends_all_clears_delay_lines_and_changes_no_setting() {
    let mut rig = Rig::new(2);
    let (slot, heard) = listener(2);
    let late = delay(1, 500);
    late.controls().set_mix(0.5);
    rig.send(&[late, slot]);
    play(&mut rig, Some(ON), 30);
    assert_eq!(take(&heard), [ON]);
    let mut block = vec![vec![1.0; 64]; 2];
    rig.block(&mut block);
    play(&mut rig, Some([0x93, 61, 1]), 1);
    assert!(rig.controller.panic());
    let mut sounds = false;
    let mut out = Vec::new();
    for _ in 0..20 {
        let mut block = vec![vec![0.0; 64]; 2];
        rig.block(&mut block);
        sounds |= block[0].iter().any(|sample| *sample != 0.0);
        out.extend(rig.events_out.iter().map(|(_, bytes)| bytes.to_vec()));
    }
    let heard = take(&heard);
    for said in [&heard, &out] {
        assert_eq!(said[0], OFF);
        for channel in 0..16 {
            assert!(said.contains(&vec![0xB0 | channel, 123, 0]) && said.contains(&vec![0xB0 | channel, 64, 0]));
        }
        // What was on its way is gone.
        assert!(!said.contains(&vec![0x93, 61, 1]));
    }
    assert!(!sounds, "something was left in a delay line");
    assert_eq!(play(&mut rig, Some(ON), 10), [ON]);
}

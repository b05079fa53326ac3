//! Instruments inside Catena Instrument play what Ardour's MIDI tracks hold, at its frames.

use catena_tests::ardour::plugins::{chain_of, with_plugins};
use catena_tests::ardour::{Ardour, Format, midi};
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, peak};
use host_core::model::PluginId;
use host_core::store;

/// Where the notes are, frames: on Ardour's ticks, inside its blocks and at the start of one.
const NOTES: [usize; 4] = [4800, 12_350, 25_600, 30_025];
/// A plugin of Debian's `mda-lv2` that sounds from the first sample of a note.
const PIANO: &str = "http://drobilla.net/plugins/mda/EPiano";

/// Plays the notes through `packed`; answers what is heard.
fn play(ardour: &Ardour, packed: &[u8], latency: u32) -> Vec<Vec<f32>> {
    ardour.set_chain("keys", packed);
    let mut arguments = vec![format!("keys={latency}")];
    arguments.extend(NOTES.iter().map(usize::to_string));
    ardour.script("notes.lua", include_str!("../daw/notes.lua"), &arguments);
    ardour.exported("mix")
}

fn notes_sound(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    ardour.create(&[midi("keys")], 1.1);
    // One sample for a note's start, as loud as its velocity, behind a delay.
    let heard = play(&ardour, &chain(&[("instrument", &[]), ("delay", &[("100", 512.0)])]), 512);
    for channel in &heard {
        let loud: Vec<_> = (0..channel.len()).filter(|frame| channel[*frame].abs() > 0.3).collect();
        let top = peak(channel);
        assert_eq!(loud, NOTES, "{format:?}: starts of notes; the loudest is {} at {top}", channel[top]);
    }
    // A real one: silence before the first note, and sound within its first frames.
    let heard = play(&ardour, &store::pack(&chain_of(&[(PluginId::lv2(PIANO), &[])])).expect("a chain"), 0);
    for channel in &heard {
        let before = channel[..NOTES[0]].iter().position(|sample| sample.abs() > 1e-7);
        assert_eq!(before, None, "{format:?}: sound before the first note");
        let onset = channel.iter().position(|sample| sample.abs() > 1e-7).expect("sound");
        assert!((NOTES[0]..NOTES[0] + 16).contains(&onset), "{format:?}: the first note sounds at {onset}");
        for note in NOTES {
            let power = |from: usize| channel[from..from + 1200].iter().map(|sample| sample * sample).sum::<f32>();
            // It rings on into the next one.
            assert!(power(note) > 0.01, "{format:?}: note {note} is not heard");
        }
    }
}

#[test]
fn notes_sound_at_their_frames_in_the_lv2() {
    with_plugins("notes_sound_at_their_frames_in_the_lv2", &["mda.lv2"], || notes_sound(Format::Lv2));
}

#[test]
fn notes_sound_at_their_frames_in_the_vst3() {
    with_plugins("notes_sound_at_their_frames_in_the_vst3", &["mda.lv2"], || notes_sound(Format::Vst3));
}

//! Between nice-plug's notes and transport and the engine's. Notes only in VST3: in CLAP they never pass here.

use host_core::backend::audio::{EventBuffer, Transport};
use nice_plug::midi::{Channel, Key};
use nice_plug::prelude::{NoteEvent, SysExMessage};

use super::clamp_frame;

/// Longest system-exclusive message that VST3 carries here, bytes: nice-plug moves it by value in every event.
const SYSEX: usize = 512;

/// A system-exclusive message of any content.
#[derive(Clone, Debug, PartialEq)]
pub struct SysEx {
    bytes: [u8; SYSEX],
    len: usize,
}

impl SysExMessage for SysEx {
    type Buffer = [u8; SYSEX];

    fn from_buffer(buffer: &[u8]) -> Option<Self> {
        let mut bytes = [0; SYSEX];
        bytes.get_mut(..buffer.len())?.copy_from_slice(buffer);
        Some(Self { bytes, len: buffer.len() })
    }

    fn as_buffer(&self) -> (Self::Buffer, usize) {
        (self.bytes, self.len)
    }
}

/// 0..1 as seven bits.
fn seven(value: f32) -> u8 {
    (value * 127.0).round().clamp(0.0, 127.0) as u8
}

/// Adds `event` as MIDI bytes; what MIDI 1 cannot say is dropped. `[audio]`
pub fn push(event: &NoteEvent<SysEx>, out: &mut EventBuffer) {
    let frame = clamp_frame(event.timing());
    let channel = |channel: &Channel| channel.number().unwrap_or(0) & 0x0F;
    let key = |key: &Key| key.number().unwrap_or(0) & 0x7F;
    let pushed: &[u8] = match event {
        NoteEvent::NoteOn { channel: c, key: k, velocity, .. } => &[0x90 | channel(c), key(k), seven(*velocity).max(1)],
        NoteEvent::NoteOff { channel: c, key: k, velocity, .. } => &[0x80 | channel(c), key(k), seven(*velocity)],
        NoteEvent::Choke { channel: c, key: k, .. } => &[0x80 | channel(c), key(k), 0],
        NoteEvent::PolyPressure { channel: c, key: k, pressure, .. } => &[0xA0 | channel(c), key(k), seven(*pressure)],
        NoteEvent::MidiChannelPressure { channel, pressure, .. } => &[0xD0 | channel & 0x0F, seven(*pressure)],
        NoteEvent::MidiPitchBend { channel, value, .. } => {
            let bend = (value * 16383.0).round().clamp(0.0, 16383.0) as u16;
            &[0xE0 | channel & 0x0F, (bend & 0x7F) as u8, (bend >> 7) as u8]
        }
        NoteEvent::MidiCC { channel, cc, value, .. } => &[0xB0 | channel & 0x0F, cc & 0x7F, seven(*value)],
        NoteEvent::MidiProgramChange { channel, program, .. } => &[0xC0 | channel & 0x0F, program & 0x7F],
        NoteEvent::MidiSysEx { message, .. } => &message.bytes[..message.len],
        _ => return,
    };
    out.push(frame, 0, pushed);
}

/// The event that `bytes` are, where VST3 has one. `[audio]`
pub fn parse(frame: u32, bytes: &[u8]) -> Option<NoteEvent<SysEx>> {
    NoteEvent::from_midi(frame, bytes).ok()
}

/// nice-plug's transport as the engine's. `[audio]`
pub fn transport(host: &nice_plug::prelude::Transport, rate: f64, offline: bool) -> Transport {
    let signature = host.time_sig_numerator.zip(host.time_sig_denominator);
    Transport {
        playing: host.playing,
        recording: host.recording,
        offline,
        tempo: host.tempo,
        time_signature: signature.and_then(|(beats, unit)| Some((beats.try_into().ok()?, unit.try_into().ok()?))),
        // nice-plug works it out with a rate in f32, which is off by a frame after minutes.
        frames: host.pos_samples.or_else(|| host.pos_seconds.map(|seconds| (seconds * rate).round() as i64)),
        beats: host.pos_beats(),
        bar_start: host.bar_start_pos_beats(),
        bar: host.bar_number(),
        looping: host.loop_range_beats(),
    }
}

/// Moves `transport` on by `frames`, for the next part of a block that was cut. `[audio]`
pub fn advance(transport: &mut Transport, frames: f64, rate: f64) {
    if !transport.playing || rate <= 0.0 {
        return;
    }
    transport.frames = transport.frames.map(|at| at + frames as i64);
    if let (Some(beats), Some(tempo)) = (transport.beats, transport.tempo) {
        transport.beats = Some(beats + frames / rate / 60.0 * tempo);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn midi_messages_that_vst3_carries_come_back_as_they_went() {
        let mut buffer = EventBuffer::new(32, true);
        let messages: &[&[u8]] = &[
            &[0x93, 60, 1],
            &[0x83, 60, 64],
            &[0xA1, 60, 99],
            &[0xBF, 74, 127],
            &[0xE2, 0x7F, 0x3F],
            &[0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7],
        ];
        for message in messages {
            push(&parse(5, message).expect("known"), &mut buffer);
        }
        let read: Vec<_> = buffer.iter().map(|(event, bytes)| (event.frame, bytes.to_vec())).collect();
        assert_eq!(read, messages.iter().map(|bytes| (5, bytes.to_vec())).collect::<Vec<_>>());
    }

    #[test]
    fn a_cut_block_goes_on_where_its_first_part_ended() {
        let mut at = Transport {
            playing: true,
            tempo: Some(120.0),
            frames: Some(1000),
            beats: Some(4.0),
            ..Transport::default()
        };
        advance(&mut at, 24000.0, 48000.0);
        assert_eq!((at.frames, at.beats), (Some(25000), Some(5.0)));
    }
}

//! The numbers of every URI that the export needs.

use lv2_raw::sys::*;

use super::super::atoms::Types;
use super::features::Map;

/// What [`Types`] does not hold.
#[derive(Clone, Copy, Debug)]
pub struct Urids {
    /// Types of events.
    pub types: Types,
    /// `atom:Chunk`.
    pub chunk: u32,
    /// `atom:Path`.
    pub path: u32,
    /// Key of the state.
    pub state: u32,
    /// Key of what the host had at its ports.
    pub ports: u32,
    /// `bufsz:minBlockLength`.
    pub min_block: u32,
    /// `bufsz:maxBlockLength`.
    pub max_block: u32,
    /// `bufsz:nominalBlockLength`.
    pub nominal_block: u32,
    /// `param:sampleRate`.
    pub sample_rate: u32,
}

impl Urids {
    /// Asks the host for all of them; the keys `state` and `ports` end with a zero byte. `[main]`
    pub fn new(map: Map<'_>, state: &[u8], ports: &[u8]) -> Self {
        let urid = |uri: &[u8]| map.urid(uri);
        Self {
            types: Types {
                sequence: urid(LV2_ATOM__Sequence),
                object: urid(LV2_ATOM__Object),
                blank: urid(LV2_ATOM__Blank),
                int: urid(LV2_ATOM__Int),
                long: urid(LV2_ATOM__Long),
                float: urid(LV2_ATOM__Float),
                double: urid(LV2_ATOM__Double),
                midi: urid(LV2_MIDI__MidiEvent),
                state_changed: urid(b"http://lv2plug.in/ns/ext/state#StateChanged\0"),
                position: urid(LV2_TIME__Position),
                frame: urid(LV2_TIME__frame),
                speed: urid(LV2_TIME__speed),
                bar: urid(LV2_TIME__bar),
                bar_beat: urid(LV2_TIME__barBeat),
                beat: urid(LV2_TIME__beat),
                beat_unit: urid(LV2_TIME__beatUnit),
                beats_per_bar: urid(LV2_TIME__beatsPerBar),
                beats_per_minute: urid(LV2_TIME__beatsPerMinute),
            },
            chunk: urid(LV2_ATOM__Chunk),
            path: urid(LV2_ATOM__Path),
            state: urid(state),
            ports: urid(ports),
            min_block: urid(LV2_BUF_SIZE__minBlockLength),
            max_block: urid(LV2_BUF_SIZE__maxBlockLength),
            nominal_block: urid(b"http://lv2plug.in/ns/ext/buf-size#nominalBlockLength\0"),
            sample_rate: urid(LV2_PARAMETERS__sampleRate),
        }
    }
}

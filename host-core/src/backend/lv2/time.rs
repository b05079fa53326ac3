//! `time`: the song's position, told to a plugin when it is not where the last one leads.

use super::atom::Object;
use super::urid::Known;
use crate::backend::audio::Transport;

/// What a plugin was last told, and where that leads.
pub struct Clock {
    rate: f64,
    last: Option<Transport>,
    next_frame: Option<i64>,
    next_beat: Option<f64>,
}

impl Clock {
    /// Nothing told yet, at `rate` Hz. `[home]`
    pub fn new(rate: f64) -> Self {
        Self { rate, last: None, next_frame: None, next_beat: None }
    }

    /// Forgets what was told. `[audio]`
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// Whether `now` must be told; takes it as told, and `frames` frames as passed. `[audio]`
    pub fn moved(&mut self, now: &Transport, frames: u32) -> bool {
        let told = match &self.last {
            None => false,
            Some(last) => {
                last.playing == now.playing
                    && last.tempo == now.tempo
                    && last.time_signature == now.time_signature
                    && last.looping == now.looping
                    && now.frames == self.next_frame
                    && near(now.beats, self.next_beat)
            }
        };
        let passed = if now.playing { frames } else { 0 };
        self.next_frame = now.frames.map(|at| at + i64::from(passed));
        let beats = now.tempo.map_or(0.0, |tempo| f64::from(passed) / self.rate * tempo / 60.0);
        self.next_beat = now.beats.map(|at| at + beats);
        self.last = Some(*now);
        !told
    }

    /// Writes a `time:Position`. `[audio]`
    pub fn write(&self, out: &mut Object, known: &Known, now: &Transport) {
        let (per_bar, unit) = now.time_signature.unwrap_or((4, 4));
        let in_units = f64::from(unit.max(1)) / 4.0;
        out.begin(known, known.time_position);
        out.number(known.time_speed, known.atom_float, &speed(now).to_ne_bytes());
        out.number(known.time_frames_per_second, known.atom_float, &(self.rate as f32).to_ne_bytes());
        if let Some(frame) = now.frames {
            out.number(known.time_frame, known.atom_long, &frame.to_ne_bytes());
        }
        if let Some(tempo) = now.tempo {
            out.number(known.time_beats_per_minute, known.atom_float, &(tempo as f32).to_ne_bytes());
        }
        if now.time_signature.is_some() {
            out.number(known.time_beats_per_bar, known.atom_float, &f32::from(per_bar).to_ne_bytes());
            out.number(known.time_beat_unit, known.atom_int, &i32::from(unit).to_ne_bytes());
        }
        if let Some(beats) = now.beats {
            out.number(known.time_beat, known.atom_double, &(beats * in_units).to_ne_bytes());
        }
        if let (Some(beats), Some(bar), Some(start)) = (now.beats, now.bar, now.bar_start) {
            out.number(known.time_bar, known.atom_long, &i64::from(bar).to_ne_bytes());
            out.number(known.time_bar_beat, known.atom_float, &(((beats - start) * in_units) as f32).to_ne_bytes());
        }
    }
}

/// `time:speed`: 1 while the song rolls.
pub fn speed(now: &Transport) -> f32 {
    if now.playing { 1.0 } else { 0.0 }
}

/// The value of a control input that a plugin designates as part of the position. `[audio]`
pub fn designated(part: Part, now: &Transport) -> Option<f32> {
    let unit = |(_, unit): (u16, u16)| f64::from(unit.max(1)) / 4.0;
    Some(match part {
        Part::Bar => now.bar? as f32,
        Part::BarBeat => ((now.beats? - now.bar_start?) * unit(now.time_signature.unwrap_or((4, 4)))) as f32,
        Part::Beat => (now.beats? * unit(now.time_signature.unwrap_or((4, 4)))) as f32,
        Part::BeatUnit => f32::from(now.time_signature?.1),
        Part::BeatsPerBar => f32::from(now.time_signature?.0),
        Part::BeatsPerMinute => now.tempo? as f32,
        Part::Frame => now.frames? as f32,
        Part::Speed => speed(now),
    })
}

/// A part of the position that a control port can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Bar,
    BarBeat,
    Beat,
    BeatUnit,
    BeatsPerBar,
    BeatsPerMinute,
    Frame,
    Speed,
}

impl Part {
    /// The part that a designation names.
    pub fn of(designation: &str) -> Option<Self> {
        Some(match designation.strip_prefix("http://lv2plug.in/ns/ext/time#")? {
            "bar" => Self::Bar,
            "barBeat" => Self::BarBeat,
            "beat" => Self::Beat,
            "beatUnit" => Self::BeatUnit,
            "beatsPerBar" => Self::BeatsPerBar,
            "beatsPerMinute" => Self::BeatsPerMinute,
            "frame" => Self::Frame,
            "speed" => Self::Speed,
            _ => return None,
        })
    }
}

fn near(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-3,
        (None, None) => true,
        _ => false,
    }
}

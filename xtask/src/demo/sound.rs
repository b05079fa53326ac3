//! The demo's own music: drums and a plucked line, the same on every machine; and reading sound back.

use std::path::Path;

use anyhow::{Context, Result};

/// Sample rate, Hz.
const RATE: usize = 48_000;
/// Frames of a quarter note at 120 a minute.
const BEAT: usize = RATE / 2;
/// Length in quarter notes: 8 seconds.
const BEATS: usize = 16;
/// The plucked line in half-beat steps, as MIDI notes; 0 rests.
const LINE: [u8; 16] = [57, 0, 64, 60, 69, 0, 67, 64, 55, 0, 62, 59, 67, 66, 62, 0];

/// Stereo sound in memory.
pub struct Sound {
    /// Sample rate, Hz.
    pub rate: u32,
    /// Left.
    pub left: Vec<f32>,
    /// Right.
    pub right: Vec<f32>,
}

impl Sound {
    /// Peak and effective level, as text.
    pub fn level(&self) -> String {
        let all = || self.left.iter().chain(&self.right);
        let peak = all().fold(0.0f32, |peak, sample| peak.max(sample.abs()));
        let power = all().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / all().count().max(1) as f64;
        format!("{:.1} dBFS peak, {:.1} dBFS RMS", 20.0 * peak.max(1e-9).log10(), 10.0 * power.max(1e-18).log10())
    }
}

/// Noise that is the same every time.
struct Noise(u32);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (f64::from(self.0) / f64::from(u32::MAX) * 2.0 - 1.0) as f32
    }
}

/// Makes the demo's input.
pub fn make() -> Sound {
    let frames = BEAT * BEATS;
    let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
    let mut add = |at: usize, voice: &[f32], gain: f32, pan: f32| {
        for (offset, sample) in voice.iter().enumerate().take_while(|(offset, _)| at + offset < frames) {
            left[at + offset] += sample * gain * (1.0 - pan);
            right[at + offset] += sample * gain * (1.0 + pan);
        }
    };
    let mut noise = Noise(0x2545_f491);
    let (kick, snare, hat) = (kick(), snare(&mut noise), hat(&mut noise));
    for beat in 0..BEATS {
        let drum = if beat % 2 == 0 { &kick } else { &snare };
        add(beat * BEAT, drum, 0.5, 0.0);
        add(beat * BEAT, &hat, 0.09, 0.35);
        add(beat * BEAT + BEAT / 2, &hat, 0.14, 0.35);
        if beat % 8 == 5 {
            add(beat * BEAT + BEAT / 2, &kick, 0.4, 0.0);
        }
    }
    for step in 0..BEATS * 2 {
        let note = LINE[step % LINE.len()];
        if note > 0 {
            add(step * BEAT / 2, &pluck(note, &mut noise), 0.3, -0.25);
        }
    }
    Sound { rate: RATE as u32, left, right }
}

fn kick() -> Vec<f32> {
    let mut phase = 0.0f32;
    let voice = |frame: usize| {
        let time = frame as f32 / RATE as f32;
        phase += (48.0 + 160.0 * (-time * 32.0).exp()) / RATE as f32;
        (phase * std::f32::consts::TAU).sin() * (-time * 9.0).exp()
    };
    (0..RATE / 2).map(voice).collect()
}

fn snare(noise: &mut Noise) -> Vec<f32> {
    let voice = |frame: usize| {
        let time = frame as f32 / RATE as f32;
        let body = (time * 190.0 * std::f32::consts::TAU).sin() * (-time * 22.0).exp();
        0.5 * body + 0.6 * noise.next() * (-time * 16.0).exp()
    };
    (0..RATE / 3).map(voice).collect()
}

fn hat(noise: &mut Noise) -> Vec<f32> {
    let mut before = 0.0;
    let voice = |frame: usize| {
        let now = noise.next();
        let bright = now - before;
        before = now;
        bright * (-(frame as f32) / RATE as f32 * 55.0).exp()
    };
    (0..RATE / 8).map(voice).collect()
}

/// A plucked string after Karplus and Strong ("Digital Synthesis of Plucked-String and Drum Timbres", 1983): a burst of
/// noise goes round a delay as long as one period and is averaged at each turn.
fn pluck(note: u8, noise: &mut Noise) -> Vec<f32> {
    let hertz = 440.0 * 2f64.powf((f64::from(note) - 69.0) / 12.0);
    let period = (RATE as f64 / hertz).round() as usize;
    let mut string: Vec<f32> = (0..period).map(|_| noise.next()).collect();
    let voice = |frame: usize| {
        let (at, next) = (frame % period, (frame + 1) % period);
        let sample = string[at];
        string[at] = 0.4985 * (sample + string[next]);
        sample
    };
    (0..RATE).map(voice).collect()
}

/// Writes the demo's input as a 24-bit wav file.
pub fn write(path: &Path) -> Result<()> {
    let sound = make();
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: sound.rate,
        bits_per_sample: 24,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = hound::WavWriter::create(path, spec).with_context(|| format!("{}", path.display()))?;
    for sample in sound.left.iter().zip(&sound.right).flat_map(|(left, right)| [left, right]) {
        file.write_sample((f64::from(sample.clamp(-1.0, 1.0)) * 8_388_607.0).round() as i32)?;
    }
    file.finalize().with_context(|| format!("{}", path.display()))
}

/// Reads a stereo wav file.
pub fn read(path: &Path) -> Result<Sound> {
    let mut file = hound::WavReader::open(path).with_context(|| format!("{}", path.display()))?;
    let spec = file.spec();
    anyhow::ensure!(spec.channels == 2, "{}: {} channels where 2 were expected", path.display(), spec.channels);
    let samples: Vec<f32> = match spec.sample_format {
        hound::SampleFormat::Float => file.samples::<f32>().collect::<Result<_, _>>(),
        hound::SampleFormat::Int => {
            let full = 2f64.powi(i32::from(spec.bits_per_sample) - 1);
            let scale = |sample: i32| (f64::from(sample) / full) as f32;
            file.samples::<i32>().map(|sample| sample.map(scale)).collect::<Result<_, _>>()
        }
    }
    .with_context(|| format!("{}", path.display()))?;
    let channel = |offset: usize| samples.iter().skip(offset).step_by(2).copied().collect();
    Ok(Sound { rate: spec.sample_rate, left: channel(0), right: channel(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_music_is_eight_seconds_the_same_every_time_and_does_not_clip() {
        let (one, two) = (make(), make());
        assert_eq!(one.left.len(), RATE * 8);
        assert_eq!(one.left, two.left);
        let peak = one.left.iter().chain(&one.right).fold(0.0f32, |peak, sample| peak.max(sample.abs()));
        assert!((0.3..1.0).contains(&peak), "{peak}");
    }
}

//! The streams: input into a ring, output that runs the rig.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cpal::traits::{DeviceTrait, StreamTrait};
use cpal::{BufferSize, Device, ErrorKind, FromSample, SampleFormat, SizedSample, Stream, StreamConfig};
use host_core::session::{HostSetup, SessionHandle};

use super::midi::{Events, MidiInput};
use crate::cli::Play;
use crate::standalone::CHANNELS;
use crate::standalone::driver::Driver;
use crate::standalone::rig::{MAX_BLOCK, SharedRig};

/// Blocks that the ring between input and output holds.
const RING_BLOCKS: usize = 4;

#[derive(Default)]
struct Flags {
    dead: AtomicBool,
    late: AtomicU32,
    /// Written by the streams' error callbacks, which run beside the audio callback, not in it.
    why: Mutex<String>,
}

struct Alsa {
    line: String,
    flags: Arc<Flags>,
    _streams: Vec<Stream>,
    _midi: Option<MidiInput>,
}

/// Opens the sound card.
pub fn open(play: &Play, session: &SessionHandle, rig: &SharedRig) -> Result<Box<dyn Driver>, String> {
    let _quiet = alsa::Output::local_error_handler();
    let device = super::find(play.device.as_deref())?;
    let name = super::name_of(&device);
    let refused = |error: cpal::Error| format!("ALSA: {name} cannot be used: {error}");
    let default = device.default_output_config().map_err(refused)?;
    let rate = play.rate.unwrap_or(default.sample_rate());
    let block = play.block.unwrap_or(512);
    let config =
        StreamConfig { channels: default.channels(), sample_rate: rate, buffer_size: BufferSize::Fixed(block) };
    let setup = HostSetup { rate: rate.into(), max_block: MAX_BLOCK as u32, offline: false };
    session.activate(setup).map_err(|error| error.to_string())?;
    let flags = Arc::new(Flags::default());
    let (midi, events) = MidiInput::open(&play.name);
    let ring = rtrb::RingBuffer::new(RING_BLOCKS * block as usize * CHANNELS);
    let (mut into, from) = ring;
    // One block of silence ahead, so that input that is a little late is not missed.
    for _ in 0..block as usize * CHANNELS {
        let _full = into.push(0.0);
    }
    let player = Player { rig: rig.clone(), input: from, events, flags: flags.clone(), rate };
    let output = build(default.sample_format(), Output { device: &device, config, player, flags: flags.clone() })?;
    let input = capture(&device, rate, block, into, &flags);
    let heard = if input.is_some() { "in and out" } else { "out only: it has no input" };
    let mut streams: Vec<Stream> = input.into_iter().collect();
    streams.push(output);
    for stream in &streams {
        stream.play().map_err(refused)?;
    }
    let line = format!("ALSA, {name} ({heard}), {rate} Hz, blocks of {block}");
    Ok(Box::new(Alsa { line, flags, _streams: streams, _midi: midi }))
}

impl Driver for Alsa {
    fn describe(&self) -> String {
        self.line.clone()
    }

    fn dead(&self) -> Option<String> {
        let dead = self.flags.dead.load(Ordering::Acquire);
        dead.then(|| self.flags.why.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn late(&self) -> u32 {
        self.flags.late.swap(0, Ordering::Relaxed)
    }
}

impl Flags {
    fn note(&self, error: &cpal::Error) {
        match error.kind() {
            ErrorKind::Xrun => {
                self.late.fetch_add(1, Ordering::Relaxed);
            }
            ErrorKind::RealtimeDenied | ErrorKind::DeviceChanged => {}
            _ => {
                *self.why.lock().unwrap_or_else(PoisonError::into_inner) =
                    format!("ALSA: the sound card went away: {error}");
                self.dead.store(true, Ordering::Release);
            }
        }
    }
}

/// What the output callback owns.
struct Player {
    rig: SharedRig,
    input: rtrb::Consumer<f32>,
    events: Events,
    flags: Arc<Flags>,
    rate: u32,
}

impl Player {
    /// Fills `data`, interleaved with `channels`. `[audio]`
    fn fill<T: SizedSample + FromSample<f32>>(&mut self, data: &mut [T], channels: usize) {
        let Ok(mut rig) = self.rig.try_borrow_mut() else {
            return data.fill(T::EQUILIBRIUM);
        };
        let rig = rig.get_mut();
        for part in data.chunks_mut(MAX_BLOCK * channels) {
            let frames = part.len() / channels;
            let mut short = false;
            for frame in 0..frames {
                for plane in &mut rig.main {
                    let sample = self.input.pop();
                    short |= sample.is_err();
                    plane[frame] = sample.unwrap_or(0.0);
                }
            }
            if short && !self.input.is_abandoned() {
                self.flags.late.fetch_add(1, Ordering::Relaxed);
            }
            self.events.take(&mut rig.events_in);
            rig.run(frames, false, None, self.rate);
            for (frame, samples) in part.chunks_mut(channels).enumerate() {
                for (channel, sample) in samples.iter_mut().enumerate() {
                    *sample = rig.main.get(channel).map_or(T::EQUILIBRIUM, |plane| T::from_sample(plane[frame]));
                }
            }
        }
    }
}

struct Output<'a> {
    device: &'a Device,
    config: StreamConfig,
    player: Player,
    flags: Arc<Flags>,
}

fn build(format: SampleFormat, output: Output<'_>) -> Result<Stream, String> {
    match format {
        SampleFormat::F32 => play_as::<f32>(output),
        SampleFormat::I32 => play_as::<i32>(output),
        SampleFormat::I16 => play_as::<i16>(output),
        other => Err(format!("ALSA: the sound card wants {other} samples, which Catena does not write")),
    }
}

fn play_as<T: SizedSample + FromSample<f32>>(output: Output<'_>) -> Result<Stream, String> {
    let Output { device, config, mut player, flags } = output;
    let channels = usize::from(config.channels);
    let fill = move |data: &mut [T], _: &cpal::OutputCallbackInfo| player.fill(data, channels);
    let stream = device.build_output_stream(config, fill, move |error| flags.note(&error), None);
    stream.map_err(|error| format!("ALSA: {} cannot be opened: {error}", super::name_of(device)))
}

/// The input stream; none where the device has no input.
fn capture(device: &Device, rate: u32, block: u32, ring: rtrb::Producer<f32>, flags: &Arc<Flags>) -> Option<Stream> {
    let default = device.default_input_config().ok()?;
    let config =
        StreamConfig { channels: default.channels(), sample_rate: rate, buffer_size: BufferSize::Fixed(block) };
    match default.sample_format() {
        SampleFormat::F32 => capture_as::<f32>(device, config, ring, flags.clone()),
        SampleFormat::I32 => capture_as::<i32>(device, config, ring, flags.clone()),
        SampleFormat::I16 => capture_as::<i16>(device, config, ring, flags.clone()),
        _ => None,
    }
}

fn capture_as<T: SizedSample>(
    device: &Device,
    config: StreamConfig,
    mut ring: rtrb::Producer<f32>,
    flags: Arc<Flags>,
) -> Option<Stream>
where
    f32: FromSample<T>,
{
    let channels = usize::from(config.channels);
    let read = move |data: &[T], _: &cpal::InputCallbackInfo| {
        for frame in data.chunks(channels) {
            for channel in 0..CHANNELS {
                // A mono input feeds both sides.
                let sample = frame[channel.min(channels - 1)];
                let _full = ring.push(f32::from_sample_(sample));
            }
        }
    };
    device.build_input_stream(config, read, move |error| flags.note(&error), None).ok()
}

//! Reading audio files.

use std::fs::File;
use std::path::{Path, PathBuf};

use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

use super::{Shape, WavFormat};
use crate::cli::Failure;

/// Most channels a file may have.
const MAX_CHANNELS: u16 = 8;

/// An audio file being read.
pub struct Source {
    path: PathBuf,
    reader: Box<dyn FormatReader>,
    decoder: Box<dyn AudioDecoder>,
    track: u32,
    /// Rate and channels.
    pub shape: Shape,
    /// The wav format that holds its samples without loss.
    pub format: WavFormat,
    /// Frames it says it holds, where it says so.
    pub frames: Option<u64>,
    /// Frames read so far.
    pub read: u64,
    packet: Vec<f32>,
}

impl Source {
    /// Opens `path`.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let io = |error| Failure::io(path, &error);
        let file = File::open(path).map_err(io)?;
        let meta = file.metadata().map_err(io)?;
        if meta.is_dir() {
            return Err(Failure::failed(format!("{}: is a folder, not an audio file", path.display())));
        }
        if meta.len() == 0 {
            return Err(Failure::failed(format!("{}: is empty", path.display())));
        }
        let mut hint = Hint::new();
        if let Some(extension) = path.extension().and_then(|extension| extension.to_str()) {
            hint.with_extension(extension);
        }
        let stream = MediaSourceStream::new(Box::new(file), Default::default());
        let reader = symphonia::default::get_probe()
            .probe(&hint, stream, FormatOptions::default(), MetadataOptions::default())
            .map_err(|_| not_audio(path, "it is no wav, flac or ogg file, or is damaged"))?;
        let found = reader.default_track(TrackType::Audio).ok_or_else(|| not_audio(path, "it holds no sound"))?;
        let params = found.codec_params.as_ref().and_then(|params| params.audio());
        let params = params.ok_or_else(|| not_audio(path, "its sound is in a form that is not known here"))?;
        let (shape, format) = (shape(path, params)?, format(params));
        let decoder =
            symphonia::default::get_codecs().make_audio_decoder(params, &AudioDecoderOptions::default()).map_err(
                |_| not_audio(path, "its sound is in a form that is not known here; wav, flac and ogg vorbis are"),
            )?;
        let (track, frames) = (found.id, found.num_frames);
        Ok(Self { path: path.into(), track, reader, decoder, shape, format, frames, read: 0, packet: Vec::new() })
    }

    /// The next samples, interleaved; none at the end.
    pub fn next(&mut self) -> Result<Option<&[f32]>, Failure> {
        loop {
            let packet = match self.reader.next_packet() {
                Ok(Some(packet)) => packet,
                Ok(None) => return Ok(None),
                Err(Error::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
                Err(Error::IoError(error)) => return Err(Failure::io(&self.path, &error)),
                Err(error) => return Err(self.damaged(&error)),
            };
            if packet.track_id != self.track {
                continue;
            }
            let decoded = match self.decoder.decode(&packet) {
                Ok(decoded) => decoded,
                Err(error) => return Err(self.damaged(&error)),
            };
            let channels = decoded.spec().channels().count();
            if channels != usize::from(self.shape.channels) || decoded.spec().rate() != self.shape.rate {
                let at = self.read;
                let path = self.path.display();
                return Err(Failure::failed(format!("{path}: changes its rate or channels after {at} frames")));
            }
            decoded.copy_to_vec_interleaved(&mut self.packet);
            if self.packet.is_empty() {
                continue;
            }
            self.check()?;
            return Ok(Some(&self.packet));
        }
    }

    /// Counts the packet's frames, and refuses one that holds something else than numbers.
    fn check(&mut self) -> Result<(), Failure> {
        let channels = usize::from(self.shape.channels);
        if let Some(at) = self.packet.iter().position(|sample| !sample.is_finite()) {
            let frame = self.read + (at / channels) as u64;
            let path = self.path.display();
            let text =
                format!("{path}: frame {frame} holds a value that is no number; repair the file before rendering");
            return Err(Failure::failed(text));
        }
        self.read += (self.packet.len() / channels) as u64;
        Ok(())
    }

    fn damaged(&self, error: &Error) -> Failure {
        let (path, at) = (self.path.display(), self.read);
        Failure::failed(format!("{path}: damaged after {at} frames ({error}); repair it or take another copy"))
    }
}

fn not_audio(path: &Path, why: &str) -> Failure {
    Failure::failed(format!("{}: cannot be read as audio: {why}", path.display()))
}

fn shape(path: &Path, params: &AudioCodecParameters) -> Result<Shape, Failure> {
    let channels = params.channels.as_ref().map_or(0, |channels| channels.count());
    let Some(rate) = params.sample_rate.filter(|rate| *rate > 0) else {
        return Err(not_audio(path, "it names no sample rate"));
    };
    match u16::try_from(channels) {
        Ok(channels @ 1..=MAX_CHANNELS) => Ok(Shape { rate, channels }),
        _ => Err(not_audio(path, &format!("it has {channels} channels; 1 to {MAX_CHANNELS} can be rendered"))),
    }
}

/// The wav format for a source: whole numbers of its own size where it has one, else 32-bit float.
fn format(params: &AudioCodecParameters) -> WavFormat {
    use symphonia::core::audio::sample::SampleFormat as S;
    let float = matches!(params.sample_format, Some(S::F32 | S::F64)) || params.bits_per_sample.is_none();
    match params.bits_per_sample {
        _ if float => WavFormat::Float32,
        Some(1..=8) => WavFormat::Int8,
        Some(9..=16) => WavFormat::Int16,
        Some(17..=24) => WavFormat::Int24,
        _ => WavFormat::Int32,
    }
}

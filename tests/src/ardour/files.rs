//! What a session of Ardour's holds in files: Catena's state, the recordings, the exports.

use std::ops::Range;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use host_core::model::Chain;
use host_core::store;

use super::{Ardour, Format};
use crate::vst3_state;

/// Where a text is between two others, from a place on.
fn between(text: &str, from: usize, before: &str, after: &str) -> Range<usize> {
    let start = text[from..].find(before).unwrap_or_else(|| panic!("no {before}")) + from + before.len();
    let end = text[start..].find(after).unwrap_or_else(|| panic!("no {after}")) + start;
    start..end
}

fn decode(text: &str) -> Vec<u8> {
    let base64: String = text.split_whitespace().collect();
    STANDARD.decode(base64).expect("base64")
}

impl Ardour {
    fn session_file(&self) -> PathBuf {
        self.session().join("s.ardour")
    }

    /// The file that holds the state of the plugin on `track`, its text, and where in it the base64 is.
    fn place(&self, track: &str) -> (PathBuf, String, Range<usize>) {
        let file = self.session_file();
        let text = std::fs::read_to_string(&file).expect("the session file");
        match self.format() {
            Format::Vst3 => {
                let route = between(&text, 0, &format!(r#"name="{track}" default-type"#), "</Route>");
                let at = between(&text, route.start, "<chunk>", "</chunk>");
                (file, text, at)
            }
            Format::Lv2 => {
                let file = self.state_folder(&text, track).join("state.ttl");
                let text = std::fs::read_to_string(&file).expect("the plugin's state");
                let chain = text.find("<urn:catena-audio:chain>").expect("the chain");
                let at = between(&text, chain, "\"\"\"", "\"\"\"");
                (file, text, at)
            }
        }
    }

    /// The file that holds the chain on `track`, where it is too large for a value of the plugin's state.
    fn large(&self, track: &str) -> Option<PathBuf> {
        if self.format() != Format::Lv2 {
            return None;
        }
        let text = std::fs::read_to_string(self.session_file()).expect("the session file");
        let folder = self.state_folder(&text, track);
        let state = std::fs::read_to_string(folder.join("state.ttl")).expect("the plugin's state");
        let value = state.split("<urn:catena-audio:chain>").nth(1)?.trim_start().strip_prefix('<')?;
        Some(folder.join(value.split('>').next()?))
    }

    /// The folder of the LV2's newest state on `track`, in the text of the session.
    fn state_folder(&self, text: &str, track: &str) -> PathBuf {
        let route = between(text, 0, &format!(r#"name="{track}" default-type"#), "</Route>");
        let plugin = text[route.start..].find(r#"type="lv2""#).expect("the plugin") + route.start;
        let tag = text[..plugin].rfind("<Processor ").expect("its tag");
        let id = between(text, tag, r#"id=""#, "\"");
        let state = between(text, plugin, r#"state-dir=""#, "\"");
        self.session().join("plugins").join(&text[id]).join(&text[state])
    }

    /// The packed chain on `track` as the session keeps it.
    pub fn packed(&self, track: &str) -> Vec<u8> {
        if let Some(file) = self.large(track) {
            return std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
        let (_, text, at) = self.place(track);
        let bytes = decode(&text[at]);
        match self.format() {
            Format::Vst3 => vst3_state::unwrap(&vst3_state::component(&bytes)),
            Format::Lv2 => bytes,
        }
    }

    /// The chain on `track` as the session keeps it.
    pub fn chain(&self, track: &str) -> Chain {
        store::unpack(&self.packed(track)).expect("a chain")
    }

    /// Puts another chain on `track` into the session.
    pub fn set_chain(&self, track: &str, packed: &[u8]) {
        let (file, mut text, at) = self.place(track);
        let bytes = match self.format() {
            Format::Vst3 => vst3_state::with_component(&decode(&text[at.clone()]), &vst3_state::wrap(packed)),
            Format::Lv2 => packed.to_vec(),
        };
        text.replace_range(at, &STANDARD.encode(bytes));
        std::fs::write(file, text).expect("the state");
    }

    /// The session's audio files whose names begin so.
    pub fn recordings(&self, begin: &str) -> Vec<PathBuf> {
        let inside = |folder: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            entries.map(|entry| entry.expect("an entry").path()).collect()
        };
        let folders = inside(&self.session().join("interchange"));
        let files = folders.iter().flat_map(|folder| inside(&folder.join("audiofiles")));
        let named = |file: &PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(begin));
        files.filter(named).collect()
    }

    /// What was recorded on `track`: a mono file for each channel.
    pub fn recorded(&self, track: &str) -> Vec<PathBuf> {
        self.recordings(&format!("Take1_{track}-"))
    }

    /// What was bounced of `track` into files whose names begin with `begin`: the samples of each channel.
    pub fn bounced(&self, begin: &str, track: &str) -> Vec<Vec<f32>> {
        let mut files = self.recordings(&format!("{begin}-{track}%"));
        files.extend(self.recordings(&format!("{begin}-{track}.")));
        files.sort();
        files.iter().flat_map(|file| read(file)).collect()
    }

    /// What was exported under that name: the samples of each channel.
    pub fn exported(&self, name: &str) -> Vec<Vec<f32>> {
        read(&self.session().join("export").join(format!("{name}.wav")))
    }
}

/// The samples of each channel of a file.
pub fn read(file: &Path) -> Vec<Vec<f32>> {
    let mut reader = hound::WavReader::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert_eq!(reader.spec().sample_format, hound::SampleFormat::Float, "{}", file.display());
    let channels = usize::from(reader.spec().channels);
    let samples: Vec<f32> = reader.samples().map(|sample| sample.expect("a sample")).collect();
    (0..channels).map(|channel| samples.iter().skip(channel).step_by(channels).copied().collect()).collect()
}

/// Makes the samples of a mono file of 32-bit floats those of `wave`, frame by frame.
pub fn overwrite(file: &Path, wave: impl Fn(usize) -> f32) {
    let frames = read(file)[0].len();
    let mut bytes = std::fs::read(file).expect("the file");
    let data = bytes.windows(4).position(|four| four == b"data").expect("a data chunk") + 8;
    for frame in 0..frames {
        bytes[data + 4 * frame..][..4].copy_from_slice(&wave(frame).to_le_bytes());
    }
    std::fs::write(file, bytes).expect("the file");
}

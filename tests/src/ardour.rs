//! Ardour, without a screen or sound hardware: sessions with Catena in them.

pub mod files;
pub mod plugins;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::bundle::Bundle;

/// Longest that one run may take: a second of work, more where the machine is busy.
const PATIENCE: Duration = Duration::from_secs(240);

/// What Ardour may use of the processor, in its own bits: SSE2. Before 8.5 its `mix_buffers_no_gain` for
/// AVX-512 writes up to four samples past a buffer that is not aligned to 64 bytes, and one export in three or four ends with
/// "double free or corruption", in a session without any plugin too.
const PROCESSOR: (&str, &str) = ("ARDOUR_FPU_FLAGS", "15");

/// Ardour's folder of libraries and tools in Debian.
const LIBRARIES: &str = "/usr/lib/ardour7";

/// As what Catena is in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// VST3.
    Vst3,
    /// LV2.
    Lv2,
}

/// Which of Catena's plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Catena, stereo.
    Effect,
    /// Catena Mono, which is LV2's alone.
    Mono,
    /// Catena Instrument.
    Instrument,
}

impl Format {
    /// Ardour's name of the plugin's type, and of the plugin.
    fn id(self, which: Which) -> (&'static str, String) {
        let hex = |class: &[u8; 16]| class.iter().map(|byte| format!("{byte:02X}")).collect();
        match (self, which) {
            (Self::Vst3, Which::Effect) => ("VST3", hex(b"CatenaAudioChain")),
            (Self::Vst3, Which::Instrument) => ("VST3", hex(b"CatenaAudioInstr")),
            (Self::Vst3, Which::Mono) => panic!("the VST3 has no mono plugin of its own"),
            (Self::Lv2, Which::Mono) => ("LV2", "urn:catena-audio:catena-mono".into()),
            (Self::Lv2, Which::Effect) => ("LV2", "urn:catena-audio:catena".into()),
            (Self::Lv2, Which::Instrument) => ("LV2", "urn:catena-audio:catena-instrument".into()),
        }
    }
}

/// One track of a new session, with Catena on it.
pub struct Track {
    /// Its name, letters and digits.
    pub name: &'static str,
    /// What it records: channels of audio, or MIDI.
    pub records: Records,
    /// Which plugin is on it.
    pub plugin: Which,
}

/// What a track records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Records {
    /// So many channels.
    Audio(u32),
    /// MIDI.
    Midi,
}

/// A stereo track with Catena.
pub const fn stereo(name: &'static str) -> Track {
    Track { name, records: Records::Audio(2), plugin: Which::Effect }
}

/// A mono track.
pub const fn mono(name: &'static str, plugin: Which) -> Track {
    Track { name, records: Records::Audio(1), plugin }
}

/// A MIDI track with Catena Instrument.
pub const fn midi(name: &'static str) -> Track {
    Track { name, records: Records::Midi, plugin: Which::Instrument }
}

/// An Ardour that knows the plugins of one bundle, and one session of it.
pub struct Ardour {
    folder: tempfile::TempDir,
    bundle: PathBuf,
    format: Format,
}

impl Ardour {
    /// For sessions with the bundle's plugins of `format`; the VST3 is scanned.
    pub fn new(bundle: &Bundle, format: Format) -> Self {
        let ardour = Self { folder: tempfile::tempdir().expect("a folder"), bundle: bundle.path().into(), format };
        if format == Format::Vst3 {
            let scanner = Path::new(LIBRARIES).join("ardour-vst3-scanner");
            let mut scan = ardour.command(&scanner);
            scan.env("LD_LIBRARY_PATH", LIBRARIES).arg("-f").arg(bundle.vst3());
            let said = finish(&mut scan);
            assert!(said.contains("Found Plugin: Catena"), "{said}");
        }
        let export = ardour.settings().join("export");
        std::fs::create_dir_all(&export).expect("a folder");
        std::fs::write(export.join("catena.format"), include_str!("../daw/catena.format")).expect("a file");
        std::fs::write(export.join("catena.preset"), include_str!("../daw/catena.preset")).expect("a file");
        ardour
    }

    /// As which Catena is in the session.
    pub fn format(&self) -> Format {
        self.format
    }

    /// `program` as this Ardour's user would start it.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("HOME", self.folder.path()).env("VST3_PATH", &self.bundle).env(PROCESSOR.0, PROCESSOR.1);
        if self.format == Format::Lv2 {
            let hosted = std::env::var("LV2_PATH").expect("with_fixtures sets it");
            command.env("LV2_PATH", format!("{}:{hosted}", self.bundle.display()));
        }
        command
    }

    /// The folder of Ardour's own settings.
    pub fn settings(&self) -> PathBuf {
        PathBuf::from(std::env::var_os("XDG_CONFIG_HOME").expect("with_fixtures sets it")).join("ardour7")
    }

    /// The session's folder.
    pub fn session(&self) -> PathBuf {
        self.folder.path().join("session")
    }

    /// Runs a script after what all have in common. Answers what was said.
    pub fn script(&self, name: &str, text: &str, arguments: &[String]) -> String {
        let script = self.folder.path().join(name);
        std::fs::write(&script, format!("{}{text}", include_str!("../daw/common.lua"))).expect("a script");
        let said = finish(self.command(Path::new("ardour7-lua")).arg(script).arg(self.session()).args(arguments));
        assert!(said.contains("saved 0"), "{said}");
        said
    }

    /// Makes a session with these tracks, records on all of them for so many seconds, and saves it.
    pub fn create(&self, tracks: &[Track], seconds: f64) -> String {
        let mut arguments = vec![seconds.to_string()];
        for track in tracks {
            let (kind, channels) = match track.records {
                Records::Audio(channels) => ("audio", channels),
                Records::Midi => ("midi", 1),
            };
            let (format, id) = self.format.id(track.plugin);
            arguments.push(format!("{}:{kind}:{channels}:{format}:{id}", track.name));
        }
        self.script("create.lua", include_str!("../daw/create.lua"), &arguments)
    }

    /// Opens the session, waits until each track's plugin reports so many frames, and saves it again.
    pub fn reopen(&self, latencies: &[(&str, u32)]) -> String {
        self.script("reopen.lua", include_str!("../daw/reopen.lua"), &pairs(latencies))
    }

    /// Opens the session, waits until each track's plugin reports so many frames, bounces the tracks, and exports one second
    /// of the song as `mix`.
    pub fn sound(&self, latencies: &[(&str, u32)]) -> String {
        self.script("sound.lua", include_str!("../daw/sound.lua"), &pairs(latencies))
    }
}

/// As scripts take them.
fn pairs(latencies: &[(&str, u32)]) -> Vec<String> {
    latencies.iter().map(|(name, frames)| format!("{name}={frames}")).collect()
}

/// Runs `command` to its end; answers everything it said, tabs as spaces. Ends it and panics where it takes too long.
fn finish(command: &mut Command) -> String {
    let log = tempfile::NamedTempFile::new().expect("a log");
    let out = || Stdio::from(log.reopen().expect("the log"));
    let mut child = command.stdin(Stdio::null()).stdout(out()).stderr(out()).spawn().expect("Ardour is installed");
    let end = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break Some(status),
            None if Instant::now() > end => break None,
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    if status.is_none() {
        let _gone = child.kill();
        let _gone = child.wait();
    }
    let said = String::from_utf8_lossy(&std::fs::read(log.path()).expect("the log")).replace('\t', " ");
    assert!(status.is_some(), "{command:?} did not end:\n{said}");
    said
}

//! The command line in tests: the built programs, a home of their own, and a small set of real plugins.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use crate::built;

/// LV2 bundles that tests see.
const BUNDLES: [&str; 4] = ["fil4.lv2", "dpl.lv2", "calf.lv2", "core.lv2"];

/// Folder of the built programs.
pub fn programs() -> &'static Path {
    static PROGRAMS: OnceLock<PathBuf> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        built::bring_up_to_date(&["catena", "host-core"]);
        built::folder()
    })
}

/// A folder with links to the LV2 bundles that tests see, the same for all homes: a scan's cache names it.
fn bundles() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = programs().join("cli-lv2");
        std::fs::create_dir_all(&folder).expect("made");
        for bundle in BUNDLES {
            let _linked_before =
                std::os::unix::fs::symlink(Path::new("/usr/lib/lv2").join(bundle), folder.join(bundle));
            assert!(folder.join(bundle).is_dir(), "{bundle} is not installed");
        }
        folder
    })
}

/// A user's home with nothing in it, and a working folder.
pub struct Home {
    folder: tempfile::TempDir,
    /// Where its plugins are, where those are not the usual ones.
    plugins: Option<PathBuf>,
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// A fresh home. It sees all ZAM CLAPs, the x42 equaliser and limiter, and calf's plugins.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder, plugins: None }
    }

    /// A fresh home in which plugins were scanned already, so that a test need not wait for it.
    pub fn scanned() -> Self {
        static CACHE: OnceLock<Vec<u8>> = OnceLock::new();
        let cache = CACHE.get_or_init(|| {
            let home = Self::new();
            home.ok(["scan"]);
            std::fs::read(home.path("cache/catena/plugins.json")).expect("the scan wrote its cache")
        });
        let home = Self::new();
        std::fs::create_dir_all(home.path("cache/catena")).expect("made");
        std::fs::write(home.path("cache/catena/plugins.json"), cache).expect("written");
        home
    }

    /// A fresh home that sees the CLAP fixtures alone, scanned.
    pub fn of_fixtures() -> Self {
        let mut home = Self::new();
        let folder = home.path("clap");
        std::fs::create_dir(&folder).expect("made");
        std::fs::copy(crate::fixtures::clap(), folder.join("harmless.clap")).expect("copied");
        home.plugins = Some(folder);
        home.ok(["scan"]);
        home
    }

    /// A path in it.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Names of the files in its working folder.
    pub fn files(&self) -> Vec<String> {
        let own = ["cache", "state", "data", "config", "clap"];
        let entries = std::fs::read_dir(self.folder.path()).expect("readable");
        let names = entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
        let mut names: Vec<_> = names.filter(|name| !own.contains(&name.as_str())).collect();
        names.sort();
        names
    }

    /// Any program in this home's environment and working folder.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        for (name, folder) in [
            ("HOME", ""),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CONFIG_HOME", "config"),
        ] {
            command.env(name, self.path(folder));
        }
        let (clap, lv2) = match &self.plugins {
            Some(own) => (own.as_path(), own.as_path()),
            None => (Path::new("/usr/lib/clap"), bundles()),
        };
        command.env("CLAP_PATH", clap).env("LV2_PATH", lv2).env_remove("DISPLAY").env("LC_ALL", "C.UTF-8");
        command
    }

    /// `catena` with `args`.
    pub fn catena<I, S>(&self, args: I) -> Command
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = self.command(programs().join("catena"));
        command.args(args);
        command
    }

    /// Runs `catena`, which must succeed without a word about errors; its output.
    pub fn ok<I, S>(&self, args: I) -> String
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let output = self.catena(args).output().expect("catena starts");
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(0), "{out}\n{err}");
        out
    }

    /// Runs `catena`, which must say JSON.
    pub fn json<I, S>(&self, args: I) -> serde_json::Value
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        serde_json::from_str(&self.ok(args)).expect("JSON")
    }

    /// Runs `catena`, which must fail with `code`, print nothing as a result, and not panic; what it said.
    pub fn fails<I, S>(&self, code: i32, args: I) -> String
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        refused(&self.catena(args).output().expect("catena starts"), code)
    }

    /// A stereo sine at -12 dBFS of 440 Hz, 16 bit.
    pub fn sine(&self, name: &str, rate: u32, frames: u32) -> PathBuf {
        let spec = hound::WavSpec {
            channels: 2,
            sample_rate: rate,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::create(self.path(name), spec).expect("made");
        for frame in 0..frames {
            let value = (f64::from(frame) / f64::from(rate) * 440.0 * std::f64::consts::TAU).sin() * 8192.0;
            writer.write_sample(value as i16).expect("written");
            writer.write_sample(-value as i16).expect("written");
        }
        writer.finalize().expect("written");
        self.path(name)
    }
}

/// Both outputs as text.
pub fn texts(output: &Output) -> (String, String) {
    (String::from_utf8_lossy(&output.stdout).into(), String::from_utf8_lossy(&output.stderr).into())
}

/// Asserts that a run ended with `code` and a sentence, and without a result or panic; the sentence.
pub fn refused(output: &Output, code: i32) -> String {
    let (out, err) = texts(output);
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    assert!(out.is_empty(), "a result in spite of the failure: {out}");
    assert!(!err.trim().is_empty(), "not a word about the failure");
    assert!(!err.contains("panicked") && !err.contains("RUST_BACKTRACE"), "{err}");
    err
}

/// Damages a chain file so that it has lost the state of its first slot; what it is then.
pub fn lose_a_state(chain: &Path) -> Vec<u8> {
    let mut bytes = std::fs::read(chain).expect("a chain file");
    // The name before the data: the list at the end has another then.
    let at = bytes.windows(7).position(|window| window == b"state/1").expect("a state");
    bytes[at + 6] = b'9';
    std::fs::write(chain, &bytes).expect("written");
    bytes
}

/// Reads a wav file as interleaved samples, full scale 1.
pub fn samples(path: &Path) -> (hound::WavSpec, Vec<f32>) {
    let mut reader = hound::WavReader::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let spec = reader.spec();
    let samples = match spec.sample_format {
        hound::SampleFormat::Float => reader.samples::<f32>().map(|sample| sample.expect("a sample")).collect(),
        hound::SampleFormat::Int => {
            let scale = 2f32.powi(i32::from(spec.bits_per_sample) - 1);
            reader.samples::<i32>().map(|sample| sample.expect("a sample") as f32 / scale).collect()
        }
    };
    (spec, samples)
}

//! Ardour, without a screen or sound hardware: sessions with Catena's VST3 in them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::bundle::Bundle;
use crate::vst3_state;

/// Longest that one run may take: a second of work, more where the machine is busy.
const PATIENCE: Duration = Duration::from_secs(240);

/// Ardour's folder of libraries and tools in Debian.
const LIBRARIES: &str = "/usr/lib/ardour7";

/// An Ardour that knows the plugins of one bundle, and one session of it.
pub struct Ardour {
    folder: tempfile::TempDir,
    bundle: PathBuf,
}

impl Ardour {
    /// Scans the bundle's VST3.
    pub fn new(bundle: &Bundle) -> Self {
        let ardour = Self { folder: tempfile::tempdir().expect("a folder"), bundle: bundle.path().into() };
        let scanner = Path::new(LIBRARIES).join("ardour-vst3-scanner");
        let mut scan = ardour.command(&scanner);
        scan.env("LD_LIBRARY_PATH", LIBRARIES).arg("-f").arg(bundle.vst3());
        let said = finish(&mut scan);
        assert!(said.contains("Found Plugin: Catena"), "{said}");
        ardour
    }

    /// `program` as this Ardour's user would start it.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("HOME", self.folder.path()).env("VST3_PATH", &self.bundle);
        command
    }

    /// The session's folder.
    pub fn session(&self) -> PathBuf {
        self.folder.path().join("session")
    }

    fn script(&self, name: &str, text: &str, arguments: &[&str]) -> String {
        let script = self.folder.path().join(name);
        std::fs::write(&script, text).expect("a script");
        finish(self.command(Path::new("ardour7-lua")).arg(script).arg(self.session()).args(arguments))
    }

    /// Makes a session with the plugin `class` in it and saves it. Answers what the script said.
    pub fn create(&self, class: &[u8; 16]) -> String {
        let hex: String = class.iter().map(|byte| format!("{byte:02X}")).collect();
        self.script("create.lua", include_str!("../daw/create.lua"), &[&hex])
    }

    /// Opens the session and saves it again. Answers what the script said.
    pub fn reopen(&self) -> String {
        self.script("reopen.lua", include_str!("../daw/reopen.lua"), &[])
    }

    /// Records a second and a half onto the track. Answers what the script said.
    pub fn record(&self) -> String {
        self.script("record.lua", include_str!("../daw/record.lua"), &[])
    }

    /// Bounces what the track holds through the plugin. Answers what the script said.
    pub fn bounce(&self) -> String {
        self.script("bounce.lua", include_str!("../daw/bounce.lua"), &[])
    }

    /// The session's audio files.
    pub fn recordings(&self) -> Vec<PathBuf> {
        let inside = |folder: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            entries.map(|entry| entry.expect("an entry").path()).collect()
        };
        let folders = inside(&self.session().join("interchange"));
        folders.iter().flat_map(|folder| inside(&folder.join("audiofiles"))).collect()
    }

    /// The session file, and where in it the plugin's preset is.
    fn preset(&self) -> (String, std::ops::Range<usize>) {
        let text = std::fs::read_to_string(self.session().join("s.ardour")).expect("the session file");
        let start = text.find("<chunk>").expect("the plugin's state") + "<chunk>".len();
        let end = start + text[start..].find("</chunk>").expect("its end");
        (text, start..end)
    }

    /// The plugin's state as the session keeps it.
    pub fn state(&self) -> Vec<u8> {
        let (text, at) = self.preset();
        let base64: String = text[at].split_whitespace().collect();
        vst3_state::component(&STANDARD.decode(base64).expect("base64"))
    }

    /// Puts another state into the session file.
    pub fn set_state(&self, state: &[u8]) {
        let (mut text, at) = self.preset();
        let base64: String = text[at.clone()].split_whitespace().collect();
        let preset = vst3_state::with_component(&STANDARD.decode(base64).expect("base64"), state);
        text.replace_range(at, &STANDARD.encode(preset));
        std::fs::write(self.session().join("s.ardour"), text).expect("the session file");
    }
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

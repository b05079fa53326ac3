//! qtractor, on a screen and a sound server of its own without hardware: sessions with Catena's CLAP or LV2 in them.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::bundle::Bundle;
use crate::desk::screen;
use crate::running::{Running, patient_jack_server};

/// Longest wait for a program to get somewhere.
const PATIENCE: Duration = Duration::from_secs(120);

/// A session file, and what qtractor needs to open it.
pub struct Qtractor {
    folder: tempfile::TempDir,
    fakeseq: PathBuf,
}

impl Qtractor {
    /// A session with one track, and the plugin `id` of the bundle's CLAP file in it.
    pub fn new(bundle: &Bundle, id: &str) -> Self {
        Self::with(&bundle.lv2(), "CLAP", &bundle.clap().display().to_string(), id)
    }

    /// The same with the LV2 plugin `uri` of the bundle.
    pub fn lv2(bundle: &Bundle, uri: &str) -> Self {
        Self::with(&bundle.lv2(), "LV2", uri, uri)
    }

    /// The same with the plugin `id` of any CLAP file, or the LV2 plugin `id` of any bundle.
    pub fn any(file: &Path, id: &str) -> Self {
        match file.is_dir() {
            true => Self::with(file, "LV2", id, id),
            false => Self::with(file, "CLAP", &file.display().to_string(), id),
        }
    }

    fn with(bundle: &Path, format: &str, file: &str, id: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let session = include_str!("../daw/template.qtr")
            .replace("FOLDER", &folder.path().display().to_string())
            .replace("FORMAT", format)
            .replace("PLUGIN_FILE", file)
            .replace("PLUGIN_ID", id);
        // A folder with nothing but the LV2 bundle in it, as LV2_PATH wants it.
        let lv2 = folder.path().join("lv2");
        std::fs::create_dir(&lv2).expect("a folder");
        std::os::unix::fs::symlink(bundle, lv2.join("Catena.lv2")).expect("a link");
        std::fs::write(folder.path().join("s.qtr"), session).expect("a session");
        let source = folder.path().join("fakeseq.c");
        std::fs::write(&source, include_str!("../daw/fakeseq.c")).expect("a source file");
        let fakeseq = folder.path().join("fakeseq.so");
        let status = Command::new("cc").args(["-shared", "-fPIC", "-w", "-o"]).arg(&fakeseq).arg(&source).status();
        assert!(status.expect("cc").success());
        Self { folder, fakeseq }
    }

    /// The session file.
    pub fn session(&self) -> PathBuf {
        self.file()
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("s.qtr")
    }

    /// Opens the session, has it saved, and ends everything.
    pub fn open_and_save(&self) {
        let before = changed(&self.file());
        self.open(|qtractor, _| {
            wait_for("qtractor to save", || {
                let log = self.log();
                assert!(qtractor.0.try_wait().expect("a child").is_none(), "qtractor ended: {:?}", read(&log));
                let status = Command::new("kill").args(["-USR1", &qtractor.0.id().to_string()]).status().expect("kill");
                assert!(status.success());
                std::thread::sleep(Duration::from_millis(500));
                changed(&self.file()) > before && read(&self.file()).trim_end().ends_with("</session>")
            });
        });
    }

    /// Opens the session, lets `body` at its sound server, by name, and ends everything.
    pub fn run(&self, body: impl FnOnce(&str)) {
        self.open(|_, server| body(server));
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("qtractor.log")
    }

    fn open(&self, body: impl FnOnce(&mut Running, &str)) {
        let (_screen, display) = screen();
        let server = format!("catena-test-{}", std::process::id());
        let _jack = patient_jack_server(&server, &self.folder.path().join("jack.log"));
        let log = self.log();
        let out = || Stdio::from(std::fs::File::create(&log).expect("a log"));
        let qtractor = Command::new("qtractor")
            .arg(self.file())
            .env("HOME", self.folder.path())
            .env("LV2_PATH", self.folder.path().join("lv2"))
            .env("DISPLAY", format!(":{display}"))
            .env("JACK_DEFAULT_SERVER", &server)
            .env("LD_PRELOAD", &self.fakeseq)
            .stdin(Stdio::null())
            .stdout(out())
            .stderr(out())
            .spawn();
        let mut qtractor = Running(qtractor.expect("qtractor"));
        let pid = qtractor.0.id();
        wait_for("qtractor to open the plugin", || maps(pid).contains("libcatena.so"));
        // It saves on SIGUSR1 once its session is open; before that the signal does nothing or ends it.
        std::thread::sleep(Duration::from_secs(3));
        body(&mut qtractor, &server);
    }

    /// Where in the session file the plugin's state is.
    fn place(text: &str) -> std::ops::Range<usize> {
        let configs = text.find("<config ").unwrap_or_else(|| panic!("no state in {text}"));
        let start = configs + text[configs..].find('>').expect("a tag") + 1;
        start..start + text[start..].find("</config>").expect("its end")
    }

    /// The plugin's state as the session keeps it.
    pub fn state(&self) -> Vec<u8> {
        let kept = self.kept();
        let Some(at) = Self::value(&kept) else { return kept };
        let base64: Vec<u8> = kept[at].iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        STANDARD.decode(base64).expect("base64")
    }

    /// Puts another state into the session file.
    pub fn set_state(&self, state: &[u8]) {
        let mut kept = self.kept();
        match Self::value(&kept) {
            Some(at) => drop(kept.splice(at, STANDARD.encode(state).into_bytes())),
            None => kept = state.into(),
        }
        self.set_kept(&kept);
    }

    /// Where in lilv's Turtle, which is what an LV2 plugin's state is kept as, the chain is.
    fn value(kept: &[u8]) -> Option<std::ops::Range<usize>> {
        let text = str::from_utf8(kept).ok()?;
        let key = text.find("<urn:catena-audio:chain>")?;
        let quotes = |from: usize| text[from..].find("\"\"\"").map(|at| from + at);
        let start = quotes(key)? + 3;
        Some(start..quotes(start)?)
    }

    /// What the session file has: base64 of a length and zlib.
    fn kept(&self) -> Vec<u8> {
        let text = read(&self.file());
        let base64: String = text[Self::place(&text)].split_whitespace().collect();
        let packed = STANDARD.decode(base64).expect("base64");
        let mut state = Vec::new();
        ZlibDecoder::new(&packed[4..]).read_to_end(&mut state).expect("zlib");
        state
    }

    fn set_kept(&self, state: &[u8]) {
        let mut packed = (state.len() as u32).to_be_bytes().to_vec();
        let mut zlib = ZlibEncoder::new(&mut packed, Compression::default());
        zlib.write_all(state).expect("zlib");
        zlib.finish().expect("zlib");
        let mut text = read(&self.file());
        let at = Self::place(&text);
        text.replace_range(at, &STANDARD.encode(packed));
        std::fs::write(self.file(), text).expect("the session");
    }
}

fn maps(pid: u32) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < end, "waited for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

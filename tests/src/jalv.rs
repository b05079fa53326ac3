//! jalv on a JACK server of its own without hardware, and presets as LV2 hosts know them.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::running::{Running, jack_server};

/// Longest wait for jalv to say something.
const PATIENCE: Duration = Duration::from_secs(60);

/// Writes a bundle into `folder` with the preset `uri`: the chain `state` for the plugin `plugin`.
pub fn preset(folder: &Path, uri: &str, plugin: &str, state: &[u8]) -> PathBuf {
    let bundle = folder.join("Preset.lv2");
    std::fs::create_dir_all(&bundle).expect("a bundle");
    let prefixes = "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n\
         @prefix pset: <http://lv2plug.in/ns/ext/presets#> .\n\
         @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
         @prefix state: <http://lv2plug.in/ns/ext/state#> .\n\
         @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n";
    let manifest =
        format!("{prefixes}<{uri}> a pset:Preset ; lv2:appliesTo <{plugin}> ; rdfs:seeAlso <preset.ttl> .\n");
    let text = format!(
        "{prefixes}<{uri}> a pset:Preset ; lv2:appliesTo <{plugin}> ; rdfs:label \"A chain\" ;\n\
         state:state [ <urn:catena-audio:chain> \"{}\"^^xsd:base64Binary ] .\n",
        STANDARD.encode(state)
    );
    std::fs::write(bundle.join("manifest.ttl"), manifest).expect("the manifest");
    std::fs::write(bundle.join("preset.ttl"), text).expect("the preset");
    bundle
}

/// A jalv that runs a plugin.
pub struct Jalv {
    jalv: Running,
    said: Arc<Mutex<String>>,
    server: String,
    _jack: Running,
}

impl Jalv {
    /// Starts it on `plugin`, with bundles from `lv2_path`.
    pub fn new(folder: &Path, lv2_path: &str, plugin: &str) -> Self {
        let server = format!("catena-jalv-{}", std::process::id());
        let jack = jack_server(&server, &folder.join("jack.log"), |_| {});
        // Its answers at once, not when it ends.
        let mut command = Command::new("stdbuf");
        command
            .args(["-o0", "jalv", "-p", "-n", "catena", plugin])
            .env("LV2_PATH", lv2_path)
            .env("JACK_DEFAULT_SERVER", &server);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut jalv = Running(command.spawn().expect("jalv"));
        let said = Arc::new(Mutex::new(String::new()));
        let (out, err) = (jalv.0.stdout.take().expect("piped"), jalv.0.stderr.take().expect("piped"));
        listen(out, Arc::clone(&said));
        listen(err, Arc::clone(&said));
        let jalv = Self { jalv, said, server, _jack: jack };
        jalv.wait_for("> ");
        jalv
    }

    /// Everything it has said.
    pub fn said(&self) -> String {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The peak of a sine that the program `probe` sends through it; `None` where it is not there yet.
    pub fn peak(&self, probe: &str) -> Option<f32> {
        let output = Command::new(probe).args(["measure", "catena"]).env("JACK_DEFAULT_SERVER", &self.server).output();
        String::from_utf8_lossy(&output.expect("the probe").stdout).trim().parse().ok()
    }

    /// Types a line.
    pub fn type_line(&mut self, line: &str) {
        let stdin = self.jalv.0.stdin.as_mut().expect("piped");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("jalv listens");
    }

    /// Waits until it has said `text`.
    pub fn wait_for(&self, text: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.said().contains(text) {
            assert!(Instant::now() < end, "no {text:?} in {}", self.said());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Types `line` again and again until the answer has `text`.
    pub fn ask_until(&mut self, line: &str, text: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.said().contains(text) {
            assert!(Instant::now() < end, "no {text:?} in {}", self.said());
            self.type_line(line);
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// Adds what `from` gives to `said`, on a thread that ends with it.
fn listen(mut from: impl Read + Send + 'static, said: Arc<Mutex<String>>) {
    std::thread::spawn(move || {
        let mut piece = [0; 1024];
        while let Ok(got @ 1..) = from.read(&mut piece) {
            said.lock().unwrap_or_else(PoisonError::into_inner).push_str(&String::from_utf8_lossy(&piece[..got]));
        }
    });
}

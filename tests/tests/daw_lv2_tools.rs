//! lilv's own tools and jalv run the LV2 plugins, with a chain: jalv takes it from a preset. lv2apply, lv2bench and lv2proc take
//! neither state nor preset, and run it as a plugin of its own. lv2proc (0.5.1) runs no plugin that has an atom port, optional or
//! not, and says so of ours; it runs a chain that was exported without.

use std::path::{Path, PathBuf};
use std::process::Command;

use catena_tests::bundle::Bundle;
use catena_tests::cli::samples;
use catena_tests::daw::{chain, chain_with_macros, with_fixtures};
use catena_tests::exports::{chain_file, exported};
use catena_tests::jalv::{Jalv, preset};
use host_core::model::Law;

/// A bundle that every tool finds by LV2_PATH alone: the folder holds nothing else.
struct Shelf {
    folder: tempfile::TempDir,
    bundle: Bundle,
}

impl Shelf {
    fn new() -> Self {
        let (folder, bundle) = (tempfile::tempdir().expect("a folder"), Bundle::new());
        let link = folder.path().join("lv2/Catena.lv2");
        std::fs::create_dir(folder.path().join("lv2")).expect("a folder");
        std::os::unix::fs::symlink(bundle.lv2(), link).expect("a link");
        Self { folder, bundle }
    }

    /// The folder of bundles.
    fn lv2(&self) -> std::path::PathBuf {
        self.folder.path().join("lv2")
    }

    /// With the specifications, which jalv reads too.
    fn path(&self) -> String {
        format!("{}:/usr/lib/lv2", self.lv2().display())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("LV2_PATH", self.path()).env("CATENA_LIB", self.bundle.path().join("lib/libcatena.so"));
        command
    }
}

#[test]
fn lv2apply_passes_a_file_through() {
    with_fixtures("lv2apply_passes_a_file_through", || {
        let shelf = Shelf::new();
        let (from, to) = (shelf.folder.path().join("in.wav"), shelf.folder.path().join("out.wav"));
        // Stereo and its sidechain.
        let spec = hound::WavSpec {
            channels: 4,
            sample_rate: 48_000,
            bits_per_sample: 32,
            sample_format: hound::SampleFormat::Float,
        };
        let mut writer = hound::WavWriter::create(&from, spec).expect("a file");
        let sound: Vec<f32> = (0..4 * 10_000).map(|i| (i % 997) as f32 / 2000.0).collect();
        sound.iter().for_each(|sample| writer.write_sample(*sample).expect("a sample"));
        writer.finalize().expect("a file");
        let output =
            shelf.command("lv2apply").arg("-i").arg(&from).arg("-o").arg(&to).arg("urn:catena-audio:catena").output();
        let output = output.expect("lv2apply (lilv-utils)");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut reader = hound::WavReader::open(&to).expect("what it wrote");
        let heard: Vec<f32> = reader.samples().map(|sample| sample.expect("a sample")).collect();
        let expected: Vec<f32> = sound.chunks(4).flat_map(|frame| [frame[0], frame[1]]).collect();
        assert!(heard.len() >= expected.len(), "{} of {}", heard.len(), expected.len());
        assert_eq!(heard[..expected.len()], expected);
    });
}

/// Noise in two channels, half a second of it, and silence in what is beyond them.
fn noise(path: &Path, channels: u16) {
    let spec = hound::WavSpec {
        channels,
        sample_rate: 48_000,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let mut writer = hound::WavWriter::create(path, spec).expect("a file");
    let mut seed = 1_u32;
    for _ in 0..24_000 {
        for channel in 0..channels {
            let step = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed = if channel < 2 { step } else { seed };
            let sample = if channel < 2 { (seed >> 8) as f32 / (1 << 24) as f32 - 0.5 } else { 0.0 };
            writer.write_sample(sample).expect("a sample");
        }
    }
    writer.finalize().expect("a file");
}

/// A chain that delays by 100 frames and is a quarter as loud, as a plugin of its own, and what `catena render` makes of noise with it.
struct Exported {
    shelf: Shelf,
}

impl Exported {
    /// Exported under each name, with these words beside.
    fn new(all: &[(&str, &[&str])]) -> Self {
        let shelf = Shelf::new();
        let law = Law::straight(0.0, 1.0);
        let packed =
            chain_with_macros(&[("delay", &[("100", 100.0)]), ("gain", &[("100", 0.25)])], &[(1, 1, "100", law)]);
        let file = chain_file(shelf.folder.path(), "chain.catena", &packed);
        for (name, more) in all {
            exported(&file, "plugin", &shelf.lv2(), &[&["--name", name, "--shape", "effect"], *more].concat());
        }
        noise(&shelf.folder.path().join("in.wav"), 2);
        noise(&shelf.folder.path().join("with-sidechain.wav"), 4);
        Self { shelf }
    }

    fn place(&self, name: &str) -> PathBuf {
        self.shelf.folder.path().join(name)
    }

    /// Has a tool run one of them on the noise of a file; whether it did, and what it said.
    fn run(&self, tool: &[&str], from: &str, name: &str) -> (bool, String) {
        let mut command = self.shelf.command(tool[0]);
        command.args(&tool[1..]).arg("-i").arg(self.place(from)).arg("-o").arg(self.place(name));
        let output = command.arg(format!("urn:catena-chain:{name}")).output().expect("the tool is installed");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Has a tool run one, and holds what it makes against what `catena render` makes of it.
    fn sounds_as_rendered(&self, tool: &[&str], from: &str, name: &str) {
        let (done, said) = self.run(tool, from, name);
        assert!(done, "{said}");
        let mut render = Command::new(catena_tests::built::folder().join("catena"));
        render.arg("render").args([self.place("in.wav"), self.place("render.wav")]);
        render.arg("--chain").arg(self.place("chain.catena"));
        let rendered = render.args(["--tail", "0", "--bits", "32f"]).output().expect("catena");
        assert!(rendered.status.success(), "{}", String::from_utf8_lossy(&rendered.stderr));
        let (heard, wanted) = (samples(&self.place(name)).1, samples(&self.place("render.wav")).1);
        assert!(wanted.iter().any(|sample| sample.abs() > 0.1) && heard.len() >= wanted.len(), "{}", heard.len());
        let most = heard.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0_f32, f32::max);
        assert!(most < 1e-6, "{most}");
    }
}

#[test]
fn lv2proc_runs_an_export_without_event_ports_and_no_other() {
    with_fixtures("lv2proc_runs_an_export_without_event_ports_and_no_other", || {
        let chain = Exported::new(&[("plain", &["--plain"]), ("whole", &[])]);
        let (done, said) = chain.run(&["lv2proc", "--with-latency"], "in.wav", "whole");
        // When this fails, lv2proc has learned it.
        assert!(!done && said.contains("port 'events_in' has a port type this program does not understand"), "{said}");
        chain.sounds_as_rendered(&["lv2proc", "--with-latency"], "in.wav", "plain");
    });
}

#[test]
fn lv2apply_runs_an_exported_chain() {
    with_fixtures("lv2apply_runs_an_exported_chain", || {
        let chain = Exported::new(&[("whole", &[])]);
        chain.sounds_as_rendered(&["lv2apply"], "with-sidechain.wav", "whole");
    });
}

/// Has lv2bench run a plugin.
fn bench(shelf: &Shelf, uri: &str) {
    let output = shelf.command("lv2bench").args(["-n", "48000", uri]).output().expect("lv2bench (lilv-utils)");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains(uri), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn lv2bench_runs_an_exported_chain() {
    with_fixtures("lv2bench_runs_an_exported_chain", || {
        bench(&Exported::new(&[("whole", &[])]).shelf, "urn:catena-chain:whole");
    });
}

#[test]
fn lv2bench_runs_all_four() {
    with_fixtures("lv2bench_runs_all_four", || {
        let shelf = Shelf::new();
        for name in ["catena", "catena-mono", "catena-surround", "catena-instrument"] {
            bench(&shelf, &format!("urn:catena-audio:{name}"));
        }
    });
}

#[test]
fn jalv_takes_a_chain_from_a_preset() {
    with_fixtures("jalv_takes_a_chain_from_a_preset", || {
        let shelf = Shelf::new();
        let state = chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 0.25)])]);
        preset(&shelf.lv2(), "urn:catena-tests:preset", "urn:catena-audio:catena", &state);
        let mut jalv = Jalv::new(shelf.folder.path(), &shelf.path(), "urn:catena-audio:catena");
        jalv.ask_until("presets", "A chain");
        let probe = env!("CARGO_BIN_EXE_jack-probe");
        let plain = jalv.peak(probe).expect("a sine through the empty chain");
        assert!(plain > 0.1, "{plain}");
        jalv.type_line("preset urn:catena-tests:preset");
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        let mut heard = plain;
        while (heard / plain - 0.25).abs() > 0.01 {
            assert!(std::time::Instant::now() < end, "{heard} of {plain}: {}", jalv.said());
            heard = jalv.peak(probe).unwrap_or(0.0);
        }
        jalv.type_line("quit");
    });
}

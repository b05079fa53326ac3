//! The chains that come with Catena, as users hear them: each opens with every plugin there, is about as loud as what goes in, is late
//! by what is written here, leaves no clipped sample, and has knobs.

use std::path::PathBuf;

use catena_tests::built;
use catena_tests::cli::{Home, texts};
use serde_json::Value;

const RATE: u32 = 48_000;

/// Name, latency in frames at 48 kHz, how much louder it makes the piece, LU.
const CHAINS: [(&str, u64, f64); 9] = [
    ("Demo Bus", 64, 3.3),
    ("Dialogue Repair", 64, 0.0),
    ("Drum Bus", 64, 1.3),
    ("Guitar", 0, 3.5),
    ("Mastering", 64, 2.6),
    ("Multiband", 64, 1.2),
    ("Parallel Compression", 0, 2.7),
    ("Re-amp", 0, -1.4),
    ("Vocal", 0, 0.0),
];

/// How far the loudness may be off, LU: plugins of other versions differ a little.
const NEAR: f64 = 1.0;

/// Four seconds of drums and a chord, loudest at about -8 dBFS.
fn music(home: &Home) {
    let spec =
        hound::WavSpec { channels: 2, sample_rate: RATE, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(home.path("in.wav"), spec).unwrap();
    let mut seed = 1u32;
    for frame in 0..4 * RATE {
        let t = f64::from(frame) / f64::from(RATE);
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = f64::from(seed >> 8) / f64::from(1 << 23) - 1.0;
        let (beat, off) = (t % 0.5, (t + 0.25) % 0.5);
        let tone = |hz: f64| (std::f64::consts::TAU * hz * t).sin();
        let kick =
            0.5 * (std::f64::consts::TAU * (50.0 + 60.0 * (-beat * 30.0).exp()) * beat).sin() * (-beat * 9.0).exp();
        let snare = 0.25 * noise * (-off * 18.0).exp();
        let swell = 0.5 + 0.5 * (std::f64::consts::TAU * 0.4 * t).sin();
        let chord = [220.0, 277.2, 329.6, 440.0].map(tone).iter().sum::<f64>() * 0.06 * swell;
        for (snare, chord) in [(snare, chord), (0.8 * snare, 0.9 * chord)] {
            writer.write_sample(((kick + snare + chord) * 0.7 * 32_767.0) as i16).unwrap();
        }
    }
    writer.finalize().unwrap();
}

fn folder(name: &str) -> PathBuf {
    built::workspace().join("bundles").join(format!("{name}.catena.d"))
}

fn run(home: &Home, args: &[&str]) -> (String, String) {
    let mut command = home.catena(args);
    let output = command.env("LV2_PATH", "/usr/lib/lv2").env("CLAP_PATH", "/usr/lib/clap").output().unwrap();
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {out}\n{err}");
    (out, err)
}

#[test]
fn every_chain_that_comes_along_is_measured_here() {
    let entries = std::fs::read_dir(built::workspace().join("bundles")).unwrap();
    let names =
        entries.filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".catena.d")?.to_owned()));
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, CHAINS.map(|(name, ..)| name));
}

#[test]
fn each_sounds_as_loud_and_as_late_as_it_should() {
    let home = Home::new();
    music(&home);
    run(&home, &["scan"]);
    let mut wrong = Vec::new();
    for (name, latency, louder) in CHAINS {
        let chain = folder(name);
        let out = format!("{name}.wav");
        let args = ["render", "in.wav", &out, "--chain", chain.to_str().unwrap(), "--report", "--json"];
        let report: Value = serde_json::from_str(&run(&home, &args).0).unwrap();
        let number = |value: &Value| value.as_f64().unwrap();
        let slots = report["slots"].as_array().unwrap();
        let problems: Vec<_> = slots.iter().filter(|slot| !slot["problem"].is_null()).collect();
        assert!(problems.is_empty(), "{name}: {problems:?}");
        assert_eq!(report["clipped_samples"], 0, "{name}");
        let [came, left] = ["chain_input", "chain_output"].map(|end| number(&report[end]["integrated_lufs"]));
        let found = (report["latency"].as_u64().unwrap(), left - came);
        if found.0 != latency || (found.1 - louder).abs() > NEAR {
            wrong.push(format!("{name}: {} frames late, {:.1} LU louder", found.0, found.1));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Guitarix's cabinet writes to standard output, among what programs are to read: it is in the log instead.
    let log = std::fs::read_to_string(home.path("state/catena/log/catena.log")).unwrap();
    assert!(log.contains("using block size"), "{log}");
}

#[test]
fn each_says_what_it_is_for_and_by_whom_and_on_what_terms_it_is_here() {
    for (name, ..) in CHAINS {
        let about = host_core::store::read(&folder(name)).unwrap().about;
        assert!(!about.tags.is_empty() && about.tags.iter().all(|tag| *tag == tag.to_lowercase()), "{name}: {about:?}");
        assert!(!about.authors.is_empty() && !about.notes.is_empty(), "{name}: {about:?}");
        assert_eq!(about.licence, env!("CARGO_PKG_LICENSE"), "{name}");
    }
}

/// The slot, lane or group with this id, however deep it lies.
fn node<'a>(within: &'a Value, id: &Value) -> Option<&'a Value> {
    match within {
        Value::Array(all) => all.iter().find_map(|one| node(one, id)),
        Value::Object(all) if all.get("id") == Some(id) => Some(within),
        Value::Object(all) => all.values().find_map(|one| node(one, id)),
        _ => None,
    }
}

#[test]
fn each_has_its_files_name_and_a_knob_or_more_whose_every_target_is_there() {
    for (name, ..) in CHAINS {
        let chain: Value = serde_json::from_slice(&std::fs::read(folder(name).join("chain.json")).unwrap()).unwrap();
        assert_eq!(chain["name"], name);
        let macros = chain["macros"].as_array().map_or(&[][..], Vec::as_slice);
        assert!(!macros.is_empty() || name == "Demo Bus", "{name} has no macro");
        for knob in macros {
            let targets = knob["targets"].as_array().unwrap();
            assert!(!targets.is_empty(), "{name}: a knob that moves nothing: {knob}");
            for target in targets {
                let id = ["slot", "lane"].iter().find_map(|key| target.get(key)).unwrap();
                let of = node(&chain["nodes"], id).unwrap_or_else(|| panic!("{name}: {id} is not there: {target}"));
                if target["to"] == "param" {
                    let key = target["param"].as_str().unwrap();
                    assert!(of["params"].get(key).is_some(), "{name}: {} has no {key}: {target}", of["plugin"]);
                }
            }
        }
    }
}

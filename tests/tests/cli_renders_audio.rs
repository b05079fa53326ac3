//! `catena render`: formats, length, latency, repeatability.

use catena_tests::cli::{Home, samples, texts};
use catena_tests::fixtures;

#[test]
fn an_empty_chain_keeps_every_bit_and_the_length() {
    let home = Home::new();
    home.sine("in.wav", 44_100, 10_007);
    home.ok(["new", "c.catena"]);
    for block in ["1", "64", "1000", "8192"] {
        home.ok(["render", "in.wav", "out.wav", "--chain", "c.catena", "--block", block]);
        assert_eq!(samples(&home.path("out.wav")), samples(&home.path("in.wav")), "block {block}");
    }
}

#[test]
fn formats_are_the_inputs_own_or_as_asked() {
    let home = Home::new();
    home.sine("in.wav", 44_100, 20_000);
    home.ok(["new", "c.catena"]);
    for (file, bits) in [("in.flac", 16), ("in24.flac", 24), ("in.ogg", 32), ("in24.wav", 24), ("in8.wav", 8)] {
        let depth = if file.contains("24") {
            "24"
        } else if file.contains('8') {
            "8"
        } else {
            "16"
        };
        let mut sox = home.command("sox");
        sox.arg("in.wav");
        if !file.ends_with("ogg") {
            sox.args(["-b", depth]);
        }
        assert!(sox.arg(file).status().unwrap().success());
        home.ok(["render", file, "out.wav", "--chain", "c.catena"]);
        let (spec, sound) = samples(&home.path("out.wav"));
        assert_eq!((spec.bits_per_sample, sound.len()), (bits, 40_000), "{file}");
        let peak = sound.iter().fold(0f32, |peak, sample| peak.max(sample.abs()));
        assert!((0.24..0.27).contains(&peak), "{file}: peak {peak}");
    }
    for (bits, depth, format) in [
        ("16", 16, hound::SampleFormat::Int),
        ("24", 24, hound::SampleFormat::Int),
        ("32f", 32, hound::SampleFormat::Float),
    ] {
        home.ok(["render", "in.flac", "out.wav", "--chain", "c.catena", "--bits", bits]);
        let (spec, sound) = samples(&home.path("out.wav"));
        assert_eq!((spec.bits_per_sample, spec.sample_format), (depth, format));
        assert_eq!(sound, samples(&home.path("in.wav")).1);
    }
}

#[test]
fn mono_and_six_channels_pass() {
    let home = Home::scanned();
    home.sine("in.wav", 48_000, 9600);
    home.ok(["new", "c.catena", "ZamTube", "lv2:http://gareus.org/oss/lv2/fil4#stereo"]);
    for channels in [1usize, 2, 6] {
        let remix: Vec<String> = (0..channels).map(|_| "1".to_owned()).collect();
        let sox = home.command("sox").args(["in.wav", "many.wav", "remix"]).args(&remix).status().unwrap();
        assert!(sox.success());
        home.ok(["render", "many.wav", "out.wav", "--chain", "c.catena", "--tail", "0"]);
        let (spec, sound) = samples(&home.path("out.wav"));
        assert_eq!((usize::from(spec.channels), sound.len()), (channels, 9600 * channels));
        assert!(sound.iter().any(|sample| sample.abs() > 0.01));
    }
}

#[test]
fn compensation_puts_the_sound_back_in_time() {
    let home = Home::scanned();
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: 48_000,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let mut writer = hound::WavWriter::create(home.path("in.wav"), spec).unwrap();
    for frame in 0..20_000 {
        for _ in 0..2 {
            writer.write_sample(if frame == 5000 { 0.5f32 } else { 0.0 }).unwrap();
        }
    }
    writer.finalize().unwrap();
    home.ok(["new", "c.catena", "ZaMaximX2"]);
    let peak_at = |more: &[&str]| {
        let mut args = vec!["render", "in.wav", "out.wav", "--chain", "c.catena"];
        args.extend(more);
        home.ok(args);
        let (_, sound) = samples(&home.path("out.wav"));
        let loudest = sound.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap().0;
        (loudest / 2, sound.len() / 2)
    };
    let (late, long) = peak_at(&["--tail", "1"]);
    assert_eq!((late, long), (5480, 20_000 + 48_000));
    assert_eq!(peak_at(&["--compensate", "--tail", "0"]), (5000, 20_000));
}

#[test]
fn another_rate_keeps_time_length_and_level() {
    let home = Home::new();
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 44_100,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let mut writer = hound::WavWriter::create(home.path("in.wav"), spec).unwrap();
    let wave = |seconds: f64| {
        ((seconds - 0.5) * 1000.0 * std::f64::consts::TAU).sin() * 0.5 * (-((seconds - 0.5) / 0.05).powi(2)).exp()
    };
    for frame in 0..44_100 {
        writer.write_sample(wave(f64::from(frame) / 44_100.0) as f32).unwrap();
    }
    writer.finalize().unwrap();
    home.ok(["new", "c.catena"]);
    for rate in [48_000u32, 96_000, 22_050] {
        home.ok(["render", "in.wav", "out.wav", "--chain", "c.catena", "--rate", &rate.to_string(), "--tail", "0"]);
        let (spec, sound) = samples(&home.path("out.wav"));
        assert_eq!((spec.sample_rate, sound.len()), (rate, rate as usize));
        let error = sound
            .iter()
            .enumerate()
            .map(|(frame, sample)| (f64::from(*sample) - wave(frame as f64 / f64::from(rate))).abs())
            .fold(0.0, f64::max);
        assert!(error < 1e-3, "{rate} Hz: off by {error}");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes_also_under_a_comma_locale() {
    let home = Home::scanned();
    home.sine("in.wav", 48_000, 24_000);
    home.ok([
        "new",
        "c.catena",
        "ZamCompX2",
        "lv2:http://gareus.org/oss/lv2/dpl#stereo",
        "http://calf.sourceforge.net/plugins/Reverb",
        "ZaMultiCompX2",
    ]);
    home.ok(["edit", "c.catena", "set", "1", "Threshold", "-20.5"]);
    let render = |out: &str, locale: &str| {
        let run = home
            .catena(["render", "in.wav", out, "--chain", "c.catena", "--report"])
            .env("LC_ALL", locale)
            .output()
            .unwrap();
        let (said, err) = texts(&run);
        assert!(run.status.success(), "{err}");
        let comma = said.as_bytes().windows(3).any(|w| w[0].is_ascii_digit() && w[1] == b',' && w[2].is_ascii_digit());
        assert!(said.contains("dBFS") && !comma, "{said}");
        std::fs::read(home.path(out)).unwrap()
    };
    let first = render("a.wav", "C.UTF-8");
    assert!(first == render("b.wav", "C.UTF-8"), "two renders differ");
    assert!(first == render("c.wav", "de_DE.UTF-8"), "a comma locale changes the render");
}

#[test]
fn a_report_names_each_slot_and_lane_with_latency_time_and_levels() {
    let home = Home::scanned();
    home.sine("in.wav", 48_000, 240_000);
    home.ok(["new", "c.catena", "ZamCompX2", "ZaMaximX2"]);
    home.ok(["edit", "c.catena", "parallel", "1"]);
    home.ok(["edit", "c.catena", "lane", "1.2", "dry"]);
    home.ok(["edit", "c.catena", "set", "1.1.1", "@output-gain", "24"]);
    let text = home.ok(["render", "in.wav", "out.wav", "--chain", "c.catena", "--report"]);
    assert!(text.contains("clap:com.zamaudio.ZaMaximX2") && text.contains("480 frames"), "{text}");
    let report = home.json(["render", "in.wav", "out.wav", "--chain", "c.catena", "--json"]);
    assert_eq!(report["latency"], 480);
    for slot in report["slots"].as_array().unwrap() {
        let average = slot["nanoseconds_per_block"].as_u64().unwrap();
        assert!(average > 0 && slot["max_nanoseconds_per_block"].as_u64().unwrap() >= average, "{report}");
        assert!(slot["peak"].as_f64().unwrap() > 0.05 && slot["share"].as_f64().unwrap() > 0.0, "{report}");
    }
    // A sine of 440 Hz at -12 dBFS in two channels; K-weighting takes some of it.
    let near = |point: &serde_json::Value, loudness: f64| {
        for name in ["integrated_lufs", "short_term_max_lufs"] {
            let value = point[name].as_f64().unwrap();
            assert!((value - loudness).abs() < 0.3, "{name}: {point}");
        }
    };
    let (input, dry) = (&report["chain_input"], &report["lanes"][1]);
    near(input, -12.8);
    assert!((input["peak"].as_f64().unwrap() - 0.25).abs() < 1e-3 && input["clipped_samples"] == 0, "{input}");
    assert_eq!((dry["lane"].as_str(), report["slots"][0]["slot"].as_str()), (Some("1.2"), Some("1.1.1")));
    near(&dry["input"], -12.8);
    near(dry, -12.8);
    assert!(report["slots"][0]["clipped_samples"].as_u64().unwrap() > 1000, "{report}");
    assert!(text.contains("1.2") && text.contains(" LUFS"), "{text}");
}

#[test]
fn a_match_sets_the_gain_that_makes_a_plugin_as_loud_as_its_dry() {
    let home = Home::of_fixtures();
    home.sine("in.wav", 48_000, 96_000);
    let gain = format!("clap:{}", fixtures::clap_id("gain"));
    home.ok(["new", "c.catena", &gain]);
    home.ok(["edit", "c.catena", "set", "1", "gain", "0.5"]);
    let said = home.ok(["edit", "c.catena", "match", "1", "--audio", "in.wav"]);
    assert!(said.contains("output gain 6.02 dB"), "{said}");
    assert!(home.ok(["show", "c.catena"]).contains("output gain 6.02"));
    // Silence at the beginning is passed over; a file of silence is refused, and the chain stays as it was.
    let sox = |args: &[&str]| assert!(home.command("sox").args(args).status().unwrap().success());
    sox(&["in.wav", "late.wav", "pad", "5", "0"]);
    home.ok(["edit", "c.catena", "set", "1", "gain", "2"]);
    let said = home.ok(["edit", "c.catena", "match", "1", "--audio", "late.wav"]);
    assert!(said.contains("output gain -6.02 dB"), "{said}");
    sox(&["-n", "-r", "48000", "-c", "2", "silence.wav", "trim", "0", "4"]);
    let why = home.fails(1, ["edit", "c.catena", "match", "1", "--audio", "silence.wav"]);
    assert!(why.contains("silent for 3 s"), "{why}");
    assert!(home.ok(["show", "c.catena"]).contains("output gain -6.02"));
    home.fails(1, ["edit", "c.catena", "match", "1", "--audio", "in.wav", "--from", "2"]);
    home.fails(2, ["edit", "c.catena", "match", "7", "--audio", "in.wav"]);
}

#[test]
fn a_reverbs_tail_is_rendered_until_it_is_silent() {
    let home = Home::scanned();
    home.sine("in.wav", 48_000, 4800);
    home.ok(["new", "c.catena", "http://calf.sourceforge.net/plugins/Reverb"]);
    home.ok(["render", "in.wav", "out.wav", "--chain", "c.catena", "--bits", "32f"]);
    let (_, sound) = samples(&home.path("out.wav"));
    assert!(sound.len() / 2 > 4800 + 24_000, "only {} frames", sound.len() / 2);
    assert!(sound[sound.len() - 200..].iter().all(|sample| sample.abs() < 1e-3), "cut while it sounds");
}

#[test]
fn plugins_are_told_the_tempo_and_the_time_signature_that_were_typed() {
    let home = Home::new();
    let folder = home.path("clap");
    std::fs::create_dir(&folder).unwrap();
    std::fs::copy(fixtures::clap(), folder.join("harmless.clap")).unwrap();
    let ok = |args: &[&str]| {
        let output = home.catena(args).env("CLAP_PATH", &folder).env("LV2_PATH", home.path("none")).output().unwrap();
        assert!(output.status.success(), "{:?}", texts(&output));
    };
    home.sine("in.wav", 48_000, 48_000);
    ok(&["new", "c.catena", &format!("clap:{}", fixtures::clap_id("witness"))]);
    // What the fixture is told in each block, it writes into the block's first samples.
    let told = |from: usize| {
        let (_, sound) = samples(&home.path("out.wav"));
        let left: Vec<f32> = sound.into_iter().skip(2 * from).step_by(2).collect();
        (left[2], left[3], left[10], (left[11], left[12]))
    };
    let render = ["render", "in.wav", "out.wav", "--chain", "c.catena", "--bits", "32f", "--block", "8000"];
    ok(&render);
    assert_eq!(told(24_000), (120.0, 1.0, 0.0, (4.0, 4.0)));
    ok(&[&render[..], &["--tempo", "90", "--time-signature", "3/8"]].concat());
    assert_eq!(told(40_000), (90.0, 1.25, 0.0, (3.0, 8.0)));
    assert_eq!(told(0), (90.0, 0.0, 0.0, (3.0, 8.0)));
    for (option, value) in [("--tempo", "0"), ("--tempo", "fast"), ("--time-signature", "4/5")] {
        assert!(home.fails(2, [&render[..], &[option, value]].concat()).contains(option));
    }
}

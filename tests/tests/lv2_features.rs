//! What an LV2 host owes a plugin, feature by feature, on plugins that show whether they got it.

use std::path::Path;

use catena_tests::fixtures_lv2::{Fixtures, id};
use catena_tests::lv2_bench::Bench;
use catena_tests::rig::Rig;
use host_core::backend::audio::{RunStatus, Transport};
use host_core::backend::{self, Activation, OpenError};
use host_core::engine::{SlotNode, SlotSetup};
use host_core::model::{BusRole, PluginLocation, SlotId, Steps};

#[test]
fn a_required_feature_that_is_not_offered_is_named_and_all_others_open() {
    let fixtures = Fixtures::new();
    assert_eq!(fixtures.bad.len(), 1, "{:?}", fixtures.bad);
    assert_eq!(fixtures.bad[0].plugin, Some(id("needs-unknown")));
    assert!(fixtures.bad[0].reason.contains("urn:catena-fixture:no-such-feature"));
    let mut entry = fixtures.entry("gain").clone();
    entry.id = id("needs-unknown");
    entry.location = PluginLocation::Lv2(vec![fixtures.folder.path().join("lv2/needs-unknown.lv2")]);
    let Err(OpenError::Feature { feature, .. }) = backend::open(&entry, &fixtures.host) else { panic!("it opened") };
    assert_eq!(feature, "urn:catena-fixture:no-such-feature");
    entry.id = id("nobody");
    assert!(matches!(backend::open(&entry, &fixtures.host), Err(OpenError::NotInside { .. })));
}

#[test]
fn whatever_may_be_required_is_handed_over_and_no_two_buffers_are_one() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "demanding");
    bench.input(0, 0).fill(0.5);
    for frames in [256, 1, 63] {
        bench.run(frames);
        assert!(bench.output(0, 0)[..frames as usize].iter().all(|s| *s == 0.5), "{frames} frames");
    }
    // In a chain, where one slot's output is the next one's input.
    let (mut rig, mut slots, mut mains) = (Rig::new(1), Vec::new(), Vec::new());
    for number in 1..=3 {
        let mut main = Bench::open(&fixtures, "demanding").main;
        let how = Activation { rate: 48_000.0, min_block: 1, max_block: 1024, offline: false };
        let (audio, ports) = (main.activate(how).unwrap(), main.ports().clone());
        let setup = SlotSetup { channels: 1, ..SlotSetup::new(SlotId(number), vec![audio], ports) };
        slots.push(SlotNode::new(setup));
        mains.push(main);
    }
    rig.send(&slots);
    let heard = rig.run(&[vec![0.5; 1024]], &[64; 16]);
    assert!(heard[0].iter().all(|sample| *sample == 0.5), "{:?}", &heard[0][..4]);
}

#[test]
fn a_library_that_cannot_be_loaded_is_named() {
    let fixtures = Fixtures::new();
    let library = fixtures.folder.path().join("lv2/mono.lv2/fixtures.so");
    std::fs::remove_file(&library).unwrap();
    std::fs::write(&library, "no library").unwrap();
    let Err(error) = backend::open(fixtures.entry("mono"), &fixtures.host) else { panic!("it opened") };
    assert!(error.to_string().contains("fixtures.so"), "{error}");
}

#[test]
fn block_length_promises_are_kept() {
    let fixtures = Fixtures::new();
    for name in ["bounded", "coarse", "fixed", "power-of-2"] {
        let mut bench = Bench::started(&fixtures, name);
        let lengths: &[u32] = match bench.main.fixed_block() {
            Some(length) => &[length; 3],
            None => &[256, 1, 63, 256],
        };
        bench.input(0, 0).fill(0.5);
        for frames in lengths {
            bench.run(*frames);
            assert!(bench.output(0, 0)[..*frames as usize].iter().all(|s| *s == 0.5), "{name} at {frames}");
        }
    }
    for name in ["fixed", "power-of-2"] {
        let mut bench = Bench::started(&fixtures, name);
        let other = bench.main.fixed_block().unwrap() - 1;
        assert_eq!(bench.run_with(other, &[]), RunStatus::Failed, "{name}: a broken promise must not reach it");
    }
}

#[test]
fn buses_have_their_roles_and_sound_goes_through_them() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "sidechain");
    let roles: Vec<_> = bench.main.ports().inputs.iter().map(|bus| (bus.role, bus.channels)).collect();
    assert_eq!(roles, [(BusRole::Main, 2), (BusRole::Sidechain, 2)]);
    bench.input(0, 1).fill(0.75);
    bench.input(1, 1).fill(0.5);
    bench.run(64);
    assert_eq!((bench.output(0, 0)[63], bench.output(0, 1)[63]), (0.0, 0.25));

    let mut cv = Bench::started(&fixtures, "cv");
    assert_eq!(cv.main.ports().inputs[0].role, BusRole::Cv);
    cv.input(0, 0).fill(5.0);
    cv.run(16);
    assert_eq!(cv.output(0, 0)[15], 10.0);
    assert!(Bench::open(&fixtures, "instrument").main.ports().is_instrument());
}

#[test]
fn latency_is_known_when_active_and_follows_while_running() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "delay");
    assert_eq!(bench.main.latency(), 512, "before the first block");
    bench.input(0, 0)[0] = 1.0;
    bench.run(256);
    bench.input(0, 0)[0] = 0.0;
    bench.run(256);
    bench.run(256);
    assert_eq!(bench.output(0, 0)[0], 1.0);
    let mut bench = Bench::started(&fixtures, "latency-change");
    assert_eq!(bench.audio.as_ref().unwrap().latency(), Some(0));
    let change = bench.change("frames", 0, 4800.0);
    bench.run_with(64, &[change]);
    assert_eq!(bench.audio.as_ref().unwrap().latency(), Some(4800));
    assert_eq!(bench.main.latency(), 4800);
    assert_eq!(bench.main.identity().latency, 4800);
}

#[test]
fn control_ports_are_described_clamped_grouped_and_written() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "gain");
    let info = bench.main.params()[0].clone();
    assert_eq!((info.key.as_str(), info.group.as_str(), info.unit.as_str()), ("gain", "Level", "(coef)"));
    assert_eq!((info.min, info.max, info.default), (0.0, 2.0, 1.0));
    bench.set("gain", 7.0);
    assert_eq!(bench.value("gain"), 2.0, "strict bounds");
    assert_eq!(bench.main.text(0, 1.5).unwrap(), "1.500 (coef)");
    assert_eq!(bench.main.parse(0, "1.25 (coef)"), Some(1.25));
    let bypass = Bench::open(&fixtures, "enabled");
    let info = &bypass.main.params()[0];
    assert!(info.is_bypass && matches!(info.steps, Steps::Toggle));
}

#[test]
fn values_set_while_the_audio_half_is_away_are_known_at_home_until_it_tells_otherwise() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "gain");
    bench.main.set_value(0, 0.5, backend::AudioAt::Away);
    assert_eq!(bench.value("gain"), 0.5);
    bench.run_with(64, &[bench.change("gain", 0, 0.25)]);
    assert_eq!(bench.value("gain"), 0.25, "what the plugin runs on");
}

#[test]
fn ranges_by_rate_follow_the_rate_and_set_values_stay() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::open(&fixtures, "rate-range");
    for rate in [48_000.0, 96_000.0] {
        bench.start(rate, 64, false);
        let info = &bench.main.params()[0];
        assert_eq!((info.min, info.max), (0.001 * rate, 0.5 * rate));
        bench.run(64);
        assert!((bench.value("told") - 0.1 * rate).abs() < 0.01, "{}", bench.value("told"));
        bench.stop();
    }
    bench.set("hz", 1000.0);
    bench.start(44_100.0, 64, false);
    bench.run(64);
    assert_eq!(bench.value("told"), 1000.0);
}

#[test]
fn optional_ports_of_unknown_type_are_left_unconnected_and_free_wheeling_is_told() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "optional");
    bench.run(16);
    assert_eq!(bench.value("null"), 1.0);
    let mut bench = Bench::started(&fixtures, "free-wheeling");
    assert!(bench.main.params()[0].hidden);
    bench.run(16);
    assert_eq!(bench.value("told"), 0.0);
    bench.main.set_offline(true);
    bench.run(16);
    assert_eq!(bench.value("told"), 1.0);
    bench.main.set_offline(false);
    bench.transport = Some(Transport { offline: true, ..Transport::default() });
    bench.run(16);
    assert_eq!(bench.value("told"), 1.0);
}

#[test]
fn buffers_are_as_large_as_asked() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "big-buffer");
    bench.run(16);
    assert!(bench.value("room") >= f64::from((4 << 20) - 8), "{}", bench.value("room"));
}

#[test]
fn lies_in_description_and_output_harm_nobody() {
    let fixtures = Fixtures::new();
    let mut bench = Bench::started(&fixtures, "lies");
    for info in bench.main.params() {
        assert!(info.min.is_finite() && info.max.is_finite() && info.min <= info.max, "{info:?}");
        assert!((info.min..=info.max).contains(&info.default), "{info:?}");
    }
    bench.run(64);
    assert_eq!(bench.audio.as_ref().unwrap().latency(), Some(0), "a latency that is no number");
    assert!(bench.events_out.is_empty());
}

#[test]
fn presets_of_other_bundles_are_listed_and_load() {
    let fixtures = Fixtures::new();
    let entry = fixtures.entry("gain");
    let PluginLocation::Lv2(bundles) = &entry.location else { panic!() };
    let names: Vec<_> = bundles.iter().map(|bundle| bundle.file_name().unwrap()).collect();
    assert_eq!(names, ["gain.lv2", "gain-presets.lv2"], "its own first");
    assert_eq!(entry.presets[0].name, "Größer");
    let mut bench = Bench::open(&fixtures, "gain");
    let preset = bench.main.presets()[0].clone();
    bench.main.load_preset(&preset, backend::AudioAt::Inactive).unwrap();
    assert_eq!(bench.value("gain"), 1.75);
    let mut gone = preset.clone();
    gone.uri = "urn:catena-fixture:gain#nothing".into();
    assert!(bench.main.load_preset(&gone, backend::AudioAt::Inactive).is_err());
    assert!(Path::new(&bundles[0]).is_absolute());
}

#[test]
fn a_comma_locale_set_by_a_plugin_changes_no_number() {
    let fixtures = Fixtures::new();
    let _sets_it = Bench::started(&fixtures, "locale");
    let mut bench = Bench::started(&fixtures, "gain");
    bench.set("gain", 0.5);
    let state = bench.main.save(backend::AudioAt::Away).unwrap();
    assert!(String::from_utf8_lossy(&state.bytes).contains("\"gain\":0.5"));
    let preset = bench.main.presets()[0].clone();
    bench.stop();
    bench.main.load_preset(&preset, backend::AudioAt::Inactive).unwrap();
    assert_eq!(bench.value("gain"), 1.75);
    assert_eq!(bench.main.text(0, 1.5).unwrap(), "1.500 (coef)");
}

//! An entry without its core library still loads, passes audio, keeps the chain, and says what to install.

use catena_tests::bundle::{Bundle, foreign_core, in_own_process};
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::lv2_host::{Lv2File, Lv2Host, Offer, Stored, log_lines};
use catena_tests::vst3_host::Vst3Module;

const IDS: [&str; 2] = ["catena-audio.catena", "catena-audio.catena-instrument"];

/// The dry plugins of `file`: same ids, names and log that tell, audio and state as they came.
fn assert_dry(file: &ClapFile, told: &str) {
    let plugins = file.plugins();
    assert_eq!(plugins.iter().map(|plugin| plugin.id.as_str()).collect::<Vec<_>>(), IDS);
    for plugin in &plugins {
        assert!(plugin.name.ends_with("(core library missing or older)"), "{}", plugin.name);
        assert!(
            plugin.description.contains(told) && plugin.description.contains("CATENA_LIB"),
            "{}",
            plugin.description
        );
    }
    let mut host = ClapHost::new(file, IDS[0]);
    assert!(host.asked.log().iter().any(|line| line.contains(told)), "{:?}", host.asked.log());
    assert_eq!((host.ports(true), host.ports(false)), (vec![2, 2], vec![2]));
    assert!(host.load(&[7; 5000]));
    host.activate(48000.0, 64);
    let ramp: Vec<f32> = (0..64).map(|i| i as f32 / 64.0).collect();
    let (out, _) = host.process(&[ramp.clone(), ramp.clone()], &[]);
    assert_eq!(out, [[ramp.clone(), ramp]]);
    assert_eq!(host.save().as_deref(), Some(&[7; 5000][..]), "the DAW's chain is written back");

    let mut instrument = ClapHost::new(file, IDS[1]);
    assert_eq!((instrument.ports(true), instrument.ports(false)), (vec![2], vec![2; 9]));
    instrument.activate(48000.0, 64);
    let (out, _) = instrument.process(&[vec![1.0; 64], vec![1.0; 64]], &[]);
    assert!(out.iter().flatten().flatten().all(|sample| *sample == 0.0));
}

#[test]
fn without_a_core_library_the_clap_passes_audio_and_says_so() {
    in_own_process(
        "without_a_core_library_the_clap_passes_audio_and_says_so",
        |_| vec![],
        |_| {
            let bundle = Bundle::without_core();
            assert_dry(&ClapFile::open(&bundle.clap()), "libcatena.so was not found");
        },
    );
}

#[test]
fn a_core_library_of_another_major_version_is_left_alone() {
    in_own_process(
        "a_core_library_of_another_major_version_is_left_alone",
        |_| vec![],
        |_| {
            let bundle = Bundle::without_core();
            foreign_core(bundle.path(), "99.0.0");
            assert_dry(&ClapFile::open(&bundle.clap()), "is version 99.0.0");
        },
    );
}

#[test]
fn without_a_core_library_the_vst3_passes_audio_and_says_so() {
    in_own_process(
        "without_a_core_library_the_vst3_passes_audio_and_says_so",
        |_| vec![],
        |_| {
            let bundle = Bundle::without_core();
            let module = Vst3Module::open(&bundle.vst3_module());
            let classes = module.classes();
            assert_eq!(
                classes.iter().map(|class| &class.id).collect::<Vec<_>>(),
                [b"CatenaAudioChain", b"CatenaAudioInstr"]
            );
            assert!(classes.iter().all(|class| class.name.ends_with("(core library missing or older)")), "{classes:?}");
            let plugin = module.make(b"CatenaAudioChain");
            assert!(plugin.set_state(&[7; 5000]));
            plugin.activate(48000.0, 64);
            let ramp: Vec<f32> = (0..64).map(|i| i as f32 / 64.0).collect();
            assert_eq!(plugin.process(&[ramp.clone(), ramp.clone()]), [ramp.clone(), ramp]);
            assert_eq!(plugin.state(), [7; 5000]);
        },
    );
}

/// The dry LV2 plugins of `bundle`: same URIs, audio and state as they came.
fn assert_lv2_dry(bundle: &Bundle, told: &str) {
    let file = Lv2File::open(&bundle.lv2());
    let uris = ["catena", "catena-mono", "catena-surround", "catena-instrument"];
    let uris = uris.map(|name| format!("urn:catena-audio:{name}"));
    assert_eq!(file.uris(), uris);
    assert_eq!(file.window_uris(), [""; 0], "no window without the core library");
    let ramp: Vec<f32> = (0..64).map(|i| i as f32 / 64.0).collect();
    for uri in &uris {
        let mut host = Lv2Host::new(&file, uri, Offer::all(64));
        assert!(log_lines().iter().any(|line| line.contains(told) && line.contains("CATENA_LIB")), "{:?}", log_lines());
        let stored = Stored::chain(&[7; 5000]);
        assert_eq!(host.restore(std::slice::from_ref(&stored), None), 0);
        host.activate();
        let (heard, events) = host.play(&[&ramp[..]; 8], 64, &[]);
        let instrument = uri.ends_with("instrument");
        for channel in heard {
            assert_eq!(channel, if instrument { vec![0.0; 64] } else { ramp.clone() }, "{uri}");
        }
        assert_eq!(events, []);
        assert_eq!(host.save(None), (0, vec![stored]), "the DAW's chain is written back");
    }
}

#[test]
fn without_a_core_library_the_lv2_passes_audio_and_says_so() {
    in_own_process(
        "without_a_core_library_the_lv2_passes_audio_and_says_so",
        |_| vec![],
        |_| assert_lv2_dry(&Bundle::without_core(), "libcatena.so was not found"),
    );
}

#[test]
fn the_lv2_leaves_a_core_library_of_another_major_version_alone() {
    in_own_process(
        "the_lv2_leaves_a_core_library_of_another_major_version_alone",
        |_| vec![],
        |_| {
            let bundle = Bundle::without_core();
            foreign_core(bundle.path(), "99.0.0");
            assert_lv2_dry(&bundle, "is version 99.0.0");
        },
    );
}

#[test]
fn the_variable_names_the_core_library_wherever_the_entry_lies() {
    in_own_process(
        "the_variable_names_the_core_library_wherever_the_entry_lies",
        |_| vec![("CATENA_LIB", catena_tests::bundle::built("catena"))],
        |_| {
            let bundle = Bundle::without_core();
            let names: Vec<_> =
                ClapFile::open(&bundle.clap()).plugins().into_iter().map(|plugin| plugin.name).collect();
            assert_eq!(names, ["Catena", "Catena Instrument"]);
        },
    );
}

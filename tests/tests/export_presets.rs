//! `catena export`: a chain in its other form, and as a preset of LV2 and VST3 hosts, in any script, whole or not at all.

use std::process::Command;

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, chain_with_macros, impulse, peak, with_fixtures};
use catena_tests::exports::{assert_valid, chain_file, export, exported, names};
use catena_tests::jalv::Jalv;
use catena_tests::vst3_host::Vst3Module;
use catena_tests::vst3_state::{component, unwrap};
use host_core::model::Law;
use host_core::store;

/// 512 frames of delay and half the level, which macro 3 turns.
fn delayed() -> Vec<u8> {
    let slots: &[_] = &[("delay", &[("100", 512.0)] as &[_]), ("gain", &[("100", 0.5)])];
    let packed = chain_with_macros(slots, &[(3, 1, "100", Law::straight(0.0, 1.0))]);
    let mut chain = store::unpack(&packed).unwrap();
    chain.name = "Голос \"1\"".into();
    chain.macros[0].value = 0.5;
    store::pack(&chain).unwrap()
}

#[test]
fn a_chain_is_packed_and_unpacked_and_nothing_is_replaced_unasked() {
    with_fixtures("a_chain_is_packed_and_unpacked_and_nothing_is_replaced_unasked", || {
        let folder = tempfile::tempdir().unwrap();
        let file = chain_file(folder.path(), "in.catena", &delayed());
        let out = folder.path().join("new/out");
        assert_eq!(
            exported(&file, "unpack", &out, &["--name", "鎖/2"]).trim(),
            out.join("鎖-2.catena.d").to_str().unwrap()
        );
        let unpacked = out.join("鎖-2.catena.d");
        assert_eq!(store::read(&unpacked).unwrap(), store::read(&file).unwrap());
        exported(&unpacked, "pack", &out, &[]);
        assert_eq!(names(&out), ["Голос \"1\".catena", "鎖-2.catena.d"]);
        assert_eq!(std::fs::read(out.join("Голос \"1\".catena")).unwrap(), std::fs::read(&file).unwrap());

        for (to, name) in [("pack", "Голос \"1\".catena"), ("unpack", "鎖-2.catena.d")] {
            let more: &[&str] = if to == "unpack" { &["--name", "鎖/2"] } else { &[] };
            let (done, _, said) = export(&file, to, &out, more);
            assert!(!done && said.contains(name) && said.contains("--force"), "{said}");
            let (done, _, said) = export(&file, to, &out, &[more, &["--force"]].concat());
            assert!(done, "{said}");
        }
        // What is hidden in a folder stays, wherever the assets go.
        std::fs::create_dir(unpacked.join(".git")).unwrap();
        std::fs::write(unpacked.join(".git/HEAD"), "ref: refs/heads/main").unwrap();
        for assets in ["inside", "beside"] {
            exported(&file, "unpack", &out, &["--name", "鎖/2", "--force", "--assets", assets]);
            assert_eq!(std::fs::read(unpacked.join(".git/HEAD")).unwrap(), b"ref: refs/heads/main", "{assets}");
            assert_eq!(store::read(&unpacked).unwrap().name, store::read(&file).unwrap().name);
        }
        // What is in the way and is none of ours stays, force or not.
        std::fs::create_dir(out.join("photos.catena.d")).unwrap();
        std::fs::write(out.join("photos.catena.d/cat.jpg"), "cat").unwrap();
        let (done, _, said) = export(&file, "unpack", &out, &["--name", "photos", "--force"]);
        assert!(!done && said.contains("choose another name"), "{said}");
        assert_eq!(names(&out.join("photos.catena.d")), ["cat.jpg"]);
        // A chain that is not whole is none to hand on.
        let mut bytes = std::fs::read(&file).unwrap();
        bytes.truncate(bytes.len() - 30);
        std::fs::write(&file, bytes).unwrap();
        let (done, _, said) = export(&file, "pack", &out, &["--name", "x"]);
        assert!(!done && said.contains("in.catena") && said.contains("damaged"), "{said}");
        assert_eq!(names(&out), ["photos.catena.d", "Голос \"1\".catena", "鎖-2.catena.d"]);
    });
}

#[test]
fn an_lv2_preset_is_valid_listed_and_loaded() {
    with_fixtures("an_lv2_preset_is_valid_listed_and_loaded", || {
        let folder = tempfile::tempdir().unwrap();
        let lv2 = folder.path().join("lv2");
        let small = chain_file(folder.path(), "small.catena", &delayed());
        let noise: Vec<u8> = {
            // A state that does not pack: the preset is a file of its own then.
            let mut chain = store::unpack(&chain(&[("gain", &[("100", 0.25)])])).unwrap();
            let mut noise = 1_u32;
            let bytes = std::iter::repeat_with(|| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (noise >> 24) as u8
            });
            let bytes: Vec<u8> = bytes.take(400_000).collect();
            chain.files.insert("ballast".into(), bytes.into());
            store::pack(&chain).unwrap()
        };
        let large = chain_file(folder.path(), "large.catena", &noise);
        exported(&small, "lv2-preset", &lv2, &[]);
        exported(&large, "lv2-preset", &lv2, &["--name", "Large"]);
        assert_eq!(names(&lv2), ["Large.preset.lv2", "Голос \"1\".preset.lv2"]);
        // Another maker's bundle is none to replace.
        let other = folder.path().join("other");
        std::fs::create_dir_all(other.join("Large.preset.lv2")).unwrap();
        std::fs::write(other.join("Large.preset.lv2/manifest.ttl"), "").unwrap();
        let (done, _, said) = export(&large, "lv2-preset", &other, &["--name", "Large", "--force"]);
        assert!(!done && said.contains("choose another name"), "{said}");
        assert_eq!(names(&other.join("Large.preset.lv2")), ["manifest.ttl"]);
        assert_eq!(names(&lv2.join("Large.preset.lv2")), ["chain.bin", "manifest.ttl", "preset.ttl"]);

        let bundle = Bundle::new();
        for preset in names(&lv2) {
            assert_valid(&lv2.join(preset), &[&bundle.lv2()]);
        }
        std::os::unix::fs::symlink(bundle.lv2(), lv2.join("Catena.lv2")).unwrap();
        let path = format!("{}:/usr/lib/lv2", lv2.display());
        for plugin in ["catena", "catena-mono", "catena-surround", "catena-instrument"] {
            let uri = format!("urn:catena-audio:{plugin}");
            let output =
                Command::new("lv2info").arg(&uri).env("LV2_PATH", &path).output().expect("lv2info (lilv-utils)");
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(said.contains("Голос \"1\""), plugin != "catena-instrument", "{plugin}: {said}");
        }
        let mut jalv = Jalv::new(folder.path(), &path, "urn:catena-audio:catena");
        jalv.ask_until("presets", "Голос \"1\"");
        let probe = env!("CARGO_BIN_EXE_jack-probe");
        let plain = jalv.peak(probe).expect("a sine through the empty chain");
        for (preset, level) in [("Large", 0.25), ("Голос \"1\"", 0.5)] {
            jalv.type_line(&format!("preset urn:catena-audio:preset:{}", store::export::slug(preset)));
            let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
            let mut heard = plain;
            while (heard / plain - level).abs() > 0.01 {
                assert!(std::time::Instant::now() < end, "{preset}: {heard} of {plain}: {}", jalv.said());
                heard = jalv.peak(probe).unwrap_or(0.0);
            }
        }
        jalv.type_line("quit");
    });
}

#[test]
fn a_vst3_preset_holds_the_chain_as_the_plugin_loads_it() {
    with_fixtures("a_vst3_preset_holds_the_chain_as_the_plugin_loads_it", || {
        let folder = tempfile::tempdir().unwrap();
        let file = chain_file(folder.path(), "in.catena", &delayed());
        exported(&file, "vstpreset", folder.path(), &["--name", "Delayed"]);
        let preset = std::fs::read(folder.path().join("Delayed.vstpreset")).unwrap();
        let class: String = b"CatenaAudioChain".iter().map(|byte| format!("{byte:02X}")).collect();
        assert_eq!((&preset[..8], std::str::from_utf8(&preset[8..40]).unwrap()), (&b"VST3\x01\0\0\0"[..], &*class));
        let state = component(&preset);
        assert_eq!(unwrap(&state), delayed());

        let bundle = Bundle::new();
        let host = Vst3Module::open(&bundle.vst3_module()).make(b"CatenaAudioChain");
        assert!(host.set_state(&state));
        host.activate(48_000.0, 256);
        let input = impulse(8192, 1000);
        let mut heard = Vec::new();
        for start in (0..8192).step_by(256) {
            let block: Vec<_> = input.iter().map(|channel| channel[start..start + 256].to_vec()).collect();
            heard.extend_from_slice(&host.process(&block)[0]);
        }
        assert_eq!((peak(&heard), heard[1512]), (1512, 0.25));
    });
}

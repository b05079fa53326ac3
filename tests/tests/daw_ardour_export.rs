//! A chain that was exported as an LV2 plugin of its own sounds in Ardour as Catena does that loaded the same chain as a preset, and
//! has its macros under their names.

use catena_tests::ardour::files::overwrite;
use catena_tests::ardour::{Ardour, Format};
use catena_tests::bundle::Bundle;
use catena_tests::daw::with_fixtures;
use catena_tests::exports::{chain_file, exported, strip};
use host_core::store;

/// What the recordings hold.
fn wave(frame: usize) -> f32 {
    let noise = (frame as u32).wrapping_mul(2_654_435_761) >> 8;
    noise as f32 / (1 << 24) as f32 - 0.5
}

#[test]
fn a_plugin_of_its_own_and_a_preset_sound_alike_in_ardour() {
    with_fixtures("a_plugin_of_its_own_and_a_preset_sound_alike_in_ardour", || {
        let bundle = Bundle::new();
        let file = chain_file(&bundle.path().join("in"), "in.catena", &strip());
        exported(
            &file,
            "plugin",
            bundle.path(),
            &["--maker", "Ann", "--category", "compressor", "--id", "catena-chain.strip"],
        );
        exported(&file, "lv2-preset", bundle.path(), &[]);
        let ardour = Ardour::new(&bundle, Format::Lv2);
        let tracks = ["1.1", "plain:audio:2:LV2:urn:catena-audio:catena", "own:audio:2:LV2:urn:catena-chain:strip"];
        let said = ardour.script("create.lua", include_str!("../daw/create.lua"), &tracks.map(str::to_owned));
        assert!(said.contains("inserted Strip on own"), "{said}");
        let arguments = ["Strip", "100"].map(str::to_owned);
        let said = ardour.script("preset.lua", include_str!("../daw/preset.lua"), &arguments);
        assert!(said.contains("plugin Strip by Ann"), "{said}");
        for track in ["plain", "own"] {
            let kept = ardour.chain(track);
            assert_eq!((kept.name.as_str(), kept.slots().count()), ("Strip", 3), "{track}");
            assert_eq!(kept.macros, store::unpack(&strip()).unwrap().macros, "{track}");
            ardour.recorded(track).iter().for_each(|file| overwrite(file, wave));
        }
        let said = ardour.sound(&[("plain", 100), ("own", 100)]);
        let [plain, own] = ["plain", "own"].map(|track| ardour.bounced("bounced", track));
        assert_eq!((plain.len(), own.len()), (2, 2), "{said}");
        for (one, other) in plain.iter().zip(&own) {
            assert!(one.len() > 40_000 && one[20_000..].iter().any(|sample| sample.abs() > 0.1), "something is heard");
            let most = one.iter().zip(other).map(|(a, b)| f64::from(a - b).abs()).fold(0.0, f64::max);
            assert!(20.0 * most.log10() < -144.0, "{} dBFS\n{said}", 20.0 * most.log10());
        }
    });
}

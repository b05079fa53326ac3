//! 64 slots with 300 MiB of state between them are saved and restored whole, in CLAP and in LV2.

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::with_fixtures;
use catena_tests::fixtures;
use catena_tests::lv2_host::{Lv2File, Lv2Host, Offer, Stored};
use host_core::model::{Chain, PluginId, PluginState};
use host_core::store;

const SLOTS: usize = 64;
const EACH: usize = 300 * 1024 * 1024 / SLOTS;

/// Slots of a plugin that refuses these states, so that they are kept as they came.
fn large() -> Vec<u8> {
    let mut chain = Chain { name: "Large".into(), ..Chain::default() };
    for number in 0..SLOTS {
        let id = chain.insert(usize::MAX, PluginId::clap(fixtures::clap_id("refuse-state")));
        let bytes: Vec<u8> = (0..EACH).map(|at| (at / 64 + number * 31) as u8).collect();
        chain.slot_mut(id).unwrap().state = Some(PluginState { bytes: bytes.into(), assets: Default::default() });
    }
    store::pack(&chain).unwrap()
}

fn assert_whole(saved: &[u8], given: &[u8]) {
    let (saved, given) = (store::unpack(saved).unwrap(), store::unpack(given).unwrap());
    let states = |chain: &Chain| chain.slots().map(|slot| slot.state.clone()).collect::<Vec<_>>();
    assert_eq!(saved.slots().count(), SLOTS);
    assert!(states(&saved) == states(&given), "another state");
}

#[test]
fn the_clap_saves_and_restores_it() {
    with_fixtures("the_clap_saves_and_restores_it", || {
        let bundle = Bundle::new();
        let given = large();
        let host = ClapHost::new(&ClapFile::open(&bundle.clap()), "catena-audio.catena");
        assert!(host.load(&given));
        assert_whole(&host.save().unwrap(), &given);
    });
}

#[test]
fn the_lv2_saves_and_restores_it() {
    with_fixtures("the_lv2_saves_and_restores_it", || {
        let bundle = Bundle::new();
        let given = large();
        let host = Lv2Host::new(&Lv2File::open(&bundle.lv2()), "urn:catena-audio:catena", Offer::all(256));
        assert_eq!(host.restore(&[Stored::chain(&given)], None), 0);
        let folder = tempfile::tempdir().unwrap();
        let (status, stored) = host.save(Some(folder.path()));
        assert_eq!(status, 0);
        // Too large for a value: a file of the host's.
        assert!(stored[0].bytes.len() < 1000, "{} bytes in place", stored[0].bytes.len());
        let again = Lv2Host::new(&Lv2File::open(&bundle.lv2()), "urn:catena-audio:catena", Offer::all(256));
        assert_eq!(again.restore(&stored, Some(folder.path())), 0);
        assert_whole(&again.save(None).1[0].bytes, &given);
    });
}

//! A mapped macro shows its target's name, unit and text in a CLAP host, which is told to read them again.

use std::sync::atomic::Ordering::SeqCst;

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::{chain, chain_with_macros, with_fixtures};
use clap_sys::ext::params::{CLAP_PARAM_RESCAN_INFO, CLAP_PARAM_RESCAN_TEXT, CLAP_PARAM_RESCAN_VALUES};
use host_core::model::{Law, MacroId, SlotId};
use host_core::store;

#[test]
fn name_unit_and_text_are_the_targets_own() {
    with_fixtures("name_unit_and_text_are_the_targets_own", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let host = ClapHost::new(&file, "catena-audio.catena");
        let id = host.macro_id(2);
        assert_eq!((host.described()[2].name.as_str(), host.text_of(id, 0.5)), ("Macro 2", "0.500".into()));
        let law = Law { min: 0.0, max: 2.0, curve: 0.0, inverted: true };
        let mut named = store::unpack(&chain_with_macros(&[("gain", &[])], &[(2, 0, "100", law)])).unwrap();
        named.slot_mut(SlotId(1)).expect("the first slot").name = Some("Voice".into());
        let bytes = store::pack(&named).unwrap();
        host.asked.rescanned.store(0, SeqCst);
        assert!(host.load(&bytes));
        let all = CLAP_PARAM_RESCAN_INFO | CLAP_PARAM_RESCAN_TEXT | CLAP_PARAM_RESCAN_VALUES;
        let told = host.pump_until(|host| host.asked.rescanned.load(SeqCst) & all == all);
        assert!(told, "flags {:x}", host.asked.rescanned.load(SeqCst));
        assert_eq!(host.described()[2].name, "Voice: gain");
        assert_eq!(host.text_of(id, 0.25), "1.5 units", "as the plugin itself writes it");
        assert_eq!(host.value_in(id, "0.5 units"), Some(0.75));
        assert_eq!(host.value_in(id, "nonsense"), None);
        assert_eq!((host.described()[2].id, host.described()[3].name.as_str()), (id, "Macro 3"));
        // A name of the user's own comes first, and a chain without it goes back.
        named.macro_mut(MacroId::new(2).unwrap()).name = Some("Squeeze".into());
        for (bytes, name) in [(store::pack(&named).unwrap(), "Squeeze"), (chain(&[]), "Macro 2")] {
            host.asked.rescanned.store(0, SeqCst);
            assert!(host.load(&bytes));
            assert!(host.pump_until(|host| host.asked.rescanned.load(SeqCst) & CLAP_PARAM_RESCAN_INFO != 0));
            assert_eq!(host.described()[2].name, name);
        }
    });
}

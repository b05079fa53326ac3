//! A mapped macro shows its target's name, unit and text in a VST3 host, which is told on its main thread to read titles again.

use std::sync::atomic::Ordering::SeqCst;

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, chain_with_macros, with_fixtures};
use catena_tests::vst3_host::Vst3Module;
use catena_tests::vst3_state::wrap;
use host_core::model::{Aim, Law, MacroId, SlotId, Target};
use host_core::store;

#[test]
fn titles_units_and_texts_follow_and_the_host_is_told_once() {
    with_fixtures("titles_units_and_texts_follow_and_the_host_is_told_once", || {
        let bundle = Bundle::new();
        let module = Vst3Module::open(&bundle.vst3_module());
        let host = module.make(b"CatenaAudioChain");
        let [plain, level] = ["Macro 2", "Macro 3"].map(|name| host.parameter(name).expect("a macro"));
        assert_eq!(host.described(plain), Some(("Macro 2".into(), String::new())));
        assert_eq!(host.text_of(plain, 0.5), "0.500");
        let law = Law { min: 0.0, max: 2.0, curve: 0.0, inverted: true };
        let mut mapped = store::unpack(&chain_with_macros(&[("gain", &[])], &[(2, 0, "100", law)])).unwrap();
        mapped.slot_mut(SlotId(1)).expect("the first slot").name = Some("Voice".into());
        let gain = Target::new(Aim::OutputGain(SlotId(1)), Law::straight(-24.0, 24.0));
        mapped.macro_mut(MacroId::new(3).unwrap()).targets.push(gain);
        assert!(host.set_state(&wrap(&store::pack(&mapped).unwrap())));
        assert_eq!(host.asked.titles.load(SeqCst), 1, "within the call that brings them");
        assert_eq!(host.described(plain), Some(("Voice: gain".into(), String::new())));
        assert_eq!(host.text_of(plain, 0.25), "1.5 units", "the plugin's own text has its unit");
        assert_eq!((host.value_in(plain, "0.5 units"), host.value_in(plain, "nonsense")), (Some(0.75), None));
        assert_eq!(host.described(level), Some(("Voice: output gain".into(), "dB".into())));
        assert_eq!(host.text_of(level, 0.75), "12.00", "the host writes the unit behind it");
        assert_eq!((host.value_in(level, "12"), host.value_in(level, "-24 dB")), (Some(0.75), Some(0.0)));
        // The same chain again is no news; one without macros is.
        assert!(host.set_state(&wrap(&store::pack(&mapped).unwrap())));
        assert_eq!(host.asked.titles.load(SeqCst), 1);
        assert!(host.set_state(&wrap(&chain(&[]))));
        assert_eq!(host.asked.titles.load(SeqCst), 2);
        assert_eq!(host.described(plain), Some(("Macro 2".into(), String::new())));
        assert_eq!(host.parameter("Macro 2"), Some(plain));
    });
}

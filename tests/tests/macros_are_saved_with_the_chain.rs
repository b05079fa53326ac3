//! Macros are saved with the chain and stand where they stood; values that the DAW flushes while nothing runs count; files of before
//! macros load.

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost, HostEvent};
use catena_tests::daw::{chain, chain_with_macros, impulse, with_fixtures};
use host_core::model::{Aim, Law, MacroId, Schema};
use host_core::store;

const IDS: [&str; 2] = ["catena-audio.catena", "catena-audio.catena-instrument"];

#[test]
fn values_flushed_while_inactive_reach_the_targets_and_the_state() {
    with_fixtures("values_flushed_while_inactive_reach_the_targets_and_the_state", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let bytes = chain_with_macros(&[("gain", &[])], &[(5, 0, "100", Law::straight(0.0, 2.0))]);
        for id in IDS {
            let host = ClapHost::new(&file, id);
            assert!(host.load(&bytes));
            let (mapped, free, bypass) = (host.macro_id(5), host.macro_id(128), host.bypass_id().unwrap());
            let wanted = [(mapped, 0.123_456_789), (free, 0.987_654_321), (bypass, 1.0)];
            host.flush(&wanted.map(|(id, value)| HostEvent::Param(0, id, value)));
            assert_eq!(wanted.map(|(id, _)| host.value(id)), wanted.map(|(_, value)| value));
            let saved = host.save().expect("a state");
            let kept = store::unpack(&saved).unwrap();
            let gain = kept.slots().next().unwrap().params["100"];
            assert!((gain - 2.0 * 0.123_456_789).abs() < 1e-9, "{id}: the plugin has {gain}");
            drop(host);
            let mut host = ClapHost::new(&file, id);
            assert!(host.load(&saved));
            assert_eq!(wanted.map(|(id, _)| host.value(id)), wanted.map(|(_, value)| value));
            assert_eq!(host.save().as_ref(), Some(&saved), "{id}");
            // A host that says what it knows moves nothing.
            host.activate(48_000.0, 64);
            let events = wanted.map(|(id, value)| HostEvent::Param(0, id, f64::from(value as f32)));
            host.process(&impulse(64, 0), &events);
            assert_eq!(host.save().as_ref(), Some(&saved), "{id}");
        }
    });
}

#[test]
fn automation_is_in_the_save_and_a_file_without_macros_loads() {
    with_fixtures("automation_is_in_the_save_and_a_file_without_macros_loads", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut old = store::unpack(&chain(&[("gain", &[("100", 0.5)])])).unwrap();
        old.schema = Schema { major: 1, minor: 0 };
        let mut host = ClapHost::new(&file, IDS[0]);
        assert!(host.load(&store::pack(&old).unwrap()), "{:?}", host.asked.log());
        let untouched = store::unpack(&host.save().unwrap()).unwrap();
        assert_eq!((untouched.schema, untouched.macros.len()), (old.schema, 0));
        let law = Law::straight(0.0, 2.0);
        assert!(host.load(&chain_with_macros(&[("gain", &[("100", 0.5)])], &[(1, 0, "100", law)])));
        host.activate(48_000.0, 64);
        for _ in 0..20 {
            host.process(&impulse(64, 0), &[]);
        }
        let id = host.macro_id(1);
        host.process(&impulse(64, 0), &[HostEvent::Param(3, id, 0.75)]);
        host.process(&impulse(64, 0), &[]);
        let saved = store::unpack(&host.save().unwrap()).unwrap();
        let one = saved.macro_of(MacroId::new(1).unwrap()).unwrap();
        assert_eq!(
            (one.value, &one.targets[0].aim),
            (0.75, &Aim::Param(saved.slots().next().unwrap().id, "100".into()))
        );
        assert_eq!(saved.slots().next().unwrap().params["100"], 1.5);
        assert_eq!(saved.schema, Schema::CURRENT);
    });
}

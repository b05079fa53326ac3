//! In VST3 a ramp of a macro reaches its target at its frames, the state keeps where macros stand, and a macro that was moved inside is
//! told among the block's changes.

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain_with_macros, impulse, with_fixtures};
use catena_tests::vst3_host::Vst3Module;
use catena_tests::vst3_state::wrap;
use host_core::model::Law;

const BLOCK: usize = 64;

#[test]
fn a_ramp_arrives_at_its_frames_and_the_state_keeps_where_it_ends() {
    with_fixtures("a_ramp_arrives_at_its_frames_and_the_state_keeps_where_it_ends", || {
        let bundle = Bundle::new();
        let module = Vst3Module::open(&bundle.vst3_module());
        let host = module.make(b"CatenaAudioChain");
        let law = Law::straight(0.0, 1000.0);
        let id = host.parameter("Macro 12").expect("a macro");
        assert!(host.set_state(&wrap(&chain_with_macros(&[("recorder", &[])], &[(12, 0, "100", law)]))));
        host.activate(48_000.0, BLOCK);
        for _ in 0..20 {
            host.process(&impulse(BLOCK, 0));
        }
        let ramp: Vec<f32> = (1..=BLOCK).map(|at| at as f32 / BLOCK as f32).collect();
        *host.moves.borrow_mut() = (0..).zip(&ramp).map(|(frame, value)| (id, frame, f64::from(*value))).collect();
        let heard = host.process(&impulse(BLOCK, 0));
        let wanted: Vec<f32> = ramp.iter().map(|x| law.at(f64::from(*x)) as f32).collect();
        assert_eq!(heard[0], wanted);
        *host.moves.borrow_mut() = vec![(id, 5, 0.25)];
        assert_eq!(host.process(&impulse(BLOCK, 0))[0][5], 250.0);
        let saved = host.state();
        let again = module.make(b"CatenaAudioChain");
        assert!(again.set_state(&saved));
        assert_eq!(again.value(id), 0.25);
        again.activate(48_000.0, BLOCK);
        for _ in 0..20 {
            let heard = again.process(&impulse(BLOCK, 0));
            assert!(heard[0].iter().all(|x| *x == 0.0), "nothing is moved by a load");
        }
        assert!(again.changed.borrow().is_empty(), "{:?}", again.changed);
    });
}

#[test]
fn a_hand_on_a_mapped_knob_is_told_among_the_changes() {
    with_fixtures("a_hand_on_a_mapped_knob_is_told_among_the_changes", || {
        let bundle = Bundle::new();
        let module = Vst3Module::open(&bundle.vst3_module());
        let host = module.make(b"CatenaAudioChain");
        // Macro 1 sets the user's hand in motion.
        let (start, moved) = (host.parameter("Macro 1").unwrap(), host.parameter("Macro 3").unwrap());
        let macros = [(1, 0, "101", Law::straight(0.0, 1.0)), (3, 0, "100", Law::straight(0.0, 1.0))];
        assert!(host.set_state(&wrap(&chain_with_macros(&[("touch", &[])], &macros))));
        host.activate(48_000.0, BLOCK);
        for _ in 0..20 {
            host.process(&impulse(BLOCK, 0));
        }
        *host.moves.borrow_mut() = vec![(start, 0, 1.0)];
        let end = std::time::Instant::now() + std::time::Duration::from_secs(20);
        let told = |host: &catena_tests::vst3_host::Vst3Host| host.changed.borrow().contains(&(moved, 0.75));
        while !told(&host) && std::time::Instant::now() < end {
            host.process(&impulse(BLOCK, 0));
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        assert!(told(&host), "{:?}", host.changed);
        assert_eq!(host.value(moved), 0.75);
    });
}

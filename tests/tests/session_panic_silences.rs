//! A panic silences what would sound on, in each format, also where a plugin's own `reset` does nothing; its settings stay.

use catena_tests::real::{Named, lv2};
use catena_tests::session_bench::{live, session, until};
use host_core::backend::audio::EventBuffer;
use host_core::engine::{ContainerBlock, Processor};
use host_core::model::Catalog;
use host_core::session::Command;

/// ZamDelay as CLAP is made with DPF, whose `reset` is empty.
const DELAYS: [Named; 2] =
    [Named { file: "ZamDelay.clap", id: "com.zamaudio.ZamDelay" }, lv2("ZamDelay.lv2", "urn:zamaudio:ZamDelay")];

/// The peak of a block in which each frame is `sample`.
fn peak(processor: &mut Processor, sample: f32) -> f32 {
    let (mut left, mut right) = ([sample; 256], [sample; 256]);
    processor.process(&mut ContainerBlock {
        main: &mut [&mut left, &mut right],
        sidechain: &[],
        aux: &mut [],
        events_in: &mut EventBuffer::new(8, true),
        events_out: &mut EventBuffer::new(8, true),
        transport: None,
        bypass: false,
    });
    left.iter().chain(&right).fold(0.0, |most, sample| most.max(sample.abs()))
}

#[test]
fn a_delay_at_full_feedback_is_silent_after_a_panic() {
    for named in DELAYS {
        let entry = named.entry();
        let catalog = std::sync::Arc::new(Catalog { plugins: vec![entry.clone()], bad: vec![] });
        let (session, mut processor) = session(&catalog);
        let slot = session.apply(Command::Add { plugin: entry.id, index: 0 }).unwrap().unwrap();
        session.activate(live(256)).unwrap();
        let key = |name: &str| {
            let snapshot = session.snapshot();
            let params = &snapshot.slots[0].params;
            params.iter().find(|param| param.name == name).unwrap_or_else(|| panic!("{name} of {named:?}")).key.clone()
        };
        for (name, value) in [("Feedback", 1.0), ("Dry/Wet", 1.0), ("Time", 100.0)] {
            session.apply(Command::Param(slot, key(name), value)).unwrap();
        }
        let sounds_on = |processor: &mut Processor| {
            for _ in 0..100 {
                peak(processor, 0.5);
            }
            // One second, of which the longest echo is a tenth.
            let echoes = (0..188).map(|_| peak(processor, 0.0)).fold(0.0, f32::max);
            assert!(echoes > 0.1, "{named:?} echoes: {echoes}");
        };
        sounds_on(&mut processor);
        let chain = session.chain().unwrap();
        session.send(Command::Panic);
        let mut quiet = 0;
        let silent = until(|| {
            // Its filters ring on far below anything.
            quiet = if peak(&mut processor, 0.0) < 1e-6 { quiet + 1 } else { 0 };
            quiet > 188
        });
        assert!(silent, "{named:?} sounds on");
        assert_eq!(session.chain().unwrap(), chain);
        sounds_on(&mut processor);
        session.deactivate();
    }
}

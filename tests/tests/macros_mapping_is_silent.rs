//! Mapping a macro changes no sound: the first target brings the macro to where it is, further ones stay until it moves.

use catena_tests::fixtures;
use catena_tests::session_bench::{block, fixtures_catalog, live, session};
use host_core::engine::Processor;
use host_core::model::{Aim, Law, MacroId, PluginId, SlotId};
use host_core::session::{Command, EditError, MacroEdit, SessionHandle};

fn number(number: usize) -> MacroId {
    MacroId::new(number).unwrap()
}

fn add(handle: &SessionHandle, name: &str) -> SlotId {
    let plugin = PluginId::clap(fixtures::clap_id(name));
    handle.apply(Command::Add { plugin, index: 99 }).unwrap().unwrap()
}

fn map(handle: &SessionHandle, macro_number: usize, slot: SlotId) -> Result<Option<SlotId>, EditError> {
    let aim = Aim::Param(slot, "100".into());
    handle.apply(Command::Macro(number(macro_number), MacroEdit::Map { aim, range: None }))
}

/// The level that comes out, block by block, until `blocks` are done.
fn levels(processor: &mut Processor, blocks: usize) -> Vec<f32> {
    let run = |_| {
        let (mut left, mut right) = ([0.5; 64], [0.5; 64]);
        block(processor, &mut left, &mut right);
        left
    };
    (0..blocks).flat_map(run).collect()
}

#[test]
fn the_first_target_brings_the_macro_and_others_stay_until_it_moves() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let (first, second) = (add(&handle, "gain"), add(&handle, "gain"));
    handle.apply(Command::Param(first, "100".into(), 0.5)).unwrap();
    levels(&mut processor, 20);
    handle.take_outbox();
    for slot in [first, second] {
        let mut heard = vec![];
        std::thread::scope(|scope| {
            let mapping = scope.spawn(|| map(&handle, 9, slot).unwrap());
            while !mapping.is_finished() {
                heard.extend(levels(&mut processor, 1));
            }
        });
        heard.extend(levels(&mut processor, 20));
        assert!(heard.iter().all(|x| *x == 0.25), "every sample as before: {:?}", heard.iter().find(|x| **x != 0.25));
    }
    assert_eq!(handle.macros().value(8), 0.25, "0.5 of 0..2");
    let outbox = handle.take_outbox();
    assert!(outbox.macro_values && outbox.dirty, "the DAW reads the value again: {outbox:?}");
    // The DAW says what it knows: nothing moves. Then it moves it.
    processor.set_macro(0, 8, f64::from(0.25_f32));
    assert!(levels(&mut processor, 4).iter().all(|x| *x == 0.25));
    processor.set_macro(0, 8, 0.75);
    let heard = levels(&mut processor, 4);
    assert_eq!(heard[0], 0.5 * 1.5 * 1.5, "both move together");
}

#[test]
fn a_range_of_its_own_and_what_cannot_be_mapped() {
    let (handle, _processor) = session(&fixtures_catalog());
    let (slot, told) = (add(&handle, "gain"), add(&handle, "witness"));
    let aim = Aim::Param(slot, "100".into());
    let edit = |edit| handle.apply(Command::Macro(number(1), edit));
    edit(MacroEdit::Map { aim: aim.clone(), range: Some((0.5, 1.5)) }).unwrap();
    assert_eq!(handle.macros().value(0), 0.5);
    edit(MacroEdit::Shape { aim: aim.clone(), law: Law { min: 0.0, max: 2.0, curve: 0.0, inverted: true } }).unwrap();
    assert_eq!(handle.macros().value(0), 0.5);
    assert!(matches!(map(&handle, 2, told), Err(EditError::NoParam { .. })), "what only the plugin tells");
    assert!(matches!(map(&handle, 2, SlotId(77)), Err(EditError::NoSlot(_))));
    let wide = MacroEdit::Map { aim: aim.clone(), range: Some((0.0, 3.0)) };
    assert!(matches!(edit(wide), Err(EditError::Range { max: 2.0, .. })));
    assert!(matches!(edit(MacroEdit::Unmap(Some(Aim::Mix(slot)))), Err(EditError::NotMapped(_))));
    let lane = Aim::LaneGain(SlotId(1));
    assert!(matches!(edit(MacroEdit::Map { aim: lane, range: None }), Err(EditError::NoLane(_))));
    edit(MacroEdit::Unmap(None)).unwrap();
    assert!(handle.chain().unwrap().macro_of(number(1)).unwrap().targets.is_empty());
}

#[test]
fn a_macro_that_learns_is_mapped_to_what_is_touched_next() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let (slot, touched) = (add(&handle, "gain"), add(&handle, "touch"));
    let learn = |at| handle.apply(Command::Macro(number(at), MacroEdit::Learn(true))).unwrap();
    let targets = |at| handle.chain().unwrap().macro_of(number(at)).map_or(vec![], |one| one.targets.clone());
    learn(4);
    assert_eq!(handle.snapshot().learning, Some(number(4)));
    handle.apply(Command::Param(slot, "100".into(), 1.5)).unwrap();
    assert_eq!(targets(4)[0].aim, Aim::Param(slot, "100".into()), "by our own editor");
    assert_eq!((handle.macros().value(3), handle.snapshot().learning), (0.75, None));
    // By the plugin's own window.
    learn(5);
    handle.send(Command::Param(touched, "101".into(), 1.0));
    let start = std::time::Instant::now();
    while targets(5).is_empty() && start.elapsed().as_secs() < 20 {
        levels(&mut processor, 4);
    }
    // The editor's own change of the other knob came first.
    assert!(matches!(&targets(5)[0].aim, Aim::Param(id, _) if *id == touched));
}

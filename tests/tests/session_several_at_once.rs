//! Several edits at once: one step of undo, whatever they are.

use catena_tests::session_bench::{add, fixtures_catalog, live, session, until};
use host_core::model::SlotId;
use host_core::session::{Command, SessionHandle};

fn mixes(handle: &SessionHandle, slots: [SlotId; 2]) -> [f64; 2] {
    let chain = handle.chain().unwrap();
    slots.map(|id| chain.slot(id).unwrap().mix)
}

#[test]
fn a_drag_on_two_slots_is_one_step_and_the_next_drag_another() {
    let (handle, _processor) = session(&fixtures_catalog());
    let slots = ["gain", "mono"].map(|name| add(&handle, name));
    let steps = handle.snapshot().history.at;
    let drag = |to: [f64; 2]| {
        handle.apply(Command::Gesture(true)).unwrap();
        for part in [0.25, 0.5, 1.0] {
            let at = |way: usize| Command::Mix(slots[way], 1.0 - (1.0 - to[way]) * part);
            handle.apply(Command::Many(vec![at(0), at(1)])).unwrap();
        }
        handle.apply(Command::Gesture(false)).unwrap();
    };
    drag([0.5, 0.25]);
    drag([0.125, 0.75]);
    let shown = handle.snapshot().history.clone();
    assert_eq!((shown.steps.len(), shown.at), (steps + 2, steps + 2), "{shown:?}");
    assert!(shown.undo().unwrap().label.ends_with("and 1 more"), "{shown:?}");
    handle.apply(Command::Undo).unwrap();
    assert_eq!(mixes(&handle, slots), [0.5, 0.25]);
    handle.apply(Command::Undo).unwrap();
    assert_eq!(mixes(&handle, slots), [1.0, 1.0]);
    handle.apply(Command::GoTo(steps + 2)).unwrap();
    assert_eq!(mixes(&handle, slots), [0.125, 0.75]);
}

#[test]
fn what_cannot_be_made_is_left_out_and_said_and_the_rest_is_one_step() {
    let (handle, _processor) = session(&fixtures_catalog());
    let [one, two] = ["gain", "mono"].map(|name| add(&handle, name));
    let steps = handle.snapshot().history.at;
    handle.apply(Command::Many(vec![Command::Remove(one), Command::Remove(SlotId(99)), Command::Remove(two)])).unwrap();
    let shown = handle.snapshot();
    assert!(shown.slots.is_empty() && shown.notice.contains("99"), "{}", shown.notice);
    assert_eq!(shown.history.at, steps + 1);
    handle.apply(Command::Undo).unwrap();
    assert_eq!(handle.snapshot().slots.iter().map(|slot| slot.id).collect::<Vec<_>>(), [one, two]);
    // All of it refused is an error, and no step.
    let nothing = vec![Command::Remove(SlotId(98)), Command::Remove(SlotId(99))];
    assert!(handle.apply(Command::Many(nothing)).is_err());
    assert_eq!(handle.snapshot().history.at, steps);
}

#[test]
fn a_preset_among_several_is_a_step_of_its_own() {
    let (handle, _processor) = session(&fixtures_catalog());
    let [presets, gain] = ["presets", "gain"].map(|name| add(&handle, name));
    let before = handle.save().unwrap();
    let steps = handle.snapshot().history.at;
    let both =
        |on| vec![Command::Bypass(presets, on), Command::Preset(presets, "Quiet".into()), Command::Bypass(gain, on)];
    handle.apply(Command::Many(both(true))).unwrap();
    handle.settle();
    assert_eq!(handle.snapshot().history.at, steps + 2);
    for _ in 0..2 {
        handle.apply(Command::Undo).unwrap();
    }
    handle.settle();
    assert!(handle.save().unwrap() == before);
}

#[test]
fn what_several_do_to_the_latency_is_foreseen_together() {
    let (handle, _processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let [one, two] = [64.0, 64.0].map(|frames| {
        let slot = add(&handle, "latency-jump");
        handle.apply(Command::Param(slot, "100".into(), frames)).unwrap();
        slot
    });
    assert!(until(|| handle.latency() == 128));
    let removed = |all: Vec<SlotId>| {
        let change = handle.preview(Command::Many(all.into_iter().map(Command::Remove).collect())).unwrap().unwrap();
        change.before - change.after
    };
    assert_eq!((removed(vec![one]), removed(vec![one, two])), (64, 128));
    let doubled = handle.preview(Command::Many([one, two].map(Command::Duplicate).into())).unwrap().unwrap();
    assert_eq!(doubled.after - doubled.before, 128);
}

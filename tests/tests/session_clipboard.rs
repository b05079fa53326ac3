//! Slots and lanes as text: out of one chain with what they are now, into any other, as one step.

use catena_tests::fixtures::clap_id;
use catena_tests::session_bench::{Player, add, fixtures_catalog, live, session};
use host_core::model::{Aim, MacroId, PluginId, SlotId, Split};
use host_core::session::{Command, EditError, MacroEdit, SessionHandle, SlotStatus};
use host_core::store::clipboard;

fn plugins(handle: &SessionHandle) -> Vec<String> {
    handle.snapshot().slots.iter().map(|slot| slot.plugin.id.clone()).collect()
}

fn fixtures(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| clap_id(name)).collect()
}

fn paste(handle: &SessionHandle, text: &str, into: Option<SlotId>, index: usize) -> Result<Option<SlotId>, EditError> {
    let pasted = clipboard::from_text(text).unwrap();
    handle.apply(Command::Paste { nodes: pasted.nodes, macros: pasted.macros, into, index })
}

#[test]
fn slots_go_as_they_are_now_into_another_chain_and_are_heard_there() {
    let catalog = fixtures_catalog();
    let (from, _processor) = session(&catalog);
    from.activate(live(64)).unwrap();
    let (delay, gain) = (add(&from, "delay"), add(&from, "gain"));
    // Its window, an automation: the model does not know yet.
    from.apply(Command::Param(gain, "100".into(), 0.25)).unwrap();
    from.apply(Command::Mix(gain, 0.5)).unwrap();
    let text = from.copy(vec![gain]).unwrap();
    assert!(!text.contains(&clap_id("gain")) && text.is_ascii(), "nothing that a mail could break: {text}");
    let (to, processor) = session(&catalog);
    let first = add(&to, "gain");
    to.activate(live(64)).unwrap();
    let player = Player::start(processor);
    let pasted = paste(&to, &text, None, 0).unwrap().unwrap();
    assert_ne!(pasted, first, "an id of its own");
    assert_eq!(plugins(&to), fixtures(&["gain", "gain"]));
    let (view, other) = (to.snapshot().slots[0].clone(), to.snapshot().slots[1].clone());
    assert_eq!((view.id, view.values[0], view.mix, &view.status), (pasted, 0.25, 0.5, &SlotStatus::Running));
    assert_eq!((other.id, other.values[0]), (first, 1.0));
    player.wait(400);
    let (_processor, out) = player.stop();
    let loudest = |samples: &[f32]| samples.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
    let (before, now) = (loudest(&out[..640]), loudest(&out[out.len() - 6400..]));
    assert!((now / before - 0.625).abs() < 0.01, "half of it at a quarter: {before} {now}");
    // One step, whatever it brought.
    let all = from.copy(vec![]).unwrap();
    paste(&to, &all, None, 9).unwrap();
    assert_eq!(plugins(&to), fixtures(&["gain", "gain", "delay", "gain"]));
    assert_eq!(to.snapshot().history.steps.last().unwrap().label, "Paste 2 slots");
    to.apply(Command::Undo).unwrap();
    to.apply(Command::Undo).unwrap();
    assert_eq!(plugins(&to), fixtures(&["gain"]));
    assert!(from.copy(vec![delay, SlotId(999)]).is_err());
}

#[test]
fn lanes_go_with_all_that_they_hold_and_into_lanes() {
    let catalog = fixtures_catalog();
    let (handle, _processor) = session(&catalog);
    let (gain, side) = (add(&handle, "gain"), add(&handle, "sidechain"));
    let group = handle.apply(Command::Parallel { from: gain, to: side, split: Split::Copy }).unwrap().unwrap();
    handle.apply(Command::Sidechain(side, host_core::model::SidechainSource::Output(gain))).unwrap();
    // What is in lanes that are copied comes once.
    let text = handle.copy(vec![side, group]).unwrap();
    assert_eq!(clipboard::from_text(&text).unwrap().slots().count(), 2);
    let lane = handle.chain().unwrap().groups().next().unwrap().lanes[1].id;
    let inner = paste(&handle, &text, Some(lane), 0).unwrap().unwrap();
    let chain = handle.chain().unwrap();
    assert_eq!(chain.place(inner), Some((Some(lane), 0)));
    let copies: Vec<_> = chain.slots().skip(2).collect();
    assert_eq!(copies[1].sidechain, host_core::model::SidechainSource::Output(copies[0].id));
    assert_eq!(handle.snapshot().slots.iter().filter(|slot| slot.status == SlotStatus::Running).count(), 4);
    assert!(matches!(paste(&handle, &text, Some(SlotId(999)), 0), Err(EditError::NoLane(_))));
}

#[test]
fn what_is_no_slots_or_not_installed_is_said_and_keeps_everything() {
    let (handle, _processor) = session(&fixtures_catalog());
    add(&handle, "gain");
    handle.paste("only words", None, 0);
    handle.settle();
    let notice = handle.snapshot().notice.clone();
    assert!(notice.contains("no slots in the text"), "{notice}");
    let mut away = host_core::model::Chain::default();
    let id = away.insert(0, PluginId::lv2("http://example.org/absent"));
    away.slot_mut(id).unwrap().params.insert("size".into(), 0.5);
    paste(&handle, &clipboard::to_text(&away).unwrap(), None, 9).unwrap();
    assert_eq!(handle.snapshot().slots[1].status, SlotStatus::Missing);
    let again = clipboard::from_text(&handle.copy(vec![handle.snapshot().slots[1].id]).unwrap()).unwrap();
    assert_eq!(again.slots().next().unwrap().params["size"], 0.5);
}

#[test]
fn macros_come_along_to_free_numbers_as_part_of_the_step() {
    let catalog = fixtures_catalog();
    let (from, _processor) = session(&catalog);
    let (delay, gain) = (add(&from, "delay"), add(&from, "gain"));
    let [one, two] = [1, 2].map(|number| MacroId::new(number).unwrap());
    let map = |handle: &SessionHandle, number, aim: Aim| {
        handle.apply(Command::Macro(number, MacroEdit::Map { aim, range: None })).unwrap();
    };
    map(&from, one, Aim::Mix(delay));
    map(&from, one, Aim::Mix(gain));
    from.apply(Command::Macro(one, MacroEdit::Name(Some("Drive".into())))).unwrap();
    let text = from.copy(vec![gain]).unwrap();

    let (to, _processor) = session(&catalog);
    let other = add(&to, "delay");
    map(&to, one, Aim::Mix(other));
    let pasted = paste(&to, &text, None, 9).unwrap().unwrap();
    let mapped = |number| {
        let chain = to.chain().unwrap();
        let one = chain.macro_of(number).cloned();
        one.map(|one| (one.name, one.targets.into_iter().map(|target| target.aim).collect::<Vec<_>>()))
    };
    assert_eq!(mapped(one), Some((None, vec![Aim::Mix(other)])));
    assert_eq!(mapped(two), Some((Some("Drive".into()), vec![Aim::Mix(pasted)])));
    to.apply(Command::Macro(two, MacroEdit::Value(0.5))).unwrap();
    assert_eq!(to.snapshot().slots[1].mix, 0.5);
    to.apply(Command::Undo).unwrap();
    to.apply(Command::Undo).unwrap();
    assert_eq!((mapped(two), to.chain().unwrap().slots().count()), (None, 1));
    // No room: they are named, and the slots come all the same.
    for number in MacroId::all() {
        to.apply(Command::Macro(number, MacroEdit::Name(Some(format!("own {number}"))))).unwrap();
    }
    paste(&to, &text, None, 9).unwrap();
    assert!(to.snapshot().notice.contains("Drive"), "{}", to.snapshot().notice);
    assert_eq!(to.chain().unwrap().slots().count(), 2);
}

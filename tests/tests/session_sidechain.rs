//! A slot's sidechain is given another source while the chain plays, its source moves, goes and comes back: no step, no feedback,
//! and what cannot be heard is said.

use std::path::Path;

use catena_tests::fixtures;
use catena_tests::session_bench::{Player, catalog, fixtures_catalog, id, live, session, sine, steepest};
use host_core::model::{PluginId, SidechainSource, SlotId, Split};
use host_core::session::{Command, EditError, LaneEdit, SessionHandle};

fn add(handle: &SessionHandle, name: &str, index: usize) -> SlotId {
    let plugin = PluginId::clap(fixtures::clap_id(name));
    handle.apply(Command::Add { plugin, index }).unwrap().unwrap()
}

fn hear(handle: &SessionHandle, slot: SlotId, source: SidechainSource) {
    handle.apply(Command::Sidechain(slot, source)).unwrap();
    handle.settle();
}

fn notice(handle: &SessionHandle, slot: SlotId) -> String {
    handle.settle();
    let snapshot = handle.snapshot();
    snapshot.slots.iter().find(|view| view.id == slot).unwrap().notice.clone()
}

#[test]
fn sources_change_move_go_and_come_back_in_a_sine_without_a_step() {
    let (handle, processor) = session(&fixtures_catalog());
    let half = add(&handle, "gain", 0);
    handle.apply(Command::Param(half, "100".into(), 0.5)).unwrap();
    let delay = add(&handle, "delay", 1);
    handle.apply(Command::Param(delay, "100".into(), 96.0)).unwrap();
    let listener = add(&handle, "sidechain", 2);
    handle.activate(live(64)).unwrap();
    handle.settle();
    let player = Player::start(processor);
    hear(&handle, listener, SidechainSource::Output(half));
    hear(&handle, listener, SidechainSource::Input);
    hear(&handle, listener, SidechainSource::Output(delay));
    hear(&handle, listener, SidechainSource::None);
    hear(&handle, listener, SidechainSource::Output(half));
    // Faster than anything can fade.
    for source in [SidechainSource::Input, SidechainSource::None, SidechainSource::Container, SidechainSource::Input] {
        handle.apply(Command::Sidechain(listener, source)).unwrap();
    }
    hear(&handle, listener, SidechainSource::Output(half));
    // Its source moves, first behind something that is before it, then behind the listener itself, and back.
    handle.apply(Command::Move { slot: half, index: 1 }).unwrap();
    assert_eq!(notice(&handle, listener), "");
    handle.apply(Command::Move { slot: half, index: 2 }).unwrap();
    assert!(notice(&handle, listener).contains("gain stands behind it now"), "{}", notice(&handle, listener));
    handle.apply(Command::Move { slot: half, index: 0 }).unwrap();
    assert_eq!(notice(&handle, listener), "");
    // Lanes come round it and go.
    let split = Split::MidSide;
    let group = handle.apply(Command::Parallel { from: half, to: half, split }).unwrap().unwrap();
    handle.settle();
    hear(&handle, listener, SidechainSource::Output(group));
    let lane = handle.chain().unwrap().group(group).unwrap().lanes[0].id;
    hear(&handle, listener, SidechainSource::Output(lane));
    handle.apply(Command::Move { slot: group, index: 1 }).unwrap();
    handle.settle();
    handle.apply(Command::Dissolve(group)).unwrap();
    assert!(notice(&handle, listener).contains("not in the chain any more"));
    hear(&handle, listener, SidechainSource::Output(half));
    // It goes: silence, and its id is kept.
    handle.apply(Command::Remove(half)).unwrap();
    assert!(notice(&handle, listener).contains(&format!("({half}) is not in the chain any more")));
    assert_eq!(handle.chain().unwrap().slot(listener).unwrap().sidechain, SidechainSource::Output(half));
    handle.settle();
    let (mut processor, out) = player.stop();
    let out = &out[256..];
    let steps = out.windows(2).enumerate().map(|(i, pair)| (i, (pair[1] - pair[0]).abs()));
    let (at, worst) = steps.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    // Main and sidechain sound together: up to twice the sine's own steps by themselves.
    assert!(worst <= 2.1 * steepest(), "a step of {worst} at frame {at}; the sine's own is {}", steepest());
    assert!(out.chunks_exact(64).all(|block| block.iter().any(|sample| sample.abs() > 0.05)));
    // The chain with what is gone put back under the same id: it is heard again.
    let mut chain = handle.chain().unwrap();
    let mut gain = host_core::model::Slot::new(half, PluginId::clap(fixtures::clap_id("gain")));
    gain.params.insert("100".into(), 0.25);
    chain.put(None, 0, host_core::model::Node::Slot(Box::new(gain))).unwrap();
    handle.load_chain(chain).unwrap();
    assert_eq!(notice(&handle, listener), "");
    let mut heard = Vec::new();
    for block in 0..40 {
        let mut left: Vec<f32> = (0..64).map(|i| sine(block * 64 + i)).collect();
        let mut right = left.clone();
        catena_tests::session_bench::block(&mut processor, &mut left, &mut right);
        heard.extend(left);
    }
    // A quarter on the main path and a quarter beside it.
    assert!((heard[2000] - 0.5 * sine(2000 - 96)).abs() < 1e-6, "{} and {}", heard[2000], 0.5 * sine(2000 - 96));
}

#[test]
fn what_cannot_be_heard_is_refused_by_name() {
    let (handle, _processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let first = add(&handle, "sidechain", 0);
    let second = add(&handle, "sidechain", 1);
    let gain = add(&handle, "gain", 2);
    handle.settle();
    let refused = |slot, source| handle.apply(Command::Sidechain(slot, source)).unwrap_err();
    let to_gain = refused(gain, SidechainSource::Input);
    assert!(matches!(&to_gain, EditError::NoSidechain(title) if to_gain.to_string().contains(title.as_str())));
    for source in [first, second, gain] {
        let error = refused(first, SidechainSource::Output(source));
        assert!(matches!(error, EditError::SourceBehind { .. }), "{error}");
    }
    assert_eq!(refused(second, SidechainSource::Output(SlotId(99))), EditError::NoPoint(SlotId(99)));
    hear(&handle, second, SidechainSource::Output(first));
    // Across lanes: the first lane is there before the second, and lanes are there when all of them are.
    let group = handle.apply(Command::Parallel { from: first, to: first, split: Split::Copy }).unwrap().unwrap();
    let lanes: Vec<_> = handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect();
    handle.apply(Command::MoveInto { node: second, into: Some(lanes[1]), index: 0 }).unwrap();
    assert_eq!(notice(&handle, second), "");
    assert!(matches!(refused(second, SidechainSource::Output(group)), EditError::SourceBehind { .. }));
    hear(&handle, second, SidechainSource::Output(lanes[0]));
    handle.apply(Command::MoveLane { lane: lanes[1], index: 0 }).unwrap();
    assert!(notice(&handle, second).contains("stands behind it now"));
    handle.apply(Command::Lane(lanes[0], LaneEdit::Name(Some("Kick".into())))).unwrap();
    assert!(notice(&handle, second).contains("Kick"), "{}", notice(&handle, second));
}

/// What a gate with a threshold between two levels lets through of a quiet sound, while its sidechain hears a loud or a quiet one.
fn gated(source: impl Fn(SlotId) -> SidechainSource) -> f32 {
    let folder = Path::new("/usr/lib/clap");
    let zam = catalog(&[&folder.join("ZamGateX2.clap"), &folder.join("ZamEQ2.clap")]);
    let (handle, mut processor) = session(&zam);
    let quiet = handle.apply(Command::Add { plugin: id(&zam, "ZamEQ2"), index: 0 }).unwrap().unwrap();
    let gate = handle.apply(Command::Add { plugin: id(&zam, "ZamGateX2"), index: 1 }).unwrap().unwrap();
    handle.apply(Command::OutputGain(quiet, -40.0)).unwrap();
    handle.activate(live(256)).unwrap();
    handle.settle();
    let snapshot = handle.snapshot();
    let view = snapshot.slots.iter().find(|view| view.id == gate).unwrap();
    let set = |name: &str, value: f64| {
        let param = view.params.iter().find(|param| param.name == name).unwrap_or_else(|| panic!("{:?}", view.params));
        handle.apply(Command::Param(gate, param.key.clone(), value)).unwrap();
    };
    set("Sidechain", 1.0);
    set("Threshold", -30.0);
    hear(&handle, gate, source(quiet));
    let mut last = 0.0_f32;
    for block in 0..200 {
        let mut left: Vec<f32> = (0..256).map(|i| sine(block * 256 + i)).collect();
        let mut right = left.clone();
        catena_tests::session_bench::block(&mut processor, &mut left, &mut right);
        last = left.iter().fold(0.0, |a, b| a.max(b.abs()));
    }
    last
}

#[test]
fn a_real_gate_opens_by_what_its_sidechain_hears() {
    let open = gated(|_| SidechainSource::Input);
    let shut = gated(SidechainSource::Output);
    assert!(open > 0.004, "the chain's input is loud: {open}");
    assert!(shut < open / 10.0, "the slot before is quiet: {shut} beside {open}");
}

//! A preset of a whole chain, loaded into a session that runs: one step of undo, and what sounds goes on until what is new is ready.

use catena_tests::fixtures;
use catena_tests::rig::assert_smooth;
use catena_tests::session_bench::{Player, add, fixtures_catalog, live, session};
use host_core::model::{About, Aim, Chain, LatencyMode, MacroId, PluginId, SidechainSource, Split};
use host_core::session::{Command, MacroEdit, SessionHandle, StripEdit};

/// Lanes, a macro, a sidechain, a snapshot: all that names slots by their ids, which are those of the session below.
fn preset() -> Chain {
    let (handle, _processor) = session(&fixtures_catalog());
    let (one, two) = (add(&handle, "gain"), add(&handle, "delay"));
    handle.apply(Command::Parallel { from: two, to: two, split: Split::Copy }).unwrap();
    let side = add(&handle, "sidechain");
    handle.apply(Command::Sidechain(side, SidechainSource::Output(one))).unwrap();
    handle.apply(Command::Param(one, "100".into(), 0.5)).unwrap();
    let edit = MacroEdit::Map { aim: Aim::Param(one, "100".into()), range: None };
    handle.apply(Command::Macro(MacroId::new(5).unwrap(), edit)).unwrap();
    let store = host_core::session::SnapshotEdit::Store;
    handle.apply(Command::Snapshot(host_core::model::Letter::ALL[0], store)).unwrap();
    let about = About { tags: vec!["wide".into()], ..About::default() };
    Chain { name: "Big".into(), about, latency: LatencyMode::Constant(100.0), ..handle.chain().unwrap() }
}

fn titles(handle: &SessionHandle) -> Vec<String> {
    handle.snapshot().slots.iter().map(|slot| slot.title.clone()).collect()
}

#[test]
fn it_is_one_step_that_undoes_to_the_same_bytes_and_what_it_names_is_its_own() {
    let preset = preset();
    let (handle, _processor) = session(&fixtures_catalog());
    let (one, two) = (add(&handle, "gain"), add(&handle, "delay"));
    handle.apply(Command::Param(one, "100".into(), 0.25)).unwrap();
    handle.apply(Command::Param(two, "100".into(), 64.0)).unwrap();
    handle.apply(Command::BypassChain(true)).unwrap();
    let (before, steps) = (handle.save().unwrap(), handle.snapshot().history.at);
    let mut states = vec![before];
    for time in 1..=2 {
        assert_eq!(handle.load_as_step(preset.clone(), "Big").unwrap(), []);
        let shown = handle.snapshot();
        assert_eq!((shown.history.at, shown.history.undo().unwrap().label.as_str()), (steps + time, "Load \"Big\""));
        assert_eq!(titles(&handle), ["Fixture gain", "Fixture delay", "Fixture sidechain"]);
        assert_eq!(shown.macros[0].targets.len(), 1, "its target is there");
        let loaded = handle.chain().unwrap();
        assert_eq!((&loaded.about, loaded.name.as_str(), loaded.bypass), (&preset.about, "Big", false));
        let first = loaded.slots().next().unwrap();
        assert!(first.id > two, "{} was another slot's id", first.id);
        assert_eq!((first.params["100"], &loaded.macros[0].targets[0].aim), (0.5, &Aim::Param(first.id, "100".into())));
        assert_eq!(loaded.slots().nth(2).unwrap().sidechain, SidechainSource::Output(first.id));
        states.push(handle.save().unwrap());
    }
    for at in [1, 0, 1, 2, 0] {
        handle.apply(Command::GoTo(steps + at)).unwrap();
        assert!(handle.save().unwrap() == states[at], "after {at} loads");
    }
    // What was there before is edited on.
    handle.apply(Command::Strip(one, StripEdit::Mute(true))).unwrap();
    assert_eq!(handle.snapshot().history.steps.len(), steps + 1);
}

#[test]
fn what_sounds_goes_on_without_a_step_and_a_plugin_that_is_not_there_is_told() {
    let mut preset = preset();
    (preset.latency, preset.snapshots) = (LatencyMode::True, Default::default());
    preset.insert(0, PluginId::clap("org.nobody.here"));
    let (handle, processor) = session(&fixtures_catalog());
    add(&handle, "gain");
    handle.activate(live(64)).unwrap();
    let player = Player::start(processor);
    player.wait(32);
    let told = handle.load_as_step(preset, "Big").unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    player.wait(64);
    handle.apply(Command::Undo).unwrap();
    player.wait(64);
    handle.apply(Command::Redo).unwrap();
    player.wait(64);
    let (_processor, out) = player.stop();
    assert_smooth(&out[64..], "a preset loaded, undone and loaded again");
    assert!(out[out.len() - 480..].iter().any(|sample| sample.abs() > 0.1), "it sounds");
    let gain = PluginId::clap(fixtures::clap_id("gain"));
    assert_eq!(handle.snapshot().slots[1].plugin, gain);
}

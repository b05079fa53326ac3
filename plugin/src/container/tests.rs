//! Both containers' fixed names, and events that are cut with their block.

use host_core::backend::audio::EventBuffer;
use host_core::model::{Chain, Lane, Lanes, Node, Split};
use host_core::session::Command;

use super::*;

#[test]
fn names_that_hosts_save_never_change() {
    assert_eq!(ClapEffect::CLAP_ID, "catena-audio.catena");
    assert_eq!(ClapInstrument::CLAP_ID, "catena-audio.catena-instrument");
    assert_eq!(&Vst3Effect::VST3_ID, b"CatenaAudioChain");
    assert_eq!(&Vst3Instrument::VST3_ID, b"CatenaAudioInstr");
    assert_eq!(
        [Lv2Effect::LV2_URI, Lv2Mono::LV2_URI, Lv2Surround::LV2_URI, Lv2Instrument::LV2_URI],
        [
            "urn:catena-audio:catena",
            "urn:catena-audio:catena-mono",
            "urn:catena-audio:catena-surround",
            "urn:catena-audio:catena-instrument"
        ]
    );
    let ids: Vec<_> =
        ContainerParams::new(&Arc::new(Shared::default()), true).param_map().into_iter().map(|(id, _, _)| id).collect();
    let macros = (1..=128).map(|number| format!("macro-{number}"));
    let all: Vec<_> = std::iter::once("bypass".into()).chain(macros).chain(["revision_1".into()]).collect();
    assert_eq!(ids, all);
}

#[test]
fn events_of_a_cut_block_go_to_the_part_they_belong_to() {
    let shared = Shared::default();
    let mut events = shared.events.borrow_mut();
    events.begin(100);
    for frame in [5, 60, 59, 250] {
        events.input.push(frame, 0, &[0x90, frame as u8 & 0x7F, 1]);
    }
    let frames = |base, frames| {
        let mut part = EventBuffer::new(8, false);
        events.take(base, frames, &mut part);
        part.iter().map(|(event, _)| event.frame).collect::<Vec<_>>()
    };
    assert_eq!(frames(0, 60), [5, 59]);
    assert_eq!(frames(60, 40), [0, 39], "what lies past the block is played at its end");
}

#[test]
fn a_preset_that_a_host_loads_over_a_chain_is_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let mut chain = Chain { name: name.into(), ..Chain::default() };
        let (id, lane) = (chain.fresh_id(), chain.fresh_id());
        let lanes =
            Lanes { id, name: None, split: Split::Copy, lanes: vec![Lane::new(lane)], extra: Default::default() };
        chain.put(None, 0, Node::Lanes(Box::new(lanes))).unwrap();
        let path = folder.path().join(format!("{name}.catena"));
        std::fs::write(&path, host_core::store::pack(&chain).unwrap()).unwrap();
        path
    };
    let shared = Shared::default();
    let (session, _processor) = shared.open(Channels { inputs: 2, main: 2, sidechain: 0, aux: 0 }).unwrap();
    let seen = || (session.snapshot().name.clone(), session.snapshot().history.steps.len());
    shared.load_file(&file("First")).unwrap();
    assert_eq!(seen(), ("First".into(), 0), "where nothing was, nothing is to be brought back");
    shared.load_file(&file("Second")).unwrap();
    assert_eq!(seen(), ("Second".into(), 1));
    session.apply(Command::Undo).unwrap();
    assert_eq!(seen().0, "First");
    assert!(shared.load_file(&folder.path().join("none.catena")).is_err());
    assert_eq!(seen().0, "First");
}

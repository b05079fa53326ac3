//! Chains for tests of files: one with everything set, and files as older versions wrote them.

use std::path::PathBuf;

use host_core::model::{
    About, Adapt, Aim, Assigned, AudioBus, BusRole, Chain, Controller, Helpers, Identity, IfFails, Known, Lane,
    LaneAux, LaneDelay, Lanes, LatencyMode, Law, Letter, Macro, MacroId, MidiSettings, MidiSource, Node, Package,
    Phase, PluginId, PluginState, PortLayout, Scene, Scenes, Schema, SharedScene, SidechainSource, Sleep, Slot, SlotId,
    Split, Strip, Target, WindowPlace,
};

use crate::built;

/// A folder of chain files that version `version` of the schema wrote.
pub fn folder_of(version: &str) -> PathBuf {
    built::package().join("chains").join(version)
}

/// A chain in which nothing is at its default. Every field is named here: a new one does not compile until it is, and is then
/// missed in `bundles/chain.schema.json`.
pub fn everything() -> Chain {
    Chain {
        schema: Schema::CURRENT,
        name: "Everything".into(),
        about: About {
            tags: vec!["drums".into()],
            authors: vec!["Ann".into()],
            licence: "CC0".into(),
            notes: "Loud.".into(),
            extra: Default::default(),
        },
        latency: LatencyMode::Constant(12.5),
        hold_latency: true,
        cores: true,
        grid: 16,
        bypass: true,
        guard: Some(true),
        next_slot: 9,
        nodes: vec![Node::Slot(Box::new(slot(1))), lanes()],
        macros: vec![macro_()],
        snapshots: snapshots(),
        extra: Default::default(),
        files: Default::default(),
    }
}

fn slot(id: u64) -> Slot {
    Slot {
        id: SlotId(id),
        plugin: PluginId::lv2("urn:a"),
        identity: Identity {
            name: "A".into(),
            vendor: "Maker".into(),
            version: "1.2".into(),
            latency: 64,
            rate: 48_000.0,
            ports: PortLayout {
                inputs: vec![AudioBus { name: "In".into(), channels: 2, role: BusRole::Main }],
                outputs: vec![AudioBus { name: "Out".into(), channels: 2, role: BusRole::Aux }],
                midi_in: true,
                midi_out: true,
            },
            parameters: [Known {
                key: "gain".into(),
                name: "Gain".into(),
                group: "out".into(),
                unit: "dB".into(),
                min: -20.0,
                max: 20.0,
            }]
            .into(),
            hash: "00ff".into(),
            package: Some(Package { by: "dpkg".into(), name: "a-plugins".into(), version: "1.2-3".into() }),
            extra: Default::default(),
        },
        name: Some("Mine".into()),
        bypass: true,
        mix: 0.5,
        input_gain: -3.0,
        output_gain: 3.0,
        strip: Strip {
            pan: 0.25,
            phase: Phase::Both,
            mono: true,
            mute: true,
            solo: true,
            delta: true,
            idle: true,
            sleep: Sleep::After(2.5),
        },
        adapt: Adapt::Multi,
        merge_midi: true,
        midi: MidiSettings {
            source: MidiSource::Merge,
            channels: 3,
            keys: (36, 72),
            velocity: (1, 100),
            transpose: -12,
        },
        sidechain: SidechainSource::Output(SlotId(1)),
        aux: vec![None, Some(2)],
        oversample: 4,
        helpers: Helpers::On,
        window: WindowPlace {
            open: true,
            inside: true,
            parameters: true,
            place: Some((-3, 40)),
            size: Some((640, 480)),
            extra: Default::default(),
        },
        if_fails: IfFails::MuteChain,
        params: [("gain".to_owned(), 0.1)].into(),
        state: Some(PluginState {
            bytes: b"state"[..].into(),
            assets: [("a.wav".to_owned(), b"wav"[..].into())].into(),
        }),
        extra: Default::default(),
    }
}

fn lanes() -> Node {
    let lane = |id, delay, nodes| Lane {
        id: SlotId(id),
        name: Some("Low".into()),
        colour: Some([255, 0, 128]),
        gain: -6.0,
        pan: -0.5,
        mute: true,
        solo: true,
        delay,
        aux: Some(LaneAux { out: 2, only: true }),
        dry: true,
        nodes,
        extra: Default::default(),
    };
    Node::Lanes(Box::new(Lanes {
        id: SlotId(2),
        name: Some("Split".into()),
        split: Split::Bands(vec![250.0]),
        lanes: vec![
            lane(3, LaneDelay::Frames(32), vec![Node::Slot(Box::new(slot(5)))]),
            lane(4, LaneDelay::Ms(1.5), vec![]),
        ],
        extra: Default::default(),
    }))
}

fn snapshots() -> Scenes {
    let mut other = slot(6);
    other.state = Some(PluginState { bytes: b"another"[..].into(), assets: Default::default() });
    let nodes = vec![Node::Slot(Box::new(slot(1))), Node::Slot(Box::new(other))];
    let scene = Scene { nodes, macros: vec![macro_()], shared: vec![], extra: Default::default() };
    let stored = [(Letter::B, SharedScene(scene.into()))].into();
    Scenes { current: Some(Letter::B), stored, extra: Default::default() }
}

fn macro_() -> Macro {
    let law = Law { min: -1.0, max: 2.0, curve: 0.5, inverted: true };
    let target = |aim| Target { aim, law, extra: Default::default() };
    Macro {
        number: MacroId::new(7).expect("a macro"),
        name: Some("Squeeze".into()),
        value: 0.75,
        controller: Controller::new(2, 7, true).map(Assigned::To),
        targets: vec![target(Aim::Param(SlotId(1), "gain".into())), target(Aim::LaneGain(SlotId(3)))],
        extra: Default::default(),
    }
}

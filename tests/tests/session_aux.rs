//! Auxiliary outputs of a session: a real plugin with several outputs, lanes that are sent, and what is refused.

use std::sync::Arc;

use catena_tests::fixtures;
use catena_tests::rig::Noise;
use catena_tests::session_bench::{fixtures_catalog, live, lv2_catalog};
use host_core::backend::audio::EventBuffer;
use host_core::engine::{ContainerBlock, Processor};
use host_core::model::{Catalog, LaneAux, PluginId, SlotId, Split};
use host_core::session::{
    CatalogSource, Command, EditError, LaneEdit, NodeView, Purpose, SessionConfig, SessionHandle,
};

const SPLITTER: &str = "http://distrho.sf.net/plugins/3BandSplitter";
/// A limiter that delays.
const LIMITER: &str = "http://gareus.org/oss/lv2/dpl#stereo";

fn session(catalog: &Arc<Catalog>, aux: u16) -> (SessionHandle, Processor) {
    let catalog = CatalogSource::Given(catalog.clone());
    SessionHandle::open(SessionConfig { purpose: Purpose::Daw, channels: 2, sidechain: 0, aux, catalog }).unwrap()
}

/// Noise through the chain: the main output's left channel, then that of each auxiliary output.
fn play(processor: &mut Processor, blocks: usize) -> Vec<Vec<f32>> {
    let mut noise = Noise::new(8);
    let mut heard = vec![Vec::new(); 9];
    for _ in 0..blocks {
        let mut main = noise.signal(2, 256);
        let mut aux = vec![vec![1.0; 256]; 16];
        let (mut events_in, mut events_out) = (EventBuffer::new(64, false), EventBuffer::new(64, false));
        processor.process(&mut ContainerBlock {
            main: &mut main.iter_mut().map(|channel| &mut channel[..]).collect::<Vec<_>>(),
            sidechain: &[],
            aux: &mut aux.iter_mut().map(|channel| &mut channel[..]).collect::<Vec<_>>(),
            events_in: &mut events_in,
            events_out: &mut events_out,
            transport: None,
            bypass: false,
        });
        heard[0].extend(&main[0]);
        for (all, now) in heard[1..].iter_mut().zip(aux.chunks(2)) {
            all.extend(&now[0]);
        }
    }
    heard
}

fn add(handle: &SessionHandle, plugin: PluginId, index: usize) -> SlotId {
    handle.apply(Command::Add { plugin, index }).unwrap().unwrap()
}

#[test]
fn a_real_plugins_bands_are_heard_each_on_its_own_output_in_time_with_the_main_one() {
    let catalog = lv2_catalog(&["3BandSplitter.lv2", "dpl.lv2"]);
    let bands = |edit: &dyn Fn(&SessionHandle, SlotId)| {
        let (handle, mut processor) = session(&catalog, 16);
        let splitter = add(&handle, PluginId::lv2(SPLITTER), 0);
        edit(&handle, splitter);
        handle.activate(live(256)).unwrap();
        handle.settle();
        let views = handle.snapshot().slots.clone();
        (handle.latency() as usize, play(&mut processor, 60), views[0].aux.clone())
    };
    let (_, alone, outs) = bands(&|_, _| ());
    assert_eq!(outs, [Some(1), Some(2)]);
    let loud = |samples: &[f32]| samples[4096..].iter().fold(0.0_f32, |a, b| a.max(b.abs()));
    assert!(loud(&alone[1]) > 0.01 && loud(&alone[2]) > 0.01 && loud(&alone[3]) == 0.0);
    let (late, sent, outs) = bands(&|handle, splitter| {
        add(handle, PluginId::lv2(LIMITER), 1);
        handle.apply(Command::Aux(splitter, 0, Some(7))).unwrap();
        handle.apply(Command::Aux(splitter, 1, None)).unwrap();
    });
    assert_eq!(outs, [Some(7), None]);
    assert!(late > 0);
    for i in 8192..15_000 {
        assert_eq!(sent[7][i], alone[1][i - late], "frame {i}");
    }
    assert!([1, 2, 3].iter().all(|out| loud(&sent[*out]) == 0.0));
}

#[test]
fn lanes_are_sent_and_come_back_while_a_container_without_such_outputs_keeps_them_in_the_main_one() {
    let gain = || PluginId::clap(fixtures::clap_id("gain"));
    for (aux, main, third) in [(16, 0.25, 0.5), (0, 0.75, 0.0)] {
        let (handle, mut processor) = session(&fixtures_catalog(), aux);
        let half = add(&handle, gain(), 0);
        handle.apply(Command::Param(half, "100".into(), 0.5)).unwrap();
        let split = Split::Copy;
        let group = handle.apply(Command::Parallel { from: half, to: half, split }).unwrap().unwrap();
        let lanes: Vec<_> = handle.chain().unwrap().group(group).unwrap().lanes.iter().map(|lane| lane.id).collect();
        let quarter = handle.apply(Command::AddInto { plugin: gain(), lane: lanes[1], index: 0 }).unwrap().unwrap();
        handle.apply(Command::Param(quarter, "100".into(), 0.25)).unwrap();
        handle.activate(live(256)).unwrap();
        let heard = |processor: &mut Processor| {
            handle.settle();
            let mut dry = Noise::new(8);
            let dry = (0..40).flat_map(|_| dry.signal(2, 256).swap_remove(0)).collect::<Vec<_>>();
            let out = play(processor, 40);
            [0, 3].map(|at| out[at][9000] / dry[9000])
        };
        let near =
            |a: [f32; 2], b: [f32; 2]| assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} {b:?}");
        near(heard(&mut processor), [0.75, 0.0]);
        let sent = Some(LaneAux { out: 3, only: true });
        handle.apply(Command::Lane(lanes[0], LaneEdit::Aux(sent))).unwrap();
        near(heard(&mut processor), [main, third]);
        let snapshot = handle.snapshot();
        assert!(matches!(&snapshot.nodes[0], NodeView::Lanes(view) if view.lanes[0].aux == sent));
        let saved = handle.chain().unwrap();
        handle.apply(Command::Lane(lanes[0], LaneEdit::Aux(None))).unwrap();
        near(heard(&mut processor), [0.75, 0.0]);
        handle.load_chain(saved).unwrap();
        near(heard(&mut processor), [main, third]);
    }
}

#[test]
fn outputs_that_there_are_not_are_refused_by_number() {
    let (handle, _processor) = session(&fixtures_catalog(), 16);
    handle.activate(live(64)).unwrap();
    let instrument = add(&handle, PluginId::clap(fixtures::clap_id("instrument")), 0);
    let gain = add(&handle, PluginId::clap(fixtures::clap_id("gain")), 1);
    handle.settle();
    let refused = |slot, output, to| handle.apply(Command::Aux(slot, output, to)).unwrap_err();
    assert!(matches!(refused(instrument, 1, Some(1)), EditError::NoOutput { has: 1, output: 1, .. }));
    let text = refused(gain, 0, Some(1)).to_string();
    assert!(text.contains("gain has 0 outputs beside its main one, and no number 1"), "{text}");
    assert!(matches!(refused(instrument, 0, Some(9)), EditError::Range { .. }));
    assert!(matches!(refused(instrument, 0, Some(0)), EditError::Range { .. }));
    handle.apply(Command::Aux(instrument, 0, Some(8))).unwrap();
    assert_eq!(handle.chain().unwrap().slot(instrument).unwrap().aux, [Some(8)]);
}

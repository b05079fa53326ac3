//! The audio thread neither allocates, frees, locks nor calls the system while slots come, move and go.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

use catena_tests::nets::{self, Caught, syscalls};
use catena_tests::rig::Rig;
use catena_tests::rust_plugins::{Bad, Delay, Filter, Gain, Octave, make, midi_ports, ports};
use host_core::backend::audio::{EventBuffer, ParamEvent, PluginAudio};
use host_core::engine::{
    ContainerBlock, EngineConfig, Goal, LaneNode, LanesNode, LanesSetup, LevelGuard, PlanLane, PlanLanes, PlanNode,
    PlanSide, Processor, Route, SideSource, SlotNode, SlotSetup,
};
use host_core::model::{
    Aim, AudioBus, BusRole, Grid, LaneAux, Law, MacroId, MidiSettings, MidiSource, Phase, PluginId, PortLayout, Slot,
    SlotId, Split,
};

catena_tests::interpose!();

#[global_allocator]
static ALLOCATOR: nets::Counting = nets::Counting;

static STOP: AtomicBool = AtomicBool::new(false);
static DONE: AtomicBool = AtomicBool::new(false);
static BLOCKS: AtomicU64 = AtomicU64::new(0);
static NUMBERS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

/// The audio thread: blocks of 64 frames under all nets, then what `last` does, still watched.
fn audio(mut processor: Processor, last: fn()) {
    let mut buffers = [[0.0_f32; 64]; 2];
    let (mut events_in, mut events_out) = (EventBuffer::new(64, true), EventBuffer::new(1024, true));
    let mut count = 0_u64;
    let long = [0x11; 2000];
    syscalls::trap();
    nets::watch(true);
    while !STOP.load(SeqCst) {
        for (i, x) in buffers.iter_mut().flatten().enumerate() {
            *x = ((i as u64 + count) % 31) as f32 * 0.01;
        }
        events_in.clear();
        events_out.clear();
        events_in.push((count % 64) as u16, 0, &[0x90, count as u8 & 0x7F, 100]);
        events_in.push((count % 64) as u16, 0, &long);
        // Every frame a move, more than some slots have room for, and some told between the blocks.
        for frame in 0..64 {
            processor.set_macro(frame, (count % 3) as usize, f64::from(frame) / 64.0);
            processor.set_macro(frame, 3, (count % 7) as f64 / 7.0);
        }
        let [left, right] = &mut buffers;
        processor.process(&mut ContainerBlock {
            main: &mut [left, right],
            sidechain: &[],
            aux: &mut [],
            events_in: &mut events_in,
            events_out: &mut events_out,
            transport: None,
            bypass: count % 200 > 150,
        });
        count += 1;
        BLOCKS.store(count, SeqCst);
    }
    last();
    nets::watch(false);
    let caught = nets::caught();
    for (to, from) in NUMBERS.iter().zip([caught.allocations, caught.frees, caught.c_allocations, caught.locks]) {
        to.store(from, SeqCst);
    }
    DONE.store(true, SeqCst);
    syscalls::leave();
}

fn wait(what: &str, until: impl Fn() -> bool) {
    let began = Instant::now();
    while !until() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what} never came");
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn run(edits: usize, last: fn()) -> (Caught, u64, i64) {
    nets::fence();
    let (before, _) = syscalls::trapped();
    STOP.store(false, SeqCst);
    DONE.store(false, SeqCst);
    BLOCKS.store(0, SeqCst);
    let mut rig = Rig::with(EngineConfig { channels: 2, sidechain: 0, aux: 4 });
    rig.macros = map;
    let processor = std::mem::replace(
        &mut rig.processor,
        host_core::engine::engine(EngineConfig { channels: 2, sidechain: 0, aux: 4 }).0,
    );
    std::thread::spawn(move || audio(processor, last));
    wait("the first block", || BLOCKS.load(SeqCst) > 0);
    edit(&mut rig, edits);
    STOP.store(true, SeqCst);
    wait("the end", || DONE.load(SeqCst));
    let [allocations, frees, c_allocations, locks] = std::array::from_fn(|i| NUMBERS[i].load(SeqCst));
    let (after, number) = syscalls::trapped();
    (Caught { allocations, frees, c_allocations, locks }, after - before, number)
}

/// Four macros for every slot: a parameter, mix, gain and bypass.
fn map(slots: &[Arc<SlotNode>]) -> Vec<Route> {
    let of = |node: &Arc<SlotNode>| {
        let id = node.id();
        let aims = [Aim::Param(id, "0".into()), Aim::Mix(id), Aim::OutputGain(id), Aim::Bypass(id)];
        let route = |(index, aim)| {
            let law = Law { min: 0.0, max: 1.0, curve: 0.3, inverted: false };
            Route::new(MacroId::at(index)?, &aim, law, Goal::Slot(node.clone()), Some((0, Grid::Whole)))
        };
        aims.into_iter().enumerate().filter_map(route).collect::<Vec<_>>()
    };
    slots.iter().flat_map(of).collect()
}

/// With a sidechain and an output beside the main one.
fn wired(mut ports: PortLayout) -> PortLayout {
    let bus = |role| AudioBus { name: String::new(), channels: 2, role };
    ports.inputs.push(bus(BusRole::Sidechain));
    ports.outputs.push(bus(BusRole::Aux));
    ports
}

fn slot(i: usize) -> Arc<SlotNode> {
    let stereo = wired(ports(2, 2));
    let (plugin, latency, ports): (Box<dyn PluginAudio>, u32, _) = match i % 5 {
        0 => (make(&stereo, 64, Gain(0.9)), 0, stereo),
        1 => (make(&stereo, 64 * 4, Filter::new(2, 0.5)), 0, stereo),
        2 => (make(&stereo, 64, Delay::new(2, 40 + i)), 40 + i as u32, stereo),
        3 => (make(&stereo, 64, Bad { bad: f32::NAN, blocks: 3..=7, count: 0 }), 0, stereo),
        _ => (make(&wired(midi_ports(2, 2)), 64, Octave), 0, wired(midi_ports(2, 2))),
    };
    let setup = SlotSetup::new(SlotId(i as u64), vec![plugin], ports);
    SlotNode::new(SlotSetup {
        latency,
        oversample: if i % 5 == 1 { 4 } else { 1 },
        aux: 4,
        max_block: 64,
        fade_in: true,
        ..setup
    })
}

/// Every split in turn, with a lane of its own for each slot but the first.
fn in_lanes(group: &PlanLanes, slots: &[Arc<SlotNode>], i: usize) -> Vec<PlanNode> {
    let splits = [Split::Copy, Split::Bands(vec![300.0, 2000.0]), Split::MidSide, Split::LeftRight];
    group.node.controls().set_split(&splits[i / 3 % 4]);
    let mut group = group.clone();
    for (at, slot) in slots.iter().enumerate().skip(1) {
        let lane = at % group.lanes.len();
        group.lanes[lane].nodes.push(PlanNode::Slot(slot.clone()));
    }
    group.lanes[1].node.controls().set_gain(i as f32 % 5.0 / 5.0);
    group.lanes[2].node.controls().set_pan(i as f32 % 3.0 - 1.0);
    group.lanes[0].delay = 100 * (i as u32 % 4);
    group.lanes[1].sends = true;
    group.lanes[1]
        .node
        .controls()
        .set_aux(i.is_multiple_of(2).then_some(LaneAux { out: 2, only: i.is_multiple_of(4) }));
    slots.first().cloned().map(PlanNode::Slot).into_iter().chain([PlanNode::Lanes(group)]).collect()
}

/// Adds, moves and takes out slots, with lanes, fades, parameters and plugins that come home, as a session does.
fn edit(rig: &mut Rig, edits: usize) {
    let mut slots: Vec<Arc<SlotNode>> = Vec::new();
    let mut heard = Vec::new();
    let setup = LanesSetup { channels: 2, max_block: 64, rate: 48_000.0, fade_in: true };
    let lane = |_| PlanLane { node: LaneNode::new(setup, false), delay: 0, sends: false, nodes: vec![] };
    let node = LanesNode::new(&Split::Copy, setup);
    let group = PlanLanes { node, lanes: (0..3).map(lane).collect(), siblings: true };
    for i in 0..edits {
        match i % 4 {
            0 | 1 => slots.insert(i % (slots.len() + 1), slot(i)),
            2 => slots.rotate_left(1),
            _ => {
                let gone = slots.remove(0);
                gone.controls().set_present(false);
                next_blocks(20);
                rig.send(&slots);
                next_blocks(3);
                drop(rig.controller.poll());
                assert!(gone.take().is_some());
            }
        }
        turn(rig, &slots, &group, i);
        match i % 3 {
            0 => rig.send_nodes(in_lanes(&group, &slots, i)),
            _ => rig.send(&slots),
        };
        if let Some(slot) = slots.first() {
            rig.controller.param(slot, ParamEvent { frame: 3, index: 0, value: 0.8 });
            slot.controls().set_mix(i as f32 % 3.0 / 3.0);
            slot.controls().set_bypass(i % 3 == 0);
            slot.controls().set_park(i % 7 == 0);
            let source = [MidiSource::Container, MidiSource::Merge, MidiSource::None, MidiSource::Previous][i % 4];
            slot.controls().set_midi(MidiSettings { source, transpose: i as i8 % 3, ..MidiSettings::default() });
            slot.controls().set_merge_midi(i % 5 == 0);
            assert!(i % 9 > 0 || rig.controller.panic());
            let mut sent = Slot::new(slot.id(), PluginId::clap("any"));
            sent.set_aux(0, [Some(2), None, Some(1)][i % 3]);
            slot.controls().set_aux(&sent);
            slot.controls().set_side(i % 4 > 0);
            slot.controls().retry();
        }
        set_strips(rig, &slots, &group, i);
        // Home listens here and there, and its rings run over.
        match i % 5 {
            0 => heard.extend(slots.first().and_then(|slot| slot.open_tap(100))),
            1 => heard.extend(rig.controller.open_tap(2, 4800)),
            2 => heard.extend(group.lanes[1].node.open_tap(4800)),
            3 => slots.iter().for_each(|slot| slot.close_tap()),
            _ => rig.controller.close_tap(),
        }
        rig.controller.meters();
        next_blocks(10);
        drop(rig.controller.poll());
    }
}

/// Every switch of a channel strip, rest, solo and the level guard, in all combinations as they come.
fn set_strips(rig: &mut Rig, slots: &[Arc<SlotNode>], group: &PlanLanes, i: usize) {
    for (at, slot) in slots.iter().enumerate() {
        let (set, n) = (slot.controls(), i + 3 * at);
        set.set_pan(n as f32 % 5.0 / 2.0 - 1.0);
        set.set_phase([Phase::Normal, Phase::Left, Phase::Right, Phase::Both][n % 4]);
        set.set_mono(n.is_multiple_of(5));
        set.set_mute(n.is_multiple_of(11));
        set.set_delta(n.is_multiple_of(3));
        set.set_idle(n.is_multiple_of(2));
        set.set_sleep((!n.is_multiple_of(3)).then_some(n as u32 % 200));
        set.set_aside(n.is_multiple_of(7));
        set.set_output_gain(if n.is_multiple_of(6) { 1000.0 } else { 1.0 });
    }
    group.node.controls().set_aside(i % 4 == 1);
    group.lanes[2].node.controls().set_mute(i % 3 == 1);
    rig.controller.set_level_guard([LevelGuard::Off, LevelGuard::Report, LevelGuard::Mute][i / 4 % 3]);
    if i.is_multiple_of(5) {
        rig.controller.reopen();
    }
}

/// Lets the last slot's sidechain hear something else than it did.
fn turn(rig: &mut Rig, slots: &[Arc<SlotNode>], group: &PlanLanes, i: usize) {
    let sources = |first: &Arc<SlotNode>| {
        let lane = SideSource::Lane(group.lanes[0].node.clone());
        [SideSource::Slot(first.clone()), SideSource::Input, lane, SideSource::Silence, SideSource::Container]
    };
    let pair = slots.first().zip(slots.last()).filter(|_| slots.len() > 1);
    let side = pair.map(|(first, last)| PlanSide {
        slot: last.clone(),
        source: sources(first)[i % 5].clone(),
        before: Some(sources(first)[(i + 4) % 5].clone()),
    });
    rig.sides = side.into_iter().collect();
}

fn next_blocks(count: u64) {
    let now = BLOCKS.load(SeqCst);
    wait("the next block", || BLOCKS.load(SeqCst) >= now + count);
}

fn a_system_call() {
    // SAFETY: it has no arguments and cannot fail.
    #[allow(unsafe_code, reason = "a control")]
    unsafe {
        libc::syscall(libc::SYS_getppid)
    };
}

fn a_box() {
    drop(std::hint::black_box(Box::new(5_u8)));
}

/// As a library that was loaded later finds it.
#[allow(unsafe_code, reason = "a control")]
fn a_c_lock() {
    let mut mutex = libc::PTHREAD_MUTEX_INITIALIZER;
    // SAFETY: the symbol is the C library's function or our stand-in of the same signature; the mutex is ours.
    unsafe {
        let found = libc::dlsym(libc::RTLD_DEFAULT, c"pthread_mutex_lock".as_ptr());
        let lock: unsafe extern "C" fn(*mut libc::pthread_mutex_t) -> i32 = std::mem::transmute(found);
        lock(&mut mutex);
        libc::pthread_mutex_unlock(&mut mutex);
    }
}

#[allow(unsafe_code, reason = "a control")]
fn a_c_allocation() {
    // SAFETY: what is taken is given back.
    unsafe { libc::free(std::hint::black_box(libc::malloc(32))) };
}

/// One test, since the nets are the process's: first that each net catches, then that the engine runs into none.
#[test]
fn the_audio_thread_neither_allocates_frees_locks_nor_calls_the_system() {
    let none = Caught::default();
    let (_, calls, number) = run(2, a_system_call);
    assert_eq!((calls, number), (1, libc::SYS_getppid));
    let (caught, ..) = run(2, a_box);
    assert_eq!((caught.allocations, caught.frees), (1, 1));
    let (caught, ..) = run(2, a_c_lock);
    assert_eq!(caught.locks, 1);
    let (caught, ..) = run(2, a_c_allocation);
    assert_eq!(caught, Caught { c_allocations: 2, ..none });

    let (caught, calls, number) = run(60, || ());
    assert_eq!(caught, none);
    assert_eq!(calls, 0, "system call {number}");
}

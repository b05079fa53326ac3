//! Nobody writes past a block unseen: in this program every sample buffer ends at a page that nobody may touch. A fixture that
//! writes one sample too many dies of it, in a child; the engine, the other fixtures and real plugins do not.

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use catena_tests::nets::guard_pages::GuardPages;
use catena_tests::rig::{Noise, Rig, cuts};
use catena_tests::rust_plugins::{Delay, Filter, Gain, Work, make, ports};
use catena_tests::session_bench::{add, block, fixtures_catalog, live, lv2_catalog, session};
use host_core::backend::audio::{Block, PortBuffers, RunStatus};
use host_core::engine::{SlotNode, SlotSetup};
use host_core::model::SlotId;
use host_core::session::{Command as Edit, SessionHandle};

#[global_allocator]
static GUARDED: GuardPages = GuardPages;

/// Plays blocks of the largest length that the plugins were told of, and of all others.
fn play(handle: &SessionHandle, mut processor: host_core::engine::Processor) {
    handle.activate(live(256)).unwrap();
    let mut noise = Noise::new(3);
    for length in [256, 256, 1, 64, 255, 256] {
        let signal = noise.signal(2, length);
        let [mut left, mut right] = <[Vec<f32>; 2]>::try_from(signal).unwrap();
        block(&mut processor, &mut left, &mut right);
        assert!(left.iter().chain(&right).all(|x| x.is_finite()));
    }
    handle.settle();
}

/// What a child does, by the name of a fixture.
#[test]
fn in_a_child() {
    let Some(name) = std::env::var_os("CATENA_TEST_PAST_THE_BLOCK") else { return };
    let (handle, processor) = session(&fixtures_catalog());
    let slot = add(&handle, &name.to_string_lossy());
    handle.apply(Edit::Param(slot, "100".into(), 1.0)).unwrap();
    play(&handle, processor);
}

#[test]
fn a_plugin_that_writes_past_the_block_is_caught_in_the_act() {
    let run = |name: &str| {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "in_a_child", "--nocapture"]).env("CATENA_TEST_PAST_THE_BLOCK", name);
        child.output().unwrap()
    };
    let honest = run("gain");
    assert!(honest.status.success(), "{}", String::from_utf8_lossy(&honest.stderr));
    let caught = run("past-the-block");
    assert_eq!(
        caught.status.signal(),
        Some(libc::SIGSEGV),
        "{:?}: {}",
        caught.status,
        String::from_utf8_lossy(&caught.stderr)
    );
}

#[test]
fn honest_fixtures_and_real_plugins_stay_inside() {
    let (handle, processor) = session(&fixtures_catalog());
    for name in
        ["gain", "delay", "mono", "sidechain", "instrument", "note-echo", "feedback", "layouts", "channels", "eight"]
    {
        add(&handle, name);
    }
    play(&handle, processor);
    for bundles in [&["dpl.lv2", "fil4.lv2", "eg-amp.lv2"][..], &["ZaMaximX2.lv2", "ZamTube.lv2"], &["mda.lv2"]] {
        let catalog = lv2_catalog(bundles);
        let (handle, processor) = session(&catalog);
        for (index, entry) in catalog.plugins.iter().take(12).enumerate() {
            // For the log, should the next one end the process.
            eprintln!("{}", entry.id);
            handle.apply(Edit::Add { plugin: entry.id.clone(), index }).unwrap();
        }
        play(&handle, processor);
    }
}

#[test]
fn the_engine_itself_stays_inside_at_every_block_length() {
    struct Mono;
    impl Work for Mono {
        fn run(&mut self, buffers: &mut PortBuffers, block: &mut Block<'_>) -> RunStatus {
            Gain(0.5).run(buffers, block)
        }
    }
    let slot = |id, latency: u32, min_block, plugin, ports| {
        let setup = SlotSetup { latency, min_block, max_block: 512, ..SlotSetup::new(SlotId(id), vec![plugin], ports) };
        SlotNode::new(setup)
    };
    let mut rig = Rig::new(2);
    rig.max_block = 512;
    let slots = [
        slot(1, 0, 1, make(&ports(2, 2), 512, Gain(0.7)), ports(2, 2)),
        slot(2, 300, 1, make(&ports(2, 2), 512, Delay::new(2, 300)), ports(2, 2)),
        slot(3, 0, 64, make(&ports(2, 2), 512, Filter::new(2, 0.5)), ports(2, 2)),
        slot(4, 0, 1, make(&ports(1, 1), 512, Mono), ports(1, 1)),
    ];
    slots[1].controls().set_mix(0.5);
    slots[2].controls().set_pan(0.3);
    slots[2].controls().set_delta(true);
    slots[3].controls().set_sleep(Some(0));
    rig.send(&slots);
    let signal = Noise::new(5).signal(2, 20_000);
    for size in [Some(512), Some(1), None] {
        let heard = rig.run(&signal, &cuts(20_000, size, 512, 7));
        assert!(heard.iter().flatten().all(|x| x.is_finite()));
    }
}

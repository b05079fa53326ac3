//! A session with an audio thread of its own: what a DAW around Catena does, without one.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use host_core::backend::audio::{EventBuffer, Transport};
use host_core::backend::{clap, lv2};
use host_core::engine::{ContainerBlock, Processor};
use host_core::home::{PATIENCE, home};
use host_core::model::{Catalog, PluginId, PluginLocation, SlotId};
use host_core::session::{CatalogSource, Command, HostSetup, Purpose, SessionConfig, SessionHandle};

use crate::built;
use crate::clap_bench::host;
use crate::fixtures_lv2::bundles_below;

/// Sample rate of every bench, Hz.
pub const RATE: f64 = 48_000.0;

/// A catalog of everything in these CLAP files, as a scan makes it.
pub fn catalog(files: &[&Path]) -> Arc<Catalog> {
    let files: Vec<_> = files.iter().map(|file| file.to_path_buf()).collect();
    let describe = move || {
        let found = files.iter().map(|file| clap::describe(file, &host()).expect("the file can be described"));
        found.flat_map(|(plugins, _bad)| plugins).collect::<Vec<_>>()
    };
    let plugins = home().unwrap().ask(PATIENCE * 4, describe).unwrap();
    let mut catalog = Catalog { plugins, bad: vec![] };
    catalog.sort();
    Arc::new(catalog)
}

/// A catalog of the CLAP fixtures that harm nobody by being made.
pub fn fixtures_catalog() -> Arc<Catalog> {
    static CATALOG: OnceLock<Arc<Catalog>> = OnceLock::new();
    let make = || {
        let folder = built::folder().join("session-fixtures");
        std::fs::create_dir_all(&folder).expect("a folder for the fixtures");
        let file = folder.join("harmless.clap");
        // Made aside and moved: another test program may have the file open.
        let fresh = folder.join(format!("{}.new", std::process::id()));
        std::fs::copy(crate::fixtures::clap(), &fresh).expect("the fixtures can be copied");
        std::fs::rename(fresh, &file).expect("the fixtures can be put in place");
        catalog(&[&file])
    };
    CATALOG.get_or_init(make).clone()
}

/// A catalog of these installed LV2 bundles alone.
pub fn lv2_catalog(bundles: &[&str]) -> Arc<Catalog> {
    let folder = tempfile::tempdir().unwrap();
    let installed = Path::new("/usr/lib/lv2");
    for bundle in bundles {
        std::os::unix::fs::symlink(installed.join(bundle), folder.path().join(bundle)).unwrap();
    }
    let path = folder.path().to_path_buf();
    let describe =
        move || lv2::describe_bundles(&bundles_below(&path), &mut |_| {}).expect("LV2 plugins are described");
    let (mut plugins, _bad) = home().unwrap().ask(PATIENCE * 4, describe).unwrap();
    for plugin in &mut plugins {
        // The links are gone when the test runs: the real folders stay.
        let real = plugin.location.path().file_name().map(|name| installed.join(name)).expect("a bundle has a name");
        plugin.location = PluginLocation::Lv2(vec![real]);
    }
    Arc::new(Catalog { plugins, bad: vec![] })
}

/// A stereo session over `catalog`.
pub fn session(catalog: &Arc<Catalog>) -> (SessionHandle, Processor) {
    let config = SessionConfig {
        purpose: Purpose::Daw,
        channels: 2,
        sidechain: 2,
        aux: 0,
        catalog: CatalogSource::Given(catalog.clone()),
    };
    SessionHandle::open(config).expect("a session opens")
}

/// The plugin whose id ends with `end`.
pub fn id(catalog: &Catalog, end: &str) -> PluginId {
    let found = catalog.plugins.iter().find(|entry| entry.id.id.ends_with(end));
    found.unwrap_or_else(|| panic!("no plugin {end}")).id.clone()
}

/// Puts the CLAP fixture `name` at the chain's end.
pub fn add(handle: &SessionHandle, name: &str) -> SlotId {
    let plugin = PluginId::clap(crate::fixtures::clap_id(name));
    handle.apply(Command::Add { plugin, index: usize::MAX }).expect("added").expect("a new slot")
}

/// Waits until `done`, at most a time that only a fault reaches. False: it never did.
pub fn until(mut done: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !done() {
        if start.elapsed() > Duration::from_secs(60) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Live at `max_block` frames.
pub fn live(max_block: u32) -> HostSetup {
    HostSetup { rate: RATE, max_block, offline: false }
}

/// Runs one stereo block through a processor.
pub fn block(processor: &mut Processor, left: &mut [f32], right: &mut [f32]) {
    block_with(processor, left, right, &[]);
}

/// The same with MIDI, frame and bytes; answers what comes out.
pub fn block_with(
    processor: &mut Processor,
    left: &mut [f32],
    right: &mut [f32],
    midi: &[(u16, &[u8])],
) -> Vec<(u16, Vec<u8>)> {
    let (mut events_in, mut events_out) = (EventBuffer::new(64, false), EventBuffer::new(64, false));
    midi.iter().for_each(|(frame, bytes)| assert!(events_in.push(*frame, 0, bytes), "room for {bytes:?}"));
    let mut main = [left, right];
    processor.process(&mut ContainerBlock {
        main: &mut main,
        sidechain: &[],
        aux: &mut [],
        events_in: &mut events_in,
        events_out: &mut events_out,
        transport: None,
        bypass: false,
    });
    events_out.iter().map(|(event, bytes)| (event.frame, bytes.to_vec())).collect()
}

/// An audio thread that plays a 1 kHz sine at -6 dBFS, 64 frames a block, about in real time, and keeps what comes out.
pub struct Player {
    stop: Arc<AtomicBool>,
    blocks: Arc<AtomicUsize>,
    thread: JoinHandle<(Processor, Vec<f32>)>,
}

impl Player {
    /// Starts playing.
    pub fn start(mut processor: Processor) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let ended = stop.clone();
        let blocks = Arc::new(AtomicUsize::new(0));
        let played = blocks.clone();
        let thread = std::thread::spawn(move || {
            let mut out = Vec::new();
            let mut time = 0_usize;
            while !ended.load(Ordering::Relaxed) {
                let mut left = [0.0_f32; 64];
                for (i, sample) in left.iter_mut().enumerate() {
                    *sample = sine(time + i);
                }
                let mut right = left;
                block(&mut processor, &mut left, &mut right);
                out.extend_from_slice(&left);
                time += 64;
                played.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_micros(500));
            }
            (processor, out)
        });
        Self { stop, blocks, thread }
    }

    /// Waits until so many more blocks have been played, however long the machine takes for them.
    pub fn wait(&self, blocks: usize) {
        let end = self.blocks.load(Ordering::Relaxed) + blocks;
        assert!(until(|| self.blocks.load(Ordering::Relaxed) >= end), "no block is played");
    }

    /// Stops playing; what came out on the left.
    pub fn stop(self) -> (Processor, Vec<f32>) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("the audio thread ends well")
    }
}

/// The sine that a player plays.
pub fn sine(frame: usize) -> f32 {
    (0.5 * (std::f64::consts::TAU * 1000.0 * frame as f64 / RATE).sin()) as f32
}

/// Steepest step of that sine between two samples.
pub fn steepest() -> f32 {
    (0.5 * std::f64::consts::TAU * 1000.0 / RATE) as f32
}

/// What so many blocks of 64 frames of a sine become while the transport rolls or stands; the sine goes on at `from`.
pub fn roll(processor: &mut Processor, from: &mut usize, blocks: usize, playing: bool) -> Vec<f32> {
    let mut heard = Vec::new();
    let (mut events_in, mut events_out) = (EventBuffer::new(16, false), EventBuffer::new(16, false));
    for _ in 0..blocks {
        let mut left: Vec<f32> = (0..64).map(|i| sine(*from + i)).collect();
        let mut right = left.clone();
        processor.process(&mut ContainerBlock {
            main: &mut [&mut left, &mut right],
            sidechain: &[],
            aux: &mut [],
            events_in: &mut events_in,
            events_out: &mut events_out,
            transport: Some(Transport { playing, ..Transport::default() }),
            bypass: false,
        });
        heard.extend_from_slice(&left);
        *from += 64;
    }
    heard
}

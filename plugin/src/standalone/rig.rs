//! What every driver runs: the chain's processor with its buffers.

use std::sync::Arc;

use atomic_refcell::AtomicRefCell;
use host_core::backend::audio::{EventBuffer, Transport};
use host_core::engine::{ContainerBlock, Processor};
use sync_wrapper::SyncWrapper;

use super::CHANNELS;
use super::song::{Counter, Song};

/// Frames run at once; a longer block of a driver is cut.
pub const MAX_BLOCK: usize = 8192;
/// MIDI messages in one block.
const EVENTS: usize = 4096;

/// A rig that a driver borrows for each block. It stays when a driver goes.
pub type SharedRig = Arc<AtomicRefCell<SyncWrapper<Rig>>>;

/// Processor and buffers.
pub struct Rig {
    processor: Processor,
    song: Arc<Song>,
    counter: Counter,
    /// The main signal, in and out.
    pub main: [Vec<f32>; CHANNELS],
    /// The sidechain.
    pub side: [Vec<f32>; CHANNELS],
    /// MIDI in. The driver fills it, with frames counted from the start of the run.
    pub events_in: EventBuffer,
    /// MIDI out, after a run.
    pub events_out: EventBuffer,
}

impl Rig {
    /// A rig ready to be run. `[any but audio]`
    pub fn shared(processor: Processor, song: Arc<Song>) -> SharedRig {
        let planes = || std::array::from_fn(|_| vec![0.0; MAX_BLOCK]);
        Arc::new(AtomicRefCell::new(SyncWrapper::new(Self {
            processor,
            song,
            counter: Counter::default(),
            main: planes(),
            side: planes(),
            events_in: EventBuffer::new(EVENTS, true),
            events_out: EventBuffer::new(EVENTS, true),
        })))
    }

    /// Runs `frames`, at most [`MAX_BLOCK`], of `main` and `side` in place. Where the driver has no transport, or one without tempo, the
    /// song's is taken. `rate` in Hz. `[audio]`
    pub fn run(&mut self, frames: usize, sidechain: bool, transport: Option<Transport>, rate: u32) {
        let frames = frames.min(MAX_BLOCK);
        let transport = match transport {
            None => self.counter.next(&self.song, frames, rate.into()),
            Some(mut given) => {
                self.song.follow(given.playing);
                if given.tempo.is_none() {
                    self.song.pace().fill(&mut given, rate.into());
                }
                given
            }
        };
        self.events_out.clear();
        self.events_in.sort();
        let [left, right] = &mut self.main;
        let [side_left, side_right] = &self.side;
        let side = [&side_left[..frames], &side_right[..frames]];
        self.processor.process(&mut ContainerBlock {
            main: &mut [&mut left[..frames], &mut right[..frames]],
            sidechain: if sidechain { &side } else { &[] },
            aux: &mut [],
            events_in: &mut self.events_in,
            events_out: &mut self.events_out,
            transport: Some(transport),
            bypass: false,
        });
        self.events_in.clear();
    }
}

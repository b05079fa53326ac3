//! Lanes that are run side by side. `[audio]` all through.
//!
//! Each has a kit: its steps, buffers of its own, and all that a walk uses in turn. What lanes leave behind in common (MIDI,
//! auxiliary outputs, reports) waits in the kit and is gathered lane by lane, in the order of a serial walk: so the sums are the
//! same to the last bit.

use atomic_refcell::AtomicRefCell;
use sync_wrapper::SyncWrapper;

use super::run::{Ends, walk};
use super::{Bus, Ears, Scratch, Step, Transport};
use crate::engine::cpu::{self, FlushToZero};
use crate::engine::messages::{Kept, Mail};
use crate::engine::slot::{Moment, Taps};
use crate::engine::source::Source;
use crate::pool::Share;

/// A lane that a helper may run.
pub struct Kit {
    pub steps: Vec<Step>,
    /// Its own; the first is what comes into the lane.
    buffers: Vec<Bus>,
    /// The one that holds what the lane makes.
    output: usize,
    scratch: Scratch,
    reports: Kept,
    /// No channels: what is added there is added when the lane is gathered.
    aux: Bus,
    mute: bool,
}

impl Kit {
    /// `[home]`
    pub fn new(steps: Vec<Step>, buffers: Vec<Bus>, output: usize, scratch: Scratch) -> Self {
        Self { steps, buffers, output, scratch, reports: Kept::new(), aux: Bus::new(0, 0), mute: false }
    }

    fn run(&mut self, block: &Block<'_>, mode: &FlushToZero) {
        self.reports.begin(block.room);
        let mut moment = Moment {
            frames: block.frames,
            samples: block.samples,
            grid: block.grid,
            transport: block.transport,
            late: None,
            source: block.source,
            before: 0,
            sidechain: block.sidechain,
            taps: Taps::Seen(block.taps),
            ears: Ears::default(),
            aux: &mut self.aux,
            scratch: &mut self.scratch,
            reports: Mail::Kept(&mut self.reports),
            mode,
            tick: cpu::ticks(),
            mute: false,
            clips: 0,
        };
        let alone = Team { kits: &[], share: None, rate: block.rate };
        walk(&self.steps, None, &mut self.buffers, &mut moment, &mut Ends::Buffers, &alone);
        self.mute = moment.mute;
    }
}

/// What is the same for all lanes of a block.
struct Block<'a> {
    frames: usize,
    samples: u32,
    grid: u32,
    transport: Option<&'a Transport>,
    source: &'a Source,
    sidechain: &'a Bus,
    taps: &'a [Bus],
    /// Reports that find room, for each lane.
    room: usize,
    rate: f64,
}

/// Lanes and those who run them.
pub struct Team<'a> {
    pub kits: &'a [AtomicRefCell<SyncWrapper<Kit>>],
    pub share: Option<&'a Share>,
    /// Sample rate, Hz.
    pub rate: f64,
}

impl Team<'_> {
    /// One of the steps that are its own.
    #[inline(never)]
    pub fn run(&self, step: &Step, buffers: &mut [Bus], moment: &mut Moment<'_>) {
        match step {
            Step::Load { kit, from } => self.load(*kit, &mut buffers[*from], moment),
            Step::Fork(items) => self.fork(items, moment),
            Step::Gather { kit, to } => self.gather(*kit, &mut buffers[*to], moment),
            _ => {}
        }
    }

    /// Lets `work` at a kit. Only the thread that has taken its lane asks for it.
    fn with(&self, kit: usize, work: impl FnOnce(&mut Kit)) {
        if let Some(Ok(mut kit)) = self.kits.get(kit).map(|kit| kit.try_borrow_mut()) {
            work(kit.get_mut());
        }
    }

    fn load(&self, kit: usize, from: &mut Bus, moment: &mut Moment<'_>) {
        self.with(kit, |kit| {
            std::mem::swap(&mut kit.buffers[0], from);
            kit.scratch.stream.clear();
            kit.scratch.stream.append(&moment.scratch.stream);
        });
    }

    fn fork(&self, items: &[Box<[usize]>], moment: &mut Moment<'_>) {
        let block = Block {
            frames: moment.frames,
            samples: moment.samples,
            grid: moment.grid,
            transport: moment.transport,
            source: moment.source,
            sidechain: moment.sidechain,
            taps: moment.taps.all(),
            room: moment.reports.room() / self.kits.len().max(1),
            rate: self.rate,
        };
        let run = |item: usize| {
            let mode = FlushToZero::on();
            for &kit in &items[item] {
                self.with(kit, |kit| kit.run(&block, &mode));
            }
        };
        if !self.share.is_some_and(|share| share.run(items.len(), &run)) {
            (0..items.len()).for_each(run);
        }
        moment.tick = cpu::ticks();
    }

    fn gather(&self, kit: usize, to: &mut Bus, moment: &mut Moment<'_>) {
        let frames = moment.frames;
        self.with(kit, |kit| {
            let output = kit.output;
            std::mem::swap(&mut kit.buffers[output], to);
            std::mem::swap(&mut kit.scratch.stream, &mut moment.scratch.stream);
            moment.mute |= kit.mute;
            kit.reports.send(&mut moment.reports);
            for step in &kit.steps {
                if let Step::Slot(step) = step {
                    step.node.add_late(moment.aux, frames);
                }
            }
        });
    }
}

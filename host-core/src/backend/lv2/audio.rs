//! The audio half of an LV2 plugin. Realtime code only; it is made in `audio_setup`.
//!
//! A quiet block (no event, no change, nothing the plugin's ports ask for each block) is one call of the plugin's
//! `run`. Else the block is run in parts: it is cut where a control input changes, at multiples of the block's
//! [grid](Block::grid) counted from the stream's start, so that the same changes give the same sound at any block size.

use std::any::Any;
use std::sync::atomic::Ordering::Relaxed;

use super::atom::{self, Object};
use super::audio_changes::Changes;
use super::describe::Target;
use super::ffi::machine::Machine;
use super::patch::{self, Number};
use super::time::{self, Clock, Part};
use super::urid::Known;
use super::wires::Wires;
use crate::backend::audio::{Block, ParamEvent, PluginAudio, PortBuffers, RunStatus, Transport, to_midi_1};

/// The audio half.
pub struct Audio {
    pub(super) machine: Machine,
    pub(super) known: &'static Known,
    pub(super) targets: Box<[Target]>,
    pub(super) patch: Box<[PatchTarget]>,
    /// Patch parameters to be sent at the next run, set while the plugin did not run.
    pub(super) unsent: Unsent,
    pub(super) routes: Routes,
    /// Control inputs that change at the next point of the grid, by port.
    pub(super) waiting: Vec<(usize, f32)>,
    pub(super) clock: Clock,
    pub(super) rules: Rules,
    /// The one length the plugin takes, where it insists on one.
    pub(super) exact: Option<u32>,
    /// The way to its user interface, where it has messages and one.
    pub(super) wires: Option<Wires>,
}

/// A patch parameter as the audio half needs it.
pub struct PatchTarget {
    /// The number of its URI.
    pub urid: u32,
    /// Its type.
    pub number: Number,
    /// Its index among the parameters.
    pub index: u32,
}

/// What is to be told at the start of the next run.
#[derive(Default)]
pub struct Unsent {
    /// Any of the below.
    pub any: bool,
    /// Which patch parameters.
    pub patch: Vec<bool>,
    /// Ask the plugin for all its values.
    pub get: bool,
}

/// Which ports take what, as places in the machine's atom ports or as port indices.
#[derive(Default)]
pub struct Routes {
    /// Atom inputs that take MIDI, the main one first.
    pub midi_in: Vec<usize>,
    /// Atom outputs, each with its number among those that make MIDI.
    pub outputs: Vec<(usize, Option<u8>)>,
    /// Atom inputs.
    pub inputs: Vec<usize>,
    /// Those that hold events of the last run.
    pub filled: bool,
    /// Atom input for the song's position.
    pub time: Option<usize>,
    /// Atom input for `patch` messages.
    pub patch: Option<usize>,
    /// Control inputs fed with parts of the position.
    pub parts: Vec<(usize, Part)>,
    /// The control input that tells of free-wheeling.
    pub free_wheeling: Option<usize>,
    /// The control output that tells the latency.
    pub latency: Option<usize>,
}

/// How blocks may be cut.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// A part of a block may be run alone.
    pub may_cut: bool,
    /// Shortest part, frames.
    pub min_block: u32,
    /// Something must be done every block: outputs read, answers given, position told.
    pub busy: bool,
}

impl PluginAudio for Audio {
    fn buffers(&mut self) -> &mut PortBuffers {
        &mut self.machine.buffers
    }

    fn start(&mut self) -> bool {
        self.clock.forget();
        true
    }

    #[inline]
    fn run(&mut self, block: &mut Block<'_>) -> RunStatus {
        if self.exact.is_some_and(|exact| exact != block.frames) {
            return RunStatus::Failed;
        }
        if !self.machine.shared.ran.load(Relaxed) {
            self.machine.shared.ran.store(true, Relaxed);
        }
        let (mut told, mut offline) = (false, false);
        if self.rules.busy {
            offline = self.offline(block.transport);
            told = self.feed_position(block.transport, block.frames);
        }
        let events = !(block.params.is_empty() && block.events.is_empty() && self.waiting.is_empty());
        let asked = self.wires.as_ref().is_some_and(Wires::waits);
        if events || asked || told || self.routes.filled || self.unsent.any {
            self.run_parts(block, told, offline);
        } else if self.rules.busy {
            self.run_whole(block, offline);
        } else {
            self.machine.run(block.frames);
        }
        RunStatus::Ok
    }

    fn reset(&mut self) {
        self.machine.restart();
        self.clock.forget();
        self.settle();
    }

    fn stop(&mut self) {}

    fn latency(&self) -> Option<u32> {
        Some(latency(self.machine.shared.get(self.routes.latency?)))
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Frames of latency from a port's value.
pub fn latency(value: f32) -> u32 {
    // A cast of NaN gives 0, and one past the range its end.
    value.round().clamp(0.0, crate::model::MAX_LATENCY as f32) as u32
}

impl Audio {
    /// Sets at once what waits for the grid: the stream ends here, or newer values are about to be set.
    pub(super) fn settle(&mut self) {
        for (port, value) in self.waiting.drain(..) {
            self.machine.shared.set(port, value);
        }
    }

    /// A block into which nothing goes but sound.
    fn run_whole(&mut self, block: &mut Block<'_>, offline: bool) {
        self.offer_outputs();
        self.machine.run(block.frames);
        self.take_results(block, 0, offline);
    }

    fn offer_outputs(&mut self) {
        for (port, _) in &self.routes.outputs {
            atom::offer(self.machine.atoms[*port].buffer.bytes_mut(), self.known);
        }
    }

    /// What a run from frame `start` on left behind.
    fn take_results(&mut self, block: &mut Block<'_>, start: u32, offline: bool) {
        self.read_outputs(block, start);
        if let Some(answers) = &mut self.machine.answers {
            answers.deliver(offline);
        }
    }

    fn run_parts(&mut self, block: &mut Block<'_>, told: bool, offline: bool) {
        let mut changes = Changes::new(block, !self.rules.may_cut);
        if !self.waiting.is_empty() {
            changes.waiting_at = changes.point(0);
        }
        let mut start = 0;
        loop {
            let end = self.take_changes(&mut changes, block, start);
            self.fill_inputs(block, start, end, told && start == 0);
            self.offer_outputs();
            if start == 0 && end == block.frames {
                self.machine.run(end);
            } else {
                self.machine.run_part(start, end - start);
            }
            self.take_results(block, start, offline);
            start = end;
            if start >= block.frames {
                break;
            }
        }
        self.keep_waiting(&changes, block.params);
    }

    fn offline(&mut self, transport: Option<&Transport>) -> bool {
        let offline = self.machine.shared.offline.load(Relaxed) || transport.is_some_and(|t| t.offline);
        if let Some(port) = self.routes.free_wheeling {
            self.machine.shared.set(port, f32::from(u8::from(offline)));
        }
        offline
    }

    /// Sets designated control inputs; whether the position must be told by an event.
    fn feed_position(&mut self, transport: Option<&Transport>, frames: u32) -> bool {
        let Some(now) = transport else { return false };
        for (port, part) in &self.routes.parts {
            if let Some(value) = time::designated(*part, now) {
                self.machine.shared.set(*port, value);
            }
        }
        self.routes.time.is_some() && self.clock.moved(now, frames)
    }

    /// Writes the events of frames `start..end` into the atom inputs.
    fn fill_inputs(&mut self, block: &Block<'_>, start: u32, end: u32, position: bool) {
        let asked = start == 0 && self.wires.as_ref().is_some_and(Wires::waits);
        let events = !block.events.is_empty() || !block.params.is_empty() || asked;
        if !(events || position || self.routes.filled || self.unsent.any) {
            return;
        }
        for at in &self.routes.inputs {
            atom::clear(self.machine.atoms[*at].buffer.bytes_mut(), self.known);
        }
        self.routes.filled = false;
        if let (true, Some(now)) = (position, block.transport) {
            let mut object = Object::new();
            self.clock.write(&mut object, self.known, now);
            self.append(self.routes.time, 0, self.known.atom_object, object.body());
        }
        if start == 0 {
            self.send_unsent();
            if let Some(wires) = &mut self.wires {
                wires.deliver(&mut self.machine.atoms, &mut self.routes);
            }
        }
        self.merge(block, start, end);
    }

    /// MIDI and patch parameters in the order of their frames.
    fn merge(&mut self, block: &Block<'_>, start: u32, end: u32) {
        let last = end == block.frames;
        let within = |frame: u32| frame >= start && (frame < end || last);
        let mut params = block.params.iter().filter(|event| within(event.frame)).peekable();
        for (event, bytes) in block.events.iter() {
            let frame = u32::from(event.frame);
            if !within(frame) {
                continue;
            }
            while let Some(param) = params.next_if(|param| param.frame <= frame) {
                self.send_param(*param, start);
            }
            let port = self.routes.midi_in.get(event.port as usize).or(self.routes.midi_in.first()).copied();
            let frame = frame.min(end.saturating_sub(1)).saturating_sub(start);
            // LV2 has MIDI 1.0 and nothing else.
            to_midi_1(event.kind(), bytes, &mut |bytes| self.append(port, frame, self.known.midi_event, bytes));
        }
        for param in params {
            self.send_param(*param, start);
        }
    }

    fn send_param(&mut self, event: ParamEvent, start: u32) {
        if let Some(Target::Patch(at)) = self.targets.get(event.index as usize).copied() {
            self.machine.shared.set_patch(at, event.value);
            self.send_patch(at, event.frame.saturating_sub(start));
        }
    }

    fn send_patch(&mut self, at: usize, frame: u32) {
        let Some(target) = self.patch.get(at) else { return };
        let mut object = Object::new();
        patch::write_set(&mut object, self.known, target.urid, target.number, self.machine.shared.patch(at));
        self.append(self.routes.patch, frame, self.known.atom_object, object.body());
    }

    fn send_unsent(&mut self) {
        if !std::mem::take(&mut self.unsent.any) {
            return;
        }
        for at in 0..self.unsent.patch.len() {
            if std::mem::take(&mut self.unsent.patch[at]) {
                self.send_patch(at, 0);
            }
        }
        if std::mem::take(&mut self.unsent.get) {
            let mut object = Object::new();
            patch::write_get(&mut object, self.known);
            self.append(self.routes.patch, 0, self.known.atom_object, object.body());
        }
    }

    fn append(&mut self, port: Option<usize>, frame: u32, kind: u32, body: &[u8]) {
        if let Some(port) = port {
            self.routes.filled |= atom::append(self.machine.atoms[port].buffer.bytes_mut(), frame.into(), kind, body);
        }
    }

    fn read_outputs(&mut self, block: &mut Block<'_>, start: u32) {
        let Self { machine, known, patch, routes, wires, .. } = self;
        let mut wires = wires.as_mut().filter(|_| machine.shared.window());
        for (port, midi) in &routes.outputs {
            let buffer = machine.atoms[*port].buffer.bytes();
            if !atom::has_events(buffer, known) {
                continue;
            }
            let (shared, index) = (&machine.shared, machine.atoms[*port].index);
            atom::events(buffer, &mut |frame, kind, body| {
                if let Some(wires) = &mut wires {
                    wires.tell(index, kind, body);
                }
                let frame = start + frame.clamp(0, i64::from(block.frames - start).max(1) - 1) as u32;
                if kind == known.midi_event {
                    let frame = frame.min(u32::from(u16::MAX)) as u16;
                    block.events_out.push(frame, midi.unwrap_or(0), body);
                } else if kind == known.atom_object || kind == known.atom_blank || kind == known.atom_resource {
                    if atom::object_type(body) == Some(known.state_changed) {
                        shared.dirty.store(true, Relaxed);
                    }
                    patch::read_sets(known, body, &mut |urid, value| {
                        let at = patch.iter().position(|target| target.urid == urid);
                        if let (Some(at), Some(value)) = (at, value) {
                            shared.set_patch(at, value);
                            shared.values.store(true, Relaxed);
                            block.params_out.push(ParamEvent { frame, index: patch[at].index, value });
                        }
                    });
                }
            });
        }
    }
}

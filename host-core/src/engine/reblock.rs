//! Runs a plugin in blocks of one length, whatever lengths come in, at the cost of that length in latency.

use super::events::EVENTS;
use super::foreign::foreign;
use crate::backend::audio::{Block, EventBuffer, ParamEvent, ParamQueue, PluginAudio, PortBuffers, RunStatus};
use crate::model::PortLayout;

/// A plugin behind a queue of one block.
pub struct ReBlock {
    inner: Box<dyn PluginAudio>,
    buffers: PortBuffers,
    block: usize,
    /// Frames of the next block already gathered; as many of the last one are played.
    fill: usize,
    events: EventBuffer,
    made: EventBuffer,
    params: ParamQueue,
    status: RunStatus,
    clock: i64,
}

impl ReBlock {
    /// Runs `inner` in blocks of `block` frames, which its activation must allow. `[home]`
    pub fn new(inner: Box<dyn PluginAudio>, block: u32, ports: &PortLayout, max_block: u32) -> Self {
        Self {
            inner,
            buffers: PortBuffers::new(ports, max_block),
            block: block.max(1) as usize,
            fill: 0,
            events: EventBuffer::new(EVENTS, true),
            made: EventBuffer::new(EVENTS, true),
            params: ParamQueue::new(EVENTS),
            status: RunStatus::Ok,
            clock: 0,
        }
    }

    /// The plugin. `[home]`
    pub fn into_inner(self) -> Box<dyn PluginAudio> {
        self.inner
    }

    /// The plugin. `[any]`
    pub fn inner(&mut self) -> &mut dyn PluginAudio {
        self.inner.as_mut()
    }

    /// Exchanges `count` frames from `at`: new input in, output of the last block out.
    fn exchange(&mut self, at: usize, count: usize) {
        let inner = self.inner.buffers();
        let fill = self.fill;
        for (to, from) in inner.inputs.iter_mut().zip(&self.buffers.inputs) {
            for (to, from) in to.channels.iter_mut().zip(&from.channels) {
                to[fill..fill + count].copy_from_slice(&from[at..at + count]);
            }
        }
        for (to, from) in self.buffers.outputs.iter_mut().zip(&inner.outputs) {
            for (to, from) in to.channels.iter_mut().zip(&from.channels) {
                to[at..at + count].copy_from_slice(&from[fill..fill + count]);
            }
        }
    }

    /// Moves the events and changes of `count` frames from `at` into the block being gathered, and the events made in the
    /// last block out.
    fn exchange_events(&mut self, block: &mut Block<'_>, at: usize, count: usize) {
        let here = |frame: usize| (at..at + count).contains(&frame);
        for (event, bytes) in block.events.iter().filter(|(event, _)| here(event.frame.into())) {
            self.events.copy((usize::from(event.frame) - at + self.fill) as u16, event, bytes);
        }
        for change in block.params.iter().filter(|change| here(change.frame as usize)) {
            self.params.push_last(ParamEvent { frame: (change.frame as usize - at + self.fill) as u32, ..*change });
        }
        let due = self.fill..self.fill + count;
        for (event, bytes) in self.made.iter().filter(|(event, _)| due.contains(&event.frame.into())) {
            block.events_out.copy((usize::from(event.frame) - self.fill + at) as u16, event, bytes);
        }
    }

    fn run_inner(&mut self, block: &mut Block<'_>) {
        self.made.clear();
        let mut whole = Block {
            frames: self.block as u32,
            steady_time: self.clock,
            grid: block.grid,
            transport: block.transport,
            events: &self.events,
            params: self.params.as_slice(),
            events_out: &mut self.made,
            params_out: block.params_out,
        };
        self.status = foreign(|| self.inner.run(&mut whole));
        self.clock += self.block as i64;
        self.events.clear();
        self.params.clear();
        self.fill = 0;
    }
}

impl PluginAudio for ReBlock {
    fn buffers(&mut self) -> &mut PortBuffers {
        &mut self.buffers
    }

    fn start(&mut self) -> bool {
        self.inner.start()
    }

    fn run(&mut self, block: &mut Block<'_>) -> RunStatus {
        let frames = block.frames as usize;
        let mut at = 0;
        while at < frames {
            let count = (frames - at).min(self.block - self.fill);
            self.exchange(at, count);
            self.exchange_events(block, at, count);
            self.fill += count;
            at += count;
            if self.fill == self.block {
                self.run_inner(block);
            }
        }
        self.status
    }

    fn reset(&mut self) {
        for channel in self.inner.buffers().outputs.iter_mut().flat_map(|bus| &mut bus.channels) {
            channel.fill(0.0);
        }
        self.events.clear();
        self.made.clear();
        self.fill = 0;
        foreign(|| self.inner.reset());
    }

    fn stop(&mut self) {
        self.inner.stop();
    }

    fn latency(&self) -> Option<u32> {
        Some(self.inner.latency()?.saturating_add(self.block as u32))
    }

    fn wants_run(&self) -> bool {
        self.inner.wants_run()
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
        self
    }
}

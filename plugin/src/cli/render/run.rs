//! The render itself: blocks through the chain.

use std::time::Instant;

use host_core::backend::audio::{EventBuffer, Transport};
use host_core::engine::{ContainerBlock, Processor};
use host_core::session::SessionHandle;

use super::report::Report;
use super::tail::Cutter;
use crate::cli::Failure;
use crate::cli::args::Render;
use crate::cli::audio::{Resampled, Sink};
use crate::cli::progress::Progress;
use crate::cli::song::Pace;

/// Blocks between two looks at the tail.
const LOOK_EVERY: u64 = 32;
/// Looks at the meters for each second of sound.
const LOOKS: u64 = 4;

/// One render under way.
pub struct Run<'a> {
    task: &'a Render,
    session: &'a SessionHandle,
    processor: Processor,
    input: Resampled,
    sink: Sink,
    cutter: Cutter,
    /// Frames run since the meters were last read.
    unread: u64,
    planes: Vec<Vec<f32>>,
    mixed: Vec<f32>,
    events: [EventBuffer; 2],
    blocks: u64,
    position: u64,
    input_peak: f32,
}

impl<'a> Run<'a> {
    /// Everything that a render needs.
    pub fn new(
        task: &'a Render,
        session: &'a SessionHandle,
        processor: Processor,
        input: Resampled,
        sink: Sink,
    ) -> Self {
        let shape = input.shape;
        Self {
            cutter: Cutter::new(shape.channels, shape.rate, task.tail),
            planes: vec![vec![0.0; task.block as usize]; shape.channels.into()],
            mixed: Vec::new(),
            events: [EventBuffer::new(16, false), EventBuffer::new(4096, true)],
            unread: 0,
            blocks: 0,
            position: 0,
            input_peak: 0.0,
            task,
            session,
            processor,
            input,
            sink,
        }
    }

    /// Renders to the end and puts the file in its place.
    pub fn finish(mut self) -> Result<Report, Failure> {
        let began = Instant::now();
        let mut bar = Progress::new("Rendering");
        let block = self.task.block as usize * self.planes.len();
        let mut waiting: Vec<f32> = Vec::new();
        while let Some(samples) = self.input.next()? {
            self.input_peak = samples.iter().fold(self.input_peak, |peak, sample| peak.max(sample.abs()));
            waiting.extend_from_slice(samples);
            let mut done = 0;
            while waiting.len() - done >= block {
                self.block(&waiting[done..done + block])?;
                done += block;
            }
            waiting.drain(..done);
            let source = self.input.source();
            bar.set(source.read, source.frames.unwrap_or(0), "");
        }
        let frames = self.position + (waiting.len() / self.planes.len()) as u64;
        self.cutter.input_ended(frames);
        self.end(waiting, block)?;
        self.session.settle();
        let snapshot = self.session.look();
        let (rate, latency) = (self.input.shape.rate, self.session.latency());
        let written = self.cutter.kept();
        let report = Report::new(self.task, &snapshot, rate, latency)
            .lengths(frames, written, self.input.source())
            .levels(self.input_peak, &self.sink)
            .took(began.elapsed());
        self.sink.finish()?;
        Ok(report)
    }

    /// The last, shorter part of the input, and silence until the tail is over.
    fn end(&mut self, mut last: Vec<f32>, block: usize) -> Result<(), Failure> {
        let silence = vec![0.0; block];
        last.resize(block, 0.0);
        let first = if last.is_empty() { &silence } else { &last };
        self.block(first)?;
        while !self.cutter.ended() {
            self.block(&silence)?;
        }
        Ok(())
    }

    /// One block through the chain.
    fn block(&mut self, samples: &[f32]) -> Result<(), Failure> {
        let channels = self.planes.len();
        let frames = samples.len() / channels;
        for (channel, plane) in self.planes.iter_mut().enumerate() {
            for (to, from) in plane.iter_mut().zip(samples.iter().skip(channel).step_by(channels)) {
                *to = *from;
            }
        }
        self.process(frames);
        self.unread += frames as u64;
        if self.task.tells() && self.unread * LOOKS >= u64::from(self.input.shape.rate) {
            // What is listened to waits in rings of a second.
            self.unread = 0;
            self.session.look();
        }
        if self.blocks == 1 || self.blocks.is_multiple_of(LOOK_EVERY) {
            self.look();
        }
        self.mixed.clear();
        for frame in 0..frames {
            self.mixed.extend(self.planes.iter().map(|plane| plane[frame]));
        }
        let sink = &mut self.sink;
        self.cutter.push(&self.mixed, |kept| sink.write(kept))
    }

    fn process(&mut self, frames: usize) {
        let rate = f64::from(self.input.shape.rate);
        let mut transport =
            Transport { playing: true, offline: true, frames: Some(self.position as i64), ..Transport::default() };
        Pace { tempo: self.task.tempo, signature: self.task.time_signature }.fill(&mut transport, rate);
        let mut main: Vec<&mut [f32]> = self.planes.iter_mut().map(|plane| &mut plane[..frames]).collect();
        let [events_in, events_out] = &mut self.events;
        events_in.clear();
        events_out.clear();
        self.processor.process(&mut ContainerBlock {
            main: &mut main,
            sidechain: &[],
            aux: &mut [],
            events_in,
            events_out,
            transport: Some(transport),
            bypass: false,
        });
        self.blocks += 1;
        self.position += frames as u64;
    }

    /// Reads the tail; after the first block also what an LV2 plugin tells of its latency only then.
    fn look(&mut self) {
        if self.blocks == 1 {
            self.session.settle();
            let latency = u64::from(self.session.latency());
            if self.task.compensate {
                self.cutter.skip = latency;
            }
        }
        let tail = self.processor.tail();
        if tail != u32::MAX {
            self.cutter.at_least = u64::from(tail).saturating_sub(if self.task.compensate {
                u64::from(self.session.latency())
            } else {
                0
            });
        }
    }
}

//! The container: Catena as nice-plug's `Plugin`, one chain inside.
//!
//! 1. [`Container::default`] opens a session with an empty chain (no scan, no file);
//! 2. the DAW's state is loaded through [`Shared::load`], which returns when the chain is built;
//! 3. `activate` starts it at the DAW's rate and largest block; another channel count makes a new session that
//!    takes the chain over;
//! 4. `process` cuts a block longer than was announced (8192 frames at most), hands buffers and events to the engine's `Processor`, and keeps
//!    an aligned copy of the input in [`DryTap`], so that a panic anywhere below is heard as the dry signal;
//! 5. dropping it drops the session's handle: home takes the chain down.
//!
//! CLAP, LV2 and VST3 use different Plugin types ([`Flavour`]): in CLAP and LV2 the events come straight from the host's
//! list ([`Shared::events`]), in VST3 through nice-plug, which cuts blocks at the DAW's own automation points.

mod bypass;
mod dry;
mod events;
mod flavour;
mod lv2;
mod midi;
mod shared;
mod slices;
mod titles;

use std::cell::RefCell;
use std::sync::Arc;

use host_core::backend::audio::{Event, EventBuffer, to_midi_1};
use host_core::engine::Processor;
use host_core::model::BLOCK_RANGE;
use host_core::session::{HostSetup, SessionHandle};
use nice_plug::prelude::*;

use crate::editor::{CatenaEditor, GuiBridge};
use crate::guard::guard;
use crate::params::ContainerParams;
use dry::DryTap;
pub use events::{HostEvents, MacroMove};
pub use flavour::{
    ClapEffect, ClapInstrument, Flavour, Format, Lv2Effect, Lv2Instrument, Lv2Mono, Lv2Surround, Vst3Effect,
    Vst3Instrument,
};
pub use lv2::{lv2_exports, lv2_variant};
pub use shared::{Channels, Shared};
use slices::Slices;

/// Messages a block may carry each way.
pub const EVENTS: usize = 4096;
/// Longest block the engine takes, frames.
const MAX_BLOCK: usize = *BLOCK_RANGE.end() as usize;

thread_local! {
    /// What the last container made on this thread shares with our half of the plugin, which cannot reach into
    /// nice-plug's wrapper, and takes it at once.
    static MADE: RefCell<Option<Made>> = const { RefCell::new(None) };
}

/// What a container and our half of the plugin in front of nice-plug's share.
pub struct Made {
    /// Session, events and flags.
    pub shared: Arc<Shared>,
    /// The parameters.
    pub params: Arc<ContainerParams>,
}

/// Takes what the container just made on this thread left here. `[any but audio]`
pub fn take_made() -> Option<Made> {
    MADE.take()
}

/// One Catena in a DAW.
pub struct Container<F: Flavour> {
    params: Arc<ContainerParams>,
    shared: Arc<Shared>,
    gui: Arc<GuiBridge>,
    audio: Audio,
    flavour: std::marker::PhantomData<fn() -> F>,
}

/// What only `activate` and the audio thread touch.
struct Audio {
    /// None where the session could not be opened: dry.
    processor: Option<Processor>,
    session: Option<SessionHandle>,
    channels: Channels,
    dry: DryTap,
    rate: f64,
    /// Longest part of a call that the engine takes at once, frames: a host may break its own word (Ardour bounces in
    /// blocks of 8192 whatever it announced).
    longest: usize,
    /// Events of this call, frames from its start.
    gathered: EventBuffer,
    slices: Slices,
    bypass: Bypass,
}

/// The container's bypass as the DAW's parameter and the chain have it: whichever changed last holds.
#[derive(Default)]
struct Bypass {
    param: bool,
    chain: bool,
    now: bool,
}

impl Bypass {
    /// Takes both in. True: the DAW changed its parameter. Where both changed since the last block the DAW's holds: the chain's
    /// may be no more than its answer to what the DAW said before. `[audio]`
    fn follow(&mut self, param: bool, chain: bool) -> bool {
        let told = param != self.param;
        if told {
            self.now = param;
        } else if chain != self.chain {
            self.now = chain;
        }
        (self.param, self.chain) = (param, chain);
        told
    }
}

impl<F: Flavour> Default for Container<F> {
    fn default() -> Self {
        let channels = Channels::of(&F::LAYOUTS[0]);
        let shared = Arc::new(Shared::default());
        let params = Arc::new(ContainerParams::new(&shared, F::FORMAT == Format::Vst3));
        let (session, processor) = guard(None, || shared.open(channels)).unzip();
        if F::FORMAT != Format::Lv2 {
            // In LV2 nobody takes it: it would live as long as the thread.
            MADE.set(Some(Made { shared: Arc::clone(&shared), params: Arc::clone(&params) }));
        }
        Self {
            gui: Arc::new(GuiBridge::new(F::FORMAT, Arc::clone(&shared), Arc::clone(&params))),
            params,
            shared,
            audio: Audio {
                processor,
                session,
                channels,
                dry: DryTap::default(),
                rate: 0.0,
                longest: MAX_BLOCK,
                gathered: EventBuffer::new(EVENTS, true),
                slices: Slices::new(),
                bypass: Bypass::default(),
            },
            flavour: std::marker::PhantomData,
        }
    }
}

impl<F: Flavour> Container<F> {
    /// Starts the session for `setup`, in another session where the channels differ.
    fn start(&mut self, channels: Channels, setup: HostSetup) {
        let audio = &mut self.audio;
        if channels != audio.channels || audio.session.is_none() {
            let kept = self.shared.save();
            (audio.session, audio.processor) = self.shared.open(channels).unzip();
            audio.channels = channels;
            if let Some(bytes) = kept {
                self.shared.load(&bytes);
            }
        }
        audio.rate = setup.rate;
        audio.longest = (setup.max_block as usize).clamp(1, MAX_BLOCK);
        if let Some(session) = &audio.session
            && let Err(error) = session.activate(setup)
        {
            self.shared.say(error.to_string());
        }
        let latency = audio.session.as_ref().map_or(0, SessionHandle::latency);
        audio.dry = DryTap::new(channels.main.into(), latency as usize, setup.max_block as usize);
        if F::FORMAT == Format::Lv2 {
            // A host may look at the latency port before the first block.
            self.shared.tell_latency(latency);
        }
    }

    /// One call's worth of audio. `[audio]`
    fn run(&mut self, buffer: &mut Buffer, aux: &mut AuxiliaryBuffers, context: &mut impl ProcessContext<Self>) -> u32 {
        let audio = &mut self.audio;
        let Some(processor) = &mut audio.processor else { return 0 };
        audio.gathered.clear();
        let base = match self.shared.events.try_borrow_mut() {
            // Our half put the host's whole list there; this call may be a part of the host's block.
            Ok(mut events) if F::FORMAT.ours() => {
                let base = events.done;
                events.done += buffer.samples() as u32;
                events.take(base, buffer.samples() as u32, &mut audio.gathered);
                base
            }
            _ => {
                while let Some(event) = context.next_event() {
                    midi::push(&event, &mut audio.gathered);
                }
                0
            }
        };
        let mut transport = midi::transport(context.transport(), audio.rate, self.shared.offline());
        audio.gathered.sort();
        let chain = audio.session.as_ref().is_some_and(SessionHandle::bypassed);
        if audio.bypass.follow(self.params.bypass.value(), chain) {
            // The chain hears of it on the host's main thread.
            self.shared.wake();
        }
        let bypass = audio.bypass.now;
        for start in (0..buffer.samples()).step_by(audio.longest) {
            let end = (start + audio.longest).min(buffer.samples());
            if F::FORMAT == Format::Clap {
                if let Ok(events) = self.shared.events.try_borrow() {
                    events.play_macros(base + start as u32, (end - start) as u32, processor);
                }
            } else if start == 0 {
                // The block was cut where the host moves them: what is new counts from its first frame.
                for (index, value) in self.params.macros.take_moves(&self.shared) {
                    processor.set_macro(0, index, value.into());
                }
            }
            let mut emit = |frame: u32, event: &Event, bytes: &[u8]| {
                if F::FORMAT.ours() {
                    if let Ok(mut events) = self.shared.events.try_borrow_mut() {
                        events.output.push_as(clamp_frame(base + frame), 0, event.kind(), bytes);
                    }
                } else {
                    to_midi_1(event.kind(), bytes, &mut |bytes| {
                        if let Some(event) = midi::parse(frame, bytes) {
                            // A host without room for it loses it; there is nobody to tell.
                            let _ = context.try_send_event(event);
                        }
                    });
                }
            };
            let mut part =
                slices::Part { main: buffer.as_slice(), aux, range: start..end, transport: Some(transport), bypass };
            audio.slices.run::<F>(processor, &mut part, &audio.gathered, &mut emit);
            midi::advance(&mut transport, (end - start) as f64, audio.rate);
        }
        processor.tail()
    }

    /// Leaves edits for our half of the plugin to tell, and the latency, of which a VST3 host hears the value first
    /// and the notice after. In CLAP the entry does both on the host's main thread. `[audio]`
    fn tell_host(&self, context: &mut impl ProcessContext<Self>) {
        let Some(session) = self.audio.session.as_ref().filter(|_| F::FORMAT != Format::Clap) else { return };
        self.shared.take_in(session.take_outbox());
        let latency = session.latency();
        if self.shared.tell_latency(latency) && F::FORMAT == Format::Vst3 {
            context.set_latency_samples(latency);
        }
    }
}

/// A frame as the engine's events hold it.
pub fn clamp_frame(frame: u32) -> u16 {
    u16::try_from(frame).unwrap_or(u16::MAX)
}

impl<F: Flavour> Plugin for Container<F> {
    const NAME: &'static str = F::NAME;
    const VENDOR: &'static str = "Catena";
    const URL: &'static str = env!("CARGO_PKG_REPOSITORY");
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");
    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = F::LAYOUTS;
    const MIDI_INPUT: MidiConfig = if F::FORMAT.ours() { MidiConfig::None } else { MidiConfig::MidiCCs };
    const MIDI_OUTPUT: MidiConfig = if F::FORMAT.ours() { MidiConfig::None } else { MidiConfig::MidiCCs };
    const SAMPLE_ACCURATE_AUTOMATION: bool = !F::FORMAT.ours();
    const INPUT_EVENT_CAPACITY: usize = EVENTS;

    type Editor = CatenaEditor;
    type SysExMessage = midi::SysEx;
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        Arc::clone(&self.params) as Arc<dyn Params>
    }

    fn task_executor(&mut self) -> TaskExecutor<Self> {
        let gui = Arc::clone(&self.gui);
        Box::new(move |()| guard((), || gui.tell_host()))
    }

    fn editor(&mut self, executor: AsyncExecutor<Self>) -> Option<Self::Editor> {
        guard(None, || crate::editor::create(Arc::clone(&self.gui), move || executor.execute_gui(())))
    }

    fn activate(
        &mut self,
        layout: &AudioIOLayout,
        config: &BufferConfig,
        _context: &mut impl ActivateContext<Self>,
    ) -> bool {
        let offline = config.process_mode == ProcessMode::Offline;
        let setup = HostSetup {
            rate: config.sample_rate.into(),
            max_block: config.max_buffer_size.min(MAX_BLOCK as u32),
            offline,
        };
        self.shared.set_offline(offline);
        let channels = Channels::of(layout);
        if !guard(false, || {
            self.start(channels, setup);
            true
        }) {
            self.shared.set_broken();
        }
        true
    }

    fn reset(&mut self) {
        if !self.shared.broken()
            && let Some(processor) = &mut self.audio.processor
            && !guard(false, || {
                processor.reset();
                true
            })
        {
            self.shared.set_broken();
        }
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        slices::spread_mono(buffer.as_slice(), F::main_inputs(self.audio.channels));
        self.audio.dry.feed(buffer.as_slice());
        let tail = if self.shared.broken() {
            None
        } else {
            guard(None, || {
                self.tell_host(context);
                Some(self.run(buffer, aux, context))
            })
        };
        let Some(tail) = tail else {
            // A panic left the chain in an unknown state: dry from here on, aligned as it was.
            self.shared.set_broken();
            self.audio.dry.write(buffer.as_slice());
            return ProcessStatus::Normal;
        };
        self.shared.set_tail(tail);
        match tail {
            0 => ProcessStatus::Normal,
            u32::MAX => ProcessStatus::KeepAlive,
            frames => ProcessStatus::Tail(frames),
        }
    }

    fn deactivate(&mut self) {
        if let Some(session) = &self.audio.session {
            guard((), || session.deactivate());
        }
    }
}

#[cfg(test)]
mod tests;

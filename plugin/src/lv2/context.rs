//! nice-plug's contexts: what a plugin may ask of its host while it is activated and while it runs.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use nice_plug::context::process::SendEventError;
use nice_plug::midi::MidiResult;
use nice_plug::prelude::{ActivateContext, PluginApi, PluginNoteEvent, ProcessContext, Transport};

use super::Lv2Plugin;
use super::atoms::Writer;
use super::ffi::Common;

/// nice-plug has no word for LV2; the nearest is the one whose parameters have plain values too.
pub const API: PluginApi = PluginApi::Clap;

/// During `activate`.
pub struct Activating<'a, P: Lv2Plugin>(pub &'a Common<P>);

impl<P: Lv2Plugin> ActivateContext<P> for Activating<'_, P> {
    fn plugin_api(&self) -> PluginApi {
        API
    }

    fn execute(&self, task: P::BackgroundTask) {
        self.0.tasks.execute(task);
    }

    fn set_latency_samples(&self, samples: u32) {
        self.0.latency.store(samples, Ordering::Relaxed);
    }

    fn set_current_voice_capacity(&self, _capacity: u32) {}
}

/// During `process`.
pub struct Processing<'a, 'w, P: Lv2Plugin> {
    /// What all parts of the instance share.
    pub common: &'a Common<P>,
    /// The song at the part's first frame.
    pub transport: Transport,
    /// Events of the part.
    pub events: &'a mut VecDeque<PluginNoteEvent<P>>,
    /// Where events go; `None` where the host took no port for them.
    pub out: Option<&'a mut Writer<'w>>,
    /// The part's first frame in the host's block.
    pub start: u32,
    /// Its frames.
    pub frames: u32,
}

impl<P: Lv2Plugin> ProcessContext<P> for Processing<'_, '_, P> {
    fn plugin_api(&self) -> PluginApi {
        API
    }

    fn execute_background(&self, task: P::BackgroundTask) {
        self.common.tasks.post(task);
    }

    fn execute_gui(&self, task: P::BackgroundTask) {
        self.common.tasks.post(task);
    }

    fn transport(&self) -> &Transport {
        &self.transport
    }

    fn next_event(&mut self) -> Option<PluginNoteEvent<P>> {
        self.events.pop_front()
    }

    fn try_send_event(&mut self, event: PluginNoteEvent<P>) -> Result<(), (PluginNoteEvent<P>, SendEventError)> {
        let Some(out) = &mut self.out else { return Err((event, SendEventError::NoOutputBuffer)) };
        let frame = self.start + event.timing().min(self.frames.saturating_sub(1));
        let there_was_room = match event.as_midi() {
            Some(MidiResult::Basic(bytes)) => out.midi(frame, &bytes[..super::words::midi_len(bytes[0])]),
            Some(MidiResult::SysEx(buffer, len)) => {
                let bytes: &[u8] = std::borrow::Borrow::borrow(&buffer);
                out.midi(frame, bytes.get(..len).unwrap_or_default())
            }
            // Nothing that MIDI has a message for.
            None => true,
        };
        if there_was_room { Ok(()) } else { Err((event, SendEventError::HostBufferFull)) }
    }

    fn set_latency_samples(&self, samples: u32) {
        self.common.latency.store(samples, Ordering::Relaxed);
    }

    fn request_restart(&self) {}

    fn set_current_voice_capacity(&self, _capacity: u32) {}
}

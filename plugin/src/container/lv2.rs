//! The container as an LV2 plugin: what LV2 has and nice-plug does not say.

use std::sync::Arc;

use host_core::backend::audio::{Event, to_midi_1};
use host_core::model::Shape;
use nice_plug::prelude::AudioIOLayout;

use super::{Container, Flavour, Lv2Effect, Lv2Instrument, Lv2Mono, Lv2Surround, Shared};
use crate::exported;
use crate::lv2::{Export, Lv2Core, Lv2Plugin, TakeEvent, Variant};
use crate::params::ContainerParams;

/// Longest latency that is ever reported, frames.
const MAX_LATENCY: u32 = 262_144;

/// The four LV2 plugins.
pub fn lv2_exports() -> [Export; 4] {
    [
        Export::of::<Container<Lv2Effect>>(),
        Export::of::<Container<Lv2Mono>>(),
        Export::of::<Container<Lv2Surround>>(),
        Export::of::<Container<Lv2Instrument>>(),
    ]
}

/// The plugin of its own that `shape` makes of a variant.
pub fn lv2_variant(shape: Shape, variant: Variant) -> &'static Export {
    match shape {
        Shape::Effect => Export::variant::<Container<Lv2Effect>>(variant),
        Shape::Mono => Export::variant::<Container<Lv2Mono>>(variant),
        Shape::Surround => Export::variant::<Container<Lv2Surround>>(variant),
        Shape::Instrument => Export::variant::<Container<Lv2Instrument>>(variant),
    }
}

impl<F: Flavour> Lv2Plugin for Container<F> {
    const LV2_URI: &'static str = F::LV2_URI;
    const LV2_CLASSES: &'static [&'static str] =
        if F::LAYOUTS[0].main_input_channels.is_some() { &["UtilityPlugin"] } else { &["InstrumentPlugin"] };
    const LV2_LAYOUT: AudioIOLayout = F::LAYOUTS[0];
    const LV2_STATE: &'static str = "urn:catena-audio:chain";
    const LV2_COMMENT: &'static str = "A chain of other CLAP and LV2 plugins in one plugin";
    const LV2_MAX_LATENCY: u32 = MAX_LATENCY;

    type Core = Link;

    fn lv2_core(&self) -> Arc<Link> {
        Arc::new(Link { shared: Arc::clone(&self.shared), params: Arc::clone(&self.params) })
    }
}

/// The wrapper's way into one container.
pub struct Link {
    shared: Arc<Shared>,
    params: Arc<ContainerParams>,
}

impl Lv2Core for Link {
    const OWN_STATE: bool = true;
    const OWN_EVENTS: bool = true;

    fn become_variant(&self, variant: &Variant) {
        if let Some(exported) = exported::known(variant.uri) {
            self.shared.become_chain(exported);
            self.params.macros.meet(&self.shared);
            self.shared.meet_bypass(&self.params);
        }
    }

    fn save(&self) -> Option<Vec<u8>> {
        self.shared.meet_bypass(&self.params);
        self.shared.save()
    }

    fn load(&self, bytes: &[u8]) -> bool {
        let loaded = self.shared.load(bytes);
        self.shared.meet_bypass(&self.params);
        loaded
    }

    fn events_in(&self, frames: u32, fill: &mut dyn FnMut(TakeEvent<'_>)) {
        if let Ok(mut events) = self.shared.events.try_borrow_mut() {
            events.begin(frames);
            fill(&mut |frame, bytes| {
                events.input.push(super::clamp_frame(frame), 0, bytes);
            });
        }
    }

    fn events_out(&self, take: TakeEvent<'_>) {
        if let Ok(events) = self.shared.events.try_borrow() {
            let each = |(event, bytes): (&Event, &[u8])| {
                to_midi_1(event.kind(), bytes, &mut |bytes| take(event.frame.into(), bytes));
            };
            events.output.iter().for_each(each);
        }
    }

    fn latency(&self) -> Option<u32> {
        Some(self.shared.latency_told())
    }

    fn take_dirty(&self) -> bool {
        self.shared.take_dirty()
    }

    fn set_offline(&self, offline: bool) {
        self.shared.set_offline(offline);
    }

    fn take_notices(&self) -> Vec<String> {
        self.shared.take_notices()
    }
}

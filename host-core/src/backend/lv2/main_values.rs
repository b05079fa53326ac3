//! Values of parameters: the home half's part that keeps them, places them and hands them to the audio half.

use std::sync::atomic::Ordering::Relaxed;

use super::audio::Audio;
use super::describe::Target;
use super::main::{Live, Main};
use super::shared::Shared;
use super::uri;
use crate::backend::PluginAudio;
use crate::model::Steps;

impl Main {
    /// Takes over bounds that are multiples of the rate. Values stay, unless they were never set.
    pub(super) fn rescale(&mut self, rate: f64) {
        let (params, _) = self.about.params(rate);
        for (at, (new, old)) in params.iter().zip(&self.params).enumerate() {
            if new != old {
                self.requests.params = true;
                if !self.set[at] {
                    self.values[at] = new.default;
                }
            }
        }
        self.params = params;
    }

    pub(super) fn write_values(&self, shared: &Shared) {
        shared.offline.store(self.offline, Relaxed);
        for (target, value) in self.targets.iter().zip(&self.values) {
            match target {
                Target::Input(port) => shared.set(*port, *value as f32),
                Target::Patch(at) => shared.set_patch(*at, *value),
                Target::Output(_) => {}
            }
        }
        if let Some(port) = self.about.control(true, uri::FREE_WHEELING) {
            shared.set(port, f32::from(u8::from(self.offline)));
        }
    }

    /// Marks patch parameters set at home, so that the next run tells the plugin.
    pub(super) fn hand_unsent(&mut self) {
        let Some(Live { parked: Some(audio), .. }) = &mut self.live else { return };
        for (at, unsent) in self.unsent.iter_mut().enumerate() {
            if std::mem::take(unsent) {
                audio.unsent.patch[at] = true;
                audio.unsent.any = true;
            }
        }
    }

    /// Marks patch parameters set at home in an audio half that is at home.
    pub(super) fn hand_unsent_to(&mut self, half: &mut dyn PluginAudio) {
        let Some(audio) = half.as_any().downcast_mut::<Audio>() else { return };
        for (at, unsent) in self.unsent.iter_mut().enumerate() {
            if std::mem::take(unsent) {
                audio.unsent.patch[at] = true;
                audio.unsent.any = true;
            }
        }
    }

    pub(super) fn cell(&self, index: usize) -> Option<u64> {
        let shared = &self.live.as_ref()?.shared;
        Some(match *self.targets.get(index)? {
            Target::Input(port) | Target::Output(port) => shared.get(port).to_bits().into(),
            Target::Patch(at) => shared.patch(at).to_bits(),
        })
    }

    /// The value of parameter `index` as far as home knows.
    pub(super) fn current(&self, index: usize) -> Option<f64> {
        let value = *self.values.get(index)?;
        let Some(cell) = self.cell(index) else { return Some(value) };
        if self.away[index] == Some(cell) {
            return Some(value);
        }
        Some(match self.targets[index] {
            Target::Input(_) | Target::Output(_) => f32::from_bits(cell as u32).into(),
            Target::Patch(_) => f64::from_bits(cell),
        })
    }

    /// Sets a value that the plugin is not running on.
    pub(super) fn place(&mut self, index: usize, value: f64) {
        self.values[index] = value;
        self.set[index] = true;
        self.away[index] = None;
        let target = self.targets[index];
        if let Target::Patch(at) = target {
            self.unsent[at] = true;
        }
        if let Some(live) = &self.live {
            match target {
                Target::Input(port) => live.shared.set(port, value as f32),
                Target::Patch(at) => live.shared.set_patch(at, value),
                Target::Output(_) => {}
            }
        }
    }

    pub(super) fn fit(&self, index: usize, value: f64) -> f64 {
        let info = &self.params[index];
        let strict = match self.targets[index] {
            Target::Input(port) => self.about.ports[port].control.as_ref().is_some_and(|control| control.strict),
            _ => false,
        };
        let value = if strict || !value.is_finite() { info.clamp(value) } else { value };
        if matches!(info.steps, Steps::Integer) { value.round() } else { value }
    }
}

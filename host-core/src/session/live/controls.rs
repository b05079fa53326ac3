//! A slot's own settings, brought to the engine. All `[home]`.

use super::Live;
use crate::model::{Aim, Slot};

impl Live {
    /// Brings the slot's own settings to the engine. Smoothed there.
    pub(in crate::session) fn apply_controls(&mut self, slot: &Slot) {
        self.sleep = slot.strip.sleep;
        self.tell_sleep();
        let Some(node) = &self.node else { return };
        let controls = node.controls();
        controls.set_bypass(slot.bypass);
        controls.set_mix(slot.mix as f32);
        controls.set_input_gain(gain(slot.input_gain));
        controls.set_output_gain(gain(slot.output_gain));
        let strip = &slot.strip;
        controls.set_pan(strip.pan as f32);
        controls.set_phase(strip.phase);
        controls.set_mono(strip.mono);
        controls.set_mute(strip.mute);
        controls.set_delta(strip.delta);
        controls.set_idle(strip.idle);
        controls.set_if_fails(slot.if_fails);
        controls.set_merge_midi(slot.merge_midi);
        controls.set_midi(slot.midi);
        controls.set_aux(slot);
    }

    /// Brings one setting that a macro moves to the engine.
    pub(in crate::session) fn apply_control(&self, aim: &Aim, value: f64) {
        let Some(node) = &self.node else { return };
        let controls = node.controls();
        match aim {
            Aim::Bypass(_) => controls.set_bypass(value >= 0.5),
            Aim::Mix(_) => controls.set_mix(value as f32),
            Aim::InputGain(_) => controls.set_input_gain(gain(value)),
            Aim::OutputGain(_) => controls.set_output_gain(gain(value)),
            Aim::Pan(_) => controls.set_pan(value as f32),
            Aim::Mute(_) => controls.set_mute(value >= 0.5),
            _ => {}
        }
    }
}

fn gain(decibels: f64) -> f32 {
    10f64.powf(decibels / 20.0) as f32
}

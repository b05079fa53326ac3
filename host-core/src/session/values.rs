//! The values of a slot's parameters: read, checked, set, brought to every instance. All `[home]`.

use std::collections::BTreeMap;

use super::EditError;
use super::live::{Live, at};
use crate::backend::{AudioAt, PluginAudio};
use crate::model::{Known, ParamInfo, Slot};

impl Live {
    /// Sets every stored value that differs from what the plugin has now.
    pub(super) fn send_values(&mut self, slot: &Slot, audio: &mut [Box<dyn PluginAudio>]) {
        for (instance, main) in self.mains.iter_mut().enumerate() {
            let changes: Vec<_> = main.params().iter().enumerate().filter_map(|(i, p)| wish(slot, i, p)).collect();
            for (index, value) in changes {
                if main.value(index) != Some(value) {
                    main.set_value(index, value, at(audio, instance));
                }
            }
        }
    }

    /// Reads parameters and values again.
    pub(super) fn reread(&mut self) {
        let Some(main) = self.mains.first() else { return };
        self.params = main.params().into();
        self.pages = main.pages().into();
        let known = Known::all(&self.params);
        if *self.known != *known {
            self.known = known.into();
        }
        self.values_stale = true;
        self.refresh_values();
    }

    /// Reads the values again if they may be old. True where one differs from what was shown.
    pub(super) fn refresh_values(&mut self) -> bool {
        if !std::mem::take(&mut self.values_stale) {
            return false;
        }
        self.doing("reading the values of");
        let Some(main) = self.mains.first_mut() else { return false };
        let values: Vec<_> = self.params.iter().enumerate().map(|(i, p)| main.value(i).unwrap_or(p.default)).collect();
        let differ = values != self.values;
        self.values = values;
        differ
    }

    /// The values that a save writes, by key.
    pub(super) fn own_values(&mut self) -> BTreeMap<String, f64> {
        self.doing("reading the values of");
        let Some(main) = self.mains.first_mut() else { return BTreeMap::new() };
        let own = self.params.iter().enumerate().filter(|(_, param)| !param.read_only && !param.is_bypass);
        own.filter_map(|(i, param)| Some((param.key.clone(), main.value(i)?))).collect()
    }

    /// Writes the values into the slot, where the plugin may differ from what is stored.
    pub(super) fn values_into(&mut self, slot: &mut Slot) {
        if self.touched && !self.restoring && !self.mains.is_empty() {
            slot.params = self.own_values();
        }
    }

    /// The slot with the values that it lacks; `None`: it has them all.
    pub(super) fn fuller(&mut self, slot: &Slot) -> Option<Slot> {
        let own = self.params.iter().filter(|param| !param.read_only && !param.is_bypass).count();
        if self.mains.is_empty() || slot.params.len() >= own {
            return None;
        }
        let mut params = self.own_values();
        params.extend(slot.params.clone());
        Some(Slot { params, ..slot.clone() })
    }

    /// What the plugin's own bypass is, by key.
    pub(super) fn bypasses(&mut self) -> Vec<(String, f64)> {
        self.doing("reading the values of");
        let Some(main) = self.mains.first_mut() else { return Vec::new() };
        let all = self.params.iter().enumerate().filter(|(_, param)| param.is_bypass && !param.read_only);
        all.filter_map(|(i, param)| Some((param.key.clone(), main.value(i)?))).collect()
    }

    /// The values that are the user's, by key: the list may be another one after a restart.
    pub(super) fn all_values(&mut self) -> Vec<(String, f64)> {
        let Some(main) = self.mains.first_mut() else { return Vec::new() };
        let writable = main.params().iter().enumerate().filter(|(_, param)| !param.read_only);
        let keys: Vec<_> = writable.map(|(index, param)| (index, param.key.clone())).collect();
        keys.into_iter().filter_map(|(index, key)| Some((key, main.value(index)?))).collect()
    }

    /// A plugin that moves its parameters while it is activated still ends with the values it had.
    pub(super) fn set_back(&mut self, before: &[(String, f64)], halves: &mut [Box<dyn PluginAudio>]) {
        for (instance, main) in self.mains.iter_mut().enumerate() {
            let same = main.params().iter().filter(|param| !param.read_only).map(|param| &param.key);
            let places: Vec<_> = if same.eq(before.iter().map(|(key, _)| key)) {
                let writable = main.params().iter().enumerate().filter(|(_, param)| !param.read_only);
                writable.map(|(index, _)| Some(index)).collect()
            } else {
                let place = |key: &String| main.params().iter().position(|param| param.key == *key && !param.read_only);
                before.iter().map(|(key, _)| place(key)).collect()
            };
            for (place, (_, value)) in places.into_iter().zip(before) {
                if let Some(index) = place
                    && main.value(index) != Some(*value)
                {
                    main.set_value(index, *value, at(halves, instance));
                }
            }
        }
        self.values_stale = true;
    }

    /// Index and checked value for a parameter of this slot.
    pub(super) fn check_param(&self, slot: &Slot, key: &str, value: f64) -> Result<usize, EditError> {
        let found = self.params.iter().position(|param| param.key == key && !param.read_only);
        let index = found.ok_or_else(|| EditError::NoParam { plugin: slot.plugin.clone(), key: key.into() })?;
        let param = &self.params[index];
        if value.is_nan() || param.clamp(value) != value {
            let what = format!("{} of {}", param.name, slot.title());
            return Err(EditError::Range { what, value, min: param.min, max: param.max });
        }
        Ok(index)
    }

    /// Sets a value in every instance, where it has no node or home plays the audio role.
    pub(super) fn set_value_at_home(&mut self, index: usize, value: f64) {
        self.doing("setting a value of");
        self.touched = true;
        self.values_stale = true;
        let Some(node) = &self.node else {
            return self.mains.iter_mut().for_each(|main| main.set_value(index, value, AudioAt::Inactive));
        };
        let mains = &mut self.mains;
        let mut reached = 0;
        node.with_instances(|instance, half| {
            if let Some(main) = mains.get_mut(instance) {
                main.set_value(index, value, AudioAt::Home(half));
                reached += 1;
            }
        });
        // A plugin that refused to start has no audio half.
        self.mains.iter_mut().skip(reached).for_each(|main| main.set_value(index, value, AudioAt::Inactive));
    }

    /// Notes a value that the caller sends to the audio thread.
    pub(super) fn set_value_away(&mut self, index: usize, value: f64) {
        self.touched = true;
        self.values_stale = true;
        self.mains.iter_mut().for_each(|main| main.set_value(index, value, AudioAt::Away));
    }

    /// Carries out the changes that wait in the node for a block that does not come. Home plays the audio role.
    pub(super) fn carry_out_params(&mut self) {
        let waiting = self.node.as_ref().map(|node| node.take_params()).unwrap_or_default();
        for change in waiting {
            self.set_value_at_home(change.index as usize, change.value);
        }
    }

    /// The audio half told that a parameter moved. True where a save differs by it.
    pub(super) fn note_value(&mut self, index: usize, value: f64) -> bool {
        let shown = self.values.get(index).copied();
        self.mains.iter_mut().for_each(|main| main.note_value(index, value));
        let read_only = self.params.get(index).is_none_or(|param| param.read_only);
        self.touched |= !read_only;
        self.values_stale = true;
        !read_only && shown != Some(value)
    }
}

/// The value a slot wants for parameter `index`.
fn wish(slot: &Slot, index: usize, param: &ParamInfo) -> Option<(usize, f64)> {
    let value = *slot.params.get(&param.key)?;
    (!param.read_only && !param.is_bypass).then(|| (index, param.clamp(value)))
}

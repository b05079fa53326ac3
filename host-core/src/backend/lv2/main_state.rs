//! Saving and restoring: the home half's part that deals with states and presets.

use std::sync::atomic::Ordering::Relaxed;

use super::describe::Target;
use super::ffi;
use super::main::{Live, Loaded, Main, settle};
use super::state::Doc;
use super::uri;
use crate::backend::{AudioAt, StateError};
use crate::model::{PluginState, Preset};

impl Main {
    /// Whether a restore may be made now.
    fn may_restore(&self, audio: &AudioAt<'_>) -> Result<(), StateError> {
        match audio {
            AudioAt::Away if !self.about.has_feature(uri::THREAD_SAFE_RESTORE) => {
                Err(StateError::Running(self.id.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Whether the plugin is still as the loaded state left it.
    fn untouched(&self) -> bool {
        self.live.as_ref().is_none_or(|live| !live.shared.ran.load(Relaxed))
    }

    /// The state now.
    pub(super) fn document(&mut self) -> Result<Doc, StateError> {
        let mut doc = Doc::new(&self.about.uri);
        doc.ports.clone_from(&self.kept_ports);
        let has_state = self.live.as_ref().is_some_and(|live| live.instance.has_state());
        for index in 0..self.targets.len() {
            let Some(value) = self.current(index) else { continue };
            match self.targets[index] {
                Target::Input(port) if self.is_kept(port) => {
                    doc.ports.insert(self.about.ports[port].symbol.clone(), value as f32);
                }
                Target::Patch(at) if !has_state => {
                    doc.parameters.insert(self.about.patch[at].info.key.clone(), value);
                }
                _ => {}
            }
        }
        doc.ports.retain(|_, value| value.is_finite());
        doc.parameters.retain(|_, value| value.is_finite());
        match (&self.loaded, self.untouched()) {
            (Some(loaded), true) => {
                doc.properties.clone_from(&loaded.doc.properties);
                if self.live.is_none() {
                    doc.parameters.clone_from(&loaded.doc.parameters);
                }
            }
            _ => self.ask_properties(&mut doc)?,
        }
        Ok(doc)
    }

    /// Whether a control input is the user's, and not the host's own business.
    fn is_kept(&self, port: usize) -> bool {
        let port = &self.about.ports[port];
        let hosts = |d: &str| d == uri::FREE_WHEELING || d == uri::ENABLED || super::describe::is_time(d);
        !port.designation.as_deref().is_some_and(hosts)
    }

    fn ask_properties(&mut self, doc: &mut Doc) -> Result<(), StateError> {
        doc.properties.clone_from(&self.kept_properties);
        let Some(Live { instance, .. }) = &self.live else { return Ok(()) };
        if !instance.has_state() {
            return Ok(());
        }
        let mut properties = Vec::new();
        self.assets.begin();
        if !ffi::state::save(instance, &mut properties, &mut self.assets) {
            return Err(StateError::SaveFailed(self.id.clone()));
        }
        doc.set_properties(&properties, &mut self.assets);
        Ok(())
    }

    /// The state now, as bytes and files.
    pub(super) fn save_state(&mut self) -> Result<PluginState, StateError> {
        let from_loaded = self.loaded.is_some() && self.untouched();
        let doc = self.document()?;
        let assets = match &self.loaded {
            Some(loaded) if from_loaded => loaded.assets.clone(),
            _ => self.assets.collect()?,
        };
        Ok(PluginState { bytes: doc.to_bytes().into(), assets })
    }

    /// Restores a state.
    pub(super) fn load_state(&mut self, state: &PluginState, mut audio: AudioAt<'_>) -> Result<(), StateError> {
        if state.bytes.is_empty() {
            return Ok(());
        }
        let damaged = |reason| StateError::Damaged { id: self.id.clone(), reason };
        let doc = Doc::from_bytes(&state.bytes).map_err(damaged)?;
        self.may_restore(&audio)?;
        if let AudioAt::Home(half) = &mut audio {
            settle(*half);
        }
        let folder = self.host.assets.clone();
        self.assets.restore(&self.id, &state.assets, &folder)?;
        if !doc.properties.is_empty() {
            self.loaded = Some(Loaded { doc: doc.clone(), assets: state.assets.clone() });
            self.ensure_any()?;
        }
        self.take_values(&doc);
        let given = self.give_properties(&doc);
        if let AudioAt::Home(half) = audio {
            self.hand_unsent_to(half);
        } else {
            self.hand_unsent();
        }
        if let Err(error) = given {
            self.loaded = None;
            return Err(error);
        }
        self.loaded = Some(Loaded { doc, assets: state.assets.clone() });
        if let Some(live) = &self.live {
            live.shared.ran.store(false, Relaxed);
        }
        self.requests.values = true;
        Ok(())
    }

    /// Takes the values of control inputs and patch parameters from a state.
    fn take_values(&mut self, doc: &Doc) {
        self.kept_ports.clone_from(&doc.ports);
        for index in 0..self.targets.len() {
            let value = match self.targets[index] {
                Target::Input(port) if self.is_kept(port) => {
                    self.kept_ports.remove(&self.about.ports[port].symbol).map(f64::from)
                }
                Target::Patch(at) => doc.parameters.get(&self.about.patch[at].info.key).copied(),
                _ => None,
            };
            if let Some(value) = value {
                self.place(index, value);
            }
        }
    }

    /// Gives the plugin the properties of a state.
    pub(super) fn give_properties(&mut self, doc: &Doc) -> Result<(), StateError> {
        if doc.properties.is_empty() {
            self.kept_properties.clear();
            return Ok(());
        }
        let Some(Live { instance, shared, .. }) = &self.live else { return Ok(()) };
        if !instance.has_state() {
            self.kept_properties.clone_from(&doc.properties);
            return Ok(());
        }
        let damaged = |reason| StateError::Damaged { id: self.id.clone(), reason };
        let properties = doc.to_properties(&mut self.assets).map_err(damaged)?;
        if !ffi::state::restore(instance, &properties, &mut self.assets) {
            return Err(StateError::Refused(self.id.clone()));
        }
        // A plugin stores a writable parameter under the parameter's own URI: home knows the value from there.
        let known = super::urid::known();
        for (at, parameter) in self.about.patch.iter().enumerate() {
            let stored = properties.iter().find(|property| property.key == parameter.urid);
            if let Some(value) = stored.and_then(|p| super::atom::as_number(known, p.kind, &p.value)) {
                shared.set_patch(at, value);
            }
        }
        Ok(())
    }

    /// Activates the instance. A plugin that overrides what was restored when it is activated gets it once more.
    pub(super) fn activate_with_state(&mut self) {
        let has_state = self.live.as_ref().is_some_and(|live| live.instance.has_state());
        let check = has_state && self.loaded.is_some();
        let mut before = Doc::default();
        let known = check && self.ask_properties(&mut before).is_ok();
        if let Some(live) = &self.live {
            live.instance.activate();
        }
        let mut after = Doc::default();
        if known && self.ask_properties(&mut after).is_ok() && before.properties != after.properties {
            let _refused = self.give_properties(&before);
        }
    }

    /// Loads what the description says of `subject`, a preset or the plugin itself. False: nothing.
    pub(super) fn load_described(&mut self, subject: &str, resource: bool) -> bool {
        let world = self.plugin.world;
        let Some(node) = world.uri(subject) else { return false };
        if resource {
            world.load_resource(&node);
        }
        let mut found = Vec::new();
        let instance = self.live.as_ref().map(|live| &*live.instance);
        let done = ffi::state::load_described(world, &node, instance, &mut |symbol, value| {
            found.push((symbol.to_owned(), value));
        });
        for (symbol, value) in found {
            let port = self.about.ports.iter().position(|port| port.symbol == symbol && port.control.is_some());
            let index = port.and_then(|port| self.targets.iter().position(|target| *target == Target::Input(port)));
            if let Some(index) = index.filter(|_| value.is_finite()) {
                self.place(index, value);
            }
        }
        done
    }

    /// Loads a preset.
    pub(super) fn load_preset_state(&mut self, preset: &Preset, audio: AudioAt<'_>) -> Result<(), StateError> {
        self.may_restore(&audio)?;
        if let AudioAt::Home(half) = audio {
            settle(half);
        }
        self.ensure_any()?;
        if !self.load_described(&preset.uri, true) {
            let reason = format!("the preset \"{}\" ({}) is not there", preset.name, preset.uri);
            return Err(StateError::Damaged { id: self.id.clone(), reason });
        }
        self.loaded = None;
        self.requests.values = true;
        self.requests.dirty = true;
        Ok(())
    }
}

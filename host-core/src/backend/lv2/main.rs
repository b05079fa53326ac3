//! The home half of an LV2 plugin.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Instant;

use super::assets::Assets;
use super::audio::{self, Audio};
use super::buf_size::{self, Lengths};
use super::describe::{Description, Target};
use super::ffi::features::Offer;
use super::ffi::instance::{Instance, MakeError};
use super::ffi::lilv::Plugin;
use super::shared::Shared;
use super::state::{Doc, Stored};
use super::wires::Line;
use super::{audio_setup, presets, ui, uri};
use crate::backend::{
    ActivateError, Activation, AudioAt, HostContext, OpenWindowError, Opened, PluginAudio, PluginMain, Requests,
    StateError, Tail, Watch, WindowHost, WindowNews, WindowOffer,
};
use crate::model::{Bytes, Identity, ParamInfo, PluginEntry, PluginId, PluginState, PortLayout, Preset};

thread_local! {
    /// How plugins were last activated: a plugin whose state comes first is made so, and need not be made twice.
    static LAST: Cell<Activation> =
        const { Cell::new(Activation { rate: 48_000.0, min_block: 1, max_block: 1024, offline: false }) };
}

/// An instance with everything that belongs to it.
pub(super) struct Live {
    pub(super) instance: Arc<Instance>,
    pub(super) shared: Arc<Shared>,
    /// The audio half while it is not given out.
    pub(super) parked: Option<Box<Audio>>,
    /// The way between the plugin and its user interface, where it has both messages and one.
    pub(super) line: Option<Line>,
    pub(super) rate: f64,
    lengths: Lengths,
}

/// A state that was loaded and that the plugin has not run on yet.
pub(super) struct Loaded {
    pub(super) doc: Doc,
    pub(super) assets: BTreeMap<String, Bytes>,
}

/// The home half.
pub struct Main {
    pub(super) id: PluginId,
    pub(super) host: Rc<HostContext>,
    pub(super) plugin: Plugin<'static>,
    pub(super) about: Description,
    min_block: u32,
    listed: Vec<Preset>,
    pub(super) params: Vec<ParamInfo>,
    pub(super) targets: Vec<Target>,
    pub(super) live: Option<Live>,
    active: bool,
    pub(super) offline: bool,
    latency: u32,
    /// Values by parameter: what a fresh instance gets, and what was set while the audio half was away.
    pub(super) values: Vec<f64>,
    /// Where a value was set while the audio half was away: what the cell held then.
    pub(super) away: Vec<Option<u64>>,
    /// Values that were set, by a user or a state, and so do not follow a default that is a multiple of the rate.
    pub(super) set: Vec<bool>,
    /// Patch parameters that a new instance must be told.
    pub(super) unsent: Vec<bool>,
    pub(super) loaded: Option<Loaded>,
    /// Control values and properties of the loaded state that this version of the plugin does not know.
    pub(super) kept_ports: BTreeMap<String, f32>,
    pub(super) kept_properties: Vec<Stored>,
    pub(super) assets: Assets,
    scratch: PathBuf,
    pub(super) requests: Requests,
    offer: WindowOffer,
    /// The user interface to open.
    pub(super) ui: Option<ui::About>,
    /// It, while it is open.
    pub(super) window: Option<ui::Window>,
    pub(super) news: Vec<WindowNews>,
}

impl Main {
    /// A plugin without an instance. `[home]`
    pub(super) fn new(
        entry: &PluginEntry,
        host: &Rc<HostContext>,
        plugin: Plugin<'static>,
        about: Description,
    ) -> Self {
        let (params, targets) = about.params(LAST.get().rate);
        let (offer, ui) = ui::choose(plugin.uis());
        static SCRATCH: AtomicU32 = AtomicU32::new(0);
        let number = SCRATCH.fetch_add(1, Relaxed);
        let scratch = host.assets.join(format!("scratch-{}-{number}", std::process::id()));
        Self {
            id: entry.id.clone(),
            host: host.clone(),
            plugin,
            min_block: entry.min_block,
            listed: entry.presets.clone(),
            values: params.iter().map(|param| param.default).collect(),
            away: vec![None; params.len()],
            set: vec![false; params.len()],
            unsent: vec![false; about.patch.len()],
            params,
            targets,
            live: None,
            active: false,
            offline: false,
            latency: 0,
            loaded: None,
            kept_ports: Default::default(),
            kept_properties: vec![],
            assets: Assets::new(&about.bundle, &scratch),
            scratch,
            requests: Requests::default(),
            offer,
            ui,
            window: None,
            news: Vec::new(),
            about,
        }
    }

    /// Makes an instance for `how` unless there is one that fits; state moves over. The error is the reason.
    pub(super) fn ensure(&mut self, how: &Activation) -> Result<(), String> {
        let lengths = Lengths::new(&self.about, how, self.min_block);
        if self.live.as_ref().is_some_and(|live| live.rate == how.rate && live.lengths == lengths) {
            return Ok(());
        }
        let carried = match &self.live {
            Some(_) => Some(self.document().map_err(|error| error.to_string())?),
            None => None,
        };
        self.close_ui_of_old_instance();
        self.live = None;
        self.rescale(how.rate);
        let offer = Offer {
            name: &self.about.name,
            options: lengths.options(how.rate),
            fixed: self.about.required.iter().any(|f| f == uri::FIXED_BLOCK),
            power_of_two: self.about.required.iter().any(|f| f == uri::POWER_OF_2_BLOCK),
            scratch: self.scratch.clone(),
        };
        let works = self.about.works();
        let instance = Instance::new(self.plugin, how.rate, offer, works).map_err(|error| match error {
            MakeError::Refused => "the plugin could not be instantiated".to_owned(),
            MakeError::Thread(error) => format!("its worker thread could not be started: {error}"),
        })?;
        let instance = Arc::new(instance);
        let shared = Arc::new(Shared::new(self.about.ports.len(), self.about.patch.len()));
        let fresh = carried.is_none() && self.loaded.is_none();
        self.write_values(&shared);
        let (wires, line) = self.ui.as_ref().and_then(|_| audio_setup::wires(&self.about)).unzip();
        let audio = audio_setup::make(
            instance.clone(),
            &self.about,
            &self.targets,
            shared.clone(),
            (&lengths, how.rate),
            wires,
        );
        self.live = Some(Live { instance, shared, parked: Some(Box::new(audio)), line, rate: how.rate, lengths });
        if fresh && (self.about.default_state || self.about.has_feature(uri::LOAD_DEFAULT_STATE)) {
            self.load_described(&self.about.uri.clone(), false);
        }
        if let Some(doc) = carried
            && let Err(error) = self.give_properties(&doc)
        {
            // It runs without: a plugin that refuses its own state is no reason to fall silent.
            crate::backend::log::push(crate::backend::log::Level::Warning, error.to_string().as_bytes());
        }
        self.hand_unsent();
        Ok(())
    }

    /// Makes an instance as the last one was made, where there is none yet.
    pub(super) fn ensure_any(&mut self) -> Result<(), StateError> {
        match &self.live {
            Some(_) => Ok(()),
            None => self.ensure(&LAST.get()).map_err(|_| StateError::Refused(self.id.clone())),
        }
    }
}

impl PluginMain for Main {
    fn id(&self) -> &PluginId {
        &self.id
    }

    fn identity(&self) -> Identity {
        Identity {
            name: self.about.name.clone(),
            vendor: self.about.vendor.clone(),
            version: self.about.version.clone(),
            latency: self.latency,
            ports: self.about.layout.clone(),
            ..Identity::default()
        }
    }

    fn ports(&self) -> &PortLayout {
        &self.about.layout
    }

    fn params(&self) -> &[ParamInfo] {
        &self.params
    }

    fn value(&mut self, index: usize) -> Option<f64> {
        self.current(index)
    }

    fn text(&mut self, index: usize, value: f64) -> Option<String> {
        Some(super::text::write(self.params.get(index)?, value))
    }

    fn parse(&mut self, index: usize, text: &str) -> Option<f64> {
        super::text::read(self.params.get(index)?, text)
    }

    fn set_value(&mut self, index: usize, value: f64, audio: AudioAt<'_>) {
        if index >= self.params.len() || self.params[index].read_only {
            return;
        }
        let value = self.fit(index, value);
        match audio {
            AudioAt::Away => {
                self.values[index] = value;
                self.set[index] = true;
                self.away[index] = self.cell(index);
            }
            AudioAt::Inactive => {
                self.place(index, value);
                self.hand_unsent();
            }
            AudioAt::Home(half) => {
                settle(half);
                self.place(index, value);
                self.hand_unsent_to(half);
            }
        }
    }

    fn activate(&mut self, how: Activation) -> Result<Box<dyn PluginAudio>, ActivateError> {
        let refused = |id: &PluginId, reason: String| ActivateError {
            id: id.clone(),
            rate: how.rate,
            min_block: how.min_block,
            max_block: how.max_block,
            reason,
        };
        if self.active {
            return Err(refused(&self.id, "it is active already".into()));
        }
        self.offline = how.offline;
        LAST.set(how);
        self.ensure(&how).map_err(|reason| refused(&self.id, reason))?;
        self.set_offline(how.offline);
        self.activate_with_state();
        let port = self.about.control(false, uri::LATENCY);
        let may_run_empty = self.fixed_block().is_none();
        let Some(live) = &mut self.live else { return Err(refused(&self.id, "it has no instance".into())) };
        let Some(mut audio) = live.parked.take() else {
            return Err(refused(&self.id, "its audio half is lost".into()));
        };
        if let Some(port) = port {
            if may_run_empty {
                // lv2.h: a run of 0 frames updates the latency port.
                audio.machine.run(0);
            }
            self.latency = audio::latency(live.shared.get(port));
        }
        self.active = true;
        Ok(audio)
    }

    fn deactivate(&mut self, audio: Box<dyn PluginAudio>) {
        self.active = false;
        if let (Some(live), Ok(mut audio)) = (&mut self.live, audio.into_any().downcast::<Audio>()) {
            audio.settle();
            live.instance.deactivate();
            live.parked = Some(audio);
        }
    }

    fn latency(&mut self) -> u32 {
        if let (Some(port), Some(live)) = (self.about.control(false, uri::LATENCY), &self.live)
            && live.shared.ran.load(Relaxed)
        {
            self.latency = audio::latency(live.shared.get(port));
        }
        self.latency
    }

    fn tail(&mut self) -> Tail {
        Tail::Unknown
    }

    fn min_block(&self) -> u32 {
        self.min_block
    }

    fn fixed_block(&self) -> Option<u32> {
        buf_size::fixed(&self.about)
    }

    fn save(&mut self, _audio: AudioAt<'_>) -> Result<PluginState, StateError> {
        self.save_state()
    }

    fn load(&mut self, state: &PluginState, audio: AudioAt<'_>) -> Result<(), StateError> {
        self.load_state(state, audio)
    }

    fn presets(&mut self) -> Vec<Preset> {
        if self.listed.is_empty() {
            self.listed = presets::list(self.plugin);
        }
        self.listed.clone()
    }

    fn preset_files(&mut self, uri: &str, name: &str) -> Result<Option<BTreeMap<String, Bytes>>, StateError> {
        self.write_preset(uri, name).map(Some)
    }

    fn read_presets_again(&mut self, bundle: &Path) {
        self.plugin.world.load_again(bundle);
        self.listed = presets::list(self.plugin);
    }

    fn load_preset(&mut self, preset: &Preset, audio: AudioAt<'_>) -> Result<(), StateError> {
        self.load_preset_state(preset, audio)
    }

    fn set_offline(&mut self, offline: bool) {
        self.offline = offline;
        if let Some(live) = &self.live {
            live.shared.offline.store(offline, Relaxed);
            if let Some(port) = self.about.control(true, uri::FREE_WHEELING) {
                live.shared.set(port, f32::from(u8::from(offline)));
            }
        }
    }

    fn watches(&self, _out: &mut Vec<Watch>) {}

    fn deadline(&self) -> Option<Instant> {
        self.ui_deadline()
    }

    fn serve(&mut self, now: Instant, _ready: &[Watch]) {
        self.serve_ui(now);
    }

    fn take_requests(&mut self) -> Requests {
        if let Some(live) = &self.live {
            self.requests.dirty |= live.shared.dirty.swap(false, Relaxed);
            self.requests.values |= live.shared.values.swap(false, Relaxed);
        }
        std::mem::take(&mut self.requests)
    }

    fn note_value(&mut self, index: usize, value: f64) {
        if let Some(place) = self.values.get_mut(index) {
            *place = value;
            self.set[index] = true;
            self.away[index] = None;
        }
    }

    fn window_offer(&self) -> WindowOffer {
        self.offer.clone()
    }

    fn open_window(&mut self, host: WindowHost<'_>) -> Result<Opened, OpenWindowError> {
        self.open_ui(host).map_err(|reason| OpenWindowError { id: self.id.clone(), reason })
    }

    fn has_open_window(&self) -> bool {
        self.window.is_some()
    }

    fn close_window(&mut self) {
        self.close_ui();
    }

    fn resize_window(&mut self, width: u32, height: u32) -> Option<(u32, u32)> {
        self.resize_ui(width, height);
        None
    }

    fn window_resizable(&mut self) -> bool {
        self.ui.as_ref().is_some_and(|ui| !ui.fixed)
    }

    fn take_window_news(&mut self) -> Vec<WindowNews> {
        std::mem::take(&mut self.news)
    }
}

/// Sets what waits in an audio half that is at home, so that it does not undo what home sets.
pub(super) fn settle(half: &mut dyn PluginAudio) {
    if let Some(audio) = half.as_any().downcast_mut::<Audio>() {
        audio.settle();
    }
}

impl Drop for Main {
    fn drop(&mut self) {
        self.close_ui();
        self.live = None;
        let _none_made = std::fs::remove_dir_all(&self.scratch);
    }
}

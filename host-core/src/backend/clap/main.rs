//! The home half of a CLAP plugin. What it does is told extension by extension in [`super::ext`].

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::sync::Arc;
use std::time::Instant;

use clack_extensions::latency::PluginLatency;
use clack_extensions::params::PluginParams;
use clack_host::entry::PluginEntry as ClapEntry;
use clack_host::prelude::*;

use super::audio::ClapAudio;
use super::ext::params::{Link, Pending};
use super::ext::{self, tail::PluginTail};
use super::host::{Handlers, HomeSide, Shared};
use super::layout::Layout;
use super::requests::{Ask, Common};
use super::restarts::Restarts;
use crate::backend::log::Level;
use crate::backend::{
    ActivateError, Activation, AudioAt, OpenError, OpenWindowError, Opened, PluginAudio, PluginMain, Requests,
    StateError, Tail, Watch, WindowHost, WindowNews, WindowOffer,
};
use crate::model::{ControlPage, Identity, ParamInfo, PluginId, PluginState, PortLayout, Preset};
use crate::pool::Share;

/// What the descriptor says of a plugin.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its id, exactly as the descriptor gives it.
    pub id: CString,
    /// Its name, or its id where it has none.
    pub name: String,
    /// Its maker.
    pub vendor: String,
    /// Its version.
    pub version: String,
    /// Its features, in lower case.
    pub features: Vec<String>,
}

/// The home half of a CLAP plugin.
pub struct ClapMain {
    pub(super) id: PluginId,
    pub(super) described: Described,
    pub(super) host: HostInfo,
    pub(super) entry: ClapEntry,
    pub(super) common: Arc<Common>,
    pub(super) instance: PluginInstance<Handlers>,
    pub(super) layout: Layout,
    pub(super) params_ext: Option<PluginParams>,
    pub(super) params: Vec<ParamInfo>,
    pub(super) links: Vec<Link>,
    pub(super) pages: Vec<ControlPage>,
    /// Changes sent to the audio thread and not yet seen in the plugin.
    pub(super) pending: BTreeMap<usize, Pending>,
    latency: u32,
    restarts: Restarts,
    /// A restart was asked for because lists wait to be read again.
    restart_told: bool,
    /// Told to the user, see [`PluginMain::notice`].
    pub(super) shared_library: bool,
    pub(super) offer: WindowOffer,
    /// Its window, while it is open.
    pub(super) window: Option<ext::gui::Open>,
}

impl ClapMain {
    /// Makes an instance. `[home]`
    pub fn open(entry: &ClapEntry, described: Described, host: &HostInfo) -> Result<Self, OpenError> {
        let id = PluginId::clap(described.id.to_string_lossy());
        let common = Arc::new(Common::new(described.name.clone()));
        let (shared, home) = (Shared(common.clone()), HomeSide::new(common.clone()));
        let instance = PluginInstance::<Handlers>::new(|_| shared, |_| home, entry, &described.id, host)
            .map_err(|error| OpenError::Refused { id: id.clone(), reason: made(&error) })?;
        let mut main = Self {
            id,
            described,
            host: host.clone(),
            entry: entry.clone(),
            common,
            instance,
            layout: Layout::default(),
            params_ext: None,
            params: Vec::new(),
            links: Vec::new(),
            pages: Vec::new(),
            pending: BTreeMap::new(),
            latency: 0,
            restarts: Restarts::default(),
            restart_told: false,
            shared_library: false,
            offer: WindowOffer::None,
            window: None,
        };
        ext::thread_pool::find(&main.instance.plugin_handle(), &main.common);
        main.read_ports().map_err(|reason| OpenError::Refused { id: main.id.clone(), reason })?;
        main.read_params();
        main.read_pages();
        main.offer = ext::gui::offer(&main.instance.plugin_handle());
        Ok(main)
    }

    fn read_ports(&mut self) -> Result<(), String> {
        let plugin = self.instance.plugin_handle();
        let mut layout = Layout::default();
        ext::audio_ports::read(&plugin, &mut layout)?;
        ext::note_ports::read(&plugin, &mut layout);
        self.layout = layout;
        Ok(())
    }

    /// Flushes values into an instance that is not active. `[home & !active]`
    pub(super) fn flush_inactive(&mut self, values: &[(usize, f64)]) {
        let moved = super::activation::flush_inactive(self, values);
        self.moved_by_plugin(&moved);
    }

    /// Reads again what the plugin said has changed, where it may be read now; else asks for a restart, once. `[home]`
    fn read_again(&mut self, out: &mut Requests) {
        let waits = self.common.asked(Ask::Params) || self.common.asked(Ask::Ports);
        if waits && self.instance.is_active() {
            let first = !std::mem::replace(&mut self.restart_told, true);
            out.restart |= first;
            out.ports |= first && self.common.asked(Ask::Ports);
        } else if waits {
            out.ports |= self.common.asked(Ask::Ports);
            self.read_changed_ports();
            if self.common.take(Ask::Params) {
                self.read_params();
                self.common.ask(Ask::Pages);
                out.params = true;
            }
        }
        if self.common.take(Ask::Infos) {
            self.read_infos();
            out.params = true;
        }
        if self.common.take(Ask::Pages) {
            self.read_pages();
            out.pages = true;
        }
    }

    /// Names and texts anew; the list itself stays unless the plugin is inactive.
    fn read_infos(&mut self) {
        let (params, links) = ext::params::read(&self.instance.plugin_handle(), &self.common);
        let same = links.len() == self.links.len() && links.iter().zip(&self.links).all(|(a, b)| a.id == b.id);
        if same {
            self.params = params;
        } else {
            self.common.ask(Ask::Params);
        }
    }

    /// Ports anew, where the plugin asked for it. One that can no longer be used keeps what it had. `[home & !active]`
    pub(super) fn read_changed_ports(&mut self) {
        if self.common.take(Ask::Ports)
            && let Err(reason) = self.read_ports()
        {
            self.common.log(Level::Error, &format!("changed its ports to what cannot be used: {reason}"));
        }
    }

    /// The latency as the plugin says it now. `[home & active]`
    pub(super) fn read_latency(&mut self) {
        let plugin = self.instance.plugin_handle();
        self.latency = plugin.get_extension::<PluginLatency>().map_or(0, |latency| latency.get(&plugin));
    }

    /// Its presets. `[home]`
    pub(super) fn list_presets(&mut self) -> Vec<Preset> {
        ext::preset_discovery::list(&self.entry, &self.host, &self.described.id)
    }
}

fn made(error: &PluginInstanceError) -> String {
    match error {
        PluginInstanceError::InstantiationFailed => "it failed to initialise".into(),
        PluginInstanceError::PluginNotFound => "its file made no instance of it".into(),
        other => other.to_string(),
    }
}

/// The plugins that an entry describes; those without an id are left out. `[home]`
pub fn descriptors(entry: &ClapEntry) -> Option<Vec<Described>> {
    let factory = entry.get_plugin_factory()?;
    let text = |text: Option<&CStr>| text.map_or(String::new(), |text| ext::text(text.to_bytes()));
    let all = factory.plugin_descriptors().take(4096).filter_map(|descriptor| {
        let id = descriptor.id()?.to_owned();
        let name = match text(descriptor.name()) {
            name if name.is_empty() => id.to_string_lossy().into_owned(),
            name => name,
        };
        let features = descriptor.features().take(256).map(|feature| text(Some(feature)).to_lowercase()).collect();
        Some(Described { id, name, vendor: text(descriptor.vendor()), version: text(descriptor.version()), features })
    });
    Some(all.collect())
}

impl PluginMain for ClapMain {
    fn id(&self) -> &PluginId {
        &self.id
    }

    fn identity(&self) -> Identity {
        Identity {
            name: self.described.name.clone(),
            vendor: self.described.vendor.clone(),
            version: self.described.version.clone(),
            latency: self.latency,
            ports: self.layout.ports.clone(),
            ..Identity::default()
        }
    }

    fn ports(&self) -> &PortLayout {
        &self.layout.ports
    }

    fn params(&self) -> &[ParamInfo] {
        &self.params
    }

    fn pages(&self) -> &[ControlPage] {
        &self.pages
    }

    fn value(&mut self, index: usize) -> Option<f64> {
        self.home_value(index)
    }

    fn text(&mut self, index: usize, value: f64) -> Option<String> {
        self.write_value(index, value)
    }

    fn parse(&mut self, index: usize, text: &str) -> Option<f64> {
        self.read_value(index, text)
    }

    fn set_value(&mut self, index: usize, value: f64, audio: AudioAt<'_>) {
        self.set_values(&[(index, value)], audio);
    }

    fn activate(&mut self, how: Activation) -> Result<Box<dyn PluginAudio>, ActivateError> {
        super::activation::activate(self, how).map(|audio| audio as Box<dyn PluginAudio>)
    }

    fn deactivate(&mut self, audio: Box<dyn PluginAudio>) {
        let Ok(mut audio) = audio.into_any().downcast::<ClapAudio>() else { return };
        audio.stop();
        let processor = audio.processor;
        if processor.matches(&self.instance) {
            self.instance.deactivate(processor.into_stopped());
        }
        self.restart_told = false;
    }

    fn latency(&mut self) -> u32 {
        if self.instance.is_active() {
            self.read_latency();
        }
        self.latency
    }

    fn tail(&mut self) -> Tail {
        let plugin = self.instance.plugin_handle();
        plugin.get_extension::<PluginTail>().map_or(Tail::Unknown, |tail| tail.get(&plugin))
    }

    fn save(&mut self, _audio: AudioAt<'_>) -> Result<PluginState, StateError> {
        self.save_state()
    }

    fn load(&mut self, state: &PluginState, audio: AudioAt<'_>) -> Result<(), StateError> {
        match audio {
            AudioAt::Away => Err(StateError::Running(self.id.clone())),
            audio => self.load_state(state, audio),
        }
    }

    fn presets(&mut self) -> Vec<Preset> {
        self.list_presets()
    }

    fn load_preset(&mut self, preset: &Preset, audio: AudioAt<'_>) -> Result<(), StateError> {
        match audio {
            AudioAt::Away => Err(StateError::Running(self.id.clone())),
            _ => self.load_preset_at(preset),
        }
    }

    fn set_offline(&mut self, offline: bool) {
        self.set_render(offline);
    }

    fn note_offline_blocks(&mut self, offline: bool) {
        self.set_render(offline);
    }

    fn watches(&self, out: &mut Vec<Watch>) {
        self.instance.access_handler(|home| out.extend(home.watches.borrow().iter()));
    }

    fn deadline(&self) -> Option<Instant> {
        let timer = self.instance.access_handler(|home| home.timers.borrow().deadline());
        if self.common.asked(Ask::Callback) { Some(Instant::now()) } else { timer }
    }

    fn serve(&mut self, now: Instant, ready: &[Watch]) {
        if self.common.take(Ask::Callback) {
            self.instance.call_on_main_thread_callback();
        }
        self.serve_descriptors(ready);
        self.serve_timers(now);
        if !self.instance.is_active() && self.common.take(Ask::Flush) {
            self.flush_inactive(&[]);
        }
        self.common.tell_wrongs();
    }

    fn take_requests(&mut self) -> Requests {
        let mut out = Requests::default();
        self.read_again(&mut out);
        out.restart |= self.common.take(Ask::Restart);
        out.latency = self.common.take(Ask::Latency);
        out.tail = self.common.take(Ask::Tail);
        out.dirty = self.common.take(Ask::Dirty);
        out.values = self.common.take(Ask::Values);
        out.flush = self.common.asked(Ask::Flush);
        if out.values {
            self.pending.clear();
        }
        self.restarts.limit(&mut out.restart, Instant::now(), &self.common);
        out
    }

    fn fit_channels(&mut self, inputs: u16, outputs: u16) -> bool {
        let ports = &self.layout.ports;
        if self.instance.is_active() || (ports.main_inputs(), ports.main_outputs()) == (inputs, outputs) {
            return false;
        }
        let taken = self.select_config(inputs, outputs) || self.request_channels(inputs, outputs);
        if taken {
            self.common.ask(Ask::Ports);
            self.read_changed_ports();
        }
        taken
    }

    fn notice(&self) -> Option<String> {
        self.shared_library.then(|| {
            let name = &self.described.name;
            format!("{name} is used by the host program too; both share one library in this process")
        })
    }

    fn note_value(&mut self, index: usize, _value: f64) {
        self.pending.remove(&index);
    }

    fn window_offer(&self) -> WindowOffer {
        self.offer.clone()
    }

    fn open_window(&mut self, host: WindowHost<'_>) -> Result<Opened, OpenWindowError> {
        self.open_gui(host).map_err(|reason| OpenWindowError { id: self.id.clone(), reason })
    }

    fn has_open_window(&self) -> bool {
        self.window.is_some()
    }

    fn close_window(&mut self) {
        self.close_gui();
    }

    fn resize_window(&mut self, width: u32, height: u32) -> Option<(u32, u32)> {
        self.resize_gui(width, height)
    }

    fn window_resizable(&mut self) -> bool {
        self.gui_can_resize()
    }

    fn take_window_news(&mut self) -> Vec<WindowNews> {
        self.gui_news()
    }

    fn set_helpers(&mut self, share: Option<Arc<Share>>) -> bool {
        // What goes is freed here: plugin and plans may have let go of it already.
        self.common.helpers.try_borrow_mut().map(|mut helpers| drop(std::mem::replace(&mut *helpers, share))).is_ok()
    }

    fn flush(&mut self, audio: AudioAt<'_>) {
        if self.common.take(Ask::Flush) {
            self.set_values(&[], audio);
        }
    }
}

impl Drop for ClapMain {
    fn drop(&mut self) {
        self.close_gui();
    }
}

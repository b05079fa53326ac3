//! The host as our half of a plugin calls it.

use std::ffi::{CStr, CString, c_char};

use clap_sys::ext::gui::{CLAP_EXT_GUI, clap_host_gui};
use clap_sys::ext::latency::{CLAP_EXT_LATENCY, clap_host_latency};
use clap_sys::ext::log::{CLAP_EXT_LOG, CLAP_LOG_WARNING, clap_host_log};
use clap_sys::ext::params::{CLAP_EXT_PARAMS, clap_host_params, clap_param_rescan_flags};
use clap_sys::ext::preset_load::{CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT, clap_host_preset_load};
use clap_sys::ext::remote_controls::{
    CLAP_EXT_REMOTE_CONTROLS, CLAP_EXT_REMOTE_CONTROLS_COMPAT, clap_host_remote_controls,
};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_host_state};
use clap_sys::ext::tail::{CLAP_EXT_TAIL, clap_host_tail};
use clap_sys::factory::preset_discovery::clap_preset_discovery_location_kind;
use clap_sys::host::clap_host;

use crate::guard::say;

/// The host of one plugin, and its extensions as asked for in `init`.
#[derive(Clone, Copy)]
pub struct Host {
    host: *const clap_host,
    latency: Option<*const clap_host_latency>,
    state: Option<*const clap_host_state>,
    tail: Option<*const clap_host_tail>,
    params: Option<*const clap_host_params>,
    remote_controls: Option<*const clap_host_remote_controls>,
    log: Option<*const clap_host_log>,
    presets: Option<*const clap_host_preset_load>,
    gui: bool,
}

// SAFETY: the pointers are the host's own and live until after `destroy` (CLAP `plugin-factory.h`, `host.h`). Each method
// below says on which threads CLAP allows its call, and its callers keep to that.
unsafe impl Send for Host {}
// SAFETY: as above; nothing here is written after `init`.
unsafe impl Sync for Host {}

impl Host {
    /// A host whose extensions may not be asked for yet.
    ///
    /// # Safety
    /// `host` stays valid as long as the value is used: until the plugin's `destroy` returns.
    pub unsafe fn new(host: *const clap_host) -> Self {
        let (latency, state, tail, params, remote_controls, log, presets) = Default::default();
        Self { host, latency, state, tail, params, remote_controls, log, presets, gui: false }
    }

    /// Asks for the extensions. `[main thread, in init]`
    pub fn query(&mut self) {
        self.latency = self.extension(CLAP_EXT_LATENCY);
        self.state = self.extension(CLAP_EXT_STATE);
        self.tail = self.extension(CLAP_EXT_TAIL);
        self.params = self.extension(CLAP_EXT_PARAMS);
        let pages = self.extension(CLAP_EXT_REMOTE_CONTROLS);
        self.remote_controls = pages.or_else(|| self.extension(CLAP_EXT_REMOTE_CONTROLS_COMPAT));
        self.log = self.extension(CLAP_EXT_LOG);
        self.presets = self.extension(CLAP_EXT_PRESET_LOAD).or_else(|| self.extension(CLAP_EXT_PRESET_LOAD_COMPAT));
        self.gui = self.extension::<clap_host_gui>(CLAP_EXT_GUI).is_some();
    }

    fn extension<T>(&self, id: &CStr) -> Option<*const T> {
        // SAFETY: `host` is valid (see `new`); `get_extension` answers null or the extension `id` names.
        let found = unsafe { (*self.host).get_extension?(self.host, id.as_ptr()) };
        (!found.is_null()).then_some(found.cast())
    }

    /// Whether it shows windows. `[any, after init]`
    pub fn has_gui(&self) -> bool {
        self.gui
    }

    /// Asks for a call of `on_main_thread`. `[any]`
    pub fn request_callback(&self) {
        // SAFETY: `host` is valid (see `new`); thread-safe by CLAP.
        unsafe {
            if let Some(request) = (*self.host).request_callback {
                request(self.host);
            }
        }
    }

    /// Asks for deactivate and activate. `[any]`
    pub fn request_restart(&self) {
        // SAFETY: as above.
        unsafe {
            if let Some(request) = (*self.host).request_restart {
                request(self.host);
            }
        }
    }

    /// The latency is another. `[main thread, in activate]`
    pub fn latency_changed(&self) {
        // SAFETY: the extension is the host's, valid as long as `host`; called inside our `activate` only.
        unsafe {
            if let Some(changed) = self.latency.and_then(|latency| (*latency).changed) {
                changed(self.host);
            }
        }
    }

    /// The project differs from what was saved. `[main thread]`
    pub fn mark_dirty(&self) {
        // SAFETY: as above; called from `on_main_thread` only.
        unsafe {
            if let Some(mark) = self.state.and_then(|state| (*state).mark_dirty) {
                mark(self.host);
            }
        }
    }

    /// The tail is another. `[audio]`
    pub fn tail_changed(&self) {
        // SAFETY: as above; called from `process` only.
        unsafe {
            if let Some(changed) = self.tail.and_then(|tail| (*tail).changed) {
                changed(self.host);
            }
        }
    }

    /// What `flags` name of the parameters changed by itself. `[main thread]`
    pub fn rescan(&self, flags: clap_param_rescan_flags) {
        // SAFETY: as above; called from main-thread functions only.
        unsafe {
            if let Some(rescan) = self.params.and_then(|params| (*params).rescan) {
                rescan(self.host, flags);
            }
        }
    }

    /// Pages of controls are called otherwise. `[main thread]`
    pub fn remote_controls_changed(&self) {
        // SAFETY: as above.
        unsafe {
            if let Some(changed) = self.remote_controls.and_then(|pages| (*pages).changed) {
                changed(self.host);
            }
        }
    }

    /// A preset was loaded, or `wrong` is why not. `[main thread]`
    ///
    /// # Safety
    /// `location`, `key` and `wrong` are null or C strings that live over the call.
    pub unsafe fn preset_loaded(
        &self,
        kind: clap_preset_discovery_location_kind,
        location: *const c_char,
        key: *const c_char,
        wrong: *const c_char,
    ) {
        // SAFETY: the extension is the host's, valid as long as `host`; the caller's word on the texts.
        unsafe {
            let Some(presets) = self.presets.and_then(|presets| presets.as_ref()) else { return };
            match (presets.loaded, presets.on_error) {
                (Some(loaded), _) if wrong.is_null() => loaded(self.host, kind, location, key),
                (_, Some(on_error)) if !wrong.is_null() => on_error(self.host, kind, location, key, 0, wrong),
                _ => {}
            }
        }
    }

    /// Asks for a list of events while nothing is processed. `[any but audio]`
    pub fn request_flush(&self) {
        // SAFETY: as above; thread-safe by CLAP, but not for the audio thread, which does not call it.
        unsafe {
            if let Some(request) = self.params.and_then(|params| (*params).request_flush) {
                request(self.host);
            }
        }
    }

    /// Writes a line into the host's log, or to standard error where it has none. `[main thread]`
    pub fn warn(&self, line: &str) {
        let Ok(text) = CString::new(line) else { return };
        // SAFETY: as above; thread-safe by CLAP.
        match self.log.and_then(|log| unsafe { (*log).log }) {
            // SAFETY: as above; `text` lives over the call.
            Some(log) => unsafe { log(self.host, CLAP_LOG_WARNING, text.as_ptr()) },
            None => say(format_args!("Catena: {line}")),
        }
    }
}

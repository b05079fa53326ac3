//! Our half of one CLAP plugin: the functions that the host calls.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use atomic_refcell::AtomicRefCell;
use clap_sys::ext::gui::CLAP_EXT_GUI;
use clap_sys::ext::latency::CLAP_EXT_LATENCY;
use clap_sys::ext::note_ports::CLAP_EXT_NOTE_PORTS;
use clap_sys::ext::params::{
    CLAP_EXT_PARAMS, CLAP_PARAM_RESCAN_INFO, CLAP_PARAM_RESCAN_TEXT, CLAP_PARAM_RESCAN_VALUES,
};
use clap_sys::ext::preset_load::{CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT};
use clap_sys::ext::remote_controls::{CLAP_EXT_REMOTE_CONTROLS, CLAP_EXT_REMOTE_CONTROLS_COMPAT};
use clap_sys::ext::render::CLAP_EXT_RENDER;
use clap_sys::ext::state::CLAP_EXT_STATE;
use clap_sys::ext::tail::CLAP_EXT_TAIL;
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;
use clap_sys::process::{CLAP_PROCESS_CONTINUE, CLAP_PROCESS_ERROR, clap_process, clap_process_status};
use host_core::model::{Exported, MACROS};
use host_core::session::{MacroSaid, Outbox, SessionHandle};
use nice_plug::wrapper::clap::Wrapper;

use super::exported::Carried;
use super::host::Host;
use super::params::MacroIds;
use super::{events, latency, note_ports, params, preset_load, remote_controls, render, state, tail};
use crate::container::{Container, EVENTS, Flavour, HostEvents, Made, Shared, take_made};
use crate::guard::{guard, injected};
use crate::params::ContainerParams;

/// What the host holds. The first field must stay first: the host's pointer to it is our pointer to the whole.
#[repr(C)]
pub struct Instance {
    /// nice-plug's plugin with our functions.
    plugin: clap_plugin,
    /// nice-plug's own.
    inner: clap_plugin,
    /// Written by `init` alone, before which nothing else is called.
    host: UnsafeCell<Host>,
    pub(super) shared: Arc<Shared>,
    params: Arc<ContainerParams>,
    pub(super) macro_ids: MacroIds,
    /// Places of the events that are nice-plug's, in the list of the call under way.
    pub(super) kept: AtomicRefCell<Vec<u32>>,
    /// What was moved inside and could not be handed to the audio thread yet.
    said: Mutex<Vec<MacroSaid>>,
    said_waits: AtomicBool,
    active: AtomicBool,
    /// A restart for a changed latency is asked for and has not come yet.
    restart_asked: AtomicBool,
    /// The tail the host was last told of.
    tail: AtomicU32,
    /// The chain that this plugin is, where it is one of its own.
    carried: Option<&'static Carried>,
}

/// Makes a plugin of flavour `F`, or the one of its own that a chain is.
///
/// # Safety
/// `host` is not null and outlives the plugin.
pub unsafe fn create<F: Flavour>(host: *const clap_host, carried: Option<&'static Carried>) -> *const clap_plugin {
    // SAFETY: the caller's word on `host`.
    let wrapper = unsafe { Wrapper::<Container<F>>::new(host) };
    let Some(Made { shared, params }) = take_made() else { return ptr::null() };
    let inner = *wrapper.clap_plugin.borrow();
    // nice-plug's `destroy` takes this count back.
    let _ = Arc::into_raw(wrapper);
    let instance = Box::new(Instance {
        plugin: clap_plugin {
            desc: carried.map_or(inner.desc, |carried| &raw const carried.descriptor),
            init: Some(init),
            destroy: Some(destroy),
            activate: Some(activate),
            deactivate: Some(deactivate),
            start_processing: Some(start_processing),
            stop_processing: Some(stop_processing),
            reset: Some(reset),
            process: Some(process),
            get_extension: Some(get_extension),
            on_main_thread: Some(on_main_thread),
            ..inner
        },
        inner,
        // SAFETY: the caller's word on `host`; `destroy` ends the value's use.
        host: UnsafeCell::new(unsafe { Host::new(host) }),
        shared,
        params,
        // SAFETY: nice-plug's own plugin, just made.
        macro_ids: unsafe { MacroIds::read(&inner) },
        kept: AtomicRefCell::new(Vec::with_capacity(EVENTS)),
        said: Mutex::default(),
        said_waits: AtomicBool::new(false),
        active: AtomicBool::new(false),
        restart_asked: AtomicBool::new(false),
        tail: AtomicU32::new(0),
        carried,
    });
    // Of the whole, so that `of` may go back from the first field to it.
    Box::into_raw(instance).cast_const().cast()
}

/// The instance behind a host's pointer.
///
/// # Safety
/// `plugin` is null or came from [`create`] and was not destroyed; `'a` ends before `destroy`.
pub(super) unsafe fn of<'a>(plugin: *const clap_plugin) -> Option<&'a Instance> {
    // SAFETY: the caller's word; `plugin` is the first field of a `repr(C)` Instance.
    unsafe { plugin.cast::<Instance>().as_ref() }
}

impl Instance {
    pub(super) fn host(&self) -> &Host {
        // SAFETY: written by `init` alone, which the host calls once and before everything else (CLAP `plugin.h`).
        unsafe { &*self.host.get() }
    }

    /// The chain that this plugin is, where it is one of its own.
    pub(super) fn exported(&self) -> Option<&'static Exported> {
        self.carried.map(|carried| &carried.exported)
    }

    pub(super) fn params(&self) -> &ContainerParams {
        &self.params
    }

    pub(super) fn inner(&self) -> &clap_plugin {
        &self.inner
    }

    /// Brings the DAW's bypass and the chain's together. `[main thread]`
    pub(super) fn meet_bypass(&self) {
        if self.shared.meet_bypass(&self.params).is_some() {
            self.host().rescan(CLAP_PARAM_RESCAN_VALUES);
        }
    }

    /// Does what home and the audio thread left for the host's main thread. `[main thread]`
    fn serve(&self) {
        let Some(session) = self.shared.session() else { return };
        let outbox = session.take_outbox();
        if outbox.latency
            && self.active.load(Ordering::Relaxed)
            && session.latency() != self.shared.latency_told()
            && !self.restart_asked.swap(true, Ordering::Relaxed)
        {
            self.host().request_restart();
        }
        if outbox.dirty {
            self.host().mark_dirty();
        }
        self.serve_macros(&session, outbox);
        self.meet_bypass();
        self.log();
    }

    /// Tells the host what became of macros inside. `[main thread]`
    fn serve_macros(&self, session: &SessionHandle, outbox: Outbox) {
        if outbox.macro_values {
            self.params.macros.meet(&self.shared);
        }
        let titles = CLAP_PARAM_RESCAN_INFO | CLAP_PARAM_RESCAN_TEXT;
        let flags = [(outbox.macro_titles, titles), (outbox.macro_values, CLAP_PARAM_RESCAN_VALUES)];
        let flags = flags.iter().filter(|(news, _)| *news).fold(0, |all, (_, flags)| all | flags);
        if flags != 0 {
            self.host().rescan(flags);
        }
        if outbox.macro_titles {
            self.host().remote_controls_changed();
        }
        if outbox.macros_said || self.said_waits.swap(false, Ordering::Relaxed) {
            let mut waiting = self.said.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.extend(session.take_macros_said());
            if self.shared.queue_said(&waiting) {
                waiting.clear();
            } else {
                self.said_waits.store(true, Ordering::Relaxed);
                self.host().request_callback();
            }
            self.host().request_flush();
        }
    }

    /// Notes for nice-plug where the host moved macros in this block: it is asked for their values by others. `[audio]`
    fn note_moves(&self, events: &HostEvents) {
        let mut seen = 0_u128;
        for moved in events.macros.iter().rev().filter(|moved| moved.index < MACROS) {
            if seen & (1 << moved.index) == 0 {
                seen |= 1 << moved.index;
                self.params.macros.meet_one(&self.shared, moved.index, moved.value);
            }
        }
    }

    /// Hands collected notices to the host's log. `[main thread]`
    pub(super) fn log(&self) {
        for notice in self.shared.take_notices() {
            self.host().warn(&notice);
        }
    }
}

unsafe extern "C" fn init(plugin: *const clap_plugin) -> bool {
    guard(false, || {
        // SAFETY: the host passes what `create` gave it.
        let Some(this) = (unsafe { of(plugin) }) else { return false };
        // SAFETY: nothing else runs before `init` has returned, so this is the only use of the cell.
        unsafe { (*this.host.get()).query() };
        let host = *this.host();
        this.shared.set_waker(Some(Box::new(move || host.request_callback())));
        // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
        let made = this.inner.init.is_some_and(|init| unsafe { init(plugin) });
        if let (true, Some(exported)) = (made, this.exported()) {
            this.shared.become_chain(exported);
            this.params.macros.meet(&this.shared);
            this.meet_bypass();
            this.log();
        }
        made
    })
}

unsafe extern "C" fn destroy(plugin: *const clap_plugin) {
    guard((), || {
        if plugin.is_null() {
            return;
        }
        // SAFETY: the host passes what `create` leaked, once, and uses it no more.
        let this = unsafe { Box::from_raw(plugin.cast::<Instance>().cast_mut()) };
        // Home must not call into the host any more once this returns.
        this.shared.set_waker(None);
        if let Some(destroy) = this.inner.destroy {
            // SAFETY: nice-plug's own plugin, destroyed once.
            unsafe { destroy(&this.inner) };
        }
    });
}

unsafe extern "C" fn activate(plugin: *const clap_plugin, rate: f64, min: u32, max: u32) -> bool {
    guard(false, || {
        // SAFETY: the host passes what `create` gave it.
        let Some(this) = (unsafe { of(plugin) }) else { return false };
        let sane = rate.is_finite() && rate > 0.0 && max > 0;
        // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
        let active = sane && this.inner.activate.is_some_and(|activate| unsafe { activate(plugin, rate, min, max) });
        this.active.store(active, Ordering::Relaxed);
        this.restart_asked.store(false, Ordering::Relaxed);
        if active {
            let latency = this.shared.session().map_or(0, |session| session.latency());
            if this.shared.tell_latency(latency) {
                this.host().latency_changed();
            }
        }
        active
    })
}

unsafe extern "C" fn deactivate(plugin: *const clap_plugin) {
    guard((), || {
        // SAFETY: the host passes what `create` gave it.
        let Some(this) = (unsafe { of(plugin) }) else { return };
        this.active.store(false, Ordering::Relaxed);
        if let Some(deactivate) = this.inner.deactivate {
            // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
            unsafe { deactivate(plugin) };
        }
    });
}

unsafe extern "C" fn start_processing(plugin: *const clap_plugin) -> bool {
    guard(false, || {
        // SAFETY: the host passes what `create` gave it.
        let Some(this) = (unsafe { of(plugin) }) else { return false };
        // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
        this.inner.start_processing.is_some_and(|start| unsafe { start(plugin) })
    })
}

unsafe extern "C" fn stop_processing(plugin: *const clap_plugin) {
    guard((), || {
        // SAFETY: the host passes what `create` gave it; nice-plug's own function on its own data.
        if let Some(stop) = unsafe { of(plugin) }.and_then(|this| this.inner.stop_processing) {
            // SAFETY: as above.
            unsafe { stop(plugin) };
        }
    });
}

unsafe extern "C" fn reset(plugin: *const clap_plugin) {
    guard((), || {
        // SAFETY: the host passes what `create` gave it.
        if let Some(reset) = unsafe { of(plugin) }.and_then(|this| this.inner.reset) {
            // SAFETY: nice-plug's own function on its own data.
            unsafe { reset(plugin) };
        }
    });
}

unsafe extern "C" fn process(plugin: *const clap_plugin, process: *const clap_process) -> clap_process_status {
    guard(CLAP_PROCESS_ERROR, || {
        // SAFETY: the host passes what `create` gave it, and a `clap_process` that is valid over the call.
        let (Some(this), Some(block)) = (unsafe { (of(plugin), process.as_ref()) }) else { return CLAP_PROCESS_ERROR };
        // SAFETY: the pointers in `block` are the host's, valid over the call.
        if !this.active.load(Ordering::Relaxed) || !unsafe { events::buffers_there(block) } {
            return CLAP_PROCESS_ERROR;
        }
        let Ok(mut kept) = this.kept.try_borrow_mut() else { return CLAP_PROCESS_ERROR };
        injected("clap process");
        if let Ok(mut queue) = this.shared.events.try_borrow_mut() {
            queue.begin(block.frames_count);
            // SAFETY: as above.
            unsafe { events::gather(block.in_events, &this.macro_ids, &mut queue, &mut kept) };
            if block.frames_count == 0 {
                // No part of the block plays them: they are heard at the start of the next one.
                for moved in &queue.macros {
                    let _moved = this.shared.with_macros(|macros| macros.tell(moved.index, moved.value));
                }
            }
        }
        // First, since they are of the block's first frame.
        // SAFETY: as above.
        unsafe { params::emit_said(block.out_events, &this.shared, &this.macro_ids) };
        let filtered = events::Filtered::new(block.in_events, &kept);
        let list = filtered.list();
        let in_events = if block.in_events.is_null() { ptr::null() } else { &raw const list };
        let inner_block = clap_process { in_events, ..*block };
        // SAFETY: nice-plug's own function on a plugin with nice-plug's own data; all that the block names lives over the call.
        let status =
            this.inner.process.map_or(CLAP_PROCESS_ERROR, |run| unsafe { run(plugin, &raw const inner_block) });
        if let Ok(queue) = this.shared.events.try_borrow() {
            this.note_moves(&queue);
            // SAFETY: as above.
            unsafe { events::emit(block.out_events, &queue.output) };
        }
        let tail = this.shared.tail();
        if this.tail.swap(tail, Ordering::Relaxed) != tail {
            this.host().tail_changed();
        }
        if this.shared.missed() {
            this.shared.wake();
        }
        // Never asleep: what is inside may sound by itself, and edits go through `process`.
        if status == CLAP_PROCESS_ERROR { status } else { CLAP_PROCESS_CONTINUE }
    })
}

unsafe extern "C" fn get_extension(plugin: *const clap_plugin, id: *const c_char) -> *const c_void {
    guard(ptr::null(), || {
        // SAFETY: the host passes what `create` gave it.
        let Some(this) = (unsafe { of(plugin) }) else { return ptr::null() };
        if id.is_null() {
            return ptr::null();
        }
        // SAFETY: not null, a C string of the host's.
        match unsafe { CStr::from_ptr(id) } {
            id if id == CLAP_EXT_LATENCY => ptr::from_ref(&latency::EXTENSION).cast(),
            id if id == CLAP_EXT_STATE => ptr::from_ref(&state::EXTENSION).cast(),
            id if id == CLAP_EXT_TAIL => ptr::from_ref(&tail::EXTENSION).cast(),
            id if id == CLAP_EXT_NOTE_PORTS => ptr::from_ref(&note_ports::EXTENSION).cast(),
            id if id == CLAP_EXT_PARAMS => ptr::from_ref(&params::EXTENSION).cast(),
            id if id == CLAP_EXT_PRESET_LOAD || id == CLAP_EXT_PRESET_LOAD_COMPAT => {
                ptr::from_ref(&preset_load::EXTENSION).cast()
            }
            id if id == CLAP_EXT_REMOTE_CONTROLS || id == CLAP_EXT_REMOTE_CONTROLS_COMPAT => {
                ptr::from_ref(&remote_controls::EXTENSION).cast()
            }
            id if id == CLAP_EXT_RENDER => ptr::from_ref(&render::EXTENSION).cast(),
            // nice-plug's window needs the host's side of it.
            id if id == CLAP_EXT_GUI && !this.host().has_gui() => ptr::null(),
            // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
            _ => this.inner.get_extension.map_or(ptr::null(), |get| unsafe { get(plugin, id) }),
        }
    })
}

unsafe extern "C" fn on_main_thread(plugin: *const clap_plugin) {
    guard((), || {
        // SAFETY: the host passes what `create` gave it.
        let Some(this) = (unsafe { of(plugin) }) else { return };
        this.serve();
        if let Some(call) = this.inner.on_main_thread {
            // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
            unsafe { call(plugin) };
        }
    });
}

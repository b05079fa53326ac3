//! The host's side of CLAP: what it answers, and a count of what it is asked for.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use clap_sys::ext::gui::{CLAP_EXT_GUI, clap_host_gui};
use clap_sys::ext::latency::{CLAP_EXT_LATENCY, clap_host_latency};
use clap_sys::ext::log::{CLAP_EXT_LOG, clap_host_log, clap_log_severity};
use clap_sys::ext::params::{CLAP_EXT_PARAMS, clap_host_params, clap_param_clear_flags, clap_param_rescan_flags};
use clap_sys::ext::remote_controls::{CLAP_EXT_REMOTE_CONTROLS, clap_host_remote_controls};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_host_state};
use clap_sys::ext::tail::{CLAP_EXT_TAIL, clap_host_tail};
use clap_sys::ext::thread_check::{CLAP_EXT_THREAD_CHECK, clap_host_thread_check};
use clap_sys::host::clap_host;
use clap_sys::id::clap_id;
use clap_sys::version::CLAP_VERSION;

use super::text;

/// What the plugin asked of the host.
#[derive(Default)]
pub struct Asked {
    /// Restarts.
    pub restarts: AtomicU32,
    /// Calls of `on_main_thread` not yet made.
    pub(super) callbacks: AtomicU32,
    /// Dirty marks.
    pub dirty: AtomicU32,
    /// `latency.changed` inside `activate`.
    pub latency_in_activate: AtomicU32,
    /// `latency.changed` anywhere else.
    pub latency_elsewhere: AtomicU32,
    /// `tail.changed`.
    pub tail: AtomicU32,
    /// `params.rescan`.
    pub rescans: AtomicU32,
    /// All flags of those together.
    pub rescanned: AtomicU32,
    /// `remote-controls.changed`.
    pub pages: AtomicU32,
    /// `params.request_flush`.
    pub flushes: AtomicU32,
    pub(super) activating: AtomicBool,
    log: std::sync::Mutex<Vec<String>>,
}

impl Asked {
    fn of<'a>(host: *const clap_host) -> &'a Self {
        // SAFETY: `host_data` is the `Asked` that lives beside the host (see `ClapHost`).
        unsafe { &*(*host).host_data.cast::<Self>() }
    }

    /// Lines that were logged.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().expect("log").clone()
    }
}

unsafe extern "C" fn request_restart(host: *const clap_host) {
    Asked::of(host).restarts.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn request_process(_host: *const clap_host) {}

unsafe extern "C" fn request_callback(host: *const clap_host) {
    Asked::of(host).callbacks.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn latency_changed(host: *const clap_host) {
    let asked = Asked::of(host);
    let inside = asked.activating.load(Ordering::SeqCst);
    let count = if inside { &asked.latency_in_activate } else { &asked.latency_elsewhere };
    count.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn mark_dirty(host: *const clap_host) {
    Asked::of(host).dirty.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn tail_changed(host: *const clap_host) {
    Asked::of(host).tail.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn rescan(host: *const clap_host, flags: clap_param_rescan_flags) {
    Asked::of(host).rescanned.fetch_or(flags, Ordering::SeqCst);
    Asked::of(host).rescans.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn clear(_host: *const clap_host, _id: clap_id, _flags: clap_param_clear_flags) {}

unsafe extern "C" fn request_flush(host: *const clap_host) {
    Asked::of(host).flushes.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn pages_changed(host: *const clap_host) {
    assert!(MAIN.get() && !AUDIO.get(), "pages are told of on the main thread");
    Asked::of(host).pages.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn suggest_page(_host: *const clap_host, _page: clap_id) {}

unsafe extern "C" fn log(host: *const clap_host, _severity: clap_log_severity, line: *const c_char) {
    Asked::of(host).log.lock().expect("log").push(text(line));
}

thread_local! {
    /// Whether this thread's hosts show no windows.
    static NO_GUI: Cell<bool> = const { Cell::new(false) };
    /// Whether this thread plays the audio thread now.
    pub(super) static AUDIO: Cell<bool> = const { Cell::new(false) };
    /// Whether this thread made a host.
    pub(super) static MAIN: Cell<bool> = const { Cell::new(false) };
}

unsafe extern "C" fn is_main_thread(_host: *const clap_host) -> bool {
    MAIN.get() && !AUDIO.get()
}

unsafe extern "C" fn is_audio_thread(_host: *const clap_host) -> bool {
    AUDIO.get()
}

unsafe extern "C" fn gui_ignore(_host: *const clap_host) {}

/// Whether hosts of this process let an editor have the size that it asks for.
static TAKES_SIZES: AtomicBool = AtomicBool::new(false);

/// Has the hosts of this process let an editor have the size that it asks for.
pub fn take_sizes() {
    TAKES_SIZES.store(true, Ordering::SeqCst);
}

unsafe extern "C" fn gui_size(_host: *const clap_host, _width: u32, _height: u32) -> bool {
    TAKES_SIZES.load(Ordering::SeqCst)
}

unsafe extern "C" fn gui_yes(_host: *const clap_host) -> bool {
    true
}

unsafe extern "C" fn gui_closed(_host: *const clap_host, _destroyed: bool) {}

static GUI: clap_host_gui = clap_host_gui {
    resize_hints_changed: Some(gui_ignore),
    request_resize: Some(gui_size),
    request_show: Some(gui_yes),
    request_hide: Some(gui_yes),
    closed: Some(gui_closed),
};
static LATENCY: clap_host_latency = clap_host_latency { changed: Some(latency_changed) };
static STATE: clap_host_state = clap_host_state { mark_dirty: Some(mark_dirty) };
static TAIL: clap_host_tail = clap_host_tail { changed: Some(tail_changed) };
static PAGES: clap_host_remote_controls =
    clap_host_remote_controls { changed: Some(pages_changed), suggest_page: Some(suggest_page) };
static LOG: clap_host_log = clap_host_log { log: Some(log) };
static PARAMS: clap_host_params =
    clap_host_params { rescan: Some(rescan), clear: Some(clear), request_flush: Some(request_flush) };
static THREADS: clap_host_thread_check =
    clap_host_thread_check { is_main_thread: Some(is_main_thread), is_audio_thread: Some(is_audio_thread) };

unsafe extern "C" fn get_extension(_host: *const clap_host, id: *const c_char) -> *const c_void {
    // SAFETY: plugins pass C strings.
    match unsafe { CStr::from_ptr(id) } {
        id if id == CLAP_EXT_LATENCY => ptr::from_ref(&LATENCY).cast(),
        id if id == CLAP_EXT_STATE => ptr::from_ref(&STATE).cast(),
        id if id == CLAP_EXT_TAIL => ptr::from_ref(&TAIL).cast(),
        id if id == CLAP_EXT_REMOTE_CONTROLS => ptr::from_ref(&PAGES).cast(),
        id if id == CLAP_EXT_LOG => ptr::from_ref(&LOG).cast(),
        id if id == CLAP_EXT_PARAMS => ptr::from_ref(&PARAMS).cast(),
        id if id == CLAP_EXT_GUI && !NO_GUI.get() => ptr::from_ref(&GUI).cast(),
        id if id == CLAP_EXT_THREAD_CHECK => ptr::from_ref(&THREADS).cast(),
        _ => ptr::null(),
    }
}

/// A host whose counters are `asked`, which must outlive it.
pub(super) fn host(asked: &Asked) -> clap_host {
    clap_host {
        clap_version: CLAP_VERSION,
        host_data: ptr::from_ref(asked).cast_mut().cast(),
        name: c"Catena's tests".as_ptr(),
        vendor: c"".as_ptr(),
        url: c"".as_ptr(),
        version: c"1".as_ptr(),
        get_extension: Some(get_extension),
        request_restart: Some(request_restart),
        request_process: Some(request_process),
        request_callback: Some(request_callback),
    }
}

/// Makes this thread's next hosts ones that show windows, or that do not.
pub fn show_windows(show: bool) {
    NO_GUI.set(!show);
}

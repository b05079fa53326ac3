//! A CLAP host for Catena itself: opens the real file, calls it as a DAW does, and counts what it asks for.

#![allow(unsafe_code, reason = "a CLAP host calls a C interface")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::pin::Pin;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::entry::clap_plugin_entry;
use clap_sys::events::*;
use clap_sys::ext::audio_ports::{CLAP_EXT_AUDIO_PORTS, clap_audio_port_info, clap_plugin_audio_ports};
use clap_sys::ext::audio_ports_config::{CLAP_EXT_AUDIO_PORTS_CONFIG, clap_plugin_audio_ports_config};
use clap_sys::ext::gui::{
    CLAP_EXT_GUI, CLAP_WINDOW_API_X11, clap_host_gui, clap_plugin_gui, clap_window, clap_window_handle,
};
use clap_sys::ext::latency::{CLAP_EXT_LATENCY, clap_host_latency, clap_plugin_latency};
use clap_sys::ext::log::{CLAP_EXT_LOG, clap_host_log, clap_log_severity};
use clap_sys::ext::note_ports::{CLAP_EXT_NOTE_PORTS, clap_note_port_info, clap_plugin_note_ports};
use clap_sys::ext::params::{
    CLAP_EXT_PARAMS, CLAP_PARAM_IS_BYPASS, clap_host_params, clap_param_clear_flags, clap_param_info,
    clap_param_rescan_flags, clap_plugin_params,
};
use clap_sys::ext::render::{CLAP_EXT_RENDER, clap_plugin_render};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_host_state, clap_plugin_state};
use clap_sys::ext::tail::{CLAP_EXT_TAIL, clap_host_tail, clap_plugin_tail};
use clap_sys::ext::thread_check::{CLAP_EXT_THREAD_CHECK, clap_host_thread_check};
use clap_sys::factory::plugin_factory::{CLAP_PLUGIN_FACTORY_ID, clap_plugin_factory};
use clap_sys::host::clap_host;
use clap_sys::id::clap_id;
use clap_sys::plugin::clap_plugin;
use clap_sys::process::{CLAP_PROCESS_ERROR, clap_process};
use clap_sys::stream::{clap_istream, clap_ostream};
use clap_sys::version::CLAP_VERSION;

/// An open CLAP file. Never closed.
pub struct ClapFile {
    entry: &'static clap_plugin_entry,
}

/// What a file says of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
}

/// The text of a C string, empty for null.
fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: not null; plugins and hosts pass C strings.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Opens a library and answers the address of a symbol. Panics where there is none.
pub fn symbol(path: &Path, name: &CStr) -> *mut c_void {
    let file = CString::new(path.as_os_str().as_bytes()).expect("a path");
    // SAFETY: C strings; the initialisers are our own.
    unsafe {
        let library = libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        assert!(!library.is_null(), "{}: {}", path.display(), text(libc::dlerror()));
        let symbol = libc::dlsym(library, name.as_ptr());
        assert!(!symbol.is_null(), "{}: no {name:?}", path.display());
        symbol
    }
}

impl ClapFile {
    /// Opens `path` and initialises it.
    pub fn open(path: &Path) -> Self {
        // SAFETY: `clap_entry` is a `clap_plugin_entry` by the standard, and the library stays open.
        let entry: &'static clap_plugin_entry = unsafe { &*symbol(path, c"clap_entry").cast() };
        let file = CString::new(path.as_os_str().as_bytes()).expect("a path");
        // SAFETY: the entry's own function.
        assert!(unsafe { (entry.init.expect("init"))(file.as_ptr()) }, "init");
        Self { entry }
    }

    fn factory(&self) -> &'static clap_plugin_factory {
        // SAFETY: the entry's own function; not null by the assertion, and lives as long as the library.
        unsafe {
            let factory = (self.entry.get_factory.expect("get_factory"))(CLAP_PLUGIN_FACTORY_ID.as_ptr());
            assert!(!factory.is_null(), "a plugin factory");
            &*factory.cast()
        }
    }

    /// Every plugin of the file.
    pub fn plugins(&self) -> Vec<Described> {
        let factory = self.factory();
        // SAFETY: the factory's own functions on itself; descriptors live as long as the library.
        unsafe {
            (0..(factory.get_plugin_count.expect("count"))(factory))
                .map(|index| &*(factory.get_plugin_descriptor.expect("descriptor"))(factory, index))
                .map(|found| Described {
                    id: text(found.id),
                    name: text(found.name),
                    description: text(found.description),
                })
                .collect()
        }
    }
}

/// What the plugin asked of the host.
#[derive(Default)]
pub struct Asked {
    /// Restarts.
    pub restarts: AtomicU32,
    /// Calls of `on_main_thread` not yet made.
    callbacks: AtomicU32,
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
    activating: AtomicBool,
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

unsafe extern "C" fn rescan(host: *const clap_host, _flags: clap_param_rescan_flags) {
    Asked::of(host).rescans.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn clear(_host: *const clap_host, _id: clap_id, _flags: clap_param_clear_flags) {}

unsafe extern "C" fn request_flush(_host: *const clap_host) {}

unsafe extern "C" fn log(host: *const clap_host, _severity: clap_log_severity, line: *const c_char) {
    Asked::of(host).log.lock().expect("log").push(text(line));
}

thread_local! {
    /// Whether this thread's hosts show no windows.
    static NO_GUI: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    /// Whether this thread plays the audio thread now.
    static AUDIO: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    /// Whether this thread made a host.
    static MAIN: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

unsafe extern "C" fn is_main_thread(_host: *const clap_host) -> bool {
    MAIN.get() && !AUDIO.get()
}

unsafe extern "C" fn is_audio_thread(_host: *const clap_host) -> bool {
    AUDIO.get()
}

unsafe extern "C" fn gui_ignore(_host: *const clap_host) {}

unsafe extern "C" fn gui_no_size(_host: *const clap_host, _width: u32, _height: u32) -> bool {
    false
}

unsafe extern "C" fn gui_yes(_host: *const clap_host) -> bool {
    true
}

unsafe extern "C" fn gui_closed(_host: *const clap_host, _destroyed: bool) {}

static GUI: clap_host_gui = clap_host_gui {
    resize_hints_changed: Some(gui_ignore),
    request_resize: Some(gui_no_size),
    request_show: Some(gui_yes),
    request_hide: Some(gui_yes),
    closed: Some(gui_closed),
};
static LATENCY: clap_host_latency = clap_host_latency { changed: Some(latency_changed) };
static STATE: clap_host_state = clap_host_state { mark_dirty: Some(mark_dirty) };
static TAIL: clap_host_tail = clap_host_tail { changed: Some(tail_changed) };
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
        id if id == CLAP_EXT_LOG => ptr::from_ref(&LOG).cast(),
        id if id == CLAP_EXT_PARAMS => ptr::from_ref(&PARAMS).cast(),
        id if id == CLAP_EXT_GUI && !NO_GUI.get() => ptr::from_ref(&GUI).cast(),
        id if id == CLAP_EXT_THREAD_CHECK => ptr::from_ref(&THREADS).cast(),
        _ => ptr::null(),
    }
}

/// An event for or from a plugin.
#[derive(Clone, Debug, PartialEq)]
pub enum HostEvent {
    /// MIDI bytes; long ones and those that begin with F0 go as sysex.
    Midi(u32, Vec<u8>),
    /// A CLAP note on (true) or off: frame, channel, key, velocity.
    Note(u32, bool, i16, i16, f64),
    /// A parameter's value: frame, id, value.
    Param(u32, u32, f64),
}

/// Structs that event lists point into.
enum Raw {
    Midi(clap_event_midi),
    Sysex(clap_event_midi_sysex),
    Note(clap_event_note),
    Param(clap_event_param_value),
}

fn header<T>(time: u32, type_: u16) -> clap_event_header {
    clap_event_header { size: size_of::<T>() as u32, time, space_id: CLAP_CORE_EVENT_SPACE_ID, type_, flags: 0 }
}

impl Raw {
    fn new(event: &HostEvent) -> Self {
        match event {
            HostEvent::Midi(time, bytes) if bytes.len() <= 3 && bytes[0] != 0xF0 => {
                let mut data = [0; 3];
                data[..bytes.len()].copy_from_slice(bytes);
                let header = header::<clap_event_midi>(*time, CLAP_EVENT_MIDI);
                Self::Midi(clap_event_midi { header, port_index: 0, data })
            }
            HostEvent::Midi(time, bytes) => {
                let header = header::<clap_event_midi_sysex>(*time, CLAP_EVENT_MIDI_SYSEX);
                let (buffer, size) = (bytes.as_ptr(), bytes.len() as u32);
                Self::Sysex(clap_event_midi_sysex { header, port_index: 0, buffer, size })
            }
            HostEvent::Note(time, on, channel, key, velocity) => {
                let type_ = if *on { CLAP_EVENT_NOTE_ON } else { CLAP_EVENT_NOTE_OFF };
                Self::Note(clap_event_note {
                    header: header::<clap_event_note>(*time, type_),
                    note_id: -1,
                    port_index: 0,
                    channel: *channel,
                    key: *key,
                    velocity: *velocity,
                })
            }
            HostEvent::Param(time, id, value) => Self::Param(clap_event_param_value {
                header: header::<clap_event_param_value>(*time, CLAP_EVENT_PARAM_VALUE),
                param_id: *id,
                cookie: ptr::null_mut(),
                note_id: -1,
                port_index: -1,
                channel: -1,
                key: -1,
                value: *value,
            }),
        }
    }

    fn header(&self) -> *const clap_event_header {
        match self {
            Self::Midi(event) => &event.header,
            Self::Sysex(event) => &event.header,
            Self::Note(event) => &event.header,
            Self::Param(event) => &event.header,
        }
    }
}

unsafe extern "C" fn events_size(list: *const clap_input_events) -> u32 {
    // SAFETY: `ctx` is the `Vec` that `ClapHost::process` put there.
    unsafe { &*(*list).ctx.cast::<Vec<Raw>>() }.len() as u32
}

unsafe extern "C" fn events_get(list: *const clap_input_events, index: u32) -> *const clap_event_header {
    // SAFETY: as above.
    unsafe { &*(*list).ctx.cast::<Vec<Raw>>() }.get(index as usize).map_or(ptr::null(), Raw::header)
}

unsafe extern "C" fn events_push(list: *const clap_output_events, event: *const clap_event_header) -> bool {
    // SAFETY: `ctx` is the cell that `ClapHost::process` put there; the type says which struct the header begins.
    unsafe {
        let out = &*(*list).ctx.cast::<RefCell<Vec<HostEvent>>>();
        let time = (*event).time;
        let event = match (*event).type_ {
            CLAP_EVENT_MIDI => HostEvent::Midi(time, (*event.cast::<clap_event_midi>()).data.to_vec()),
            CLAP_EVENT_MIDI_SYSEX => {
                let sysex = &*event.cast::<clap_event_midi_sysex>();
                HostEvent::Midi(time, std::slice::from_raw_parts(sysex.buffer, sysex.size as usize).to_vec())
            }
            CLAP_EVENT_PARAM_VALUE => {
                let param = &*event.cast::<clap_event_param_value>();
                HostEvent::Param(time, param.param_id, param.value)
            }
            _ => return true,
        };
        out.borrow_mut().push(event);
    }
    true
}

unsafe extern "C" fn stream_write(stream: *const clap_ostream, bytes: *const c_void, size: u64) -> i64 {
    // Short writes are legal: a plugin must cope.
    let size = size.min(1000) as usize;
    // SAFETY: `ctx` is the cell that `ClapHost::save` put there; the plugin's bytes are readable.
    unsafe {
        let out = &*(*stream).ctx.cast::<RefCell<Vec<u8>>>();
        out.borrow_mut().extend_from_slice(std::slice::from_raw_parts(bytes.cast(), size));
    }
    size as i64
}

unsafe extern "C" fn stream_read(stream: *const clap_istream, bytes: *mut c_void, size: u64) -> i64 {
    // SAFETY: `ctx` is the cell that `ClapHost::load` put there; the plugin's bytes are writable.
    unsafe {
        let left = &mut *(*stream).ctx.cast::<&[u8]>();
        // Short reads are legal: a plugin must cope.
        let size = (size.min(1000) as usize).min(left.len());
        ptr::copy_nonoverlapping(left.as_ptr(), bytes.cast(), size);
        *left = &left[size..];
        size as i64
    }
}

/// Makes this thread's next hosts ones that show windows, or that do not.
pub fn show_windows(show: bool) {
    NO_GUI.set(!show);
}

/// One plugin in a host.
pub struct ClapHost {
    plugin: *const clap_plugin,
    /// What it asked for.
    pub asked: Pin<Box<Asked>>,
    _host: Pin<Box<clap_host>>,
    active: Option<(f64, u32)>,
    steady: i64,
    /// What the next blocks are told of the song.
    pub transport: Option<clap_event_transport>,
}

impl ClapHost {
    /// Makes and initialises the plugin `id` of `file`.
    pub fn new(file: &ClapFile, id: &str) -> Self {
        MAIN.set(true);
        let asked = Box::pin(Asked::default());
        let host = Box::pin(clap_host {
            clap_version: CLAP_VERSION,
            host_data: ptr::from_ref(&*asked).cast_mut().cast(),
            name: c"Catena's tests".as_ptr(),
            vendor: c"".as_ptr(),
            url: c"".as_ptr(),
            version: c"1".as_ptr(),
            get_extension: Some(get_extension),
            request_restart: Some(request_restart),
            request_process: Some(request_process),
            request_callback: Some(request_callback),
        });
        let factory = file.factory();
        let c_id = CString::new(id).expect("an id");
        // SAFETY: the factory's own function; host and counters are pinned and dropped after the plugin.
        unsafe {
            let plugin = (factory.create_plugin.expect("create"))(factory, &*host, c_id.as_ptr());
            assert!(!plugin.is_null(), "{id} cannot be made");
            assert!(((*plugin).init.expect("init"))(plugin), "{id}: init");
            Self { plugin, asked, _host: host, active: None, steady: 0, transport: None }
        }
    }

    fn extension<T>(&self, id: &CStr) -> Option<&T> {
        // SAFETY: a live plugin; extensions live as long as it.
        unsafe { ((*self.plugin).get_extension.expect("get_extension"))(self.plugin, id.as_ptr()).cast::<T>().as_ref() }
    }

    /// Activates and starts.
    pub fn activate(&mut self, rate: f64, max_block: u32) {
        self.asked.activating.store(true, Ordering::SeqCst);
        // SAFETY: a live plugin that is not active.
        let active = unsafe { ((*self.plugin).activate.expect("activate"))(self.plugin, rate, 1, max_block) };
        self.asked.activating.store(false, Ordering::SeqCst);
        assert!(active, "activate");
        self.active = Some((rate, max_block));
        AUDIO.set(true);
        // SAFETY: a live, active plugin.
        assert!(unsafe { ((*self.plugin).start_processing.expect("start"))(self.plugin) }, "start");
        AUDIO.set(false);
    }

    /// Stops and deactivates.
    pub fn deactivate(&mut self) {
        if self.active.take().is_some() {
            AUDIO.set(true);
            // SAFETY: a live, active plugin.
            unsafe { ((*self.plugin).stop_processing.expect("stop"))(self.plugin) };
            AUDIO.set(false);
            // SAFETY: as above.
            unsafe { ((*self.plugin).deactivate.expect("deactivate"))(self.plugin) };
        }
    }

    /// Deactivates and activates as it was, as a host does that was asked for a restart.
    pub fn restart(&mut self) {
        let (rate, max_block) = self.active.expect("active");
        self.deactivate();
        self.activate(rate, max_block);
    }

    /// Makes the main-thread calls that were asked for. Answers whether there were any.
    pub fn pump(&self) -> bool {
        let asked = self.asked.callbacks.swap(0, Ordering::SeqCst) > 0;
        if asked {
            // SAFETY: a live plugin, on its main thread.
            unsafe { ((*self.plugin).on_main_thread.expect("on_main_thread"))(self.plugin) };
        }
        asked
    }

    /// Pumps until `done` holds. False: it never did in ten seconds.
    pub fn pump_until(&self, mut done: impl FnMut(&Self) -> bool) -> bool {
        let end = Instant::now() + Duration::from_secs(10);
        while !done(self) {
            if Instant::now() > end {
                return false;
            }
            if !self.pump() {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        true
    }

    /// Latency, frames.
    pub fn latency(&self) -> u32 {
        let latency: &clap_plugin_latency = self.extension(CLAP_EXT_LATENCY).expect("clap.latency");
        // SAFETY: the extension's own function on its plugin.
        unsafe { (latency.get.expect("get"))(self.plugin) }
    }

    /// Tail, frames.
    pub fn tail(&self) -> u32 {
        let tail: &clap_plugin_tail = self.extension(CLAP_EXT_TAIL).expect("clap.tail");
        // SAFETY: as above.
        unsafe { (tail.get.expect("get"))(self.plugin) }
    }

    /// Sets the render mode.
    pub fn set_offline(&self, offline: bool) -> bool {
        let render: &clap_plugin_render = self.extension(CLAP_EXT_RENDER).expect("clap.render");
        // SAFETY: as above.
        unsafe { (render.set.expect("set"))(self.plugin, offline.into()) }
    }

    /// The state; `None` where the plugin failed to give it.
    pub fn save(&self) -> Option<Vec<u8>> {
        let state: &clap_plugin_state = self.extension(CLAP_EXT_STATE).expect("clap.state");
        let out = RefCell::new(Vec::new());
        let stream = clap_ostream { ctx: ptr::from_ref(&out).cast_mut().cast(), write: Some(stream_write) };
        // SAFETY: as above; the stream lives over the call.
        unsafe { (state.save.expect("save"))(self.plugin, &stream) }.then(|| out.into_inner())
    }

    /// Loads a state. False: the plugin refused it.
    pub fn load(&self, bytes: &[u8]) -> bool {
        let state: &clap_plugin_state = self.extension(CLAP_EXT_STATE).expect("clap.state");
        let mut left = bytes;
        let stream = clap_istream { ctx: ptr::from_mut(&mut left).cast(), read: Some(stream_read) };
        // SAFETY: as above.
        unsafe { (state.load.expect("load"))(self.plugin, &stream) }
    }

    /// Channels of each audio port of one direction.
    pub fn ports(&self, input: bool) -> Vec<u32> {
        let ports: &clap_plugin_audio_ports = self.extension(CLAP_EXT_AUDIO_PORTS).expect("clap.audio-ports");
        // SAFETY: as above; a zeroed info is valid and the plugin writes it.
        unsafe {
            (0..(ports.count.expect("count"))(self.plugin, input))
                .map(|index| {
                    let mut info: clap_audio_port_info = std::mem::zeroed();
                    assert!((ports.get.expect("get"))(self.plugin, index, input, &mut info), "port {index}");
                    info.channel_count
                })
                .collect()
        }
    }

    /// Chooses a layout by its number. False: there is none. `& !active`
    pub fn choose_layout(&self, number: u32) -> bool {
        let config: &clap_plugin_audio_ports_config =
            self.extension(CLAP_EXT_AUDIO_PORTS_CONFIG).expect("clap.audio-ports-config");
        // SAFETY: as above.
        unsafe {
            number < (config.count.expect("count"))(self.plugin)
                && (config.select.expect("select"))(self.plugin, number)
        }
    }

    /// Dialects of the note port of one direction: supported, preferred.
    pub fn note_dialects(&self, input: bool) -> (u32, u32) {
        let ports: &clap_plugin_note_ports = self.extension(CLAP_EXT_NOTE_PORTS).expect("clap.note-ports");
        // SAFETY: as above.
        unsafe {
            assert_eq!((ports.count.expect("count"))(self.plugin, input), 1);
            let mut info: clap_note_port_info = std::mem::zeroed();
            assert!((ports.get.expect("get"))(self.plugin, 0, input, &mut info));
            (info.supported_dialects, info.preferred_dialect)
        }
    }

    /// The id of the parameter that is flagged as the plugin's bypass.
    pub fn bypass_id(&self) -> Option<u32> {
        let params: &clap_plugin_params = self.extension(CLAP_EXT_PARAMS)?;
        // SAFETY: as above.
        unsafe {
            (0..(params.count.expect("count"))(self.plugin)).find_map(|index| {
                let mut info: clap_param_info = std::mem::zeroed();
                let there = (params.get_info.expect("get_info"))(self.plugin, index, &mut info);
                (there && info.flags & CLAP_PARAM_IS_BYPASS != 0).then_some(info.id)
            })
        }
    }

    /// The value of parameter `id`.
    pub fn value(&self, id: u32) -> f64 {
        let params: &clap_plugin_params = self.extension(CLAP_EXT_PARAMS).expect("clap.params");
        let mut value = f64::NAN;
        // SAFETY: as above.
        assert!(unsafe { (params.get_value.expect("get_value"))(self.plugin, id, &mut value) });
        value
    }

    /// Whether the plugin offers a window.
    pub fn offers_editor(&self) -> bool {
        self.extension::<clap_plugin_gui>(CLAP_EXT_GUI).is_some()
    }

    /// Opens the editor inside the X11 window `parent`.
    pub fn open_editor(&self, parent: u32) {
        let gui: &clap_plugin_gui = self.extension(CLAP_EXT_GUI).expect("clap.gui");
        let window =
            clap_window { api: CLAP_WINDOW_API_X11.as_ptr(), specific: clap_window_handle { x11: parent.into() } };
        // SAFETY: the extension's own functions on its plugin, in CLAP's order; the window lives over the call.
        unsafe {
            assert!((gui.create.expect("create"))(self.plugin, CLAP_WINDOW_API_X11.as_ptr(), false), "create");
            assert!((gui.set_parent.expect("set_parent"))(self.plugin, &window), "set_parent");
            (gui.show.expect("show"))(self.plugin);
        }
    }

    /// Closes it.
    pub fn close_editor(&self) {
        let gui: &clap_plugin_gui = self.extension(CLAP_EXT_GUI).expect("clap.gui");
        // SAFETY: as above.
        unsafe { (gui.destroy.expect("destroy"))(self.plugin) };
    }

    /// Runs one block. `main` is the main input's channels, all of one length; other inputs are silent. Answers the
    /// channels of every output port and the events that came out. Panics where the plugin reports an error.
    pub fn process(&mut self, main: &[Vec<f32>], events: &[HostEvent]) -> (Vec<Vec<Vec<f32>>>, Vec<HostEvent>) {
        let frames = main.first().map_or(0, Vec::len);
        let silent = |ports: Vec<u32>| -> Vec<Vec<Vec<f32>>> {
            ports.iter().map(|channels| vec![vec![0.0; frames]; *channels as usize]).collect()
        };
        let (mut inputs, mut outputs) = (silent(self.ports(true)), silent(self.ports(false)));
        if self.ports(true).first() == Some(&(main.len() as u32)) && inputs.len() > 1 {
            inputs[0] = main.to_vec();
        }
        let (_in, in_ports) = buffers(&mut inputs);
        let (_out, mut out_ports) = buffers(&mut outputs);
        let raw: Vec<Raw> = events.iter().map(Raw::new).collect();
        let sent = RefCell::new(Vec::new());
        let in_events = clap_input_events {
            ctx: ptr::from_ref(&raw).cast_mut().cast(),
            size: Some(events_size),
            get: Some(events_get),
        };
        let out_events =
            clap_output_events { ctx: ptr::from_ref(&sent).cast_mut().cast(), try_push: Some(events_push) };
        let block = clap_process {
            steady_time: self.steady,
            frames_count: frames as u32,
            transport: self.transport.as_ref().map_or(ptr::null(), ptr::from_ref),
            audio_inputs: in_ports.as_ptr(),
            audio_outputs: out_ports.as_mut_ptr(),
            audio_inputs_count: in_ports.len() as u32,
            audio_outputs_count: out_ports.len() as u32,
            in_events: &in_events,
            out_events: &out_events,
        };
        AUDIO.set(true);
        // SAFETY: a live, started plugin; everything in `block` lives over the call.
        let status = unsafe { ((*self.plugin).process.expect("process"))(self.plugin, &block) };
        AUDIO.set(false);
        assert_ne!(status, CLAP_PROCESS_ERROR, "process");
        self.steady += frames as i64;
        (outputs, sent.into_inner())
    }
}

/// Port structs over `ports`, and the channel pointers they point to.
fn buffers(ports: &mut [Vec<Vec<f32>>]) -> (Vec<Vec<*mut f32>>, Vec<clap_audio_buffer>) {
    let mut pointers: Vec<Vec<*mut f32>> =
        ports.iter_mut().map(|port| port.iter_mut().map(|channel| channel.as_mut_ptr()).collect()).collect();
    let buffers = pointers
        .iter_mut()
        .map(|channels| clap_audio_buffer {
            data32: channels.as_mut_ptr(),
            data64: ptr::null_mut(),
            channel_count: channels.len() as u32,
            latency: 0,
            constant_mask: 0,
        })
        .collect();
    (pointers, buffers)
}

impl Drop for ClapHost {
    fn drop(&mut self) {
        self.deactivate();
        // SAFETY: a live plugin that is not active; not used any more.
        unsafe { ((*self.plugin).destroy.expect("destroy"))(self.plugin) };
    }
}

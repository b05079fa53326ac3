//! A CLAP host for Catena itself: opens the real file, calls it as a DAW does, and counts what it asks for.

#![allow(unsafe_code, reason = "a CLAP host calls a C interface")]

mod answers;
mod events;
mod params;
mod streams;
mod window;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::pin::Pin;
use std::ptr;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::entry::clap_plugin_entry;
use clap_sys::events::clap_event_transport;
use clap_sys::ext::audio_ports::{CLAP_EXT_AUDIO_PORTS, clap_audio_port_info, clap_plugin_audio_ports};
use clap_sys::ext::audio_ports_config::{CLAP_EXT_AUDIO_PORTS_CONFIG, clap_plugin_audio_ports_config};
use clap_sys::ext::latency::{CLAP_EXT_LATENCY, clap_plugin_latency};
use clap_sys::ext::note_ports::{CLAP_EXT_NOTE_PORTS, clap_note_port_info, clap_plugin_note_ports};
use clap_sys::ext::params::{CLAP_EXT_PARAMS, CLAP_PARAM_IS_BYPASS, clap_param_info, clap_plugin_params};
use clap_sys::ext::render::{CLAP_EXT_RENDER, clap_plugin_render};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_plugin_state};
use clap_sys::ext::tail::{CLAP_EXT_TAIL, clap_plugin_tail};

use clap_sys::factory::plugin_factory::{CLAP_PLUGIN_FACTORY_ID, clap_plugin_factory};
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;
use clap_sys::process::{CLAP_PROCESS_ERROR, clap_process};

use self::answers::{AUDIO, MAIN};
use self::events::Raw;

pub use self::answers::{Asked, show_windows, take_sizes};
pub use self::events::HostEvent;

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
        let host = Box::pin(answers::host(&asked));
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
        let stream = streams::writer(&out);
        // SAFETY: as above; the stream lives over the call.
        unsafe { (state.save.expect("save"))(self.plugin, &stream) }.then(|| out.into_inner())
    }

    /// Loads a state. False: the plugin refused it.
    pub fn load(&self, bytes: &[u8]) -> bool {
        let state: &clap_plugin_state = self.extension(CLAP_EXT_STATE).expect("clap.state");
        let mut left = bytes;
        let stream = streams::reader(&mut left);
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

    /// The plugin itself, for who calls it without the cost of this host.
    pub fn raw(&self) -> *const clap_plugin {
        self.plugin
    }

    /// Runs one block. `main` is the main input's channels, all of one length; other inputs are silent. Answers the
    /// channels of every output port and the events that came out. Panics where the plugin reports an error.
    pub fn process(&mut self, main: &[Vec<f32>], notes: &[HostEvent]) -> (Vec<Vec<Vec<f32>>>, Vec<HostEvent>) {
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
        let raw: Vec<Raw> = notes.iter().map(Raw::new).collect();
        let sent = RefCell::new(Vec::new());
        let (in_events, out_events) = (events::list_in(&raw), events::list_out(&sent));
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

//! An LV2 host for Catena itself: opens the real library, reads the ports from its Turtle, and calls it as a DAW does, or
//! as none should.

#![allow(unsafe_code, reason = "an LV2 host calls a C interface")]

mod atoms;
mod files;
mod window;

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use lv2_raw::sys::*;

pub use atoms::{Played, Song};
pub use files::Stored;
pub use window::{Asked, Lv2Window, threads};

use crate::container_host::symbol;

/// Frames that the host's buffers hold.
pub const ROOM: usize = 16_384;

/// Every number given to a URI in this process.
static URIDS: Mutex<Vec<CString>> = Mutex::new(Vec::new());

/// The number of `uri`.
pub fn urid(uri: &str) -> u32 {
    number(&CString::new(uri).expect("no zero byte"))
}

fn number(uri: &CStr) -> u32 {
    let mut urids = URIDS.lock().unwrap_or_else(PoisonError::into_inner);
    let at = urids.iter().position(|known| known.as_c_str() == uri).unwrap_or_else(|| {
        urids.push(uri.to_owned());
        urids.len() - 1
    });
    at as u32 + 1
}

unsafe extern "C" fn map(_handle: LV2_URID_Map_Handle, uri: *const c_char) -> LV2_URID {
    // SAFETY: plugins pass C strings.
    number(unsafe { CStr::from_ptr(uri) })
}

/// Every line that a plugin logged in this process.
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

unsafe extern "C" fn printf(
    _handle: LV2_Log_Handle,
    _kind: LV2_URID,
    format: *const c_char,
    text: *const c_char,
) -> c_int {
    // SAFETY: C strings; ours logs one string alone.
    let (format, text) = unsafe { (CStr::from_ptr(format), CStr::from_ptr(text)) };
    assert_eq!(format, c"%s\n");
    LOG.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_string_lossy().into_owned());
    0
}

/// What plugins logged so far in this process.
pub fn log_lines() -> Vec<String> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// What a port is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One number.
    Control,
    /// Samples.
    Audio,
    /// A sequence of atoms.
    Atom,
}

/// One port, as the Turtle tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct PortInfo {
    /// Its symbol.
    pub symbol: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Into the plugin.
    pub input: bool,
    /// Default, least and largest value.
    pub range: (f32, f32, f32),
    /// Local names of its properties and designation.
    pub marks: Vec<String>,
}

/// A bundle's library, and what its Turtle tells. Never closed.
pub struct Lv2File {
    plugins: Vec<*const LV2_Descriptor>,
    windows: Vec<*const LV2UI_Descriptor>,
    ports: HashMap<String, Vec<PortInfo>>,
    bundle: PathBuf,
}

impl Lv2File {
    /// Opens the bundle in `folder`.
    pub fn open(folder: &Path) -> Self {
        // Ours, or that of a chain which is a plugin of its own.
        let library = ["Catena.so", "chain.so"].map(|name| folder.join(name)).into_iter().find(|path| path.is_file());
        let library = library.unwrap_or_else(|| panic!("no library in {}", folder.display()));
        // SAFETY: LV2's own symbols have these types.
        let (plugin, window) = unsafe {
            type Ask<T> = unsafe extern "C" fn(u32) -> *const T;
            (
                std::mem::transmute::<*mut c_void, Ask<LV2_Descriptor>>(symbol(&library, c"lv2_descriptor")),
                std::mem::transmute::<*mut c_void, Ask<LV2UI_Descriptor>>(symbol(&library, c"lv2ui_descriptor")),
            )
        };
        // SAFETY: they answer null past the last.
        let plugins = (0..).map(|index| unsafe { plugin(index) }).take_while(|found| !found.is_null()).collect();
        // SAFETY: as above.
        let windows = (0..).map(|index| unsafe { window(index) }).take_while(|found| !found.is_null()).collect();
        Self { plugins, windows, ports: ports(folder), bundle: folder.into() }
    }

    /// URIs of the plugins in the library, in its order.
    pub fn uris(&self) -> Vec<String> {
        // SAFETY: descriptors of the library's, which is never closed.
        self.plugins.iter().map(|plugin| unsafe { text((**plugin).URI) }).collect()
    }

    /// URIs of the windows in the library.
    pub fn window_uris(&self) -> Vec<String> {
        // SAFETY: as above.
        self.windows.iter().map(|window| unsafe { text((**window).URI) }).collect()
    }

    /// The ports of `uri` as the Turtle tells them.
    pub fn ports(&self, uri: &str) -> &[PortInfo] {
        &self.ports[uri]
    }

    fn descriptor(&self, uri: &str) -> &'static LV2_Descriptor {
        // SAFETY: as above.
        let found = self.plugins.iter().map(|plugin| unsafe { &**plugin });
        // SAFETY: as above.
        found.into_iter().find(|plugin| unsafe { text(plugin.URI) } == uri).expect("a plugin of the library")
    }

    /// The descriptor of the window of `uri`.
    pub fn window(&self, uri: &str) -> &'static LV2UI_Descriptor {
        let wanted = format!("{uri}#ui");
        // SAFETY: as above.
        let found = self.windows.iter().map(|window| unsafe { &**window });
        // SAFETY: as above.
        found.into_iter().find(|window| unsafe { text(window.URI) } == wanted).expect("a window of the library")
    }
}

/// # Safety
/// `text` is a C string.
unsafe fn text(text: *const c_char) -> String {
    // SAFETY: the caller's word.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Reads the ports of every plugin in a bundle through lilv.
fn ports(folder: &Path) -> HashMap<String, Vec<PortInfo>> {
    let world = lilv::World::new();
    world.load_bundle(&world.new_file_uri(None, &format!("{}/", folder.display())));
    let core = |name: &str| world.new_uri(&format!("http://lv2plug.in/ns/lv2core#{name}"));
    let (input, control, audio) = (core("InputPort"), core("ControlPort"), core("AudioPort"));
    let (property, designation) = (core("portProperty"), core("designation"));
    let range = ["default", "minimum", "maximum"].map(core);
    let read = |plugin: lilv::plugin::Plugin| {
        let one = |port: lilv::port::Port| {
            let number = |node: &lilv::node::Node| {
                port.get(node).and_then(|node| node.as_float().or(node.as_int().map(|int| int as f32))).unwrap_or(0.0)
            };
            let mut marks = Vec::new();
            for predicate in [&property, &designation] {
                for node in port.value(predicate).iter() {
                    let uri = node.as_uri().unwrap_or_default().to_owned();
                    marks.push(uri.rsplit(['#', '/']).next().unwrap_or_default().to_owned());
                }
            }
            let word = |node: Option<lilv::node::Node>| node.and_then(|node| node.as_str().map(str::to_owned));
            PortInfo {
                symbol: word(port.symbol()).expect("a symbol"),
                name: word(port.name()).expect("a name"),
                kind: match (port.is_a(&control), port.is_a(&audio)) {
                    (true, _) => Kind::Control,
                    (_, true) => Kind::Audio,
                    _ => Kind::Atom,
                },
                input: port.is_a(&input),
                range: (number(&range[0]), number(&range[1]), number(&range[2])),
                marks,
            }
        };
        (plugin.uri().as_uri().expect("a URI").to_owned(), plugin.iter_ports().map(one).collect())
    };
    world.plugins().iter().map(read).collect()
}

/// What a host offers at instantiation.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// `urid:map`.
    pub map: bool,
    /// The largest block, as an option.
    pub max_block: Option<i32>,
    /// `log:log`.
    pub log: bool,
    /// Sample rate, Hz.
    pub rate: f64,
}

impl Offer {
    /// What every DAW offers.
    pub fn all(max_block: i32) -> Self {
        Self { map: true, max_block: Some(max_block), log: true, rate: 48_000.0 }
    }

    /// Nothing at all.
    pub fn nothing() -> Self {
        Self { map: false, max_block: None, log: false, rate: 48_000.0 }
    }
}

/// One instance and its ports.
pub struct Lv2Host {
    descriptor: &'static LV2_Descriptor,
    handle: LV2_Handle,
    /// The ports.
    pub infos: Vec<PortInfo>,
    controls: Vec<f32>,
    audio: Vec<Vec<f32>>,
    atoms: Vec<Vec<u64>>,
    chunk: u32,
}

impl Lv2Host {
    /// Makes an instance with every port connected.
    pub fn new(file: &Lv2File, uri: &str, offer: Offer) -> Self {
        let mut map = LV2_URID_Map { handle: ptr::null_mut(), map: Some(map) };
        // SAFETY: with the variable arguments that our plugin passes (one pointer) both types are called alike on x86-64
        // and on AArch64 Linux.
        let printf = unsafe {
            type Plain = unsafe extern "C" fn(LV2_Log_Handle, LV2_URID, *const c_char, *const c_char) -> c_int;
            type Variadic = unsafe extern "C" fn(LV2_Log_Handle, LV2_URID, *const c_char, ...) -> c_int;
            std::mem::transmute::<Plain, Variadic>(printf)
        };
        // Leaked: an instance may use its log as long as it lives.
        let log = Box::leak(Box::new(LV2_Log_Log { handle: ptr::null_mut(), printf: Some(printf), vprintf: None }));
        let block = offer.max_block.unwrap_or(0);
        let option = |key: u32, value: *const i32| LV2_Options_Option {
            context: LV2_Options_Context_LV2_OPTIONS_INSTANCE,
            subject: 0,
            key,
            size: 4,
            type_: urid("http://lv2plug.in/ns/ext/atom#Int"),
            value: value.cast(),
        };
        let mut options =
            [option(urid("http://lv2plug.in/ns/ext/buf-size#maxBlockLength"), &block), option(0, ptr::null())];
        let feature = |uri: &'static [u8], data: *mut c_void| LV2_Feature { URI: uri.as_ptr().cast(), data };
        let mut features = Vec::new();
        if offer.map {
            features.push(feature(LV2_URID__map, ptr::from_mut(&mut map).cast()));
        }
        if offer.max_block.is_some() {
            features.push(feature(LV2_OPTIONS__options, options.as_mut_ptr().cast()));
        }
        if offer.log {
            features.push(feature(LV2_LOG__log, ptr::from_mut(log).cast()));
        }
        let mut list: Vec<*const LV2_Feature> = features.iter().map(ptr::from_ref).collect();
        list.push(ptr::null());
        let descriptor = file.descriptor(uri);
        let bundle = CString::new(format!("{}/", file.bundle.display())).expect("a path");
        let instantiate = descriptor.instantiate.expect("instantiate");
        let list = if features.is_empty() { ptr::null() } else { list.as_ptr() };
        // SAFETY: the library's own function, with a list that ends with null.
        let handle = unsafe { instantiate(descriptor, offer.rate, bundle.as_ptr(), list) };
        assert!(!handle.is_null(), "{uri} is not made");
        let infos = file.ports(uri).to_vec();
        let mut host = Self {
            descriptor,
            handle,
            controls: infos.iter().map(|info| info.range.0).collect(),
            audio: infos.iter().map(|_| vec![0.0; ROOM]).collect(),
            atoms: infos.iter().map(|_| vec![0; 32 * 1024]).collect(),
            infos,
            chunk: urid("http://lv2plug.in/ns/ext/atom#Chunk"),
        };
        (0..host.infos.len()).for_each(|port| host.connect(port));
        host
    }

    /// The index of the port with `symbol`.
    pub fn port(&self, symbol: &str) -> usize {
        self.infos.iter().position(|info| info.symbol == symbol).unwrap_or_else(|| panic!("no port {symbol}"))
    }

    /// Indices of the ports of a kind.
    pub fn all(&self, kind: Kind, input: bool) -> Vec<usize> {
        (0..self.infos.len())
            .filter(|port| self.infos[*port].kind == kind && self.infos[*port].input == input)
            .collect()
    }

    /// Connects a port to the host's own data.
    pub fn connect(&mut self, port: usize) {
        let data = match self.infos[port].kind {
            Kind::Control => ptr::from_mut(&mut self.controls[port]).cast(),
            Kind::Audio => self.audio[port].as_mut_ptr().cast(),
            Kind::Atom => self.atoms[port].as_mut_ptr().cast(),
        };
        self.connect_to(port, data);
    }

    /// Connects an audio port to the data of another.
    pub fn connect_like(&mut self, port: usize, other: usize) {
        let data = self.audio[other].as_mut_ptr().cast();
        self.connect_to(port, data);
    }

    /// Leaves a port without data.
    pub fn disconnect(&mut self, port: usize) {
        self.connect_to(port, ptr::null_mut());
    }

    fn connect_to(&mut self, port: usize, data: *mut c_void) {
        let connect = self.descriptor.connect_port.expect("connect_port");
        // SAFETY: a live instance; data that lives as long as this host, which disconnects nothing on drop: `cleanup` ends it.
        unsafe { connect(self.handle, port as u32, data) };
    }

    /// Starts it.
    pub fn activate(&mut self) {
        // SAFETY: a live instance.
        self.descriptor.activate.into_iter().for_each(|activate| unsafe { activate(self.handle) });
    }

    /// Ends it.
    pub fn deactivate(&mut self) {
        // SAFETY: as above.
        self.descriptor.deactivate.into_iter().for_each(|deactivate| unsafe { deactivate(self.handle) });
    }

    /// Sets a control input.
    pub fn set(&mut self, symbol: &str, value: f32) {
        let port = self.port(symbol);
        self.controls[port] = value;
    }

    /// The value of a control port.
    pub fn get(&self, symbol: &str) -> f32 {
        // The plugin writes it behind the compiler's back.
        // SAFETY: a live place of ours.
        unsafe { ptr::from_ref(&self.controls[self.port(symbol)]).read_volatile() }
    }

    /// Samples of an audio port after the last block.
    pub fn heard(&self, port: usize, frames: usize) -> Vec<f32> {
        self.audio[port][..frames].to_vec()
    }

    /// Fills the host's own buffer of an audio port.
    pub fn fill(&mut self, port: usize, value: f32) {
        self.audio[port].fill(value);
    }

    /// Puts samples into the first audio inputs; the others are silent.
    pub fn feed(&mut self, inputs: &[&[f32]]) {
        for (number, port) in self.all(Kind::Audio, true).into_iter().enumerate() {
            self.audio[port].fill(0.0);
            if let Some(from) = inputs.get(number) {
                self.audio[port][..from.len()].copy_from_slice(from);
            }
        }
    }

    /// Runs a block of what was fed, with `events`.
    pub fn run(&mut self, frames: u32, events: &[Played]) {
        for port in self.all(Kind::Atom, true) {
            atoms::write(&mut self.atoms[port], events);
        }
        self.run_again(frames);
    }

    /// Runs a block of what the ports hold.
    pub fn run_again(&mut self, frames: u32) {
        for (info, atoms) in self.infos.iter().zip(&mut self.atoms) {
            if info.kind == Kind::Atom && !info.input {
                atoms::make_room(atoms, self.chunk);
            }
        }
        let run = self.descriptor.run.expect("run");
        // SAFETY: a live instance; every port has room for `frames`, at most [`ROOM`], or has no data.
        unsafe { run(self.handle, frames) };
    }

    /// Runs a block: what comes out of all audio outputs, and the events.
    pub fn play(&mut self, inputs: &[&[f32]], frames: u32, events: &[Played]) -> (Vec<Vec<f32>>, Vec<Played>) {
        self.feed(inputs);
        self.run(frames, events);
        let outputs = self.all(Kind::Audio, false);
        (outputs.into_iter().map(|port| self.heard(port, frames as usize)).collect(), self.events())
    }

    /// What came out of the atom port in the last block.
    pub fn events(&self) -> Vec<Played> {
        self.all(Kind::Atom, false).into_iter().flat_map(|port| atoms::read(&self.atoms[port])).collect()
    }

    /// The instance, for a window.
    pub fn handle(&self) -> LV2_Handle {
        self.handle
    }

    /// An interface that the plugin offers.
    pub fn interface<T>(&self, uri: &str) -> Option<&'static T> {
        let uri = CString::new(uri).expect("no zero byte");
        let ask = self.descriptor.extension_data?;
        // SAFETY: the library's own function; what it answers is static and of the type that the URI names.
        unsafe { ask(uri.as_ptr()).cast::<T>().as_ref() }
    }
}

impl Drop for Lv2Host {
    fn drop(&mut self) {
        // SAFETY: a live instance, used no more.
        self.descriptor.cleanup.into_iter().for_each(|cleanup| unsafe { cleanup(self.handle) });
    }
}

//! An LV2 host for Catena itself: opens the real library, reads the ports from its Turtle, and calls it as a DAW does, or
//! as none should.

#![allow(unsafe_code, reason = "an LV2 host calls a C interface")]

mod atoms;
mod file;
mod files;
mod window;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use lv2_raw::sys::*;

pub use atoms::{Played, Song};
pub use file::{Kind, Lv2File, PortInfo};
pub use files::Stored;
pub use window::{Asked, Lv2Window, threads};

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

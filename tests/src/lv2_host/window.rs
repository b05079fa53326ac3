//! A plugin's window as a host opens it, inside an X11 window of the host's.

use std::ffi::{CString, c_int, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lv2_raw::sys::*;

use super::{Lv2File, Lv2Host, map, urid};

/// What the window asked the host for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// A size, pixels.
    Size(i32, i32),
    /// A port taken hold of or let go.
    Touch(u32, bool),
    /// A port's value.
    Value(u32, f32),
}

type Asks = Mutex<Vec<Asked>>;

fn note(asks: *mut c_void, asked: Asked) {
    // SAFETY: the leaked list that the window was made with.
    let asks = unsafe { &*asks.cast::<Asks>() };
    asks.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
}

unsafe extern "C" fn resize(asks: *mut c_void, width: c_int, height: c_int) -> c_int {
    note(asks, Asked::Size(width, height));
    0
}

unsafe extern "C" fn touch(asks: *mut c_void, port: u32, held: bool) {
    note(asks, Asked::Touch(port, held));
}

unsafe extern "C" fn write(asks: LV2UI_Controller, port: u32, size: u32, protocol: u32, value: *const c_void) {
    assert_eq!((size, protocol), (4, 0));
    // SAFETY: one float, as the protocol says.
    note(asks, Asked::Value(port, unsafe { value.cast::<f32>().read_unaligned() }));
}

/// An open window.
pub struct Lv2Window {
    descriptor: &'static LV2UI_Descriptor,
    handle: LV2UI_Handle,
    asks: &'static Asks,
    /// Threads of this process before it was opened.
    threads: usize,
    /// The number of the X11 window that the plugin says is its own.
    pub widget: u32,
}

impl Lv2Window {
    /// Opens the window of `host`'s plugin `uri` inside the X11 window `parent`. `None` where the plugin refuses.
    pub fn open(file: &Lv2File, host: &Lv2Host, uri: &str, parent: u32, scale: f32) -> Option<Self> {
        let threads = threads();
        // Leaked: the window's thread may use it as long as it lives.
        let asks: &'static Asks = Box::leak(Box::default());
        let handle: *mut c_void = ptr::from_ref(asks).cast_mut().cast();
        let resize = Box::leak(Box::new(LV2UI_Resize { handle, ui_resize: Some(resize) }));
        let touch = Box::leak(Box::new(LV2UI_Touch { handle, touch: Some(touch) }));
        let mut map = LV2_URID_Map { handle: ptr::null_mut(), map: Some(map) };
        let option = |key: u32, value: *const f32| LV2_Options_Option {
            context: LV2_Options_Context_LV2_OPTIONS_INSTANCE,
            subject: 0,
            key,
            size: 4,
            type_: urid("http://lv2plug.in/ns/ext/atom#Float"),
            value: value.cast(),
        };
        let mut options =
            [option(urid("http://lv2plug.in/ns/extensions/ui#scaleFactor"), &scale), option(0, ptr::null())];
        let feature = |uri: &'static [u8], data: *mut c_void| LV2_Feature { URI: uri.as_ptr().cast(), data };
        let features = [
            feature(LV2_UI__parent, parent as usize as *mut c_void),
            feature(LV2_INSTANCE_ACCESS_URI, host.handle()),
            feature(LV2_UI__idleInterface, ptr::null_mut()),
            feature(LV2_UI__resize, ptr::from_mut(resize).cast()),
            feature(LV2_UI__touch, ptr::from_mut(touch).cast()),
            feature(LV2_URID__map, ptr::from_mut(&mut map).cast()),
            feature(LV2_OPTIONS__options, options.as_mut_ptr().cast()),
        ];
        let mut list: Vec<*const LV2_Feature> = features.iter().map(ptr::from_ref).collect();
        list.push(ptr::null());
        let descriptor = file.window(uri);
        let (uri, bundle) = (CString::new(uri).expect("no zero byte"), CString::new("/").expect("no zero byte"));
        let mut widget: LV2UI_Widget = ptr::null_mut();
        let instantiate = descriptor.instantiate.expect("instantiate");
        // SAFETY: the library's own function, with a list that ends with null and structs that live as long as they must.
        let handle = unsafe {
            instantiate(descriptor, uri.as_ptr(), bundle.as_ptr(), Some(write), handle, &mut widget, list.as_ptr())
        };
        let widget = u32::try_from(widget as usize).expect("a number of X11's");
        (!handle.is_null()).then_some(Self { descriptor, handle, asks, threads, widget })
    }

    fn interface<T>(&self, uri: &'static [u8]) -> &'static T {
        let ask = self.descriptor.extension_data.expect("extension_data");
        // SAFETY: the library's own function; what it answers is static and of the type that the URI names.
        unsafe { ask(uri.as_ptr().cast()).cast::<T>().as_ref() }.expect("an interface")
    }

    /// Lets it do what waits; false where it is closed.
    pub fn idle(&self) -> bool {
        let idle: &LV2UI_Idle_Interface = self.interface(LV2_UI__idleInterface);
        // SAFETY: a live window.
        unsafe { idle.idle.expect("idle")(self.handle) == 0 }
    }

    /// Gives it another size.
    pub fn resize(&self, width: i32, height: i32) -> bool {
        let resize: &LV2UI_Resize = self.interface(LV2_UI__resize);
        // SAFETY: a live window, which is the handle of what it gives out itself.
        unsafe { resize.ui_resize.expect("ui_resize")(self.handle, width, height) == 0 }
    }

    /// Tells it that a control port has another value.
    pub fn port_event(&self, port: u32, value: f32) {
        let tell = self.descriptor.port_event.expect("port_event");
        // SAFETY: a live window; one float, which is protocol 0.
        unsafe { tell(self.handle, port, 4, 0, ptr::from_ref(&value).cast()) };
    }

    /// Closes it and waits for nothing, as a host does.
    pub fn close(self) {
        let gone = std::mem::ManuallyDrop::new(self);
        // SAFETY: a live window, used no more.
        gone.descriptor.cleanup.into_iter().for_each(|cleanup| unsafe { cleanup(gone.handle) });
    }

    /// What it has asked for so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Lv2Window {
    fn drop(&mut self) {
        // SAFETY: a live window, used no more.
        self.descriptor.cleanup.into_iter().for_each(|cleanup| unsafe { cleanup(self.handle) });
        // baseview's thread still takes its EGL display down then: a process that ends meanwhile dies in Mesa's own end.
        let began = Instant::now();
        while threads() > self.threads && began.elapsed() < Duration::from_secs(3) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Threads of this process.
pub fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

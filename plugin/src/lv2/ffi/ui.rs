//! The window: the plugin's editor inside a window of the host's. `[host's UI thread]` all through, but for what the
//! editor's own thread leaves in [`Asked`].

use std::error::Error;
use std::ffi::{CStr, c_char, c_int, c_ulong, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};

use lv2_raw::sys::*;
use nice_plug::context::gui::{GuiContext, GuiContextInner};
use nice_plug::editor::dpi::{NativeSize, Size};
use nice_plug::editor::{EditorHandle, HostCallbacks, HostMainThreadCaller, HostMethods, SpawnedEditor};
use nice_plug::plugin::PluginState;
use nice_plug::prelude::{Editor, ParamPtr, ParentWindowHandle, PluginApi};

use super::super::context::API;
use super::super::{Lv2Plugin, x11};
use super::features::{self, Map};
use super::instance;
use super::params::Params;
use super::shared::{Common, lock};
use crate::guard::{guard, injected, say};

/// What the editor asks of the host, until the host's `idle`.
enum Ask {
    /// A parameter is taken hold of (true) or let go.
    Touch(usize, bool),
    /// The value of a port.
    Set(usize, f32),
}

/// What the window's own thread leaves for the host's.
struct Asked<P: Lv2Plugin> {
    /// Not held: what the plugin keeps of its window's context would otherwise keep the plugin.
    common: Weak<Common<P>>,
    asks: Mutex<Vec<Ask>>,
}

impl<P: Lv2Plugin> Asked<P> {
    fn ask(&self, param: ParamPtr, what: impl FnOnce(&Params, usize) -> Ask) {
        let Some(common) = self.common.upgrade() else { return };
        if let Some(port) = common.params.port_of(param) {
            lock(&self.asks).push(what(&common.params, port));
        }
    }
}

impl<P: Lv2Plugin> GuiContextInner for Asked<P> {
    fn plugin_api(&self) -> PluginApi {
        API
    }

    unsafe fn raw_begin_set_parameter(&self, param: ParamPtr) {
        self.ask(param, |_, port| Ask::Touch(port, true));
    }

    unsafe fn raw_set_parameter_normalized(&self, param: ParamPtr, normalized: f32) {
        self.ask(param, |params, port| {
            // At once, for the sound and for what the window shows; the host's port follows.
            params.set_normalized(port, normalized);
            Ask::Set(port, params.port_value(port, normalized))
        });
    }

    unsafe fn raw_end_set_parameter(&self, param: ParamPtr) {
        self.ask(param, |_, port| Ask::Touch(port, false));
    }

    fn get_state(&self) -> PluginState {
        let gone =
            || PluginState { version: P::VERSION.into(), params: Default::default(), fields: Default::default() };
        self.common.upgrade().map_or_else(gone, |common| common.params.state(P::VERSION))
    }

    fn set_state(&self, state: PluginState) {
        let Some(common) = self.common.upgrade() else { return };
        common.params.set_state(&state);
        for port in 0..common.params.infos.len() {
            lock(&self.asks).push(Ask::Set(port, common.params.value(port)));
        }
        common.dirty.store(true, Ordering::Relaxed);
    }

    fn request_restart(&self) {}
}

/// Lets the host's thread know that the window wants to be called.
struct Caller(Arc<AtomicBool>);

impl HostMainThreadCaller for Caller {
    fn call_main_thread(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Resizes the host's window.
struct Resizer {
    resize: Option<LV2UI_Resize>,
    gone: Arc<AtomicBool>,
}

impl HostCallbacks for Resizer {
    fn request_resize(&mut self, new_size: Size, scale_factor: f64) -> Result<(), Box<dyn Error>> {
        let size = NativeSize::<u32>::from_size(new_size, scale_factor);
        match &self.resize {
            // SAFETY: the host's struct, valid until `cleanup`, before which the window and this are dropped.
            Some(resize) if unsafe { ask_size(resize, size) } => Ok(()),
            _ => Err("the host does not resize its window".into()),
        }
    }

    fn destroyed(&mut self) {
        self.gone.store(true, Ordering::Relaxed);
    }
}

/// # Safety
/// `resize` is the host's and valid.
unsafe fn ask_size(resize: &LV2UI_Resize, size: NativeSize<u32>) -> bool {
    let Some(ask) = resize.ui_resize else { return false };
    // SAFETY: the caller's word; 0 is success (LV2 `ui.h`).
    unsafe { ask(resize.handle, size.width as c_int, size.height as c_int) == 0 }
}

/// An open window.
struct Ui<P: Lv2Plugin> {
    /// Held: a host may close the plugin before its window.
    common: Arc<Common<P>>,
    asked: Arc<Asked<P>>,
    spawned: SpawnedEditor<<P::Editor as Editor>::Handle>,
    write: LV2UI_Write_Function,
    controller: LV2UI_Controller,
    touch: Option<LV2UI_Touch>,
    called: Arc<AtomicBool>,
    gone: Arc<AtomicBool>,
}

impl<P: Lv2Plugin> Drop for Ui<P> {
    fn drop(&mut self) {
        self.common.window_open.store(false, Ordering::Release);
    }
}

/// # Safety
/// `handle` is null or came from [`instantiate`] of the same `P` and was not cleaned up.
unsafe fn of<'a, P: Lv2Plugin>(handle: LV2UI_Handle) -> Option<&'a Ui<P>> {
    // SAFETY: the caller's word.
    unsafe { handle.cast::<Ui<P>>().cast_const().as_ref() }
}

/// `instantiate`. Null, with a line on standard error: see the table of [`crate::lv2`]. `[host's UI thread]`
pub unsafe extern "C" fn instantiate<P: Lv2Plugin>(
    _descriptor: *const LV2UI_Descriptor,
    _plugin: *const c_char,
    _bundle: *const c_char,
    write: LV2UI_Write_Function,
    controller: LV2UI_Controller,
    widget: *mut LV2UI_Widget,
    features: *const *const LV2_Feature,
) -> LV2UI_Handle {
    guard(ptr::null_mut(), || {
        // SAFETY: the host's list; the handle that it gives is the plugin's own (LV2 `instance-access.h`).
        let (parent, plugin) = unsafe {
            let plugin = features::find(features, LV2_INSTANCE_ACCESS_URI);
            (features::find(features, LV2_UI__parent), plugin.and_then(|handle| instance::of::<P>(handle)))
        };
        let (Some(parent), Some(plugin)) = (parent.filter(|parent| !parent.is_null()), plugin) else {
            say(format_args!("{}: the host offers no window to open the editor in, or no way to the plugin", P::NAME));
            return ptr::null_mut();
        };
        let common = Arc::clone(&plugin.common);
        if common.window_open.swap(true, Ordering::AcqRel) {
            return ptr::null_mut();
        }
        // SAFETY: the host's list, whose structs live until `cleanup`.
        let opened = guard(None, || unsafe { open(&common, parent as usize as c_ulong, write, controller, features) });
        let Some(ui) = opened else {
            common.window_open.store(false, Ordering::Release);
            return ptr::null_mut();
        };
        if !widget.is_null() {
            let window = u32::try_from(parent as usize).ok().and_then(x11::newest_child);
            // SAFETY: not null, the host's to be written. The number of an X11 window goes as a pointer (LV2 `ui.h`).
            unsafe { *widget = window.map_or(ptr::null_mut(), |window| window as usize as *mut c_void) };
        }
        Box::into_raw(Box::new(ui)).cast()
    })
}

/// Opens the editor in the X11 window `parent`.
///
/// # Safety
/// `features` is the host's list, whose structs live until the result is dropped.
unsafe fn open<P: Lv2Plugin>(
    common: &Arc<Common<P>>,
    parent: c_ulong,
    write: LV2UI_Write_Function,
    controller: LV2UI_Controller,
    features: *const *const LV2_Feature,
) -> Option<Ui<P>> {
    // SAFETY: the caller's word; each URI names its struct.
    let (resize, touch, scale) = unsafe {
        (
            features::data::<LV2UI_Resize>(features, LV2_UI__resize).copied(),
            features::data::<LV2UI_Touch>(features, LV2_UI__touch).copied(),
            scale_factor(features),
        )
    };
    injected("lv2 window");
    let asked = Arc::new(Asked { common: Arc::downgrade(common), asks: Mutex::default() });
    let (called, gone) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let host = HostMethods {
        callbacks: Box::new(Resizer { resize, gone: Arc::clone(&gone) }),
        main_thread_caller: Box::new(Caller(Arc::clone(&called))),
    };
    let gui = GuiContext::new(Arc::clone(&asked) as Arc<dyn GuiContextInner>);
    let editor = lock(&common.editor);
    let editor = editor.as_ref()?;
    let opened = editor.spawn(Some(ParentWindowHandle::XlibWindow(parent)), false, scale, gui, Some(host));
    let spawned = opened.map_err(|error| say(format_args!("{}: {error}", P::NAME))).ok()?;
    if let Some(resize) = &resize {
        // SAFETY: the host's struct, valid (the caller's word).
        unsafe { ask_size(resize, editor.size()) };
    }
    spawned.handle.show(&spawned.window).map_err(|error| say(format_args!("{}: {error}", P::NAME))).ok()?;
    Some(Ui { common: Arc::clone(common), asked, spawned, write, controller, touch, called, gone })
}

/// `ui:scaleFactor`, where the host tells it.
///
/// # Safety
/// `features` is null or the host's list.
unsafe fn scale_factor(features: *const *const LV2_Feature) -> Option<f64> {
    // SAFETY: the caller's word.
    let map = unsafe { Map::of(features) };
    if !map.is_there() {
        return None;
    }
    let (key, float) = (map.urid(LV2_UI__scaleFactor), map.urid(LV2_ATOM__Float));
    // SAFETY: the caller's word; the feature's data is a list of options.
    let value = unsafe { super::options::float(features, key, float) }?;
    (value.is_finite() && value > 0.0).then_some(value.into())
}

impl<P: Lv2Plugin> Ui<P> {
    /// Does what the window's thread has left. False: the window is gone.
    fn idle(&self) -> bool {
        injected("lv2 idle");
        if self.called.swap(false, Ordering::Acquire) {
            self.spawned.handle.host_main_thread_callback(&self.spawned.window);
        }
        self.common.tasks.work();
        // Taken out first: what the host is told may come back to the window.
        let asks = std::mem::take(&mut *lock(&self.asked.asks));
        for ask in asks {
            self.tell(&ask);
        }
        !self.gone.load(Ordering::Relaxed)
    }

    fn tell(&self, ask: &Ask) {
        match *ask {
            Ask::Touch(port, held) => {
                if let Some((handle, touch)) = self.touch.and_then(|touch| Some((touch.handle, touch.touch?))) {
                    // SAFETY: the host's own function, valid until `cleanup`.
                    unsafe { touch(handle, port as u32, held) };
                }
            }
            Ask::Set(port, value) => {
                if let Some(write) = self.write {
                    // SAFETY: as above; protocol 0 is one float (LV2 `ui.h`).
                    unsafe { write(self.controller, port as u32, 4, 0, ptr::from_ref(&value).cast()) };
                }
            }
        }
    }
}

/// `cleanup`. `[host's UI thread]`
pub unsafe extern "C" fn cleanup<P: Lv2Plugin>(handle: LV2UI_Handle) {
    guard((), || {
        if !handle.is_null() {
            // SAFETY: the host passes what `instantiate` leaked, once.
            drop(unsafe { Box::from_raw(handle.cast::<Ui<P>>()) });
        }
    });
}

/// `port_event`: a control port's value. What is none is left out. `[host's UI thread]`
pub unsafe extern "C" fn port_event<P: Lv2Plugin>(
    handle: LV2UI_Handle,
    port: u32,
    size: u32,
    format: u32,
    buffer: *const c_void,
) {
    guard((), || {
        // SAFETY: the host passes what `instantiate` gave it.
        let Some(ui) = (unsafe { of::<P>(handle) }) else { return };
        let params = &ui.common.params;
        if let Some(info) = params.infos.get(port as usize)
            && format == 0
            && size as usize == size_of::<f32>()
            && !buffer.is_null()
        {
            injected("lv2 port_event");
            // SAFETY: one float (LV2 `ui.h`).
            let value = unsafe { buffer.cast::<f32>().read_unaligned() };
            ui.spawned.handle.param_value_changed(&info.id, params.normalized(port as usize, value));
        }
    });
}

unsafe extern "C" fn idle<P: Lv2Plugin>(handle: LV2UI_Handle) -> c_int {
    // SAFETY: the host passes what `instantiate` gave it. Anything but 0 says that the window is closed.
    guard(1, || unsafe { of::<P>(handle) }.map_or(1, |ui| c_int::from(!ui.idle())))
}

unsafe extern "C" fn resize<P: Lv2Plugin>(handle: LV2UI_Feature_Handle, width: c_int, height: c_int) -> c_int {
    guard(1, || {
        // SAFETY: as what the UI gives out, its handle is the UI's own (LV2 `ui.h`).
        let Some(ui) = (unsafe { of::<P>(handle) }) else { return 1 };
        let (Ok(width @ 1..), Ok(height @ 1..)) = (u32::try_from(width), u32::try_from(height)) else { return 1 };
        c_int::from(ui.spawned.handle.set_size(NativeSize { width, height }, &ui.spawned.window).is_err())
    })
}

/// What the window offers the host.
trait Offers: Lv2Plugin {
    const IDLE: &'static LV2UI_Idle_Interface = &LV2UI_Idle_Interface { idle: Some(idle::<Self>) };
    const RESIZE: &'static LV2UI_Resize = &LV2UI_Resize { handle: ptr::null_mut(), ui_resize: Some(resize::<Self>) };
}

impl<P: Lv2Plugin> Offers for P {}

/// `extension_data`: idle and resize; null for all else. `[host's UI thread]`
pub unsafe extern "C" fn extension_data<P: Lv2Plugin>(uri: *const c_char) -> *const c_void {
    guard(ptr::null(), || {
        if uri.is_null() {
            return ptr::null();
        }
        // SAFETY: not null, a C string of the host's.
        let uri = unsafe { CStr::from_ptr(uri) }.to_bytes_with_nul();
        if uri == LV2_UI__idleInterface {
            ptr::from_ref(P::IDLE).cast()
        } else if uri == LV2_UI__resize {
            ptr::from_ref(P::RESIZE).cast()
        } else {
            ptr::null()
        }
    })
}

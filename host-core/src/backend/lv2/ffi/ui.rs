//! An X11 user interface: its library, its instance, and what it is given and says. All `[home]`.

mod says;

use std::ffi::{CStr, CString, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub use says::Said;
use says::{Controller, closed, port_index, resize, subscribe, touch, write};

use super::features::build;
use super::instance::Instance;
use super::library;
use super::log::Prefix;
use super::spec::{
    self, DataAccess, ExternalHost, ExternalWidget, Feature, OptionsOption, UiDescriptor, UiIdle, UiPortMap,
    UiPortSubscribe, UiResize, UiTouch, UridMap, UridUnmap,
};
use crate::backend::lv2::ui::About;
use crate::backend::lv2::uri;
use crate::backend::lv2::urid::map_str;

/// What to make one with.
pub struct Setup<'a> {
    /// Which one.
    pub about: &'a About,
    /// It has a window of its own.
    pub external: bool,
    /// Its plugin's URI.
    pub plugin: &'a str,
    /// The plugin's name, for the log.
    pub name: &'a str,
    /// Symbols of the plugin's ports, by index.
    pub symbols: Vec<&'a str>,
    /// The X11 window to lie in.
    pub parent: u32,
    /// The user's scale.
    pub scale: f32,
    /// Sample rate, Hz.
    pub rate: f32,
    /// Calls of [`Ui::idle`] a second.
    pub updates: f32,
    /// The window's title.
    pub title: &'a str,
}

/// A user interface that is open.
pub struct Ui {
    descriptor: NonNull<UiDescriptor>,
    handle: *mut c_void,
    widget: *mut c_void,
    external: bool,
    idle: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
    resize: Option<unsafe extern "C" fn(*mut c_void, c_int, c_int) -> c_int>,
    controller: Box<Controller>,
    transfer: u32,
    _given: Given,
    /// It may hold the plugin's own handle.
    _instance: Arc<Instance>,
}

/// What its features point to; none moves.
struct Given {
    _features: Box<[Feature]>,
    _uris: Vec<CString>,
    pointers: Vec<*const Feature>,
    _map: Box<UridMap>,
    _unmap: Box<UridUnmap>,
    _prefix: Box<Prefix>,
    _log: Box<spec::Log>,
    _options: Box<[OptionsOption]>,
    _values: Box<[f32; 3]>,
    _title: CString,
    _resize: Box<UiResize>,
    _ports: Box<UiPortMap>,
    _subscribe: Box<UiPortSubscribe>,
    _touch: Box<UiTouch>,
    _data: Box<DataAccess>,
    _external: Box<ExternalHost>,
}

impl Ui {
    /// Makes it, inside its parent. The error is the reason.
    pub fn open(setup: &Setup<'_>, instance: &Arc<Instance>) -> Result<Self, String> {
        let descriptor = descriptor(&setup.about.binary, &setup.about.uri)?;
        // SAFETY: the descriptor is constant data of a library that is never unmapped.
        let found = unsafe { descriptor.as_ref() };
        let make = found.instantiate.ok_or("its user interface has no instantiate function")?;
        let controller = Box::new(Controller {
            said: Mutex::default(),
            closed: AtomicBool::new(false),
            symbols: setup.symbols.iter().map(|symbol| CString::new(*symbol).unwrap_or_default()).collect(),
            float: map_str(uri::UI_FLOAT_PROTOCOL),
            atoms: [map_str(uri::EVENT_TRANSFER), map_str(uri::ATOM_TRANSFER)],
        });
        let given = give(setup, &controller, instance);
        let plugin = CString::new(setup.plugin).unwrap_or_default();
        let mut bundle = setup.about.bundle.as_os_str().as_bytes().to_vec();
        if !bundle.ends_with(b"/") {
            bundle.push(b'/');
        }
        let bundle = CString::new(bundle).map_err(|_| "its bundle's name holds a NUL".to_owned())?;
        let mut widget = std::ptr::null_mut();
        let us: *mut c_void = std::ptr::from_ref(&*controller).cast_mut().cast();
        // SAFETY: both texts end in NUL; controller and features live in `Self` until after `cleanup`, or end with this call where it
        // made nothing; the widget's place is ours.
        let handle = unsafe {
            let features = given.pointers.as_ptr();
            make(descriptor.as_ptr(), plugin.as_ptr(), bundle.as_ptr(), write, us, &raw mut widget, features)
        };
        if handle.is_null() {
            return Err("its user interface refused to be made".into());
        }
        let extension = |wanted: &CStr| match found.extension_data {
            // SAFETY: the URI ends in NUL.
            Some(extension) => unsafe { extension(wanted.as_ptr()) },
            None => std::ptr::null(),
        };
        let idle = extension(c"http://lv2plug.in/ns/extensions/ui#idleInterface").cast::<UiIdle>();
        let resize = extension(c"http://lv2plug.in/ns/extensions/ui#resize").cast::<UiResize>();
        Ok(Self {
            descriptor,
            handle,
            widget,
            external: setup.external,
            // SAFETY: null, or the structure that the URI names, constant in a library that stays mapped.
            idle: unsafe { idle.as_ref() }.and_then(|idle| idle.idle),
            // SAFETY: as above.
            resize: unsafe { resize.as_ref() }.and_then(|resize| resize.ui_resize),
            transfer: controller.atoms[0],
            controller,
            _given: given,
            _instance: instance.clone(),
        })
    }

    /// The X11 window that it made.
    pub fn window(&self) -> Option<u32> {
        u32::try_from(self.widget as usize).ok().filter(|window| *window != 0 && !self.external)
    }

    /// Calls one of the functions of a window of its own.
    fn call(&self, which: impl Fn(&ExternalWidget) -> Option<unsafe extern "C" fn(*mut ExternalWidget)>) {
        let widget: *mut ExternalWidget = self.widget.cast();
        if !self.external || self.controller.closed.load(Ordering::Acquire) {
            return;
        }
        // SAFETY: lv2_external_ui.h: the widget of such a user interface is null or this structure, alive until cleanup.
        if let Some(call) = unsafe { widget.as_ref() }.and_then(which) {
            // SAFETY: as above; this is the thread that made it.
            unsafe { call(widget) };
        }
    }

    /// Shows the window of its own that it has.
    pub fn show(&self) {
        self.call(|widget| widget.show);
    }

    /// Lets it look at its events. False: it has closed itself.
    pub fn idle(&self) -> bool {
        if self.external {
            self.call(|widget| widget.run);
            return !self.controller.closed.load(Ordering::Acquire);
        }
        // SAFETY: the handle is alive, and this is the thread that made it.
        self.idle.is_none_or(|idle| unsafe { idle(self.handle) } == 0)
    }

    /// Gives it another size. False: it does not offer that.
    pub fn resize(&self, width: u32, height: u32) -> bool {
        let size = (c_int::try_from(width).unwrap_or(c_int::MAX), c_int::try_from(height).unwrap_or(c_int::MAX));
        // SAFETY: ui.h: what a user interface offers is called with its own handle.
        self.resize.is_some_and(|resize| unsafe { resize(self.handle, size.0, size.1) } == 0)
    }

    /// Tells it a control port's value.
    pub fn tell_float(&self, port: u32, value: f32) {
        self.tell(port, 4, 0, std::ptr::from_ref(&value).cast());
    }

    /// Tells it an atom that came out of a port: type and body.
    pub fn tell_atom(&self, port: u32, kind: u32, body: &[u8]) {
        // Atoms are aligned to 8 bytes.
        let mut words = vec![0_u64; 1 + body.len().div_ceil(8)];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        bytes[..4].copy_from_slice(&(body.len() as u32).to_ne_bytes());
        bytes[4..8].copy_from_slice(&kind.to_ne_bytes());
        bytes[8..8 + body.len()].copy_from_slice(body);
        self.tell(port, 8 + body.len() as u32, self.transfer, words.as_ptr().cast());
    }

    fn tell(&self, port: u32, size: u32, format: u32, data: *const c_void) {
        // SAFETY: the descriptor is constant.
        let told = unsafe { self.descriptor.as_ref() }.port_event;
        if let Some(told) = told {
            // SAFETY: the handle is alive; `data` holds `size` bytes for the length of the call.
            unsafe { told(self.handle, port, size, format, data) };
        }
    }

    /// What it said since the last call.
    pub fn take_said(&self) -> Vec<Said> {
        std::mem::take(&mut *self.controller.said.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Ui {
    fn drop(&mut self) {
        self.call(|widget| widget.hide);
        // SAFETY: the descriptor is constant; the handle is given up here, once, before anything that it may hold.
        unsafe {
            if let Some(cleanup) = self.descriptor.as_ref().cleanup {
                cleanup(self.handle);
            }
        }
    }
}

/// The descriptor of `wanted` in a library, which stays open.
fn descriptor(binary: &Path, wanted: &str) -> Result<NonNull<UiDescriptor>, String> {
    let handle = library::open(binary)?;
    // SAFETY: the handle is open and is never closed, the name ends in NUL.
    let symbol = unsafe { libc::dlsym(handle.as_ptr(), c"lv2ui_descriptor".as_ptr()) };
    if symbol.is_null() {
        return Err(format!("{} holds no user interface", binary.display()));
    }
    // SAFETY: a library that exports this name exports it with the type of ui.h.
    let find: unsafe extern "C" fn(u32) -> *const UiDescriptor = unsafe { std::mem::transmute(symbol) };
    for index in 0..4096 {
        // SAFETY: any index may be asked for; null ends the list.
        let Some(found) = NonNull::new(unsafe { find(index) }.cast_mut()) else { break };
        // SAFETY: a descriptor with a URI that ends in NUL.
        if unsafe { CStr::from_ptr(found.as_ref().uri) }.to_bytes() == wanted.as_bytes() {
            return Ok(found);
        }
    }
    Err(format!("{} holds no user interface {wanted}", binary.display()))
}

fn give(setup: &Setup<'_>, controller: &Controller, instance: &Instance) -> Given {
    fn at<T>(data: &T) -> *mut c_void {
        std::ptr::from_ref(data).cast_mut().cast()
    }
    let us = at(controller);
    let map = Box::new(super::urid::map());
    let unmap = Box::new(super::urid::unmap());
    let prefix = Prefix::new(setup.name);
    let log = Box::new(super::log::log(&prefix));
    let values = Box::new([setup.rate, setup.scale, setup.updates]);
    let title = CString::new(setup.title).unwrap_or_default();
    let options = options(&values, &title);
    let resize = Box::new(UiResize { handle: us, ui_resize: Some(resize) });
    let ports = Box::new(UiPortMap { handle: us, port_index });
    let subscribe = Box::new(UiPortSubscribe { handle: us, subscribe, unsubscribe: subscribe });
    let touch = Box::new(UiTouch { handle: us, touch });
    let data = Box::new(DataAccess { data_access: instance.extension_data() });
    let external = Box::new(ExternalHost { ui_closed: closed, plugin_human_id: title.as_ptr() });
    let none = std::ptr::null_mut();
    let mut list = vec![
        (uri::URID_MAP, at(&*map)),
        (uri::URID_UNMAP, at(&*unmap)),
        (uri::OPTIONS, options.as_ptr().cast_mut().cast()),
        (uri::LOG, at(&*log)),
        (uri::INSTANCE_ACCESS, instance.handle()),
        (uri::DATA_ACCESS, at(&*data)),
        (uri::UI_RESIZE, at(&*resize)),
        (uri::UI_PORT_MAP, at(&*ports)),
        (uri::UI_PORT_SUBSCRIBE, at(&*subscribe)),
        (uri::UI_TOUCH, at(&*touch)),
        (uri::UI_IDLE, none),
        (uri::UI_MAKE_RESIDENT, none),
    ];
    if setup.external {
        list.extend([uri::UI_EXTERNAL_HOST, uri::UI_EXTERNAL, uri::UI_EXTERNAL_OLD].map(|uri| (uri, at(&*external))));
    } else {
        list.push((uri::UI_PARENT, setup.parent as usize as *mut c_void));
    }
    let (features, uris, pointers) = build(&list);
    Given {
        _features: features,
        _uris: uris,
        pointers,
        _map: map,
        _unmap: unmap,
        _prefix: prefix,
        _log: log,
        _options: options,
        _values: values,
        _title: title,
        _resize: resize,
        _ports: ports,
        _subscribe: subscribe,
        _touch: touch,
        _data: data,
        _external: external,
    }
}

fn options(values: &[f32; 3], title: &CStr) -> Box<[OptionsOption]> {
    let option = |key: &str, kind: &str, size: u32, value: *const c_void| OptionsOption {
        context: 0,
        subject: 0,
        key: map_str(key),
        size,
        type_: map_str(kind),
        value,
    };
    let float = |key: &str, value: &f32| option(key, uri::ATOM_FLOAT, 4, std::ptr::from_ref(value).cast());
    let length = title.to_bytes_with_nul().len() as u32;
    Box::new([
        float(uri::SAMPLE_RATE_PARAM, &values[0]),
        float(uri::UI_SCALE_FACTOR, &values[1]),
        float(uri::UI_UPDATE_RATE, &values[2]),
        option(uri::UI_WINDOW_TITLE, uri::ATOM_STRING, length, title.as_ptr().cast()),
        OptionsOption { context: 0, subject: 0, key: 0, size: 0, type_: 0, value: std::ptr::null() },
    ])
}

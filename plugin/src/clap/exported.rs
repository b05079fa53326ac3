//! A chain that is a plugin of its own: the factory that its thin entry forwards to. The plugin is ours with another descriptor, its
//! chain in it from the start, and only its mapped macros as parameters.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use clap_sys::factory::plugin_factory::clap_plugin_factory;
use clap_sys::host::clap_host;
use clap_sys::plugin::{clap_plugin, clap_plugin_descriptor};
use clap_sys::version::{CLAP_VERSION, clap_version_is_compatible};
use host_core::model::{Exported, Shape};

use super::instance;
use crate::container::{ClapEffect, ClapInstrument};
use crate::guard::guard;

/// One such plugin. The first field must stay first: the host's pointer to it is our pointer to the whole.
#[repr(C)]
pub struct Carried {
    factory: clap_plugin_factory,
    /// What hosts are told.
    pub descriptor: clap_plugin_descriptor,
    /// What it is.
    pub exported: Exported,
    id: CString,
}

// SAFETY: the pointers in the descriptor are to leaked text, which nobody writes.
unsafe impl Send for Carried {}
// SAFETY: as above.
unsafe impl Sync for Carried {}

/// The factory of the plugin that `payload` is; null for bytes that are none. It lives as long as the process, once for each
/// payload. `[main thread]`
pub fn factory(payload: &[u8]) -> *const c_void {
    static MADE: Mutex<Vec<&'static Carried>> = Mutex::new(Vec::new());
    let Some(exported) = Exported::read(payload) else { return ptr::null() };
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let known = made.iter().copied().find(|known| known.exported == exported);
    let carried = known.unwrap_or_else(|| {
        let fresh: &'static Carried = Box::leak(Box::new(Carried::new(exported)));
        made.push(fresh);
        fresh
    });
    ptr::from_ref(carried).cast()
}

fn leaked(text: &str) -> *const c_char {
    CString::new(text).unwrap_or_default().into_raw().cast_const()
}

impl Carried {
    fn new(exported: Exported) -> Self {
        let kind = if exported.shape == Shape::Instrument { "instrument" } else { "audio-effect" };
        let channels = if exported.shape == Shape::Mono { "mono" } else { "stereo" };
        let features = [kind, exported.feature.as_str(), channels].map(leaked).into_iter().chain([ptr::null()]);
        let descriptor = clap_plugin_descriptor {
            clap_version: CLAP_VERSION,
            id: leaked(&exported.id),
            name: leaked(&exported.name),
            vendor: leaked(&exported.maker),
            url: leaked(""),
            manual_url: leaked(""),
            support_url: leaked(""),
            version: leaked(env!("CARGO_PKG_VERSION")),
            description: leaked(&exported.about),
            features: features.collect::<Vec<_>>().leak().as_ptr(),
        };
        let factory = clap_plugin_factory {
            get_plugin_count: Some(count),
            get_plugin_descriptor: Some(descriptor_of),
            create_plugin: Some(create),
        };
        Self { factory, descriptor, id: CString::new(exported.id.as_str()).unwrap_or_default(), exported }
    }
}

/// # Safety
/// `factory` is null or came from [`factory`].
unsafe fn of(factory: *const clap_plugin_factory) -> Option<&'static Carried> {
    // SAFETY: the caller's word; the first field of a `repr(C)` Carried that is never freed.
    unsafe { factory.cast::<Carried>().as_ref() }
}

unsafe extern "C" fn count(_factory: *const clap_plugin_factory) -> u32 {
    1
}

unsafe extern "C" fn descriptor_of(factory: *const clap_plugin_factory, index: u32) -> *const clap_plugin_descriptor {
    // SAFETY: the host passes what it was given.
    match unsafe { of(factory) } {
        Some(carried) if index == 0 => &raw const carried.descriptor,
        _ => ptr::null(),
    }
}

unsafe extern "C" fn create(
    factory: *const clap_plugin_factory,
    host: *const clap_host,
    id: *const c_char,
) -> *const clap_plugin {
    guard(ptr::null(), || {
        // SAFETY: the host passes what it was given.
        let Some(carried) = (unsafe { of(factory) }) else { return ptr::null() };
        if host.is_null() || id.is_null() {
            return ptr::null();
        }
        // SAFETY: not null, and the host's for as long as this call takes (CLAP `plugin-factory.h`).
        let (id, version) = unsafe { (CStr::from_ptr(id), (*host).clap_version) };
        if id != carried.id.as_c_str() || !clap_version_is_compatible(version) {
            return ptr::null();
        }
        // SAFETY: the host keeps `host` alive until after the plugin's `destroy`.
        unsafe {
            match carried.exported.shape {
                Shape::Instrument => instance::create::<ClapInstrument>(host, Some(carried)),
                Shape::Effect | Shape::Mono | Shape::Surround => instance::create::<ClapEffect>(host, Some(carried)),
            }
        }
    })
}

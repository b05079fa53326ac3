//! What a user interface says: the functions that it is given, and what home has not read of it yet.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::backend::lv2::ffi::spec::{Feature, UI_NO_PORT};

/// Most bytes of one message that are taken.
const LARGEST: u32 = 1 << 20;
/// Most that is kept until home looks.
const MOST_SAID: usize = 4096;

/// What the user interface said.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A control port is to have this value.
    Float(u32, f32),
    /// An atom for an input port: port, type, body.
    Atom(u32, u32, Vec<u8>),
    /// The user takes hold of a port (true) or lets go of it.
    Touch(u32, bool),
    /// The size that it wants, pixels.
    Resize(u32, u32),
}

/// What its callbacks reach.
pub(super) struct Controller {
    pub(super) said: Mutex<Vec<Said>>,
    /// The user closed the window of its own that it has.
    pub(super) closed: AtomicBool,
    pub(super) symbols: Vec<CString>,
    /// Numbers of the protocols: floats, and atoms as events or as they are.
    pub(super) float: u32,
    pub(super) atoms: [u32; 2],
}

impl Controller {
    fn say(&self, said: Said) {
        let mut all = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MOST_SAID {
            all.push(said);
        }
    }
}

/// # Safety
/// `handle` is null or the controller that was given out, alive.
unsafe fn controller<'a>(handle: *mut c_void) -> Option<&'a Controller> {
    // SAFETY: the caller vouches for it.
    unsafe { handle.cast::<Controller>().as_ref() }
}

pub(super) unsafe extern "C" fn write(handle: *mut c_void, port: u32, size: u32, protocol: u32, data: *const c_void) {
    // SAFETY: ui.h: the controller is the one given to instantiate, which lives until after cleanup.
    let Some(us) = (unsafe { controller(handle) }) else { return };
    if data.is_null() || size > LARGEST {
        return;
    }
    // SAFETY: ui.h: `data` holds `size` bytes for the length of the call.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size as usize) };
    if protocol == 0 || protocol == us.float {
        if let Ok(value) = <[u8; 4]>::try_from(bytes) {
            us.say(Said::Float(port, f32::from_ne_bytes(value)));
        }
    } else if us.atoms.contains(&protocol)
        && let (Some(length), Some(kind)) = (word(bytes, 0), word(bytes, 4))
        && let Some(body) = bytes.get(8..8_usize.saturating_add(length as usize))
    {
        us.say(Said::Atom(port, kind, body.to_vec()));
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    crate::backend::lv2::atom::word(bytes, at)
}

pub(super) unsafe extern "C" fn resize(handle: *mut c_void, width: c_int, height: c_int) -> c_int {
    // SAFETY: the handle is the one in the feature.
    let us = unsafe { controller(handle) };
    let (Some(us), Ok(width), Ok(height)) = (us, u32::try_from(width), u32::try_from(height)) else { return 1 };
    us.say(Said::Resize(width, height));
    0
}

pub(super) unsafe extern "C" fn port_index(handle: *mut c_void, symbol: *const c_char) -> u32 {
    // SAFETY: the handle is the one in the feature.
    let us = unsafe { controller(handle) };
    let (Some(us), false) = (us, symbol.is_null()) else { return UI_NO_PORT };
    // SAFETY: a symbol that ends in NUL, not null.
    let symbol = unsafe { CStr::from_ptr(symbol) };
    us.symbols.iter().position(|own| own.as_c_str() == symbol).map_or(UI_NO_PORT, |at| at as u32)
}

/// Every port is told anyway.
pub(super) unsafe extern "C" fn subscribe(
    _handle: *mut c_void,
    _port: u32,
    _protocol: u32,
    _more: *const *const Feature,
) -> u32 {
    0
}

pub(super) unsafe extern "C" fn closed(handle: *mut c_void) {
    // SAFETY: lv2_external_ui.h: the controller is the one given to instantiate.
    if let Some(us) = unsafe { controller(handle) } {
        us.closed.store(true, Ordering::Release);
    }
}

pub(super) unsafe extern "C" fn touch(handle: *mut c_void, port: u32, grabbed: bool) {
    // SAFETY: the handle is the one in the feature.
    if let Some(us) = unsafe { controller(handle) } {
        us.say(Said::Touch(port, grabbed));
    }
}

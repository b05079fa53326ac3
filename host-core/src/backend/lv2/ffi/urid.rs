//! The C side of `urid:map` and `urid:unmap`.

use std::ffi::{CStr, c_char, c_void};

use super::spec::{UridMap, UridUnmap};
use crate::backend::lv2::urid;

/// `urid:map`'s data; the same for every plugin, since the map is the process's.
pub fn map() -> UridMap {
    UridMap { handle: std::ptr::null_mut(), map: map_uri }
}

/// `urid:unmap`'s data.
pub fn unmap() -> UridUnmap {
    UridUnmap { handle: std::ptr::null_mut(), unmap: unmap_urid }
}

unsafe extern "C" fn map_uri(_handle: *mut c_void, uri: *const c_char) -> u32 {
    if uri.is_null() {
        return 0;
    }
    // SAFETY: urid.h has the plugin pass a string that ends in NUL; null was ruled out.
    urid::map(unsafe { CStr::from_ptr(uri) })
}

unsafe extern "C" fn unmap_urid(_handle: *mut c_void, urid: u32) -> *const c_char {
    urid::unmap(urid).map_or(std::ptr::null(), CStr::as_ptr)
}

//! What a host offers at instantiation, and its log.

use std::ffi::{CStr, CString, c_void};
use std::ptr;

use lv2_raw::sys::*;

use crate::guard::say;

/// The data of the feature `uri` in a host's list; `None` where it is not there. A feature without data is null.
/// `[main]`
///
/// # Safety
/// `features` is null or a list of features that ends with null.
pub unsafe fn find(features: *const *const LV2_Feature, uri: &[u8]) -> Option<*mut c_void> {
    let (wanted, mut at) = (CStr::from_bytes_until_nul(uri).ok()?, features);
    if at.is_null() {
        return None;
    }
    // SAFETY: the caller's word; the loop ends at the null that ends the list.
    unsafe {
        while let Some(feature) = (*at).as_ref() {
            if !feature.URI.is_null() && CStr::from_ptr(feature.URI) == wanted {
                return Some(feature.data);
            }
            at = at.add(1);
        }
    }
    None
}

/// The data of the feature `uri`, as the struct that the specification names; `None` where it is not there.
/// `[main]`
///
/// # Safety
/// As [`find`]; `T` is the feature's struct, and lives as long as `'a` (LV2: as long as the instance).
pub unsafe fn data<'a, T>(features: *const *const LV2_Feature, uri: &[u8]) -> Option<&'a T> {
    // SAFETY: the caller's word.
    unsafe { find(features, uri)?.cast::<T>().cast_const().as_ref() }
}

/// Gives numbers to URIs. A host without `urid:map` (`lv2apply`) gives no events and keeps no state.
#[derive(Clone, Copy)]
pub struct Map<'a>(Option<&'a LV2_URID_Map>);

impl<'a> Map<'a> {
    /// The host's. `[main]`
    ///
    /// # Safety
    /// As [`data`].
    pub unsafe fn of(features: *const *const LV2_Feature) -> Self {
        // SAFETY: the caller's word.
        Self(unsafe { data(features, LV2_URID__map) })
    }

    /// Whether the host has one. `[any]`
    pub fn is_there(&self) -> bool {
        self.0.is_some_and(|map| map.map.is_some())
    }

    /// The number of `uri`, which ends with a zero byte; 0, which no URI has, where the host has no numbers.
    /// `[main]`
    pub fn urid(&self, uri: &[u8]) -> u32 {
        match (self.0.and_then(|map| Some((map.handle, map.map?))), CStr::from_bytes_until_nul(uri)) {
            // SAFETY: the host's own function with its own handle and a C string.
            (Some((handle, map)), Ok(uri)) => unsafe { map(handle, uri.as_ptr()) },
            _ => 0,
        }
    }
}

/// The host's log, else standard error.
pub struct Log {
    log: *const LV2_Log_Log,
    warning: u32,
}

// SAFETY: the host's log may be called from any thread (LV2 `log.h`), and lives as long as the instance that holds this.
unsafe impl Send for Log {}
// SAFETY: as above; nothing here is written after it was made.
unsafe impl Sync for Log {}

impl Log {
    /// The host's.
    ///
    /// # Safety
    /// As [`data`]; the value is used for no longer than the instance lives.
    pub unsafe fn of(features: *const *const LV2_Feature, map: Map<'_>) -> Self {
        // SAFETY: the caller's word.
        let log = unsafe { data::<LV2_Log_Log>(features, LV2_LOG__log) };
        Self { log: log.map_or(ptr::null(), ptr::from_ref), warning: map.urid(LV2_LOG__Warning) }
    }

    /// Says a line. `[main]`
    pub fn warn(&self, line: &str) {
        let text = CString::new(line.replace('\0', "")).unwrap_or_default();
        // SAFETY: null or the host's, alive (see `of`).
        match unsafe { self.log.as_ref() }.and_then(|log| Some((log.handle, log.printf?))) {
            // SAFETY: the host's own function, with a format of one string and a string.
            Some((handle, printf)) => unsafe {
                printf(handle, self.warning, c"%s\n".as_ptr(), text.as_ptr());
            },
            None => say(format_args!("{line}")),
        }
    }
}

//! The state that the DAW restored, kept for the next save as it came: a value, or the bytes of a file.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::sync::PoisonError;

use lv2_raw::sys::*;

use crate::dry::{Dry, feature};

/// A stored value.
pub struct Kept {
    bytes: Vec<u8>,
    kind: u32,
    flags: u32,
    /// What was in the file that the value names.
    file: Option<Vec<u8>>,
}

/// `state:interface`.
pub static STATE: LV2_State_Interface = LV2_State_Interface { save: Some(save), restore: Some(restore) };

/// Takes a path from the host: copies it and gives the memory back.
///
/// # Safety
/// `path` is null or a C string that the host allocated for us; `features` is the host's list.
unsafe fn take(features: *const *const LV2_Feature, path: *mut c_char) -> Option<CString> {
    if path.is_null() {
        return None;
    }
    // SAFETY: the caller's word.
    unsafe {
        let copy = CStr::from_ptr(path).to_owned();
        match feature::<LV2_State_Free_Path>(features, LV2_STATE__freePath).and_then(|f| Some((f.handle, f.free_path?)))
        {
            Some((handle, free)) => free(handle, path),
            // Allocated by `malloc` (LV2 `state.h`, before `freePath`).
            None => libc::free(path.cast()),
        }
        Some(copy)
    }
}

fn os(path: &CStr) -> &OsStr {
    OsStr::from_bytes(path.to_bytes())
}

unsafe extern "C" fn restore(
    handle: LV2_Handle,
    retrieve: LV2_State_Retrieve_Function,
    host: LV2_State_Handle,
    _flags: u32,
    features: *const *const LV2_Feature,
) -> LV2_State_Status {
    // SAFETY: the host passes what `instantiate` gave it.
    let (Some(dry), Some(retrieve)) = (unsafe { handle.cast::<Dry>().cast_const().as_ref() }, retrieve) else {
        return LV2_State_Status_LV2_STATE_ERR_UNKNOWN;
    };
    let (mut size, mut kind, mut flags) = (0, 0, 0);
    // SAFETY: the host's own functions; `retrieve` answers null or `size` bytes that live until we return.
    unsafe {
        let value = retrieve(host, dry.key, &mut size, &mut kind, &mut flags);
        if value.is_null() {
            return LV2_State_Status_LV2_STATE_ERR_NO_PROPERTY;
        }
        let bytes = std::slice::from_raw_parts(value.cast::<u8>(), size).to_vec();
        let file = (kind == dry.path).then(|| read(&bytes, features)).flatten();
        *dry.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(Kept { bytes, kind, flags, file });
    }
    LV2_State_Status_LV2_STATE_SUCCESS
}

/// The file that a stored path means here.
///
/// # Safety
/// `features` is the host's list.
unsafe fn read(stored: &[u8], features: *const *const LV2_Feature) -> Option<Vec<u8>> {
    let stored = CStr::from_bytes_until_nul(stored).ok()?;
    // SAFETY: the caller's word; the host's own function.
    let path = unsafe {
        let map = feature::<LV2_State_Map_Path>(features, LV2_STATE__mapPath)?;
        take(features, map.absolute_path?(map.handle, stored.as_ptr()))?
    };
    std::fs::read(os(&path)).ok()
}

/// Writes the file anew where the host wants it; answers the path to store.
///
/// # Safety
/// `features` is the host's list.
unsafe fn write(file: &[u8], features: *const *const LV2_Feature) -> Option<CString> {
    // SAFETY: the caller's word; the host's own functions.
    unsafe {
        let make = feature::<LV2_State_Make_Path>(features, LV2_STATE__makePath)?;
        let map = feature::<LV2_State_Map_Path>(features, LV2_STATE__mapPath)?;
        let path = take(features, make.path?(make.handle, c"state.bin".as_ptr()))?;
        std::fs::write(os(&path), file).ok()?;
        take(features, map.abstract_path?(map.handle, path.as_ptr()))
    }
}

unsafe extern "C" fn save(
    handle: LV2_Handle,
    store: LV2_State_Store_Function,
    host: LV2_State_Handle,
    _flags: u32,
    features: *const *const LV2_Feature,
) -> LV2_State_Status {
    // SAFETY: the host passes what `instantiate` gave it.
    let (Some(dry), Some(store)) = (unsafe { handle.cast::<Dry>().cast_const().as_ref() }, store) else {
        return LV2_State_Status_LV2_STATE_ERR_UNKNOWN;
    };
    let kept = dry.kept.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(kept) = kept.as_ref() else { return LV2_State_Status_LV2_STATE_SUCCESS };
    // SAFETY: the host's list; its own function copies the bytes.
    unsafe {
        let path = kept.file.as_ref().and_then(|file| write(file, features));
        let bytes = path.as_ref().map_or(kept.bytes.as_slice(), |path| path.as_bytes_with_nul());
        store(host, dry.key, bytes.as_ptr().cast(), bytes.len(), kept.kind, kept.flags)
    }
}

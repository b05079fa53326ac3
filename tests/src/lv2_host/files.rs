//! State as a host stores it: values in memory, files in a folder.

use std::ffi::{CStr, CString, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;

use lv2_raw::sys::*;

use super::{Lv2Host, urid};

/// One stored value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its key.
    pub key: u32,
    /// Its type.
    pub kind: u32,
    /// Flags: 1 plain data, 2 portable.
    pub flags: u32,
    /// The value.
    pub bytes: Vec<u8>,
}

impl Stored {
    /// The chain's bytes as a value.
    pub fn chain(bytes: &[u8]) -> Self {
        let (key, kind) = (urid("urn:catena-audio:chain"), urid("http://lv2plug.in/ns/ext/atom#Chunk"));
        Self { key, kind, flags: 3, bytes: bytes.into() }
    }
}

unsafe extern "C" fn store(
    handle: LV2_State_Handle,
    key: u32,
    value: *const c_void,
    size: usize,
    kind: u32,
    flags: u32,
) -> LV2_State_Status {
    // SAFETY: the list that `save` passes, and `size` readable bytes.
    unsafe {
        let bytes = std::slice::from_raw_parts(value.cast::<u8>(), size).to_vec();
        (*handle.cast::<Vec<Stored>>()).push(Stored { key, kind, flags, bytes });
    }
    LV2_State_Status_LV2_STATE_SUCCESS
}

unsafe extern "C" fn retrieve(
    handle: LV2_State_Handle,
    key: u32,
    size: *mut usize,
    kind: *mut u32,
    flags: *mut u32,
) -> *const c_void {
    // SAFETY: the list that `restore` passes, and places to write.
    unsafe {
        let stored = &*handle.cast::<Vec<Stored>>();
        let Some(value) = stored.iter().find(|value| value.key == key) else { return ptr::null() };
        (*size, *kind, *flags) = (value.bytes.len(), value.kind, value.flags);
        value.bytes.as_ptr().cast()
    }
}

fn path_of(folder: *mut c_void) -> &'static Path {
    // SAFETY: what `with_files` passes, which outlives the call.
    unsafe { &*folder.cast::<PathBuf>() }
}

/// Allocated as hosts do.
fn given(path: &Path) -> *mut c_char {
    let path = CString::new(path.as_os_str().as_bytes()).expect("a path");
    // SAFETY: a C string.
    unsafe { libc::strdup(path.as_ptr()) }
}

fn os(path: *const c_char) -> PathBuf {
    // SAFETY: plugins pass C strings.
    PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes()))
}

unsafe extern "C" fn make(handle: *mut c_void, path: *const c_char) -> *mut c_char {
    given(&path_of(handle).join(os(path)))
}

unsafe extern "C" fn abstracted(handle: *mut c_void, path: *const c_char) -> *mut c_char {
    let path = os(path);
    given(path.strip_prefix(path_of(handle)).unwrap_or(&path))
}

unsafe extern "C" fn absolute(handle: *mut c_void, path: *const c_char) -> *mut c_char {
    given(&path_of(handle).join(os(path)))
}

unsafe extern "C" fn free(_handle: *mut c_void, path: *mut c_char) {
    // SAFETY: from `given`, once.
    unsafe { libc::free(path.cast()) };
}

/// Calls `work` with the features of a host that keeps files in `folder`, or with none.
fn with_files<R>(folder: Option<&Path>, work: impl FnOnce(*const *const LV2_Feature) -> R) -> R {
    let Some(folder) = folder else { return work(ptr::null()) };
    let mut folder = folder.to_path_buf();
    let handle: *mut c_void = ptr::from_mut(&mut folder).cast();
    let mut map = LV2_State_Map_Path { handle, abstract_path: Some(abstracted), absolute_path: Some(absolute) };
    let (mut make, mut free) =
        (LV2_State_Make_Path { handle, path: Some(make) }, LV2_State_Free_Path { handle, free_path: Some(free) });
    let features = [
        LV2_Feature { URI: LV2_STATE__mapPath.as_ptr().cast(), data: ptr::from_mut(&mut map).cast() },
        LV2_Feature { URI: LV2_STATE__makePath.as_ptr().cast(), data: ptr::from_mut(&mut make).cast() },
        LV2_Feature { URI: LV2_STATE__freePath.as_ptr().cast(), data: ptr::from_mut(&mut free).cast() },
    ];
    let list = [&raw const features[0], &raw const features[1], &raw const features[2], ptr::null()];
    work(list.as_ptr())
}

impl Lv2Host {
    fn state(&self) -> &'static LV2_State_Interface {
        self.interface("http://lv2plug.in/ns/ext/state#interface").expect("a state")
    }

    /// Saves; files, where it makes any, lie in `folder`.
    pub fn save(&self, folder: Option<&Path>) -> (LV2_State_Status, Vec<Stored>) {
        let mut stored: Vec<Stored> = Vec::new();
        let save = self.state().save.expect("save");
        let status = with_files(folder, |features| {
            // SAFETY: a live instance, a function and its handle that live over the call.
            unsafe { save(self.handle(), Some(store), ptr::from_mut(&mut stored).cast(), 3, features) }
        });
        (status, stored)
    }

    /// Restores what [`Lv2Host::save`] gave.
    pub fn restore(&self, stored: &[Stored], folder: Option<&Path>) -> LV2_State_Status {
        let mut stored = stored.to_vec();
        let restore = self.state().restore.expect("restore");
        with_files(folder, |features| {
            // SAFETY: as above.
            unsafe { restore(self.handle(), Some(retrieve), ptr::from_mut(&mut stored).cast(), 0, features) }
        })
    }
}

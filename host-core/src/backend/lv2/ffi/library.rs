//! Opening a plugin's library for good: what was loaded once stays mapped until the process ends, since plugins
//! leave threads and handlers behind.

use std::ffi::{CStr, CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;

/// Opens `path` and never closes it. The error is the loader's own words. `[home]`
pub fn keep_open(path: &Path) -> Result<(), String> {
    open(path).map(drop)
}

/// The same; the loader's handle of it. `[home]`
pub(super) fn open(path: &Path) -> Result<NonNull<c_void>, String> {
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| "its name holds a NUL".to_owned())?;
    // SAFETY: the name ends in NUL. Opening runs the library's constructors: that is what hosting means.
    // dlerror's text lives until this thread's next dl call, and is copied before.
    unsafe {
        let handle = libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_NODELETE);
        if let Some(handle) = NonNull::new(handle) {
            return Ok(handle);
        }
        let text = libc::dlerror();
        Err(if text.is_null() {
            "the loader gives no reason".into()
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        })
    }
}

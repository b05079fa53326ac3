//! Streams that a state goes through, in pieces as short as the standard allows.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr;

use clap_sys::stream::{clap_istream, clap_ostream};

/// A stream that writes to `out`.
pub(super) fn writer(out: &RefCell<Vec<u8>>) -> clap_ostream {
    clap_ostream { ctx: ptr::from_ref(out).cast_mut().cast(), write: Some(stream_write) }
}

/// A stream that reads what is `left`.
pub(super) fn reader(left: &mut &[u8]) -> clap_istream {
    clap_istream { ctx: ptr::from_mut(left).cast(), read: Some(stream_read) }
}

unsafe extern "C" fn stream_write(stream: *const clap_ostream, bytes: *const c_void, size: u64) -> i64 {
    // Short writes are legal: a plugin must cope.
    let size = size.min(1000) as usize;
    // SAFETY: `ctx` is the cell that `writer` put there; the plugin's bytes are readable.
    unsafe {
        let out = &*(*stream).ctx.cast::<RefCell<Vec<u8>>>();
        out.borrow_mut().extend_from_slice(std::slice::from_raw_parts(bytes.cast(), size));
    }
    size as i64
}

unsafe extern "C" fn stream_read(stream: *const clap_istream, bytes: *mut c_void, size: u64) -> i64 {
    // SAFETY: `ctx` is the cell that `reader` put there; the plugin's bytes are writable.
    unsafe {
        let left = &mut *(*stream).ctx.cast::<&[u8]>();
        // Short reads are legal: a plugin must cope.
        let size = (size.min(1000) as usize).min(left.len());
        ptr::copy_nonoverlapping(left.as_ptr(), bytes.cast(), size);
        *left = &left[size..];
        size as i64
    }
}

//! Memory of an atom port: zeroed, 8-byte aligned, of fixed size and place.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// Aligned memory that a plugin reads or writes between our own accesses. Large ones cost no memory until they
/// are touched.
pub struct AtomBuffer {
    ptr: NonNull<u8>,
    layout: Layout,
}

// SAFETY: owns its memory alone; the plugin touches it only inside `run`, which the owner calls.
unsafe impl Send for AtomBuffer {}

impl AtomBuffer {
    /// At least `bytes` bytes, zeroed. `[home]`
    pub fn new(bytes: usize) -> Self {
        let size = bytes.clamp(64, isize::MAX as usize / 2).next_multiple_of(8);
        let layout = Layout::from_size_align(size, 8).unwrap_or(Layout::new::<[u64; 8]>());
        // SAFETY: the layout's size is at least 64.
        let ptr = unsafe { alloc_zeroed(layout) };
        Self { ptr: NonNull::new(ptr).unwrap_or_else(|| handle_alloc_error(layout)), layout }
    }

    /// Its bytes. `[audio]`
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the allocation is of this size, zeroed at first, and alive as long as `self`.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.layout.size()) }
    }

    /// Its bytes, to be written. `[audio]`
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as `bytes`, and borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.layout.size()) }
    }

    pub(super) fn as_ptr(&self) -> *mut u8 {
        self.ptr.as_ptr()
    }
}

impl Drop for AtomBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, freed once.
        unsafe { dealloc(self.ptr.as_ptr(), self.layout) }
    }
}

//! The journal's file in memory: one byte of a note that the audio thread may set without a system call.
#![allow(unsafe_code, reason = "maps the journal's file; std has no safe form of it")]

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, Ordering};

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// A file mapped for reading and writing, shared with whoever reads it after our death.
pub(super) struct Page {
    base: NonNull<AtomicU8>,
    len: usize,
}

// SAFETY: the memory is reached as atomic bytes only, and stays mapped as long as the `Page`.
unsafe impl Send for Page {}
// SAFETY: as above.
unsafe impl Sync for Page {}

impl Page {
    /// Makes `file`, which is empty, `len` bytes long and maps it. `[home]`
    pub(super) fn map(file: &File, len: usize) -> io::Result<Self> {
        // Written and not only made so long: of a page that the disk has no room for, the first store would end the process.
        file.write_all_at(&vec![0; len], 0)?;
        // SAFETY: a fresh mapping at an address of the kernel's choice, of a file that is ours and that nobody makes shorter.
        let base =
            unsafe { mmap(std::ptr::null_mut(), len, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, file, 0)? };
        let base = NonNull::new(base.cast()).ok_or_else(|| io::Error::other("mapped at address 0"))?;
        Ok(Self { base, len })
    }

    /// Sets the byte at `at`; past the end nothing happens. Wait-free. `[any]`
    pub(super) fn set(&self, at: usize, value: u8) {
        if at < self.len {
            // SAFETY: inside the mapping, which lives as long as `self`; every access is atomic.
            unsafe { self.base.add(at).as_ref() }.store(value, Ordering::SeqCst);
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the whole mapping that `map` made; nobody holds a reference into it, since `set` gives none out.
        let _unmapped = unsafe { munmap(self.base.as_ptr().cast(), self.len) };
    }
}

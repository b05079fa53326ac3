//! An allocator that ends every sample buffer at a page that nobody may touch: who writes past a block ends the process there
//! and then.
//!
//! Sample buffers are what is aligned to cache lines. Everything else is the system's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;

/// Alignment of sample buffers.
const LINE: usize = 64;
/// Size of a page; the system's own may be a divisor of it.
const PAGE: usize = 65_536;

/// The allocator. Install it with `#[global_allocator]` in a test program of its own.
pub struct GuardPages;

/// Bytes of a buffer's pages, without the guard.
fn room(layout: Layout) -> usize {
    layout.size().next_multiple_of(PAGE)
}

fn is_samples(layout: Layout) -> bool {
    layout.align() == LINE && layout.size() > 0
}

// SAFETY: what is no sample buffer is handed to the system's allocator unchanged. A sample buffer gets pages of its own from the
// system, zeroed, that nobody else has; it ends where they end, and its size is a multiple of its alignment, so that its beginning
// is aligned. `dealloc` finds the same pages by the same sums.
unsafe impl GlobalAlloc for GuardPages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_samples(layout) {
            // SAFETY: the caller's promise is passed on.
            return unsafe { System.alloc(layout) };
        }
        let room = room(layout);
        let (rights, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new pages; nothing that is there is touched.
        let pages = unsafe { libc::mmap(null_mut(), room + PAGE, rights, kind, -1, 0) };
        if pages == libc::MAP_FAILED {
            return null_mut();
        }
        let start = pages.cast::<u8>();
        // SAFETY: the last of the pages that were just made.
        let guarded = unsafe { libc::mprotect(start.add(room).cast(), PAGE, libc::PROT_NONE) };
        assert_eq!(guarded, 0, "a page can be guarded");
        // SAFETY: inside the pages, since `room` is at least the size.
        unsafe { start.add(room - layout.size()) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        if !is_samples(layout) {
            // SAFETY: the caller's promise is passed on.
            return unsafe { System.dealloc(at, layout) };
        }
        let room = room(layout);
        // SAFETY: `alloc` gave `at` for this layout, so its pages begin there and are these.
        let gone = unsafe { libc::munmap(at.sub(room - layout.size()).cast(), room + PAGE) };
        assert_eq!(gone, 0, "pages that were given can be taken back");
    }
}

//! Stand-ins for C functions. [`interpose!`](crate::interpose) defines the symbols in a test program, which exports them
//! (`build.rs`), so that every library it loads finds them first.

use std::ffi::c_void;

use super::count;

unsafe extern "C" {
    /// glibc's own allocator behind the public names.
    pub fn __libc_malloc(size: usize) -> *mut c_void;
    /// The same for `calloc`.
    pub fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    /// The same for `realloc`.
    pub fn __libc_realloc(at: *mut c_void, size: usize) -> *mut c_void;
    /// The same for `free`.
    pub fn __libc_free(at: *mut c_void);
}

/// Counts an allocation or a free.
pub fn allocation() {
    count(|caught| caught.c_allocations += 1);
}

/// Counts a lock.
pub fn lock() {
    count(|caught| caught.locks += 1);
}

/// The function that the stand-in stands in front of.
pub fn next(name: &std::ffi::CStr) -> *mut c_void {
    // SAFETY: a lookup by name; the name ends with a zero.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) }
}

/// Defines `malloc`, `calloc`, `realloc`, `free` and `pthread_mutex_lock` in this program.
#[macro_export]
macro_rules! interpose {
    () => {
        mod interposed {
            #![allow(unsafe_code, reason = "C symbols")]
            use std::ffi::c_void;
            use std::sync::atomic::{AtomicUsize, Ordering};

            use $crate::nets::interpose::{
                __libc_calloc, __libc_free, __libc_malloc, __libc_realloc, allocation, lock, next,
            };

            #[unsafe(no_mangle)]
            extern "C" fn malloc(size: usize) -> *mut c_void {
                allocation();
                // SAFETY: the C library's own function with the caller's arguments.
                unsafe { __libc_malloc(size) }
            }

            #[unsafe(no_mangle)]
            extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
                allocation();
                // SAFETY: as in `malloc`.
                unsafe { __libc_calloc(count, size) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn realloc(at: *mut c_void, size: usize) -> *mut c_void {
                allocation();
                // SAFETY: as in `malloc`.
                unsafe { __libc_realloc(at, size) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn free(at: *mut c_void) {
                if !at.is_null() {
                    allocation();
                }
                // SAFETY: as in `malloc`.
                unsafe { __libc_free(at) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn pthread_mutex_lock(mutex: *mut c_void) -> i32 {
                static REAL: AtomicUsize = AtomicUsize::new(0);
                lock();
                let mut real = REAL.load(Ordering::Relaxed);
                if real == 0 {
                    real = next(c"pthread_mutex_lock") as usize;
                    REAL.store(real, Ordering::Relaxed);
                }
                // SAFETY: the symbol is the C library's function of this very signature.
                let real: unsafe extern "C" fn(*mut c_void) -> i32 = unsafe { std::mem::transmute(real) };
                // SAFETY: the caller's argument is passed on.
                unsafe { real(mutex) }
            }
        }
    };
}

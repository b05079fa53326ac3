//! Xlib ends the process at the first error of a request, unless a handler is set. Plugins draw with Xlib on home: what goes wrong
//! there is logged; errors of other threads go to whoever handled them before.
#![expect(unsafe_code, reason = "Xlib's error handler is a C function, and Xlib is looked for where plugins bring it")]

use std::cell::Cell;
use std::ffi::{c_int, c_uchar, c_ulong, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::backend::log::{self, Level};
use crate::home;

/// `XErrorEvent` (Xlib.h).
#[repr(C)]
struct ErrorEvent {
    kind: c_int,
    display: *mut c_void,
    resource: c_ulong,
    serial: c_ulong,
    code: c_uchar,
    request: c_uchar,
    minor: c_uchar,
}

type Handler = unsafe extern "C" fn(*mut c_void, *mut ErrorEvent) -> c_int;
type SetHandler = unsafe extern "C" fn(Option<Handler>) -> Option<Handler>;

/// Who handled errors before us.
static BEFORE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    /// Inside the handler before ours: should that hand on to us again, the error ends here.
    static HANDING_ON: Cell<bool> = const { Cell::new(false) };
}

/// From now on no Xlib error of this thread ends the process. Called before each window of a plugin is made: toolkits of DAWs and
/// plugins set handlers of their own. `[home]`
pub fn guard() {
    // SAFETY: the name is a C string; Xlib's constructors do nothing but set up tables, and it is mapped in most processes already.
    let library =
        unsafe { libc::dlopen(c"libX11.so.6".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_NODELETE) };
    if library.is_null() {
        return;
    }
    // SAFETY: the handle is open and is never closed, the symbol's name is a C string.
    let symbol = unsafe { libc::dlsym(library, c"XSetErrorHandler".as_ptr()) };
    if symbol.is_null() {
        return;
    }
    // SAFETY: Xlib exports XSetErrorHandler with this type, and stays mapped.
    let set: SetHandler = unsafe { std::mem::transmute::<*mut c_void, SetHandler>(symbol) };
    // SAFETY: our handler lives as long as the process: this library is never unmapped.
    let before = unsafe { set(Some(on_error)) };
    let before = before.map_or(std::ptr::null_mut(), |handler| handler as *mut c_void);
    if before != on_error as *mut c_void {
        BEFORE.store(before, Ordering::Release);
    }
}

unsafe extern "C" fn on_error(display: *mut c_void, event: *mut ErrorEvent) -> c_int {
    if home::is_home() {
        // SAFETY: Xlib gives its handler an event that is valid for the call; null was ruled out.
        if let Some(event) = unsafe { event.as_ref() } {
            let text = format!("a plugin's window: X11 error {} of request {}", event.code, event.request);
            log::push(Level::Warning, text.as_bytes());
        }
        return 0;
    }
    let before = BEFORE.load(Ordering::Acquire);
    if before.is_null() || HANDING_ON.replace(true) {
        return 0;
    }
    // SAFETY: it came from XSetErrorHandler as a handler, and both arguments are what Xlib gave us.
    let answer = unsafe { std::mem::transmute::<*mut c_void, Handler>(before)(display, event) };
    HANDING_ON.set(false);
    answer
}

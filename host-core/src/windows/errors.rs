//! Xlib ends the process at the first error of a request, unless a handler is set. Plugins draw with Xlib on home: what goes wrong
//! there is logged; errors of other threads go to whoever handled them before.
#![expect(unsafe_code, reason = "Xlib's error handler is a C function, and Xlib is looked for where plugins bring it")]

use std::cell::Cell;
use std::ffi::{c_int, c_uchar, c_ulong, c_void};
use std::sync::OnceLock;
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
/// What a plugin's toolkit set while its window was made: nobody to hand others' errors to.
static PLUGINS: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    /// Inside the handler before ours: should that hand on to us again, the error ends here.
    static HANDING_ON: Cell<bool> = const { Cell::new(false) };
}

/// From now on no Xlib error of this thread ends the process. Called before each window of a plugin is made: toolkits of DAWs and
/// plugins set handlers of their own. `[home]`
pub fn guard() {
    let Some(before) = exchange(on_error as *mut c_void) else { return };
    if before != on_error as *mut c_void && before != PLUGINS.load(Ordering::Acquire) {
        BEFORE.store(before, Ordering::Release);
    }
}

/// Notes whom a plugin's toolkit left in our place when its window was made, and leaves it there: some hand on what they find. `[home]`
pub fn note_plugins() {
    let Some(now) = exchange(on_error as *mut c_void) else { return };
    if now != on_error as *mut c_void {
        PLUGINS.store(now, Ordering::Release);
        exchange(now);
    }
}

/// Sets a handler, null for Xlib's own; the one before. `None`: there is no Xlib.
fn exchange(handler: *mut c_void) -> Option<*mut c_void> {
    // SAFETY: a handler's address, or null for none, as Xlib has them; null is `None` to both.
    let handler = unsafe { std::mem::transmute::<*mut c_void, Option<Handler>>(handler) };
    // SAFETY: the handlers that come here are ours, which lives as long as the process (this library is never unmapped), and those
    // that Xlib gave us.
    let before = unsafe { setter()?(handler) };
    Some(before.map_or(std::ptr::null_mut(), |handler| handler as *mut c_void))
}

/// `XSetErrorHandler`, where there is Xlib.
fn setter() -> Option<SetHandler> {
    static SETTER: OnceLock<Option<SetHandler>> = OnceLock::new();
    *SETTER.get_or_init(find_setter)
}

fn find_setter() -> Option<SetHandler> {
    // SAFETY: the name is a C string; Xlib's constructors do nothing but set up tables, and it is mapped in most processes already.
    let library =
        unsafe { libc::dlopen(c"libX11.so.6".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_NODELETE) };
    if library.is_null() {
        return None;
    }
    // SAFETY: the handle is open and is never closed, the symbol's name is a C string.
    let symbol = unsafe { libc::dlsym(library, c"XSetErrorHandler".as_ptr()) };
    if symbol.is_null() {
        return None;
    }
    // SAFETY: Xlib exports XSetErrorHandler with this type, and stays mapped.
    Some(unsafe { std::mem::transmute::<*mut c_void, SetHandler>(symbol) })
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    static DAWS: AtomicUsize = AtomicUsize::new(0);
    static OTHERS: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" fn of_daw(_: *mut c_void, _: *mut ErrorEvent) -> c_int {
        DAWS.fetch_add(1, Ordering::Relaxed) as c_int
    }

    unsafe extern "C" fn of_plugin(_: *mut c_void, _: *mut ErrorEvent) -> c_int {
        OTHERS.fetch_add(1, Ordering::Relaxed) as c_int
    }

    #[test]
    fn a_daws_error_is_handed_to_the_daw_whatever_a_plugin_has_set() {
        exchange(of_daw as *mut c_void).expect("Xlib");
        for _ in 0..2 {
            guard();
            exchange(of_plugin as *mut c_void);
            note_plugins();
        }
        guard();
        assert_eq!(exchange(on_error as *mut c_void), Some(on_error as *mut c_void), "ours is there");
        // SAFETY: our handler looks at neither off home, and hands both on to one that looks at nothing.
        unsafe { on_error(std::ptr::null_mut(), std::ptr::null_mut()) };
        assert_eq!((DAWS.load(Ordering::Relaxed), OTHERS.load(Ordering::Relaxed)), (1, 0));
    }
}

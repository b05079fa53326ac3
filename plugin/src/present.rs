//! The X server tells a window when it may draw, and baseview asks for that before it listens.
//!
//! A request to draw that comes before the window is on the screen (egui makes one when it is made, a host by a size, the session
//! by news) has baseview 0.4.2 send `PresentNotifyMSC`, yet it selects the answers only at `MapNotify`
//! (`platform/x11/present.rs`, `handle_window_mapped`). Where the window manager or the host takes longer than one frame to show
//! the window, the answer goes to nobody, baseview waits for it for good, and the window stays black until it is closed. Here the
//! answers are selected when the window is made, on the connection that baseview reads; the second copy that comes once it
//! selects them too it takes for one that it knows. `tests/tests/upstream_first_frame.rs` tells when baseview does that itself.
#![allow(unsafe_code, reason = "x11rb has baseview's connection as a pointer only")]

use nice_plug_egui::Frame;
use raw_window_handle::{HasDisplayHandle as _, HasWindowHandle as _, RawDisplayHandle, RawWindowHandle};
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::present::{self, ConnectionExt as _, EventMask};
use x11rb::xcb_ffi::XCBConnection;

/// Has the server's answers come to the window of `frame`, which is not shown yet. What cannot be asked for is left as it is: most
/// windows draw without. `[editor]`
pub fn listen(frame: &Frame) {
    let _as_before = select(frame);
}

fn select(frame: &Frame) -> Option<()> {
    let handle = frame.baseview_window().platform_handle();
    let RawDisplayHandle::Xcb(display) = handle.display_handle().ok()?.as_raw() else { return None };
    let RawWindowHandle::Xcb(window) = handle.window_handle().ok()?.as_raw() else { return None };
    // SAFETY: `handle` keeps the connection open until the end of this function, and `false` leaves it open after.
    let connection = unsafe { XCBConnection::from_raw_xcb_connection(display.connection?.as_ptr(), false) }.ok()?;
    connection.extension_information(present::X11_EXTENSION_NAME).ok()??;
    let events = connection.generate_id().ok()?;
    let asked = connection.present_select_input(events, window.window.get(), EventMask::COMPLETE_NOTIFY).ok()?;
    asked.check().ok()
}

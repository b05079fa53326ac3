//! Windows that hosted plugins draw into: top-level windows on an X11 connection of home's own. All `[home]`.
//!
//! 1. [`Frame::open`] makes one, not shown yet; the first of them connects to the display;
//! 2. the plugin makes its own window inside [`Frame::id`] and tells its size, which the frame takes: [`Frame::fit`];
//! 3. [`Frame::show`] shows it, where it was the last time or where the window manager puts it;
//! 4. once a tick [`Frame::events`] tells what the user did to it;
//! 5. dropped, it is gone from the screen; the last one's end closes the connection.
//!
//! What the server refuses is dropped: a window may go at any moment, and no error of X11 is worth a DAW's process. The plugins' own
//! errors are kept from killing it by [`guard`].

mod errors;
mod frame;
mod screen;

pub use errors::{guard, note_plugins};
pub use frame::Frame;

/// Why there is no window.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowError {
    /// `DISPLAY` says nothing.
    #[error("there is no X11 display to show a window on (DISPLAY is not set)")]
    NoDisplay,
    /// The display does not answer, or refused.
    #[error("the X11 display {name} shows no window: {reason}")]
    Display {
        /// What `DISPLAY` says.
        name: String,
        /// What went wrong.
        reason: String,
    },
}

/// What happened to a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The user closes it.
    Closed,
    /// The user gave it another size, pixels.
    Resized(u32, u32),
    /// The plugin's window inside has had another size than the frame for a while, pixels.
    Outgrown(u32, u32),
    /// It stands elsewhere: its upper left corner on the screen, pixels.
    Moved(i32, i32),
}

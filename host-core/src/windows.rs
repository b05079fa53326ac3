//! Windows that hosted plugins draw into, on an X11 connection of home's own: windows by themselves, or parts of an editor's. All
//! `[home]`.
//!
//! 1. [`Frame::open`] makes one that is nowhere to be seen; the first of them connects to the display;
//! 2. the plugin makes its own window inside [`Frame::id`] and tells its size, which the frame takes: [`Frame::fit`];
//! 3. [`Frame::float`] and [`Frame::show`] make it a window by itself, where it was the last time or where the window manager puts it;
//!    [`Frame::seat`] puts it into a room of an editor's; [`Frame::park`] takes it out again. What the plugin made knows nothing of that;
//! 4. once a tick [`Frame::events`] tells what the user did to it;
//! 5. dropped, it is gone from the screen; the last one's end closes the connection.
//!
//! What the server refuses is dropped: a window may go at any moment, and no error of X11 is worth a DAW's process. The plugins' own
//! errors are kept from killing it by [`guard`].

mod errors;
mod frame;
mod keys;
mod room;
mod screen;
mod shell;

pub use errors::{guard, note_plugins};
pub use frame::Frame;
pub use room::{Area, Room};

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
    /// Somebody destroyed it: the editor that it lay in went without a word.
    Torn,
    /// The user gave it another size, pixels.
    Resized(u32, u32),
    /// The plugin's window inside has had another size than the frame for a while, pixels.
    Outgrown(u32, u32),
    /// It stands elsewhere: its upper left corner on the screen, pixels.
    Moved(i32, i32),
}

//! The editor of Catena: a rack of slots and a browser of plugins, in egui.
//!
//! 1. [`Editor::new`] takes the handle of a session `[editor]`;
//! 2. [`Editor::ui`] is called every frame: it reads the session's snapshot, draws it and sends commands; it never waits
//!    for the session `[editor]`.
//!
//! What the editor needs of a session is the trait [`Host`], so that it is tested without one.

mod browser;
mod editor;
mod header;
mod host;
mod params;
mod rack;
mod slot;
pub mod theme;
mod words;

pub use editor::Editor;
pub use host::Host;

//! The editor of Catena: a rack of slots and a browser of plugins, in egui.
//!
//! 1. [`Editor::new`] takes the handle of a session `[editor]`;
//! 2. [`Editor::ui`] is called every frame: it reads the session's snapshot, draws it and sends commands; it never waits
//!    for the session `[editor]`.
//!
//! What the editor needs of a session is the trait [`Host`], so that it is tested without one:
//!
//! ```
//! use std::sync::Arc;
//! use catena_gui::{Editor, Host};
//! use host_core::{model::Catalog, session::{Command, Snapshot}};
//!
//! struct Empty;
//!
//! impl Host for Empty {
//!     fn send(&self, command: Command) {
//!         println!("{command:?}");
//!     }
//!     fn snapshot(&self) -> Arc<Snapshot> {
//!         Arc::default()
//!     }
//!     fn catalog(&self) -> Arc<Catalog> {
//!         Arc::default()
//!     }
//! }
//!
//! let mut editor = Editor::with_host(Box::new(Empty));
//! let mut harness = egui_kittest::Harness::new_ui(move |ui| editor.ui(ui));
//! harness.run();
//! egui_kittest::kittest::Queryable::get_by_label(&harness, "This chain is empty");
//! ```

#[macro_use]
mod text;

mod browser;
mod chosen;
mod clipboard;
mod controls;
mod editor;
mod errands;
mod export;
mod foreseen;
mod header;
mod host;
mod inside;
mod lane;
mod library;
mod macros;
mod meters;
mod outline;
mod params;
mod plugin_page;
mod presets;
mod rack;
mod report;
mod settings;
mod slot;
mod stage;
mod strip;
pub mod theme;
mod unit;
mod value;
mod words;

pub use editor::Editor;
pub use host::Host;
pub use inside::Inside;

//! A plugin's own window, as far as home has to do with it. Who makes the frame round it is the session.

use crate::model::PluginId;

/// Whether a plugin has a window of its own, and of what kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WindowOffer {
    /// It has none.
    #[default]
    None,
    /// One that lies in a frame of ours.
    Inside,
    /// One that floats by itself.
    Floating,
    /// One of a kind that cannot be shown: what it needs, in the user's words (`GTK 2`).
    Needs(&'static str),
}

/// What a plugin is told when its window is opened.
#[derive(Clone, Copy, Debug)]
pub struct WindowHost<'a> {
    /// The X11 window to lie in; 0 for one that floats.
    pub parent: u32,
    /// The user's scale.
    pub scale: f64,
    /// The size that it had the last time, pixels.
    pub size: Option<(u32, u32)>,
    /// The window's title.
    pub title: &'a str,
}

/// A window that was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    /// Its size, where the plugin says it, pixels.
    pub size: Option<(u32, u32)>,
    /// Whether the user may give it another.
    pub resizable: bool,
    /// The X11 window that the plugin made, where it says so.
    pub child: Option<u32>,
}

/// What the plugin's window asks of its host, or what its user does there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindowNews {
    /// The user's hand on parameter `index`, of a format that has the host set the value.
    Param {
        /// Its place in the list.
        index: usize,
        /// What the hand does.
        deed: WindowDeed,
    },
    /// The user changed something that is no parameter.
    Edited,
    /// The frame is to have another size, pixels.
    Resize(u32, u32),
    /// Whether the user may give it another size may be answered otherwise.
    Hints,
    /// It is to be opened.
    Show,
    /// It is to be closed.
    Close,
    /// The plugin was made anew: its window went, and is to be opened again.
    Anew,
}

/// What the user's hand does with a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindowDeed {
    /// Takes hold of it.
    Begin,
    /// Moves it, to a value in the plugin's own unit.
    Value(f64),
    /// Lets go of it.
    End,
}

/// Why a plugin's window was not opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{id}: its window could not be opened: {reason}")]
pub struct OpenWindowError {
    /// The plugin.
    pub id: PluginId,
    /// What it refused.
    pub reason: String,
}

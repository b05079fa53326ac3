//! What plugins said through their formats' logs.

use crate::backend::log;
pub use crate::backend::log::Level;

/// The oldest line that nobody read yet, and how grave it is. Up to 512 wait; what comes after them is dropped. `[any but audio]`
pub fn take_said() -> Option<(Level, String)> {
    log::pop().map(|line| (line.level, line.text().into_owned()))
}

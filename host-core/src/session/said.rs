//! What plugins said through their formats' logs.

use crate::backend::log;
pub use crate::backend::log::Level;

/// From now on what plugins say is kept for [`take_said`]; before, nothing is. `[any but audio]`
pub fn listen_to_plugins() {
    log::listen();
}

/// The oldest line that nobody read yet, and how grave it is. At most 512 wait; what is said while they do is dropped. `[any but audio]`
pub fn take_said() -> Option<(Level, String)> {
    log::pop().map(|line| (line.level, line.text().into_owned()))
}

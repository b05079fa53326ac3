//! The one fence round every call into a hosted plugin.
//!
//! The engine's own code allocates, locks and waits nowhere. What a plugin does inside its calls is its own: the nets
//! that watch the audio thread in tests are told here when foreign code begins and ends, so that they judge the engine
//! alone. Nothing else in the engine calls a plugin.

use std::sync::OnceLock;

/// Told when foreign code begins (`true`) and ends (`false`) on the thread that calls it.
pub type Watcher = fn(bool);

static WATCHER: OnceLock<Watcher> = OnceLock::new();

/// Sets the watcher, once in a process. For tests. `[any but audio]`
pub fn watch(watcher: Watcher) -> bool {
    WATCHER.set(watcher).is_ok()
}

struct Inside(Watcher);

impl Drop for Inside {
    fn drop(&mut self) {
        (self.0)(false);
    }
}

/// Calls a plugin. `[audio]`
#[inline(always)]
pub(crate) fn foreign<R>(call: impl FnOnce() -> R) -> R {
    let _inside = WATCHER.get().map(|watcher| {
        watcher(true);
        Inside(*watcher)
    });
    call()
}

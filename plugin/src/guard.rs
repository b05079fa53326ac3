//! Panics stop here. Foreign code calls us through C, where an unwinding panic would take the whole DAW down;
//! every function of ours that it calls runs inside [`guard`], and what it answers instead is the fallback.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Says something where the DAW's own words go. Unlike `eprintln!` it does not panic where nobody reads. `[any but audio]`
pub fn say(text: std::fmt::Arguments<'_>) {
    let _unheard = writeln!(std::io::stderr(), "{text}");
}

/// Runs `work`; where it panics, answers `fallback`. The panic hook has written message and place to standard error
/// by then. `[any]`
///
/// Unwind safety is asserted: after a panic the callers use nothing that `work` may have left half-changed except
/// through locks that ignore poison and atomics; the container marks itself broken and passes dry from then on.
pub fn guard<T>(fallback: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(fallback)
}

/// Panics where a test wants it: `CATENA_PANIC` is a place and how many calls pass there before, as `lv2 run 2`; it is that call
/// alone. Nothing in builds without debug assertions, as users get them. `[any]`
pub fn injected(place: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    static WANTED: OnceLock<Option<(String, AtomicU32)>> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let text = std::env::var("CATENA_PANIC").ok()?;
        let (place, before) = text.rsplit_once(' ')?;
        Some((place.to_owned(), before.parse::<u32>().ok()?.into()))
    });
    if let Some((wanted, left)) = wanted
        && wanted == place
        && left.fetch_sub(1, Ordering::Relaxed) == 0
    {
        panic!("injected by a test: {place}");
    }
}

#[cfg(test)]
mod tests {
    use super::guard;

    #[test]
    fn a_panic_becomes_the_fallback() {
        assert_eq!(guard(7, || panic!("injected")), 7);
        assert_eq!(guard(7, || 8), 8);
    }
}

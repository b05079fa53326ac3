//! What macros are called, where a host has to be told of it by a call of its own (VST3).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Makes that call; false: this thread may not. `[any but audio]`
pub type Teller = Arc<dyn Fn() -> bool + Send + Sync>;

/// Whether the host knows what macros are called, and the way to tell it.
#[derive(Default)]
pub struct TitleNews {
    waiting: AtomicBool,
    teller: Mutex<Option<Teller>>,
}

impl TitleNews {
    /// Macros are called otherwise. `[any]`
    pub fn note(&self) {
        self.waiting.store(true, Ordering::Relaxed);
    }

    /// Whether the host has yet to hear of it. `[any]`
    pub fn wait(&self) -> bool {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Sets how the host is told, `None` for not at all. `[any but audio]`
    pub fn set_teller(&self, teller: Option<Teller>) {
        *self.teller.lock().unwrap_or_else(PoisonError::into_inner) = teller;
    }

    /// Tells the host, where there is something to tell and this is the thread that may. `[any but audio]`
    pub fn tell(&self) {
        // The host may ask us things from inside its call: nothing is held over it.
        let teller = self.teller.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(tell) = teller
            && self.waiting.swap(false, Ordering::Relaxed)
            && !tell()
        {
            self.note();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn news_wait_until_there_is_somebody_to_tell_and_are_told_once() {
        let (news, told) = (TitleNews::default(), Arc::new(AtomicU32::new(0)));
        news.note();
        news.tell();
        assert!(news.wait());
        news.set_teller(Some(Arc::new(|| false)));
        news.tell();
        assert!(news.wait(), "another thread's is to tell");
        let count = Arc::clone(&told);
        news.set_teller(Some(Arc::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
            true
        })));
        news.tell();
        news.tell();
        assert_eq!((told.load(Ordering::Relaxed), news.wait()), (1, false));
    }
}

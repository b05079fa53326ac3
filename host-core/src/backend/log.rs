//! What plugins say: a queue that any thread, the audio thread too, writes to without waiting. It is there once somebody listens:
//! in a DAW nobody does, and nothing is kept.

use crossbeam_queue::ArrayQueue;
use std::sync::OnceLock;

/// Longest line kept, bytes; the rest is cut.
const LINE: usize = 240;
/// Lines kept until they are read.
const LINES: usize = 512;

/// How grave a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Of use to programmers.
    Debug,
    /// Of use to users.
    Info,
    /// Something is off.
    Warning,
    /// Something failed.
    Error,
}

/// One line, of fixed size.
#[derive(Clone, Copy)]
pub struct Line {
    /// How grave it is.
    pub level: Level,
    len: u8,
    text: [u8; LINE],
}

impl Line {
    /// Its text; bytes that are no UTF-8 are replaced.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.text[..self.len as usize])
    }
}

/// Lines, once somebody listens.
struct Log(OnceLock<ArrayQueue<Line>>);

impl Log {
    const fn new() -> Self {
        Self(OnceLock::new())
    }

    fn listen(&self) {
        self.0.get_or_init(|| ArrayQueue::new(LINES));
    }

    fn push(&self, level: Level, text: &[u8]) {
        let Some(queue) = self.0.get() else { return };
        let len = text.len().min(LINE);
        let mut line = Line { level, len: len as u8, text: [0; LINE] };
        line.text[..len].copy_from_slice(&text[..len]);
        let _full = queue.push(line);
    }

    fn pop(&self) -> Option<Line> {
        self.0.get()?.pop()
    }
}

static LOG: Log = Log::new();

/// From now on lines are kept until they are read. `[any but audio]`
pub fn listen() {
    LOG.listen();
}

/// Queues a line; drops it where nobody listens or the queue is full. `[any]`, wait-free but for a full queue.
pub fn push(level: Level, text: &[u8]) {
    LOG.push(level, text);
}

/// The oldest line not yet read. `[any but audio]`
pub fn pop() -> Option<Line> {
    LOG.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_until_somebody_listens_and_then_no_more_than_there_is_room_for() {
        let log = Log::new();
        log.push(Level::Info, b"unheard");
        log.listen();
        assert!(log.pop().is_none());
        (0..LINES * 2).for_each(|_| log.push(Level::Info, b"heard"));
        assert_eq!(std::iter::from_fn(|| log.pop()).count(), LINES);
    }
}

//! What plugins say: a queue that any thread, the audio thread too, writes to without waiting.

use crossbeam_queue::ArrayQueue;
use std::sync::OnceLock;

/// Longest line kept, bytes; the rest is cut.
const LINE: usize = 240;
/// Lines kept until home reads them.
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

fn queue() -> &'static ArrayQueue<Line> {
    static QUEUE: OnceLock<ArrayQueue<Line>> = OnceLock::new();
    QUEUE.get_or_init(|| ArrayQueue::new(LINES))
}

/// Makes the queue, so that the audio thread never does. `[home]`
pub fn prepare() {
    queue();
}

/// Queues a line; drops it where the queue is full. `[any]`, wait-free but for a full queue.
pub fn push(level: Level, text: &[u8]) {
    let len = text.len().min(LINE);
    let mut line = Line { level, len: len as u8, text: [0; LINE] };
    line.text[..len].copy_from_slice(&text[..len]);
    let _full = queue().push(line);
}

/// The oldest line not yet read. `[home]`
pub fn pop() -> Option<Line> {
    queue().pop()
}

//! Copying what is selected to the clipboard, cutting it, and pasting.
//!
//! The session is asked for the text by a thread of its own, since plugins are asked for their states; it goes to the clipboard with
//! the next frame after the answer, and only then is what was cut removed. An X11 clipboard is empty again when the window that
//! filled it is closed, so the last text is kept in the process too.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use egui::{Event, Key, Ui};
use host_core::model::SlotId;
use host_core::session::Command;

use crate::chosen;
use crate::host::Host;
use crate::outline::{Outline, Row};

/// What was copied last in this process.
static LAST: Mutex<Option<String>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A text for the clipboard, and what is to be removed then.
type Answer = (String, Vec<SlotId>);

/// What the session has answered and the next frame puts on the clipboard.
#[derive(Default)]
pub(crate) struct Clipboard(Arc<Mutex<Vec<Answer>>>);

/// What the keys ask for.
#[derive(Default)]
struct Asked {
    copy: bool,
    cut: bool,
    /// `None`: nothing; `Some(None)`: whatever was copied last.
    paste: Option<Option<String>>,
}

impl Clipboard {
    /// Puts what came meanwhile on the clipboard.
    pub fn settle(&self, ui: &Ui, host: &dyn Host) {
        for (text, cut) in std::mem::take(&mut *lock(&self.0)) {
            ui.ctx().copy_text(text.clone());
            *lock(&LAST) = Some(text);
            chosen::together(cut.into_iter().map(Command::Remove).collect(), host);
        }
    }

    /// Asks for the text of `nodes`, which go once it is on the clipboard where they are cut.
    pub fn copy(&self, ui: &Ui, nodes: Vec<SlotId>, cut: bool, host: &dyn Host) {
        let (answers, context) = (Arc::clone(&self.0), ui.ctx().clone());
        let gone = if cut { nodes.clone() } else { Vec::new() };
        let tell = move |text| {
            lock(&answers).push((text, gone));
            context.request_repaint();
        };
        host.copy(nodes, Box::new(tell));
    }

    /// Does what the clipboard's keys ask for, with what is selected. Its own events are gone afterwards; the keys themselves are left.
    pub fn keys(&self, ui: &Ui, outline: &Outline, chosen: &[SlotId], host: &dyn Host) {
        let Asked { copy, cut, paste } = ui.input_mut(|input| asked(&mut input.events));
        // A lane by itself goes nowhere: it is part of its lanes.
        let nodes: Vec<_> = chosen.iter().copied().filter(|id| outline.row(*id).is_some_and(Row::is_node)).collect();
        if !nodes.is_empty() && (copy || cut) {
            self.copy(ui, nodes, cut, host);
        }
        if let Some(text) = paste.and_then(|text| text.or_else(|| lock(&LAST).clone())) {
            let (into, index) = outline.place_after(chosen.last().copied());
            host.paste(text, into, index);
        }
    }
}

/// Takes the clipboard's events out. baseview tells of a paste as of typed text, in the same frame as its key.
fn asked(events: &mut Vec<Event>) -> Asked {
    let mut asked = Asked::default();
    let pasting = |event: &Event| matches!(event, Event::Key { key: Key::V, pressed: true, modifiers, .. } if modifiers.command && !modifiers.alt);
    if events.iter().any(pasting) {
        asked.paste = Some(None);
    }
    events.retain_mut(|event| {
        match event {
            Event::Copy => asked.copy = true,
            Event::Cut => asked.cut = true,
            Event::Paste(text) => asked.paste = Some(Some(std::mem::take(text))),
            Event::Text(text) if asked.paste.is_some() => asked.paste = Some(Some(std::mem::take(text))),
            _ => return true,
        }
        false
    });
    asked
}

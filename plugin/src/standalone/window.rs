//! The window: a bar with the file's commands and the sound's state above the editor.

mod bar;
mod closing;
mod dialog;
mod question;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use catena_gui::Editor;
use egui::{CentralPanel, Context, ViewportCommand};
use host_core::session::{Command, SessionHandle};
use nice_plug_egui::baseview::HandlerError;
use nice_plug_egui::baseview::dpi::LogicalSize;
use nice_plug_egui::{App, EguiWindow, EguiWindowSettings, Frame, RepaintNotifier};

use super::signals::Stop;
use crate::cli::{Failure, Play};
pub use bar::Bar;
use catena::guard::{guard, injected};
use catena::rooms::Rooms;
pub use closing::Closing;

/// A window needs an X11 display.
pub fn check_display() -> Result<(), Failure> {
    match std::env::var_os("DISPLAY") {
        Some(display) if !display.is_empty() => Ok(()),
        _ => {
            Err(Failure::failed("there is no display for a window (DISPLAY is not set); play without one: --no-editor"))
        }
    }
}

/// What ends the window from outside: a signal of terminal or system.
#[derive(Clone)]
pub struct Ending {
    asked: Arc<AtomicBool>,
    /// Wakes the window that is shown now.
    wake: Arc<Mutex<RepaintNotifier>>,
}

impl Ending {
    /// Waits for `stop` on a thread of its own, which is never joined: it ends with the process, or ends it.
    pub fn at(stop: Stop, session: SessionHandle) -> Result<Self, Failure> {
        let ending = Self { asked: Arc::default(), wake: Arc::default() };
        let told = ending.clone();
        let waiting = std::thread::Builder::new().name("catena-signals".into()).spawn(move || {
            stop.wait(|| session.send(Command::Reopen));
            told.asked.store(true, Ordering::Release);
            told.wake();
        });
        waiting.map_err(|error| Failure::failed(format!("no thread to wait for signals: {error}")))?;
        Ok(ending)
    }

    /// Has the window drawn.
    fn wake(&self) {
        self.wake.lock().unwrap_or_else(PoisonError::into_inner).request_repaint();
    }

    /// Whether the program was asked to end.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Acquire)
    }
}

/// Shows the window until it is closed, or the program is asked to end.
pub fn show(play: &Play, session: &SessionHandle, bar: Bar, closing: Closing, ending: Ending) -> Result<(), Failure> {
    let repaint = RepaintNotifier::new();
    *ending.wake.lock().unwrap_or_else(PoisonError::into_inner) = repaint.clone();
    let settings = EguiWindowSettings::new()
        .with_title(play.name.clone())
        .with_size(LogicalSize { width: 1100.0, height: 700.0 })
        .with_repaint_notifier(repaint);
    let wake = ending.clone();
    session.on_news(Box::new(move || wake.wake()));
    let wake = ending.clone();
    bar.on_change(move || wake.wake());
    let (mut editor, rooms) = (Editor::new(session.clone()), Rooms::open());
    editor.find_first();
    let app = Standalone { bar, editor, rooms, session: session.clone(), closing, ending, failed: false };
    let broken = |error: &dyn std::fmt::Display| {
        Failure::failed(format!("the window cannot be opened: {error}; play without one: --no-editor"))
    };
    let window = EguiWindow::create(settings, app).map_err(|error| broken(&error))?;
    window.run_until_closed().map_err(|error| broken(&error))
}

struct Standalone {
    bar: Bar,
    editor: Editor,
    rooms: Rooms,
    session: SessionHandle,
    closing: Closing,
    ending: Ending,
    /// A panic while drawing: a line of text from then on.
    failed: bool,
}

impl App for Standalone {
    fn build(&mut self, context: Context, frame: &mut Frame) -> Result<(), HandlerError> {
        catena::present::listen(frame);
        catena_gui::theme::apply(&context, self.session.desk().settings.theme);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut Frame) {
        if self.ending.is_asked() || self.closing.agreed() {
            ui.send_viewport_cmd(ViewportCommand::Close);
        }
        self.bar.show(ui);
        CentralPanel::default().show(ui, |ui| {
            // The bar above stays: what was made can be saved.
            if !self.failed {
                self.failed = !guard(false, || {
                    injected("window frame");
                    self.editor.ui(ui);
                    true
                });
            }
            if self.failed {
                ui.label("The editor stopped after an error of its own. Sound goes on; save, and start Catena again.");
            }
        });
        let inside = if self.failed { None } else { self.editor.inside(ui.ctx()) };
        self.rooms.follow(inside, ui.ctx(), frame, &self.session);
    }
}

impl Drop for Standalone {
    /// baseview drops what draws in a window before the window.
    fn drop(&mut self) {
        self.session.leave(self.rooms.editor());
    }
}

//! The window: a bar with the file's commands and the sound's state above the editor.

mod bar;
mod dialog;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use catena_gui::Editor;
use egui::{CentralPanel, Context, ViewportCommand};
use host_core::session::SessionHandle;
use nice_plug_egui::baseview::HandlerError;
use nice_plug_egui::baseview::dpi::LogicalSize;
use nice_plug_egui::{App, EguiWindow, EguiWindowSettings, Frame, RepaintNotifier};

use super::signals::Stop;
use crate::cli::{Failure, Play};
pub use bar::Bar;

/// A window needs an X11 display.
pub fn check_display() -> Result<(), Failure> {
    match std::env::var_os("DISPLAY") {
        Some(display) if !display.is_empty() => Ok(()),
        _ => {
            Err(Failure::failed("there is no display for a window (DISPLAY is not set); play without one: --no-editor"))
        }
    }
}

/// Shows the window until it is closed, or a signal asks for the end.
pub fn show(play: &Play, session: &SessionHandle, bar: Bar, stop: Stop) -> Result<(), Failure> {
    let repaint = RepaintNotifier::new();
    let ended = Arc::new(AtomicBool::new(false));
    let (flag, wake) = (ended.clone(), repaint.clone());
    // Never joined: it ends with the process, or ends it.
    let waiting = std::thread::Builder::new().name("catena-signals".into()).spawn(move || {
        stop.wait();
        flag.store(true, Ordering::Release);
        wake.request_repaint();
    });
    waiting.map_err(|error| Failure::failed(format!("no thread to wait for signals: {error}")))?;
    let settings = EguiWindowSettings::new()
        .with_title(play.name.clone())
        .with_size(LogicalSize { width: 860.0, height: 620.0 })
        .with_repaint_notifier(repaint);
    let app = Standalone { bar, editor: Editor::new(session.clone()), ended };
    let broken = |error: &dyn std::fmt::Display| {
        Failure::failed(format!("the window cannot be opened: {error}; play without one: --no-editor"))
    };
    let window = EguiWindow::create(settings, app).map_err(|error| broken(&error))?;
    window.run_until_closed().map_err(|error| broken(&error))
}

struct Standalone {
    bar: Bar,
    editor: Editor,
    ended: Arc<AtomicBool>,
}

impl App for Standalone {
    fn build(&mut self, context: Context, _frame: &mut Frame) -> Result<(), HandlerError> {
        catena_gui::theme::apply(&context);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut Frame) {
        if self.ended.load(Ordering::Acquire) {
            ui.send_viewport_cmd(ViewportCommand::Close);
        }
        self.bar.show(ui);
        CentralPanel::default().show(ui, |ui| self.editor.ui(ui));
    }
}

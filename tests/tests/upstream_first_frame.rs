//! Faults of what Catena stands on that it works around: a test here fails when one is gone, and then the workaround goes too.
#![allow(unsafe_code, reason = "the display is told by the environment")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use catena_tests::desk::{Desk, LATE};
use egui_baseview::baseview::HandlerError;
use egui_baseview::{App, EguiWindow, EguiWindowSettings, Frame};

struct Counting(Arc<AtomicUsize>);

impl App for Counting {
    fn build(&mut self, context: egui::Context, _frame: &mut Frame) -> Result<(), HandlerError> {
        context.request_repaint();
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut Frame) {
        self.0.fetch_add(1, Ordering::Relaxed);
        ui.ctx().request_repaint();
    }
}

/// `plugin/src/present.rs` works round it.
#[test]
fn baseview_draws_no_window_that_wants_to_be_drawn_long_before_it_is_shown() {
    let desk = Desk::new();
    // SAFETY: this process runs this one test, and has no other thread yet.
    unsafe { std::env::set_var("DISPLAY", desk.display()) };
    let drawn_when_shown_after = |late| {
        let drawn = Arc::<AtomicUsize>::default();
        let settings = EguiWindowSettings::new().with_title("late");
        let window = EguiWindow::create(settings, Counting(Arc::clone(&drawn))).expect("a window");
        std::thread::sleep(late);
        window.show().expect("shown");
        std::thread::sleep(4 * LATE);
        drawn.load(Ordering::Relaxed)
    };
    assert_eq!(drawn_when_shown_after(LATE), 0, "baseview listens in time now: take plugin/src/present.rs out");
}

//! Levels as bars.

use egui::{Context, Id, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use host_core::session::MeterView;

use crate::{theme, words};

/// Says whether the meters of the frame that is drawn now hold peaks.
pub(crate) fn hold_peaks(context: &Context, on: bool) {
    context.data_mut(|data| data.insert_temp(held(), on));
}

fn held() -> Id {
    Id::unique("meters hold peaks")
}

/// Two bars, of what goes into something and what comes out of it. True: they were clicked.
pub(crate) fn levels(ui: &mut Ui, height: f32, title: &str, (input, output): (&MeterView, &MeterView)) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(12.0, height), Sense::click());
    meter(ui, rect.with_max_x(rect.left() + 5.0), input);
    meter(ui, rect.with_min_x(rect.right() - 5.0), output);
    if response.has_focus() {
        ui.painter().rect_stroke(rect.expand(2.0), 3.0, Stroke::new(2.0, theme::ACCENT), egui::StrokeKind::Inside);
    }
    let levels = words::levels(input, output);
    let name = text!("meters-levels-of", title, levels);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    response.on_hover_text(text!("meters-click-to-reset", levels)).clicked()
}

/// A level, -60 to 0 dBFS, as a bar, with its peak as a line, and a lamp for samples over 0 dBFS.
fn meter(ui: &Ui, rect: Rect, level: &MeterView) {
    let (lamp, bar) = rect.split_top_bottom_at_y(rect.top() + 4.0);
    let painter = ui.painter();
    let lit = if level.since.clips > 0 { theme::TROUBLE } else { theme::GROUND };
    painter.rect_filled(lamp.with_max_y(lamp.bottom() - 1.0), 1.0, lit);
    painter.rect_filled(bar, 2.0, theme::GROUND);
    let height = |peak: f32| bar.bottom() - bar.height() * (1.0 + 20.0 * peak.max(1e-6).log10() / 60.0).clamp(0.0, 1.0);
    let colour = |peak: f32| if peak > 1.0 { theme::TROUBLE } else { theme::ACCENT };
    painter.rect_filled(bar.with_min_y(height(level.peak)), 2.0, colour(level.peak));
    let holds = ui.data(|data| data.get_temp(held())).unwrap_or(true);
    if holds && level.hold > 1e-3 {
        painter.hline(bar.x_range(), height(level.hold), Stroke::new(1.0, colour(level.hold)));
    }
}

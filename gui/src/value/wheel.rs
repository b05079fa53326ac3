//! The mouse's wheel over what can be turned, in lists that scroll.

use egui::{Event, Id, MouseWheelUnit, Response, Ui, Vec2};

/// Seconds without a turn of the wheel after which it may be another thing's.
const WHEEL_REST: f64 = 0.5;

/// Whose the wheel is: what is scrolled goes on scrolling where the pointer comes over a control, and the other way round.
#[derive(Clone, Copy, Default)]
struct Wheel {
    turned: f64,
    owner: Option<Id>,
    free: bool,
}

const WHEEL: &str = "catena wheel";

/// Looks whether the wheel is turned anew. Once a frame, before anything that may want it.
pub(crate) fn look_at_wheel(ui: &Ui) {
    let (now, turned) = ui.input(|input| {
        let turned = input.events.iter().any(|event| matches!(event, Event::MouseWheel { .. }));
        (input.time, turned)
    });
    let id = Id::unique(WHEEL);
    let before =
        ui.data(|data| data.get_temp::<Wheel>(id)).unwrap_or(Wheel { turned: f64::NEG_INFINITY, ..Wheel::default() });
    let rested = now - before.turned > WHEEL_REST;
    let next = match (turned, rested) {
        (true, true) => Wheel { turned: now, owner: None, free: true },
        (true, false) => Wheel { turned: now, free: false, ..before },
        (false, true) => Wheel { owner: None, free: false, ..before },
        (false, false) => Wheel { free: false, ..before },
    };
    ui.data_mut(|data| data.insert_temp(id, next));
}

/// Steps that the wheel makes over something; nothing scrolls then.
pub(crate) fn wheel(ui: &Ui, response: &Response) -> f64 {
    let id = Id::unique(WHEEL);
    let Some(mut wheel) = ui.data(|data| data.get_temp::<Wheel>(id)) else { return 0.0 };
    if wheel.free && response.contains_pointer() {
        wheel = Wheel { owner: Some(response.id), free: false, ..wheel };
        ui.data_mut(|data| data.insert_temp(id, wheel));
    }
    if wheel.owner != Some(response.id) {
        return 0.0;
    }
    ui.input_mut(|input| {
        input.smooth_scroll_delta = Vec2::ZERO;
        let steps = input.events.iter().map(|event| match event {
            Event::MouseWheel { unit, delta, modifiers, .. } => {
                let each = if *unit == MouseWheelUnit::Point { 1.0 / 50.0 } else { 1.0 };
                let fine = if modifiers.shift { 0.1 } else { 1.0 };
                // Some systems turn a wheel sideways while Shift is held.
                f64::from((delta.x + delta.y) * each) * fine
            }
            _ => 0.0,
        });
        steps.sum()
    })
}

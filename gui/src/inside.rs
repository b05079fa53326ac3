//! Where in the editor a plugin's own window has room. The editor is egui alone: who made its window puts the plugin's there.

use egui::{Context, Order, Rect, Vec2};
use host_core::model::SlotId;

/// Room for a slot's window, points from the editor's upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Inside {
    /// Whose window.
    pub slot: SlotId,
    /// What is seen of it lies in here.
    pub view: Rect,
    /// The size for a window that takes any.
    pub whole: Vec2,
    /// How much of the window is scrolled away to the left and above.
    pub scrolled: Vec2,
    /// Menus and the like that lie over it.
    pub over: Vec<Rect>,
    /// A dialog has the whole editor.
    pub covered: bool,
}

impl Inside {
    /// Room for the window of `slot`, as a page has it.
    pub(crate) fn new(slot: SlotId, view: Rect, whole: Vec2, scrolled: Vec2) -> Self {
        Self { slot, view, whole, scrolled, over: Vec::new(), covered: false }
    }

    /// Finds what lies over it, once everything is drawn.
    pub(crate) fn below(&self, context: &Context) -> Self {
        let mut over = context.memory(|memory| {
            let layers =
                memory.areas().visible_layer_ids().into_iter().filter(|layer| layer.order != Order::Background);
            let areas = layers.filter_map(|layer| memory.area_rect(layer.id));
            areas.filter(|area| area.is_positive() && area.intersects(self.view)).collect::<Vec<_>>()
        });
        // As the layers come they have no order.
        over.sort_by(|a, b| a.min.x.total_cmp(&b.min.x).then(a.min.y.total_cmp(&b.min.y)));
        let covered = context.memory(|memory| memory.top_modal_layer().is_some());
        Self { over, covered, ..self.clone() }
    }
}

//! Colours and spacing: dark, quiet, with one accent.

use egui::{Color32, CornerRadius, FontId, Stroke, Style, TextStyle, Theme, Visuals, vec2};

/// The window's ground.
pub const GROUND: Color32 = Color32::from_rgb(0x1b, 0x1d, 0x22);
/// A slot's ground.
pub const CARD: Color32 = Color32::from_rgb(0x26, 0x29, 0x30);
/// The ground of the head of lanes.
pub const HEAD: Color32 = Color32::from_rgb(0x20, 0x23, 0x29);
/// The ground of a small field, and of one under the pointer.
pub const FIELD: Color32 = Color32::from_rgb(0x33, 0x37, 0x40);
/// See [`FIELD`].
pub const FIELD_LIT: Color32 = Color32::from_rgb(0x40, 0x45, 0x50);
/// Lanes that the user gave no colour, one after another.
pub const LANES: [Color32; 4] = [
    Color32::from_rgb(0x5f, 0xb0, 0xc9),
    Color32::from_rgb(0xa9, 0x8f, 0xd6),
    Color32::from_rgb(0x8f, 0xbf, 0x7a),
    Color32::from_rgb(0xd6, 0xa9, 0x6a),
];
/// The one accent: selection, focus, meters.
pub const ACCENT: Color32 = Color32::from_rgb(0x5f, 0xb0, 0xc9);
/// Text.
pub const TEXT: Color32 = Color32::from_rgb(0xe4, 0xe6, 0xea);
/// Text of lesser weight; still 4.5 : 1 against a card.
pub const QUIET: Color32 = Color32::from_rgb(0xa3, 0xa9, 0xb5);
/// Something went wrong.
pub const TROUBLE: Color32 = Color32::from_rgb(0xf2, 0xb0, 0x6a);

/// Gives `ctx` Catena's look.
pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(Theme::Dark);
    ctx.all_styles_mut(style);
}

fn style(style: &mut Style) {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = GROUND;
    visuals.window_fill = CARD;
    visuals.override_text_color = Some(TEXT);
    visuals.selection.bg_fill = Color32::from_rgb(0x2f, 0x5f, 0x70);
    visuals.selection.stroke = Stroke::new(1.0, ACCENT);
    visuals.hyperlink_color = ACCENT;
    let widgets = &mut visuals.widgets;
    for widget in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
        widget.corner_radius = CornerRadius::same(4);
    }
    widgets.inactive.weak_bg_fill = FIELD;
    widgets.inactive.bg_fill = FIELD;
    widgets.hovered.weak_bg_fill = FIELD_LIT;
    style.visuals = visuals;
    style.text_styles.insert(TextStyle::Small, FontId::proportional(10.5));
    style.spacing.item_spacing = vec2(8.0, 6.0);
    style.spacing.button_padding = vec2(8.0, 4.0);
    style.spacing.interact_size.y = 24.0;
}

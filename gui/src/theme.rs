//! Colours and spacing: quiet, with one accent, dark, light or of high contrast.
//!
//! A colour is named by what it is for, a [`Tone`]; what it is, is the palette's of the frame that is being drawn. One thread draws one
//! editor at a time, so [`apply`] notes it for its thread.

mod font;
mod palette;
mod scripts;

use std::cell::Cell;

use egui::{Color32, Context, CornerRadius, FontId, Id, Stroke, Style, TextStyle, Visuals, vec2};
use host_core::model::Theme;

use palette::Palette;

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The window's ground.
    Ground,
    /// A slot's ground.
    Card,
    /// The ground of the head of lanes.
    Head,
    /// The ground of a small field.
    Field,
    /// The same under the pointer.
    FieldLit,
    /// The ground of what is chosen.
    Chosen,
    /// The edge of a card.
    Edge,
    /// Selection, focus, meters.
    Accent,
    /// Text.
    Text,
    /// Text of lesser weight.
    Quiet,
    /// Something went wrong.
    Trouble,
    /// Lanes that the user gave no colour, one after another, 0 to 3.
    Lane(usize),
}

/// See [`Tone::Ground`].
pub const GROUND: Tone = Tone::Ground;
/// See [`Tone::Card`].
pub const CARD: Tone = Tone::Card;
/// See [`Tone::Head`].
pub const HEAD: Tone = Tone::Head;
/// See [`Tone::Field`].
pub const FIELD: Tone = Tone::Field;
/// See [`Tone::FieldLit`].
pub const FIELD_LIT: Tone = Tone::FieldLit;
/// See [`Tone::Edge`].
pub const EDGE: Tone = Tone::Edge;
/// See [`Tone::Lane`].
pub const LANES: [Tone; 4] = [Tone::Lane(0), Tone::Lane(1), Tone::Lane(2), Tone::Lane(3)];
/// See [`Tone::Accent`].
pub const ACCENT: Tone = Tone::Accent;
/// See [`Tone::Text`].
pub const TEXT: Tone = Tone::Text;
/// See [`Tone::Quiet`].
pub const QUIET: Tone = Tone::Quiet;
/// See [`Tone::Trouble`].
pub const TROUBLE: Tone = Tone::Trouble;

thread_local! {
    static SHOWN: Cell<&'static Palette> = const { Cell::new(&palette::DARK) };
}

impl Tone {
    /// The colour in the frame that is being drawn. `[editor]`
    pub fn colour(self) -> Color32 {
        SHOWN.get().of(self)
    }

    /// See [`Color32::gamma_multiply`].
    pub fn gamma_multiply(self, factor: f32) -> Color32 {
        self.colour().gamma_multiply(factor)
    }
}

impl From<Tone> for Color32 {
    fn from(tone: Tone) -> Self {
        tone.colour()
    }
}

/// Gives `context` Catena's look: cheap where it has it. Before each frame. `[editor]`
pub fn apply(context: &Context, theme: Theme) {
    let palette = palette::of(theme);
    SHOWN.set(palette);
    scripts::follow(context);
    let known = Id::unique("catena's look");
    if context.data(|data| data.get_temp::<Theme>(known)) == Some(theme) {
        return;
    }
    context.data_mut(|data| data.insert_temp(known, theme));
    font::give(context);
    context.set_theme(if theme == Theme::Light { egui::Theme::Light } else { egui::Theme::Dark });
    context.all_styles_mut(|style| dress(style, theme));
    // The size is a setting, and Ctrl with plus, minus and 0 are the DAW's.
    context.options_mut(|options| options.zoom_with_keyboard = false);
}

fn dress(style: &mut Style, theme: Theme) {
    let mut visuals = if theme == Theme::Light { Visuals::light() } else { Visuals::dark() };
    visuals.panel_fill = GROUND.into();
    visuals.window_fill = CARD.into();
    visuals.extreme_bg_color = if theme == Theme::Dark { visuals.extreme_bg_color } else { FIELD.into() };
    visuals.faint_bg_color = HEAD.into();
    visuals.override_text_color = Some(TEXT.into());
    visuals.weak_text_color = Some(QUIET.into());
    visuals.selection.bg_fill = Tone::Chosen.into();
    visuals.selection.stroke = Stroke::new(1.0, ACCENT);
    visuals.hyperlink_color = ACCENT.into();
    visuals.warn_fg_color = TROUBLE.into();
    visuals.error_fg_color = TROUBLE.into();
    let widgets = &mut visuals.widgets;
    for widget in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
        widget.corner_radius = CornerRadius::same(4);
    }
    widgets.inactive.weak_bg_fill = FIELD.into();
    widgets.inactive.bg_fill = FIELD.into();
    widgets.hovered.weak_bg_fill = FIELD_LIT.into();
    widgets.hovered.bg_fill = FIELD_LIT.into();
    widgets.open.weak_bg_fill = FIELD_LIT.into();
    widgets.active.weak_bg_fill = FIELD_LIT.into();
    // What has the keys is drawn so too.
    widgets.active.bg_stroke = Stroke::new(2.0, ACCENT);
    if theme == Theme::HighContrast {
        widgets.inactive.bg_stroke = Stroke::new(1.0, EDGE);
        widgets.noninteractive.bg_stroke = Stroke::new(1.0, EDGE);
    }
    style.visuals = visuals;
    style.text_styles.insert(TextStyle::Small, FontId::proportional(10.5));
    style.spacing.item_spacing = vec2(8.0, 6.0);
    style.spacing.button_padding = vec2(8.0, 4.0);
    style.spacing.interact_size.y = 24.0;
}

//! The editor's own font: Inter, with figures of one width. egui's fonts stay behind it for the signs that it lacks.

use egui::epaint::text::{FontInsert, FontPriority, FontTweak, InsertFontFamily};
use egui::{Context, FontData, FontFamily};

/// Its name among the fonts.
const NAME: &str = "Inter";
/// Under the OFL, as `gui/fonts` says.
static INTER: &[u8] = include_bytes!("../../fonts/Inter-Regular.otf");
/// So large that its rows are as high, and its letters as large, as those of egui's own at the same size.
const SCALE: f32 = 0.95;

/// Has `context` write in it. `[editor]`
pub(super) fn give(context: &Context) {
    let data = FontData::from_static(INTER).tweak(FontTweak { scale: SCALE, ..FontTweak::default() });
    let first = InsertFontFamily { family: FontFamily::Proportional, priority: FontPriority::Highest };
    context.add_font(FontInsert::new(NAME, data, vec![first]));
}

#[cfg(test)]
mod tests {
    use egui::{FontId, RawInput, Style};

    use super::*;

    /// Heights in points of all texts' rows, and the width of a text, at so many points a pixel.
    fn rows(points: f32, ours: bool) -> (Vec<f32>, [f32; 2]) {
        let context = Context::default();
        context.set_pixels_per_point(points);
        let (mut heights, mut widths) = (Vec::new(), [0.0; 2]);
        for _ in 0..2 {
            let mut output = context.run_ui(RawInput::default(), |ui| {
                if ours {
                    give(ui.ctx());
                }
                let mut style = Style::default();
                crate::theme::dress(&mut style, host_core::model::Theme::Dark);
                let sizes = style.text_styles.values().filter(|font| font.family == FontFamily::Proportional);
                heights = ui
                    .fonts_mut(|fonts| sizes.map(|font| (fonts.row_height(font) * points).round() / points).collect());
                widths = ["1111", "0000"].map(|text| {
                    let colour = egui::Color32::WHITE;
                    ui.painter().layout_no_wrap(text.into(), FontId::proportional(12.0), colour).size().x
                });
            });
            output.textures_delta.clear();
        }
        (heights, widths)
    }

    #[test]
    fn rows_are_as_high_as_in_eguis_font() {
        for points in [1.0, 1.25, 1.5, 2.0, 3.0] {
            assert_eq!(rows(points, true).0, rows(points, false).0, "{points} pixels a point");
        }
    }

    #[test]
    fn figures_have_one_width() {
        let [ones, noughts] = rows(1.0, true).1;
        assert_eq!(ones, noughts);
        let eguis = rows(1.0, false).1;
        assert_ne!([ones, noughts], eguis, "it is not the font in use");
    }

    #[test]
    fn latin_greek_and_cyrillic_are_in_it() {
        let face = ttf_parser::Face::parse(INTER, 0).unwrap();
        for sign in "azÄŁß09ΩλЖяѓ×…“”·−".chars() {
            assert!(face.glyph_index(sign).is_some(), "{sign}");
        }
    }
}

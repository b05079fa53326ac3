//! The colours themselves.

use egui::Color32;
use host_core::model::Theme;

use super::Tone;

/// A colour for each tone.
pub(super) struct Palette {
    ground: Color32,
    card: Color32,
    head: Color32,
    field: Color32,
    field_lit: Color32,
    chosen: Color32,
    edge: Color32,
    accent: Color32,
    text: Color32,
    quiet: Color32,
    trouble: Color32,
    lanes: [Color32; 4],
}

const fn rgb(code: u32) -> Color32 {
    let [_, red, green, blue] = code.to_be_bytes();
    Color32::from_rgb(red, green, blue)
}

pub(super) const DARK: Palette = Palette {
    ground: rgb(0x1b1d22),
    card: rgb(0x262930),
    head: rgb(0x202329),
    field: rgb(0x333740),
    field_lit: rgb(0x3e434e),
    chosen: rgb(0x1f4658),
    edge: rgb(0x262930),
    accent: rgb(0x74bfd6),
    text: rgb(0xe4e6ea),
    quiet: rgb(0xb2b8c2),
    trouble: rgb(0xf2b06a),
    lanes: [rgb(0x5fb0c9), rgb(0xa98fd6), rgb(0x8fbf7a), rgb(0xd6a96a)],
};

const LIGHT: Palette = Palette {
    ground: rgb(0xeceef1),
    card: rgb(0xfbfcfd),
    head: rgb(0xe3e6ea),
    field: rgb(0xdde1e7),
    field_lit: rgb(0xcfd5dd),
    chosen: rgb(0xb5dbe8),
    edge: rgb(0xd2d7de),
    accent: rgb(0x00566d),
    text: rgb(0x17191d),
    quiet: rgb(0x4b515c),
    trouble: rgb(0x8a3d00),
    lanes: [rgb(0x1f7f9b), rgb(0x6b4fa8), rgb(0x4b7f35), rgb(0x99681f)],
};

const HIGH_CONTRAST: Palette = Palette {
    ground: rgb(0x000000),
    card: rgb(0x000000),
    head: rgb(0x101010),
    field: rgb(0x1a1a1a),
    field_lit: rgb(0x333333),
    chosen: rgb(0x004a7f),
    edge: rgb(0xc8c8c8),
    accent: rgb(0xffd92e),
    text: rgb(0xffffff),
    quiet: rgb(0xe8e8e8),
    trouble: rgb(0xffa95c),
    lanes: [rgb(0x55d7ff), rgb(0xd6b0ff), rgb(0x9cf57a), rgb(0xffc35c)],
};

/// The palette of a theme.
pub(super) fn of(theme: Theme) -> &'static Palette {
    match theme {
        Theme::Dark => &DARK,
        Theme::Light => &LIGHT,
        Theme::HighContrast => &HIGH_CONTRAST,
    }
}

impl Palette {
    /// The colour for a tone.
    pub fn of(&self, tone: Tone) -> Color32 {
        match tone {
            Tone::Ground => self.ground,
            Tone::Card => self.card,
            Tone::Head => self.head,
            Tone::Field => self.field,
            Tone::FieldLit => self.field_lit,
            Tone::Chosen => self.chosen,
            Tone::Edge => self.edge,
            Tone::Accent => self.accent,
            Tone::Text => self.text,
            Tone::Quiet => self.quiet,
            Tone::Trouble => self.trouble,
            Tone::Lane(index) => self.lanes[index % self.lanes.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast by WCAG 2.2, 1.4.3: 1 to 21.
    fn contrast(one: Color32, other: Color32) -> f64 {
        let light = |colour: Color32| {
            let linear = |byte: u8| {
                let share = f64::from(byte) / 255.0;
                if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
        };
        let (one, other) = (light(one), light(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    const THEMES: [Theme; 3] = [Theme::Dark, Theme::Light, Theme::HighContrast];

    #[test]
    fn text_of_every_tone_is_readable_on_every_ground() {
        let grounds = [Tone::Ground, Tone::Card, Tone::Head, Tone::Field, Tone::FieldLit, Tone::Chosen];
        for theme in THEMES {
            let palette = of(theme);
            for ground in grounds {
                for tone in [Tone::Text, Tone::Quiet, Tone::Accent, Tone::Trouble] {
                    let is = contrast(palette.of(tone), palette.of(ground));
                    assert!(is >= 4.5, "{theme:?}: {tone:?} on {ground:?} is {is:.2}");
                }
                let is = contrast(palette.of(Tone::Text), palette.of(ground));
                assert!(is >= 7.0 || theme != Theme::HighContrast && is >= 6.0, "{theme:?}: on {ground:?} {is:.2}");
            }
        }
    }

    #[test]
    fn what_is_no_text_stands_out_from_its_ground() {
        for theme in THEMES {
            let palette = of(theme);
            for tone in [Tone::Accent, Tone::Lane(0), Tone::Lane(1), Tone::Lane(2), Tone::Lane(3)] {
                let is = contrast(palette.of(tone), palette.of(Tone::Ground));
                assert!(is >= 3.0, "{theme:?}: {tone:?} is {is:.2}");
            }
        }
    }
}

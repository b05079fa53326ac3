//! How numbers are written, read and stepped.

use std::ops::RangeInclusive;

/// What a number counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unit {
    /// 0..1, written as 0 to 100 %.
    Percent,
    /// dB.
    Decibels,
    /// -1 (left) to 1 (right), written as L 50, C, R 50.
    Pan,
    /// Hz.
    Hertz,
    /// Samples.
    Samples,
    /// Milliseconds.
    Ms,
    /// A plugin's own, between two ends that are so far apart.
    Own(String, f64),
}

impl Unit {
    /// One step of an arrow key or the wheel, where steps are added.
    fn step(&self) -> f64 {
        match self {
            Self::Percent | Self::Pan => 0.05,
            Self::Decibels => 0.5,
            Self::Hertz | Self::Ms => 1.0,
            Self::Samples => 10.0,
            Self::Own(_, span) => span.abs() / 50.0,
        }
    }

    /// `value` moved by so many steps.
    pub fn moved(&self, value: f64, steps: f64) -> f64 {
        match self {
            // A semitone.
            Self::Hertz => value * (steps / 12.0).exp2(),
            _ => value + steps * self.step(),
        }
    }

    /// `value` as a hand leaves it.
    pub fn rounded(&self, value: f64, fine: bool) -> f64 {
        let grid = match self {
            Self::Hertz => 10f64.powf(value.abs().max(1e-9).log10().floor() - 2.0),
            Self::Samples => 1.0,
            _ if fine => self.step() / 50.0,
            _ => self.step() / 5.0,
        };
        if grid <= 0.0 {
            return value;
        }
        // Not minus zero; and ten is not 9.999999.
        let per = grid.recip();
        (value * per).round() / per + 0.0
    }

    /// Where `value` stands in `range`, 0..1.
    pub fn place(&self, value: f64, range: &RangeInclusive<f64>) -> f64 {
        let scale = |value: f64| match self {
            Self::Hertz => value.max(1.0).ln(),
            // The gains that are used have most of the way.
            Self::Decibels => value.max(-48.0),
            _ => value,
        };
        let (low, high, value) = (scale(*range.start()), scale(*range.end()), scale(value));
        if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The longest text that is usual.
    pub fn longest(&self) -> String {
        match self {
            Self::Percent => text!("unit-percent", value = "100"),
            Self::Decibels => text!("unit-decibels", value = "-00.0"),
            Self::Pan => text!("unit-right", percent = "00"),
            Self::Hertz => text!("unit-hertz", value = "20000"),
            Self::Samples => text!("unit-samples", value = "0000"),
            Self::Ms => text!("unit-ms", value = "000.0"),
            // As long as most plugins' own are.
            Self::Own(..) => text!("unit-own", value = "-0000.00", unit = "kHz"),
        }
    }

    /// A value as it is shown.
    pub fn text(&self, value: f64) -> String {
        match self {
            Self::Percent => text!("unit-percent", value = short(value * 100.0, 1)),
            Self::Decibels if value <= -90.0 => text!("unit-decibels", value = format!("{value:.0}")),
            Self::Decibels => {
                let text = short(value, 2);
                let text = if text.contains('.') { text } else { format!("{text}.0") };
                text!("unit-decibels", value = if value > 0.0 { format!("+{text}") } else { text })
            }
            Self::Pan if value == 0.0 => text!("unit-centre").to_owned(),
            Self::Pan if value < 0.0 => text!("unit-left", percent = short(-value * 100.0, 1)),
            Self::Pan => text!("unit-right", percent = short(value * 100.0, 1)),
            Self::Hertz => text!("unit-hertz", value = short(value, 1)),
            Self::Samples if value == 1.0 => text!("unit-sample").to_owned(),
            Self::Samples => text!("unit-samples", value = format!("{value:.0}")),
            Self::Ms => text!("unit-ms", value = short(value, 2)),
            Self::Own(unit, _) if unit.is_empty() => short(value, 3),
            Self::Own(unit, _) => text!("unit-own", value = short(value, 3), unit),
        }
    }

    /// A value as it was typed, with a comma or a point, with or without its unit.
    pub fn read(&self, text: &str) -> Option<f64> {
        let text = text.trim().to_lowercase().replace(',', ".").replace('\u{2212}', "-");
        match self {
            Self::Percent => number(&text, &["%"]).map(|percent| percent / 100.0),
            Self::Decibels => number(&text, &["db"]),
            Self::Pan => pan(&text),
            Self::Hertz => match text.strip_suffix("khz").or(text.strip_suffix('k')) {
                Some(kilo) => number(kilo, &[]).map(|kilo| kilo * 1000.0),
                None => number(&text, &["hz"]),
            },
            Self::Samples => number(&text, &["samples", "sample"]).map(f64::round),
            Self::Ms => number(&text, &["ms"]),
            Self::Own(unit, _) => number(&text, &[&unit.to_lowercase()]),
        }
    }
}

/// With at most so many decimals, and none that say nothing.
pub(crate) fn short(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

fn number(text: &str, units: &[&str]) -> Option<f64> {
    let bare = units.iter().filter(|unit| !unit.is_empty()).find_map(|unit| text.strip_suffix(unit)).unwrap_or(text);
    bare.trim().parse::<f64>().ok().filter(|value| value.is_finite())
}

fn pan(text: &str) -> Option<f64> {
    if matches!(text, "c" | "center" | "centre") {
        return Some(0.0);
    }
    let side = |letter: char| text.strip_prefix(letter).or(text.strip_suffix(letter));
    let percent = match (side('l'), side('r')) {
        (Some(left), _) => -number(left.trim(), &["%"])?,
        (_, Some(right)) => number(right.trim(), &["%"])?,
        _ => number(text, &["%"])?,
    };
    Some(percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_read_again() {
        for (unit, value, text) in [
            (Unit::Percent, 0.355, "35.5 %"),
            (Unit::Decibels, -6.0, "-6.0 dB"),
            (Unit::Decibels, 2.25, "+2.25 dB"),
            (Unit::Pan, -0.3, "L 30"),
            (Unit::Pan, 0.0, "C"),
            (Unit::Hertz, 2500.0, "2500 Hz"),
            (Unit::Samples, 480.0, "480 samples"),
            (Unit::Ms, 10.5, "10.5 ms"),
            (Unit::Own("s".into(), 10.0), 1.125, "1.125 s"),
        ] {
            assert_eq!(unit.text(value), text);
            assert_eq!(unit.read(text), Some(value), "{text}");
        }
    }

    #[test]
    fn commas_points_and_bare_numbers_are_read_and_words_are_not() {
        assert_eq!(Unit::Decibels.read("-3,5"), Some(-3.5));
        assert_eq!(Unit::Percent.read(" 40 "), Some(0.4));
        assert_eq!(Unit::Pan.read("30r"), Some(0.3));
        assert_eq!(Unit::Pan.read("-25"), Some(-0.25));
        assert_eq!(Unit::Hertz.read("2,5 kHz"), Some(2500.0));
        assert_eq!(Unit::Decibels.read("loud"), None);
        assert_eq!(Unit::Percent.read("nan"), None);
    }

    #[test]
    fn steps_are_round_and_a_fine_one_is_a_tenth() {
        assert_eq!(Unit::Decibels.rounded(Unit::Decibels.moved(0.0, 3.0), false), 1.5);
        assert_eq!(Unit::Decibels.rounded(Unit::Decibels.moved(0.0, 0.1), true), 0.05);
        assert_eq!(Unit::Percent.rounded(0.5 + 0.0499, false), 0.55);
        assert_eq!(Unit::Hertz.rounded(1234.0, false), 1230.0);
    }
}

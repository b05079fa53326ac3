//! Values as text, and back. A dot divides fractions, whatever the locale.

use crate::model::{ParamInfo, Steps};

/// `value` with the parameter's unit, or its name where it has one.
pub fn write(info: &ParamInfo, value: f64) -> String {
    let number = match &info.steps {
        Steps::Named(points) => {
            let nearest = points.iter().min_by(|a, b| (a.0 - value).abs().total_cmp(&(b.0 - value).abs()));
            return nearest.map_or_else(String::new, |(_, name)| name.clone());
        }
        Steps::Toggle => return if value > info.min { "on" } else { "off" }.into(),
        Steps::Integer => format!("{value:.0}"),
        Steps::Continuous => decimals(value),
    };
    if info.unit.is_empty() { number } else { format!("{number} {}", info.unit) }
}

/// Enough digits to tell neighbours apart, and no more.
fn decimals(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 1000.0 => 1,
        size if size >= 10.0 => 2,
        size if size >= 1.0 || size == 0.0 => 3,
        _ => 4,
    };
    format!("{value:.digits$}")
}

/// The value that `text` means: a name, `on` or `off`, or a number with or without the unit.
pub fn read(info: &ParamInfo, text: &str) -> Option<f64> {
    let text = text.trim();
    if let Steps::Named(points) = &info.steps
        && let Some((value, _)) = points.iter().find(|(_, name)| name.eq_ignore_ascii_case(text))
    {
        return Some(*value);
    }
    if matches!(info.steps, Steps::Toggle) {
        match text.to_ascii_lowercase().as_str() {
            "on" | "true" | "yes" => return Some(info.max),
            "off" | "false" | "no" => return Some(info.min),
            _ => {}
        }
    }
    let number = text.strip_suffix(info.unit.as_str()).unwrap_or(text).trim();
    number.parse().ok().filter(|value: &f64| value.is_finite())
}

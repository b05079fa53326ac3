//! Numbers and names as users read them.

use host_core::model::PluginEntry;
use host_core::session::{MeterView, SlotStatus, SlotView, WindowOffer};

/// What the switch of a slot's bypass does.
pub const BYPASS: &str = "Lets sound pass this slot unchanged, at the same latency (B)";
/// What the switch of a plugin's own window does.
pub const WINDOW: &str = "Makes the plugin's own window float, or takes it back (E)";

/// Why a plugin's own window cannot be shown; `None` where it can, or there is none.
pub fn no_window(slot: &SlotView) -> Option<String> {
    match slot.window.offer {
        WindowOffer::Needs(what) => Some(format!("Its own window needs {what}; its parameters are in the list here.")),
        _ => None,
    }
}

/// A latency: samples, and milliseconds where the rate is known.
pub fn latency(frames: u32, rate: f64) -> String {
    let samples = if frames == 1 { "1 sample".to_owned() } else { format!("{frames} samples") };
    if frames == 0 || rate <= 0.0 {
        return samples;
    }
    format!("{samples} ({:.1} ms)", f64::from(frames) / rate * 1000.0)
}

/// How loud something is: the highest peaks lately, and what was over 0 dBFS.
pub fn levels(input: &MeterView, output: &MeterView) -> String {
    let peak = |linear: f32| if linear > 0.0 { format!("{:.1} dBFS", 20.0 * linear.log10()) } else { "silent".into() };
    let clips = match input.since.clips + output.since.clips {
        0 => String::new(),
        count => format!(", {}", self::clips(count)),
    };
    format!("in {}, out {}{clips}", peak(input.hold), peak(output.hold))
}

/// How words on clipped samples end.
pub const OVER: &str = "over 0 dBFS";

/// So many samples were too loud.
pub fn clips(count: u64) -> String {
    if count == 1 { format!("1 sample {OVER}") } else { format!("{count} samples {OVER}") }
}

/// One word on how a slot fares, for lists and screen readers.
pub fn status(slot: &SlotView) -> &'static str {
    match slot.status {
        SlotStatus::Running if slot.bypass => "bypassed",
        SlotStatus::Running => "running",
        SlotStatus::Loading => "opening",
        SlotStatus::Missing => "not installed",
        SlotStatus::Closed(_) => "kept closed",
        SlotStatus::Faulted(_) => "stopped",
    }
}

/// What happened to a slot that does not run, and what the user can do: a sentence, and the name of the button that tries
/// again. `None` while all is well.
pub fn trouble(slot: &SlotView) -> Option<(String, &'static str)> {
    match &slot.status {
        SlotStatus::Running | SlotStatus::Loading => None,
        SlotStatus::Missing => {
            let how = match slot.install.as_str() {
                "" => String::new(),
                command => format!(" To install it, in a terminal: sudo {command}"),
            };
            let why = "Its settings are kept, and sound passes by unchanged.";
            Some((format!("This plugin is not installed ({}). {why}{how}", slot.plugin), "Look again"))
        }
        SlotStatus::Closed(reason) => Some((format!("Kept closed: {}", sentence(reason)), "Open it")),
        SlotStatus::Faulted(reason) => {
            Some((format!("Stopped: {} Sound passes by unchanged.", sentence(reason)), "Try again"))
        }
    }
}

/// With a point at its end.
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// Maker, format and kind of a plugin, as far as they are known.
pub fn byline(entry: &PluginEntry) -> String {
    let mut parts: Vec<&str> = Vec::new();
    if !entry.vendor.is_empty() {
        parts.push(&entry.vendor);
    }
    let format = entry.id.format.to_string();
    parts.push(&format);
    let kind =
        entry.categories.iter().find(|kind| !matches!(kind.as_str(), "audio-effect" | "plugin" | "stereo" | "mono"));
    if let Some(kind) = kind {
        parts.push(kind);
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_is_written_in_samples_and_milliseconds() {
        assert_eq!(latency(0, 48_000.0), "0 samples");
        assert_eq!(latency(64, 48_000.0), "64 samples (1.3 ms)");
        assert_eq!(latency(64, 0.0), "64 samples");
        assert_eq!(latency(1, 48_000.0), "1 sample (0.0 ms)");
    }
}

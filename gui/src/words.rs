//! Numbers and names as users read them.

use host_core::model::PluginEntry;
use host_core::session::{MeterView, SlotStatus, SlotView, WindowOffer};

/// Why a plugin's own window cannot be shown; `None` where it can, or there is none.
pub fn no_window(slot: &SlotView) -> Option<String> {
    match slot.window.offer {
        WindowOffer::Needs(what) => Some(text!("words-window-needs", what)),
        _ => None,
    }
}

/// A latency: samples, and milliseconds where the rate is known.
pub fn latency(frames: u32, rate: f64) -> String {
    let samples = text!("words-samples", count = frames);
    if frames == 0 || rate <= 0.0 {
        return samples;
    }
    text!("words-latency", samples, ms = format!("{:.1}", f64::from(frames) / rate * 1000.0))
}

/// How loud something is: the highest peaks lately, and what was over 0 dBFS.
pub fn levels(input: &MeterView, output: &MeterView) -> String {
    let peak = |linear: f32| {
        if linear > 0.0 {
            text!("words-peak", peak = format!("{:.1}", 20.0 * linear.log10()))
        } else {
            text!("words-silent").into()
        }
    };
    let clips = input.since.clips + output.since.clips;
    let levels = text!("words-levels", input = peak(input.hold), output = peak(output.hold));
    if clips == 0 { levels } else { text!("words-levels-clips", levels, clips = self::clips(clips)) }
}

/// So many samples were too loud.
pub fn clips(count: u64) -> String {
    text!("words-clips", count)
}

/// One word on how a slot fares, for lists and screen readers.
pub fn status(slot: &SlotView) -> &'static str {
    match slot.status {
        SlotStatus::Running if slot.bypass => text!("words-bypassed"),
        SlotStatus::Running => text!("words-running"),
        SlotStatus::Loading => text!("words-opening"),
        SlotStatus::Missing => text!("words-not-installed"),
        SlotStatus::Closed(_) => text!("words-kept-closed"),
        SlotStatus::Faulted(_) => text!("words-stopped"),
    }
}

/// What happened to a slot that does not run, and what the user can do: a sentence, and the name of the button that tries
/// again. `None` while all is well.
pub fn trouble(slot: &SlotView) -> Option<(String, &'static str)> {
    match &slot.status {
        SlotStatus::Running | SlotStatus::Loading => None,
        SlotStatus::Missing => {
            let what = match slot.install.as_str() {
                "" => text!("words-missing", plugin = slot.plugin),
                command => text!("words-missing-install", plugin = slot.plugin, command),
            };
            Some((what, text!("words-look-again")))
        }
        SlotStatus::Closed(reason) => {
            Some((text!("words-kept-closed-why", why = sentence(reason)), text!("words-open-it")))
        }
        SlotStatus::Faulted(reason) => {
            Some((text!("words-stopped-why", why = sentence(reason)), text!("words-try-again")))
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

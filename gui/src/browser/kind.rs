//! What plugins are for, by what CLAP and LV2 say of them.

/// A kind that users look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Instrument,
    Effect,
    Equalizer,
    Dynamics,
    Delay,
    Reverb,
    Modulation,
    Distortion,
    Pitch,
    Stereo,
    Analyser,
    Midi,
    Utility,
}

impl Kind {
    /// All, in the order of the menu.
    pub const ALL: [Self; 13] = [
        Self::Instrument,
        Self::Effect,
        Self::Equalizer,
        Self::Dynamics,
        Self::Delay,
        Self::Reverb,
        Self::Modulation,
        Self::Distortion,
        Self::Pitch,
        Self::Stereo,
        Self::Analyser,
        Self::Midi,
        Self::Utility,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Instrument => text!("kind-instruments"),
            Self::Effect => text!("kind-effects"),
            Self::Equalizer => text!("kind-equalizers-filters"),
            Self::Dynamics => text!("kind-dynamics"),
            Self::Delay => text!("kind-delays"),
            Self::Reverb => text!("kind-reverbs"),
            Self::Modulation => text!("kind-modulation"),
            Self::Distortion => text!("kind-distortion-amps"),
            Self::Pitch => text!("kind-pitch"),
            Self::Stereo => text!("kind-stereo-space"),
            Self::Analyser => text!("kind-meters-analysers"),
            Self::Midi => text!("kind-midi"),
            Self::Utility => text!("kind-tools"),
        }
    }

    /// Parts of the words that CLAP (plugin-features.h) and LV2 (its classes) have for it.
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Instrument => &["instrument", "synthesizer", "sampler", "drum"],
            Self::Effect => &[],
            Self::Equalizer => &["equal", "filter", "parametric eq", "multiband eq", "eq"],
            Self::Dynamics => {
                &["dynamics", "compressor", "expander", "gate", "limiter", "envelope", "de-esser", "transient"]
            }
            Self::Delay => &["delay", "comb"],
            Self::Reverb => &["reverb"],
            Self::Modulation => &["modulat", "flanger", "phaser", "chorus", "tremolo", "ring"],
            Self::Distortion => &["distortion", "waveshaper", "amplifier", "simulator", "saturat", "glitch"],
            Self::Pitch => &["pitch", "frequency-shifter", "granular"],
            Self::Stereo => &["spatial", "surround", "ambisonic"],
            Self::Analyser => &["analy", "spectral"],
            Self::Midi => &["midi", "note-effect", "note-detector"],
            Self::Utility => &["utility", "converter", "mixer", "mixing", "mastering", "generator", "restoration"],
        }
    }

    /// Whether a plugin with these words is one.
    pub fn is(self, words: &[String]) -> bool {
        let any = |kind: Self| words.iter().any(|word| kind.words().iter().any(|part| fits(word, part)));
        match self {
            Self::Effect => !any(Self::Instrument) && !any(Self::Midi),
            _ => any(self),
        }
    }
}

/// Short words are meant whole.
fn fits(word: &str, part: &str) -> bool {
    if part.len() <= 4 { word.split([' ', '-']).any(|whole| whole == part) } else { word.contains(part) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_both_formats_lead_to_one_kind() {
        let is = |kind: Kind, words: &str| kind.is(&words.split(',').map(str::to_owned).collect::<Vec<_>>());
        assert!(is(Kind::Equalizer, "audio-effect,equalizer"));
        assert!(is(Kind::Equalizer, "multiband eq"));
        assert!(is(Kind::Dynamics, "gate"));
        assert!(!is(Kind::Modulation, "string"), "ring is a word of its own");
        assert!(is(Kind::Effect, "reverb") && !is(Kind::Effect, "instrument,reverb"));
        assert!(is(Kind::Midi, "midi") && !is(Kind::Effect, "midi"));
    }
}

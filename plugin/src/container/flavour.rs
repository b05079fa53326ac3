//! What differs between Catena and Catena Instrument, and between CLAP, LV2 and VST3.

use host_core::engine::{ContainerBlock, Processor};
use nice_plug::prelude::*;

use super::{Channels, Container};

/// The interface that a host and a container speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// CLAP, with our own half of the plugin in front of nice-plug's.
    Clap,
    /// LV2, through our own wrapper.
    Lv2,
    /// VST3, through nice-plug's wrapper.
    Vst3,
}

impl Format {
    /// Whether our half of the plugin carries events, latency and dirty marks, and nice-plug does not.
    pub const fn ours(self) -> bool {
        matches!(self, Self::Clap | Self::Lv2)
    }
}

/// One exported plugin in one format.
pub trait Flavour: Send + 'static {
    /// The plugin's name.
    const NAME: &'static str;
    /// Its CLAP id, fixed for ever.
    const CLAP_ID: &'static str;
    /// Its VST3 class, fixed for ever.
    const VST3_ID: [u8; 16];
    /// Its LV2 URI, fixed for ever; empty in the other formats.
    const LV2_URI: &'static str;
    /// Channel layouts; the first is what a host gets that does not choose.
    const LAYOUTS: &'static [AudioIOLayout];
    /// The interface it is for.
    const FORMAT: Format;
    /// CLAP's keywords.
    const FEATURES: &'static [ClapFeature];
    /// VST3's categories.
    const CATEGORIES: &'static [Vst3SubCategory];

    /// Channels of the main input in a layout whose channels are `channels`.
    fn main_inputs(channels: Channels) -> u16 {
        channels.inputs
    }

    /// Runs the engine for one part of a block. `[audio]`
    fn run(processor: &mut Processor, block: &mut ContainerBlock<'_, '_>) {
        processor.process(block);
    }
}

const SIDECHAIN: &[NonZeroU32] = &[new_nonzero_u32(2)];
const AUX_OUTS: &[NonZeroU32] = &[new_nonzero_u32(2); 8];

/// A layout of the effect.
const fn effect(inputs: u32, outputs: u32, name: &'static str) -> AudioIOLayout {
    AudioIOLayout {
        main_input_channels: NonZeroU32::new(inputs),
        main_output_channels: NonZeroU32::new(outputs),
        aux_input_ports: SIDECHAIN,
        aux_output_ports: &[],
        names: PortNames { layout: Some(name), aux_inputs: &["Sidechain"], ..PortNames::const_default() },
    }
}

/// Stereo first, so that a host that does not ask gets it.
const EFFECT_LAYOUTS: &[AudioIOLayout] = &[
    effect(2, 2, "Stereo"),
    effect(1, 1, "Mono"),
    effect(1, 2, "Mono to stereo"),
    effect(4, 4, "Quad"),
    effect(6, 6, "5.1"),
    effect(8, 8, "7.1"),
];

const INSTRUMENT_LAYOUTS: &[AudioIOLayout] = &[AudioIOLayout {
    main_input_channels: None,
    main_output_channels: NonZeroU32::new(2),
    aux_input_ports: SIDECHAIN,
    aux_output_ports: AUX_OUTS,
    names: PortNames {
        layout: Some("Stereo and 8 stereo outputs"),
        aux_inputs: &["Sidechain"],
        aux_outputs: &["Aux 1", "Aux 2", "Aux 3", "Aux 4", "Aux 5", "Aux 6", "Aux 7", "Aux 8"],
        ..PortNames::const_default()
    },
}];

/// Layouts of the LV2 plugins, whose ports are fixed per URI.
const STEREO: &[AudioIOLayout] = &[EFFECT_LAYOUTS[0]];
const MONO: &[AudioIOLayout] = &[EFFECT_LAYOUTS[1]];
const SURROUND: &[AudioIOLayout] = &[EFFECT_LAYOUTS[5]];
/// No sidechain for the instrument: with any audio input it would be no instrument to Ardour, whose strict tracks give the
/// outputs of one that takes MIDI alone to the track, and those of any other to nobody.
const LV2_INSTRUMENT: &[AudioIOLayout] = &[AudioIOLayout {
    aux_input_ports: &[],
    names: PortNames { aux_inputs: &[], ..INSTRUMENT_LAYOUTS[0].names },
    ..INSTRUMENT_LAYOUTS[0]
}];

macro_rules! flavour {
    ($name:ident, $format:ident, $title:literal, instrument: $instrument:literal, $layouts:expr, $lv2:literal) => {
        #[doc = concat!(stringify!($name), ".")]
        pub struct $name;

        impl Flavour for $name {
            const NAME: &'static str = $title;
            const CLAP_ID: &'static str =
                if $instrument { "catena-audio.catena-instrument" } else { "catena-audio.catena" };
            const VST3_ID: [u8; 16] = if $instrument { *b"CatenaAudioInstr" } else { *b"CatenaAudioChain" };
            const LV2_URI: &'static str = $lv2;
            const LAYOUTS: &'static [AudioIOLayout] = $layouts;
            const FORMAT: Format = Format::$format;
            const FEATURES: &'static [ClapFeature] = if $instrument {
                &[ClapFeature::Instrument, ClapFeature::Synthesizer, ClapFeature::Stereo]
            } else {
                &[ClapFeature::AudioEffect, ClapFeature::MultiEffects, ClapFeature::Stereo]
            };
            const CATEGORIES: &'static [Vst3SubCategory] = if $instrument {
                &[Vst3SubCategory::Instrument, Vst3SubCategory::Tools]
            } else {
                &[Vst3SubCategory::Fx, Vst3SubCategory::Tools]
            };
        }
    };
}

flavour!(ClapEffect, Clap, "Catena", instrument: false, EFFECT_LAYOUTS, "");
flavour!(ClapInstrument, Clap, "Catena Instrument", instrument: true, INSTRUMENT_LAYOUTS, "");
flavour!(Vst3Effect, Vst3, "Catena", instrument: false, EFFECT_LAYOUTS, "");
flavour!(Vst3Instrument, Vst3, "Catena Instrument", instrument: true, INSTRUMENT_LAYOUTS, "");
flavour!(Lv2Effect, Lv2, "Catena", instrument: false, STEREO, "urn:catena-audio:catena");
flavour!(Lv2Mono, Lv2, "Catena Mono", instrument: false, MONO, "urn:catena-audio:catena-mono");
flavour!(Lv2Surround, Lv2, "Catena Surround", instrument: false, SURROUND, "urn:catena-audio:catena-surround");
flavour!(
    Lv2Instrument, Lv2, "Catena Instrument", instrument: true, LV2_INSTRUMENT,
    "urn:catena-audio:catena-instrument"
);

impl<F: Flavour> ClapPlugin for Container<F> {
    const CLAP_ID: &'static str = F::CLAP_ID;
    const CLAP_DESCRIPTION: Option<&'static str> = Some("A chain of other CLAP and LV2 plugins in one plugin");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] = F::FEATURES;
}

impl<F: Flavour> Vst3Plugin for Container<F> {
    const VST3_CLASS_ID: [u8; 16] = F::VST3_ID;
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] = F::CATEGORIES;
}

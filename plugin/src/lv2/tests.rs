//! A small nice-plug plugin of no special kind, as an LV2 host calls it, and the Turtle made of it.

use std::sync::Arc;

use nice_plug::prelude::*;

use super::turtle::bundle;
use super::{Export, Lv2Plugin};

/// What a plugin may be: an enum.
#[derive(Enum, PartialEq)]
enum Shape {
    /// The first.
    #[id = "sine"]
    #[name = "Sine \"wave\""]
    Sine,
    /// The second.
    #[id = "saw"]
    Saw,
}

#[derive(Params)]
struct PlainParams {
    #[id = "bypass"]
    bypass: BoolParam,
    #[id = "2nd gain"]
    gain: FloatParam,
    #[id = "steps"]
    steps: IntParam,
    #[id = "shape"]
    shape: EnumParam<Shape>,
}

impl Default for PlainParams {
    fn default() -> Self {
        Self {
            bypass: BoolParam::new("Bypass", false).make_bypass(),
            gain: FloatParam::new("Gain", -6.0, FloatRange::Linear { min: -60.0, max: 12.0 }).with_unit(" dB"),
            steps: IntParam::new("Steps", 3, IntRange::Linear { min: 1, max: 16 }).with_unit(" cats"),
            shape: EnumParam::new("Shape", Shape::Saw),
        }
    }
}

/// Knows nothing of LV2 but its names.
#[derive(Default)]
struct Plain(Arc<PlainParams>);

impl Plugin for Plain {
    const NAME: &'static str = "Plain";
    const VENDOR: &'static str = "Tests";
    const URL: &'static str = "http://example.org";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = "1.2.3";
    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = &[];
    type Editor = ();
    type SysExMessage = ();
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        Arc::clone(&self.0) as Arc<dyn Params>
    }

    fn process(
        &mut self,
        _buffer: &mut Buffer,
        _aux: &mut AuxiliaryBuffers,
        _context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        ProcessStatus::Normal
    }
}

impl Lv2Plugin for Plain {
    const LV2_URI: &'static str = "http://example.org/plain";
    const LV2_CLASSES: &'static [&'static str] = &[];
    const LV2_LAYOUT: AudioIOLayout = AudioIOLayout {
        main_input_channels: NonZeroU32::new(1),
        main_output_channels: NonZeroU32::new(2),
        ..AudioIOLayout::const_default()
    };
    const LV2_STATE: &'static str = "http://example.org/plain#state";
    const LV2_COMMENT: &'static str = "Plain";
    const LV2_MAX_LATENCY: u32 = 0;
    type Core = ();

    fn lv2_core(&self) -> Arc<()> {
        Arc::new(())
    }
}

/// The text of the plugin's file.
fn plain() -> String {
    let files = bundle(&[Export::of::<Plain>().describe()], "Plain.so");
    assert_eq!(
        files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(),
        ["manifest.ttl", "plain.ttl", "ports.txt"]
    );
    assert!(!files[0].text.contains("ui:X11UI"), "it has no window");
    // Four parameters, two controls, mono in, stereo out, two sequences.
    assert_eq!(files[2].text, "http://example.org/plain http://example.org/plain#state 6 7,8 - 5 10\n");
    files[1].text.clone()
}

#[test]
fn every_kind_of_parameter_becomes_a_port_and_a_bypass_the_last_turned_round() {
    let text = plain();
    let at = |wanted: &str| text.find(wanted).unwrap_or_else(|| panic!("no {wanted} in {text}"));
    let order = [at("\"_2nd_gain\""), at("\"steps\""), at("\"shape\""), at("\"lv2_enabled\""), at("\"lv2_freewheel\"")];
    assert!(order.is_sorted(), "{order:?}");
    for wanted in [
        "lv2:minimum -60.0 ;\n\t\tlv2:maximum 12.0 ;\n\t\tunits:unit units:db ;",
        "units:render \"%f cats\"",
        "rdfs:label \"Sine \\\"wave\\\"\" ;\n\t\t\trdf:value 0.0",
        "rdfs:label \"Saw\" ;\n\t\t\trdf:value 1.0",
        "lv2:portProperty lv2:integer , lv2:enumeration ;",
        "lv2:designation lv2:enabled ;",
        "lv2:minorVersion 204 ;\n\tlv2:microVersion 6 ;",
    ] {
        at(wanted);
    }
}

//! What files for other hosts must know of our plugins.

mod lv2;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use host_core::model::MacroId;
use nice_plug::plugin::PluginState;

use crate::container::{
    Container, Flavour, Lv2Effect, Lv2Instrument, Lv2Mono, Lv2Surround, Vst3Effect, Vst3Instrument,
};
use crate::lv2::{Lv2Plugin, symbol};

pub use lv2::Lv2Preset;

/// Key of the LV2 plugins' state.
pub const LV2_STATE: &str = <Container<Lv2Effect> as Lv2Plugin>::LV2_STATE;

/// URIs of the LV2 plugins that play instruments, or of those that do not.
pub fn lv2_uris(instrument: bool) -> &'static [&'static str] {
    if instrument { &[Lv2Instrument::LV2_URI] } else { &[Lv2Effect::LV2_URI, Lv2Mono::LV2_URI, Lv2Surround::LV2_URI] }
}

/// The symbol of a macro's control port.
pub fn macro_symbol(number: MacroId) -> String {
    symbol(&format!("macro-{number}"))
}

/// Name and class of the VST3 plugin that plays instruments, or of the one that does not.
pub fn vst3_class(instrument: bool) -> (&'static str, [u8; 16]) {
    if instrument { (Vst3Instrument::NAME, Vst3Instrument::VST3_ID) } else { (Vst3Effect::NAME, Vst3Effect::VST3_ID) }
}

/// The state of a VST3 component that holds a packed chain. The chain says where its macros stand. `None` never happens: it is text.
pub fn vst3_state(packed: &[u8]) -> Option<Vec<u8>> {
    let chain = serde_json::to_string(&STANDARD.encode(packed)).ok()?;
    let fields = BTreeMap::from([("chain".to_owned(), chain)]);
    let state = PluginState { version: env!("CARGO_PKG_VERSION").into(), params: BTreeMap::new(), fields };
    serde_json::to_vec(&state).ok()
}

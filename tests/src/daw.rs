//! A DAW's process around Catena: its own folders, the fixtures installed, chains as a session's data holds them.

use std::path::Path;

use host_core::model::{Aim, Chain, Law, MacroId, PluginId, Target};
use host_core::store;

use crate::bundle::in_own_process;
use crate::fixtures;

/// Runs `body` in a process of its own in which the CLAP fixtures are installed. `name` is the test's full name.
pub fn with_fixtures(name: &str, body: impl FnOnce()) {
    let prepare = |home: &Path| {
        let folder = home.join("clap");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::copy(fixtures::clap(), folder.join("harmless.clap")).expect("the fixtures");
        vec![("CLAP_PATH", folder), ("LV2_PATH", home.join("no-lv2"))]
    };
    in_own_process(name, prepare, |_| body());
}

/// The packed bytes of a chain of fixtures, each with parameters by key.
pub fn chain(slots: &[(&str, &[(&str, f64)])]) -> Vec<u8> {
    let mut chain = Chain::default();
    for (name, params) in slots {
        let id = chain.insert(usize::MAX, PluginId::clap(fixtures::clap_id(name)));
        let slot = chain.slot_mut(id).expect("just put in");
        slot.params = params.iter().map(|(key, value)| ((*key).into(), *value)).collect();
    }
    store::pack(&chain).expect("a chain")
}

/// The packed bytes of such a chain whose first slot an editor shows.
pub fn chain_shown(slots: &[(&str, &[(&str, f64)])]) -> Vec<u8> {
    let mut chain = store::unpack(&chain(slots)).expect("a chain");
    let id = chain.slots().next().expect("a slot").id;
    chain.slot_mut(id).expect("the same").window.inside = true;
    store::pack(&chain).expect("a chain")
}

/// The packed bytes of an instrument that tells note-offs on its second output, which goes to `out`, before 64 frames of delay.
pub fn chain_with_aux(out: Option<u8>) -> Vec<u8> {
    let mut chain = store::unpack(&chain(&[("instrument", &[]), ("delay", &[("100", 64.0)])])).expect("a chain");
    let id = chain.slots().next().expect("a slot").id;
    chain.slot_mut(id).expect("the same").set_aux(0, out);
    store::pack(&chain).expect("a chain")
}

/// An impulse at `at` in `frames` frames of stereo.
pub fn impulse(frames: usize, at: usize) -> Vec<Vec<f32>> {
    let mut channel = vec![0.0; frames];
    channel[at] = 0.5;
    vec![channel.clone(), channel]
}

/// Where the largest sample of `channel` is.
pub fn peak(channel: &[f32]) -> usize {
    (0..channel.len()).max_by(|a, b| channel[*a].abs().total_cmp(&channel[*b].abs())).expect("not empty")
}

/// The packed bytes of such a chain with macros: number, place of the slot, key of its parameter, how it follows.
pub fn chain_with_macros(slots: &[(&str, &[(&str, f64)])], macros: &[(usize, usize, &str, Law)]) -> Vec<u8> {
    let mut chain = store::unpack(&chain(slots)).expect("a chain");
    for (number, place, key, law) in macros {
        let slot = chain.slots().nth(*place).expect("a slot").id;
        let one = chain.macro_mut(MacroId::new(*number).expect("a macro"));
        one.targets.push(Target::new(Aim::Param(slot, (*key).into()), *law));
    }
    store::pack(&chain).expect("a chain")
}

//! Making the audio half: which port takes what, and what must be done each block. `[home]`

use std::sync::Arc;

use super::audio::{Audio, PatchTarget, Routes, Rules, Unsent};
use super::buf_size::Lengths;
use super::describe::{Atom, Description, Kind, Target};
use super::ffi::instance::Instance;
use super::ffi::machine::Machine;
use super::shared::Shared;
use super::time::{Clock, Part};
use super::wires::{Line, Wires};
use super::{atom, uri, urid, wires};

/// Makes the audio half of `instance` and connects its ports.
pub fn make(
    instance: Arc<Instance>,
    about: &Description,
    targets: &[Target],
    shared: Arc<Shared>,
    (lengths, rate): (&Lengths, f64),
    wires: Option<Wires>,
) -> Audio {
    let known = urid::known();
    let mut machine = Machine::new(instance, about, lengths.max, shared);
    for port in &mut machine.atoms {
        atom::clear(port.buffer.bytes_mut(), known);
    }
    let routes = routes(about, &machine);
    let offset = targets.len() - about.patch.len();
    let patch: Box<[_]> = about
        .patch
        .iter()
        .enumerate()
        .map(|(at, p)| PatchTarget { urid: p.urid, number: p.number, index: (offset + at) as u32 })
        .collect();
    let busy = !routes.outputs.is_empty()
        || machine.answers.is_some()
        || routes.time.is_some()
        || routes.free_wheeling.is_some()
        || !routes.parts.is_empty();
    Audio {
        waiting: Vec::with_capacity(targets.len()),
        unsent: Unsent {
            any: routes.patch.is_some() && !patch.is_empty(),
            patch: vec![false; patch.len()],
            get: routes.patch.is_some() && !patch.is_empty(),
        },
        known,
        targets: targets.into(),
        patch,
        clock: Clock::new(rate),
        rules: Rules { may_cut: lengths.may_cut, min_block: lengths.min_safe.max(1), busy },
        exact: lengths.exact,
        machine,
        routes,
        wires,
    }
}

/// The way to a user interface and home's end of it; `None` for a plugin without messages.
pub fn wires(about: &Description) -> Option<(Wires, Line)> {
    let (mut inputs, mut outputs, mut any) = (0, 0, false);
    for (_, input, size) in about.atoms() {
        any = true;
        *(if input { &mut inputs } else { &mut outputs }) += size;
    }
    any.then(|| wires::wires(inputs, outputs))
}

/// The atom ports of a direction for which `fits` holds, as places in the machine's list; the one designated as the
/// control port comes first.
fn places(about: &Description, machine: &Machine, input: bool, fits: impl Fn(&Atom) -> bool) -> Vec<usize> {
    let fits = |place: &usize| match &about.ports[machine.atoms[*place].index].kind {
        Kind::Atom(atom) => machine.atoms[*place].input == input && fits(atom),
        _ => false,
    };
    let mut found: Vec<usize> = (0..machine.atoms.len()).filter(fits).collect();
    let control = |place: &usize| about.ports[machine.atoms[*place].index].designation.as_deref() == Some(uri::CONTROL);
    found.sort_by_key(|place| !control(place));
    found
}

fn routes(about: &Description, machine: &Machine) -> Routes {
    let midi_out = places(about, machine, false, |atom| atom.midi);
    let number = |place: &usize| midi_out.iter().position(|p| p == place).map(|at| at as u8);
    let patch = places(about, machine, true, |atom| atom.patch);
    let all_inputs = places(about, machine, true, |_| true);
    let part = |(index, port): (usize, &super::describe::Port)| {
        let fits = port.input && port.control.is_some();
        Some((index, Part::of(port.designation.as_deref().filter(|_| fits)?)?))
    };
    Routes {
        midi_in: places(about, machine, true, |atom| atom.midi),
        outputs: places(about, machine, false, |_| true).iter().map(|place| (*place, number(place))).collect(),
        time: places(about, machine, true, |atom| atom.time).first().copied(),
        // A plugin with writable parameters listens on its control port, even if that does not say so.
        patch: patch.first().or(all_inputs.first()).copied().filter(|_| !about.patch.is_empty()),
        inputs: all_inputs,
        filled: false,
        parts: about.ports.iter().enumerate().filter_map(part).collect(),
        free_wheeling: about.control(true, uri::FREE_WHEELING),
        latency: about.control(false, uri::LATENCY),
    }
}

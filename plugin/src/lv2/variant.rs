//! A plugin type under another name: its own URI, name, maker and classes, some of its parameters, and a state from the start.

use std::sync::{Mutex, PoisonError};

/// What differs from the plugin type itself. It lives as long as the process, as descriptors do.
pub struct Variant {
    /// Its URI.
    pub uri: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its maker.
    pub vendor: &'static str,
    /// One line on what it does.
    pub comment: &'static str,
    /// Local names of LV2's classes, beside `Plugin`.
    pub classes: &'static [&'static str],
    /// It has no ports for events.
    pub plain: bool,
    /// The parameters that are ports, beside a bypass.
    pub params: Vec<VariantParam>,
}

/// A parameter of a variant.
pub struct VariantParam {
    /// nice-plug's id.
    pub id: String,
    /// The port's name.
    pub name: String,
    /// Value of a fresh plugin.
    pub default: f32,
}

/// Variants by the address of their descriptor.
static KNOWN: Mutex<Vec<(usize, &'static Variant)>> = Mutex::new(Vec::new());

/// Notes which variant a descriptor is of. `[main]`
pub fn note(descriptor: usize, variant: &'static Variant) {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).push((descriptor, variant));
}

/// The variant that a descriptor is of; `None` for a plugin type itself. `[main]`
pub fn of(descriptor: usize) -> Option<&'static Variant> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().find(|(known, _)| *known == descriptor).map(|(_, variant)| *variant)
}

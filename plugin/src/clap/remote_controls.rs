//! `clap.remote-controls`: the macros as pages of eight, each called by its numbers and by what its macros are called.
//!
//! nice-plug's own takes pages once, when a plugin is made; these change with the chain.

use clap_sys::ext::remote_controls::{clap_plugin_remote_controls, clap_remote_controls_page};
use clap_sys::id::CLAP_INVALID_ID;
use clap_sys::plugin::clap_plugin;
use host_core::model::{MacroId, PAGE};

use super::instance::{self, Instance};
use super::params::write;
use crate::guard::guard;

pub(super) static EXTENSION: clap_plugin_remote_controls =
    clap_plugin_remote_controls { count: Some(count), get: Some(get) };

/// The macros that are parameters: all, or those of a chain that is a plugin of its own.
fn macros(this: &Instance) -> Vec<MacroId> {
    match this.exported() {
        None => MacroId::all().collect(),
        Some(exported) => exported.macros.iter().map(|one| one.number).collect(),
    }
}

unsafe extern "C" fn count(plugin: *const clap_plugin) -> u32 {
    guard(0, || {
        // SAFETY: the host passes a plugin of ours that it has not destroyed.
        let Some(this) = (unsafe { instance::of(plugin) }) else { return 0 };
        macros(this).len().div_ceil(PAGE) as u32
    })
}

unsafe extern "C" fn get(plugin: *const clap_plugin, index: u32, page: *mut clap_remote_controls_page) -> bool {
    guard(false, || {
        // SAFETY: the host passes a plugin of ours that it has not destroyed.
        let Some(this) = (unsafe { instance::of(plugin) }) else { return false };
        let all = macros(this);
        let (Some(page_of), false) = (all.chunks(PAGE).nth(index as usize), page.is_null()) else { return false };
        let mut told = clap_remote_controls_page {
            section_name: [0; _],
            page_id: index,
            page_name: [0; _],
            param_ids: [CLAP_INVALID_ID; PAGE],
            is_for_preset: false,
        };
        for (number, id) in page_of.iter().zip(&mut told.param_ids) {
            *id = this.macro_ids.id(*number).unwrap_or(CLAP_INVALID_ID);
        }
        write("Macros", &mut told.section_name);
        write(&name(this, page_of), &mut told.page_name);
        // SAFETY: not null, the host's to be written.
        unsafe { page.write(told) };
        true
    })
}

/// The numbers of a page of macros, and what these are called where they hold something.
fn name(this: &Instance, page: &[MacroId]) -> String {
    let (Some(first), Some(last)) = (page.first(), page.last()) else { return String::new() };
    let numbers = format!("{first}-{last}");
    let Some(session) = this.shared.session() else { return numbers };
    let snapshot = session.snapshot();
    let here = snapshot.macros.iter().filter(|view| page.contains(&view.number));
    let titles: Vec<_> =
        here.filter(|view| view.name.is_some() || !view.targets.is_empty()).map(|view| view.title.as_str()).collect();
    if titles.is_empty() { numbers } else { format!("{numbers}: {}", titles.join(", ")) }
}

//! `clap.remote-controls`: the macros as pages of eight, each called by its numbers and by what its macros are called.
//!
//! nice-plug's own takes pages once, when a plugin is made; these change with the chain.

use clap_sys::ext::remote_controls::{clap_plugin_remote_controls, clap_remote_controls_page};
use clap_sys::id::CLAP_INVALID_ID;
use clap_sys::plugin::clap_plugin;
use host_core::model::{MACROS, MacroId, PAGE};

use super::instance::{self, Instance};
use super::params::write;
use crate::guard::guard;

pub(super) static EXTENSION: clap_plugin_remote_controls =
    clap_plugin_remote_controls { count: Some(count), get: Some(get) };

unsafe extern "C" fn count(_plugin: *const clap_plugin) -> u32 {
    MACROS.div_ceil(PAGE) as u32
}

unsafe extern "C" fn get(plugin: *const clap_plugin, index: u32, page: *mut clap_remote_controls_page) -> bool {
    guard(false, || {
        // SAFETY: the host passes a plugin of ours that it has not destroyed.
        let Some(this) = (unsafe { instance::of(plugin) }) else { return false };
        let first = index as usize * PAGE;
        if page.is_null() || first >= MACROS {
            return false;
        }
        let mut told = clap_remote_controls_page {
            section_name: [0; _],
            page_id: index,
            page_name: [0; _],
            param_ids: [CLAP_INVALID_ID; PAGE],
            is_for_preset: false,
        };
        for (place, id) in (first..MACROS).zip(&mut told.param_ids) {
            *id = MacroId::at(place).and_then(|number| this.macro_ids.id(number)).unwrap_or(CLAP_INVALID_ID);
        }
        write("Macros", &mut told.section_name);
        write(&name(this, first), &mut told.page_name);
        // SAFETY: not null, the host's to be written.
        unsafe { page.write(told) };
        true
    })
}

/// The numbers of the page that begins at `first`, and what its macros are called where they hold something.
fn name(this: &Instance, first: usize) -> String {
    let numbers = format!("{}-{}", first + 1, (first + PAGE).min(MACROS));
    let Some(session) = this.shared.session() else { return numbers };
    let snapshot = session.snapshot();
    let here = snapshot.macros.iter().filter(|view| (first..first + PAGE).contains(&view.number.index()));
    let titles: Vec<_> =
        here.filter(|view| view.name.is_some() || !view.targets.is_empty()).map(|view| view.title.as_str()).collect();
    if titles.is_empty() { numbers } else { format!("{numbers}: {}", titles.join(", ")) }
}

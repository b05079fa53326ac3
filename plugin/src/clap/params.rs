//! `clap.params`: nice-plug's, with ours in front of it for the macros: their moves go from the host's lists straight to the
//! engine, their values are the session's own, and one that is mapped shows its target's name, unit and text.

use std::ffi::{CStr, c_char};
use std::ptr;

use clap_sys::events::*;
use clap_sys::ext::params::*;
use clap_sys::id::clap_id;
use clap_sys::plugin::clap_plugin;
use host_core::model::{Exported, MACROS, MacroId};
use host_core::session::MacroSaid;

use super::events::{Filtered, value_event};
use super::instance::{self, Instance};
use crate::container::Shared;
use crate::guard::guard;

pub(super) static EXTENSION: clap_plugin_params = clap_plugin_params {
    count: Some(count),
    get_info: Some(get_info),
    get_value: Some(get_value),
    value_to_text: Some(value_to_text),
    text_to_value: Some(text_to_value),
    flush: Some(flush),
};

/// The numbers by which hosts know the macros.
pub struct MacroIds {
    /// By place.
    ids: Vec<clap_id>,
    /// With their places, by number.
    places: Vec<(clap_id, usize)>,
    /// Where each is in nice-plug's list, by place.
    listed: Vec<u32>,
    /// Where all others are in it.
    others: Vec<u32>,
}

impl MacroIds {
    /// Reads them from nice-plug's own list, which gives the names that the parameters were made with. `[main thread]`
    ///
    /// # Safety
    /// `plugin` is nice-plug's own and lives.
    pub unsafe fn read(plugin: &clap_plugin) -> Self {
        let mut ids = vec![clap_id::MAX; MACROS];
        let (mut listed, mut others) = (vec![u32::MAX; MACROS], Vec::new());
        // SAFETY: the caller's word.
        if let Some(params) = unsafe { of_nice_plug(plugin) } {
            // SAFETY: nice-plug's own functions on its plugin; a zeroed info is valid, and they write it.
            unsafe {
                for at in 0..params.count.map_or(0, |count| count(plugin)) {
                    let mut info: clap_param_info = std::mem::zeroed();
                    let there = params.get_info.is_some_and(|get| get(plugin, at, &raw mut info));
                    let name = CStr::from_ptr(info.name.as_ptr()).to_str().unwrap_or_default();
                    let number = name.strip_prefix("Macro ").and_then(|number| number.parse::<usize>().ok());
                    match number.and_then(|number| number.checked_sub(1)).filter(|place| *place < MACROS) {
                        Some(place) if there => (ids[place], listed[place]) = (info.id, at),
                        _ => others.push(at),
                    }
                }
            }
        }
        let mut places: Vec<_> = ids.iter().copied().zip(0..).collect();
        places.sort_unstable();
        Self { ids, places, listed, others }
    }

    /// The macro's place, first is 0. `[any]`
    pub fn place(&self, id: clap_id) -> Option<usize> {
        let at = self.places.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.places.get(at).map(|(_, place)| *place)
    }

    /// How many parameters the plugin that `exported` is has. `[any]`
    fn count_of(&self, exported: &Exported) -> u32 {
        (exported.macros.len() + self.others.len()) as u32
    }

    /// Which of nice-plug's parameters is number `index` of those: its macros first. `[any]`
    fn inner_of(&self, exported: &Exported, index: u32) -> Option<u32> {
        let index = index as usize;
        match exported.macros.get(index) {
            Some(one) => self.listed.get(one.number.index()).copied().filter(|at| *at != u32::MAX),
            None => self.others.get(index - exported.macros.len()).copied(),
        }
    }

    /// The macro's number for hosts. `[any]`
    pub fn id(&self, number: MacroId) -> Option<clap_id> {
        self.ids.get(number.index()).copied()
    }
}

/// nice-plug's own extension.
///
/// # Safety
/// `plugin` is nice-plug's own and lives; the answer lives as long as it.
unsafe fn of_nice_plug<'a>(plugin: *const clap_plugin) -> Option<&'a clap_plugin_params> {
    // SAFETY: the caller's word; nice-plug answers this id with this struct.
    unsafe { (*plugin).get_extension?(plugin, CLAP_EXT_PARAMS.as_ptr()).cast::<clap_plugin_params>().as_ref() }
}

/// The instance and nice-plug's own functions, which work on the host's pointer as on their own.
///
/// # Safety
/// `plugin` is what the host got from `create` and has not destroyed.
unsafe fn both<'a>(plugin: *const clap_plugin) -> Option<(&'a Instance, &'a clap_plugin_params)> {
    // SAFETY: the caller's word.
    let this = unsafe { instance::of(plugin) }?;
    // SAFETY: as above; `inner` lives as long as the instance.
    Some((this, unsafe { of_nice_plug(this.inner()) }?))
}

unsafe extern "C" fn count(plugin: *const clap_plugin) -> u32 {
    guard(0, || {
        // SAFETY: the host passes what `create` gave it.
        let Some((this, inner)) = (unsafe { both(plugin) }) else { return 0 };
        if let Some(exported) = this.exported() {
            return this.macro_ids.count_of(exported);
        }
        // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
        inner.count.map_or(0, |count| unsafe { count(plugin) })
    })
}

unsafe extern "C" fn get_info(plugin: *const clap_plugin, index: u32, info: *mut clap_param_info) -> bool {
    guard(false, || {
        // SAFETY: the host passes what `create` gave it, and null or its own to be written.
        let (Some((this, inner)), false) = (unsafe { both(plugin) }, info.is_null()) else { return false };
        // SAFETY: as above. nice-plug looks one too far: the count is asked first.
        let listed = index < unsafe { count(plugin) };
        let at = this.exported().map_or(Some(index), |exported| this.macro_ids.inner_of(exported, index));
        let there = at.filter(|_| listed).is_some_and(|at| {
            // SAFETY: as above.
            inner.get_info.is_some_and(|get| unsafe { get(plugin, at, info) })
        });
        // SAFETY: as above; written by nice-plug where it is there.
        let (true, Some(info)) = (there, unsafe { info.as_mut() }) else { return false };
        // No modulation: what it would mean for targets that end at their range is not said.
        info.flags &= !CLAP_PARAM_IS_MODULATABLE;
        if let Some(number) = this.macro_ids.place(info.id).and_then(MacroId::at) {
            describe(&this.shared, number, info);
            let own = this.exported().and_then(|own| own.macros.iter().find(|one| one.number == number));
            if let Some(own) = own {
                // By this name hosts have kept it.
                write(&own.name, &mut info.name);
                info.module.fill(0);
                info.default_value = own.value;
            }
        }
        true
    })
}

/// The title of a macro that holds something.
fn describe(shared: &Shared, number: MacroId, info: &mut clap_param_info) {
    let Some(session) = shared.session() else { return };
    let snapshot = session.snapshot();
    if let Some(view) = snapshot.macros.iter().find(|view| view.number == number) {
        write(&view.title, &mut info.name);
    }
}

/// Writes as much of `text` as fits, whole characters only, and a zero.
pub(super) fn write(text: &str, to: &mut [c_char]) {
    let Some(room) = to.len().checked_sub(1) else { return };
    let end = (0..=room.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    for (to, from) in to.iter_mut().zip(text[..end].bytes().chain([0])) {
        *to = from.cast_signed();
    }
}

unsafe extern "C" fn get_value(plugin: *const clap_plugin, id: clap_id, value: *mut f64) -> bool {
    guard(false, || {
        // SAFETY: the host passes what `create` gave it, and null or its own to be written.
        let (Some((this, inner)), false) = (unsafe { both(plugin) }, value.is_null()) else { return false };
        let held = this.macro_ids.place(id).and_then(|place| this.shared.with_macros(|macros| macros.value(place)));
        match held {
            Some(held) => {
                // SAFETY: not null, the host's.
                unsafe { value.write(held) };
                true
            }
            // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
            None => inner.get_value.is_some_and(|get| unsafe { get(plugin, id, value) }),
        }
    })
}

unsafe extern "C" fn value_to_text(
    plugin: *const clap_plugin,
    id: clap_id,
    value: f64,
    text: *mut c_char,
    size: u32,
) -> bool {
    guard(false, || {
        // SAFETY: the host passes what `create` gave it, and room for `size` bytes.
        let (Some((this, inner)), false) = (unsafe { both(plugin) }, text.is_null() || size == 0) else { return false };
        match this.macro_ids.place(id) {
            Some(place) => {
                let words = this.shared.macro_text(MacroId::at(place), value);
                // SAFETY: as above.
                write(&words, unsafe { std::slice::from_raw_parts_mut(text, size as usize) });
                true
            }
            // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
            None => inner.value_to_text.is_some_and(|call| unsafe { call(plugin, id, value, text, size) }),
        }
    })
}

unsafe extern "C" fn text_to_value(
    plugin: *const clap_plugin,
    id: clap_id,
    text: *const c_char,
    value: *mut f64,
) -> bool {
    guard(false, || {
        // SAFETY: the host passes what `create` gave it, a C string, and its own to be written.
        let (Some((this, inner)), false) = (unsafe { both(plugin) }, text.is_null() || value.is_null()) else {
            return false;
        };
        match this.macro_ids.place(id) {
            Some(place) => {
                // SAFETY: not null, a C string of the host's.
                let words = unsafe { CStr::from_ptr(text) }.to_str().ok();
                let Some(read) = words.and_then(|words| this.shared.macro_parse(MacroId::at(place), words)) else {
                    return false;
                };
                // SAFETY: not null, the host's.
                unsafe { value.write(read) };
                true
            }
            // SAFETY: nice-plug's own function on a plugin with nice-plug's own data.
            None => inner.text_to_value.is_some_and(|call| unsafe { call(plugin, id, text, value) }),
        }
    })
}

/// While nothing is processed: what the host moves is told to home, which carries it out, or to the next block.
/// `[active ? audio : main]`
unsafe extern "C" fn flush(
    plugin: *const clap_plugin,
    input: *const clap_input_events,
    out: *const clap_output_events,
) {
    guard((), || {
        // SAFETY: the host passes what `create` gave it, and lists that are null or valid over the call.
        let Some((this, inner)) = (unsafe { both(plugin) }) else { return };
        let Ok(mut kept) = this.kept.try_borrow_mut() else { return };
        kept.clear();
        // SAFETY: as above.
        unsafe {
            super::events::each(input, |at, event| match param_move(event, &this.macro_ids) {
                Some((_, place, value)) => drop(this.shared.with_macros(|macros| macros.tell(place, value))),
                None if kept.len() < kept.capacity() => kept.push(at),
                None => {}
            });
            emit_said(out, &this.shared, &this.macro_ids);
        }
        let filtered = Filtered::new(input, &kept);
        if let Some(call) = inner.flush {
            let list = filtered.list();
            // SAFETY: nice-plug's own function on a plugin with nice-plug's own data; both lists live over the call.
            unsafe { call(plugin, if input.is_null() { ptr::null() } else { &raw const list }, out) };
        }
    });
}

/// The move of a macro that an event is: frame, place, value. `[any]`
///
/// # Safety
/// `event` is not null and as long as its type says.
pub unsafe fn param_move(event: *const clap_event_header, ids: &MacroIds) -> Option<(u32, usize, f64)> {
    // SAFETY: the caller's word; the type says which struct the header begins (CLAP `events.h`).
    let param = unsafe {
        if (*event).space_id != CLAP_CORE_EVENT_SPACE_ID || (*event).type_ != CLAP_EVENT_PARAM_VALUE {
            return None;
        }
        &*event.cast::<clap_event_param_value>()
    };
    let place = ids.place(param.param_id)?;
    param.value.is_finite().then(|| (param.header.time, place, param.value.clamp(0.0, 1.0)))
}

/// Gives the host what was moved inside, at the first frame. What it has no room for comes the next time. `[audio | main]`
///
/// # Safety
/// `out` is null or valid over the call.
pub unsafe fn emit_said(out: *const clap_output_events, shared: &Shared, ids: &MacroIds) {
    let Ok(mut said) = shared.said.try_borrow_mut() else { return };
    if said.is_empty() {
        return;
    }
    // SAFETY: the caller's word.
    let Some(push) = (unsafe { out.as_ref() }).and_then(|out| out.try_push) else { return };
    while let Some(one) = said.front() {
        let (MacroSaid::Begin(number) | MacroSaid::Value(number, _) | MacroSaid::End(number)) = *one;
        let Some(id) = ids.id(number) else {
            said.pop_front();
            continue;
        };
        let gesture = |type_| clap_event_param_gesture {
            header: clap_event_header {
                size: size_of::<clap_event_param_gesture>() as u32,
                time: 0,
                space_id: CLAP_CORE_EVENT_SPACE_ID,
                type_,
                flags: CLAP_EVENT_IS_LIVE,
            },
            param_id: id,
        };
        // SAFETY: the list's own function; it copies the event (CLAP `events.h`).
        let taken = unsafe {
            match *one {
                MacroSaid::Begin(_) => push(out, &gesture(CLAP_EVENT_PARAM_GESTURE_BEGIN).header),
                MacroSaid::Value(_, value) => push(out, &value_event(id, value).header),
                MacroSaid::End(_) => push(out, &gesture(CLAP_EVENT_PARAM_GESTURE_END).header),
            }
        };
        if !taken {
            return;
        }
        said.pop_front();
    }
}

//! What a VST3 host shows of a mapped macro: its target's name, unit and text.
//!
//! The host is told that titles are others (`kParamTitlesChanged`) on its own main thread alone. That is there while an editor is
//! open, by the host's run loop, and in the calls that VST3 makes on it, of which the one that brings another chain counts.

use std::sync::Arc;

use host_core::model::MacroId;
use host_core::session::{MacroView, Snapshot};
use nice_plug::wrapper::vst3::vst3::ComRef;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    IComponentHandler, IComponentHandlerTrait, ParamID, ParamValue, ParameterInfo, RestartFlags_, TChar,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::int32;

use super::front::Front;
use crate::container::Flavour;

impl<F: Flavour> Front<F> {
    /// Keeps the host's handler, to tell of titles. `[host's main thread]`
    pub(super) fn keep_handler(&self, handler: Option<ComRef<'_, IComponentHandler>>) {
        let teller = handler.map(|handler| {
            let (handler, main) = (handler.to_com_ptr(), std::thread::current().id());
            // Where a host has no run loop, nice-plug calls from a thread of its own.
            let tell = move || {
                let may = std::thread::current().id() == main;
                if may {
                    // SAFETY: the handler is counted, and this is the host's main thread.
                    let _unheard = unsafe { handler.restartComponent(RestartFlags_::kParamTitlesChanged as int32) };
                }
                may
            };
            Arc::new(tell) as Arc<dyn Fn() -> bool + Send + Sync>
        });
        self.shared.titles.set_teller(teller);
    }

    /// Tells the host where macros are called otherwise. `[host's main thread]`
    pub(super) fn tell_titles(&self) {
        if let Some(session) = self.shared.session() {
            self.shared.take_in(session.take_outbox());
        }
        self.shared.titles.tell();
    }

    fn number(&self, id: ParamID) -> Option<MacroId> {
        MacroId::at(self.macros.iter().position(|number| *number == Some(id))?)
    }

    fn with_view<R>(&self, id: ParamID, look: impl FnOnce(&MacroView) -> R) -> Option<R> {
        let number = self.number(id)?;
        let snapshot = self.shared.session()?.snapshot();
        view(&snapshot, number).map(look)
    }

    /// Whether this is a macro that moves something.
    pub(super) fn is_mapped(&self, id: ParamID) -> bool {
        self.with_view(id, |view| !view.targets.is_empty()).unwrap_or(false)
    }

    /// Title and unit of a macro that holds something.
    pub(super) fn describe(&self, info: &mut ParameterInfo) {
        let words = self.with_view(info.id, |view| (view.title.clone(), unit(view)));
        if let Some((title, unit)) = words {
            write(&title, &mut info.title);
            write(&title, &mut info.shortTitle);
            write(&unit, &mut info.units);
        }
    }

    /// The text of a mapped macro, without the unit, which the host writes behind it.
    pub(super) fn text_of(&self, id: ParamID, value: ParamValue) -> Option<String> {
        let unit = self.with_view(id, |view| (!view.targets.is_empty()).then(|| unit(view))).flatten()?;
        let text = self.shared.macro_text(self.number(id), value);
        Some(text.strip_suffix(unit.as_str()).unwrap_or(&text).trim_end().to_owned())
    }

    /// Where a mapped macro stands when its target is what `text` says, with the unit or without.
    pub(super) fn value_in(&self, id: ParamID, text: &str) -> Option<ParamValue> {
        let unit = self.with_view(id, unit).unwrap_or_default();
        let text = text.trim();
        let bare = unit.is_empty() || text.ends_with(unit.as_str());
        let whole = if bare { text.to_owned() } else { format!("{text} {unit}") };
        let read = |text: &str| self.shared.macro_parse(self.number(id), text);
        read(&whole).or_else(|| read(text))
    }
}

fn view(snapshot: &Snapshot, number: MacroId) -> Option<&MacroView> {
    snapshot.macros.iter().find(|view| view.number == number)
}

/// The unit of what a macro moves first.
fn unit(view: &MacroView) -> String {
    view.targets.first().map_or(String::new(), |target| target.unit.clone())
}

/// Writes as much of `text` as fits, whole characters only, and a zero.
pub(super) fn write(text: &str, to: &mut [TChar]) {
    let Some(mut room) = to.len().checked_sub(1) else { return };
    let fits = text.chars().take_while(|c| match room.checked_sub(c.len_utf16()) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    });
    let text: String = fits.collect();
    for (to, unit) in to.iter_mut().zip(text.encode_utf16().chain([0])) {
        *to = unit;
    }
}

/// The host's text.
///
/// # Safety
/// `text` is not null and ends with a zero.
pub(super) unsafe fn read(text: *const TChar) -> String {
    let units = (0..).map_while(|at| {
        // SAFETY: the caller's word: nothing behind the zero is read.
        let unit = unsafe { text.add(at).read() };
        (unit != 0).then_some(unit)
    });
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_characters_and_ends_with_a_zero() {
        let mut room = [7; 4];
        write("ab\u{1F39B}c", &mut room);
        assert_eq!(room[..3], [u16::from(b'a'), u16::from(b'b'), 0]);
        write("\u{1F39B}", &mut room);
        // SAFETY: ends with a zero.
        assert_eq!(unsafe { read(room.as_ptr()) }, "\u{1F39B}");
    }
}

//! The exported macros: `macro-1` to `macro-128`, one parameter each. Ids and order never change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use host_core::model::{MACROS, MacroId};
use nice_plug::prelude::*;

use crate::container::Shared;

/// Told to nobody: no number.
const NOTHING: u32 = u32::MAX;

/// Parameters that nice-plug was told of, by place; first is 0. It is told by the host and by us, and the host says what we told
/// it back, sooner or later: of all that, the host's own moves are taken. Wait-free.
pub struct MacroMarks {
    set: [AtomicU64; MACROS / 64],
    /// The value that we last set or told the host, as bits.
    told: [AtomicU32; MACROS],
    /// A user's hand is on a target, as the host was told.
    held: [AtomicBool; MACROS],
}

impl Default for MacroMarks {
    fn default() -> Self {
        Self {
            set: Default::default(),
            told: [const { AtomicU32::new(NOTHING) }; MACROS],
            held: [const { AtomicBool::new(false) }; MACROS],
        }
    }
}

impl MacroMarks {
    fn set(&self, index: usize) {
        self.set[index / 64].fetch_or(1 << (index % 64), Ordering::Release);
    }

    /// Notes that we are about to set a macro or to tell the host where it stands. `[any]`
    pub fn tell(&self, index: usize, value: f32) {
        if let Some(told) = self.told.get(index) {
            told.store(value.to_bits(), Ordering::Release);
        }
    }

    /// Notes that the host was told of a hand that takes hold of a target, or lets it go. `[any]`
    pub fn hold(&self, index: usize, held: bool) {
        if let Some(place) = self.held.get(index) {
            place.store(held, Ordering::Relaxed);
        }
    }

    /// Takes all marks: those set since the last call. `[any]`
    fn take(&self) -> impl Iterator<Item = usize> + use<> {
        let words = self.set.each_ref().map(|word| match word.load(Ordering::Relaxed) {
            0 => 0,
            _ => word.swap(0, Ordering::AcqRel),
        });
        (0..MACROS).filter(move |index| words[index / 64] & (1 << (index % 64)) != 0)
    }

    /// Whether a macro that is marked and stands at `value` was moved by the host.
    fn is_move(&self, index: usize, value: f32, editor: bool) -> bool {
        // Who let go is told by an open editor.
        if editor && self.held[index].load(Ordering::Relaxed) {
            return false;
        }
        if self.told[index].load(Ordering::Acquire) == value.to_bits() {
            return false;
        }
        self.told[index].store(NOTHING, Ordering::Release);
        true
    }
}

/// One macro. What its target calls a value is asked of the session: never from the audio thread.
fn parameter(shared: &Arc<Shared>, index: usize) -> FloatParam {
    let number = MacroId::at(index);
    let (marks, text, parse) = (Arc::clone(shared), Arc::clone(shared), Arc::clone(shared));
    FloatParam::new(format!("Macro {}", index + 1), 0.0, FloatRange::Linear { min: 0.0, max: 1.0 })
        .with_callback(Arc::new(move |_| marks.macro_marks.set(index)))
        .with_value_to_string(Arc::new(move |value| text.macro_text(number, value.into())))
        .with_string_to_value(Arc::new(move |text| parse.macro_parse(number, text).map(|value| value as f32)))
}

impl MacroParams {
    /// Takes what the host has moved since the last call: place and value. `[any]`
    pub fn take_moves<'a>(&'a self, shared: &'a Shared) -> impl Iterator<Item = (usize, f32)> + 'a {
        let editor = shared.editor_open();
        let values = shared.macro_marks.take().filter_map(move |index| Some((index, self.get(index)?.value())));
        values.filter(move |(index, value)| shared.macro_marks.is_move(*index, *value, editor))
    }

    /// Sets what the DAW reads of every macro to where the session has it. `[any]`
    pub fn meet(&self, shared: &Shared) {
        for index in 0..MACROS {
            if let Some(value) = shared.with_macros(|macros| macros.value(index)) {
                self.meet_one(shared, index, value);
            }
        }
    }

    /// The same for one macro, which stands at `value`. `[any]`
    pub fn meet_one(&self, shared: &Shared, index: usize, value: f64) {
        if let Some(param) = self.get(index).filter(|param| param.value() != value as f32) {
            shared.macro_marks.tell(index, value as f32);
            set(param, value as f32);
        }
    }
}

/// Sets a parameter as the wrapper does.
#[expect(unsafe_code, reason = "nice-plug marks what only a wrapper may call; ours in front of it are part of it")]
fn set(param: &FloatParam, value: f32) {
    // SAFETY: the mark says who is meant to call it; the value is an atomic.
    unsafe { nice_plug::params::InternalParamMut::_internal_set_plain_value(param, value) };
}

macro_rules! macros {
    ($($index:literal $field:ident $id:tt),* $(,)?) => {
        /// All macros.
        #[derive(Params)]
        pub struct MacroParams {
            $(#[id = $id] $field: FloatParam,)*
        }

        impl MacroParams {
            /// All of them at 0. `[any but audio]`
            pub fn new(shared: &Arc<Shared>) -> Self {
                Self { $($field: parameter(shared, $index),)* }
            }

            /// The one at this place, first is 0. `[any]`
            pub fn get(&self, index: usize) -> Option<&FloatParam> {
                match index {
                    $($index => Some(&self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

macros! {
    0 m1 "macro-1", 1 m2 "macro-2", 2 m3 "macro-3", 3 m4 "macro-4", 4 m5 "macro-5", 5 m6 "macro-6",
    6 m7 "macro-7", 7 m8 "macro-8", 8 m9 "macro-9", 9 m10 "macro-10", 10 m11 "macro-11", 11 m12 "macro-12",
    12 m13 "macro-13", 13 m14 "macro-14", 14 m15 "macro-15", 15 m16 "macro-16", 16 m17 "macro-17", 17 m18 "macro-18",
    18 m19 "macro-19", 19 m20 "macro-20", 20 m21 "macro-21", 21 m22 "macro-22", 22 m23 "macro-23", 23 m24 "macro-24",
    24 m25 "macro-25", 25 m26 "macro-26", 26 m27 "macro-27", 27 m28 "macro-28", 28 m29 "macro-29", 29 m30 "macro-30",
    30 m31 "macro-31", 31 m32 "macro-32", 32 m33 "macro-33", 33 m34 "macro-34", 34 m35 "macro-35", 35 m36 "macro-36",
    36 m37 "macro-37", 37 m38 "macro-38", 38 m39 "macro-39", 39 m40 "macro-40", 40 m41 "macro-41", 41 m42 "macro-42",
    42 m43 "macro-43", 43 m44 "macro-44", 44 m45 "macro-45", 45 m46 "macro-46", 46 m47 "macro-47", 47 m48 "macro-48",
    48 m49 "macro-49", 49 m50 "macro-50", 50 m51 "macro-51", 51 m52 "macro-52", 52 m53 "macro-53", 53 m54 "macro-54",
    54 m55 "macro-55", 55 m56 "macro-56", 56 m57 "macro-57", 57 m58 "macro-58", 58 m59 "macro-59", 59 m60 "macro-60",
    60 m61 "macro-61", 61 m62 "macro-62", 62 m63 "macro-63", 63 m64 "macro-64", 64 m65 "macro-65", 65 m66 "macro-66",
    66 m67 "macro-67", 67 m68 "macro-68", 68 m69 "macro-69", 69 m70 "macro-70", 70 m71 "macro-71", 71 m72 "macro-72",
    72 m73 "macro-73", 73 m74 "macro-74", 74 m75 "macro-75", 75 m76 "macro-76", 76 m77 "macro-77", 77 m78 "macro-78",
    78 m79 "macro-79", 79 m80 "macro-80", 80 m81 "macro-81", 81 m82 "macro-82", 82 m83 "macro-83", 83 m84 "macro-84",
    84 m85 "macro-85", 85 m86 "macro-86", 86 m87 "macro-87", 87 m88 "macro-88", 88 m89 "macro-89", 89 m90 "macro-90",
    90 m91 "macro-91", 91 m92 "macro-92", 92 m93 "macro-93", 93 m94 "macro-94", 94 m95 "macro-95", 95 m96 "macro-96",
    96 m97 "macro-97", 97 m98 "macro-98", 98 m99 "macro-99", 99 m100 "macro-100", 100 m101 "macro-101", 101 m102 "macro-102",
    102 m103 "macro-103", 103 m104 "macro-104", 104 m105 "macro-105", 105 m106 "macro-106", 106 m107 "macro-107", 107 m108 "macro-108",
    108 m109 "macro-109", 109 m110 "macro-110", 110 m111 "macro-111", 111 m112 "macro-112", 112 m113 "macro-113", 113 m114 "macro-114",
    114 m115 "macro-115", 115 m116 "macro-116", 116 m117 "macro-117", 117 m118 "macro-118", 118 m119 "macro-119", 119 m120 "macro-120",
    120 m121 "macro-121", 121 m122 "macro-122", 122 m123 "macro-123", 123 m124 "macro-124", 124 m125 "macro-125", 125 m126 "macro-126",
    126 m127 "macro-127", 127 m128 "macro-128",
}

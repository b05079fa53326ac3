//! What a VST3 host holds: nice-plug's plugin, and our own half in front of it.
//!
//! Every function of the host's goes through [`guard`], but for those of the window that [`IEditControllerTrait::createView`] gives
//! it, which are nice-plug's own. Ours are: the offline mode, which nice-plug hands on one
//! `setupProcessing` late; the mode of each block; [`Front::tell_revision`], the dirty mark that needs no editor; and what
//! macros are called ([`titles`]).

#![allow(non_snake_case, reason = "the interface's own names")]

use std::collections::HashMap;
use std::ptr;
use std::sync::Arc;

use host_core::model::MACROS;
use nice_plug::params::InternalParamMut;
use nice_plug::prelude::Param;
use nice_plug::wrapper::vst3::Wrapper;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::ChannelContext::{IInfoListener, IInfoListenerTrait};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::*;
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FIDString, FUnknown, IBStream, IPlugView, IPluginBaseTrait, TBool, TUID, int16, int32, kInternalError,
    kInvalidArgument, kResultFalse, kResultOk, tresult, uint32,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComRef};

use super::titles;
use crate::container::{Container, Flavour, Made, Shared, take_made};
use crate::guard::{guard, injected};
use crate::params::ContainerParams;

/// One plugin of flavour `F`.
pub struct Front<F: Flavour> {
    inner: Wrapper<Container<F>>,
    pub(super) shared: Arc<Shared>,
    params: Arc<ContainerParams>,
    /// The number by which hosts know `revision`.
    revision: Option<ParamID>,
    /// The numbers by which they know the macros, by place.
    pub(super) macros: Vec<Option<ParamID>>,
}

impl<F: Flavour> Drop for Front<F> {
    fn drop(&mut self) {
        // What is shared may live on in the window's thread, and the host's handler is not its to let go.
        self.shared.titles.set_teller(None);
    }
}

impl<F: Flavour> Front<F> {
    /// Makes a plugin. `None` where the container left nothing to work with. `[any but audio]`
    pub fn new() -> Option<Self> {
        let inner = Wrapper::new();
        let Made { shared, params } = take_made()?;
        let numbers = numbers(&inner);
        let revision = params.revision.first().and_then(|revision| numbers.get(revision.value.name()).copied());
        let number = |index| numbers.get(params.macros.get(index)?.name()).copied();
        let macros = (0..MACROS).map(number).collect();
        Some(Self { inner, shared, params, revision, macros })
    }

    /// Tells where macros stand that were moved inside, as changed values among the block's output parameters. Without room for
    /// them the next block tries again. `[audio]`
    fn tell_macros(&self, block: &ProcessData) {
        // SAFETY: null, or the host's own list, valid over the call.
        let Some(changes) = (unsafe { ComRef::from_raw(block.outputParameterChanges) }) else { return };
        if !self.shared.take_macro_news() {
            return;
        }
        for (index, number) in self.macros.iter().enumerate() {
            let value = self.shared.with_macros(|macros| macros.value(index));
            let (Some(id), Some(value), Some(param)) = (*number, value, self.params.macros.get(index)) else {
                continue;
            };
            if param.value() == value as f32 {
                continue;
            }
            let mut at = 0;
            // SAFETY: the list's own functions on it; numbers that live over the calls.
            let told = unsafe {
                ComRef::from_raw(changes.addParameterData(&id, &mut at))
                    .is_some_and(|queue| queue.addPoint(0, value, &mut at) == kResultOk)
            };
            if told {
                self.params.macros.meet_one(&self.shared, index, value);
            } else {
                self.shared.set_macro_news();
            }
        }
    }

    /// Tells of edits since the last time, as a changed value of `revision` among the block's output parameters: the
    /// way VST3 gives a processor, which may not call the host's handler. Without room for it the next block tries
    /// again. `[audio]`
    fn tell_revision(&self, block: &ProcessData) {
        // SAFETY: null, or the host's own list, valid over the call.
        let changes = unsafe { ComRef::from_raw(block.outputParameterChanges) };
        let (Some(changes), Some(id), Some(revision)) = (changes, self.revision, self.params.revision.first()) else {
            return;
        };
        if !self.shared.take_dirty_unseen() {
            return;
        }
        let (value, mut index) = (revision.next(), 0);
        // SAFETY: the list's own functions on it; numbers that live over the calls.
        let told = unsafe {
            ComRef::from_raw(changes.addParameterData(&id, &mut index)).is_some_and(|queue| {
                queue.addPoint(0, revision.value.preview_normalized(value).into(), &mut index) == kResultOk
            })
        };
        if told {
            // SAFETY: nice-plug's mark for "call it from a wrapper", which this is; the value is an atomic.
            unsafe { revision.value._internal_set_plain_value(value) };
        } else {
            self.shared.set_dirty();
        }
    }
}

/// Parameters of ours: the macros, `bypass` and `revision`.
const OURS: int32 = MACROS as int32 + 2;

/// The numbers of the parameters by their names, as nice-plug gives them to hosts.
fn numbers<F: Flavour>(inner: &Wrapper<Container<F>>) -> HashMap<String, ParamID> {
    // SAFETY: nice-plug's own functions, called as a host may; a zeroed info is valid, and they write it.
    unsafe {
        let number = |index| {
            let mut info: ParameterInfo = std::mem::zeroed();
            let there = inner.getParameterInfo(index, &mut info) == kResultOk;
            let title: Vec<u16> = info.title.iter().copied().take_while(|unit| *unit != 0).collect();
            there.then(|| (String::from_utf16_lossy(&title), info.id))
        };
        // Behind ours come thousands of controllers that nice-plug makes for MIDI.
        (0..inner.getParameterCount().min(OURS)).filter_map(number).collect()
    }
}

impl<F: Flavour> Class for Front<F> {
    type Interfaces = (
        IComponent,
        IEditController,
        IAudioProcessor,
        IMidiMapping,
        INoteExpressionController,
        IProcessContextRequirements,
        IUnitInfo,
        IInfoListener,
    );
}

impl<F: Flavour> IAudioProcessorTrait for Front<F> {
    unsafe fn setBusArrangements(
        &self,
        inputs: *mut SpeakerArrangement,
        num_ins: int32,
        outputs: *mut SpeakerArrangement,
        num_outs: int32,
    ) -> tresult {
        guard(kInternalError, || {
            let Ok(count) = usize::try_from(num_ins) else { return kInvalidArgument };
            if inputs.is_null() {
                return kInvalidArgument;
            }
            // SAFETY: the host's list, as long as it says.
            let mut list = unsafe { std::slice::from_raw_parts(inputs, count) }.to_vec();
            if F::LAYOUTS[0].main_input_channels.is_none() {
                // Without a main input nice-plug 0.4.2 looks for the others one place late, past the end of the list.
                list.insert(0, 0);
            }
            // SAFETY: the host's call with a list that is long enough.
            unsafe { self.inner.setBusArrangements(list.as_mut_ptr(), num_ins, outputs, num_outs) }
        })
    }

    unsafe fn getBusArrangement(&self, dir: BusDirection, index: int32, arr: *mut SpeakerArrangement) -> tresult {
        // SAFETY: as above.
        guard(kInternalError, || unsafe { self.inner.getBusArrangement(dir, index, arr) })
    }

    unsafe fn canProcessSampleSize(&self, size: int32) -> tresult {
        // SAFETY: as above.
        guard(kInternalError, || unsafe { self.inner.canProcessSampleSize(size) })
    }

    unsafe fn getLatencySamples(&self) -> uint32 {
        // SAFETY: as above.
        guard(0, || unsafe { self.inner.getLatencySamples() })
    }

    unsafe fn setupProcessing(&self, setup: *mut ProcessSetup) -> tresult {
        guard(kInternalError, || {
            // It keeps the mode of the call before for `setActive`: the second call finds this one's.
            // SAFETY: as above; the call changes nothing but what it keeps.
            unsafe {
                self.inner.setupProcessing(setup);
                self.inner.setupProcessing(setup)
            }
        })
    }

    unsafe fn setProcessing(&self, state: TBool) -> tresult {
        // SAFETY: as above.
        guard(kInternalError, || unsafe { self.inner.setProcessing(state) })
    }

    unsafe fn process(&self, data: *mut ProcessData) -> tresult {
        guard(kInternalError, || {
            injected("vst3 process");
            // SAFETY: null or the host's, valid over the call.
            if let Some(block) = unsafe { data.as_ref() } {
                self.shared.set_offline(block.processMode == ProcessModes_::kOffline as int32);
            }
            // SAFETY: the host's call, handed on as it came.
            let result = unsafe { self.inner.process(data) };
            // SAFETY: as above.
            if let Some(block) = unsafe { data.as_ref() } {
                self.tell_macros(block);
                self.tell_revision(block);
            }
            result
        })
    }

    unsafe fn getTailSamples(&self) -> uint32 {
        // SAFETY: as above.
        guard(0, || unsafe { self.inner.getTailSamples() })
    }
}

/// Functions that are nice-plug's alone, each behind a guard with what it answers after a panic; ours stand beside them.
macro_rules! forward {
    ($interface:ident {
        $(fn $name:ident($($arg:ident: $type:ty),*) -> $answer:ty, else $fallback:expr;)*
    } $(ours { $($ours:item)* })?) => {
        impl<F: Flavour> $interface for Front<F> {
            $(unsafe fn $name(&self, $($arg: $type),*) -> $answer {
                // SAFETY: the host's call, handed on as it came.
                guard($fallback, || unsafe {
                    injected(concat!("vst3 ", stringify!($interface), " ", stringify!($name)));
                    <Wrapper<Container<F>> as $interface>::$name(&self.inner, $($arg),*)
                })
            })*
            $($($ours)*)?
        }
    };
}

forward!(IPluginBaseTrait {
    fn initialize(context: *mut FUnknown) -> tresult, else kInternalError;
    fn terminate() -> tresult, else kInternalError;
});

forward!(IComponentTrait {
    fn getControllerClassId(class_id: *mut TUID) -> tresult, else kInternalError;
    fn setIoMode(mode: IoMode) -> tresult, else kInternalError;
    fn getBusCount(kind: MediaType, dir: BusDirection) -> int32, else 0;
    fn getBusInfo(kind: MediaType, dir: BusDirection, index: int32, bus: *mut BusInfo) -> tresult, else kInternalError;
    fn getRoutingInfo(in_info: *mut RoutingInfo, out_info: *mut RoutingInfo) -> tresult, else kInternalError;
    fn activateBus(kind: MediaType, dir: BusDirection, index: int32, state: TBool) -> tresult, else kInternalError;
    fn setActive(state: TBool) -> tresult, else kInternalError;
    fn getState(state: *mut IBStream) -> tresult, else kInternalError;
} ours {
    unsafe fn setState(&self, state: *mut IBStream) -> tresult {
        guard(kInternalError, || {
            injected("vst3 IComponentTrait setState");
            // SAFETY: the host's call, handed on as it came.
            let result = unsafe { IComponentTrait::setState(&self.inner, state) };
            // VST3 has it called on the host's main thread alone.
            self.tell_titles();
            result
        })
    }
});

forward!(IEditControllerTrait {
    fn setComponentState(state: *mut IBStream) -> tresult, else kInternalError;
    fn setState(state: *mut IBStream) -> tresult, else kInternalError;
    fn getState(state: *mut IBStream) -> tresult, else kInternalError;
    fn getParameterCount() -> int32, else 0;
    fn normalizedParamToPlain(id: ParamID, value_normalized: ParamValue) -> ParamValue, else 0.0;
    fn plainParamToNormalized(id: ParamID, plain_value: ParamValue) -> ParamValue, else 0.0;
    fn getParamNormalized(id: ParamID) -> ParamValue, else 0.0;
    fn setParamNormalized(id: ParamID, value: ParamValue) -> tresult, else kInternalError;
    fn createView(name: FIDString) -> *mut IPlugView, else ptr::null_mut();
} ours {
    unsafe fn getParameterInfo(&self, index: int32, info: *mut ParameterInfo) -> tresult {
        guard(kInternalError, || {
            // SAFETY: the host's call, handed on as it came.
            let result = unsafe { self.inner.getParameterInfo(index, info) };
            // SAFETY: null or the host's to be written, and written where it was answered so.
            if let (true, Some(info)) = (result == kResultOk, unsafe { info.as_mut() }) {
                self.describe(info);
            }
            result
        })
    }

    unsafe fn getParamStringByValue(&self, id: ParamID, value: ParamValue, string: *mut String128) -> tresult {
        guard(kInternalError, || {
            // SAFETY: null or the host's to be written.
            match (self.text_of(id, value), unsafe { string.as_mut() }) {
                (Some(text), Some(string)) => {
                    titles::write(&text, string);
                    kResultOk
                }
                // SAFETY: the host's call, handed on as it came.
                _ => unsafe { self.inner.getParamStringByValue(id, value, string) },
            }
        })
    }

    unsafe fn getParamValueByString(&self, id: ParamID, string: *mut TChar, value: *mut ParamValue) -> tresult {
        guard(kInternalError, || {
            if !self.is_mapped(id) || string.is_null() || value.is_null() {
                // SAFETY: the host's call, handed on as it came.
                return unsafe { self.inner.getParamValueByString(id, string, value) };
            }
            // SAFETY: not null, the host's text that ends with a zero.
            let Some(read) = self.value_in(id, &unsafe { titles::read(string) }) else { return kResultFalse };
            // SAFETY: not null, the host's to be written.
            unsafe { value.write(read) };
            kResultOk
        })
    }

    unsafe fn setComponentHandler(&self, handler: *mut IComponentHandler) -> tresult {
        guard(kInternalError, || {
            // SAFETY: null or the host's handler, valid over the call; who keeps it counts it.
            self.keep_handler(unsafe { ComRef::from_raw(handler) });
            // SAFETY: the host's call, handed on as it came.
            unsafe { self.inner.setComponentHandler(handler) }
        })
    }
});

forward!(IMidiMappingTrait {
    fn getMidiControllerAssignment(bus_index: int32, channel: int16, midi_controller_number: CtrlNumber, id: *mut ParamID) -> tresult, else kInternalError;
});

forward!(INoteExpressionControllerTrait {
    fn getNoteExpressionCount(bus_index: int32, channel: int16) -> int32, else 0;
    fn getNoteExpressionInfo(bus_index: int32, channel: int16, note_expression_index: int32, info: *mut NoteExpressionTypeInfo) -> tresult, else kInternalError;
    fn getNoteExpressionStringByValue(bus_index: int32, channel: int16, id: NoteExpressionTypeID, value_normalized: NoteExpressionValue, string: *mut String128) -> tresult, else kInternalError;
    fn getNoteExpressionValueByString(bus_index: int32, channel: int16, id: NoteExpressionTypeID, string: *const TChar, value_normalized: *mut NoteExpressionValue) -> tresult, else kInternalError;
});

forward!(IProcessContextRequirementsTrait {
    fn getProcessContextRequirements() -> uint32, else 0;
});

forward!(IUnitInfoTrait {
    fn getUnitCount() -> int32, else 0;
    fn getUnitInfo(unit_index: int32, info: *mut UnitInfo) -> tresult, else kInternalError;
    fn getProgramListCount() -> int32, else 0;
    fn getProgramListInfo(list_index: int32, info: *mut ProgramListInfo) -> tresult, else kInternalError;
    fn getProgramName(list_id: ProgramListID, program_index: int32, name: *mut String128) -> tresult, else kInternalError;
    fn getProgramInfo(list_id: ProgramListID, program_index: int32, attribute_id: CString, attribute_value: *mut String128) -> tresult, else kInternalError;
    fn hasProgramPitchNames(list_id: ProgramListID, program_index: int32) -> tresult, else kInternalError;
    fn getProgramPitchName(list_id: ProgramListID, program_index: int32, midi_pitch: int16, name: *mut String128) -> tresult, else kInternalError;
    fn getSelectedUnit() -> UnitID, else 0;
    fn selectUnit(unit_id: UnitID) -> tresult, else kInternalError;
    fn getUnitByBus(kind: MediaType, dir: BusDirection, bus_index: int32, channel: int32, unit_id: *mut UnitID) -> tresult, else kInternalError;
    fn setUnitProgramData(list_or_unit_id: int32, program_index: int32, data: *mut IBStream) -> tresult, else kInternalError;
});

forward!(IInfoListenerTrait {
    fn setChannelContextInfos(list: *mut IAttributeList) -> tresult, else kInternalError;
});

//! What is offered without the core library: the same classes and buses, audio as it comes, the state kept.

#![allow(non_snake_case, reason = "the interface's own names")]

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use vst3::Steinberg::Vst::*;
use vst3::Steinberg::*;
use vst3::{Class, ComRef, ComWrapper};

/// Class id, name, categories, main inputs, stereo outputs.
type Kind = (&'static [u8; 16], &'static str, &'static str, usize, usize);

const KINDS: [Kind; 2] = [
    (b"CatenaAudioChain", "Catena (core library missing or older)", "Fx|Tools", 1, 1),
    (b"CatenaAudioInstr", "Catena Instrument (core library missing or older)", "Instrument|Tools", 0, 9),
];

/// A factory with one count for the caller.
pub fn factory() -> *mut c_void {
    ComWrapper::new(Factory).to_com_ptr::<IPluginFactory>().map_or(ptr::null_mut(), |factory| factory.into_raw().cast())
}

struct Factory;

impl Class for Factory {
    type Interfaces = (IPluginFactory, IPluginFactory2);
}

/// Copies `text` and the zero that ends it.
fn put(to: &mut [c_char], text: &str) {
    to.fill(0);
    let room = to.len() - 1;
    for (to, from) in to[..room].iter_mut().zip(text.bytes()) {
        *to = from.cast_signed();
    }
}

fn kind(index: int32) -> Option<&'static Kind> {
    usize::try_from(index).ok().and_then(|index| KINDS.get(index))
}

impl IPluginFactoryTrait for Factory {
    unsafe fn getFactoryInfo(&self, info: *mut PFactoryInfo) -> tresult {
        // SAFETY: null or the host's to be written; any bytes are a valid value.
        let Some(info) = (unsafe { info.as_mut() }) else { return kInvalidArgument };
        put(&mut info.vendor, "Catena");
        put(&mut info.url, "");
        put(&mut info.email, "");
        info.flags = 0;
        kResultOk
    }

    unsafe fn countClasses(&self) -> int32 {
        KINDS.len() as int32
    }

    unsafe fn getClassInfo(&self, index: int32, info: *mut PClassInfo) -> tresult {
        // SAFETY: as above.
        let (Some(kind), Some(info)) = (kind(index), unsafe { info.as_mut() }) else { return kInvalidArgument };
        info.cid = kind.0.map(u8::cast_signed);
        info.cardinality = i32::MAX;
        put(&mut info.category, "Audio Module Class");
        put(&mut info.name, kind.1);
        kResultOk
    }

    unsafe fn createInstance(&self, cid: FIDString, iid: FIDString, object: *mut *mut c_void) -> tresult {
        if cid.is_null() || iid.is_null() || object.is_null() {
            return kInvalidArgument;
        }
        // SAFETY: not null; class ids are 16 bytes.
        let cid = unsafe { cid.cast::<[u8; 16]>().read_unaligned() };
        let Some(kind) = KINDS.iter().find(|kind| *kind.0 == cid) else { return kInvalidArgument };
        let dry = ComWrapper::new(Dry { kind, state: Mutex::default() });
        let Some(unknown) = dry.to_com_ptr::<FUnknown>() else { return kInternalError };
        let unknown = unknown.as_ptr();
        // SAFETY: a live object; the host's pointers, not null. The count taken here outlives `dry`.
        unsafe { ((*(*unknown).vtbl).queryInterface)(unknown, iid.cast::<TUID>(), object) }
    }
}

impl IPluginFactory2Trait for Factory {
    unsafe fn getClassInfo2(&self, index: int32, info: *mut PClassInfo2) -> tresult {
        // SAFETY: as above.
        let (Some(kind), Some(info)) = (kind(index), unsafe { info.as_mut() }) else { return kInvalidArgument };
        info.cid = kind.0.map(u8::cast_signed);
        info.cardinality = i32::MAX;
        info.classFlags = 0;
        put(&mut info.category, "Audio Module Class");
        put(&mut info.name, kind.1);
        put(&mut info.subCategories, kind.2);
        put(&mut info.vendor, "Catena");
        put(&mut info.version, env!("CARGO_PKG_VERSION"));
        put(&mut info.sdkVersion, "VST 3.6.14");
        kResultOk
    }
}

/// One dry plugin, component and controller in one as the real one is.
struct Dry {
    kind: &'static Kind,
    /// What the DAW loaded, written back as it came.
    state: Mutex<Vec<u8>>,
}

impl Class for Dry {
    type Interfaces = (IComponent, IAudioProcessor, IEditController);
}

impl Dry {
    /// Buses of one direction: inputs are the main one, where there is one, and the sidechain.
    fn buses(&self, input: bool) -> usize {
        if input { self.kind.3 + 1 } else { self.kind.4 }
    }

    fn is_main(&self, input: bool, index: usize) -> bool {
        index == 0 && (!input || self.kind.3 > 0)
    }
}

fn is_audio(media: MediaType) -> bool {
    media == MediaTypes_::kAudio as MediaType
}

fn is_input(direction: BusDirection) -> bool {
    direction == BusDirections_::kInput as BusDirection
}

impl IPluginBaseTrait for Dry {
    unsafe fn initialize(&self, _context: *mut FUnknown) -> tresult {
        kResultOk
    }

    unsafe fn terminate(&self) -> tresult {
        kResultOk
    }
}

impl IComponentTrait for Dry {
    unsafe fn getControllerClassId(&self, _class: *mut TUID) -> tresult {
        kNotImplemented
    }

    unsafe fn setIoMode(&self, _mode: IoMode) -> tresult {
        kResultOk
    }

    unsafe fn getBusCount(&self, media: MediaType, direction: BusDirection) -> int32 {
        if is_audio(media) { self.buses(is_input(direction)) as int32 } else { 1 }
    }

    unsafe fn getBusInfo(&self, media: MediaType, direction: BusDirection, index: int32, bus: *mut BusInfo) -> tresult {
        let (input, audio) = (is_input(direction), is_audio(media));
        let buses = if audio { self.buses(input) } else { 1 };
        // SAFETY: null or the host's to be written; any bytes are a valid value.
        let (Ok(index), Some(bus)) = (usize::try_from(index), unsafe { bus.as_mut() }) else { return kInvalidArgument };
        if index >= buses {
            return kInvalidArgument;
        }
        let main = !audio || self.is_main(input, index);
        bus.mediaType = media;
        bus.direction = direction;
        bus.channelCount = if audio { 2 } else { 16 };
        bus.busType = if main { BusTypes_::kMain } else { BusTypes_::kAux } as BusType;
        bus.flags = if main { BusInfo_::BusFlags_::kDefaultActive as uint32 } else { 0 };
        bus.name.fill(0);
        let name = match (audio, input, main) {
            (false, true, _) => "MIDI in".into(),
            (false, false, _) => "MIDI out".into(),
            (true, true, true) => "Input".into(),
            (true, false, true) => "Output".into(),
            (true, true, false) => "Sidechain".into(),
            (true, false, false) => format!("Aux {index}"),
        };
        for (to, from) in bus.name.iter_mut().zip(name.encode_utf16()) {
            *to = from as TChar;
        }
        kResultOk
    }

    unsafe fn getRoutingInfo(&self, _input: *mut RoutingInfo, _output: *mut RoutingInfo) -> tresult {
        kNotImplemented
    }

    unsafe fn activateBus(&self, _media: MediaType, _direction: BusDirection, _index: int32, _state: TBool) -> tresult {
        kResultOk
    }

    unsafe fn setActive(&self, _state: TBool) -> tresult {
        kResultOk
    }

    unsafe fn setState(&self, stream: *mut IBStream) -> tresult {
        // SAFETY: null or a stream that lives over the call.
        let Some(stream) = (unsafe { ComRef::from_raw(stream) }) else { return kInvalidArgument };
        let (mut bytes, mut piece) = (Vec::new(), [0_u8; 4096]);
        loop {
            let mut got = 0;
            // SAFETY: writable for the length.
            let result = unsafe { stream.read(piece.as_mut_ptr().cast(), piece.len() as int32, &mut got) };
            if result != kResultOk || got <= 0 {
                break;
            }
            bytes.extend_from_slice(piece.get(..got as usize).unwrap_or_default());
        }
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = bytes;
        kResultOk
    }

    unsafe fn getState(&self, stream: *mut IBStream) -> tresult {
        // SAFETY: null or a stream that lives over the call.
        let Some(stream) = (unsafe { ComRef::from_raw(stream) }) else { return kInvalidArgument };
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left = state.as_slice();
        while !left.is_empty() {
            let (mut written, length) = (0, left.len().min(1 << 20));
            // SAFETY: readable for the length; `write` does not change it (VST3 `ibstream.h`).
            let result = unsafe { stream.write(left.as_ptr().cast_mut().cast(), length as int32, &mut written) };
            if result != kResultOk || written <= 0 {
                return kResultFalse;
            }
            left = left.get(written as usize..).unwrap_or_default();
        }
        kResultOk
    }
}

impl IAudioProcessorTrait for Dry {
    unsafe fn setBusArrangements(
        &self,
        _inputs: *mut SpeakerArrangement,
        _input_count: int32,
        _outputs: *mut SpeakerArrangement,
        _output_count: int32,
    ) -> tresult {
        kResultFalse
    }

    unsafe fn getBusArrangement(
        &self,
        direction: BusDirection,
        index: int32,
        arrangement: *mut SpeakerArrangement,
    ) -> tresult {
        let known = usize::try_from(index).is_ok_and(|index| index < self.buses(is_input(direction)));
        if !known || arrangement.is_null() {
            return kInvalidArgument;
        }
        // SAFETY: not null, the host's to be written.
        unsafe { arrangement.write(SpeakerArr::kStereo) };
        kResultOk
    }

    unsafe fn canProcessSampleSize(&self, size: int32) -> tresult {
        if size == SymbolicSampleSizes_::kSample32 as int32 { kResultOk } else { kResultFalse }
    }

    unsafe fn getLatencySamples(&self) -> uint32 {
        0
    }

    unsafe fn setupProcessing(&self, _setup: *mut ProcessSetup) -> tresult {
        kResultOk
    }

    unsafe fn setProcessing(&self, _state: TBool) -> tresult {
        kResultOk
    }

    unsafe fn process(&self, data: *mut ProcessData) -> tresult {
        // SAFETY: null or the host's block, whose buffers are valid over the call.
        let Some(data) = (unsafe { data.as_ref() }) else { return kInvalidArgument };
        let frames = data.numSamples.max(0) as usize;
        for port in 0..data.numOutputs.max(0) as usize {
            // SAFETY: as above: `numOutputs` buses, each of `numChannels` channels of 32-bit samples.
            unsafe {
                let output = &mut *data.outputs.add(port);
                let main = (port == 0 && self.kind.3 > 0 && data.numInputs > 0).then(|| &*data.inputs);
                let channels = output.__field0.channelBuffers32;
                for channel in 0..output.numChannels.max(0) as usize {
                    if channels.is_null() || (*channels.add(channel)).is_null() {
                        continue;
                    }
                    let from = main
                        .filter(|input| channel < input.numChannels.max(0) as usize)
                        .map(|input| input.__field0.channelBuffers32)
                        .filter(|from| !from.is_null() && !(*from.add(channel)).is_null());
                    match from {
                        // The host may give one buffer for both.
                        Some(from) => ptr::copy(*from.add(channel), *channels.add(channel), frames),
                        None => ptr::write_bytes(*channels.add(channel), 0, frames),
                    }
                }
                output.silenceFlags = 0;
            }
        }
        kResultOk
    }

    unsafe fn getTailSamples(&self) -> uint32 {
        0
    }
}

impl IEditControllerTrait for Dry {
    unsafe fn setComponentState(&self, _stream: *mut IBStream) -> tresult {
        kResultOk
    }

    unsafe fn setState(&self, _stream: *mut IBStream) -> tresult {
        kResultOk
    }

    unsafe fn getState(&self, _stream: *mut IBStream) -> tresult {
        kResultOk
    }

    unsafe fn getParameterCount(&self) -> int32 {
        0
    }

    unsafe fn getParameterInfo(&self, _index: int32, _info: *mut ParameterInfo) -> tresult {
        kInvalidArgument
    }

    unsafe fn getParamStringByValue(&self, _id: ParamID, _value: ParamValue, _text: *mut String128) -> tresult {
        kInvalidArgument
    }

    unsafe fn getParamValueByString(&self, _id: ParamID, _text: *mut TChar, _value: *mut ParamValue) -> tresult {
        kInvalidArgument
    }

    unsafe fn normalizedParamToPlain(&self, _id: ParamID, value: ParamValue) -> ParamValue {
        value
    }

    unsafe fn plainParamToNormalized(&self, _id: ParamID, value: ParamValue) -> ParamValue {
        value
    }

    unsafe fn getParamNormalized(&self, _id: ParamID) -> ParamValue {
        0.0
    }

    unsafe fn setParamNormalized(&self, _id: ParamID, _value: ParamValue) -> tresult {
        kInvalidArgument
    }

    unsafe fn setComponentHandler(&self, _handler: *mut IComponentHandler) -> tresult {
        kResultOk
    }

    unsafe fn createView(&self, _name: FIDString) -> *mut IPlugView {
        ptr::null_mut()
    }
}

//! A VST3 host for Catena itself: opens the real module, calls it as a DAW does, and counts what it asks for.

#![allow(unsafe_code, reason = "a VST3 host calls a COM interface")]
#![allow(non_snake_case, reason = "the interface's own names")]

use std::cell::RefCell;
use std::ffi::c_void;
use std::path::Path;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use vst3::Steinberg::Vst::*;
use vst3::Steinberg::*;
use vst3::{Class, ComPtr, ComWrapper, Interface};

use crate::container_host::symbol;

/// An open VST3 module. Never closed.
pub struct Vst3Module {
    factory: ComPtr<IPluginFactory>,
}

/// What a module says of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedClass {
    /// Its id.
    pub id: [u8; 16],
    /// Its name.
    pub name: String,
}

impl Vst3Module {
    /// Opens `path`, the library inside the bundle.
    pub fn open(path: &Path) -> Self {
        let entry = symbol(path, c"ModuleEntry");
        let factory = symbol(path, c"GetPluginFactory");
        // SAFETY: both symbols have these types by the standard; the library stays open; the factory comes with a count.
        let factory = unsafe {
            let entry: extern "C" fn(*mut c_void) -> bool = std::mem::transmute(entry);
            let factory: extern "C" fn() -> *mut IPluginFactory = std::mem::transmute(factory);
            assert!(entry(ptr::null_mut()), "ModuleEntry");
            ComPtr::from_raw(factory()).expect("a factory")
        };
        Self { factory }
    }

    /// Every class of the module.
    pub fn classes(&self) -> Vec<DescribedClass> {
        // SAFETY: the factory's own functions; a zeroed info is valid and the factory writes it.
        unsafe {
            (0..self.factory.countClasses())
                .map(|index| {
                    let mut info: PClassInfo = std::mem::zeroed();
                    assert_eq!(self.factory.getClassInfo(index, &mut info), kResultOk);
                    let name = info.name.iter().take_while(|byte| **byte != 0).map(|byte| byte.cast_unsigned());
                    let name = String::from_utf8_lossy(&name.collect::<Vec<_>>()).into_owned();
                    DescribedClass { id: info.cid.map(i8::cast_unsigned), name }
                })
                .collect()
        }
    }

    /// Makes and initialises an instance of class `id`.
    pub fn make(&self, id: &[u8; 16]) -> Vst3Host {
        let mut object = ptr::null_mut();
        // SAFETY: ids are 16 bytes; the object comes with a count.
        let component = unsafe {
            let result = self.factory.createInstance(id.as_ptr().cast(), IComponent::IID.as_ptr().cast(), &mut object);
            assert_eq!(result, kResultOk, "createInstance");
            ComPtr::<IComponent>::from_raw(object.cast()).expect("a component")
        };
        // SAFETY: a fresh component; a null context is legal.
        assert_eq!(unsafe { component.initialize(ptr::null_mut()) }, kResultOk, "initialize");
        let controller = component.cast::<IEditController>().expect("a controller in the component");
        let asked = Arc::new(Asked::default());
        let handler = ComWrapper::new(Handler(Arc::clone(&asked))).to_com_ptr::<IComponentHandler>();
        let handler = handler.expect("a handler");
        // SAFETY: the handler lives as long as the host.
        unsafe { controller.setComponentHandler(handler.as_ptr()) };
        let processor = component.cast::<IAudioProcessor>().expect("a processor");
        Vst3Host {
            component,
            processor,
            controller,
            asked,
            _handler: handler,
            song: None,
            offline: false,
            takes_changes: true,
            changed: RefCell::default(),
        }
    }
}

/// What the plugin asked of the host.
#[derive(Default)]
pub struct Asked {
    /// Notices of another latency.
    pub latency: AtomicU32,
    /// Values it changed by itself.
    pub edits: AtomicU32,
}

struct Handler(Arc<Asked>);

impl Class for Handler {
    type Interfaces = (IComponentHandler,);
}

impl IComponentHandlerTrait for Handler {
    unsafe fn beginEdit(&self, _id: ParamID) -> tresult {
        kResultOk
    }

    unsafe fn performEdit(&self, _id: ParamID, _value: ParamValue) -> tresult {
        self.0.edits.fetch_add(1, Ordering::SeqCst);
        kResultOk
    }

    unsafe fn endEdit(&self, _id: ParamID) -> tresult {
        kResultOk
    }

    unsafe fn restartComponent(&self, flags: int32) -> tresult {
        if flags & RestartFlags_::kLatencyChanged as int32 != 0 {
            self.0.latency.fetch_add(1, Ordering::SeqCst);
        }
        kResultOk
    }
}

/// The list in which a block's changed parameters come out.
#[derive(Default)]
struct Changes(RefCell<Vec<ComWrapper<Queue>>>);

/// The changes of one parameter.
struct Queue(ParamID, RefCell<Vec<(i32, f64)>>);

impl Class for Changes {
    type Interfaces = (IParameterChanges,);
}

impl Class for Queue {
    type Interfaces = (IParamValueQueue,);
}

impl IParameterChangesTrait for Changes {
    unsafe fn getParameterCount(&self) -> int32 {
        self.0.borrow().len() as int32
    }

    unsafe fn getParameterData(&self, index: int32) -> *mut IParamValueQueue {
        let queues = self.0.borrow();
        let queue = queues.get(index as usize).and_then(|queue| queue.as_com_ref::<IParamValueQueue>());
        queue.map_or(ptr::null_mut(), |queue| queue.as_ptr())
    }

    unsafe fn addParameterData(&self, id: *const ParamID, index: *mut int32) -> *mut IParamValueQueue {
        // SAFETY: the plugin's numbers.
        unsafe {
            index.write(self.getParameterCount());
            self.0.borrow_mut().push(ComWrapper::new(Queue(*id, RefCell::default())));
            self.getParameterData(*index)
        }
    }
}

impl IParamValueQueueTrait for Queue {
    unsafe fn getParameterId(&self) -> ParamID {
        self.0
    }

    unsafe fn getPointCount(&self) -> int32 {
        self.1.borrow().len() as int32
    }

    unsafe fn getPoint(&self, index: int32, frame: *mut int32, value: *mut ParamValue) -> tresult {
        let points = self.1.borrow();
        let Some((at, said)) = points.get(index as usize) else { return kInvalidArgument };
        // SAFETY: the caller's numbers.
        unsafe { (frame.write(*at), value.write(*said)) };
        kResultOk
    }

    unsafe fn addPoint(&self, frame: int32, value: ParamValue, index: *mut int32) -> tresult {
        // SAFETY: the plugin's number.
        unsafe { index.write(self.getPointCount()) };
        self.1.borrow_mut().push((frame, value));
        kResultOk
    }
}

/// A song of which nothing is known.
pub fn blank_song() -> ProcessContext {
    // SAFETY: numbers only, for which zero is valid.
    unsafe { std::mem::zeroed() }
}

/// A stream in memory.
#[derive(Default)]
struct Memory {
    bytes: RefCell<Vec<u8>>,
    at: RefCell<usize>,
}

impl Class for Memory {
    type Interfaces = (IBStream,);
}

impl IBStreamTrait for Memory {
    unsafe fn read(&self, buffer: *mut c_void, size: int32, read: *mut int32) -> tresult {
        let (bytes, mut at) = (self.bytes.borrow(), self.at.borrow_mut());
        let part = &bytes[*at..bytes.len().min(*at + size as usize)];
        // SAFETY: the caller's buffer of `size` bytes.
        unsafe { ptr::copy_nonoverlapping(part.as_ptr(), buffer.cast(), part.len()) };
        *at += part.len();
        if !read.is_null() {
            // SAFETY: not null, the caller's.
            unsafe { read.write(part.len() as int32) };
        }
        kResultOk
    }

    unsafe fn write(&self, buffer: *mut c_void, size: int32, written: *mut int32) -> tresult {
        // SAFETY: the caller's `size` bytes.
        let part = unsafe { std::slice::from_raw_parts(buffer.cast::<u8>(), size as usize) };
        self.bytes.borrow_mut().extend_from_slice(part);
        if !written.is_null() {
            // SAFETY: not null, the caller's.
            unsafe { written.write(size) };
        }
        kResultOk
    }

    unsafe fn seek(&self, position: int64, mode: int32, result: *mut int64) -> tresult {
        let length = self.bytes.borrow().len();
        let mut at = self.at.borrow_mut();
        let from = match mode {
            0 => 0,
            1 => *at as int64,
            _ => length as int64,
        };
        *at = (from + position).clamp(0, length as int64) as usize;
        if !result.is_null() {
            // SAFETY: not null, the caller's.
            unsafe { result.write(*at as int64) };
        }
        kResultOk
    }

    unsafe fn tell(&self, position: *mut int64) -> tresult {
        // SAFETY: the caller's.
        unsafe { position.write(*self.at.borrow() as int64) };
        kResultOk
    }
}

/// One plugin in a host.
pub struct Vst3Host {
    component: ComPtr<IComponent>,
    processor: ComPtr<IAudioProcessor>,
    controller: ComPtr<IEditController>,
    /// What it asked for.
    pub asked: Arc<Asked>,
    _handler: ComPtr<IComponentHandler>,
    /// What the next blocks are told of the song.
    pub song: Option<ProcessContext>,
    /// Whether it renders faster than it plays.
    pub offline: bool,
    /// Whether blocks come with room for changed parameters.
    pub takes_changes: bool,
    /// Parameters that blocks changed, with their values.
    pub changed: RefCell<Vec<(u32, f64)>>,
}

impl Vst3Host {
    /// The number of the parameter whose title is `name`.
    pub fn parameter(&self, name: &str) -> Option<u32> {
        // SAFETY: a live plugin; a zeroed info is valid, and the plugin writes it.
        unsafe {
            (0..self.controller.getParameterCount()).find_map(|index| {
                let mut info: ParameterInfo = std::mem::zeroed();
                let there = self.controller.getParameterInfo(index, &mut info) == kResultOk;
                let title: Vec<u16> = info.title.iter().copied().take_while(|unit| *unit != 0).collect();
                (there && String::from_utf16_lossy(&title) == name).then_some(info.id)
            })
        }
    }

    /// The normalised value of parameter `id`.
    pub fn value(&self, id: u32) -> f64 {
        // SAFETY: a live plugin.
        unsafe { self.controller.getParamNormalized(id) }
    }

    fn mode(&self) -> int32 {
        let mode = if self.offline { ProcessModes_::kOffline } else { ProcessModes_::kRealtime };
        mode as int32
    }

    /// Gives it a state. False: refused.
    pub fn set_state(&self, bytes: &[u8]) -> bool {
        let memory = ComWrapper::new(Memory { bytes: RefCell::new(bytes.to_vec()), at: RefCell::default() });
        let stream = memory.to_com_ptr::<IBStream>().expect("a stream");
        // SAFETY: a live component and stream.
        unsafe { self.component.setState(stream.as_ptr()) == kResultOk }
    }

    /// Its state.
    pub fn state(&self) -> Vec<u8> {
        let memory = ComWrapper::new(Memory::default());
        let stream = memory.to_com_ptr::<IBStream>().expect("a stream");
        // SAFETY: a live component and stream.
        assert_eq!(unsafe { self.component.getState(stream.as_ptr()) }, kResultOk, "getState");
        memory.bytes.take()
    }

    /// Activates every bus, then the plugin, and starts it.
    pub fn activate(&self, rate: f64, max_block: usize) {
        let mut setup = ProcessSetup {
            processMode: self.mode(),
            symbolicSampleSize: SymbolicSampleSizes_::kSample32 as int32,
            maxSamplesPerBlock: max_block as int32,
            sampleRate: rate,
        };
        // SAFETY: a live, initialised plugin, in VST3's order of calls.
        unsafe {
            assert_eq!(self.processor.setupProcessing(&mut setup), kResultOk, "setupProcessing");
            for direction in [BusDirections_::kInput, BusDirections_::kOutput] {
                let (audio, direction) = (MediaTypes_::kAudio as MediaType, direction as BusDirection);
                for index in 0..self.component.getBusCount(audio, direction) {
                    self.component.activateBus(audio, direction, index, 1);
                }
            }
            assert_eq!(self.component.setActive(1), kResultOk, "setActive");
            self.processor.setProcessing(1);
        }
    }

    /// Stops and deactivates.
    pub fn deactivate(&self) {
        // SAFETY: a live plugin.
        unsafe {
            self.processor.setProcessing(0);
            self.component.setActive(0);
        }
    }

    /// Latency, frames.
    pub fn latency(&self) -> u32 {
        // SAFETY: a live plugin.
        unsafe { self.processor.getLatencySamples() }
    }

    /// Number of parameters.
    pub fn parameters(&self) -> i32 {
        // SAFETY: a live plugin.
        unsafe { self.controller.getParameterCount() }
    }

    /// Runs one block of stereo; the sidechain is silent. Answers the main output.
    pub fn process(&self, main: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let (frames, mut context) = (main[0].len(), self.song);
        let (mut input, mut silent) = (main.to_vec(), vec![vec![0.0_f32; frames]; 2]);
        let mut output = vec![vec![0.0_f32; frames]; 2];
        let pointers = |port: &mut Vec<Vec<f32>>| -> Vec<*mut f32> {
            port.iter_mut().map(|channel| channel.as_mut_ptr()).collect()
        };
        let (mut input, mut silent) = (pointers(&mut input), pointers(&mut silent));
        let mut out = pointers(&mut output);
        let bus = |channels: &mut Vec<*mut f32>| AudioBusBuffers {
            numChannels: channels.len() as int32,
            silenceFlags: 0,
            __field0: AudioBusBuffers__type0 { channelBuffers32: channels.as_mut_ptr() },
        };
        let mut inputs = [bus(&mut input), bus(&mut silent)];
        let mut outputs = [bus(&mut out)];
        let changes = ComWrapper::new(Changes::default());
        let list = changes.as_com_ref::<IParameterChanges>().expect("a list");
        let mut data = ProcessData {
            processMode: self.mode(),
            symbolicSampleSize: SymbolicSampleSizes_::kSample32 as int32,
            numSamples: frames as int32,
            numInputs: 2,
            numOutputs: 1,
            inputs: inputs.as_mut_ptr(),
            outputs: outputs.as_mut_ptr(),
            inputParameterChanges: ptr::null_mut(),
            outputParameterChanges: if self.takes_changes { list.as_ptr() } else { ptr::null_mut() },
            inputEvents: ptr::null_mut(),
            outputEvents: ptr::null_mut(),
            processContext: context.as_mut().map_or(ptr::null_mut(), ptr::from_mut),
        };
        // SAFETY: a live, processing plugin; everything in `data` lives over the call.
        assert_eq!(unsafe { self.processor.process(&mut data) }, kResultOk, "process");
        for queue in changes.0.take() {
            self.changed.borrow_mut().extend(queue.1.take().into_iter().map(|(_, value)| (queue.0, value)));
        }
        output
    }
}

impl Drop for Vst3Host {
    fn drop(&mut self) {
        self.deactivate();
        // SAFETY: a live plugin, not used any more.
        unsafe {
            self.controller.setComponentHandler(ptr::null_mut());
            self.component.terminate();
        }
    }
}

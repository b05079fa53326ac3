//! A VST3 host for Catena itself: opens the real module, calls it as a DAW does, and counts what it asks for.

#![allow(unsafe_code, reason = "a VST3 host calls a COM interface")]
#![allow(non_snake_case, reason = "the interface's own names")]

mod objects;

use std::cell::RefCell;
use std::ffi::c_void;
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use vst3::Steinberg::Vst::*;
use vst3::Steinberg::*;
use vst3::{ComPtr, ComWrapper, Interface};

use self::objects::{Changes, Handler, Memory};
use crate::container_host::symbol;

pub use self::objects::Asked;

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
        let handler =
            ComWrapper::new(Handler(Arc::clone(&asked), std::thread::current().id())).to_com_ptr::<IComponentHandler>();
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
            moves: RefCell::default(),
        }
    }
}

/// Text up to its zero.
fn words(text: &[TChar]) -> String {
    let units: Vec<u16> = text.iter().copied().take_while(|unit| *unit != 0).collect();
    String::from_utf16_lossy(&units)
}

/// A song of which nothing is known.
pub fn blank_song() -> ProcessContext {
    // SAFETY: numbers only, for which zero is valid.
    unsafe { std::mem::zeroed() }
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
    /// What the next block moves: parameter, frame and value, by rising frame.
    pub moves: RefCell<Vec<(u32, i32, f64)>>,
}

impl Vst3Host {
    /// The number of the parameter whose title is `name`.
    pub fn parameter(&self, name: &str) -> Option<u32> {
        // SAFETY: a live plugin; a zeroed info is valid, and the plugin writes it.
        unsafe {
            (0..self.controller.getParameterCount()).find_map(|index| {
                let mut info: ParameterInfo = std::mem::zeroed();
                let there = self.controller.getParameterInfo(index, &mut info) == kResultOk;
                (there && words(&info.title) == name).then_some(info.id)
            })
        }
    }

    /// The parameter that the host moves where controller `number` of `channel` (first is 0) comes.
    pub fn controller(&self, channel: i16, number: i16) -> Option<u32> {
        let mapping = self.controller.cast::<IMidiMapping>()?;
        let mut id = 0;
        // SAFETY: a live plugin, and a number of ours.
        let result = unsafe { mapping.getMidiControllerAssignment(0, channel, number, &mut id) };
        (result == kResultOk).then_some(id)
    }

    /// Title and unit of parameter `id`.
    pub fn described(&self, id: u32) -> Option<(String, String)> {
        // SAFETY: a live plugin; a zeroed info is valid, and the plugin writes it.
        unsafe {
            (0..self.controller.getParameterCount()).find_map(|index| {
                let mut info: ParameterInfo = std::mem::zeroed();
                let there = self.controller.getParameterInfo(index, &mut info) == kResultOk && info.id == id;
                there.then(|| (words(&info.title), words(&info.units)))
            })
        }
    }

    /// How the plugin writes `value`.
    pub fn text_of(&self, id: u32, value: f64) -> String {
        let mut text: String128 = [0; 128];
        // SAFETY: a live plugin, and room of ours.
        assert_eq!(unsafe { self.controller.getParamStringByValue(id, value, &mut text) }, kResultOk);
        words(&text)
    }

    /// What the plugin reads in `text`.
    pub fn value_in(&self, id: u32, text: &str) -> Option<f64> {
        let mut units: Vec<TChar> = text.encode_utf16().chain([0]).collect();
        let mut value = f64::NAN;
        // SAFETY: a live plugin; a text that ends with a zero, and a number of ours.
        let result = unsafe { self.controller.getParamValueByString(id, units.as_mut_ptr(), &mut value) };
        (result == kResultOk).then_some(value)
    }

    /// The normalised value of parameter `id`.
    pub fn value(&self, id: u32) -> f64 {
        // SAFETY: a live plugin.
        unsafe { self.controller.getParamNormalized(id) }
    }

    /// Opens the editor inside the X11 window `parent`. `None`: the plugin said no. To be closed by [`Vst3Host::close_view`].
    pub fn open_view(&self, parent: u32) -> Option<ComPtr<IPlugView>> {
        // SAFETY: a live plugin; the view comes with a count; the window lives longer than it.
        unsafe {
            let view = ComPtr::from_raw(self.controller.createView(c"editor".as_ptr()))?;
            let opened = view.attached(parent as usize as *mut c_void, c"X11EmbedWindowID".as_ptr()) == kResultOk;
            opened.then_some(view)
        }
    }

    /// Closes it.
    pub fn close_view(&self, view: ComPtr<IPlugView>) {
        // SAFETY: a live view.
        assert_eq!(unsafe { view.removed() }, kResultOk);
    }

    fn mode(&self) -> int32 {
        let mode = if self.offline { ProcessModes_::kOffline } else { ProcessModes_::kRealtime };
        mode as int32
    }

    /// Gives it a state. False: refused.
    pub fn set_state(&self, bytes: &[u8]) -> bool {
        let memory = ComWrapper::new(Memory::of(bytes));
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

    /// The plugin itself, for who calls it without the cost of this host.
    pub fn raw(&self) -> ComPtr<IAudioProcessor> {
        self.processor.clone()
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
        let moves = ComWrapper::new(Changes::of(&self.moves.take()));
        let given = moves.as_com_ref::<IParameterChanges>().expect("a list");
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
            inputParameterChanges: given.as_ptr(),
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

//! A plugin as a VST3 host calls it, through its tables of functions, with a chain that panics inside.

use std::sync::atomic::{AtomicU32, Ordering};

use host_core::engine::{ContainerBlock, Processor};
use nice_plug::prelude::{AudioIOLayout, ClapFeature, Vst3SubCategory};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::*;
use nice_plug::wrapper::vst3::vst3::Steinberg::{IPluginBaseTrait, kResultOk, tresult};
use nice_plug::wrapper::vst3::vst3::{ComPtr, ComWrapper};

use super::front::Front;
use crate::container::{Flavour, Format, Vst3Effect};

/// Catena, but its engine panics at the second block.
struct Panics;

static BLOCKS: AtomicU32 = AtomicU32::new(0);

impl Flavour for Panics {
    const NAME: &'static str = Vst3Effect::NAME;
    const CLAP_ID: &'static str = Vst3Effect::CLAP_ID;
    const VST3_ID: [u8; 16] = Vst3Effect::VST3_ID;
    const LV2_URI: &'static str = Vst3Effect::LV2_URI;
    const LAYOUTS: &'static [AudioIOLayout] = Vst3Effect::LAYOUTS;
    const FORMAT: Format = Format::Vst3;
    const FEATURES: &'static [ClapFeature] = Vst3Effect::FEATURES;
    const CATEGORIES: &'static [Vst3SubCategory] = Vst3Effect::CATEGORIES;

    fn run(_processor: &mut Processor, block: &mut ContainerBlock<'_, '_>) {
        block.main[0].fill(9.0);
        if BLOCKS.fetch_add(1, Ordering::Relaxed) == 1 {
            panic!("injected by a test");
        }
    }
}

/// Runs one block with `signal` on both channels, sidechain silent; answers the result and what came out.
fn run(processor: &ComPtr<IAudioProcessor>, signal: [f32; 8]) -> (tresult, [[f32; 8]; 2]) {
    let (mut input, mut silence, mut output) = ([signal, signal], [[0.0; 8]; 2], [[0.0; 8]; 2]);
    let pointers = |port: &mut [[f32; 8]; 2]| port.each_mut().map(|channel| channel.as_mut_ptr());
    let (mut input, mut silence, mut out) = (pointers(&mut input), pointers(&mut silence), pointers(&mut output));
    let bus = |channels: &mut [*mut f32; 2]| AudioBusBuffers {
        numChannels: 2,
        silenceFlags: 0,
        __field0: AudioBusBuffers__type0 { channelBuffers32: channels.as_mut_ptr() },
    };
    let mut inputs = [bus(&mut input), bus(&mut silence)];
    let mut outputs = [bus(&mut out)];
    // SAFETY: pointers and numbers, for which zero is valid; a live, processing plugin; buffers that live over the call.
    let result = unsafe {
        let mut data: ProcessData = std::mem::zeroed();
        data.numSamples = 8;
        (data.numInputs, data.numOutputs) = (2, 1);
        (data.inputs, data.outputs) = (inputs.as_mut_ptr(), outputs.as_mut_ptr());
        processor.process(&mut data)
    };
    (result, output)
}

#[test]
fn a_panic_in_the_chain_is_heard_as_the_dry_signal() {
    let front = Front::<Panics>::new().expect("a plugin");
    let component = ComWrapper::new(front).to_com_ptr::<IComponent>().expect("a component");
    let processor = component.cast::<IAudioProcessor>().expect("a processor");
    let mut setup = ProcessSetup { processMode: 0, symbolicSampleSize: 0, maxSamplesPerBlock: 8, sampleRate: 48_000.0 };
    // SAFETY: a live plugin, in VST3's order of calls; a null context is legal.
    unsafe {
        assert_eq!(component.initialize(std::ptr::null_mut()), kResultOk);
        assert_eq!(processor.setupProcessing(&mut setup), kResultOk);
        assert_eq!(component.setActive(1), kResultOk);
        processor.setProcessing(1);
    }
    let ramp = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
    let (result, heard) = run(&processor, ramp);
    assert_eq!((result, heard[0]), (kResultOk, [9.0; 8]), "the first block is the chain's");
    for block in 1..4 {
        assert_eq!(run(&processor, ramp), (kResultOk, [ramp, ramp]), "block {block} is dry");
    }
    assert_eq!(BLOCKS.load(Ordering::Relaxed), 2, "a chain that panicked is not run again");
    // SAFETY: as above.
    unsafe {
        processor.setProcessing(0);
        component.setActive(0);
        component.terminate();
    }
}

//! The functions a host calls, called as a host does, with a chain that panics inside.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::host::clap_host;
use clap_sys::process::{CLAP_PROCESS_CONTINUE, clap_process};
use clap_sys::version::CLAP_VERSION;
use host_core::engine::{ContainerBlock, Processor};
use nice_plug::prelude::{AudioIOLayout, ClapFeature, Vst3SubCategory};

use super::instance;
use crate::container::{ClapEffect, Flavour, Format};

/// Catena, but its engine panics at the second block.
struct Panics;

static BLOCKS: AtomicU32 = AtomicU32::new(0);

impl Flavour for Panics {
    const NAME: &'static str = ClapEffect::NAME;
    const CLAP_ID: &'static str = ClapEffect::CLAP_ID;
    const VST3_ID: [u8; 16] = ClapEffect::VST3_ID;
    const LV2_URI: &'static str = ClapEffect::LV2_URI;
    const LAYOUTS: &'static [AudioIOLayout] = ClapEffect::LAYOUTS;
    const FORMAT: Format = Format::Clap;
    const FEATURES: &'static [ClapFeature] = ClapEffect::FEATURES;
    const CATEGORIES: &'static [Vst3SubCategory] = ClapEffect::CATEGORIES;

    fn run(_processor: &mut Processor, block: &mut ContainerBlock<'_, '_>) {
        block.main[0].fill(9.0);
        if BLOCKS.fetch_add(1, Ordering::Relaxed) == 1 {
            panic!("injected by a test");
        }
    }
}

unsafe extern "C" fn no_extension(_host: *const clap_host, _id: *const c_char) -> *const c_void {
    ptr::null()
}

unsafe extern "C" fn ignore(_host: *const clap_host) {}

fn host() -> clap_host {
    clap_host {
        clap_version: CLAP_VERSION,
        host_data: ptr::null_mut(),
        name: c"Test".as_ptr(),
        vendor: c"".as_ptr(),
        url: c"".as_ptr(),
        version: c"1".as_ptr(),
        get_extension: Some(no_extension),
        request_restart: Some(ignore),
        request_process: Some(ignore),
        request_callback: Some(ignore),
    }
}

/// Runs one block of `left` and `right` through the plugin, sidechain silent; answers the status and what came out.
fn run(plugin: *const clap_sys::plugin::clap_plugin, signal: [f32; 8]) -> (i32, [[f32; 8]; 2]) {
    let (mut input, mut silence, mut output) = ([signal, signal], [[0.0; 8]; 2], [[0.0; 8]; 2]);
    let pointers = |port: &mut [[f32; 8]; 2]| port.each_mut().map(|channel| channel.as_mut_ptr());
    let (mut input, mut silence, mut out) = (pointers(&mut input), pointers(&mut silence), pointers(&mut output));
    let buffer = |channels: &mut [*mut f32; 2]| clap_audio_buffer {
        data32: channels.as_mut_ptr(),
        data64: ptr::null_mut(),
        channel_count: 2,
        latency: 0,
        constant_mask: 0,
    };
    let inputs = [buffer(&mut input), buffer(&mut silence)];
    let mut outputs = [buffer(&mut out)];
    let block = clap_process {
        steady_time: -1,
        frames_count: 8,
        transport: ptr::null(),
        audio_inputs: inputs.as_ptr(),
        audio_outputs: outputs.as_mut_ptr(),
        audio_inputs_count: 2,
        audio_outputs_count: 1,
        in_events: ptr::null(),
        out_events: ptr::null(),
    };
    // SAFETY: a live plugin of ours, and buffers that live over the call.
    let status = unsafe { ((*plugin).process.unwrap())(plugin, &block) };
    (status, output)
}

#[test]
fn a_panic_in_the_chain_is_heard_as_the_dry_signal() {
    let host = host();
    // SAFETY: `host` outlives the plugin; the calls follow CLAP's order.
    unsafe {
        let plugin = instance::create::<Panics>(&host, None);
        assert_eq!(CStr::from_ptr((*(*plugin).desc).id), c"catena-audio.catena");
        assert!(((*plugin).init.unwrap())(plugin));
        assert!(((*plugin).activate.unwrap())(plugin, 48000.0, 1, 8));
        assert!(((*plugin).start_processing.unwrap())(plugin));
        let ramp = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
        let (status, heard) = run(plugin, ramp);
        assert_eq!((status, heard[0]), (CLAP_PROCESS_CONTINUE, [9.0; 8]), "the first block is the chain's");
        for block in 1..4 {
            let (status, heard) = run(plugin, ramp);
            assert_eq!((status, heard), (CLAP_PROCESS_CONTINUE, [ramp, ramp]), "block {block} is dry");
        }
        ((*plugin).stop_processing.unwrap())(plugin);
        ((*plugin).deactivate.unwrap())(plugin);
        ((*plugin).destroy.unwrap())(plugin);
    }
    assert_eq!(BLOCKS.load(Ordering::Relaxed), 2, "a chain that panicked is not run again");
}

//! Starting an instance: the audio half is made here, with all its room.
#![expect(unsafe_code, reason = "finds the functions that the audio half calls, and flushes on the main thread")]

use clack_host::prelude::*;
use clap_sys::ext::params::{CLAP_EXT_PARAMS, clap_plugin_params};

use super::audio::{ClapAudio, Wires};
use super::events::{Input, Output};
use super::main::ClapMain;
use super::requests::Ask;
use crate::backend::audio::{ParamEvent, ParamQueue, PortBuffers};
use crate::backend::log::Level;
use crate::backend::{ActivateError, Activation};

/// Events that one block takes beside one for each of its frames.
const EVENTS: usize = 4096;
/// Values that a plugin may move in one flush.
const FLUSHED: usize = 1024;

/// Starts `main` and makes its audio half. Values that the plugin overrides in its own activate are put back. `[home & !active]`
pub fn activate(main: &mut ClapMain, how: Activation) -> Result<Box<ClapAudio>, ActivateError> {
    main.set_render(how.offline);
    main.read_changed_ports();
    if main.common.take(Ask::Params) {
        main.read_params();
        main.common.ask(Ask::Infos);
    }
    main.activate_ports();
    let before = main.all_values();
    // What was asked for before this is granted by it; what the plugin asks for inside it counts.
    main.common.take(Ask::Restart);
    let values_asked = main.common.take(Ask::Values);
    let processor = start(main, how)?;
    let overrides = !main.common.asked(Ask::Values);
    if values_asked {
        main.common.ask(Ask::Values);
    }
    main.common.take(Ask::Latency);
    main.read_latency();
    let mut audio = make_audio(main, how, processor)?;
    if overrides {
        put_back(main, &mut audio, &before);
    }
    Ok(audio)
}

fn failed(main: &ClapMain, how: Activation, reason: &str) -> ActivateError {
    let Activation { rate, min_block, max_block, .. } = how;
    ActivateError { id: main.id.clone(), rate, min_block, max_block, reason: reason.into() }
}

fn start(main: &mut ClapMain, how: Activation) -> Result<PluginAudioProcessor<super::host::Handlers>, ActivateError> {
    let max_frames_count = how.max_block.max(1);
    let configuration = PluginAudioConfiguration {
        sample_rate: how.rate,
        min_frames_count: how.min_block.clamp(1, max_frames_count),
        max_frames_count,
    };
    match main.instance.activate(|_, _| (), configuration) {
        Ok(processor) => Ok(processor.into()),
        Err(PluginInstanceError::ActivationFailed) => Err(failed(main, how, "its activate failed")),
        Err(error) => Err(failed(main, how, &error.to_string())),
    }
}

fn make_audio(
    main: &mut ClapMain,
    how: Activation,
    processor: PluginAudioProcessor<super::host::Handlers>,
) -> Result<Box<ClapAudio>, ActivateError> {
    let plugin = main.instance.plugin_handle();
    let Some(process) = plugin.as_raw().process else {
        main.instance.deactivate(processor.into_stopped());
        return Err(failed(main, how, "it has no process function"));
    };
    let params = params_functions(&plugin);
    let layout = &main.layout;
    Ok(Box::new(ClapAudio {
        plugin: plugin.as_raw_ptr(),
        processor,
        process,
        params,
        number: main.common.number(),
        common: main.common.clone(),
        started: false,
        rate: how.rate,
        max_block: how.max_block.max(1),
        buffers: PortBuffers::new(&layout.ports, how.max_block.max(1)),
        inputs: Wires::new(&layout.inputs),
        outputs: Wires::new(&layout.outputs),
        links: main.links.clone().into(),
        dialects: layout.notes.clone().into(),
        input: Box::new(Input::new(EVENTS + how.max_block as usize)),
        output: Box::new(Output::new(&main.links)),
        first: Vec::new(),
        flushed: ParamQueue::new(FLUSHED),
    }))
}

fn params_functions(plugin: &PluginMainThreadHandle<'_>) -> *const clap_plugin_params {
    let Some(get) = plugin.as_raw().get_extension else { return std::ptr::null() };
    // SAFETY: the handle proves that the instance lives and that this is its main thread; the identifier is a C string.
    unsafe { get(plugin.as_raw_ptr(), CLAP_EXT_PARAMS.as_ptr()) }.cast()
}

/// Puts back the values that the plugin's own activate moved without saying so. What a flush cannot set goes into the
/// first block.
fn put_back(main: &mut ClapMain, audio: &mut ClapAudio, before: &[Option<f64>]) {
    let wanted = lost(main, before);
    if wanted.is_empty() {
        return;
    }
    main.common.log(Level::Info, "moved its own parameters when it was started; they were put back");
    audio.flush(&wanted);
    audio.take_flushed();
    audio.first = lost(main, before)
        .into_iter()
        .map(|(index, value)| ParamEvent { frame: 0, index: index as u32, value })
        .collect();
}

/// Values that are no longer what they were.
fn lost(main: &mut ClapMain, before: &[Option<f64>]) -> Vec<(usize, f64)> {
    let settable = |main: &ClapMain, index: usize| main.params.get(index).is_some_and(|param| !param.read_only);
    let mut lost = Vec::new();
    for (index, value) in before.iter().enumerate() {
        if let Some(value) = *value
            && settable(main, index)
            && main.plugin_value(index).is_some_and(|now| now != value)
        {
            lost.push((index, value));
        }
    }
    lost
}

/// Flushes `values` on the main thread, or lets the plugin send its own. What it moved by itself. `[home & !active]`
pub fn flush_inactive(main: &mut ClapMain, values: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let plugin = main.instance.plugin_handle();
    let functions = params_functions(&plugin);
    if functions.is_null() {
        return Vec::new();
    }
    // SAFETY: not null, so the structure of that name, valid while the instance lives.
    let Some(flush) = (unsafe { (*functions).flush }) else { return Vec::new() };
    let mut input = Input::new(values.len());
    for &(index, value) in values {
        if let Some(link) = main.links.get(index) {
            input.push_param(0, *link, value);
        }
    }
    let (mut output, mut moved) = (Output::new(&main.links), ParamQueue::new(FLUSHED));
    output.begin(1, None, &mut moved);
    let (events_in, events_out) = (input.raw(), output.raw());
    // SAFETY: the instance lives, is not active, and this is its main thread; both lists outlive the call.
    unsafe { flush(plugin.as_raw_ptr(), &raw const events_in, &raw const events_out) };
    main.common.wrongs(output.end().0);
    moved.as_slice().iter().map(|event| (event.index as usize, event.value)).collect()
}

//! What a block costs in the CLAP, LV2 and VST3 shells round an empty chain, over the engine called directly.
//!
//! All four run in one process in turn, block by block; the figure is the median of the paired differences with its 95 %
//! interval. Each case runs in five processes and the worst is reported. Beside it, how long a lilv world takes to read the
//! Turtle of all four LV2 plugins, how long an LV2 plugin is still there that is taken out with its window, and how late its host is
//! told of an edit inside. Run by `cargo xtask bench formats`.
#![allow(unsafe_code, reason = "a host calls C interfaces, here without a wrapper that would cost time")]

use std::ffi::OsStr;
use std::process::Command;
use std::ptr;
use std::time::{Duration, Instant};

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::{chain, chain_with_macros};
use catena_tests::desk::screen;
use catena_tests::fixtures;
use catena_tests::host_window::HostWindow;
use catena_tests::lv2_host::{Lv2File, Lv2Host, Lv2Window, Offer, Played, Stored, threads};
use catena_tests::rig::{Noise, Rig};
use catena_tests::vst3_host::{Vst3Host, Vst3Module};
use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::process::clap_process;
use host_core::engine::{ContainerBlock, EngineConfig};
use host_core::model::Law;
use serde_json::{Value, json};
use vst3::Steinberg::Vst::{AudioBusBuffers, AudioBusBuffers__type0, IAudioProcessorTrait, ProcessData};

const PAIRS: usize = 20_000;
const PROCESSES: usize = 5;
const LONGEST: u32 = 1024;
const RATE: f64 = 48_000.0;

/// Stereo and a silent stereo sidechain, and the output.
struct Sound {
    input: Vec<Vec<f32>>,
    side: Vec<Vec<f32>>,
    output: Vec<Vec<f32>>,
}

impl Sound {
    fn new(frames: usize) -> Self {
        let silent = || vec![vec![0.0; frames]; 2];
        Self { input: Noise::new(1).signal(2, frames), side: silent(), output: silent() }
    }
}

fn pointers(port: &mut [Vec<f32>]) -> Vec<*mut f32> {
    port.iter_mut().map(|channel| channel.as_mut_ptr()).collect()
}

/// The engine with an empty chain, called as the shells call it: in place, from a copy of the input.
fn engine(frames: usize) -> impl FnMut() {
    let mut rig = Rig::with(EngineConfig { channels: 2, sidechain: 2, aux: 0 });
    rig.max_block = LONGEST;
    rig.send(&[]);
    let mut sound = Sound::new(frames);
    move || {
        for (to, from) in sound.output.iter_mut().zip(&sound.input) {
            to.copy_from_slice(from);
        }
        let [left, right] = &mut sound.output[..] else { return };
        rig.events_in.clear();
        rig.events_out.clear();
        rig.processor.process(&mut ContainerBlock {
            main: &mut [left.as_mut_slice(), right.as_mut_slice()],
            sidechain: &[&sound.side[0], &sound.side[1]],
            aux: &mut [],
            events_in: &mut rig.events_in,
            events_out: &mut rig.events_out,
            transport: None,
            bypass: false,
        });
    }
}

fn clap(host: &ClapHost, frames: usize) -> impl FnMut() + use<> {
    let plugin = host.raw();
    let mut sound = Sound::new(frames);
    let mut channels = [pointers(&mut sound.input), pointers(&mut sound.side), pointers(&mut sound.output)];
    let mut buffers = channels.each_mut().map(|channels| clap_audio_buffer {
        data32: channels.as_mut_ptr(),
        data64: ptr::null_mut(),
        channel_count: 2,
        latency: 0,
        constant_mask: 0,
    });
    // SAFETY: a live plugin.
    let run = unsafe { (*plugin).process.expect("process") };
    move || {
        let (_sound, _channels) = (&sound, &channels);
        let block = clap_process {
            steady_time: -1,
            frames_count: frames as u32,
            transport: ptr::null(),
            audio_inputs: buffers.as_ptr(),
            audio_outputs: &raw mut buffers[2],
            audio_inputs_count: 2,
            audio_outputs_count: 1,
            in_events: ptr::null(),
            out_events: ptr::null(),
        };
        // SAFETY: a live, processing plugin; buffers that live as long as this closure. No events are legal for ours.
        unsafe { run(plugin, &block) };
    }
}

fn vst3(host: &Vst3Host, frames: usize) -> impl FnMut() + use<> {
    let processor = host.raw();
    let mut sound = Sound::new(frames);
    let mut channels = [pointers(&mut sound.input), pointers(&mut sound.side), pointers(&mut sound.output)];
    let mut buses = channels.each_mut().map(|channels| AudioBusBuffers {
        numChannels: 2,
        silenceFlags: 0,
        __field0: AudioBusBuffers__type0 { channelBuffers32: channels.as_mut_ptr() },
    });
    move || {
        let (_sound, _channels) = (&sound, &channels);
        // SAFETY: numbers and pointers, for which zero is valid.
        let mut data: ProcessData = unsafe { std::mem::zeroed() };
        data.numSamples = frames as i32;
        (data.numInputs, data.numOutputs) = (2, 1);
        data.inputs = buses.as_mut_ptr();
        data.outputs = &raw mut buses[2];
        // SAFETY: a live, processing plugin; buffers that live as long as this closure.
        unsafe { processor.process(&mut data) };
    }
}

/// Nanoseconds that `run` takes.
fn time(run: &mut impl FnMut()) -> f64 {
    let began = Instant::now();
    run();
    began.elapsed().as_nanos() as f64
}

/// Blocks of the engine, and differences of the shell to it.
fn pairs(engine: &mut impl FnMut(), shell: &mut impl FnMut()) -> Value {
    for _ in 0..500 {
        engine();
        shell();
    }
    let (mut bare, mut over) = (Vec::with_capacity(PAIRS), Vec::with_capacity(PAIRS));
    for pair in 0..PAIRS {
        let (a, b) = if pair % 2 == 0 {
            let a = time(engine);
            (a, time(shell))
        } else {
            let b = time(shell);
            (time(engine), b)
        };
        bare.push(a);
        over.push(b - a);
    }
    let ((bare, ..), (over, low, high)) = (median(bare), median(over));
    json!({ "engine_ns": bare, "over_ns": over, "low_ns": low, "high_ns": high })
}

/// Median and its 95 % interval, from order statistics.
fn median(mut values: Vec<f64>) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let (n, half) = (values.len() as f64, 0.98 * (values.len() as f64).sqrt());
    let at = |place: f64| values[(place.max(0.0) as usize).min(values.len() - 1)];
    (at(n / 2.0), at(n / 2.0 - half), at(n / 2.0 + half))
}

/// Milliseconds until a lilv world knows every port of the four plugins.
fn turtle(bundle: &Bundle) -> f64 {
    let read = || {
        let world = lilv::World::new();
        let began = Instant::now();
        world.load_bundle(&world.new_file_uri(None, &format!("{}/", bundle.lv2().display())));
        let ports: usize = world.plugins().iter().map(|plugin| plugin.ports_count()).sum();
        assert!(ports > 0);
        began.elapsed()
    };
    let mut times: Vec<Duration> = (0..9).map(|_| read()).collect();
    times.sort();
    times[4].as_secs_f64() * 1e3
}

fn child(frames: usize) -> Value {
    let bundle = Bundle::new();
    let clap_file = ClapFile::open(&bundle.clap());
    let mut clap_host = ClapHost::new(&clap_file, "catena-audio.catena");
    clap_host.activate(RATE, LONGEST);
    let lv2_file = Lv2File::open(&bundle.lv2());
    let mut lv2_host = Lv2Host::new(&lv2_file, "urn:catena-audio:catena", Offer::all(LONGEST as i32));
    lv2_host.activate();
    let noise = Noise::new(1).signal(2, frames);
    lv2_host.play(&[&noise[0], &noise[1]], frames as u32, &[]);
    let vst3_host = Vst3Module::open(&bundle.vst3_module()).make(b"CatenaAudioChain");
    vst3_host.activate(RATE, LONGEST as usize);
    // The chains are there and their fades over.
    let (mut clap, mut vst3) = (clap(&clap_host, frames), vst3(&vst3_host, frames));
    for _ in 0..200 {
        clap();
        vst3();
        lv2_host.run_again(frames as u32);
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut engine = engine(frames);
    let rows = json!({
        "clap": pairs(&mut engine, &mut clap),
        "lv2": pairs(&mut engine, &mut || lv2_host.run_again(frames as u32)),
        "vst3": pairs(&mut engine, &mut vst3),
        "turtle_ms": turtle(&bundle),
    });
    drop((clap, vst3));
    rows
}

/// Starts this program again, in folders of its own; its answer.
fn again(arguments: &[&str], variables: &[(&str, &OsStr)]) -> Value {
    let home = std::env::temp_dir().join("catena-bench-formats");
    std::fs::create_dir_all(&home).expect("a folder");
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.args(arguments).env("HOME", &home).envs(variables.iter().copied());
    for variable in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
        command.env(variable, &home);
    }
    let out = command.output().expect("this program starts again");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8_lossy(&out.stdout);
    serde_json::from_str(text.lines().last().unwrap_or("")).expect("the child writes JSON")
}

/// The children's answers.
fn runs(frames: usize) -> Vec<Value> {
    (0..PROCESSES).map(|_| again(&["--child", &frames.to_string()], &[])).collect()
}

const URI: &str = "urn:catena-audio:catena";
/// How often each of the two times is taken.
const TIMES: usize = 20;
/// Much longer than either may take.
const HANG: Duration = Duration::from_secs(10);

/// A host that runs that chain.
fn running(file: &Lv2File, packed: &[u8]) -> Lv2Host {
    let mut host = Lv2Host::new(file, URI, Offer::all(256));
    assert_eq!(host.restore(&[Stored::chain(packed)], None), 0);
    host.activate();
    for _ in 0..100 {
        host.play(&[], 256, &[]);
        std::thread::sleep(Duration::from_millis(2));
    }
    host
}

/// Milliseconds until nothing is left of a plugin that goes with its window: no X11 window, no thread.
fn going(file: &Lv2File, desk: &HostWindow) -> f64 {
    let host =
        running(file, &chain(&[("delay", &[("100", 512.0)]), ("gain", &[]), ("note-echo", &[]), ("eight", &[])]));
    let before = threads();
    let window = Lv2Window::open(file, &host, URI, desk.parent, 1.0).expect("a window");
    for _ in 0..100 {
        window.idle();
        std::thread::sleep(Duration::from_millis(5));
    }
    let began = Instant::now();
    window.close();
    drop(host);
    while !desk.inside().is_empty() || threads() > before {
        assert!(began.elapsed() < HANG, "it stays");
        std::thread::sleep(Duration::from_millis(1));
    }
    began.elapsed().as_secs_f64() * 1e3
}

/// Milliseconds until the host is told of a hand on a knob in a plugin's own window.
fn telling(file: &Lv2File) -> f64 {
    let hand = [(1, 0, "101", Law::straight(0.0, 1.0))];
    let mut host = running(file, &chain_with_macros(&[("touch", &[])], &hand));
    host.set("macro_1", 1.0);
    let began = Instant::now();
    while !host.play(&[], 256, &[]).1.contains(&Played::StateChanged) {
        assert!(began.elapsed() < HANG, "nobody tells");
        std::thread::sleep(Duration::from_millis(5));
    }
    began.elapsed().as_secs_f64() * 1e3
}

/// The worst of both, taken in this process.
fn times() -> Value {
    let (bundle, desk) = (Bundle::new(), HostWindow::new());
    let file = Lv2File::open(&bundle.lv2());
    // What is once in a process is there after the first.
    going(&file, &desk);
    let worst = |one: &dyn Fn() -> f64| (0..TIMES).map(|_| one()).fold(0.0, f64::max);
    json!({ "gone_ms": worst(&|| going(&file, &desk)), "told_ms": worst(&|| telling(&file)) })
}

/// The same in a process that has a screen and the fixtures.
fn on_a_screen() -> Value {
    let (_screen, display) = screen();
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(fixtures::clap(), folder.path().join("harmless.clap")).expect("the fixtures");
    let (display, clap) = (format!(":{display}"), folder.path().as_os_str());
    again(&["--times"], &[("DISPLAY", display.as_ref()), ("CLAP_PATH", clap), ("LV2_PATH", "/none".as_ref())])
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    if let ["--child", frames] = words.as_slice() {
        return println!("{}", child(frames.parse().expect("a number")));
    }
    if words.as_slice() == ["--times"] {
        return println!("{}", times());
    }
    let json_file = args.iter().position(|arg| arg == "--json").and_then(|at| args.get(at + 1));
    println!("frames format  engine (ns)  over it (ns)  95 % interval (ns)");
    let (mut rows, mut turtle) = (Vec::new(), 0.0_f64);
    for frames in [64, 256, 1024] {
        let runs = runs(frames);
        for format in ["clap", "lv2", "vst3"] {
            let number = |run: &Value, key: &str| run[format][key].as_f64().unwrap_or(f64::NAN);
            let worst = runs.iter().max_by(|a, b| number(a, "over_ns").total_cmp(&number(b, "over_ns")));
            let worst = worst.expect("at least one run");
            let (engine, over) = (number(worst, "engine_ns"), number(worst, "over_ns"));
            let (low, high) = (number(worst, "low_ns"), number(worst, "high_ns"));
            println!("{frames:>6} {format:>6} {engine:>12.0} {over:>13.0}  {low:>8.0} .. {high:.0}");
            rows.push(json!({ "frames": frames, "format": format, "engine_ns": engine, "over_ns": over,
                "interval_ns": [low, high] }));
        }
        turtle = runs.iter().filter_map(|run| run["turtle_ms"].as_f64()).fold(turtle, f64::max);
    }
    println!("The Turtle of the four LV2 plugins in a lilv world: {turtle:.1} ms");
    let times = on_a_screen();
    println!(
        "An LV2 plugin taken out with its window is gone after {:.0} ms at most",
        times["gone_ms"].as_f64().unwrap_or(f64::NAN)
    );
    println!(
        "Its host is told of an edit inside after {:.0} ms at most",
        times["told_ms"].as_f64().unwrap_or(f64::NAN)
    );
    if let Some(path) = json_file {
        let text = serde_json::to_string_pretty(&json!({ "cost": rows, "turtle_ms": turtle, "times": times }))
            .unwrap_or_default();
        if let Err(error) = std::fs::write(path, text) {
            eprintln!("{path}: {error}");
            std::process::exit(1);
        }
    }
}

//! A JACK client for tests, in a process of its own because the library chooses its server by the environment.
//!
//! `ports`, `latency PORT`, `bufsize FRAMES`, `freewheel on|off`, `measure CLIENT`: plays a sine through a client's
//! first input and output and prints the peak that came back. `ramp TO FROM SECONDS FILE`: sends a ramp into a port and keeps what
//! comes out of another, 32-bit floats. `song CLIENT`: masters the time at 90 quarters a minute in 3/4, lets
//! it roll from a second on, and prints of one block where it began, in frames, and the first 14 samples of the client's first
//! output.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use catena_tests::ramp::ramp;
use jack::contrib::ClosureProcessHandler;
use jack::{AudioIn, AudioOut, Client, ClientOptions, Control, LatencyType, LoggerType, PortFlags, ProcessScope};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    jack::set_logger(LoggerType::None);
    let Ok((client, _)) = Client::new("probe", ClientOptions::NO_START_SERVER) else {
        return ExitCode::FAILURE;
    };
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["ports"] => client.ports(None, None, PortFlags::empty()).iter().for_each(|port| println!("{port}")),
        ["latency", port] => {
            let Some(port) = client.port_by_name(port) else { return ExitCode::FAILURE };
            let (capture, playback) =
                (port.get_latency_range(LatencyType::Capture), port.get_latency_range(LatencyType::Playback));
            println!("{} {} {} {}", capture.0, capture.1, playback.0, playback.1);
        }
        ["bufsize", frames] => {
            let Ok(frames) = frames.parse() else { return ExitCode::FAILURE };
            if client.set_buffer_size(frames).is_err() {
                return ExitCode::FAILURE;
            }
        }
        ["freewheel", state] => freewheel(&client, *state == "on"),
        ["measure", other] => println!("{}", measure(client, other)),
        ["ramp", to, from, seconds, file] => {
            let Ok(seconds) = seconds.parse() else { return ExitCode::FAILURE };
            let heard = through(client, to, from, seconds);
            let bytes: Vec<u8> = heard.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            if std::fs::write(file, bytes).is_err() {
                return ExitCode::FAILURE;
            }
        }
        ["song", other] => println!("{}", song(client, other)),
        _ => return ExitCode::FAILURE,
    }
    ExitCode::SUCCESS
}

#[expect(unsafe_code, reason = "the jack crate does not offer freewheel; its raw library does")]
fn freewheel(client: &Client, on: bool) {
    // SAFETY: the client is open: `client` borrows it.
    let result = unsafe { jack::jack_sys::jack_set_freewheel(client.raw(), i32::from(on)) };
    assert_eq!(result, 0);
}

/// Peak of what `other` gives back of a sine with the peak 0.25, over at least 20 blocks after it began to come.
fn measure(client: Client, other: &str) -> f32 {
    let mut out = client.register_port("out", AudioOut::default()).expect("a port");
    let input = client.register_port("in", AudioIn::default()).expect("a port");
    let (blocks, peak) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let (seen, loudest) = (blocks.clone(), peak.clone());
    let mut frame = 0u64;
    let process = move |_: &Client, scope: &ProcessScope| {
        for sample in out.as_mut_slice(scope) {
            *sample = (frame as f32 * 0.05).sin() * 0.25;
            frame += 1;
        }
        let level = input.as_slice(scope).iter().fold(0f32, |peak, sample| peak.max(sample.abs()));
        if level > 0.0 {
            seen.fetch_add(1, Ordering::Relaxed);
            // Levels are positive, so their bits are in the same order.
            loudest.fetch_max(level.to_bits(), Ordering::Relaxed);
        }
        Control::Continue
    };
    let running = client.activate_async((), ClosureProcessHandler::new(process)).expect("active");
    let client = running.as_client();
    client.connect_ports_by_name("probe:out", &format!("{other}:in_1")).expect("connected");
    client.connect_ports_by_name(&format!("{other}:out_1"), "probe:in").expect("connected");
    let began = Instant::now();
    while blocks.load(Ordering::Relaxed) < 20 && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    f32::from_bits(peak.load(Ordering::Relaxed))
}

/// What comes out of a port, for some seconds, while a ramp goes into another; as JACK's own time has it, so that cycles that
/// were not run are silent.
fn through(client: Client, to: &str, from: &str, seconds: usize) -> Vec<f32> {
    let mut out = client.register_port("out", AudioOut::default()).expect("a port");
    let input = client.register_port("in", AudioIn::default()).expect("a port");
    let frames = seconds * client.sample_rate() as usize;
    let (sender, done) = std::sync::mpsc::sync_channel(1);
    let mut heard = Some(vec![0.0; frames]);
    let mut began = None;
    let process = move |_: &Client, scope: &ProcessScope| {
        let now = scope.last_frame_time();
        let at = now.wrapping_sub(*began.get_or_insert(now)) as usize;
        for (i, sample) in out.as_mut_slice(scope).iter_mut().enumerate() {
            *sample = ramp(at + i);
        }
        if let Some(all) = &mut heard {
            let came = input.as_slice(scope);
            match all.get_mut(at..at + came.len()) {
                Some(place) => place.copy_from_slice(came),
                None => drop(sender.try_send(heard.take())),
            }
        }
        Control::Continue
    };
    let running = client.activate_async((), ClosureProcessHandler::new(process)).expect("active");
    let client = running.as_client();
    client.connect_ports_by_name("probe:out", to).expect("connected");
    client.connect_ports_by_name(from, "probe:in").expect("connected");
    let patience = Duration::from_secs(4 * seconds as u64 + 20);
    done.recv_timeout(patience).ok().flatten().unwrap_or_default()
}

/// Beats a minute, beats a bar, ticks a beat.
const SONG: (f64, i32, f64) = (90.0, 3, 1920.0);

/// Where the song is, as JACK wants to be told.
#[expect(unsafe_code, reason = "the jack crate offers no master of time; its raw library does")]
unsafe extern "C" fn tell_time(
    _state: jack::jack_sys::jack_transport_state_t,
    _frames: jack::jack_sys::jack_nframes_t,
    position: *mut jack::jack_sys::jack_position_t,
    _new: libc::c_int,
    _nothing: *mut libc::c_void,
) {
    // SAFETY: the server's own structure, ours to fill for the time of the call.
    let position = unsafe { &mut *position };
    let (tempo, beats_per_bar, ticks) = SONG;
    let beats = f64::from(position.frame) / f64::from(position.frame_rate) * tempo / 60.0;
    let (whole, bar) = (beats.floor() as i32, beats.floor() as i32 / beats_per_bar);
    position.valid = jack::jack_sys::JackPositionBBT;
    position.bar = bar + 1;
    position.beat = whole % beats_per_bar + 1;
    position.tick = (beats.fract() * ticks) as i32;
    position.bar_start_tick = f64::from(bar * beats_per_bar) * ticks;
    position.beats_per_bar = beats_per_bar as f32;
    position.beat_type = 4.0;
    position.ticks_per_beat = ticks;
    position.beats_per_minute = tempo;
}

/// Rolls, and tells what `other` gave out in a block.
#[expect(unsafe_code, reason = "the jack crate offers no master of time; its raw library does")]
fn song(client: Client, other: &str) -> String {
    let input = client.register_port("in", AudioIn::default()).expect("a port");
    let (sender, blocks) = std::sync::mpsc::sync_channel(1);
    let mut rolled = 0;
    let process = move |client: &Client, scope: &ProcessScope| {
        let Ok(now) = client.transport().query() else { return Control::Continue };
        rolled += u32::from(now.state == jack::TransportState::Rolling);
        if rolled == 100 {
            let said: Vec<f32> = input.as_slice(scope).iter().take(14).copied().collect();
            let _full = sender.try_send((now.pos.frame(), said));
        }
        Control::Continue
    };
    let running = client.activate_async((), ClosureProcessHandler::new(process)).expect("active");
    let client = running.as_client();
    // SAFETY: the client is open; the callback touches what it is given alone.
    let master =
        unsafe { jack::jack_sys::jack_set_timebase_callback(client.raw(), 0, Some(tell_time), std::ptr::null_mut()) };
    assert_eq!(master, 0, "this client masters the time");
    client.connect_ports_by_name(&format!("{other}:out_1"), "probe:in").expect("connected");
    client.transport().locate(48_000).expect("located");
    client.transport().start().expect("started");
    let (frame, said) = blocks.recv_timeout(Duration::from_secs(20)).expect("a block");
    client.transport().stop().expect("stopped");
    said.iter().fold(frame.to_string(), |line, sample| format!("{line} {sample}"))
}

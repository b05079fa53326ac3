//! The measuring process: source, wires, sink.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jack::contrib::ClosureProcessHandler;
use jack::{
    AudioIn, AudioOut, Client, ClientOptions, Control, LoggerType, NotificationHandler, PortFlags, ProcessScope,
};
use serde_json::{Value, json};

use super::cost;
use crate::rig::Noise;

/// Silence before anything is compared: every fade has ended by then.
const SETTLE: Duration = Duration::from_millis(800);
/// Frames of the source's noise whose way through the chain is kept.
const KEPT: usize = 48_000;
/// How long a client may take to come.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is measured.
pub struct Wanted {
    /// The clients, in series.
    pub clients: Vec<String>,
    /// The processes they live in.
    pub processes: Vec<u32>,
    /// How long cycles are counted.
    pub window: Duration,
    /// Where what came out goes: frames of two channels, 32-bit floats.
    pub keep: std::path::PathBuf,
}

/// What the callbacks leave.
struct Shared {
    noise: AtomicBool,
    counting: AtomicBool,
    xruns: AtomicU32,
    /// The server's frame time at which the noise began, and whether it did.
    began: AtomicU32,
    has_begun: AtomicBool,
    kept: AtomicUsize,
    cycles: AtomicUsize,
}

struct Notify(Arc<Shared>);

impl NotificationHandler for Notify {
    fn xrun(&mut self, _: &Client) -> Control {
        if self.0.counting.load(Ordering::Relaxed) {
            self.0.xruns.fetch_add(1, Ordering::Relaxed);
        }
        Control::Continue
    }
}

/// Room for what callbacks write: allocated before they run, read when they have ended.
struct Recorder {
    sound: Vec<[f32; 2]>,
    /// Cycle ends, microseconds after the cycle began.
    ends: Vec<u32>,
}

fn client(name: &str) -> Client {
    jack::set_logger(LoggerType::None);
    Client::new(name, ClientOptions::NO_START_SERVER).expect("the server takes a client").0
}

/// Wires the arm, measures it, and says what came of it.
pub fn measure(wanted: &Wanted) -> Value {
    let shared = Arc::new(Shared {
        noise: AtomicBool::new(false),
        counting: AtomicBool::new(false),
        xruns: AtomicU32::new(0),
        began: AtomicU32::new(0),
        has_begun: AtomicBool::new(false),
        kept: AtomicUsize::new(0),
        cycles: AtomicUsize::new(0),
    });
    let source = client("bench-source");
    let (rate, block) = (source.sample_rate(), source.buffer_size());
    let period = f64::from(block) / f64::from(rate) * 1e6;
    let play = play(&source, shared.clone());
    let source = source.activate_async((), ClosureProcessHandler::new(play)).expect("active");
    let sink = client("bench-sink");
    let cycles = (wanted.window.as_secs_f64() / period * 1e6) as usize + 16;
    let (done, recorded) = std::sync::mpsc::sync_channel(1);
    let record = record(&sink, shared.clone(), cycles, done);
    let sink = sink.activate_async(Notify(shared.clone()), ClosureProcessHandler::new(record)).expect("active");
    wire(source.as_client(), &wanted.clients);

    std::thread::sleep(SETTLE);
    // No cycle is lost where the server waits for every client.
    freewheel(source.as_client(), true);
    shared.noise.store(true, Ordering::Release);
    wait("the noise to come through", || shared.kept.load(Ordering::Acquire) >= KEPT);
    freewheel(source.as_client(), false);
    std::thread::sleep(SETTLE);
    let before = cost::used(&wanted.processes);
    let start = Instant::now();
    shared.counting.store(true, Ordering::Release);
    wait("the window", || shared.cycles.load(Ordering::Acquire) >= cycles);
    let (after, took) = (cost::used(&wanted.processes), start.elapsed());
    let memory = cost::memory(&wanted.processes);
    let recorder: Recorder = recorded.recv_timeout(PATIENCE).expect("the sink hands over what it kept");
    drop((sink.deactivate(), source.deactivate()));

    let bytes: Vec<u8> = recorder.sound.iter().flatten().flat_map(|sample| sample.to_le_bytes()).collect();
    std::fs::write(&wanted.keep, bytes).expect("written");
    let mut ends = recorder.ends;
    let late = ends.iter().filter(|&&end| f64::from(end) > period).count();
    ends.sort_unstable();
    let at = |share: f64| ends[((ends.len() - 1) as f64 * share) as usize];
    let seconds = took.as_secs_f64();
    json!({
        "end_p50_us": at(0.5), "end_p99_us": at(0.99), "cycles": ends.len(), "late": late,
        "xruns": shared.xruns.load(Ordering::Relaxed),
        "cpu_percent": (after.cpu - before.cpu) as f64 / 1e7 / seconds,
        "switches_per_second": (after.switches - before.switches) as f64 / seconds,
        "rss_kib": memory.resident, "pss_kib": memory.proportional, "private_dirty_kib": memory.private_dirty,
    })
}

/// Silence, then noise that is the same in every run.
fn play(client: &Client, shared: Arc<Shared>) -> impl FnMut(&Client, &ProcessScope) -> Control + Send + 'static {
    let mut ports = [1, 2].map(|i| client.register_port(&format!("out_{i}"), AudioOut::default()).expect("a port"));
    let noise = Noise::new(7).signal(2, KEPT);
    let mut at = None;
    move |_: &Client, scope: &ProcessScope| {
        if at.is_none() && shared.noise.load(Ordering::Acquire) {
            at = Some(0usize);
            shared.began.store(scope.last_frame_time(), Ordering::Relaxed);
            shared.has_begun.store(true, Ordering::Release);
        }
        let frames = scope.n_frames() as usize;
        for (port, noise) in ports.iter_mut().zip(&noise) {
            let out = port.as_mut_slice(scope);
            match at {
                Some(at) => out.iter_mut().enumerate().for_each(|(i, to)| *to = noise[(at + i) % KEPT] * 0.25),
                None => out.fill(0.0),
            }
        }
        at = at.map(|at| at + frames);
        Control::Continue
    }
}

/// Keeps what comes of the noise, then the ends of `cycles` cycles, and hands both over.
fn record(
    client: &Client,
    shared: Arc<Shared>,
    cycles: usize,
    done: std::sync::mpsc::SyncSender<Recorder>,
) -> impl FnMut(&Client, &ProcessScope) -> Control + Send + 'static {
    let ports = [1, 2].map(|i| client.register_port(&format!("in_{i}"), AudioIn::default()).expect("a port"));
    let mut recorder = Some(Recorder { sound: Vec::with_capacity(KEPT + 8192), ends: Vec::with_capacity(cycles) });
    move |client: &Client, scope: &ProcessScope| {
        let Some(record) = &mut recorder else { return Control::Continue };
        let began = shared.has_begun.load(Ordering::Acquire) && {
            // Frame times wrap: what is at or after the beginning is less than half the circle away.
            scope.last_frame_time().wrapping_sub(shared.began.load(Ordering::Relaxed)) < u32::MAX / 2
        };
        if began && record.sound.len() < KEPT {
            let [left, right] = [0, 1].map(|i| ports[i].as_slice(scope));
            record.sound.extend(left.iter().zip(right).map(|(&left, &right)| [left, right]));
            shared.kept.store(record.sound.len(), Ordering::Release);
        }
        if shared.counting.load(Ordering::Acquire) {
            if let Ok(times) = scope.cycle_times() {
                record.ends.push((client.time().saturating_sub(times.current_usecs)) as u32);
            }
            shared.cycles.store(record.ends.len(), Ordering::Release);
            if record.ends.len() >= cycles
                && let Some(all) = recorder.take()
            {
                let _room_for_one = done.try_send(all);
            }
        }
        Control::Continue
    }
}

#[expect(unsafe_code, reason = "the jack crate does not offer freewheel; its raw library does")]
fn freewheel(client: &Client, on: bool) {
    // SAFETY: the client is open: `client` borrows it.
    let result = unsafe { jack::jack_sys::jack_set_freewheel(client.raw(), i32::from(on)) };
    assert_eq!(result, 0, "the server freewheels");
}

/// Source, clients, sink: the first two audio ports of each, in the order they were made.
fn wire(client: &Client, clients: &[String]) {
    let mut from = ports(client, "bench-source", PortFlags::IS_OUTPUT);
    for name in clients {
        connect(client, &from, &ports(client, name, PortFlags::IS_INPUT));
        from = ports(client, name, PortFlags::IS_OUTPUT);
    }
    connect(client, &from, &ports(client, "bench-sink", PortFlags::IS_INPUT));
}

fn ports(client: &Client, name: &str, side: PortFlags) -> Vec<String> {
    let audio = Some(jack::jack_sys::FLOAT_MONO_AUDIO);
    let pattern = format!("^{name}:");
    let mut found = Vec::new();
    wait(&format!("the ports of {name}"), || {
        found = client.ports(Some(&pattern), audio, side);
        found.len() >= 2
    });
    found.truncate(2);
    found
}

fn connect(client: &Client, from: &[String], to: &[String]) {
    for (from, to) in from.iter().zip(to) {
        // Ports are there before their client is active.
        wait(&format!("{from} to be connected to {to}"), || client.connect_ports_by_name(from, to).is_ok());
    }
}

fn wait(what: &str, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

//! What the editor costs: a picture of the rack while meters move, one that stands still, opening it, its memory, and what a thousand
//! openings leave behind.
//!
//! Catena's CLAP file is hosted in fresh processes on a screen without hardware, with GL in software; the figure of a picture that
//! stands still is of the program itself, with and without its window. `bench-gui [--quick] [--json FILE]`

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use catena_tests::bundle::Bundle;
use catena_tests::cli::Home;
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::chain;
use catena_tests::desk::Desk;
use catena_tests::fixtures;
use catena_tests::fresh::{Outcome, ended, middle, milliseconds};
use catena_tests::host_window::{GROUND, HostWindow};
use catena_tests::rig::Noise;
use catena_tests::running::Running;
use serde_json::{Value, json};

const BLOCK: usize = 256;
const RATE: f64 = 48_000.0;
/// Longest wait for a picture: a hang otherwise.
const PATIENCE: Duration = Duration::from_secs(30);
/// An answer that came later than this had to wait for a picture; without one it takes a tenth of that.
const PICTURE: Duration = Duration::from_micros(600);
/// Fresh processes that open an editor.
const RUNS: usize = 5;

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let quick = args.iter().position(|arg| arg == "--quick").map(|at| args.remove(at)).is_some();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        [] => bench(quick, None),
        ["--json", file] => bench(quick, Some(Path::new(file))),
        ["child", "pictures", slots, seconds] => child(pictures(number(slots), number(seconds) as u64)),
        ["child", "open"] => child(open()),
        ["child", "again", times] => child(again(number(times))),
        _ => Err("bench-gui [--quick] [--json FILE]".into()),
    };
    ended("bench-gui", done)
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or(0)
}

/// A figure, and what it is to stay below.
struct Figure {
    name: String,
    value: f64,
    limit: Option<f64>,
    unit: &'static str,
}

impl Figure {
    fn new(name: impl Into<String>, value: &Value, limit: impl Into<Option<f64>>, unit: &'static str) -> Self {
        Self { name: name.into(), value: value.as_f64().unwrap_or(f64::NAN), limit: limit.into(), unit }
    }

    fn print(&self) {
        let Self { name, value, unit, .. } = self;
        let verdict = match self.limit {
            Some(limit) if *value <= limit => format!("at most {limit:>7.1} {unit:<2}   reached"),
            Some(limit) => format!("at most {limit:>7.1} {unit:<2}   MISSED"),
            None => String::new(),
        };
        println!("{name:<58} {value:>9.2} {unit:<2}   {verdict}");
    }

    fn json(&self) -> Value {
        json!({ "name": self.name, "value": self.value, "limit": self.limit, "unit": self.unit })
    }
}

fn bench(quick: bool, json: Option<&Path>) -> Outcome<()> {
    if cfg!(debug_assertions) {
        eprintln!("bench-gui: a debug build: these figures say nothing; cargo xtask bench gui builds the release");
    }
    let (seconds, runs, times) = if quick { ("4", 1, "100") } else { ("20", RUNS, "1000") };
    let own = Own::new()?;
    let mut figures = Vec::new();
    for (slots, limit) in [("1", None), ("16", Some(16.0)), ("64", None)] {
        let said = own.child(&["pictures", slots, seconds])?;
        let name = |what: &str| format!("a picture of {slots} slots, {what}");
        figures.push(Figure::new(name("median"), &said["median_ms"], limit, "ms"));
        figures.push(Figure::new(name("99 of 100 within"), &said["p99_ms"], limit, "ms"));
        figures.push(Figure::new(name("pictures a second"), &said["per_second"], None, ""));
    }
    let still = idle(&own, if quick { 4 } else { 20 })?;
    figures.push(Figure::new("a picture that stands still, share of a core", &still, 1.0, "%"));
    let opened = (0..runs).map(|_| own.child(&["open"])).collect::<Outcome<Vec<_>>>()?;
    let of = |what: &str| json!(middle(opened.iter().map(|one| one[what].as_f64().unwrap_or(f64::NAN)).collect()));
    figures.push(Figure::new("from open to picture, first in a process", &of("first_ms"), 300.0, "ms"));
    figures.push(Figure::new("from open to picture, later", &of("later_ms"), 300.0, "ms"));
    figures.push(Figure::new("memory of a process's first editor, with GL", &of("first_mib"), None, "MB"));
    figures.push(Figure::new("memory of a second", &of("second_mib"), None, "MB"));
    let left = own.child(&["again", times])?;
    let grown = |what: &str| json!(left["after"][what].as_f64().zip(left["before"][what].as_f64()).map(|(a, b)| a - b));
    let name = |what: &str| format!("{what} after {times} openings, over those after 100");
    figures.push(Figure::new(name("memory"), &grown("mib"), 4.0, "MB"));
    for what in ["threads", "descriptors", "windows"] {
        figures.push(Figure::new(name(what), &grown(what), 0.0, ""));
    }
    figures.iter().for_each(Figure::print);
    if let Some(file) = json {
        let figures: Vec<_> = figures.iter().map(Figure::json).collect();
        let all = json!({ "quick": quick, "figures": figures, "opened": opened, "again": left });
        std::fs::write(file, serde_json::to_vec_pretty(&all)?)?;
    }
    Ok(())
}

/// A screen, and a user's folders in which the fixtures are installed.
struct Own {
    desk: Desk,
    home: Home,
    clap: PathBuf,
}

impl Own {
    fn new() -> Outcome<Self> {
        let home = Home::of_fixtures();
        let clap = home.path("clap");
        for package in ["catena", "catena-entry-clap", "catena-entry-lv2", "catena-entry-vst3"] {
            catena_tests::bundle::built(package);
        }
        fixtures::worker();
        Ok(Self { desk: Desk::new(), home, clap })
    }

    fn prepare(&self, command: &mut Command) {
        command.env("DISPLAY", self.desk.display()).env("LIBGL_ALWAYS_SOFTWARE", "1");
        command.env("CLAP_PATH", &self.clap).env("LV2_PATH", self.home.path("no-lv2")).env_remove("CATENA_LIB");
        command.env(catena_tests::built::BUILT, "1");
    }

    /// What a fresh process of this program says last.
    fn child(&self, args: &[&str]) -> Outcome<Value> {
        let mut command = self.home.command(std::env::current_exe()?);
        self.prepare(command.arg("child").args(args));
        let output = command.output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let last = said.lines().last().unwrap_or_default();
        serde_json::from_str(last).map_err(|_| format!("{args:?}: {}", String::from_utf8_lossy(&output.stderr)).into())
    }

    /// The program with sixteen slots that hear nothing.
    fn program(&self, more: &[&str]) -> Outcome<Running> {
        std::fs::write(self.home.path("still.catena"), slots(16))?;
        let mut command = self.home.catena(["--backend", "dummy", "still.catena"]);
        self.prepare(command.args(more));
        Ok(Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
    }
}

fn child(said: Outcome<Value>) -> Outcome<()> {
    println!("{}", said?);
    Ok(())
}

fn slots(count: usize) -> Vec<u8> {
    let kinds: [(&str, &[(&str, f64)]); 2] = [("gain", &[("100", 1.0)]), ("delay", &[("100", 64.0)])];
    chain(&(0..count).map(|at| kinds[at % 2]).collect::<Vec<_>>())
}

/// Seconds of processor time that all threads of a process have had.
fn worked(process: u32) -> f64 {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let nanos = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    });
    nanos.sum::<f64>() / 1e9
}

/// What the window costs while nothing changes, percent of a core.
fn idle(own: &Own, seconds: u64) -> Outcome<Value> {
    let share = |running: &Running| {
        // What a start leaves to do is done.
        std::thread::sleep(Duration::from_secs(5));
        let (began, before) = (Instant::now(), worked(running.0.id()));
        std::thread::sleep(Duration::from_secs(seconds));
        (worked(running.0.id()) - before) / began.elapsed().as_secs_f64() * 100.0
    };
    let with = {
        let running = own.program(&[])?;
        let window = own.desk.wait_for_window("Catena");
        own.desk.wait_until_still(&window);
        share(&running)
    };
    let without = share(&own.program(&["--no-editor"])?);
    println!("a program with its window {with:.2} % of a core, without {without:.2} %");
    Ok(json!(with - without))
}

/// Catena in a host, and the host's window.
struct Hosted {
    host: ClapHost,
    window: HostWindow,
    noise: Noise,
    played: u64,
    began: Instant,
}

impl Hosted {
    fn new(file: &ClapFile, count: usize) -> Self {
        let mut host = ClapHost::new(file, "catena-audio.catena");
        assert!(host.load(&slots(count)), "the chain");
        host.activate(RATE, BLOCK as u32);
        let window = HostWindow::new();
        // A system's own scale: then a host's changes nothing.
        window.say_scale(Some(1.0));
        let mut this = Self { host, window, noise: Noise::new(1), played: 0, began: Instant::now() };
        this.play();
        this
    }

    /// Runs the blocks that are due, now loud and now low, so that all meters move.
    fn play(&mut self) {
        let due = (self.began.elapsed().as_secs_f64() * RATE) as u64 / BLOCK as u64;
        // After a long wait not all is caught up with.
        self.played = self.played.max(due.saturating_sub(20));
        while self.played <= due {
            let level = (self.played as f32 * 0.05).sin().abs();
            let mut block = self.noise.signal(2, BLOCK);
            block.iter_mut().flatten().for_each(|sample| *sample *= level);
            self.host.process(&block, &[]);
            self.played += 1;
        }
        self.host.pump();
    }

    /// Opens the editor. How long it took until it was drawn.
    fn open(&mut self) -> Duration {
        let began = Instant::now();
        self.host.open_editor(self.window.parent);
        while self.window.corner() != Some(GROUND) {
            assert!(began.elapsed() < PATIENCE, "no picture: {:x?}", self.window.corner());
            self.host.pump();
            std::thread::sleep(Duration::from_micros(500));
        }
        began.elapsed()
    }

    fn close(&mut self) {
        self.host.close_editor();
        self.window.wait_empty();
    }
}

fn file() -> ClapFile {
    let bundle = Bundle::new();
    let file = ClapFile::open(&bundle.clap());
    // What is loaded opens the rest of it later.
    std::mem::forget(bundle);
    file
}

/// Pictures of a rack whose meters move: how long each takes from its beginning until it is shown.
fn pictures(count: usize, seconds: u64) -> Outcome<Value> {
    let mut hosted = Hosted::new(&file(), count);
    hosted.open();
    let settled = Instant::now() + Duration::from_secs(2);
    let end = settled + Duration::from_secs(seconds);
    let (mut took, mut quiet) = (Vec::new(), Vec::new());
    while Instant::now() < end {
        hosted.play();
        let asked = Instant::now();
        hosted.host.ask_editor();
        let answered = asked.elapsed();
        if asked > settled {
            let times = if answered > PICTURE { &mut took } else { &mut quiet };
            times.push(milliseconds(answered));
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    took.sort_by(f64::total_cmp);
    let at = |share: f64| took.get((took.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN);
    let per_second = took.len() as f64 / seconds as f64;
    eprintln!("{count} slots: {} pictures, an answer without one {:.3} ms", took.len(), middle(quiet.clone()));
    let all = json!({
        "slots": count, "pictures": took.len(), "per_second": per_second, "median_ms": at(0.5), "p99_ms": at(0.99),
        "shortest_ms": at(0.0), "answer_ms": middle(quiet),
    });
    hosted.close();
    Ok(all)
}

/// Memory of this process in RAM, MB.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

/// An editor of sixteen slots: how long opening takes, and its memory.
fn open() -> Outcome<Value> {
    let file = file();
    let mut one = Hosted::new(&file, 16);
    let rest = || {
        std::thread::sleep(Duration::from_secs(1));
        memory()
    };
    let before = rest();
    let first = one.open();
    let with = rest();
    let later = (0..10).map(|_| {
        one.close();
        milliseconds(one.open())
    });
    let later = middle(later.collect());
    // Only now: its window may lie over the other.
    let mut other = Hosted::new(&file, 16);
    let alone = rest();
    let second = other.open();
    let both = rest();
    Ok(json!({
        "first_ms": milliseconds(first), "second_ms": milliseconds(second), "later_ms": later,
        "before_mib": before, "first_mib": with - before, "second_mib": both - alone,
    }))
}

/// What is held once it has come to rest: three looks that agree.
fn held(hosted: &Hosted) -> Value {
    let count = |folder: &str| std::fs::read_dir(folder).map_or(0, Iterator::count);
    let look = || (count("/proc/self/task"), count("/proc/self/fd"), hosted.window.all_windows());
    let (mut last, mut same) = (look(), 0);
    for _ in 0..50 {
        std::thread::sleep(Duration::from_millis(200));
        let now = look();
        same = if now == last { same + 1 } else { 0 };
        last = now;
        if same == 2 {
            break;
        }
    }
    json!({ "mib": memory(), "threads": last.0, "descriptors": last.1, "windows": last.2 })
}

/// Opens and closes the editor so often; what is held after a hundred times and at the end.
fn again(times: usize) -> Outcome<Value> {
    let mut hosted = Hosted::new(&file(), 16);
    let (mut before, mut took) = (Value::Null, Vec::new());
    for time in 0..times {
        if time == times.min(100) / 2 || time == 100 {
            before = held(&hosted);
        }
        took.push(milliseconds(hosted.open()));
        hosted.play();
        hosted.close();
    }
    let half = took.split_off(took.len() / 2);
    Ok(json!({ "times": times, "before": before, "after": held(&hosted), "ms": [middle(took), middle(half)] }))
}

//! What keeping chains costs: a chain of sixteen saved and restored against what its plugins take for that alone; ten thousand chain
//! files in the library; a write that a crash does not halve against a plain one with its sync.
//!
//! Saves and restores are made in fresh processes, the middle of several counts. `bench-state [--json FILE]`

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use catena_tests::fresh::{
    Outcome, RUNS, SETUP, at_home, child, close_bare, config, ended, folders, middle, milliseconds, of_processes,
    open_bare, save_chain,
};
use host_core::backend::AudioAt;
use host_core::model::{About, Chain, ParamInfo, PluginId, PluginState, Words};
use host_core::scan::{self, SearchPaths};
use host_core::session::{CatalogSource, Command, SessionHandle};
use host_core::store::library::Library;
use host_core::store::{self, export};

/// Chain files in the library.
const FILES: usize = 10_000;
/// Files in one of its folders.
const TOGETHER: usize = 100;
/// Pairs of writes for each size.
const WRITES: usize = 41;
/// What is written, bytes.
const SIZES: [usize; 2] = [64 << 10, 4 << 20];
/// Each search is made so often.
const AGAIN: usize = 5;
/// What is searched for: nothing, all, few, one, what is only in notes or makers.
const SEARCHES: [&str; 8] =
    ["", "comp", "chain 7", "number-1234", "nothing-has-this", "warm zam", "cc0 ann", "for the night damien"];

/// A figure, and what it is to stay below.
struct Figure {
    name: String,
    value: f64,
    limit: f64,
    unit: &'static str,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        [] => bench(None),
        ["--json", file] => bench(Some(Path::new(file))),
        ["child", what, file] => child(|| measured(what, Path::new(file))),
        _ => Err("bench-state [--json FILE]".into()),
    };
    ended("bench-state", done)
}

fn bench(json: Option<&Path>) -> Outcome<()> {
    if cfg!(debug_assertions) {
        eprintln!("bench-state: a debug build: these figures say nothing; cargo xtask bench state builds the release");
    }
    let mut figures = Vec::new();
    let root = tempfile::tempdir()?;
    states(root.path(), &mut figures)?;
    library(root.path(), &mut figures)?;
    writes(root.path(), &mut figures)?;
    println!();
    for Figure { name, value, limit, unit } in &figures {
        let verdict = if value <= limit { "yes" } else { "NO" };
        println!("{name:<56} {value:>9.2} {unit:<5}  at most {limit:>7.1} {unit:<5}  {verdict}");
    }
    if let Some(file) = json {
        let of = |one: &Figure| serde_json::json!({ "name": one.name, "value": one.value, "limit": one.limit, "unit": one.unit });
        let all =
            serde_json::json!({ "runs": RUNS, "files": FILES, "figures": figures.iter().map(of).collect::<Vec<_>>() });
        std::fs::write(file, serde_json::to_vec_pretty(&all)?)?;
    }
    Ok(())
}

fn states(root: &Path, figures: &mut Vec<Figure>) -> Outcome<()> {
    let catalog = scan::scan(&SearchPaths::from_env(), &folders(root), false, &mut |_| {})?;
    let file = root.join("sixteen.catena");
    save_chain(&file, &catalog, 2)?;
    let of = |what: &str| of_processes(root, &["child", what, &file.to_string_lossy()]);
    for what in ["restore", "save"] {
        let (ours, bare) = (of(what)?, of(&format!("bare-{what}"))?);
        println!(
            "16 slots, {what}: {ours:.2} ms in a session, {bare:.2} ms by the plugins alone ({RUNS} processes each)"
        );
        let name = format!("{what} of 16 slots, over the plugins alone");
        figures.push(Figure { name, value: ours - bare, limit: 20.0, unit: "ms" });
    }
    Ok(())
}

fn measured(what: &str, file: &Path) -> Outcome<Duration> {
    let bytes = std::fs::read(file)?;
    match what {
        "restore" => session(&bytes).map(|(_session, _processor, took)| took),
        "save" => save(&bytes),
        "bare-restore" => at_home(store::unpack(&bytes)?, |chain, catalog| {
            let start = Instant::now();
            let open = open_bare(chain, catalog)?;
            let took = start.elapsed();
            close_bare(open);
            Ok(took)
        }),
        "bare-save" => at_home(store::unpack(&bytes)?, |chain, catalog| {
            let mut open = open_bare(chain, catalog)?;
            let mut took = Duration::ZERO;
            for (plugin, audio) in open.iter_mut().filter_map(|slot| slot.first_mut()) {
                if let Some((index, value)) = turn(plugin.params()) {
                    plugin.set_value(index, value, AudioAt::Home(audio.as_mut()));
                }
                let start = Instant::now();
                plugin.save(AudioAt::Home(audio.as_mut())).map_err(|error| error.to_string())?;
                took += start.elapsed();
            }
            close_bare(open);
            Ok(took)
        }),
        _ => Err("no such figure".into()),
    }
}

/// A session that has loaded the chain and is active, as a DAW's is that opens its own session; how long both took. (One that is
/// active and given no block waits 200 ms for one before it exchanges anything.)
fn session(bytes: &[u8]) -> Outcome<(SessionHandle, host_core::engine::Processor, Duration)> {
    let (session, processor) = SessionHandle::open(config(CatalogSource::Cache))?;
    let start = Instant::now();
    let problems = session.load(bytes)?;
    session.activate(SETUP)?;
    let took = start.elapsed();
    match problems.first() {
        Some(problem) => Err(format!("{}: {}", problem.title, problem.problem).into()),
        None => Ok((session, processor, took)),
    }
}

/// A save for which every plugin has to be asked: each was turned.
fn save(bytes: &[u8]) -> Outcome<Duration> {
    let (session, _processor, _) = session(bytes)?;
    for slot in &session.snapshot().slots {
        if let Some((index, value)) = turn(&slot.params) {
            session.apply(Command::Param(slot.id, slot.params[index].key.clone(), value))?;
        }
    }
    session.settle();
    let start = Instant::now();
    let saved = session.save()?;
    let took = start.elapsed();
    if saved == bytes { Err("nothing was turned".into()) } else { Ok(took) }
}

/// A parameter to turn, and where to.
fn turn(params: &[ParamInfo]) -> Option<(usize, f64)> {
    let at = params.iter().position(|param| param.automatable && !param.read_only && !param.is_bypass)?;
    let param = &params[at];
    Some((at, param.clamp(param.min + (param.max - param.min) * 0.375)))
}

fn library(root: &Path, figures: &mut Vec<Figure>) -> Outcome<()> {
    let chains = root.join("chains");
    let mut bytes = 0;
    for number in 0..FILES {
        let folder = chains.join(format!("{}", number / TOGETHER));
        std::fs::create_dir_all(&folder)?;
        let packed = store::pack(&chain(number))?;
        bytes += packed.len();
        std::fs::write(folder.join(format!("{number}.catena")), packed)?;
    }
    let look = || {
        let start = Instant::now();
        let library =
            Library::look(std::slice::from_ref(&chains), &root.join("library.json"), &root.join("favourites"));
        (library, milliseconds(start.elapsed()))
    };
    let (library, cold) = look();
    let (_, warm) = look();
    if library.entries().len() != FILES || library.entries().iter().any(|entry| entry.sheet.problem.is_some()) {
        return Err("the library has not read all".into());
    }
    let search = |text: &&str| {
        let words = Words::new(text);
        let time = || {
            let start = Instant::now();
            std::hint::black_box(library.search(&words));
            milliseconds(start.elapsed())
        };
        middle((0..AGAIN).map(|_| time()).collect())
    };
    let slowest = SEARCHES.iter().map(search).fold(0.0, f64::max);
    println!("library: {FILES} files of {} bytes on average; nothing changed: {warm:.0} ms", bytes / FILES);
    figures.push(Figure {
        name: format!("library reads {FILES} chain files, from nothing"),
        value: cold,
        limit: 2000.0,
        unit: "ms",
    });
    figures.push(Figure {
        name: format!("the slowest of {} searches in it", SEARCHES.len()),
        value: slowest,
        limit: 10.0,
        unit: "ms",
    });
    Ok(())
}

/// A chain of eight slots as users have them.
fn chain(number: usize) -> Chain {
    let pick = |words: &[&str], step: usize| words[number / step % words.len()].to_owned();
    let about = About {
        tags: vec![pick(&["vocal", "drums", "bass", "master"], 1), pick(&["warm", "bright", "loud"], 4)],
        authors: vec![pick(&["Ann", "Bob", "Zoë"], 7)],
        licence: pick(&["CC0", "CC BY 4.0", ""], 5),
        notes: format!(
            "Number-{number}, {}",
            pick(&["for the night", "close microphone", "in the room, with care"], 3)
        ),
        ..About::default()
    };
    let mut chain = Chain { name: format!("Chain {number}"), about, ..Chain::default() };
    for place in 0..8 {
        let plugin = pick(&["ZamComp", "ZamEQ2", "ZamDelay", "ZaMaximX2", "ZamGate"], place + 1);
        let id = chain.insert(place, PluginId::clap(format!("com.zamaudio.{plugin}")));
        let Some(slot) = chain.slot_mut(id) else { continue };
        (slot.identity.name, slot.identity.vendor) = (plugin, "Damien Zammit".into());
        slot.params =
            (0..16).map(|key| (format!("param-{key}"), (number * 31 + key * 7 + place) as f64 / 977.0)).collect();
        let bytes: Vec<u8> = (0..400).map(|at| (number * 7 + at * 13 + place) as u8).collect();
        slot.state = Some(PluginState { bytes: bytes.into(), ..PluginState::default() });
    }
    chain
}

fn writes(root: &Path, figures: &mut Vec<Figure>) -> Outcome<()> {
    for size in SIZES {
        let bytes: Vec<u8> = (0..size).map(|at| ((at * 131) >> 3) as u8).collect();
        let (safe, plain) = (root.join("safe.catena"), root.join("plain.catena"));
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for _ in 0..WRITES {
            let start = Instant::now();
            export::file(&safe, &bytes, true)?;
            with.push(milliseconds(start.elapsed()));
            let start = Instant::now();
            let mut file = std::fs::File::create(&plain)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            drop(file);
            without.push(milliseconds(start.elapsed()));
        }
        let (with, without) = (middle(with), middle(without));
        println!("a write of {} KiB: {with:.2} ms, a plain one and its sync {without:.2} ms", size >> 10);
        let name = format!("a crash-safe write of {} KiB, over a plain one and sync", size >> 10);
        figures.push(Figure { name, value: with / without, limit: 2.0, unit: "times" });
    }
    Ok(())
}

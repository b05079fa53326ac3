//! How long it takes until Catena can be used: an instance with an empty chain, one with a saved chain of eight plugins
//! against the plugins alone, a scan of everything from nothing, and a scan when nothing changed.
//!
//! Each instance is opened in a fresh process with the scan of this machine in its cache, so that nothing is warm but the
//! system's own file cache; the middle of several runs counts. `bench-open [--json FILE]`

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::rc::Rc;
use std::time::{Duration, Instant};

use host_core::backend::audio::EventBuffer;
use host_core::backend::{self, Activation, AudioAt, HostContext};
use host_core::engine::{ContainerBlock, Processor};
use host_core::home::home;
use host_core::model::{Catalog, Chain, Folders, PluginId};
use host_core::scan::{self, SearchPaths};
use host_core::session::{CatalogSource, Command as Edit, HostSetup, Purpose, SessionConfig, SessionHandle};
use host_core::store;

/// Sample rate, Hz, and block, frames.
const RATE: f64 = 48_000.0;
const BLOCK: u32 = 256;
/// Fresh processes for each figure.
const RUNS: usize = 9;
/// The saved chain: four CLAP, four LV2.
const PLUGINS: [&str; 8] = [
    "clap:com.zamaudio.ZamEQ2",
    "clap:com.zamaudio.ZamCompX2",
    "clap:com.zamaudio.ZamDelay",
    "clap:com.zamaudio.ZaMaximX2",
    "lv2:http://gareus.org/oss/lv2/fil4#stereo",
    "lv2:http://calf.sourceforge.net/plugins/VintageDelay",
    "lv2:urn:dragonfly:plate",
    "lv2:http://gareus.org/oss/lv2/dpl#stereo",
];

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A figure, and what it is to stay below.
struct Figure {
    name: &'static str,
    ms: f64,
    limit_ms: f64,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        [] => bench(None),
        ["--json", file] => bench(Some(Path::new(file))),
        ["child", "empty"] => child(|| open(None)),
        ["child", "chain", file] => child(|| open(Some(Path::new(file)))),
        ["child", "bare", file] => child(|| bare(Path::new(file))),
        _ => Err("bench-open [--json FILE]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench-open: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(json: Option<&Path>) -> Outcome<()> {
    if cfg!(debug_assertions) {
        eprintln!("bench-open: a debug build: these figures say nothing; cargo xtask bench open builds the release");
    }
    let root = tempfile::tempdir()?;
    let folders = folders(root.path());
    let (cold, catalog) = timed_scan(&folders)?;
    let (warm, _) = timed_scan(&folders)?;
    let chain = root.path().join("eight.catena");
    save_chain(&chain, &catalog)?;
    let empty = middle(root.path(), &["child", "empty"])?;
    let bare = middle(root.path(), &["child", "bare", &chain.to_string_lossy()])?;
    let full = middle(root.path(), &["child", "chain", &chain.to_string_lossy()])?;
    let figures = [
        Figure { name: "instance with an empty chain", ms: empty, limit_ms: 5.0 },
        Figure { name: "instance with 8 plugins, over the plugins alone", ms: full - bare, limit_ms: 50.0 },
        Figure { name: "scan of everything, from nothing", ms: cold, limit_ms: 20_000.0 },
        Figure { name: "scan of everything, nothing changed", ms: warm, limit_ms: 200.0 },
    ];
    println!("{} plugins installed; {RUNS} fresh processes each, the middle one counts", catalog.plugins.len());
    println!("8 plugins alone {bare:.2} ms, in an instance {full:.2} ms\n");
    for Figure { name, ms, limit_ms } in &figures {
        let verdict = if ms <= limit_ms { "reached" } else { "MISSED" };
        println!("{name:<50} {ms:>10.2} ms   at most {limit_ms:>8.0} ms   {verdict}");
    }
    if let Some(file) = json {
        let of =
            |figure: &Figure| serde_json::json!({ "name": figure.name, "ms": figure.ms, "limit_ms": figure.limit_ms });
        let figures: Vec<_> = figures.iter().map(of).collect();
        let all = serde_json::json!({
            "plugins": catalog.plugins.len(), "runs": RUNS, "bare_ms": bare, "full_ms": full, "figures": figures,
        });
        std::fs::write(file, serde_json::to_vec_pretty(&all)?)?;
    }
    Ok(())
}

fn folders(root: &Path) -> Folders {
    let sub = |name: &str| root.join(name).join("catena");
    Folders { data: sub("data"), cache: sub("cache"), config: sub("config"), state: sub("state") }
}

fn timed_scan(folders: &Folders) -> Outcome<(f64, Catalog)> {
    let start = Instant::now();
    let catalog = scan::scan(&SearchPaths::from_env(), folders, false, &mut |_| {})?;
    Ok((milliseconds(start.elapsed()), catalog))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Saves a chain of the eight with their states, as a DAW's session would hold it.
fn save_chain(file: &Path, catalog: &Catalog) -> Outcome<()> {
    let (session, _processor) = SessionHandle::open(config(CatalogSource::Given(catalog.clone().into())))?;
    for (index, plugin) in PLUGINS.iter().enumerate() {
        session.apply(Edit::Add { plugin: plugin.parse::<PluginId>()?, index })?;
    }
    session.activate(SETUP)?;
    std::fs::write(file, session.save()?)?;
    Ok(())
}

/// The middle of what [`RUNS`] fresh processes say, ms.
fn middle(root: &Path, args: &[&str]) -> Outcome<f64> {
    let run = || -> Outcome<f64> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(args);
        for (variable, folder) in [("DATA", "data"), ("CACHE", "cache"), ("CONFIG", "config"), ("STATE", "state")] {
            command.env(format!("XDG_{variable}_HOME"), root.join(folder));
        }
        let output = command.output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let last = said.lines().last().unwrap_or_default();
        last.parse().map_err(|_| format!("{args:?}: {}", String::from_utf8_lossy(&output.stderr)).into())
    };
    let mut times = (0..RUNS).map(|_| run()).collect::<Outcome<Vec<_>>>()?;
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

fn child(work: impl FnOnce() -> Outcome<Duration>) -> Outcome<()> {
    println!("{}", milliseconds(work()?));
    Ok(())
}

const SETUP: HostSetup = HostSetup { rate: RATE, max_block: BLOCK, offline: false };

fn config(catalog: CatalogSource) -> SessionConfig {
    SessionConfig { purpose: Purpose::Daw, channels: 2, sidechain: 2, aux: 0, catalog }
}

/// From nothing to the first block that ran.
fn open(chain: Option<&Path>) -> Outcome<Duration> {
    let bytes = chain.map(std::fs::read).transpose()?;
    let start = Instant::now();
    let (session, mut processor) = SessionHandle::open(config(CatalogSource::Cache))?;
    if let Some(bytes) = bytes {
        let problems = session.load(&bytes)?;
        if let Some(problem) = problems.first() {
            return Err(format!("{}: {}", problem.title, problem.problem).into());
        }
    }
    session.activate(SETUP)?;
    block(&mut processor);
    Ok(start.elapsed())
}

fn block(processor: &mut Processor) {
    let mut channels = [[0.0f32; BLOCK as usize]; 2];
    let mut main: Vec<&mut [f32]> = channels.iter_mut().map(<[f32; BLOCK as usize]>::as_mut_slice).collect();
    let (mut events_in, mut events_out) = (EventBuffer::new(64, false), EventBuffer::new(64, false));
    processor.process(&mut ContainerBlock {
        main: &mut main,
        sidechain: &[],
        aux: &mut [],
        events_in: &mut events_in,
        events_out: &mut events_out,
        transport: None,
        bypass: false,
    });
}

/// The chain's plugins without a session: opened, restored and activated one after the other, on the home thread.
fn bare(chain: &Path) -> Outcome<Duration> {
    let chain = store::unpack(&std::fs::read(chain)?)?;
    let catalog = scan::cached(&Folders::from_env()).ok_or("there is no cache")?;
    let work = move || bare_at_home(&chain, &catalog);
    Ok(home()?.ask(Duration::from_secs(30), work)??)
}

fn bare_at_home(chain: &Chain, catalog: &Catalog) -> Result<Duration, String> {
    let assets: PathBuf = Folders::from_env().cache.join("assets");
    let host = Rc::new(HostContext { name: "Catena".into(), version: "0".into(), assets });
    let how = Activation { rate: RATE, min_block: 1, max_block: BLOCK, offline: false };
    let start = Instant::now();
    let mut open = Vec::new();
    for slot in chain.slots() {
        let entry = catalog.find(&slot.plugin).ok_or_else(|| format!("{} is not installed", slot.plugin))?;
        // A mono plugin runs twice in a stereo chain.
        for _ in 0..2 / entry.ports.main_outputs().clamp(1, 2) {
            let mut plugin = backend::open(entry, &host).map_err(|error| error.to_string())?;
            if let Some(state) = &slot.state {
                plugin.load(state, AudioAt::Inactive).map_err(|error| error.to_string())?;
            }
            let audio = plugin.activate(how).map_err(|error| error.to_string())?;
            open.push((plugin, audio));
        }
    }
    let took = start.elapsed();
    for (mut plugin, audio) in open {
        plugin.deactivate(audio);
    }
    Ok(took)
}

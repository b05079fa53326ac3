//! How long it takes until Catena can be used: an instance with an empty chain, one with a saved chain of eight plugins
//! against the plugins alone, a scan of everything from nothing, and a scan when nothing changed.
//!
//! Each instance is opened in a fresh process with the scan of this machine in its cache, so that nothing is warm but the
//! system's own file cache; the middle of several runs counts. `bench-open [--json FILE]`

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use catena_tests::fresh::{
    BLOCK, Outcome, RUNS, SETUP, at_home, child, close_bare, config, ended, folders, milliseconds, of_processes,
    open_bare, save_chain,
};
use host_core::backend::audio::EventBuffer;
use host_core::engine::{ContainerBlock, Processor};
use host_core::model::{Catalog, Folders};
use host_core::scan::{self, SearchPaths};
use host_core::session::{CatalogSource, SessionHandle};
use host_core::store;

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
    ended("bench-open", done)
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
    save_chain(&chain, &catalog, 1)?;
    let empty = of_processes(root.path(), &["child", "empty"])?;
    let bare = of_processes(root.path(), &["child", "bare", &chain.to_string_lossy()])?;
    let full = of_processes(root.path(), &["child", "chain", &chain.to_string_lossy()])?;
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

fn timed_scan(folders: &Folders) -> Outcome<(f64, Catalog)> {
    let start = Instant::now();
    let catalog = scan::scan(&SearchPaths::from_env(), folders, false, &mut |_| {})?;
    Ok((milliseconds(start.elapsed()), catalog))
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
    at_home(store::unpack(&std::fs::read(chain)?)?, |chain, catalog| {
        let start = Instant::now();
        let open = open_bare(chain, catalog)?;
        let took = start.elapsed();
        close_bare(open);
        Ok(took)
    })
}

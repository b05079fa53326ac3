//! Programs that measure themselves in fresh processes, in which nothing is warm but the system's own file cache; and the chain that
//! they open.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::rc::Rc;
use std::time::Duration;

use host_core::backend::{self, Activation, AudioAt, HostContext, PluginAudio, PluginMain};
use host_core::home::home;
use host_core::model::{Catalog, Chain, Folders, PluginId};
use host_core::scan;
use host_core::session::{CatalogSource, Command as Edit, HostSetup, Purpose, SessionConfig, SessionHandle};

/// Sample rate, Hz, and block, frames.
const RATE: f64 = 48_000.0;
/// Largest block, frames.
pub const BLOCK: u32 = 256;
/// Fresh processes for each figure.
pub const RUNS: usize = 9;
/// How the plugins run.
pub const SETUP: HostSetup = HostSetup { rate: RATE, max_block: BLOCK, offline: false };
/// The saved chain's plugins: four CLAP, four LV2.
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

/// What may go wrong.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// How a program that measures ends.
pub fn ended(name: &str, done: Outcome<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A user's folders below `root`.
pub fn folders(root: &Path) -> Folders {
    let sub = |name: &str| root.join(name).join("catena");
    Folders { data: sub("data"), cache: sub("cache"), config: sub("config"), state: sub("state") }
}

/// A time in ms.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The middle one.
pub fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The middle of what [`RUNS`] fresh processes of this program say, ms.
pub fn of_processes(root: &Path, args: &[&str]) -> Outcome<f64> {
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
    (0..RUNS).map(|_| run()).collect::<Outcome<Vec<_>>>().map(middle)
}

/// Says how long `work` took, to the process that asked.
pub fn child(work: impl FnOnce() -> Outcome<Duration>) -> Outcome<()> {
    println!("{}", milliseconds(work()?));
    Ok(())
}

/// Saves a chain of the eight, `times` times over, with their states, as a DAW's session would hold it.
pub fn save_chain(file: &Path, catalog: &Catalog, times: usize) -> Outcome<()> {
    let (session, _processor) = SessionHandle::open(config(CatalogSource::Given(catalog.clone().into())))?;
    for (index, plugin) in std::iter::repeat_n(PLUGINS, times).flatten().enumerate() {
        session.apply(Edit::Add { plugin: plugin.parse::<PluginId>()?, index })?;
    }
    session.activate(SETUP)?;
    std::fs::write(file, session.save()?)?;
    Ok(())
}

/// A stereo session.
pub fn config(catalog: CatalogSource) -> SessionConfig {
    SessionConfig { purpose: Purpose::Daw, channels: 2, sidechain: 2, aux: 0, catalog }
}

/// A plugin without a session, active.
pub type Bare = (Box<dyn PluginMain>, Box<dyn PluginAudio>);

/// Lets `work` at the chain on the home thread, with the catalog in the cache.
pub fn at_home(
    chain: Chain,
    work: impl FnOnce(&Chain, &Catalog) -> Result<Duration, String> + Send + 'static,
) -> Outcome<Duration> {
    let catalog = scan::cached(&Folders::from_env()).ok_or("there is no cache")?;
    Ok(home()?.ask(Duration::from_secs(30), move || work(&chain, &catalog))??)
}

/// The chain's plugins without a session: opened, restored and activated one after the other, slot by slot.
pub fn open_bare(chain: &Chain, catalog: &Catalog) -> Result<Vec<Vec<Bare>>, String> {
    let assets = Folders::from_env().assets();
    let host = Rc::new(HostContext { name: "Catena".into(), version: "0".into(), assets });
    let how = Activation { rate: RATE, min_block: 1, max_block: BLOCK, offline: false };
    let mut open = Vec::new();
    for slot in chain.slots() {
        let entry = catalog.find(&slot.plugin).ok_or_else(|| format!("{} is not installed", slot.plugin))?;
        let mut instances = Vec::new();
        // A mono plugin runs twice in a stereo chain.
        for _ in 0..2 / entry.ports.main_outputs().clamp(1, 2) {
            let mut plugin = backend::open(entry, &host).map_err(|error| error.to_string())?;
            if let Some(state) = &slot.state {
                plugin.load(state, AudioAt::Inactive).map_err(|error| error.to_string())?;
            }
            let audio = plugin.activate(how).map_err(|error| error.to_string())?;
            instances.push((plugin, audio));
        }
        open.push(instances);
    }
    Ok(open)
}

/// Deactivates and closes them.
pub fn close_bare(open: Vec<Vec<Bare>>) {
    for (mut plugin, audio) in open.into_iter().flatten() {
        plugin.deactivate(audio);
    }
}

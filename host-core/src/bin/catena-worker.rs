//! catena-worker: a lean child process that looks at plugins on behalf of a scan, so that their faults end here.
//!
//! Started by [`host_core::child::ask`] alone. It greets with its version, reads one request, answers in JSON lines
//! and ends. What the plugins print goes to the standard error.

#[path = "catena-worker/measure.rs"]
mod measure;
#[path = "catena-worker/qualify.rs"]
mod qualify;

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::rc::Rc;

use host_core::backend::audio::{Block, EventBuffer, ParamQueue, RunStatus};
use host_core::backend::{self, Activation, Described, HostContext, PluginMain};
use host_core::child::greeting;
use host_core::model::{BadFile, GRID, PluginEntry};
use host_core::scan::protocol::{Reply, Request};
use rustix::process::{Resource, Rlimit, Signal};

/// Memory a plugin may take while it is looked at, bytes.
const MEMORY: u64 = 4 << 30;
/// So many parameters of a plugin are used; one that has them all lies or is broken, and is named.
const MANY_PARAMS: usize = 65_536;
/// Rate of a probe, Hz, and longest block it offers, frames.
const RATE: f64 = 48_000.0;
const MAX_BLOCK: u32 = 4096;
/// Blocks run at each length.
const BLOCKS: usize = 8;

fn main() -> std::process::ExitCode {
    if std::env::args_os().len() > 1 {
        println!("{}: started by Catena itself, to look at plugins apart from it", greeting());
        return std::process::ExitCode::SUCCESS;
    }
    match serve() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("catena-worker: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn serve() -> io::Result<()> {
    let mut out = seclude()?;
    writeln!(out, "{}", greeting())?;
    let mut request = String::new();
    io::stdin().lock().read_line(&mut request)?;
    nix::unistd::dup2_stdin(File::open("/dev/null")?)?;
    let request = serde_json::from_str(&request)?;
    let mut out = Answers(out);
    match request {
        Request::Clap { path, assets } => {
            let host = host(assets);
            out.learnt(backend::describe_clap(&path, &host))
        }
        Request::Lv2 { bundles } => {
            let mut begun = Ok(());
            let learnt = backend::describe_lv2(&bundles, &mut |bundles| begun = out.say(&Reply::Begun(bundles.into())));
            begun?;
            out.learnt(learnt)
        }
        Request::Probe { entry, blocks, assets } => probe(&entry, &blocks, &host(assets), &mut out),
        Request::Qualify { entry, rates, assets } => {
            let host = host(assets);
            let found = backend::open(&entry, &host).map_err(|error| error.to_string()).and_then(|mut plugin| {
                let mut measured = Ok(());
                for &rate in &rates {
                    let told = measure::at(plugin.as_mut(), entry.min_block, rate);
                    measured =
                        measured.and_then(|()| out.say(&Reply::Measured(told)).map_err(|error| error.to_string()));
                }
                drop(plugin);
                measured.and_then(|()| qualify::all(&entry, &rates, &host))
            });
            match found {
                Err(reason) => out.say(&Reply::Failed(reason)),
                Ok(found) => {
                    out.say(&Reply::Qualified(Box::new(found)))?;
                    out.say(&Reply::Done)
                }
            }
        }
        Request::Measure { entry, rates, assets } => {
            let mut plugin = match backend::open(&entry, &host(assets)) {
                Ok(plugin) => plugin,
                Err(error) => return out.say(&Reply::Failed(error.to_string())),
            };
            for rate in rates {
                out.say(&Reply::Measured(measure::at(plugin.as_mut(), entry.min_block, rate)))?;
            }
            out.say(&Reply::Done)
        }
    }
}

/// Cuts all ties to the process that started us, and returns where to answer: a descriptor that plugins do not know.
fn seclude() -> io::Result<File> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    let out = File::from(rustix::io::fcntl_dupfd_cloexec(io::stdout(), 3)?);
    nix::unistd::dup2_stdout(io::stderr())?;
    close_others(&out)?;
    // Where limits cannot be set, the time limit still holds.
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let _no_core_files = rustix::process::setrlimit(Resource::Core, none);
    let memory = Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
    let _limited = rustix::process::setrlimit(Resource::Data, memory);
    let _first_to_go = std::fs::write("/proc/self/oom_score_adj", "1000");
    Ok(out)
}

/// Closes what a DAW left open in us: its sound card, its files, its sockets.
fn close_others(keep: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let names = std::fs::read_dir("/proc/self/fd")?;
    let open: Vec<i32> = names.flatten().filter_map(|name| name.file_name().to_str()?.parse().ok()).collect();
    for fd in open.into_iter().filter(|fd| *fd > 2 && *fd != keep.as_raw_fd()) {
        // One of them was the list itself and is closed already.
        let _closed = nix::unistd::close(fd);
    }
    Ok(())
}

fn host(assets: PathBuf) -> Rc<HostContext> {
    Rc::new(HostContext { name: "Catena".into(), version: env!("CARGO_PKG_VERSION").into(), assets })
}

struct Answers(File);

impl Answers {
    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        let mut line = serde_json::to_vec(reply)?;
        line.push(b'\n');
        // One write, so that whatever happens next, the line is whole.
        self.0.write_all(&line)
    }

    fn learnt(&mut self, learnt: Result<Described, backend::OpenError>) -> io::Result<()> {
        match learnt {
            Err(error) => self.say(&Reply::Failed(error.to_string())),
            Ok((plugins, bad)) => {
                for mut entry in plugins {
                    if entry.params.len() >= MANY_PARAMS {
                        let reason =
                            format!("claims more parameters than Catena takes; the first {MANY_PARAMS} are used");
                        let path = entry.location.path().to_path_buf();
                        self.say(&Reply::Bad(BadFile { path, plugin: Some(entry.id.clone()), reason }))?;
                    }
                    // Read from the plugin when it is opened; in the cache they would only cost time.
                    entry.params = Vec::new();
                    self.say(&Reply::Plugin(Box::new(entry)))?;
                }
                bad.into_iter().try_for_each(|file| self.say(&Reply::Bad(file)))?;
                self.say(&Reply::Done)
            }
        }
    }
}

fn probe(entry: &PluginEntry, blocks: &[u32], host: &Rc<HostContext>, out: &mut Answers) -> io::Result<()> {
    let mut plugin = match backend::open(entry, host) {
        Ok(plugin) => plugin,
        Err(error) => return out.say(&Reply::Failed(error.to_string())),
    };
    out.say(&Reply::Opened(plugin.ports().clone()))?;
    for block in blocks {
        match run(plugin.as_mut(), *block) {
            Ok(()) => out.say(&Reply::Ran(*block))?,
            Err(reason) => out.say(&Reply::Refused(*block, reason))?,
        }
    }
    drop(plugin);
    out.say(&Reply::Done)
}

/// Runs a few blocks of `frames` frames of silence and a click.
fn run(plugin: &mut dyn PluginMain, frames: u32) -> Result<(), String> {
    let how = Activation { rate: RATE, min_block: frames, max_block: MAX_BLOCK, offline: true };
    let mut audio = plugin.activate(how).map_err(|error| error.to_string())?;
    let (events, mut events_out, mut params_out) =
        (EventBuffer::new(16, false), EventBuffer::new(1024, true), ParamQueue::new(1024));
    let mut result = if audio.start() { Ok(()) } else { Err("refused to start processing".to_owned()) };
    for index in 0..BLOCKS {
        if result.is_err() {
            break;
        }
        for bus in &mut audio.buffers().inputs {
            for channel in &mut bus.channels {
                channel.fill(0.0);
                channel[0] = if index == 0 { 0.5 } else { 0.0 };
            }
        }
        events_out.clear();
        params_out.clear();
        let mut block = Block {
            frames,
            steady_time: i64::from(frames) * index as i64,
            grid: GRID,
            transport: None,
            events: &events,
            params: &[],
            events_out: &mut events_out,
            params_out: &mut params_out,
        };
        if audio.run(&mut block) == RunStatus::Failed {
            result = Err("failed while processing".to_owned());
        }
    }
    audio.stop();
    plugin.deactivate(audio);
    result
}

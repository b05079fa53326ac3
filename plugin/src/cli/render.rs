//! `catena render`: an audio file through a chain.

mod report;
mod run;
mod tail;

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use host_core::model::{Catalog, Chain, Folders, RATE_RANGE};
use host_core::scan;
use host_core::session::{HostSetup, Listen, Purpose, SessionHandle};

use super::args::{Bits, Render};
use super::audio::{Resampled, Sink, Source, WavFormat};
use super::chain::{doubts, open_chain, open_session, problems};
use super::progress::Progress;
use super::{Failure, find, out};
use report::Report;

/// Renders.
pub fn run(task: &Render) -> Result<(), Failure> {
    check_output(&task.output)?;
    let mut chain = chain(task)?;
    chain.cores |= task.cores;
    let source = Source::open(&task.input)?;
    check_distinct(&task.input, &task.output)?;
    let rate = chosen_rate(task, &source)?;
    let format = match task.bits {
        None => source.format,
        Some(Bits::Int16) => WavFormat::Int16,
        Some(Bits::Int24) => WavFormat::Int24,
        Some(Bits::Float32) => WavFormat::Float32,
    };
    let input = Resampled::new(source, rate)?;
    // An empty chain needs no plugins, so nothing is scanned for it.
    let catalog = if chain.slots().next().is_none() { Catalog::default() } else { find::catalog()? };
    if chain.cores {
        // Which of them get helpers is known by their files' hashes.
        scan::find_origins(chain.slots().filter_map(|slot| catalog.find(&slot.plugin)), &Folders::from_env());
    }
    let (session, processor) = open_session(Purpose::Offline, input.shape.channels, 0, catalog)?;
    load(&session, &chain, task, rate)?;
    if task.tells() {
        session.listen(Listen::Everything);
    }
    let sink = Sink::create(&task.output, input.shape, format)?;
    let done = run::Run::new(task, &session, processor, input, sink).finish();
    session.deactivate();
    let report = done?;
    tell(task, &report)
}

/// The chain; a damaged one only where that is wanted.
fn chain(task: &Render) -> Result<Chain, Failure> {
    let (chain, lost) = open_chain(&task.chain)?;
    match lost.first() {
        Some(first) if !task.keep_going => {
            Err(Failure::failed(format!("{first}; render it as it is with --keep-going")))
        }
        _ => {
            lost.iter().for_each(|line| out::note(format_args!("note: {line}")));
            Ok(chain)
        }
    }
}

/// OUT must be a place where a wav file can be.
fn check_output(output: &Path) -> Result<(), Failure> {
    let shown = output.display();
    let wav = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wav"));
    if !wav {
        return Err(Failure::usage(format!("{shown}: the output is a wav file; give it a name that ends in .wav")));
    }
    match std::fs::metadata(output) {
        Ok(meta) if !meta.is_file() => {
            return Err(Failure::failed(format!("{shown}: is there and is no file; choose another name")));
        }
        _ => {}
    }
    match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Failure::failed(format!("{}: there is no such folder to write to", folder.display())))
        }
        _ => Ok(()),
    }
}

/// OUT over IN would end with neither.
fn check_distinct(input: &Path, output: &Path) -> Result<(), Failure> {
    let (Ok(a), Ok(b)) = (std::fs::metadata(input), std::fs::metadata(output)) else { return Ok(()) };
    if (a.dev(), a.ino()) == (b.dev(), b.ino()) {
        let (input, output) = (input.display(), output.display());
        return Err(Failure::usage(format!("{output} is the same file as {input}; give the output another name")));
    }
    Ok(())
}

fn chosen_rate(task: &Render, source: &Source) -> Result<u32, Failure> {
    let rate = task.rate.unwrap_or(source.shape.rate);
    if RATE_RANGE.contains(&f64::from(rate)) {
        return Ok(rate);
    }
    let (min, max, input) = (RATE_RANGE.start(), RATE_RANGE.end(), task.input.display());
    Err(Failure::failed(format!("{input}: has {rate} Hz; chains run at {min} to {max} Hz: choose one with --rate")))
}

fn load(session: &SessionHandle, chain: &Chain, task: &Render, rate: u32) -> Result<(), Failure> {
    let waiting = Progress::waiting("Opening the chain");
    let mut wrong = problems(&session.load_chain(chain.clone())?);
    session.activate(HostSetup { rate: rate.into(), max_block: task.block, offline: true })?;
    session.settle();
    drop(waiting);
    let doubts = doubts(chain, session);
    doubts.iter().for_each(|doubt| out::note(format_args!("note: {}", doubt.line(&task.chain))));
    wrong.extend(report::faults(&session.snapshot()));
    wrong.dedup();
    if wrong.is_empty() {
        return Ok(());
    }
    if task.keep_going {
        wrong.iter().for_each(|text| out::note(format_args!("note: {text}; the sound passes it unchanged")));
        return Ok(());
    }
    let chain = task.chain.display();
    Err(Failure::failed(format!("{chain}: {}. With --keep-going it is rendered all the same", wrong.join("; "))))
}

fn tell(task: &Render, report: &Report) -> Result<(), Failure> {
    report.warn(task.keep_going)?;
    let said = match (task.json, task.report) {
        (true, _) => out::json(report),
        (false, true) => report.say(),
        (false, false) => Ok(()),
    };
    said.map_err(|failure| match failure {
        Failure::Failed(text) => Failure::failed(format!("{} is written, but {text}", task.output.display())),
        other => other,
    })
}

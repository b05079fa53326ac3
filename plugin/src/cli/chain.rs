//! Chain files and the sessions that run them.

use std::path::Path;

use host_core::engine::Processor;
use host_core::model::{Catalog, Chain};
use host_core::session::{CatalogSource, HostSetup, Purpose, SessionConfig, SessionHandle, SlotReport, SlotView};
use host_core::store::{self, Opened};
use serde::Serialize;

use super::{Failure, lanes, log, out};

/// Reads the chain in `path`. What was lost of a damaged one is said.
pub fn read_chain(path: &Path) -> Result<Chain, Failure> {
    let (chain, lost) = open_chain(path)?;
    lost.iter().for_each(|line| out::note(format_args!("note: {line}")));
    Ok(chain)
}

/// Reads the chain in `path`, with a line for each thing that was lost of it.
pub fn open_chain(path: &Path) -> Result<(Chain, Vec<String>), Failure> {
    let Opened { chain, lost } = store::open(path)?;
    let lost: Vec<_> = lost.into_iter().map(|what| format!("{}: {what}", path.display())).collect();
    for line in &lost {
        log::line(log::Level::Warning, line);
    }
    Ok((chain, lost))
}

/// Writes `chain` to `path`, in one step. A damaged chain that is there is kept beside it: the answer, said already, tells where.
pub fn write_chain(path: &Path, chain: &Chain) -> Result<Option<String>, Failure> {
    let aside = store::write_over(path, chain)?;
    let text =
        aside.map(|aside| format!("{}: was damaged; what it held is kept in {}", path.display(), aside.display()));
    if let Some(text) = &text {
        log::line(log::Level::Warning, text);
        out::note(format_args!("note: {text}"));
    }
    Ok(text)
}

/// The slots whose plugin is not the one that was saved: the number in `chain`, what it is called, and in what it is another.
pub fn doubts(chain: &Chain, session: &SessionHandle) -> Vec<Doubt> {
    let snapshot = session.snapshot();
    let asked = snapshot.slots.iter().filter(|slot| !slot.doubts.is_empty());
    let doubt = |slot: &SlotView| Doubt {
        slot: lanes::number(chain, slot.id),
        title: slot.title.clone(),
        doubts: slot.doubts.clone(),
    };
    asked.map(doubt).collect()
}

/// What is asked of a slot.
#[derive(Debug, Serialize)]
pub struct Doubt {
    slot: String,
    title: String,
    doubts: Vec<String>,
}

impl Doubt {
    /// In one line, with the answer to it.
    pub fn line(&self, file: &Path) -> String {
        let Self { slot, title, doubts } = self;
        let (doubts, file) = (doubts.join("; "), file.display());
        format!(
            "{title} is not the plugin that was saved: {doubts}; `catena edit {file} accept {slot}` takes it as it is"
        )
    }
}

/// A session over `catalog`; one that plays reads the scan's own.
pub fn open_session(
    purpose: Purpose,
    channels: u16,
    sidechain: u16,
    catalog: Catalog,
) -> Result<(SessionHandle, Processor), Failure> {
    out::quiet_plugins();
    let catalog = match purpose {
        // What is found while it is open is to be seen.
        Purpose::Standalone => CatalogSource::Cache,
        Purpose::Daw | Purpose::Offline => CatalogSource::Given(catalog.into()),
    };
    Ok(SessionHandle::open(SessionConfig { purpose, channels, sidechain, aux: 0, catalog })?)
}

/// How plugins are tried while no file says at what rate: what most cards run at.
pub const TRIAL: HostSetup = HostSetup { rate: 48_000.0, max_block: 1024, offline: true };

/// One sentence for each slot that could not be opened.
pub fn problems(reports: &[SlotReport]) -> Vec<String> {
    let lines: Vec<_> = reports.iter().map(|report| format!("{}: {}", report.title, report.problem)).collect();
    for line in &lines {
        log::line(log::Level::Warning, line);
    }
    lines
}

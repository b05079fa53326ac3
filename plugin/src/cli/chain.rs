//! Chain files and the sessions that run them.

use std::path::Path;

use host_core::engine::Processor;
use host_core::model::{Catalog, Chain};
use host_core::session::{CatalogSource, HostSetup, Purpose, SessionConfig, SessionHandle, SlotReport};
use host_core::store;

use super::{Failure, log, out};

/// Reads the chain in `path`.
pub fn read_chain(path: &Path) -> Result<Chain, Failure> {
    Ok(store::read(path)?)
}

/// Writes `chain` to `path`, in one step.
pub fn write_chain(path: &Path, chain: &Chain) -> Result<(), Failure> {
    Ok(store::write(path, chain)?)
}

/// A session over `catalog`.
pub fn open_session(
    purpose: Purpose,
    channels: u16,
    sidechain: u16,
    catalog: Catalog,
) -> Result<(SessionHandle, Processor), Failure> {
    out::quiet_plugins();
    let catalog = CatalogSource::Given(catalog.into());
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

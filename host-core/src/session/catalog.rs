//! The plugins that sessions of this process know of: one catalog for all, read again when the scan cache changes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::CatalogSource;
use crate::model::{Catalog, Chain, Folders, PluginEntry, PluginId, lanes};
use crate::{child, scan};

/// The cache as last read: its file and time, and what it held.
type Read = Option<(PathBuf, Option<SystemTime>, Arc<Catalog>)>;

static READ: Mutex<Read> = Mutex::new(None);

/// The catalog that `source` names. `[any but audio]`
pub(super) fn catalog(source: &CatalogSource) -> Arc<Catalog> {
    match source {
        CatalogSource::Given(catalog) => catalog.clone(),
        CatalogSource::Cache => from_cache(&Folders::from_env()),
    }
}

fn from_cache(folders: &Folders) -> Arc<Catalog> {
    let file = folders.scan_cache();
    let time = std::fs::metadata(&file).and_then(|data| data.modified()).ok();
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, known_time, catalog)) = &*read
        && *known == file
        && *known_time == time
    {
        return catalog.clone();
    }
    let catalog = Arc::new(scan::cached(folders).unwrap_or_default());
    *read = Some((file, time, catalog.clone()));
    catalog
}

/// The catalog for loading `wanted`: where it lacks one of them, plugins may have been installed since the last scan, so changed
/// files are looked at once more. Then every LV2 among them that was never used is probed in a child. Not on home: both wait
/// for children. With it, why no scan could be made. `[any but audio and home]`
pub(super) fn ready_for<'a>(
    source: &CatalogSource,
    wanted: impl Iterator<Item = &'a PluginId> + Clone,
) -> (Arc<Catalog>, Option<String>) {
    let folders = Folders::from_env();
    let mut known = catalog(source);
    let CatalogSource::Cache = source else { return (known, None) };
    if child::is_inside() {
        return (known, None);
    }
    let mut problem = None;
    if wanted.clone().any(|id| known.find(id).is_none()) {
        match scan::scan(&super::search_paths(), &folders, false, &mut |_| {}) {
            Ok(fresh) => known = Arc::new(fresh),
            Err(error) => problem = Some(format!("plugins could not be looked for: {error}")),
        }
    }
    scan::find_origins(wanted.clone().filter_map(|id| known.find(id)), &folders);
    let probed: Vec<_> = wanted.filter_map(|id| known.find(id)).map(|entry| scan::probe(entry, &folders)).collect();
    (with_probed(known, probed), problem)
}

/// The catalog with what probes found.
fn with_probed(known: Arc<Catalog>, probed: Vec<Result<PluginEntry, String>>) -> Arc<Catalog> {
    let news: Vec<_> = probed.into_iter().flatten().filter(|fresh| known.find(&fresh.id) != Some(fresh)).collect();
    if news.is_empty() {
        return known;
    }
    let mut catalog = Catalog::clone(&known);
    for fresh in news {
        if let Some(old) = catalog.plugins.iter_mut().find(|old| old.id == fresh.id) {
            *old = fresh;
        }
    }
    Arc::new(catalog)
}

/// The plugins a chain names.
pub(super) fn wanted(chain: &Chain) -> impl Iterator<Item = &PluginId> + Clone {
    let kept = chain.snapshots.stored.values().flat_map(|scene| lanes::slots(&scene.nodes));
    lanes::slots(&chain.nodes).into_iter().chain(kept).map(|slot| &slot.plugin)
}

//! Describing LV2 bundles: all together, and where that fails, without those that make it fail.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::paths::Stamp;
use super::protocol::Request;
use super::work::{Job, Learnt, learn, line};
use crate::child::{ChildError, ask};
use crate::model::BadFile;

/// Bundles are many: the limit of one file is no measure for all of them.
const SHARE: u32 = 4;

/// Describes all bundles of the search paths.
pub fn describe(worker: &Path, job: &Job<'_>, _bundles: &BTreeMap<PathBuf, Stamp>) -> Result<Learnt, ChildError> {
    let request = Request::Lv2 { paths: job.paths.lv2.clone(), assets: job.folders.assets() };
    let answer = ask(worker, &line(&request), job.limit * SHARE)?;
    Ok(match learn(&answer) {
        Ok(learnt) => learnt,
        Err(reason) => {
            let bad = |path: &PathBuf| BadFile { path: path.clone(), plugin: None, reason: reason.clone() };
            (vec![], job.paths.lv2.iter().map(bad).collect())
        }
    })
}

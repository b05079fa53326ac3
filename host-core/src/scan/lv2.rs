//! Describing LV2 bundles: all together, since they speak of each other, and where that fails, without the one that makes it fail.
//!
//! The child says which bundles it reads next. When it dies or hangs, one of those is the guilty one: it is listed with the
//! reason, and the others are described by a fresh child. Most descriptions come from one bundle alone; where more have a hand
//! in it, they are tried one by one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::paths::Stamp;
use super::protocol::{Reply, Request, replies};
use super::work::{Learnt, learn, line, why};
use crate::child::{Answer, ChildError, ask_many};
use crate::model::BadFile;

/// What was learnt of the bundles.
pub struct Described {
    /// Plugins, and what cannot be used.
    pub learnt: Learnt,
    /// Bundles that kill or hold up whoever reads them.
    pub guilty: Vec<BadFile>,
}

/// What describes them.
pub struct Describer<'a> {
    /// The program.
    pub worker: &'a Path,
    /// Time for one bundle.
    pub limit: Duration,
}

impl Describer<'_> {
    /// Describes `bundles`, but for those that are known to be `guilty`.
    pub fn describe(&self, bundles: &[PathBuf], guilty: Vec<BadFile>) -> Result<Described, ChildError> {
        let mut guilty = guilty;
        loop {
            let left: Vec<_> =
                bundles.iter().filter(|bundle| guilty.iter().all(|bad| !same(&bad.path, bundle))).cloned().collect();
            let answer = self.ask(&left)?;
            let reason = match learn(&answer) {
                Ok(learnt) => return Ok(Described { learnt, guilty }),
                Err(reason) => reason,
            };
            match self.guilty(&answer, &left)? {
                Some(bad) => guilty.push(bad),
                None => return Ok(Described { learnt: (vec![], all_bad(&left, &reason)), guilty }),
            }
        }
    }

    fn ask(&self, bundles: &[PathBuf]) -> Result<Answer, ChildError> {
        ask_many(self.worker, &line(&Request::Lv2 { bundles: bundles.to_vec() }), self.limit)
    }

    /// Who made the child end, by what it read last. `None`: it does not say.
    fn guilty(&self, answer: &Answer, asked: &[PathBuf]) -> Result<Option<BadFile>, ChildError> {
        let read = replies(&answer.lines).into_iter().rev().find_map(|reply| match reply {
            Reply::Begun(bundles) => Some(bundles),
            _ => None,
        });
        let as_asked = |bundle: &PathBuf| asked.iter().find(|one| same(one, bundle)).cloned();
        let suspects: Vec<_> = read.iter().flatten().filter_map(as_asked).collect();
        let Some(first) = suspects.first() else { return Ok(None) };
        let bad = |path: &Path, reason| Some(BadFile { path: path.into(), plugin: None, reason });
        if suspects.len() > 1 {
            if let Some(reason) = self.fails(&[first])? {
                return Ok(bad(first, reason));
            }
            for other in &suspects[1..] {
                if let Some(reason) = self.fails(&[first, other])? {
                    return Ok(bad(other, reason));
                }
            }
        }
        Ok(bad(first, why(answer)))
    }

    /// Why these few do not come through alone; `None` where they do.
    fn fails(&self, bundles: &[&PathBuf]) -> Result<Option<String>, ChildError> {
        let bundles: Vec<_> = bundles.iter().copied().cloned().collect();
        Ok(learn(&self.ask(&bundles)?).err())
    }
}

/// Which bundles of the last scan's guilty ones are still as they were: a child need not die of them again.
pub fn still_guilty(
    guilty: &[BadFile],
    then: &BTreeMap<PathBuf, Stamp>,
    now: &BTreeMap<PathBuf, Stamp>,
) -> Vec<BadFile> {
    let unchanged = |bad: &&BadFile| now.get(&bad.path).is_some_and(|stamp| then.get(&bad.path) == Some(stamp));
    guilty.iter().filter(unchanged).cloned().collect()
}

fn all_bad(bundles: &[PathBuf], reason: &str) -> Vec<BadFile> {
    bundles.iter().map(|path| BadFile { path: path.clone(), plugin: None, reason: reason.into() }).collect()
}

/// Whether two paths are one but for a slash at the end.
fn same(a: &Path, b: &Path) -> bool {
    a.components().eq(b.components())
}

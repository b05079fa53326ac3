//! One scan: what changed goes to children, two at once; the rest comes from the cache.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use super::cache::{Cache, ClapFile};
use super::protocol::{Reply, Request, replies};
use super::{Progress, ScanError, SearchPaths, elf, lv2, paths};
use crate::child::{Answer, ChildError, End, ask, find_worker};
use crate::model::{BadFile, Folders, PluginEntry};

/// Children at one time.
const AT_ONCE: usize = 2;

/// What a scan is to do.
pub struct Job<'a> {
    /// Time for one child.
    pub limit: Duration,
    /// Where to look.
    pub paths: &'a SearchPaths,
    /// The user's folders.
    pub folders: &'a Folders,
    /// What is known already.
    pub old: &'a Cache,
    /// Ends it early.
    pub stop: Option<&'a AtomicBool>,
}

/// What was learnt of a file or of all bundles: plugins, and what cannot be used.
pub type Learnt = (Vec<PluginEntry>, Vec<BadFile>);

enum Task {
    Clap(usize),
    Lv2,
}

/// Scans.
pub fn scan(job: &Job<'_>, progress: &mut dyn FnMut(&Progress)) -> Result<Cache, ScanError> {
    let (files, unreadable): (Vec<_>, Vec<_>) =
        job.paths.clap_files().into_iter().partition(|path| path.to_str().is_some());
    let known: HashMap<&Path, &ClapFile> = job.old.clap.iter().map(|file| (file.path.as_path(), file)).collect();
    let mut clap: Vec<_> = files.into_iter().map(|path| fresh_or_known(path, &known)).collect();
    let in_order: Vec<_> = job.paths.lv2_bundles().into_iter().filter(|path| path.to_str().is_some()).collect();
    let bundles: BTreeMap<PathBuf, paths::Stamp> =
        in_order.iter().map(|path| (path.clone(), paths::stamp(path))).collect();

    let mut lv2 = job.old.lv2.clone();
    let lv2_changed = lv2.bundles != bundles;
    // The bundles take longest: they go first.
    let mut tasks: Vec<Task> = (0..clap.len()).filter(|index| !clap[*index].1).map(Task::Clap).collect();
    let total = clap.len() + bundles.len();
    let mut done = total - tasks.len();
    if lv2_changed {
        tasks.insert(0, Task::Lv2);
        done -= bundles.len();
    }
    if !tasks.is_empty() {
        let worker = find_worker()?;
        let clap_paths: Vec<PathBuf> = clap.iter().map(|(file, _)| file.path.clone()).collect();
        let look = |task: &Task| match task {
            Task::Clap(index) => Ok(Found::Clap(describe_clap(&worker, job, &clap_paths[*index])?)),
            Task::Lv2 => {
                let known = lv2::still_guilty(&job.old.lv2.guilty, &job.old.lv2.bundles, &bundles);
                let described = lv2::Describer { worker: &worker, limit: job.limit }.describe(&in_order, known)?;
                Ok(Found::Lv2(described))
            }
        };
        let name = |task: &Task| match task {
            Task::Clap(index) => clap_paths[*index].display().to_string(),
            Task::Lv2 => "LV2 bundles".to_owned(),
        };
        let stopped = || job.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        run(&tasks, (&look, &stopped), &mut |event| match event {
            Event::Begun(task) => progress(&Progress { done, total, current: name(task) }),
            Event::Done(task, found) => {
                match (task, found) {
                    (Task::Clap(index), Found::Clap(learnt)) => {
                        let file = &mut clap[*index].0;
                        (file.plugins, file.bad) = learnt;
                        done += 1;
                    }
                    (_, Found::Lv2(described)) => {
                        (lv2.plugins, lv2.bad) = described.learnt;
                        lv2.guilty = described.guilty;
                        done += bundles.len();
                    }
                    (Task::Lv2, Found::Clap(_)) => {}
                }
                progress(&Progress { done, total, current: name(task) });
            }
        })?;
    }
    lv2.bundles = bundles;
    let mut clap: Vec<ClapFile> = clap.into_iter().map(|(file, _)| file).collect();
    clap.extend(unreadable.iter().map(|path| nameless(path)));
    Ok(Cache { clap, lv2 })
}

/// What the cache knows of a file as it is now, and whether it does.
fn fresh_or_known(path: PathBuf, known: &HashMap<&Path, &ClapFile>) -> (ClapFile, bool) {
    let stamp = paths::stamp(&path);
    match known.get(path.as_path()) {
        Some(file) if file.stamp == stamp => ((*file).clone(), true),
        _ => (ClapFile { path, stamp, plugins: vec![], bad: vec![] }, false),
    }
}

/// A file whose name cannot be written down.
fn nameless(path: &Path) -> ClapFile {
    let shown = PathBuf::from(path.to_string_lossy().into_owned());
    let reason = "its name is no UTF-8: rename it".to_owned();
    let bad = vec![BadFile { path: shown.clone(), plugin: None, reason }];
    ClapFile { path: shown, stamp: paths::stamp(path), plugins: vec![], bad }
}

/// What came of a task.
enum Found {
    Clap(Learnt),
    Lv2(lv2::Described),
}

enum Event<'a> {
    Begun(&'a Task),
    Done(&'a Task, Found),
}

/// What looks at what a task names.
type Looker<'a> = dyn Fn(&Task) -> Result<Found, ChildError> + Sync + 'a;

/// Runs all tasks, some at once, and tells of each on this thread. The first worker that cannot be asked at all ends it.
fn run(
    tasks: &[Task],
    (look, stopped): (&Looker<'_>, &(dyn Fn() -> bool + Sync)),
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<(), ChildError> {
    let queue = Mutex::new(tasks.iter());
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            let sender = sender.clone();
            let queue = &queue;
            scope.spawn(move || {
                // A poisoned queue cannot be: nothing in its guard's life panics.
                while let Some(task) = queue.lock().ok().and_then(|mut queue| queue.next()).filter(|_| !stopped()) {
                    let _told = sender.send(Ok(Event::Begun(task)));
                    let found = look(task);
                    let failed = found.is_err();
                    let told = sender.send(found.map(|found| Event::Done(task, found)));
                    if failed || told.is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        for event in receiver {
            match event {
                Ok(event) => tell(event),
                Err(error) => result = Err(error),
            }
        }
        result
    })
}

fn describe_clap(worker: &Path, job: &Job<'_>, path: &Path) -> Result<Learnt, ChildError> {
    let bad = |reason| (vec![], vec![BadFile { path: path.into(), plugin: None, reason }]);
    if let Some(reason) = elf::flaw(path) {
        return Ok(bad(reason));
    }
    let request = Request::Clap { path: path.into(), assets: job.folders.assets() };
    Ok(learn(&ask(worker, &line(&request), job.limit)?).unwrap_or_else(bad))
}

/// A request as a line.
pub fn line(request: &Request) -> String {
    // Every path in a request was checked to be UTF-8, and no map in it has keys that are no text.
    serde_json::to_string(request).unwrap_or_default()
}

/// What an answer says, or why it says nothing.
pub fn learn(answer: &Answer) -> Result<Learnt, String> {
    let (mut plugins, mut bad, mut done) = (vec![], vec![], false);
    for reply in replies(&answer.lines) {
        match reply {
            Reply::Plugin(entry) => plugins.push(*entry),
            Reply::Bad(file) => bad.push(file),
            Reply::Failed(reason) => return Err(reason),
            Reply::Done => done = true,
            Reply::Begun(_) | Reply::Opened(_) | Reply::Ran(_) | Reply::Refused(..) => {}
            Reply::Measured(_) | Reply::Qualified(_) => {}
        }
    }
    // What it does after its last word (a crash while the file is unloaded) harms nobody.
    if done { Ok((plugins, bad)) } else { Err(why(answer)) }
}

/// Why an answer was cut off, in one line.
pub fn why(answer: &Answer) -> String {
    let end = match answer.end {
        End::Done => "ended the process that looked at it".to_owned(),
        _ => answer.end.to_string(),
    };
    match answer.printed.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(last) => format!("{end}; its last words: {}", last.trim().chars().take(200).collect::<String>()),
        None => end,
    }
}

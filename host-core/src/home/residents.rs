//! What lives on home.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{HomeError, TICK, Watch};

/// Something that lives on home and is looked after at every tick. All methods are `[home]`.
pub trait Resident: Any {
    /// Adds the descriptors to be watched.
    fn watches(&self, out: &mut Vec<Watch>);
    /// When it wants to be ticked earlier than the next ordinary tick.
    fn deadline(&self) -> Option<Instant>;
    /// Looks after itself. `ready`: those of everybody's descriptors that are ready.
    fn tick(&mut self, now: Instant, ready: &[Watch]);
}

/// A resident's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResidentId(u64);

impl std::fmt::Display for ResidentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

type Cellar = BTreeMap<ResidentId, Rc<RefCell<Box<dyn Resident>>>>;

thread_local! {
    static RESIDENTS: RefCell<Cellar> = const { RefCell::new(BTreeMap::new()) };
}

/// A name for a resident to come: whoever makes one need not wait for home to know it. `[any]`
pub fn new_name() -> ResidentId {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    ResidentId(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Takes a resident in under a fresh name. `[home]`
pub fn adopt(id: ResidentId, resident: Box<dyn Resident>) {
    RESIDENTS.with_borrow_mut(|all| all.insert(id, Rc::new(RefCell::new(resident))));
}

/// Lets `work` at a resident. An error where it is gone, of another type, or in the middle of a call already: requests made by a
/// plugin from inside a callback never re-enter its own chain. `[home]`
pub fn with<T: Resident, R>(id: ResidentId, work: impl FnOnce(&mut T) -> R) -> Result<R, HomeError> {
    let cell = RESIDENTS.with_borrow(|all| all.get(&id).cloned()).ok_or(HomeError::NoResident)?;
    let mut resident = cell.try_borrow_mut().map_err(|_| HomeError::NoResident)?;
    let any: &mut dyn Any = &mut **resident;
    any.downcast_mut::<T>().map(work).ok_or(HomeError::NoResident)
}

/// Ends a resident. Where it is in the middle of a call, it ends when that returns. `[home]`
pub fn dismiss(id: ResidentId) {
    // Dropped outside the borrow: a resident's end may end others (nested chains).
    let gone = RESIDENTS.with_borrow_mut(|all| all.remove(&id));
    drop(gone);
}

fn everyone() -> Vec<Rc<RefCell<Box<dyn Resident>>>> {
    RESIDENTS.with_borrow(|all| all.values().cloned().collect())
}

/// Adds everybody's descriptors.
pub(super) fn watches(out: &mut Vec<Watch>) {
    for resident in everyone() {
        if let Ok(resident) = resident.try_borrow() {
            resident.watches(out);
        }
    }
}

/// How long home may sleep. `None`: nobody lives here, until the next task.
pub(super) fn timeout(now: Instant) -> Option<Duration> {
    let everyone = everyone();
    if everyone.is_empty() {
        return None;
    }
    let due = everyone.iter().filter_map(|resident| resident.try_borrow().ok()?.deadline()).min();
    Some(due.map_or(TICK, |due| due.saturating_duration_since(now).min(TICK)))
}

/// Ticks everybody. One resident's panic is not the others'.
pub(super) fn tick(now: Instant, ready: &[Watch]) {
    for resident in everyone() {
        if let Ok(mut resident) = resident.try_borrow_mut() {
            let _panicked = super::caught(|| resident.tick(now, ready));
        }
    }
}

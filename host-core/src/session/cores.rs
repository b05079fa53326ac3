//! Several cores for one chain: the pool that all sessions of the process share, which lanes go to it, and which plugins. All
//! `[home]`.

use std::cell::RefCell;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::CoresView;
use super::owner::Owner;
use crate::backend::log::{self, Level};
use crate::engine::{self, PlanNode, PlanSide, Sharing};
use crate::home;
use crate::model::{Helpers, Slot};
use crate::pool::{self, Class, NoPool, Pool, Share};

/// Stack of a helper: as large as an audio thread's, since it runs the same plugins.
const STACK: usize = 8 << 20;
/// Time between two looks at what the slots cost, while lanes are shared out.
const PAUSE: Duration = Duration::from_secs(1);
/// The same while none are.
const SHORT_PAUSE: Duration = Duration::from_millis(100);
/// Time until the audio thread is asked again where it can have no pool.
const AGAIN: Duration = Duration::from_secs(2);

thread_local! {
    /// The process's pool, on home.
    static POOL: RefCell<Weak<Pool>> = RefCell::default();
}

/// What a session has of the pool.
#[derive(Default)]
pub(super) struct Cores {
    share: Option<Arc<Share>>,
    /// What is run side by side at present.
    sharing: Sharing,
    /// When the audio thread was last asked of which class it is.
    asked: Option<Instant>,
    /// It told, and that was acted upon.
    answered: bool,
    /// When the costs were last looked at.
    looked: Option<Instant>,
    why_not: Option<NoPool>,
    /// The pool was wanted for a render.
    offline: bool,
}

impl Cores {
    /// What a plan of `nodes` is to share out, and to whom.
    pub(super) fn share_out(&self, nodes: &[PlanNode], sides: &[PlanSide]) -> Option<(Arc<Share>, Sharing)> {
        let share = self.share.clone()?;
        let sharing = Sharing::of(nodes, share.pool().workers(), sides);
        Some((share, sharing))
    }

    /// A plan was sent.
    pub(super) fn note_played(&mut self, sharing: Sharing) {
        self.sharing = sharing;
    }

    pub(super) fn view(&self, on: bool) -> CoresView {
        let counts = self.share.as_ref().map(|share| share.counts()).unwrap_or_default();
        CoresView {
            on,
            threads: self.share.as_ref().map_or(0, |share| share.pool().workers()),
            items: self.sharing.items(),
            pooled: counts.pooled,
            refused: counts.refused,
            late: counts.late,
            why_not: self.why_not.as_ref().filter(|_| on).map(ToString::to_string).unwrap_or_default(),
        }
    }

    /// Whether a slot's plugin is given the pool where it asks; `qualified`: it was measured to be safe and faster with it.
    fn helps(&self, slot: &Slot, qualified: bool) -> Option<&Arc<Share>> {
        self.share.as_ref().filter(|_| match slot.helpers {
            Helpers::On => true,
            Helpers::Off => false,
            Helpers::Auto => qualified,
        })
    }
}

impl Owner {
    /// Brings the pool after what the user wants, and the plan after what the slots cost.
    pub(super) fn look_at_cores(&mut self, now: Instant) {
        let offline = self.setup.is_some_and(|setup| setup.offline) || self.engine.offline();
        if std::mem::replace(&mut self.cores.offline, offline) != offline && self.cores.asked.is_some() {
            // The audio thread may be of another class now.
            self.forget_cores();
            self.cores.offline = offline;
        }
        let wanted = self.chain.cores && self.setup.is_some();
        match (wanted, self.cores.share.is_some()) {
            (true, false) => self.ask_for_pool(now),
            (true, true) => self.weigh(now),
            (false, true) => {
                // The plan that still has it goes first, and with the last of them the helpers.
                self.cores = Cores::default();
                self.playing.stale = true;
                self.news = true;
            }
            (false, false) if self.cores.asked.is_some() => self.cores = Cores::default(),
            (false, false) => {}
        }
        self.grant_helpers();
    }

    /// Works without the pool until the audio thread has told anew of which class it is.
    pub(super) fn forget_cores(&mut self) {
        self.cores = Cores::default();
        self.playing.stale = true;
        self.news = true;
        self.grant_helpers();
    }

    fn ask_for_pool(&mut self, now: Instant) {
        let Some(asked) = self.cores.asked else {
            self.cores.asked = Some(now);
            return self.engine.ask_class();
        };
        // Where it could have none it may be another thread by now, or render offline.
        if self.cores.why_not.is_some() && self.cores.answered && now.duration_since(asked) >= AGAIN {
            (self.cores.asked, self.cores.answered) = (Some(now), false);
            return self.engine.ask_class();
        }
        if let (Some(class), false) = (self.engine.class(), self.cores.answered) {
            self.cores.answered = true;
            self.take_pool(class);
        }
    }

    fn take_pool(&mut self, class: Class) {
        let offline = self.setup.is_some_and(|setup| setup.offline) || self.engine.offline();
        match shared_pool(class, offline) {
            Ok(pool) => {
                self.cores.share = Some(Share::new(pool));
                (self.cores.why_not, self.cores.looked) = (None, None);
                self.news = true;
            }
            Err(why) => {
                if self.cores.why_not.as_ref() != Some(&why) {
                    log::push(Level::Info, format!("the chain runs on one core: {why}").as_bytes());
                    self.news = true;
                }
                self.cores.why_not = Some(why);
            }
        }
    }

    /// Asks for another plan where the lanes could be shared out much better than they are.
    fn weigh(&mut self, now: Instant) {
        let cores = &mut self.cores;
        let Some(share) = &cores.share else { return };
        let pause = if cores.sharing.is_empty() { SHORT_PAUSE } else { PAUSE };
        if cores.looked.is_some_and(|looked| now.duration_since(looked) < pause) || self.playing.stale {
            return;
        }
        cores.looked = Some(now);
        let workers = share.pool().workers();
        let (sides, _) = self.plan_sides(&Default::default());
        let nodes = &self.playing.tree;
        let best = Sharing::of(nodes, workers, &sides);
        let (then, at_present) = (best.nanos(nodes, workers), self.cores.sharing.nanos(nodes, workers));
        // A little better would be a little worse the next time that is looked.
        self.playing.stale |= best != self.cores.sharing && then < at_present - at_present / 10;
    }

    /// Gives plugins the pool, or takes it from them.
    fn grant_helpers(&mut self) {
        for slot in self.chain.slots() {
            let Some(live) = self.lives.get_mut(&slot.id) else { continue };
            live.set_helpers(self.cores.helps(slot, live.qualified));
        }
        if self.cores.share.is_none() {
            self.playing.leaving.iter_mut().for_each(|live| live.set_helpers(None));
        }
    }
}

/// The process's pool for an audio thread of `class`; made where there is none.
fn shared_pool(class: Class, offline: bool) -> Result<Arc<Pool>, NoPool> {
    let class = match class.is_real_time() {
        true => class,
        false if offline => Class::ORDINARY,
        false => return Err(NoPool::Ordinary),
    };
    POOL.with_borrow_mut(|pool| {
        if let Some(pool) = pool.upgrade() {
            return if pool.class() == class { Ok(pool) } else { Err(NoPool::Other) };
        }
        let spawn = |core: usize, life| home::spawn_quiet(&format!("catena-pool-{core}"), STACK, life);
        let made = Arc::new(Pool::make(class, &pool::cores(), &spawn, engine::flush_to_zero)?);
        *pool = Arc::downgrade(&made);
        Ok(made)
    })
}

//! The macros' targets of one plan. Made at home, walked by the audio thread.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::engine::lanes::LaneNode;
use crate::engine::slot::SlotNode;
use crate::model::{Aim, Grid, Law, MACROS, MacroId};

/// Changes under way to one slot at most: of more, each parameter's last still counts.
const LONGEST: usize = 65_536;

/// What a route sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    /// A parameter of the plugin, by index.
    Param(u32),
    Bypass,
    Mix,
    InputGain,
    OutputGain,
    Pan,
    Mute,
}

/// What a route leads to.
pub enum Goal {
    /// A slot.
    Slot(Arc<SlotNode>),
    /// A lane.
    Lane(Arc<LaneNode>),
}

impl Goal {
    /// One number for each slot and each lane.
    fn key(&self) -> (bool, u64) {
        match self {
            Self::Slot(node) => (false, node.key()),
            Self::Lane(node) => (true, node.key()),
        }
    }
}

/// One target of one macro, as the audio thread reaches it.
pub struct Route {
    index: usize,
    goal: Goal,
    setting: Setting,
    law: Law,
    grid: Grid,
}

impl Route {
    /// From a macro to what `aim` names of `goal`; `param` is the index of a parameter and the values it takes. `None` where the
    /// engine has no such thing. `[home]`
    pub fn new(number: MacroId, aim: &Aim, law: Law, goal: Goal, param: Option<(u32, Grid)>) -> Option<Self> {
        let (setting, grid) = match aim {
            Aim::Param(..) => param.map(|(index, grid)| (Setting::Param(index), grid))?,
            Aim::Bypass(_) => (Setting::Bypass, Grid::Free),
            Aim::Mix(_) => (Setting::Mix, Grid::Free),
            Aim::InputGain(_) => (Setting::InputGain, Grid::Free),
            Aim::OutputGain(_) | Aim::LaneGain(_) => (Setting::OutputGain, Grid::Free),
            Aim::Pan(_) => (Setting::Pan, Grid::Free),
            Aim::Mute(_) | Aim::LaneMute(_) => (Setting::Mute, Grid::Free),
            Aim::Unknown(_) => return None,
        };
        let index = number.index();
        (index < MACROS).then_some(Self { index, goal, setting, law, grid })
    }

    fn set(&self, frame: u32, value: f64) {
        match &self.goal {
            Goal::Slot(node) => self.set_slot(node, frame, value),
            Goal::Lane(node) => match self.setting {
                Setting::OutputGain => node.controls().set_gain(gain(value)),
                Setting::Mute => node.controls().set_mute(value >= 0.5),
                _ => {}
            },
        }
    }

    fn set_slot(&self, node: &SlotNode, frame: u32, value: f64) {
        let controls = node.controls();
        match self.setting {
            Setting::Param(index) => node.push_last(super::change(frame, index, value)),
            Setting::Bypass => controls.set_bypass(value >= 0.5),
            Setting::Mix => controls.set_mix(value as f32),
            Setting::InputGain => controls.set_input_gain(gain(value)),
            Setting::OutputGain => controls.set_output_gain(gain(value)),
            Setting::Pan => controls.set_pan(value as f32),
            Setting::Mute => controls.set_mute(value >= 0.5),
        }
    }
}

fn gain(decibels: f64) -> f32 {
    10_f64.powf(decibels / 20.0) as f32
}

/// A value on its way to a slot or a lane that sounds late.
#[derive(Clone, Copy)]
struct Late {
    due: u64,
    route: usize,
    value: f64,
}

/// What is on its way to one slot or lane.
struct Queue {
    /// Whose.
    key: (bool, u64),
    /// Latency of the path before it, frames; of a lane, where it goes into the sum.
    before: u32,
    waiting: VecDeque<Late>,
}

/// All targets of a plan.
#[derive(Default)]
pub struct Table {
    /// By macro.
    routes: Vec<Route>,
    /// The queue of each route; `None`: what it leads to sounds at once.
    queue_of: Vec<Option<usize>>,
    /// Where each macro's routes begin, and where the last one's end.
    first: Vec<usize>,
    queues: Vec<Queue>,
    /// Values under way in all queues.
    under_way: usize,
}

impl Table {
    /// Of `routes`; `before` says the latency before a goal, `max_block` the longest block, frames. `[home]`
    pub fn new(mut routes: Vec<Route>, before: impl Fn(&Goal) -> Option<u32>, max_block: u32) -> Self {
        routes.retain(|route| before(&route.goal).is_some());
        routes.sort_by_key(|route| route.index);
        let first = (0..=MACROS).map(|index| routes.partition_point(|route| route.index < index)).collect();
        let mut queues: Vec<Queue> = Vec::new();
        let mut queue_of = Vec::with_capacity(routes.len());
        for route in &routes {
            let (key, before) = (route.goal.key(), before(&route.goal).unwrap_or(0));
            if before == 0 {
                queue_of.push(None);
                continue;
            }
            let at = queues.iter().position(|queue| queue.key == key).unwrap_or_else(|| {
                let of_slot = routes.iter().filter(|route| route.goal.key() == key).count();
                let room = ((before + max_block) as usize).saturating_mul(of_slot).min(LONGEST);
                queues.push(Queue { key, before, waiting: VecDeque::with_capacity(room) });
                queues.len() - 1
            });
            queue_of.push(Some(at));
        }
        Self { routes, queue_of, first, queues, under_way: 0 }
    }

    /// Whether something is under way. `[audio]`
    pub fn busy(&self) -> bool {
        self.under_way > 0
    }

    /// A macro stands at `x` from `frame` of the part that is run next, which begins at `clock`. `[audio]`
    pub fn play(&mut self, index: usize, x: f64, frame: u32, clock: u64) {
        let (Some(&from), Some(&to)) = (self.first.get(index), self.first.get(index + 1)) else { return };
        for route in from..to {
            let Some(target) = self.routes.get(route) else { return };
            let value = target.grid.nearest(target.law.at(x));
            let queue = self.queue_of.get(route).copied().flatten();
            match queue.and_then(|queue| self.queues.get_mut(queue)) {
                None => target.set(frame, value),
                Some(queue) => {
                    let due = clock + u64::from(frame) + u64::from(queue.before);
                    match queue.push(Late { due, route, value }) {
                        Pushed::Added => self.under_way += 1,
                        Pushed::Replaced => {}
                        // Others fill it: better early than never.
                        Pushed::NoRoom => target.set(frame, value),
                    }
                }
            }
        }
    }

    /// Sets what is due before `clock + frames`. `[audio]`
    pub fn release(&mut self, clock: u64, frames: u64) {
        if self.under_way == 0 {
            return;
        }
        for queue in &mut self.queues {
            while let Some(late) = queue.waiting.pop_front_if(|late| late.due < clock + frames) {
                self.under_way -= 1;
                if let Some(route) = self.routes.get(late.route) {
                    route.set(late.due.saturating_sub(clock) as u32, late.value);
                }
            }
        }
    }

    /// Sets all that is under way at once: nothing will run that it could wait for. `[audio]`
    pub fn release_all(&mut self) {
        self.release(u64::MAX / 2, u64::MAX / 2);
    }

    /// Takes over what is under way in the table of the plan before. `[audio]`
    pub fn follow(&mut self, before: &mut Self) {
        if before.under_way == 0 {
            return;
        }
        // A run of values of one route is looked up once: a ramp brings thousands.
        let mut last: Option<(usize, Option<usize>)> = None;
        for queue in &mut before.queues {
            let mut to = self.queues.iter_mut().find(|other| other.key == queue.key);
            for late in queue.waiting.drain(..) {
                let Some(old) = before.routes.get(late.route) else { continue };
                let same =
                    |new: &Route| (new.index, new.setting, new.goal.key()) == (old.index, old.setting, old.goal.key());
                let route = match last {
                    Some((from, route)) if from == late.route => route,
                    _ => self.routes.iter().position(same),
                };
                last = Some((late.route, route));
                let pushed = match (&mut to, route) {
                    (Some(to), Some(route)) => to.push(Late { route, ..late }),
                    // The slot sounds at once now, or is no target any more: where the macro led it is set all the same.
                    _ => Pushed::NoRoom,
                };
                match pushed {
                    Pushed::Added => self.under_way += 1,
                    Pushed::Replaced => {}
                    Pushed::NoRoom => old.set(0, late.value),
                }
            }
        }
        before.under_way = 0;
    }
}

/// What became of a value that was to wait.
enum Pushed {
    Added,
    /// It took the place of the last of its kind.
    Replaced,
    NoRoom,
}

impl Queue {
    fn push(&mut self, late: Late) -> Pushed {
        // A path that became shorter lets nothing overtake.
        let due = self.waiting.back().map_or(late.due, |last| late.due.max(last.due));
        if self.waiting.len() < self.waiting.capacity() {
            self.waiting.push_back(Late { due, ..late });
            return Pushed::Added;
        }
        match self.waiting.iter_mut().rev().find(|waiting| waiting.route == late.route) {
            Some(last) => {
                last.value = late.value;
                Pushed::Replaced
            }
            None => Pushed::NoRoom,
        }
    }
}

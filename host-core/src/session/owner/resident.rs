//! What home calls at each tick.

use std::time::Instant;

use super::Owner;
use crate::home::{Resident, Watch};
use crate::windows::Frame;

impl Resident for Owner {
    fn watches(&self, out: &mut Vec<Watch>) {
        self.mains().for_each(|main| main.watches(out));
        if self.lives.values().any(|live| live.window.is_some()) {
            let frames = Frame::descriptor().map(|fd| Watch { fd, read: true, write: false, error: false });
            out.extend(frames);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        if !self.to_open.is_empty() || self.scenes.opens() {
            return Some(Instant::now());
        }
        self.mains().filter_map(|main| main.deadline()).min()
    }

    fn tick(&mut self, now: Instant, ready: &[Watch]) {
        for live in self.lives.values_mut().chain(&mut self.playing.leaving).chain(self.scenes.prepared_mut()) {
            live.doing("the timers and callbacks of");
            live.mains.iter_mut().for_each(|main| main.serve(now, ready));
        }
        self.serve_windows(now);
        self.serve_requests(now);
        self.look_at_meters(now);
        self.look_at_guard();
        self.pump(now);
    }
}

impl Owner {
    fn mains(&self) -> impl Iterator<Item = &Box<dyn crate::backend::PluginMain>> {
        self.lives.values().chain(&self.playing.leaving).chain(self.scenes.prepared()).flat_map(|live| &live.mains)
    }
}

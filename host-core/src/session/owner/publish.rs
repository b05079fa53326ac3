//! What the session shows and reports of itself.

use super::Owner;
use crate::model::{Slot, passed_by};
use crate::session::ears::{EarAt, IN, OUT};
use crate::session::live::Live;
use crate::session::{SlotReport, SlotStatus, SlotView, Snapshot, view};

impl Owner {
    /// What is wrong with which slot.
    pub(in crate::session) fn reports(&self) -> Vec<SlotReport> {
        let problem = |live: &Live| match &live.status {
            SlotStatus::Missing => Some("is not installed here; its state is kept".to_owned()),
            SlotStatus::Closed(reason) | SlotStatus::Faulted(reason) => Some(reason.clone()),
            // Only what the plugin itself did not do: a sidechain that hears nothing keeps no slot from running.
            SlotStatus::Running | SlotStatus::Loading => Some(live.notice.clone()).filter(|notice| !notice.is_empty()),
        };
        let of = |slot: &Slot| {
            let problem = problem(self.lives.get(&slot.id)?)?;
            Some(SlotReport { slot: slot.id, title: slot.title().into(), problem })
        };
        self.chain.slots().filter_map(of).collect()
    }

    /// Shows what there is now, and tells of it.
    pub(in crate::session) fn publish(&mut self) {
        self.show(true);
    }

    /// Shows what there is now; without news whoever looks sees it, and nobody is told.
    pub(in crate::session) fn show(&mut self, news: bool) {
        (self.news, self.costs) = (false, false);
        self.refresh_mirror();
        self.lives.values_mut().for_each(|live| {
            live.refresh_values();
        });
        let passed = passed_by(&self.score().nodes);
        let macros = self.show_macros();
        // While plugins are opened one by one, what their parameters are called is not known.
        let titles_differ = self.to_open.is_empty() && self.titles_differ(&macros);
        let levels = &self.levels;
        let slots = self.chain.slots().filter_map(|slot| {
            let live = self.lives.get(&slot.id)?;
            let aside = passed.contains(&slot.id);
            let (notice, offers) = (self.notice_of(slot, live), self.offers(slot, live));
            Some(SlotView { notice, offers, ..view::slot(slot, live, levels, aside) })
        });
        let slots = slots.collect();
        let snapshot = Snapshot {
            revision: 0,
            name: self.chain.name.clone(),
            slots,
            nodes: view::tree(&self.chain.nodes, levels),
            latency: self.shared.latency(),
            latency_mode: self.chain.latency,
            hold_latency: self.chain.hold_latency,
            held: self.scenes.waits().or(self.hold.change),
            history: self.history.view(),
            snapshots: self.show_snapshots(),
            rate: self.setup.map_or(0.0, |setup| setup.rate),
            bypass: self.chain.bypass,
            guard: self.guarded,
            cores: self.cores.view(self.chain.cores),
            notice: self.all_notices(),
            dirty: self.dirty,
            macros,
            learning: self.learning(),
            learning_controller: self.learning_controller(),
            input: levels.input.view(levels.loud(EarAt::Container, IN)),
            output: levels.output.view(levels.loud(EarAt::Container, OUT)),
            cost: levels.cost.view,
        };
        self.shared.publish(snapshot, news);
        if titles_differ {
            self.shared.mark_macro_titles();
        }
    }

    fn all_notices(&self) -> String {
        let notices =
            [&self.notice, &self.scan_notice, &self.latency_notice, &self.macros.knobs.notice, &self.rescue.notice];
        notices.into_iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join("; ")
    }
}

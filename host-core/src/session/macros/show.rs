//! Macros as editors and DAWs show them.

use crate::model::{Aim, MACROS, Macro, MacroId, SlotId, Steps, Target};
use crate::session::owner::Owner;
use crate::session::{MacroView, TargetView};

impl Owner {
    /// The macros that hold something. Notes where the DAW's words for one are old.
    pub(in crate::session) fn show_macros(&mut self) -> Vec<MacroView> {
        let of = |one: &Macro| {
            let targets = self.targets(one.number);
            let views: Vec<_> = targets.iter().map(|target| self.show_target(target)).collect();
            let first = || views.first().map(|view| view.title.clone());
            let title = one.name.clone().or_else(first).unwrap_or_else(|| format!("Macro {}", one.number));
            let value = self.macros.bank.value(one.number.index());
            let controller = self.show_controller(one.number);
            MacroView { number: one.number, name: one.name.clone(), title, value, controller, targets: views }
        };
        let there = self.chain.macros.iter().filter(|one| one.number.index() < MACROS);
        let bare: Vec<_> = self.bare_knobs().into_iter().map(Macro::new).collect();
        let mut all: Vec<_> = there.chain(&bare).map(of).collect();
        all.sort_by_key(|view| view.number);
        all
    }

    /// Whether the DAW shows other titles than these; from now on it is taken to show them.
    pub(in crate::session) fn titles_differ(&mut self, views: &[MacroView]) -> bool {
        let words = |view: &MacroView| {
            // The text of a value is the first target's own, so another first target is another text.
            let of = view.targets.first().map(|target| format!("{:?} {:?}", target.aim, target.law));
            (view.number, format!("{} {}", view.title, of.unwrap_or_default()))
        };
        let titles: Vec<_> =
            views.iter().filter(|view| view.name.is_some() || !view.targets.is_empty()).map(words).collect();
        let differ = titles != self.macros.titles;
        self.macros.titles = titles;
        differ
    }

    pub(in crate::session) fn learning(&self) -> Option<MacroId> {
        self.macros.learning
    }

    fn show_target(&self, target: &Target) -> TargetView {
        let slot = target.aim.slot().and_then(|id| Some(self.chain.slot(id)?.title().to_owned()));
        let of = slot.or_else(|| self.lane_title(target.aim.lane()?)).unwrap_or_default();
        let what = match &target.aim {
            Aim::Param(id, key) => {
                let param = self.param_index(*id, key).and_then(|at| self.lives.get(id)?.params.get(at));
                param.map_or(key.clone(), |param| param.name.clone())
            }
            Aim::Bypass(_) => "bypass".into(),
            Aim::Mix(_) => "mix".into(),
            Aim::InputGain(_) => "input gain".into(),
            Aim::OutputGain(_) => "output gain".into(),
            Aim::Pan(_) => "pan".into(),
            Aim::LaneGain(_) => "gain".into(),
            Aim::Mute(_) | Aim::LaneMute(_) => "mute".into(),
            Aim::Unknown(_) => String::new(),
        };
        let unit = self.unit_of(&target.aim);
        TargetView { aim: target.aim.clone(), title: format!("{of}: {what}"), unit, law: target.law }
    }

    /// The unit behind the numbers of a target's text.
    fn unit_of(&self, aim: &Aim) -> String {
        match aim {
            Aim::Param(id, key) => {
                let param = self.param_index(*id, key).and_then(|at| self.lives.get(id)?.params.get(at));
                let numbers = param.filter(|param| matches!(param.steps, Steps::Continuous | Steps::Integer));
                numbers.map_or(String::new(), |param| param.unit.clone())
            }
            Aim::Mix(_) => "%".into(),
            Aim::InputGain(_) | Aim::OutputGain(_) | Aim::LaneGain(_) => "dB".into(),
            _ => String::new(),
        }
    }

    fn lane_title(&self, id: SlotId) -> Option<String> {
        let group = self.chain.group_of(id)?;
        let index = group.lanes.iter().position(|lane| lane.id == id)?;
        let title = group.lane_title(index);
        Some(group.name.as_ref().map_or(title.clone(), |name| format!("{name} {title}")))
    }

    /// The words for a macro at `x`: its first target's own. `None` where it has none.
    pub(in crate::session) fn macro_text(&mut self, number: MacroId, x: f64) -> Option<String> {
        let target = self.targets(number).into_iter().next()?;
        let value = self.value_of(&target, x);
        match &target.aim {
            Aim::Param(id, key) => {
                let index = self.param_index(*id, key)?;
                let live = self.lives.get_mut(id)?;
                let unit = live.params.get(index).map(|param| param.unit.clone()).unwrap_or_default();
                let words = live.mains.first_mut().and_then(|main| main.text(index, value));
                Some(words.unwrap_or_else(|| format!("{value:.3} {unit}").trim_end().to_owned()))
            }
            Aim::Bypass(_) | Aim::Mute(_) | Aim::LaneMute(_) => Some(if value >= 0.5 { "on" } else { "off" }.into()),
            Aim::Mix(_) => Some(format!("{:.1} %", value * 100.0)),
            Aim::InputGain(_) | Aim::OutputGain(_) | Aim::LaneGain(_) => Some(format!("{value:.2} dB")),
            Aim::Pan(_) => Some(format!("{value:.2}")),
            Aim::Unknown(_) => None,
        }
    }

    /// Where a macro must stand for its first target to be what `text` says.
    pub(in crate::session) fn macro_parse(&mut self, number: MacroId, text: &str) -> Option<f64> {
        let target = self.targets(number).into_iter().next()?;
        let typed = || {
            let number = text.trim().trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.').trim();
            number.parse::<f64>().ok().filter(|value| value.is_finite())
        };
        let value = match &target.aim {
            Aim::Param(id, key) => {
                let index = self.param_index(*id, key)?;
                self.lives.get_mut(id)?.mains.first_mut()?.parse(index, text).or_else(typed)?
            }
            Aim::Bypass(_) | Aim::Mute(_) | Aim::LaneMute(_) => match text.trim() {
                "on" => 1.0,
                "off" => 0.0,
                _ => typed()?,
            },
            Aim::Mix(_) if text.contains('%') => typed()? / 100.0,
            _ => typed()?,
        };
        Some(target.law.place(value))
    }
}

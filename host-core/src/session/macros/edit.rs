//! The edits of macros. None of them changes a sound but the one that moves a macro.

use crate::model::lanes::MAX_LANE_GAIN;
use crate::model::{Aim, Law, MacroId, Target};
use crate::session::command::MacroEdit;
use crate::session::error::EditError;
use crate::session::owner::Owner;
use crate::session::{MAX_GAIN, MIN_GAIN, MacroSaid};

impl Owner {
    /// Makes one edit of a macro. False: nothing of the chain is another by it.
    pub(in crate::session) fn edit_macro(&mut self, number: MacroId, edit: MacroEdit) -> Result<bool, EditError> {
        match edit {
            MacroEdit::Learn(on) => {
                self.macros.learning = on.then_some(number);
                self.news = true;
                return Ok(false);
            }
            MacroEdit::LearnController { on, in_chain } => {
                self.learn_controller(on.then_some((number, in_chain)));
                return Ok(false);
            }
            MacroEdit::Assign(to) => return self.assign(number, to),
            MacroEdit::Map { aim, range } => self.map(number, aim, range)?,
            MacroEdit::Shape { aim, law } => self.shape(number, &aim, law)?,
            MacroEdit::Unmap(aim) => self.unmap(number, aim.as_ref())?,
            MacroEdit::Name(name) => self.chain.macro_mut(number).name = name.filter(|name| !name.is_empty()),
            MacroEdit::Value(value) => self.set_macro(number, value)?,
        }
        Ok(true)
    }

    /// Lets `number` move `aim`, between the ends of `range` or of all that there is. The first target brings the macro to where it
    /// stands itself; each keeps its value until the macro moves.
    pub(super) fn map(&mut self, number: MacroId, aim: Aim, range: Option<(f64, f64)>) -> Result<(), EditError> {
        let (min, max) = self.limits(&aim)?;
        let (from, to) = range.or(aim.usual_range()).unwrap_or((min, max));
        let law = self.checked(&aim, Law::straight(from, to))?;
        let first = self.targets(number).is_empty();
        let now = self.now(&aim);
        let targets = &mut self.chain.macro_mut(number).targets;
        match targets.iter_mut().find(|target| target.aim == aim) {
            Some(target) => target.law = law,
            None => targets.push(Target::new(aim, law)),
        }
        if let (true, Some(now)) = (first, now) {
            self.place_macro(number, law.place(now));
        }
        self.playing.stale = true;
        Ok(())
    }

    fn shape(&mut self, number: MacroId, aim: &Aim, law: Law) -> Result<(), EditError> {
        let law = self.checked(aim, law)?;
        self.check_mapped(number, aim)?;
        let mut targets = self.chain.macro_mut(number).targets.iter_mut();
        targets.find(|target| target.aim == *aim).into_iter().for_each(|target| target.law = law);
        let (alone, now) = (self.targets(number).len() == 1, self.now(aim));
        if let (true, Some(now)) = (alone, now) {
            self.place_macro(number, law.place(now));
        }
        self.playing.stale = true;
        Ok(())
    }

    /// An edit that is refused leaves no macro behind that holds nothing.
    fn check_mapped(&self, number: MacroId, aim: &Aim) -> Result<(), EditError> {
        let target = self.chain.macro_of(number).and_then(|one| one.target(aim));
        target.map(drop).ok_or(EditError::NotMapped(number))
    }

    fn unmap(&mut self, number: MacroId, aim: Option<&Aim>) -> Result<(), EditError> {
        match aim {
            Some(aim) => self.check_mapped(number, aim)?,
            None => self.chain.macro_of(number).map(drop).ok_or(EditError::NotMapped(number))?,
        }
        let targets = &mut self.chain.macro_mut(number).targets;
        match aim {
            Some(aim) => targets.retain(|target| target.aim != *aim),
            None => targets.clear(),
        }
        self.playing.stale = true;
        Ok(())
    }

    fn set_macro(&mut self, number: MacroId, value: f64) -> Result<(), EditError> {
        if !(0.0..=1.0).contains(&value) {
            return Err(EditError::Range { what: format!("macro {number}"), value, min: 0.0, max: 1.0 });
        }
        self.chain.macro_mut(number).value = value;
        if self.macros.bank.tell(number.index(), value) {
            for said in [MacroSaid::Begin(number), MacroSaid::Value(number, value), MacroSaid::End(number)] {
                self.shared.say_of_macro(said);
            }
        }
        self.follow_macros();
        Ok(())
    }

    /// Brings a macro to where its target is: nothing is moved by it, but the DAW shows another value.
    pub(in crate::session) fn place_macro(&mut self, number: MacroId, x: f64) {
        self.macros.bank.place(number.index(), x);
        self.chain.macro_mut(number).value = x;
        self.shared.mark_macro_values();
    }

    /// Where a target is now.
    fn now(&mut self, aim: &Aim) -> Option<f64> {
        if let Some(lane) = aim.lane() {
            let lane = self.chain.lane(lane)?;
            return Some(if matches!(aim, Aim::LaneGain(_)) { lane.gain } else { f64::from(u8::from(lane.mute)) });
        }
        let id = aim.slot()?;
        let slot = self.chain.slot(id)?;
        match aim {
            Aim::Bypass(_) => Some(f64::from(u8::from(slot.bypass))),
            Aim::Mix(_) => Some(slot.mix),
            Aim::InputGain(_) => Some(slot.input_gain),
            Aim::OutputGain(_) => Some(slot.output_gain),
            Aim::Pan(_) => Some(slot.strip.pan),
            Aim::Mute(_) => Some(f64::from(u8::from(slot.strip.mute))),
            Aim::Param(_, key) => {
                let index = self.param_index(id, key)?;
                self.lives.get_mut(&id)?.mains.first_mut()?.value(index)
            }
            Aim::LaneGain(_) | Aim::LaneMute(_) | Aim::Unknown(_) => None,
        }
    }

    /// Smallest and largest value of what may be mapped.
    pub(super) fn limits(&self, aim: &Aim) -> Result<(f64, f64), EditError> {
        if let Some(lane) = aim.lane() {
            self.chain.lane(lane).ok_or(EditError::NoLane(lane))?;
            let gain = matches!(aim, Aim::LaneGain(_));
            return Ok(if gain { (MIN_GAIN, MAX_LANE_GAIN) } else { (0.0, 1.0) });
        }
        let id = aim.slot().ok_or(EditError::NoTarget)?;
        let slot = self.chain.slot(id).ok_or(EditError::NoSlot(id))?;
        let Aim::Param(_, key) = aim else {
            return Ok(match aim {
                Aim::InputGain(_) | Aim::OutputGain(_) => (MIN_GAIN, MAX_GAIN),
                Aim::Pan(_) => (-1.0, 1.0),
                _ => (0.0, 1.0),
            });
        };
        let live = self.lives.get(&id).filter(|live| !live.mains.is_empty());
        let live = live.ok_or_else(|| {
            EditError::Plugin(format!("{} does not run here, so its parameters cannot be mapped", slot.title()))
        })?;
        let mut params = live.params.iter();
        let param = params.find(|param| param.key == *key && !param.read_only && !param.is_bypass);
        let param = param.ok_or_else(|| EditError::NoParam { plugin: slot.plugin.clone(), key: key.clone() })?;
        Ok((param.min.min(param.max), param.min.max(param.max)))
    }

    /// `law` for `aim`, where its numbers are ones that `aim` takes.
    fn checked(&self, aim: &Aim, law: Law) -> Result<Law, EditError> {
        let (min, max) = self.limits(aim)?;
        let range = |what: &str, value: f64, min: f64, max: f64| {
            let inside = (min..=max).contains(&value);
            inside.then_some(()).ok_or_else(|| EditError::Range { what: what.into(), value, min, max })
        };
        range("the macro's lower end", law.min, min, max)?;
        range("the macro's upper end", law.max, min, max)?;
        range("the macro's curve", law.curve, -1.0, 1.0)?;
        Ok(law)
    }
}

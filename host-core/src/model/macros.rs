//! Macros: numbered knobs that a DAW sees, each with any number of targets in the chain.
//!
//! **The formula.** A macro at `x` (0..1) gives a target the value
//!
//! ```text
//! min + (max - min) * u ^ (8 ^ curve)      with u = x, or 1 - x where it is inverted
//! ```
//!
//! in the target's own unit, brought to the nearest value that the target can take where it has steps. `curve` is -1 to 1: 0 is
//! a straight line, above it the value rises late, below it early. [`Law::at`] is the formula, [`Law::place`] its inverse.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{Assigned, SlotId, Steps};

/// How many macros there are. Their numbers are 1 to this, and never move.
pub const MACROS: usize = 128;

/// A macro's number, 1 to [`MACROS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MacroId(u16);

impl MacroId {
    /// The macro with this number, where there is one.
    pub fn new(number: usize) -> Option<Self> {
        (1..=MACROS).contains(&number).then_some(Self(number as u16))
    }

    /// The macro at this place, first is 0, where there is one.
    pub fn at(index: usize) -> Option<Self> {
        Self::new(index.checked_add(1)?)
    }

    /// All of them, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=MACROS as u16).map(Self)
    }

    /// Its number.
    pub fn number(self) -> usize {
        self.0.into()
    }

    /// Its place, first is 0; [`MACROS`] or more for a number that a newer version gave.
    pub fn index(self) -> usize {
        self.number().wrapping_sub(1)
    }
}

impl std::fmt::Display for MacroId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a macro moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Aim {
    /// A parameter of a slot's plugin, by key.
    Param(SlotId, String),
    /// A slot's bypass: on from 0.5.
    Bypass(SlotId),
    /// A slot's mix, 0..1.
    Mix(SlotId),
    /// The gain before a slot's plugin, dB.
    InputGain(SlotId),
    /// The gain after it, dB.
    OutputGain(SlotId),
    /// A slot's balance, -1 (left) to 1 (right).
    Pan(SlotId),
    /// A slot's mute: on from 0.5.
    Mute(SlotId),
    /// A lane's gain, dB; by the lane's id.
    LaneGain(SlotId),
    /// A lane's mute: on from 0.5.
    LaneMute(SlotId),
    /// A target of a newer version, whole: kept and written back.
    Unknown(Value),
}

impl Aim {
    /// The slot it belongs to.
    pub fn slot(&self) -> Option<SlotId> {
        match self {
            Self::Param(slot, _)
            | Self::Bypass(slot)
            | Self::Mix(slot)
            | Self::InputGain(slot)
            | Self::OutputGain(slot)
            | Self::Pan(slot)
            | Self::Mute(slot) => Some(*slot),
            Self::LaneGain(_) | Self::LaneMute(_) | Self::Unknown(_) => None,
        }
    }

    /// The lane it belongs to.
    pub fn lane(&self) -> Option<SlotId> {
        match self {
            Self::LaneGain(lane) | Self::LaneMute(lane) => Some(*lane),
            _ => None,
        }
    }

    /// The range that a mapping gets where the user names none. `None`: the plugin's parameter says it.
    pub fn usual_range(&self) -> Option<(f64, f64)> {
        match self {
            Self::Param(..) | Self::Unknown(_) => None,
            Self::Bypass(_) | Self::Mix(_) | Self::Mute(_) | Self::LaneMute(_) => Some((0.0, 1.0)),
            Self::Pan(_) => Some((-1.0, 1.0)),
            Self::InputGain(_) | Self::OutputGain(_) | Self::LaneGain(_) => Some((-24.0, 24.0)),
        }
    }
}

/// How a target follows its macro. The formula is on the module's page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Value at the lower end, in the target's own unit.
    pub min: f64,
    /// Value at the upper end; below `min` is legal.
    pub max: f64,
    /// -1..1; 0 is a straight line.
    pub curve: f64,
    /// The lower end is where the macro is at 1.
    pub inverted: bool,
}

impl Law {
    /// A straight line.
    pub fn straight(min: f64, max: f64) -> Self {
        Self { min, max, curve: 0.0, inverted: false }
    }

    /// The value for a macro at `x`. `[any]`
    pub fn at(&self, x: f64) -> f64 {
        let x = clean(x);
        let u = if self.inverted { 1.0 - x } else { x };
        let bent = if self.curve == 0.0 { u } else { u.powf(self.exponent()) };
        // Exact at both ends.
        if bent == 1.0 { self.max } else { self.min + (self.max - self.min) * bent }
    }

    /// Where a macro has to be for `value`; the nearer end for one outside the range. `[any]`
    pub fn place(&self, value: f64) -> f64 {
        let span = self.max - self.min;
        let bent = if span == 0.0 { 0.0 } else { clean((value - self.min) / span) };
        let u = if self.curve == 0.0 { bent } else { bent.powf(self.exponent().recip()) };
        if self.inverted { 1.0 - u } else { u }
    }

    fn exponent(&self) -> f64 {
        8.0_f64.powf(self.curve.clamp(-1.0, 1.0))
    }
}

/// A macro's value as one: 0..1, no number becomes 0. `[any]`
fn clean(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }
}

/// Which values a target can take.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Grid {
    /// Any.
    #[default]
    Free,
    /// Whole numbers.
    Whole,
    /// These, rising.
    These(Box<[f64]>),
}

impl Grid {
    /// The grid of a parameter's steps between `min` and `max`.
    pub fn of(steps: &Steps, min: f64, max: f64) -> Self {
        match steps {
            Steps::Continuous => Self::Free,
            Steps::Integer => Self::Whole,
            Steps::Toggle => Self::These([min, max].into()),
            Steps::Named(names) => {
                let mut values: Vec<f64> = names.iter().map(|(value, _)| *value).collect();
                values.sort_by(f64::total_cmp);
                if values.is_empty() { Self::Free } else { Self::These(values.into()) }
            }
        }
    }

    /// The nearest value on it. `[any]`
    pub fn nearest(&self, value: f64) -> f64 {
        match self {
            Self::Free => value,
            Self::Whole => value.round(),
            Self::These(values) => {
                let above = values.partition_point(|on| *on < value);
                match (above.checked_sub(1).and_then(|below| values.get(below)), values.get(above)) {
                    (Some(below), Some(above)) if value - below < above - value => *below,
                    (Some(below), None) => *below,
                    (_, Some(above)) => *above,
                    (None, None) => value,
                }
            }
        }
    }
}

/// One target of a macro.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// What is moved.
    pub aim: Aim,
    /// How it follows.
    pub law: Law,
    /// Fields of a newer version, kept and written back.
    pub extra: Map<String, Value>,
}

impl Target {
    /// A target without anything of a newer version.
    pub fn new(aim: Aim, law: Law) -> Self {
        Self { aim, law, extra: Map::new() }
    }
}

/// A target as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Written {
    to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slot: Option<SlotId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    param: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lane: Option<SlotId>,
    min: f64,
    max: f64,
    #[serde(default)]
    curve: f64,
    #[serde(default)]
    inverted: bool,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

impl Written {
    fn aim(&self) -> Option<Aim> {
        Some(match (self.to.as_str(), self.slot, &self.param, self.lane) {
            ("param", Some(slot), Some(key), None) => Aim::Param(slot, key.clone()),
            ("bypass", Some(slot), None, None) => Aim::Bypass(slot),
            ("mix", Some(slot), None, None) => Aim::Mix(slot),
            ("input-gain", Some(slot), None, None) => Aim::InputGain(slot),
            ("output-gain", Some(slot), None, None) => Aim::OutputGain(slot),
            ("pan", Some(slot), None, None) => Aim::Pan(slot),
            ("mute", Some(slot), None, None) => Aim::Mute(slot),
            ("lane-gain", None, None, Some(lane)) => Aim::LaneGain(lane),
            ("lane-mute", None, None, Some(lane)) => Aim::LaneMute(lane),
            _ => return None,
        })
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (to, param, lane) = match &self.aim {
            Aim::Param(_, key) => ("param", Some(key.clone()), None),
            Aim::Bypass(_) => ("bypass", None, None),
            Aim::Mix(_) => ("mix", None, None),
            Aim::InputGain(_) => ("input-gain", None, None),
            Aim::OutputGain(_) => ("output-gain", None, None),
            Aim::Pan(_) => ("pan", None, None),
            Aim::Mute(_) => ("mute", None, None),
            Aim::LaneGain(lane) => ("lane-gain", None, Some(*lane)),
            Aim::LaneMute(lane) => ("lane-mute", None, Some(*lane)),
            Aim::Unknown(whole) => return whole.serialize(serializer),
        };
        let Law { min, max, curve, inverted } = self.law;
        let (to, slot, extra) = (to.into(), self.aim.slot(), self.extra.clone());
        Written { to, slot, param, lane, min, max, curve, inverted, extra }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let whole = Value::deserialize(deserializer)?;
        let read = serde_json::from_value::<Written>(whole.clone()).ok();
        Ok(match read.and_then(|read| Some((read.aim()?, read))) {
            Some((aim, Written { min, max, curve, inverted, extra, .. })) => {
                Self { aim, law: Law { min, max, curve, inverted }, extra }
            }
            None => Self::new(Aim::Unknown(whole), Law::straight(0.0, 1.0)),
        })
    }
}

/// One macro that holds something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Macro {
    /// Which one.
    pub number: MacroId,
    /// The user's own name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it stands, 0..1.
    #[serde(default)]
    pub value: f64,
    /// The controller that moves it wherever this chain is; `None`: the machine's own, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<Assigned>,
    /// What it moves, in the order in which it was mapped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
    /// Fields of a newer version, kept and written back.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Macro {
    /// One that holds nothing yet.
    pub fn new(number: MacroId) -> Self {
        Self { number, name: None, value: 0.0, controller: None, targets: Vec::new(), extra: Map::new() }
    }

    /// The target that aims at `aim`.
    pub fn target(&self, aim: &Aim) -> Option<&Target> {
        self.targets.iter().find(|target| target.aim == *aim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_is_exact_at_its_ends_and_its_inverse_leads_back() {
        for curve in [-1.0, -0.3, 0.0, 0.5, 1.0] {
            for (min, max) in [(0.0, 1.0), (-60.0, 12.0), (20_000.0, 20.0), (3.0, 3.0)] {
                for inverted in [false, true] {
                    let law = Law { min, max, curve, inverted };
                    let (low, high) = if inverted { (1.0, 0.0) } else { (0.0, 1.0) };
                    assert_eq!((law.at(low), law.at(high)), (min, max));
                    for x in [0.0, 0.1, 0.5, 0.9, 1.0] {
                        let value = law.at(x);
                        assert!((law.at(law.place(value)) - value).abs() <= 1e-9 * (max - min).abs(), "{law:?} {x}");
                    }
                }
            }
        }
        let bent = Law { min: 0.0, max: 10.0, curve: 1.0, inverted: false };
        assert!((bent.at(0.5) - 10.0 * 0.5_f64.powi(8)).abs() < 1e-12);
        assert_eq!(Law::straight(0.0, 1.0).at(f64::NAN), 0.0);
        assert_eq!(Law::straight(0.0, 1.0).place(7.0), 1.0);
    }

    #[test]
    fn steps_are_met_at_the_nearest() {
        assert_eq!(Grid::Whole.nearest(2.4), 2.0);
        let named = Grid::of(&Steps::Named(vec![(3.0, "c".into()), (0.0, "a".into()), (1.0, "b".into())]), 0.0, 3.0);
        for (value, nearest) in [(-5.0, 0.0), (0.4, 0.0), (0.6, 1.0), (1.9, 1.0), (2.1, 3.0), (9.0, 3.0)] {
            assert_eq!(named.nearest(value), nearest, "{value}");
        }
        assert_eq!(Grid::of(&Steps::Toggle, 0.0, 1.0).nearest(0.7), 1.0);
    }

    #[test]
    fn targets_and_fields_of_a_newer_version_are_written_back() {
        let text = r#"{"number":3,"name":"Drive","value":0.25,"glow":[1],"targets":[
            {"to":"param","slot":2,"param":"100","min":0.0,"max":2.0,"curve":0.5,"inverted":true,"haze":1},
            {"to":"lane-gain","lane":7,"min":-60.0,"max":0.0,"curve":0.0,"inverted":false},
            {"to":"moon","phase":{"of":3}},
            {"to":"param","slot":"not a number"}]}"#;
        let read: Macro = serde_json::from_str(text).unwrap();
        assert_eq!(read.targets[0].aim, Aim::Param(SlotId(2), "100".into()));
        assert_eq!(read.targets[1].aim, Aim::LaneGain(SlotId(7)));
        let (again, before) = (serde_json::to_value(&read).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(again, before);
    }
}

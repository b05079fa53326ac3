//! Parameters as a chain remembers them of a plugin, so that those of another can take their values when that one is missing or
//! another takes its place.

use serde::{Deserialize, Serialize};

use super::{Grid, ParamInfo};

/// Of a plugin with more parameters than this none is remembered.
const MOST: usize = 4096;

/// A parameter as a chain remembers it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Known {
    /// What its value is kept under.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Its group, parts divided by `/`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Its unit.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Known {
    /// What is remembered of one.
    pub fn of(param: &ParamInfo) -> Self {
        // A file has no word for what is no number.
        let number = |value: f64| if value.is_nan() { 0.0 } else { value.clamp(f64::MIN, f64::MAX) + 0.0 };
        let ParamInfo { key, name, group, unit, min, max, .. } = param.clone();
        Self { key, name, group, unit, min: number(min), max: number(max) }
    }

    /// What is remembered of parameters: those that a host may set.
    pub fn all(params: &[ParamInfo]) -> Vec<Self> {
        if params.len() > MOST {
            return Vec::new();
        }
        params.iter().filter(|param| is_users(param)).map(Self::of).collect()
    }

    fn span(&self) -> f64 {
        self.max - self.min
    }

    /// The value of `new` that means what `value` means here: the same number where the ranges agree or the unit is one, else the
    /// same share of the range.
    pub fn carry(&self, value: f64, new: &ParamInfo) -> f64 {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs().max(b.abs()));
        let agree = close(self.min, new.min) && close(self.max, new.max);
        let one_unit = !self.unit.is_empty() && self.unit == new.unit;
        let share = (value - self.min) / self.span();
        let plain = agree || one_unit || !share.is_finite();
        let carried = if plain { value } else { new.min + (new.max - new.min) * share };
        new.clamp(Grid::of(&new.steps, new.min.min(new.max), new.max.max(new.min)).nearest(carried))
    }
}

fn is_users(param: &ParamInfo) -> bool {
    !param.read_only && !param.is_bypass
}

/// How a plugin's parameters are found in another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinship {
    /// It is the same plugin: by key.
    Same,
    /// It is the same plugin in the other format, or stands in for one that is missing: by key or symbol, then by name.
    Alike,
    /// It is another plugin: by name alone.
    Other,
}

/// For each parameter of `old` its place among `new`, where it is there.
pub fn places(old: &[Known], new: &[ParamInfo], kinship: Kinship) -> Vec<Option<usize>> {
    let find = |fits: &dyn Fn(&ParamInfo) -> bool| new.iter().position(|param| is_users(param) && fits(param));
    let keys: Vec<_> = old.iter().map(|was| find(&|param| param.key == was.key)).collect();
    if kinship == Kinship::Same {
        return keys;
    }
    // Symbols of an LV2 plugin are what others call the module of a parameter.
    let leaf = |group: &str| group.rsplit('/').next().unwrap_or_default().to_owned();
    let symbols = |was: &Known| {
        find(&|param| leaf(&param.group) == was.key).or_else(|| {
            let symbol = leaf(&was.group);
            (!symbol.is_empty()).then(|| find(&|param| param.key == symbol)).flatten()
        })
    };
    let mut taken = vec![false; new.len()];
    let mut found = vec![None; old.len()];
    let mut take = |at: usize, place: Option<usize>, found: &mut Vec<Option<usize>>| {
        if let Some(place) = place.filter(|place| !taken[*place] && found[at].is_none()) {
            taken[place] = true;
            found[at] = Some(place);
        }
    };
    if kinship == Kinship::Alike {
        for (at, was) in old.iter().enumerate() {
            // Numbers are keys of one plugin alone: where names are known and differ, the same number is chance.
            let by_key = keys[at].filter(|place| was.name.is_empty() || plain(&new[*place].name) == plain(&was.name));
            take(at, by_key.or_else(|| symbols(was)), &mut found);
        }
    }
    for (at, was) in old.iter().enumerate() {
        let name = plain(&was.name);
        // The first of that name takes the first, the second the second.
        let before = old[..at].iter().filter(|other| plain(&other.name) == name).count();
        let mut named = new.iter().enumerate().filter(|(_, param)| is_users(param) && plain(&param.name) == name);
        take(at, named.nth(before).filter(|_| !name.is_empty()).map(|(place, _)| place), &mut found);
    }
    if kinship == Kinship::Alike {
        // Of a plugin of one format whose names nobody knows, or that calls them otherwise now, keys are all there is.
        for (at, was) in old.iter().enumerate() {
            let speaks = was.key.parse::<f64>().is_err() || was.name.is_empty();
            take(at, keys[at].filter(|_| speaks), &mut found);
        }
    }
    found
}

/// A name without what two writings of it differ in.
pub fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Steps;

    fn param(key: &str, name: &str, group: &str, (min, max): (f64, f64), unit: &str) -> ParamInfo {
        ParamInfo {
            key: key.into(),
            name: name.into(),
            group: group.into(),
            min,
            max,
            default: min,
            unit: unit.into(),
            steps: Steps::Continuous,
            automatable: true,
            read_only: false,
            hidden: false,
            is_bypass: false,
            logarithmic: false,
        }
    }

    #[test]
    fn parameters_are_found_by_key_or_symbol_and_then_by_name() {
        let lv2 = [
            param("thr", "Threshold", "", (-80.0, 0.0), "dB"),
            param("gain_2", "Gain", "", (0.0, 1.0), ""),
            param("gain_1", "Gain", "", (0.0, 1.0), ""),
            param("odd", "Only here", "", (0.0, 1.0), ""),
        ];
        let clap = [
            param("7", "THRESHOLD", "", (0.0, 1.0), ""),
            param("0", "Gain", "gain_1", (0.0, 1.0), ""),
            param("1", "Gain", "gain_2", (0.0, 1.0), ""),
        ];
        let alike = |old: &[ParamInfo], new: &[ParamInfo]| places(&Known::all(old), new, Kinship::Alike);
        assert_eq!(alike(&lv2, &clap), [Some(0), Some(2), Some(1), None]);
        assert_eq!(alike(&clap, &lv2), [Some(0), Some(2), Some(1)]);
        // Another plugin: its keys mean nothing, its names do.
        let other = [param("0", "Size", "", (0.0, 1.0), ""), param("7", "Gain", "", (0.0, 1.0), "")];
        assert_eq!(places(&Known::all(&clap), &other, Kinship::Other), [None, Some(1), None]);
        assert_eq!(places(&Known::all(&clap), &clap, Kinship::Same), [Some(0), Some(1), Some(2)]);
        // Nobody knows the names of what an older file holds.
        let bare: Vec<_> = ["thr", "gain_1"].map(|key| Known { key: key.into(), ..Known::default() }).into();
        assert_eq!(places(&bare, &lv2, Kinship::Alike), [Some(0), Some(2)]);
    }

    #[test]
    fn a_value_stays_where_ranges_or_units_agree_and_else_keeps_its_share() {
        let old = &Known::all(&[param("a", "A", "", (-80.0, 0.0), "dB")])[0];
        for (new, wanted) in [
            (param("b", "A", "", (-80.0, 0.0), ""), -20.0),
            (param("b", "A", "", (-60.0, 12.0), "dB"), -20.0),
            (param("b", "A", "", (-10.0, 0.0), "dB"), -10.0),
            (param("b", "A", "", (0.0, 1.0), ""), 0.75),
            (ParamInfo { steps: Steps::Integer, ..param("b", "A", "", (0.0, 10.0), "") }, 8.0),
        ] {
            assert_eq!(old.carry(-20.0, &new), wanted, "{new:?}");
        }
        let unknown = Known { key: "a".into(), ..Known::default() };
        assert_eq!(unknown.carry(0.5, &param("a", "A", "", (0.0, 1.0), "")), 0.5);
    }
}

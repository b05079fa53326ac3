//! `patch`: parameters that are set by messages (`patch:writable`).

use super::describe::bounds;
use super::ffi::lilv::{Node, Plugin, Range};
use super::urid::{self, Known};
use super::{atom, units, uri};
use crate::model::{ParamInfo, Steps};

/// The type of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// `atom:Bool`
    Bool,
    /// `atom:Int`
    Int,
    /// `atom:Long`
    Long,
    /// `atom:Float`
    Float,
    /// `atom:Double`
    Double,
}

/// A `patch:writable` whose value is a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The number of its URI.
    pub urid: u32,
    /// Type of its value.
    pub number: Number,
    /// As shown and addressed; the key is its URI.
    pub info: ParamInfo,
}

/// A plugin's numeric `patch:writable`s. Those with other values (paths, texts) are kept by the plugin's own state.
pub fn parameters(plugin: Plugin<'_>) -> Vec<Parameter> {
    let mut all: Vec<_> = plugin.value(uri::PATCH_WRITABLE).iter().filter_map(|node| read(plugin, node)).collect();
    all.sort_by(|a, b| a.info.key.cmp(&b.info.key));
    all
}

/// Who describes a parameter that is not the plugin's own: the specification its URI lies in
/// (`http://lv2plug.in/ns/ext/parameters#gain`).
pub fn specifications(plugin: Plugin<'_>) -> Vec<String> {
    let space = |node: &Node<'_>| Some(node.text().rsplit_once('#')?.0.to_owned());
    let mut spaces: Vec<_> = plugin.value(uri::PATCH_WRITABLE).iter().filter_map(space).collect();
    spaces.sort();
    spaces.dedup();
    spaces.retain(|space| *space != plugin.uri());
    spaces
}

fn read(plugin: Plugin<'_>, node: &Node<'_>) -> Option<Parameter> {
    let world = plugin.world;
    let number = match world.text(node, uri::RANGE)?.strip_prefix(uri::ATOM)? {
        "Bool" => Number::Bool,
        "Int" => Number::Int,
        "Long" => Number::Long,
        "Float" => Number::Float,
        "Double" => Number::Double,
        _ => return None,
    };
    let value = |predicate| world.text(node, predicate).and_then(|text| text.parse().ok());
    let (min, max, default) =
        bounds(Range { min: value(uri::LV2_MINIMUM), max: value(uri::LV2_MAXIMUM), default: value(uri::LV2_DEFAULT) });
    let (min, max) = (min.min(default), max.max(default));
    let key = node.text();
    let name = world.text(node, uri::LABEL).unwrap_or_else(|| key.rsplit(['#', '/']).next().unwrap_or("").into());
    let info = ParamInfo {
        name,
        group: String::new(),
        min,
        max,
        default,
        unit: world.find(node, uri::UNIT).first().map_or(String::new(), |unit| units::symbol(world, unit)),
        steps: match number {
            Number::Bool => Steps::Toggle,
            Number::Int | Number::Long => Steps::Integer,
            _ => Steps::Continuous,
        },
        automatable: true,
        read_only: false,
        hidden: false,
        is_bypass: false,
        logarithmic: world.says(node, uri::PORT_PROPERTY, uri::LOGARITHMIC),
        key,
    };
    Some(Parameter { urid: urid::map_str(&info.key), number, info })
}

/// Writes `patch:Set` of one parameter into `out`. `[audio]`
pub fn write_set(out: &mut atom::Object, known: &Known, parameter: u32, number: Number, value: f64) {
    out.begin(known, known.patch_set);
    out.urid(known, known.patch_property, parameter);
    let key = known.patch_value;
    match number {
        Number::Bool => out.number(key, known.atom_bool, &i32::from(value > 0.5).to_ne_bytes()),
        Number::Int => out.number(key, known.atom_int, &(value.round() as i32).to_ne_bytes()),
        Number::Long => out.number(key, known.atom_long, &(value.round() as i64).to_ne_bytes()),
        Number::Float => out.number(key, known.atom_float, &(value as f32).to_ne_bytes()),
        Number::Double => out.number(key, known.atom_double, &value.to_ne_bytes()),
    }
}

/// Writes a `patch:Get` of everything into `out`. `[audio]`
pub fn write_get(out: &mut atom::Object, known: &Known) {
    out.begin(known, known.patch_get);
}

/// Reads every property that a `patch:Set` or `patch:Put` sets: its number, and its value where it is a number. `[audio]`
pub fn read_sets(known: &Known, object: &[u8], found: &mut dyn FnMut(u32, Option<f64>)) {
    let Some(kind) = atom::object_type(object) else { return };
    if kind == known.patch_set {
        let (mut property, mut value) = (0, None);
        atom::properties(object, &mut |key, kind, body| {
            if key == known.patch_property {
                property = atom::word(body, 0).unwrap_or(0);
            } else if key == known.patch_value {
                value = atom::as_number(known, kind, body);
            }
        });
        found(property, value);
    } else if kind == known.patch_put {
        atom::properties(object, &mut |key, kind, body| {
            if key == known.patch_body && (kind == known.atom_object || kind == known.atom_blank) {
                atom::properties(body, &mut |key, kind, body| found(key, atom::as_number(known, kind, body)));
            }
        });
    }
}

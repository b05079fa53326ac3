//! Parameters as control ports. A control port holds the parameter's plain value; a bypass is turned round into
//! `lv2:enabled`.

use std::sync::Arc;

use nice_plug::params::InternalParamMut;
use nice_plug::plugin::{ParamValue, PluginState};
use nice_plug::prelude::{BoolParam, ParamFlags, ParamPtr, Params as NiceParams};

use super::super::variant::Variant;
use super::super::words::symbol;

/// What a control port is told to be.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamInfo {
    /// nice-plug's id.
    pub id: String,
    /// The port's symbol.
    pub symbol: String,
    /// The port's name.
    pub name: String,
    /// What is appended to a value.
    pub unit: &'static str,
    /// Least value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
    /// Value of a fresh plugin.
    pub default: f32,
    /// Which values there are.
    pub kind: Kind,
    /// Not to be shown.
    pub hidden: bool,
    /// A bypass, turned round.
    pub enabled: bool,
}

/// Which values a parameter has.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// 0 and 1.
    Toggle,
    /// Whole numbers.
    Integer,
    /// Whole numbers with names, from 0 on.
    Choice(Vec<String>),
    /// Any.
    Number,
}

/// The parameters of one plugin, in the order of their ports.
pub struct Params {
    /// Keeps what the pointers point to.
    owner: Arc<dyn NiceParams>,
    pointers: Vec<ParamPtr>,
    /// What the ports are.
    pub infos: Vec<ParamInfo>,
}

impl Params {
    /// Reads them, or those of a variant; a bypass goes last. `[main]`
    pub fn new(owner: Arc<dyn NiceParams>, variant: Option<&Variant>) -> Self {
        let mut all: Vec<_> = owner
            .param_map()
            .into_iter()
            // SAFETY: the pointers are to fields of what `owner` keeps (nice-plug's `Params`).
            .map(|(id, pointer, _group)| unsafe { (pointer, describe(id, pointer)) })
            .collect();
        if let Some(variant) = variant {
            all.retain_mut(|(_, info)| {
                let own = variant.params.iter().find(|own| own.id == info.id);
                if let Some(own) = own {
                    (info.name, info.default) = (own.name.clone(), own.default);
                }
                own.is_some() || info.enabled
            });
        }
        all.sort_by_key(|(_, info)| info.enabled);
        let (pointers, infos) = all.into_iter().unzip();
        Self { owner, pointers, infos }
    }

    /// The port whose parameter `pointer` is; `None` for none of this plugin's. `[any]`
    pub fn port_of(&self, pointer: ParamPtr) -> Option<usize> {
        self.pointers.iter().position(|own| *own == pointer)
    }

    /// The value of a port that stands for `normalized`. `[any]`
    pub fn port_value(&self, port: usize, normalized: f32) -> f32 {
        // SAFETY: see `new`; `owner` lives as long as `self`.
        let plain = unsafe { self.pointers[port].preview_plain(normalized) };
        if self.infos[port].enabled { 1.0 - plain } else { plain }
    }

    /// What the value of a port is from 0 to 1. `[any]`
    pub fn normalized(&self, port: usize, value: f32) -> f32 {
        let plain = if self.infos[port].enabled { 1.0 - value } else { value };
        // SAFETY: see `port_value`.
        unsafe { self.pointers[port].preview_normalized(plain) }
    }

    /// Sets the parameter of `port` from the port's value. Values that are no numbers are left out. `[any]`
    pub fn set_port(&self, port: usize, value: f32) {
        let info = &self.infos[port];
        if !value.is_finite() {
            return;
        }
        self.set_normalized(port, self.normalized(port, value.clamp(info.min, info.max)));
    }

    /// Sets the parameter of `port`, 0 to 1. `[any]`
    pub fn set_normalized(&self, port: usize, normalized: f32) {
        // SAFETY: see `port_value`; nice-plug's mark for "call it from a wrapper", which this is.
        unsafe { self.pointers[port]._internal_set_normalized_value(normalized) };
    }

    /// The value of `port` as the parameter is now. `[any]`
    pub fn value(&self, port: usize) -> f32 {
        // SAFETY: see `port_value`.
        let plain = unsafe { self.pointers[port].unmodulated_plain_value() };
        if self.infos[port].enabled { 1.0 - plain } else { plain }
    }

    /// Lets the smoother of `port` follow, or all start at their values. `[audio]`
    pub fn smooth(&self, port: usize, rate: f32, reset: bool) {
        // SAFETY: as above.
        unsafe { self.pointers[port]._internal_update_smoother(rate, reset) };
    }

    /// Parameters and fields, as nice-plug's other formats save them. `[main]`
    pub fn state(&self, version: &str) -> PluginState {
        let value = |pointer: &ParamPtr| {
            // SAFETY: see `port_value`.
            unsafe {
                match *pointer {
                    ParamPtr::BoolParam(_) => ParamValue::Bool(pointer.unmodulated_plain_value() > 0.5),
                    ParamPtr::FloatParam(_) => ParamValue::F32(pointer.unmodulated_plain_value()),
                    ParamPtr::IntParam(_) => ParamValue::I32(pointer.unmodulated_plain_value() as i32),
                    ParamPtr::EnumParam(param) => match (*param).unmodulated_plain_id() {
                        Some(id) => ParamValue::String(id.to_owned()),
                        None => ParamValue::I32(pointer.unmodulated_plain_value() as i32),
                    },
                }
            }
        };
        PluginState {
            version: version.into(),
            params: self.infos.iter().zip(&self.pointers).map(|(info, ptr)| (info.id.clone(), value(ptr))).collect(),
            fields: self.owner.serialize_fields(),
        }
    }

    /// Takes what [`Params::state`] gave; what is unknown is left out. `[main]`
    pub fn set_state(&self, state: &PluginState) {
        for (info, pointer) in self.infos.iter().zip(&self.pointers) {
            let Some(value) = state.params.get(&info.id) else { continue };
            // SAFETY: see `set_normalized`.
            unsafe {
                let plain = match (value, *pointer) {
                    (ParamValue::String(id), ParamPtr::EnumParam(param)) => {
                        (*param).set_from_id(id);
                        continue;
                    }
                    (ParamValue::F32(value), _) => *value,
                    (ParamValue::I32(value), _) => *value as f32,
                    (ParamValue::Bool(value), _) => f32::from(u8::from(*value)),
                    (ParamValue::String(_), _) => continue,
                };
                pointer._internal_set_normalized_value(pointer.preview_normalized(plain));
            }
        }
        self.owner.deserialize_fields(&state.fields);
    }
}

/// Sets a parameter that the plugin itself has changed, without asking the host. `[any]`
pub fn set_bool(param: &BoolParam, value: bool) {
    // SAFETY: nice-plug's mark for "call it from a wrapper", which this is; the value is an atomic.
    unsafe { param._internal_set_plain_value(value) };
}

/// # Safety
/// What `pointer` points to is alive.
unsafe fn describe(id: String, pointer: ParamPtr) -> ParamInfo {
    // SAFETY: the caller's word, for every call below.
    let (name, unit, flags, least, largest, default, steps) = unsafe {
        (
            pointer.name().to_owned(),
            pointer.unit(),
            pointer.flags(),
            pointer.preview_plain(0.0),
            pointer.preview_plain(1.0),
            pointer.preview_plain(pointer.default_normalized_value()),
            pointer.step_count().unwrap_or(0),
        )
    };
    let kind = match pointer {
        ParamPtr::BoolParam(_) => Kind::Toggle,
        ParamPtr::IntParam(_) => Kind::Integer,
        ParamPtr::FloatParam(_) => Kind::Number,
        ParamPtr::EnumParam(_) => {
            // SAFETY: the caller's word.
            let name = |step| unsafe { pointer.normalized_value_to_string(step as f32 / steps.max(1) as f32, false) };
            Kind::Choice((0..=steps).map(name).collect())
        }
    };
    let enabled = flags.contains(ParamFlags::BYPASS);
    ParamInfo {
        symbol: if enabled { "lv2_enabled".into() } else { symbol(&id) },
        id,
        name: if enabled { "Enabled".into() } else { name },
        unit,
        min: least.min(largest),
        max: least.max(largest),
        default: if enabled { 1.0 - default } else { default },
        kind,
        hidden: flags.contains(ParamFlags::HIDDEN),
        enabled,
    }
}

//! `clap.params`: what parameters there are, and their values as seen from home.

use std::collections::HashSet;
use std::ffi::CString;

use clack_extensions::params::{
    HostParamsImplMainThread, HostParamsImplShared, ParamClearFlags, ParamInfo as ClapParam, ParamInfoBuffer,
    ParamInfoFlags, ParamRescanFlags, PluginParams,
};
use clack_host::prelude::{ClapId, PluginMainThreadHandle};

use super::text;
use crate::backend::AudioAt;
use crate::backend::clap::audio::ClapAudio;
use crate::backend::clap::host::{HomeSide, Shared};
use crate::backend::clap::main::ClapMain;
use crate::backend::clap::requests::{Ask, Common};
use crate::backend::log::Level;
use crate::model::{ParamInfo, Steps};

/// Most parameters of one plugin; of one that claims more, the first are used.
pub const MAX_PARAMS: u32 = 65_536;
/// Most named values of one parameter that are asked for.
const MAX_NAMES: f64 = 128.0;
/// Room for a value's text, bytes.
const TEXT: usize = 256;

impl HostParamsImplShared for Shared {
    fn request_flush(&self) {
        self.0.ask(Ask::Flush);
    }
}

impl HostParamsImplMainThread for HomeSide {
    fn rescan(&self, flags: ParamRescanFlags) {
        self.common.expect_home();
        if flags.contains(ParamRescanFlags::ALL) {
            self.common.ask(Ask::Params);
        }
        if flags.intersects(ParamRescanFlags::INFO | ParamRescanFlags::TEXT) {
            self.common.ask(Ask::Infos);
        }
        if flags.contains(ParamRescanFlags::VALUES) {
            self.common.ask(Ask::Values);
        }
    }

    fn clear(&self, _param: ClapId, _flags: ParamClearFlags) {
        // Nothing is kept that could be cleared: automation is the DAW's.
        self.common.expect_home();
    }
}

/// How a parameter is named to the plugin.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The plugin's id for it.
    pub id: u32,
    /// A pointer of the plugin's own, as a number: only given back to it, and only with `id`.
    pub cookie: usize,
}

/// Reads all parameters. Two with the same id count once. `[home]`
pub fn read(plugin: &PluginMainThreadHandle<'_>, common: &Common) -> (Vec<ParamInfo>, Vec<Link>) {
    let (mut infos, mut links) = (Vec::new(), Vec::new());
    let Some(extension) = plugin.get_extension::<PluginParams>() else { return (infos, links) };
    let count = extension.count(plugin);
    if count > MAX_PARAMS {
        common.log(Level::Warning, &format!("claims {count} parameters; the first {MAX_PARAMS} are used"));
    }
    let (mut seen, mut odd) = (HashSet::new(), false);
    for index in 0..count.min(MAX_PARAMS) {
        let mut buffer = ParamInfoBuffer::new();
        let Some(raw) = extension.get_info(plugin, index, &mut buffer) else { continue };
        if !seen.insert(raw.id.get()) {
            odd = true;
            continue;
        }
        odd |= raw.min_value.partial_cmp(&raw.max_value).is_none_or(std::cmp::Ordering::is_gt);
        links.push(Link { id: raw.id.get(), cookie: raw.cookie.as_raw() as usize });
        infos.push(info(&extension, plugin, &raw));
    }
    if odd {
        common.log(Level::Warning, "has parameters with the same id or with a minimum above the maximum; put right");
    }
    (infos, links)
}

fn info(extension: &PluginParams, plugin: &PluginMainThreadHandle<'_>, raw: &ClapParam<'_>) -> ParamInfo {
    let flag = |flag| raw.flags.contains(flag);
    let (min, max) = range(raw.min_value, raw.max_value);
    let default = if raw.default_value.is_finite() { raw.default_value.clamp(min, max) } else { min };
    ParamInfo {
        key: raw.id.get().to_string(),
        name: text(raw.name),
        group: text(raw.module),
        min,
        max,
        default,
        unit: String::new(),
        steps: steps(extension, plugin, raw, min, max),
        automatable: flag(ParamInfoFlags::IS_AUTOMATABLE),
        read_only: flag(ParamInfoFlags::IS_READONLY),
        hidden: flag(ParamInfoFlags::IS_HIDDEN),
        is_bypass: flag(ParamInfoFlags::IS_BYPASS),
        logarithmic: false,
    }
}

/// A range that is one, whatever the plugin claims.
fn range(min: f64, max: f64) -> (f64, f64) {
    match (min.is_finite(), max.is_finite()) {
        (true, true) => (min.min(max), min.max(max)),
        (true, false) => (min, min.max(1.0)),
        (false, true) => (max.min(0.0), max),
        (false, false) => (0.0, 1.0),
    }
}

fn steps(ext: &PluginParams, plugin: &PluginMainThreadHandle<'_>, raw: &ClapParam<'_>, min: f64, max: f64) -> Steps {
    if !raw.flags.intersects(ParamInfoFlags::IS_STEPPED | ParamInfoFlags::IS_ENUM) {
        return Steps::Continuous;
    }
    if raw.flags.contains(ParamInfoFlags::IS_ENUM) && max - min < MAX_NAMES {
        let values = (0..=(max - min) as u32).map(|step| min + f64::from(step));
        let named: Option<Vec<_>> = values.map(|v| Some((v, value_text(ext, plugin, raw.id, v)?))).collect();
        if let Some(named) = named {
            return Steps::Named(named);
        }
    }
    if (min, max) == (0.0, 1.0) { Steps::Toggle } else { Steps::Integer }
}

fn value_text(ext: &PluginParams, plugin: &PluginMainThreadHandle<'_>, id: ClapId, value: f64) -> Option<String> {
    let mut buffer = [0; TEXT];
    ext.value_to_text(plugin, id, value, &mut buffer).ok().map(|bytes| text(bytes))
}

impl ClapMain {
    fn id(&self, index: usize) -> Option<ClapId> {
        ClapId::from_raw(self.links.get(index)?.id)
    }

    /// What the plugin itself says `index` is. `[home]`
    pub(in crate::backend::clap) fn plugin_value(&mut self, index: usize) -> Option<f64> {
        let id = self.id(index)?;
        let plugin = self.instance.plugin_handle();
        self.params_ext.as_ref()?.get_value(&plugin, id).filter(|value| value.is_finite())
    }

    /// The value as home knows it: a change on its way to the audio thread counts until the plugin has it. `[home]`
    pub(in crate::backend::clap) fn home_value(&mut self, index: usize) -> Option<f64> {
        let now = self.plugin_value(index)?;
        match self.pending.get(&index) {
            Some(pending) if pending.before == now => Some(pending.wanted),
            Some(_) => {
                self.pending.remove(&index);
                Some(now)
            }
            None => Some(now),
        }
    }

    /// All values, in the order of the list. `[home]`
    pub(in crate::backend::clap) fn all_values(&mut self) -> Vec<Option<f64>> {
        (0..self.links.len()).map(|index| self.home_value(index)).collect()
    }

    /// `value` as the plugin writes it. `[home]`
    pub(in crate::backend::clap) fn write_value(&mut self, index: usize, value: f64) -> Option<String> {
        let id = self.id(index)?;
        let plugin = self.instance.plugin_handle();
        value_text(self.params_ext.as_ref()?, &plugin, id, value)
    }

    /// The value the plugin reads from `text`. `[home]`
    pub(in crate::backend::clap) fn read_value(&mut self, index: usize, text: &str) -> Option<f64> {
        let id = self.id(index)?;
        let text = CString::new(text).ok()?;
        let plugin = self.instance.plugin_handle();
        self.params_ext.as_ref()?.text_to_value(&plugin, id, &text).filter(|value| value.is_finite())
    }

    /// Sets values by index, each brought into its range. `[home]`
    pub(in crate::backend::clap) fn set_values(&mut self, values: &[(usize, f64)], audio: AudioAt<'_>) {
        let known = values.iter().filter_map(|&(index, value)| Some((index, self.params.get(index)?.clamp(value))));
        let known: Vec<_> = known.collect();
        match audio {
            AudioAt::Inactive => self.flush_inactive(&known),
            AudioAt::Home(half) => {
                let Some(half) = half.as_any().downcast_mut::<ClapAudio>() else { return };
                half.flush(&known);
                let moved = half.take_flushed();
                self.moved_by_plugin(&moved);
            }
            AudioAt::Away => {
                for (index, wanted) in known {
                    if let Some(before) = self.plugin_value(index) {
                        self.pending.insert(index, Pending { before, wanted });
                    }
                }
            }
        }
    }

    /// Values that the plugin moved by itself, or all of them, are to be read again.
    pub(in crate::backend::clap) fn moved_by_plugin(&mut self, moved: &[(usize, f64)]) {
        for (index, _) in moved {
            self.pending.remove(index);
        }
        if !moved.is_empty() {
            self.common.ask(Ask::Values);
        }
    }

    /// Reads the list of parameters again. `[home]`
    pub(in crate::backend::clap) fn read_params(&mut self) {
        let plugin = self.instance.plugin_handle();
        self.params_ext = plugin.get_extension();
        let (params, links) = read(&plugin, &self.common);
        let same = links.len() == self.links.len() && links.iter().zip(&self.links).all(|(a, b)| a.id == b.id);
        if !same {
            self.pending.clear();
        }
        (self.params, self.links) = (params, links);
    }
}

/// A change that home knows of and the plugin does not yet.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    /// What the plugin said when the change was sent.
    pub before: f64,
    /// What was sent.
    pub wanted: f64,
}

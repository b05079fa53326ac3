//! What a plugin's description says, read once and kept as plain data.

use std::path::PathBuf;

use super::ffi::lilv::{Node, Plugin, Port as LilvPort};
use super::{patch, port_groups, resize_port, units, uri};
use crate::model::{ParamInfo, PluginEntry, PluginId, PluginLocation, PortLayout, Steps};

/// What kind of data a port carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Sound.
    Audio,
    /// Audio-rate control.
    Cv,
    /// One value a block.
    Control,
    /// Messages.
    Atom(Atom),
    /// A type of port that Catena does not know.
    Other(String),
}

/// What an atom port is for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Atom {
    /// Bytes its buffer must have.
    pub size: usize,
    /// It takes or makes MIDI.
    pub midi: bool,
    /// It takes the song position.
    pub time: bool,
    /// It takes or makes `patch` messages.
    pub patch: bool,
}

/// One port.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    /// Its symbol, unique in the plugin.
    pub symbol: String,
    /// Its name.
    pub name: String,
    /// What it carries.
    pub kind: Kind,
    /// The plugin reads it.
    pub input: bool,
    /// It may be left unconnected.
    pub optional: bool,
    /// It is an input that steers the plugin.
    pub sidechain: bool,
    /// Its group.
    pub group: Option<String>,
    /// What it means to the host.
    pub designation: Option<String>,
    /// Its control range, where it is a control port.
    pub control: Option<Control>,
}

/// A control port's values.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// As shown and addressed; bounds scaled by a rate only in what [`Description::params`] gives.
    pub info: ParamInfo,
    /// Bounds are multiples of the sample rate.
    pub by_rate: bool,
    /// Values outside the bounds are never sent.
    pub strict: bool,
}

impl Control {
    /// The parameter at `rate`, bounds that are multiples of it scaled.
    fn at_rate(&self, rate: f64) -> ParamInfo {
        let mut info = self.info.clone();
        if self.by_rate {
            // lv2core speaks of bounds only; a default that lies within them is of the same unit.
            if (info.min..=info.max).contains(&info.default) {
                info.default *= rate;
            }
            info.min = (info.min * rate).min(info.default);
            info.max = (info.max * rate).max(info.default);
        }
        info
    }
}

/// All that is known of a plugin from its description.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// URI.
    pub uri: String,
    /// Name.
    pub name: String,
    /// Maker.
    pub vendor: String,
    /// Version, `MINOR.MICRO`.
    pub version: String,
    /// Class names in lower case.
    pub categories: Vec<String>,
    /// Own bundle.
    pub bundle: PathBuf,
    /// Library.
    pub library: Option<PathBuf>,
    /// Features it requires.
    pub required: Vec<String>,
    /// Features it can use.
    pub optional: Vec<String>,
    /// Extensions its code offers.
    pub extensions: Vec<String>,
    /// Ports by index.
    pub ports: Vec<Port>,
    /// Buses made of the audio and CV ports.
    pub layout: PortLayout,
    /// Bus and channel of each port that has one.
    pub places: Vec<Option<(usize, usize)>>,
    /// `patch:writable` parameters with a number as value.
    pub patch: Vec<patch::Parameter>,
    /// It describes a default state.
    pub default_state: bool,
}

/// What an index into the list of parameters stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A control input, by port index.
    Input(usize),
    /// A control output, by port index.
    Output(usize),
    /// A `patch:writable`, by its place in [`Description::patch`].
    Patch(usize),
}

impl Description {
    /// Reads it. `[home]`
    pub fn read(plugin: Plugin<'_>) -> Self {
        let texts = |predicate| plugin.value(predicate).iter().map(Node::text).collect::<Vec<_>>();
        let number = |predicate| texts(predicate).first().cloned().unwrap_or_else(|| "0".into());
        let mut groups = port_groups::Groups::new(plugin.world);
        let ports: Vec<_> = plugin.ports().into_iter().map(|port| read_port(port, &mut groups)).collect();
        let (layout, places) = port_groups::layout(plugin, &ports, &mut groups);
        let (label, class) = plugin.class();
        let name = plugin.name();
        let uri = plugin.uri();
        Self {
            name: if name.is_empty() { uri.clone() } else { name },
            uri,
            vendor: plugin.author(),
            version: format!("{}.{}", number(uri::MINOR_VERSION), number(uri::MICRO_VERSION)),
            categories: categories(&label, &class),
            bundle: plugin.bundle().unwrap_or_default(),
            library: plugin.library(),
            required: texts(uri::REQUIRED_FEATURE),
            optional: texts(uri::OPTIONAL_FEATURE),
            extensions: texts(uri::EXTENSION_DATA),
            patch: patch::parameters(plugin),
            default_state: !plugin.value(uri::STATE_STATE).is_empty(),
            ports,
            layout,
            places,
        }
    }

    /// Whether the plugin requires or can use `feature`.
    pub fn has_feature(&self, feature: &str) -> bool {
        self.required.iter().chain(&self.optional).any(|f| f == feature)
    }

    /// Whether it may have use for a worker.
    pub fn works(&self) -> bool {
        self.has_feature(uri::SCHEDULE) || self.extensions.iter().any(|e| e == uri::WORKER_INTERFACE)
    }

    /// The first required feature that we lack.
    pub fn unknown_feature(&self) -> Option<&str> {
        self.required.iter().map(String::as_str).find(|feature| !uri::OFFERED.contains(feature))
    }

    /// The first port of a type we do not know that must be connected.
    pub fn unknown_port(&self) -> Option<&str> {
        self.ports.iter().find_map(|port| match &port.kind {
            Kind::Other(kind) if !port.optional => Some(kind.as_str()),
            _ => None,
        })
    }

    /// Index, direction and buffer size of every atom port.
    pub fn atoms(&self) -> impl Iterator<Item = (usize, bool, usize)> {
        self.ports.iter().enumerate().filter_map(|(index, port)| match &port.kind {
            Kind::Atom(atom) => Some((index, port.input, atom.size)),
            _ => None,
        })
    }

    /// The control port with a designation.
    pub fn control(&self, input: bool, designation: &str) -> Option<usize> {
        self.ports.iter().position(|port| {
            port.control.is_some() && port.input == input && port.designation.as_deref() == Some(designation)
        })
    }

    /// The parameters, bounds by rate scaled to `rate`, and what each stands for.
    pub fn params(&self, rate: f64) -> (Vec<ParamInfo>, Vec<Target>) {
        let control = |(index, port): (usize, &Port)| {
            let control = port.control.as_ref()?;
            let info = control.at_rate(rate);
            Some((info, if port.input { Target::Input(index) } else { Target::Output(index) }))
        };
        let controls = self.ports.iter().enumerate().filter_map(control);
        let patches = self.patch.iter().enumerate().map(|(at, parameter)| (parameter.info.clone(), Target::Patch(at)));
        controls.chain(patches).unzip()
    }

    /// The catalog's entry, bounds by rate at 48 kHz.
    pub fn entry(&self, bundles: Vec<PathBuf>, presets: Vec<crate::model::Preset>) -> PluginEntry {
        PluginEntry {
            id: PluginId::lv2(&self.uri),
            name: self.name.clone(),
            vendor: self.vendor.clone(),
            version: self.version.clone(),
            location: PluginLocation::Lv2(bundles),
            categories: self.categories.clone(),
            ports: self.layout.clone(),
            params: self.params(48_000.0).0,
            presets,
            min_block: 1,
        }
    }
}

/// The class's label where the specification was loaded, else the last part of its URI.
fn categories(label: &str, class: &str) -> Vec<String> {
    let name = if label.is_empty() { class.rsplit(['#', '/']).next().unwrap_or_default() } else { label };
    let name = name.trim_end_matches("Plugin").trim().to_lowercase();
    if name.is_empty() { vec![] } else { vec![name] }
}

fn read_port(port: LilvPort<'_>, groups: &mut port_groups::Groups<'_>) -> Port {
    let classes = port.classes();
    let is = |class: &str| classes.iter().any(|c| c == class);
    let properties = port.values(uri::PORT_PROPERTY);
    let has = |property: &str| properties.iter().any(|p| p == property);
    let input = !is(uri::OUTPUT_PORT);
    let group = port.values(uri::GROUP).into_iter().next();
    let mut designation = port.values(uri::DESIGNATION).into_iter().next();
    if has(uri::REPORTS_LATENCY) && !input {
        designation = Some(uri::LATENCY.into());
    }
    let kind = match () {
        () if is(uri::AUDIO_PORT) => Kind::Audio,
        () if is(uri::CV_PORT) => Kind::Cv,
        () if is(uri::CONTROL_PORT) => Kind::Control,
        () if is(uri::ATOM_PORT) => Kind::Atom(read_atom(port, input)),
        () => Kind::Other(
            classes
                .iter()
                .find(|c| !c.ends_with("#Port") && *c != uri::INPUT_PORT && *c != uri::OUTPUT_PORT)
                .cloned()
                .unwrap_or_else(|| "a port without a type".into()),
        ),
    };
    let (symbol, name) = (port.symbol(), port.name());
    let control = (kind == Kind::Control).then(|| {
        let group_name = group.as_ref().map_or(String::new(), |group| groups.name(group));
        read_control(port, &symbol, &name, group_name, input, designation.as_deref(), &has)
    });
    Port {
        symbol,
        name,
        kind,
        input,
        optional: has(uri::CONNECTION_OPTIONAL),
        sidechain: has(uri::IS_SIDE_CHAIN),
        group,
        designation,
        control,
    }
}

fn read_atom(port: LilvPort<'_>, input: bool) -> Atom {
    let supports = port.values(uri::SUPPORTS);
    let has = |what: &str| supports.iter().any(|s| s == what);
    Atom {
        size: resize_port::size(port.value(uri::MINIMUM_SIZE).first().and_then(Node::number)),
        midi: has(uri::MIDI_EVENT),
        time: input && has(uri::TIME_POSITION),
        patch: has(uri::PATCH_MESSAGE),
    }
}

fn read_control(
    port: LilvPort<'_>,
    symbol: &str,
    name: &str,
    group: String,
    input: bool,
    designation: Option<&str>,
    has: &dyn Fn(&str) -> bool,
) -> Control {
    let mut points = port.scale_points();
    points.retain(|(value, _)| value.is_finite());
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let by_rate = has(uri::SAMPLE_RATE);
    let (mut min, mut max, default) = bounds(port.range());
    if !by_rate {
        (min, max) = (min.min(default), max.max(default));
    }
    let steps = match () {
        () if has(uri::TOGGLED) => Steps::Toggle,
        () if has(uri::ENUMERATION) && !points.is_empty() => Steps::Named(points),
        () if has(uri::INTEGER) => Steps::Integer,
        () => Steps::Continuous,
    };
    let is_bypass = input && designation == Some(uri::ENABLED);
    let for_host = designation.is_some_and(|d| d == uri::FREE_WHEELING || d == uri::LATENCY || is_time(d));
    let info = ParamInfo {
        key: symbol.into(),
        name: name.into(),
        group,
        min,
        max,
        default,
        unit: port.value(uri::UNIT).first().map_or(String::new(), |unit| units::symbol(port.world(), unit)),
        steps,
        automatable: input && !for_host && !has(uri::NOT_AUTOMATIC) && !has(uri::EXPENSIVE),
        read_only: !input,
        hidden: for_host || is_bypass || has(uri::NOT_ON_GUI),
        is_bypass,
        logarithmic: has(uri::LOGARITHMIC),
    };
    Control { info, by_rate, strict: has(uri::STRICT_BOUNDS) }
}

/// Whether a designation is one of the song's position, which the host feeds.
pub fn is_time(designation: &str) -> bool {
    designation.starts_with("http://lv2plug.in/ns/ext/time#")
}

/// Usable bounds from whatever the description says: numbers in order. The default may lie outside of bounds that are
/// meant times the rate.
pub fn bounds(range: super::ffi::lilv::Range) -> (f64, f64, f64) {
    let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
    let (mut min, mut max) = match (finite(range.min), finite(range.max)) {
        (Some(min), Some(max)) => (min, max),
        (Some(min), None) => (min, min.max(1.0)),
        (None, Some(max)) => (max.min(0.0), max),
        (None, None) => (0.0, 1.0),
    };
    if min > max {
        std::mem::swap(&mut min, &mut max);
    }
    (min, max, finite(range.default).unwrap_or(min))
}

#[cfg(test)]
mod tests {
    use super::super::ffi::lilv::Range;
    use super::*;

    /// Bounds and fresh value at 48 kHz of a port whose bounds are multiples of the rate.
    fn at_48k(min: f64, max: f64, default: f64) -> (f64, f64, f64) {
        let (min, max, default) = bounds(Range { min: Some(min), max: Some(max), default: Some(default) });
        let info = ParamInfo {
            key: String::new(),
            name: String::new(),
            group: String::new(),
            min,
            max,
            default,
            unit: String::new(),
            steps: Steps::Continuous,
            automatable: true,
            read_only: false,
            hidden: false,
            is_bypass: false,
            logarithmic: false,
        };
        let info = Control { info, by_rate: true, strict: false }.at_rate(48_000.0);
        (info.min, info.max, info.default)
    }

    #[test]
    fn bounds_that_are_multiples_of_the_rate_take_a_default_in_hz_as_it_is() {
        // As swh's singlePara has it: bounds in parts of the rate, the default in Hz.
        assert_eq!(at_48k(0.0, 0.4, 440.0), (0.0, 19_200.0, 440.0));
    }

    #[test]
    fn a_default_within_bounds_that_are_multiples_of_the_rate_is_one_too() {
        assert_eq!(at_48k(0.0, 0.5, 0.25), (0.0, 24_000.0, 12_000.0));
    }

    #[test]
    fn a_default_that_no_bound_holds_widens_them() {
        assert_eq!(at_48k(0.001, 0.5, 0.0), (0.0, 24_000.0, 0.0));
        assert_eq!(at_48k(0.0, 0.5, 30_000.0), (0.0, 30_000.0, 30_000.0));
    }
}

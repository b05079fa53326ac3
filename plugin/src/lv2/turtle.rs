//! The Turtle of a bundle, made of the plugins themselves.

use std::fmt::Write as _;

use nice_plug::prelude::AudioIOLayout;

use super::ffi::params::{Kind, ParamInfo};
use super::ports::Ports;
use super::words::{number, quoted, unit};

/// A plugin as Turtle tells it.
pub struct Described {
    pub(super) uri: &'static str,
    pub(super) name: &'static str,
    pub(super) vendor: &'static str,
    pub(super) url: &'static str,
    pub(super) version: &'static str,
    pub(super) comment: &'static str,
    pub(super) state: &'static str,
    pub(super) classes: &'static [&'static str],
    pub(super) max_latency: u32,
    pub(super) layout: AudioIOLayout,
    pub(super) params: Vec<ParamInfo>,
    pub(super) window: bool,
    /// Its last two ports, those for events, are not told of: no host connects them.
    pub(super) plain: bool,
    pub(super) ports: Ports,
}

/// One file of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name in the bundle.
    pub name: String,
    /// What is in it.
    pub text: String,
}

const PREFIXES: &str = "\
@prefix atom: <http://lv2plug.in/ns/ext/atom#> .
@prefix bufsz: <http://lv2plug.in/ns/ext/buf-size#> .
@prefix doap: <http://usefulinc.com/ns/doap#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix log: <http://lv2plug.in/ns/ext/log#> .
@prefix lv2: <http://lv2plug.in/ns/lv2core#> .
@prefix midi: <http://lv2plug.in/ns/ext/midi#> .
@prefix opts: <http://lv2plug.in/ns/ext/options#> .
@prefix param: <http://lv2plug.in/ns/ext/parameters#> .
@prefix patch: <http://lv2plug.in/ns/ext/patch#> .
@prefix pg: <http://lv2plug.in/ns/ext/port-groups#> .
@prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rsz: <http://lv2plug.in/ns/ext/resize-port#> .
@prefix state: <http://lv2plug.in/ns/ext/state#> .
@prefix time: <http://lv2plug.in/ns/ext/time#> .
@prefix ui: <http://lv2plug.in/ns/extensions/ui#> .
@prefix units: <http://lv2plug.in/ns/extensions/units#> .
@prefix urid: <http://lv2plug.in/ns/ext/urid#> .
";

/// Room for events, bytes: the longest system-exclusive message that passes (64 KiB), twice.
const ATOM_BYTES: u32 = 128 * 1024;

/// Every file of a bundle of `plugins` in the library `binary`: the manifest, one file for each plugin, and
/// [`PORTS`] for the library that stands in where the plugins cannot be loaded. `[any but audio]`
pub fn bundle(plugins: &[Described], binary: &str) -> Vec<File> {
    let mut files = vec![File { name: "manifest.ttl".into(), text: manifest(plugins, binary) }];
    files.extend(plugins.iter().map(|plugin| File { name: plugin.file(), text: plugin.text() }));
    files.push(File { name: PORTS.into(), text: plugins.iter().map(Described::ports_line).collect() });
    files
}

/// Which ports are which, one line a plugin.
pub const PORTS: &str = "ports.txt";

fn manifest(plugins: &[Described], binary: &str) -> String {
    let mut out = String::from(
        "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
         @prefix ui: <http://lv2plug.in/ns/extensions/ui#> .\n",
    );
    for plugin in plugins {
        let (uri, file) = (plugin.uri, plugin.file());
        out += &format!("\n<{uri}> a lv2:Plugin ;\n\tlv2:binary <{binary}> ;\n\trdfs:seeAlso <{file}> .\n");
        if plugin.window {
            out += &format!("\n<{uri}#ui> a ui:X11UI ;\n\tui:binary <{binary}> ;\n\trdfs:seeAlso <{file}> .\n");
        }
    }
    out
}

impl Described {
    /// The name of its file: what follows the last colon, slash or hash of its URI.
    fn file(&self) -> String {
        let name = self.uri.rsplit([':', '/', '#']).next().unwrap_or(self.uri);
        // What the bundle itself is told in.
        if name == "manifest" { "plugin.ttl".into() } else { format!("{name}.ttl") }
    }

    /// `URI NAME-OF-STATE inputs outputs silent latency atoms-out`, numbers joined by commas, `-` for none.
    fn ports_line(&self) -> String {
        let list = |ports: &mut dyn Iterator<Item = usize>| {
            let ports: Vec<_> = ports.map(|port| port.to_string()).collect();
            if ports.is_empty() { "-".into() } else { ports.join(",") }
        };
        let Ports { inputs, outputs, aux, latency, atoms_out, .. } = &self.ports;
        format!(
            "{} {} {} {} {} {latency} {atoms_out}\n",
            self.uri,
            self.state,
            list(&mut inputs.clone()),
            list(&mut outputs.clone()),
            list(&mut aux.iter().cloned().flatten()),
        )
    }

    fn text(&self) -> String {
        let mut out = String::from(PREFIXES);
        self.groups(&mut out);
        self.head(&mut out);
        let ports = self.all_ports();
        for (index, port) in ports.iter().enumerate() {
            let end = if index + 1 == ports.len() { "." } else { "," };
            let lead = if index == 0 { "\tlv2:port " } else { " " };
            let _string = write!(out, "{lead}[\n\t\tlv2:index {index} ;\n{port}\t] {end}");
        }
        out.push('\n');
        if self.window {
            let _string = write!(
                out,
                "\n<{}#ui> a ui:X11UI ;\n\
                 \tlv2:requiredFeature ui:parent , ui:idleInterface , \
                 <http://lv2plug.in/ns/ext/instance-access> ;\n\
                 \tlv2:optionalFeature ui:resize , ui:touch , opts:options ;\n\
                 \tlv2:extensionData ui:idleInterface , ui:resize ;\n\
                 \topts:supportedOption ui:scaleFactor .\n",
                self.uri
            );
        }
        out
    }

    fn head(&self, out: &mut String) {
        let part = |index: usize| self.version.split('.').nth(index).and_then(|part| part.parse().ok()).unwrap_or(0u32);
        // LV2's own numbers: even ones are releases.
        let (minor, micro) = (2 * (part(0) * 100 + part(1)), 2 * part(2));
        let classes: String = self.classes.iter().map(|class| format!(" , lv2:{class}")).collect();
        let _string = write!(
            out,
            "\n<{uri}> a lv2:Plugin , doap:Project{classes} ;\n\
             \tdoap:name {name} ;\n\
             \tdoap:license <https://spdx.org/licenses/MIT> ;\n\
             \tdoap:maintainer [\n\t\ta foaf:Person ;\n\t\tfoaf:name {vendor} ;\n\t\tfoaf:homepage <{url}>\n\t] ;\n\
             \trdfs:comment {comment} ;\n\
             \tlv2:minorVersion {minor} ;\n\
             \tlv2:microVersion {micro} ;\n\
             \tlv2:optionalFeature lv2:hardRTCapable , urid:map , bufsz:boundedBlockLength , opts:options , log:log ,\n\
             \t\tstate:mapPath , state:makePath , state:freePath , state:threadSafeRestore ;\n\
             \tlv2:extensionData state:interface , opts:interface ;\n\
             \topts:supportedOption bufsz:minBlockLength , bufsz:maxBlockLength , bufsz:nominalBlockLength ,\n\
             \t\tparam:sampleRate ;\n",
            uri = self.uri,
            name = quoted(self.name),
            vendor = quoted(self.vendor),
            url = self.url,
            comment = quoted(self.comment),
        );
        if let Some(group) = self.group("main_in", self.ports.inputs.len()) {
            let _string = writeln!(out, "\tpg:mainInput {group} ;");
        }
        if let Some(group) = self.group("main_out", self.ports.outputs.len()) {
            let _string = writeln!(out, "\tpg:mainOutput {group} ;");
        }
        if self.window {
            let _string = writeln!(out, "\tui:ui <{}#ui> ;", self.uri);
        }
    }

    /// The URI of the group of `channels` ports, where they are more than one.
    fn group(&self, symbol: &str, channels: usize) -> Option<String> {
        (channels > 1).then(|| format!("<{}#{symbol}>", self.uri))
    }

    fn groups(&self, out: &mut String) {
        let mut tell = |symbol: &str, name: &str, channels: usize, input: bool, of: Option<&str>| {
            let Some(group) = self.group(symbol, channels) else { return };
            let way = if input { "pg:InputGroup" } else { "pg:OutputGroup" };
            let shape = if channels == 2 { " , pg:StereoGroup" } else { "" };
            let side = of
                .and_then(|main| self.group(main, 2))
                .map_or(String::new(), |of| format!("\tpg:sideChainOf {of} ;\n"));
            let name = quoted(name);
            let _string = write!(
                out,
                "\n{group} a {way}{shape} ;\n{side}\tlv2:symbol {symbol} ;\n\tlv2:name {name} .\n",
                symbol = quoted(symbol)
            );
        };
        tell("main_in", &self.layout.main_input_name(), self.ports.inputs.len(), true, None);
        for (index, ports) in self.ports.sidechains.iter().enumerate() {
            let main = (self.ports.inputs.len() > 1).then_some("main_in");
            let name = self.layout.aux_input_name(index).unwrap_or_default();
            tell(&format!("side_{}", index + 1), &name, ports.len(), true, main);
        }
        tell("main_out", &self.layout.main_output_name(), self.ports.outputs.len(), false, None);
        for (index, ports) in self.ports.aux.iter().enumerate() {
            let name = self.layout.aux_output_name(index).unwrap_or_default();
            tell(&format!("aux_{}", index + 1), &name, ports.len(), false, None);
        }
    }

    /// What each port is, in the order of [`Ports`].
    fn all_ports(&self) -> Vec<String> {
        let mut ports: Vec<String> = self.params.iter().map(param).collect();
        ports.push(
            "\t\ta lv2:InputPort , lv2:ControlPort ;\n\t\tlv2:symbol \"lv2_freewheel\" ;\n\
             \t\tlv2:name \"Freewheeling\" ;\n\t\tlv2:designation lv2:freeWheeling ;\n\
             \t\tlv2:portProperty lv2:toggled , pprops:notOnGUI ;\n\
             \t\tlv2:default 0.0 ;\n\t\tlv2:minimum 0.0 ;\n\t\tlv2:maximum 1.0 ;\n"
                .into(),
        );
        ports.push(format!(
            "\t\ta lv2:OutputPort , lv2:ControlPort ;\n\t\tlv2:symbol \"lv2_latency\" ;\n\
             \t\tlv2:name \"Latency\" ;\n\t\tlv2:designation lv2:latency ;\n\
             \t\tlv2:portProperty lv2:reportsLatency , lv2:integer , pprops:notOnGUI ;\n\
             \t\tlv2:default 0.0 ;\n\t\tlv2:minimum 0.0 ;\n\t\tlv2:maximum {}.0 ;\n\t\tunits:unit units:frame ;\n",
            self.max_latency
        ));
        self.bus(&mut ports, "main_in", "in", &self.layout.main_input_name(), self.ports.inputs.len(), Way::In);
        for (index, side) in self.ports.sidechains.iter().enumerate() {
            let name = self.layout.aux_input_name(index).unwrap_or_default();
            let symbol = format!("side_{}", index + 1);
            self.bus(&mut ports, &symbol, &symbol, &name, side.len(), Way::Sidechain);
        }
        self.bus(&mut ports, "main_out", "out", &self.layout.main_output_name(), self.ports.outputs.len(), Way::Out);
        for (index, aux) in self.ports.aux.iter().enumerate() {
            let name = self.layout.aux_output_name(index).unwrap_or_default();
            let symbol = format!("aux_{}", index + 1);
            self.bus(&mut ports, &symbol, &symbol, &name, aux.len(), Way::Out);
        }
        if self.plain {
            return ports;
        }
        for (way, symbol, name, supports) in [
            ("InputPort", "events_in", "Events in", "midi:MidiEvent , time:Position"),
            ("OutputPort", "events_out", "Events out", "midi:MidiEvent"),
        ] {
            ports.push(format!(
                "\t\ta lv2:{way} , atom:AtomPort ;\n\t\tatom:bufferType atom:Sequence ;\n\
                 \t\tatom:supports {supports} ;\n\t\tlv2:designation lv2:control ;\n\
                 \t\tlv2:portProperty lv2:connectionOptional ;\n\
                 \t\tlv2:symbol \"{symbol}\" ;\n\t\tlv2:name \"{name}\" ;\n\t\trsz:minimumSize {ATOM_BYTES} ;\n"
            ));
        }
        ports
    }

    fn bus(&self, ports: &mut Vec<String>, group: &str, symbol: &str, name: &str, channels: usize, way: Way) {
        for channel in 0..channels {
            let port = if way == Way::Out { "lv2:OutputPort" } else { "lv2:InputPort" };
            let side = match way {
                Way::Sidechain => "\t\tlv2:portProperty lv2:isSideChain , lv2:connectionOptional ;\n",
                _ => "",
            };
            let (name, side_of_stereo) = match (channels, channel) {
                (1, _) => (name.to_owned(), ""),
                (2, 0) => (format!("{name} left"), "\t\tlv2:designation pg:left ;\n"),
                (2, _) => (format!("{name} right"), "\t\tlv2:designation pg:right ;\n"),
                _ => (format!("{name} {}", channel + 1), ""),
            };
            let group = self.group(group, channels).map_or(String::new(), |group| format!("\t\tpg:group {group} ;\n"));
            ports.push(format!(
                "\t\ta {port} , lv2:AudioPort ;\n\t\tlv2:symbol \"{symbol}_{}\" ;\n\t\tlv2:name {} ;\n\
                 {side}{side_of_stereo}{group}",
                channel + 1,
                quoted(&name),
            ));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Sidechain,
    Out,
}

/// The port of a parameter.
fn param(param: &ParamInfo) -> String {
    let mut out = format!(
        "\t\ta lv2:InputPort , lv2:ControlPort ;\n\t\tlv2:symbol {} ;\n\t\tlv2:name {} ;\n\
         \t\tlv2:default {} ;\n\t\tlv2:minimum {} ;\n\t\tlv2:maximum {} ;\n",
        quoted(&param.symbol),
        quoted(&param.name),
        number(param.default),
        number(param.min),
        number(param.max),
    );
    let mut properties: Vec<&str> = Vec::new();
    match &param.kind {
        Kind::Toggle => properties.push("lv2:toggled"),
        Kind::Integer => properties.push("lv2:integer"),
        Kind::Choice(names) => {
            properties.extend(["lv2:integer", "lv2:enumeration"]);
            for (value, name) in names.iter().enumerate() {
                let _string = write!(
                    out,
                    "\t\tlv2:scalePoint [\n\t\t\trdfs:label {} ;\n\t\t\trdf:value {value}.0\n\t\t] ;\n",
                    quoted(name)
                );
            }
        }
        Kind::Number => {}
    }
    if param.hidden {
        properties.push("pprops:notOnGUI");
    }
    if !properties.is_empty() {
        let _string = writeln!(out, "\t\tlv2:portProperty {} ;", properties.join(" , "));
    }
    if param.enabled {
        out += "\t\tlv2:designation lv2:enabled ;\n";
    }
    match (unit(param.unit), param.unit.trim()) {
        (Some(known), _) => {
            let _string = writeln!(out, "\t\tunits:unit units:{known} ;");
        }
        (None, "") => {}
        (None, own) => {
            let _string = write!(
                out,
                "\t\tunits:unit [\n\t\t\ta units:Unit ;\n\t\t\trdfs:label {0} ;\n\t\t\tunits:symbol {0} ;\n\
                 \t\t\tunits:render {1}\n\t\t] ;\n",
                quoted(own),
                quoted(&format!("%f {}", own.replace('%', "%%"))),
            );
        }
    }
    out
}

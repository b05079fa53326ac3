//! Carla's projects (`.carxp`) and presets (`.carxs`).

mod patchbay;

use roxmltree::{Document, Node, ParsingOptions};

use super::lanes;
use super::lv2::{Keeping, decode};
use super::{Files, Imported, MAX_SLOTS, Wrong, push, slot};
use crate::model::{Catalog, Format, PluginId, PluginState, Slot};

/// Elements that are read.
const MAX_NODES: u32 = 4_000_000;
/// Carla's own notes on a plugin, its colour and the like.
const OWN: &str = "http://kxstudio.sf.net/ns/carla/";

/// Reads a project or preset.
pub fn read(text: &[u8], catalog: &Catalog, files: &mut Files) -> Result<Imported, Wrong> {
    let (text, wrong) = clean(text)?;
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let parsed = Document::parse_with_options(&text, options).map_err(|error| Wrong::Unknown(error.to_string()))?;
    let root = parsed.root_element();
    let is = |name: &str| root.tag_name().name().eq_ignore_ascii_case(name);
    if !is("carla-project") && !is("carla-preset") {
        return Err(Wrong::Unknown(format!("it is a <{}>", root.tag_name().name())));
    }
    let mut found = Imported { untaken: wrong, ..Imported::default() };
    let plugins: Vec<_> = match is("carla-preset") {
        true => vec![root],
        false => children(root).filter(|node| has_name(*node, "Plugin")).collect(),
    };
    if plugins.len() > MAX_SLOTS {
        return Err(Wrong::Refused(format!("{} plugins; {MAX_SLOTS} are the limit", plugins.len())));
    }
    let names: Vec<_> = plugins.iter().map(|node| info(*node, &["name"]).unwrap_or_default()).collect();
    let order = patchbay::order(root, &names, &mut found.untaken)?;
    lanes::put(&order, &mut found, &mut |at, found| take(plugins[at], found, catalog, files));
    Ok(found)
}

/// The text, as far as it is one that XML may hold. Entities of a file's own make a short one long: Carla writes none.
fn clean(text: &[u8]) -> Result<(String, Vec<String>), Wrong> {
    let text = String::from_utf8_lossy(text);
    let head = text.get(..text.find("<CARLA").or_else(|| text.find("<carla")).unwrap_or(text.len())).unwrap_or(&text);
    if text.contains("<!ENTITY") || head.contains('[') {
        return Err(Wrong::Refused("it defines entities or a grammar of its own".into()));
    }
    let odd = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}');
    if !text.contains(odd) && !text.contains(char::REPLACEMENT_CHARACTER) {
        return Ok((text.into_owned(), Vec::new()));
    }
    let told = "signs that a text cannot hold are question marks now".to_owned();
    Ok((text.replace(|c| odd(c) || c == char::REPLACEMENT_CHARACTER, "?"), vec![told]))
}

fn children<'a, 'b>(node: Node<'a, 'b>) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(Node::is_element)
}

fn has_name(node: Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name().eq_ignore_ascii_case(name)
}

/// All the text of the first element of one of these names.
fn child(node: Node<'_, '_>, names: &[&str]) -> Option<String> {
    let found = children(node).find(|node| names.iter().any(|name| has_name(*node, name)))?;
    Some(text(found))
}

fn text(node: Node<'_, '_>) -> String {
    let all: String = node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    all.trim().to_owned()
}

fn info(plugin: Node<'_, '_>, names: &[&str]) -> Option<String> {
    let info = children(plugin).find(|node| has_name(*node, "Info"))?;
    child(info, names).filter(|text| !text.is_empty())
}

fn number(data: Node<'_, '_>, names: &[&str], default: f64) -> f64 {
    child(data, names).and_then(|text| text.parse().ok()).filter(|value: &f64| value.is_finite()).unwrap_or(default)
}

/// Takes one plugin as a slot.
fn take(plugin: Node<'_, '_>, found: &mut Imported, catalog: &Catalog, files: &mut Files) {
    let name = info(plugin, &["name"]).unwrap_or_default();
    let kind = info(plugin, &["type"]).unwrap_or_default();
    let id = info(plugin, &["label", "identifier", "uri"]);
    let id = match (kind.to_ascii_uppercase().as_str(), id) {
        ("CLAP", Some(id)) => PluginId::clap(id),
        ("LV2", Some(id)) => PluginId::lv2(id),
        ("CLAP" | "LV2", None) => return found.untaken.push(format!("{name}: its {kind} id is not in the file")),
        _ => return found.untaken.push(format!("{name}: a plugin of the kind {kind}; a chain holds CLAP and LV2")),
    };
    let mut slot = slot(&mut found.chain, id, &name, catalog, &mut found.untaken);
    if let Some(data) = children(plugin).find(|node| has_name(*node, "Data")) {
        strip(data, &mut slot, &mut found.untaken);
        values(data, &mut slot, &mut found.untaken);
        state(data, &mut slot, files, &mut found.untaken);
    }
    push(&mut found.chain, slot);
}

/// Bypass, mix and gain. Carla's volume lies behind its mix, ours before it.
fn strip(data: Node<'_, '_>, slot: &mut Slot, untaken: &mut Vec<String>) {
    let title = slot.title().to_owned();
    let active = child(data, &["active"]);
    slot.bypass = active.is_some_and(|text| !["yes", "true"].iter().any(|yes| text.eq_ignore_ascii_case(yes)));
    if slot.bypass {
        untaken.push(format!("{title}: it is switched off, which is silence in Carla; here sound passes by it"));
    }
    slot.mix = number(data, &["drywet"], 1.0).clamp(0.0, 1.0);
    let volume = number(data, &["volume"], 1.0).clamp(0.0, 1.27);
    match volume {
        0.0 => slot.strip.mute = true,
        1.0 => {}
        _ => slot.output_gain = 20.0 * volume.log10(),
    }
    if volume != 0.0 && volume != 1.0 && slot.mix < 1.0 {
        untaken.push(format!("{title}: the volume of its dry part; the gain is on what the plugin makes"));
    }
    let sides =
        (number(data, &["balance-left", "balanceleft"], -1.0), number(data, &["balance-right", "balanceright"], 1.0));
    if sides != (-1.0, 1.0) {
        untaken.push(format!("{title}: its balance, {} left and {} right; its pan is at the middle", sides.0, sides.1));
    }
    let panning = number(data, &["panning"], 0.0);
    if panning != 0.0 {
        untaken.push(format!("{title}: its panning, {panning}; its pan is at the middle"));
    }
}

fn values(data: Node<'_, '_>, slot: &mut Slot, untaken: &mut Vec<String>) {
    let title = slot.title().to_owned();
    for node in children(data).filter(|node| has_name(*node, "Parameter")) {
        let key = child(node, &["symbol", "identifier"]).filter(|key| !key.is_empty());
        let name = child(node, &["name"]).filter(|name| !name.is_empty()).or(key.clone()).unwrap_or_default();
        let controller = child(node, &["mappedcontrolindex"]).or(child(node, &["midicc", "midi-cc"]));
        if let Some(controller) = controller.filter(|text| text.parse().is_ok_and(|number: i32| number > 0)) {
            untaken.push(format!("{title}: controller {controller} of {name}; a macro can have one here"));
        }
        let Some(text) = child(node, &["value"]) else { continue };
        let value = text.parse().ok().filter(|value: &f64| value.is_finite());
        match (key, value) {
            (Some(key), Some(value)) => drop(slot.params.insert(key, value)),
            (None, Some(_)) => untaken.push(format!("{title}: {name}, which has no symbol")),
            (_, None) => untaken.push(format!("{title}: {name}, which is no number: {text:?}")),
        }
    }
}

fn state(data: Node<'_, '_>, slot: &mut Slot, files: &mut Files, untaken: &mut Vec<String>) {
    let title = slot.title().to_owned();
    let mut keeping = Keeping::default();
    for node in children(data).filter(|node| ["CustomData", "Custom-Data"].iter().any(|name| has_name(*node, name))) {
        let field = |name| child(node, &[name]).unwrap_or_default();
        let (kind, key, value) = (field("type"), field("key"), field("value"));
        let taken = match slot.plugin.format {
            // Its own notes, for its own windows.
            _ if kind == format!("{OWN}property") => Ok(()),
            Format::Lv2 if !kind.starts_with(OWN) => keeping.encoded(&key, &kind, &value, files),
            _ => Err("is Carla's own".to_owned()),
        };
        if let Err(why) = taken {
            untaken.push(format!("{title}: {key} {why}"));
        }
    }
    keeping.into_slot(slot);
    let Some(chunk) = child(data, &["chunk"]).filter(|chunk| !chunk.is_empty()) else { return };
    match (slot.plugin.format, decode(&chunk)) {
        (Format::Clap, Ok(bytes)) => slot.state = Some(PluginState { bytes: bytes.into(), ..PluginState::default() }),
        (Format::Clap, Err(why)) => untaken.push(format!("{title}: its state {why}")),
        (Format::Lv2, _) => untaken.push(format!("{title}: a state that is none of an LV2 plugin")),
    }
}

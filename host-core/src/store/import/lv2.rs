//! LV2's words, and the values of states as other hosts write them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::Files;
use super::turtle::{Graph, Term, file_path};
use crate::model::{Lv2Property, Lv2State, PluginState, Slot};

pub const RDF_TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
pub const RDF_VALUE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value";
pub const LABEL: &str = "http://www.w3.org/2000/01/rdf-schema#label";
pub const PORT: &str = "http://lv2plug.in/ns/lv2core#port";
pub const SYMBOL: &str = "http://lv2plug.in/ns/lv2core#symbol";
pub const APPLIES_TO: &str = "http://lv2plug.in/ns/lv2core#appliesTo";
pub const PROTOTYPE: &str = "http://lv2plug.in/ns/lv2core#prototype";
pub const INPUT: &str = "http://lv2plug.in/ns/lv2core#InputPort";
pub const OUTPUT: &str = "http://lv2plug.in/ns/lv2core#OutputPort";
pub const CV: &str = "http://lv2plug.in/ns/lv2core#CVPort";
pub const ATOM_PORT: &str = "http://lv2plug.in/ns/ext/atom#AtomPort";
pub const PRESET: &str = "http://lv2plug.in/ns/ext/presets#Preset";
pub const PRESET_VALUE: &str = "http://lv2plug.in/ns/ext/presets#value";
pub const STATE: &str = "http://lv2plug.in/ns/ext/state#state";

const ATOM: &str = "http://lv2plug.in/ns/ext/atom#";
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
const MIDI: &str = "http://lv2plug.in/ns/ext/midi#MidiEvent";
/// Plain and portable.
const FLAGS: u32 = 3;

fn atom(name: &str) -> String {
    format!("{ATOM}{name}")
}

fn property(key: &str, kind: &str) -> Lv2Property {
    Lv2Property { key: key.into(), kind: kind.into(), flags: FLAGS, ..Lv2Property::default() }
}

fn bytes(key: &str, kind: &str, value: &[u8]) -> Lv2Property {
    Lv2Property { base64: Some(BASE64.encode(value)), ..property(key, kind) }
}

fn text(key: &str, kind: &str, value: &str) -> Result<Lv2Property, String> {
    if value.contains('\0') {
        return Err("is a text with a zero in it".into());
    }
    Ok(Lv2Property { text: Some(value.into()), ..property(key, kind) })
}

fn number(key: &str, kind: &str, value: i64) -> Lv2Property {
    Lv2Property { number: Some(value), ..property(key, kind) }
}

/// Bytes in base64, broken into lines or not.
pub fn decode(text: &str) -> Result<Vec<u8>, String> {
    let text: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    BASE64.decode(text).map_err(|error| format!("is no base64: {error}"))
}

fn hex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Option<Vec<u8>> = text.trim().chars().map(|c| Some(c.to_digit(16)? as u8)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2)).ok_or("is no hexadecimal number")?;
    Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

fn parsed<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("is no such number: {text:?}"))
}

/// The state of a slot's plugin while it is put together.
#[derive(Default)]
pub struct Keeping {
    properties: Vec<Lv2Property>,
    state: PluginState,
}

impl Keeping {
    /// Takes a property as Turtle has it. `from`: the folder that its files count from. The error is why not.
    pub fn described(
        &mut self,
        graph: &Graph,
        (key, value): (&str, &Term),
        files: &mut Files,
        from: &str,
    ) -> Result<(), String> {
        let property = match value {
            Term::Literal(value, kind) => self.literal(key, value, kind, files, from)?,
            Term::Node(name) if name.starts_with("_:") => typed(graph, key, name)?,
            Term::Node(name) => match file_path(name) {
                // It counts from the bundle already.
                Some(path) => self.path(key, &path, files, "")?,
                None => Lv2Property { urids: vec![name.clone()], ..bytes(key, &atom("URID"), &1_u32.to_ne_bytes()) },
            },
        };
        self.properties.push(property);
        Ok(())
    }

    fn literal(
        &mut self,
        key: &str,
        value: &str,
        kind: &str,
        files: &mut Files,
        from: &str,
    ) -> Result<Lv2Property, String> {
        if kind == atom("Path") {
            return self.path(key, value, files, from);
        }
        if kind == MIDI {
            return Ok(bytes(key, MIDI, &hex(value)?));
        }
        let whole = |kind: &str, value: i32| number(key, &atom(kind), value.into());
        Ok(match kind.strip_prefix(XSD) {
            Some("int" | "integer") => whole("Int", parsed(value)?),
            Some("long") => number(key, &atom("Long"), parsed(value)?),
            Some("boolean") => whole("Bool", i32::from(matches!(value.trim(), "true" | "1"))),
            Some("float" | "decimal") => bytes(key, &atom("Float"), &parsed::<f32>(value)?.to_ne_bytes()),
            Some("double") => bytes(key, &atom("Double"), &parsed::<f64>(value)?.to_ne_bytes()),
            Some("base64Binary") => bytes(key, &atom("Chunk"), &decode(value)?),
            Some("string") => text(key, &atom("String"), value)?,
            _ if kind.ends_with("#langString") => text(key, &atom("String"), value)?,
            _ => return Err(format!("is of a type that is not known: {kind}")),
        })
    }

    fn path(&mut self, key: &str, path: &str, files: &mut Files, from: &str) -> Result<Lv2Property, String> {
        let name = files.take(&mut self.state, from, path)?;
        text(key, &atom("Path"), &name)
    }

    /// Takes a property as Carla has it: texts plain, all else in base64. The error is why not.
    pub fn encoded(&mut self, key: &str, kind: &str, value: &str, files: &mut Files) -> Result<(), String> {
        let whole =
            |value: &[u8]| value.try_into().map(i32::from_ne_bytes).map_err(|_| "has another length".to_owned());
        let property = match kind.strip_prefix(ATOM) {
            Some("String") => text(key, kind, value)?,
            Some("Path") => self.path(key, value, files, "")?,
            Some("URI") => {
                let value = String::from_utf8(decode(value)?).map_err(|_| "is no text".to_owned())?;
                text(key, kind, value.trim_end_matches('\0'))?
            }
            Some("Int" | "Bool") => number(key, kind, whole(&decode(value)?)?.into()),
            Some("URID" | "Object" | "Blank" | "Resource" | "Sequence" | "Tuple") => {
                return Err("holds numbers that had a meaning in that session alone".into());
            }
            _ if kind.contains(':') => bytes(key, kind, &decode(value)?),
            _ => return Err(format!("is of a type that is not known: {kind}")),
        };
        self.properties.push(property);
        Ok(())
    }

    /// The state, with the slot's values in it.
    pub fn into_slot(mut self, slot: &mut Slot) {
        if self.properties.is_empty() {
            return;
        }
        let mut doc = Lv2State::new(&slot.plugin.id);
        self.properties.sort_by(|one, other| one.key.cmp(&other.key));
        self.properties.dedup_by(|later, earlier| later.key == earlier.key);
        doc.properties = self.properties;
        doc.ports = slot.params.iter().map(|(symbol, value)| (symbol.clone(), *value as f32)).collect();
        doc.ports.retain(|_, value| value.is_finite());
        self.state.bytes = doc.to_bytes().into();
        slot.state = Some(self.state);
    }
}

/// `[ a TYPE ; rdf:value "..."^^xsd:base64Binary ]`
fn typed(graph: &Graph, key: &str, name: &str) -> Result<Lv2Property, String> {
    let kind = graph.one(name, RDF_TYPE).and_then(Term::node);
    match (kind, graph.one(name, RDF_VALUE)) {
        (Some(kind), Some(Term::Literal(value, form))) if form.ends_with("#base64Binary") => {
            Ok(bytes(key, kind, &decode(value)?))
        }
        (Some(kind), Some(Term::Literal(value, form))) if form.ends_with("#hexBinary") => {
            Ok(bytes(key, kind, &hex(value)?))
        }
        _ => Err("is made of several parts".into()),
    }
}

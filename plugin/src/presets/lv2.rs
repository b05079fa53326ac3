//! A chain as a preset of our LV2 plugins: a bundle that every LV2 host lists.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use host_core::model::Bytes;

use crate::lv2::{IN_PLACE, quoted};

/// Name of the file in the bundle that holds a state which is too large for Turtle.
const FILE: &str = "chain.bin";

/// What is in the preset.
pub struct Lv2Preset<'a> {
    /// The preset's URI.
    pub uri: &'a str,
    /// What hosts call it.
    pub name: &'a str,
    /// The plugins that it is for.
    pub plugins: &'a [&'a str],
    /// Key of the plugins' state.
    pub key: &'a str,
    /// Symbols and values of control ports.
    pub ports: &'a [(String, f32)],
    /// The packed chain.
    pub chain: &'a [u8],
}

impl Lv2Preset<'_> {
    /// The files of the bundle.
    pub fn files(&self) -> BTreeMap<String, Bytes> {
        let plugins: Vec<String> = self.plugins.iter().map(|uri| format!("<{uri}>")).collect();
        let (uri, name, plugins) = (self.uri, quoted(self.name), plugins.join(" , "));
        let head = format!("<{uri}> a pset:Preset ;\n\tlv2:appliesTo {plugins} ;\n");
        let prefixes = "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n\
                        @prefix pset: <http://lv2plug.in/ns/ext/presets#> .\n\
                        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n";
        let manifest = format!("{prefixes}\n{head}\trdfs:label {name} ;\n\trdfs:seeAlso <preset.ttl> .\n");
        let mut text = format!(
            "@prefix atom: <http://lv2plug.in/ns/ext/atom#> .\n{prefixes}\
             @prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
             @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n\
             @prefix state: <http://lv2plug.in/ns/ext/state#> .\n\
             @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n\n{head}\trdfs:label {name} ;\n"
        );
        for (index, (symbol, value)) in self.ports.iter().enumerate() {
            let lead = if index == 0 { "\tlv2:port" } else { " ," };
            let _string = write!(text, "{lead} [\n\t\tlv2:symbol {} ;\n\t\tpset:value {value:?}\n\t]", quoted(symbol));
        }
        if !self.ports.is_empty() {
            text += " ;\n";
        }
        let mut files = BTreeMap::new();
        let value = if self.chain.len() > IN_PLACE {
            files.insert(FILE.to_owned(), self.chain.into());
            format!("\"{FILE}\"^^atom:Path")
        } else {
            format!("\"{}\"^^xsd:base64Binary", STANDARD.encode(self.chain))
        };
        let key = self.key;
        let _string = write!(
            text,
            "\tstate:state [\n\t\t<{key}> {value}\n\t] .\n\n\
             <{key}> a rdf:Property , owl:DatatypeProperty ;\n\trdfs:label \"A chain of plugins\" .\n"
        );
        files.insert("manifest.ttl".to_owned(), manifest.into_bytes().into());
        files.insert("preset.ttl".to_owned(), text.into_bytes().into());
        files
    }
}

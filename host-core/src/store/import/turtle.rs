//! Turtle: the files of a bundle as one graph.

use std::collections::BTreeMap;

use oxrdf::{NamedOrBlankNode, Term as Read};
use oxttl::TurtleParser;

use super::{Texts, Wrong};

/// Statements that are read.
const MAX_STATEMENTS: usize = 1_000_000;
/// Faults of one file that are told.
const TOLD: usize = 3;
/// What stands before paths where a file names a base: the parser wants a whole IRI then.
const ROOT: &str = "bundle:///";

/// The object of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A node: an IRI, `./PATH` for what lies in the bundle, `_:NAME` for one without a name.
    Node(String),
    /// A text and the IRI of its type.
    Literal(String, String),
}

impl Term {
    /// Its IRI or name, where it is a node.
    pub fn node(&self) -> Option<&str> {
        match self {
            Self::Node(name) => Some(name),
            Self::Literal(..) => None,
        }
    }

    /// Its text, where it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Literal(text, _) => Some(text),
            Self::Node(_) => None,
        }
    }

    /// The number that its text is; a truth is 0 or 1.
    pub fn number(&self) -> Option<f64> {
        match self.text()? {
            "true" => Some(1.0),
            "false" => Some(0.0),
            text => text.trim().parse().ok().filter(|value: &f64| value.is_finite()),
        }
    }
}

/// All statements, by subject, in the order that they stand in.
#[derive(Debug, Default)]
pub struct Graph {
    statements: BTreeMap<String, Vec<(String, Term)>>,
    /// Subjects as they first came.
    subjects: Vec<String>,
}

impl Graph {
    /// Reads all files; a sentence for each fault in them.
    pub fn read(texts: &Texts) -> Result<(Self, Vec<String>), Wrong> {
        let (mut graph, mut wrong, mut count) = (Self::default(), Vec::new(), 0);
        for (number, (name, text)) in texts.iter().filter(|(name, _)| name.ends_with(".ttl")).enumerate() {
            let mut faults = 0;
            for read in parser(text).for_slice(text) {
                match read {
                    Ok(triple) => {
                        count += 1;
                        if count > MAX_STATEMENTS {
                            return Err(Wrong::Refused(format!("more than {MAX_STATEMENTS} statements")));
                        }
                        let subject = match triple.subject {
                            NamedOrBlankNode::NamedNode(node) => local(node.as_str(), name),
                            NamedOrBlankNode::BlankNode(node) => format!("_:{number}-{}", node.as_str()),
                        };
                        let object = match triple.object {
                            Read::NamedNode(node) => Term::Node(local(node.as_str(), name)),
                            Read::BlankNode(node) => Term::Node(format!("_:{number}-{}", node.as_str())),
                            Read::Literal(text) => Term::Literal(text.value().into(), text.datatype().as_str().into()),
                        };
                        graph.add(subject, triple.predicate.into_string(), object);
                    }
                    Err(error) => {
                        faults += 1;
                        if faults <= TOLD {
                            wrong.push(format!("{name}: {error}"));
                        }
                    }
                }
                if faults > MAX_STATEMENTS / 10 {
                    break;
                }
            }
            if faults > TOLD {
                wrong.push(format!("{name}: {} more faults", faults - TOLD));
            }
        }
        Ok((graph, wrong))
    }

    fn add(&mut self, subject: String, predicate: String, object: Term) {
        let all = self.statements.entry(subject.clone()).or_insert_with(|| {
            self.subjects.push(subject);
            Vec::new()
        });
        all.push((predicate, object));
    }

    /// All that is said of a subject.
    pub fn all(&self, subject: &str) -> &[(String, Term)] {
        self.statements.get(subject).map_or(&[], Vec::as_slice)
    }

    /// What is said of a subject under one predicate.
    pub fn each<'a>(&'a self, subject: &str, predicate: &'a str) -> impl Iterator<Item = &'a Term> {
        self.all(subject).iter().filter(move |(name, _)| name == predicate).map(|(_, object)| object)
    }

    /// The first of it.
    pub fn one<'a>(&'a self, subject: &str, predicate: &'a str) -> Option<&'a Term> {
        self.each(subject, predicate).next()
    }

    /// Whether a subject is of a type.
    pub fn is(&self, subject: &str, kind: &str) -> bool {
        self.each(subject, super::lv2::RDF_TYPE).any(|term| term.node() == Some(kind))
    }

    /// All subjects, in the order that they first came in.
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        self.subjects.iter().map(String::as_str)
    }
}

/// Names in such files are often no strict IRIs (MOD's `<:bpm>`). Only without a base are they never looked at: what a loose parser
/// makes of a base and of what is no IRI may end the program.
fn parser(text: &[u8]) -> TurtleParser {
    match has_base(text) {
        true => TurtleParser::new().with_base_iri(ROOT).unwrap_or_default(),
        false => TurtleParser::new().lenient(),
    }
}

/// Whether a base may be named in it, as `@base` or `BASE`.
fn has_base(text: &[u8]) -> bool {
    let ends = |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace() || b"<#".contains(byte));
    text.windows(4).enumerate().any(|(at, word)| word.eq_ignore_ascii_case(b"base") && ends(text.get(at + 4)))
}

/// A name as it is in the whole bundle: what lies in it begins with `./`.
fn local(iri: &str, file: &str) -> String {
    let path = iri.strip_prefix(ROOT);
    if path.is_none() && has_scheme(iri) {
        return iri.into();
    }
    let (folder, own) = file.rsplit_once('/').map_or(("", file), |(folder, own)| (folder, own));
    // A file with a base counts from the bundle.
    let (folder, path) = path.map_or((folder, iri), |path| ("", path));
    let path = if path.is_empty() || path.starts_with('#') { format!("{own}{path}") } else { path.to_owned() };
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    format!("./{}", parts.join("/"))
}

fn has_scheme(iri: &str) -> bool {
    let scheme = iri.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// A path of the bundle as the file system has it: without `./`, fragment, and with its percent signs read.
pub fn file_path(name: &str) -> Option<String> {
    let path = name.strip_prefix("./").or_else(|| name.strip_prefix("file://"))?;
    let path = path.split('#').next().unwrap_or(path);
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let Some((first, more)) = rest.split_first() {
        let digits = more.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &more[2..];
            }
            _ => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|path| !path.is_empty() && !path.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Graph, Vec<String>) {
        Graph::read(&Texts::from([("a/x.ttl".into(), text.into())])).unwrap()
    }

    #[test]
    fn names_that_are_no_strict_iris_are_read_as_they_stand() {
        let (graph, wrong) = read("<:bpm> <urn:v> 120.5 . <> <urn:p> <:bpm> , <i/:bypass> , <../e/f.wav> , _:b1 .");
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(graph.one("./a/:bpm", "urn:v").and_then(Term::number), Some(120.5));
        let nodes: Vec<_> = graph.each("./a/x.ttl", "urn:p").filter_map(Term::node).collect();
        assert_eq!(nodes, ["./a/:bpm", "./a/i/:bypass", "./e/f.wav", "_:0-b1"]);
    }

    #[test]
    fn a_base_and_what_is_no_iri_are_told_and_end_nothing() {
        let (graph, wrong) = read("@base <x:y> . <//[> <urn:p> <b> . <c> <urn:p> 1 .");
        assert!(!wrong.is_empty());
        drop(graph);
        let (graph, wrong) = read("@prefix p: <urn:> . <a> p:b \"one\" . <a> p:c oh no . <a> p:d \"two\" .");
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert_eq!(graph.one("./a/a", "urn:b").and_then(Term::text), Some("one"));
    }

    #[test]
    fn paths_are_those_of_the_file_system() {
        assert_eq!(file_path("./Clean%20(G1).nam").as_deref(), Some("Clean (G1).nam"));
        assert_eq!(file_path("file:///x%").as_deref(), Some("/x%"));
        assert_eq!((file_path("urn:x"), file_path("./"), file_path("./%00")), (None, None, None));
    }
}

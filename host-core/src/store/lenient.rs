//! A `chain.json` that is JSON and not quite a chain: everything that can be read, and what cannot.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::{Chain, Macro, Node};

/// The chain as far as `json` can be read, and a sentence for each thing that cannot. A node that cannot is kept as it is and passed
/// by. `None`: nothing can.
pub fn read(json: &[u8]) -> Option<(Chain, Vec<String>)> {
    let mut value: Value = serde_json::from_slice(json).ok()?;
    let mut lost = Vec::new();
    let fields = value.as_object_mut()?;
    let (nodes, macros) = (fields.remove("nodes"), fields.remove("macros"));
    let schema = fields.get("schema")?.clone();
    fields.retain(|name, value| {
        let alone = json!({ "schema": schema, name: value });
        let read = Chain::deserialize(&alone);
        if let (Err(error), false) = (&read, name == "schema") {
            lost.push(format!("the setting \"{name}\" of the chain: {error}"));
            return false;
        }
        true
    });
    let mut chain = Chain::deserialize(&value).ok()?;
    chain.nodes = list(nodes, "node ", &mut lost);
    for (place, value) in array(macros).into_iter().enumerate() {
        match Macro::deserialize(&value) {
            Ok(one) => chain.macros.push(one),
            Err(error) => lost.push(format!("macro entry {}: {error}", place + 1)),
        }
    }
    Some((chain, lost))
}

fn array(value: Option<Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(values)) => values,
        _ => Vec::new(),
    }
}

/// A list of nodes; `before` is what stands before each one's number in messages.
fn list(values: Option<Value>, before: &str, lost: &mut Vec<String>) -> Vec<Node> {
    let values = array(values).into_iter().enumerate();
    values.map(|(place, value)| node(value, &format!("{before}{}", place + 1), lost)).collect()
}

fn node(value: Value, place: &str, lost: &mut Vec<String>) -> Node {
    let error = match Node::deserialize(&value) {
        Ok(node) => return node,
        Err(error) => error,
    };
    if let Some(group) = lanes(&value, place, lost) {
        return group;
    }
    let text = |at: &str| value.pointer(at).and_then(Value::as_str).filter(|text| !text.is_empty());
    let title = text("/name").or_else(|| text("/identity/name")).or_else(|| text("/plugin")).unwrap_or("unnamed");
    lost.push(format!("{place} ({title}): {error}; it is passed by and kept as it is"));
    Node::Unknown(value)
}

/// Lanes whose own fields can be read: what cannot is in them.
fn lanes(value: &Value, place: &str, lost: &mut Vec<String>) -> Option<Node> {
    let mut shell = value.clone();
    let mut inner = Vec::new();
    for lane in shell.get_mut("lanes")?.as_array_mut()? {
        inner.push(lane.as_object_mut()?.remove("nodes"));
    }
    let Ok(Node::Lanes(mut group)) = Node::deserialize(&shell) else { return None };
    for (index, (lane, nodes)) in group.lanes.iter_mut().zip(inner).enumerate() {
        lane.nodes = list(nodes, &format!("{place}.{}.", index + 1), lost);
    }
    Some(Node::Lanes(group))
}

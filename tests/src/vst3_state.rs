//! A VST3 state of Catena's, and the `.vstpreset` form in which hosts keep it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Length of a preset's head: magic, version, class id as hexadecimal text, place of the list.
const HEAD: usize = 48;

/// The state that holds these packed chain bytes: nice-plug's JSON, in which each field is JSON again.
pub fn wrap(chain: &[u8]) -> Vec<u8> {
    let chain = serde_json::Value::from(STANDARD.encode(chain)).to_string();
    serde_json::json!({ "version": "0.1.0", "params": {}, "fields": { "chain": chain } }).to_string().into_bytes()
}

/// The packed chain bytes in a state.
pub fn unwrap(state: &[u8]) -> Vec<u8> {
    let state: serde_json::Value = serde_json::from_slice(state).expect("JSON");
    let field = state["fields"]["chain"].as_str().expect("a chain");
    let text: String = serde_json::from_str(field).expect("text");
    STANDARD.decode(text).expect("base64")
}

/// `preset` with another component state.
pub fn with_component(preset: &[u8], state: &[u8]) -> Vec<u8> {
    let mut made = preset[..HEAD - 8].to_vec();
    made.extend_from_slice(&((HEAD + state.len()) as u64).to_le_bytes());
    made.extend_from_slice(state);
    made.extend_from_slice(b"List\x01\0\0\0Comp");
    made.extend_from_slice(&(HEAD as u64).to_le_bytes());
    made.extend_from_slice(&(state.len() as u64).to_le_bytes());
    made
}

/// The component state in a preset.
pub fn component(preset: &[u8]) -> Vec<u8> {
    let number = |at: usize| u64::from_le_bytes(preset[at..at + 8].try_into().expect("eight bytes")) as usize;
    let list = number(HEAD - 8);
    assert_eq!(&preset[list..list + 4], b"List");
    let count = u32::from_le_bytes(preset[list + 4..list + 8].try_into().expect("four bytes")) as usize;
    let entry = (0..count).map(|index| list + 8 + 20 * index).find(|entry| &preset[*entry..entry + 4] == b"Comp");
    let entry = entry.expect("a component state");
    preset[number(entry + 4)..][..number(entry + 12)].to_vec()
}

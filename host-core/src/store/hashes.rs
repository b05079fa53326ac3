//! SHA-256 of each file beside `chain.json`, written into it: what has changed by itself, or is not there, is named.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::tree::Files;
use crate::model::Chain;

/// The field of `chain.json`: a hash by path.
pub const FIELD: &str = "hashes";

/// The hash of every file.
pub fn of(files: &Files) -> Map<String, Value> {
    files.iter().map(|(name, bytes)| (name.clone(), Value::String(hex(bytes)))).collect()
}

/// Takes the field out of a chain just read: the next write makes it anew.
pub fn take(chain: &mut Chain) -> BTreeMap<String, String> {
    let Some(Value::Object(found)) = chain.extra.remove(FIELD) else { return BTreeMap::new() };
    found.into_iter().filter_map(|(name, hash)| Some((name, hash.as_str()?.to_owned()))).collect()
}

/// The files that are not what was written, each with what is wrong.
pub fn differences(hashes: &BTreeMap<String, String>, files: &Files) -> Vec<(String, &'static str)> {
    let wrong = |(name, hash): (&String, &String)| match files.get(name) {
        None => Some((name.clone(), "is missing")),
        Some(bytes) if hex(bytes) != *hash => {
            Some((name.clone(), "is not as it was written (its SHA-256 differs); it is used as it is"))
        }
        Some(_) => None,
    };
    hashes.iter().filter_map(wrong).collect()
}

/// The hash of some bytes, in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

//! `bundles/chain.schema.json` describes what is written: every field of every chain is in it, and no chain breaks it.

use catena_tests::built::workspace;
use catena_tests::chains::{everything, folder_of};
use catena_tests::json_schema::complaints;
use host_core::model::Chain;
use host_core::store;
use serde_json::{Value, json};

fn published() -> Value {
    serde_json::from_slice(&std::fs::read(workspace().join("bundles/chain.schema.json")).unwrap()).unwrap()
}

/// The schema with every object closed that names its fields: one that it does not name is an error.
fn closed() -> Value {
    fn close(value: &mut Value) {
        if let Value::Object(fields) = value {
            let open = fields.get("properties").is_some() && fields.contains_key("type");
            if open && !fields.contains_key("additionalProperties") {
                fields.insert("additionalProperties".into(), json!(false));
            }
        }
        match value {
            Value::Object(fields) => fields.values_mut().for_each(close),
            Value::Array(values) => values.iter_mut().for_each(close),
            _ => {}
        }
    }
    let mut schema = published();
    close(&mut schema);
    schema
}

/// The tree as it is written in a file.
fn written(chain: &Chain) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena.d");
    store::write_referring(&path, chain, 1).unwrap();
    serde_json::from_slice(&std::fs::read(path.join("chain.json")).unwrap()).unwrap()
}

#[test]
fn every_field_that_is_written_is_described() {
    let all = written(&everything());
    assert_eq!(complaints(&closed(), &all), [""; 0]);
    // The same chain with a field that nobody described.
    let mut unknown = all.clone();
    unknown["nodes"][0]["glow"] = json!(1);
    assert!(!complaints(&closed(), &unknown).is_empty());
    assert_eq!(complaints(&published(), &unknown), [""; 0], "a newer version's");
}

#[test]
fn every_described_field_is_one_that_is_written() {
    let all = written(&everything()).to_string();
    let schema = closed();
    let described = |at: &str| {
        let fields = schema.pointer(at).and_then(Value::as_object).unwrap();
        fields.keys().cloned().collect::<Vec<_>>()
    };
    let mut fields = described("/properties");
    fields.extend(described("/properties/about/properties"));
    for part in ["slot", "identity", "known", "bus", "midi", "lanes", "lane", "macro", "target"] {
        fields.extend(described(&format!("/$defs/{part}/properties")));
    }
    let missing: Vec<_> = fields.iter().filter(|field| !all.contains(&format!("\"{field}\":"))).collect();
    assert!(missing.is_empty(), "described and never written: {missing:?}");
}

#[test]
fn factory_chains_and_those_of_older_versions_are_valid() {
    let schema_of_chains = published();
    let mut seen = 0;
    for folder in [workspace().join("bundles"), folder_of("1.0"), folder_of("1.1")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if !path.to_string_lossy().ends_with(".catena.d") {
                continue;
            }
            let tree: Value = serde_json::from_slice(&std::fs::read(path.join("chain.json")).unwrap()).unwrap();
            assert_eq!(complaints(&schema_of_chains, &tree), [""; 0], "{}", path.display());
            let again = written(&store::read(&path).unwrap());
            assert_eq!(complaints(&schema_of_chains, &again), [""; 0], "{} as it is written now", path.display());
            seen += 1;
        }
    }
    assert!(seen >= 3, "{seen} chains");
    assert_eq!(complaints(&schema_of_chains, &written(&Chain::default())), [""; 0]);
}

#[test]
fn what_is_no_chain_breaks_the_schema() {
    let schema_of_chains = published();
    let schema = json!({"major": 1, "minor": 1});
    for (bad, why) in [
        (json!({}), "no schema"),
        (json!({"schema": {"major": 2, "minor": 0}}), "another major"),
        (json!({"schema": schema, "nodes": [{"node": "slot", "id": 1}]}), "no plugin"),
        (json!({"schema": schema, "nodes": [{"node": "slot", "id": -1, "plugin": "clap:a"}]}), "a negative id"),
        (json!({"schema": schema, "nodes": [{"node": "slot", "id": 1, "plugin": "vst3:a"}]}), "another format"),
        (json!({"schema": schema, "nodes": [{"node": "lanes", "id": 1, "split": "warp"}]}), "no such split"),
        (json!({"schema": schema, "macros": [{"number": 129}]}), "no such macro"),
    ] {
        assert!(!complaints(&schema_of_chains, &bad).is_empty(), "{why}");
    }
    let newer = json!({"schema": schema, "nodes": [{"node": "warp", "id": -1}]});
    assert_eq!(complaints(&schema_of_chains, &newer), [""; 0], "a newer node");
}

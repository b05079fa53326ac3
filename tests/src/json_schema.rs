//! JSON Schema (2020-12) as far as `bundles/chain.schema.json` uses it. A word that is not known here is a panic, so that none is
//! passed over. The kept crates for it bring forty others, most of them for host names.

use serde_json::Value;

/// What is wrong with `tree` by `schema`, with the place.
pub fn complaints(schema: &Value, tree: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Check { root: schema, found: &mut found }.check(schema, tree, "");
    found
}

struct Check<'a> {
    root: &'a Value,
    found: &'a mut Vec<String>,
}

impl Check<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        let words = match schema {
            Value::Bool(true) => return,
            Value::Object(words) => words,
            other => panic!("no schema: {other}"),
        };
        for (word, rule) in words {
            if let Some(why) = self.breach(word, rule, schema, value, at) {
                self.found.push(format!("{at}: {why}"));
            }
        }
    }

    /// Whether `value` fits `schema`.
    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let mut found = Vec::new();
        Check { root: self.root, found: &mut found }.check(schema, value, "");
        found.is_empty()
    }

    fn breach(&mut self, word: &str, rule: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
        let wrong = |is: bool, why: &dyn Fn() -> String| is.then(why);
        match word {
            "$schema" | "$id" | "$defs" | "title" | "description" => None,
            "$ref" => {
                let place = rule.as_str().and_then(|text| text.strip_prefix('#')).expect("a place in this schema");
                let root = self.root;
                self.check(root.pointer(place).unwrap_or_else(|| panic!("no {place}")), value, at);
                None
            }
            "type" => wrong(!is_a(rule.as_str().expect("a type"), value), &|| format!("{value} is no {rule}")),
            "const" => wrong(value != rule, &|| format!("{value} is not {rule}")),
            "enum" => wrong(!list(rule).contains(value), &|| format!("{value} is none of {rule}")),
            "not" => wrong(self.fits(rule, value), &|| format!("{value} is {rule}")),
            "oneOf" => {
                let count = list(rule).iter().filter(|one| self.fits(one, value)).count();
                if count == 1 {
                    return None;
                }
                // The one that is meant says more than that none fits.
                let meant = list(rule).iter().find(|one| {
                    one.pointer("/properties/node")
                        .is_some_and(|node| self.fits(node, value.get("node").unwrap_or(value)))
                });
                match meant.filter(|_| count == 0) {
                    Some(meant) => self.check(meant, value, at),
                    None => self.found.push(format!("{at}: {value} fits {count} of {rule}")),
                }
                None
            }
            "minimum" => {
                wrong(value.as_f64() < rule.as_f64() && value.is_number(), &|| format!("{value} is below {rule}"))
            }
            "maximum" => {
                wrong(value.as_f64() > rule.as_f64() && value.is_number(), &|| format!("{value} is above {rule}"))
            }
            "pattern" => wrong(!matches(rule.as_str().expect("a pattern"), value), &|| format!("{value} is no {rule}")),
            "minItems" => wrong(count(value) < rule.as_u64(), &|| "too few".into()),
            "maxItems" => wrong(count(value) > rule.as_u64(), &|| "too many".into()),
            "required" => {
                let missing = list(rule).iter().find(|name| value.get(name.as_str().expect("a name")).is_none());
                missing.map(|name| format!("no {name}"))
            }
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.check(rule, item, &format!("{at}/{place}"));
                }
                None
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("fields") {
                    if let Some(field) = value.get(name) {
                        self.check(rule, field, &format!("{at}/{name}"));
                    }
                }
                None
            }
            "additionalProperties" => {
                let named = |name: &String| schema.get("properties").is_some_and(|fields| fields.get(name).is_some());
                for (name, field) in value.as_object().into_iter().flatten().filter(|(name, _)| !named(name)) {
                    match rule {
                        Value::Bool(false) => self.found.push(format!("{at}: {name} is not described")),
                        rule => self.check(rule, field, &format!("{at}/{name}")),
                    }
                }
                None
            }
            other => panic!("the word {other} is not known to this check"),
        }
    }
}

fn list(rule: &Value) -> &[Value] {
    rule.as_array().expect("a list")
}

fn count(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}

fn is_a(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        other => panic!("the type {other} is not known to this check"),
    }
}

fn matches(pattern: &str, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return true };
    match pattern {
        "^[0-9a-f]{64}$" => text.len() == 64 && text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')),
        "^(clap|lv2):." => {
            text.split_once(':').is_some_and(|(format, id)| matches!(format, "clap" | "lv2") && !id.is_empty())
        }
        other => panic!("the pattern {other} is not known to this check"),
    }
}

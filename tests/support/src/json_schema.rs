//! A validator of the keywords that the JSON Schemas of the project use.

use serde_json::{Map, Value as Document};

/// Checks a value by `schema`, a part of `whole`.
///
/// # Errors
///
/// The first rule that the value breaks.
///
/// # Panics
///
/// If the schema has an unknown keyword.
pub fn validate(whole: &Document, schema: &Document, value: &Document) -> Result<(), String> {
    let rules = schema.as_object().expect("a schema is an object");
    for (keyword, rule) in rules {
        let good = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "default" | "then" | "else" => true,
            "$ref" => {
                let name = rule.as_str().and_then(|path| path.strip_prefix("#/$defs/")).expect("a name");
                validate(whole, &whole["$defs"][name], value)?;
                true
            }
            "if" => {
                validate(whole, rule, value).is_ok() || {
                    validate(whole, &schema["else"], value)?;
                    true
                }
            }
            "anyOf" => list(rule).iter().any(|schema| validate(whole, schema, value).is_ok()),
            "const" => rule == value,
            "enum" => list(rule).contains(value),
            "type" => match rule.as_str().expect("a type") {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_u64() || value.is_i64(),
                "number" => value.is_number(),
                other => panic!("{other} is no type of this schema"),
            },
            "minimum" => value.as_f64().is_none_or(|value| value >= rule.as_f64().expect("a number")),
            "maximum" => value.as_f64().is_none_or(|value| value <= rule.as_f64().expect("a number")),
            "minItems" => value.as_array().is_none_or(|items| items.len() >= count(rule)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() <= count(rule)),
            "minProperties" => value.as_object().is_none_or(|members| members.len() >= count(rule)),
            "maxProperties" => value.as_object().is_none_or(|members| members.len() <= count(rule)),
            "pattern" => value.as_str().is_none_or(|text| match rule.as_str().expect("a pattern") {
                "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" => !text.contains(char::is_control),
                "^[1-9]\\.[0-9]$" => text.len() == 3 && text.starts_with(|c| ('1'..='9').contains(&c)),
                other => panic!("{other} is no pattern of this schema"),
            }),
            "prefixItems" => {
                for (item, rule) in value.as_array().into_iter().flatten().zip(list(rule)) {
                    validate(whole, rule, item)?;
                }
                true
            }
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    validate(whole, rule, item)?;
                }
                true
            }
            "required" => value.as_object().is_none_or(|members| {
                list(rule).iter().all(|name| members.contains_key(name.as_str().expect("a name")))
            }),
            "properties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    if let Some(rule) = rule.get(name) {
                        validate(whole, rule, member).map_err(|error| format!("{name}: {error}"))?;
                    }
                }
                true
            }
            "uniqueItems" => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                items.iter().enumerate().all(|(at, item)| !items[..at].contains(item))
            }
            "propertyNames" => {
                for name in value.as_object().into_iter().flat_map(Map::keys) {
                    validate(whole, rule, &name.as_str().into())?;
                }
                true
            }
            "additionalProperties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    if schema.get("properties").is_some_and(|known| known.get(name).is_some()) {
                        continue;
                    }
                    if *rule == Document::Bool(false) {
                        return Err(format!("{name} is unknown"));
                    }
                    validate(whole, rule, member).map_err(|error| format!("{name}: {error}"))?;
                }
                true
            }
            other => panic!("the validator does not know {other}"),
        };
        if !good {
            return Err(format!("{keyword} {rule}: {value}"));
        }
    }
    Ok(())
}

fn list(rule: &Document) -> &[Document] {
    rule.as_array().expect("a list")
}

fn count(rule: &Document) -> usize {
    rule.as_u64().expect("a number") as usize
}

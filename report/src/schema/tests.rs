//! The schema accepts the built-in chips and refuses wrong ones, by a validator of the keywords
//! that the schema uses.

use super::*;
use crate::ron_text::AsJson;
use serde_json::{Map, Value as Document};
use sim_core::config::base::{Text, Texts};
use sim_core::config::builtin::builtin_names;
use sim_core::config::{set, tree};

fn whole() -> Document {
    serde_json::to_value(schema()).expect("JSON")
}

/// The first rule of `schema`, a part of `whole`, that `value` breaks.
fn validate(whole: &Document, schema: &Document, value: &Document) -> Result<(), String> {
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
                PRINTABLE => !text.contains(char::is_control),
                CAPABILITY => text.len() == 3 && text.starts_with(|c| ('1'..='9').contains(&c)),
                other => panic!("{other} is no pattern of this schema"),
            }),
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

/// The JSON form of a chip whose text is `text`, without its base.
fn json(text: &str) -> Document {
    let tree = tree::parse(text, 0).expect("RON");
    serde_json::to_value(AsJson(&tree)).expect("JSON")
}

/// The complete JSON form of the G80 with one override.
fn g80(path: &str, value: &str) -> Document {
    let mut layers = Texts::new(Text::builtin("g80").expect("built in")).read().expect("RON");
    let sets = [(path.to_owned(), value.to_owned())];
    assert!(set::apply(&mut layers.root, &sets, &mut layers.sources).is_empty(), "{path}");
    serde_json::to_value(AsJson(&layers.root)).expect("JSON")
}

#[test]
fn every_built_in_chip_is_valid_with_and_without_its_base() {
    let whole = whole();
    for name in builtin_names() {
        let texts = Texts::new(Text::builtin(name).expect("built in"));
        let own = json(&texts.own().text);
        assert_eq!(validate(&whole, &whole, &own), Ok(()), "{name}");
        let root = texts.read().expect("RON").root;
        let complete = serde_json::to_value(AsJson(&root)).expect("JSON");
        assert_eq!(validate(&whole, &whole, &complete), Ok(()), "{name}");
    }
}

#[test]
fn every_form_of_a_value_is_checked() {
    let whole = whole();
    for (path, good, bad) in [
        ("sm.max_warps", "64", "65"),
        ("sm.max_warps", "1", "0"),
        ("sm.max_warps", "24", "24.5"),
        ("sm.classes.mov.slots", "255", "256"),
        ("clocks.core_mhz", "575.25", "0"),
        ("capability", "1.1", "ten"),
        ("simulated", "false", "1"),
        ("limits.grid", "(1, 2, 3)", "(1, 2)"),
        ("limits.grid", "(1, 2, 3)", "(1, 2, 0)"),
        ("partition.map", "hashed", "hashd"),
        ("scheduler", "gto", "two_level"),
        ("scheduler", "two_level(active: 64)", "two_level(active: 65)"),
        ("scheduler", "random(seed: 18446744073709551615)", "random(active: 1)"),
        ("sm.l1", "none", "lru"),
        ("sm.const_cache", "none", "(bytes: 2048)"),
        ("sm.const_cache.replacement", "pseudo_lru", "random"),
        ("sm.operands.param", "(cycles: 1, latency: 0)", "(cycles: 1)"),
        ("sm.operands.param", "(cycles: 1, latency: 0)", "(cycles: 1, latency: 0, slots: 1)"),
        ("sm.classes.mov.second", "(unit: \"sfu\", busy: 1, latency: 1)", "(unit: \"sfu\", busy: 1)"),
        (
            "sm.units",
            "{\"a\": (lanes: 8, count: 1, per_scheduler: true, blocks_others: false)}",
            "{\"a\": (lanes: 8, count: 1, per_scheduler: true)}",
        ),
    ] {
        assert_eq!(validate(&whole, &whole, &g80(path, good)), Ok(()), "{path}={good}");
        let broken = g80(path, bad);
        assert!(validate(&whole, &whole, &broken).is_err(), "{path}={bad} is accepted");
    }
}

#[test]
fn a_string_is_not_a_number() {
    let whole = whole();
    for path in ["name", "capability", "sm/classes/mov/unit"] {
        let mut chip = g80("sm.max_warps", "24");
        *chip.pointer_mut(&format!("/{path}")).expect("a value") = 7.into();
        assert!(validate(&whole, &whole, &chip).is_err(), "{path} is 7");
    }
}

#[test]
fn fields_are_required_unless_there_is_a_base() {
    let whole = whole();
    let check = |text: &str| validate(&whole, &whole, &json(text));
    assert_eq!(check("(base: \"g80\", sm: (l1: none, lsu: (queue: 4)))"), Ok(()));
    assert!(check("(name: \"mine\")").is_err_and(|error| error.starts_with("required")));
    assert!(
        check("(base: \"g80\", sm: (max_wraps: 4))")
            .is_err_and(|error| error.contains("max_wraps is unknown"))
    );
    let mut chip = g80("sm.max_warps", "24");
    chip["partition"]["dram"]["timing"].as_object_mut().expect("a record").remove("rc");
    let error = validate(&whole, &whole, &chip).expect_err("rc is missing");
    assert!(error.contains("partition: dram: timing: required"), "{error}");
}

#[test]
fn every_field_has_a_description_and_every_definition_is_used() {
    let whole = whole();
    let text = whole.to_string();
    for (name, definition) in whole["$defs"].as_object().expect("definitions") {
        assert!(text.contains(&format!("\"#/$defs/{name}\"")), "{name} is not used");
        if name.ends_with("-complete") {
            continue;
        }
        for (field, schema) in definition["properties"].as_object().expect("fields") {
            assert!(schema["description"].as_str().is_some_and(|d| !d.is_empty()), "{name}.{field}");
        }
    }
    let queue = whole["$defs"]["LsuConfig"]["properties"]["queue"]["description"].as_str();
    assert!(queue.is_some_and(|d| d.contains("Unit: warp instructions. Timing.")), "{queue:?}");
}

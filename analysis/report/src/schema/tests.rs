//! The schemas accept the built-in chips and launch files, and refuse wrong ones.

use super::*;
use crate::launch_file::LaunchFile;
use crate::ron_text::AsJson;
use serde_json::Value as Document;
use sim_core::config::base::{Text, Texts};
use sim_core::config::builtin::builtin_names;
use sim_core::config::schema::Record;
use sim_core::config::{set, tree};
use test_support::json_schema;

fn whole() -> Document {
    serde_json::to_value(chip_schema()).expect("JSON")
}

/// The first rule of `schema` that `value` breaks.
fn validate(schema: &Document, value: &Document) -> Result<(), String> {
    json_schema::validate(schema, schema, value)
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
        assert_eq!(validate(&whole, &own), Ok(()), "{name}");
        let root = texts.read().expect("RON").root;
        let complete = serde_json::to_value(AsJson(&root)).expect("JSON");
        assert_eq!(validate(&whole, &complete), Ok(()), "{name}");
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
        assert_eq!(validate(&whole, &g80(path, good)), Ok(()), "{path}={good}");
        let broken = g80(path, bad);
        assert!(validate(&whole, &broken).is_err(), "{path}={bad} is accepted");
    }
}

#[test]
fn every_launch_file_of_the_kernels_is_valid() {
    let whole = serde_json::to_value(schema("launch", &LaunchFile::table())).expect("JSON");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernels/launch");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        assert_eq!(validate(&whole, &json(&text)), Ok(()), "{}", path.display());
        files += 1;
    }
    assert!(files > 3);
    let bad = "(entry: \"k\", grid: 1, block: 1, buffers: {\"x\": (type: f32, init: iota(1))})";
    let error = validate(&whole, &json(bad)).expect_err("a step is missing");
    assert!(error.contains("buffers: x: init"), "{error}");
}

#[test]
fn a_string_is_not_a_number() {
    let whole = whole();
    for path in ["name", "capability", "sm/classes/mov/unit"] {
        let mut chip = g80("sm.max_warps", "24");
        *chip.pointer_mut(&format!("/{path}")).expect("a value") = 7.into();
        assert!(validate(&whole, &chip).is_err(), "{path} is 7");
    }
}

#[test]
fn fields_are_required_unless_there_is_a_base() {
    let whole = whole();
    let check = |text: &str| validate(&whole, &json(text));
    assert_eq!(check("(base: \"g80\", sm: (l1: none, lsu: (queue: 4)))"), Ok(()));
    assert!(check("(name: \"mine\")").is_err_and(|error| error.starts_with("required")));
    assert!(
        check("(base: \"g80\", sm: (max_wraps: 4))")
            .is_err_and(|error| error.contains("max_wraps is unknown"))
    );
    let mut chip = g80("sm.max_warps", "24");
    chip["partition"]["dram"]["timing"].as_object_mut().expect("a record").remove("rc");
    let error = validate(&whole, &chip).expect_err("rc is missing");
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

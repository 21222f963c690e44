//! The table of fields agrees with the chip files.

use super::*;
use crate::config::schema::{self, Effect, Presence, Table, Value};
use crate::config::set::{self, paths};
use crate::config::source::Sources;
use crate::config::tree::{self, Node, NodeKind};
use std::collections::{BTreeMap, BTreeSet};

/// The built-in chips with their bases, and GT200 with the parts that no built-in chip has.
fn roots() -> Vec<(String, Node)> {
    let built_in = |name: &str| {
        let texts = Texts::new(Text::builtin(name).unwrap());
        (name.to_owned(), texts.read().unwrap().root)
    };
    let mut roots: Vec<_> = crate::config::builtin::builtin_names().map(built_in).collect();
    let level = "(entries: 16, ways: 16, miss_cycles: 50)";
    let sets = [
        ("sm.instr_cache", "(bytes: 4096, line_bytes: 256, ways: 4, instruction_bytes: 8)".to_owned()),
        ("cluster.tlb", format!("(page_bytes: 524288, first: {level}, second: {level})")),
        ("sm.scheduler", "two_level(active: 8)".to_owned()),
    ]
    .map(|(path, value)| (path.to_owned(), value));
    assert!(Chip::from_ron("gt200.ron", builtin_text("gt200").unwrap(), &sets).is_ok());
    let (_, mut whole) = built_in("gt200");
    assert!(set::apply(&mut whole, &sets, &mut Sources::default()).is_empty());
    roots.push(("whole".to_owned(), whole));
    roots
}

/// Whether the value is one that the table accepts.
fn accepts(value: &Value, node: &Node) -> bool {
    let in_range = |range: &std::ops::RangeInclusive<i128>, node: &Node| matches!(node.kind, NodeKind::Int(value) if range.contains(&value));
    match value {
        Value::Int(range) => in_range(range, node),
        Value::Number(range) => match node.kind {
            NodeKind::Int(value) => range.contains(&(value as f64)),
            NodeKind::Float(value) => range.contains(&value),
            _ => false,
        },
        Value::Text | Value::Capability | Value::UnitName => matches!(node.kind, NodeKind::Str(_)),
        Value::Flag => matches!(node.kind, NodeKind::Bool(_)),
        Value::Words(words, _) => match &node.kind {
            NodeKind::Variant { name, args, .. } => {
                words.iter().any(|w| w.word == name && w.arguments.is_empty() != args.is_some())
            }
            _ => false,
        },
        Value::WordList(words) => match &node.kind {
            NodeKind::List(items) => items.iter().all(|item| accepts(&Value::Words(words, Vec::new()), item)),
            _ => false,
        },
        Value::Extents(range, _) => match &node.kind {
            NodeKind::Tuple(items) => items.len() == 3 && items.iter().all(|item| in_range(range, item)),
            _ => false,
        },
        Value::Record(_) => matches!(node.kind, NodeKind::Struct(_)),
        Value::RecordOrNone(_) => match &node.kind {
            NodeKind::Struct(_) => true,
            NodeKind::Variant { name, args, .. } => name == "none" && args.is_none(),
            _ => false,
        },
        Value::Map(_, most) => {
            matches!(&node.kind, NodeKind::Map(entries) if (1..=*most).contains(&entries.len()))
        }
        // No chip has such a value.
        Value::Formula
        | Value::OneOf(_)
        | Value::List(_)
        | Value::OneOrList(_)
        | Value::Named(_)
        | Value::Other(_) => false,
    }
}

#[test]
fn every_value_of_every_chip_is_in_the_table() {
    for (name, root) in roots() {
        for path in paths(&root) {
            let field = schema::find(&path).unwrap_or_else(|| panic!("{name}: the table has no {path}"));
            let node = set::find(&root, &path).unwrap();
            let last = path.rsplit('.').next().unwrap_or_default();
            // The table has a whole map of units, and all three extents.
            assert!(field.name != last || accepts(&field.value, node), "{name}: {path} is {node:?}");
        }
    }
}

#[test]
fn every_field_of_the_table_is_in_some_chip() {
    /// The names of the fields that the nodes of each record give, by the name of the record.
    fn collect(table: &'static Table, nodes: &[&Node], given: &mut BTreeMap<&'static str, BTreeSet<String>>) {
        let children: Vec<(String, &Node)> = nodes.iter().flat_map(|node| set::children(node)).collect();
        given.entry(table.name).or_default().extend(children.iter().map(|(name, _)| name.clone()));
        for field in &table.fields {
            let Some(inner) = field.value.table() else { continue };
            let mut found: Vec<&Node> =
                children.iter().filter(|(name, _)| name == field.name).map(|(_, node)| *node).collect();
            if matches!(field.value, Value::Map(..)) {
                found = found.iter().flat_map(|map| set::children(map)).map(|(_, node)| node).collect();
            }
            collect(inner, &found, given);
        }
    }
    fn check(table: &Table, given: &BTreeMap<&'static str, BTreeSet<String>>) {
        for field in &table.fields {
            let default = matches!(field.presence, Presence::Default(_));
            let found = given[table.name].contains(field.name);
            assert!(default || found, "no chip gives {}.{}", table.name, field.name);
            if let Some(inner) = field.value.table() {
                check(inner, given);
            }
        }
    }
    let roots = roots();
    let nodes: Vec<&Node> = roots.iter().map(|(_, node)| node).collect();
    let mut given = BTreeMap::new();
    collect(schema::chip(), &nodes, &mut given);
    check(schema::chip(), &given);
}

#[test]
fn every_field_has_an_explanation_in_sentences() {
    fn check(table: &Table) {
        for field in &table.fields {
            assert!(
                field.about.ends_with('.') && !field.about.contains("  "),
                "{}: {}",
                table.name,
                field.name
            );
            let summary = field.summary();
            assert!(summary.len() <= 160 && !summary.is_empty(), "{}.{}: {summary}", table.name, field.name);
            let is_leaf = field.value.table().is_none();
            let is_name = matches!(field.value, Value::Text);
            assert_eq!(field.effect.is_some(), is_leaf && !is_name, "{}.{}", table.name, field.name);
            let is_number = matches!(field.value, Value::Int(_) | Value::Number(_) | Value::Extents(..));
            assert_eq!(
                !field.unit.is_empty(),
                is_number,
                "{}.{}: a number has a unit",
                table.name,
                field.name
            );
            if let Some(inner) = field.value.table() {
                assert!(inner.about.ends_with('.'), "{}", inner.name);
                check(inner);
            }
        }
    }
    check(schema::chip());
}

#[test]
fn fields_are_found_by_path() {
    let unit = |path: &str| schema::find(path).map(|field| field.unit);
    assert_eq!(unit("sm.classes.mov.latency"), Some("shader cycles"));
    assert_eq!(unit("sm.units.sp.lanes"), Some("lanes"));
    assert_eq!(schema::find("sm.scheduler.active").unwrap().value, Value::Int(1..=64));
    assert_eq!(schema::find("limits.grid.2").unwrap().name, "grid");
    assert_eq!(schema::find("partition.dram.timing.rc").unwrap().name, "rc");
    assert_eq!(schema::find("cluster.tlb.second.miss_cycles").unwrap().name, "miss_cycles");
    let effect = |path: &str| schema::find(path).and_then(|field| field.effect);
    assert_eq!(effect("sm.max_warps"), Some(Effect::Meaning));
    assert_eq!(effect("crossbar.latency"), Some(Effect::Timing));
    assert_eq!(effect("name"), None);
    for path in ["no.such", "sm.max_warps.0", "limits.grid.2.0", "sm.units.sp.no", ""] {
        assert_eq!(schema::find(path), None, "{path}");
    }
    let replacement = schema::find("sm.l1.replacement").unwrap();
    assert_eq!(replacement.presence, Presence::Default("lru".to_owned()));
}

#[test]
fn units_are_found_by_the_end_of_a_path() {
    for (path, unit) in [
        ("sm.max_warps", Some("warps")),
        ("max_warps", Some("warps")),
        ("clocks.memory_mhz", Some("MHz")),
        ("fp_mad.latency", Some("shader cycles")),
        ("scheduler", None),
        ("queue", None),
        ("register_scope", None),
    ] {
        assert_eq!(schema::unit_of(path), unit, "{path}");
    }
}

#[test]
fn optional_fields_that_a_chip_does_not_give_are_listed() {
    let root = tree::parse(g80(), 0).unwrap();
    let absent = schema::absent(&root);
    for path in ["sm.const_cache.replacement", "sm.classes.mov.busy", "sm.classes.mov.second"] {
        assert!(absent.iter().any(|p| p == path), "{path} is missing in {absent:?}");
    }
    for path in ["sm.classes.int_mul.busy", "sm.l1.replacement", "sm.classes.mov.unit"] {
        assert!(!absent.iter().any(|p| p == path), "{path} is given, or a part of a part that is not");
    }
}

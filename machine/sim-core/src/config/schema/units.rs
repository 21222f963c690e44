//! The forms of the execution units and of what refers to them: `sm.units` and `sm.classes`.

use super::{Field, Form, Presence, Record, Table, Value};
use crate::config::read::{Fields, Reader};
use crate::config::tree::{Node, NodeKind};
use crate::config::{ClassCost, MAX_UNITS, UnitConfig, codes};
use isa::diag::Diagnostic;
use isa::span::Spanned;
use isa::uop::Class;

/// The execution units: a map from their names to records.
pub struct Units;

impl Form<Vec<UnitConfig>> for Units {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Vec<UnitConfig>> {
        let units = units(reader, node, what)?;
        reader.set_units(units.iter().map(|unit| unit.name.clone()).collect());
        Some(units)
    }

    fn value(&self) -> Value {
        Value::Map(UnitConfig::table(), MAX_UNITS)
    }

    fn fallback(&self) -> Option<Vec<UnitConfig>> {
        Some(Vec::new())
    }
}

fn units(reader: &Reader, node: &Node, what: &str) -> Option<Vec<UnitConfig>> {
    let NodeKind::Map(entries) = &node.kind else {
        reader.wrong_type(node, what, "a map of units `{\"name\": (lanes: 8)}`");
        return None;
    };
    let mut units: Vec<UnitConfig> = Vec::new();
    let mut good = true;
    for (key, value) in entries {
        let Some(name) = reader.string(key, what) else {
            good = false;
            continue;
        };
        if units.iter().any(|u| u.name == name) {
            let message = format!("duplicate unit `{name}`");
            let label = "second definition";
            reader.push(Diagnostic::error(codes::DUPLICATE_FIELD, key.span, message).label(label));
        }
        let key = Spanned { value: name.to_owned(), span: key.span };
        units.extend(UnitConfig::read(reader.fields(value, &format!("{what}.{name}")).keyed(key)));
    }
    if units.is_empty() || units.len() > MAX_UNITS {
        let message = format!("{what} has {} units", units.len());
        let label = format!("expected 1 to {MAX_UNITS} units");
        reader.push(Diagnostic::error(codes::OUT_OF_RANGE, node.span, message).label(label));
        return None;
    }
    good.then_some(units)
}

/// The name of an execution unit, kept as its position in the map of units.
pub struct UnitName;

impl Form<u8> for UnitName {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<u8> {
        let name = reader.string(node, what)?;
        let units = reader.units();
        let found = units.iter().position(|unit| unit == name);
        if found.is_none() && !units.is_empty() {
            let message = format!("unknown unit `{name}` in {what}");
            let label = format!("expected one of: {}", units.join(", "));
            reader.push(Diagnostic::error(codes::UNKNOWN_UNIT, node.span, message).label(label));
        }
        found.map(|found| found as u8)
    }

    fn fallback(&self) -> Option<u8> {
        Some(0)
    }

    fn value(&self) -> Value {
        Value::UnitName
    }
}

/// One record for each class of instructions, under the name of the class.
pub struct Classes;

impl Form<[ClassCost; Class::COUNT]> for Classes {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<[ClassCost; Class::COUNT]> {
        costs(reader.fields(node, what))
    }

    fn read(&self, fields: &Fields, name: &'static str) -> Option<[ClassCost; Class::COUNT]> {
        costs(fields.record(name))
    }

    fn value(&self) -> Value {
        let field = |class: Class| Field {
            name: class.name(),
            about: class.meaning(),
            unit: "",
            effect: None,
            presence: Presence::Required,
            value: Value::Record(ClassCost::table()),
        };
        let about = "Costs of the instructions, one record for each class of instructions.";
        Value::Record(Table { name: "Classes", about, fields: Class::ALL.map(field).into() })
    }
}

fn costs(classes: Fields) -> Option<[ClassCost; Class::COUNT]> {
    let costs = Class::ALL.map(|class| ClassCost::read(classes.record(class.name())));
    classes.finish();
    let costs: Option<Vec<ClassCost>> = costs.into_iter().collect();
    costs?.try_into().ok()
}

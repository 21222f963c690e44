//! `config schema`: the JSON Schema (draft 2020-12) of chip files, made from the table of fields.
//!
//! It describes the JSON form that `config show --format json` prints. The types, ranges and words
//! of a record are a definition under the record's name. The required fields are a definition of
//! the same name with `-complete`, which does not apply to a file with a `base`.

mod json;

use json::{Json, Object, texts};
use sim_core::config::Word;
use sim_core::config::schema::{Effect, Field, Presence, Table, Value, base, chip};
use std::ops::RangeInclusive;

/// Pattern of a compute capability.
const CAPABILITY: &str = "^[1-9]\\.[0-9]$";

/// Pattern of a string without control characters.
const PRINTABLE: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

/// Returns the whole schema.
pub fn schema() -> Object {
    let mut definitions = Object::default();
    define(chip(), &mut definitions);
    let mut whole = chip().clone();
    whole.fields.insert(0, base());
    let about = "A chip of warpsim, in the JSON form that `warpsim config show --format json` prints in the \
                 member `chip`. `warpsim config check` also checks the rules over several values.";
    Object::default()
        .with("$schema", "https://json-schema.org/draft/2020-12/schema")
        .with("title", "warpsim chip")
        .with("description", about)
        .with("type", "object")
        .with("properties", properties(&whole))
        .with("additionalProperties", false)
        .with("if", Object::default().with("required", texts([base().name])))
        .with("then", Object::default())
        .with("else", complete(&whole))
        .with("$defs", definitions)
}

/// Adds the definitions of all records below a record, each once.
fn define(table: &Table, definitions: &mut Object) {
    for inner in table.fields.iter().filter_map(|field| field.value.table()) {
        if definitions.0.iter().any(|(name, _)| name == inner.name) {
            continue;
        }
        let record = Object::default()
            .with("type", "object")
            .with("description", inner.about)
            .with("properties", properties(inner))
            .with("additionalProperties", false);
        definitions.0.push((inner.name.to_owned(), record.into()));
        definitions.0.push((complete_name(inner), complete(inner).into()));
        define(inner, definitions);
    }
}

/// Name of the definition of the fields that a record requires.
fn complete_name(table: &Table) -> String {
    format!("{}-complete", table.name)
}

fn reference(name: &str) -> Object {
    Object::default().with("$ref", &*format!("#/$defs/{name}"))
}

fn properties(table: &Table) -> Object {
    Object(table.fields.iter().map(|field| (field.name.to_owned(), property(field).into())).collect())
}

/// The required fields of a record, and those of the records in it.
fn complete(table: &Table) -> Object {
    let required = table.fields.iter().filter(|field| field.presence == Presence::Required);
    let complete = Object::default().with("required", texts(required.map(|field| field.name)));
    let inside = table.fields.iter().filter_map(|field| {
        let inner = reference(&complete_name(field.value.table()?));
        let inner = match field.value {
            Value::Map(..) => Object::default().with("additionalProperties", inner),
            // `required` has no effect on a word such as `none`.
            Value::Record(_) | Value::RecordOrNone(_) => inner,
            Value::Int(_)
            | Value::Number(_)
            | Value::Text
            | Value::Capability
            | Value::UnitName
            | Value::Flag
            | Value::Words(..)
            | Value::WordList(_)
            | Value::Extents(_) => return None,
        };
        Some((field.name.to_owned(), inner.into()))
    });
    let inside = Object(inside.collect());
    if inside.0.is_empty() { complete } else { complete.with("properties", inside) }
}

/// The schema of one field.
fn property(field: &Field) -> Object {
    let mut about = field.about.to_owned();
    if !field.unit.is_empty() {
        about.extend([" Unit: ", field.unit, "."]);
    }
    match field.effect {
        Some(Effect::Meaning) => about += " Meaning.",
        Some(Effect::Timing) => about += " Timing.",
        None => {}
    }
    let property = values(&field.value).with("description", &*about);
    match &field.presence {
        Presence::Required | Presence::Optional => property,
        Presence::Default(text) => property.with("default", default(&field.value, text)),
    }
}

/// A default, which the table has as the text of a chip file.
fn default(value: &Value, text: &str) -> Json {
    match value {
        Value::Int(_) => Json::Int(text.parse().expect("the default of an integer is an integer")),
        Value::Number(_) => Json::Number(text.parse().expect("the default of a number is a number")),
        Value::Flag => (text == "true").into(),
        Value::Text
        | Value::Capability
        | Value::UnitName
        | Value::Words(..)
        | Value::WordList(_)
        | Value::Extents(_)
        | Value::Record(_)
        | Value::RecordOrNone(_)
        | Value::Map(..) => text.into(),
    }
}

/// The values that a field accepts.
fn values(value: &Value) -> Object {
    let typed = |name: &str| Object::default().with("type", name);
    match value {
        Value::Int(range) => integer(range),
        Value::Number(range) => typed("number")
            .with("minimum", Json::Number(*range.start()))
            .with("maximum", Json::Number(*range.end())),
        Value::Text | Value::UnitName => printable(),
        Value::Capability => typed("string").with("pattern", CAPABILITY),
        Value::Flag => typed("boolean"),
        Value::Words(all, _) => words(all),
        Value::WordList(all) => {
            typed("array").with("items", words(all)).with("uniqueItems", Json::Flag(true))
        }
        Value::Extents(range) => typed("array")
            .with("items", integer(range))
            .with("minItems", Json::Int(3))
            .with("maxItems", Json::Int(3)),
        Value::Record(table) => reference(table.name),
        Value::RecordOrNone(table) => {
            let none = Object::default().with("const", "none");
            Object::default().with("anyOf", Json::List(vec![none.into(), reference(table.name).into()]))
        }
        Value::Map(table, most) => typed("object")
            .with("minProperties", Json::Int(1))
            .with("maxProperties", Json::Int(*most as i128))
            .with("propertyNames", printable())
            .with("additionalProperties", reference(table.name)),
    }
}

fn integer(range: &RangeInclusive<i128>) -> Object {
    Object::default()
        .with("type", "integer")
        .with("minimum", Json::Int(*range.start()))
        .with("maximum", Json::Int(*range.end()))
}

/// A string without control characters.
fn printable() -> Object {
    Object::default().with("type", "string").with("pattern", PRINTABLE)
}

/// A word is a string; a word with an argument is an object with one member.
fn words(all: &[Word]) -> Object {
    let plain = all.iter().filter(|word| word.argument.is_none()).map(|word| word.word);
    let plain = Object::default().with("enum", texts(plain));
    let object = |name: &str, member: Object| {
        Object::default()
            .with("type", "object")
            .with("properties", Object::default().with(name, member))
            .with("required", texts([name]))
            .with("additionalProperties", false)
    };
    let with_argument = |word: &Word| {
        let argument = word.argument?;
        let range = i128::from(argument.least)..=i128::from(argument.most);
        let value = integer(&range).with("description", argument.meaning);
        let arguments = object(argument.name, value);
        Some(object(word.word, arguments).with("description", word.meaning).into())
    };
    let tagged: Vec<Json> = all.iter().filter_map(with_argument).collect();
    if tagged.is_empty() {
        return plain;
    }
    Object::default().with("anyOf", Json::List([vec![plain.into()], tagged].concat()))
}

#[cfg(test)]
mod tests;

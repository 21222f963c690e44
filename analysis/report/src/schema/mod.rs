//! `config schema`: the JSON Schema (draft 2020-12) of chip, launch and experiment files, made from
//! the tables of fields.
//!
//! It describes the JSON form that `config show --format json` prints for chips. The types, ranges
//! and words of a record are a definition under the record's name. The required fields of a chip
//! are a definition of the same name with `-complete`, which does not apply to a file with a
//! `base`.

mod json;

use json::{Json, Object, texts};
use sim_core::config::Word;
use sim_core::config::schema::{Arguments, Case, Effect, Field, Presence, Table, Value, base, chip};
use std::ops::RangeInclusive;

/// Pattern of a compute capability.
const CAPABILITY: &str = "^[1-9]\\.[0-9]$";

/// Pattern of a string without control characters.
const PRINTABLE: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

/// Returns the schema of a launch file or of an experiment file, `title`, in the JSON form that the
/// module describes.
pub fn schema(title: &str, table: &Table) -> Object {
    let mut definitions = Object::default();
    define(table, false, &mut definitions);
    let about = format!("{} In JSON, a word with arguments is an object with one member.", table.about);
    Object::default()
        .with("$schema", "https://json-schema.org/draft/2020-12/schema")
        .with("title", title)
        .with("description", &*about)
        .with("type", "object")
        .with("properties", properties(table))
        .with("additionalProperties", false)
        .with("required", required(table))
        .with("$defs", definitions)
}

/// Returns the schema of chip files.
pub fn chip_schema() -> Object {
    let mut definitions = Object::default();
    define(chip(), true, &mut definitions);
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

/// Adds the definitions of all records below a record, each once. With `base`, the required fields
/// of a record are a definition, which a file with a base need not meet.
fn define(table: &Table, base: bool, definitions: &mut Object) {
    for inner in table.fields.iter().flat_map(|field| field.value.tables()) {
        if definitions.0.iter().any(|(name, _)| name == inner.name) {
            continue;
        }
        let record = Object::default()
            .with("type", "object")
            .with("description", inner.about)
            .with("properties", properties(inner))
            .with("additionalProperties", false);
        if base {
            definitions.0.push((inner.name.to_owned(), record.into()));
            definitions.0.push((complete_name(inner), complete(inner).into()));
        } else {
            definitions.0.push((inner.name.to_owned(), record.with("required", required(inner)).into()));
        }
        define(inner, base, definitions);
    }
}

/// Names of the fields that a record requires.
fn required(table: &Table) -> Json {
    let required = table.fields.iter().filter(|field| field.presence == Presence::Required);
    texts(required.map(|field| field.name))
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
    let complete = Object::default().with("required", required(table));
    let inside = table.fields.iter().filter_map(|field| {
        let inner = reference(&complete_name(field.value.table()?));
        // `required` has no effect on a word such as `none`.
        let inner = if matches!(field.value, Value::Map(..)) {
            Object::default().with("additionalProperties", inner)
        } else {
            inner
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
        | Value::Formula
        | Value::OneOf(_)
        | Value::List(_)
        | Value::OneOrList(_)
        | Value::Named(_)
        | Value::Other(_)
        | Value::Extents(..)
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
        Value::Number(range) => {
            let ends = [("minimum", *range.start()), ("maximum", *range.end())];
            let ends = ends.into_iter().filter(|(_, end)| end.is_finite());
            ends.fold(typed("number"), |number, (name, end)| number.with(name, Json::Number(end)))
        }
        Value::Text | Value::UnitName => printable(),
        Value::Capability => typed("string").with("pattern", CAPABILITY),
        Value::Flag => typed("boolean"),
        Value::Words(all, _) => words(all),
        Value::WordList(all) => {
            typed("array").with("items", words(all)).with("uniqueItems", Json::Flag(true))
        }
        Value::Extents(range, least) => {
            let extents = typed("array")
                .with("items", integer(range))
                .with("minItems", Json::Int(*least as i128))
                .with("maxItems", Json::Int(3));
            if *least == 3 { extents } else { any_of([integer(range), extents]) }
        }
        Value::Formula => typed("string"),
        Value::OneOf(cases) => any_of(cases.iter().map(case)),
        Value::List(value) => typed("array").with("items", values(value)),
        Value::OneOrList(value) => any_of([values(value), typed("array").with("items", values(value))]),
        Value::Named(value) => typed("object").with("additionalProperties", values(value)),
        Value::Other(text) => Object::default().with("title", *text),
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

/// A value of one of these schemas.
fn any_of(choices: impl IntoIterator<Item = Object>) -> Object {
    Object::default().with("anyOf", Json::List(choices.into_iter().map(Json::from).collect()))
}

/// An object with one member.
fn object(name: &str, member: Object) -> Object {
    members([(name, member, true)])
}

/// An object with these members, and whether it needs each of them.
fn members<'m>(all: impl IntoIterator<Item = (&'m str, Object, bool)>) -> Object {
    let (mut properties, mut required) = (Object::default(), Vec::new());
    for (name, member, is_required) in all {
        properties = properties.with(name, member);
        required.extend(is_required.then_some(name));
    }
    Object::default()
        .with("type", "object")
        .with("properties", properties)
        .with("required", texts(required))
        .with("additionalProperties", false)
}

/// The arguments of a word.
fn arguments(word: &Word) -> Object {
    members(word.arguments.iter().map(|argument| {
        let range = i128::from(argument.least)..=i128::from(argument.most);
        let value = integer(&range).with("description", argument.meaning);
        (argument.name, value, argument.default.is_none())
    }))
}

/// A word is a string. A word with arguments is an object with one member: an object of its fields,
/// or an array of values without names.
fn case(case: &Case) -> Object {
    let word = match &case.arguments {
        Arguments::None => Object::default().with("const", case.word),
        Arguments::Record(table) => {
            let word = object(case.word, reference(table.name));
            if table.fields.iter().any(|field| field.presence == Presence::Required) {
                word
            } else {
                any_of([Object::default().with("const", case.word), word])
            }
        }
        Arguments::Positions(arguments) => {
            let count = Json::Int(arguments.len() as i128);
            let items = arguments.iter().map(|(_, value)| values(value).into()).collect();
            let list = Object::default()
                .with("type", "array")
                .with("prefixItems", Json::List(items))
                .with("minItems", count.clone())
                .with("maxItems", count);
            object(case.word, list)
        }
    };
    word.with("description", case.about)
}

/// A word is a string; a word with arguments is an object with one member. A word whose arguments
/// all have defaults is either.
fn words(all: &[Word]) -> Object {
    let needed = |word: &Word| word.arguments.iter().any(|argument| argument.default.is_none());
    let plain = all.iter().filter(|word| !needed(word)).map(|word| word.word);
    let plain = Object::default().with("enum", texts(plain));
    let with_arguments = |word: &Word| object(word.word, arguments(word)).with("description", word.meaning);
    let tagged: Vec<Json> = all
        .iter()
        .filter(|word| !word.arguments.is_empty())
        .map(|word| with_arguments(word).into())
        .collect();
    if tagged.is_empty() {
        return plain;
    }
    Object::default().with("anyOf", Json::List([vec![plain.into()], tagged].concat()))
}

#[cfg(test)]
mod tests;

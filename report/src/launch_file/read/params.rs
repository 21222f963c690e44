//! Reads the kernel's arguments: `buf("a")`, `s32(1000)`, `1000`, `bytes([1, 2])`.

use super::super::schema::{Argument, Arguments, Given};
use super::super::value::{TYPES, encode};
use super::super::{Spanned, codes};
use super::{range_error, read_number, spanned_string};
use isa::diag::Diagnostic;
use isa::span::Span;
use sim_core::config::read::{Fields, Reader};
use sim_core::config::tree::{Kind, Node};
use std::collections::BTreeMap;

/// Reads the list or map of arguments, if there is one.
pub fn read_params(fields: &Fields<'_>) -> Option<Arguments> {
    let node = fields.optional("params")?;
    let reader = fields.reader();
    let argument = |item: &Node| read_argument(reader, item).map(|value| Spanned { value, span: item.span });
    let value = if let Kind::Map(entries) = &node.kind {
        let named =
            |(key, item): &(Node, Node)| Given { name: read_name(reader, key), value: argument(item) };
        let given: Vec<Given> = entries.iter().map(named).collect();
        report_duplicates(reader, &given);
        given
    } else {
        let items = reader.items(node, "params").unwrap_or_default();
        items.iter().map(|item| Given { name: None, value: argument(item) }).collect()
    };
    Some(Spanned { value, span: node.span })
}

/// Reads the name of a parameter, with or without quotation marks.
fn read_name(reader: &Reader, key: &Node) -> Option<Spanned<String>> {
    match &key.kind {
        Kind::Variant { name, args: None, .. } => Some(Spanned { value: name.clone(), span: key.span }),
        _ => spanned_string(reader, key, "the name of a parameter"),
    }
}

fn report_duplicates(reader: &Reader, given: &[Given]) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for name in given.iter().filter_map(|given| given.name.as_ref()) {
        let before = *first.entry(&name.value).or_insert(name.span);
        if before != name.span {
            let message = format!("two arguments for parameter `{}`", name.value);
            let diagnostic = Diagnostic::error(codes::DUPLICATE, message, name.span, "second argument");
            reader.push(diagnostic.label(before, "first argument"));
        }
    }
}

fn read_argument(reader: &Reader, node: &Node) -> Option<Argument> {
    if matches!(node.kind, Kind::Int(_) | Kind::Float(_)) {
        return read_number(reader, node, "a parameter").map(|number| Argument::Number(number.value));
    }
    let mut words = vec!["buf", "bytes"];
    words.extend(TYPES.iter().map(|(word, _)| *word));
    let tagged = reader.tagged(node, "a parameter", &words)?;
    let arguments = match tagged.args.map(|a| &a.kind) {
        Some(Kind::Tuple(items)) => items.as_slice(),
        _ => &[],
    };
    match (tagged.word, arguments) {
        ("buf", [name]) => reader.string(name, "a buffer's name").map(|n| Argument::Buffer(n.to_owned(), 0)),
        ("buf", [name, offset]) => {
            let name = reader.string(name, "a buffer's name");
            let offset = reader.int(offset, "a byte offset", &(0..=i128::from(u32::MAX)));
            Some(Argument::Buffer(name?.to_owned(), offset? as u64))
        }
        ("bytes", [list]) => {
            let items = reader.items(list, "bytes")?;
            let bytes: Vec<Option<i128>> =
                items.iter().map(|b| reader.int(b, "a byte", &(0..=255))).collect();
            bytes.into_iter().map(|b| b.map(|b| b as u8)).collect::<Option<_>>().map(Argument::Bytes)
        }
        ("buf", _) => {
            reader.wrong_type(node, "a buffer parameter", "`buf(\"name\")` or `buf(\"name\", byte_offset)`");
            None
        }
        ("bytes", _) => {
            reader.wrong_type(node, "a parameter of bytes", "`bytes([1, 2, …])`");
            None
        }
        (word, [number]) => {
            let (_, ty) = TYPES.iter().find(|(name, _)| *name == word)?;
            let number = read_number(reader, number, "a parameter")?;
            let mut bytes = Vec::new();
            if let Err(why) = encode(*ty, number.value, &mut bytes) {
                reader.push(range_error(number.span, why));
                return None;
            }
            Some(Argument::Scalar(*ty, bytes))
        }
        (word, _) => {
            reader.wrong_type(node, "a parameter", &format!("one number, such as `{word}(1)`"));
            None
        }
    }
}

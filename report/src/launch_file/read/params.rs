//! Reads the kernel's arguments: `buf("a")`, `s32(1000)`, `bytes([1, 2])`.

use super::super::Spanned;
use super::super::schema::{Argument, Arguments};
use super::super::value::{TYPES, encode};
use super::{range_error, read_number};
use sim_core::config::read::{Fields, Reader};
use sim_core::config::tree::{Kind, Node};

/// Reads the list of arguments, if there is one.
pub fn read_params(fields: &Fields<'_>) -> Option<Arguments> {
    let node = fields.optional("params")?;
    let items = fields.reader().items(node, "params").unwrap_or_default();
    let value = items
        .iter()
        .map(|item| read_argument(fields.reader(), item).map(|value| Spanned { value, span: item.span }))
        .collect();
    Some(Spanned { value, span: node.span })
}

fn read_argument(reader: &Reader, node: &Node) -> Option<Argument> {
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

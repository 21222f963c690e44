//! Buffers and values for symbols: types, lengths and initial contents.

use super::super::schema::{Array, BufferMemory, Init};
use super::super::value::TYPES;
use super::super::{Spanned, codes};
use super::{read_number, spanned_string};
use isa::diag::Diagnostic;
use isa::span::Span;
use isa::types::ScalarType;
use sim_core::config::read::{Fields, Reader};
use sim_core::config::tree::{Kind, Node};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Reads the entries of a map of arrays; a duplicate name is reported.
pub fn read_map(
    fields: &Fields<'_>,
    name: &'static str,
    read: impl Fn(&Reader, &Node, Spanned<String>) -> Array,
) -> Vec<Array> {
    let Some(node) = fields.optional(name) else { return Vec::new() };
    let reader = fields.reader();
    let Kind::Map(entries) = &node.kind else {
        reader.wrong_type(node, name, "a map `{ \"name\": (…), … }`");
        return Vec::new();
    };
    let mut out: Vec<Array> = Vec::new();
    let mut names: BTreeMap<String, Span> = BTreeMap::new();
    for (key, value) in entries {
        let Some(key) = spanned_string(reader, key, "a name") else { continue };
        let first = *names.entry(key.value.clone()).or_insert(key.span);
        if first != key.span {
            let message = format!("duplicate name `{}` in {name}", key.value);
            let diagnostic = Diagnostic::error(codes::DUPLICATE, message, key.span, "second entry");
            reader.push(diagnostic.label(first, "first entry"));
        }
        out.push(read(reader, value, key));
    }
    out
}

/// Reads a buffer: `(type: f32, len: 1000, init: iota(0, 1))`.
pub fn read_buffer(reader: &Reader, node: &Node, name: Spanned<String>) -> Array {
    let fields = reader.fields(node, &format!("buffer `{}`", name.value));
    let ty = fields.choice("type", &TYPES);
    let bytes = read_length(&fields, ty);
    let no_length = fields.optional("len").or(fields.optional("bytes")).is_none();
    let init = match fields.optional("init") {
        Some(init) => read_init(reader, init),
        None => Some(Spanned { value: Init::Zero, span: name.span }),
    };
    let memory = fields.optional("memory").and_then(|n| reader.choice(n, "memory", &BufferMemory::NAMES));
    fields.finish();
    let own_length = matches!(init, None | Some(Spanned { value: Init::Values(_) | Init::File(_), .. }));
    if no_length && !own_length && matches!(node.kind, Kind::Struct(_)) {
        let message = format!("buffer `{}` has no length", name.value);
        let diagnostic = Diagnostic::error(codes::LENGTH, message, name.span, "expected a length");
        reader.push(
            diagnostic.help("add `len` (elements) or `bytes`; only `values` and `file` define a length"),
        );
    }
    Array { name, ty, bytes, init, memory: memory.unwrap_or_default() }
}

/// Reads values for a symbol: `(init: values([1, 2]))`.
pub fn read_symbol(reader: &Reader, node: &Node, name: Spanned<String>) -> Array {
    let fields = reader.fields(node, &format!("symbol `{}`", name.value));
    let ty = fields.optional("type").and_then(|n| reader.choice(n, "type", &TYPES));
    let init = fields.required("init").and_then(|n| read_init(reader, n));
    fields.finish();
    Array { name, ty, bytes: None, init, memory: BufferMemory::default() }
}

/// Reads `len` elements, or `bytes`.
fn read_length(fields: &Fields<'_>, ty: Option<ScalarType>) -> Option<Spanned<u64>> {
    let reader = fields.reader();
    let range = 1..=1i128 << 32;
    let (len, bytes) = (fields.optional("len"), fields.optional("bytes"));
    if let (Some(_), Some(bytes)) = (len, bytes) {
        let message = "the entry has both `len` and `bytes`";
        reader.push(Diagnostic::error(codes::LENGTH, message, bytes.span, "remove one of the two fields"));
    }
    let size = u64::from(ty.map_or(1, ScalarType::bytes));
    if let Some(node) = len {
        let len = reader.int(node, "len", &range)? as u64;
        return Some(Spanned { value: len * size, span: node.span });
    }
    let node = bytes?;
    let bytes = reader.int(node, "bytes", &range)? as u64;
    if !bytes.is_multiple_of(size) {
        let message = format!("{bytes} bytes are not a whole number of elements of {size} bytes");
        reader.push(Diagnostic::error(
            codes::LENGTH,
            message,
            node.span,
            "expected a multiple of the element size",
        ));
        return None;
    }
    Some(Spanned { value: bytes, span: node.span })
}

fn read_init(reader: &Reader, node: &Node) -> Option<Spanned<Init>> {
    let words = ["zero", "host", "fill", "iota", "random", "values", "file"];
    let tagged = reader.tagged(node, "init", &words)?;
    let arguments = match tagged.args.map(|a| &a.kind) {
        Some(Kind::Tuple(items)) => items.as_slice(),
        _ => &[],
    };
    let number = |node: &Node| read_number(reader, node, "init").map(|n| n.value);
    let value = match (tagged.word, arguments) {
        ("zero", []) => Init::Zero,
        ("host", []) => Init::Host,
        ("fill", [value]) => Init::Fill(number(value)?),
        ("iota", [start, step]) => match (number(start), number(step)) {
            (Some(start), Some(step)) => Init::Iota(start, step),
            _ => return None,
        },
        ("random", [seed, low, high]) => {
            let seed = reader.int(seed, "the seed", &(0..=i128::from(u64::MAX)));
            match (seed, number(low), number(high)) {
                (Some(seed), Some(low), Some(high)) => Init::Random(seed as u64, low, high),
                _ => return None,
            }
        }
        ("values", [list]) => {
            let items = reader.items(list, "values")?;
            let values: Vec<_> = items.iter().map(|v| read_number(reader, v, "a value")).collect();
            Init::Values(values.into_iter().collect::<Option<_>>()?)
        }
        ("file", [path]) => Init::File(PathBuf::from(reader.string(path, "a file's path")?)),
        _ => {
            let forms = "zero, host, fill(v), iota(start, step), random(seed, low, high), values([…]) or \
                         file(\"path\")";
            reader.wrong_type(node, "init", forms);
            return None;
        }
    };
    Some(Spanned { value, span: node.span })
}

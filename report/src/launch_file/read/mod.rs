//! Reads RON text into a [`LaunchFile`]: checks names, types and ranges, but nothing that needs the
//! PTX module or the disk. Reading continues after an error, so that all errors are reported
//! together.

mod arrays;
mod params;
mod streams;
mod surfaces;
mod textures;

use super::schema::{DataName, Dump, Expectation, LaunchFile, Source};
use super::value::{Number, TYPES};
use super::{Spanned, codes};
use isa::diag::Diagnostic;
use isa::span::Span;
use isa::types::Dim3;
use sim_core::config::read::{Fields, Reader};
use sim_core::config::tree::{Kind, Node, parse};
use sim_core::host::{BarrierRule, CachePreference, MemoryRule};
use std::path::PathBuf;

/// Divisions of an SM's memory, by their names in launch files.
const CACHE: [(&str, CachePreference); 3] = [
    ("prefer_none", CachePreference::None),
    ("prefer_shared", CachePreference::Shared),
    ("prefer_l1", CachePreference::L1),
];

/// Rules for accesses outside of allocations, by their names in launch files.
const MEMORY: [(&str, MemoryRule); 2] = [("strict", MemoryRule::Strict), ("page", MemoryRule::Page)];

/// Rules for the lanes of a warp at a barrier, by their names in launch files.
const BARRIERS: [(&str, BarrierRule); 2] =
    [("strict", BarrierRule::Strict), ("hardware", BarrierRule::Hardware)];

/// Reads the text; `None` if it is not valid RON.
pub fn read(text: &str) -> (Option<LaunchFile>, Vec<Diagnostic>) {
    let node = match parse(text, 0) {
        Ok(node) => node,
        Err(diagnostics) => return (None, diagnostics),
    };
    let reader = Reader::default();
    let fields = reader.fields(&node, "");
    let extent = |name| fields.required(name).and_then(|n| read_extent(&reader, n, name));
    let file = LaunchFile {
        ptx: read_paths(&fields, "ptx"),
        entry: fields.required("entry").and_then(|n| spanned_string(&reader, n, "entry")),
        grid: extent("grid"),
        block: extent("block"),
        dynamic_shared: optional_u32(&fields, "dynamic_shared", 0).unwrap_or(0),
        registers: optional_u32(&fields, "registers", 1),
        cache: fields.optional("cache").and_then(|n| reader.choice(n, "cache", &CACHE)),
        memory: fields.optional("memory").and_then(|n| reader.choice(n, "memory", &MEMORY)),
        barriers: fields.optional("barriers").and_then(|n| reader.choice(n, "barriers", &BARRIERS)),
        printf_bytes: optional_u32(&fields, "printf_bytes", 1024),
        heap_bytes: optional_u32(&fields, "heap_bytes", 1024),
        params: params::read_params(&fields).unwrap_or(Spanned { value: vec![], span: fields.head() }),
        buffers: arrays::read_map(&fields, "buffers", arrays::read_buffer),
        symbols: arrays::read_map(&fields, "symbols", arrays::read_symbol),
        textures: textures::read_textures(&fields),
        streams: streams::read_streams(&fields),
        surfaces: surfaces::read_surfaces(&fields),
        dumps: read_list(&fields, "dumps", read_dump),
        expect: read_list(&fields, "expect", read_expectation),
    };
    fields.finish();
    (Some(file), reader.finish().0)
}

/// Reads a list of paths.
fn read_paths(fields: &Fields<'_>, name: &'static str) -> Vec<Spanned<PathBuf>> {
    let Some(node) = fields.optional(name) else { return Vec::new() };
    let items = fields.reader().items(node, name).unwrap_or_default();
    let path = |item| {
        let Spanned { value, span } = spanned_string(fields.reader(), item, name)?;
        Some(Spanned { value: PathBuf::from(value), span })
    };
    items.iter().filter_map(path).collect()
}

fn optional_u32(fields: &Fields<'_>, name: &'static str, least: i128) -> Option<u32> {
    let node = fields.optional(name)?;
    fields.reader().int(node, name, &(least..=i128::from(u32::MAX))).map(|v| v as u32)
}

fn spanned_string(reader: &Reader, node: &Node, what: &str) -> Option<Spanned<String>> {
    reader.string(node, what).map(|s| Spanned { value: s.to_owned(), span: node.span })
}

/// Reads an extent: `256`, `(16, 16)` or `(4, 8, 2)`.
fn read_extent(reader: &Reader, node: &Node, what: &str) -> Option<Dim3> {
    let range = 1..=i128::from(u32::MAX);
    let parts = match &node.kind {
        Kind::Tuple(items) | Kind::List(items) if (1..=3).contains(&items.len()) => items.as_slice(),
        Kind::Int(_) => std::slice::from_ref(node),
        _ => {
            reader.wrong_type(node, what, "a number or one to three numbers `(x, y, z)`");
            return None;
        }
    };
    let read: Vec<Option<i128>> = parts.iter().map(|part| reader.int(part, what, &range)).collect();
    let at = |i: usize| read.get(i).map_or(Some(1), |v| v.map(|v| v as u32));
    Some(Dim3::new(at(0)?, at(1)?, at(2)?))
}

fn read_list<T>(
    fields: &Fields<'_>,
    name: &'static str,
    read: impl Fn(&Fields<'_>, &Node) -> Option<T>,
) -> Vec<T> {
    let Some(node) = fields.optional(name) else { return Vec::new() };
    let items = fields.reader().items(node, name).unwrap_or_default();
    let one = |item| {
        let inner = fields.reader().fields(item, &format!("an entry of {name}"));
        let value = read(&inner, item);
        inner.finish();
        value
    };
    items.iter().filter_map(one).collect()
}

/// Reads `buf: "name"` or `symbol: "name"`.
fn read_data_name(fields: &Fields<'_>, node: &Node) -> Option<DataName> {
    let reader = fields.reader();
    match (fields.optional("buf"), fields.optional("symbol")) {
        (Some(buffer), None) => spanned_string(reader, buffer, "buf").map(DataName::Buffer),
        (None, Some(symbol)) => spanned_string(reader, symbol, "symbol").map(DataName::Symbol),
        _ => {
            either(reader, node, "`buf: \"name\"`", "`symbol: \"name\"`");
            None
        }
    }
}

fn read_dump(fields: &Fields<'_>, node: &Node) -> Option<Dump> {
    let what = read_data_name(fields, node);
    let to = fields.required("to").and_then(|n| spanned_string(fields.reader(), n, "to"));
    let to = to.map(|to| Spanned { value: PathBuf::from(to.value), span: to.span });
    Some(Dump { what: what?, to: to? })
}

fn read_expectation(fields: &Fields<'_>, node: &Node) -> Option<Expectation> {
    let reader = fields.reader();
    let what = read_data_name(fields, node);
    let ty = fields.optional("type").and_then(|n| reader.choice(n, "type", &TYPES));
    let source = match (fields.optional("file"), fields.optional("formula")) {
        (Some(file), None) => spanned_string(reader, file, "file")
            .map(|path| Source::File(Spanned { value: PathBuf::from(path.value), span: path.span })),
        (None, Some(formula)) => {
            let text = reader.text(formula, "formula");
            text.map(|text| Source::Formula(Spanned { value: text.to_owned(), span: formula.span }))
        }
        _ => {
            either(reader, node, "`file: \"path\"`", "`formula: \"…\"`");
            None
        }
    };
    let tolerance = |name: &'static str| {
        let node = fields.optional(name)?;
        let value = reader.number(node, name)?;
        if value >= 0.0 && value.is_finite() {
            return Some(value);
        }
        let message = format!("a tolerance must be a finite number of at least 0, found {value}");
        reader.push(range_error(node.span, message));
        None
    };
    let (abs, rel) = (tolerance("abs").unwrap_or(0.0), tolerance("rel").unwrap_or(0.0));
    Some(Expectation { what: what?, ty, source, abs, rel, span: node.span })
}

/// Reports an entry that has both or none of two fields.
fn either(reader: &Reader, node: &Node, one: &str, other: &str) {
    // A node that is not a struct has already been reported.
    if matches!(node.kind, Kind::Struct(_)) {
        let message = format!("the entry must have either {one} or {other}");
        reader.push(Diagnostic::error(
            codes::ONE_OF,
            message,
            node.span,
            "expected exactly one of the two fields",
        ));
    }
}

/// Diagnostic for a number that its type cannot represent.
pub fn range_error(span: Span, why: String) -> Diagnostic {
    Diagnostic::error(sim_core::config::codes::OUT_OF_RANGE, why, span, "invalid number")
}

fn read_number(reader: &Reader, node: &Node, what: &str) -> Option<Spanned<Number>> {
    let value = match node.kind {
        Kind::Int(value) => Number::Int(value),
        _ => Number::Float(reader.number(node, what)?),
    };
    Some(Spanned { value, span: node.span })
}

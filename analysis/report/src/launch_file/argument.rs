//! The arguments of a kernel in a launch file.

use super::codes;
use super::forms::{AnyNumber, range_error};
use super::value::{Number, TYPES, encode};
use isa::diag::Diagnostic;
use isa::span::{Span, Spanned};
use isa::types::ScalarType;
use sim_core::config::read::{Fields, Reader};
use sim_core::config::schema::forms::{At, Text};
use sim_core::config::schema::{Form, Presence, Value};
use sim_core::config::tree::{Field, Node, NodeKind};
use std::collections::BTreeMap;

/// One kernel argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The address of a buffer, plus a byte offset.
    Buffer(String, u64),
    /// A buffer whose bytes are in the constant bank (`__constant` of OpenCL).
    Constant(String),
    /// Bytes of shared memory (`__local` of OpenCL).
    Local(u32),
    /// A number of the parameter's type.
    Number(Number),
    /// A scalar's type and bytes.
    Scalar(ScalarType, Vec<u8>),
    /// Raw bytes, for parameters that are arrays.
    Bytes(Vec<u8>),
    /// Values of the fields of a structure.
    Fields(Vec<(Spanned<String>, Spanned<Argument>)>),
    /// Elements of an array.
    Elements(Vec<Spanned<Argument>>),
}

impl Argument {
    /// Visits the names of all buffers.
    pub fn each_buffer(&self, span: Span, visit: &mut impl FnMut(&str, Span)) {
        match self {
            Self::Buffer(name, _) | Self::Constant(name) => visit(name, span),
            Self::Fields(all) => all.iter().for_each(|(_, one)| one.value.each_buffer(one.span, visit)),
            Self::Elements(all) => all.iter().for_each(|one| one.value.each_buffer(one.span, visit)),
            Self::Number(_) | Self::Scalar(..) | Self::Bytes(_) | Self::Local(_) => {}
        }
    }
}

/// An argument of a list or, with the name of its parameter, of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// Name of the parameter.
    pub name: Option<Spanned<String>>,
    /// The argument; `None` if it is wrong.
    pub value: Option<Spanned<Argument>>,
}

/// Arguments, with the position of the whole list or map.
pub type Arguments = Spanned<Vec<Given>>;

/// The kernel's arguments: `buf("a")`, `s32(1000)`, `1000`, `bytes([1, 2])`, `(x: 1, y: 2)`, in a
/// list or a map.
pub struct Params;

impl Form<Arguments> for Params {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Arguments> {
        let argument =
            |item: &Node| read_argument(reader, item).map(|value| Spanned { value, span: item.span });
        let value = if let NodeKind::Map(entries) = &node.kind {
            let named =
                |(key, item): &(Node, Node)| Given { name: read_name(reader, key), value: argument(item) };
            let given: Vec<Given> = entries.iter().map(named).collect();
            report_duplicates(reader, &given);
            given
        } else {
            let items = reader.items(node, what).unwrap_or_default();
            items.iter().map(|item| Given { name: None, value: argument(item) }).collect()
        };
        Some(Spanned { value, span: node.span })
    }

    fn read(&self, fields: &Fields, name: &'static str) -> Option<Arguments> {
        match fields.optional(name) {
            Some(_) => fields.read(name, |reader, node, what| self.of(reader, node, what)),
            None => Some(Spanned { value: Vec::new(), span: fields.head() }),
        }
    }

    fn value(&self) -> Value {
        Value::Other("a list or a map of arguments")
    }

    fn presence(&self) -> Presence {
        Presence::Optional
    }
}

/// Reads the name of a parameter, with or without quotation marks.
fn read_name(reader: &Reader, key: &Node) -> Option<Spanned<String>> {
    match &key.kind {
        NodeKind::Variant { name, args: None, .. } => Some(Spanned { value: name.clone(), span: key.span }),
        _ => At(Text).of(reader, key, "the name of a parameter"),
    }
}

fn report_duplicates(reader: &Reader, given: &[Given]) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for name in given.iter().filter_map(|given| given.name.as_ref()) {
        let before = *first.entry(&name.value).or_insert(name.span);
        if before != name.span {
            let message = format!("two arguments for parameter `{}`", name.value);
            let diagnostic = Diagnostic::error(codes::DUPLICATE, name.span, message).label("second argument");
            reader.push(diagnostic.at(before, "first argument"));
        }
    }
}

fn read_argument(reader: &Reader, node: &Node) -> Option<Argument> {
    if matches!(node.kind, NodeKind::Int(_) | NodeKind::Float(_)) {
        return AnyNumber.of(reader, node, "a parameter").map(Argument::Number);
    }
    let part = |item: &Node| Some(Spanned { value: read_argument(reader, item)?, span: item.span });
    match &node.kind {
        NodeKind::Bool(bit) => return Some(Argument::Number(Number::Int((*bit).into()))),
        NodeKind::Struct(fields) => {
            let field = |field: &Field| {
                let name = Spanned { value: field.name.clone(), span: field.name_span };
                Some((name, part(&field.value)?))
            };
            return fields.iter().map(field).collect::<Option<_>>().map(Argument::Fields);
        }
        NodeKind::List(items) => {
            return items.iter().map(part).collect::<Option<_>>().map(Argument::Elements);
        }
        _ => {}
    }
    let mut words = vec!["buf", "bytes", "constant", "local"];
    words.extend(TYPES.iter().map(|(word, _)| *word));
    let tagged = reader.tagged(node, "a parameter", &words)?;
    let arguments = match tagged.args.map(|a| &a.kind) {
        Some(NodeKind::Tuple(items)) => items.as_slice(),
        _ => &[],
    };
    match (tagged.word, arguments) {
        ("buf", [name]) => reader.string(name, "a buffer's name").map(|n| Argument::Buffer(n.to_owned(), 0)),
        ("buf", [name, offset]) => {
            let name = reader.string(name, "a buffer's name");
            let offset = reader.int(offset, "a byte offset", &(0..=i128::from(u32::MAX)));
            Some(Argument::Buffer(name?.to_owned(), offset? as u64))
        }
        ("constant", [name]) => {
            reader.string(name, "a buffer's name").map(|name| Argument::Constant(name.to_owned()))
        }
        ("local", [bytes]) => {
            let bytes = reader.int(bytes, "a number of bytes", &(1..=i128::from(u32::MAX)));
            bytes.map(|bytes| Argument::Local(bytes as u32))
        }
        ("constant", _) => {
            reader.wrong_type(node, "a buffer in constant memory", "`constant(\"name\")`");
            None
        }
        ("local", _) => {
            reader.wrong_type(node, "local memory", "`local(BYTES)`");
            None
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
            let value = AnyNumber.of(reader, number, "a parameter")?;
            let mut bytes = Vec::new();
            if let Err(why) = encode(*ty, value, &mut bytes) {
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

//! Reads textures: `"t": (buffer: "image", size: (64, 64), format: f32)`.

use super::super::schema::Texture;
use super::super::{Spanned, codes};
use super::{read_extent, spanned_string};
use isa::diag::Diagnostic;
use isa::span::Span;
use isa::types::Dim3;
use sim_core::config::read::{Fields, Reader};
use sim_core::config::tree::{Kind, Node};
use sim_core::host::{AddressMode, FilterMode, ReadMode, TexelFormat, TextureOptions, TextureShape};
use std::collections::BTreeMap;

/// Memory of a texture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    Linear,
    Array,
    Cube,
}

const MEMORY: [(&str, Memory); 3] =
    [("linear", Memory::Linear), ("array", Memory::Array), ("cube", Memory::Cube)];

/// Reads the map of textures.
pub fn read_textures(fields: &Fields<'_>) -> Vec<Texture> {
    read_named(fields, "textures", read_texture)
}

/// Reads a map from names of objects of the module to their properties; a duplicate name is
/// reported.
pub(super) fn read_named<T>(
    fields: &Fields<'_>,
    what: &'static str,
    read: impl Fn(&Reader, &Node, Spanned<String>) -> T,
) -> Vec<T> {
    let Some(node) = fields.optional(what) else { return Vec::new() };
    let reader = fields.reader();
    let Kind::Map(entries) = &node.kind else {
        reader.wrong_type(node, what, "a map `{ \"name\": (…), … }`");
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut names: BTreeMap<String, Span> = BTreeMap::new();
    for (key, value) in entries {
        let Some(name) = spanned_string(reader, key, "a name") else { continue };
        let first = *names.entry(name.value.clone()).or_insert(name.span);
        if first != name.span {
            let message = format!("duplicate name `{}` in {what}", name.value);
            let diagnostic = Diagnostic::error(codes::DUPLICATE, message, name.span, "second entry");
            reader.push(diagnostic.label(first, "first entry"));
        }
        out.push(read(reader, value, name));
    }
    out
}

fn read_texture(reader: &Reader, node: &Node, name: Spanned<String>) -> Texture {
    let fields = reader.fields(node, &format!("texture `{}`", name.value));
    let buffer = fields.required("buffer").and_then(|n| spanned_string(reader, n, "buffer"));
    let options = read_options(&fields);
    fields.finish();
    Texture { name, buffer, options }
}

/// Reads the field `size`; returns it with its number of dimensions.
pub(super) fn read_size(fields: &Fields<'_>) -> Option<(Dim3, usize)> {
    let node = fields.required("size")?;
    let size = read_extent(fields.reader(), node, "size")?;
    let dimensions = match &node.kind {
        Kind::Tuple(items) | Kind::List(items) => items.len(),
        _ => 1,
    };
    Some((size, dimensions))
}

/// Reads the field `channels`, by default 1.
pub(super) fn read_channels(fields: &Fields<'_>) -> Option<u32> {
    match fields.optional("channels") {
        Some(node) => fields.reader().int(node, "channels", &(1..=4)).map(|channels| channels as u32),
        None => Some(1),
    }
}

/// Reads the field `layers`. The outer `None`: it is wrong.
#[expect(clippy::option_option, reason = "as with every field, an error is the outer `None`")]
pub(super) fn read_layers(fields: &Fields<'_>) -> Option<Option<u32>> {
    match fields.optional("layers") {
        Some(node) => fields.reader().int(node, "layers", &(1..=65536)).map(|layers| Some(layers as u32)),
        None => Some(None),
    }
}

/// Returns the shape of an array with these dimensions and layers.
pub(super) fn array(
    fields: &Fields<'_>,
    (size, dimensions): (Dim3, usize),
    layers: Option<u32>,
) -> Option<TextureShape> {
    Some(match (dimensions, layers) {
        (1, None) => TextureShape::Array1(size.x),
        (2, None) => TextureShape::Array2(size.x, size.y),
        (1, Some(layers)) => TextureShape::Layers1(size.x, layers),
        (2, Some(layers)) => TextureShape::Layers2(size.x, size.y, layers),
        (_, None) => TextureShape::Array3(size.x, size.y, size.z),
        (_, Some(_)) => {
            let label = "expected a size x or (x, y), or no `layers`";
            let message = "layers have one or two dimensions";
            fields.reader().push(Diagnostic::error(codes::ONE_OF, message, fields.head(), label));
            return None;
        }
    })
}

fn read_options(fields: &Fields<'_>) -> Option<TextureOptions> {
    let reader = fields.reader();
    let format = fields.choice("format", &TexelFormat::NAMES);
    let dimensions = read_size(fields);
    let channels = read_channels(fields);
    let pitch = fields.optional("pitch").map(|n| reader.int(n, "pitch", &(1..=i128::from(u32::MAX))));
    let memory = match fields.optional("memory") {
        Some(node) => reader.choice(node, "memory", &MEMORY),
        None => Some(Memory::Array),
    };
    let layers = read_layers(fields);
    let read = optional(fields, "read", &ReadMode::NAMES);
    let filter = optional(fields, "filter", &FilterMode::NAMES);
    let address = match fields.optional("address") {
        Some(node) => read_address(reader, node),
        None => Some([AddressMode::default(); 3]),
    };
    let normalized = match fields.optional("normalized") {
        Some(node) => reader.bool(node, "normalized"),
        None => Some(false),
    };
    let (size, dimensions) = dimensions?;
    let shape = match (dimensions, memory?, pitch, layers?) {
        (1, Memory::Linear, None, None) => TextureShape::Linear(size.x),
        (2, Memory::Linear | Memory::Array, Some(pitch), None) => {
            TextureShape::Pitch { width: size.x, height: size.y, pitch: pitch? as u32 }
        }
        (1, Memory::Cube, None, None) => TextureShape::Cube(size.x),
        (1, Memory::Cube, None, Some(cubes)) => TextureShape::Cubes(size.x, cubes),
        (_, Memory::Array, None, layers) => array(fields, (size, dimensions), layers)?,
        (.., pitch, _) => {
            let message = if pitch.is_some() {
                "only a texture of two dimensions has a pitch"
            } else {
                "a texture of two or three dimensions is an array, or has a pitch"
            };
            let label = "expected a size (x, y) with `pitch`, or `memory: array`";
            reader.push(Diagnostic::error(codes::ONE_OF, message, fields.head(), label));
            return None;
        }
    };
    let options = TextureOptions::new(shape, format?, channels?);
    Some(TextureOptions {
        read: read?,
        filter: filter?,
        address: address?,
        normalized: normalized?,
        ..options
    })
}

/// Reads a word, or returns the default; `None` for an unknown word.
fn optional<T: Copy + Default>(
    fields: &Fields<'_>,
    name: &'static str,
    words: &[(&'static str, T)],
) -> Option<T> {
    match fields.optional(name) {
        Some(node) => fields.reader().choice(node, name, words),
        None => Some(T::default()),
    }
}

/// Reads one address mode for all dimensions, or one for each.
fn read_address(reader: &Reader, node: &Node) -> Option<[AddressMode; 3]> {
    let one = |node: &Node| reader.choice(node, "address", &AddressMode::NAMES);
    let items = match &node.kind {
        Kind::Tuple(items) | Kind::List(items) if (1..=3).contains(&items.len()) => items.as_slice(),
        _ => return one(node).map(|mode| [mode; 3]),
    };
    let modes: Vec<Option<AddressMode>> = items.iter().map(one).collect();
    let modes = modes.into_iter().collect::<Option<Vec<_>>>()?;
    let at = |i: usize| modes.get(i).copied().unwrap_or_default();
    Some([at(0), at(1), at(2)])
}

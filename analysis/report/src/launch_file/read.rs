//! Reads RON text into a [`LaunchFile`]: checks names, types and ranges, and the rules over several
//! fields of an entry, but nothing that needs the PTX module or the disk. Reading continues after
//! an error, so that all errors are reported together.

use super::codes;
use super::forms::Size;
use super::schema::{
    Array, BufferEntry, BufferMemory, DataEntry, DataName, Dump, DumpEntry, ExpectEntry, Expectation,
    ExpectedData, Init, LaunchFile, Source, Surface, SurfaceEntry, SymbolEntry, Texture, TextureEntry,
    TextureMemory,
};
use crate::condition::{Condition, MetricsOnly};
use crate::formula::FormulaError;
use isa::diag::Diagnostic;
use isa::span::{Span, Spanned};
use isa::types::ScalarType;
use sim_core::config::read::Reader;
use sim_core::config::schema::Record;
use sim_core::config::tree::parse;
use sim_core::host::{SurfaceOptions, TextureOptions, TextureShape};

/// Reads the text; `None` if it is not valid RON.
pub fn read(text: &str) -> (Option<LaunchFile>, Vec<Diagnostic>) {
    let node = match parse(text, 0) {
        Ok(node) => node,
        Err(diagnostics) => return (None, diagnostics),
    };
    let reader = Reader::default();
    let file = LaunchFile::read(reader.fields(&node, ""));
    (file, reader.finish().0)
}

impl BufferEntry {
    /// Makes the array.
    pub(super) fn array(self, reader: &Reader) -> Array {
        let has_length = self.len.is_some() || self.bytes.is_some();
        let own_length =
            matches!(&self.init, None | Some(Spanned { value: Init::Values(_) | Init::File(_), .. }));
        if !has_length && !own_length {
            let message = format!("buffer `{}` has no length", self.name.value);
            let diagnostic =
                Diagnostic::error(codes::LENGTH, self.name.span, message).label("expected a length");
            let help = "add `len` (elements) or `bytes`; only `values` and `file` define a length";
            reader.push(diagnostic.help(help));
        }
        let bytes = self.length(reader);
        Array { name: self.name, ty: self.ty, bytes, init: self.init, memory: self.memory }
    }

    /// Returns the length in bytes.
    fn length(&self, reader: &Reader) -> Option<Spanned<u64>> {
        if let (Some(_), Some(bytes)) = (&self.len, &self.bytes) {
            let message = "the entry has both `len` and `bytes`";
            let label = "remove one of the two fields";
            reader.push(Diagnostic::error(codes::LENGTH, bytes.span, message).label(label));
        }
        let size = u64::from(self.ty.map_or(1, ScalarType::bytes));
        if let Some(Spanned { value, span }) = self.len {
            return Some(Spanned { value: value * size, span });
        }
        let bytes = self.bytes.clone()?;
        if !bytes.value.is_multiple_of(size) {
            let message = format!("{} bytes are not a whole number of elements of {size} bytes", bytes.value);
            let label = "expected a multiple of the element size";
            reader.push(Diagnostic::error(codes::LENGTH, bytes.span, message).label(label));
            return None;
        }
        Some(bytes)
    }
}

impl SymbolEntry {
    /// Makes the array.
    pub(super) fn array(self, _: &Reader) -> Array {
        let Self { name, ty, init } = self;
        Array { name, ty, bytes: None, init, memory: BufferMemory::default() }
    }
}

impl TextureEntry {
    /// Makes the texture.
    pub(super) fn texture(self, reader: &Reader) -> Texture {
        let shape = self.size.and_then(|size| self.shape(size, reader));
        let Self { read, filter, address, normalized, .. } = self;
        let options = |shape| TextureOptions {
            read,
            filter,
            address,
            normalized,
            ..TextureOptions::new(shape, self.format, self.channels)
        };
        Texture { name: self.name, buffer: self.buffer, options: shape.map(options) }
    }

    fn shape(&self, Size { extent, dimensions }: Size, reader: &Reader) -> Option<TextureShape> {
        Some(match (dimensions, self.memory, self.pitch, self.layers) {
            (1, TextureMemory::Linear, None, None) => TextureShape::Linear(extent.x),
            (2, TextureMemory::Linear | TextureMemory::Array, Some(pitch), None) => {
                TextureShape::Pitch { width: extent.x, height: extent.y, pitch }
            }
            (1, TextureMemory::Cube, None, None) => TextureShape::Cube(extent.x),
            (1, TextureMemory::Cube, None, Some(cubes)) => TextureShape::Cubes(extent.x, cubes),
            (_, TextureMemory::Array, None, layers) => {
                array(Size { extent, dimensions }, layers, self.span, reader)?
            }
            (.., pitch, _) => {
                let message = if pitch.is_some() {
                    "only a texture of two dimensions has a pitch"
                } else {
                    "a texture of two or three dimensions is an array, or has a pitch"
                };
                let label = "expected a size (x, y) with `pitch`, or `memory: array`";
                reader.push(Diagnostic::error(codes::ONE_OF, head(self.span), message).label(label));
                return None;
            }
        })
    }
}

impl SurfaceEntry {
    /// Makes the surface.
    pub(super) fn surface(self, reader: &Reader) -> Surface {
        let shape = self.size.and_then(|size| array(size, self.layers, self.span, reader));
        let options = shape.map(|shape| SurfaceOptions::new(shape, self.format, self.channels));
        Surface { name: self.name, buffer: self.buffer, options }
    }
}

/// Returns the shape of an array with these dimensions and layers.
fn array(size: Size, layers: Option<u32>, span: Span, reader: &Reader) -> Option<TextureShape> {
    let Size { extent, dimensions } = size;
    Some(match (dimensions, layers) {
        (1, None) => TextureShape::Array1(extent.x),
        (2, None) => TextureShape::Array2(extent.x, extent.y),
        (1, Some(layers)) => TextureShape::Layers1(extent.x, layers),
        (2, Some(layers)) => TextureShape::Layers2(extent.x, extent.y, layers),
        (_, None) => TextureShape::Array3(extent.x, extent.y, extent.z),
        (_, Some(_)) => {
            let label = "expected a size x or (x, y), or no `layers`";
            let message = "layers have one or two dimensions";
            reader.push(Diagnostic::error(codes::ONE_OF, head(span), message).label(label));
            return None;
        }
    })
}

/// The opening parenthesis of an entry.
fn head(span: Span) -> Span {
    Span { end: span.start + 1, ..span }
}

impl DumpEntry {
    /// Makes the dump.
    pub(super) fn dump(self, reader: &Reader) -> Option<Dump> {
        let what = self.data.name(reader);
        Some(Dump { what: what?, to: self.to? })
    }
}

impl ExpectEntry {
    /// Makes the expectation.
    pub(super) fn expectation(self, reader: &Reader) -> Option<Expectation> {
        let (Self { ty, abs, rel, .. }, span) = (&self, self.data.span);
        let (ty, abs, rel) = (*ty, *abs, *rel);
        let of_data = self.file.is_some() || self.formula.is_some() || self.data.is_named();
        let source = match (self.metric, self.check) {
            (Some(text), None) if !of_data => return condition(reader, &text).map(Expectation::Metric),
            (None, Some(check)) if !of_data => return Some(Expectation::Check(check.value)),
            (None, None) => match (self.file, self.formula) {
                (Some(file), None) => Some(Source::File(file)),
                (None, Some(formula)) => Some(Source::Formula(formula)),
                _ => {
                    either(reader, span, "`file: \"path\"`", "`formula: \"…\"`");
                    None
                }
            },
            _ => {
                let message = "an expectation is about data, about a metric or about a checker";
                let label = "expected one of `buf`, `symbol`, `metric` and `check`";
                reader.push(Diagnostic::error(codes::ONE_OF, head(span), message).label(label));
                return None;
            }
        };
        Some(Expectation::Data(ExpectedData { what: self.data.name(reader)?, ty, source, abs, rel, span }))
    }
}

/// Reads a condition over metrics.
fn condition(reader: &Reader, text: &Spanned<String>) -> Option<Condition<MetricsOnly>> {
    let parsed = Condition::parse(&text.value);
    let report = |error: FormulaError| {
        let span = error.within(text);
        reader.push(
            Diagnostic::error(codes::FORMULA, span, error.message).label("in this part of the formula"),
        );
    };
    parsed.map_err(report).ok()
}

impl DataEntry {
    /// Whether the entry names data.
    const fn is_named(&self) -> bool {
        self.buf.is_some() || self.symbol.is_some()
    }

    fn name(self, reader: &Reader) -> Option<DataName> {
        match (self.buf, self.symbol) {
            (Some(buffer), None) => Some(DataName::Buffer(buffer)),
            (None, Some(symbol)) => Some(DataName::Symbol(symbol)),
            _ => {
                either(reader, self.span, "`buf: \"name\"`", "`symbol: \"name\"`");
                None
            }
        }
    }
}

/// Reports an entry that has both or none of two fields.
fn either(reader: &Reader, span: Span, one: &str, other: &str) {
    let message = format!("the entry must have either {one} or {other}");
    let label = "expected exactly one of the two fields";
    reader.push(Diagnostic::error(codes::ONE_OF, span, message).label(label));
}

//! Objects of constant expressions, as scalars, and why an expression is no constant.

use std::collections::BTreeMap;

use crate::hir::{FunctionId, GlobalId, Initializer, IntType, Type, TypeId, Types};
use crate::source::Span;

/// Why an expression is not a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Its evaluation has undefined behavior.
    Undefined(&'static str, Span),
    /// The body of a function is needed first.
    Missing(FunctionId),
    /// It is a value of the running program, or takes too long.
    Unknown,
}

/// A step of the evaluation.
pub type Run<T> = Result<T, Stop>;

/// The object that a pointer of a constant expression points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A variable, parameter or temporary object of the evaluation.
    Object(u32),
    /// A variable of the program, or a string literal.
    Global(GlobalId),
}

/// The address of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    pub base: Base,
    /// Bytes from the start of the whole object.
    pub offset: i64,
    /// The array (or single object) in which the pointer may move: its first byte, and its end.
    pub range: (i64, i64),
}

/// A value without parts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar {
    /// An integer, `bool` or null pointer.
    Int(i128),
    Float(f64),
    Pointer(Pointer),
    Function(FunctionId),
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Value {
    Void,
    Scalar(Scalar),
    /// A structure or array.
    Cells(Cells),
}

/// Why an object has no value at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// Nothing was stored there.
    Unset,
    /// A value of another type was stored there.
    OtherType,
}

/// The scalars of an object by their first bit, each with its number of bits; no two overlap. What
/// has no scalar was never set. A value is read as it was stored: an object of another type does
/// not exist there, also in a union.
#[derive(Clone, Default, Debug)]
pub struct Cells(BTreeMap<u64, (u64, Scalar)>);

impl Cells {
    /// Number of scalars.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The scalar at a place.
    pub fn read(&self, at: u64, width: u64) -> Result<Scalar, Gap> {
        match self.0.range(..at + width).next_back() {
            Some((first, (bits, scalar))) if *first == at && *bits == width => Ok(*scalar),
            Some((first, (bits, _))) if first + bits > at => Err(Gap::OtherType),
            _ => Err(Gap::Unset),
        }
    }

    /// Stores a scalar.
    pub fn write(&mut self, at: u64, width: u64, scalar: Scalar) {
        if let Some((bits, old)) = self.0.get_mut(&at)
            && *bits == width
        {
            *old = scalar;
            return;
        }
        self.clear(at, width);
        self.0.insert(at, (width, scalar));
    }

    fn clear(&mut self, at: u64, width: u64) {
        let end = at + width;
        let before = self.0.range(..at).next_back().filter(|(first, (bits, _))| *first + bits > at);
        let first = before.map_or(at, |(first, _)| *first);
        let old: Vec<u64> = self.0.range(first..end).map(|(first, _)| *first).collect();
        for one in old {
            self.0.remove(&one);
        }
    }

    /// A part as an object.
    pub fn part(&self, at: u64, width: u64) -> Self {
        let inside = self.0.range(at..at + width).filter(|(first, (bits, _))| *first + bits <= at + width);
        Self(inside.map(|(first, cell)| (first - at, *cell)).collect())
    }

    /// Stores an object in a part.
    pub fn store_part(&mut self, at: u64, width: u64, value: &Self) {
        self.clear(at, width);
        self.0.extend(value.0.range(..width).map(|(first, cell)| (first + at, *cell)));
    }

    /// Stores a value of a type at a bit.
    pub fn store(&mut self, types: &Types, at: u64, ty: TypeId, value: &Value) {
        match value {
            Value::Void => {}
            Value::Scalar(scalar) => self.write(at, types.size(ty) * 8, *scalar),
            Value::Cells(cells) => self.store_part(at, types.data_size(ty) * 8, cells),
        }
    }

    /// Adds the zero value of a type at a bit. Returns false if it has more than `limit` scalars.
    pub fn zero(&mut self, types: &Types, at: u64, ty: TypeId, limit: usize) -> bool {
        if self.len() > limit {
            return false;
        }
        match types.get(ty) {
            Type::Struct(id) => {
                let layout = types.layout(id);
                // The first member of a union has the value.
                let count = if layout.is_union { 1 } else { layout.fields.len() };
                layout.fields.iter().take(count).all(|field| match field.bits {
                    Some((low, width)) => {
                        self.write(at + field.offset * 8 + u64::from(low), width.into(), Scalar::Int(0));
                        true
                    }
                    None => self.zero(types, at + field.offset * 8, field.ty, limit),
                })
            }
            Type::Array(element, count) => {
                let size = types.size(element) * 8;
                count <= limit as u64
                    && (0..count).all(|one| self.zero(types, at + one * size, element, limit))
            }
            Type::F32 | Type::F64 => {
                self.write(at, types.size(ty) * 8, Scalar::Float(0.0));
                true
            }
            Type::Void => true,
            _ => {
                self.write(at, types.size(ty) * 8, Scalar::Int(0));
                true
            }
        }
    }

    /// The object of a string literal.
    pub fn of_text(bytes: &[u8]) -> Self {
        let cells = bytes.iter().zip((0..).step_by(8));
        Self(cells.map(|(byte, at)| (at, (8, Scalar::Int((*byte as i8).into())))).collect())
    }

    /// The initial value of a variable of the program; `None` if the object has the address of an
    /// object that ends before.
    pub fn initializer(&self, size: u64) -> Option<Initializer> {
        let mut made = Initializer { bytes: vec![0; size as usize], addresses: Vec::new(), code: Vec::new() };
        for (&at, &(width, scalar)) in &self.0 {
            let bits = match scalar {
                Scalar::Int(int) => int as u128,
                Scalar::Float(float) if width == 32 => (float as f32).to_bits().into(),
                Scalar::Float(float) => float.to_bits().into(),
                Scalar::Pointer(Pointer { base: Base::Global(global), offset, .. }) => {
                    made.addresses.push((at / 8, global, offset));
                    continue;
                }
                Scalar::Pointer(_) => return None,
                Scalar::Function(function) => {
                    made.code.push((at / 8, function));
                    continue;
                }
            };
            let bits = (bits & (u128::MAX >> (128 - width))) << (at % 8);
            let count = (at % 8 + width).div_ceil(8) as usize;
            let bytes = made.bytes.get_mut((at / 8) as usize..)?;
            bytes.iter_mut().zip(bits.to_le_bytes()).take(count).for_each(|(byte, more)| *byte |= more);
        }
        Some(made)
    }

    /// Whether the object outlives the evaluation that made it.
    pub fn is_lasting(&self) -> bool {
        let is_short =
            |scalar: &Scalar| matches!(scalar, Scalar::Pointer(Pointer { base: Base::Object(_), .. }));
        !self.0.values().any(|(_, scalar)| is_short(scalar))
    }
}

/// A scalar as a value of a type reads it, if it can. A bit field has fewer bits than its type.
pub fn read_as(scalar: Scalar, ty: Type, bits: Option<u8>) -> Option<Scalar> {
    match (scalar, ty) {
        (Scalar::Int(int), Type::Int(IntType { bits: all, signed })) => {
            Some(Scalar::Int(IntType { bits: bits.unwrap_or(all), signed }.wrap(int)))
        }
        (Scalar::Int(int), Type::Bool) => Some(Scalar::Int(int & 1)),
        (Scalar::Float(_), Type::F32 | Type::F64)
        | (
            Scalar::Int(0) | Scalar::Pointer(_) | Scalar::Function(_),
            Type::Pointer(..) | Type::FunctionPointer(_),
        ) => Some(scalar),
        _ => None,
    }
}

//! Places of the members of a class, as the C++ ABI of Itanium says (2.4).

use std::rc::Rc;

use super::Sema;
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::Res;
use crate::diagnostics::Diagnostic;
use crate::hir;
use crate::source::Span;
use crate::syntax::ast::{Expr, RecordDecl};

/// The next free bit of a class.
#[derive(Default)]
struct Position(u64);

impl Position {
    /// Takes bytes; returns their offset.
    fn bytes(&mut self, count: u64, align: u64) -> u64 {
        let at = self.0.div_ceil(8).next_multiple_of(align);
        self.0 = (at + count) * 8;
        at
    }

    /// Takes bits that lie in one integer of `unit` bytes, or anywhere; returns its offset and the
    /// lowest bit. Without bits, the next member starts at an integer.
    fn bits(&mut self, width: u8, unit: u64, anywhere: bool) -> (u64, u8) {
        let (width, unit) = (u64::from(width), unit * 8);
        if width == 0 || !anywhere && self.0 / unit != (self.0 + width - 1) / unit {
            self.0 = self.0.next_multiple_of(unit);
        }
        let at = self.0;
        self.0 += width;
        (at / unit * unit / 8, (at % unit) as u8)
    }
}

/// Most elements of an array whose empty parts are compared: they matter at the start of a class.
const MOST_EMPTY: u64 = 256;

/// Whether one of the objects of empty classes would share its address with one of its class.
fn is_taken(taken: &[(RecordId, u64)], parts: &[(RecordId, u64)], place: u64) -> bool {
    parts.iter().any(|(part, offset)| taken.contains(&(*part, offset + place)))
}

impl Sema<'_> {
    /// Number of bits of a bit field; an unnamed one may have none.
    pub(super) fn width(&mut self, bits: &Expr, ty: Qual, unnamed: bool) -> Res<u8> {
        if self.rules.is_open_cl {
            return self.unsupported(bits.span, "bit fields");
        }
        let (value, _) = self.constant_int(bits, "the width of a bit field")?;
        let most = match self.types.int_type(ty.ty) {
            Some(int) => int.bits,
            None if ty.ty == CTypes::BOOL => 8,
            None => {
                let shown = self.show(ty);
                let message = format!("a bit field cannot have type `{shown}`");
                return self.error("wrong-type", bits.span, message);
            }
        };
        let least = i128::from(!unnamed);
        if !(least..=i128::from(most)).contains(&value) {
            let message = format!("the bit field has {value} bits; expected {least} to {most}");
            return self.error("wrong-type", bits.span, message);
        }
        Ok(value as u8)
    }

    /// Gives the members their places.
    pub(super) fn lay_out(&mut self, id: RecordId, decl: Option<&RecordDecl>) -> Res<()> {
        let (mut position, mut align, mut size) = (Position::default(), 1u64, 0u64);
        let mut fields = Vec::new();
        let is_union = self.records[id].is_union;
        let gaps = self.records[id].gaps.clone();
        let mut has_bits = false;
        // Objects of empty classes with their offsets, and the least size that they need.
        let (mut taken, mut least) = (Vec::new(), 1);
        let packed = decl.is_some_and(|decl| decl.align.packed.is_some());
        let most = decl.map_or(0, |decl| decl.pack);
        // As compilers of the host do, both let bit fields cross the borders of their integers.
        let is_tight = packed || most > 0 || self.records[id].fields.iter().any(|field| field.packed);
        let most = if most > 0 { most.into() } else { u64::MAX };
        for at in 0..self.records[id].fields.len() {
            let field = self.records[id].fields[at].clone();
            for (_, ty, width) in gaps.iter().filter(|gap| gap.0 == at) {
                self.gap(*ty, *width, &mut position, is_tight)?;
            }
            let ty = self.hir_type(field.ty.ty, field.span)?;
            let bytes = self.hir.size(ty);
            // With `#pragma pack`, `packed` does not reach the alignment of a bit field, as in GCC;
            // clang differs.
            let is_packed = (packed || field.packed) && !(field.bits.is_some() && most < u64::MAX);
            let natural = if is_packed { 1 } else { self.hir.align(ty) }.max(field.align).min(most);
            align = align.max(natural);
            let is_base = self.records[id].base_at(at as u32).is_some();
            let empty_base = is_base && self.classes().is_empty_record(field.ty.ty);
            let bytes = if is_base { self.hir.data_size(ty) } else { bytes };
            let empty = self.empty_parts(field.ty.ty);
            let place = if is_union {
                0
            } else if empty_base {
                let mut place = 0;
                if is_taken(&taken, &empty, 0) {
                    place = position.0.div_ceil(8).next_multiple_of(natural);
                    while is_taken(&taken, &empty, place) {
                        place += natural;
                    }
                }
                least = least.max(place + self.hir.size(ty));
                place
            } else if let Some((_, width)) = field.bits {
                has_bits = true;
                let (place, low) = position.bits(width, bytes, packed || field.packed || most < u64::MAX);
                self.records[id].fields[at].bits = Some((low, width));
                place
            } else {
                let mut place = position.0.div_ceil(8).next_multiple_of(natural);
                while is_taken(&taken, &empty, place) {
                    place += natural;
                }
                position.0 = place * 8;
                position.bytes(bytes, natural)
            };
            taken.extend(empty.iter().map(|(part, offset)| (*part, offset + place)));
            if !empty_base {
                size = size.max(if is_union { bytes } else { position.0.div_ceil(8) });
            }
            let name = field.name.map_or(String::new(), |name| self.text(name).to_owned());
            let bits = self.records[id].fields[at].bits;
            let is_packed = packed || field.packed;
            fields.push(hir::Field { name, ty, offset: place, bits, is_packed });
            if size > u64::from(u32::MAX) {
                return self.error("limit", field.span, "the class is larger than 4 GiB");
            }
        }
        let behind: Vec<_> = gaps.iter().filter(|gap| gap.0 == fields.len() && !is_union).collect();
        for (_, ty, width) in behind {
            self.gap(*ty, *width, &mut position, is_tight)?;
            size = size.max(position.0.div_ceil(8));
        }
        let asked = self.alignment(decl.and_then(|decl| decl.align.bytes.as_deref()))?;
        align = align.max(asked);
        let data = size;
        let size = size.max(least).next_multiple_of(align);
        // As the C++ ABI of Itanium says, also for an empty class, whose byte is padding.
        let data_size = if self.records[id].is_pod && data > 0 { size } else { data };
        let name = self.records[id].name.clone();
        // Bit fields share their integers, as the members of a union do.
        let is_destroyed = self.records[id].destructor.is_some();
        let is_union = is_union || has_bits;
        let is_vector = decl.is_some_and(|decl| decl.is_vector);
        let mut layout =
            hir::Struct { name, fields, size, data_size, align, is_union, is_destroyed, is_vector };
        if is_tight && has_bits {
            self.pack_bits(id, &mut layout)?;
        }
        let hir = self.records[id].hir;
        self.hir.set_layout(hir, layout);
        let ty = self.types.intern(TypeKind::Record(id));
        if self.classes().is_empty_record(ty) {
            taken.push((id, 0));
        }
        self.records[id].empty_parts = taken.into();
        Ok(())
    }

    /// The objects of empty classes in an object, with their offsets: two of one class have
    /// different addresses.
    fn empty_parts(&self, ty: CType) -> Rc<[(RecordId, u64)]> {
        if let Some((element, Some(length))) = self.types.array(ty) {
            let parts = self.empty_parts(element.ty);
            if parts.is_empty() {
                return parts;
            }
            let size = self.types.record(element.ty).map_or(0, |id| self.hir.size(self.records[id].hir));
            let of = |at: u64| parts.iter().map(move |(part, offset)| (*part, offset + at * size));
            return (0..length.min(MOST_EMPTY)).flat_map(of).collect();
        }
        self.types.record(ty).map_or_else(Rc::default, |id| Rc::clone(&self.records[id].empty_parts))
    }

    /// Gives the bit fields of a packed class their integers, which may start at any byte, but must
    /// lie in the class.
    fn pack_bits(&mut self, id: RecordId, layout: &mut hir::Struct) -> Res<()> {
        for (at, field) in layout.fields.iter_mut().enumerate() {
            let Some((low, width)) = field.bits else { continue };
            let (first, bytes) = (field.offset * 8 + u64::from(low), self.hir.size(field.ty));
            let Some(last) = layout.size.checked_sub(bytes) else {
                return self.loose_bits(&field.name, self.records[id].fields[at].span);
            };
            field.offset = (first / 8).min(last);
            let low = first - field.offset * 8;
            if low + u64::from(width) > bytes * 8 {
                return self.loose_bits(&field.name, self.records[id].fields[at].span);
            }
            field.bits = Some((low as u8, width));
            self.records[id].fields[at].bits = field.bits;
        }
        Ok(())
    }

    fn loose_bits<T>(&mut self, name: &str, span: Span) -> Res<T> {
        let message = format!("no integer of the packed class has all bits of `{name}`");
        self.fail(
            Diagnostic::error("unsupported", span, message).help("take a smaller type for the bit field"),
        )
    }

    /// Takes the bits of a bit field without a name.
    fn gap(&mut self, ty: CType, width: u8, position: &mut Position, anywhere: bool) -> Res<()> {
        let span = Span::NONE;
        let ty = self.hir_type(ty, span)?;
        position.bits(width, self.hir.size(ty), anywhere);
        Ok(())
    }
}

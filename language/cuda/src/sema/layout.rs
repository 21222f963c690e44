//! Places of the members of a class, as the C++ ABI of Itanium says (2.4).

use super::Sema;
use super::types::{CType, CTypes, Qual, RecordId};
use super::value::Res;
use crate::hir;
use crate::source::Span;
use crate::syntax::ast::Expr;

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

    /// Takes bits that lie in one integer of `unit` bytes; returns its offset and the lowest bit.
    /// Without bits, the next member starts at an integer.
    fn bits(&mut self, width: u8, unit: u64) -> (u64, u8) {
        let (width, unit) = (u64::from(width), unit * 8);
        if width == 0 || self.0 / unit != (self.0 + width - 1) / unit {
            self.0 = self.0.next_multiple_of(unit);
        }
        let at = self.0;
        self.0 += width;
        (at / unit * unit / 8, (at % unit) as u8)
    }
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

    /// Gives the members their places. `asked` is the alignment that the source asks for.
    pub(super) fn lay_out(&mut self, id: RecordId, asked: Option<&Expr>, is_vector: bool) -> Res<()> {
        let (mut position, mut align, mut size) = (Position::default(), 1u64, 0u64);
        let mut fields = Vec::new();
        let is_union = self.records[id].is_union;
        let gaps = self.records[id].gaps.clone();
        let mut has_bits = false;
        for at in 0..self.records[id].fields.len() {
            let field = self.records[id].fields[at].clone();
            for (_, ty, width) in gaps.iter().filter(|gap| gap.0 == at) {
                self.gap(*ty, *width, &mut position)?;
            }
            let ty = self.hir_type(field.ty.ty, field.span)?;
            let (bytes, natural) = (self.hir.size(ty), self.hir.align(ty));
            align = align.max(natural);
            let is_base = at == 0 && self.records[id].base.is_some();
            let empty_base = is_base && self.classes().is_empty_record(field.ty.ty);
            let bytes = if is_base { self.hir.data_size(ty) } else { bytes };
            let place = if is_union || empty_base {
                0
            } else if let Some((_, width)) = field.bits {
                has_bits = true;
                let (place, low) = position.bits(width, bytes);
                self.records[id].fields[at].bits = Some((low, width));
                place
            } else {
                position.bytes(bytes, natural)
            };
            if !empty_base {
                size = size.max(if is_union { bytes } else { position.0.div_ceil(8) });
            }
            let name = field.name.map_or(String::new(), |name| self.text(name).to_owned());
            let bits = self.records[id].fields[at].bits;
            fields.push(hir::Field { name, ty, offset: place, bits });
            if size > u64::from(u32::MAX) {
                return self.error("limit", field.span, "the class is larger than 4 GiB");
            }
        }
        let behind: Vec<_> = gaps.iter().filter(|gap| gap.0 == fields.len() && !is_union).collect();
        for (_, ty, width) in behind {
            self.gap(*ty, *width, &mut position)?;
            size = size.max(position.0.div_ceil(8));
        }
        align = align.max(self.alignment(asked)?);
        let data = size;
        let size = size.max(1).next_multiple_of(align);
        // As the C++ ABI of Itanium says, also for an empty class, whose byte is padding.
        let data_size = if self.records[id].is_pod && data > 0 { size } else { data };
        let name = self.records[id].name.clone();
        // Bit fields share their integers, as the members of a union do.
        let is_destroyed = self.records[id].destructor.is_some();
        let is_union = is_union || has_bits;
        let layout = hir::Struct { name, fields, size, data_size, align, is_union, is_destroyed, is_vector };
        let hir = self.records[id].hir;
        self.hir.set_layout(hir, layout);
        Ok(())
    }

    /// Takes the bits of a bit field without a name.
    fn gap(&mut self, ty: CType, width: u8, position: &mut Position) -> Res<()> {
        let span = Span::NONE;
        let ty = self.hir_type(ty, span)?;
        position.bits(width, self.hir.size(ty));
        Ok(())
    }
}

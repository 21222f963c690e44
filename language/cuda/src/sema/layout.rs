//! Places of the members of a class, as the C++ ABI of Itanium says (2.4).

use super::Sema;
use super::types::{CType, CTypes, Qual, RecordId};
use super::value::Res;
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

    /// Gives the members their places.
    pub(super) fn lay_out(&mut self, id: RecordId, decl: Option<&RecordDecl>) -> Res<()> {
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
            let (bytes, natural) = (self.hir.size(ty), self.hir.align(ty).max(field.align));
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
        let asked = self.alignment(decl.and_then(|decl| decl.align.as_deref()))?;
        align = align.max(asked);
        let data = size;
        let size = size.max(1).next_multiple_of(align);
        // As the C++ ABI of Itanium says, also for an empty class, whose byte is padding.
        let data_size = if self.records[id].is_pod && data > 0 { size } else { data };
        let name = self.records[id].name.clone();
        // Bit fields share their integers, as the members of a union do.
        let is_destroyed = self.records[id].destructor.is_some();
        let is_union = is_union || has_bits;
        let is_vector = decl.is_some_and(|decl| decl.is_vector);
        let layout = hir::Struct { name, fields, size, data_size, align, is_union, is_destroyed, is_vector };
        self.check_packed(id, decl.map_or(0, |decl| decl.pack), asked, data, &layout)?;
        let hir = self.records[id].hir;
        self.hir.set_layout(hir, layout);
        Ok(())
    }

    /// Refuses `packed` where it would move a member or change the size. A class that has no gaps
    /// stays as it is; only its alignment, inside of other classes, becomes smaller.
    fn check_packed(
        &mut self,
        id: RecordId,
        pack: u32,
        asked: u64,
        data: u64,
        layout: &hir::Struct,
    ) -> Res<()> {
        let (mut bits, mut align, mut moved) = (0u64, asked, false);
        for (at, field) in layout.fields.iter().enumerate() {
            let (element, _) = self.types.all_elements(self.records[id].fields[at].ty.ty);
            let packed = self.types.record(element).and_then(|part| self.records[part].packed);
            let mut own =
                packed.unwrap_or_else(|| self.hir.align(field.ty)).max(self.records[id].fields[at].align);
            if pack > 0 {
                own = own.min(pack.into());
            }
            align = align.max(own);
            if self.records[id].is_union {
                continue;
            }
            bits = if let Some((low, width)) = field.bits {
                // Packed bit fields follow each other; others keep to their integers.
                let place = field.offset * 8 + u64::from(low);
                moved |= pack > 0 && place != bits;
                place + u64::from(width)
            } else {
                moved |= field.offset > 0 && bits.div_ceil(8).next_multiple_of(own) != field.offset;
                // The next member may be in the padding of a base class.
                let is_base = at == 0 && self.records[id].base.is_some();
                let bytes = if is_base { self.hir.data_size(field.ty) } else { self.hir.size(field.ty) };
                (field.offset + bytes) * 8
            };
        }
        if moved || data.max(1).next_multiple_of(align) != layout.size {
            let message = format!("`packed` that changes the layout of `{}` is not supported", layout.name);
            return self.error("unsupported", self.records[id].span, message);
        }
        self.records[id].packed = Some(align).filter(|align| *align < layout.align);
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

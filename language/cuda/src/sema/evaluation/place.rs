//! Objects of constant expressions and their parts.

use std::rc::Rc;

use super::{Evaluator, Frame};
use crate::hir::{Place, PlaceKind, Type, TypeId};
use crate::sema::cells::{Base, Cells, Gap, Pointer, Run, Scalar, Stop, Value, read_as};
use crate::source::Span;

/// An object or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub pointer: Pointer,
    /// The lowest bit and the number of bits of a bit field.
    pub bits: Option<(u8, u8)>,
}

impl<'s> Evaluator<'s, '_> {
    /// The object of a place. The address of the end of an array may be taken.
    pub(super) fn place(&mut self, frame: &mut Frame<'s>, place: &Place, is_address: bool) -> Run<Target> {
        let size = self.types().size(place.ty) as i64;
        let whole = |base| Pointer { base, offset: 0, range: (0, size) };
        let pointer = match &place.kind {
            PlaceKind::Local(local) => whole(Base::Object(self.local(frame, *local)?)),
            PlaceKind::Global(global) => whole(Base::Global(*global)),
            PlaceKind::Deref(pointer) => match self.value(frame, pointer)? {
                Value::Scalar(Scalar::Pointer(pointer)) => pointer,
                Value::Scalar(Scalar::Int(0)) => {
                    return Err(Stop::Undefined("a null pointer is dereferenced", place.span));
                }
                _ => return Err(Stop::Unknown),
            },
            PlaceKind::Field(inner, at) => {
                let of = self.nested_place(frame, inner)?;
                let layout = self.types().as_struct(inner.ty).ok_or(Stop::Unknown)?;
                let offset = of.offset + layout.fields[*at as usize].offset as i64;
                Pointer { offset, range: (offset, offset + size), ..of }
            }
            PlaceKind::Index(inner, index) => {
                let of = self.nested_place(frame, inner)?;
                let Value::Scalar(Scalar::Int(at)) = self.value(frame, index)? else {
                    return Err(Stop::Unknown);
                };
                let Type::Array(_, count) = self.types().get(inner.ty) else { return Err(Stop::Unknown) };
                if at < 0 || at >= i128::from(count) + i128::from(is_address) {
                    return Err(Stop::Undefined("an index is out of bounds", index.span));
                }
                let range = (of.offset, of.offset + count as i64 * size);
                Pointer { offset: of.offset + at as i64 * size, range, ..of }
            }
            PlaceKind::Bits(unit, low, width) => {
                let pointer = self.nested_place(frame, unit)?;
                return Ok(Target { pointer, bits: Some((*low, *width)) });
            }
        };
        Ok(Target { pointer, bits: None })
    }

    fn nested_place(&mut self, frame: &mut Frame<'s>, place: &Place) -> Run<Pointer> {
        Ok(self.deeper(|run| run.place(frame, place, false))?.pointer)
    }

    /// The bits of a value of a type in its object: the first, and their number.
    fn extent(&self, target: Target, ty: TypeId, span: Span) -> Run<(u64, u64)> {
        let Pointer { offset, range: (low, high), .. } = target.pointer;
        let (bytes, size) = (self.types().data_size(ty), self.size(target.pointer.base));
        let is_outside = offset < 0 || offset as u64 + bytes > size || offset == high && high > low;
        if is_outside {
            return Err(Stop::Undefined("an object is accessed out of its bounds", span));
        }
        Ok(match target.bits {
            Some((low, width)) => (offset as u64 * 8 + u64::from(low), width.into()),
            None => (offset as u64 * 8, bytes * 8),
        })
    }

    /// The cells of an object.
    fn cells(&mut self, base: Base, span: Span) -> Run<Rc<Cells>> {
        match base {
            Base::Object(at) => match &self.objects[at as usize] {
                Some(object) => object.cells.clone().ok_or(Stop::Unknown),
                None => Err(Stop::Undefined("an object is read after its end", span)),
            },
            Base::Global(global) => {
                let sema = self.sema;
                let cells = self.globals.entry(global).or_insert_with(|| sema.constant_cells(global));
                cells.clone().ok_or(Stop::Unknown)
            }
        }
    }

    /// The size of a whole object in bytes; 0 if it has ended.
    pub(super) fn size(&self, base: Base) -> u64 {
        match base {
            Base::Object(at) => self.objects[at as usize].as_ref().map_or(0, |object| object.size),
            Base::Global(global) => self.types().size(self.sema.globals[global].ty),
        }
    }

    /// The value of an object.
    pub(super) fn load(&mut self, target: Target, ty: TypeId, span: Span) -> Run<Value> {
        let cells = self.cells(target.pointer.base, span)?;
        let (at, width) = self.extent(target, ty, span)?;
        if self.is_aggregate(ty) {
            let part = cells.part(at, width);
            self.step(part.len())?;
            return Ok(Value::Cells(part));
        }
        self.scalar(&cells, at, width, ty, target.bits.map(|(_, bits)| bits), span)
    }

    /// The scalar at some bits.
    fn scalar(
        &self,
        cells: &Cells,
        at: u64,
        width: u64,
        ty: TypeId,
        bits: Option<u8>,
        span: Span,
    ) -> Run<Value> {
        match cells.read(at, width) {
            Ok(scalar) => {
                let read = read_as(scalar, self.types().get(ty), bits);
                read.map(Value::Scalar).ok_or(Stop::Unknown)
            }
            Err(Gap::Unset) => Err(Stop::Undefined("a value is read that was never set", span)),
            Err(Gap::OtherType) => Err(Stop::Unknown),
        }
    }

    /// Member number `at` of a structure.
    pub(super) fn extract(
        &mut self,
        of: &Cells,
        of_ty: TypeId,
        at: u32,
        ty: TypeId,
        span: Span,
    ) -> Run<Value> {
        let layout = self.types().as_struct(of_ty).ok_or(Stop::Unknown)?;
        let offset = layout.fields[at as usize].offset * 8;
        let width = self.types().data_size(ty) * 8;
        if self.is_aggregate(ty) {
            return Ok(Value::Cells(of.part(offset, width)));
        }
        self.scalar(of, offset, width, ty, None, span)
    }

    /// Stores a value in an object.
    pub(super) fn store(&mut self, target: Target, ty: TypeId, value: &Value, span: Span) -> Run<()> {
        let Base::Object(at) = target.pointer.base else { return Err(Stop::Unknown) };
        if let Value::Cells(cells) = value {
            self.step(cells.len())?;
        }
        match &self.objects[at as usize] {
            Some(object) if !object.is_const => {}
            Some(_) => return Err(Stop::Undefined("a constant object is changed", span)),
            None => return Err(Stop::Undefined("an object is changed after its end", span)),
        }
        let (first, width) = self.extent(target, ty, span)?;
        let types = self.types();
        let cells = self.objects[at as usize].as_mut().and_then(|object| object.cells.as_mut());
        let cells = Rc::make_mut(cells.ok_or(Stop::Unknown)?);
        match (target.bits, value) {
            (Some((_, bits)), Value::Scalar(scalar)) => {
                let scalar = read_as(*scalar, types.get(ty), Some(bits)).ok_or(Stop::Unknown)?;
                cells.write(first, width, scalar);
            }
            _ => cells.store(types, first, ty, value),
        }
        Ok(())
    }

    pub(super) fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), Type::Struct(_) | Type::Array(..))
    }
}

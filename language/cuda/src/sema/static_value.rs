//! Initial values of variables of the program.

use super::Sema;
use super::scope::VariableIndex;
use super::types::Qual;
use super::value::{Res, Value};
use crate::budget::Resource;
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::Initializer;

/// Bytes that one initialized variable may have.
const MAX_INITIALIZED: u64 = 64 << 20;

impl Sema<'_> {
    /// The bytes of an initialized variable in memory.
    pub(super) fn static_initializer(
        &mut self,
        id: hir::GlobalId,
        ty: Qual,
        init: Option<&Initializer>,
        span: Span,
    ) -> Res<Option<hir::Initializer>> {
        let mark = self.out.mark();
        let made = self.stored_initializer(id, ty, init, span);
        if made.is_err()
            && let Some(cells) = self.constant_object(ty, init, false, span)
            && let Some(init) = cells.initializer(self.hir.size(self.globals[id].ty))
        {
            self.out.truncate(mark);
            return Ok(Some(init));
        }
        made
    }

    /// The bytes of a variable whose initializer only stores literals and addresses.
    fn stored_initializer(
        &mut self,
        id: hir::GlobalId,
        ty: Qual,
        init: Option<&Initializer>,
        span: Span,
    ) -> Res<Option<hir::Initializer>> {
        let mut parts = Vec::new();
        let function = self.function.take();
        let place = Value::place(PlaceKind::Global(id), ty.unqualified(), span);
        let result = match init {
            Some(init) => self.initialize(&place, init, &mut parts),
            None => self.construct_default(&place, &mut parts),
        };
        self.function = function;
        result?;
        if parts.is_empty() {
            return Ok(None);
        }
        let hir_ty = self.hir_type(ty.ty, span)?;
        let size = self.hir.size(hir_ty);
        if size > MAX_INITIALIZED {
            return self.error("limit", span, "the initialized variable is too large");
        }
        self.spend(Resource::Bytes, size as usize, span)?;
        let mut made =
            hir::Initializer { bytes: vec![0; size as usize], addresses: Vec::new(), code: Vec::new() };
        for part in parts {
            let at = part.span;
            let Hir::Assign(place, value) = part.kind else { return self.not_constant(at) };
            let Some(offset) = self.offset_of(&place) else { return self.not_constant(at) };
            if let PlaceKind::Bits(unit, low, width) = &place.kind {
                let Hir::Int(int) = value.kind else { return self.not_constant(value.span) };
                let bits = (int as u128 & (u128::MAX >> (128 - u32::from(*width)))) << low;
                let bytes = made.bytes.iter_mut().skip(offset as usize).take(self.hir.size(unit.ty) as usize);
                bytes.zip(bits.to_le_bytes()).for_each(|(byte, more)| *byte |= more);
                continue;
            }
            if !self.write(&mut made, offset, &value) {
                return self.not_constant(value.span);
            }
        }
        Ok(Some(made))
    }

    fn not_constant<T>(&mut self, span: Span) -> Res<T> {
        let message = "the initializer of a variable in device memory must be constant";
        let error = Diagnostic::error("not-constant", span, message)
            .help("store the value in a kernel, or from the host with `cudaMemcpyToSymbol`");
        self.fail(error)
    }

    /// Offset of a place inside its variable, or its address if that is a number.
    pub(super) fn offset_of(&self, place: &hir::Place) -> Option<u64> {
        match &place.kind {
            PlaceKind::Global(_) => Some(0),
            PlaceKind::Deref(pointer) => match pointer.kind {
                Hir::Int(address) => u64::try_from(address).ok(),
                _ => None,
            },
            PlaceKind::Field(inner, at) => {
                let layout = self.hir.as_struct(inner.ty)?;
                Some(self.offset_of(inner)? + layout.fields.get(*at as usize)?.offset)
            }
            PlaceKind::Index(inner, index) => {
                let Hir::Int(index) = index.kind else { return None };
                Some(self.offset_of(inner)? + self.hir.size(place.ty) * index as u64)
            }
            PlaceKind::Bits(unit, ..) => self.offset_of(unit),
            PlaceKind::Local(_) => None,
        }
    }

    /// Writes a constant into the bytes of a variable.
    fn write(&self, made: &mut hir::Initializer, offset: u64, value: &hir::Expr) -> bool {
        let at = offset as usize;
        let size = self.hir.size(value.ty) as usize;
        let Some(bytes) = made.bytes.get_mut(at..at + size) else { return false };
        match &value.kind {
            Hir::Int(int) => bytes.copy_from_slice(&int.to_le_bytes()[..size]),
            Hir::Float(float) if size == 4 => bytes.copy_from_slice(&(*float as f32).to_le_bytes()),
            Hir::Float(float) => bytes.copy_from_slice(&float.to_le_bytes()),
            Hir::Zero => bytes.fill(0),
            Hir::Aggregate(parts) => {
                for (part, field) in parts.iter().enumerate() {
                    let Some(layout) = self.hir.as_struct(value.ty) else { return false };
                    let Some(inner) = layout.fields.get(part) else { return false };
                    if !self.write(made, offset + inner.offset, field) {
                        return false;
                    }
                }
            }
            Hir::AddressOf(place) => {
                let Some(global) = super::assign::root_global(&place.kind) else { return false };
                let Some(inside) = self.offset_of(place) else { return false };
                made.addresses.push((offset, global, inside as i64));
            }
            Hir::FunctionAddress(function) => made.code.push((offset, *function)),
            Hir::Cast(inner) if self.hir.size(inner.ty) as usize == size => {
                return self.write(made, offset, inner);
            }
            _ => return false,
        }
        true
    }

    /// A static member of a class, or another variable that is found by a qualified name.
    pub(super) fn static_value(&mut self, variable: VariableIndex, span: Span) -> Res<Value> {
        let info = &self.variables[variable];
        let ty = info.ty;
        if info.storage.is_none() {
            if let Some(value) = self.constant_array(variable, span)? {
                return Ok(value);
            }
            let name = self.variables[variable].name;
            let text = self.text(name).to_owned();
            let message = format!("device code cannot use host variable `{text}`");
            return self.error("host-variable", span, message);
        }
        let global = self.global_of(variable)?;
        self.global_value(global, ty, span)
    }
}

//! Vectors as values: their elements, and vectors from elements.
//!
//! An operation on vectors is the operation on their elements: the typed program has structures.

use crate::hir::{self, ExprKind as Hir, PlaceKind};
use crate::sema::Sema;
use crate::sema::types::{CType, CTypes, Qual, TypeKind};
use crate::sema::value::{Res, Value, ValueKind};
use crate::source::Span;
use crate::syntax::ast::Builtin;
use crate::syntax::opencl::types::ELEMENTS;

/// Names of the elements of short vectors.
pub(super) const AXES: &str = "xyzw";

/// The elements of a value.
#[derive(Debug)]
pub(in crate::sema) struct Parts {
    /// What is evaluated first.
    pub before: Vec<hir::Expr>,
    /// The elements; one for a scalar.
    pub list: Vec<Value>,
}

/// Whether a place can be named again without evaluating anything.
fn is_simple(place: &PlaceKind) -> bool {
    match place {
        PlaceKind::Local(_) | PlaceKind::Global(_) => true,
        PlaceKind::Field(inner, _) => is_simple(&inner.kind),
        PlaceKind::Index(inner, index) => is_simple(&inner.kind) && matches!(index.kind, Hir::Int(_)),
        PlaceKind::Deref(_) | PlaceKind::Bits(..) => false,
    }
}

/// Whether a place is a variable of the function or a part of one.
fn is_local(place: &PlaceKind) -> bool {
    match place {
        PlaceKind::Local(_) => true,
        PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) => is_local(&inner.kind) && is_simple(place),
        _ => false,
    }
}

impl Sema<'_> {
    /// The type of a vector.
    pub(in crate::sema) fn vector_of(&mut self, element: CType, count: u8) -> CType {
        if count == 1 { element } else { self.types.intern(TypeKind::Vector(element, count)) }
    }

    /// The name of a vector type.
    pub(in crate::sema) fn vector_name(&self, element: CType, count: u8) -> String {
        let known = ELEMENTS.iter().find(|(_, builtin)| self.types.builtin(*builtin) == element);
        format!("{}{count}", known.map_or("", |(name, _)| *name))
    }

    /// The structure that a vector is in the typed program.
    pub(in crate::sema) fn hir_vector(&mut self, element: CType, count: u8, span: Span) -> Res<hir::TypeId> {
        let ty = self.types.intern(TypeKind::Vector(element, count));
        if let Some(known) = self.vectors.get(&ty) {
            return Ok(*known);
        }
        let name = self.vector_name(element, count);
        let inner = self.hir_type(element, span)?;
        let bytes = self.hir.size(inner);
        let field = |at: u8| hir::Field {
            name: if count <= 4 {
                AXES[usize::from(at)..=usize::from(at)].to_owned()
            } else {
                format!("s{at:x}")
            },
            ty: inner,
            offset: u64::from(at) * bytes,
            bits: None,
            is_packed: false,
        };
        let fields = (0..count).map(field).collect();
        // A vector of three has the size and alignment of one of four.
        let size = bytes * u64::from(if count == 3 { 4 } else { count });
        let layout = hir::Struct {
            name,
            fields,
            size,
            data_size: size,
            align: size,
            is_union: false,
            is_destroyed: false,
            is_vector: true,
        };
        let made = self.hir.add_struct(layout);
        self.vectors.insert(ty, made);
        Ok(made)
    }

    /// An element of a vector object.
    pub(in crate::sema) fn vector_element(
        &mut self,
        of: &PlaceKind,
        ty: Qual,
        at: u8,
        span: Span,
    ) -> Res<Value> {
        let Some((element, _)) = self.types.vector(ty.ty) else { return Err(crate::sema::Failed) };
        let whole = self.make_place(of.clone(), ty, span)?;
        let kind = PlaceKind::Field(Box::new(whole), u32::from(at));
        Ok(Value::place(kind, Qual { ty: element, quals: ty.quals }, span))
    }

    /// The elements of a value. Each of them may be used once, or any number of times if it is
    /// used `again`.
    pub(in crate::sema) fn vector_parts(&mut self, value: Value, again: bool) -> Res<Parts> {
        let (ty, span) = (value.ty, value.span);
        let Some((element, count)) = self.types.vector(ty.ty) else {
            return self.scalar_part(value, again);
        };
        let mut before = Vec::new();
        let mut kind = value.kind;
        while let ValueKind::Rvalue(Hir::Comma(first, rest)) = kind {
            before.push(*first);
            kind = ValueKind::Rvalue(rest.kind);
        }
        match kind {
            ValueKind::Rvalue(Hir::Aggregate(parts)) if !again => {
                let list = parts.into_iter().map(|part| Value::rvalue(part.kind, element, span)).collect();
                return Ok(Parts { before, list });
            }
            ValueKind::Elements(elements) => {
                let place = self.again(elements.of, elements.ty, span, &mut before)?;
                let mut list = Vec::new();
                for at in elements.at {
                    list.push(self.vector_element(&place, elements.ty, at, span)?);
                }
                return Ok(Parts { before, list });
            }
            _ => {}
        }
        let place = match kind {
            ValueKind::Place(place, _) if is_local(&place) && !ty.quals.is_volatile => place,
            kind => {
                let value = self.expr(Value { kind, ty, span })?;
                self.in_variable(value, ty.ty, &mut before)?
            }
        };
        let mut list = Vec::new();
        for at in 0..count {
            list.push(self.vector_element(&place, ty.unqualified(), at, span)?);
        }
        Ok(Parts { before, list })
    }

    fn scalar_part(&mut self, value: Value, again: bool) -> Res<Parts> {
        let value = self.rvalue(value)?;
        let mut before = Vec::new();
        if !again || value.known().is_some() {
            return Ok(Parts { before, list: vec![value] });
        }
        let (ty, span) = (value.ty.ty, value.span);
        let value = self.expr(value)?;
        let place = self.in_variable(value, ty, &mut before)?;
        Ok(Parts { before, list: vec![Value::place(place, Qual::plain(ty), span)] })
    }

    /// Stores a value in a new variable.
    pub(super) fn in_variable(
        &mut self,
        value: hir::Expr,
        ty: CType,
        before: &mut Vec<hir::Expr>,
    ) -> Res<PlaceKind> {
        let (place, _) = self.temporary(Qual::plain(ty), value.span)?;
        let ValueKind::Place(kind, _) = place.kind.clone() else { return Err(crate::sema::Failed) };
        self.store(place, value, before)?;
        Ok(kind)
    }

    /// A place that can be named again: the address of another one is evaluated before.
    pub(super) fn again(
        &mut self,
        place: PlaceKind,
        ty: Qual,
        span: Span,
        before: &mut Vec<hir::Expr>,
    ) -> Res<PlaceKind> {
        if is_simple(&place) {
            return Ok(place);
        }
        let pointer = self.types.pointer(ty);
        let address = self.address(Value::place(place, ty, span))?;
        let variable = self.in_variable(address, pointer, before)?;
        let variable = self.make_place(variable, Qual::plain(pointer), span)?;
        let address = self.make(Hir::Load(Box::new(variable)), pointer, span)?;
        Ok(PlaceKind::Deref(Box::new(address)))
    }

    /// A vector from its elements; a number from one.
    pub(in crate::sema) fn vector_from(
        &mut self,
        before: Vec<hir::Expr>,
        list: Vec<hir::Expr>,
        ty: CType,
        span: Span,
    ) -> Res<Value> {
        let mut list = list;
        let value = if self.types.vector(ty).is_some() {
            self.make(Hir::Aggregate(list), ty, span)?
        } else {
            list.pop().ok_or(crate::sema::Failed)?
        };
        let value = self.after(before, value, ty)?;
        Ok(Value::rvalue(value.kind, ty, span))
    }

    /// A number as a vector with this value in each element.
    pub(in crate::sema) fn widened(&mut self, value: Value, to: CType) -> Res<Value> {
        let Some((element, count)) = self.types.vector(to) else { return Ok(value) };
        let span = value.span;
        let value = self.rvalue(value)?;
        let value = self.expr(value)?;
        let value = self.cast(value, element)?;
        let parts = self.scalar_part(Value::rvalue(value.kind, element, span), true)?;
        let one = parts.list.into_iter().next().ok_or(crate::sema::Failed)?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(self.expr(one.clone())?);
        }
        self.vector_from(parts.before, list, to, span)
    }

    /// The integer type with the size of a number.
    pub(super) fn integer_like(&self, element: CType, signed: bool) -> CType {
        match (self.types.arithmetic_size(element), signed) {
            (1, true) => CTypes::CHAR,
            (1, false) => CTypes::UCHAR,
            (2, true) => CTypes::SHORT,
            (2, false) => CTypes::USHORT,
            (8, true) => CTypes::LONG,
            (8, false) => CTypes::ULONG,
            (_, true) => CTypes::INT,
            (_, false) => CTypes::UINT,
        }
    }

    /// The type of a vector or number with other elements.
    pub(super) fn with_elements(&mut self, ty: CType, element: CType) -> CType {
        let count = self.types.vector(ty).map_or(1, |(_, count)| count);
        self.vector_of(element, count)
    }

    /// The type of the elements of a vector; a number itself.
    pub(super) fn element_type(&self, ty: CType) -> CType {
        self.types.vector(ty).map_or(ty, |(element, _)| element)
    }

    /// Whether a type is a number or a vector of numbers.
    pub(super) fn is_number(&self, ty: CType) -> bool {
        let element = self.element_type(ty);
        self.types.is_arithmetic(element)
    }

    /// The builtin type of a keyword as OpenCL C has it: `signed char` is `char`.
    pub(in crate::sema) fn open_cl_builtin(builtin: Builtin) -> Builtin {
        if builtin == Builtin::SignedChar { Builtin::Char } else { builtin }
    }
}

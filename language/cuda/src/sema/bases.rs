//! Base classes: the way to their parts of an object, and pointers to them ([class.derived]).

use super::Sema;
use super::scope::Entity;
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{Record, Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind, LocalKind, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::QualifiedName;

impl Record {
    /// Whether the class adds the pointer to the table, as its first member: no base class has one.
    pub(super) fn has_own_pointer(&self) -> bool {
        self.first_base > 0
    }

    /// The base class in member number `at`.
    pub(super) fn base_at(&self, at: u32) -> Option<RecordId> {
        self.bases.get((at as usize).checked_sub(self.first_base)?).copied()
    }

    /// The number of the member with a base class.
    pub(super) fn base_field(&self, base: usize) -> u32 {
        (self.first_base + base) as u32
    }

    /// The numbers of the members in the order of their construction. The base class whose table
    /// the object shares is the first member, although the declaration may name others before it.
    pub(super) fn construction(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.fields.len() as u32).collect();
        if self.before_primary > 0 {
            order[..=self.before_primary].rotate_left(1);
        }
        order
    }
}

impl Sema<'_> {
    /// The path to the part of an object with a base class; reports it if there are several.
    pub(super) fn base_path(&mut self, from: RecordId, base: RecordId, span: Span) -> Res<Vec<u32>> {
        let mut paths = self.classes().base_paths(from, base);
        if paths.len() > 1 {
            let (from, base) = (self.records[from].name.clone(), self.records[base].name.clone());
            let message = format!("`{base}` is a base class of `{from}` more than once");
            let error = Diagnostic::error("ambiguous", span, message);
            return self.fail(error.help("name the class between them in a cast, or in front of the member"));
        }
        paths.pop().ok_or(super::Failed)
    }

    /// Bytes from an object to the part at the end of a path.
    pub(super) fn path_offset(&self, mut record: RecordId, path: &[u32]) -> u64 {
        let mut offset = 0;
        for at in path {
            let info = &self.records[record];
            // A class with an error has no layout.
            let field = self.hir.as_struct(info.hir).and_then(|layout| layout.fields.get(*at as usize));
            offset += field.map_or(0, |field| field.offset);
            match info.base_at(*at) {
                Some(base) => record = base,
                None => break,
            }
        }
        offset
    }

    /// The base class part of an object or value.
    pub(super) fn base_of(&mut self, mut value: Value, base: RecordId) -> Res<Value> {
        let span = value.span;
        let Some(from) = self.types.record(value.ty.ty) else { return Ok(value) };
        if from == base || !self.classes().derives(from, base) {
            return Ok(value);
        }
        let mut record = from;
        for at in self.base_path(from, base, span)? {
            let Some(next) = self.records[record].base_at(at) else { break };
            let ty = Qual { ty: self.types.intern(TypeKind::Record(next)), quals: value.ty.quals };
            let kind = if let ValueKind::Place(place, _) = value.kind {
                let place = self.make_place(place, value.ty, span)?;
                ValueKind::Place(PlaceKind::Field(Box::new(place), at), None)
            } else {
                let whole = self.expr(value)?;
                ValueKind::Rvalue(ExprKind::Extract(Box::new(whole), at))
            };
            value = Value { kind, ty, span };
            record = next;
        }
        Ok(value)
    }

    /// Converts a pointer to another type. A pointer to a class becomes one to its base class or
    /// back; the null pointer remains.
    pub(super) fn cast_pointer(&mut self, value: hir::Expr, from: CType, to: CType) -> Res<hir::Expr> {
        let distance = self.distance(from, to, value.span)?;
        if distance == 0 {
            return self.cast(value, to);
        }
        let span = value.span;
        if matches!(value.kind, ExprKind::AddressOf(_)) {
            return self.moved(value, distance, to);
        }
        let ty = Qual::plain(from);
        let local = self.new_local(String::new(), ty, LocalKind::Temporary, span)?;
        let place = Value::place(PlaceKind::Local(local), ty, span);
        let mut parts = Vec::new();
        self.store(place.clone(), value, &mut parts)?;
        let read = self.expr(place)?;
        let condition = self.cast(read.clone(), CTypes::BOOL)?;
        let shifted = self.moved(read, distance, to)?;
        let null = self.make(ExprKind::Int(0), to, span)?;
        let whole = ExprKind::Conditional(Box::new(condition), Box::new(shifted), Box::new(null));
        let whole = self.make(whole, to, span)?;
        self.after(parts, whole, to)
    }

    /// Converts the address of an object, which is not null.
    pub(super) fn cast_address(&mut self, value: hir::Expr, from: CType, to: CType) -> Res<hir::Expr> {
        match self.distance(from, to, value.span)? {
            0 => self.cast(value, to),
            distance => self.moved(value, distance, to),
        }
    }

    /// Adds bytes to an address.
    pub(super) fn moved(&mut self, value: hir::Expr, distance: i64, to: CType) -> Res<hir::Expr> {
        let span = value.span;
        let bytes = self.types.pointer(Qual::plain(CTypes::CHAR));
        let value = self.cast(value, bytes)?;
        let count = self.make(ExprKind::Int(i128::from(distance)), self.types.difference_type, span)?;
        let sum = self.make(ExprKind::PointerAdd(Box::new(value), Box::new(count)), bytes, span)?;
        self.cast(sum, to)
    }

    /// Bytes from the address of an object of one class to the address as another one, if one
    /// derives from the other.
    fn distance(&mut self, from: CType, to: CType, span: Span) -> Res<i64> {
        let class = |sema: &Self, ty| sema.types.pointee(ty).and_then(|to| sema.types.record(to.ty));
        let (Some(from), Some(to)) = (class(self, from), class(self, to)) else { return Ok(0) };
        if from == to {
            return Ok(0);
        }
        if self.classes().derives(from, to) {
            let path = self.base_path(from, to, span)?;
            return Ok(self.path_offset(from, &path) as i64);
        }
        if self.classes().derives(to, from) {
            let path = self.base_path(to, from, span)?;
            return Ok(-(self.path_offset(to, &path) as i64));
        }
        Ok(0)
    }

    /// The member with the base class that an initializer of a constructor names.
    pub(super) fn named_base(&mut self, class: RecordId, name: &QualifiedName) -> Res<Option<usize>> {
        let symbol = name.last().name.symbol;
        let bases = &self.records[class].bases;
        let named: Vec<_> = bases.iter().filter(|base| self.records[**base].symbol == Some(symbol)).collect();
        let base = if let &[only] = named.as_slice() {
            Some(*only)
        } else if !named.is_empty() || matches!(self.find(symbol), Some((Entity::Type(_), _))) {
            // The name has arguments, or is a parameter of a template or another name for the type.
            let ty = self.named_type(name)?;
            self.types.record(ty.ty)
        } else {
            None
        };
        let info = &self.records[class];
        let at = info.bases.iter().position(|one| Some(*one) == base);
        Ok(at.map(|at| info.base_field(at) as usize))
    }
}

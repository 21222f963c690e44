//! Tables of virtual functions of host code.
//!
//! The first member of the first class with a virtual function is a pointer to a table of the
//! object's class: what `dynamic_cast` knows of it, the offset of the part in the object, then the
//! functions, each with the distance from the part to the object that the function takes. A class
//! keeps the order of the base class that it shares the pointer with; the parts of other base
//! classes have their own pointers and tables.

use super::Sema;
use super::function::FunctionState;
use super::scope::FunctionIndex;
use super::types::{CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{FunctionName, Res, Value};
use crate::hir::{self, ExprKind as Hir, LocalKind, PlaceKind, Stmt};
use crate::source::Span;

/// A part of an object with a pointer to a table: the object, or a base class that does not share
/// the pointer of the class that derives from it.
pub(super) struct TablePart {
    /// Members from the object to the part.
    path: Vec<u32>,
    /// The class of the object and the classes along the path, with their offsets in the object.
    pub classes: Vec<(RecordId, u64)>,
    /// First word of its table in the tables of the class.
    first: u64,
    /// Words of its table.
    words: u64,
}

impl Sema<'_> {
    /// The parts of an object with pointers to tables.
    pub(super) fn table_parts(&self, record: RecordId) -> Vec<TablePart> {
        let mut parts = Vec::new();
        if !self.records[record].slots.is_empty() {
            self.add_parts(&[(record, 0)], &[], &mut parts);
        }
        parts
    }

    fn add_parts(&self, classes: &[(RecordId, u64)], path: &[u32], parts: &mut Vec<TablePart>) {
        let Some((record, start)) = classes.last().copied() else { return };
        let info = &self.records[record];
        let shares = path.last().is_some_and(|at| {
            let derived = &self.records[classes[classes.len() - 2].0];
            *at == derived.base_field(0)
        });
        if !shares {
            let words = 2 + 2 * info.slots.len() as u64;
            let first = parts.last().map_or(0, |part: &TablePart| part.first + part.words);
            parts.push(TablePart { path: path.to_vec(), classes: classes.to_vec(), first, words });
        }
        for (at, base) in info.bases.iter().enumerate() {
            if self.records[*base].slots.is_empty() {
                continue;
            }
            let field = info.base_field(at);
            let (mut classes, mut path) = (classes.to_vec(), path.to_vec());
            classes.push((*base, start + self.path_offset(record, &[field])));
            path.push(field);
            self.add_parts(&classes, &path, parts);
        }
    }

    /// The function that is called for a function of a part, and the distance from the part to the
    /// object that it takes: the function of the closest class to the object that overrides it.
    pub(super) fn overrider(
        &self,
        part: &TablePart,
        slot: Option<FunctionIndex>,
    ) -> (Option<FunctionIndex>, i64) {
        let Some(&(_, start)) = part.classes.last() else { return (slot, 0) };
        let Some(function) = slot else { return (None, -(start as i64)) };
        for (class, offset) in &part.classes {
            let own = self.records[*class].slots.iter().flatten().find(|own| {
                self.functions[**own].class == Some(*class) && self.is_same_function(**own, function)
            });
            if let Some(own) = own {
                return (Some(*own), *offset as i64 - start as i64);
            }
        }
        // A function with another result has an entry behind the one that it overrides.
        let Some(&(class, _)) = part.classes.last() else { return (slot, 0) };
        let overrides = |own: &&FunctionIndex| {
            let classes = self.functions[**own].class.zip(self.functions[function].class);
            **own != function
                && self.is_same_function(**own, function)
                && classes.is_some_and(|(own, of)| self.classes().derives(own, of))
        };
        let last = self.records[class].slots.iter().flatten().rfind(overrides);
        (last.copied().or(slot), 0)
    }

    /// Gives the parts of an object that begin with a member the tables of a class.
    pub(super) fn store_base_tables(
        &mut self,
        object: &Value,
        record: RecordId,
        at: u32,
        span: Span,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        if self.records[record].base_at(at).is_none() {
            return Ok(());
        }
        let field = self.records[record].base_field(0);
        for part in self.table_parts(record) {
            if part.path.first().copied().unwrap_or(field) == at {
                self.store_table(object, record, &part, span, out)?;
            }
        }
        Ok(())
    }

    /// Gives the parts of an object the tables of a class.
    pub(super) fn store_tables(
        &mut self,
        object: &Value,
        record: RecordId,
        span: Span,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        for part in self.table_parts(record) {
            self.store_table(object, record, &part, span, out)?;
        }
        Ok(())
    }

    fn store_table(
        &mut self,
        object: &Value,
        record: RecordId,
        part: &TablePart,
        span: Span,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        if self.rules.has_device_code {
            return self.unsupported(span, "an object with virtual functions");
        }
        let table = self.table(record, span)?;
        let void = Qual::plain(CTypes::VOID);
        let place = self.make_place(PlaceKind::Global(table), void, span)?;
        let pointer = self.types.pointer(void);
        let address = self.make(Hir::AddressOf(Box::new(place)), pointer, span)?;
        let address = match part.first {
            0 => address,
            first => self.moved(address, 8 * first as i64, pointer)?,
        };
        let mut member = object.clone();
        for at in &part.path {
            member = self.field_at(member, *at, span)?;
        }
        while let Some(class) = self.types.record(member.ty.ty) {
            let at =
                if self.records[class].has_own_pointer() { 0 } else { self.records[class].base_field(0) };
            member = self.field_at(member, at, span)?;
        }
        member.ty.quals.is_const = false;
        self.store(member, address, out)
    }

    /// The statements of [`Self::store_tables`].
    pub(super) fn set_tables(
        &mut self,
        object: &Value,
        record: RecordId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let mut parts = Vec::new();
        self.store_tables(object, record, span, &mut parts)?;
        super::special::push_expressions(parts, out);
        Ok(())
    }

    /// The tables of a class.
    fn table(&mut self, record: RecordId, span: Span) -> Res<hir::GlobalId> {
        if let Some(known) = self.records[record].table {
            return Ok(known);
        }
        let parts = self.table_parts(record);
        let words = parts.last().map_or(0, |part| part.first + part.words);
        let ty = self.types.intern(TypeKind::Record(record));
        let id = self.class_global(ty, "the table of the virtual functions of", "TV", words as usize);
        // A constructor that the table names may need the table.
        self.records[record].table = Some(id);
        let info = self.type_info(ty)?;
        let mut init = hir::Initializer { bytes: vec![0; 8 * words as usize], ..hir::Initializer::default() };
        for part in &parts {
            let Some(&(class, start)) = part.classes.last() else { continue };
            init.addresses.push((8 * part.first, info, 0));
            init.word(part.first + 1, start as i64);
            for (at, slot) in self.records[class].slots.clone().into_iter().enumerate() {
                let (mut function, distance) = self.overrider(part, slot);
                if let Some((one, other)) = function.zip(slot) {
                    function = Some(self.with_result_of(one, other)?);
                }
                let function = match slot {
                    None => self.classes().destructor(ty),
                    Some(_) => function,
                };
                let function = match function {
                    Some(function) => self.instance(function, Vec::new(), span)?,
                    None => self.prelude_function("__ws_nothing", Vec::new(), span)?,
                };
                let word = part.first + 2 + 2 * at as u64;
                init.code.push((8 * word, function));
                init.word(word + 1, distance);
            }
        }
        self.globals[id].init = Some(init);
        Ok(id)
    }

    /// Bytes from the object that the result of an overriding function points to, to the part that
    /// the result of the overridden one points to ([class.virtual]/8). `incomplete` is a class
    /// whose members have no places so far.
    pub(super) fn result_distance(
        &mut self,
        one: FunctionIndex,
        other: FunctionIndex,
        incomplete: Option<RecordId>,
    ) -> Res<u64> {
        let class = |sema: &Self, function: FunctionIndex| {
            let result = sema.functions[function].signature.as_ref()?.result.ty;
            let to = sema.types.referent(result).or_else(|| sema.types.pointee(result))?;
            sema.types.record(to.ty)
        };
        let (Some(from), Some(to)) = (class(self, one), class(self, other)) else { return Ok(0) };
        let span = self.functions[one].span;
        if from == to || !self.classes().derives(from, to) {
            return Ok(0);
        }
        let path = self.base_path(from, to, span)?;
        if incomplete == Some(from) {
            let Some((first, rest)) = path.split_first() else { return Ok(0) };
            let Some(base) = self.records[from].base_at(*first) else { return Ok(0) };
            // Only the first base class has the place of the object.
            let is_first = *first == self.records[from].base_field(0);
            return Ok(u64::from(!is_first) + self.path_offset(base, rest));
        }
        let ty = self.types.intern(TypeKind::Record(from));
        self.require_complete(ty, span)?;
        Ok(self.path_offset(from, &path))
    }

    /// An overriding function with the result of the overridden one.
    fn with_result_of(&mut self, one: FunctionIndex, other: FunctionIndex) -> Res<FunctionIndex> {
        if one == other || self.result_distance(one, other, None)? == 0 {
            return Ok(one);
        }
        let result = self.functions[other].signature.as_ref().map(|signature| signature.result);
        let known = self.functions.ids().find(|known| {
            let info = &self.functions[*known];
            info.name == FunctionName::Covariant(one)
                && info.signature.as_ref().map(|signature| signature.result) == result
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let info = &self.functions[one];
        let (Some(class), Some(result)) = (info.class, result) else { return Ok(one) };
        let (signature, span, is_const) = (info.signature.clone(), info.span, info.is_const);
        let made = self.implicit(class, FunctionName::Covariant(one), None, span);
        let info = &mut self.functions[made];
        info.is_const = is_const;
        info.signature = signature.map(|signature| Signature { result, ..signature });
        Ok(made)
    }

    /// A function that calls a virtual function, and converts its result to a base class.
    pub(super) fn covariant_function(
        &mut self,
        id: hir::FunctionId,
        of: FunctionIndex,
        signature: &Signature,
    ) -> Res<hir::Function> {
        let info = &self.functions[of];
        let (span, name) = (info.span, self.function_name(of));
        let class = info.class.map_or(CTypes::VOID, |class| self.types.intern(TypeKind::Record(class)));
        let called = self.instance(of, Vec::new(), span)?;
        let from = self.instances[called].signature.result;
        let (symbol, linkage) = (self.mangled(id), self.function_linkage(id));
        self.function_count += 1;
        self.function = Some(FunctionState::new(self.function_count, &name));
        let object = Qual::plain(self.types.pointer(Qual::plain(class)));
        let mut values = Vec::new();
        for ty in std::iter::once(&object).chain(&signature.parameters) {
            if self.classes().copies(ty.ty) || self.classes().is_destroyed(ty.ty) {
                let construct = "an object as a parameter of an overriding function whose result is converted to a later base class";
                return self.unsupported(span, construct);
            }
            let local = self.new_local(String::new(), *ty, LocalKind::Parameter, span)?;
            let ty = match self.types.referent(ty.ty) {
                Some(to) => Qual::plain(self.types.pointer(to)),
                None => *ty,
            };
            let place = self.make_place(PlaceKind::Local(local), ty, span)?;
            values.push(self.make(Hir::Load(Box::new(place)), ty.ty, span)?);
        }
        let pointer = |sema: &mut Self, result: Qual| match sema.types.referent(result.ty) {
            Some(to) => sema.types.pointer(to),
            None => result.ty,
        };
        let (one, two) = (pointer(self, from), pointer(self, signature.result));
        let call = self.make(Hir::Call(called, values), one, span)?;
        let is_reference = self.types.referent(from.ty).is_some();
        let made = if is_reference {
            self.cast_address(call, one, two)?
        } else {
            self.cast_pointer(call, one, two)?
        };
        let Some(state) = self.function.take() else { return Err(super::Failed) };
        let parameters = state.locals.ids().filter(|one| state.locals[*one].kind == LocalKind::Parameter);
        Ok(hir::Function {
            name,
            symbol,
            kind: self.rules.function_kind,
            linkage,
            result: made.ty,
            parameters: parameters.collect(),
            locals: state.locals,
            labels: state.labels,
            body: vec![Stmt { kind: hir::StmtKind::Return(Some(made)), span }],
            inlining: hir::Inlining::Auto,
            launch_bounds: None,
            attributes: String::new(),
            work_group: None,
            is_builtin: false,
            span,
            origin: span,
            end: span,
        })
    }
}

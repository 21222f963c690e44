//! Tables of virtual functions.
//!
//! The first member of the first class with a virtual function is a pointer to a table of the
//! object's class: what `dynamic_cast` knows of it, the offset of the part in the object, then the
//! functions. In host code each function has the distance behind it from the part to the object
//! that the function takes. In device code a call loads one word, as in the code of NVIDIA's
//! compiler: a function that takes another object has a second function that moves the address, and
//! nothing is known for `dynamic_cast`. A class keeps the order of the base class that it shares
//! the pointer with; the parts of other base classes have their own pointers and tables.

use super::Sema;
use super::function::FunctionState;
use super::scope::FunctionIndex;
use super::types::{CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{FunctionName, Res, Value};
use crate::hir::{self, ExprKind as Hir, LocalKind, PlaceKind, Stmt};
use crate::source::Span;
use crate::syntax::ast::FunctionBody;

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
    /// The word of a table with a function, and the word with its distance.
    pub(super) fn words_of_slot(&self, slot: usize) -> (usize, Option<usize>) {
        if self.rules.has_device_code { (2 + slot, None) } else { (2 + 2 * slot, Some(3 + 2 * slot)) }
    }

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
            let words = self.words_of_slot(info.slots.len()).0 as u64;
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
            self.require_capability(20, "virtual", span)?;
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
        let info = if self.rules.has_device_code { None } else { Some(self.type_info(ty)?) };
        let mut init = hir::Initializer { bytes: vec![0; 8 * words as usize], ..hir::Initializer::default() };
        for part in &parts {
            let Some(&(class, start)) = part.classes.last() else { continue };
            init.addresses.extend(info.map(|info| (8 * part.first, info, 0)));
            init.word(part.first + 1, start as i64);
            for (at, slot) in self.records[class].slots.clone().into_iter().enumerate() {
                let (overrider, distance) = self.overrider(part, slot);
                let mut function = overrider;
                if let Some((one, other)) = overrider.zip(slot) {
                    function = Some(self.with_result_of(one, other)?);
                }
                let function = match slot {
                    None => self.classes().destructor(ty),
                    Some(_) => function,
                };
                let (word, distance_at) = self.words_of_slot(at);
                let word = part.first + word as u64;
                if let Some(function) = self.table_entry(function, overrider, distance, span)? {
                    init.code.push((8 * word, function));
                }
                if let Some(at) = distance_at {
                    init.word(part.first + at as u64, distance);
                }
            }
        }
        self.globals[id].init = Some(init);
        Ok(id)
    }

    /// What a table has for a function: none if no code of this half may call it.
    fn table_entry(
        &mut self,
        function: Option<FunctionIndex>,
        overrider: Option<FunctionIndex>,
        distance: i64,
        span: Span,
    ) -> Res<Option<hir::FunctionId>> {
        let is_here = function.is_none_or(|one| self.runs_here(overrider.unwrap_or(one)));
        let function = match function {
            Some(function) if is_here => function,
            _ if self.rules.has_device_code => return Ok(None),
            // Nothing can call it.
            Some(_) => return self.prelude_function("__ws_pure_virtual", Vec::new(), span).map(Some),
            None => return self.prelude_function("__ws_nothing", Vec::new(), span).map(Some),
        };
        let is_pure = self.functions[function].decl.is_pure && overrider.is_some();
        if is_pure && self.rules.has_device_code {
            return Ok(None);
        }
        let moves = self.rules.has_device_code && distance != 0;
        let function = if moves { self.moved_function(function, distance) } else { function };
        self.instance(function, Vec::new(), span).map(Some)
    }

    /// Whether this half of the program can call a virtual function. A destructor that the language
    /// defines calls those of the parts of the object.
    fn runs_here(&self, function: FunctionIndex) -> bool {
        let info = &self.functions[function];
        if info.name != FunctionName::Destructor || !matches!(info.decl.body, FunctionBody::Defaulted) {
            return info.device;
        }
        let fields = info.class.map_or(&[][..], |class| &self.records[class].fields);
        let mut parts = fields.iter().map(|field| self.types.all_elements(field.ty.ty).0);
        parts.all(|ty| self.classes().destructor(ty).is_none_or(|one| self.runs_here(one)))
    }

    /// The function that calls another one with the object at a distance from its own.
    fn moved_function(&mut self, of: FunctionIndex, distance: i64) -> FunctionIndex {
        let name = FunctionName::Moved(of, distance);
        let info = &self.functions[of];
        let Some(class) = info.class else { return of };
        if let Some(known) = self.functions.ids().find(|known| self.functions[*known].name == name) {
            return known;
        }
        let info = &self.functions[of];
        let (signature, span, is_const) = (info.signature.clone(), info.span, info.is_const);
        let made = self.implicit(class, name, None, span);
        let info = &mut self.functions[made];
        (info.is_const, info.signature) = (is_const, signature);
        made
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

    /// A function that calls a virtual function with an object at a distance from its own, and
    /// converts its result to a base class.
    pub(super) fn forwarding_function(
        &mut self,
        id: hir::FunctionId,
        of: FunctionIndex,
        distance: i64,
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
                let construct = "an object as a parameter of a virtual function that is called through another function for a later base class";
                return self.unsupported(span, construct);
            }
            let local = self.new_local(String::new(), *ty, LocalKind::Parameter, span)?;
            let ty = match self.types.referent(ty.ty) {
                Some(to) => Qual::plain(self.types.pointer(to)),
                None => *ty,
            };
            let place = self.make_place(PlaceKind::Local(local), ty, span)?;
            let value = self.make(Hir::Load(Box::new(place)), ty.ty, span)?;
            let is_object = values.is_empty() && distance != 0;
            values.push(if is_object { self.moved(value, distance, ty.ty)? } else { value });
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

//! What is known of classes: the questions that need the tables of types, classes and functions,
//! and change nothing.

use super::declare::same_parameters;
use super::rank::Rank;
use super::scope::FunctionIndex;
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{FieldInfo, FunctionInfo, Record};
use crate::arena::Arena;
use crate::lex::{Punct, Symbol};
use crate::syntax::ast::{Access, DeclKind, FunctionBody, Member, Operator, RecordDecl};

/// The tables with classes.
#[derive(Clone, Copy)]
pub(super) struct Classes<'t> {
    pub types: &'t CTypes,
    pub records: &'t Arena<RecordId, Record>,
    pub functions: &'t Arena<FunctionIndex, FunctionInfo>,
}

/// The copy and the move among constructors or assignments.
#[derive(Clone, Copy, Default)]
pub(super) struct Copies {
    pub copy: Option<FunctionIndex>,
    pub movement: Option<FunctionIndex>,
}

impl<'t> Classes<'t> {
    /// A class and the classes that it derives from, closest first.
    pub fn bases(self, from: RecordId) -> impl Iterator<Item = RecordId> + 't {
        let mut found = vec![from];
        let mut at = 0;
        while let Some(id) = found.get(at) {
            let more = self.records[*id].bases.iter().filter(|base| !found.contains(base));
            let more: Vec<RecordId> = more.copied().collect();
            found.extend(more);
            at += 1;
        }
        found.into_iter()
    }

    /// The classes with something among a class and its base classes, without those that another
    /// one of them hides ([class.member.lookup]).
    pub fn closest(self, from: RecordId, has: &mut dyn FnMut(RecordId) -> bool) -> Vec<RecordId> {
        if has(from) {
            return vec![from];
        }
        let mut found = Vec::new();
        for base in &self.records[from].bases {
            for one in self.closest(*base, has) {
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        found
    }

    /// The place of the only part of an object with a public base class, as a path.
    pub fn public_base(self, from: RecordId, base: RecordId) -> Option<Vec<u32>> {
        let mut paths = self.base_paths(from, base);
        let path = paths.pop().filter(|_| paths.is_empty())?;
        let mut at = from;
        for step in &path {
            let next = self.records[at].base_at(*step)?;
            if self.records[at].hidden_bases.iter().any(|(base, _)| *base == next) {
                return None;
            }
            at = next;
        }
        Some(path)
    }

    /// The paths through the members of a class to the parts with a base class. More than two are
    /// as good as two.
    pub fn base_paths(self, from: RecordId, base: RecordId) -> Vec<Vec<u32>> {
        if from == base {
            return vec![Vec::new()];
        }
        let info = &self.records[from];
        let mut found = Vec::new();
        for (at, one) in info.bases.iter().enumerate() {
            for mut path in self.base_paths(*one, base) {
                path.insert(0, info.base_field(at));
                found.push(path);
            }
        }
        found.truncate(2);
        found
    }

    /// Whether a class is another or derives from it.
    pub fn derives(self, from: RecordId, base: RecordId) -> bool {
        self.bases(from).any(|id| id == base)
    }

    /// How well an object of a class converts to a base class, or a pointer to it: the nearer the
    /// base class, the better ([over.ics.rank]/4).
    pub fn rank_base(self, from: RecordId, base: RecordId) -> Option<Rank> {
        let distance = self.distance(from, base)?;
        Some(if distance == 0 { Rank::EXACT } else { Rank::to_base(distance) })
    }

    fn distance(self, from: RecordId, base: RecordId) -> Option<u32> {
        if from == base {
            return Some(0);
        }
        let bases = self.records[from].bases.iter();
        bases.filter_map(|one| self.distance(*one, base)).min().map(|distance| distance + 1)
    }

    /// Names of the members of a class and of its anonymous members.
    pub fn visible_fields(self, id: RecordId) -> Vec<Symbol> {
        let record = &self.records[id];
        let mut names = Vec::new();
        for field in &record.fields {
            match (field.name, self.types.record(field.ty.ty)) {
                (Some(name), _) => names.push(name),
                (None, Some(inner)) => names.extend(self.visible_fields(inner)),
                _ => {}
            }
        }
        names
    }

    /// Whether a type is a class without members, whose base classes have none either.
    pub fn is_empty_record(self, ty: CType) -> bool {
        let Some(id) = self.types.record(ty) else { return false };
        let record = &self.records[id];
        let has_bits = record.gaps.iter().any(|(.., width)| *width > 0);
        !has_bits
            && record.fields.len() == record.bases.len()
            && record.fields.iter().all(|base| self.is_empty_record(base.ty.ty))
    }

    /// Whether a class has bit fields.
    pub fn has_bits(self, id: RecordId) -> bool {
        self.records[id].fields.iter().any(|field| field.bits.is_some())
    }

    /// Whether a class is POD for the purpose of layout, as in C++ of 2003: an aggregate of such
    /// members without a base class, and without copies and ends that the user defines.
    pub fn is_pod(self, id: RecordId, decl: &RecordDecl) -> bool {
        let record = &self.records[id];
        let by_user = |function: &FunctionIndex| {
            let body = &self.functions[*function].decl.body;
            !matches!(body, FunctionBody::Defaulted | FunctionBody::Deleted)
        };
        let is_hidden = |member: &Member| match &member.decl.kind {
            DeclKind::Simple(specifiers, list) => {
                let flags = specifiers.flags;
                let is_field = !(flags.is_static || flags.is_typedef || flags.is_friend);
                member.access != Access::Public && is_field && !list.is_empty()
            }
            _ => false,
        };
        let is_simple = |field: &FieldInfo| {
            let (ty, _) = self.types.all_elements(field.ty.ty);
            field.init.is_none()
                && self.types.referent(ty).is_none()
                && self.types.record(ty).is_none_or(|part| self.records[part].is_pod)
        };
        record.bases.is_empty()
            && record.slots.is_empty()
            && !record.constructors.iter().any(by_user)
            && !record.destructor.iter().any(by_user)
            && !self.copy_assignment(id).iter().any(by_user)
            && !decl.members.iter().flatten().any(is_hidden)
            && record.fields.iter().all(is_simple)
    }

    /// The path to a member variable: indices of fields through base classes and anonymous members.
    pub fn field_path(self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        let info = &self.records[record];
        if let Some(at) = info.fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![at as u32]);
        }
        if let Some(base) = info.used.get(&name) {
            let mut path = self.base_paths(record, *base).pop()?;
            path.extend(self.field_path(*base, name)?);
            return Some(path);
        }
        info.fields.iter().enumerate().filter(|(_, field)| field.name.is_none()).find_map(|(at, field)| {
            let inner = self.types.record(field.ty.ty)?;
            let mut path = self.field_path(inner, name)?;
            path.insert(0, at as u32);
            Some(path)
        })
    }

    /// Whether the user wrote constructors that code can call.
    pub fn has_constructors(self, record: RecordId) -> bool {
        !self.records[record].slots.is_empty()
            || self.records[record].constructors.iter().any(|one| {
                let info = &self.functions[*one];
                info.inherits.is_some()
                    || !matches!(info.decl.body, FunctionBody::Defaulted | FunctionBody::Deleted)
            })
    }

    /// Whether a variable of the type must be initialized by code although it has no initializer.
    pub fn needs_construction(self, ty: CType) -> bool {
        if let Some((element, _)) = self.types.array(ty) {
            return self.needs_construction(element.ty);
        }
        let Some(record) = self.types.record(ty) else { return false };
        let info = &self.records[record];
        if !info.slots.is_empty() {
            return true;
        }
        let trivial = |one: &FunctionIndex| {
            matches!(&self.functions[*one].decl.body, FunctionBody::Block(body)
                if body.statements.is_empty() && body.initializers.is_empty() && self.functions[*one].defaults.is_empty())
        };
        let fields =
            info.fields.iter().any(|field| field.init.is_some() || self.needs_construction(field.ty.ty));
        if self.has_constructors(record) {
            let default = info.constructors.iter().find(|one| self.functions[**one].defaults.is_empty());
            return fields || !default.is_some_and(trivial);
        }
        fields
    }

    /// The destructor of a class, if it has an effect.
    pub fn destructor(self, ty: CType) -> Option<FunctionIndex> {
        self.types.record(ty).and_then(|record| self.records[record].destructor)
    }

    /// Whether objects of a type must be destroyed.
    pub fn is_destroyed(self, ty: CType) -> bool {
        match self.types.array(ty) {
            Some((element, _)) => self.is_destroyed(element.ty),
            None => self.destructor(ty).is_some(),
        }
    }

    /// Whether copies of objects of a type are more than copies of their bytes.
    pub fn copies(self, ty: CType) -> bool {
        if let Some((element, _)) = self.types.array(ty) {
            return self.copies(element.ty);
        }
        self.types.record(ty).is_some_and(|record| self.records[record].copies)
    }

    /// Whether an assignment is more than a copy of the bytes (host).
    pub fn assigns(self, ty: CType) -> bool {
        let (element, _) = self.types.all_elements(ty);
        self.types.record(element).is_some_and(|record| self.records[record].assigns)
    }

    /// The functions `operator=` that a class has.
    pub fn assignments(self, id: RecordId) -> Vec<FunctionIndex> {
        let operators = self.records[id].operators.iter();
        let assignments = operators.filter(|(operator, _)| *operator == Operator::Symbol(Punct::Assign));
        assignments.map(|(_, function)| *function).collect()
    }

    /// The assignment of another object that a class declares.
    pub fn copy_assignment(self, id: RecordId) -> Option<FunctionIndex> {
        self.declared(id, &self.assignments(id)).copy
    }

    /// The copy and the move among constructors or assignments.
    pub fn declared(self, id: RecordId, functions: &[FunctionIndex]) -> Copies {
        let mut found = Copies::default();
        for function in functions {
            let info = &self.functions[*function];
            let Some(signature) = &info.signature else { continue };
            let Some(first) = signature.parameters.first() else { continue };
            if info.defaults.iter().skip(1).any(Option::is_none) {
                continue;
            }
            let own = |to: &Qual| self.types.record(to.ty) == Some(id);
            match self.types.kind(first.ty) {
                TypeKind::Reference(to) if own(to) => found.copy = Some(*function),
                TypeKind::RvalueReference(to) if own(to) => found.movement = Some(*function),
                TypeKind::Record(one) if *one == id => found.copy = Some(*function),
                _ => {}
            }
        }
        found
    }

    /// Whether a class is a lambda expression that converts to a pointer to a function.
    pub fn has_no_captures(self, record: RecordId) -> bool {
        let record = &self.records[record];
        let generic = |call: FunctionIndex| self.functions[call].template.is_some();
        record.lambda.is_some()
            && record.fields.is_empty()
            && !record.operators.iter().any(|(_, call)| generic(*call))
    }

    /// Whether a lambda expression converts to a pointer type; its result, if it follows from the
    /// body, is compared later.
    pub fn becomes_pointer(self, record: RecordId, to: CType) -> bool {
        let Some(TypeKind::Function(wanted)) = self.types.pointee(to).map(|to| self.types.kind(to.ty)) else {
            return false;
        };
        let mut calls = self.records[record].operators.iter();
        self.has_no_captures(record)
            && calls.any(|(_, call)| {
                let own = self.functions[*call].signature.as_ref();
                own.is_some_and(|own| {
                    let is_auto = self.types.contains_auto(own.result);
                    same_parameters(own, wanted) && (is_auto || own.result == wanted.result)
                })
            })
    }
}

//! Questions about classes that `<type_traits>` asks: functions of types in headers of the
//! compiler.

use super::Sema;
use super::scope::FunctionIndex;
use super::types::{CType, CTypes, Qual, RecordId};
use super::value::{Res, Value};
use crate::source::Span;
use crate::syntax::ast::{Access, DeclKind, DeclaratorName, Expr, ExprKind, FunctionBody, Member};

/// A question about types without references.
type Trait = fn(&Sema, &[CType]) -> bool;

/// The questions: name, number of types, answer.
const TRAITS: &[(&str, usize, Trait)] = &[
    ("__is_abstract", 1, |sema, list| {
        sema.types.record(list[0]).is_some_and(|id| sema.pure_function(id).is_some())
    }),
    ("__is_base_of", 2, |sema, list| match (sema.types.record(list[0]), sema.types.record(list[1])) {
        (Some(base), Some(from)) => !sema.records[base].is_union && sema.classes().derives(from, base),
        _ => false,
    }),
    ("__is_class", 1, |sema, list| sema.types.record(list[0]).is_some_and(|id| !sema.records[id].is_union)),
    ("__is_empty", 1, |sema, list| {
        let record = sema.types.record(list[0]).map(|id| &sema.records[id]);
        record.is_some_and(|one| !one.is_union && one.slots.is_empty())
            && sema.classes().is_empty_record(list[0])
    }),
    ("__is_enum", 1, |sema, list| sema.types.enumeration(list[0]).is_some()),
    ("__is_final", 1, |sema, list| {
        let record = sema.types.record(list[0]).map(|id| &sema.records[id]);
        record.and_then(|one| one.decl.as_ref()).is_some_and(|decl| decl.is_final)
    }),
    ("__is_polymorphic", 1, |sema, list| {
        sema.types.record(list[0]).is_some_and(|id| !sema.records[id].slots.is_empty())
    }),
    ("__is_scoped_enum", 1, |sema, list| {
        sema.types.enumeration(list[0]).is_some_and(|id| sema.types.enums[id].scoped)
    }),
    ("__is_standard_layout", 1, |sema, list| sema.is_standard_layout(list[0])),
    ("__is_trivial", 1, |sema, list| sema.is_trivially_copyable(list[0]) && sema.is_trivially_made(list[0])),
    ("__is_trivially_copyable", 1, |sema, list| sema.is_trivially_copyable(list[0])),
    ("__is_trivially_destructible", 1, |sema, list| sema.is_trivially_destroyed(list[0])),
    ("__is_trivially_made", 1, |sema, list| {
        sema.is_trivially_made(list[0]) && sema.is_trivially_destroyed(list[0])
    }),
    ("__is_union", 1, |sema, list| sema.types.record(list[0]).is_some_and(|id| sema.records[id].is_union)),
    ("__lacks_default", 1, |sema, list| {
        !sema.all_parts(list[0], &mut |sema, id| {
            let references = sema.records[id].fields.iter().filter(|field| field.init.is_none());
            let is_number = |ty: Qual| sema.types.record(sema.types.all_elements(ty.ty).0).is_none();
            let mut references = references.filter(|field| {
                sema.types.referent(field.ty.ty).is_some() || field.ty.quals.is_const && is_number(field.ty)
            });
            let is_deleted = sema.has_default_constructor(id, |body| matches!(body, FunctionBody::Deleted));
            let is_made = sema.has_default_constructor(id, |body| !matches!(body, FunctionBody::Defaulted));
            !is_deleted && (is_made || references.next().is_none())
        })
    }),
    ("__has_virtual_destructor", 1, |sema, list| {
        sema.types.record(list[0]).is_some_and(|id| sema.records[id].slots.contains(&None))
    }),
];

impl Sema<'_> {
    /// The answer to a question about types, if a name is one of them.
    pub(super) fn trait_value(&mut self, name: &str, list: &[Expr], span: Span) -> Option<Res<Value>> {
        let (_, count, answer) = TRAITS.iter().find(|(own, ..)| *own == name)?;
        Some(self.types_of(list, *count, span).map(|types| {
            let types: Vec<CType> = types.iter().map(|ty| ty.ty).collect();
            Value::int(i128::from(answer(self, &types)), CTypes::BOOL, span)
        }))
    }

    /// The types that the arguments of a question name. Classes are complete.
    fn types_of(&mut self, list: &[Expr], count: usize, span: Span) -> Res<Vec<Qual>> {
        if list.len() != count {
            return self.error("no-match", span, format!("the question takes {count} types"));
        }
        let mut found = Vec::new();
        for one in list {
            let ExprKind::Name(name) = &one.kind else {
                return self.error("no-match", span, "a question about types takes names of types");
            };
            let ty = self.named_type(name)?;
            let (element, _) = self.types.all_elements(ty.ty);
            if let Some(record) = self.types.record(element) {
                self.complete(record)?;
            }
            found.push(ty);
        }
        Ok(found)
    }

    /// `__underlying(T)`: a value of the type of the values of an enumeration.
    pub(super) fn underlying(&mut self, list: &[Expr], span: Span) -> Res<Value> {
        let types = self.types_of(list, 1, span)?;
        match self.types.enumeration(types[0].ty) {
            Some(id) => Ok(Value::int(0, self.types.enums[id].underlying, span)),
            None => self.error("wrong-type", span, "`std::underlying_type` takes an enumeration"),
        }
    }

    /// Whether copies and the end of objects of a type do nothing that is not an operation on
    /// bytes.
    fn is_trivially_copyable(&self, ty: CType) -> bool {
        let (element, _) = self.types.all_elements(ty);
        self.is_object(element)
            && self.is_trivially_destroyed(element)
            && self.all_parts(element, &mut |sema, id| {
                let constructors = sema.classes().declared(id, &sema.records[id].constructors);
                let assignments = sema.classes().declared(id, &sema.classes().assignments(id));
                let own = [constructors.copy, constructors.movement, assignments.copy, assignments.movement];
                let by_user = |function: FunctionIndex| {
                    let body = &sema.functions[function].decl.body;
                    !matches!(body, FunctionBody::Defaulted | FunctionBody::Deleted)
                };
                sema.records[id].slots.is_empty() && !own.into_iter().flatten().any(by_user)
            })
    }

    /// Whether the class of a type, its base classes and members have no destructor of the user.
    fn is_trivially_destroyed(&self, ty: CType) -> bool {
        let is_destructor = |member: &Member| match &member.decl.kind {
            DeclKind::Function(function) => {
                matches!(function.declarator.name, DeclaratorName::Destructor(_))
                    && (function.specifiers.flags.is_virtual
                        || !matches!(function.body, FunctionBody::Defaulted))
            }
            _ => false,
        };
        let (element, _) = self.types.all_elements(ty);
        element != CTypes::VOID
            && !self.classes().is_destroyed(element)
            && self.all_parts(element, &mut |sema, id| !sema.has_member(id, is_destructor))
    }

    /// Whether an object without an initializer is made without code.
    fn is_trivially_made(&self, ty: CType) -> bool {
        let is_constructor = |member: &Member| match &member.decl.kind {
            DeclKind::Function(function) => {
                matches!(function.declarator.name, DeclaratorName::Constructor(_))
                    && !matches!(function.body, FunctionBody::Defaulted)
            }
            _ => false,
        };
        let (element, _) = self.types.all_elements(ty);
        // A class with other constructors can have one of `= default`, too.
        self.is_object(element)
            && !self.classes().needs_construction(element)
            && self.all_parts(element, &mut |sema, id| {
                !sema.has_member(id, is_constructor)
                    || sema.has_default_constructor(id, |body| matches!(body, FunctionBody::Defaulted))
            })
    }

    /// Whether a class declares a constructor without parameters whose body is of a kind.
    fn has_default_constructor(&self, id: RecordId, is: impl Fn(&FunctionBody) -> bool) -> bool {
        self.has_member(id, |member| match &member.decl.kind {
            DeclKind::Function(function) => {
                matches!(function.declarator.name, DeclaratorName::Constructor(_))
                    && function.declarator.function().is_some_and(|chunk| chunk.parameters.is_empty())
                    && is(&function.body)
            }
            _ => false,
        })
    }

    /// Whether all members of an object are in one class, have one access and no virtual functions.
    fn is_standard_layout(&self, ty: CType) -> bool {
        let (element, _) = self.types.all_elements(ty);
        let Some(record) = self.types.record(element) else { return self.is_object(element) };
        let with_members = self.classes().bases(record).filter(|id| {
            let info = &self.records[*id];
            info.fields.len() > info.bases.len() || !info.gaps.is_empty()
        });
        let own_bases = self.records[record].bases.len();
        let first = self.records[record].fields.get(own_bases).map(|field| field.ty.ty);
        let first_is_base = first
            .and_then(|ty| self.types.record(ty))
            .is_some_and(|ty| self.classes().bases(record).any(|base| base == ty && base != record));
        with_members.count() <= 1
            && !first_is_base
            && self.all_parts(element, &mut |sema, id| {
                let info = &sema.records[id];
                let is_reference = |ty: CType| sema.types.referent(ty).is_some();
                let mut accesses: Vec<Access> = sema.accesses(id);
                accesses.dedup();
                info.slots.is_empty()
                    && accesses.len() <= 1
                    && !info.fields.iter().any(|field| is_reference(field.ty.ty))
            })
    }

    /// The access to each member variable of a class that the declaration names.
    fn accesses(&self, id: RecordId) -> Vec<Access> {
        let Some(decl) = &self.records[id].decl else { return Vec::new() };
        let is_field = |member: &&Member| match &member.decl.kind {
            DeclKind::Simple(specifiers, list) => {
                let flags = specifiers.flags;
                !(flags.is_static || flags.is_typedef || flags.is_friend || list.is_empty())
            }
            _ => false,
        };
        decl.members.iter().flatten().filter(is_field).map(|member| member.access).collect()
    }

    /// Whether something is true of a class, its base classes, and the classes of its members.
    fn all_parts(&self, ty: CType, is: &mut dyn FnMut(&Self, RecordId) -> bool) -> bool {
        let (element, _) = self.types.all_elements(ty);
        let Some(id) = self.types.record(element) else { return true };
        is(self, id) && self.records[id].fields.iter().all(|field| self.all_parts(field.ty.ty, is))
    }

    /// Whether the declaration of a class has a member.
    fn has_member(&self, id: RecordId, is: impl Fn(&Member) -> bool) -> bool {
        let decl = self.records[id].decl.as_ref();
        decl.is_some_and(|decl| decl.members.iter().flatten().any(is))
    }

    /// Whether a type is neither `void`, nor a function, nor a reference.
    fn is_object(&self, ty: CType) -> bool {
        ty != CTypes::VOID && self.types.referent(ty).is_none() && !self.types.is_function(ty)
    }
}

//! Access to the members of classes: `private` and `protected` ([class.access]).

use super::Sema;
use super::scope::Owner;
use super::types::{CType, RecordId};
use super::value::Res;
use crate::diagnostics::Diagnostic;
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{Access, Decl, DeclKind, DeclaratorName};

impl Sema<'_> {
    /// Refuses `object.name` if the current function may not use the member. Classes with friends
    /// are not checked.
    pub(super) fn check_access(&mut self, record: RecordId, name: Symbol, span: Span) -> Res<()> {
        let mut declares_it = |id: RecordId| self.scopes.own(self.records[id].scope, name).is_some();
        if let [owner] = self.classes().closest(record, &mut declares_it)[..] {
            self.check_base_access(record, owner, span)?;
        }
        let Some((owner, access, place)) = self.hidden_member(record, name) else { return Ok(()) };
        if self.is_inside(owner, access) {
            return Ok(());
        }
        let kind = if access == Access::Private { "private" } else { "protected" };
        let class = &self.records[owner].name;
        let message = format!("`{}` is a {kind} member of `{class}`", self.text(name));
        let error = Diagnostic::error("access", span, message).at(place, "declared here");
        self.fail(error.help("add a public method that returns or changes it, or write `public:` before it"))
    }

    /// Refuses the conversion of an object to a base class that the current function may not use
    /// ([class.access.base]). Classes with friends are not checked.
    pub(super) fn check_base_access(&mut self, from: RecordId, base: RecordId, span: Span) -> Res<()> {
        let paths = self.classes().base_paths(from, base);
        let [path] = paths.as_slice() else { return Ok(()) };
        let mut at = from;
        for step in path {
            let Some(next) = self.records[at].base_at(*step) else { break };
            let record = &self.records[at];
            let access =
                record.hidden_bases.iter().find(|(base, _)| *base == next).map(|(_, access)| *access);
            let members = record.decl.iter().flat_map(|decl| decl.members.iter().flatten());
            let has_friends = record.builtin || members.into_iter().any(|member| is_friend(&member.decl));
            if let Some(access) = access
                && !has_friends
                && !self.is_inside(at, access)
            {
                let kind = if access == Access::Private { "private" } else { "protected" };
                let (class, shown) = (self.records[at].name.clone(), self.records[next].name.clone());
                let declared = self.records[at].span;
                let message = format!("`{shown}` is a {kind} base class of `{class}`");
                return self.fail(Diagnostic::error("access", span, message).at(declared, "declared here"));
            }
            at = next;
        }
        Ok(())
    }

    /// Refuses the conversion of a pointer to a base class that the current function may not use.
    pub(super) fn check_pointer_access(&mut self, from: CType, to: CType, span: Span) -> Res<()> {
        let class = |sema: &Self, ty| sema.types.pointee(ty).and_then(|to| sema.types.record(to.ty));
        match (class(self, from), class(self, to)) {
            (Some(from), Some(to)) if self.classes().derives(from, to) => {
                self.check_base_access(from, to, span)
            }
            (Some(from), Some(to)) if self.classes().derives(to, from) => {
                self.check_base_access(to, from, span)
            }
            _ => Ok(()),
        }
    }

    /// The class that declares a member which is not public, its access and its declaration.
    fn hidden_member(&self, record: RecordId, name: Symbol) -> Option<(RecordId, Access, Span)> {
        let mut declares_it = |id: RecordId| self.scopes.own(self.records[id].scope, name).is_some();
        let id = self.classes().closest(record, &mut declares_it).first().copied()?;
        let decl = self.records[id].decl.as_ref().filter(|_| !self.records[id].builtin)?;
        let members = || decl.members.iter().flatten();
        if members().any(|member| is_friend(&member.decl)) {
            return None;
        }
        // Of overloaded methods, the public ones may be called.
        let all = || members().filter(|member| declares(&member.decl, name));
        let first = all().next()?;
        let is_hidden = all().all(|member| member.access != Access::Public);
        is_hidden.then_some((id, first.access, first.decl.span))
    }

    /// Whether the current scope is in a class, or in one that derives from it if that is enough.
    fn is_inside(&self, owner: RecordId, access: Access) -> bool {
        self.scopes.outwards(self.scope).any(|scope| match self.scopes.get(scope).owner {
            Owner::Record(id) if access == Access::Protected => self.classes().derives(id, owner),
            Owner::Record(id) => id == owner,
            _ => false,
        })
    }
}

fn is_friend(member: &Decl) -> bool {
    match &member.kind {
        DeclKind::Simple(specifiers, _) => specifiers.flags.is_friend,
        DeclKind::Function(function) => function.specifiers.flags.is_friend,
        DeclKind::RecordTemplate(record) => record.members.is_none(),
        _ => false,
    }
}

/// Whether a declaration declares a member variable or method of a name.
fn declares(member: &Decl, name: Symbol) -> bool {
    let is = |declared: &DeclaratorName| matches!(declared, DeclaratorName::Plain(one) if one.symbol == name);
    match &member.kind {
        DeclKind::Simple(_, list) => list.iter().any(|one| is(&one.declarator.name)),
        DeclKind::Function(function) => is(&function.declarator.name),
        _ => false,
    }
}

//! Access to the members of classes: `private` and `protected` ([class.access]).

use super::Sema;
use super::scope::Owner;
use super::types::RecordId;
use super::value::Res;
use crate::diagnostics::Diagnostic;
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{Access, Decl, DeclKind, DeclaratorName};

impl Sema<'_> {
    /// Refuses `object.name` if the current function may not use the member. Classes with friends
    /// are not checked.
    pub(super) fn check_access(&mut self, record: RecordId, name: Symbol, span: Span) -> Res<()> {
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

//! Finding what names mean ([basic.lookup]).

use super::Sema;
use super::scope::{Entity, FunctionIndex, Owner, ScopeId, Scopes, VariableIndex};
use super::types::{CType, RecordId, TypeKind};
use super::value::{Failed, Res};
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::hir::Storage;
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{Expr, Name, QualifiedName, Segment};
use crate::target::Side;

impl Sema<'_> {
    /// Finds a name from the current scope outwards, with the scope that declares it.
    pub(super) fn find(&mut self, name: Symbol) -> Option<(Entity, ScopeId)> {
        let mut at = Some(self.scope);
        while let Some(scope) = at {
            let found = match self.scopes.get(scope).owner {
                Owner::Record(record) => self.find_member_of(record, name, true),
                _ => self.scopes.own(scope, name).cloned().map(|entity| (entity, scope)),
            };
            if found.is_some() {
                return found;
            }
            at = self.scopes.get(scope).parent;
        }
        None
    }

    /// Finds a member of a class or its base classes, with the scope of the class that declares it.
    pub(super) fn find_member(&mut self, record: RecordId, name: Symbol) -> Option<(Entity, ScopeId)> {
        self.find_member_of(record, name, false)
    }

    /// Same as [`Self::find_member`]. `is_plain`: the name has no class in front of it, so that
    /// base classes that depend on template arguments are left out.
    fn find_member_of(
        &mut self,
        record: RecordId,
        name: Symbol,
        is_plain: bool,
    ) -> Option<(Entity, ScopeId)> {
        // A class that is being laid out shows the members so far.
        let _ = self.complete(record);
        let info = &self.records[record];
        if let Some(entity) = self.scopes.own(info.scope, name) {
            return Some((entity.clone(), info.scope));
        }
        let own = info.scope;
        let mut found: Option<(Entity, ScopeId)> = None;
        let is_left_out = |base: &RecordId| is_plain && info.dependent_bases.contains(base);
        let bases: Vec<RecordId> = info.bases.iter().copied().filter(|base| !is_left_out(base)).collect();
        for base in bases {
            let Some(more) = self.find_member_of(base, name, is_plain) else { continue };
            if found.as_ref().is_some_and(|found| found.1 != more.1) {
                return Some((Entity::Ambiguous(record), own));
            }
            found = Some(more);
        }
        found
    }

    /// Reports a name that several base classes of a class declare.
    pub(super) fn ambiguous_member<T>(&mut self, record: RecordId, name: Symbol, span: Span) -> Res<T> {
        let (class, text) = (self.records[record].name.clone(), self.text(name));
        let message = format!("several base classes of `{class}` have a member `{text}`");
        let error = Diagnostic::error("ambiguous", span, message);
        self.fail(error.help(format!("write the base class in front of it: `Base::{text}`")))
    }

    /// Reports a member variable of a class that is a base class more than once.
    pub(super) fn check_base_of_field(&mut self, record: RecordId, scope: ScopeId, span: Span) -> Res<()> {
        match self.scopes.get(scope).owner {
            Owner::Record(base) if self.classes().derives(record, base) => {
                self.base_path(record, base, span).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Runs a step in the class of `decltype(value)`, which has the member that a name begins with.
    pub(super) fn in_decltype<T>(
        &mut self,
        value: &Expr,
        name: &QualifiedName,
        step: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let ty = self.decltype(value)?;
        let Some(record) = self.types.record(ty.ty) else {
            let shown = self.show(ty);
            return self.error("wrong-type", value.span, format!("`{shown}` is not a class"));
        };
        self.require_complete(ty.ty, value.span)?;
        let first = name.segments[0].name;
        if self.find_member(record, first.symbol).is_none() {
            return self.no_member(record, first.symbol, first.span);
        }
        let scope = self.records[record].scope;
        self.in_scope(scope, step)
    }

    /// Finds a qualified name; reports it if there is none.
    pub(super) fn find_qualified(&mut self, name: &QualifiedName) -> Res<(Entity, ScopeId)> {
        let (last, front) = name.segments.split_last().expect("a qualified name has a segment");
        if front.is_empty() && !name.global {
            return match self.find(last.name.symbol) {
                Some(found) => Ok(found),
                None => self.undeclared(last.name),
            };
        }
        let scope = self.scope_of_front(name, front)?;
        let found = match self.scopes.get(scope).owner {
            Owner::Record(record) => self.find_member(record, last.name.symbol),
            _ => self.scopes.own(scope, last.name.symbol).cloned().map(|entity| (entity, scope)),
        };
        if let Some((Entity::Ambiguous(record), _)) = found {
            return self.ambiguous_member(record, last.name.symbol, last.name.span);
        }
        if let Some(found) = found {
            return Ok(found);
        }
        let text = self.text(last.name.symbol);
        if self.rules.has_library && self.scope_name(scope) == "std" {
            let error = crate::syntax::standard::missing(text, last.name.span);
            return self.fail(error);
        }
        if self.target.side == Side::Device
            && self.later_hint(text).is_none()
            && self.scope_name(scope) == "std"
            && let Some(error) = crate::syntax::standard::missing_in_device(text, last.name.span)
        {
            return self.fail(error);
        }
        let near = did_you_mean(text, self.scopes.get(scope).names.keys().map(|key| self.text(*key)));
        let message = format!("`{text}` is not a member of `{}`", self.scope_name(scope));
        let error = Diagnostic::error("undeclared-name", last.name.span, message);
        match self.later_hint(text) {
            Some(hint) => self.fail(error.help(hint)),
            None => self.fail(error.meant(near)),
        }
    }

    /// The scope that the front part of a qualified name names.
    pub(super) fn scope_of_front(&mut self, name: &QualifiedName, front: &[Segment]) -> Res<ScopeId> {
        let mut scope = None;
        if name.global {
            scope = Some(Scopes::FILE);
        }
        for segment in front {
            let symbol = segment.name.symbol;
            let found = match scope {
                None => self.find_in_front(symbol),
                Some(scope) => match self.scopes.get(scope).owner {
                    Owner::Record(record) => self.find_member(record, symbol),
                    _ => self.scopes.own(scope, symbol).cloned().map(|entity| (entity, scope)),
                },
            };
            let Some((entity, _)) = found else { return self.undeclared(segment.name) };
            scope = Some(match entity {
                Entity::Namespace(scope) => scope,
                other => {
                    let ty = self.type_of_entity(&other, segment)?;
                    self.scope_of_type(ty, segment.name)?
                }
            });
        }
        Ok(scope.unwrap_or(Scopes::FILE))
    }

    /// Finds the name in front of `::`: variables and functions do not hide it
    /// ([basic.lookup.qual]).
    fn find_in_front(&mut self, symbol: Symbol) -> Option<(Entity, ScopeId)> {
        let found = self.find(symbol);
        let is_value = |entity: &Entity| {
            matches!(
                entity,
                Entity::Variable(_)
                    | Entity::Functions(_)
                    | Entity::Local(_)
                    | Entity::Constant(..)
                    | Entity::Field
                    | Entity::FieldAt(..)
                    | Entity::Static(..)
            )
        };
        if !found.as_ref().is_some_and(|(entity, _)| is_value(entity)) {
            return found;
        }
        for scope in self.scopes.outwards(self.scope).collect::<Vec<_>>() {
            if let Some(entity) = self.scopes.own(scope, symbol).filter(|entity| !is_value(entity)) {
                return Some((entity.clone(), scope));
            }
            if let Some(ty) = self.scopes.get(scope).tags.get(&symbol) {
                return Some((Entity::Type(*ty), scope));
            }
        }
        found
    }

    fn scope_of_type(&mut self, ty: CType, name: Name) -> Res<ScopeId> {
        match *self.types.kind(ty) {
            TypeKind::Record(record) => {
                self.complete(record)?;
                Ok(self.records[record].scope)
            }
            TypeKind::Enum(id) => {
                let parent = self.types.enums[id].parent;
                let symbol = self.types.enums[id].name;
                let found = symbol.and_then(|symbol| self.enum_scopes(parent, symbol));
                match found {
                    Some(scope) => Ok(scope),
                    None => Ok(parent),
                }
            }
            _ => self.error("wrong-type", name.span, format!("`{}` has no members", self.text(name.symbol))),
        }
    }

    /// The scope with the values of `enum class`: kept under the name of the enumeration.
    fn enum_scopes(&self, parent: ScopeId, name: Symbol) -> Option<ScopeId> {
        self.scopes.enum_scope(parent, name)
    }

    /// Name of a namespace or class.
    pub(super) fn scope_name(&self, scope: ScopeId) -> String {
        match self.scopes.get(scope).owner {
            Owner::Namespace(Some(name)) | Owner::Enum(name) => self.text(name).to_owned(),
            Owner::Record(record) => self.records[record].name.clone(),
            _ => "the global namespace".to_owned(),
        }
    }

    /// Reports an undeclared name, with a similar one or the reason why there is none.
    pub(super) fn undeclared<T>(&mut self, name: Name) -> Res<T> {
        if self.use_failed(name.symbol) {
            return Err(Failed);
        }
        let text = self.text(name.symbol).to_owned();
        if let Some(error) = self.of_the_system(&text, name.span) {
            return self.fail(error);
        }
        let mut error = Diagnostic::error("undeclared-name", name.span, format!("`{text}` is not declared"))
            .label("not found in this scope");
        if let Some(skipped) = self.skipped.iter().find(|skipped| skipped.names.contains(&name.symbol)) {
            error = error.at(skipped.span, "this declaration was skipped because it is not understood");
            if !skipped.reason.is_empty() {
                error = error.note(format!("in the skipped declaration: {}", skipped.reason));
            }
            error = error.help("`warpcc -ptx` takes any C++");
        } else if let Some(hint) = self.cuda_hint(&text) {
            error = error.help(hint);
        } else if let Some(help) = self.later_hint(&text) {
            error = error.help(help);
        } else if let Some(near) = self.similar_name(&text) {
            error = error.help(format!("did you mean `{near}`?"));
        }
        self.fail(error)
    }

    /// The message for a name of the system that host code does not have.
    pub(super) fn of_the_system(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let why = super::names::missing_in_host(name).filter(|_| self.target.side != Side::Device)?;
        Some(Diagnostic::error("unsupported", span, format!("`{name}` is not supported")).help(why))
    }

    /// Advice for a name of host code or of later hardware in device code.
    pub(super) fn later_hint(&self, name: &str) -> Option<String> {
        super::names::hint(name, self.target.features).filter(|_| self.target.side == Side::Device)
    }

    /// Reports why the declaration of a name failed, if it did.
    pub(super) fn use_failed(&mut self, name: Symbol) -> bool {
        let messages = self.failed.get(&name).cloned().unwrap_or_default();
        let has_any = !messages.is_empty();
        for message in messages {
            self.out.push(message);
        }
        has_any
    }

    fn similar_name(&self, text: &str) -> Option<String> {
        if self.rules.is_open_cl {
            let rows = crate::opencl::rows::MATH.iter().chain(crate::opencl::rows::OTHERS);
            if let Some(near) = did_you_mean(text, rows.map(|row| row.name)) {
                return Some(near.to_owned());
            }
        }
        for scope in self.scopes.outwards(self.scope) {
            let names = self.scopes.get(scope).names.keys().map(|name| self.text(*name));
            let visible = names.filter(|name| !name.starts_with("__") || text.starts_with("__"));
            if let Some(near) = did_you_mean(text, visible) {
                return Some(near.to_owned());
            }
        }
        did_you_mean(text, super::names::BUILTIN_VARIABLES).map(str::to_owned)
    }

    /// Candidates for a call of a name by the namespaces of the argument types.
    pub(super) fn find_by_arguments(&mut self, name: Symbol, arguments: &[CType]) -> Vec<FunctionIndex> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let records = arguments.iter().filter_map(|ty| self.types.record(*ty));
        for record in records.flat_map(|record| self.classes().bases(record)) {
            let parent = self.records[record].parent;
            for scope in self.scopes.outwards(parent) {
                if let Some(Entity::Functions(list)) = self.scopes.own(scope, name) {
                    found.extend(list.iter().copied().filter(|one| seen.insert(*one)));
                    break;
                }
            }
        }
        found
    }

    /// Reports the use of a variable that is only declared (`extern`).
    pub(super) fn check_defined(&mut self, variable: VariableIndex, used: Span) -> Res<()> {
        let info = &self.variables[variable];
        let in_memory = matches!(info.storage, Some(Storage::Device | Storage::Constant));
        if !info.is_extern || self.is_unevaluated || self.is_part && !in_memory {
            return Ok(());
        }
        let (text, declared) = (self.text(info.name).to_owned(), info.span);
        let message = format!("variable `{text}` is not defined in this file");
        let error = Diagnostic::error("undeclared-name", used, message);
        let help = if in_memory {
            "define it: only `nvcc -rdc=true` links device code of several files"
        } else {
            "define it, or give the file that defines it, too"
        };
        self.fail(if used == declared { error } else { error.at(declared, "declared here") }.help(help))
    }

    /// Reports that a declaration comes after its use.
    pub(super) fn check_order(&mut self, name: Symbol, order: u32, declared: Span, used: Span) -> Res<()> {
        let Some(function) = &self.function else { return Ok(()) };
        if order <= function.order || function.in_template {
            return Ok(());
        }
        let text = self.text(name);
        let error =
            Diagnostic::error("undeclared-name", used, format!("`{text}` is used before its declaration"))
                .at(declared, "declared here")
                .help("declare it above this function");
        self.fail(error)
    }
}

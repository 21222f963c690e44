//! Classes: members and layout.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Sema;
use super::scope::{Entity, Owner, ScopeId};
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{Failed, FieldInfo, Record, Res, State};
use crate::diagnostics::Diagnostic;
use crate::hir;
use crate::lex::Symbol;
use crate::source::Span;
use crate::space::AddressSpace;
use crate::syntax::ast::{
    Access, BaseClass, BaseType, Decl, DeclKind, DeclaratorName, FunctionBody, InitDeclarator, QualifiedName,
    RecordDecl, Specifiers, Tag,
};

impl Sema<'_> {
    /// Adds a class that is declared only.
    pub(super) fn new_record(&mut self, name: Option<Symbol>, parent: ScopeId, span: Span) -> RecordId {
        let id = self.records.next();
        let text = name.map_or_else(|| "<anonymous>".to_owned(), |name| self.text(name).to_owned());
        let scope = self.scopes.add(parent, Owner::Record(id));
        let layout = hir::Struct {
            name: text.clone(),
            fields: Vec::new(),
            size: 1,
            data_size: 0,
            align: 1,
            is_union: false,
            is_destroyed: false,
            is_vector: false,
        };
        let hir = self.hir.add_struct(layout);
        self.records.push(Record {
            name: text,
            symbol: name,
            decl: None,
            template: None,
            scope,
            parent,
            state: State::Declared,
            bases: Vec::new(),
            dependent_bases: Vec::new(),
            hidden_bases: Vec::new(),
            used: FxHashMap::default(),
            before_primary: 0,
            first_base: 0,
            fields: Vec::new(),
            gaps: Vec::new(),
            constructors: Vec::new(),
            conversions: Vec::new(),
            operators: Vec::new(),
            destructor: None,
            copies: false,
            assigns: false,
            slots: Vec::new(),
            table: None,
            is_union: false,
            is_pod: true,
            builtin: self.is_builtin(span),
            lambda: None,
            closure: None,
            pointer: None,
            empty_parts: Rc::default(),
            hir,
            span,
        });
        id
    }

    /// Declares the class of a declaration with a body.
    pub(super) fn declare_record(&mut self, decl: &Rc<RecordDecl>) -> Res<RecordId> {
        if let Some(name) = &decl.outside {
            let (_, front) = name.segments.split_last().ok_or(Failed)?;
            let scope = self.scope_of_front(name, front)?;
            return self.in_scope(scope, |sema| sema.declare_record_here(decl));
        }
        self.declare_record_here(decl)
    }

    fn declare_record_here(&mut self, decl: &Rc<RecordDecl>) -> Res<RecordId> {
        let scope = self.scope;
        let known = decl.name.and_then(|name| {
            let own = self.scopes.get(scope);
            match (own.names.get(&name.symbol), own.tags.get(&name.symbol)) {
                (Some(Entity::Type(ty)), _) | (_, Some(ty)) => self.types.record(ty.ty),
                _ => None,
            }
        });
        if let Some(id) = known {
            let record = &mut self.records[id];
            match &record.decl {
                None => record.decl = Some(decl.clone()),
                // The same declaration is seen again: in the declarators behind it.
                Some(first) if Rc::ptr_eq(first, decl) => {}
                Some(_) => {
                    let text = record.name.clone();
                    let first = record.span;
                    let error =
                        Diagnostic::error("redefinition", decl.span, format!("`{text}` is defined twice"))
                            .at(first, "first definition");
                    return self.fail(error);
                }
            }
            return Ok(id);
        }
        let id = self.new_record(decl.name.map(|name| name.symbol), scope, decl.span);
        self.records[id].decl = Some(decl.clone());
        let ty = Qual::plain(self.types.intern(TypeKind::Record(id)));
        if let Some(name) = decl.name {
            self.declare_tag(name.symbol, ty);
        }
        if self.function.is_some() {
            self.complete(id)?;
        }
        Ok(id)
    }

    /// Analyzes the members of a class, if that has not happened.
    pub(super) fn complete(&mut self, id: RecordId) -> Res<()> {
        let record = &mut self.records[id];
        match record.state {
            State::Complete => return Ok(()),
            State::Started | State::Failed => return Err(Failed),
            State::Declared => {}
        }
        let (known, parent, symbol) = (record.decl.clone(), record.parent, record.symbol);
        let Some(decl) = known.or_else(|| self.define_nested(id, parent, symbol?)) else { return Ok(()) };
        let record = &mut self.records[id];
        record.state = State::Started;
        let scope = record.scope;
        let span = record.span;
        let function = self.function.take();
        self.completing += 1;
        let result = self.deeper(span, |sema| sema.in_scope(scope, |sema| sema.members(id, &decl)));
        self.completing -= 1;
        self.function = function;
        self.records[id].state = if result.is_ok() { State::Complete } else { State::Failed };
        if self.completing == 0 {
            while let Some(one) = self.later.pop() {
                let _ = self.complete(one);
            }
        }
        result
    }

    /// Takes the definition of a class that an instance of a class template only declares from
    /// outside of that template.
    fn define_nested(&mut self, id: RecordId, parent: ScopeId, name: Symbol) -> Option<Rc<RecordDecl>> {
        let (decl, around) = self.nested_definition(parent, name)?;
        let record = &mut self.records[id];
        record.decl = Some(Rc::clone(&decl));
        self.scopes.get_mut(record.scope).parent = Some(around);
        Some(decl)
    }

    /// Completes the class of a type whose size is needed.
    pub(super) fn require_complete(&mut self, ty: CType, span: Span) -> Res<()> {
        if let Some((element, _)) = self.types.array(ty) {
            return self.require_complete(element.ty, span);
        }
        let Some(id) = self.types.record(ty) else { return Ok(()) };
        let record = &self.records[id];
        let (parent, symbol) = (record.parent, record.symbol);
        let is_declared = record.decl.is_none() && record.state == State::Declared;
        if is_declared && symbol.and_then(|name| self.define_nested(id, parent, name)).is_none() {
            let record = &self.records[id];
            let (name, first) = (record.name.clone(), record.span);
            let mut error =
                Diagnostic::error("incomplete-type", span, format!("`{name}` is declared but not defined"));
            let symbol = record.symbol;
            let skipped =
                self.skipped.iter().find(|one| symbol.is_some_and(|name| one.names.contains(&name)));
            error = match skipped {
                Some(skipped) => error
                    .at(
                        skipped.span,
                        "this definition was skipped because it is not understood in device code",
                    )
                    .note(skipped.reason.clone()),
                None => error.at(first, "declared here"),
            };
            return self.fail(match super::names::missing_in_host(&name) {
                Some(why) if self.rules.has_library => error.help(why),
                _ => error,
            });
        }
        if self.records[id].state == State::Started {
            let name = self.records[id].name.clone();
            return self.error("incomplete-type", span, format!("`{name}` contains itself"));
        }
        self.complete(id)
    }

    fn members(&mut self, id: RecordId, decl: &Rc<RecordDecl>) -> Res<()> {
        self.records[id].is_union = decl.tag == Tag::Union;
        for base in &decl.bases {
            let Some(packs) = &base.packs else {
                self.base_class(id, base)?;
                continue;
            };
            for at in 0..self.pack_length(packs, base.name.span)? {
                self.in_element(packs, at, |sema| sema.base_class(id, base))?;
            }
        }
        self.pointer_to_table(id, decl);
        let mut failed = false;
        for member in decl.members.iter().flatten() {
            failed |= self.class_member(id, &member.decl).is_err();
        }
        if failed {
            return Err(Failed);
        }
        self.hide_used(id);
        self.hide_inherited(id);
        self.virtual_functions(id, decl)?;
        self.records[id].is_pod = self.classes().is_pod(id, decl);
        self.special_members(id);
        self.implicit_equality(id);
        self.lay_out(id, Some(decl))
    }

    fn base_class(&mut self, id: RecordId, written: &BaseClass) -> Res<()> {
        let name = &written.name;
        if written.is_virtual {
            return self.unsupported(name.span, "a virtual base class");
        }
        let ty = self.named_type(name)?;
        let Some(base) = self.types.record(ty.ty) else {
            return self.error("wrong-type", name.span, "a base class must be a class");
        };
        self.require_complete(ty.ty, name.span)?;
        if self.records[base].decl.as_ref().is_some_and(|decl| decl.is_final) {
            let (shown, declared) = (self.records[base].name.clone(), self.records[base].span);
            let error = Diagnostic::error(
                "final",
                name.span,
                format!("`{shown}` is `final`: no class derives from it"),
            )
            .at(declared, "declared here");
            return self.fail(error);
        }
        if self.records[id].bases.contains(&base) {
            let message = format!("`{}` is a base class twice", self.records[base].name);
            return self.error("redefinition", name.span, message);
        }
        let field = FieldInfo {
            name: None,
            ty: ty.unqualified(),
            init: None,
            bits: None,
            is_mutable: false,
            packed: false,
            align: 1,
            span: name.span,
        };
        if self.is_dependent_base(id, name, ty) {
            self.records[id].dependent_bases.push(base);
        }
        let has_table = !self.records[base].slots.is_empty();
        let record = &self.records[id];
        let is_primary = has_table && record.bases.iter().all(|one| self.records[*one].slots.is_empty());
        let record = &mut self.records[id];
        let at = if is_primary { 0 } else { record.bases.len() };
        if is_primary {
            record.before_primary = record.bases.len();
        }
        if written.access != Access::Public {
            record.hidden_bases.push((base, written.access));
        }
        record.bases.insert(at, base);
        record.fields.insert(at, field);
        Ok(())
    }

    /// Whether a base class of a class that is or is inside of an instance of a class template is
    /// another class, or none, without the arguments of the instance. The library does not rely on
    /// it.
    fn is_dependent_base(&mut self, id: RecordId, name: &QualifiedName, base: Qual) -> bool {
        let Some((home, _)) = self.home_of(id) else { return false };
        let Some((template, _)) = self.records[home].template else { return false };
        if self.is_builtin(self.records[id].span) {
            return false;
        }
        let outer = self.templates[template].scope;
        let mark = self.out.mark();
        let without = self.in_scope(outer, |sema| sema.named_type(name));
        self.out.truncate(mark);
        without.ok() != Some(base)
    }

    fn class_member(&mut self, id: RecordId, member: &Decl) -> Res<()> {
        let target = match &member.kind {
            DeclKind::Simple(specifiers, _) if specifiers.flags.is_typedef => Some(&**specifiers),
            DeclKind::Alias(_, target, None) => Some(&*target.specifiers),
            _ => None,
        };
        // A name of a type that only the host's library has is no name in device code.
        if let Some(Specifiers { base: BaseType::Named(name), .. }) = target
            && self.rules.has_device_code
            && !self.is_builtin(member.span)
            && name.segments.first().is_some_and(|first| self.text(first.name.symbol) == "std")
        {
            let mark = self.out.mark();
            if self.known_member(id, member).is_err() && !self.out.is_stopped() {
                self.out.truncate(mark);
            }
            return Ok(());
        }
        self.known_member(id, member)
    }

    fn known_member(&mut self, id: RecordId, member: &Decl) -> Res<()> {
        match &member.kind {
            DeclKind::Simple(specifiers, list) => self.data_members(id, specifiers, list, member.span),
            DeclKind::Function(function) => {
                if function.specifiers.flags.is_friend {
                    // A friend that is defined in its class is found by the types of its arguments.
                    if matches!(function.body, FunctionBody::Block(_)) {
                        let parent = self.records[id].parent;
                        self.collect_friend(function, parent);
                    }
                    return Ok(());
                }
                let flags = function.specifiers.flags;
                if flags.is_virtual && flags.device && self.rules.has_device_code {
                    self.require_capability(20, "virtual", member.span)?;
                }
                self.method(id, function)
            }
            DeclKind::RecordTemplate(record) => self.collect_record_template(record),
            DeclKind::Alias(name, target, template) => self.collect_alias(*name, target, template.as_ref()),
            DeclKind::Using(name, None) => self.use_member(id, name),
            DeclKind::Using(name, Some(packs)) => {
                for at in 0..self.pack_length(packs, name.span)? {
                    self.in_element(packs, at, |sema| sema.use_member(id, name))?;
                }
                Ok(())
            }
            DeclKind::UsingOperator(name, operator, None) => self.use_operator(id, name, *operator),
            DeclKind::UsingOperator(name, operator, Some(packs)) => {
                for at in 0..self.pack_length(packs, name.span)? {
                    self.in_element(packs, at, |sema| sema.use_operator(id, name, *operator))?;
                }
                Ok(())
            }
            DeclKind::StaticAssert(condition, text) => self.static_assertion(condition, text),
            DeclKind::UsingEnum(name) => self.use_enum(name),
            _ => Ok(()),
        }
    }

    fn data_members(
        &mut self,
        id: RecordId,
        specifiers: &Rc<Specifiers>,
        list: &[InitDeclarator],
        span: Span,
    ) -> Res<()> {
        if specifiers.flags.is_friend {
            return Ok(());
        }
        let base = self.specifiers(specifiers)?;
        if list.is_empty() {
            // An anonymous union or structure: its members are members here.
            if let BaseType::Record(record) = &specifiers.base
                && record.name.is_none()
                && let Some(inner) = self.types.record(base.ty)
            {
                self.complete(inner)?;
                let fields: Vec<Symbol> = self.classes().visible_fields(inner);
                for name in fields {
                    self.declare(name, Entity::Field);
                }
                let field = FieldInfo {
                    name: None,
                    ty: base,
                    init: None,
                    bits: None,
                    is_mutable: false,
                    packed: false,
                    align: 1,
                    span,
                };
                self.records[id].fields.push(field);
            }
            return Ok(());
        }
        for one in list {
            let span = one.declarator.span;
            let ty = self.declarator(base, &one.declarator.chunks, span)?;
            let width = match &one.bits {
                Some(bits) => {
                    Some(self.width(bits, ty, matches!(one.declarator.name, DeclaratorName::None))?)
                }
                None => None,
            };
            let DeclaratorName::Plain(name) = &one.declarator.name else {
                if let Some(width) = width {
                    let record = &mut self.records[id];
                    record.gaps.push((record.fields.len(), ty.ty, width));
                }
                continue;
            };
            if specifiers.flags.is_typedef {
                self.check_alias(specifiers, one, ty)?;
                self.declare(name.symbol, Entity::Type(ty));
                continue;
            }
            if specifiers.flags.is_static {
                self.collect_variable(specifiers, one, ty, *name)?;
                continue;
            }
            self.require_complete(ty.ty, span)?;
            self.refuse_object(ty.ty, "a member of a structure", span)?;
            self.refuse_abstract(ty.ty, span)?;
            let init = one.init.clone().map(Rc::new);
            let bits = width.map(|width| (0, width));
            let is_mutable = specifiers.flags.is_mutable;
            let align = self.member_alignment(specifiers, one)?;
            let packed = one.align.packed.or(specifiers.align.packed).is_some();
            let field =
                FieldInfo { name: Some(name.symbol), ty, init, bits, is_mutable, align, packed, span };
            self.records[id].fields.push(field);
            self.declare(name.symbol, Entity::Field);
        }
        Ok(())
    }

    /// The type in the typed program.
    pub(super) fn hir_type(&mut self, ty: CType, span: Span) -> Res<hir::TypeId> {
        Ok(match self.types.kind(ty).clone() {
            TypeKind::Builtin(_) | TypeKind::Enum(_) => match ty {
                CTypes::VOID => hir::Types::VOID,
                CTypes::BOOL => hir::Types::BOOL,
                CTypes::FLOAT => hir::Types::F32,
                CTypes::DOUBLE => hir::Types::F64,
                _ => self.types.int_type(ty).map_or(hir::Types::BOOL, hir::Types::int),
            },
            TypeKind::Nullptr => self.hir.pointer(hir::Types::VOID),
            TypeKind::MemberPointer(..) => self.hir_member_pointer(ty, span)?,
            TypeKind::Pointer(to) | TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                if let TypeKind::Function(signature) = self.types.kind(to.ty).clone() {
                    let mut parameters = Vec::new();
                    for parameter in &signature.parameters {
                        parameters.push(self.hir_type(parameter.ty, span)?);
                    }
                    let result = self.hir_type(signature.result.ty, span)?;
                    let id = self.hir.signature_id(hir::Signature { parameters, result });
                    self.hir.intern(hir::Type::FunctionPointer(id))
                } else {
                    let space = if self.rules.is_open_cl {
                        to.quals.space.or_private()
                    } else {
                        AddressSpace::Unnamed
                    };
                    let to = self.hir_pointee(to.ty, span)?;
                    self.hir.intern(hir::Type::Pointer(to, space))
                }
            }
            TypeKind::VariableArray(element, _) => {
                let element = self.hir_type(element.ty, span)?;
                self.hir.intern(hir::Type::Array(element, 0))
            }
            TypeKind::Array(element, length) => {
                let element = self.hir_type(element.ty, span)?;
                let length = length.unwrap_or(0);
                if self.hir.size(element).checked_mul(length).is_none_or(|bytes| bytes > 1 << 33) {
                    return self.error("limit", span, "the array is larger than the memory of any device");
                }
                self.hir.intern(hir::Type::Array(element, length))
            }
            TypeKind::Record(id) => {
                self.require_complete(ty, span)?;
                self.records[id].hir
            }
            TypeKind::Function(_) => return self.error("wrong-type", span, "a function is not a value"),
            TypeKind::Auto => return self.error("wrong-type", span, "`auto` cannot be used here"),
            TypeKind::Vector(element, count) => self.hir_vector(element, count, span)?,
            TypeKind::Opaque(opaque) => {
                let bits = (opaque.bytes() * 8) as u8;
                hir::Types::int(hir::IntType { bits, signed: false })
            }
        })
    }

    /// The type behind a pointer: a class may be incomplete there.
    fn hir_pointee(&mut self, ty: CType, span: Span) -> Res<hir::TypeId> {
        let Some(id) = self.types.record(ty) else { return self.hir_type(ty, span) };
        let record = &self.records[id];
        if record.state == State::Declared && record.decl.is_some() {
            if self.completing > 0 && self.rules.completes_later {
                // It may contain the class whose members point to it.
                self.later.push(id);
                return Ok(self.records[id].hir);
            }
            self.complete(id)?;
        }
        Ok(self.records[id].hir)
    }
}

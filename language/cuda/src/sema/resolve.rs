//! The types that declarations and type names write ([dcl.meaning]).

use std::rc::Rc;

use super::function::FunctionState;
use super::scope::{AliasIndex, Constant, Entity, Owner};
use super::types::{CType, CTypes, EnumId, EnumInfo, Qual, Signature, TypeKind};
use super::value::{Failed, Res, State};
use super::{MAX_HEIGHT, Sema};
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::hir::LocalKind;
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, Chunk, EnumDecl, Expr, FunctionChunk, Name, Parameter, QualifiedName, Qualifiers, Segment,
    Specifiers, TypeName,
};

/// Elements that an array may have.
const MAX_ELEMENTS: i128 = 1 << 32;

/// Code of errors about the length of an array.
pub(super) const ARRAY_LENGTH: &str = "array-length";

/// Code of errors about a length that is no constant.
pub(super) const ARRAY_CONSTANT: &str = "array-constant";

/// Parts of the type of a function.
const MAX_PARTS: u32 = 5_000;

impl Sema<'_> {
    /// The type of specifiers.
    pub(super) fn specifiers(&mut self, specifiers: &Specifiers) -> Res<Qual> {
        let base = match &specifiers.base {
            BaseType::Builtin(builtin) if self.rules.is_open_cl => {
                self.open_cl_arithmetic(*builtin, specifiers.span)?
            }
            BaseType::Builtin(builtin) => Qual::plain(self.types.builtin(*builtin)),
            BaseType::Named(name) => self.named_type(name)?,
            BaseType::Elaborated(name) => self.elaborated(name)?,
            BaseType::Record(record) => {
                let id = self.declare_record(record)?;
                Qual::plain(self.types.intern(TypeKind::Record(id)))
            }
            BaseType::Enum(decl) => Qual::plain(self.declare_enum(decl)?),
            BaseType::Auto | BaseType::DecltypeAuto => Qual::plain(self.types.intern(TypeKind::Auto)),
            BaseType::Decltype(value) => self.decltype(value)?,
            BaseType::OfDecltype(value, name) => {
                self.in_decltype(value, name, |sema| sema.named_type(name))?
            }
            BaseType::None => Qual::plain(CTypes::VOID),
        };
        Ok(base.with(specifiers.qualifiers))
    }

    /// The type of a name without a declared name.
    pub(super) fn type_name(&mut self, name: &TypeName) -> Res<Qual> {
        let base = self.specifiers(&name.specifiers)?;
        self.declarator(base, &name.declarator.chunks, name.span)
    }

    /// The type of a declarator.
    pub(super) fn declarator(&mut self, base: Qual, chunks: &[Chunk], span: Span) -> Res<Qual> {
        let mut ty = base;
        for (at, chunk) in chunks.iter().enumerate().rev() {
            ty = match chunk {
                Chunk::Pointer(quals) => {
                    if self.types.referent(ty.ty).is_some() {
                        return self.error("wrong-type", span, "a pointer to a reference does not exist");
                    }
                    Qual { ty: self.types.pointer(ty), quals: *quals }
                }
                Chunk::MemberPointer(name, quals) => {
                    let ty = self.pointer_to_member(ty, name)?;
                    Qual { ty, quals: *quals }
                }
                // A reference to a reference is the first reference.
                Chunk::Reference => match self.types.referent(ty.ty) {
                    Some(to) => Qual::plain(self.types.intern(TypeKind::Reference(to))),
                    None => Qual::plain(self.types.intern(TypeKind::Reference(ty))),
                },
                Chunk::RvalueReference => match self.types.referent(ty.ty) {
                    Some(_) => ty.unqualified(),
                    None => Qual::plain(self.types.intern(TypeKind::RvalueReference(ty))),
                },
                Chunk::Array(length) => self.array_of(ty, length.as_deref(), span)?,
                Chunk::Function(function) => {
                    let (_, made) = self.function(ty, function, span)?;
                    let is_method =
                        at.checked_sub(1).is_some_and(|at| matches!(chunks[at], Chunk::MemberPointer(..)));
                    if is_method && function.is_const { Qual::constant(made) } else { Qual::plain(made) }
                }
            };
        }
        self.check_height(ty.ty, span)?;
        self.check_open_cl_type(ty, span)?;
        Ok(ty)
    }

    /// The signature of a function that is declared with the result `ty`, with the qualifiers of
    /// its parameters, and its type, which has none.
    pub(super) fn function(
        &mut self,
        ty: Qual,
        function: &FunctionChunk,
        span: Span,
    ) -> Res<(Signature, CType)> {
        let result = match &function.trailing {
            Some(trailing) => self.trailing_result(function, trailing)?,
            None => ty,
        };
        let signature = self.signature(function, result)?;
        let made = self.types.intern(TypeKind::Function(signature.clone()));
        if self.types.parts(made) > MAX_PARTS {
            self.out.stop(span, format!("the type has more than {MAX_PARTS} parts"));
            return Err(Failed);
        }
        Ok((signature, made))
    }

    /// The result type behind `->`, which may name the parameters ([dcl.fct]).
    fn trailing_result(&mut self, function: &FunctionChunk, trailing: &TypeName) -> Res<Qual> {
        if self.rules.is_open_cl || self.rules.is_c {
            return self.type_name(trailing);
        }
        let mark = self.out.mark();
        let found = self.in_parameters(function, |sema| sema.type_name(trailing));
        let is_deferred = found.is_err()
            && matches!(trailing.specifiers.base, BaseType::Decltype(_))
            && matches!(self.scopes.get(self.scope).owner, Owner::Record(id) if self.records[id].state == State::Started);
        if is_deferred {
            // The members that it names follow: the body determines the type.
            self.out.truncate(mark);
            return Ok(Qual::plain(self.types.intern(TypeKind::Auto)));
        }
        found
    }

    /// Runs a step where the parameters of a function that is declared are visible.
    pub(super) fn in_parameters<T>(
        &mut self,
        function: &FunctionChunk,
        step: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let signature = self.signature(function, Qual::plain(CTypes::VOID))?;
        let state = FunctionState { in_template: true, ..FunctionState::new(0, "") };
        let outer = self.function.replace(state);
        let own = self.scopes.add(self.scope, Owner::Block);
        let found = self.in_scope(own, |sema| {
            sema.declare_this(function)?;
            sema.declare_parameters(&function.parameters, &signature.parameters, |sema, _, ty, span| {
                sema.new_local(String::new(), ty, LocalKind::Parameter, span)
            })?;
            step(sema)
        });
        self.function = outer;
        found
    }

    /// Declares `this` where the types of a method are written.
    fn declare_this(&mut self, function: &FunctionChunk) -> Res<()> {
        let around = self.scopes.outwards(self.scope).find_map(|scope| self.scopes.class(scope));
        let Some(record) = around else { return Ok(()) };
        let mut ty = Qual::plain(self.types.intern(TypeKind::Record(record)));
        ty.quals.is_const = function.is_const;
        let pointer = Qual::plain(self.types.pointer(ty));
        let local = self.new_local(String::new(), pointer, LocalKind::Parameter, function.span)?;
        if let Some(state) = &mut self.function {
            state.this = Some((local, pointer));
        }
        Ok(())
    }

    /// Stops at a type that is nested too deeply.
    pub(super) fn check_height(&mut self, ty: CType, span: Span) -> Res<()> {
        if self.types.height(ty) <= MAX_HEIGHT {
            return Ok(());
        }
        self.out.stop(span, format!("the type is nested more than {MAX_HEIGHT} times"));
        Err(Failed)
    }

    fn array_of(&mut self, element: Qual, length: Option<&Expr>, span: Span) -> Res<Qual> {
        if element.ty == CTypes::VOID || self.types.referent(element.ty).is_some() {
            let shown = self.show(element);
            return self.error("wrong-type", span, format!("an array of `{shown}` does not exist"));
        }
        let quals = element.quals;
        let length = match length {
            None => None,
            Some(length) => {
                let mark = self.out.mark();
                let constant = self.constant_int(length, "the length of an array");
                if let Some(made) = self.variable_array(element, length, constant.is_ok(), mark, span) {
                    return made;
                }
                let Ok((value, _)) = constant else {
                    for mut message in self.out.truncate(mark) {
                        if message.code == "not-constant" {
                            message.code = ARRAY_CONSTANT;
                            if self.rules.is_c && !self.rules.is_open_cl {
                                message = message.help(
                                    "arrays of variable length are not supported: write `malloc`, or a macro",
                                );
                            }
                        }
                        self.out.push(message);
                    }
                    return Err(Failed);
                };
                if !(0..=MAX_ELEMENTS).contains(&value) {
                    let message = format!("the length of the array is {value}; expected 0 to {MAX_ELEMENTS}");
                    return self.error(ARRAY_LENGTH, length.span, message);
                }
                Some(value as u64)
            }
        };
        let ty = self.types.intern(TypeKind::Array(element, length));
        Ok(Qual { ty, quals: Qualifiers { is_restrict: false, ..quals } })
    }

    /// Types of a parameter list; arrays and functions become pointers.
    pub(super) fn signature(&mut self, function: &FunctionChunk, result: Qual) -> Res<Signature> {
        let mut parameters = Vec::with_capacity(function.parameters.len());
        for parameter in &function.parameters {
            let Some(packs) = &parameter.pack else {
                parameters.push(self.parameter_type(parameter)?);
                continue;
            };
            for at in 0..self.pack_length(packs, parameter.declarator.span)? {
                let ty = self.in_element(packs, at, |sema| sema.parameter_type(parameter))?;
                parameters.push(ty);
            }
        }
        Ok(Signature { parameters, result, variadic: function.variadic })
    }

    pub(super) fn parameter_type(&mut self, parameter: &Parameter) -> Res<Qual> {
        let base = self.specifiers(&parameter.specifiers)?;
        let ty = self.declarator(base, &parameter.declarator.chunks, parameter.declarator.span)?;
        if ty.ty == CTypes::VOID {
            let message = "a parameter cannot have type `void`";
            return self.error("wrong-type", parameter.declarator.span, message);
        }
        Ok(self.types.adjusted(ty))
    }

    /// The type that a name names.
    pub(super) fn named_type(&mut self, name: &QualifiedName) -> Res<Qual> {
        let plain_unknown = name.plain().filter(|plain| self.find(plain.symbol).is_none());
        if let Some(plain) = plain_unknown {
            return self.unknown_type(plain);
        }
        let (entity, _) = self.find_qualified(name)?;
        if let (Entity::Type(ty), None) = (&entity, &name.last().arguments) {
            if matches!(self.types.vector(ty.ty), Some((CTypes::DOUBLE, _))) {
                self.require_doubles(name.span)?;
            }
            return Ok(*ty);
        }
        if let Entity::AliasTemplate(alias) = entity {
            return self.type_of_alias(alias, name.last());
        }
        let ty = self.type_of_entity(&entity, name.last())?;
        Ok(Qual::plain(ty))
    }

    /// The type of an alias template with the template arguments of a segment.
    fn type_of_alias(&mut self, alias: AliasIndex, segment: &Segment) -> Res<Qual> {
        let alias = Rc::clone(&self.aliases[alias]);
        let span = segment.name.span;
        let written = segment.arguments.as_deref().unwrap_or(&[]);
        let arguments = self.template_values(written, &alias.parameters)?;
        let arguments =
            self.in_scope(alias.scope, |sema| sema.complete_arguments(&alias.parameters, arguments, span))?;
        let text = self.text(segment.name.symbol).to_owned();
        self.require_satisfied(alias.scope, &alias.parameters, &arguments, &text, span)?;
        self.deeper(span, |sema| {
            let scope = sema.bind(alias.scope, &alias.parameters, &arguments);
            sema.in_scope(scope, |sema| sema.type_name(&alias.target))
        })
    }

    fn unknown_type<T>(&mut self, name: Name) -> Res<T> {
        if self.use_failed(name.symbol) {
            return Err(Failed);
        }
        let text = self.text(name.symbol).to_owned();
        if let Some(error) = self.of_the_system(&text, name.span) {
            return self.fail(error);
        }
        let mut error = Diagnostic::error("unknown-type", name.span, format!("unknown type name `{text}`"));
        if let Some(skipped) = self.skipped.iter().find(|skipped| skipped.names.contains(&name.symbol)) {
            error = error
                .at(skipped.span, "this declaration was skipped because it is not understood")
                .help("`warpcc -ptx` takes any C++");
            return self.fail(error);
        }
        if let Some(hint) = self.cuda_hint(&text) {
            return self.fail(error.help(hint));
        }
        if let Some(hint) = self.later_hint(&text) {
            return self.fail(error.help(hint));
        }
        let builtin =
            ["int", "float", "double", "char", "bool", "void", "unsigned", "short", "long", "const"];
        let mut near = did_you_mean(&text, builtin).map(str::to_owned);
        for scope in self.scopes.outwards(self.scope) {
            let types = self.scopes.get(scope).names.iter().filter(|(_, entity)| {
                matches!(entity, Entity::Type(_) | Entity::RecordTemplate(_) | Entity::AliasTemplate(_))
            });
            near = near
                .or_else(|| did_you_mean(&text, types.map(|(name, _)| self.text(*name))).map(str::to_owned));
        }
        self.fail(error.meant(near))
    }

    /// The type of an entity, with the template arguments of a segment.
    pub(super) fn type_of_entity(&mut self, entity: &Entity, segment: &Segment) -> Res<CType> {
        let span = segment.name.span;
        match *entity {
            Entity::Type(ty) => Ok(ty.ty),
            Entity::RecordTemplate(template) => {
                let Some(arguments) = &segment.arguments else {
                    // Inside the class, its name alone is the class.
                    if let Some(record) = self.enclosing_instance(template) {
                        return Ok(self.types.intern(TypeKind::Record(record)));
                    }
                    let parameters = self.templates[template].decl.template.clone();
                    if let Some(parameters) = parameters {
                        let arguments = self.complete_arguments(&parameters, Vec::new(), span);
                        if let Ok(arguments) = arguments {
                            let record = self.instantiate_record(template, arguments, span)?;
                            return Ok(self.types.intern(TypeKind::Record(record)));
                        }
                    }
                    let text = self.text(segment.name.symbol).to_owned();
                    return self.error("template", span, format!("`{text}` needs template arguments"));
                };
                let parameters = self.templates[template].decl.template.clone();
                let Some(parameters) = parameters else {
                    return self.error("template", span, "this is no template");
                };
                let arguments = self.template_values(arguments, &parameters)?;
                // Defaults are names of the template's scope.
                let scope = self.templates[template].scope;
                let arguments =
                    self.in_scope(scope, |sema| sema.complete_arguments(&parameters, arguments, span))?;
                let record = self.instantiate_record(template, arguments, span)?;
                Ok(self.types.intern(TypeKind::Record(record)))
            }
            Entity::AliasTemplate(alias) => self.type_of_alias(alias, segment).map(|ty| ty.ty),
            Entity::Pack(_) => self.unexpanded(segment.name.symbol, span),
            _ => {
                let text = self.text(segment.name.symbol).to_owned();
                self.error("wrong-type", span, format!("`{text}` is not a type"))
            }
        }
    }

    /// `struct name` without a body.
    fn elaborated(&mut self, name: &QualifiedName) -> Res<Qual> {
        let Some(plain) = name.plain() else { return self.named_type(name) };
        if let Some((Entity::Type(_), _)) = self.find(plain.symbol) {
            return self.named_type(name);
        }
        // Variables and functions hide a type, but not from its keyword ([basic.lookup.elab]).
        let mut tags = self.scopes.outwards(self.scope).map(|scope| &self.scopes.get(scope).tags);
        if let Some(ty) = tags.find_map(|tags| tags.get(&plain.symbol).copied()) {
            return Ok(ty);
        }
        drop(tags);
        let id = self.new_record(Some(plain.symbol), self.scope, plain.span);
        let ty = Qual::plain(self.types.intern(TypeKind::Record(id)));
        self.declare_tag(plain.symbol, ty);
        Ok(ty)
    }

    /// Declares a type by its tag.
    pub(super) fn declare_tag(&mut self, name: Symbol, ty: Qual) {
        let scope = self.scopes.get_mut(self.scope);
        scope.tags.insert(name, ty);
        scope.names.insert(name, Entity::Type(ty));
    }

    /// Declares an enumeration and its values.
    pub(super) fn declare_enum(&mut self, decl: &Rc<EnumDecl>) -> Res<CType> {
        let mut underlying = CTypes::INT;
        if let Some(ty) = &decl.underlying {
            underlying = self.type_name(ty)?.ty;
            if self.types.int_type(underlying).is_none() && underlying != CTypes::BOOL {
                return self.error("wrong-type", ty.span, "the type of an enumeration must be an integer");
            }
        }
        let is_fixed = decl.scoped || decl.underlying.is_some();
        let info = EnumInfo {
            name: decl.name.map(|name| name.symbol),
            underlying,
            promoted: self.types.promoted(underlying),
            scoped: decl.scoped,
            is_fixed,
            parent: self.scope,
        };
        let id = self.types.enums.push(info);
        let ty = self.types.intern(TypeKind::Enum(id));
        let outer = self.scope;
        if let Some(name) = decl.name {
            self.declare_tag(name.symbol, Qual::plain(ty));
        }
        let own = decl.name.map(|name| self.scopes.add(outer, Owner::Enum(name.symbol)));
        let declare = |sema: &mut Self, name: Symbol, value: i128, ty: CType| {
            let scopes = [own, (!decl.scoped).then_some(outer)];
            for scope in scopes.into_iter().flatten() {
                let entity = Entity::Constant(Constant::Int(value), ty);
                sema.scopes.get_mut(scope).names.insert(name, entity);
            }
        };
        let (mut next, mut type_inside) = (0, underlying);
        let mut values = Vec::new();
        for (name, value) in decl.enumerators.iter().flatten() {
            if let Some(value) = value {
                let scope = own.unwrap_or(outer);
                let (known, ty) =
                    self.in_scope(scope, |sema| sema.constant_int(value, "the value of an enumerator"))?;
                next = known;
                type_inside = if is_fixed { underlying } else { ty };
            }
            if let (true, Some(int)) = (is_fixed, self.types.int_type(underlying))
                && int.wrap(next) != next
            {
                let shown = self.show(Qual::plain(underlying));
                let span = value.as_ref().map_or(name.span, |value| value.span);
                return self.error("wrong-type", span, format!("{next} does not fit in `{shown}`"));
            }
            values.push(next);
            // Before the end of the list, enumerators are numbers ([dcl.enum]/5).
            declare(self, name.symbol, next, type_inside);
            next += 1;
        }
        for ((name, _), value) in decl.enumerators.iter().flatten().zip(&values) {
            declare(self, name.symbol, *value, ty);
        }
        // Values that do not fit in `int` choose a wider type, or an unsigned one.
        if !is_fixed {
            let (low, high) =
                (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0));
            let fits = |bits: u32, signed: bool| {
                let (least, most) = if signed {
                    (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
                } else {
                    (0, (1i128 << bits) - 1)
                };
                low >= least && high <= most
            };
            let (signed, unsigned, long) = (fits(32, true), fits(32, false), fits(64, true));
            let info = &mut self.types.enums[id];
            info.underlying = match (low >= 0, signed, unsigned) {
                (true, _, true) => CTypes::UINT,
                (_, true, _) => CTypes::INT,
                (true, ..) => CTypes::ULONG,
                _ => CTypes::LONG,
            };
            info.promoted = match (signed, unsigned, long) {
                (true, ..) => CTypes::INT,
                (_, true, _) => CTypes::UINT,
                (.., true) => CTypes::LONG,
                _ => CTypes::ULONG,
            };
        }
        if self.rules.is_c && !self.rules.is_open_cl {
            return Ok(self.enum_of_c(decl, id, &values));
        }
        Ok(ty)
    }

    /// An enumeration of C is an integer type, and its enumerators have type `int`.
    fn enum_of_c(&mut self, decl: &EnumDecl, id: EnumId, values: &[i128]) -> CType {
        let EnumInfo { underlying, promoted, .. } = self.types.enums[id];
        let names = &mut self.scopes.get_mut(self.scope).names;
        for ((name, _), value) in decl.enumerators.iter().flatten().zip(values) {
            names.insert(name.symbol, Entity::Constant(Constant::Int(*value), promoted));
        }
        if let Some(name) = decl.name {
            self.declare_tag(name.symbol, Qual::plain(underlying));
        }
        underlying
    }
}

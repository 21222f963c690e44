//! Bodies of functions and constructors.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Sema;
use super::cells::Cells;
use super::scope::{Entity, FunctionIndex, LocalInfo, Owner, ScopeId};
use super::types::{CType, CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{FunctionName, OuterClass, Res, TemplateValue, Value};
use crate::arena::Arena;
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, LabelId, Linkage, LocalId, LocalKind, PlaceKind, Stmt};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{DeclaratorName, Flags, FunctionBody, FunctionDecl, Operator, Parameter};

/// Variables that a function may have, with temporaries.
const MAX_LOCALS: usize = 200_000;

/// A `switch` whose body is analyzed.
#[derive(Debug, Default)]
pub(super) struct Switch {
    pub(super) cases: Vec<(i128, LabelId)>,
    pub(super) spans: Vec<Span>,
    pub(super) default: Option<LabelId>,
    pub(super) ty: Option<CType>,
}

/// The function whose body is analyzed.
#[derive(Debug)]
pub(super) struct FunctionState {
    /// Number that no other function has.
    pub(super) number: u32,
    /// The call outside of the compiler's headers that led to it.
    pub(super) origin: Span,
    /// Number of its declaration in the file.
    pub(super) order: u32,
    /// Whether it is made from a template, where names may be declared later.
    pub(super) in_template: bool,
    /// The scope around the innermost `try` block.
    pub(super) around_try: Option<ScopeId>,
    pub(super) is_kernel: bool,
    /// Its instance; `None` for code that the compiler adds.
    pub(super) instance: Option<hir::FunctionId>,
    /// Name in messages.
    pub(super) name: String,
    /// Name in PTX.
    pub(super) symbol: String,
    pub(super) this: Option<(LocalId, Qual)>,
    /// The object that the initializers of its members initialize, in place of `this`.
    pub(super) object: Option<Value>,
    /// Type of the result; `auto` before the first `return`.
    pub(super) result: Qual,
    pub(super) locals: Arena<LocalId, hir::Local>,
    pub(super) labels: u32,
    /// Labels by name: index, whether it is defined, first place.
    pub(super) named: FxHashMap<Symbol, (LabelId, bool, Span)>,
    pub(super) loops: u32,
    pub(super) breakable: u32,
    pub(super) switches: Vec<Switch>,
    /// The parameter with the address of the arguments of `...` (host).
    pub(super) variadic: Option<LocalId>,
    /// The variable that every `return` of the function names: it is made where the result goes.
    pub(super) returned: Option<Symbol>,
    /// Whether objects of the current scope are registered for destruction.
    pub(super) deferred: bool,
    /// Statements that compute the sizes of the arrays of variable length whose types have been
    /// written (host).
    pub(super) sizes: Vec<Stmt>,
    /// The list of the memory that `alloca` gave it (host).
    pub(super) stacked: Option<LocalId>,
    /// Static variables so far by name.
    pub(super) statics: FxHashMap<Symbol, u32>,
    /// Its variables that are constant objects, with their values.
    pub(super) constants: FxHashMap<LocalId, Rc<Cells>>,
}

impl FunctionState {
    /// A function without statements.
    pub(super) fn new(number: u32, name: &str) -> Self {
        Self {
            number,
            origin: Span::NONE,
            order: u32::MAX,
            in_template: false,
            around_try: None,
            is_kernel: false,
            instance: None,
            name: name.to_owned(),
            symbol: name.to_owned(),
            this: None,
            object: None,
            result: Qual::plain(CTypes::VOID),
            locals: Arena::default(),
            labels: 0,
            named: FxHashMap::default(),
            loops: 0,
            breakable: 0,
            switches: Vec::new(),
            variadic: None,
            returned: None,
            deferred: false,
            sizes: Vec::new(),
            stacked: None,
            statics: FxHashMap::default(),
            constants: FxHashMap::default(),
        }
    }
}

fn inlining(flags: Flags) -> hir::Inlining {
    match flags {
        Flags { forceinline: true, .. } => hir::Inlining::Always,
        Flags { noinline: true, .. } => hir::Inlining::Never,
        _ => hir::Inlining::Auto,
    }
}

impl Sema<'_> {
    /// Adds a variable to the current function.
    pub(super) fn new_local(&mut self, name: String, ty: Qual, kind: LocalKind, span: Span) -> Res<LocalId> {
        if self.function.is_none() {
            let error = Diagnostic::error("not-constant", span, "the value must be a constant")
                .label("this needs code that runs");
            return self.fail(error);
        }
        let hir_ty = self.hir_type(ty.ty, span)?;
        let align = self.hir.align(hir_ty);
        let c_type = self.show(ty);
        let object = self.object_of(ty);
        let local = hir::Local { name, ty: hir_ty, c_type, kind, align, object, span };
        let Some(function) = &mut self.function else { return Err(super::Failed) };
        let id = function.locals.push(local);
        if function.locals.len() > MAX_LOCALS {
            return self.error("limit", span, "the function has too many variables");
        }
        Ok(id)
    }

    /// Makes a variable visible in the current scope.
    pub(super) fn declare_local(&mut self, name: Symbol, local: LocalId, ty: Qual, span: Span) -> Res<()> {
        let number = self.function.as_ref().map_or(0, |function| function.number);
        let scope = self.scope;
        let info = LocalInfo { local, ty, function: number, known: None, span };
        let names = &mut self.scopes.get_mut(scope).names;
        if let Some(Entity::Local(first)) = names.insert(name, Entity::Local(info)) {
            let text = self.text(name).to_owned();
            let error =
                Diagnostic::error("redefinition", span, format!("`{text}` is declared twice in this block"))
                    .at(first.span, "first declaration");
            return self.fail(error);
        }
        Ok(())
    }

    /// Analyzes the body of an instance.
    pub(super) fn analyze_instance(&mut self, id: hir::FunctionId) {
        let instance = &mut self.instances[id];
        if std::mem::replace(&mut instance.started, true) {
            return;
        }
        let outer =
            (self.function.take(), std::mem::take(&mut self.is_unevaluated), self.made_lambdas.take());
        let (mark, stopped) = (self.out.mark(), self.out.is_stopped());
        let made = self.instance_body(id);
        (self.function, self.is_unevaluated, self.made_lambdas) = outer;
        let origin = self.instances[id].origin;
        if !stopped {
            self.move_stop(origin);
        }
        self.name_origin(mark, origin);
        if let Ok(made) = made {
            self.instances[id].body = Some(made);
        }
    }

    /// Adds the user's call to messages about code of the compiler's headers.
    fn name_origin(&mut self, mark: usize, origin: Span) {
        if !self.rules.has_library || self.out.mark() == mark || self.is_builtin(origin) {
            return;
        }
        for message in self.out.truncate(mark) {
            let in_header = message.place().is_some_and(|place| self.is_builtin(place));
            self.out.push(if in_header { message.at(origin, "needed here") } else { message });
        }
    }

    /// Moves the error about a limit from the compiler's headers to the user's call.
    fn move_stop(&mut self, origin: Span) {
        let Some(place) = self.out.stop_place().map(|place| *place) else { return };
        if origin != Span::NONE
            && self.is_builtin(place)
            && let Some(place) = self.out.stop_place()
        {
            *place = origin;
        }
    }

    fn instance_body(&mut self, id: hir::FunctionId) -> Res<hir::Function> {
        let instance = &self.instances[id];
        let (function, scope, signature) = (instance.function, instance.scope, instance.signature.clone());
        let (needed_at, origin) = (instance.needed_at, instance.origin);
        let arguments = instance.arguments.clone();
        match self.functions[function].name {
            FunctionName::Covariant(of) => return self.forwarding_function(id, of, 0, &signature),
            FunctionName::Moved(of, distance) => {
                return self.forwarding_function(id, of, distance, &signature);
            }
            _ => {}
        }
        let Some((decl, scope)) = self.definition(function, scope, &arguments) else {
            return self.without_body(id, function, &signature, needed_at);
        };
        let info = &self.functions[function];
        let (is_kernel, class, is_static) = (info.global, info.class, info.is_static);
        let (order, span) = (info.body_order, info.span);
        let kind = info.name;
        let is_const = info.is_const;
        let in_template = info.template.is_some() || class.is_some();
        let mut name = self.function_name(function);
        if !arguments.is_empty() {
            name.push_str(&self.show_arguments(&arguments));
        }
        // Only kernels of host code have names in PTX.
        let linkage = self.function_linkage(id);
        let is_known =
            self.rules.has_device_code || is_kernel || self.is_part && linkage != Linkage::Internal;
        let symbol = if is_known { self.mangled(id) } else { name.clone() };
        self.function_count += 1;
        let made = FunctionState::new(self.function_count, &name);
        self.function = Some(FunctionState {
            origin,
            order,
            in_template,
            is_kernel,
            instance: Some(id),
            symbol: symbol.clone(),
            result: signature.result,
            ..made
        });
        let own = self.scopes.add(scope, Owner::Block);
        let outer = std::mem::replace(&mut self.scope, own);
        let result =
            self.function_statements(&decl, &signature, class.filter(|_| !is_static), is_const, kind);
        self.scope = outer;
        let body = self.unstacked(result?, span)?;
        let Some(state) = self.function.take() else { return Err(super::Failed) };
        let body = self.without_exceptions(id, body)?;
        let deduced = self.types.contains_auto(state.result);
        let result_ty = if deduced { Qual::plain(CTypes::VOID) } else { state.result };
        self.instances[id].signature.result = result_ty;
        let trailing = decl.declarator.function().and_then(|chunk| chunk.trailing.as_ref());
        let written = trailing.map_or(&decl.specifiers, |ty| &ty.specifiers);
        if written.constraint.is_some() {
            self.in_scope(scope, |sema| sema.check_placeholder(written, signature.result, result_ty))?;
        }
        let flags = decl.specifiers.flags;
        if flags.noinline && state.locals.iter().any(|local| local.object.is_some()) {
            let message = "`noinline` has no effect: functions with images or samplers are inlined";
            self.out.push(Diagnostic::warning("attribute", span, message));
        }
        let launch_bounds =
            self.in_scope(scope, |sema| sema.launch_bounds(&decl.specifiers.launch_bounds))?;
        let work_group = self.in_scope(scope, |sema| {
            sema.work_group_size(&decl.specifiers.attributes, "reqd_work_group_size")
        })?;
        let attributes = self.in_scope(scope, |sema| sema.attribute_texts(&decl.specifiers.attributes))?;
        let end = match &decl.body {
            FunctionBody::Block(block) => block.end,
            _ => span,
        };
        let parameters =
            state.locals.ids().filter(|local| state.locals[*local].kind == LocalKind::Parameter).collect();
        Ok(hir::Function {
            name,
            symbol,
            kind: if is_kernel && self.rules.has_device_code {
                hir::FunctionKind::Kernel
            } else {
                self.rules.function_kind
            },
            linkage,
            result: self.hir_type(result_ty.ty, span)?,
            parameters,
            locals: state.locals,
            labels: state.labels,
            body,
            inlining: inlining(flags),
            launch_bounds,
            attributes,
            work_group,
            is_builtin: self.is_builtin(span),
            span,
            origin,
            end,
        })
    }

    /// A function without a body: it may be in another file.
    fn without_body(
        &mut self,
        id: hir::FunctionId,
        function: FunctionIndex,
        signature: &Signature,
        needed_at: Span,
    ) -> Res<hir::Function> {
        let info = &self.functions[function];
        let is_library = self.is_builtin(info.span);
        if (self.is_part || info.decl.is_pure || is_library) && !self.rules.has_device_code {
            return self.declared_function(id, function, signature);
        }
        let (place, name) = (info.span, self.function_name(function));
        let help = if self.rules.has_device_code {
            "include its definition: only `nvcc -rdc=true` links device code of several files"
        } else {
            "define it, or give the file that defines it, too"
        };
        let error =
            Diagnostic::error("undefined-function", needed_at, format!("function `{name}` has no body"))
                .at(place, "declared here")
                .help(help);
        self.fail(error)
    }

    /// A function of another file or of the library, or a pure virtual function.
    fn declared_function(
        &mut self,
        id: hir::FunctionId,
        function: FunctionIndex,
        signature: &Signature,
    ) -> Res<hir::Function> {
        let info = &self.functions[function];
        let (span, is_redeclared, is_pure) = (info.span, info.is_redeclared, info.decl.is_pure);
        // A pointer to a function of the library refers to a function that calls it.
        let is_library = self.is_builtin(span) && !is_pure;
        let has_object = info.class.is_some() && !info.is_static;
        let result = self.hir_type(signature.result.ty, span)?;
        let name = self.function_name(function);
        let mut made = hir::Function {
            symbol: self.mangled(id),
            kind: self.rules.function_kind,
            linkage: Linkage::Undefined,
            result,
            parameters: Vec::new(),
            locals: Arena::default(),
            labels: 0,
            body: Vec::new(),
            inlining: hir::Inlining::Auto,
            launch_bounds: None,
            attributes: String::new(),
            work_group: None,
            is_builtin: false,
            span,
            origin: self.instances[id].needed_at,
            end: span,
            name,
        };
        self.function_count += 1;
        self.function = Some(FunctionState::new(self.function_count, &made.name));
        let mut values = Vec::new();
        let object = Qual::plain(self.types.pointer(Qual::plain(CTypes::VOID)));
        for ty in has_object.then_some(&object).into_iter().chain(&signature.parameters) {
            let local = self.new_local(String::new(), *ty, LocalKind::Parameter, span)?;
            if is_redeclared || is_library {
                let value = self.rvalue(Value::place(PlaceKind::Local(local), *ty, span))?;
                values.push(self.expr(value)?);
            }
            made.parameters.push(local);
        }
        if signature.variadic {
            let list = Qual::plain(self.types.pointer(Qual::plain(CTypes::VOID)));
            made.parameters.push(self.new_local(String::new(), list, LocalKind::Parameter, span)?);
        }
        made.locals = self.function.take().map(|state| state.locals).unwrap_or_default();
        if is_pure {
            let stop = self.prelude_function("__ws_pure_virtual", Vec::new(), span)?;
            let kind = Hir::Call(stop, Vec::new());
            let kind = hir::StmtKind::Expr(hir::Expr { kind, ty: hir::Types::VOID, span });
            made.body = vec![Stmt { kind, span }];
            made.linkage = Linkage::Internal;
        }
        if !is_redeclared && !is_library {
            return Ok(made);
        }
        let call = Hir::Intrinsic(hir::Intrinsic::Library(made.name.clone()), values);
        let call = hir::Expr { kind: call, ty: result, span };
        let kind = if result == hir::Types::VOID {
            hir::StmtKind::Expr(call)
        } else {
            hir::StmtKind::Return(Some(call))
        };
        made.body = vec![Stmt { kind, span }];
        made.linkage = if is_library { Linkage::Internal } else { Linkage::Library };
        Ok(made)
    }

    /// The declaration with the body of a function, and the scope in which it is analyzed.
    fn definition(
        &mut self,
        function: FunctionIndex,
        scope: ScopeId,
        own: &[TemplateValue],
    ) -> Option<(std::rc::Rc<FunctionDecl>, ScopeId)> {
        let info = &self.functions[function];
        if let FunctionBody::Block(_) | FunctionBody::Defaulted = info.decl.body {
            return Some((info.decl.clone(), scope));
        }
        // A method of a class template may be defined outside the class.
        let class = info.class?;
        let (home, _) = self.home_of(class)?;
        let (template, _) = self.records[home].template.clone()?;
        let (name, count, is_const) = (info.name, info.defaults.len(), info.is_const);
        let reference = info.reference();
        let more = info.template.as_ref().map(|template| template.list.len());
        let types = info.signature.clone();
        let result = info.signature.as_ref().map(|signature| signature.result);
        let outer = self.templates[template].outer.clone();
        let inside = self.records[class].scope;
        let around = |sema: &mut Self, (outer, decl): &(OuterClass, Rc<FunctionDecl>)| {
            let parameters = decl.template.as_ref()?;
            Some(match &parameters.outer {
                Some(of_class) => {
                    let scope = sema.bind_outer(inside, class, (outer, of_class))?;
                    sema.bind(scope, parameters, own)
                }
                None => sema.bind_outer(scope, class, (outer, parameters))?,
            })
        };
        let mut found: Vec<_> = outer
            .into_iter()
            .filter(|outer| {
                let decl = &outer.1;
                let same_name = match (&decl.declarator.name, name) {
                    (DeclaratorName::Qualified(qualified), FunctionName::Plain(symbol)) => {
                        qualified.last().name.symbol == symbol
                    }
                    (DeclaratorName::Operator(_, one), FunctionName::Operator(other)) => *one == other,
                    (DeclaratorName::Constructor(_), FunctionName::Constructor)
                    | (DeclaratorName::Destructor(_), FunctionName::Destructor) => true,
                    // Conversions differ in their types only.
                    (DeclaratorName::Conversion(..), FunctionName::Conversion) => {
                        let Some(scope) = around(self, outer) else { return false };
                        let own = self.in_scope(scope, |sema| sema.function_type(decl));
                        own.is_ok_and(|own| Some(own.result) == result)
                    }
                    _ => false,
                };
                let parameters = decl.declarator.function().map_or(0, |chunk| chunk.parameters.len());
                let is_template = decl.template.as_ref().is_some_and(|template| template.outer.is_some());
                let own = decl.template.as_ref().filter(|_| is_template).map(|template| template.list.len());
                same_name
                    && parameters == count
                    && own == more
                    && matches!(decl.body, FunctionBody::Block(_) | FunctionBody::Defaulted)
                    && around(self, outer).is_some()
            })
            .collect();
        if found.len() > 1 {
            // Overloads differ in the types of their parameters.
            found.retain(|outer| {
                let Some(scope) = around(self, outer) else { return false };
                let decl = &outer.1;
                let mark = self.out.mark();
                let own = self.in_scope(scope, |sema| sema.function_type(decl));
                self.out.truncate(mark);
                let is_same = types
                    .as_ref()
                    .is_none_or(|types| own.is_ok_and(|own| super::declare::same_parameters(&own, types)));
                let chunk = decl.declarator.function();
                is_same
                    && chunk.is_some_and(|chunk| chunk.is_const == is_const && chunk.reference == reference)
            });
        }
        let found = found.into_iter().next()?;
        let scope = around(self, &found)?;
        Some((found.1, scope))
    }

    fn function_statements(
        &mut self,
        decl: &FunctionDecl,
        signature: &Signature,
        class: Option<RecordId>,
        is_const: bool,
        kind: FunctionName,
    ) -> Res<Vec<Stmt>> {
        self.lifetimes(|sema| sema.function_statements_inner(decl, signature, class, is_const, kind))
    }

    fn function_statements_inner(
        &mut self,
        decl: &FunctionDecl,
        signature: &Signature,
        class: Option<RecordId>,
        is_const: bool,
        kind: FunctionName,
    ) -> Res<Vec<Stmt>> {
        if let Some(class) = class {
            let ty = self.types.intern(TypeKind::Record(class));
            let to = if is_const { Qual::constant(ty) } else { Qual::plain(ty) };
            let pointer = Qual::plain(self.types.pointer(to));
            let local =
                self.new_local("this".to_owned(), pointer, LocalKind::Parameter, decl.declarator.span)?;
            if let Some(function) = &mut self.function {
                function.this = Some((local, pointer));
            }
        }
        let parameters = decl.declarator.function().map_or(&[][..], |chunk| &chunk.parameters);
        let variadic = decl.declarator.function().is_some_and(|chunk| chunk.variadic);
        let is_kernel = self.function.as_ref().is_some_and(|function| function.is_kernel);
        if variadic && (is_kernel || self.rules.is_open_cl) {
            return self.unsupported(decl.declarator.span, "a function with `...`");
        }
        let mut out = Vec::new();
        let mut own = None;
        self.declare_parameters(parameters, &signature.parameters, |sema, name, ty, span| {
            sema.require_complete(ty.ty, span)?;
            sema.refuse_abstract(ty.ty, span)?;
            if sema.function.as_ref().is_some_and(|function| function.is_kernel)
                && sema.types.referent(ty.ty).is_some()
            {
                let error =
                    Diagnostic::error("wrong-type", span, "a parameter of a kernel cannot be a reference")
                        .help("pass the value, or a pointer to device memory");
                return sema.fail(error);
            }
            let local = sema.new_local(name, ty, LocalKind::Parameter, span)?;
            own = Some((local, ty));
            Ok(local)
        })?;
        let span = decl.declarator.span;
        if variadic {
            let ty = Qual::plain(self.types.pointer(Qual::plain(CTypes::ULLONG)));
            let list = self.new_local("...".to_owned(), ty, LocalKind::Parameter, span)?;
            if let Some(function) = &mut self.function {
                function.variadic = Some(list);
            }
        }
        if self.rules.is_c && self.rules.has_library {
            self.variable_parameters(parameters, &mut out)?;
        }
        if let (FunctionName::Destructor, Some(class)) = (kind, class) {
            if let Some(object) = self.method_object(span).filter(|_| !self.records[class].slots.is_empty()) {
                self.set_tables(&object, class, span, &mut out)?;
            }
            self.defer_members(class, span, &mut out)?;
        }
        if let Some(inherited) = self.inherited_constructor() {
            let Some(class) = class else { return Err(super::Failed) };
            self.inherited_body(class, inherited, &signature.parameters, span, &mut out)?;
            return Ok(out);
        }
        if let (FunctionBody::Defaulted, Some(class)) = (&decl.body, class) {
            if let (None, Some(ty)) = (own, signature.parameters.first()) {
                own = Some((self.new_local("other".to_owned(), *ty, LocalKind::Parameter, span)?, *ty));
            }
            match (kind, own) {
                (FunctionName::Operator(operator @ Operator::Symbol(punct)), Some(own))
                    if operator.compares() =>
                {
                    self.defaulted_comparison(punct, class, own, span, &mut out)?;
                }
                _ => self.defaulted_body(kind, class, own, span, &mut out)?,
            }
            return Ok(out);
        }
        let FunctionBody::Block(body) = &decl.body else { return Err(super::Failed) };
        let returned = super::returns::returned_variable(&body.statements);
        if let Some(function) = &mut self.function {
            function.returned = returned;
        }
        if body.is_try && kind == FunctionName::Destructor {
            return self.unsupported(decl.declarator.span, "a destructor whose body is a `try` block");
        }
        if let (true, FunctionName::Constructor, Some(class)) = (body.is_try, kind, class) {
            self.constructor_try(body, class, decl.declarator.span, &mut out)?;
            return Ok(out);
        }
        if let (FunctionName::Constructor, Some(class)) = (kind, class) {
            self.constructor_members(body, class, decl.declarator.span, &mut out)?;
        }
        let inner = self.scopes.add(self.scope, Owner::Block);
        let mut failed = false;
        self.in_scope(inner, |sema| {
            for statement in &body.statements {
                failed |= sema.statement(statement, &mut out).is_err();
            }
        });
        self.check_labels(&mut failed);
        if failed {
            return Err(super::Failed);
        }
        Ok(out)
    }

    /// Declares the variables that a step makes of parameters with these types. The step has the
    /// name of the variable; `a#1` is the second element of pack `a`.
    pub(super) fn declare_parameters(
        &mut self,
        parameters: &[Parameter],
        types: &[Qual],
        mut make: impl FnMut(&mut Self, String, Qual, Span) -> Res<LocalId>,
    ) -> Res<()> {
        let function = self.function.as_ref().map_or(0, |function| function.number);
        let mut types = types.iter().copied();
        for parameter in parameters {
            let span = parameter.declarator.span;
            let name =
                if let DeclaratorName::Plain(name) = &parameter.declarator.name { Some(*name) } else { None };
            let text = name.map_or(String::new(), |name| self.text(name.symbol).to_owned());
            let Some(packs) = &parameter.pack else {
                let Some(ty) = types.next() else { break };
                let local = make(self, text, ty, span)?;
                if let Some(name) = name {
                    self.declare_local(name.symbol, local, ty, span)?;
                }
                continue;
            };
            let mut elements = Vec::new();
            for at in 0..self.pack_length(packs, span)? {
                let Some(ty) = types.next() else { break };
                let text = if text.is_empty() { String::new() } else { format!("{text}#{at}") };
                let local = make(self, text, ty, span)?;
                elements.push(Entity::Local(LocalInfo { local, ty, function, known: None, span }));
            }
            if let Some(name) = name {
                self.declare(name.symbol, Entity::Pack(elements.into()));
            }
        }
        Ok(())
    }

    pub(super) fn check_labels(&mut self, failed: &mut bool) {
        let Some(function) = &self.function else { return };
        let missing: Vec<(Symbol, Span)> = function
            .named
            .iter()
            .filter(|(_, (_, defined, _))| !defined)
            .map(|(name, (_, _, span))| (*name, *span))
            .collect();
        for (name, span) in missing {
            let text = self.text(name).to_owned();
            let _ = self.error::<()>(
                "undeclared-name",
                span,
                format!("label `{text}` does not exist in this function"),
            );
            *failed = true;
        }
    }

    /// A read of a variable of the function.
    #[expect(clippy::unused_self, reason = "called like the other methods that make values")]
    pub(super) fn read_local(&mut self, local: LocalId, ty: Qual, span: Span) -> Value {
        Value::place(PlaceKind::Local(local), ty, span)
    }

    /// The initial value of a variable, if one store gives it all of its value.
    pub(super) fn single_store(parts: &mut Vec<hir::Expr>, local: LocalId) -> Option<hir::Expr> {
        let [hir::Expr { kind: Hir::Assign(place, _), .. }] = parts.as_slice() else { return None };
        let whole = matches!(place.kind, PlaceKind::Local(id) if id == local);
        if !whole {
            return None;
        }
        match parts.pop()?.kind {
            Hir::Assign(_, value) => Some(*value),
            _ => None,
        }
    }
}

//! Values of names: variables, functions, members and built-in variables.

use super::Sema;
use super::scope::{Entity, FunctionIndex, LocalInfo, Owner, ScopeId, Scopes, TemplateIndex, VariableIndex};
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{FunctionName, FunctionSet, Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, Axis, ExprKind as Hir, Intrinsic, PlaceKind, Special, Storage};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::Keyword;
use crate::syntax::ast::{QualifiedName, Segment};

/// How the name of a function is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spelling {
    /// The name alone: `__func__`.
    Name,
    /// With types as GNU's compiler writes them, `char*`: `__PRETTY_FUNCTION__`.
    Gnu,
    /// With types as nvcc writes them, `char *`: messages of `assert` in kernels.
    Nvcc,
}

impl Sema<'_> {
    pub(super) fn this(&mut self, span: Span) -> Res<Value> {
        if let Some(object) = self.function.as_ref().and_then(|function| function.object.clone()) {
            let ty = self.types.pointer(object.ty);
            let address = self.address(object)?;
            return Ok(Value::rvalue(address.kind, ty, span));
        }
        let Some((local, ty)) = self.function.as_ref().and_then(|function| function.this) else {
            return self.error("wrong-type", span, "`this` exists in methods only");
        };
        if self.types.pointee(ty.ty).is_some_and(|to| self.is_closure(to.ty)) {
            let Some(object) = self.this_object(span) else {
                let error = Diagnostic::error("wrong-type", span, "the lambda expression has no `this`")
                    .help("capture it in a method: `[this]`");
                return self.fail(error);
            };
            let ty = self.types.pointer(object.ty);
            let address = self.address(object)?;
            return Ok(Value::rvalue(address.kind, ty, span));
        }
        let place = self.make_place(PlaceKind::Local(local), ty, span)?;
        Ok(Value::rvalue(Hir::Load(Box::new(place)), ty.ty, span))
    }

    /// The object of `this`: in a lambda expression, the object that it captures.
    pub(super) fn this_object(&mut self, span: Span) -> Option<Value> {
        if let Some(object) = self.function.as_ref().and_then(|function| function.object.clone()) {
            return Some(Value { span, ..object });
        }
        let object = self.method_object(span)?;
        let record = self.types.record(object.ty.ty)?;
        if self.records[record].lambda.is_none() {
            return Some(object);
        }
        let is_this = |name: Symbol| Keyword::of(name) == Some(Keyword::This);
        let mut fields = self.records[record].fields.iter();
        let Some(at) = fields.position(|field| field.name.is_some_and(is_this)) else {
            return self.uncaptured_object(span);
        };
        let captured = self.field_at(object, at as u32, span).ok()?;
        if self.types.pointee(captured.ty.ty).is_none() {
            return Some(captured);
        }
        let pointer = self.rvalue(captured).ok()?;
        self.deref(pointer, span).ok()
    }

    /// The object of `this` in an operand that is not evaluated: it needs no capture.
    fn uncaptured_object(&mut self, span: Span) -> Option<Value> {
        let class = self.scopes.outwards(self.scope).find_map(|scope| match self.scopes.get(scope).owner {
            Owner::Record(record) if self.records[record].lambda.is_none() => Some(record),
            _ => None,
        });
        let class = class.filter(|_| self.is_unevaluated)?;
        let ty = self.types.intern(TypeKind::Record(class));
        self.object_without_value(Qual::plain(ty), span).ok()
    }

    /// An object for an operand that is not evaluated.
    fn object_without_value(&mut self, ty: Qual, span: Span) -> Res<Value> {
        let ty = self.types.referent(ty.ty).unwrap_or(ty);
        let pointer = self.types.pointer(ty);
        let address = self.make(Hir::Int(0), pointer, span)?;
        Ok(Value::deref(address, ty, span))
    }

    /// The object of a method; the object of a lambda expression in its body.
    pub(super) fn method_object(&mut self, span: Span) -> Option<Value> {
        let function = self.function.as_ref()?;
        if let Some(object) = &function.object {
            return Some(Value { span, ..object.clone() });
        }
        let (local, ty) = function.this?;
        let place = self.make_place(PlaceKind::Local(local), ty, span).ok()?;
        self.deref(Value::rvalue(Hir::Load(Box::new(place)), ty.ty, span), span).ok()
    }

    /// Whether a type is the class of a lambda expression.
    fn is_closure(&self, ty: CType) -> bool {
        self.types.record(ty).is_some_and(|record| self.records[record].lambda.is_some())
    }

    /// The object of a lambda expression that captures a variable.
    fn captured_object(&mut self, symbol: Symbol, lambda: RecordId, span: Span) -> Res<Value> {
        let object = self.method_object(span);
        if let Some(object) = object.filter(|object| self.types.record(object.ty.ty) == Some(lambda)) {
            return Ok(object);
        }
        if self.is_unevaluated {
            let ty = self.types.intern(TypeKind::Record(lambda));
            return self.object_without_value(Qual::plain(ty), span);
        }
        let text = self.text(symbol).to_owned();
        let error =
            Diagnostic::error("unsupported", span, format!("`{text}` belongs to another lambda expression"))
                .help("capture it with `[=]` or `[&]`, or pass it as an argument");
        self.fail(error)
    }

    /// The object with a member that a name alone names: a captured variable, or a member of the
    /// object of `this`.
    fn object_of_name(&mut self, symbol: Symbol, scope: ScopeId, span: Span) -> Res<Value> {
        if let Some(lambda) = self.lambda_of(scope) {
            return self.captured_object(symbol, lambda, span);
        }
        if let Some(object) = self.this_object(span) {
            return Ok(object);
        }
        self.no_object(symbol, scope, span)
    }

    /// Reports a member without an object.
    fn no_object<T>(&mut self, symbol: Symbol, scope: ScopeId, span: Span) -> Res<T> {
        let (text, class) = (self.text(symbol).to_owned(), self.scope_name(scope));
        let message = format!("`{text}` is a member of `{class}` and needs an object");
        let error = Diagnostic::error("wrong-type", span, message);
        let in_lambda = self.method_object(span).is_some_and(|object| self.is_closure(object.ty.ty));
        self.fail(if in_lambda { error.help("capture `this` in the lambda expression") } else { error })
    }

    /// The value of a name.
    pub(super) fn name_value(&mut self, name: &QualifiedName) -> Res<Value> {
        let span = name.span;
        if let Some(plain) = name.plain()
            && self.find(plain.symbol).is_none()
        {
            return match self.builtin_variable(plain.symbol, span)? {
                Some(value) => Ok(value),
                None => self.undeclared(plain),
            };
        }
        let (entity, scope) = self.find_qualified(name)?;
        let symbol = name.last().name.symbol;
        if let Entity::RecordTemplate(template) = entity
            && self.templates[template].decl.is_variable
        {
            if self.templates[template].decl.is_concept {
                return self.concept_value(template, name.last(), span);
            }
            return self.template_variable(template, name.last(), span);
        }
        match entity {
            Entity::Local(local) => self.local_value(local, symbol, span),
            Entity::Bound(place, ty, function) => {
                if self.function.as_ref().map(|own| own.number) != Some(function) {
                    let text = self.text(symbol).to_owned();
                    let message = format!("`{text}` refers to a bit field and cannot be captured");
                    return self.error("wrong-type", span, message);
                }
                Ok(Value::place(PlaceKind::clone(&place), ty, span))
            }
            Entity::Static(global, ty) => self.global_value(global, ty, span),
            Entity::Variable(variable) => self.variable_value(variable, span),
            Entity::Constant(constant, ty) => Ok(Value::constant(constant, ty, span)),
            Entity::Address(variable, ty) => self.address_argument(variable, ty, span),
            Entity::Functions(mut functions) => {
                if name.plain().is_some() && scope == Scopes::FILE {
                    self.add_directive_functions(symbol, &mut functions);
                }
                let arguments = match &name.last().arguments {
                    Some(arguments) => Some(self.explicit_values(arguments, &functions)?),
                    None => None,
                };
                let is_method = functions.iter().any(|one| {
                    let info = &self.functions[*one];
                    info.class.is_some() && !info.is_static
                });
                let mut object = if is_method { self.this_object(span) } else { None };
                let needs_object = functions.iter().all(|one| !self.functions[*one].is_static);
                if is_method && needs_object && object.is_none() && name.plain().is_some() {
                    return self.no_object(symbol, scope, span);
                }
                // `Base::f()` calls that function.
                let class = functions.first().and_then(|one| self.functions[*one].class);
                if let (Some(this), Some(class), None) = (&object, class, name.plain()) {
                    let this = self.named_part(this.clone(), name)?;
                    object = Some(self.base_of(this, class)?);
                }
                let is_named = name.plain().is_none();
                let set = FunctionSet { functions, arguments, object, is_named, name: symbol };
                let ty = Qual::plain(CTypes::VOID);
                Ok(Value { kind: ValueKind::Functions(Box::new(set)), ty, span })
            }
            Entity::Field => {
                let object = self.object_of_name(symbol, scope, span)?;
                let object = self.named_part(object, name)?;
                if let Some(record) = self.types.record(object.ty.ty) {
                    self.check_base_of_field(record, scope, span)?;
                }
                self.field(object, symbol, span)
            }
            Entity::FieldAt(lambda, at) => {
                let object = self.captured_object(symbol, lambda, span)?;
                let member = self.field_at(object, at, span)?;
                self.referred_member(member, span)
            }
            Entity::Pack(_) => self.unexpanded(symbol, span),
            Entity::Ambiguous(record) => self.ambiguous_member(record, symbol, span),
            Entity::OfHost => self.not_captured(symbol, span),
            Entity::Error => Err(super::Failed),
            Entity::Type(_) | Entity::RecordTemplate(_) | Entity::AliasTemplate(_) => {
                self.error("wrong-type", span, format!("`{}` is a type, not a value", self.text(symbol)))
            }
            Entity::Namespace(_) => {
                let text = self.text(symbol).to_owned();
                self.error("wrong-type", span, format!("`{text}` is a namespace, not a value"))
            }
        }
    }

    /// The value of a template argument that is the address of a variable.
    fn address_argument(&mut self, variable: VariableIndex, ty: CType, span: Span) -> Res<Value> {
        let object = self.variable_value(variable, span)?;
        let is_whole = self.types.pointee(ty).is_some_and(|to| to.ty == object.ty.ty);
        let pointer = if is_whole {
            let pointer = self.types.pointer(object.ty);
            Value::rvalue(self.address(object)?.kind, pointer, span)
        } else {
            self.rvalue(object)?
        };
        let address = self.convert(pointer, Qual::plain(ty), "the template argument")?;
        Ok(Value::rvalue(address.kind, ty, span))
    }

    /// The part of an object with the base class that a qualified name names.
    fn named_part(&mut self, object: Value, name: &QualifiedName) -> Res<Value> {
        let Some((_, front)) = name.segments.split_last().filter(|(_, front)| !front.is_empty()) else {
            return Ok(object);
        };
        let scope = self.scope_of_front(name, front)?;
        match self.scopes.get(scope).owner {
            Owner::Record(named) => self.base_of(object, named),
            _ => Ok(object),
        }
    }

    /// The variable of a variable template with arguments.
    fn template_variable(&mut self, template: TemplateIndex, segment: &Segment, span: Span) -> Res<Value> {
        if segment.arguments.is_none() {
            let text = self.text(segment.name.symbol).to_owned();
            return self.error("template", span, format!("variable template `{text}` needs arguments"));
        }
        let ty = self.type_of_entity(&Entity::RecordTemplate(template), segment)?;
        self.require_complete(ty, span)?;
        let Some(record) = self.types.record(ty) else { return Err(super::Failed) };
        match self.find_member(record, segment.name.symbol) {
            Some((Entity::Variable(variable), _)) => self.variable_value(variable, span),
            Some((Entity::Constant(constant, ty), _)) => Ok(Value::constant(constant, ty, span)),
            _ => Err(super::Failed),
        }
    }

    /// Adds the functions of a name that `using namespace` makes visible beside others.
    fn add_directive_functions(&self, name: Symbol, functions: &mut Vec<FunctionIndex>) {
        for scope in self.scopes.outwards(self.scope) {
            for also in &self.scopes.get(scope).also {
                if let Some(Entity::Functions(more)) = self.scopes.own(*also, name) {
                    for one in more {
                        if !functions.contains(one) {
                            functions.push(*one);
                        }
                    }
                }
            }
        }
    }

    pub(super) fn local_value(&mut self, local: LocalInfo, symbol: Symbol, span: Span) -> Res<Value> {
        if self.function.as_ref().is_none_or(|function| function.number != local.function) {
            if let Some(known) = local.known {
                return Ok(Value::constant(known, local.ty.ty, span));
            }
            if self.is_unevaluated {
                return self.object_without_value(local.ty, span);
            }
            let text = self.text(symbol).to_owned();
            let error =
                Diagnostic::error("unsupported", span, format!("`{text}` belongs to another function"))
                    .at(local.span, "declared here")
                    .help("capture it with `[=]` or `[&]`, or pass it as an argument");
            return self.fail(error);
        }
        if let Some(to) = self.types.referent(local.ty.ty) {
            let pointer = self.types.pointer(to);
            let place = self.make_place(PlaceKind::Local(local.local), Qual::plain(pointer), span)?;
            let address = self.make(Hir::Load(Box::new(place)), pointer, span)?;
            return Ok(self.at_reference(address, to, span));
        }
        Ok(Value { kind: ValueKind::Place(PlaceKind::Local(local.local), local.known), ty: local.ty, span })
    }

    /// A variable without memory in an operand that is not evaluated: its type counts.
    pub(super) fn unread_variable(&mut self, variable: VariableIndex, span: Span) -> Res<Option<Value>> {
        let info = &self.variables[variable];
        if !self.is_unevaluated || info.storage.is_some() || info.texture.is_some() {
            return Ok(None);
        }
        let (ty, value) = (info.ty, info.known);
        let mut object = self.object_without_value(ty, span)?;
        if let ValueKind::Place(_, known) = &mut object.kind {
            *known = value;
        }
        Ok(Some(object))
    }

    pub(super) fn variable_value(&mut self, variable: VariableIndex, span: Span) -> Res<Value> {
        if let Some(object) = self.unread_variable(variable, span)? {
            return Ok(object);
        }
        let number = self.number_of_host(variable);
        let info = &self.variables[variable];
        let (ty, known, name) = (info.ty, info.known, info.name);
        let (order, declared) = (info.order, info.span);
        let is_member = matches!(self.scopes.get(info.scope).owner, Owner::Record(_) | Owner::Template);
        if let Some(number) = number {
            return Ok(Value::constant(number, ty.ty, span));
        }
        let keeps_value = |storage| storage == Storage::Host || self.rules.is_open_cl;
        if let (Some(known), true) = (known, info.storage.is_some_and(keeps_value)) {
            let global = self.global_of(variable)?;
            return Ok(Value { kind: ValueKind::Place(PlaceKind::Global(global), Some(known)), ty, span });
        }
        if info.texture.is_some() {
            let text = self.text(name).to_owned();
            let error =
                Diagnostic::error("wrong-type", span, format!("texture reference `{text}` is not a value"))
                    .help("read it with `tex1Dfetch`, `tex1D`, `tex2D` or `tex3D`");
            return self.fail(error);
        }
        if info.storage.is_none() {
            let text = self.text(name).to_owned();
            if let Some(value) = self.constant_array(variable, span)? {
                return Ok(value);
            }
            let message = format!("device code cannot use host variable `{text}`");
            let error = Diagnostic::error("host-variable", span, message)
                .at(declared, "declared here without `__device__`")
                .help("declare it `__device__` or `__constant__`, or pass it as a parameter of the kernel");
            return self.fail(error);
        }
        // A member of an instance of a class template may be made behind the code that uses it.
        if !is_member {
            self.check_order(name, order, declared, span)?;
        }
        self.check_defined(variable, span)?;
        let global = self.global_of(variable)?;
        self.global_value(global, ty, span)
    }

    /// A variable of the program, or the object that it refers to.
    pub(super) fn global_value(&mut self, global: hir::GlobalId, ty: Qual, span: Span) -> Res<Value> {
        let Some(to) = self.types.referent(ty.ty) else {
            return Ok(Value::place(PlaceKind::Global(global), ty, span));
        };
        let pointer = self.types.pointer(to);
        let place = self.make_place(PlaceKind::Global(global), Qual::plain(pointer), span)?;
        let address = self.make(Hir::Load(Box::new(place)), pointer, span)?;
        Ok(self.at_reference(address, to, span))
    }

    /// What a reference with this address refers to. A function is a pointer.
    fn at_reference(&mut self, address: hir::Expr, to: Qual, span: Span) -> Value {
        if matches!(self.types.kind(to.ty), TypeKind::Function(_)) {
            return Value::rvalue(address.kind, self.types.pointer(to), span);
        }
        Value::deref(address, to, span)
    }

    /// `__func__` and, `with_types`, `__PRETTY_FUNCTION__`: the name of the function around it.
    fn own_name(&mut self, span: Span, with_types: bool) -> Res<Option<Value>> {
        let spelling = if with_types { Spelling::Gnu } else { Spelling::Name };
        let Some(text) = self.own_signature(spelling) else { return Ok(None) };
        self.string(&std::rc::Rc::new(text.into_bytes()), span).map(Some)
    }

    /// The function around the place; `None` for code that the compiler adds.
    pub(super) fn own_signature(&self, spelling: Spelling) -> Option<String> {
        let id = self.function.as_ref().and_then(|function| function.instance)?;
        let instance = &self.instances[id];
        let (function, arguments) = (instance.function, instance.arguments.clone());
        let signature = instance.signature.clone();
        let info = &self.functions[function];
        let (class, template, scope, kind) = (info.class, info.template.clone(), info.scope, info.name);
        let (is_static, is_const) = (info.is_static, info.is_const);
        let name = self.function_name(function);
        let is_lambda = class.is_some_and(|class| self.records[class].lambda.is_some());
        let in_class = class.map_or(0, |class| self.records[class].name.len() + 2);
        let plain = if is_lambda { "operator()" } else { &name[in_class..] };
        let mut text = plain.to_owned();
        if spelling != Spelling::Name {
            let result = self.function.as_ref().map_or(signature.result, |function| function.result);
            let shown = |sema: &Self, ty: Qual| match spelling {
                Spelling::Gnu => sema.show(ty).replace(" *", "*").replace(" &", "&"),
                _ => sema.show(ty),
            };
            let list: Vec<String> = signature.parameters.iter().map(|ty| shown(self, *ty)).collect();
            let around = self.names_around(scope, class);
            let constructs = matches!(kind, FunctionName::Constructor | FunctionName::Destructor);
            let result = if constructs { String::new() } else { format!("{} ", shown(self, result)) };
            let prefix = if class.is_some() && is_static { "static " } else { "" };
            let suffix = if class.is_some() && is_const { " const" } else { "" };
            text = format!("{prefix}{result}{around}{name}({}){suffix}", list.join(", "));
            let parameters = template.iter().flat_map(|template| &template.list);
            let values: Vec<String> = parameters
                .zip(&arguments)
                .map(|(parameter, value)| {
                    let own = parameter.name.map_or("", |name| self.text(name.symbol));
                    let equals = if spelling == Spelling::Gnu { " = " } else { "=" };
                    format!("{own}{equals}{}", self.show_argument(*value))
                })
                .collect();
            if !values.is_empty() {
                let between = if spelling == Spelling::Gnu { "; " } else { ", " };
                text = format!("{text} [with {}]", values.join(between));
            }
        }
        Some(text)
    }

    /// The namespaces and classes around a scope, but not the innermost class itself.
    fn names_around(&self, scope: ScopeId, class: Option<RecordId>) -> String {
        let mut names = Vec::new();
        for scope in self.scopes.outwards(scope) {
            match self.scopes.get(scope).owner {
                Owner::Namespace(Some(name)) => names.push(format!("{}::", self.text(name))),
                Owner::Namespace(None) => names.push("{anonymous}::".to_owned()),
                Owner::Record(record) if class.is_some() && class != Some(record) => {
                    names.push(format!("{}::", self.records[record].name));
                }
                _ => {}
            }
        }
        names.reverse();
        names.concat()
    }

    /// `threadIdx` and its like.
    fn builtin_variable(&mut self, symbol: Symbol, span: Span) -> Res<Option<Value>> {
        if self.rules.is_open_cl && !self.is_builtin(span) {
            return Ok(None);
        }
        let make: fn(Axis) -> Special = match self.text(symbol) {
            "threadIdx" => Special::ThreadIdx,
            "blockIdx" => Special::BlockIdx,
            "blockDim" => Special::BlockDim,
            "gridDim" => Special::GridDim,
            "warpSize" => return Ok(Some(Value::int(32, CTypes::INT, span))),
            "__func__" | "__FUNCTION__" => return self.own_name(span, false),
            "__PRETTY_FUNCTION__" => return self.own_name(span, true),
            _ => return Ok(None),
        };
        let is_size = matches!(self.text(symbol), "blockDim" | "gridDim");
        let name = if is_size { "dim3" } else { "uint3" };
        let found = self.names.find(name).and_then(|symbol| self.find(symbol));
        let Some((Entity::Type(ty), _)) = found else { return Ok(None) };
        if self.function.is_none() {
            return self.error("not-constant", span, "this variable exists in device code only").map(Some);
        }
        let mut parts = Vec::new();
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let read = Hir::Intrinsic(Intrinsic::Special(make(axis)), Vec::new());
            parts.push(self.make(read, CTypes::UINT, span)?);
        }
        self.require_complete(ty.ty, span)?;
        Ok(Some(Value::rvalue(Hir::Aggregate(parts), ty.ty, span)))
    }
}

//! Calls: the function that is called, its arguments, and the value of its result ([expr.call]).

use super::Sema;
use super::overload::{Argument, Selected};
use super::scope::{Entity, FunctionIndex, ScopeId};
use super::types::{CType, CTypes, Qual, Signature, TypeKind};
use super::value::{FunctionName, FunctionSet, Res, TemplateValue, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, PlaceKind};
use crate::lex::Punct;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FunctionBody, MemberName, Operator};

impl Sema<'_> {
    /// The arguments of a call.
    pub(super) fn arguments<'e>(&mut self, list: &'e [Expr]) -> Res<Vec<Argument<'e>>> {
        let mut arguments = Vec::with_capacity(list.len());
        let mut failed = false;
        for expr in list {
            if let ExprKind::List(_) = expr.kind {
                arguments.push(Argument::List(expr));
                continue;
            }
            match self.expression(expr) {
                Ok(value)
                    if value.ty.ty == CTypes::VOID && !matches!(value.kind, ValueKind::Functions(_)) =>
                {
                    failed = true;
                    let _ = self.error::<()>(
                        "wrong-type",
                        value.span,
                        "this argument has no value: it is `void`",
                    );
                }
                Ok(value) => arguments.push(Argument::Value(value)),
                Err(_) => failed = true,
            }
        }
        if failed { Err(super::Failed) } else { Ok(arguments) }
    }

    /// Whether the name of an operator in a method, with a number of arguments, is a method.
    fn is_own_operator(&mut self, operator: Operator, count: usize) -> bool {
        let Some(object) = self.this_object(Span::NONE) else { return false };
        let Some(record) = self.types.record(object.ty.ty) else { return false };
        match operator {
            Operator::Symbol(Punct::Assign) | Operator::Call | Operator::Index => true,
            Operator::Literal(_) => false,
            Operator::New(_) | Operator::Delete(_) => {
                !self.methods_named(record, FunctionName::Operator(operator)).is_empty()
            }
            Operator::Symbol(_) => {
                count < 2 && !self.methods_named(record, FunctionName::Operator(operator)).is_empty()
            }
        }
    }

    /// `a.operator=(b)`, also of the assignment that the language defines.
    fn assignment_by_name(
        &mut self,
        base: &Expr,
        arrow: bool,
        name: &MemberName,
        value: &Expr,
        span: Span,
    ) -> Res<Value> {
        let member = self.member(base, arrow, name, span)?;
        let ValueKind::Functions(set) = member.kind else { return Err(super::Failed) };
        let Some(object) = set.object else { return Err(super::Failed) };
        let value = match value.kind {
            ExprKind::List(_) => self.value_of_list(value, object.ty.unqualified())?,
            _ => self.expression(value)?,
        };
        self.assign(object, value, span, span)
    }

    /// `f(a, b)`.
    pub(super) fn call(&mut self, callee: &Expr, list: &[Expr], span: Span) -> Res<Value> {
        let list = &*self.expanded(list)?;
        if let ExprKind::Name(name) = &callee.kind
            && let Some(plain) = name.plain().or_else(|| name.segments.last().map(|segment| segment.name))
            && let Some(value) = self.special_call(name, plain, list, span)?
        {
            return Ok(value);
        }
        // The parser does not see the types that a class inherits from an instance of a template.
        if let ExprKind::Name(name) = &callee.kind
            && name.plain().is_none()
        {
            let mark = self.out.mark();
            if let Ok((Entity::Type(ty), _)) = self.find_qualified(name) {
                return self.construct_as(ty.unqualified(), list, false, span);
            }
            self.out.truncate(mark);
        }
        if let ExprKind::OperatorName(operator) = &callee.kind
            && self.is_own_operator(*operator, list.len())
        {
            let kind = ExprKind::This;
            let this = Expr { kind, ..callee.clone() };
            let kind =
                ExprKind::Member(Box::new(this), true, MemberName::Operator(None, *operator, callee.span));
            return self.call(&Expr { kind, ..callee.clone() }, list, span);
        }
        if let (ExprKind::Member(base, arrow, name), [value]) = (&callee.kind, list)
            && matches!(name, MemberName::Operator(_, Operator::Symbol(Punct::Assign), _))
        {
            return self.assignment_by_name(base, *arrow, name, value, callee.span);
        }
        if let ExprKind::OperatorName(operator @ Operator::Literal(_)) = &callee.kind {
            let functions = self.operators_in_scope(*operator, &[]);
            let arguments = self.arguments(list)?;
            let Some(selected) = self.select(&functions, None, None, &arguments, span)? else {
                return self.error("no-match", span, "no such operator fits these arguments");
            };
            return self.call_selected(&selected, None, arguments, span);
        }
        if let ExprKind::OperatorName(operator @ (Operator::New(_) | Operator::Delete(_))) = &callee.kind {
            return self.memory_function_by_name(*operator, list, span);
        }
        if let ExprKind::OperatorName(Operator::Symbol(punct)) = &callee.kind {
            let arguments = self.arguments(list)?;
            let values: Vec<Value> = arguments
                .into_iter()
                .filter_map(|argument| if let Argument::Value(value) = argument { Some(value) } else { None })
                .collect();
            if !values.is_empty()
                && let Some(value) = self.overloaded(*punct, &values, span)?
            {
                return Ok(value);
            }
            return self.error("no-match", span, "no such operator fits these arguments");
        }
        if let ExprKind::Binary(punct @ (Punct::DotStar | Punct::ArrowStar), object, pointer, _) =
            &callee.kind
            && let Some(value) = self.call_pointed_method(*punct, object, pointer, list, span)?
        {
            return Ok(value);
        }
        let (callee, arguments) = match &callee.kind {
            ExprKind::Name(name) if self.is_without_prototype(name) => {
                let arguments = self.arguments(list)?;
                self.without_prototype(name.last().name, arguments)?
            }
            ExprKind::Name(name) if name.plain().is_some_and(|plain| self.find(plain.symbol).is_none()) => {
                let arguments = self.arguments(list)?;
                let types: Vec<CType> =
                    arguments
                        .iter()
                        .filter_map(|argument| {
                            if let Argument::Value(value) = argument { Some(value.ty.ty) } else { None }
                        })
                        .collect();
                let functions = self.find_by_arguments(name.last().name.symbol, &types);
                if functions.is_empty() {
                    return self.undeclared(name.last().name);
                }
                let set = FunctionSet {
                    functions,
                    arguments: None,
                    object: None,
                    is_named: false,
                    name: name.last().name.symbol,
                };
                let kind = ValueKind::Functions(Box::new(set));
                (Value { kind, ty: Qual::plain(CTypes::VOID), span: callee.span }, arguments)
            }
            _ => {
                let value = self.expression(callee);
                let arguments = self.arguments(list);
                (value?, arguments?)
            }
        };
        self.call_value(callee, arguments, span)
    }

    fn call_value(&mut self, callee: Value, arguments: Vec<Argument>, span: Span) -> Res<Value> {
        if let ValueKind::Functions(set) = callee.kind {
            return self.call_set(*set, callee.span, arguments, span);
        }
        let callee = match self.types.record(callee.ty.ty) {
            Some(record) => {
                let candidates = self.methods_named(record, FunctionName::Operator(Operator::Call));
                let object = self.as_object(callee)?;
                if let Some(selected) = self.select(&candidates, None, Some(&object), &arguments, span)? {
                    return self.call_selected(&selected, Some(object), arguments, span);
                }
                let callee = self.callee_of(object, arguments.len())?;
                if self.types.record(callee.ty.ty).is_some() && !candidates.is_empty() {
                    return self.no_match(&candidates, None, &arguments, span);
                }
                callee
            }
            None => callee,
        };
        let pointer = self.rvalue(callee)?;
        let pointee = self.types.pointee(pointer.ty.ty).map(|to| self.types.kind(to.ty).clone());
        let Some(TypeKind::Function(signature)) = pointee else {
            let shown = self.show(pointer.ty);
            return self.error("wrong-type", pointer.span, format!("`{shown}` is not a function"));
        };
        if arguments.len() != signature.parameters.len() {
            let (count, given) = (signature.parameters.len(), arguments.len());
            let message = format!("the function takes {count} arguments, but {given} are given");
            return self.error("no-match", span, message);
        }
        let values = self.convert_arguments(&signature, arguments, "the function")?;
        let function = self.expr(pointer)?;
        self.result(Hir::CallIndirect(Box::new(function), values), signature.result, span)
    }

    pub(super) fn call_set(
        &mut self,
        set: FunctionSet,
        place: Span,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Res<Value> {
        let mut functions = set.functions;
        // What is declared later takes no part; alone it is an error, or found by its arguments.
        let now = self.function.as_ref().map_or(self.order, |function| function.order);
        let is_early = |one: &FunctionIndex| {
            let info = &self.functions[*one];
            info.class.is_some() || info.order <= now || self.is_builtin(info.span)
        };
        if functions.iter().any(is_early) {
            functions.retain(is_early);
        }
        let types: Vec<CType> = arguments
            .iter()
            .filter_map(
                |argument| if let Argument::Value(value) = argument { Some(value.ty.ty) } else { None },
            )
            .collect();
        let is_member = functions.iter().any(|one| self.functions[*one].class.is_some());
        // Types of arguments lead to functions of a name alone only ([basic.lookup.argdep]/1).
        if !is_member && (!set.is_named || set.arguments.is_some()) {
            let known: rustc_hash::FxHashSet<_> = functions.iter().copied().collect();
            let others = self.find_by_arguments(set.name, &types);
            functions.extend(others.into_iter().filter(|other| !known.contains(other)));
        }
        let explicit = set.arguments.as_deref();
        let Some(selected) = self.select(&functions, explicit, set.object.as_ref(), &arguments, span)? else {
            // A constructor of the same name as a variable of function type does not exist.
            let host: Vec<FunctionIndex> =
                functions.iter().copied().filter(|one| !self.functions[*one].device).collect();
            if host.len() == functions.len()
                && let Some(first) = host.first()
            {
                return self.foreign_call(*first, place);
            }
            return self.no_match(&functions, Some(set.name), &arguments, span);
        };
        let info = &self.functions[selected.function];
        let (order, declared) = (info.order, info.span);
        if info.class.is_none() && !info.global {
            self.check_order(set.name, order, declared, place)?;
        }
        let object = match set.object {
            Some(object) if self.functions[selected.function].class.is_some() => {
                Some(self.as_object(object)?)
            }
            _ => None,
        };
        let selected = Selected { is_named: set.is_named, ..selected };
        self.call_at(&selected, object, arguments, span, place)
    }

    /// Reports a call of a function of the other half.
    pub(super) fn foreign_call<T>(&mut self, function: FunctionIndex, span: Span) -> Res<T> {
        let name = self.function_name(function);
        let declared = self.functions[function].span;
        self.fail((self.rules.foreign_call)(self, &name, declared, span))
    }

    /// Calls a selected function.
    pub(super) fn call_selected(
        &mut self,
        selected: &Selected,
        object: Option<Value>,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Res<Value> {
        self.call_at(selected, object, arguments, span, span)
    }

    fn call_at(
        &mut self,
        selected: &Selected,
        object: Option<Value>,
        arguments: Vec<Argument>,
        span: Span,
        place: Span,
    ) -> Res<Value> {
        let function = selected.function;
        let info = &self.functions[function];
        // What is not evaluated, such as a requirement, may call functions of the other half.
        if !info.device && !info.global && !self.is_unevaluated {
            return self.foreign_call(function, place);
        }
        if info.global && self.rules.is_open_cl {
            let function = self.kernel_as_function(function)?;
            let selected = Selected { function, arguments: Vec::new(), is_named: false };
            return self.call_at(&selected, object, arguments, span, place);
        }
        if info.global {
            let name = self.function_name(function);
            let error = Diagnostic::error("kernel-call", place, format!("kernel `{name}` cannot be called"))
                .help("host code launches it with `<<<...>>>`; make it `__device__` to call it");
            return self.fail(error);
        }
        let intrinsic = info.decl.specifiers.intrinsic;
        let class = info.class;
        let is_static = info.is_static;
        let name = self.function_name(function);
        let what = format!("`{name}`");
        if let Some(intrinsic) = intrinsic {
            let signature = info.signature.clone();
            let Some(signature) = signature else { return Err(super::Failed) };
            let values = self.convert_arguments(&signature, arguments, &what)?;
            return self.intrinsic_call(intrinsic, &name, signature.result, values, span);
        }
        if self.function.is_none() {
            // What the function is, and its errors, are looked at where the call is evaluated.
            let error = Diagnostic::error("not-constant", span, "the value must be a constant")
                .label("this calls a function");
            return self.fail(error);
        }
        if let Some(library) = self.library_function(function) {
            let Some(signature) = self.functions[function].signature.clone() else {
                return Err(super::Failed);
            };
            let (scope, given) = (self.functions[function].scope, arguments.len());
            let mut values = self.convert_arguments(&signature, arguments, &what)?;
            values.extend(self.default_arguments(function, &signature, given, scope)?);
            if signature.variadic {
                self.check_host_format(&library, &values);
            }
            let call = Hir::Intrinsic(hir::Intrinsic::Library(library), values);
            return self.result(call, signature.result, span);
        }
        // The tables of device code name the functions that virtual calls need.
        let is_by_table = self.rules.has_device_code
            && !selected.is_named
            && class
                .zip(object.as_ref())
                .is_some_and(|(class, object)| !is_static && self.slot_of(class, function, object).is_some());
        let id = if is_by_table {
            self.without_evaluation(|sema| sema.instance(function, selected.arguments.clone(), span))?
        } else {
            self.instance(function, selected.arguments.clone(), span)?
        };
        self.deduce_result(id, span)?;
        let signature = self.instances[id].signature.clone();
        let mut values = Vec::new();
        let mut slot = None;
        if let Some(record) = class.filter(|_| !is_static) {
            let Some(object) = object else {
                return self.error("wrong-type", place, format!("method {what} needs an object"));
            };
            slot = self.slot_of(record, function, &object).filter(|_| !selected.is_named);
            let object = self.base_of(object, record)?;
            values.push(self.address(object)?);
        }
        let given = arguments.len();
        values.extend(self.convert_arguments(&signature, arguments, &what)?);
        let fixed = signature.parameters.len() + usize::from(class.is_some() && !is_static);
        let more = if signature.variadic { values.split_off(fixed.min(values.len())) } else { Vec::new() };
        let scope = self.scope_of_defaults(function, &selected.arguments, id, span)?;
        values.extend(self.default_arguments(function, &signature, given, scope)?);
        if signature.variadic {
            values.push(self.variadic_list(more, span)?);
        }
        if let (Some(slot), Some(record)) = (slot, class) {
            return self.virtual_call(record, slot, values, &signature, span);
        }
        if let Some(known) = self.folded_call(id, &values, span) {
            return Ok(Value::constant(known, signature.result.ty, span));
        }
        self.result(Hir::Call(id, values), signature.result, span)
    }

    /// The name of a function that host code calls and only the library can have.
    fn library_function(&self, function: FunctionIndex) -> Option<String> {
        let info = &self.functions[function];
        let declared = matches!(info.decl.body, FunctionBody::None) && info.template.is_none();
        match info.name {
            // Another file may define what no header declares.
            FunctionName::Plain(_) if self.is_part && !self.is_builtin(info.span) => None,
            FunctionName::Plain(name) if self.rules.has_library && declared && info.class.is_none() => {
                Some(self.text(name).to_owned())
            }
            _ => None,
        }
    }

    /// The address of an object.
    pub(super) fn address(&mut self, object: Value) -> Res<hir::Expr> {
        let (ty, span) = (object.ty, object.span);
        let object = self.as_place(object)?;
        let ValueKind::Place(kind, _) = object.kind else { return Err(super::Failed) };
        let pointer = self.types.pointer(ty);
        // `&*p` is `p`.
        if let PlaceKind::Deref(inner) = kind {
            return Ok(*inner);
        }
        let place = self.make_place(kind, ty, span)?;
        self.make(Hir::AddressOf(Box::new(place)), pointer, span)
    }

    pub(super) fn convert_arguments(
        &mut self,
        signature: &Signature,
        arguments: Vec<Argument>,
        name: &str,
    ) -> Res<Vec<hir::Expr>> {
        let mut values = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.into_iter().enumerate() {
            let Some(to) = signature.parameters.get(at).copied() else {
                // `...` takes what the default promotions give.
                if let Argument::Value(value) = argument {
                    values.push(self.promoted_argument(value)?);
                }
                continue;
            };
            let what = format!("for argument {} of {name}", at + 1);
            values.push(self.convert_argument(argument, to, &what)?);
        }
        Ok(values)
    }

    pub(super) fn convert_argument(&mut self, argument: Argument, to: Qual, what: &str) -> Res<hir::Expr> {
        match argument {
            Argument::Value(value) => {
                self.warn_narrowing_literal(&value, to);
                let value = self.convert(value, to, what)?;
                self.lent(value, to)
            }
            Argument::List(list) => {
                let referent = self.types.referent(to.ty);
                let value = self.value_of_list(list, referent.unwrap_or(to).unqualified())?;
                let value = self.convert(value, to, what)?;
                self.lent(value, to)
            }
        }
    }

    /// An argument that must be destroyed is a temporary object of the caller, which the called
    /// function uses.
    fn lent(&mut self, value: hir::Expr, to: Qual) -> Res<hir::Expr> {
        if !self.classes().is_destroyed(to.ty) {
            return Ok(value);
        }
        let span = value.span;
        let address = self.materialize(value, to.ty, span)?;
        let place = self.make_place(PlaceKind::Deref(Box::new(address)), to.unqualified(), span)?;
        self.make(Hir::Load(Box::new(place)), to.ty, span)
    }

    /// An argument of a function with `...`.
    pub(super) fn promoted_argument(&mut self, value: Value) -> Res<hir::Expr> {
        if self.classes().copies(value.ty.ty) || self.classes().is_destroyed(value.ty.ty) {
            let shown = self.show(value.ty);
            let message = format!("a `{shown}` cannot be an argument of `...`");
            return self.error("wrong-type", value.span, message);
        }
        let value = self.promoted_bits(value)?;
        let value = self.rvalue(value)?;
        let ty = value.ty.ty;
        let to = if ty == CTypes::FLOAT { CTypes::DOUBLE } else { self.types.promoted(ty) };
        let value = self.expr(value)?;
        self.cast(value, to)
    }

    /// The scope of the default arguments of a call: of the template for a specialization, because
    /// they name the parameters of the template.
    pub(super) fn scope_of_defaults(
        &mut self,
        function: FunctionIndex,
        arguments: &[TemplateValue],
        id: hir::FunctionId,
        span: Span,
    ) -> Res<ScopeId> {
        if self.instances[id].function == function {
            return Ok(self.instances[id].scope);
        }
        Ok(self.instance_type(function, arguments, span)?.0)
    }

    pub(super) fn default_arguments(
        &mut self,
        function: FunctionIndex,
        signature: &Signature,
        given: usize,
        scope: ScopeId,
    ) -> Res<Vec<hir::Expr>> {
        let mut values = Vec::new();
        for at in given..signature.parameters.len() {
            let Some(default) = self.functions[function].defaults.get(at).cloned().flatten() else {
                break;
            };
            let to = signature.parameters[at];
            let value = self.in_scope(scope, |sema| match default.kind {
                ExprKind::List(_) => sema.value_of_list(&default, to.unqualified()),
                _ => sema.expression(&default),
            })?;
            let value = self.convert(value, to, "for a default argument")?;
            values.push(self.lent(value, to)?);
        }
        Ok(values)
    }

    /// The value of a call: a reference is the object it refers to.
    pub(super) fn result(&mut self, kind: Hir, result: Qual, span: Span) -> Res<Value> {
        if let Some(to) = self.types.referent(result.ty) {
            let pointer = self.types.pointer(to);
            let address = self.make(kind, pointer, span)?;
            return Ok(Value::deref(address, self.referred(result.ty, to), span));
        }
        if result.ty != CTypes::VOID {
            self.require_complete(result.ty, span)?;
        }
        Ok(Value::rvalue(kind, result.ty, span))
    }

    /// The type of the object that a reference without a name refers to: `T &&` may be moved from.
    pub(super) fn referred(&self, reference: CType, to: Qual) -> Qual {
        let expires = matches!(self.types.kind(reference), TypeKind::RvalueReference(_));
        let mut to = to;
        to.quals.is_expiring = expires;
        to
    }

    /// Name of a function as messages write it.
    pub(super) fn function_name(&self, function: FunctionIndex) -> String {
        let info = &self.functions[function];
        let class = info.class.map_or(String::new(), |class| format!("{}::", self.records[class].name));
        match info.name {
            FunctionName::Plain(symbol) => format!("{class}{}", self.text(symbol)),
            FunctionName::Operator(Operator::Symbol(punct)) => format!("{class}operator{}", punct.text()),
            FunctionName::Operator(Operator::Call) => format!("{class}operator()"),
            FunctionName::Operator(Operator::Index) => format!("{class}operator[]"),
            FunctionName::Operator(Operator::Literal(suffix)) => {
                format!("operator\"\"{}", self.text(suffix))
            }
            FunctionName::Operator(Operator::New(is_array)) => {
                format!("{class}operator new{}", if is_array { "[]" } else { "" })
            }
            FunctionName::Operator(Operator::Delete(is_array)) => {
                format!("{class}operator delete{}", if is_array { "[]" } else { "" })
            }
            FunctionName::Constructor => {
                let own = info.class.and_then(|class| self.records[class].symbol);
                format!("{class}{}", own.map_or("", |own| self.text(own)))
            }
            FunctionName::Destructor => {
                let own = info.class.and_then(|class| self.records[class].symbol);
                format!("{class}~{}", own.map_or("", |own| self.text(own)))
            }
            FunctionName::Conversion => format!("{class}operator"),
            FunctionName::Covariant(of) | FunctionName::Moved(of, _) => self.function_name(of),
        }
    }
}

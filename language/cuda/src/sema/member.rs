//! Members of objects and the methods of classes.

use std::rc::Rc;

use super::Sema;
use super::overload::{Argument, Selected};
use super::scope::{Entity, FunctionIndex, VariableIndex};
use super::types::{CTypes, Qual, RecordId};
use super::value::{FunctionName, FunctionSet, Res, Value, ValueKind};
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::hir::{ExprKind as Hir, PlaceKind};
use crate::lex::{Punct, Symbol};
use crate::source::Span;
use crate::syntax::ast::{Expr, FunctionDecl, MemberName, Name, Segment, TypeName};

impl Sema<'_> {
    /// Declares a method of the class whose scope is the current one.
    pub(super) fn method(&mut self, id: RecordId, decl: &Rc<FunctionDecl>) -> Res<()> {
        let scope = self.scope;
        let mark = self.out.mark();
        let wanted =
            decl.specifiers.flags.device || !self.rules.needs_marks || self.is_builtin(decl.declarator.span);
        let mut info = match self.function_info(decl, scope) {
            Ok(info) => info,
            // A host method may use what is not understood here.
            Err(_) if !wanted => {
                self.out.truncate(mark);
                return Ok(());
            }
            Err(failed) => return Err(failed),
        };
        let first = info.signature.as_ref().and_then(|signature| signature.parameters.first());
        let takes_itself = first.is_some_and(|first| self.types.record(first.ty) == Some(id))
            && info.defaults.iter().skip(1).all(Option::is_some);
        if info.name == FunctionName::Constructor && takes_itself {
            let name = &self.records[id].name;
            let message = format!("a constructor of `{name}` cannot take a `{name}` by value");
            return self.fail(
                Diagnostic::error("wrong-type", info.span, message)
                    .help(format!("write `const {name} &` as the type of the parameter")),
            );
        }
        info.class = Some(id);
        let name = info.name;
        let function = self.functions.push(info);
        let record = &mut self.records[id];
        match name {
            FunctionName::Plain(symbol) => self.scopes.add_function(scope, symbol, function),
            FunctionName::Operator(operator) => record.operators.push((operator, function)),
            FunctionName::Constructor => record.constructors.push(function),
            FunctionName::Destructor => record.destructor = Some(function),
            FunctionName::Conversion => record.conversions.push(function),
            FunctionName::Covariant(_) | FunctionName::Moved(..) => {}
        }
        Ok(())
    }

    /// `a.b` and `a->b`.
    pub(super) fn member(&mut self, base: &Expr, arrow: bool, name: &MemberName, span: Span) -> Res<Value> {
        let mut object = self.expression(base)?;
        if arrow {
            // `->` of a class that has `operator->`.
            if self.types.record(object.ty.ty).is_some()
                && let Some(pointer) = self.overloaded(Punct::Arrow, &[object.clone()], span)?
            {
                object = pointer;
            }
            if let (Some(_), true) = (self.types.record(object.ty.ty), !self.types.is_pointer(object.ty.ty)) {
                let shown = self.show(object.ty);
                let error = Diagnostic::error("wrong-type", span, format!("`{shown}` is not a pointer"))
                    .help("write `.` instead of `->`");
                return self.fail(error);
            }
            object = self.deref(object, span)?;
        } else if self.types.pointee(object.ty.ty).is_some_and(|to| self.types.record(to.ty).is_some())
            && !matches!(name, MemberName::Destructor(_))
        {
            let shown = self.show(object.ty);
            let error = Diagnostic::error("wrong-type", span, format!("`{shown}` is a pointer"))
                .help("write `->` instead of `.`");
            return self.fail(error);
        }
        match name {
            MemberName::Name(name) if self.types.vector(object.ty.ty).is_some() => {
                self.swizzle(object, name.last().name, span)
            }
            MemberName::Name(name) => {
                let Some(record) = self.types.record(object.ty.ty) else {
                    let shown = self.show(object.ty);
                    let text = self.text(name.last().name.symbol).to_owned();
                    return self.error("wrong-type", span, format!("`{shown}` has no member `{text}`"));
                };
                self.require_complete(object.ty.ty, span)?;
                let symbol = name.last().name.symbol;
                let class = name.segments.iter().rev().nth(1);
                let (object, record) = self.as_class(object, record, class, name.span)?;
                self.check_access(record, symbol, name.last().name.span)?;
                match self.find_member(record, symbol) {
                    Some((Entity::Field, scope)) => {
                        self.check_base_of_field(record, scope, span)?;
                        self.field(object, symbol, span)
                    }
                    Some((Entity::Ambiguous(record), _)) => {
                        self.ambiguous_member(record, symbol, name.last().name.span)
                    }
                    Some((Entity::Functions(functions), _)) => {
                        let arguments = match &name.last().arguments {
                            Some(arguments) => Some(self.explicit_values(arguments, &functions)?),
                            None => None,
                        };
                        let (object, is_named) = (Some(object), class.is_some());
                        let set = FunctionSet { functions, arguments, object, is_named, name: symbol };
                        let ty = Qual::plain(CTypes::VOID);
                        Ok(Value { kind: ValueKind::Functions(Box::new(set)), ty, span })
                    }
                    Some((Entity::Variable(variable), _)) => self.static_member(variable, span),
                    Some((Entity::Constant(constant, ty), _)) => Ok(Value::constant(constant, ty, span)),
                    _ => self.no_member(record, symbol, name.last().name.span),
                }
            }
            MemberName::Operator(class, operator, place) => {
                let Some(record) = self.types.record(object.ty.ty) else {
                    return self.error("wrong-type", *place, "only classes have operators");
                };
                self.require_complete(object.ty.ty, span)?;
                let class =
                    class.map(|symbol| Segment { name: Name { symbol, span: *place }, arguments: None });
                let (object, record) = self.as_class(object, record, class.as_ref(), *place)?;
                let functions = self.methods_named(record, FunctionName::Operator(*operator));
                let Some(symbol) = self.names.find("operator") else { return Err(super::Failed) };
                let (object, is_named) = (Some(object), class.is_some());
                let set = FunctionSet { functions, arguments: None, object, is_named, name: symbol };
                Ok(Value { kind: ValueKind::Functions(Box::new(set)), ty: Qual::plain(CTypes::VOID), span })
            }
            MemberName::Conversion(ty, place) => self.conversion_member(object, ty, *place),
            MemberName::Destructor(place) => self.destructor_member(object, *place),
        }
    }

    /// The conversion functions of an object for exactly one type.
    fn conversion_member(&mut self, object: Value, ty: &TypeName, span: Span) -> Res<Value> {
        let Some(record) = self.types.record(object.ty.ty) else {
            return self.error("wrong-type", span, "only classes have operators");
        };
        self.require_complete(object.ty.ty, span)?;
        let to = self.type_name(ty)?;
        let converts = |sema: &Self, one: &FunctionIndex| {
            sema.functions[*one].signature.as_ref().is_some_and(|signature| signature.result == to)
        };
        let all = self.methods_named(record, FunctionName::Conversion);
        let mut functions: Vec<_> = all.iter().copied().filter(|one| converts(self, one)).collect();
        // A conversion hides the conversion of a base class to the same type.
        let classes: Vec<_> = functions.iter().filter_map(|one| self.functions[*one].class).collect();
        functions.retain(|one| {
            let own = self.functions[*one].class;
            own.is_none_or(|own| {
                !classes.iter().any(|other| *other != own && self.classes().derives(*other, own))
            })
        });
        let mut arguments = None;
        if functions.is_empty() {
            for one in all {
                if self.functions[one].template.is_some()
                    && let Some(values) = self.conversion_instance(one, to.ty)
                {
                    (functions, arguments) = (vec![one], Some(values));
                    break;
                }
            }
        }
        if functions.is_empty() {
            let (class, shown) = (self.show(object.ty), self.show(to));
            return self.error("undeclared-name", span, format!("`{class}` has no `operator {shown}`"));
        }
        let Some(name) = self.names.find("operator") else { return Err(super::Failed) };
        let set = FunctionSet { functions, arguments, object: Some(object), is_named: false, name };
        Ok(Value { kind: ValueKind::Functions(Box::new(set)), ty: Qual::plain(CTypes::VOID), span })
    }

    /// An object as an object of its class with a name, itself or a base class (`a.Base::member`).
    fn as_class(
        &mut self,
        object: Value,
        record: RecordId,
        class: Option<&Segment>,
        span: Span,
    ) -> Res<(Value, RecordId)> {
        let Some(segment) = class else { return Ok((object, record)) };
        let class = segment.name.symbol;
        let mut bases = self.classes().bases(record).filter(|id| self.records[*id].symbol == Some(class));
        let mut named = bases.next().filter(|_| bases.next().is_none() && segment.arguments.is_none());
        drop(bases);
        if let (None, Some((entity @ Entity::RecordTemplate(_), _))) = (named, self.find(class)) {
            let ty = self.type_of_entity(&entity, segment)?;
            named = self.types.record(ty).filter(|id| self.classes().derives(record, *id));
        }
        // The name may be another one for the type.
        let scope = self.records[record].scope;
        let found = named.or_else(|| match self.in_scope(scope, |sema| sema.find(class)) {
            Some((Entity::Type(ty), _)) => {
                self.types.record(ty.ty).filter(|id| self.classes().derives(record, *id))
            }
            _ => None,
        });
        let Some(found) = found else {
            let (text, shown) = (self.text(class).to_owned(), self.show(object.ty));
            let message = format!("`{text}` is neither `{shown}` nor a base class of it");
            return self.error("wrong-type", span, message);
        };
        if found == record {
            return Ok((object, record));
        }
        let object = self.as_object(object)?;
        Ok((self.base_of(object, found)?, found))
    }

    pub(super) fn no_member<T>(&mut self, record: RecordId, symbol: Symbol, span: Span) -> Res<T> {
        let text = self.text(symbol);
        let info = &self.records[record];
        let scopes = self.classes().bases(record).map(|id| self.scopes.get(self.records[id].scope));
        let near =
            did_you_mean(text, scopes.flat_map(|scope| scope.names.keys()).map(|name| self.text(*name)));
        let message = format!("`{}` has no member `{text}`", info.name);
        let mut error = Diagnostic::error("undeclared-name", span, message).meant(near);
        if !info.builtin {
            error = error.at(info.span, "declared here");
        }
        self.fail(error)
    }

    /// A member variable of an object.
    pub(super) fn field(&mut self, object: Value, name: Symbol, span: Span) -> Res<Value> {
        let Some(record) = self.types.record(object.ty.ty) else { return Err(super::Failed) };
        self.require_complete(object.ty.ty, span)?;
        let Some(path) = self.classes().field_path(record, name) else {
            return self.no_member(record, name, span);
        };
        let mut value = object;
        for at in path {
            value = self.field_at(value, at, span)?;
        }
        self.referred_member(value, span)
    }

    /// The object that a member refers to, or the member itself.
    pub(super) fn referred_member(&mut self, value: Value, span: Span) -> Res<Value> {
        if let Some(to) = self.types.referent(value.ty.ty) {
            // A reference is a pointer in memory.
            let pointer = self.types.pointer(to);
            let kind = match value.kind {
                ValueKind::Place(place, _) => {
                    Hir::Load(Box::new(self.make_place(place, Qual::plain(pointer), span)?))
                }
                ValueKind::Rvalue(kind) => kind,
                ValueKind::Functions(_) | ValueKind::Elements(_) => return Err(super::Failed),
            };
            let address = self.make(kind, pointer, span)?;
            return Ok(Value::deref(address, to, span));
        }
        Ok(Value { span, ..value })
    }

    /// Member number `at` of an object or value.
    pub(super) fn field_at(&mut self, object: Value, at: u32, span: Span) -> Res<Value> {
        let Some(record) = self.types.record(object.ty.ty) else { return Err(super::Failed) };
        let field = self.records[record].fields[at as usize].clone();
        let mut ty = field.ty.with(object.ty.quals);
        ty.quals.is_const &= !field.is_mutable;
        // A member of a value that must be destroyed is a member of a temporary object.
        if matches!(object.kind, ValueKind::Rvalue(_)) && self.classes().is_destroyed(object.ty.ty) {
            let mut place = self.as_place(object)?;
            place.ty.quals.is_expiring = true;
            return self.field_at(place, at, span);
        }
        if field.bits.is_some() && matches!(object.kind, ValueKind::Rvalue(_)) {
            let place = self.as_place(object)?;
            return self.field_at(place, at, span);
        }
        let kind = match object.kind {
            ValueKind::Place(place, _) => {
                let place = self.make_place(place, object.ty, span)?;
                let mut kind = PlaceKind::Field(Box::new(place), at);
                if let Some((low, width)) = field.bits {
                    let unit = self.make_place(kind, ty, span)?;
                    kind = PlaceKind::Bits(Box::new(unit), low, width);
                }
                let known = self.constant_part(&kind, ty, span);
                ValueKind::Place(kind, known)
            }
            // `threadIdx.x` reads one register, not three.
            ValueKind::Rvalue(Hir::Aggregate(mut parts)) if parts.iter().all(is_free) => {
                ValueKind::Rvalue(parts.swap_remove(at as usize).kind)
            }
            _ => {
                if self.types.array(ty.ty).is_some() {
                    let place = self.as_place(object)?;
                    return self.field_at(place, at, span);
                }
                let whole = self.expr(object)?;
                ValueKind::Rvalue(Hir::Extract(Box::new(whole), at))
            }
        };
        Ok(Value { kind, ty, span })
    }

    /// The object of a call, with an address.
    pub(super) fn as_object(&mut self, value: Value) -> Res<Value> {
        self.as_place(value)
    }

    fn static_member(&mut self, variable: VariableIndex, span: Span) -> Res<Value> {
        if let Some(object) = self.unread_variable(variable, span)? {
            return Ok(object);
        }
        if let Some(known) = self.number_of_host(variable) {
            return Ok(Value::constant(known, self.variables[variable].ty.ty, span));
        }
        self.static_value(variable, span)
    }

    /// Calls a method without overload resolution.
    pub(super) fn call_method(
        &mut self,
        function: FunctionIndex,
        object: Value,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Res<Value> {
        let object = self.as_object(object)?;
        let selected = Selected { function, arguments: Vec::new(), is_named: false };
        self.call_selected(&selected, Some(object), arguments, span)
    }
}

/// Whether an expression can be dropped.
fn is_free(expr: &crate::hir::Expr) -> bool {
    match &expr.kind {
        Hir::Int(_) | Hir::Float(_) => true,
        Hir::Intrinsic(intrinsic, arguments) => intrinsic.is_pure() && arguments.is_empty(),
        _ => false,
    }
}

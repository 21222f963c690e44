//! Lambda expressions: an object of a class with `operator()`, whose members are the captures.

use std::ops::Range;
use std::rc::Rc;

use super::Sema;
use super::described::Closure;
use super::scope::{Entity, FunctionIndex, Owner, ScopeId};
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{FieldInfo, FunctionInfo, FunctionName, Res, State, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::Keyword;
use crate::syntax::ast::{
    BaseType, Capture, Chunk, Declarator, DeclaratorName, FunctionBody, FunctionDecl, Lambda, Name, Operator,
    QualifiedName, Segment, Specifiers,
};

/// An object of the class of a lambda expression, from its members.
fn lambda_object(members: Vec<(Qual, hir::Expr)>, ty: CType, span: Span) -> Value {
    let values: Vec<hir::Expr> = members.into_iter().map(|(_, value)| value).collect();
    let kind = if values.is_empty() { Hir::Zero } else { Hir::Aggregate(values) };
    Value::rvalue(kind, ty, span)
}

/// The class of a lambda expression that is made.
pub(super) struct ClosureClass {
    /// The member variables.
    pub fields: Vec<(Name, Qual)>,
    /// The names of the captures; those of packs with the numbers of their elements.
    pub names: Vec<(Name, Option<Range<u32>>)>,
    /// The number of the lambda expression.
    pub number: u32,
    /// How the other half makes it.
    pub closure: Option<Rc<Closure>>,
}

impl Sema<'_> {
    /// The value of a lambda expression.
    pub(super) fn lambda(&mut self, lambda: &Rc<Lambda>, span: Span) -> Res<Value> {
        let key = (Rc::as_ptr(lambda), self.scope);
        if let Some((_, ty)) = self.file_lambdas.get(&key) {
            return Ok(Value::rvalue(Hir::Zero, *ty, span));
        }
        let mut captures = lambda.captures.clone();
        captures.extend(self.default_captures(lambda, span));
        // An element of a pack is a member without a name.
        let mut members = Vec::new();
        let mut names = Vec::new();
        for capture in &captures {
            let Some(packs) = &capture.pack else {
                members.push(self.capture(capture)?);
                names.push((capture.name, None));
                continue;
            };
            let first = members.len();
            for at in 0..self.pack_length(packs, capture.name.span)? {
                members.push(self.in_element(packs, at, |sema| sema.capture(capture))?);
            }
            names.push((capture.name, Some(first as u32..members.len() as u32)));
        }
        if let Some(at) = self.made_lambdas.iter().flatten().position(|(one, _)| Rc::ptr_eq(one, lambda)) {
            let made = self.made_lambdas.as_mut().map(|list| list.swap_remove(at).1);
            let ty = made.map_or(CTypes::VOID, |id| self.types.intern(TypeKind::Record(id)));
            return Ok(lambda_object(members, ty, span));
        }
        let captured = names
            .iter()
            .flat_map(|(name, elements)| vec![*name; elements.as_ref().map_or(1, ExactSizeIterator::len)]);
        let fields: Vec<(Name, Qual)> = captured.zip(&members).map(|(name, (ty, _))| (name, *ty)).collect();
        let closure = self.device_closure(lambda, &captures, &fields, span)?;
        self.lambda_count += 1;
        let number = self.lambda_count;
        let made = ClosureClass { fields, names, number, closure };
        let id = self.closure_class(lambda, self.scope, made, span)?;
        let ty = self.types.intern(TypeKind::Record(id));
        debug_assert_ne!(ty, CTypes::VOID, "a class");
        if captures.is_empty() && self.is_outside_functions() {
            // The initial value of a variable gives its type, too.
            self.file_lambdas.insert(key, (lambda.clone(), ty));
        }
        if let Some(made) = self.made_lambdas.as_mut().filter(|_| self.is_unevaluated) {
            made.push((lambda.clone(), id));
        }
        Ok(lambda_object(members, ty, span))
    }

    /// Makes the class of a lambda expression inside a scope.
    pub(super) fn closure_class(
        &mut self,
        lambda: &Rc<Lambda>,
        outer: ScopeId,
        class: ClosureClass,
        span: Span,
    ) -> Res<RecordId> {
        let ClosureClass { fields, names, number, closure } = class;
        let id = self.new_record(None, outer, span);
        let record = &mut self.records[id];
        record.name = format!("lambda {number}");
        record.lambda = Some(number);
        record.closure = closure;
        record.state = State::Complete;
        let scope = record.scope;
        for (Name { symbol, span }, ty) in fields {
            let field = FieldInfo {
                name: Some(symbol),
                ty,
                init: None,
                bits: None,
                is_mutable: false,
                packed: false,
                align: 1,
                span,
            };
            self.records[id].fields.push(field);
        }
        for (name, elements) in names {
            let entity = elements.map_or(Entity::Field, |elements| {
                Entity::Pack(elements.map(|at| Entity::FieldAt(id, at)).collect())
            });
            self.scopes.get_mut(scope).names.insert(name.symbol, entity);
        }
        self.special_members(id);
        self.lay_out(id, None)?;
        let (function, template) = (lambda.function.clone(), lambda.template.clone());
        let base = if lambda.function.trailing.is_some() { BaseType::None } else { BaseType::Auto };
        let mut specifiers = Specifiers::of_both_halves(base, span);
        if let Some(marks) = &lambda.marks {
            (specifiers.flags.host, specifiers.flags.device) = (marks.host, marks.device);
        }
        let decl = Rc::new(FunctionDecl {
            specifiers: Rc::new(specifiers),
            declarator: Declarator {
                name: DeclaratorName::Operator(None, Operator::Call),
                chunks: vec![Chunk::Function(Box::new(function))],
                span,
            },
            template,
            extern_c: false,
            is_pure: false,
            body: FunctionBody::Block(lambda.body.clone()),
        });
        let call = self.lambda_call(id, &decl)?;
        debug_assert_eq!(self.functions[call].name, FunctionName::Operator(Operator::Call), "made above");
        self.records[id].operators.push((Operator::Call, call));
        Ok(id)
    }

    /// Whether the current scope belongs to no function.
    fn is_outside_functions(&self) -> bool {
        let mut scopes = self.scopes.outwards(self.scope);
        scopes.all(|scope| !matches!(self.scopes.get(scope).owner, Owner::Block))
    }

    /// A function of the class of a lambda expression.
    fn lambda_call(&mut self, record: RecordId, decl: &Rc<FunctionDecl>) -> Res<FunctionIndex> {
        let scope = self.records[record].scope;
        let info = self.in_scope(scope, |sema| sema.function_info(decl, scope))?;
        Ok(self.functions.push(FunctionInfo { class: Some(record), ..info }))
    }

    /// The address of the function that a lambda expression without captures is.
    pub(super) fn lambda_address(&mut self, value: Value, record: RecordId) -> Res<Value> {
        let span = value.span;
        let Some((_, call)) = self.records[record].operators.first().copied() else {
            return Err(super::Failed);
        };
        let known = self.records[record].pointer;
        let function = if let Some(function) = known {
            function
        } else {
            // The same body without an object.
            let decl = self.functions[call].decl.clone();
            let function = self.lambda_call(record, &decl)?;
            let info = &mut self.functions[function];
            info.name = FunctionName::Conversion;
            info.is_static = true;
            self.records[record].pointer = Some(function);
            function
        };
        let address = self.function_address(function, Vec::new(), span)?;
        if matches!(value.kind, ValueKind::Rvalue(Hir::Zero)) {
            return Ok(address);
        }
        let ty = address.ty.ty;
        let (effects, address) = (self.discarded(value)?, self.expr(address)?);
        Ok(Value::rvalue(Hir::Comma(Box::new(effects), Box::new(address)), ty, span))
    }

    /// The variables that `[=]` and `[&]` capture, and the members that `this` makes visible. A
    /// constant needs no capture.
    fn default_captures(&mut self, lambda: &Lambda, span: Span) -> Vec<Capture> {
        let number = self.function.as_ref().map(|function| function.number);
        let mut this = lambda.captures.iter().all(|capture| !capture.is_this()) && lambda.default.is_some();
        let mut found = Vec::new();
        for symbol in &lambda.names {
            if lambda.captures.iter().any(|capture| capture.name.symbol == *symbol) {
                continue;
            }
            let (found_entity, scope) = self.find(*symbol).unzip();
            let of_lambda = scope.is_some_and(|scope| self.lambda_of(scope).is_some());
            if this && let Some(capture) = self.captured_this(*symbol, found_entity.as_ref(), of_lambda, span)
            {
                found.push(capture);
                this = false;
                continue;
            }
            let (entity, pack) = match &found_entity {
                Some(Entity::Pack(list)) => (list.first(), Some([*symbol].into())),
                entity => (entity.as_ref(), None),
            };
            let by_reference = match (entity, lambda.default) {
                (Some(Entity::Local(info)), Some(by_reference))
                    if Some(info.function) == number && info.known.is_none() =>
                {
                    by_reference
                }
                (Some(Entity::FieldAt(..)), Some(by_reference)) => by_reference,
                (Some(Entity::Field), Some(by_reference)) if of_lambda => by_reference,
                _ => continue,
            };
            found.push(Capture { name: Name { symbol: *symbol, span }, by_reference, init: None, pack });
        }
        found
    }

    /// `this` as a capture, if a name in the body of a lambda expression uses it.
    fn captured_this(
        &mut self,
        symbol: Symbol,
        entity: Option<&Entity>,
        of_lambda: bool,
        span: Span,
    ) -> Option<Capture> {
        let uses_it = match entity {
            None => matches!(Keyword::of(symbol), Some(Keyword::This | Keyword::Operator)),
            Some(Entity::Field | Entity::Ambiguous(_)) => !of_lambda,
            Some(Entity::Functions(list)) => list.iter().any(|one| {
                let info = &self.functions[*one];
                info.class.is_some() && !info.is_static
            }),
            _ => false,
        };
        if !uses_it || self.this_object(span).is_none() {
            return None;
        }
        let symbol = self.names.find("this")?;
        Some(Capture { name: Name { symbol, span }, by_reference: true, init: None, pack: None })
    }

    /// The lambda expression whose captured variables a scope has.
    pub(super) fn lambda_of(&self, scope: ScopeId) -> Option<RecordId> {
        match self.scopes.get(scope).owner {
            Owner::Record(record) if self.records[record].lambda.is_some() => Some(record),
            _ => None,
        }
    }

    /// Type and value of the member of a capture.
    fn capture(&mut self, capture: &Capture) -> Res<(Qual, hir::Expr)> {
        let Name { span, .. } = capture.name;
        if capture.is_this() {
            let this = self.this(span)?;
            if capture.by_reference {
                let ty = Qual::plain(this.ty.ty);
                return Ok((ty, self.expr(this)?));
            }
            let object = self.deref(this, span)?;
            let mut ty = Qual::plain(object.ty.ty);
            ty.quals.is_const = object.ty.quals.is_const;
            self.refuse_abstract(ty.ty, span)?;
            return Ok((ty, self.convert(object, ty, "in the capture")?));
        }
        let value = if let Some(init) = &capture.init {
            self.expression(init)?
        } else {
            if let Some((Entity::Static(..) | Entity::Variable(_), _)) = self.find(capture.name.symbol) {
                let text = self.text(capture.name.symbol).to_owned();
                let message = format!("`{text}` is no variable of the function and cannot be captured");
                let error =
                    Diagnostic::error("wrong-type", span, message).help("the body can use it as it is");
                return self.fail(error);
            }
            let segments = vec![Segment { name: capture.name, arguments: None }];
            self.name_value(&QualifiedName { global: false, segments, span })?
        };
        if capture.by_reference {
            let ty = Qual::plain(self.types.intern(TypeKind::Reference(value.ty)));
            let address = self.convert(value, ty, "in the capture")?;
            return Ok((ty, address));
        }
        if let (ValueKind::Place(kind, _), Some(_)) = (&value.kind, self.types.array(value.ty.ty)) {
            let place = self.make_place(kind.clone(), value.ty, span)?;
            let copy = self.make(Hir::Load(Box::new(place)), value.ty.ty, span)?;
            return Ok((value.ty.unqualified(), copy));
        }
        let value = self.rvalue(value)?;
        let ty: CType = value.ty.ty;
        let copy = self.convert(value, Qual::plain(ty), "in the capture")?;
        Ok((Qual::plain(ty), copy))
    }
}

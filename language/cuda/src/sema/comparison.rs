//! Comparisons: `<=>`, comparisons that `= default` defines, and operators that `==` and `<=>` of a
//! class stand for ([class.compare], [over.match.oper]).

use super::Sema;
use super::overload::Argument;
use super::scope::{Entity, Scopes};
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{FunctionName, Res, Value};
use crate::diagnostics::Diagnostic;
use crate::hir::{ExprKind as Hir, LocalId, LocalKind, PlaceKind, Stmt, StmtKind};
use crate::lex::Punct;
use crate::source::Span;
use crate::syntax::ast::{FunctionBody, Operator};

/// The results of `<=>`, the weakest first.
const ORDERINGS: [&str; 3] = ["partial_ordering", "weak_ordering", "strong_ordering"];

impl Sema<'_> {
    /// What a comparison of objects without an operator that fits stands for: `!(a == b)` or
    /// `(a <=> b) < 0`, also with the operands exchanged.
    pub(super) fn rewritten(
        &mut self,
        punct: Punct,
        operands: &[Value; 2],
        span: Span,
        place: Span,
    ) -> Res<Option<Value>> {
        let is_object = |one: &Value| self.types.record(one.ty.ty).is_some();
        if !Operator::Symbol(punct).compares() || !operands.iter().any(is_object) || self.rules.is_c {
            return Ok(None);
        }
        // Before C++20 an object is compared as the number that it converts to.
        if !self.is_cpp20 && operands.iter().any(|one| self.becomes_scalar(one)) {
            return Ok(None);
        }
        let [left, right] = operands;
        let exchanged = [right.clone(), left.clone()];
        match punct {
            Punct::EqEq => self.overloaded(Punct::EqEq, &exchanged, span),
            Punct::NotEq => {
                for operands in [operands, &exchanged] {
                    if let Some(equal) = self.overloaded(Punct::EqEq, operands, span)? {
                        let no = Value::int(0, CTypes::BOOL, span);
                        return self.binary(Punct::EqEq, equal, no, span, place).map(Some);
                    }
                }
                Ok(None)
            }
            Punct::Spaceship => Ok(None),
            _ => {
                let zero = Value::int(0, CTypes::INT, span);
                if let Some(order) = self.overloaded(Punct::Spaceship, operands, span)? {
                    return self.binary(punct, order, zero, span, place).map(Some);
                }
                match self.overloaded(Punct::Spaceship, &exchanged, span)? {
                    Some(order) => self.binary(punct, zero, order, span, place).map(Some),
                    None => Ok(None),
                }
            }
        }
    }

    /// Whether the class of an object converts it to a number or pointer implicitly.
    fn becomes_scalar(&mut self, value: &Value) -> bool {
        let Some(record) = self.types.record(value.ty.ty) else { return false };
        let list = self.methods_named(record, FunctionName::Conversion);
        list.iter().any(|one| !self.functions[*one].decl.specifiers.flags.is_explicit)
    }

    /// `a <=> b` of numbers and pointers.
    pub(super) fn three_way(&mut self, left: Value, right: Value, span: Span) -> Res<Value> {
        for one in [&left, &right] {
            if self.types.record(one.ty.ty).is_some() {
                let shown = self.show(one.ty);
                return self.error("wrong-type", span, format!("`{shown}` has no `operator<=>` that fits"));
            }
        }
        let loses_sign = |one: &Value, other: &Value| {
            let (own, to) = (self.types.int_type(one.ty.ty), self.types.int_type(other.ty.ty));
            own.zip(to).is_some_and(|(own, to)| own.signed && !to.signed && to.bits >= own.bits.max(32))
                && one.known().is_none()
        };
        if loses_sign(&left, &right) || loses_sign(&right, &left) {
            let message = "`<=>` of a signed and an unsigned number loses the sign";
            return self.error("wrong-type", span, message);
        }
        let Some(Entity::Functions(list)) = self.named_in_std("__three_way") else {
            return self.needs_compare(span);
        };
        let types = [left.ty.ty, right.ty.ty];
        let (mut left, mut right) = (left, right);
        if let Some(common) = [CTypes::DOUBLE, CTypes::FLOAT].into_iter().find(|ty| types.contains(ty)) {
            for one in [&mut left, &mut right] {
                let number = self.convert(one.clone(), Qual::plain(common), "to compare")?;
                *one = Value::rvalue(number.kind, common, span);
            }
        }
        let arguments = vec![Argument::Value(left), Argument::Value(right)];
        match self.select(&list, None, None, &arguments, span)? {
            Some(selected) => self.call_selected(&selected, None, arguments, span),
            None => self.error("wrong-type", span, "`<=>` does not fit these operands"),
        }
    }

    fn needs_compare<T>(&mut self, span: Span) -> Res<T> {
        let error = Diagnostic::error("undeclared-name", span, "`<=>` needs the types of its results");
        self.fail(error.help("write `#include <compare>`"))
    }

    /// What a header declares in `std`.
    pub(super) fn named_in_std(&self, name: &str) -> Option<Entity> {
        let file = &self.scopes.get(Scopes::FILE).names;
        let Some(Entity::Namespace(std)) = file.get(&self.names.find("std")?) else { return None };
        self.scopes.get(*std).names.get(&self.names.find(name)?).cloned()
    }

    /// The class of a result of `<=>`.
    fn ordering(&mut self, name: &str, span: Span) -> Res<CType> {
        match self.named_in_std(name) {
            Some(Entity::Type(ty)) => {
                self.require_complete(ty.ty, span)?;
                Ok(ty.ty)
            }
            _ => self.needs_compare(span),
        }
    }

    /// Adds `==` to a class with `<=>` of `= default` and without a `==` ([class.compare.default]).
    pub(super) fn implicit_equality(&mut self, id: RecordId) {
        let operators = &self.records[id].operators;
        let named = |punct| operators.iter().find(move |(one, _)| *one == Operator::Symbol(punct));
        let Some((_, three_way)) = named(Punct::Spaceship).filter(|_| named(Punct::EqEq).is_none()) else {
            return;
        };
        let info = &self.functions[*three_way];
        if !matches!(info.decl.body, FunctionBody::Defaulted) {
            return;
        }
        let (span, device) = (info.span, info.device);
        let ty = self.types.intern(TypeKind::Record(id));
        let from = Qual::plain(self.types.intern(TypeKind::Reference(Qual::constant(ty))));
        let name = FunctionName::Operator(Operator::Symbol(Punct::EqEq));
        let function = self.implicit(id, name, Some(from), span);
        let info = &mut self.functions[function];
        (info.is_const, info.device) = (true, device);
        if let Some(signature) = &mut info.signature {
            signature.result = Qual::plain(CTypes::BOOL);
        }
        self.records[id].operators.push((Operator::Symbol(Punct::EqEq), function));
    }

    /// The statements of a comparison of `= default`.
    pub(super) fn defaulted_comparison(
        &mut self,
        punct: Punct,
        class: RecordId,
        (local, ty): (LocalId, Qual),
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let Some(object) = self.method_object(span) else { return Err(super::Failed) };
        let other = match self.types.referent(ty.ty) {
            Some(to) => {
                let pointer = self.types.pointer(to);
                let place = self.make_place(PlaceKind::Local(local), Qual::plain(pointer), span)?;
                let address = self.make(Hir::Load(Box::new(place)), pointer, span)?;
                Value::deref(address, to, span)
            }
            None => Value::place(PlaceKind::Local(local), ty, span),
        };
        let own = self.types.intern(TypeKind::Record(class));
        if other.ty.ty != own || !object.ty.quals.is_const {
            let message = "a comparison of `= default` is a `const` method that takes an object of its class";
            return self.error("wrong-type", span, message);
        }
        let made = match punct {
            Punct::EqEq => self.all_equal(&object, &other, class, span)?,
            Punct::Spaceship => return self.first_difference(&object, &other, class, span, out),
            Punct::NotEq => {
                let equal = self.binary(Punct::EqEq, object, other, span, span)?;
                self.binary(Punct::EqEq, equal, Value::int(0, CTypes::BOOL, span), span, span)?
            }
            _ => {
                let order = self.binary(Punct::Spaceship, object, other, span, span)?;
                self.binary(punct, order, Value::int(0, CTypes::INT, span), span, span)?
            }
        };
        let made = self.convert(made, Qual::plain(CTypes::BOOL), "to return")?;
        out.push(Stmt { kind: StmtKind::Return(Some(made)), span });
        Ok(())
    }

    /// The parts of two objects that are compared in order: base classes and members, and the
    /// elements of arrays.
    fn compared_parts(
        &mut self,
        left: &Value,
        right: &Value,
        class: RecordId,
        span: Span,
    ) -> Res<Vec<(Value, Value)>> {
        let mut parts = Vec::new();
        for at in self.records[class].construction() {
            if self.is_pointer_to_table(class, at) {
                continue;
            }
            let pair = (self.field_at(left.clone(), at, span)?, self.field_at(right.clone(), at, span)?);
            self.add_part(pair, span, &mut parts)?;
        }
        Ok(parts)
    }

    fn add_part(
        &mut self,
        (left, right): (Value, Value),
        span: Span,
        parts: &mut Vec<(Value, Value)>,
    ) -> Res<()> {
        let Some((_, count)) = self.types.array(left.ty.ty) else {
            parts.push((left, right));
            return Ok(());
        };
        let count = count.unwrap_or(0);
        if count > MAX_ELEMENTS {
            let message = "a comparison of `= default` of an array with so many elements";
            return self.unsupported(span, message);
        }
        for at in 0..count {
            let index = || Value::int(i128::from(at), CTypes::INT, span);
            let mut element = |array: &Value| {
                let address = self.binary(Punct::Plus, array.clone(), index(), span, span)?;
                self.deref(address, span)
            };
            let pair = (element(&left)?, element(&right)?);
            self.add_part(pair, span, parts)?;
        }
        Ok(())
    }

    fn all_equal(&mut self, left: &Value, right: &Value, class: RecordId, span: Span) -> Res<Value> {
        let mut all: Option<Value> = None;
        for (left, right) in self.compared_parts(left, right, class, span)? {
            let equal = self.binary(Punct::EqEq, left, right, span, span)?;
            all = Some(match all {
                Some(all) => self.binary(Punct::AndAnd, all, equal, span, span)?,
                None => equal,
            });
        }
        Ok(all.unwrap_or_else(|| Value::int(1, CTypes::BOOL, span)))
    }

    /// Returns the order of the first parts that differ. The category is the weakest of all parts.
    fn first_difference(
        &mut self,
        left: &Value,
        right: &Value,
        class: RecordId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let mut orders = Vec::new();
        let mut weakest = ORDERINGS.len() - 1;
        for (left, right) in self.compared_parts(left, right, class, span)? {
            let order = self.binary(Punct::Spaceship, left, right, span, span)?;
            let order = self.rvalue(order)?;
            let mut category = None;
            for (at, name) in ORDERINGS.iter().enumerate() {
                if self.ordering(name, span)? == order.ty.ty {
                    category = Some(at);
                }
            }
            let Some(category) = category else {
                let shown = self.show(order.ty);
                let message = format!("`<=>` of a part returns `{shown}`, which is no order");
                return self.error("wrong-type", span, message);
            };
            weakest = weakest.min(category);
            orders.push(order);
        }
        let declared = self.function.as_ref().map(|function| function.result);
        let result = match declared {
            Some(result) if self.types.kind(result.ty) != &TypeKind::Auto => {
                let mut category = None;
                for (at, name) in ORDERINGS.iter().enumerate() {
                    if self.ordering(name, span)? == result.ty {
                        category = Some(at);
                    }
                }
                if category.is_none_or(|category| category > weakest) {
                    let shown = self.show(result);
                    let message = format!("the parts of the class have a weaker order than `{shown}`");
                    return self.error("wrong-type", span, message);
                }
                result
            }
            _ => Qual::plain(self.ordering(ORDERINGS[weakest], span)?),
        };
        if let Some(function) = &mut self.function {
            function.result = result;
        }
        for order in orders {
            // Each class of results has one member, a number.
            let ty = order.ty;
            let local = self.new_local(String::new(), ty, LocalKind::Variable, span)?;
            let init = self.expr(order)?;
            out.push(Stmt { kind: StmtKind::Declare { local, init: Some(init) }, span });
            let number = |sema: &mut Self| {
                let object = Value::place(PlaceKind::Local(local), ty, span);
                sema.field_at(object, 0, span)
            };
            let (tested, returned) = (number(self)?, number(self)?);
            let zero = Value::int(0, CTypes::INT, span);
            let condition = self.binary(Punct::NotEq, tested, zero, span, span)?;
            let condition = self.expr(condition)?;
            let returned = self.rvalue(returned)?;
            let returned = self.expr(returned)?;
            let returned = self.make(Hir::Aggregate(vec![returned]), result.ty, span)?;
            let then = vec![Stmt { kind: StmtKind::Return(Some(returned)), span }];
            out.push(Stmt { kind: StmtKind::If { condition, then, otherwise: Vec::new() }, span });
        }
        let equal = self.make(Hir::Zero, result.ty, span)?;
        out.push(Stmt { kind: StmtKind::Return(Some(equal)), span });
        Ok(())
    }
}

/// Elements of an array that a comparison of `= default` compares.
const MAX_ELEMENTS: u64 = 64;

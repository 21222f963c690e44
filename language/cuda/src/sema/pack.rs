//! Packs of templates and functions: their elements, expansions and fold expressions
//! ([temp.variadic]).

use std::borrow::Cow;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Sema;
use super::id::PackId;
use super::scope::{Constant, Entity, Owner, ScopeId};
use super::value::{Res, TemplateValue, Value};
use crate::arena::Arena;
use crate::budget::Resource;
use crate::diagnostics::Diagnostic;
use crate::hir::ExprKind as Hir;
use crate::lex::{Punct, Symbol};
use crate::source::Span;
use crate::syntax::assignment_operator;
use crate::syntax::ast::{Expr, ExprKind, Fold, ListItem, Name, Parameter, TemplateParameters};

/// Elements that a pack may have.
const MAX_ELEMENTS: usize = 4096;

/// Operands of a fold expression whose last operands are joined first: each is one level deeper.
const MAX_FOLDED: usize = 128;

/// The packs of template arguments; equal packs have equal ids.
#[derive(Default)]
pub(super) struct Packs {
    lists: Arena<PackId, Rc<[TemplateValue]>>,
    known: FxHashMap<Rc<[TemplateValue]>, PackId>,
}

impl Packs {
    /// The pack of these arguments.
    pub(super) fn intern(&mut self, list: &[TemplateValue]) -> TemplateValue {
        if let Some(known) = self.known.get(list) {
            return TemplateValue::Pack(*known);
        }
        let list: Rc<[TemplateValue]> = list.into();
        let id = self.lists.push(list.clone());
        self.known.insert(list, id);
        TemplateValue::Pack(id)
    }

    /// The arguments of a pack.
    pub(super) fn get(&self, id: PackId) -> &Rc<[TemplateValue]> {
        &self.lists[id]
    }

    /// Template arguments where packs are replaced by their elements.
    pub(super) fn flat(&self, values: &[TemplateValue]) -> Vec<TemplateValue> {
        let mut list = Vec::with_capacity(values.len());
        for value in values {
            match value {
                TemplateValue::Pack(id) => list.extend_from_slice(self.get(*id)),
                value => list.push(*value),
            }
        }
        list
    }
}

/// The index of the first pack among the parameters of a template.
pub(super) fn first_pack(template: &TemplateParameters) -> Option<usize> {
    template.list.iter().position(|one| one.is_pack)
}

/// Whether a function has a pack of parameters.
pub(super) fn has_pack(parameters: &[Parameter]) -> bool {
    parameters.iter().any(|one| one.pack.is_some())
}

impl Sema<'_> {
    /// What a template argument is under the name of its parameter.
    pub(super) fn entity_of(&self, value: TemplateValue) -> Entity {
        match value {
            TemplateValue::Type(ty) => Entity::Type(ty),
            TemplateValue::Value(value, ty) => Entity::Constant(Constant::Int(value), ty),
            TemplateValue::Function(function) => Entity::Functions(vec![function]),
            TemplateValue::Template(template) => Entity::RecordTemplate(template),
            TemplateValue::Alias(alias) => Entity::AliasTemplate(alias),
            TemplateValue::Address(variable, ty) => match self.types.referent(ty) {
                Some(_) => Entity::Variable(variable),
                None => Entity::Address(variable, ty),
            },
            TemplateValue::Pack(id) => {
                let list = self.packs.get(id).clone();
                Entity::Pack(list.iter().map(|one| self.entity_of(*one)).collect())
            }
        }
    }

    /// The number of elements of packs that are expanded together.
    pub(super) fn pack_length(&mut self, packs: &[Symbol], span: Span) -> Res<usize> {
        let mut length: Option<usize> = None;
        for symbol in packs {
            let Some((Entity::Pack(list), _)) = self.find(*symbol) else { continue };
            if length.is_some_and(|length| length != list.len()) {
                let message = "packs of different lengths are expanded together";
                return self.error("template", span, message);
            }
            length = Some(list.len());
        }
        let Some(length) = length else {
            return self.error("template", span, "`...` expands a pack, but there is none in front of it");
        };
        if length > MAX_ELEMENTS {
            let message = format!("a pack has {length} elements; at most {MAX_ELEMENTS} can be expanded");
            return self.error("limit", span, message);
        }
        self.spend(Resource::Steps, length, span)?;
        Ok(length)
    }

    /// A scope in the current one where the names of packs are those of one element.
    fn element_scope(&mut self, packs: &[Symbol], at: usize) -> ScopeId {
        let elements: Vec<(Symbol, Entity)> = packs
            .iter()
            .filter_map(|symbol| match self.find(*symbol) {
                Some((Entity::Pack(list), _)) => list.get(at).map(|one| (*symbol, one.clone())),
                _ => None,
            })
            .collect();
        let scope = self.scopes.add(self.scope, Owner::Template);
        self.scopes.get_mut(scope).names.extend(elements);
        scope
    }

    /// Runs a step where the names of packs are those of one element.
    pub(super) fn in_element<T>(
        &mut self,
        packs: &[Symbol],
        at: usize,
        step: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let scope = self.element_scope(packs, at);
        self.in_scope(scope, step)
    }

    /// Expressions with an element for each expansion among them.
    pub(super) fn expanded<'e>(&mut self, list: &'e [Expr]) -> Res<Cow<'e, [Expr]>> {
        if !list.iter().any(|one| matches!(one.kind, ExprKind::Expand(..))) {
            return Ok(Cow::Borrowed(list));
        }
        let mut made = Vec::with_capacity(list.len());
        for one in list {
            self.expand_into(one, &mut made)?;
        }
        Ok(Cow::Owned(made))
    }

    /// The items of a list with an element for each expansion among them.
    pub(super) fn expanded_items<'e>(&mut self, list: &'e [ListItem]) -> Res<Cow<'e, [ListItem]>> {
        if !list.iter().any(|one| matches!(one.value.kind, ExprKind::Expand(..))) {
            return Ok(Cow::Borrowed(list));
        }
        let mut made = Vec::with_capacity(list.len());
        for one in list {
            let ExprKind::Expand(..) = one.value.kind else {
                made.push(one.clone());
                continue;
            };
            let mut values = Vec::new();
            self.expand_into(&one.value, &mut values)?;
            made.extend(values.into_iter().map(|value| ListItem { designators: Vec::new(), value }));
        }
        Ok(Cow::Owned(made))
    }

    fn expand_into(&mut self, one: &Expr, out: &mut Vec<Expr>) -> Res<()> {
        let ExprKind::Expand(pattern, packs) = &one.kind else {
            out.push(one.clone());
            return Ok(());
        };
        let length = self.pack_length(packs, one.span)?;
        out.extend((0..length).map(|at| element(pattern, packs, at)));
        Ok(())
    }

    /// `sizeof...(pack)`.
    pub(super) fn size_of_pack(&mut self, name: Name) -> Res<Value> {
        let mut found = self.find(name.symbol);
        // An expansion around names one of its elements.
        while let Some((entity, scope)) = &found
            && !matches!(entity, Entity::Pack(_))
            && self.scopes.get(*scope).owner == Owner::Template
            && let Some(parent) = self.scopes.get(*scope).parent
        {
            found = self.in_scope(parent, |sema| sema.find(name.symbol));
        }
        match found {
            Some((Entity::Pack(list), _)) => {
                Ok(Value::int(list.len() as i128, self.types.size_type, name.span))
            }
            Some(_) => {
                let text = self.text(name.symbol).to_owned();
                self.error("template", name.span, format!("`{text}` is no pack"))
            }
            None => self.undeclared(name),
        }
    }

    /// A pack that is used without `...`.
    pub(super) fn unexpanded<T>(&mut self, name: Symbol, span: Span) -> Res<T> {
        let text = self.text(name).to_owned();
        let error = Diagnostic::error("template", span, format!("`{text}` is a pack and needs `...`"))
            .help(format!("write `{text}...` where its elements are meant"));
        self.fail(error)
    }

    /// A fold expression: the operator between the elements, as if it were written.
    pub(super) fn fold(&mut self, fold: &Fold, span: Span) -> Res<Value> {
        let length = self.pack_length(&fold.packs, span)?;
        let mut operands: Vec<Expr> = (0..length).map(|at| element(&fold.pattern, &fold.packs, at)).collect();
        match &fold.init {
            Some(init) if fold.from_left => operands.insert(0, init.clone()),
            Some(init) => operands.push(init.clone()),
            None => {}
        }
        let operator = fold.operator;
        let assigns = assignment_operator(operator);
        // The order of evaluation is the same from both ends.
        let from_left = fold.from_left || operator == Punct::Comma;
        if !from_left && operands.len() > MAX_FOLDED {
            let message = format!("a fold expression has {} operands; at most {MAX_FOLDED}", operands.len());
            let error = Diagnostic::error("limit", span, message)
                .help("`(... op e)` joins the first operands first and has no limit");
            return self.fail(error);
        }
        let join = |left: Expr, right: Expr| {
            let depth = left.depth.max(right.depth) + 1;
            let (left, right) = (Box::new(left), Box::new(right));
            let kind = match assigns {
                Some(operator) => ExprKind::Assign(operator, left, right, span),
                None => ExprKind::Binary(operator, left, right, span),
            };
            Expr { kind, span, depth, chain: 0 }
        };
        let whole = if from_left {
            operands.into_iter().reduce(join)
        } else {
            operands.into_iter().rev().reduce(|right, left| join(left, right))
        };
        if let Some(whole) = whole {
            let value = self.expression(&whole);
            drop_chain(whole);
            return value;
        }
        match operator {
            Punct::AndAnd => Ok(Value::int(1, super::types::CTypes::BOOL, span)),
            Punct::OrOr => Ok(Value::int(0, super::types::CTypes::BOOL, span)),
            Punct::Comma => {
                let zero = Box::new(crate::hir::Expr::int(0, span));
                Ok(Value::rvalue(Hir::Cast(zero), super::types::CTypes::VOID, span))
            }
            _ => {
                let message = format!("a fold expression with `{}` has no operands", operator.text());
                let error = Diagnostic::error("template", span, message)
                    .label("the pack is empty")
                    .help("give it a first operand, as in `(0 + ... + e)`");
                self.fail(error)
            }
        }
    }
}

/// The expression for one element of packs.
fn element(pattern: &Rc<Expr>, packs: &Rc<[Symbol]>, at: usize) -> Expr {
    let kind = ExprKind::Element(pattern.clone(), packs.clone(), at as u32);
    Expr { kind, span: pattern.span, depth: pattern.depth + 1, chain: 0 }
}

/// Drops a long chain of operators without a stack frame for each.
fn drop_chain(mut chain: Expr) {
    while let ExprKind::Binary(_, left, ..) = chain.kind {
        chain = *left;
    }
}

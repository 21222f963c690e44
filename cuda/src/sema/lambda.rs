//! Lambda expressions without captures: an object of an empty class with `operator()`.

use std::rc::Rc;

use super::Sema;
use super::types::{CTypes, Kind, Qual};
use super::value::{FunctionName, Res, State, Value};
use crate::diagnostics::Diagnostic;
use crate::hir::ExprKind as Hir;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, Chunk, Declarator, DeclaratorName, Flags, FunctionBody, FunctionDecl, Lambda, Operator,
    Qualifiers, Specifiers,
};

impl Sema<'_> {
    /// The value of a lambda expression.
    pub(super) fn lambda(&mut self, lambda: &Rc<Lambda>, span: Span) -> Res<Value> {
        if let Some(captures) = lambda.captures {
            let error = Diagnostic::unsupported(captures, "a lambda expression with captures")
                .note("without captures, `[]`, lambda expressions are supported");
            return self.fail(error);
        }
        let id = self.new_record(None, self.scope, span);
        self.lambda_count += 1;
        let number = self.lambda_count;
        let record = &mut self.records[id.0 as usize];
        record.name = format!("lambda {number}");
        record.lambda = Some(number);
        record.state = State::Complete;
        let scope = record.scope;
        let base = if lambda.function.trailing.is_some() { BaseType::None } else { BaseType::Auto };
        let specifiers = Specifiers {
            base,
            qualifiers: Qualifiers::default(),
            flags: Flags { device: true, ..Flags::default() },
            align: None,
            launch_bounds: Vec::new(),
            intrinsic: None,
            span,
        };
        let mut function = lambda.function.clone();
        function.is_const = true;
        let decl = Rc::new(FunctionDecl {
            specifiers: Rc::new(specifiers),
            declarator: Declarator {
                name: DeclaratorName::Operator(None, Operator::Call),
                chunks: vec![Chunk::Function(Box::new(function))],
                span,
            },
            template: None,
            extern_c: false,
            body: FunctionBody::Block(lambda.body.clone()),
        });
        let call = self.in_scope(scope, |sema| sema.new_function(&decl, scope))?;
        let info = &mut self.functions[call.0 as usize];
        info.class = Some(id);
        debug_assert_eq!(info.name, FunctionName::Operator(Operator::Call), "made above");
        self.records[id.0 as usize].operators.push((Operator::Call, call));
        let ty = Qual::plain(self.types.intern(Kind::Record(id)));
        debug_assert_ne!(ty.ty, CTypes::VOID, "a class");
        Ok(self.rvalue_of(Hir::Zero, ty.ty, span))
    }
}

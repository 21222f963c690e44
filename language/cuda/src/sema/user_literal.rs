//! Literals with a suffix that the user defines: `1.5_km`, `"text"s` ([lex.ext]).

use std::rc::Rc;

use super::Sema;
use super::overload::{Argument, Selected};
use super::scope::FunctionIndex;
use super::types::{CType, CTypes, TypeKind};
use super::value::{Res, TemplateValue, Value};
use crate::diagnostics::Diagnostic;
use crate::hir::ExprKind as Hir;
use crate::lex::{NumberKind, Symbol, parse_number};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, Name, Operator};

/// The number and the suffix of the user in a text.
fn split(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let mut at = if is_hex { 2 } else { 0 };
    while let Some(byte) = bytes.get(at) {
        let is_exponent = matches!(byte, b'e' | b'E') && !is_hex || matches!(byte, b'p' | b'P') && is_hex;
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        if is_exponent && bytes.get(at + 1 + signed).is_some_and(u8::is_ascii_digit) {
            at += 1 + signed;
        } else if !(byte.is_ascii_digit()
            || matches!(byte, b'.' | b'\'')
            || is_hex && byte.is_ascii_hexdigit()
            || at == 1 && matches!(byte, b'b' | b'B') && bytes.get(2).is_some_and(u8::is_ascii_digit))
        {
            break;
        }
        at += 1;
    }
    text.split_at(at)
}

/// Whether a text is a number with a suffix that a program may define.
pub(super) fn has_suffix(text: &str) -> bool {
    let (number, suffix) = split(text);
    suffix.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic())
        && parse_number(number).is_ok()
}

impl Sema<'_> {
    /// The value of a number with a suffix of the user.
    pub(super) fn suffixed_number(&mut self, symbol: Symbol, span: Span) -> Res<Value> {
        let text = self.text(symbol).to_owned();
        let (digits, suffix) = split(&text);
        let operator = self.names.find(suffix).map(Operator::Literal);
        let functions = operator.map_or_else(Vec::new, |operator| self.operators_in_scope(operator, &[]));
        let Ok(number) = parse_number(digits) else { return Err(super::Failed) };
        let (ty, kind) = match number.kind {
            NumberKind::Int { .. } => (CTypes::ULLONG, Hir::Int(i128::from(number.int))),
            _ => (CTypes::DOUBLE, Hir::Float(number.float)),
        };
        if let Some(function) = self.literal_operator(&functions, &[ty]) {
            return self.call_literal(function, vec![Value::rvalue(kind, ty, span)], span);
        }
        let text_ty = self.text_type();
        if let Some(function) = self.literal_operator(&functions, &[text_ty]) {
            let value = self.string(&Rc::new(digits.as_bytes().to_vec()), span)?;
            return self.call_literal(function, vec![value], span);
        }
        let takes_digits = |one: &&FunctionIndex| {
            let info = &self.functions[**one];
            let is_pack =
                info.template.as_ref().is_some_and(|template| template.list.iter().all(|one| one.is_pack));
            is_pack && info.defaults.is_empty()
        };
        if let Some(function) = functions.iter().find(takes_digits).copied() {
            let digits: Vec<TemplateValue> =
                digits.bytes().map(|byte| TemplateValue::Value(i128::from(byte), CTypes::CHAR)).collect();
            let arguments = vec![self.packs.intern(&digits)];
            let selected = Selected { function, arguments, is_named: false };
            return self.call_selected(&selected, None, Vec::new(), span);
        }
        self.no_literal_operator(suffix, span)
    }

    /// The value of a string or a character with a suffix of the user.
    pub(super) fn suffixed_literal(&mut self, literal: &Expr, suffix: Name, span: Span) -> Res<Value> {
        let functions = self.operators_in_scope(Operator::Literal(suffix.symbol), &[]);
        let value = self.expression(literal)?;
        let (types, values) = if let ExprKind::Text(bytes) = &literal.kind {
            let size = self.types.size_type;
            (vec![self.text_type(), size], vec![value, Value::int(bytes.len() as i128, size, span)])
        } else {
            (vec![CTypes::CHAR], vec![value])
        };
        if let Some(function) = self.literal_operator(&functions, &types) {
            return self.call_literal(function, values, span);
        }
        let text = self.text(suffix.symbol).to_owned();
        self.no_literal_operator(&text, suffix.span)
    }

    fn text_type(&mut self) -> CType {
        self.types.intern(TypeKind::Pointer(super::types::Qual::constant(CTypes::CHAR)))
    }

    /// The operator with these types of parameters.
    fn literal_operator(&self, functions: &[FunctionIndex], types: &[CType]) -> Option<FunctionIndex> {
        functions.iter().copied().find(|one| {
            self.functions[*one].signature.as_ref().is_some_and(|signature| {
                signature.parameters.iter().map(|one| one.ty).eq(types.iter().copied())
            })
        })
    }

    fn call_literal(&mut self, function: FunctionIndex, values: Vec<Value>, span: Span) -> Res<Value> {
        let selected = Selected { function, arguments: Vec::new(), is_named: false };
        self.call_selected(&selected, None, values.into_iter().map(Argument::Value).collect(), span)
    }

    fn no_literal_operator<T>(&mut self, suffix: &str, span: Span) -> Res<T> {
        let message = format!("no `operator\"\"{suffix}` takes this literal");
        let mut error = Diagnostic::error("literal", span, message);
        if matches!(suffix, "h" | "min" | "s" | "ms" | "us" | "ns") {
            error = error.help("write `using namespace std::literals;` and include its header");
        }
        self.fail(error)
    }
}

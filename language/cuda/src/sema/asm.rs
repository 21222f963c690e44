//! Inline PTX.

use super::Sema;
use super::types::{CTypes, TypeKind};
use super::value::{Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, AsmClass, AsmInput, AsmOutput, AsmPiece, ExprKind as Hir, InlineAsm};
use crate::source::Span;
use crate::syntax::ast::{Asm, AsmOperand};

impl Sema<'_> {
    /// Analyzes `asm(...)`.
    pub(super) fn inline_asm(&mut self, asm: &Asm, span: Span) -> Res<hir::Expr> {
        let mut outputs = Vec::new();
        let mut inputs = Vec::new();
        for operand in &asm.outputs {
            let text = String::from_utf8_lossy(&operand.constraint).into_owned();
            let (read, letters) = match (text.strip_prefix('='), text.strip_prefix('+')) {
                (Some(rest), _) => (false, rest),
                (_, Some(rest)) => (true, rest),
                _ => {
                    let message = format!("constraint \"{text}\" of an output must start with `=` or `+`");
                    return self.error("asm", operand.value.span, message);
                }
            };
            let value = self.expression(&operand.value)?;
            let class = self.class_of(letters.trim_start_matches('&'), &value, operand)?;
            let ty = value.ty;
            let ValueKind::Place(kind, _) = value.kind else {
                return self.error("asm", operand.value.span, "an output of inline PTX must be a variable");
            };
            if ty.quals.is_const {
                let message = "inline PTX cannot change a `const` variable";
                return self.error("const", operand.value.span, message);
            }
            let place = self.make_place(kind, ty, operand.value.span)?;
            outputs.push(AsmOutput { class, place, read });
        }
        for operand in &asm.inputs {
            let text = String::from_utf8_lossy(&operand.constraint).into_owned();
            let value = self.expression(&operand.value)?;
            // A digit names the output that the operand shares its register with.
            if let Ok(at) = text.parse::<usize>() {
                let Some(output) = outputs.get_mut(at) else {
                    return self.error("asm", operand.value.span, format!("there is no output {at}"));
                };
                let _ = &output.read;
                return self.unsupported(operand.value.span, "a constraint that names another operand");
            }
            let class = self.class_of(&text, &value, operand)?;
            let value = self.expr(value)?;
            inputs.push(AsmInput { class, value });
        }
        let template = self.template(asm, outputs.len() + inputs.len())?;
        let memory = asm.clobbers.iter().any(|clobber| clobber == b"memory");
        let volatile = asm.volatile || outputs.is_empty();
        let made = InlineAsm { template, outputs, inputs, volatile, memory };
        self.make(Hir::Asm(Box::new(made)), CTypes::VOID, span)
    }

    fn class_of(&mut self, letters: &str, value: &Value, operand: &AsmOperand) -> Res<AsmClass> {
        let ty = self.types.array(value.ty.ty).map_or(value.ty.ty, |_| {
            // An array stands for its address.
            self.types.size_type
        });
        let pointer = matches!(self.types.kind(ty), TypeKind::Pointer(_));
        let bytes =
            if pointer { u64::from(self.target.pointer_bytes) } else { self.types.arithmetic_size(ty) };
        let integer = pointer || self.types.int_type(ty).is_some() || ty == CTypes::BOOL;
        let (class, fits) = match letters {
            "h" => (AsmClass::Half, integer && bytes == 2),
            "r" => (AsmClass::Word, integer && bytes == 4),
            "l" => (AsmClass::Long, integer && bytes == 8),
            "f" => (AsmClass::Float, ty == CTypes::FLOAT),
            "d" => (AsmClass::Double, ty == CTypes::DOUBLE),
            "n" | "i" => (AsmClass::Immediate, value.known().is_some()),
            _ => {
                let message = format!("unknown constraint \"{letters}\"");
                let error = Diagnostic::error("asm", operand.value.span, message)
                    .help("use \"h\" (16 bits), \"r\" (32), \"l\" (64), \"f\" (float), \"d\" (double) or \"n\" (constant)");
                return self.fail(error);
            }
        };
        if fits {
            return Ok(class);
        }
        let shown = self.show(value.ty);
        let message = format!("constraint \"{letters}\" does not fit a `{shown}`");
        let error = Diagnostic::error("asm", operand.value.span, message);
        self.fail(error)
    }

    /// Splits the text at its operands.
    fn template(&mut self, asm: &Asm, operands: usize) -> Res<Vec<AsmPiece>> {
        let text = String::from_utf8_lossy(&asm.template).into_owned();
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            if char != '%' {
                plain.push(char);
                continue;
            }
            match chars.peek().copied() {
                Some('%') => {
                    chars.next();
                    plain.push('%');
                }
                Some('0'..='9') => {
                    let mut number = 0usize;
                    while let Some(digit) = chars.peek().and_then(|next| next.to_digit(10)) {
                        number = (number * 10 + digit as usize).min(10_000);
                        chars.next();
                    }
                    if number >= operands {
                        let message =
                            format!("operand %{number} does not exist; there are {operands} operands");
                        return self.error("asm", asm.span, message);
                    }
                    pieces.push(AsmPiece::Text(std::mem::take(&mut plain)));
                    pieces.push(AsmPiece::Operand(number));
                }
                Some('[') => {
                    chars.next();
                    let name: String = chars.by_ref().take_while(|next| *next != ']').collect();
                    let all = asm.outputs.iter().chain(&asm.inputs);
                    let found = all
                        .map(|operand| operand.name)
                        .position(|found| found.is_some_and(|found| self.text(found.symbol) == name));
                    let Some(found) = found else {
                        return self.error("asm", asm.span, format!("operand %[{name}] does not exist"));
                    };
                    pieces.push(AsmPiece::Text(std::mem::take(&mut plain)));
                    pieces.push(AsmPiece::Operand(found));
                }
                // A register such as %clock.
                _ => plain.push('%'),
            }
        }
        pieces.push(AsmPiece::Text(plain));
        pieces.retain(|piece| *piece != AsmPiece::Text(String::new()));
        Ok(pieces)
    }
}

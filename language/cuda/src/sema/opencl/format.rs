//! `printf`.

use crate::diagnostics::Diagnostic;
use crate::hir::{ExprKind as Hir, Intrinsic, Storage};
use crate::sema::Sema;
use crate::sema::types::{CTypes, Qual, TypeKind};
use crate::sema::value::{Res, Value};
use crate::source::Span;
use crate::space::AddressSpace;
use crate::syntax::ast::{Expr, ExprKind};
use std::rc::Rc;

impl Sema<'_> {
    /// `printf`: the format and the values, with an element for each conversion. `%v4f` prints the
    /// elements of a vector with commas between them.
    pub(in crate::sema) fn open_cl_printf(&mut self, list: &[Expr], span: Span) -> Res<Value> {
        self.require_capability(20, "printf", span)?;
        let Some((format, rest)) = list.split_first() else {
            return self.error("no-match", span, "`printf` needs a format");
        };
        let ExprKind::Text(bytes) = &format.kind else {
            return self.error("wrong-type", format.span, "the format of `printf` must be a string literal");
        };
        let format_span = format.span;
        let (bytes, vectors) = scalar_format(bytes);
        let mut before = Vec::new();
        let mut values = vec![self.printed_text(&bytes, format_span)?];
        for (at, expr) in rest.iter().enumerate() {
            if let ExprKind::Text(text) = &expr.kind {
                values.push(self.printed_text(text, expr.span)?);
                continue;
            }
            let value = self.expression(expr)?;
            let expected = vectors.get(at).copied().unwrap_or(1);
            let count = self.types.vector(value.ty.ty).map_or(1, |(_, count)| count);
            let is_pointer = self.types.is_pointer(value.ty.ty);
            if !self.is_number(value.ty.ty) && !is_pointer || count != expected {
                let shown = self.show(value.ty);
                let mut error = Diagnostic::error(
                    "wrong-type",
                    expr.span,
                    format!("`printf` cannot print a `{shown}` here"),
                );
                if count > 1 {
                    error = error.help(format!("the conversion of a vector is `%v{count}f` or the like"));
                }
                return self.fail(error);
            }
            let parts = self.vector_parts(value, false)?;
            before.extend(parts.before);
            for part in parts.list {
                values.push(self.promoted_argument(part)?);
            }
        }
        self.check_format(&bytes, &values, format_span);
        if values.len() > 33 {
            return self.error("limit", span, "`printf` takes at most 32 values");
        }
        let call = self.make(Hir::Intrinsic(Intrinsic::Printf, values), CTypes::INT, span)?;
        let call = self.after(before, call, CTypes::INT)?;
        Ok(Value::rvalue(call.kind, CTypes::INT, span))
    }

    /// A text in global memory, where `printf` reads it.
    fn printed_text(&mut self, bytes: &Rc<Vec<u8>>, span: Span) -> Res<crate::hir::Expr> {
        let mut bytes = bytes.to_vec();
        bytes.push(0);
        let mut quals = Qual::constant(CTypes::CHAR);
        quals.quals.space = AddressSpace::Global;
        let ty = self.types.intern(TypeKind::Array(quals, Some(bytes.len() as u64)));
        let global = self.string_in(bytes, ty, Storage::Device, span)?;
        let place = Value::place(crate::hir::PlaceKind::Global(global), Qual { ty, ..quals }, span);
        let value = self.rvalue(place)?;
        self.expr(value)
    }
}

/// A format without conversions of vectors, and the number of elements of each conversion.
fn scalar_format(format: &[u8]) -> (Rc<Vec<u8>>, Vec<u8>) {
    let (mut out, mut counts) = (Vec::new(), Vec::new());
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        out.push(byte);
        if byte != b'%' {
            continue;
        }
        if let Some(after) = rest.strip_prefix(b"%") {
            out.push(b'%');
            rest = after;
            continue;
        }
        let flags = rest.iter().take_while(|byte| b"0123456789-+ #.*".contains(byte)).count();
        let (front, after) = rest.split_at(flags);
        counts.extend(front.iter().filter(|byte| **byte == b'*').map(|_| 1));
        let mut count = 1u8;
        let mut tail = after;
        if let Some(digits) = after.strip_prefix(b"v") {
            let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = std::str::from_utf8(&digits[..length]).ok().and_then(|text| text.parse().ok());
            (count, tail) = (number.unwrap_or(1), &digits[length..]);
        }
        let length = tail.iter().take_while(|byte| b"hl".contains(byte)).count();
        let end = (length + 1).min(tail.len());
        let conversion = tail.get(length..end).unwrap_or_default();
        // `h`, `hl` and `l` name the size of an element; only 64 bits matter here.
        let size: &[u8] = if tail[..length].contains(&b'l') && !tail.starts_with(b"hl") { b"l" } else { b"" };
        let size = if matches!(conversion, b"f" | b"e" | b"g" | b"a" | b"F" | b"E" | b"G" | b"A") {
            b""
        } else {
            size
        };
        for at in 0..count {
            if at > 0 {
                out.extend(b",%");
            }
            out.extend(front);
            out.extend(size);
            out.extend(conversion);
        }
        counts.push(count);
        rest = &tail[end..];
    }
    (Rc::new(out), counts)
}

#[cfg(test)]
mod tests {
    use super::scalar_format;

    #[test]
    fn vectors_are_several_conversions() {
        let of = |text: &str| {
            let (out, counts) = scalar_format(text.as_bytes());
            (String::from_utf8_lossy(&out).into_owned(), counts)
        };
        assert_eq!(of("a %d%%\n"), ("a %d%%\n".to_owned(), vec![1]));
        assert_eq!(of("%v2hlf|"), ("%f,%f|".to_owned(), vec![2]));
        assert_eq!(of("%5.2v4hlf"), ("%5.2f,%5.2f,%5.2f,%5.2f".to_owned(), vec![4]));
        assert_eq!(of("%v3hd %*d"), ("%d,%d,%d %*d".to_owned(), vec![3, 1, 1]));
        assert_eq!(of("%ld %v2ld"), ("%ld %ld,%ld".to_owned(), vec![1, 2]));
        assert_eq!(of("%"), ("%".to_owned(), vec![1]));
    }
}

//! Elements of vectors by name: `.x`, `.zyx`, `.s0f`, `.hi`, `.even`.

use super::vector::AXES;
use crate::diagnostics::Diagnostic;
use crate::sema::Sema;
use crate::sema::value::{Elements, Res, Value, ValueKind};
use crate::source::Span;
use crate::syntax::ast::Name;

/// The numbers of the elements that a name selects of `count` ones.
fn selected(name: &str, count: u8) -> Option<Vec<u8>> {
    // The upper half of a vector of three has an undefined element.
    let whole = if count == 3 { 4 } else { count };
    let half = whole / 2;
    let halves = match name {
        "lo" => Some((0..half).collect::<Vec<u8>>()),
        "hi" => Some((half..whole).collect()),
        "even" => Some((0..half).map(|at| 2 * at).collect()),
        "odd" => Some((0..half).map(|at| 2 * at + 1).collect()),
        _ => None,
    };
    if let Some(at) = halves {
        return Some(at.into_iter().map(|at: u8| at.min(count - 1)).collect());
    }
    let numbers: Option<Vec<u8>> = match name.strip_prefix(['s', 'S']) {
        Some(digits) => digits.chars().map(|digit| digit.to_digit(16).map(|at| at as u8)).collect(),
        None => name.chars().map(|axis| AXES.find(axis).map(|at| at as u8)).collect(),
    };
    let numbers = numbers?;
    let fits = matches!(numbers.len(), 1 | 2 | 3 | 4 | 8 | 16) && numbers.iter().all(|at| *at < count);
    fits.then_some(numbers)
}

impl Sema<'_> {
    /// `v.name`.
    pub(in crate::sema) fn swizzle(&mut self, value: Value, name: Name, span: Span) -> Res<Value> {
        let Some((element, count)) = self.types.vector(value.ty.ty) else { return Err(crate::sema::Failed) };
        let text = self.text(name.symbol).to_owned();
        let Some(at) = selected(&text, count) else {
            let shown = self.show(value.ty);
            let names = if count <= 4 { &AXES[..usize::from(count)] } else { "s0 to sf" };
            let message = format!("`{text}` selects no elements of a `{shown}`");
            let help = format!("its elements are {names}; also .lo, .hi, .even and .odd");
            return self.fail(Diagnostic::error("undeclared-name", name.span, message).help(help));
        };
        let ty = value.ty;
        match value.kind {
            ValueKind::Place(of, _) => {
                if let [one] = at.as_slice() {
                    return self.vector_element(&of, ty, *one, span);
                }
                let made = self.vector_of(element, at.len() as u8);
                let quals = ty.quals;
                let kind = ValueKind::Elements(Box::new(Elements { of, ty, at }));
                Ok(Value { kind, ty: crate::sema::types::Qual { ty: made, quals }, span })
            }
            ValueKind::Elements(inner) => {
                let at: Vec<u8> = at.into_iter().map(|at| inner.at[usize::from(at)]).collect();
                if let [one] = at.as_slice() {
                    return self.vector_element(&inner.of, inner.ty, *one, span);
                }
                let made = self.vector_of(element, at.len() as u8);
                let kind = ValueKind::Elements(Box::new(Elements { at, ..*inner }));
                Ok(Value { kind, ty: crate::sema::types::Qual { ty: made, quals: ty.quals }, span })
            }
            kind => {
                let parts = self.vector_parts(Value { kind, ty, span }, true)?;
                let mut list = Vec::new();
                for one in &at {
                    list.push(self.expr(parts.list[usize::from(*one)].clone())?);
                }
                let made = self.vector_of(element, at.len() as u8);
                self.vector_from(parts.before, list, made, span)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::selected;

    #[test]
    fn names_select_elements() {
        assert_eq!(selected("x", 2), Some(vec![0]));
        assert_eq!(selected("wzyx", 4), Some(vec![3, 2, 1, 0]));
        assert_eq!(selected("s0F", 16), Some(vec![0, 15]));
        assert_eq!(selected("hi", 8), Some(vec![4, 5, 6, 7]));
        assert_eq!(selected("hi", 3), Some(vec![2, 2]));
        assert_eq!(selected("odd", 4), Some(vec![1, 3]));
        for (wrong, count) in [("z", 2), ("s2", 2), ("xyzwx", 4), ("xs0", 4), ("", 4), ("s", 4), ("lohi", 4)]
        {
            assert_eq!(selected(wrong, count), None, "{wrong}");
        }
    }
}

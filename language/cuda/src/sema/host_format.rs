//! Values that do not fit a format of `printf` or `scanf` in host code.

use super::Sema;
use super::assign::root_global;
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, Type};

/// Functions with a format: the place of the format among the arguments, and whether they read.
const FUNCTIONS: [(&str, usize, bool); 7] = [
    ("printf", 0, false),
    ("fprintf", 1, false),
    ("sprintf", 1, false),
    ("snprintf", 2, false),
    ("scanf", 0, true),
    ("fscanf", 1, true),
    ("sscanf", 1, true),
];

/// A conversion of a format.
struct Conversion {
    /// Values of `*` in front of the value that it prints.
    stars: usize,
    /// Bits of an integer; for a `float` or `double` that is read 32 or 64.
    bits: u8,
    letter: u8,
}

/// The conversions of a format that take values; `None` if it has one that is not known.
fn conversions(format: &[u8], reads: bool) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let (mut stars, mut bits, mut letter) = (0, 32u8, 0);
        for byte in rest.by_ref() {
            match byte {
                b'*' => stars += 1,
                b'l' | b'z' | b'j' | b't' | b'q' | b'L' => bits = 64,
                b'h' => bits /= 2,
                b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' | b'.' | b'\'' => {}
                _ => {
                    letter = byte;
                    break;
                }
            }
        }
        match letter {
            b'%' | b'm' => {}
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b's' | b'p' | b'n' => {
                found.push(Conversion { stars, bits, letter });
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                found.push(Conversion { stars, bits, letter: b'f' });
            }
            b'[' if reads => {
                // The set ends at a `]` that is not its first character.
                if rest.peek() == Some(&b'^') {
                    rest.next();
                }
                rest.next();
                rest.by_ref().find(|byte| *byte == b']')?;
                found.push(Conversion { stars, bits, letter: b's' });
            }
            _ => return None,
        }
        // `%*d` of `scanf` reads a value and stores it nowhere.
        if reads && stars > 0 && letter != b'%' {
            found.pop();
        }
    }
    Some(found)
}

impl Sema<'_> {
    /// Warns about values of a call of the C library that its format does not fit.
    pub(super) fn check_host_format(&mut self, name: &str, values: &[hir::Expr]) {
        let Some((_, at, reads)) = FUNCTIONS.iter().copied().find(|(known, ..)| *known == name) else {
            return;
        };
        let Some(format) = values.get(at) else { return };
        if self.is_builtin(format.span) {
            return;
        }
        let Some(text) = self.literal_text(format) else { return };
        let Some(list) = conversions(&text, reads) else { return };
        let mut next = at + 1;
        for conversion in list {
            next += if reads { 0 } else { conversion.stars };
            let Some(value) = values.get(next) else {
                let message = "the format has more conversions than there are values";
                self.out.push(Diagnostic::warning("format", format.span, message));
                return;
            };
            next += 1;
            let expected = if reads {
                self.expected_pointer(&conversion, value)
            } else {
                expected_value(&conversion, self.hir.get(value.ty))
            };
            if let Some(expected) = expected {
                let letter = conversion.letter as char;
                let message = format!("conversion `%{letter}` expects {expected}");
                let warning = Diagnostic::warning("format", value.span, message).at(format.span, "format");
                self.out.push(warning);
            }
        }
        if let Some(value) = values.get(next) {
            let message = "the format does not use this value";
            self.out.push(Diagnostic::warning("format", value.span, message));
        }
    }

    /// The bytes of a string literal.
    fn literal_text(&self, format: &hir::Expr) -> Option<Vec<u8>> {
        let mut inner = format;
        while let Hir::Cast(next) = &inner.kind {
            inner = next;
        }
        let Hir::AddressOf(place) = &inner.kind else { return None };
        let global = root_global(&place.kind)?;
        let (text, _) = self.strings.iter().find(|(_, known)| **known == global)?;
        let offset = usize::try_from(self.offset_of(place)?).ok()?;
        Some(text.get(offset..)?.split(|byte| *byte == 0).next()?.to_vec())
    }

    /// What a conversion of `scanf` expects in place of a value.
    fn expected_pointer(&self, conversion: &Conversion, value: &hir::Expr) -> Option<&'static str> {
        let Type::Pointer(to, _) = self.hir.get(value.ty) else {
            return match self.hir.get(value.ty) {
                Type::Int(_) | Type::F64 | Type::Bool => Some("a pointer: write `&` in front"),
                _ => None,
            };
        };
        match (conversion.letter, self.hir.get(to)) {
            (b'f', Type::F64) if conversion.bits == 32 => {
                Some("a pointer to `float`: `%lf` reads a `double`")
            }
            (b'f', Type::F32) if conversion.bits == 64 => Some("a pointer to `double`: `%f` reads a `float`"),
            (b'f', Type::Int(_) | Type::Bool) => Some("a pointer to `float`: `%d` reads an integer"),
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', Type::F32 | Type::F64) => {
                Some("a pointer to an integer: `%f` reads a `float`, `%lf` a `double`")
            }
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', Type::Int(int)) if int.bits != conversion.bits => {
                Some("a pointer to an integer of another size: `%hd` is `short`, `%d` `int`, `%ld` `long`")
            }
            _ => None,
        }
    }
}

/// What a conversion of `printf` expects in place of a value.
fn expected_value(conversion: &Conversion, ty: Type) -> Option<&'static str> {
    match (conversion.letter, ty) {
        (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c', Type::F32 | Type::F64) => Some("an integer"),
        (b'f', Type::Int(_) | Type::Bool | Type::Pointer(..)) => Some("a `double`"),
        (b's', Type::Int(_) | Type::Bool | Type::F32 | Type::F64) => Some("a string"),
        (b'p', Type::F32 | Type::F64) => Some("a pointer"),
        _ => None,
    }
}

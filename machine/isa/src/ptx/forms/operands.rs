//! Checks operands against a form: their number and their kinds.

use super::pattern;
use super::row::FormRow;
use super::{Form, Opcode, full_name, name_span};
use crate::diag::Diagnostic;
use crate::ptx::ast::{Instruction, Literal, Operand, OperandKind};
use crate::sem::video::Selector;
use crate::sreg::SReg;
use crate::types::{ScalarType, TypeKind};
use crate::uop::Geometry;

/// Number of barriers of a block: `bar.sync 0` to `bar.sync 15`.
const BARRIERS: u64 = 16;

/// Largest number as the position or length of a bit field: instructions use eight bits of it.
const MOST_BITS: u64 = 255;

/// Number of performance monitor events: `pmevent 0` to `pmevent 15`.
const EVENTS: u64 = 16;

/// Whether the operands match the row.
pub(super) fn fit(row: &FormRow, form: &Form, inst: &Instruction) -> bool {
    let wanted = pattern::operands(row);
    wanted.len() == inst.operands.len()
        && wanted
            .iter()
            .zip(&inst.operands)
            .enumerate()
            .all(|(i, (want, got))| mismatch(want, got, form, i).is_none())
}

/// Returns diagnostics for operands that match none of the rows that match the modifiers.
pub(super) fn explain(inst: &Instruction, matches: &[(&FormRow, Form)]) -> Vec<Diagnostic> {
    let given = inst.operands.len();
    let Some((row, form)) = matches.iter().find(|(row, _)| pattern::operands(row).len() == given) else {
        return vec![wrong_number(inst, matches)];
    };
    let errors =
        pattern::operands(row).into_iter().zip(&inst.operands).enumerate().filter_map(|(i, (want, got))| {
            let (wanted, help) = mismatch(want, got, form, i)?;
            let message = format!("operand {} of `{}` must be {wanted}", i + 1, full_name(inst));
            let error =
                Diagnostic::error("E0206", got.span, message).label(format!("this is {}", describe(got)));
            let error = help.into_iter().fold(error, Diagnostic::help);
            Some(error.note(format!("the form of this instruction is `{}`", row.text)))
        });
    errors.collect()
}

fn wrong_number(inst: &Instruction, matches: &[(&FormRow, Form)]) -> Diagnostic {
    let mut counts: Vec<String> = Vec::new();
    for (row, _) in matches {
        let wanted = pattern::operands(row);
        let text = match wanted.len() {
            0 => "none".to_owned(),
            count => format!("{count} ({})", wanted.join(", ")),
        };
        if !counts.contains(&text) {
            counts.push(text);
        }
    }
    let given = inst.operands.len();
    let name = full_name(inst);
    let plural = if given == 1 { "operand" } else { "operands" };
    let message = format!("`{name}` has {given} {plural}");
    let label = format!("expected {}", counts.join(" or "));
    let span = match (inst.operands.first(), inst.operands.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => name_span(inst),
    };
    Diagnostic::error("E0205", span, message).label(label)
}

/// Returns `None` if the operand matches the pattern; otherwise a description of the expected
/// operand, and optionally a hint.
fn mismatch(want: &str, got: &Operand, form: &Form, place: usize) -> Option<(String, Option<String>)> {
    let kind = &got.kind;
    let plain = |fits: bool, what: &str| (!fits).then(|| (what.to_owned(), None));
    match want {
        "d" | "a" | "b" if form.vector > 1 => vector(kind, form, want == "d"),
        // The data of an access to a surface may be one register in braces.
        "d" | "b"
            if matches!(form.opcode, Opcode::Suld | Opcode::Sust)
                && matches!(kind, OperandKind::Vector(_)) =>
        {
            vector(kind, form, want == "d")
        }
        // The data of other accesses may be, too.
        "d" | "b"
            if matches!(form.opcode, Opcode::Ld | Opcode::St)
                && let OperandKind::Vector(elements) = kind
                && let [one] = &**elements =>
        {
            mismatch(want, one, form, place)
        }
        "d" => plain(is_register(kind), "a destination register"),
        "p" => plain(is_register(kind), "a destination predicate register"),
        "p|q" => {
            let fits = is_register(kind) || matches!(kind, OperandKind::Pair(..));
            plain(fits, "one predicate register, or two as p|q")
        }
        "d|p" => {
            let fits = is_register(kind) || matches!(kind, OperandKind::Pair(..));
            plain(fits, "a destination register, or one and a predicate register as d|p")
        }
        "i" => plain(is_table(kind), "a truth table: a number from 0 to 255"),
        "u" => plain(is_register(kind), "a register"),
        "{!}q" | "{!}r" | "{!}c" => plain(
            is_register(kind)
                || matches!(kind, OperandKind::Not(_) | OperandKind::Literal(Literal::Int { .. })),
            "a predicate register, `!` and a predicate register, or a truth value",
        ),
        "[a]" => {
            let hint = "write the address in brackets: `[%r1]`, `[%r1+4]` or `[variable]`".to_owned();
            (!matches!(kind, OperandKind::Memory { .. })).then(|| ("an address".to_owned(), Some(hint)))
        }
        "[t]" => plain(is_texture(kind), "a texture in brackets"),
        "[s]" => plain(is_texture(kind), "a surface in brackets"),
        "[s,{c}]" => {
            (!is_fetch(kind, form)).then(|| (format!("a surface and {}", coordinates(form, 's')), None))
        }
        "[t,{c}]" => {
            (!is_fetch(kind, form)).then(|| (format!("a texture and {}", coordinates(form, 't')), None))
        }
        "[t,s,{c}]" => (!is_sampled(kind, form)).then(|| {
            let expected = coordinates(form, 't').replace("[t, ", "[t, s, ");
            (format!("a texture, a sampler and {expected}"), None)
        }),
        "d.sel" => {
            let fits = matches!(kind, OperandKind::Part { negated: false, selector, .. } if *selector != Selector::Word);
            plain(fits, "a register with the part to replace, such as `%r1.b0` or `%r1.h1`")
        }
        "a{.sel}" | "b{.sel}" => match kind {
            OperandKind::Part { negated, .. } => plain(
                !negated,
                "a register without a minus sign, with or without a part such as `.b0`, or a number",
            ),
            _ => value(kind, form.operand_type(place)),
        },
        "{-}a{.sel}" | "{-}b{.sel}" if matches!(kind, OperandKind::Part { .. }) => None,
        "{-}c" if matches!(kind, OperandKind::Part { selector: Selector::Word, .. }) => None,
        "{v}" => plain(matches!(kind, OperandKind::Vector(_)), "registers in braces"),
        "t" => plain(is_register(kind), "a label"),
        "f" => plain(is_register(kind), "a function, or a register that holds the address of one"),
        "(r)" => plain(matches!(kind, OperandKind::List(_)), "the results in parentheses"),
        "(l)" => plain(matches!(kind, OperandKind::List(_)), "the arguments in parentheses"),
        "g" => plain(is_register(kind), "the label of a .callprototype or .calltargets"),
        "n" => plain(is_barrier(kind), "the number of a barrier, 0 to 15"),
        "k" => plain(is_event(kind), "the number of an event, 0 to 15"),
        "n|u" => plain(
            is_barrier(kind) || is_register(kind),
            "the number of a barrier, 0 to 15, or a register that holds it",
        ),
        "m" => {
            let whole =
                matches!(kind, OperandKind::Literal(Literal::Int { value, .. }) if is_of_warps(*value));
            plain(
                whole || is_register(kind),
                "a number of threads that is a multiple of 32, or a register that holds it",
            )
        }
        "b" | "c" | "e" if form.is_bit_field(place) && matches!(kind, OperandKind::Literal(_)) => plain(
            matches!(kind, OperandKind::Literal(Literal::Int { value, .. }) if *value <= MOST_BITS),
            "a register, or a number from 0 to 255",
        ),
        "s" if is_name(kind) => None,
        "x" if is_name(kind) || matches!(kind, OperandKind::NameOffset(..)) => None,
        _ => value(kind, form.operand_type(place)),
    }
}

impl Form {
    /// Whether the operand at a position is the first bit or the number of bits of a bit field.
    fn is_bit_field(&self, place: usize) -> bool {
        match self.opcode {
            Opcode::Bfe => place >= 2,
            Opcode::Bfi => place >= 3,
            _ => false,
        }
    }

    /// Returns the type of the operand at a position; 0 is the result. It is the type of the
    /// instruction, or the second type in its name, except for the operands listed here, for which
    /// the manual defines other types.
    pub fn operand_type(&self, place: usize) -> Option<ScalarType> {
        match self.opcode {
            Opcode::Popc | Opcode::Clz | Opcode::Bfind if place == 0 => Some(ScalarType::U32),
            Opcode::Shl | Opcode::Shr if place == 2 => Some(ScalarType::U32),
            Opcode::Bfe if place >= 2 => Some(ScalarType::U32),
            Opcode::Bfi | Opcode::Prmt | Opcode::Shf if place >= 3 => Some(ScalarType::U32),
            Opcode::Slct if place < 3 => self.ty,
            Opcode::BarWarp => Some(ScalarType::B32),
            Opcode::VoteSync if place == 2 => Some(ScalarType::B32),
            Opcode::Vset if place == 0 || place > 2 => Some(ScalarType::U32),
            opcode if opcode.is_video() && place == 2 => self.second,
            opcode if opcode.is_video() && place > 2 => self.ty,
            _ if place == 0 => self.ty,
            _ => self.source.or(self.ty),
        }
    }
}

/// Checks for a register, or a number of the right kind.
fn value(kind: &OperandKind, ty: Option<ScalarType>) -> Option<(String, Option<String>)> {
    match kind {
        OperandKind::Name(name) if is_special(name) => {
            let hint = format!("copy the special register to a register first: `mov.u32 %r1, {name};`");
            Some(("a register or number".to_owned(), Some(hint)))
        }
        OperandKind::Name(_) => None,
        OperandKind::Not(_) if ty == Some(ScalarType::Pred) => None,
        OperandKind::Literal(literal) => literal_mismatch(literal, ty),
        _ => Some(("a register or number".to_owned(), None)),
    }
}

fn literal_mismatch(literal: &Literal, ty: Option<ScalarType>) -> Option<(String, Option<String>)> {
    let integer = matches!(literal, Literal::Int { .. });
    match ty.map(ScalarType::kind) {
        Some(TypeKind::Float) if integer => {
            let hint =
                "write a floating-point number with a decimal point or as its bits: `1.0` or `0f3F800000`";
            Some(("a register or floating-point number".to_owned(), Some(hint.to_owned())))
        }
        Some(TypeKind::Unsigned | TypeKind::Signed | TypeKind::Pred) if !integer => {
            Some(("a register or integer".to_owned(), None))
        }
        _ => None,
    }
}

/// Checks for as many elements as `.v2` or `.v4` requires. The elements of a load are registers or
/// `_`.
fn vector(kind: &OperandKind, form: &Form, load: bool) -> Option<(String, Option<String>)> {
    let fits = match kind {
        OperandKind::Vector(elements) if elements.len() == form.vector as usize => elements.iter().all(|e| {
            if load {
                is_register(&e.kind) || matches!(e.kind, OperandKind::Sink)
            } else {
                value(&e.kind, form.ty).is_none()
            }
        }),
        _ => false,
    };
    let what = if load { "registers" } else { "registers or numbers" };
    (!fits).then(|| (format!("{} {what} in braces, separated by commas", form.vector), None))
}

/// Whether the operand is `[name]`.
fn is_texture(kind: &OperandKind) -> bool {
    matches!(kind, OperandKind::Memory { base: Some(_), offset: 0 })
}

/// Returns a description of the coordinates of texture or surface `name`.
fn coordinates(form: &Form, name: char) -> String {
    let (count, all) = match form.geometry {
        Some(Geometry::D3 | Geometry::Cube) => ("four coordinates", "x, y, z, z"),
        Some(Geometry::D2) if name == 's' => ("two coordinates", "x, y"),
        Some(Geometry::D2) => ("two or four coordinates", "x, y"),
        Some(Geometry::D1) | None => ("a coordinate", "x"),
        Some(Geometry::A1) => ("a layer and a coordinate", "layer, x"),
        Some(Geometry::A2) => ("a layer and three coordinates", "layer, x, y, y"),
        Some(Geometry::CubeArray) => ("a layer and three coordinates", "layer, x, y, z"),
    };
    format!("{count}: [{name}, {{{all}}}]")
}

/// Whether the operand is a texture, a sampler and coordinates.
fn is_sampled(kind: &OperandKind, form: &Form) -> bool {
    let OperandKind::List(parts) = kind else { return false };
    let [texture, sampler, at] = parts.as_ref() else { return false };
    is_texture(&sampler.kind) && is_at(texture, at, form)
}

/// Whether the operand is a texture with coordinates: one register or number for one dimension, or
/// as many in braces as the texture has dimensions, or four, or any number for one dimension. The
/// number of a layer is an integer.
fn is_fetch(kind: &OperandKind, form: &Form) -> bool {
    let OperandKind::List(parts) = kind else { return false };
    let [texture, coordinates] = parts.as_ref() else { return false };
    is_at(texture, coordinates, form)
}

/// Whether the operands are a texture or surface, and coordinates.
fn is_at(texture: &Operand, coordinates: &Operand, form: &Form) -> bool {
    let fits = |kind: &OperandKind| value(kind, form.source).is_none();
    let is_layer = |kind: &OperandKind| value(kind, Some(ScalarType::U32)).is_none();
    let counted = match (&coordinates.kind, form.geometry) {
        (OperandKind::Vector(all), geometry) => {
            let layers = usize::from(geometry.is_some_and(Geometry::has_layers));
            let (layer, rest) = all.split_at(layers.min(all.len()));
            layer.iter().all(|one| is_layer(&one.kind))
                && rest.iter().all(|one| fits(&one.kind))
                && match geometry {
                    Some(Geometry::D3 | Geometry::A2 | Geometry::Cube | Geometry::CubeArray) => {
                        all.len() == 4
                    }
                    Some(Geometry::D2 | Geometry::A1) => matches!(all.len(), 2 | 4),
                    Some(Geometry::D1) | None => matches!(all.len(), 1 | 2 | 4),
                }
        }
        (one, Some(Geometry::D1)) => fits(one),
        _ => false,
    };
    is_texture(&texture.kind) && counted
}

/// Whether the operand is a valid barrier number.
fn is_barrier(kind: &OperandKind) -> bool {
    matches!(kind, OperandKind::Literal(Literal::Int { value, .. }) if *value < BARRIERS)
}

/// Whether the operand is a truth table of three bits.
fn is_table(kind: &OperandKind) -> bool {
    matches!(kind, OperandKind::Literal(Literal::Int { value, negative: false }) if *value < 256)
}

/// Whether the operand is the number of a performance monitor event.
fn is_event(kind: &OperandKind) -> bool {
    matches!(kind, OperandKind::Literal(Literal::Int { value, .. }) if *value < EVENTS)
}

/// Whether the number of threads is a positive multiple of the warp size that fits in 32 bits.
fn is_of_warps(threads: u64) -> bool {
    threads > 0 && threads.is_multiple_of(32) && u32::try_from(threads).is_ok()
}

fn is_name(kind: &OperandKind) -> bool {
    matches!(kind, OperandKind::Name(_))
}

/// Whether the operand is a name other than a special register. Its declaration is not known here.
fn is_register(kind: &OperandKind) -> bool {
    matches!(kind, OperandKind::Name(name) if !is_special(name))
}

/// Whether the name is a special register of PTX.
fn is_special(name: &str) -> bool {
    SReg::from_name(name).is_some()
}

/// Returns a description of an operand.
fn describe(operand: &Operand) -> &'static str {
    match &operand.kind {
        OperandKind::Name(name) if is_special(name) => "a special register",
        OperandKind::Name(_) => "a name",
        OperandKind::NameOffset(..) => "an address as a value",
        OperandKind::Literal(Literal::Int { .. }) => "an integer",
        OperandKind::Literal(_) => "a floating-point number",
        OperandKind::Not(_) => "a negated predicate",
        OperandKind::Part { selector: Selector::Word, .. } => "a negated register",
        OperandKind::Part { .. } => "a part of a register",
        OperandKind::Pair(..) => "a pair of predicates",
        OperandKind::Memory { .. } => "an address in brackets",
        OperandKind::Vector(_) => "a list in braces",
        OperandKind::List(_) => "a list in parentheses",
        OperandKind::Sink => "`_`, which discards a result",
    }
}

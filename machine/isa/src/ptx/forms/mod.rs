//! Instruction forms: the modifiers and operands that an opcode accepts, and the resolution of an
//! instruction to one of its forms.

mod classes;
#[cfg(test)]
mod complaints;
mod describe;
mod known;
pub(crate) mod later;
mod legal;
mod legend;
mod modifiers;
mod opcode;
mod operands;
mod pattern;
mod row;
mod table;
#[cfg(test)]
mod tests;
mod values;
mod words;

use crate::diag::{Diagnostic, nearest};
use crate::ptx::ast::Instruction;
use crate::ptx::header::{Header, LAST_TARGET, LAST_VERSION, Needs};
use crate::span::Span;
use crate::types::{ScalarType, StateSpace, Version};
use crate::uop::{Geometry, TextureQuery};
pub use describe::{Description, all, classes, description, unsupported};
use known::{KNOWN, LATER, SURFACES};
pub use legal::has;
pub use legend::LEGEND;
pub use opcode::Opcode;
use pattern::ROWS;
use row::FormRow;
use table::FORMS;
pub use values::{
    Atomic, Bounds, Cache, Combine, Compare, Level, Part, Permute, Rounding, Scale, Shuffle, Test, Vote,
};
use words::resolve;

/// Codes of this module's diagnostics, with their meanings.
pub const CODES: &[(&str, &str)] = &[
    ("E0201", "an instruction that PTX does not have"),
    ("E0202", "an instruction of PTX that this simulator does not support"),
    ("E0203", "a modifier that the instruction does not accept at this place"),
    ("E0204", "a missing modifier"),
    ("E0205", "too many or too few operands"),
    ("E0206", "an operand of the wrong kind"),
];

/// A resolved instruction name: the values of all modifiers. The number and kind of the operands
/// (register or literal, memory, vector, label) have been checked, but not their types.
// `Form` derives no comparison and its fields are private to the crate, so that the compiler
// reports a field that is never read.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is one modifier")]
pub struct Form {
    pub(crate) opcode: Opcode,
    /// Type: for `cvt` and `set` the type of the result, for `setp` the compared type, for `ld` and
    /// `st` the type in memory.
    pub(crate) ty: Option<ScalarType>,
    /// `cvt`: the source type; `set`: the compared type; `slct`: the type of the operand that
    /// selects.
    pub(crate) source: Option<ScalarType>,
    /// Video instructions: the type of the second operand.
    pub(crate) second: Option<ScalarType>,
    /// `setp`, `set`, `vset`: comparison.
    pub(crate) compare: Option<Compare>,
    /// `setp`, `set`: operator that combines the comparison with the fourth operand. `bar.red`:
    /// `.and` or `.or`, `None` for `.popc`.
    pub(crate) combine: Option<Combine>,
    /// `testp`: tested property.
    pub(crate) test: Option<Test>,
    /// `mul`, `mad`, `mul24`, `mad24` of integers: part of the product.
    pub(crate) part: Option<Part>,
    /// Rounding mode as written; `None` is the default of the instruction.
    pub(crate) rounding: Option<Rounding>,
    /// `.ftz`
    pub(crate) ftz: bool,
    /// `.sat`
    pub(crate) sat: bool,
    /// `.approx`
    pub(crate) approx: bool,
    /// `.full`
    pub(crate) full: bool,
    /// `.cc`: the instruction writes the condition code.
    pub(crate) cc: bool,
    /// `prmt`: mode.
    pub(crate) permute: Option<Permute>,
    /// `ld`, `st`, `atom`, `red`: state space; `None` is a generic address (`sm_20`). `cvta`,
    /// `isspacep`: the state space that is not generic.
    pub(crate) space: Option<StateSpace>,
    /// `ld`, `st`: `.volatile`
    pub(crate) volatile: bool,
    /// `ld`, `st`: cache operator.
    pub(crate) cache: Option<Cache>,
    /// `ld`, `st`: number of elements of the vector: 1, 2 or 4.
    pub(crate) vector: u32,
    /// `atom`, `red`: operation; video instructions: second operation.
    pub(crate) atomic: Option<Atomic>,
    /// `tex`, `suld`, `sust`: dimensions and layers.
    pub(crate) geometry: Option<Geometry>,
    /// `txq`: the property.
    pub(crate) query: Option<TextureQuery>,
    /// `vshl`, `vshr`, `shf`: what an amount out of range becomes. `suld`, `sust`: what happens
    /// outside of the surface.
    pub(crate) bounds: Option<Bounds>,
    /// `vmad`: shift of the sum.
    pub(crate) scale: Option<Scale>,
    /// `vmad`: `.po`
    pub(crate) plus_one: bool,
    /// `vote`: mode.
    pub(crate) vote: Option<Vote>,
    /// `shfl`: mode.
    pub(crate) shuffle: Option<Shuffle>,
    /// `membar`: level.
    pub(crate) level: Option<Level>,
    /// Minimum target of this form: 10, 11, 12, 13, 20 (`sm_20`) or a later one.
    pub(crate) sm: u8,
}

/// Limit on the number of modifiers, above that of any instruction. It bounds the search for
/// similar forms.
const MAX_MODIFIERS: usize = 16;

/// Matches the words of an instruction with a row: each with the class that it matches.
type Matching = for<'w> fn(&FormRow, &[&'w str]) -> Option<Vec<(&'static str, &'w str)>>;

/// Resolves an instruction without checks against a module header. `Err` contains all errors in its
/// name and operands.
pub fn form(inst: &Instruction) -> Result<Form, Vec<Diagnostic>> {
    form_in(inst, &Header::any())
}

/// Resolves an instruction of a module with this header. `Err` contains all errors in its name and
/// operands. A form that the header does not allow is reported before a form that the simulator
/// does not support.
pub fn form_in(inst: &Instruction, header: &Header) -> Result<Form, Vec<Diagnostic>> {
    let name = inst.opcode.name;
    let Some(rows) = ROWS.get(name) else { return Err(vec![unknown(inst, header)]) };
    if let Some(surplus) = inst.modifiers.get(MAX_MODIFIERS) {
        let message = format!("`{name}` has {} modifiers, more than any instruction", inst.modifiers.len());
        return Err(vec![Diagnostic::error("E0203", surplus.span, message).label("too many modifiers")]);
    }
    let matches = matches(inst, rows);
    if matches.is_empty() {
        let rejection = later::rejection(inst, header);
        return Err(rejection.map_or_else(|| modifiers::explain(inst, rows), |rejection| vec![rejection]));
    }
    let fitting = || matches.iter().filter(|(row, form)| operands::fit(row, form, inst));
    let legal = fitting().find(|(row, form)| header.unmet(&legal::needs(row, form)).is_none());
    match legal.or_else(|| fitting().next()) {
        Some((row, form)) => match legal::rejection(inst, row, form, rows, header) {
            Some(rejection) => Err(vec![rejection]),
            None if row.executed => Ok(*form),
            None => Err(vec![not_supported(inst, row)]),
        },
        None => Err(operands::explain(inst, &matches)),
    }
}

/// Returns the rows that match the modifiers, each with its form: in the order of the table, else
/// in any order.
fn matches(inst: &Instruction, rows: &[&'static FormRow]) -> Vec<(&'static FormRow, Form)> {
    let words: Vec<&str> = inst.modifiers.iter().map(|m| m.name).collect();
    let matching = |of: Matching| -> Vec<(&'static FormRow, Form)> {
        rows.iter().filter_map(|row| Some((*row, resolve(row, &of(row, &words)?)))).collect()
    };
    let in_order = matching(pattern::words);
    if in_order.is_empty() { matching(pattern::words_in_any_order) } else { in_order }
}

/// Whether this is the first word of a PTX instruction, executed or not.
pub fn is_opcode(name: &str) -> bool {
    ROWS.contains_key(name) || KNOWN.iter().any(|(known, ..)| *known == name)
}

/// Returns the error for a name without a row: a misspelled name, or PTX that the simulator does
/// not support.
fn unknown(inst: &Instruction, header: &Header) -> Diagnostic {
    let name = inst.opcode.name;
    let span = inst.opcode.span;
    if let Some((_, (major, minor), sm)) = KNOWN.iter().find(|(known, ..)| *known == name) {
        let since = Version::new(*major, *minor);
        if let Some(rejection) = later::rejection(inst, header) {
            return rejection;
        }
        if since > LAST_VERSION {
            return later_than_this(&format!("`{name}`"), since, *sm, span);
        }
        let needs = Needs { sm: *sm, since, removed: None };
        if let Some(rejection) = header.rejection(name, &needs, span) {
            return rejection;
        }
        if SURFACES.contains(&name) {
            let message = format!("`{name}` is not supported: only `suld.b`, `sust.b` and `suq` are");
            return Diagnostic::error("E0402", span, message).label("a surface instruction");
        }
        let message = format!("`{name}` is not supported by this simulator");
        return Diagnostic::error("E0202", span, message).label("not supported");
    }
    let names = FORMS.iter().map(pattern::name).chain(KNOWN.iter().map(|(known, ..)| *known));
    Diagnostic::error("E0201", span, format!("unknown instruction `{name}`"))
        .label("not a PTX instruction")
        .meant(nearest(name, names))
}

/// Whether a modifier of later PTX has no equal in a form.
fn has_no_equal(word: &str) -> bool {
    LATER.iter().any(|(known, ..)| *known == word)
}

/// Returns the error for `what`, an instruction or modifier of later PTX.
fn later_than_this(what: &str, since: Version, sm: u32, span: Span) -> Diagnostic {
    let message = format!(
        "{what} is PTX {since} for sm_{sm}; this machine ends at PTX {LAST_VERSION} for sm_{LAST_TARGET}"
    );
    Diagnostic::error("E0202", span, message).label("not supported")
}

/// Returns the error for a row of valid PTX that the simulator does not execute.
fn not_supported(inst: &Instruction, row: &FormRow) -> Diagnostic {
    let message = format!("`{}` is not supported by this simulator", full_name(inst));
    let mut error =
        Diagnostic::error("E0202", name_span(inst), message).label("valid PTX, but not supported");
    if row.sm > 10 {
        error = error.note(format!("its form `{}` requires sm_{} or above", row.text, row.sm));
    }
    error
}

/// Returns the instruction's name with its modifiers.
fn full_name(inst: &Instruction) -> String {
    inst.modifiers.iter().fold(inst.opcode.name.to_owned(), |name, m| name + "." + m.name)
}

/// Returns the span of the name with its modifiers.
fn name_span(inst: &Instruction) -> Span {
    inst.modifiers.last().map_or(inst.opcode.span, |last| inst.opcode.span.to(last.span))
}

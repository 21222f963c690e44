//! Requirements of a form on the module's header: those of its table row, of its target's
//! generation, and of some modifiers.
//!
//! Invariant `ptx-verdicts`: PTX is accepted exactly when NVIDIA's assembler accepts it, under
//! every header; exceptions are listed with their reasons. All recorded verdicts are compared.

use super::pattern::{self, ROWS};
use super::row::FormRow;
use super::words::resolve;
use super::{Form, Opcode, Rounding, full_name, name_span};
use crate::diag::Diagnostic;
use crate::ptx::ast::Instruction;
use crate::ptx::header::{Header, Needs, Unmet};
use crate::types::{ScalarType, Version};

/// Returns the requirements of an instruction that was resolved to `form` by `row`.
pub(super) fn needs(row: &FormRow, form: &Form) -> Needs {
    let sm = least(row, form);
    let generation = match (sm, row.opcode) {
        (20.., _) => Version::new(2, 0),
        (12.., _) | (_, Opcode::Red) => Version::new(1, 2),
        (_, Opcode::Atom) => Version::new(1, 1),
        _ => Version::new(1, 0),
    };
    Needs { sm, since: row.since.max(generation).max(modifiers(form)), removed: row.removed }
}

/// Returns the minimum `sm_` target. Double precision below `sm_13` is computed in single
/// precision, where a sum or a product rounds to nearest or toward zero only.
fn least(row: &FormRow, form: &Form) -> u32 {
    let double = form.ty == Some(ScalarType::F64) || form.source == Some(ScalarType::F64);
    let directed = matches!(form.rounding, Some(Rounding::Rm | Rounding::Rp)) && form.opcode != Opcode::Cvt;
    if double && row.sm == 13 && !directed { 10 } else { row.sm }
}

/// Returns the PTX version that introduced all of the form's modifiers.
fn modifiers(form: &Form) -> Version {
    // Up to PTX 1.4 a conversion from f32 to a 64-bit type never flushes, so `.ftz` requires PTX
    // 1.5.
    let long = form.opcode == Opcode::Cvt && form.ty.is_some_and(|ty| ty.bytes() == 8);
    if form.ftz && long {
        Version::new(1, 5)
    } else if form.ftz || form.approx || form.full {
        Version::new(1, 4)
    } else if form.volatile {
        Version::new(1, 1)
    } else {
        Version::new(1, 0)
    }
}

/// Returns the error for an instruction that the header does not allow. `rows` contains all table
/// rows with its name.
pub(super) fn rejection(
    inst: &Instruction,
    row: &FormRow,
    form: &Form,
    rows: &[&FormRow],
    header: &Header,
) -> Option<Diagnostic> {
    let needs = needs(row, form);
    let error = header.rejection(&full_name(inst), &needs, name_span(inst))?;
    Some(match header.unmet(&needs)? {
        Unmet::Removed(removed) => {
            let of_now = rows.iter().filter(|other| other.removed.is_none() && last(other) == last(row));
            let forms: Vec<&str> = of_now.map(|other| other.text).collect();
            error.help(format!("use a form of PTX {removed}: {}", forms.join("; ")))
        }
        _ => error,
    })
}

/// Whether a module with this header can use the instruction `name`, such as `add.f32`, and the
/// simulator executes it.
pub fn has(name: &str, header: &Header) -> bool {
    let words: Vec<&str> = name.split('.').collect();
    let Some((rows, words)) = words.split_first().and_then(|(name, words)| Some((ROWS.get(name)?, words)))
    else {
        return false;
    };
    rows.iter().any(|row| {
        let form = pattern::words(row, words).map(|words| resolve(row, &words));
        form.is_some_and(|form| row.executed && header.unmet(&needs(row, &form)).is_none())
    })
}

/// Returns the last word of a row's pattern: the type.
fn last(row: &FormRow) -> Option<&'static str> {
    pattern::items(row).last().map(|item| item.class)
}

//! What a form needs of the module's header: its row's needs, those of its target's generation, and those of single
//! modifiers.

use super::pattern;
use super::row::Row;
use super::{Form, Opcode, full_name, name_span};
use crate::diag::Diagnostic;
use crate::ptx::ast::Instruction;
use crate::ptx::header::{Header, Lack, Needs};
use crate::types::{ScalarType, Version};

/// What an instruction needs that was resolved to `form` by `row`.
pub(super) fn needs(row: &Row, form: &Form) -> Needs {
    let generation = match (row.sm, row.opcode) {
        (20.., _) => Version::new(2, 0),
        (12.., _) | (_, Opcode::Red) => Version::new(1, 2),
        (_, Opcode::Atom) => Version::new(1, 1),
        _ => Version::new(1, 0),
    };
    Needs { sm: row.sm, since: row.since.max(generation).max(modifiers(form)), gone: row.gone }
}

/// The version that brought all of the form's modifiers.
fn modifiers(form: &Form) -> Version {
    // A conversion from f32 to 64 bits never flushed up to PTX 1.4.
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

/// The complaint about an instruction that the header does not have. `rows` are all of its name.
pub(super) fn refusal(
    inst: &Instruction,
    row: &Row,
    form: &Form,
    rows: &[&Row],
    header: &Header,
) -> Option<Diagnostic> {
    let needs = needs(row, form);
    let double = form.ty == Some(ScalarType::F64) || form.source == Some(ScalarType::F64);
    if double && header.maps_f64 && header.refuses(&Needs { sm: 10, ..needs }).is_none() && needs.sm == 13 {
        let message =
            format!("`{}` as f32 (map_f64_to_f32) is not implemented by this simulator yet", full_name(inst));
        let complaint = Diagnostic::error("E0402", message, name_span(inst), "not implemented");
        return header.refuses(&needs).map(|_| complaint.note("write `.target sm_13` or above for f64"));
    }
    let complaint = header.refusal(&full_name(inst), &needs, name_span(inst))?;
    Some(match header.refuses(&needs)? {
        Lack::Target if double => complaint
            .note("map_f64_to_f32, which made f32 of f64 below sm_13, is not implemented by this simulator"),
        Lack::Gone(gone) => {
            let of_now = rows.iter().filter(|other| other.gone.is_none() && last(other) == last(row));
            let forms: Vec<&str> = of_now.map(|other| other.text).collect();
            complaint.note(format!("since PTX {gone}: {}", forms.join("; ")))
        }
        _ => complaint,
    })
}

/// The last word of a row's pattern: the type.
fn last(row: &Row) -> Option<&'static str> {
    pattern::items(row).last().map(|item| item.class)
}

//! The table of forms as data for other crates: every form with its meaning, its minimum target and
//! its fidelity.

use super::classes::CLASSES;
use super::known::KNOWN;
use super::row::FormRow;
use super::table::FORMS;
use super::{Opcode, later, operands, pattern};
use crate::ptx::ast::Instruction;
use crate::sem::fidelity::Fidelity;
use crate::types::Version;

/// A row of the table of forms.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Opcode that its instructions are resolved to.
    pub opcode: Opcode,
    /// The form in the manual's notation, such as `add{.rnd}{.ftz}{.sat}.f32 d, a, b`.
    pub text: &'static str,
    /// One-line description.
    pub meaning: &'static str,
    /// Minimum `sm_` target.
    pub sm: u32,
    /// The PTX version that introduced the form, if the target does not determine it.
    pub since: Version,
    /// The PTX version that removed the form.
    pub removed: Option<Version>,
    /// Agreement of the results with the hardware; `None` for valid PTX that the simulator does not
    /// execute.
    pub fidelity: Option<Fidelity>,
    row: &'static FormRow,
}

impl Description {
    fn of(row: &'static FormRow) -> Self {
        Self {
            opcode: row.opcode,
            text: row.text,
            meaning: row.meaning.unwrap_or_else(|| row.opcode.meaning()),
            sm: row.sm,
            since: row.since,
            removed: row.removed,
            fidelity: row.executed.then(|| row.bound.into()),
            row,
        }
    }

    /// Returns the first word of the form.
    pub fn name(&self) -> &'static str {
        pattern::name(self.row)
    }

    /// Returns the operands as written in the form.
    pub fn operands(&self) -> Vec<&'static str> {
        pattern::operands(self.row)
    }

    /// Returns every instruction name of the form with its modifiers: `add.u16`, `add.u32`, …
    pub fn spellings(&self) -> Vec<String> {
        let mut names = vec![self.name().to_owned()];
        for item in pattern::items(self.row) {
            let longer = |name: &String| {
                let with = item.choices().map(|word| format!("{name}.{word}")).collect::<Vec<_>>();
                item.optional.then(|| name.clone()).into_iter().chain(with).collect::<Vec<_>>()
            };
            names = names.iter().flat_map(longer).collect();
        }
        names
    }
}

/// An instruction of PTX without a form in the table: its name, the PTX version that introduced it,
/// its minimum `sm_` target.
pub type Unsupported = (&'static str, (u8, u8), u32);

/// Returns the instructions of PTX that the simulator knows by name only. Some forms of others
/// without a form in the table have an older equal (`forms::later`).
pub fn unsupported() -> impl Iterator<Item = &'static Unsupported> {
    KNOWN.iter().filter(|(name, ..)| !later::OPCODES.contains(name))
}

/// Returns the words that represent several modifiers in the forms: `.int` for `.u16`, `.u32`, …
pub fn classes() -> &'static [(&'static str, &'static [&'static str])] {
    &CLASSES
}

/// Returns every form in the order of the table.
pub fn all() -> impl Iterator<Item = Description> {
    FORMS.iter().map(Description::of)
}

/// Returns the form of an instruction, executed or not, for any module header; `None` if no form
/// matches.
pub fn description(inst: &Instruction) -> Option<Description> {
    let few = inst.modifiers.len() <= super::MAX_MODIFIERS;
    let rows = pattern::ROWS.get(inst.opcode.name).filter(|_| few)?;
    let mut forms = super::matches(inst, rows).into_iter();
    forms.find(|(row, form)| operands::fit(row, form, inst)).map(|(row, _)| Description::of(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_expands_to_all_its_names() {
        let form = all().find(|form| form.text.starts_with("add{.rnd}")).expect("a row of add");
        let names = form.spellings();
        assert_eq!((form.name(), form.operands()), ("add", vec!["d", "a", "b"]));
        assert_eq!(names.len(), 3 * 2 * 2);
        assert!(names.iter().any(|name| name == "add.f32"));
        assert!(names.iter().any(|name| name == "add.rz.ftz.sat.f32"));
    }
}

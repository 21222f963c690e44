//! Values of variables in registers: the last write of each lane, and assignments that have no
//! instruction.

use super::super::values::{Reading, bits};
use super::{Lanes, Shown, Sight, extended};
use crate::render::number::count;
use isa::types::ScalarType;
use isa::uop::Program;
use isa::variables::{Local, Silent};
use sim_core::debug::{Calls, LastValue, Part, Poll};

impl Sight<'_, '_> {
    /// Instructions and registers that write the parts of a variable whose offsets are wanted.
    fn writes<'b>(
        &self,
        local: &'b Local,
        wanted: impl Fn(u32) -> bool,
    ) -> impl Iterator<Item = (u32, &'b str)> {
        let names = self.session.names();
        local.writes.iter().filter(move |write| wanted(write.offset)).flat_map(move |write| {
            let at_line = |pc: &u32| self.ptx_lines[*pc as usize] == write.line;
            names.writers(&write.register).filter(at_line).map(|pc| (pc, &*write.register))
        })
    }

    /// The value that a kernel's parameter gives to a variable.
    fn parameter(&self, local: &Local, offset: u32, ty: ScalarType) -> Option<u64> {
        let parameter = local.parameter.as_ref()?;
        let index = self.session.program().params.iter().position(|one| one.name == *parameter)?;
        let bytes = self.session.param(index)?.get(offset as usize..)?;
        Some(extended(ty, bits(bytes.get(..ty.bytes() as usize)?)))
    }

    /// The last write of a part of a variable.
    pub(super) fn written(&self, local: &Local, offset: u32, poll: Poll<'_>) -> Option<LastValue> {
        let writes: Vec<_> = self.writes(local, |at| at == offset).collect();
        let is_active = self.function(local).is_some_and(|function| self.is_active(function));
        let calls = if is_active { Calls::Active } else { Calls::All };
        if calls == Calls::All
            && let Some(held) = self.session.held_value(self.warp.sm, self.warp.slot, &writes)
        {
            return Some(held);
        }
        let wanted = |pc: u32, name: &str| writes.contains(&(pc, name));
        self.session
            .last_value_of(self.warp.sm, self.warp.slot, calls, &wanted, poll)
            .filter(|found| !found.parts.is_empty())
    }

    /// The first line of those that wrote a value.
    fn oldest(&self, found: &LastValue) -> Option<u32> {
        let files = self.session.program().ptx.files();
        let line = |part: &Part| files.origin(self.ptx_lines[part.pc as usize]).map(|origin| origin.line);
        found.parts.iter().filter_map(line).min()
    }

    /// A part of a variable in registers.
    pub(super) fn in_register(
        &self,
        local: &Local,
        offset: u32,
        (name, reading): (String, Reading),
        poll: Poll<'_>,
    ) -> Result<Shown, String> {
        let mut lanes: Lanes = [None; 32];
        let mut notes = Vec::new();
        let found = self.written(local, offset, poll);
        if let Some(found) = &found {
            for lane in (0..32).filter(|lane| found.lanes >> lane & 1 == 1) {
                lanes[lane] = Some(extended(reading.ty, found.values[lane]));
            }
            for part in &found.parts {
                let place = self.words.place(part.pc);
                if part.is_pending {
                    let from =
                        part.arrives.map_or_else(String::new, |at| format!(", until cycle {}", count(at)));
                    notes.push(format!("`{name}` is pending in memory: loaded by line {place}{from}"));
                } else if part.is_lost() {
                    notes.push(format!("the value of line {place} exists only within its fused instruction"));
                } else if part.overwritten.is_some() {
                    notes.push(format!("last value, of line {place}: its register was reused"));
                }
            }
            notes.dedup();
        }
        // Lanes without a write have the value of the parameter.
        let parameter = self.parameter(local, offset, reading.ty);
        if let Some(value) = parameter {
            let is_written = |lane: usize| {
                found.as_ref().is_some_and(|found| found.parts.iter().any(|part| part.lanes >> lane & 1 == 1))
            };
            for (lane, bits) in lanes.iter_mut().enumerate().filter(|(lane, _)| !is_written(*lane)) {
                debug_assert!(bits.is_none(), "lane {lane} has a value");
                *bits = Some(value);
            }
        }
        let mut lines: Vec<(u32, Option<u64>)> = Vec::new();
        let written = found.as_ref().and_then(|found| self.oldest(found));
        // A line outside of the scope is in another function.
        let now = if self.sees(local) { self.line } else { u32::MAX };
        for one in local.later(silent(self.session.program(), &self.ptx_lines, local), offset, written, now) {
            match lines.last_mut().filter(|(line, _)| *line == one.line) {
                // A line with several assignments.
                Some(last) => last.1 = None,
                None => lines.push((one.line, one.constant)),
            }
        }
        let line = |(line, constant): &(u32, Option<u64>)| match constant {
            Some(bits) => format!("{line} ({})", reading.text(extended(reading.ty, *bits))),
            None => line.to_string(),
        };
        let lines: Vec<String> = lines.iter().map(line).collect();
        let (first, last) = local.scope;
        if !self.sees(local) {
            notes.push(format!("`{name}` of lines {first} to {last}, which the current line does not see"));
        }
        let is_empty = lanes.iter().all(Option::is_none);
        let mut doubt = None;
        if !lines.is_empty() {
            let noun = if lines.len() == 1 { "line" } else { "lines" };
            let verb = if lines.len() == 1 { "assigns" } else { "assign" };
            let separate = if is_empty { "an" } else { "a separate" };
            let note = format!(
                "{noun} {} {verb} `{name}` without {separate} instruction; -O0 keeps one",
                lines.join(", ")
            );
            doubt = Some(note.clone());
            notes.push(note);
        }
        if is_empty && lines.is_empty() && found.is_none() {
            return Err(format!("no instruction has written a value of `{name}` yet"));
        }
        if is_empty {
            return Err(notes.join("; "));
        }
        Ok(Shown { lanes, notes, doubt, ..Shown::empty(name, reading) })
    }

    /// Returns the instructions that write a value of a variable.
    ///
    /// # Errors
    /// The line sees no such variable, or no instruction writes it.
    pub fn writers(&self, name: &str) -> Result<Vec<u32>, String> {
        let locals = self.locals(name);
        if locals.is_empty() {
            return Err(format!("this line sees no variable `{name}`"));
        }
        let all = locals.iter().flat_map(|local| self.writes(local, |_| true)).map(|(pc, _)| pc);
        let all: Vec<u32> = all.collect();
        if all.is_empty() { Err(format!("no instruction writes `{name}`; -O0 keeps one")) } else { Ok(all) }
    }
}

/// Returns the line of an assignment without an instruction that may decide the value of a variable
/// in line `line` of CUDA C, or, without a line, anywhere: a condition on its registers would miss
/// it.
pub fn missed(program: &Program, name: &str, line: Option<u32>) -> Option<u32> {
    let variables = program.ptx.variables();
    let ptx_lines = program.ptx_lines();
    let sees = |local: &&Local| line.is_none_or(|line| (local.scope.0..=local.scope.1).contains(&line));
    variables.locals.iter().filter(|local| local.name == name).filter(sees).find_map(|local| {
        let kept = local.writes.iter().filter(|write| ptx_lines.contains(&write.line));
        let written = kept.filter_map(|write| Some(program.ptx.files().origin(write.line)?.line)).min();
        let silent = silent(program, &ptx_lines, local);
        local.later(silent, 0, written, line.unwrap_or(local.scope.1)).map(|one| one.line).next()
    })
}

/// Assignments to a variable without an instruction: those that the PTX has none for, and those
/// whose instruction has no micro-op, such as a load of a result that is in its register already.
fn silent(program: &Program, ptx_lines: &[u32], local: &Local) -> Vec<Silent> {
    let removed = local.writes.iter().filter(|write| !ptx_lines.contains(&write.line));
    let removed = removed.filter_map(|write| {
        let line = program.ptx.files().origin(write.line)?.line;
        Some(Silent { line, offset: write.offset, constant: None })
    });
    let mut all: Vec<Silent> = local.silent.iter().copied().chain(removed).collect();
    all.sort_by_key(|one| one.line);
    all
}

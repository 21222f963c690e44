//! PTX names of register rows.
//!
//! Rows are shared: one row holds the values of several PTX registers at different times. So a row
//! has the name of the destination of the latest PTX instruction that wrote it. A row that holds an
//! intermediate value of an instruction has no name.

use crate::time::NEVER;
use isa::types::ScalarType;
use isa::uop::issue::{NO_INSTRUCTION, beginnings, issues};
use isa::uop::{OperandKind, Program};
use std::collections::BTreeSet;

/// A destination row, as an index over all register files of a warp, and the PTX register that it
/// holds.
type Named = (u32, Option<u32>);

/// The rows that each instruction of a program writes.
#[derive(Debug)]
pub struct Names {
    /// Number of 32-bit, 64-bit and predicate rows of a warp.
    rows: [u32; 3],
    /// Names of the PTX registers.
    names: Vec<String>,
    /// For the main micro-op of each instruction, the rows that the instruction writes.
    written: Vec<Vec<Named>>,
    /// Whether a floating-point instruction reads the register, by its name.
    floats: Vec<bool>,
}

/// A row of a warp and its latest writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// PTX name; `None` for an intermediate value.
    pub name: Option<String>,
    /// Kind of row.
    pub kind: OperandKind,
    /// Number of the row.
    pub row: u16,
    /// Shader cycle in which the latest writer issued.
    pub cycle: u64,
    /// Instruction index of the latest writer.
    pub pc: u32,
    /// Lanes that have executed the writer. The other lanes may hold another register.
    pub lanes: u32,
}

/// The latest writer of a row: name, instruction, cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writer {
    name: Option<u32>,
    pc: u32,
    cycle: u64,
    lanes: u32,
}

impl Writer {
    /// Writer of a row that has not been written.
    pub const NONE: Self = Self { name: None, pc: 0, cycle: NEVER, lanes: 0 };
}

impl Names {
    /// Returns the names of a program.
    pub fn of(program: &Program) -> Self {
        let rows = [program.rows.w, program.rows.d, program.rows.p].map(u32::from);
        let written = vec![Vec::new(); program.code.len()];
        let mut all = Self { rows, names: Vec::new(), written, floats: Vec::new() };
        let mut float_operands: BTreeSet<&str> = BTreeSet::new();
        let mut of_pc: Vec<Vec<Named>> = vec![Vec::new(); program.code.len()];
        let mut start = 0;
        while start < program.code.len() {
            let span = program.spans[start];
            let end = (start..program.code.len()).find(|pc| program.spans[*pc] != span);
            let pcs = start..end.unwrap_or(program.code.len());
            let text = program.ptx_text(start as u32);
            float_operands.extend(floats_read(text));
            let writes = pcs.clone().flat_map(|pc| program.code[pc].dsts().map(move |dst| (pc, dst)));
            let writes: Vec<_> = writes.collect();
            let text = if writes.is_empty() { "" } else { text };
            let names: Vec<u32> = destinations(text).map(|name| all.number(name)).collect();
            // The last writes of the instruction are its results, in the order of the names.
            let intermediate = writes.len().saturating_sub(names.len());
            for (i, (pc, (kind, row))) in writes.into_iter().enumerate() {
                let name = i.checked_sub(intermediate).and_then(|i| names.get(i)).copied();
                if let Some(index) = all.index(kind, row) {
                    of_pc[pc].push((index, name));
                }
            }
            start = pcs.end;
        }
        let begins = beginnings(&program.code);
        for issue in issues(&program.code).filter(|issue| begins[issue.first] != NO_INSTRUCTION) {
            all.written[issue.main] = of_pc[issue.first..issue.end].concat();
        }
        all.floats = all.names.iter().map(|name| float_operands.contains(&**name)).collect();
        all
    }

    fn number(&mut self, name: &str) -> u32 {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        }) as u32
    }

    /// Returns the number of rows of a warp.
    pub fn rows(&self) -> usize {
        self.rows.iter().sum::<u32>() as usize
    }

    /// Returns the index of a row among the rows of a warp.
    pub(super) fn index(&self, kind: OperandKind, row: u16) -> Option<u32> {
        let [w, d, _] = self.rows;
        match kind {
            OperandKind::W => Some(row.into()),
            OperandKind::D => Some(w + u32::from(row)),
            OperandKind::P => Some(w + d + u32::from(row)),
            OperandKind::Addr => None,
        }
    }

    /// Returns the PTX register that the instruction with the main micro-op `pc` writes into row
    /// number `index`.
    pub(super) fn written_at(&self, pc: u32, index: u32) -> Option<&str> {
        let named = self.written.get(pc as usize)?.iter().find(|named| named.0 == index)?;
        named.1.map(|number| &*self.names[number as usize])
    }

    /// Returns kind and number of the row with index `index`: 32-bit rows come first, then 64-bit
    /// rows, then predicates.
    pub(super) fn row(&self, index: u32) -> (OperandKind, u16) {
        let [w, d, _] = self.rows;
        match index {
            i if i < w => (OperandKind::W, i as u16),
            i if i < w + d => (OperandKind::D, (i - w) as u16),
            i => (OperandKind::P, (i - w - d) as u16),
        }
    }

    /// Records in `writers`, which has an element for each row of a warp, that lanes `lanes` of the
    /// warp have executed the instruction with the main micro-op `pc` in shader cycle `cycle`.
    pub fn issued(&self, writers: &mut [Writer], pc: u32, lanes: u32, cycle: u64) {
        for (index, name) in &self.written[pc as usize] {
            let writer = &mut writers[*index as usize];
            // Rows are shared: lanes with another register keep that register.
            let others = if writer.name.is_some() && writer.name == *name { writer.lanes } else { 0 };
            *writer = Writer { name: *name, pc, cycle, lanes: others | lanes };
        }
    }

    /// Returns the PTX registers that the instruction with the main micro-op `pc` writes, in order,
    /// each with the index of its row.
    pub(super) fn rows_written(&self, pc: u32) -> impl Iterator<Item = (u32, Option<&str>)> {
        let rows = self.written.get(pc as usize).into_iter().flatten();
        rows.map(|(index, name)| (*index, name.map(|number| &*self.names[number as usize])))
    }

    /// Returns the main micro-ops of the instructions that write PTX register `name`.
    pub fn writers(&self, name: &str) -> impl Iterator<Item = u32> {
        (0..self.written.len() as u32).filter(move |pc| self.writes(*pc, name))
    }

    /// Whether all instructions write PTX register `name` into the same row.
    pub(super) fn has_one_row(&self, name: &str) -> bool {
        let rows = self
            .written
            .iter()
            .flatten()
            .filter(|(_, number)| number.is_some_and(|number| self.names[number as usize] == name));
        let mut rows = rows.map(|(index, _)| index);
        let first = rows.next();
        rows.all(|index| Some(index) == first)
    }

    /// Whether the instruction with the main micro-op `pc` writes PTX register `name`.
    pub fn writes(&self, pc: u32, name: &str) -> bool {
        let is = |named: &Named| named.1.is_some_and(|number| self.names[number as usize] == name);
        self.written[pc as usize].iter().any(is)
    }

    /// Returns the PTX register that a row holds after the instruction with the main micro-op `pc`
    /// has written it; `None` for an intermediate value.
    pub fn written(&self, pc: u32, kind: OperandKind, row: u16) -> Option<&str> {
        let index = self.index(kind, row)?;
        let (_, name) = self.written.get(pc as usize)?.iter().rev().find(|named| named.0 == index)?;
        name.map(|number| self.names[number as usize].as_str())
    }

    /// Whether a floating-point instruction reads PTX register `name`.
    pub fn is_read_as_float(&self, name: &str) -> bool {
        self.names.iter().zip(&self.floats).any(|(known, is_float)| known == name && *is_float)
    }

    /// Returns all PTX registers that the program writes.
    pub fn all(&self) -> &[String] {
        &self.names
    }

    /// Returns the rows that have been written.
    pub fn registers(&self, writers: &[Writer]) -> Vec<Register> {
        let written = (0..).zip(writers).filter(|(_, writer)| writer.cycle != NEVER);
        written.map(|(index, writer)| self.register(index, writer)).collect()
    }

    /// Returns the rows that hold PTX register `name`.
    pub(super) fn holding(&self, writers: &[Writer], name: &str) -> impl Iterator<Item = Register> {
        let number = self.names.iter().position(|known| known == name).map(|number| number as u32);
        let holds = move |writer: &Writer| number.is_some() && writer.name == number;
        let rows = (0..).zip(writers).filter(move |(_, writer)| holds(writer));
        rows.map(|(index, writer)| self.register(index, writer))
    }

    fn register(&self, index: u32, writer: &Writer) -> Register {
        let (kind, row) = self.row(index);
        let name = writer.name.map(|number| self.names[number as usize].clone());
        Register { name, kind, row, cycle: writer.cycle, pc: writer.pc, lanes: writer.lanes }
    }
}

/// Returns the registers that an instruction's text names as its destinations.
pub(super) fn destinations(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim().trim_end_matches(';');
    let text = if text.starts_with('@') {
        text.split_once(char::is_whitespace).map_or("", |(_, t)| t)
    } else {
        text
    };
    let operands = text.trim_start().split_once(char::is_whitespace).map_or("", |(_, operands)| operands);
    // `{%f1, %f2}`, `(%f1, %f2)` and `%p1|%p2` are several registers.
    let operands = operands.trim_start();
    let first = match operands.strip_prefix(['{', '(']) {
        Some(list) => list.split(['}', ')']).next().unwrap_or(""),
        None => operands.split(',').next().unwrap_or(""),
    };
    let is_register = |name: &&str| !name.is_empty() && !name.starts_with('[') && *name != "_";
    first.split([',', '|']).map(str::trim).filter(is_register)
}

/// Returns the operands that an instruction reads as floating-point numbers, by its source type.
fn floats_read(text: &str) -> impl Iterator<Item = &str> {
    let opcode = text.split_whitespace().find(|word| !word.starts_with('@')).unwrap_or("");
    let is_type = |part: &&str| ScalarType::from_name(part).is_some();
    let source = opcode.split('.').skip(1).filter(is_type).last();
    let is_float = matches!(source, Some("f32" | "f64"));
    let (_, operands) = text.split_once(opcode).filter(|_| is_float).unwrap_or_default();
    let is_value = move |word: &&str| !word.is_empty() && !destinations(text).any(|written| written == *word);
    // Addresses are in brackets.
    let outside = operands.split('[').flat_map(|part| {
        match part.split_once(']') {
            Some((_, after)) => after,
            None => part,
        }
        .split(|c: char| c.is_whitespace() || ",{}()|;+-".contains(c))
    });
    outside.filter(is_value)
}

#[cfg(test)]
mod tests {
    use super::{destinations, floats_read};

    #[test]
    fn operands_of_floating_point_instructions_are_floats() {
        let of = |text| floats_read(text).collect::<Vec<_>>();
        assert_eq!(of("@%p1 add.rn.f32 %r3, %r1, -%r2;"), ["%r1", "%r2"]);
        assert_eq!(of("cvt.rn.f32.s32 %f1, %r1;"), [""; 0]);
        assert_eq!(of("cvt.rzi.s32.f32 %r1, %f1;"), ["%f1"]);
        assert_eq!(of("st.global.f32 [%rd1+4], %f1;"), ["%f1"]);
        assert_eq!(of("bra next;"), [""; 0]);
    }

    #[test]
    fn destinations_are_the_first_operand() {
        let of = |text| destinations(text).collect::<Vec<_>>();
        assert_eq!(of("add.f32 %f3, %f1, %f2;"), ["%f3"]);
        assert_eq!(of("@!%p1  ld.global.v2.f32 {%f1, %f2}, [%r1+4];"), ["%f1", "%f2"]);
        assert_eq!(of("setp.eq.s32 %p1|%p2, %r1, 0;"), ["%p1", "%p2"]);
        assert_eq!(of("st.global.f32 [%r1], %f1;"), [""; 0]);
        assert_eq!(of("call (%r1, %f2), f, (%r3);"), ["%r1", "%f2"]);
        assert_eq!(of("ret"), [""; 0]);
    }
}

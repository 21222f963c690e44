//! Flow of values through the program. The loads from which the value of a store is computed are a
//! backward slice of the program from the store along the paths that lead to it. Addresses and
//! conditions are not part of it: in `if (flag == 0) flag = 1` the stored value is not computed
//! from `flag`. The uses of a loaded value are found in the other direction.
//!
//! Invariant `lost-updates`: A lost update is a race with the advice that only an atomic helps; no
//! other pattern gets this advice.

use super::sync::synchronizes;
use crate::exec::ways;
use isa::sem::atomic::Operation;
use isa::uop::{Inst, MemoryKind, OperandKind, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of (instruction, register) pairs in a slice; a longer slice is cut.
const LONGEST: usize = 1 << 16;

/// The slices of one program that were requested.
#[derive(Debug, Default)]
pub struct Flows {
    program: Option<Arc<Program>>,
    /// For each instruction, its possible predecessors.
    before: Vec<Vec<u32>>,
    /// Of a stored value, and of a value that an `atom.cas` compares.
    stored: BTreeMap<u32, BTreeSet<u32>>,
    compared: BTreeMap<u32, BTreeSet<u32>>,
}

impl Flows {
    /// Sets the program for later queries.
    pub fn follow(&mut self, program: &Arc<Program>) {
        *self = Self { program: Some(Arc::clone(program)), ..Self::default() };
    }

    /// Whether the store, `atom.exch` or `atom.cas` at `store` stores a value that is computed from
    /// the value that the load at `load` loads, and that it does not [validate](Self::validates).
    /// `false` without a program.
    pub fn feeds(&mut self, load: u32, store: u32) -> bool {
        let Some(program) = self.ready() else { return false };
        let inst = &program.code[store as usize];
        let rows = || match inst.op.memory().map(|memory| memory.kind) {
            Some(MemoryKind::Store) => values(inst),
            Some(MemoryKind::Cas) => values(inst).into_iter().skip(1).collect(),
            _ if inst.operation() == Some(Operation::Exch) => values(inst),
            _ => Vec::new(),
        };
        let slice = || slice(&program, &self.before, store, rows());
        let feeds = self.stored.entry(store).or_insert_with(slice).contains(&load);
        feeds && !self.validates(load, store)
    }

    /// Returns the program of the launch.
    pub fn program(&self) -> Option<&Arc<Program>> {
        self.program.as_ref()
    }

    /// Whether the instruction at `cas` is an `atom.cas` that compares the word with the value that
    /// the load at `load` loads, and whose result decides a branch: it fails if the value is old.
    pub fn validates(&mut self, load: u32, cas: u32) -> bool {
        let Some(program) = self.ready() else { return false };
        let inst = &program.code[cas as usize];
        if inst.op.memory().is_none_or(|memory| memory.kind != MemoryKind::Cas) {
            return false;
        }
        let rows = || values(inst).into_iter().take(1).collect();
        let slice = || slice(&program, &self.before, cas, rows());
        self.compared.entry(cas).or_insert_with(slice).contains(&load)
            && uses(&program, cas).decides
            && !uses(&program, load).stored
    }

    /// Whether the value that the instruction at `pc` loads only decides branches: it is not
    /// stored, is no address, and nothing that is stored is computed from it.
    pub fn only_decides(&self, pc: u32) -> bool {
        let uses = self.program.as_ref().map(|program| uses(program, pc)).unwrap_or_default();
        uses.decides && !uses.stored
    }

    /// Whether the instruction at `pc` is an atomic or a volatile access.
    pub fn synchronizes(&self, pc: u32) -> bool {
        self.program.as_ref().is_some_and(|program| synchronizes(&program.code[pc as usize]))
    }

    /// Returns the program, and finds the predecessors of its instructions.
    fn ready(&mut self) -> Option<Arc<Program>> {
        let program = self.program.clone()?;
        if self.before.is_empty() {
            self.before = vec![Vec::new(); program.code.len()];
            for pc in 0..program.code.len() as u32 {
                ways::after(&program, pc).for_each(|next| self.before[next as usize].push(pc));
            }
        }
        Some(program)
    }
}

/// A register.
type Row = (OperandKind, u16);

/// Returns the sources of an instruction other than addresses.
fn values(inst: &Inst) -> Vec<Row> {
    inst.srcs().filter(|(kind, _)| *kind != OperandKind::Addr).collect()
}

/// Effects of a value.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// It decides whether instructions execute.
    decides: bool,
    /// It is stored, an address, or an operand of an atomic; except the values of an `atom.cas`,
    /// which end the search.
    stored: bool,
}

/// Follows the result of the instruction at `pc` forward.
fn uses(program: &Program, pc: u32) -> Uses {
    let mut found = Uses::default();
    let mut seen = BTreeSet::new();
    let after = |pc: u32, row: Row| ways::after(program, pc).map(move |next| (next, row));
    let mut open: Vec<(u32, Row)> =
        program.code[pc as usize].dsts().flat_map(|row| after(pc, row).collect::<Vec<_>>()).collect();
    while let Some((pc, row)) = open.pop() {
        if !seen.insert((pc, row)) {
            continue;
        }
        let inst = &program.code[pc as usize];
        let guard = inst.guard.get().map(|(guard, _)| (OperandKind::P, guard));
        found.decides |= guard == Some(row);
        if inst.reads().any(|read| read == row) && guard != Some(row) {
            match inst.op.memory().map(|memory| memory.kind) {
                Some(MemoryKind::Cas) if values(inst).contains(&row) => continue,
                Some(_) => found.stored = true,
                None => inst.dsts().for_each(|dst| open.extend(after(pc, dst))),
            }
        }
        if guard.is_some() || inst.dsts().all(|dst| dst != row) {
            open.extend(after(pc, row));
        }
        if seen.len() >= LONGEST {
            return Uses { decides: found.decides, stored: true };
        }
    }
    found
}

/// Returns the loads from which the operands `rows` of the instruction at `pc` are computed.
fn slice(program: &Program, before: &[Vec<u32>], pc: u32, rows: Vec<Row>) -> BTreeSet<u32> {
    let mut loads = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<_> = rows.into_iter().map(|row| (pc, row)).collect();
    while let Some((pc, row)) = open.pop() {
        for &from in &before[pc as usize] {
            if seen.len() >= LONGEST || !seen.insert((from, row)) {
                continue;
            }
            let inst = &program.code[from as usize];
            let writes = inst.dsts().any(|dst| dst == row);
            if !writes || inst.guard.get().is_some() {
                open.push((from, row));
            }
            if writes && inst.op.memory().is_some() {
                loads.insert(from);
            } else if writes {
                open.extend(values(inst).into_iter().map(|row| (from, row)));
            }
        }
    }
    loads
}

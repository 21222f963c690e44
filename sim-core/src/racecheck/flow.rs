//! The loads from which the value of a store is computed: a backward slice of the program from the
//! store along the paths that lead to it. Addresses and conditions are not part of it: in
//! `if (flag == 0) flag = 1` the stored value is not computed from `flag`.
//!
//! Invariant `lost-updates`: A lost update is a race with the advice that only an atomic helps; no
//! other pattern gets this advice.

use crate::exec::ways;
use isa::uop::{Class, Inst, OperandKind, Program};
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
    known: BTreeMap<u32, BTreeSet<u32>>,
}

impl Flows {
    /// Sets the program for later queries.
    pub fn follow(&mut self, program: &Arc<Program>) {
        *self = Self { program: Some(Arc::clone(program)), ..Self::default() };
    }

    /// Whether the store at `store` stores a value that is computed from the value that the load at
    /// `load` loads. `false` without a program.
    pub fn feeds(&mut self, load: u32, store: u32) -> bool {
        let Some(program) = &self.program else { return false };
        if self.before.is_empty() {
            self.before = vec![Vec::new(); program.code.len()];
            for pc in 0..program.code.len() as u32 {
                ways::after(program, pc).for_each(|next| self.before[next as usize].push(pc));
            }
        }
        let slice = || slice(program, &self.before, store);
        self.known.entry(store).or_insert_with(slice).contains(&load)
    }

    /// [`Self::feeds`] for a store that was queried before; otherwise `false`.
    pub fn is_known_to_feed(&self, load: u32, store: u32) -> bool {
        self.known.get(&store).is_some_and(|slice| slice.contains(&load))
    }
}

/// Returns the loads from which the value of the store at `store` is computed.
fn slice(program: &Program, before: &[Vec<u32>], store: u32) -> BTreeSet<u32> {
    let mut loads = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let rows = |inst: &Inst| inst.srcs().filter(|(kind, _)| *kind != OperandKind::Addr).collect::<Vec<_>>();
    let mut open: Vec<_> = rows(&program.code[store as usize]).into_iter().map(|row| (store, row)).collect();
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
            if writes && matches!(inst.op.class(), Class::LdGlobal | Class::LdShared) {
                loads.insert(from);
            } else if writes {
                open.extend(rows(inst).into_iter().map(|row| (from, row)));
            }
        }
    }
    loads
}

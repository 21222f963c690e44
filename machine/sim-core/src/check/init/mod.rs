//! Values that nothing wrote: registers, and shared, local and global memory; and the results of
//! integer divisions by zero.
//!
//! A value is *undefined* in a lane if it comes from a place that nothing wrote, or from an integer
//! division by zero, whose result PTX, CUDA C and OpenCL C leave undefined. Copies,
//! arithmetic, loads and stores pass undefined values on, each with its origin. A finding is the
//! use of such a value where it matters: in a branch or another guard, as an address, as a value
//! that a store or atomic writes to global memory, or as an operand of a barrier or vote. After a
//! finding the value counts as defined.
//!
//! **Registers.** A row of registers has a mask of undefined lanes. A row that is read before it is
//! written holds no other PTX register from the start of the kernel to this read
//! (`isa::lower::slots`), so the masks are exact although rows are reused. Optimization keeps every
//! value, also the initial zero, so it changes no finding, except that a dead or constant value is
//! no use of an undefined one. A register of a function is undefined only in the first call.
//!
//! **Bits.** An undefined value has a mask of its undefined bits. Logic, shifts, bit-field
//! instructions and conversions compute the mask of their result, so a value is defined if a mask
//! or a shift removes all undefined bits. A sum is undefined from its lowest undefined bit on.
//! Other results are undefined as a whole.
//!
//! **Arithmetic.** A result is undefined if an operand is, with these exceptions: a selection with
//! a defined predicate uses only the selected operand; a product or conjunction with 0, and a
//! disjunction with all ones, are defined; so are the difference, the exclusive or and the
//! comparison of a register with itself. If the result replaces the defined operand in its row, the
//! exception for products, conjunctions and disjunctions of numbers does not apply. The result of a
//! shuffle is undefined if the value in the lane that it is copied from is; if the result replaces
//! the operand that selects this lane, the value of the lane itself counts instead.
//!
//! **Memory.** A bit for each byte: of shared memory and of local memory for the running block, of
//! global memory for the whole launch. Undefined values in shared and local memory keep their
//! origins and the undefined bits of each word. A store to global memory is a use, so global memory
//! needs no origins. The exception is the change of a bit-field, which writes the bits around the
//! field back to their places: of a byte with such bits, global memory has a mask, too.
//!
//! **Races.** If a warp reads a word of shared memory that nothing wrote, and another warp writes a
//! defined value to it before the next barrier, the missing order is the mistake: no finding. Words
//! of global memory that another thread writes later in the same launch are findings.
//!
//! **Cost.** Instructions without undefined operands combine a few masks. Memory: 396 bytes for
//! each row and warp of one block, a bit for each byte of shared, local and written global memory,
//! and at most 65536 exact origins for a block.

mod bits;
mod compute;
mod describe;
mod memory;
mod names;
mod origin;
mod report;
mod rule;
mod shadow;
mod state;
#[cfg(test)]
mod tests;

use super::checker::{Checker, Met};
use super::finding::Finding;
use super::kind::Kind;
use super::written::Written;
use crate::exec::barrier::Arrival;
use crate::exec::{Kernel, Step};
use crate::gpu::functional::{Ending, Executed};
use isa::uop::{NO_ROW, Program};
use origin::Origins;
use report::Found;
use rule::{Action, Rule, Slots};
use shadow::SharedShadow;
use state::State;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Follows the values of one launch.
#[derive(Debug)]
pub struct Initcheck {
    program: Arc<Program>,
    rules: Vec<Rule>,
    slots: Slots,
    threads: u32,
    /// Whether a block has begun.
    started: bool,
    /// Number of the running block.
    block: u64,
    warps: Vec<State>,
    shared: SharedShadow,
    written: Written,
    origins: Origins,
    /// Uses in the running block, by instruction and origin.
    uses: BTreeMap<(u32, u32), Found>,
    /// Findings, by kind and line.
    found: BTreeMap<(Kind, u32), Found>,
}

impl Initcheck {
    /// A checker of a launch of `kernel`; `written` has the bytes of global memory that were
    /// written before.
    pub fn new(kernel: &Kernel, written: Written) -> Self {
        let slots = Slots::of(&kernel.program);
        Self {
            program: Arc::clone(&kernel.program),
            rules: Rule::all(&kernel.program),
            slots,
            threads: kernel.threads(),
            started: false,
            block: 0,
            warps: (0..kernel.warps_per_block()).map(|_| State::new(slots)).collect(),
            shared: SharedShadow::new(kernel.shared_bytes),
            written,
            origins: Origins::default(),
            uses: BTreeMap::new(),
            found: BTreeMap::new(),
        }
    }

    /// Returns the bytes of global memory that were written so far.
    pub fn into_written(self) -> Written {
        self.written
    }
}

impl Checker for Initcheck {
    fn begin_block(&mut self, block: u64) {
        self.settle();
        self.block = block;
        self.origins.clear();
        self.shared.clear();
        self.started = true;
        for (index, warp) in (0..).zip(&mut self.warps) {
            let left = self.threads - 32 * index;
            warp.start(self.slots, if left >= 32 { u32::MAX } else { (1 << left) - 1 });
        }
    }

    #[expect(clippy::inline_always, reason = "it is called for each executed instruction")]
    #[inline(always)]
    fn executed(&mut self, executed: &Executed, _: Option<Met>) {
        let Executed { kernel, warp, pc, step, access, registers, .. } = *executed;
        let rule = self.rules[pc as usize];
        let active = access.mask;
        let state = &mut self.warps[warp.index as usize];
        let side = std::mem::replace(&mut state.side, registers.simt.mask());
        let unknown = state.undefined[rule.guard as usize] & side;
        if unknown != 0 {
            self.guarded(executed, &rule, unknown);
        }
        let undefined = &mut self.warps[warp.index as usize].undefined;
        match rule.action {
            Action::Control => {}
            Action::Compute
            | Action::Select
            | Action::Product
            | Action::Disjunction
            | Action::MultiplyAdd => {
                let [a, b, c, d, _] = rule.srcs.map(|slot| undefined[slot as usize]);
                if (a | b | c | d) & active != 0 {
                    self.compute(executed, &rule);
                } else {
                    // A texture read has four results.
                    for slot in rule.dsts {
                        undefined[slot as usize] &= !active;
                    }
                }
            }
            Action::Divide => {
                let [a, b, ..] = rule.srcs.map(|slot| undefined[slot as usize]);
                if (a | b) & active != 0 {
                    self.compute(executed, &rule);
                } else {
                    undefined[rule.dsts[0] as usize] &= !active;
                }
                self.divide(executed, &rule);
            }
            Action::Shuffle => {
                let [a, b, c, ..] = rule.srcs.map(|slot| undefined[slot as usize]);
                if a | (b | c) & active != 0 {
                    self.shuffle(executed, &rule);
                } else {
                    undefined[rule.dsts[0] as usize] &= !active;
                    undefined[rule.dsts[1] as usize] &= !active;
                }
            }
            Action::Memory => self.memory(executed, &rule),
            Action::Warp => {
                let [a, b, c, ..] = rule.srcs.map(|slot| undefined[slot as usize]);
                if (a | b | c) & active != 0 {
                    self.warp_wide(executed, &rule);
                }
                self.warps[warp.index as usize].undefined[rule.dsts[0] as usize] &= !active;
            }
        }
        let state = &mut self.warps[warp.index as usize];
        if rule.predicate != NO_ROW {
            state.predicates[rule.predicate as usize] = registers.p[rule.predicate as usize];
        }
        if let (Step::Barrier, Arrival { warps, waits: true, .. }) = (step, access.arrival)
            && (warps == 0 || warps == kernel.warps_per_block())
        {
            state.interval += 1;
        }
    }

    fn findings(&mut self, kernel: &Kernel, ending: &Ending) -> Vec<Finding> {
        self.ended(ending);
        self.found.values().map(|found| describe::finding(kernel, found)).collect()
    }
}

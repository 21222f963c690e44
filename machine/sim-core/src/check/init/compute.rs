//! Results of arithmetic with undefined operands.

use super::Initcheck;
use super::bits::{self, Operands};
use super::origin::{Origin, OriginPlace, Undefined};
use super::rule::{Action, Rule};
use super::state::{At, Values};
use crate::exec::mask::lanes;
use crate::exec::{Kernel, Warp, across, rows};
use crate::gpu::functional::Executed;
use isa::uop::{Inst, OperandKind};

/// Operands from which undefined lanes of the result come, in the order in which a finding names
/// them: row and lanes.
type Parts = [(u32, u32); 4];

impl Initcheck {
    /// Follows a computation that has undefined operands in some lanes.
    #[cold]
    pub(super) fn compute(&mut self, executed: &Executed, rule: &Rule) {
        let Executed { kernel, warp, pc, access, registers, .. } = *executed;
        let inst = &kernel.program.code[pc as usize];
        let at = At { pc, warp: warp.index };
        let parts = self.parts(executed, rule);
        let state = &mut self.warps[warp.index as usize];
        let (mut undefined, mut values) = (0, Values::NONE);
        for (slot, part) in parts {
            for lane in lanes(part & !undefined) {
                let operands = Operands { kernel, registers, inst, rule, state, lane };
                let bits = bits::of_result(&operands);
                if bits != 0 {
                    let kept = bits::keeps(&operands);
                    let value = state.value(slot, lane, at, &mut self.origins);
                    values.set(lane, Undefined { bits, kept: value.kept && kept, ..value });
                    undefined |= 1 << lane;
                }
            }
        }
        for slot in &rule.dsts {
            state.write(*slot, access.mask, undefined, &values);
        }
    }

    /// Follows a division, whose result is undefined in the lanes with the divisor 0. The row of a
    /// divisor is not that of the result (`isa::lower::slots`), unless PTX has one register for
    /// both.
    pub(super) fn divide(&mut self, executed: &Executed, rule: &Rule) {
        let Executed { kernel, warp, pc, access, registers, .. } = *executed;
        let inst = &kernel.program.code[pc as usize];
        let state = &mut self.warps[warp.index as usize];
        let (divisor, result) = (rule.srcs[1], rule.dsts[0]);
        if divisor == result {
            return;
        }
        let zero = equal(kernel, registers, &state.predicates, inst, 1, 0);
        // An undefined divisor is the mistake, not its value.
        let zero = zero & access.mask & !state.undefined[divisor as usize];
        if zero == 0 {
            return;
        }
        let mut values = Values::NONE;
        for lane in lanes(zero) {
            let origin = self.origins.number(Origin {
                place: OriginPlace::Division,
                pc,
                address: None,
                bytes: 0,
                warp: warp.index,
                lane: lane as u32,
                interval: state.interval,
                raced: false,
            });
            values.set(lane, Undefined { origin, bits: u64::MAX, kept: false });
        }
        state.write(result, zero, zero, &values);
    }

    /// Follows a shuffle that has undefined operands in some lanes.
    #[cold]
    pub(super) fn shuffle(&mut self, executed: &Executed, rule: &Rule) {
        let Executed { kernel, warp, pc, access, registers, .. } = *executed;
        let at = At { pc, warp: warp.index };
        let inst = &kernel.program.code[pc as usize];
        let [a, b, c, ..] = rule.srcs;
        let lost = rule.dsts[0] == b || rule.dsts[0] == c;
        let [selected, bound] = [1, 2].map(|place| rows::w(kernel, registers, inst.src[place]));
        let state = &mut self.warps[warp.index as usize];
        let (mut undefined, mut selection, mut values) = (0, 0, Values::NONE);
        for lane in lanes(access.mask) {
            let own = [b, c].map(|slot| (slot, lane));
            let from = if lost { lane } else { across::source(inst.op, lane, selected[lane], bound[lane]).0 };
            let unknown = |(slot, lane): &(u32, usize)| state.undefined[*slot as usize] >> lane & 1 == 1;
            let selects = own.iter().any(unknown);
            selection |= u32::from(selects) << lane;
            if let Some((slot, from)) = own.into_iter().chain([(a, from)]).find(unknown) {
                undefined |= 1 << lane;
                let value = state.value(slot, from, at, &mut self.origins);
                let bits = if selects { u64::MAX } else { value.bits };
                values.set(lane, Undefined { bits, kept: false, ..value });
            }
        }
        state.write(rule.dsts[0], access.mask, undefined, &values);
        state.write(rule.dsts[1], access.mask, selection, &values);
    }

    fn parts(&self, executed: &Executed, rule: &Rule) -> Parts {
        let Executed { kernel, warp, pc, access, registers, .. } = *executed;
        let state = &self.warps[warp.index as usize];
        let inst = &kernel.program.code[pc as usize];
        let [a, b, c, d, _] = rule.srcs;
        let of = |slot: u32| state.undefined[slot as usize] & access.mask;
        // The lanes in which a defined operand has a value, if the result has not replaced it.
        let has = |place: usize, value: u64| {
            let slot = rule.srcs[place];
            let lost =
                rule.dsts.contains(&slot) && inst.op.shape().srcs().get(place) != Some(&OperandKind::P);
            let found =
                if lost { 0 } else { equal(kernel, registers, &state.predicates, inst, place, value) };
            found & !of(slot)
        };
        match rule.action {
            Action::Select => {
                let selector = rows::p(registers, inst.src[2]);
                [(c, of(c)), (a, of(a) & selector), (b, of(b) & !selector), (d, of(d))]
            }
            Action::Product | Action::MultiplyAdd => {
                [(a, of(a) & !has(1, 0)), (b, of(b) & !has(0, 0)), (c, of(c)), (d, of(d))]
            }
            Action::Disjunction => {
                [(a, of(a) & !has(1, u64::MAX)), (b, of(b) & !has(0, u64::MAX)), (c, of(c)), (d, of(d))]
            }
            Action::Control
            | Action::Compute
            | Action::Divide
            | Action::Memory
            | Action::Warp
            | Action::Shuffle => [(a, of(a)), (b, of(b)), (c, of(c)), (d, of(d))],
        }
    }
}

/// Returns the lanes in which a source has the value `value`, truncated to its size. `predicates`
/// has the predicates before the instruction.
fn equal(kernel: &Kernel, warp: &Warp, predicates: &[u32], inst: &Inst, place: usize, value: u64) -> u32 {
    let row = inst.src[place];
    let gather = |is: &dyn Fn(usize) -> bool| (0..32).fold(0, |all, lane| all | u32::from(is(lane)) << lane);
    match inst.op.shape().srcs().get(place) {
        Some(OperandKind::W) => {
            let values = rows::w(kernel, warp, row);
            gather(&|lane| values[lane] == value as u32)
        }
        Some(OperandKind::D) => {
            let values = rows::d(kernel, warp, row);
            gather(&|lane| values[lane] == value)
        }
        Some(OperandKind::P) => {
            let set = predicates.get(row as usize).copied().unwrap_or_else(|| rows::p(warp, row));
            if value == 0 { !set } else { set }
        }
        Some(OperandKind::Addr) | None => 0,
    }
}

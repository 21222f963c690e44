//! The number of iterations of a loop, by evaluating its condition.

use crate::passes::fold::{Arithmetic, evaluate_with};
use crate::ssa::{Block, Cfg, Function, Jump, Loop, Op, Terminator, Value};
use rustc_hash::FxHashMap;

/// Iterations that are tried.
const MAX_TRIPS: u64 = 4096;
/// Values that a condition may depend on.
const MAX_SLICE: usize = 48;

/// The number of times that the body of a loop is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trips {
    Exactly(u64),
    /// More than are tried.
    Many,
}

impl Trips {
    /// Number of the iterations, if it is known.
    pub(super) fn known(self) -> Option<u64> {
        if let Self::Exactly(trips) = self { Some(trips) } else { None }
    }
}

/// The number of times that the body is executed if the loop is left at its latch: each loop
/// variable that the condition depends on must start with a constant. Subtracts the values that it
/// evaluates from `steps`.
pub(super) fn count(f: &Function, cfg: &Cfg, each: &Loop, latch: Block, steps: &mut usize) -> Option<Trips> {
    let Terminator::Branch(cond, yes, no) = &f.blocks[latch.at()].term else { return None };
    let again_if = match (yes.to == each.header, no.to == each.header) {
        (true, false) => true,
        (false, true) => false,
        _ => return None,
    };
    let again = if again_if { yes } else { no };
    let outside = cfg.preds[each.header.at()].iter().filter(|pred| !each.contains(**pred));
    let entries: Vec<&Jump> = outside
        .flat_map(|pred| f.blocks[pred.at()].term.jumps().filter(|jump| jump.to == each.header))
        .collect();
    let params = &f.blocks[each.header.at()].params;
    // The values that the condition depends on, operands first, and the parameters among them.
    let mut slice = Slice { f, params, order: Vec::new(), needed: Vec::new() };
    slice.add(*cond, MAX_SLICE)?;
    let mut index = 0;
    while index < slice.needed.len() {
        let param = slice.needed[index];
        slice.add(again.args[param], MAX_SLICE)?;
        index += 1;
    }
    let mut values: FxHashMap<Value, u64> = FxHashMap::default();
    for &index in &slice.needed {
        let mut starts = entries.iter().map(|jump| f.constant(jump.args[index]));
        let start = starts.next()??;
        if starts.any(|other| other != Some(start)) {
            return None;
        }
        values.insert(params[index], start);
    }
    let arithmetic = Arithmetic { ftz: false, fused: false, exact_division: false, double: false };
    for trip in 1..=MAX_TRIPS {
        *steps = steps.saturating_sub(slice.order.len() + 1);
        for &value in &slice.order {
            let bits = evaluate_with(f, value, arithmetic, &values)?;
            values.insert(value, bits);
        }
        if (*values.get(cond)? != 0) != again_if {
            return Some(Trips::Exactly(trip));
        }
        let next: Option<Vec<u64>> =
            slice.needed.iter().map(|index| values.get(&again.args[*index]).copied()).collect();
        for (index, bits) in slice.needed.iter().zip(next?) {
            values.insert(params[*index], bits);
        }
    }
    Some(Trips::Many)
}

struct Slice<'a> {
    f: &'a Function,
    params: &'a [Value],
    order: Vec<Value>,
    needed: Vec<usize>,
}

impl Slice<'_> {
    /// Adds a value after its operands. `None`: it depends on something that is no constant.
    fn add(&mut self, value: Value, depth: usize) -> Option<()> {
        if self.order.contains(&value) {
            return Some(());
        }
        if let Some(index) = self.params.iter().position(|param| *param == value) {
            if !self.needed.contains(&index) {
                self.needed.push(index);
            }
            return Some(());
        }
        let good = match self.f.op(value) {
            Op::Const(_) => true,
            Op::Unary(..) | Op::Binary(..) | Op::Cmp(..) | Op::Select(..) | Op::Convert(..) => {
                !self.f.ty(value).is_float()
            }
            _ => false,
        };
        if !good || depth == 0 || self.order.len() >= MAX_SLICE {
            return None;
        }
        let mut operands = Vec::new();
        self.f.op(value).each(|operand| operands.push(operand));
        for operand in operands {
            self.add(operand, depth - 1)?;
        }
        self.order.push(value);
        Some(())
    }
}

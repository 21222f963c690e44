//! Barrier instructions: the arrival of a warp and the result of a completed barrier.
//!
//! Invariant `barriers-with-counts`: A barrier for a number of threads counts every warp that
//! arrives, `bar.arrive` does not wait, and `bar.red` reduces over all threads that arrived by it,
//! on both machines and under every policy.
//!
//! Invariant `partial-warps-at-barriers`: A barrier that only some of the live lanes of a warp
//! reach is an error, unless the launch asks for barriers that count warps.

use super::{BarrierRule, Kernel, Warp, mask, rows};
use crate::exec::trap::{Fault, FaultKind};
use crate::state::Value;
use isa::uop::verify::BARRIERS;
use isa::uop::{Inst, Op};

/// The arrival of a warp at a barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
pub struct Arrival {
    /// Number of the barrier.
    pub id: u32,
    /// Number of warps that must arrive; 0: all warps of the block that have not exited.
    pub warps: u32,
    /// Whether the warp waits (`bar.sync`, `bar.red`) or only signals its arrival (`bar.arrive`).
    pub waits: bool,
    /// `bar.red`: mask of the participating lanes, and mask of those whose predicate is true.
    pub asked: (u32, u32),
}

/// Reduction over all lanes that executed `bar.red` at a barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
pub struct Reduction {
    /// Number of lanes.
    pub lanes: u32,
    /// Number of lanes whose predicate is true.
    pub trues: u32,
}

/// Returns the arrival that a barrier instruction causes in its lanes `active`, which must not be
/// empty.
///
/// The result is a fault if the lanes name different barriers, a barrier that does not exist, or a
/// thread count that is not a number of whole warps. Unless the rule is [`BarrierRule::Hardware`],
/// all live lanes of the warp must execute the instruction together.
// Not inlined, so that the `match` of the executor stays small.
#[inline(never)]
pub fn arrival(kernel: &Kernel, warp: &Warp, inst: &Inst, active: u32) -> Result<Arrival, Box<Fault>> {
    if inst.op == Op::BarSync && (active == warp.live || kernel.barriers == BarrierRule::Hardware) {
        return Ok(Arrival { id: inst.imm, warps: 0, waits: true, asked: (0, 0) });
    }
    general(kernel, warp, inst, active)
}

/// Same as [`arrival`], for all forms of barrier instructions.
#[cold]
fn general(kernel: &Kernel, warp: &Warp, inst: &Inst, active: u32) -> Result<Arrival, Box<Fault>> {
    let fault = |kind| Err(Box::new(Fault { kind, lanes: active }));
    let (id, threads) = if inst.op == Op::BarSync {
        (inst.imm, 0)
    } else {
        let first = active.trailing_zeros() as usize & 31;
        let (ids, counts) = (rows::w(kernel, warp, inst.src[0]), rows::w(kernel, warp, inst.src[1]));
        if mask::lanes(active).any(|lane| ids[lane] != ids[first] || counts[lane] != counts[first]) {
            return fault(FaultKind::MixedBarrier);
        }
        (ids[first], counts[first])
    };
    if id >= BARRIERS {
        return fault(FaultKind::NoSuchBarrier { barrier: id });
    }
    if active != warp.live && kernel.barriers == BarrierRule::Strict {
        return fault(FaultKind::DivergentBarrier { op: inst.op, barrier: id, active, live: warp.live });
    }
    if threads % 32 != 0 || threads == 0 && inst.op == Op::BarArrive {
        return fault(FaultKind::BarrierCount { barrier: id, threads });
    }
    let asked = match inst.op {
        Op::BarRedPopc | Op::BarRedAnd | Op::BarRedOr => (active, active & rows::p(warp, inst.src[2])),
        _ => (0, 0),
    };
    Ok(Arrival { id, warps: threads / 32, waits: inst.op != Op::BarArrive, asked })
}

/// PTX name of the instruction, without its type.
pub(super) fn barrier_name(op: Op) -> &'static str {
    match op {
        Op::BarSync | Op::BarSyncN => "bar.sync",
        Op::BarArrive => "bar.arrive",
        _ => "bar.red",
    }
}

/// Writes the result of the barrier instruction `inst` to the lanes `lanes` of a warp that waited
/// at it.
#[inline]
pub fn deliver(warp: &mut Warp, inst: &Inst, lanes: u32, found: Reduction) {
    match inst.op {
        Op::BarRedPopc => mask::store(&mut warp.w[inst.dst as usize], &[found.trues; 32], lanes),
        Op::BarRedAnd => {
            let all = if found.trues == found.lanes { u32::MAX } else { 0 };
            mask::store_bits(&mut warp.p[inst.dst as usize], all, lanes);
        }
        Op::BarRedOr => {
            let any = if found.trues > 0 { u32::MAX } else { 0 };
            mask::store_bits(&mut warp.p[inst.dst as usize], any, lanes);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::build::Builder;
    use isa::uop::{Guard, NO_ROW};

    fn inst(op: Op, dst: u16, src: [u16; 3]) -> Inst {
        let [a, b, c] = src;
        Inst { op, guard: Guard::NONE, dst, dst2: NO_ROW, src: [a, b, c, NO_ROW], imm: 0, aux: 0 }
    }

    /// Rows 0 and 1 are registers, 2 is the constant 64.
    fn started() -> (Kernel, Warp) {
        let (kernel, mut warp) = Builder::new().rows(2, 0, 1).const32(64).started();
        warp.live = u32::MAX;
        warp.w[0] = [3; 32];
        warp.p[0] = 0xff;
        (kernel, warp)
    }

    #[test]
    fn numbers_and_counts_come_from_rows() {
        let (kernel, mut warp) = started();
        let red = inst(Op::BarRedPopc, 1, [0, 2, 0]);
        let came = Arrival { id: 3, warps: 2, waits: true, asked: (u32::MAX, 0xff) };
        assert_eq!(arrival(&kernel, &warp, &red, u32::MAX), Ok(came));
        let arrive = inst(Op::BarArrive, NO_ROW, [0, 2, NO_ROW]);
        let came = Arrival { waits: false, asked: (0, 0), ..came };
        assert_eq!(arrival(&kernel, &warp, &arrive, u32::MAX), Ok(came));
        let kind = |warp: &Warp, inst: &Inst, active| arrival(&kernel, warp, inst, active).unwrap_err().kind;
        let wrong = inst(Op::BarSyncN, NO_ROW, [2, 1, NO_ROW]);
        assert_eq!(kind(&warp, &wrong, u32::MAX), FaultKind::NoSuchBarrier { barrier: 64 });
        let none = inst(Op::BarArrive, NO_ROW, [0, 1, NO_ROW]);
        assert_eq!(kind(&warp, &none, u32::MAX), FaultKind::BarrierCount { barrier: 3, threads: 0 });
        warp.w[1] = [48; 32];
        assert_eq!(kind(&warp, &none, u32::MAX), FaultKind::BarrierCount { barrier: 3, threads: 48 });
        let divergent =
            FaultKind::DivergentBarrier { op: Op::BarArrive, barrier: 3, active: 1, live: u32::MAX };
        assert_eq!(kind(&warp, &arrive, 1), divergent);
        warp.w[0][7] = 4;
        assert_eq!(kind(&warp, &arrive, u32::MAX), FaultKind::MixedBarrier);
    }

    #[test]
    fn a_result_is_written_in_the_lanes_of_the_instruction() {
        let (_, mut warp) = started();
        let found = Reduction { lanes: 64, trues: 5 };
        deliver(&mut warp, &inst(Op::BarRedPopc, 1, [0, 2, 0]), 0xf0, found);
        assert_eq!((warp.w[1][3], warp.w[1][4], warp.w[1][8]), (0, 5, 0));
        deliver(&mut warp, &inst(Op::BarRedAnd, 0, [0, 2, 0]), 0xf0, found);
        assert_eq!(warp.p[0], 0x0f);
        deliver(&mut warp, &inst(Op::BarRedOr, 0, [0, 2, 0]), 0xf00, found);
        assert_eq!(warp.p[0], 0xf0f);
    }
}

//! Calls of functions, also through addresses in registers.

use super::Step;
use crate::exec::trap::FaultKind;
use crate::exec::{Kernel, StepResult, Warp, mask, rows};
use isa::uop::{FunctionCode, Inst};

/// Calls the function at `target` in the lanes `called`; the lanes `again` call after those have
/// returned.
#[inline(never)]
pub(super) fn jump(warp: &mut Warp, called: u32, again: u32, target: u32) -> StepResult {
    if warp.simt.call(called, again, target) {
        return Ok(Step::Jump);
    }
    let calls = warp.simt.returns().len() as u32;
    super::fault(FaultKind::CallStackFull { calls }, called)
}

/// Calls the function whose address the lowest active lane has, in all lanes that have this
/// address.
#[inline(never)]
pub(super) fn indirect(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) -> StepResult {
    if active == 0 {
        return jump(warp, 0, 0, 0);
    }
    let address = |lane: usize| match inst.aux & Inst::ADDR64 {
        0 => u64::from(rows::w(kernel, warp, inst.src[0])[lane]),
        _ => rows::d(kernel, warp, inst.src[0])[lane],
    };
    let first = address(active.trailing_zeros() as usize);
    let called =
        mask::lanes(active).filter(|lane| address(*lane) == first).fold(0, |all, lane| all | 1 << lane);
    let function = FunctionCode::number_at(first).and_then(|number| kernel.program.function(number));
    match function {
        Some(function) if function.signature == Some(inst.imm) => {
            jump(warp, called, active & !called, function.start)
        }
        found => {
            let name = found.filter(|function| function.signature.is_some()).map(|f| f.name.clone());
            super::fault(FaultKind::BadCall { address: first, function: name }, called)
        }
    }
}

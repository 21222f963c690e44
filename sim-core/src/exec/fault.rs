//! Diagnosis of an instruction that must not execute. Called only after a check has failed.

use super::mask::lanes;
use super::{Access, Kernel, Warp, rows};
use crate::exec::trap::{Fault, FaultKind};
use isa::types::StateSpace;
use isa::uop::{Inst, NO_ROW};

/// Returns the fault of a load or store with an out-of-bounds or misaligned lane.
///
/// `inside` reports whether an access of this size at an address is in bounds; `hint` describes the
/// location of an address out of bounds. The fault is that of the lowest faulting lane; out of
/// bounds takes precedence over misaligned. Its lanes are all lanes with the same kind of fault.
#[cold]
pub fn of_access(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    space: StateSpace,
    access: &Access,
    inside: impl Fn(u64) -> bool,
    hint: impl Fn(u64) -> String,
) -> Fault {
    let (bytes, store) = (access.bytes, access.store);
    let (mut outside, mut misaligned) = (0u32, 0u32);
    for lane in lanes(access.mask) {
        let address = address(kernel, warp, inst, lane);
        if !inside(address) {
            outside |= 1 << lane;
        } else if address & u64::from(bytes - 1) != 0 {
            misaligned |= 1 << lane;
        }
    }
    let first = (outside | misaligned).trailing_zeros().min(31);
    let address = address(kernel, warp, inst, first as usize);
    if misaligned >> first & 1 == 1 {
        return Fault { kind: FaultKind::Misaligned { space, address, bytes, store }, lanes: misaligned };
    }
    let hint = hint(address);
    Fault { kind: FaultKind::OutOfBounds { space, address, bytes, store, hint }, lanes: outside }
}

/// The full address of one lane; [`step`](super::step()) documents its computation.
pub(super) fn address(kernel: &Kernel, warp: &Warp, inst: &Inst, lane: usize) -> u64 {
    if inst.src[0] == NO_ROW {
        u64::from(inst.imm)
    } else if inst.aux & Inst::ADDR64 == 0 {
        u64::from(rows::w(kernel, warp, inst.src[0])[lane].wrapping_add(inst.imm))
    } else {
        rows::d(kernel, warp, inst.src[0])[lane].wrapping_add(i64::from(inst.imm as i32) as u64)
    }
}

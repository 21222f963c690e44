//! Generic addresses: the lanes of an access are split by the state space of their addresses, and
//! each part is executed like an access to that space.
//!
//! All parts are checked before any part is executed. The parts in shared, local and constant
//! memory are executed immediately. The part in global memory is described for the memory system,
//! together with its values. No two spaces share a byte, so the order of the parts has no effect.
//!
//! Invariant `generic-addresses`: A generic access does for each lane what an access to the state
//! space of its address does, or traps and names that space. No buffer is allocated inside the
//! windows.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::ldst::{aligned, allocated, capture, describe, in_pages, span};
use super::mask::{fill, lanes};
use super::stride::Strides;
use super::{Access, Kernel, Parts, Row32, Warp, atomic, fault, ldst, local};
use crate::exec::trap::{Checked, Fault, FaultKind};
use isa::generic::{CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW, WINDOW_BYTES, base, space_of};
use isa::sem::atomic::Operation;
use isa::types::StateSpace;
use isa::uop::{Inst, Memory};

/// Executes a load, store or atomic through generic addresses. If it returns `Err`, nothing has
/// been written.
#[inline(always)]
pub fn access(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> Checked {
    let Some(memory) = inst.op.memory() else { return Ok(()) };
    let width = memory.width;
    described(kernel, warp, inst, memory, shared.len(), access)?;
    let (mask, parts, whole) = (access.mask, access.parts, access.addr);
    if parts.shared != 0 {
        only(access, parts.shared, &whole);
        if access.atomic.is_some() {
            atomic::perform(kernel, warp, inst, memory, shared, access);
        } else if access.store {
            ldst::write(kernel, warp, inst, width, shared, access);
        } else {
            ldst::read(warp, inst, width, shared, access);
        }
    }
    if parts.local != 0 {
        only(access, parts.local, &whole);
        if access.store {
            local::write(kernel, warp, inst, width, access);
        } else {
            local::read(warp, inst, width, access);
        }
    }
    if parts.constant != 0 {
        only(access, parts.constant, &whole);
        ldst::read(warp, inst, width, &kernel.constants, access);
    }
    (access.mask, access.addr) = (mask, whole);
    if parts.global != 0 && access.store {
        capture(kernel, warp, inst, width, access);
        atomic::capture_third(kernel, warp, inst, memory, access);
        // In global memory these additions flush subnormals, as observed on hardware.
        if access.atomic == Some(Operation::AddF32) {
            access.atomic = Some(Operation::AddFtzF32);
        }
    }
    Ok(())
}

/// Describes and checks an access, and splits its lanes; executes nothing.
#[inline(always)]
pub fn described(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    memory: Memory,
    shared_bytes: usize,
    access: &mut Access,
) -> Checked {
    let beyond = describe(kernel, warp, inst, memory.width, memory.kind.writes(), access);
    access.atomic = inst.operation().filter(|_| memory.kind.is_atomic());
    split(access);
    if access.mask == 0 || beyond == 0 && sound(kernel, shared_bytes, access) {
        return Ok(());
    }
    Err(Box::new(found(kernel, warp, inst, shared_bytes, access)))
}

/// Restricts the access to the lanes of `part`, whose addresses are in `whole`.
fn only(access: &mut Access, part: u32, whole: &Row32) {
    (access.mask, access.addr) = (part, *whole);
    fill(&mut access.addr, part);
}

/// Finds the state space of each lane, and converts the addresses to addresses of the space.
#[inline(always)]
fn split(access: &mut Access) {
    access.parts = Parts::default();
    // Most accesses are to one space. Then the distances between the addresses do not change.
    // Numbers of windows; all of global memory has the number below the lowest window.
    let window = |at: u32| (at >> 24).max((CONST_WINDOW >> 24) - 1);
    let first = window(access.addr[0]);
    let mut differ = 0;
    for at in &access.addr {
        differ |= window(*at) ^ first;
    }
    if differ == 0 {
        let space = space_of(u64::from(access.addr[0]));
        let base = base(space).unwrap_or(0);
        access.addr = access.addr.map(|at| at - base);
        *access.parts.of_mut(space) = access.mask;
        return;
    }
    for (lane, at) in access.addr.iter_mut().enumerate() {
        let space = space_of(u64::from(*at));
        *access.parts.of_mut(space) |= (access.mask >> lane & 1) << lane;
        *at -= base(space).unwrap_or(0);
    }
    access.strides = Strides::default();
}

/// Whether the access is valid in every lane.
fn sound(kernel: &Kernel, shared_bytes: usize, access: &mut Access) -> bool {
    let parts = access.parts;
    let inside = |part: u32, size: u64| {
        if part == access.mask {
            // All lanes have addresses of this space.
            return span(access).1 <= size;
        }
        lanes(part).all(|lane| u64::from(access.addr[lane]) + u64::from(access.bytes) <= size)
    };
    let banks = inside(parts.shared, shared_bytes as u64)
        && inside(parts.local, kernel.program.local_bytes.into())
        && inside(parts.constant, kernel.constants.len() as u64);
    let allowed = (parts.local == 0 || access.atomic.is_none()) && (parts.constant == 0 || !access.store);
    if !banks || !allowed || !aligned(access) {
        return false;
    }
    if parts.global == 0 {
        return true;
    }
    let whole = access.addr;
    fill(&mut access.addr, parts.global);
    let global = allocated(kernel, access) || in_pages(kernel, access, parts.global);
    access.addr = whole;
    global
}

/// Returns the fault of an invalid access, with its state space: the fault of the lowest faulting
/// lane, with all lanes that have the same kind and space.
#[cold]
fn found(kernel: &Kernel, warp: &Warp, inst: &Inst, shared_bytes: usize, access: &Access) -> Fault {
    let (bytes, store, atomic) = (access.bytes, access.store, access.atomic.is_some());
    let of = |lane: usize| {
        let generic = fault::address(kernel, warp, inst, lane);
        let space = space_of(generic);
        let address = generic - u64::from(base(space).unwrap_or(0));
        let inside = |size: u64| address + u64::from(bytes) <= size;
        let hint = |what: &str| format!("{what}; its generic address is {generic:#x}");
        let outside = match space {
            StateSpace::Shared => (!inside(shared_bytes as u64))
                .then(|| hint(&format!("the block has {shared_bytes} bytes of shared memory"))),
            StateSpace::Local => {
                let size = kernel.program.local_bytes;
                (!inside(size.into()))
                    .then(|| hint(&format!("a thread of this kernel has {size} bytes of local memory")))
            }
            StateSpace::Const => {
                let size = kernel.constants.len() as u64;
                (!inside(size)).then(|| hint(&format!("constant memory is {size} bytes")))
            }
            _ => {
                let covered = u32::try_from(address).is_ok_and(|at| kernel.allocations.covers(at, bytes));
                (!covered).then(|| kernel.allocations.hint(address, bytes.into()))
            }
        };
        let wrong = space == StateSpace::Local && atomic || space == StateSpace::Const && store;
        match outside {
            _ if wrong => Some(FaultKind::WrongSpace { space, address, atomic }),
            Some(hint) => Some(fault::outside(kernel, warp, inst, (space, address), (bytes, store), || hint)),
            None if address & u64::from(bytes - 1) != 0 => {
                Some(FaultKind::Misaligned { space, address, bytes, store })
            }
            None => None,
        }
    };
    let alike = |kind: &FaultKind| match kind {
        FaultKind::WrongSpace { space, .. } => (0, *space),
        FaultKind::OutOfBounds { space, .. } => (1, *space),
        FaultKind::HostPointer { .. } => (1, StateSpace::Global),
        FaultKind::Misaligned { space, .. } => (2, *space),
        _ => (3, StateSpace::Reg),
    };
    let mut faults = lanes(access.mask).filter_map(|lane| of(lane).map(|kind| (lane, kind)));
    let Some((first, kind)) = faults.next() else { unreachable!("at least one lane is invalid") };
    let same = faults.filter(|(_, other)| alike(other) == alike(&kind));
    let lanes = same.fold(1 << first, |all, (lane, _)| all | 1 << lane);
    Fault { kind, lanes }
}

const _: () = assert!(
    CONST_WINDOW + WINDOW_BYTES == SHARED_WINDOW && SHARED_WINDOW + WINDOW_BYTES == LOCAL_WINDOW,
    "the windows are adjacent"
);

#[cfg(test)]
mod tests;

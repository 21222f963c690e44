//! Addresses of the lanes of an access, and the checks before the access.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::super::mask::{combined, fill};
use super::super::stride::Strides;
use super::super::{Access, Kernel, Row32, Warp, fault, rows};
use crate::exec::trap::Checked;
use isa::types::StateSpace;
use isa::uop::{Inst, NO_ROW, Width};
use std::array::from_fn;
use std::hint::black_box;

/// Fills in `access` except for the values of a store; the caller has set the mask. Inactive lanes
/// get the address of the lowest active lane. Returns the OR of the address bits above bit 31 over
/// the active lanes; 0 if there are none.
#[inline(always)]
pub(in crate::exec) fn describe(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    width: Width,
    is_store: bool,
    access: &mut Access,
) -> u32 {
    access.op = inst.op;
    access.dst = inst.dst_rows();
    access.bytes = width.bytes();
    (access.store, access.atomic) = (is_store, None);
    if inst.src[0] == NO_ROW {
        access.addr = [inst.imm; 32];
        access.strides = Strides::UNIFORM;
        return 0;
    }
    let mut beyond = 0;
    access.addr = if inst.aux & Inst::ADDR64 == 0 {
        let base = rows::w(kernel, warp, inst.src[0]);
        from_fn(|l| base[l].wrapping_add(inst.imm))
    } else {
        let base = rows::d(kernel, warp, inst.src[0]);
        let offset = i64::from(inst.imm as i32) as u64;
        let mut high: Row32 = from_fn(|l| (base[l].wrapping_add(offset) >> 32) as u32);
        fill(&mut high, access.mask);
        beyond = combined(&high);
        from_fn(|l| base[l].wrapping_add(offset) as u32)
    };
    fill(&mut access.addr, access.mask);
    // From here on the addresses are read from memory; otherwise the compiler would move 32 scalar
    // values between registers.
    let access = black_box(access);
    access.strides = Strides::of(&access.addr);
    beyond
}

/// The highest value.
#[inline(always)]
fn highest(row: &Row32) -> u32 {
    let mut high = 0;
    for value in row {
        high = high.max(*value);
    }
    high
}

/// Whether the bytes of every lane are allocated. Fast path: one allocation contains all of them;
/// otherwise each lane is checked.
#[inline(always)]
pub(in crate::exec) fn allocated(kernel: &Kernel, access: &Access) -> bool {
    let mut low = u32::MAX;
    for at in &access.addr {
        low = low.min(*at);
    }
    let span = u64::from(highest(&access.addr) - low) + u64::from(access.bytes);
    let table = &kernel.allocations;
    u32::try_from(span).is_ok_and(|span| table.covers(low, span))
        || access.addr.iter().all(|at| table.covers(*at, access.bytes))
}

/// Whether every lane's address is a multiple of the access size.
#[inline(always)]
pub(in crate::exec) fn aligned(access: &Access) -> bool {
    combined(&access.addr) & (access.bytes - 1) == 0
}

/// Checks an access to a memory of `size` bytes.
#[inline(always)]
pub(in crate::exec) fn check_bank(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    beyond: u32,
    size: usize,
    space: StateSpace,
    access: &Access,
) -> Checked {
    let inside = |at: u32| u64::from(at) + u64::from(access.bytes) <= size as u64;
    if access.mask == 0 || beyond == 0 && aligned(access) && inside(highest(&access.addr)) {
        return Ok(());
    }
    of_bank(kernel, warp, inst, size, space, access)
}

/// Returns the fault of an access to a memory of `size` bytes.
#[cold]
fn of_bank(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    size: usize,
    space: StateSpace,
    access: &Access,
) -> Checked {
    let fits = |at: u64| at.checked_add(u64::from(access.bytes)).is_some_and(|end| end <= size as u64);
    let hint = |_| match space {
        StateSpace::Param => format!("the kernel's parameters are {size} bytes"),
        StateSpace::Const => format!("constant memory is {size} bytes"),
        StateSpace::Local => format!("a thread of this kernel has {size} bytes of local memory"),
        _ => format!("the block has {size} bytes of shared memory"),
    };
    Err(Box::new(fault::of_access(kernel, warp, inst, space, access, fits, hint)))
}

/// Returns the fault of an access to global memory.
#[cold]
pub(super) fn of_global(kernel: &Kernel, warp: &Warp, inst: &Inst, access: &Access) -> Checked {
    let (table, bytes) = (&kernel.allocations, access.bytes);
    let covers = |at: u64| u32::try_from(at).is_ok_and(|at| table.covers(at, bytes));
    let hint = |at| table.hint(at, u64::from(bytes));
    Err(Box::new(fault::of_access(kernel, warp, inst, StateSpace::Global, access, covers, hint)))
}

//! Addresses of the lanes of an access, and the checks before the access.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::super::mask::{combined, fill, lanes};
use super::super::stride::Strides;
use super::super::{Access, Kernel, MemoryRule, Row32, Warp, fault, rows};
use crate::exec::trap::Checked;
use isa::terms::Terms;
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
    access.begin(inst, width, is_store);
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
    access.strides = Strides::of(black_box(&access.addr));
    beyond
}

/// The lowest address of all lanes, and the end of the highest access.
#[inline(always)]
pub(in crate::exec) fn span(access: &Access) -> (u32, u64) {
    let (addr, bytes) = (&access.addr, u64::from(access.bytes));
    if let [Some(first), Some(second)] = access.strides.0 {
        // Addresses that do not exceed 32 bits at the end ascend from the start.
        let last = |lane: usize, stride: u32| u64::from(addr[lane]) + 15 * u64::from(stride);
        let high = last(0, first).max(last(16, second));
        if u32::try_from(high).is_ok() {
            return (addr[0].min(addr[16]), high + bytes);
        }
    }
    let (mut low, mut high) = (u32::MAX, 0);
    for at in addr {
        (low, high) = (low.min(*at), high.max(*at));
    }
    (low, u64::from(high) + bytes)
}

/// Whether the bytes of every lane are allocated. Fast path: one allocation contains all of them;
/// otherwise each lane is checked.
#[inline(always)]
pub(in crate::exec) fn allocated(kernel: &Kernel, access: &Access) -> bool {
    let (low, end) = span(access);
    let table = &kernel.allocations;
    u32::try_from(end - u64::from(low)).is_ok_and(|bytes| table.covers(low, bytes))
        || access.addr.iter().all(|at| table.covers(*at, access.bytes))
}

/// Whether the addresses of the lanes `part`, of which some are outside of every allocation, are
/// permitted because an allocation is in the page of each ([`MemoryRule::Page`]). Then
/// [`Access::past`] has the lanes outside.
#[cold]
pub(in crate::exec) fn in_pages(kernel: &Kernel, access: &mut Access, part: u32) -> bool {
    if kernel.memory == MemoryRule::Strict {
        return false;
    }
    let (table, mut past) = (&kernel.allocations, 0);
    for lane in lanes(part) {
        let address = access.addr[lane];
        if !table.covers(address, access.bytes) {
            if !table.shares_page(address, kernel.mapped_from) {
                return false;
            }
            past |= 1 << lane;
        }
    }
    access.past = past;
    true
}

/// Whether every lane's address is a multiple of the access size.
#[inline(always)]
pub(in crate::exec) fn aligned(access: &Access) -> bool {
    let bits = match access.strides.0 {
        [Some(first), Some(second)] => access.addr[0] | first | access.addr[16] | second,
        [None, _] | [_, None] => combined(&access.addr),
    };
    bits & (access.bytes - 1) == 0
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
    if access.mask == 0 || beyond == 0 && aligned(access) && span(access).1 <= size as u64 {
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
    let terms = Terms::of(kernel.program.source.files());
    let hint = |_| match space {
        StateSpace::Param => format!("the kernel's parameters are {size} bytes"),
        StateSpace::Const => format!("constant memory is {size} bytes"),
        StateSpace::Local => format!("a {} of this kernel has {size} bytes of {}", terms.thread, terms.local),
        _ => format!("the {} has {size} bytes of {}", terms.block, terms.shared),
    };
    Err(Box::new(fault::of_access(kernel, warp, inst, space, access, fits, hint)))
}

/// Returns the fault of an access to global memory, unless the rule of the launch permits it.
/// `beyond` is the result of [`describe`].
#[cold]
pub(super) fn of_global(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    beyond: u32,
    access: &mut Access,
) -> Checked {
    if beyond == 0 && aligned(access) && in_pages(kernel, access, access.mask) {
        return Ok(());
    }
    let (table, bytes) = (&kernel.allocations, access.bytes);
    let covers = |at: u64| u32::try_from(at).is_ok_and(|at| table.covers(at, bytes));
    let hint = |at| table.hint(at, u64::from(bytes));
    Err(Box::new(fault::of_access(kernel, warp, inst, StateSpace::Global, access, covers, hint)))
}

//! Diagnosis of an instruction that must not execute. Called only after a check has failed.

use super::allocations::Allocation;
use super::mask::lanes;
use super::sources;
use super::{Access, Kernel, Warp, rows};
use crate::exec::trap::{Fault, FaultKind, OutsideCause};
use isa::types::StateSpace;
use isa::uop::{Inst, NO_ROW, Param};

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
    let (mut outside_lanes, mut misaligned) = (0u32, 0u32);
    for lane in lanes(access.mask) {
        let address = address(kernel, warp, inst, lane);
        if !inside(address) {
            outside_lanes |= 1 << lane;
        } else if address & u64::from(bytes - 1) != 0 {
            misaligned |= 1 << lane;
        }
    }
    let first = (outside_lanes | misaligned).trailing_zeros().min(31);
    let address = address(kernel, warp, inst, first as usize);
    if misaligned >> first & 1 == 1 {
        return Fault { kind: FaultKind::Misaligned { space, address, bytes, store }, lanes: misaligned };
    }
    let kind = outside(kernel, warp, inst, (space, address), (bytes, store), || hint(address));
    Fault { kind, lanes: outside_lanes }
}

/// Returns the fault of an access out of bounds; `hint` describes the location of the address.
#[cold]
pub(super) fn outside(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    (space, address): (StateSpace, u64),
    (bytes, store): (u32, bool),
    hint: impl FnOnce() -> String,
) -> FaultKind {
    let outside = |hint, cause| FaultKind::OutOfBounds { space, address, bytes, store, hint, cause };
    match space {
        StateSpace::Global => {
            let param = host_parameter(kernel, address);
            if param.is_some() || (LEAST_HOST_ADDRESS..HOST_ADDRESSES).contains(&address) {
                return FaultKind::HostPointer { address, bytes, store, param };
            }
            let pointers = Pointers::of(kernel, warp.simt.pc(), inst);
            let freed = |at: u64| kernel.allocations.find_freed(at);
            let of_pointer = || pointers.alive.is_none().then(|| freed(pointers.other?)).flatten();
            if let Some(range) = freed(address).or_else(of_pointer) {
                return outside(kernel.allocations.hint_freed(range, address), OutsideCause::Freed);
            }
            if let Some((name, range)) = pointers.alive {
                let hint = kernel.allocations.hint_of(&name, range, address, bytes.into());
                return outside(hint, OutsideCause::Index);
            }
            match pointers.null {
                Some(params) => outside(hint(), OutsideCause::Null { params }),
                None => outside(hint(), OutsideCause::Index),
            }
        }
        StateSpace::Shared => {
            let is_dynamic = kernel.program.shared.iter().any(|symbol| symbol.bytes == 0);
            let bytes = kernel.shared_bytes.saturating_sub(kernel.program.shared_bytes);
            let cause = if is_dynamic { OutsideCause::DynamicShared { bytes } } else { OutsideCause::Index };
            outside(hint(), cause)
        }
        _ => outside(hint(), OutsideCause::Index),
    }
}

/// The parameters from which the address of an access is computed, as far as they can be pointers.
#[derive(Debug, Default)]
struct Pointers<'a> {
    /// Name of a parameter that points into an allocation, and the allocation, if only one does.
    alive: Option<(String, &'a Allocation)>,
    /// Names of parameters that are null, if none points into an allocation.
    null: Option<String>,
    /// Value of a parameter of another kind, if it is the only one.
    other: Option<u64>,
}

impl<'a> Pointers<'a> {
    fn of(kernel: &'a Kernel, pc: u32, inst: &Inst) -> Self {
        let size = kernel.program.address_bits / 8;
        let value = |offset: u32| {
            let bytes = kernel.params.get(offset as usize..offset as usize + size as usize)?;
            Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
        };
        let holds = |param: &&Param, offset: u32| {
            param.offset <= offset && offset + size <= param.offset + param.bytes
        };
        let named = |offset: u32| {
            let mut params = (1..).zip(&kernel.program.params);
            let (number, param) = params.find(|(_, param)| holds(param, offset))?;
            // The PTX of clang has no names of its parameters.
            let name = if param.name.contains("_param_") {
                format!("parameter {number}")
            } else {
                format!("parameter `{}`", param.name)
            };
            Some((name, value(offset)?))
        };
        let all: Vec<(String, u64)> =
            sources::parameters(&kernel.program, pc, inst).into_iter().filter_map(named).collect();
        let range = |value: u64| u32::try_from(value).ok().and_then(|value| kernel.allocations.find(value));
        let mut alive = all.iter().filter_map(|(name, value)| Some((name.clone(), range(*value)?)));
        if let Some(first) = alive.next() {
            let alive = alive.next().is_none().then_some(first);
            return Self { alive, ..Self::default() };
        }
        let null: Vec<&str> = all.iter().filter(|(_, value)| *value == 0).map(|(name, _)| &**name).collect();
        let mut others = all.iter().filter(|(_, value)| *value != 0).map(|(_, value)| *value);
        let other = others.next().filter(|_| others.next().is_none());
        Self { alive: None, null: (!null.is_empty()).then(|| null.join(" or ")), other }
    }
}

/// Addresses of device memory.
const DEVICE_ADDRESSES: u64 = 1 << 32;
/// Without a parameter that holds it, an address from here on is taken for a pointer to host
/// memory. An index of 32 bits that wraps around leads to lower addresses.
const LEAST_HOST_ADDRESS: u64 = 1 << 40;
/// Addresses of programs on 64-bit hosts.
const HOST_ADDRESSES: u64 = 1 << 48;

/// Returns the name of the parameter that holds a pointer to host memory from which `address` can
/// have been computed.
fn host_parameter(kernel: &Kernel, address: u64) -> Option<String> {
    if address < DEVICE_ADDRESSES {
        return None;
    }
    let near = |word: &[u8; 8]| {
        let value = u64::from_le_bytes(*word);
        (DEVICE_ADDRESSES..HOST_ADDRESSES).contains(&value) && value.abs_diff(address) < DEVICE_ADDRESSES
    };
    let word = kernel.params.as_chunks::<8>().0.iter().position(near)?;
    let offset = 8 * word as u32;
    let holds = |param: &&Param| param.offset <= offset && offset < param.offset + param.bytes;
    kernel.program.params.iter().find(holds).map(|param| param.name.clone())
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

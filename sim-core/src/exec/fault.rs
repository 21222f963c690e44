//! Diagnosis of an instruction that must not execute. Called only after a check has failed.

use super::mask::lanes;
use super::{Access, Kernel, Warp, rows};
use crate::exec::trap::{Fault, FaultKind};
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
    let kind = match space {
        StateSpace::Global => outside_global(kernel, address, bytes, store, || hint(address)),
        _ => FaultKind::OutOfBounds { space, address, bytes, store, hint: hint(address) },
    };
    Fault { kind, lanes: outside }
}

/// Returns the fault of an access to global memory out of bounds; `hint` describes the location of
/// the address.
#[cold]
pub(super) fn outside_global(
    kernel: &Kernel,
    address: u64,
    bytes: u32,
    store: bool,
    hint: impl FnOnce() -> String,
) -> FaultKind {
    let param = host_parameter(kernel, address);
    if param.is_some() || (LEAST_HOST_ADDRESS..HOST_ADDRESSES).contains(&address) {
        return FaultKind::HostPointer { address, bytes, store, param };
    }
    FaultKind::OutOfBounds { space: StateSpace::Global, address, bytes, store, hint: hint() }
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

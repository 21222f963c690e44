//! The finding of an access that traps.

use crate::check::finding::{Bytes, Finding, Object, Thread};
use crate::check::kind::Kind;
use crate::check::memory::{distance, shown, size};
use crate::check::place::object_at;
use crate::exec::Kernel;
use crate::exec::trap::{FaultKind, Trap};
use isa::terms::Terms;
use isa::types::StateSpace;

/// Returns the finding of a trap; `None` if it is not the fault of an access. `from` is the object
/// that the address was computed from, with its state space.
pub fn finding(trap: &Trap, from: Option<(StateSpace, Object)>, kernel: &Kernel) -> Option<Finding> {
    let (kind, space, address, bytes, store) = match trap.fault.kind {
        FaultKind::OutOfBounds { space, address, bytes, store, .. } => {
            (Kind::OutOfBounds, space, address, bytes, store)
        }
        FaultKind::HostPointer { address, bytes, store, .. } => {
            (Kind::HostPointer, StateSpace::Global, address, bytes, store)
        }
        FaultKind::Misaligned { space, address, bytes, store } => {
            (Kind::Misaligned, space, address, bytes, store)
        }
        FaultKind::WrongSpace { space, address, .. } => (Kind::OutOfBounds, space, address, 0, true),
        FaultKind::DivergentBarrier { .. }
        | FaultKind::NoSuchBarrier { .. }
        | FaultKind::BarrierCount { .. }
        | FaultKind::OtherBarrierCount { .. }
        | FaultKind::MixedBarrier
        | FaultKind::BadCall { .. }
        | FaultKind::BadObject { .. }
        | FaultKind::CallStackFull { .. }
        | FaultKind::TrapInstruction
        | FaultKind::AssertionFailed
        | FaultKind::InvalidFree
        | FaultKind::Breakpoint => return None,
    };
    let terms = Terms::of(kernel.program.source.files());
    let is_outside = kind == Kind::OutOfBounds && space == StateSpace::Global;
    let old = kernel.allocations.find_freed(address).filter(|_| is_outside);
    let message = match old {
        Some(range) => {
            let name = range.name.as_ref().map_or_else(String::new, |name| format!(" `{name}`"));
            let what = if store { "write" } else { "read" };
            format!(
                "{what} of {} at {address:#x}, in the allocation{name} that the host has freed",
                size(bytes)
            )
        }
        None if kind == Kind::OutOfBounds && bytes > 0 => {
            let what = if store { "write" } else { "read" };
            format!(
                "{what} of {} at {} address {address:#x} is out of bounds",
                size(bytes),
                terms.space(space)
            )
        }
        None => trap.fault.kind.to_string(),
    };
    let mut hint = None;
    if let (FaultKind::OutOfBounds { hint: text, .. }, None) = (&trap.fault.kind, old) {
        hint = Some(text.clone());
    }
    let kind = if old.is_some() { Kind::UseAfterFree } else { kind };
    let does = if store { "writes" } else { "reads" };
    let mut finding =
        Finding::new(kernel, kind, trap.pc, message).thread(Thread::of_trap(trap, kernel, does));
    if kind != Kind::HostPointer {
        finding = finding.memory(Bytes { space, address, bytes, object: object_at(kernel, space, address) });
    }
    if let (Some((from_space, object)), Kind::OutOfBounds) = (&from, kind) {
        let place = distance(object, *from_space == space, address as u32, bytes);
        finding = finding
            .note(format!("the address was computed from {}: {place}", shown(object, *from_space, terms)));
    }
    let dynamic = from.as_ref().is_some_and(|(_, object)| {
        let mut variables = kernel.program.shared.iter().filter(|symbol| symbol.bytes == 0);
        space == StateSpace::Shared && variables.any(|symbol| u64::from(symbol.offset) == object.start)
    });
    // The nearest allocation can be the one that the address was computed from.
    let nearest = kernel.allocations.nearest(address).map(|range| u64::from(range.start));
    let known = space == StateSpace::Global
        && from.is_some_and(|(space, object)| space == StateSpace::Global && Some(object.start) == nearest);
    if let Some(hint) = hint.filter(|_| !known) {
        finding = finding.note(hint);
    }
    finding = finding.note("the access traps and ends the launch");
    finding.help = match old {
        Some(_) => Some("free the allocation after the last launch that uses it".to_owned()),
        None if dynamic && kind == Kind::OutOfBounds => Some(
            if terms.is_opencl() {
                "compare the index with the number of elements, and the bytes of local memory of the argument \
                 (clSetKernelArg, or --arg) with the size that the kernel needs"
            } else {
                "compare the index with the number of elements, and the dynamic shared memory of the launch \
                 (`dynamic_shared` in a launch file) with the size that the kernel needs"
            }
            .to_owned(),
        ),
        None => trap.fault.kind.help(),
    };
    finding.times = trap.fault.lanes.count_ones().max(1).into();
    Some(finding)
}

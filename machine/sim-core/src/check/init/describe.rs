//! Texts of the findings.

use super::names;
use super::origin::{Origin, OriginPlace};
use super::report::{Found, Use};
use crate::check::finding::{Bytes, Finding, Thread, line_of};
use crate::check::place::{object_at, symbols};
use crate::exec::Kernel;
use isa::terms::Terms;
use isa::types::StateSpace;

/// Returns the finding of uses of undefined values.
pub fn finding(kernel: &Kernel, found: &Found) -> Finding {
    let Found { pc, value, origin, block, warp, lane, target, times } = *found;
    let (line, first) = (line_of(kernel, pc), line_of(kernel, origin.pc));
    if origin.place == OriginPlace::Division {
        return division(kernel, found);
    }
    let name = place_name(kernel, &origin);
    let from = match (origin.place, line == first) {
        (OriginPlace::Register, true) => format!("{name}, which nothing wrote"),
        (OriginPlace::Register, false) => format!("a value computed from {name}, which nothing wrote"),
        (_, _) => {
            format!("a value from {name}, which nothing wrote")
        }
    };
    let (message, does) = match value {
        Use::Branch => (format!("the branch depends on {from}"), "branches"),
        Use::Guard => (format!("the guard depends on {from}"), "tests the guard"),
        Use::Address => (format!("the address is {}", address_of(&from, line == first)), "accesses"),
        Use::Output => {
            let to = element(kernel, StateSpace::Global, target.0, target.1);
            (format!("global memory at {to} gets {from}"), "writes")
        }
        Use::Barrier => (format!("the barrier depends on {from}"), "arrives"),
        Use::Vote => (format!("the vote depends on {from}"), "votes"),
    };
    let mut finding = Finding { times, ..Finding::new(kernel, origin.place.kind(), pc, message) };
    if line != first && first != 0 {
        finding = finding
            .thread(Thread::at(kernel, origin.pc, block, origin.warp, origin.lane, "reads"))
            .note(format!("line {} reads {name}", kernel.program.source.files().described(first)));
    }
    finding = finding.thread(Thread::at(kernel, pc, block, warp, lane, does)).help(help(kernel, &origin));
    match (space(origin.place), origin.address) {
        (Some(space), Some(address)) => {
            let object = object_at(kernel, space, address.into());
            finding.memory(Bytes { space, address: address.into(), bytes: origin.bytes, object })
        }
        _ => finding,
    }
}

/// Returns the finding of a division by zero, at its line, with the first use of its result.
fn division(kernel: &Kernel, found: &Found) -> Finding {
    let Found { pc, value, origin, block, warp, lane, target, times } = *found;
    let (does, what) = match value {
        Use::Branch => ("branches", "a branch depends on the result".to_owned()),
        Use::Guard => ("tests the guard", "a guard depends on the result".to_owned()),
        Use::Address => ("accesses", "an address is computed from the result".to_owned()),
        Use::Output => {
            let to = element(kernel, StateSpace::Global, target.0, target.1);
            ("writes", format!("global memory at {to} gets the result"))
        }
        Use::Barrier => ("arrives", "a barrier depends on the result".to_owned()),
        Use::Vote => ("votes", "a vote depends on the result".to_owned()),
    };
    let message = format!("division by zero: {what}");
    let mut finding = Finding { times, ..Finding::new(kernel, origin.place.kind(), origin.pc, message) };
    if line_of(kernel, pc) != line_of(kernel, origin.pc) {
        finding = finding.thread(Thread::at(kernel, pc, block, warp, lane, does));
    }
    finding
        .thread(Thread::at(kernel, origin.pc, block, origin.warp, origin.lane, "divides by 0"))
        .note("the result of a division by zero is undefined: this chip computes a number and continues")
        .help(help(kernel, &origin))
}

fn address_of(from: &str, direct: bool) -> String {
    if direct { format!("computed from {from}") } else { from.to_owned() }
}

/// State space of a place in memory.
const fn space(place: OriginPlace) -> Option<StateSpace> {
    match place {
        OriginPlace::Register | OriginPlace::Division => None,
        OriginPlace::Shared => Some(StateSpace::Shared),
        OriginPlace::Local => Some(StateSpace::Local),
        OriginPlace::Global => Some(StateSpace::Global),
    }
}

/// Name of a place that nothing wrote.
fn place_name(kernel: &Kernel, origin: &Origin) -> String {
    let Some(space) = space(origin.place) else {
        if is_carry(kernel, origin) {
            return "the carry flag".to_owned();
        }
        let name = origin.address.and_then(|slot| names::of(&kernel.program, origin.pc, slot));
        return name.map_or_else(|| "a register".to_owned(), |name| format!("register `{name}`"));
    };
    let memory = Terms::of(kernel.program.source.files()).memory(space);
    match origin.address {
        Some(address) => {
            format!("{memory} at {}", element(kernel, space, address, width(kernel, origin.pc)))
        }
        None => memory.into_owned(),
    }
}

fn is_carry(kernel: &Kernel, origin: &Origin) -> bool {
    origin.address.is_some_and(|slot| names::is_carry(&kernel.program, origin.pc, slot))
}

/// Bytes of one element that the instruction at `pc` accesses.
fn width(kernel: &Kernel, pc: u32) -> u32 {
    let memory = kernel.program.code[pc as usize].op.memory();
    memory.map_or(4, |memory| memory.width.bytes() / memory.width.rows() as u32)
}

/// Names the element that contains byte `address`: `tile[3]`. The elements of an allocation have
/// `bytes` bytes.
fn element(kernel: &Kernel, space: StateSpace, address: u32, bytes: u32) -> String {
    let object = object_at(kernel, space, address.into());
    let Some((name, object)) = object.and_then(|object| Some((object.name.clone()?, object))) else {
        return format!("address {address:#x}");
    };
    let mut symbols = symbols(kernel, space).iter();
    let symbol = symbols.find(|symbol| symbol.name == name && u64::from(symbol.offset) == object.start);
    let size = u64::from(symbol.map_or(bytes, |symbol| symbol.ty.bytes()).max(1));
    let offset = u64::from(address) - object.start;
    if object.bytes <= size { format!("`{name}`") } else { format!("`{name}[{}]`", offset / size) }
}

/// The remedy.
fn help(kernel: &Kernel, origin: &Origin) -> String {
    let terms = Terms::of(kernel.program.source.files());
    match origin.place {
        OriginPlace::Register if is_carry(kernel, origin) => {
            "set the carry flag with an instruction that has `.cc`, as `add.cc` of the low words".to_owned()
        }
        OriginPlace::Register => {
            let name = origin.address.and_then(|slot| names::of(&kernel.program, origin.pc, slot));
            let name = name.map_or_else(|| "the register".to_owned(), |name| format!("`{name}`"));
            format!("write a value to {name} on every path that leads to its use")
        }
        OriginPlace::Division => "divide only where the divisor is not 0".to_owned(),
        OriginPlace::Shared => {
            let text =
                "write the word before it is read, with a barrier between; {shared} has no initial value";
            terms.fill(text).into_owned()
        }
        OriginPlace::Local => {
            terms.fill("write the word before it is read; {local} has no initial value").into_owned()
        }
        OriginPlace::Global => {
            "write the memory before the launch: `init` of the buffer in a launch file, a copy \
                          or a memset in a host program"
                .to_owned()
        }
    }
}

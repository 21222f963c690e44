//! Accesses to another variable or allocation than the one that the address was computed from, and
//! the findings of accesses that trap.
//!
//! For each lane and each register that can hold an address, the checker follows the *object* of
//! the value: the variable or allocation whose address it was computed from. Objects come from
//! instructions that name a variable, and from arguments that the host passes as pointers. Moves,
//! conversions, sums with a number, and the addend of a multiply-add keep the object. The
//! difference of two addresses in one object is a number. Every other result of an address, and a
//! sum of two addresses, is *unknown*. Accesses through numbers and through unknown values are not
//! compared with an object, so the checker misses mistakes but reports none that is none.
//!
//! [`flow`] derives for each instruction how it passes objects on. Instructions whose operands and
//! results never hold an address cost nothing more.

mod fault;
mod flow;
mod tags;

use super::checker::{Checker, Met};
use super::finding::{Bytes, Finding, Findings, Object, Thread, line_of};
use super::kind::Kind;
use super::place::{object_at, variables};
use crate::exec::Kernel;
use crate::exec::mask::lanes;
use crate::gpu::functional::{Ending, Executed};
use flow::{Address, Flow, Plan};
use isa::terms::Terms;
use isa::types::StateSpace;
use tags::{Row, UNKNOWN, WarpTags};

/// A variable or an allocation, as the end of its range and its state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    space: StateSpace,
    start: u32,
    bytes: u32,
}

impl Range {
    /// Whether all bytes of an access are inside.
    fn holds(&self, address: u32, bytes: u32) -> bool {
        let offset = address.wrapping_sub(self.start);
        offset <= self.bytes && bytes <= self.bytes - offset
    }
}

/// Checks the addresses of one launch.
#[derive(Debug)]
pub struct Memcheck {
    plan: Plan,
    warps: Vec<WarpTags>,
    findings: Findings,
}

impl Memcheck {
    /// A checker of a launch of `kernel`. `pointers` has the arguments that are device pointers:
    /// offset in the parameter block, and address.
    pub fn new(kernel: &Kernel, pointers: &[(u32, u32)]) -> Self {
        let plan = Plan::new(kernel, pointers);
        let warps = (0..kernel.warps_per_block()).map(|_| WarpTags::new(plan.slots)).collect();
        Self { plan, warps, findings: Findings::default() }
    }

    /// Compares the addresses of an access with the objects that they were computed from.
    fn check(&mut self, executed: &Executed, address: Address) {
        let access = executed.access;
        let parts = executed.parts();
        let spaces = [
            (StateSpace::Shared, parts.shared),
            (StateSpace::Local, parts.local),
            (StateSpace::Global, parts.global),
            (StateSpace::Const, parts.constant),
        ];
        let tags = self.warps[executed.warp.index as usize].of(address);
        for (space, mask) in spaces {
            if mask == 0 || self.plan.all_inside(&tags, space, mask, &access.addr, access.bytes) {
                continue;
            }
            for lane in lanes(mask) {
                let Some(range) = self.plan.range(tags[lane]) else { continue };
                if range.space != space || !range.holds(access.addr[lane], access.bytes) {
                    self.add(executed, lane, space, range);
                }
            }
        }
    }

    /// Adds the finding of a lane whose access leaves `range`.
    #[cold]
    fn add(&mut self, executed: &Executed, lane: usize, space: StateSpace, range: Range) {
        let Executed { kernel, warp, pc, access, .. } = *executed;
        let line = line_of(kernel, pc);
        self.findings.add(Kind::Crossing, line, 1, || {
            let (address, bytes) = (access.addr[lane], access.bytes);
            let from = range.object(kernel);
            let object = object_at(kernel, space, address.into());
            let terms = Terms::of(kernel.program.source.files());
            let into = object.as_ref().map_or_else(
                || match space {
                    StateSpace::Global => "global memory that is not allocated".to_owned(),
                    _ => format!("the gap behind a variable of {} memory", terms.space(space)),
                },
                |object| shown(object, space, terms),
            );
            let does = if access.store { "writes" } else { "reads" };
            let what = if access.store { "write" } else { "read" };
            let from_text = shown(&from, range.space, terms);
            let message =
                format!("{what} of {} in {into}, but the address was computed from {from_text}", size(bytes));
            Finding::new(kernel, Kind::Crossing, pc, message)
                .thread(Thread::at(kernel, pc, warp.block, warp.index, lane as u32, does))
                .memory(Bytes { space, address: address.into(), bytes, object })
                .note(distance(&from, range.space == space, address, bytes))
                .help("compare the index with the number of elements before the access")
        });
    }
}

impl Checker for Memcheck {
    // Its registers hold no addresses.
    fn begin_block(&mut self, _: u64) {
        self.warps.iter_mut().for_each(WarpTags::clear);
    }

    #[expect(clippy::inline_always, reason = "it is called for each executed instruction")]
    #[inline(always)]
    fn executed(&mut self, executed: &Executed, _: Option<Met>) {
        let plan = self.plan.steps[executed.pc as usize];
        if plan.access.is_some() {
            self.check(executed, plan.access);
        }
        if plan.flow != Flow::Nothing {
            self.warps[executed.warp.index as usize].apply(plan.flow, executed);
        }
    }

    fn findings(&mut self, kernel: &Kernel, ending: &Ending) -> Vec<Finding> {
        if let Ending::Trapped(trap) = ending {
            let lane = trap.fault.lanes.trailing_zeros().min(31) as usize;
            let address = self.plan.steps[trap.pc as usize].access;
            let tags = self.warps.get(trap.warp as usize).map(|warp| warp.of(address));
            let range = tags.and_then(|tags: Row| self.plan.range(tags[lane]));
            let from = range.map(|range| (range.space, range.object(kernel)));
            if let Some(finding) = fault::finding(trap, from, kernel) {
                let times = finding.times;
                self.findings.add(finding.kind, finding.line, times, || finding);
            }
        }
        std::mem::take(&mut self.findings).into_vec()
    }
}

impl Range {
    /// Returns the variable or allocation.
    fn object(&self, kernel: &Kernel) -> Object {
        let (start, bytes) = (u64::from(self.start), u64::from(self.bytes));
        // A dynamic shared variable of a launch without dynamic shared memory contains no address.
        let empty =
            variables(kernel, self.space).find(|object| (object.start, object.bytes) == (start, bytes));
        let found = object_at(kernel, self.space, start).or(empty);
        found.unwrap_or(Object { name: None, start, bytes })
    }
}

/// Writes a number of bytes.
fn size(bytes: u32) -> String {
    format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" })
}

/// Names an object in a sentence.
fn shown(object: &Object, space: StateSpace, terms: &Terms) -> String {
    match &object.name {
        Some(name) => format!("`{name}`"),
        None => format!("the {} memory at {:#x}", terms.space(space), object.start),
    }
}

/// Returns where an access is relative to an object that does not contain it.
fn distance(object: &Object, same_space: bool, address: u32, bytes: u32) -> String {
    let (start, end, at) = (object.start, object.start + object.bytes, u64::from(address));
    let name = object.name.as_ref().map_or_else(|| "that allocation".to_owned(), |name| format!("`{name}`"));
    let size = format!("{name} has {} bytes at {start:#x} .. {end:#x}", object.bytes);
    if !same_space {
        format!("{size}, in another state space")
    } else if at < start {
        format!("{size}; the access begins {} bytes before its start", start - at)
    } else if at == end {
        format!("{size}; the access begins at its end")
    } else if at < end {
        format!("{size}; the access ends {} bytes past its end", at + u64::from(bytes) - end)
    } else {
        format!("{size}; the access begins {} bytes past its end", at - end)
    }
}

/// Whether a tag stands for an object.
fn is_object(tag: u8) -> bool {
    tag != 0 && tag != UNKNOWN
}

#[cfg(test)]
mod tests;

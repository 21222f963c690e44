//! Launches on the functional machine whose effects are recorded, or replaced by recorded ones.

use super::effects::{Effects, Identity};
use super::gpu::Gpu;
use super::launch::{Arg, Launch};
use super::start::Ready;
use crate::check::Written;
use crate::counters::{InstCounters, PcCounters};
use crate::exec::mask::lanes;
use crate::gpu::functional::{self, Ending, Executed, FunctionalEnd, Hooks, Tell};

impl Gpu {
    /// Sets what happens with the effects of later launches on the functional machine. Returns the
    /// effects so far.
    pub fn set_effects(&mut self, effects: Effects) -> Effects {
        std::mem::replace(&mut self.effects, effects)
    }

    /// Replaces a launch, if launches are replaced: it executes no instruction.
    pub(super) fn replaced(&mut self, ready: &Ready<'_>) -> Option<FunctionalEnd> {
        let Effects::Replace(replaced) = &mut self.effects else { return None };
        replaced.write(&identity(ready.launch), &mut self.memory);
        let pcs = vec![PcCounters::default(); ready.kernel.program.code.len()];
        Some(FunctionalEnd { ending: Ending::Finished, counts: InstCounters::default(), pcs })
    }

    /// Runs a launch on the functional machine and records it.
    pub(super) fn run_recorded(&mut self, ready: &Ready<'_>, tell: Option<Tell<'_>>) -> FunctionalEnd {
        // Copies share their pages until they are written.
        let before = self.memory.clone();
        let mut written = Written::default();
        let watch = |executed: Executed| follow(&mut written, &executed);
        let hooks = Hooks { tell, watch: Some(watch), speculation: None };
        let end = functional::run(&ready.kernel, &mut self.memory, ready.launch.options.max_cycles, hooks);
        if let Effects::Record(recorded) = &mut self.effects {
            let (launched, allocations) = (identity(ready.launch), &ready.kernel.allocations);
            recorded.add(launched, &end.ending, &written, allocations, [&before, &self.memory]);
        }
        end
    }
}

/// Adds the bytes of global memory that an instruction writes.
fn follow(written: &mut Written, executed: &Executed<'_>) {
    let access = executed.access;
    let global = executed.parts().global;
    if global != 0 && access.store {
        lanes(global).for_each(|lane| written.add(access.addr[lane], access.bytes.into()));
    }
}

fn identity(launch: &Launch) -> Identity {
    let pointer = |arg: &Arg| match arg {
        Arg::Ptr(pointer) => Some(pointer.address()),
        _ => None,
    };
    (launch.entry.clone(), launch.args.iter().filter_map(pointer).collect())
}

//! From the end of a run to the verdict of the report.

use super::report::{SchedulerReport, TrapReport, Verdict};
use super::stuck::StuckReport;
use crate::exec::Kernel;
use crate::exec::trap::{FaultKind, Trap};
use crate::gpu::functional::Ending;
use crate::gpu::machine::Machine;
use crate::gpu::run::Stop;
use crate::gpu::stop::StopReason;
use crate::gpu::stuck;
use crate::time::NEVER;

/// Returns how a launch on the functional machine ended after `executed` warp instructions.
pub(crate) fn functional_verdict(ending: &Ending, executed: u64, kernel: &Kernel) -> Verdict {
    match ending {
        Ending::Finished => Verdict::Finished,
        Ending::Trapped(trap) => {
            Verdict::Trapped { trap: TrapReport::new(trap, &kernel.program, vec![trap.warp]) }
        }
        Ending::Hung(stuck) => Verdict::Hung { cycle: executed, stuck: (**stuck).clone() },
        Ending::Limit(stuck) => Verdict::Limit { limit: executed, stuck: (**stuck).clone() },
        Ending::Stopped(reason, stuck) => by_monitor(Some(*reason), executed, (**stuck).clone()),
    }
}

/// Returns the verdict of a launch that a monitor stopped.
fn by_monitor(reason: Option<StopReason>, cycle: u64, stuck: StuckReport) -> Verdict {
    match reason {
        Some(StopReason::TimeLimit) => Verdict::TimeLimit { cycle, stuck },
        Some(StopReason::Interrupted) | None => Verdict::Interrupted { cycle, stuck: stuck.interrupted() },
    }
}

/// Returns how each kernel ended, with cycles from its arrival on. The machine stopped at shader
/// cycle `at`; `endless` has the proof that the remaining kernels never end, if there is one.
pub(crate) fn verdicts(
    machine: &Machine,
    (stop, at): (Stop, u64),
    stopped_by: Option<StopReason>,
    endless: Option<Vec<StuckReport>>,
) -> Vec<Verdict> {
    let stuck = match stop {
        Stop::Finished(_) | Stop::Trapped(_) => Vec::new(),
        Stop::Hung => stuck::explain(machine, NEVER, true),
        Stop::Limit(_) | Stop::Paused(_) => endless.unwrap_or_else(|| stuck::explain(machine, at, false)),
    };
    let mut stuck = stuck.into_iter();
    let mut stuck = || stuck.next().expect("each kernel that has not ended has one");
    let verdict = |k| {
        let since = |cycle: u64| cycle.saturating_sub(machine.dispatcher.arrival_of(k));
        match (machine.dispatcher.finished_of(k), stop) {
            (Some(_), _) | (None, Stop::Finished(_)) => Verdict::Finished,
            (None, Stop::Trapped(_)) => first_trap(machine),
            (None, Stop::Limit(limit)) => Verdict::Limit { limit: since(limit), stuck: stuck() },
            (None, Stop::Paused(_)) if stopped_by.is_some() => by_monitor(stopped_by, since(at), stuck()),
            (None, Stop::Hung | Stop::Paused(_)) => Verdict::Hung { cycle: since(at), stuck: stuck() },
        }
    };
    (0..machine.dispatcher.kernels()).map(verdict).collect()
}

/// Returns the number of the kernel with the first trap; `None` if the fault of a user-defined
/// scheduling policy has stopped the machine.
pub(crate) fn trapped_kernel(machine: &Machine) -> Option<usize> {
    let all = (0..machine.dispatcher.kernels())
        .flat_map(|k| machine.clusters_of(k).iter().flat_map(move |c| c.sms.iter().map(move |sm| (k, sm))));
    let traps = all.flat_map(|(k, sm)| sm.traps.iter().map(move |trap| (k, trap)));
    traps.min_by_key(|(k, t)| (t.cycle, t.sm, *k)).map(|(k, _)| k)
}

/// Returns the first trap by cycle, then SM, then block, then warp; or the fault of a user-defined
/// scheduling policy if it occurred in an earlier cycle.
fn first_trap(machine: &Machine) -> Verdict {
    let all =
        (0..machine.dispatcher.kernels()).flat_map(|k| machine.clusters_of(k).iter().map(move |c| (k, c)));
    let sms = || all.clone().flat_map(|(k, cluster)| cluster.sms.iter().map(move |sm| (k, sm)));
    let traps = || sms().flat_map(|(k, sm)| sm.traps.iter().map(move |trap| (k, trap)));
    // Schedulers of one SM issue in the same cycle, in an order that changes from cycle to cycle.
    let place = |(k, t): &(usize, &Trap)| (t.cycle, t.sm, *k, t.block.z, t.block.y, t.block.x, t.warp);
    let trap = traps().min_by_key(place);
    let fault = sms().filter_map(|(_, sm)| sm.scheduler_fault.as_ref()).min_by_key(|f| (f.cycle, f.sm));
    let (kernel, trap) = match (trap, fault) {
        (Some(trap), fault) if fault.is_none_or(|fault| trap.1.cycle <= fault.cycle) => trap,
        (_, fault) => {
            let fault = fault.expect("the machine stopped because of a trap or a scheduler's fault");
            return Verdict::Scheduler { fault: SchedulerReport::new(fault) };
        }
    };
    let same = |(k, t): &(usize, &Trap)| {
        *k == kernel && t.block == trap.block && matches!(t.fault.kind, FaultKind::DivergentBarrier { .. })
    };
    let mut warps: Vec<u32> = traps().filter(same).map(|(_, t)| t.warp).collect();
    warps.sort_unstable();
    let own = Trap { cycle: trap.cycle - machine.dispatcher.arrival_of(kernel), ..trap.clone() };
    Verdict::Trapped { trap: TrapReport::new(&own, &machine.kernel(kernel).program, warps) }
}

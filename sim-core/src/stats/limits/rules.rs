//! The rules that find the limit from the shares of the resources.

use super::used::Shares;
use super::{Limiter, SlotShares};

/// A part of the memory system that is busy for this share of the time is the limit. Row changes,
/// refreshes and uneven arrivals keep it from its peak.
const SATURATED: f64 = 0.8;
/// The same threshold for issue slots and execution units. Below it, latencies are not hidden, and
/// faster units would wait as well.
const ISSUE_BOUND: f64 = 0.7;
/// A dispatcher that is busy for this share of the time is the limit.
const DISPATCHING: f64 = 0.5;
/// A part of the memory system below this share is not the cause of waits.
const BUSY: f64 = 0.3;
/// Factor over the unloaded latency from which loads wait in queues.
const CONGESTED: f64 = 2.5;
/// Share of the banks' time from which conflicts matter.
const CONFLICTS: f64 = 0.05;
/// A unit alone is the limit, not the schedulers, if its share is this much larger than theirs.
const BEYOND_ISSUE: f64 = 0.05;
/// Ratio of the busiest partition to the mean from which there is partition camping.
const CAMPING: f64 = 1.5;
/// Share of the SMs' time without a block from which the distribution of the work is the limit.
const IDLE: f64 = 0.4;
/// Share of idle lanes from which divergence is the limit of an SM's instructions.
const DIVERGENT: f64 = 0.5;
/// Share of a load's latency from which address translation is its cause.
const TRANSLATING: f64 = 0.4;
/// Share of a load's latency that waits at a partition, from which its partition is the cause.
const QUEUEING: f64 = 0.3;
/// Factor of more warps from which too few are resident.
const FEW_WARPS: f64 = 2.0;

/// A part of the memory system.
struct Server {
    limiter: Limiter,
    share: f64,
}

/// Returns the limit that follows from the shares, and the number of the execution unit.
pub fn limiter(shares: &Shares, slots: &SlotShares, congestion: f64) -> (Limiter, Option<usize>) {
    let used = &shares.used;
    if used.dispatcher >= DISPATCHING {
        return (Limiter::BlockScheduling, None);
    }
    if used.idle_sms >= IDLE {
        return (if shares.is_tail { Limiter::Tail } else { Limiter::Imbalance }, None);
    }
    let memory = memory(shares);
    // Share of the time in which SMs have warps: without warps no part of them can be busy.
    let active = (1.0 - slots.no_warp).max(f64::MIN_POSITIVE);
    let (unit, unit_share) = busiest(&used.units);
    let compute = compute(shares, slots, unit_share);
    let busy = used.issue.max(unit_share).max(used.banks).max(used.constants) / active;
    let in_sm = |limiter| {
        let limiter = inside(shares, limiter);
        (limiter, (limiter == Limiter::ExecutionUnit).then_some(unit))
    };
    if busy >= ISSUE_BOUND.max(memory.share) {
        return in_sm(compute);
    }
    let (most, share) = largest_loss(shares, slots);
    let waiting = most == Limiter::MemoryLatency;
    let link = used.link.unwrap_or(0.0);
    if link > memory.share && (link >= SATURATED || waiting && congestion >= CONGESTED && link >= BUSY) {
        return (Limiter::Pcie, None);
    }
    if memory.share >= SATURATED {
        return (memory.limiter, None);
    }
    if share == 0.0 {
        return in_sm(compute);
    }
    if !waiting {
        return in_sm(most);
    }
    // Stores wait for no value: that they wait at all shows the queue.
    let congested = congestion >= CONGESTED || slots.lsu_full > slots.memory;
    if congested && memory.share >= BUSY {
        return (memory.limiter, None);
    }
    if used.tlb.is_some_and(|share| share >= TRANSLATING) {
        return (Limiter::Translation, None);
    }
    // Each partition has its turn: the numbers of the whole launch are even.
    if congestion >= CONGESTED && shares.can_camp && shares.queueing >= QUEUEING {
        return (Limiter::PartitionCamping, None);
    }
    in_sm(most)
}

/// Returns the busiest unit and its share.
fn busiest(units: &[(String, f64)]) -> (usize, f64) {
    let shares = units.iter().map(|unit| unit.1).enumerate();
    shares.fold((0, 0.0), |most, unit| if unit.1 > most.1 { unit } else { most })
}

/// Returns the busiest part of the memory system.
fn memory(shares: &Shares) -> Server {
    let (used, uneven) = (&shares.used, &shares.uneven);
    let parts = [
        (Limiter::MemoryPorts, used.transactions, 1.0),
        (Limiter::MemoryPorts, used.port, 1.0),
        (Limiter::MemoryPorts, used.cluster_replies, 1.0),
        (Limiter::MemoryPorts, used.arbiter, uneven.arbiter),
        (Limiter::MemoryPorts, used.reply_port, uneven.replies),
        (Limiter::L2Bandwidth, used.l2.unwrap_or(0.0), uneven.l2),
        (Limiter::DramRows, used.dram_rows, uneven.dram),
        (Limiter::DramBandwidth, used.dram, uneven.dram),
        (Limiter::Atomics, used.atomics, 1.0),
        (Limiter::Textures, used.texture.unwrap_or(0.0), 1.0),
    ];
    let most = parts.into_iter().fold(parts[0], |a, b| if b.1 > a.1 { b } else { a });
    let camps = shares.can_camp && most.2 >= CAMPING;
    Server { limiter: if camps { Limiter::PartitionCamping } else { most.0 }, share: most.1 }
}

/// Returns the part of the SM that is busiest with instructions.
fn compute(shares: &Shares, slots: &SlotShares, unit_share: f64) -> Limiter {
    let used = &shares.used;
    if shares.conflicts >= used.banks / 2.0 && used.banks >= used.issue.max(unit_share)
        || slots.bank_conflicts > slots.issued
    {
        return Limiter::BankConflicts;
    }
    if used.constants > used.issue.max(unit_share) || slots.constant > slots.issued {
        return Limiter::ConstantSerialization;
    }
    if unit_share > used.issue + BEYOND_ISSUE { Limiter::ExecutionUnit } else { Limiter::IssueRate }
}

/// Returns the limit of the SM's instructions: `limiter`, or the reason why there are so many
/// instructions or so few warps.
fn inside(shares: &Shares, limiter: Limiter) -> Limiter {
    match limiter {
        Limiter::IssueRate
        | Limiter::ExecutionUnit
        | Limiter::InstructionLatency
        | Limiter::InstructionFetch
            if shares.used.divergence >= DIVERGENT =>
        {
            Limiter::Divergence
        }
        Limiter::InstructionLatency | Limiter::MemoryLatency if shares.more_warps >= FEW_WARPS => {
            Limiter::ResidentWarps
        }
        other => other,
    }
}

/// Returns the cause for which most issue slots are lost, and its share.
fn largest_loss(shares: &Shares, slots: &SlotShares) -> (Limiter, f64) {
    // With bank conflicts, waits for shared memory are caused by them.
    let conflicts = slots.bank_conflicts >= CONFLICTS || shares.conflicts >= CONFLICTS;
    let (by_conflicts, by_latency) = if conflicts { (slots.shared, 0.0) } else { (0.0, slots.shared) };
    let lost = [
        (Limiter::BankConflicts, slots.bank_conflicts + by_conflicts),
        (Limiter::ConstantSerialization, slots.constant),
        (Limiter::MemoryLatency, slots.memory + slots.lsu_full),
        (Limiter::InstructionLatency, slots.latency + by_latency),
        (Limiter::InstructionFetch, slots.fetch),
        // The rest of the time at a barrier, another warp of the block waits for something else.
        (Limiter::Barriers, slots.barriers.min(shares.barriers)),
    ];
    lost.into_iter().fold(lost[0], |a, b| if b.1 > a.1 { b } else { a })
}

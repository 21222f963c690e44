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
/// A part of the memory system below this share is not the cause of waits ...
const BUSY: f64 = 0.3;
/// ... and from this share on it is the cause of long ones.
const HALF: f64 = 0.5;
/// Weight of the time for row changes: bursts and refreshes between them are not counted.
const ROWS: f64 = 1.2;
/// Weight of the time in which instructions issue. Waits overlap with it, so faster schedulers gain
/// less than shorter waits.
const ISSUING: f64 = 0.5;
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
const DIVERGENT: f64 = 0.35;
/// Share of the warps' time that they wait for lines of constants, from which the constant caches
/// are the cause of the latency of instructions.
const MISSING: f64 = 0.3;
/// Share of a load's latency from which address translation is its cause.
const TRANSLATING: f64 = 0.25;
/// Share of the time with a full reply buffer from which the buffer limits the loads in flight.
const FULL: f64 = 0.5;
/// Share of texture fetches in all loads from which they are what warps wait for.
const MOSTLY: f64 = 0.5;
/// Factor of more warps from which too few are resident.
const FEW_WARPS: f64 = 2.0;

/// Share of the time for the start-up from which a launch has too little work.
const STARTING: f64 = 0.5;
/// Share of atomics in the transactions from which they are the cause of full queues.
const MOSTLY_ATOMICS: f64 = 0.5;

/// A part of the memory system.
struct Server {
    limiter: Limiter,
    share: f64,
}

/// Returns the limit that follows from the shares, and the number of the execution unit.
pub fn limiter(shares: &Shares, slots: &SlotShares) -> (Limiter, Option<usize>) {
    let used = &shares.used;
    let (unit, unit_share) = busiest(&used.units);
    let of_unit = |limiter| (limiter, (limiter == Limiter::ExecutionUnit).then_some(unit));
    // Share of the time in which SMs have warps: without warps no part of them can be busy.
    let active = (1.0 - slots.no_warp).max(f64::MIN_POSITIVE);
    if shares.startup >= STARTING {
        return of_unit(Limiter::TooLittleWork);
    }
    if used.dispatcher >= DISPATCHING {
        return of_unit(Limiter::BlockScheduling);
    }
    // SMs without a block may be those whose atomics are not served.
    let atomics = shares.atomic_transactions >= MOSTLY_ATOMICS;
    if used.atomics >= SATURATED || atomics && used.atomics >= HALF && used.idle_sms >= IDLE {
        return of_unit(Limiter::Atomics);
    }
    if used.idle_sms >= IDLE {
        return of_unit(if shares.is_tail { Limiter::Tail } else { Limiter::Imbalance });
    }
    let memory = memory(shares, active);
    let compute = compute(shares, slots, unit_share);
    let constants = if shares.reads_constants { used.constants } else { 0.0 };
    let busy = used.issue.max(unit_share).max(used.banks).max(constants) / active;
    if busy >= ISSUE_BOUND.max(memory.share) {
        return of_unit(inside(shares, compute));
    }
    let (most, lost) = largest_loss(shares, slots);
    let memory_lost = slots.memory + slots.lsu_full;
    let memory_first = memory.share >= busy.max(HALF);
    let waiting = most == Limiter::MemoryLatency || memory_first && memory_lost >= lost / 2.0;
    // Without loads, a full queue or a busy part shows that the memory system is slower than the
    // SMs.
    let congested = match shares.congestion {
        0.0 => slots.lsu_full > slots.memory || memory.share >= HALF,
        congestion => congestion >= CONGESTED,
    };
    let link = used.link.unwrap_or(0.0);
    let limiter = if link > memory.share && (link >= SATURATED || waiting && congested && link >= BUSY) {
        Limiter::Pcie
    } else if memory.share >= SATURATED {
        memory.limiter
    } else if !memory_first && ISSUING * slots.issued * shares.contention >= lost {
        inside(shares, compute)
    } else if waiting {
        waits(shares, &memory, congested)
    } else {
        inside(shares, most)
    };
    of_unit(limiter)
}

/// Returns the limit of warps that wait for memory of which no part is saturated.
fn waits(shares: &Shares, memory: &Server, congested: bool) -> Limiter {
    let used = &shares.used;
    if used.tlb.is_some_and(|share| share >= TRANSLATING.max(memory.share)) {
        return Limiter::Translation;
    }
    if (congested || memory.limiter == Limiter::Atomics) && memory.share >= HALF {
        return memory.limiter;
    }
    if used.reply_buffer >= FULL {
        return Limiter::MemoryPorts;
    }
    // Loads wait long, and no part is busy for long: each partition has its turn.
    if congested && shares.can_camp {
        return Limiter::PartitionCamping;
    }
    if congested && memory.share >= BUSY {
        return memory.limiter;
    }
    if shares.atomic_transactions >= MOSTLY_ATOMICS {
        return Limiter::Atomics;
    }
    if shares.fetches >= MOSTLY {
        return Limiter::Textures;
    }
    inside(shares, Limiter::MemoryLatency)
}

/// Returns the busiest unit and its share.
fn busiest(units: &[(String, f64)]) -> (usize, f64) {
    let shares = units.iter().map(|unit| unit.1).enumerate();
    shares.fold((0, 0.0), |most, unit| if unit.1 > most.1 { unit } else { most })
}

/// Returns the busiest part of the memory system. SMs have warps for the share `active` of the
/// time.
fn memory(shares: &Shares, active: f64) -> Server {
    let (used, uneven) = (&shares.used, &shares.uneven);
    let parts = [
        (Limiter::MemoryPorts, used.transactions / active, 1.0),
        (Limiter::MemoryPorts, used.port, 1.0),
        (Limiter::MemoryPorts, used.cluster_replies, 1.0),
        (Limiter::MemoryPorts, used.arbiter, uneven.arbiter),
        (Limiter::MemoryPorts, used.reply_port, uneven.replies),
        (Limiter::L2Bandwidth, used.l2.unwrap_or(0.0), uneven.l2),
        (Limiter::DramRows, (ROWS * used.dram_rows).min(1.0), uneven.dram),
        (Limiter::DramBandwidth, used.dram, uneven.dram),
        (Limiter::Atomics, used.atomics, 1.0),
        (Limiter::Textures, used.texture.unwrap_or(0.0), 1.0),
    ];
    let most = parts.into_iter().fold(parts[0], |a, b| if b.1 > a.1 { b } else { a });
    let camps = shares.can_camp && most.2 >= CAMPING;
    Server { limiter: if camps { Limiter::PartitionCamping } else { most.0 }, share: most.1 }
}

/// Returns the part of the SM that is busiest with instructions. Replays belong to the banks and to
/// constant memory, which cause them.
fn compute(shares: &Shares, slots: &SlotShares, unit_share: f64) -> Limiter {
    let used = &shares.used;
    let (conflicts, rounds) = shares.conflicts;
    let instructions = slots.issued.max(unit_share);
    if conflicts + rounds >= used.banks / 2.0 && used.banks >= instructions
        || slots.bank_conflicts > slots.issued
    {
        return by_conflicts(shares);
    }
    if shares.reads_constants && (used.constants > instructions || slots.constant > slots.issued) {
        return Limiter::ConstantSerialization;
    }
    if unit_share > used.issue + BEYOND_ISSUE { Limiter::ExecutionUnit } else { Limiter::IssueRate }
}

/// Returns the cause of further passes over the banks.
fn by_conflicts(shares: &Shares) -> Limiter {
    let (conflicts, rounds) = shares.conflicts;
    if rounds > conflicts { Limiter::Atomics } else { Limiter::BankConflicts }
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
        Limiter::InstructionLatency if shares.reads_constants && shares.constant_lines >= MISSING => {
            Limiter::ConstantSerialization
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
    let conflicts = slots.bank_conflicts.max(shares.conflicts.0 + shares.conflicts.1) >= CONFLICTS;
    let (waits, by_latency) = if conflicts { (slots.shared, 0.0) } else { (0.0, slots.shared) };
    let lost = [
        (by_conflicts(shares), slots.bank_conflicts + waits),
        (Limiter::ConstantSerialization, if shares.reads_constants { slots.constant } else { 0.0 }),
        (Limiter::MemoryLatency, slots.memory + slots.lsu_full),
        (Limiter::InstructionLatency, slots.latency + by_latency),
        (Limiter::InstructionFetch, slots.fetch),
        // The rest of the time at a barrier, another warp of the block waits for something else.
        (Limiter::Barriers, slots.barriers.min(shares.barriers)),
    ];
    lost.into_iter().fold(lost[0], |a, b| if b.1 > a.1 { b } else { a })
}

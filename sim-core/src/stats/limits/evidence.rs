//! The numbers that show a limit, as a sentence.

use super::{LimitReport, Limiter, Used};

/// A unit is almost as busy as another from this ratio of their shares on.
const ALMOST: f64 = 0.9;

/// A share as a whole percentage.
fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Returns the units that are almost as busy as the unit `name` with its `share`, as a part of a
/// sentence: a faster unit gains little then.
fn others(used: &Used, name: &str, share: f64) -> String {
    let mut text = String::new();
    for (other, share) in used.units.iter().filter(|unit| unit.0 != name && unit.1 >= ALMOST * share) {
        text.extend([", the ", other, " unit in ", &percent(*share)]);
    }
    text
}

/// Numbers of a sentence that no share has.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Share of its peak that the DRAM moves.
    pub dram: f64,
    /// Share of the look-ups in the constant caches that missed.
    pub constant_misses: f64,
    /// Share of the look-ups in the instruction caches that missed.
    pub code_misses: f64,
    /// Resident warps of an SM by the limits of the launch, and its warp slots.
    pub warps: (u32, u32),
}

/// Share of the time of a partition from which atomics on one word are the cause.
const HALF: f64 = 0.5;
/// Share of the look-ups from which misses of a cache are the cause.
const MISSES: f64 = 0.05;
/// Share of the DRAM from which the number of loads that would keep it busy has a meaning.
const REACHES_DRAM: f64 = 0.1;

/// Returns the largest of `parts` as a sentence.
fn busiest(parts: &[(&str, f64)]) -> String {
    let (part, share) = parts.iter().fold(("", 0.0), |most, part| if part.1 > most.1 { *part } else { most });
    format!("the {part} is busy in {} of all cycles", percent(share))
}

/// Returns the sentence for `report`, without reading its `evidence`.
#[expect(clippy::too_many_lines, reason = "one sentence for each limit")]
pub fn sentence(report: &LimitReport, facts: Facts) -> String {
    let (used, slots) = (&report.used, &report.slots);
    let dram = || format!("the DRAM moves {} of its peak", percent(facts.dram));
    let lost = |share: f64, how: &str| format!("{} of the issue slots are lost {how}", percent(share));
    match report.limited_by {
        Limiter::IssueRate => {
            let (name, share) = used
                .units
                .iter()
                .fold(("", 0.0), |most, unit| if unit.1 > most.1 { (unit.0.as_str(), unit.1) } else { most });
            format!(
                "{} of the issue slots are used, and the {name} unit is busy in {} of all cycles",
                percent(used.issue),
                percent(share)
            )
        }
        Limiter::ExecutionUnit => {
            let name = report.unit.as_deref().unwrap_or("execution");
            let share = used.units.iter().find(|unit| unit.0 == name).map_or(0.0, |unit| unit.1);
            let also = others(used, name, share);
            format!(
                "the {name} unit is busy in {} of all cycles{also}; {} of the issue slots are used",
                percent(share),
                percent(used.issue)
            )
        }
        Limiter::BankConflicts => format!(
            "{} of the issue slots replay shared accesses with bank conflicts, {} are lost waiting for shared memory; its banks are busy in {} of all cycles",
            percent(slots.bank_conflicts),
            percent(slots.shared),
            percent(used.banks)
        ),
        Limiter::ConstantSerialization if facts.constant_misses >= MISSES => format!(
            "{}; {} of the look-ups miss in the constant cache of the SM",
            lost(slots.constant, "to constants"),
            percent(facts.constant_misses)
        ),
        Limiter::ConstantSerialization => {
            lost(slots.constant, "to constants: replays for lanes with different addresses, and waits")
        }
        Limiter::InstructionLatency => {
            lost(slots.latency + slots.shared, "while all warps wait for results of earlier instructions")
        }
        Limiter::MemoryLatency => {
            let needed = if report.loads_needed > report.loads_in_flight && used.dram >= REACHES_DRAM {
                format!(
                    "; {:.1} loads per SM are in flight, {:.0} would keep the DRAM busy",
                    report.loads_in_flight, report.loads_needed
                )
            } else {
                String::new()
            };
            format!("{}, but {}{needed}", lost(slots.memory + slots.lsu_full, "waiting for memory"), dram())
        }
        Limiter::MemoryPorts if used.reply_buffer >= 0.5 && used.reply_port.max(used.arbiter) < 0.8 => {
            format!(
                "the reply buffer of the fullest cluster has no free entry in {} of all cycles; {}",
                percent(used.reply_buffer),
                dram()
            )
        }
        Limiter::MemoryPorts => {
            let parts = [
                ("reply port of the busiest partition", used.reply_port),
                ("input of the busiest partition", used.arbiter),
                ("port of the busiest cluster", used.port),
                ("reply port of the busiest cluster", used.cluster_replies),
                ("load/store unit", used.transactions),
            ];
            format!("{}; {}", busiest(&parts), dram())
        }
        Limiter::L2Bandwidth => {
            format!("{}; {}", busiest(&[("L2 of the busiest partition", used.l2.unwrap_or(0.0))]), dram())
        }
        Limiter::DramBandwidth if report.congestion > 0.0 => {
            format!("{}, and loads take {:.1} times their unloaded latency", dram(), report.congestion)
        }
        Limiter::DramBandwidth => dram(),
        Limiter::DramRows => format!(
            "rows of the busiest bank or channel are opened and closed in {} of the time, and {}",
            percent(used.dram_rows),
            dram()
        ),
        Limiter::PartitionCamping if used.dram_imbalance >= 1.5 => format!(
            "the busiest partition moves {:.1} times as many bytes as the mean; its DRAM is busy in {} of the time",
            used.dram_imbalance,
            percent(used.dram)
        ),
        Limiter::PartitionCamping => format!(
            "loads take {:.1} times their unloaded latency in the queues of partitions, but {}: few partitions have work at the same time",
            report.congestion,
            dram()
        ),
        Limiter::Atomics if used.atomics < HALF && slots.lsu_full > slots.bank_conflicts + slots.shared => {
            lost(slots.lsu_full, "because atomics fill the load/store queue")
        }
        Limiter::Atomics if used.atomics < slots.bank_conflicts + slots.shared => {
            lost(slots.bank_conflicts + slots.shared, "to atomics on shared memory, one lane after the other")
        }
        Limiter::Atomics => format!(
            "operations on one word, one after the other, take {} of the time of the busiest partition",
            percent(used.atomics)
        ),
        Limiter::Translation => format!(
            "{} of the latency of a load is the translation of its address",
            percent(used.tlb.unwrap_or(0.0))
        ),
        Limiter::Textures => busiest(&[("texture unit of the busiest cluster", used.texture.unwrap_or(0.0))]),
        Limiter::Barriers => lost(slots.barriers, "while all warps wait at barriers"),
        Limiter::ResidentWarps => format!(
            "{} of the issue slots are lost waiting, and {} of {} warps can be resident on an SM",
            percent(slots.memory + slots.lsu_full + slots.latency + slots.shared),
            facts.warps.0,
            facts.warps.1
        ),
        Limiter::TooLittleWork => format!(
            "the start-up of the launch takes {} of its time: the way of the first block to its SM, its first instructions and parameters",
            percent(report.startup)
        ),
        Limiter::BlockScheduling => format!(
            "the launch and the distribution of its blocks take {} of the time",
            percent(used.dispatcher)
        ),
        Limiter::Imbalance => format!(
            "SMs have no block in {} of the time of the busiest SM: some blocks take much longer than others",
            percent(used.idle_sms)
        ),
        Limiter::Tail => format!(
            "SMs have no block in {} of the time of the busiest SM: the number of blocks is no multiple of the blocks that run at the same time",
            percent(used.idle_sms)
        ),
        Limiter::Divergence => format!(
            "divergence leaves {} of the lanes idle; {} of the issue slots are used",
            percent(used.divergence),
            percent(used.issue)
        ),
        Limiter::InstructionFetch if facts.code_misses >= MISSES => format!(
            "{}; {} of the look-ups miss in the instruction cache",
            lost(slots.fetch, "waiting for instructions"),
            percent(facts.code_misses)
        ),
        Limiter::InstructionFetch => lost(slots.fetch, "waiting for instructions after branches"),
        Limiter::Pcie => match used.link {
            Some(link) => format!("accesses to mapped host memory use {} of its bandwidth", percent(link)),
            None => "copies between host and device take most of the time".to_owned(),
        },
    }
}

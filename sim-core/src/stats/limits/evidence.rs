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

/// Returns the sentence for `report`, without reading its `evidence`; the DRAM moves
/// `dram_utilization` of its peak.
pub fn sentence(report: &LimitReport, dram_utilization: f64) -> String {
    let (used, slots) = (&report.used, &report.slots);
    let dram = || format!("the DRAM moves {} of its peak", percent(dram_utilization));
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
        Limiter::BankConflicts => {
            format!(
                "{} of the issue slots replay shared accesses with bank conflicts, {} are lost waiting for shared memory",
                percent(slots.bank_conflicts),
                percent(slots.shared)
            )
        }
        Limiter::ConstantSerialization => format!(
            "{} of the issue slots are lost to constants: replays for lanes with different addresses, and waits",
            percent(slots.constant)
        ),
        Limiter::InstructionLatency => format!(
            "{} of the issue slots are lost while all warps wait for results of earlier instructions",
            percent(slots.latency + slots.shared)
        ),
        Limiter::MemoryLatency => {
            let needed = if report.loads_needed > report.loads_in_flight {
                format!(
                    "; {:.1} loads per SM are in flight, {:.0} would keep the DRAM busy",
                    report.loads_in_flight, report.loads_needed
                )
            } else {
                String::new()
            };
            format!(
                "{} of the issue slots are lost waiting for memory, but {}{needed}",
                percent(slots.memory + slots.lsu_full),
                dram()
            )
        }
        Limiter::MemoryPorts => {
            let (part, share) = [
                ("reply port of the busiest partition", used.reply_port),
                ("input of the busiest partition", used.arbiter),
                ("load/store unit", used.transactions),
            ]
            .into_iter()
            .fold(("", 0.0), |most, part| if part.1 > most.1 { part } else { most });
            format!("the {part} is busy in {} of all cycles; {}", percent(share), dram())
        }
        Limiter::DramBandwidth => {
            format!("{}, and loads take {:.1} times their unloaded latency", dram(), report.congestion)
        }
        Limiter::PartitionCamping => format!(
            "the busiest partition moves {:.1} times as many bytes as the mean; its DRAM is busy in {} of the time",
            used.dram_imbalance,
            percent(used.dram)
        ),
        Limiter::Atomics => {
            format!(
                "the busiest partition's atomics take {} of the time if they are on one word",
                percent(used.atomics)
            )
        }
        Limiter::Barriers => {
            format!(
                "{} of the issue slots are lost while all warps wait at barriers",
                percent(slots.barriers)
            )
        }
        Limiter::ResidentWarps => "too few warps are resident".to_owned(),
        Limiter::BlockScheduling => format!(
            "the launch and the distribution of its blocks take {} of the time",
            percent(used.dispatcher)
        ),
        Limiter::InstructionFetch => {
            format!(
                "{} of the issue slots are lost waiting for instructions after branches",
                percent(slots.fetch)
            )
        }
        Limiter::Pcie => match used.link {
            Some(link) => format!("accesses to mapped host memory use {} of its bandwidth", percent(link)),
            None => "copies between host and device take most of the time".to_owned(),
        },
    }
}

//! The numbers that show a limit, as parts of sentences, and the sentences that have cases.

use super::{LimitReport, Used};
use isa::terms::Terms;

/// A unit is almost as busy as another from this ratio of their shares on.
const ALMOST: f64 = 0.9;

/// A share as a whole percentage.
pub(super) fn percent(share: f64) -> String {
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
    /// Words of the kernel's language.
    pub terms: &'static Terms,
}

/// Share of the time of a partition from which atomics on one word are the cause.
const HALF: f64 = 0.5;
/// Share of the look-ups from which misses of a cache are the cause.
const MISSES: f64 = 0.05;
/// Share of the DRAM from which the number of loads that would keep it busy has a meaning.
const REACHES_DRAM: f64 = 0.1;

/// Returns the largest of `parts` as a sentence.
pub(super) fn busiest(parts: &[(&str, f64)]) -> String {
    let (part, share) = parts.iter().fold(("", 0.0), |most, part| if part.1 > most.1 { *part } else { most });
    format!("the {part} is busy in {} of all cycles", percent(share))
}

/// Describes the use of the DRAM.
pub(super) fn dram(facts: &Facts) -> String {
    format!("the DRAM moves {} of its peak", percent(facts.dram))
}

/// A share of the issue slots that is lost.
pub(super) fn lost(share: f64, how: &str) -> String {
    format!("{} of the issue slots are lost {how}", percent(share))
}

pub(super) fn issue_rate(report: &LimitReport, _: &Facts) -> String {
    let units = report.used.units.iter().map(|(name, share)| (name.as_str(), *share));
    let (name, share) = units.fold(("", 0.0), |most, unit| if unit.1 > most.1 { unit } else { most });
    format!(
        "{} of the issue slots are used, and the {name} unit is busy in {} of all cycles",
        percent(report.used.issue),
        percent(share)
    )
}

pub(super) fn execution_unit(report: &LimitReport, _: &Facts) -> String {
    let used = &report.used;
    let name = report.unit.as_deref().unwrap_or("execution");
    let share = used.units.iter().find(|unit| unit.0 == name).map_or(0.0, |unit| unit.1);
    let also = others(used, name, share);
    format!(
        "the {name} unit is busy in {} of all cycles{also}; {} of the issue slots are used",
        percent(share),
        percent(used.issue)
    )
}

pub(super) fn constants(report: &LimitReport, facts: &Facts) -> String {
    let share = report.slots.constant;
    if facts.constant_misses < MISSES {
        return lost(share, "to constants: replays for lanes with different addresses, and waits");
    }
    let misses = percent(facts.constant_misses);
    format!(
        "{}; {misses} of the look-ups miss in the constant cache of the {}",
        lost(share, "to constants"),
        facts.terms.sm
    )
}

pub(super) fn memory_latency(report: &LimitReport, facts: &Facts) -> String {
    let (flight, needed) = (report.loads_in_flight, report.loads_needed);
    let needed = if needed > flight && report.used.dram >= REACHES_DRAM {
        format!(
            "; {flight:.1} loads per {} are in flight, {needed:.0} would keep the DRAM busy",
            facts.terms.sm
        )
    } else {
        String::new()
    };
    let waiting = lost(report.slots.memory + report.slots.lsu_full, "waiting for memory");
    format!("{waiting}, but {}{needed}", dram(facts))
}

pub(super) fn ports(report: &LimitReport, facts: &Facts) -> String {
    let used = &report.used;
    if used.reply_buffer >= 0.5 && used.reply_port.max(used.arbiter) < 0.8 {
        return format!(
            "the reply buffer of the fullest cluster has no free entry in {} of all cycles; {}",
            percent(used.reply_buffer),
            dram(facts)
        );
    }
    let parts = [
        ("reply port of the busiest partition", used.reply_port),
        ("input of the busiest partition", used.arbiter),
        ("port of the busiest cluster", used.port),
        ("reply port of the busiest cluster", used.cluster_replies),
        ("load/store unit", used.transactions),
    ];
    format!("{}; {}", busiest(&parts), dram(facts))
}

pub(super) fn camping(report: &LimitReport, facts: &Facts) -> String {
    let imbalance = report.used.dram_imbalance;
    if imbalance >= 1.5 {
        return format!(
            "the busiest partition moves {imbalance:.1} times as many bytes as the mean; its DRAM is busy in {} of the time",
            percent(report.used.dram)
        );
    }
    format!(
        "loads take {:.1} times their unloaded latency in the queues of partitions, but {}: few partitions have work at the same time",
        report.congestion,
        dram(facts)
    )
}

pub(super) fn atomics(report: &LimitReport, facts: &Facts) -> String {
    let (share, slots) = (report.used.atomics, &report.slots);
    let on_shared = slots.bank_conflicts + slots.shared;
    if share < HALF && slots.lsu_full > on_shared {
        return lost(slots.lsu_full, "because atomics fill the load/store queue");
    }
    if share < on_shared {
        return lost(on_shared, &facts.terms.fill("to atomics on {shared}, one lane after the other"));
    }
    let share = percent(share);
    format!("operations on one word, one after the other, take {share} of the time of the busiest partition")
}

pub(super) fn fetch(report: &LimitReport, facts: &Facts) -> String {
    let share = report.slots.fetch;
    if facts.code_misses < MISSES {
        return lost(share, "waiting for instructions after branches");
    }
    let misses = percent(facts.code_misses);
    format!(
        "{}; {misses} of the look-ups miss in the instruction cache",
        lost(share, "waiting for instructions")
    )
}

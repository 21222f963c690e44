//! Tables: occupancy over block sizes, registers or shared memory, and the nearest values that change it.

use super::answer::words;
use super::subject::Subject;
use crate::args::occupancy::{Over, Sweep};
use isa::types::Dim3;
use serde::Serialize;
use sim_core::config::WARP_SIZE;
use sim_core::host::fit::Request;
use sim_core::occupancy::{Limiter, Rules};

/// What comes of one value, or of a range of values that makes no difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What varies: `block`, `regs` or `shared`.
    pub over: &'static str,
    /// The first value.
    pub from: u32,
    /// The last value with the same result.
    pub to: u32,
    /// Blocks that an SM holds; 0 if the launch is refused.
    pub blocks: u32,
    /// Their warps.
    pub warps: u32,
    /// Warps as a fraction of the warp slots.
    pub occupancy: f64,
    /// What allows no more.
    pub limiters: Vec<Limiter>,
    /// Why it cannot be launched.
    pub refusal: Option<String>,
}

impl Row {
    /// Whether both say the same of their values.
    fn same(&self, other: &Self) -> bool {
        let refused = |row: &Self| row.refusal.is_some();
        (self.blocks, &self.limiters, refused(self)) == (other.blocks, &other.limiters, refused(other))
    }
}

fn with<'a>(request: &Request<'a>, over: Over, value: u32) -> Request<'a> {
    match over {
        Over::Block => Request { block: Dim3::new(value, 1, 1), ..*request },
        Over::Registers => Request { registers: value, ..*request },
        Over::Shared => Request { shared_bytes: value.into(), ..*request },
    }
}

fn row(request: &Request<'_>, rules: &Rules, over: Over, value: u32) -> Row {
    let request = with(request, over, value);
    let refusal = request.refusals(rules).first().map(words);
    let occupancy = request.occupancy(rules);
    let allowed = u32::from(refusal.is_none());
    Row {
        over: match over {
            Over::Block => "block",
            Over::Registers => "regs",
            Over::Shared => "shared",
        },
        from: value,
        to: value,
        blocks: occupancy.blocks * allowed,
        warps: occupancy.warps * allowed,
        occupancy: occupancy.occupancy * f64::from(allowed),
        limiters: if refusal.is_none() { occupancy.limiters } else { Vec::new() },
        refusal,
    }
}

/// The table that was asked for.
pub fn table(subject: &Subject, rules: &Rules, sweep: &Sweep) -> Vec<Row> {
    let block = subject.block.map_or(Dim3::new(WARP_SIZE, 1, 1), |(block, _)| block);
    let request = subject.request(block);
    let one = |value| row(&request, rules, sweep.over, value);
    if !sweep.values.is_empty() {
        return sweep.values.iter().map(|value| one(*value)).collect();
    }
    match sweep.over {
        Over::Block => {
            let most = rules.limits.threads_per_block / WARP_SIZE;
            (1..=most).map(|warps| one(warps * WARP_SIZE)).collect()
        }
        Over::Registers => ranges(1, rules.limits.registers_per_thread, one),
        Over::Shared => ranges(0, rules.sm.shared_bytes, one),
    }
}

/// The values from `first` to `last` in ranges of one result. More of a resource never lets more blocks in, so the
/// end of a range is found by halving.
fn ranges(first: u32, last: u32, one: impl Fn(u32) -> Row) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut next = Some(first);
    while let Some(from) = next.filter(|from| *from <= last) {
        let row = one(from);
        let (mut inside, mut outside) = (from, last.saturating_add(1));
        while outside - inside > 1 {
            let middle = inside + (outside - inside) / 2;
            if one(middle).same(&row) { inside = middle } else { outside = middle }
        }
        next = inside.checked_add(1);
        rows.push(Row { to: inside, ..row });
    }
    rows
}

/// The nearest values of each resource that let more blocks in, or fewer; and a block of one warp less and more.
pub fn changes(request: &Request<'_>, rules: &Rules) -> Vec<Row> {
    let needs = request.needs();
    let mut rows = Vec::new();
    let mut nearest = |over, value: u32, least: u32, most: u32| {
        let one = |value| row(request, rules, over, value);
        let here = one(value).blocks;
        if value > least {
            // The first value below which no more blocks fit: `most_with_more` is the last that lets more in.
            let more = last_where(least, value.min(most + 1) - 1, |v| one(v).blocks > here);
            rows.extend(more.map(one));
        }
        if value < most && here > 0 {
            let fits = last_where(value, most, |v| one(v).blocks >= here).unwrap_or(value);
            if fits < most {
                rows.push(one(fits + 1));
            }
        }
    };
    if needs.registers > 0 {
        nearest(Over::Registers, needs.registers, 1, rules.limits.registers_per_thread);
    }
    nearest(Over::Shared, needs.shared_bytes, 0, rules.sm.shared_bytes);
    let warps = needs.threads.div_ceil(WARP_SIZE);
    let most = rules.limits.threads_per_block / WARP_SIZE;
    for warps in [warps.saturating_sub(1).min(most), warps.saturating_add(1)] {
        if (1..=most).contains(&warps) {
            rows.push(row(request, rules, Over::Block, warps * WARP_SIZE));
        }
    }
    rows
}

/// The last value from `first` to `last` for which `holds`, which holds up to some value and no further.
fn last_where(first: u32, last: u32, holds: impl Fn(u32) -> bool) -> Option<u32> {
    if first > last || !holds(first) {
        return None;
    }
    let (mut inside, mut outside) = (first, last.saturating_add(1));
    while outside - inside > 1 {
        let middle = inside + (outside - inside) / 2;
        if holds(middle) { inside = middle } else { outside = middle }
    }
    Some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::occupancy::rules::CAPABILITIES;

    /// Ranges and nearest values, found by halving, against looking at every value.
    #[test]
    fn halving_finds_what_walking_finds() {
        for rules in &CAPABILITIES {
            for (threads, registers, shared) in
                [(256, 10, 2048), (192, 21, 0), (64, 32, 5120), (512, 16, 9000)]
            {
                let grid = Dim3::new(1, 1, 1);
                let request = Request {
                    registers,
                    shared_bytes: shared,
                    ..Request::new("", grid, Dim3::new(threads, 1, 1))
                };
                let one = |value| row(&request, rules, Over::Registers, value);
                let found = ranges(1, rules.limits.registers_per_thread, one);
                let mut walked: Vec<Row> = Vec::new();
                for next in (1..=rules.limits.registers_per_thread).map(one) {
                    match walked.last_mut().filter(|last| last.same(&next)) {
                        Some(last) => last.to = next.to,
                        None => walked.push(next),
                    }
                }
                assert_eq!(found, walked, "{} {threads}", rules.capability);

                let here = one(registers).blocks;
                let near: Vec<u32> =
                    changes(&request, rules).iter().filter(|r| r.over == "regs").map(|r| r.from).collect();
                let more = (1..registers).rev().find(|r| one(*r).blocks > here);
                let fewer =
                    (registers + 1..=rules.limits.registers_per_thread).find(|r| one(*r).blocks < here);
                let fewer = fewer.filter(|_| here > 0);
                assert_eq!(near, more.into_iter().chain(fewer).collect::<Vec<_>>(), "{}", rules.capability);
            }
        }
    }

    #[test]
    fn what_asks_absurdly_much_is_answered() {
        let rules = &CAPABILITIES[0];
        let request = Request {
            registers: u32::MAX,
            shared_bytes: u64::MAX,
            ..Request::new("", Dim3::new(1, 1, 1), Dim3::new(u32::MAX, u32::MAX, 1))
        };
        assert!(changes(&request, rules).iter().all(|row| row.blocks == 0));
    }
}

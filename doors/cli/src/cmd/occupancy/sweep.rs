//! Tables: occupancy over block sizes, registers or shared memory, and the nearest values that
//! change it.

use super::subject::Subject;
use crate::args::occupancy::{Over, Sweep};
use isa::types::Dim3;
use serde::Serialize;
use sim_core::config::WARP_SIZE;
use sim_core::host::LaunchError;
use sim_core::host::fit::{Request, RuleSet};
use sim_core::occupancy::Limiter;

/// Result for one value, or for a range of values with the same result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OccupancyRow {
    /// The varied resource.
    pub over: Over,
    /// The first value.
    pub from: u32,
    /// The last value with the same result.
    pub to: u32,
    /// Blocks that an SM holds; 0 if the launch is rejected.
    pub blocks: u32,
    /// Warps of these blocks.
    pub warps: u32,
    /// Warps as a fraction of the warp slots.
    pub occupancy: f64,
    /// Resources that allow the fewest blocks.
    pub limiters: Vec<Limiter>,
    /// Reason for which it cannot be launched.
    pub refusal: Option<String>,
}

impl OccupancyRow {
    /// Whether both rows have the same result.
    fn same(&self, other: &Self) -> bool {
        let refused = |row: &Self| row.refusal.is_some();
        (self.blocks, &self.limiters, refused(self)) == (other.blocks, &other.limiters, refused(other))
    }
}

/// Returns the message of a launch error; for plain numbers, which have no kernel name, without
/// one.
pub fn words(error: &LaunchError) -> String {
    match error {
        LaunchError::Limit { kernel, limit, needed, available, terms } if kernel.is_empty() => {
            format!("refused: {}", limit.sentence(terms, *needed, *available))
        }
        LaunchError::Refused { kernel, refusal, terms } if kernel.is_empty() => {
            format!("refused: {}", refusal.sentence(terms))
        }
        LaunchError::Empty { kernel, what } if kernel.is_empty() => {
            format!("refused: extent {what} is 0")
        }
        other => other.to_string(),
    }
}

fn with<'a>(request: &Request<'a>, over: Over, value: u32) -> Request<'a> {
    match over {
        Over::Block => Request { block: Dim3::new(value, 1, 1), ..*request },
        Over::Registers => Request { registers: value, ..*request },
        Over::Shared => Request { shared_bytes: value.into(), ..*request },
    }
}

fn row(request: &Request<'_>, set: &RuleSet, over: Over, value: u32) -> OccupancyRow {
    let request = with(request, over, value);
    let rules = set.of(&request);
    let refusal = request.refusals(&rules).first().map(words);
    let occupancy = request.occupancy(&rules);
    let allowed = u32::from(refusal.is_none());
    OccupancyRow {
        over,
        from: value,
        to: value,
        blocks: occupancy.blocks * allowed,
        warps: occupancy.warps * allowed,
        occupancy: occupancy.occupancy * f64::from(allowed),
        limiters: if refusal.is_none() { occupancy.limiters } else { Vec::new() },
        refusal,
    }
}

/// Returns the requested table.
pub fn table(subject: &Subject, set: &RuleSet, sweep: &Sweep) -> Vec<OccupancyRow> {
    let block = subject.block.map_or(Dim3::new(WARP_SIZE, 1, 1), |(block, _)| block);
    let request = subject.request(block);
    let limits = &set.usual.limits;
    let one = |value| row(&request, set, sweep.over, value);
    if !sweep.values.is_empty() {
        return sweep.values.iter().map(|value| one(*value)).collect();
    }
    match sweep.over {
        Over::Block => {
            let most = limits.threads_per_block / WARP_SIZE;
            (1..=most).map(|warps| one(warps * WARP_SIZE)).collect()
        }
        Over::Registers => ranges(1, limits.registers_per_thread, one),
        Over::Shared => pieces(&request, set).into_iter().flat_map(|(a, b)| ranges(a, b, one)).collect(),
    }
}

/// Returns the ranges of shared memory sizes that use the same division of an SM's memory,
/// ascending. Only within such a range a larger block never increases the number of blocks.
fn pieces(request: &Request<'_>, set: &RuleSet) -> Vec<(u32, u32)> {
    let most = set.usual.sm.shared_bytes;
    let ends = set.edges(request.param_bytes).filter(|edge| *edge < most).chain([most]);
    ends.scan(0, |first, end| Some((std::mem::replace(first, end + 1), end))).collect()
}

/// Divides the values from `first` to `last` into ranges with the same result. More of a resource
/// never increases the number of blocks, so the end of a range is found by binary search.
fn ranges(first: u32, last: u32, one: impl Fn(u32) -> OccupancyRow) -> Vec<OccupancyRow> {
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
        rows.push(OccupancyRow { to: inside, ..row });
    }
    rows
}

/// Returns the nearest values of each resource that increase or decrease the number of blocks, and
/// blocks of one warp less and one warp more.
pub fn changes(request: &Request<'_>, set: &RuleSet) -> Vec<OccupancyRow> {
    let needs = request.needs();
    let limits = &set.usual.limits;
    let mut rows = Vec::new();
    let mut nearest = |over, value: u32, pieces: &[(u32, u32)]| {
        let one = |value| row(request, set, over, value);
        let here = one(value).blocks;
        // Below: the largest value with more blocks. Above: the smallest value with fewer blocks.
        let mut below = pieces.iter().rev().filter(|(least, _)| *least < value);
        let more = below.find_map(|(least, most)| {
            last_where(*least, value.min(most.saturating_add(1)) - 1, |v| one(v).blocks > here)
        });
        rows.extend(more.map(one));
        let mut above = pieces.iter().filter(|(_, most)| value < *most && here > 0);
        let fewer = above.find_map(|(least, most)| {
            let first = (*least).max(value);
            match last_where(first, *most, |v| one(v).blocks >= here) {
                None => Some(first),
                Some(last) => (last < *most).then_some(last + 1),
            }
        });
        rows.extend(fewer.map(one));
    };
    if needs.registers > 0 {
        nearest(Over::Registers, needs.registers, &[(1, limits.registers_per_thread)]);
    }
    nearest(Over::Shared, needs.shared_bytes, &pieces(request, set));
    // Blocks that exceed the shared memory left by a larger L1 use a larger shared memory.
    let here = row(request, set, Over::Shared, needs.shared_bytes).blocks;
    let edges = set.edges(request.param_bytes).filter(|edge| needs.shared_bytes <= *edge);
    let mut larger = edges.map(|edge| row(request, set, Over::Shared, edge.saturating_add(1)));
    let larger = larger.find(|larger| larger.blocks > here);
    let listed = |row: &OccupancyRow| rows.iter().any(|r| (r.over, r.from) == (row.over, row.from));
    let larger = larger.filter(|larger| !listed(larger));
    rows.extend(larger);
    let warps = needs.threads.div_ceil(WARP_SIZE);
    let most = limits.threads_per_block / WARP_SIZE;
    for warps in [warps.saturating_sub(1).min(most), warps.saturating_add(1)] {
        if (1..=most).contains(&warps) {
            rows.push(row(request, set, Over::Block, warps * WARP_SIZE));
        }
    }
    rows
}

/// Returns the last value from `first` to `last` for which `holds` is true. `holds` must be true up
/// to some value and false after it.
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

    /// Ranges and nearest values of the binary search are compared with a linear search.
    #[test]
    fn binary_search_agrees_with_linear_search() {
        for rules in &CAPABILITIES {
            let set = &RuleSet { usual: *rules, smaller: Vec::new() };
            for (threads, registers, shared) in
                [(256, 10, 2048), (192, 21, 0), (64, 32, 5120), (512, 16, 9000)]
            {
                let grid = Dim3::new(1, 1, 1);
                let request = Request {
                    registers,
                    shared_bytes: shared,
                    ..Request::new("", grid, Dim3::new(threads, 1, 1))
                };
                let one = |value| row(&request, set, Over::Registers, value);
                let found = ranges(1, rules.limits.registers_per_thread, one);
                let mut walked: Vec<OccupancyRow> = Vec::new();
                for next in (1..=rules.limits.registers_per_thread).map(one) {
                    match walked.last_mut().filter(|last| last.same(&next)) {
                        Some(last) => last.to = next.to,
                        None => walked.push(next),
                    }
                }
                assert_eq!(found, walked, "{} {threads}", rules.capability);

                let here = one(registers).blocks;
                let near: Vec<u32> = changes(&request, set)
                    .iter()
                    .filter(|r| r.over == Over::Registers)
                    .map(|r| r.from)
                    .collect();
                let more = (1..registers).rev().find(|r| one(*r).blocks > here);
                let fewer =
                    (registers + 1..=rules.limits.registers_per_thread).find(|r| one(*r).blocks < here);
                let fewer = fewer.filter(|_| here > 0);
                assert_eq!(near, more.into_iter().chain(fewer).collect::<Vec<_>>(), "{}", rules.capability);
            }
        }
    }

    /// The same for shared memory if L1 is preferred: 16 KB up to the edge, 48 KB beyond.
    ///
    /// Tests: `occupancy-command`.
    #[test]
    fn binary_search_agrees_with_linear_search_on_both_sides_of_the_edge() {
        let usual = CAPABILITIES[4];
        let set = &RuleSet { usual, smaller: vec![16_384] };
        for shared in [0, 3000, 8000, 16_000, 16_384, 16_385, 20_000, 49_152] {
            let request = Request {
                shared_bytes: shared,
                ..Request::new("", Dim3::new(1, 1, 1), Dim3::new(128, 1, 1))
            };
            let one = |value| row(&request, set, Over::Shared, value);
            let mut walked: Vec<OccupancyRow> = Vec::new();
            for next in (0..=49_152).map(one) {
                match walked.last_mut().filter(|last| last.same(&next) && next.from != 16_385) {
                    Some(last) => last.to = next.to,
                    None => walked.push(next),
                }
            }
            let found: Vec<OccupancyRow> =
                pieces(&request, set).into_iter().flat_map(|(a, b)| ranges(a, b, one)).collect();
            assert_eq!(found, walked, "{shared}");

            let (value, here) = (shared as u32, one(shared as u32).blocks);
            let near: Vec<u32> =
                changes(&request, set).iter().filter(|r| r.over == Over::Shared).map(|r| r.from).collect();
            let more = (0..value).rev().find(|v| one(*v).blocks > here);
            let fewer = (value + 1..=49_152).find(|v| one(*v).blocks < here);
            let beyond = Some(16_385).filter(|v| value < *v && one(*v).blocks > here);
            assert_eq!(near, more.into_iter().chain(fewer).chain(beyond).collect::<Vec<_>>(), "{shared}");
        }
    }

    /// Each size of shared memory that a launch can get is a range, also if blocks have reserved
    /// bytes.
    #[test]
    fn sweeps_cover_every_size_of_shared_memory() {
        let usual = CAPABILITIES[15].opted_in().expect("a limit that can be raised");
        let set = &RuleSet { usual, smaller: vec![0, 8192, 16_384] };
        let request = Request::new("", Dim3::new(1, 1, 1), Dim3::new(128, 1, 1));
        let pieces = pieces(&request, set);
        assert_eq!(pieces, [(0, 7168), (7169, 15_360), (15_361, usual.sm.shared_bytes)]);
        let one = |value| row(&request, set, Over::Shared, value);
        for (first, last) in pieces {
            for range in ranges(first, last, one) {
                for value in [range.from, u32::midpoint(range.from, range.to), range.to] {
                    assert!(one(value).same(&range), "{value}: {range:?}");
                }
            }
        }
        assert_eq!([7168, 7169, 15_360, 15_361, 166_913].map(|v| one(v).blocks), [1, 1, 1, 10, 0]);
    }

    #[test]
    fn extreme_requests_have_an_answer() {
        let set = &RuleSet { usual: CAPABILITIES[0], smaller: Vec::new() };
        let request = Request {
            registers: u32::MAX,
            shared_bytes: u64::MAX,
            ..Request::new("", Dim3::new(1, 1, 1), Dim3::new(u32::MAX, u32::MAX, 1))
        };
        assert!(changes(&request, set).iter().all(|row| row.blocks == 0));
    }
}

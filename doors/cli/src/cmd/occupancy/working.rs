//! The occupancy calculation as text, with its numbers.

use crate::render::number::{count, plural};
use isa::terms::Terms;
use serde::Serialize;
use sim_core::config::{RegisterScope, WARP_SIZE};
use sim_core::occupancy::{Occupancy, SmResources};

/// Calculation of each limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Working {
    /// Limit by warp and thread slots.
    pub warps: String,
    /// Limit by block slots.
    pub block_slots: String,
    /// Limit by registers.
    pub registers: String,
    /// Limit by shared memory.
    pub shared: String,
    /// Limit by barriers, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barriers: Option<String>,
}

/// Returns the calculation of a result.
pub fn of(sm: &SmResources, result: &Occupancy, terms: &Terms) -> Working {
    let Terms { block, an_sm, .. } = terms;
    Working {
        warps: warps(sm, result, terms),
        block_slots: format!("{an_sm} holds at most {}", plural(sm.max_blocks.into(), block)),
        registers: registers(sm, result, terms),
        shared: shared(sm, result, terms),
        barriers: barriers(sm, result, terms),
    }
}

/// Returns the remainder of a division as text: `24 / 7 = 3 blocks, 3 warps left over`.
fn left_over(whole: u64, part: u64, thing: &str) -> String {
    match whole.checked_rem(part) {
        Some(rest) if rest > 0 && whole >= part => format!(", {} left over", plural(rest, thing)),
        _ => String::new(),
    }
}

fn warps(sm: &SmResources, result: &Occupancy, Terms { thread, block, .. }: &Terms) -> String {
    let (of_threads, per_block) = (sm.max_threads / WARP_SIZE, result.warps_per_block);
    if per_block == 0 {
        return format!("a {block} without {thread}s cannot be launched");
    }
    let slots = sm.max_warps.min(of_threads);
    let source = if of_threads < sm.max_warps {
        format!(
            "{} {thread} slots / {WARP_SIZE} = {of_threads} warps; {of_threads}",
            count(sm.max_threads.into())
        )
    } else {
        format!("{slots} warp slots")
    };
    format!(
        "{source} / {} = {}{}",
        plural(per_block.into(), "warp"),
        plural(result.limits.warps.into(), block),
        left_over(slots.into(), per_block.into(), "warp")
    )
}

fn registers(sm: &SmResources, result: &Occupancy, Terms { thread, block, .. }: &Terms) -> String {
    let (per_thread, warps, limit) =
        (result.needs.registers, result.warps_per_block, result.limits.registers);
    if per_thread == 0 || warps == 0 {
        return format!("no registers counted: as many as {block} slots, {limit}");
    }
    let per_thread_words = plural(per_thread.into(), "register");
    if per_thread > sm.registers_per_thread {
        let most = sm.registers_per_thread;
        return format!("{per_thread_words} per {thread}, and at most {most} are allowed: {limit} {block}s");
    }
    let (unit, granularity, all) =
        (u64::from(sm.register_unit), u64::from(sm.warp_granularity), u64::from(sm.registers));
    let per_warp = u64::from(per_thread) * u64::from(WARP_SIZE);
    match sm.register_scope {
        RegisterScope::Block => {
            let rounded = u64::from(warps).next_multiple_of(granularity);
            let asked = rounded * per_warp;
            let taken = result.registers_per_block;
            format!(
                "{}, rounded up to {rounded} (multiples of {granularity}), x {per_thread_words} x {WARP_SIZE} = {}, \
                 rounded up to multiples of {unit} = {}; {} / {} = {}{}",
                plural(warps.into(), "warp"),
                count(asked),
                count(taken),
                count(all),
                count(taken),
                plural(limit.into(), block),
                left_over(all, taken, "register")
            )
        }
        RegisterScope::Warp => {
            let taken = per_warp.next_multiple_of(unit);
            let (checked, most) = (sm.checked_registers(warps, per_thread), sm.registers_per_block);
            if checked > most.into() {
                return format!(
                    "{per_thread_words} x {WARP_SIZE} = {}, rounded up to multiples of {unit} = {} for a warp; {}, \
                     rounded up to {} (multiples of {}), x {} = {}; a {block} can have {}: 0 {block}s",
                    count(per_warp),
                    count(taken),
                    plural(warps.into(), "warp"),
                    checked / taken,
                    sm.checked_warps,
                    count(taken),
                    count(checked),
                    count(most.into()),
                );
            }
            let held = all / taken;
            let usable = held / granularity * granularity;
            format!(
                "{per_thread_words} x {WARP_SIZE} = {}, rounded up to multiples of {unit} = {} for a warp; {} / {} = \
                 {}, rounded down to {usable} (multiples of {granularity}); {usable} / {} = {}{}",
                count(per_warp),
                count(taken),
                count(all),
                count(taken),
                plural(held, "warp"),
                plural(warps.into(), "warp"),
                plural(limit.into(), block),
                left_over(usable, warps.into(), "warp")
            )
        }
    }
}

fn shared(sm: &SmResources, result: &Occupancy, Terms { block, shared, .. }: &Terms) -> String {
    let (bytes, taken, limit) = (result.needs.shared_bytes, result.shared_per_block, result.limits.shared);
    if bytes == 0 {
        return format!("no {shared}: as many as {block} slots, {limit}");
    }
    if limit == 0 && taken <= sm.shared_bytes.into() {
        return format!(
            "{} bytes, rounded up to multiples of {} = {}; a {block} can have {}: 0 {block}s",
            count(bytes.into()),
            sm.shared_unit,
            count(taken),
            count(sm.shared_per_block.into())
        );
    }
    format!(
        "{} bytes, rounded up to multiples of {} = {}; {} / {} = {}{}",
        count(bytes.into()),
        sm.shared_unit,
        count(taken),
        count(sm.shared_bytes.into()),
        count(taken),
        plural(limit.into(), block),
        left_over(sm.shared_bytes.into(), taken, "byte")
    )
}

fn barriers(sm: &SmResources, result: &Occupancy, terms: &Terms) -> Option<String> {
    let (of_sm, of_block) = (sm.barriers?, result.needs.barriers);
    let blocks = plural(result.limits.barriers?.into(), terms.block);
    let left = left_over(of_sm.into(), of_block.into(), "barrier");
    Some(format!("{of_sm} barriers / {of_block} = {blocks}{left}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::occupancy::BlockNeeds;
    use sim_core::occupancy::rules::CAPABILITIES;

    /// Returns all whole numbers of a text, in order.
    fn numbers(text: &str) -> Vec<u64> {
        let plain = text.replace(',', "");
        let parts = plain.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.map(|part| part.parse().expect("digits")).collect()
    }

    /// Checks every `a / b = c` and `n rounded up to multiples of u = m` of a calculation.
    fn sound(text: &str) {
        for part in text.split("; ").filter(|part| part.contains(" / ")) {
            let [a, b, c, ..] = numbers(part)[..] else { panic!("{text}") };
            assert_eq!(a.checked_div(b), Some(c), "{text}");
        }
        for (before, after) in
            text.match_indices(", rounded up to multiples of").map(|(i, _)| text.split_at(i))
        {
            let asked = *numbers(before).last().expect("a number before the rounding");
            let [unit, taken, ..] = numbers(after)[..] else { panic!("{text}") };
            assert!(taken.is_multiple_of(unit) && taken >= asked && taken - asked < unit, "{text}");
        }
    }

    /// Tests: `occupancy-command`.
    #[test]
    fn the_calculation_is_correct_and_ends_with_the_limits() {
        for rules in &CAPABILITIES {
            for threads in [1, 32, 64, 96, 200, 256, 288, 500, 512, 1024] {
                for registers in [0, 1, 9, 10, 11, 20, 33, 63, 64, 124, 125, 176] {
                    for shared_bytes in [0, 1, 512, 2080, 5120, 16384, 16385, 50000] {
                        let needs = BlockNeeds { threads, registers, shared_bytes, barriers: 0 };
                        let result = rules.sm.occupancy(needs);
                        let working = of(&rules.sm, &result, &Terms::CUDA);
                        for (text, limit) in [
                            (&working.warps, result.limits.warps),
                            (&working.block_slots, result.limits.block_slots),
                            (&working.registers, result.limits.registers),
                            (&working.shared, result.limits.shared),
                        ] {
                            sound(text);
                            let end = text.split(" left over").next().unwrap_or_default();
                            let end = end.rsplit("; ").next().unwrap_or_default();
                            assert!(numbers(end).contains(&limit.into()), "{limit}: {text}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_occupancy_cliff_of_the_book_as_text() {
        let needs = BlockNeeds { threads: 256, registers: 11, shared_bytes: 2080, barriers: 0 };
        let sm = &CAPABILITIES[0].sm;
        let working = of(sm, &sm.occupancy(needs), &Terms::CUDA);
        assert_eq!(
            working.registers,
            "8 warps, rounded up to 8 (multiples of 2), x 11 registers x 32 = 2,816, rounded up to multiples of 256 = \
             2,816; 8,192 / 2,816 = 2 blocks, 2,560 registers left over"
        );
        assert_eq!(working.warps, "24 warp slots / 8 warps = 3 blocks");
        assert_eq!(
            working.shared,
            "2,080 bytes, rounded up to multiples of 512 = 2,560; 16,384 / 2,560 = 6 blocks, 1,024 bytes left over"
        );
    }

    #[test]
    fn fermi_allocates_registers_per_warp() {
        let sm = &CAPABILITIES[4].sm;
        let needs = BlockNeeds { threads: 256, registers: 21, shared_bytes: 0, barriers: 0 };
        assert_eq!(
            of(sm, &sm.occupancy(needs), &Terms::CUDA).registers,
            "21 registers x 32 = 672, rounded up to multiples of 64 = 704 for a warp; 32,768 / 704 = 46 warps, rounded \
             down to 46 (multiples of 2); 46 / 8 warps = 5 blocks, 6 warps left over"
        );
    }
}

//! The banks of shared memory: how many passes an access takes (CUDA C Programming Guide 5.5, G.3.3
//! and G.4.3).
//!
//! Invariant `shared-atomics-serialize`: Atomics of several lanes on one word of shared memory are
//! serialized, and each takes its issue slots.

use crate::config::{BankRule, SharedConfig};
use crate::exec::Row32;
use crate::exec::mask::lanes;
use crate::exec::stride::Strides;

/// Passes of one warp access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Over all groups of lanes.
    pub total: u32,
    /// What the access needs without any conflict.
    pub least: u32,
    /// Those that lanes with different words in a bank add; no more than `total - least`.
    pub conflicts: u32,
    /// How often an atomic goes through its loop; 1 for other accesses.
    pub turns: u32,
}

/// Passes that lanes `mask` need to access `bytes` bytes each at byte offsets `addr`.
#[inline]
pub fn passes(config: &SharedConfig, addr: &Row32, strides: Strides, mask: u32, bytes: u32) -> Passes {
    // Most accesses are of all lanes to words at regular addresses.
    if mask == u32::MAX
        && bytes == 4
        && let Some((total, least)) = regular_words(config, addr, strides)
    {
        return Passes { total, least, conflicts: total - least, turns: 1 };
    }
    any_passes(config, addr, strides, mask, bytes)
}

/// Passes of all lanes to words at regular addresses, and how many they are without conflicts.
/// `None`: another case.
#[inline(always)]
#[expect(clippy::inline_always, reason = "on the path of every access")]
fn regular_words(config: &SharedConfig, addr: &Row32, strides: Strides) -> Option<(u32, u32)> {
    match config.group {
        16 => {
            let [first, second] = strides.0;
            let ways = |stride: u32| regular(config, stride, 0xffff, 16, 4);
            Some((ways(first?)? + ways(second?)?, 2))
        }
        32 => {
            let ways = strides.whole(addr).and_then(|stride| regular(config, stride, u32::MAX, 32, 4));
            Some((ways.or_else(|| two_rows(config, addr, strides, u32::MAX, 4))?, 1))
        }
        _ => None,
    }
}

/// As [`passes`], of any access.
#[inline(never)]
fn any_passes(config: &SharedConfig, addr: &Row32, strides: Strides, mask: u32, bytes: u32) -> Passes {
    let mut result = Passes { total: 0, least: 0, conflicts: 0, turns: 1 };
    // cc 1.x makes a 64-bit access as two 32-bit requests: the low words, then the high ones. cc
    // 2.x serves whole 64-bit words, to half as many lanes at a time. For those of 128 bits the
    // guide adds one way to whatever conflicts a quarter-warp has; measured it is one for every two
    // of them (12 hot cycles for a warp without conflicts, not 16).
    let (lanes, requests) = match config.rule {
        BankRule::OneBroadcast => (config.group, bytes.div_ceil(4)),
        BankRule::Multicast => (config.group * 4 / bytes.max(4), 1),
    };
    let wide = config.rule == BankRule::Multicast && bytes == 16;
    let all = if lanes >= 32 { u32::MAX } else { (1 << lanes) - 1 };
    let mut first = 0;
    while first < 32 {
        let group = mask & all << first;
        let stride = match lanes {
            16 => strides.0[first as usize / 16],
            32 => strides.whole(addr),
            _ => None,
        };
        let ways = stride.and_then(|stride| regular(config, stride, group, lanes, bytes));
        if let Some(ways) = ways.or_else(|| two_rows(config, addr, strides, group, bytes)) {
            result.total += ways * requests;
            result.least += requests;
        } else if group != 0 {
            for word in 0..requests {
                result.total += match config.rule {
                    BankRule::OneBroadcast => one_broadcast(config.banks, addr, group, bytes, word * 4),
                    BankRule::Multicast => multicast(config.banks, addr, group, bytes),
                };
                result.least += 1;
            }
        }
        first += lanes;
    }
    result.conflicts = result.total - result.least;
    if wide {
        let more = (result.least).div_ceil(2);
        (result.total, result.least) = (result.total + more, result.least + more);
    }
    result
}

/// Passes of an atomic: a load that locks the words and a store that unlocks them. Of several lanes
/// with one word the lowest goes first, and the others go through both again, one at a time.
pub fn atomic_passes(config: &SharedConfig, addr: &Row32, strides: Strides, mask: u32, bytes: u32) -> Passes {
    let least = 2 * passes(config, addr, strides, mask, bytes).least;
    let mut result = Passes { total: 0, least, conflicts: 0, turns: 0 };
    let mut left = mask;
    while left != 0 {
        let mut turn = 0u32;
        for lane in lanes(left) {
            if lanes(turn).all(|other| addr[other] != addr[lane]) {
                turn |= 1 << lane;
            }
        }
        left &= !turn;
        let turn = passes(config, addr, strides, turn, bytes);
        result.total += 2 * turn.total;
        result.conflicts += 2 * turn.conflicts;
        result.turns += 1;
    }
    result
}

/// Passes of one request of a group of `lanes` lanes whose addresses are `stride` bytes apart.
/// `None`: the general rule must search.
#[inline]
fn regular(config: &SharedConfig, stride: u32, group: u32, lanes: u32, bytes: u32) -> Option<u32> {
    if group == 0 {
        return None;
    }
    if stride == 0 {
        return Some(1);
    }
    // Bytes that a bank serves in a pass, and how many banks serve so many; all numbers here are
    // powers of two.
    let unit = match config.rule {
        BankRule::OneBroadcast => 4,
        BankRule::Multicast => bytes.max(4),
    };
    let slots = ((config.banks * 4) >> unit.trailing_zeros()).max(1);
    if group.count_ones() != lanes || stride & (unit - 1) != 0 || bytes < 4 {
        return None;
    }
    // The lanes visit this many banks in turn, each lane another word.
    let words = stride >> unit.trailing_zeros();
    let round = slots.trailing_zeros() - words.trailing_zeros().min(slots.trailing_zeros());
    Some((lanes >> round).max(1))
}

/// Passes of a request of 32 lanes whose half-warps each access one word, or each words in a row,
/// as 16 x 16 tiles do. `None`: another case.
#[inline]
fn two_rows(config: &SharedConfig, addr: &Row32, strides: Strides, group: u32, bytes: u32) -> Option<u32> {
    let warp = config.rule == BankRule::Multicast && config.group == 32 && config.banks == 32;
    if !warp || group != u32::MAX || bytes != 4 {
        return None;
    }
    let distance = (addr[0] / 4).abs_diff(addr[16] / 4);
    let conflict = match strides.0 {
        [Some(0), Some(0)] => distance != 0 && distance.is_multiple_of(32),
        // Rows that overlap share words; later ones meet in some banks unless they fill each
        // other's gaps.
        [Some(4), Some(4)] => distance > 16 && distance % 32 != 16,
        _ => return None,
    };
    Some(1 + u32::from(conflict))
}

/// cc 1.x: each pass serves the lanes of one broadcast word (that of the lowest lane left) and one
/// lane of each other bank. Bytes and half-words of one word are different addresses and conflict.
#[inline]
fn one_broadcast(banks: u32, addr: &Row32, group: u32, bytes: u32, plus: u32) -> u32 {
    // What the broadcast compares: words, or the bytes and half-words themselves.
    let unit = bytes.min(4).trailing_zeros();
    if one_pass(banks, addr, group, unit, plus) {
        return 1;
    }
    let mut left = group;
    let mut passes = 0;
    while left != 0 {
        let lead = addr[left.trailing_zeros() as usize];
        let mut taken = 1u64 << bank_of(banks, lead + plus);
        let mut rest = 0;
        let mut lanes = left;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            if addr[lane] >> unit == lead >> unit {
                continue;
            }
            let bank = 1u64 << bank_of(banks, addr[lane] + plus);
            if taken & bank != 0 {
                rest |= 1 << lane;
            }
            taken |= bank;
        }
        left = rest;
        passes += 1;
    }
    passes
}

/// The two common cases, without a search: one word for all lanes of `group`, or a bank for each.
#[inline]
fn one_pass(banks: u32, addr: &Row32, group: u32, unit: u32, plus: u32) -> bool {
    let lead = addr[group.trailing_zeros() as usize];
    let mut differ = 0;
    let mut taken = 0u32;
    for (lane, addr) in addr.iter().enumerate() {
        let active = group >> lane & 1;
        differ |= (addr ^ lead) >> unit & 0u32.wrapping_sub(active);
        taken |= active << bank_of(banks, addr.wrapping_add(plus));
    }
    differ == 0 || taken.count_ones() == group.count_ones()
}

/// The bank of a byte address; the number of banks is a power of two.
fn bank_of(banks: u32, addr: u32) -> u32 {
    addr >> 2 & (banks - 1)
}

/// cc 2.x: each pass serves one word of every bank, to all lanes that ask for it. A word of 8 bytes
/// lies in two banks.
fn multicast(banks: u32, addr: &Row32, group: u32, bytes: u32) -> u32 {
    // Bytes of what a pass compares: a word, or a pair of words in a pair of banks.
    let unit = bytes.max(4);
    let slots = (banks * 4 / unit).max(1);
    let mut left = group;
    let mut passes = 0;
    while left != 0 {
        let mut word_of_bank = [u32::MAX; 32];
        let mut rest = 0;
        let mut lanes = left;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let word = addr[lane] / unit;
            let slot = &mut word_of_bank[(word % slots) as usize];
            if *slot == u32::MAX {
                *slot = word;
            }
            if *slot != word {
                rest |= 1 << lane;
            }
        }
        left = rest;
        passes += 1;
    }
    passes
}

#[cfg(test)]
mod tests {
    use super::*;

    const TESLA: SharedConfig = SharedConfig {
        banks: 16,
        group: 16,
        pass_cycles: 2,
        rule: BankRule::OneBroadcast,
        conflict_latency: 2,
        retry_slots: 4,
        atomic_pass_cycles: 2,
    };

    fn row(f: impl Fn(u32) -> u32) -> Row32 {
        std::array::from_fn(|lane| f(lane as u32))
    }

    fn tesla(f: impl Fn(u32) -> u32, mask: u32, bytes: u32) -> (u32, u32) {
        let p = passes(&TESLA, &row(&f), Strides::of(&row(&f)), mask, bytes);
        (p.total, p.least)
    }

    fn fermi(f: impl Fn(u32) -> u32, bytes: u32) -> (u32, u32) {
        let config = SharedConfig { banks: 32, group: 32, rule: BankRule::Multicast, ..TESLA };
        let p = passes(&config, &row(&f), Strides::of(&row(&f)), u32::MAX, bytes);
        (p.total, p.least)
    }

    /// Tests: `coalescing-and-banks`.
    #[test]
    fn strides_conflict_by_their_common_factor_with_the_banks() {
        for (stride, ways) in [(1, 1), (2, 2), (3, 1), (4, 4), (5, 1), (8, 8), (16, 16), (17, 1), (32, 16)] {
            assert_eq!(tesla(|l| l * stride * 4, u32::MAX, 4), (2 * ways, 2), "stride {stride} words");
        }
    }

    #[test]
    fn regular_addresses_take_what_the_general_rule_says() {
        let fermi = SharedConfig { banks: 32, group: 32, rule: BankRule::Multicast, ..TESLA };
        for (config, bytes) in [(TESLA, 4), (TESLA, 8), (TESLA, 16), (fermi, 4), (fermi, 8)] {
            let lanes = if config.group == 32 { 128 / bytes } else { 16 };
            let all = u32::MAX >> (32 - lanes);
            for stride in (0..200).map(|n| n * bytes) {
                let addr = row(|lane| 64 + lane * stride);
                for first in (0..32).step_by(lanes as usize) {
                    let group = all << first;
                    let expected = match config.rule {
                        BankRule::OneBroadcast => one_broadcast(config.banks, &addr, group, bytes, 0),
                        BankRule::Multicast => multicast(config.banks, &addr, group, bytes),
                    };
                    let found = regular(&config, stride, group, lanes, bytes);
                    assert_eq!(found, Some(expected), "{bytes} bytes, stride {stride}");
                }
            }
        }
    }

    #[test]
    fn two_rows_take_what_the_general_rule_says() {
        let config = SharedConfig { banks: 32, group: 32, rule: BankRule::Multicast, ..TESLA };
        for stride in [0, 4] {
            for (first, second) in (0..80).flat_map(|first| (0..80).map(move |second| (first, second))) {
                let addr = row(|lane| 4 * if lane < 16 { first } else { second } + lane % 16 * stride);
                let found = two_rows(&config, &addr, Strides::of(&addr), u32::MAX, 4);
                let expected = multicast(config.banks, &addr, u32::MAX, 4);
                assert_eq!(found, Some(expected), "rows at {first} and {second}, stride {stride}");
            }
        }
    }

    #[test]
    fn one_word_for_all_is_broadcast() {
        assert_eq!(tesla(|_| 64, u32::MAX, 4), (2, 2));
    }

    #[test]
    fn two_words_of_many_lanes_conflict() {
        // Lanes 0-7 read word 0, lanes 8-15 word 1: the second word has one lane a pass until it is
        // the broadcast one.
        assert_eq!(tesla(|l| (l % 16 / 8) * 4, 0xffff, 4), (2, 1));
    }

    #[test]
    fn only_a_half_warp_conflicts_within_itself() {
        assert_eq!(tesla(|l| l % 16 * 4, u32::MAX, 4), (2, 2));
        assert_eq!(tesla(|l| l * 4, 0xffff, 4), (1, 1), "an idle half-warp costs nothing");
        assert_eq!(tesla(|l| l * 4, 0, 4), (0, 0));
    }

    #[test]
    fn bytes_of_a_word_conflict_and_doubles_are_two_way() {
        assert_eq!(tesla(|l| l, 0xffff, 1), (4, 1), "four chars share a bank");
        assert_eq!(tesla(|l| l * 8, 0xffff, 8), (4, 2), "two requests of two passes");
    }

    #[test]
    fn fermi_serves_several_words_at_once() {
        assert_eq!(fermi(|l| l / 8 * 4, 4), (1, 1), "four words of eight lanes each");
        assert_eq!(fermi(|l| l % 2 * 128, 4), (2, 1), "two words of one bank");
        assert_eq!(fermi(|_| 64, 4), (1, 1));
    }

    #[test]
    fn a_warp_of_fermi_conflicts_within_itself() {
        for (stride, ways) in [(1, 1), (2, 2), (3, 1), (4, 4), (16, 16), (17, 1), (32, 32), (33, 1)] {
            assert_eq!(fermi(|l| l * stride * 4, 4), (ways, 1), "stride {stride} words");
        }
        assert_eq!(fermi(|l| l % 16 * 4 + l / 16 * 128, 4), (2, 1), "the halves meet in sixteen banks");
    }

    #[test]
    fn bytes_of_a_word_do_not_conflict_on_fermi() {
        assert_eq!(fermi(|l| l, 1), (1, 1));
        assert_eq!(fermi(|l| l * 2, 2), (1, 1));
        assert_eq!(fermi(|l| l % 4 + l / 4 * 128, 1), (8, 1), "eight words of one bank");
    }

    /// Tests: `coalescing-and-banks`.
    #[test]
    fn words_of_128_bits_take_four_requests_or_half_a_way_more() {
        assert_eq!(tesla(|l| l * 16, 0xffff, 16), (16, 4), "four requests of four passes");
        assert_eq!(tesla(|_| 64, 0xffff, 16), (4, 4), "each broadcast");
        assert_eq!(fermi(|l| l * 16, 16), (6, 6), "four quarter-warps, a way more for every two of them");
        assert_eq!(fermi(|_| 64, 16), (6, 6));
        assert_eq!(fermi(|l| l * 32, 16), (10, 6), "two different words of four banks");
    }

    /// Tests: `coalescing-and-banks`.
    #[test]
    fn doubles_conflict_within_a_half_warp_of_fermi() {
        assert_eq!(fermi(|l| l * 8, 8), (2, 2), "a pass for each half-warp");
        assert_eq!(fermi(|l| l % 16 * 8 + l / 16 * 1024, 8), (2, 2), "the halves do not meet");
        assert_eq!(fermi(|l| l / 16 * 8, 8), (2, 2), "one word for each half");
        assert_eq!(fermi(|l| l * 16, 8), (4, 2), "every other pair of banks");
        assert_eq!(fermi(|l| l % 2 * 128, 8), (4, 2), "two words of one pair of banks");
    }
}

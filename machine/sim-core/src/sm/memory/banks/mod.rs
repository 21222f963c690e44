//! The banks of shared memory: number of passes of an access (CUDA C Programming Guide 5.5, G.3.3
//! and G.4.3).
//!
//! Invariant `shared-atomics-serialize`: Atomics of several lanes on one word of shared memory are
//! serialized, and each takes its issue slots.

use crate::config::{BankRule, SharedConfig};
use crate::exec::Row32;
use crate::exec::mask::lanes;
use crate::exec::stride::Strides;

/// Number of passes of one warp access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Passes of all groups of lanes.
    pub total: u32,
    /// Passes that the access needs without conflicts.
    pub least: u32,
    /// Passes that lanes with different words in one bank add; at most `total - least`.
    pub conflicts: u32,
    /// Number of rounds of an atomic's loop; 1 for other accesses.
    pub turns: u32,
}

/// Passes of a load or store of 32-bit words by all lanes, if each half-warp accesses one word or
/// consecutive words, and the access has no conflicts. `None` for other accesses, even if they have
/// no conflicts. Most accesses are of this kind, so this test comes before [`passes`].
#[inline]
pub fn without_conflicts(
    config: &SharedConfig,
    addr: &Row32,
    strides: Strides,
    mask: u32,
    bytes: u32,
) -> Option<u32> {
    let [Some(first @ (0 | 4)), Some(second @ (0 | 4))] = strides.0 else { return None };
    if mask != u32::MAX || bytes != 4 || config.banks < config.group {
        return None;
    }
    match config.group {
        16 => Some(2),
        32 if first == second && addr[16].wrapping_sub(addr[0]) == 16 * first => Some(1),
        _ => None,
    }
}

/// Passes needed by the lanes of `mask` to access `bytes` bytes each at byte offsets `addr`.
#[inline]
pub fn passes(config: &SharedConfig, addr: &Row32, strides: Strides, mask: u32, bytes: u32) -> Passes {
    // Fast path: most accesses are by all lanes to words at regular addresses.
    if mask == u32::MAX
        && bytes == 4
        && let Some((total, least)) = regular_words(config, addr, strides)
    {
        return Passes { total, least, conflicts: total - least, turns: 1 };
    }
    any_passes(config, addr, strides, mask, bytes)
}

/// Passes of all lanes for words at regular addresses, with and without conflicts. `None` for other
/// accesses.
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

/// Same as [`passes`], for any access.
#[inline(never)]
fn any_passes(config: &SharedConfig, addr: &Row32, strides: Strides, mask: u32, bytes: u32) -> Passes {
    let mut result = Passes { total: 0, least: 0, conflicts: 0, turns: 1 };
    // cc 1.x splits a 64-bit access into two 32-bit requests: the low words, then the high words.
    // cc 2.x serves whole 64-bit words, half as many lanes at a time. For 128-bit words the guide
    // adds one way to the conflicts of each quarter-warp. Measurements show one way for every two
    // quarter-warps: 12 shader cycles for a warp without conflicts, not 16.
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

/// Passes of an atomic: a load that locks the words and a store that unlocks them. If several lanes
/// access one word, the lowest lane is served first. The other lanes repeat both, one at a time.
pub fn atomic_passes(config: &SharedConfig, addr: &Row32, strides: Strides, mask: u32, bytes: u32) -> Passes {
    if config.rule == BankRule::Multicast && config.group == 32 && config.banks <= 32 && bytes == 4 {
        return atomic_words(config.banks, addr, mask);
    }
    any_atomic_passes(config, addr, strides, mask, bytes)
}

/// Same as [`atomic_passes`], for any atomic.
fn any_atomic_passes(config: &SharedConfig, addr: &Row32, strides: Strides, mask: u32, bytes: u32) -> Passes {
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

/// Passes of an atomic on 32-bit words on cc 2.x, computed in one pass over the lanes. The round of
/// a lane is the number of lower lanes that access its word. Lanes of one round access different
/// words, so the round has as many passes as lanes in its most occupied bank.
fn atomic_words(banks: u32, addr: &Row32, mask: u32) -> Passes {
    if mask == 0 {
        return Passes { total: 0, least: 0, conflicts: 0, turns: 0 };
    }
    // Lanes so far, by bank; round of each lane; passes of each round.
    let (mut of_bank, mut turn_of, mut passes_of) = ([0_u32; 32], [0_u8; 32], [0_u32; 32]);
    // The first lane.
    passes_of[0] = 1;
    let mut turns = 1;
    for lane in lanes(mask) {
        let bank = &mut of_bank[bank_of(banks, addr[lane]) as usize % 32];
        let others = std::mem::replace(bank, *bank | 1 << lane);
        if others == 0 {
            continue;
        }
        let turn = lanes(others).filter(|other| addr[*other] == addr[lane]).count();
        let pass = 1 + lanes(others).filter(|other| usize::from(turn_of[*other]) == turn).count() as u32;
        turn_of[lane] = turn as u8;
        passes_of[turn] = passes_of[turn].max(pass);
        turns = turns.max(turn + 1);
    }
    let total: u32 = passes_of[..turns].iter().sum();
    Passes { total: 2 * total, least: 2, conflicts: 2 * (total - turns as u32), turns: turns as u32 }
}

/// Passes of one request of a group of `lanes` lanes whose addresses are `stride` bytes apart.
/// `None` if the general rule is needed.
#[inline]
fn regular(config: &SharedConfig, stride: u32, group: u32, lanes: u32, bytes: u32) -> Option<u32> {
    if group == 0 {
        return None;
    }
    if stride == 0 {
        return Some(1);
    }
    // Number of bytes that a bank serves in a pass, and number of banks that each serve so many
    // bytes. All numbers here are powers of two.
    let unit = match config.rule {
        BankRule::OneBroadcast => 4,
        BankRule::Multicast => bytes.max(4),
    };
    let slots = ((config.banks * 4) >> unit.trailing_zeros()).max(1);
    if stride & (unit - 1) != 0 || bytes < 4 {
        return None;
    }
    // The lanes access this many banks in turn, each lane a different word.
    let words = stride >> unit.trailing_zeros();
    let round = slots.trailing_zeros() - words.trailing_zeros().min(slots.trailing_zeros());
    let ways = (lanes >> round).max(1);
    // Without conflicts of all lanes, no part of them has conflicts.
    (ways == 1 || group.count_ones() == lanes).then_some(ways)
}

/// Passes of a request of 32 lanes whose half-warps each access one word, or each consecutive
/// words, as 16 x 16 tiles do. `None` for other accesses.
#[inline]
fn two_rows(config: &SharedConfig, addr: &Row32, strides: Strides, group: u32, bytes: u32) -> Option<u32> {
    let warp = config.rule == BankRule::Multicast && config.group == 32 && config.banks == 32;
    if !warp || group != u32::MAX || bytes != 4 {
        return None;
    }
    let distance = (addr[0] / 4).abs_diff(addr[16] / 4);
    let conflict = match strides.0 {
        [Some(0), Some(0)] => distance != 0 && distance.is_multiple_of(32),
        // Rows that overlap share words. Rows farther apart conflict in some banks unless they use
        // complementary banks.
        [Some(4), Some(4)] => distance > 16 && distance % 32 != 16,
        _ => return None,
    };
    Some(1 + u32::from(conflict))
}

/// cc 1.x: each pass serves the lanes of one broadcast word (the word of the lowest remaining lane)
/// and one lane of each other bank. Bytes and half-words of one word are different addresses and
/// conflict.
#[inline]
fn one_broadcast(banks: u32, addr: &Row32, group: u32, bytes: u32, plus: u32) -> u32 {
    // Unit that the broadcast compares: words, or individual bytes and half-words.
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

/// Fast test for the two common cases: one word for all lanes of `group`, or a different bank for
/// each lane.
#[inline]
fn one_pass(banks: u32, addr: &Row32, group: u32, unit: u32, plus: u32) -> bool {
    let lead = addr[group.trailing_zeros() as usize % 32];
    let (mut differ, mut taken, mut twice) = (0, 0_u32, 0);
    for lane in lanes(group) {
        let bank = 1 << (bank_of(banks, addr[lane].wrapping_add(plus)) % 32);
        differ |= (addr[lane] ^ lead) >> unit;
        twice |= taken & bank;
        taken |= bank;
    }
    differ == 0 || twice == 0
}

/// Bank of a byte address; the number of banks is a power of two.
pub fn bank_of(banks: u32, addr: u32) -> u32 {
    addr >> 2 & (banks - 1)
}

/// cc 2.x: each pass serves one word of every bank, to all lanes that access it. A word of 8 bytes
/// occupies two banks.
fn multicast(banks: u32, addr: &Row32, group: u32, bytes: u32) -> u32 {
    // Bytes of the unit that a pass compares: a word, or a pair of words in a pair of banks.
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
mod tests;

//! The banks of shared memory: how many passes an access takes (CUDA C Programming Guide 5.5, G.3.3 and G.4.3).

use crate::config::{BankRule, SharedConfig};
use crate::exec::Row32;

/// Passes of one warp access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Over all groups of lanes.
    pub total: u32,
    /// What the access needs without any conflict.
    pub least: u32,
}

/// Passes that lanes `mask` need to access `bytes` bytes each at byte offsets `addr`.
pub fn passes(config: &SharedConfig, addr: &Row32, mask: u32, bytes: u32) -> Passes {
    let mut result = Passes { total: 0, least: 0 };
    let lanes = if config.group >= 32 { u32::MAX } else { (1 << config.group) - 1 };
    let mut first = 0;
    while first < 32 {
        let group = mask & lanes << first;
        if group != 0 {
            // A 64-bit access is made as two 32-bit requests: the low words, then the high ones.
            for word in 0..bytes.div_ceil(4) {
                result.total += match config.rule {
                    BankRule::OneBroadcast => one_broadcast(config.banks, addr, group, bytes, word * 4),
                    BankRule::Multicast => multicast(config.banks, addr, group, word * 4),
                };
                result.least += 1;
            }
        }
        first += config.group;
    }
    result
}

/// cc 1.x: each pass serves the lanes of one broadcast word (that of the lowest lane left) and one lane of each other
/// bank. Bytes and half-words of one word are different addresses and conflict.
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

/// cc 2.x: each pass serves one word of every bank, to all lanes that ask for it.
fn multicast(banks: u32, addr: &Row32, group: u32, plus: u32) -> u32 {
    let mut left = group;
    let mut passes = 0;
    while left != 0 {
        let mut word_of_bank = [u32::MAX; 32];
        let mut rest = 0;
        let mut lanes = left;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let word = (addr[lane] + plus) / 4;
            let slot = &mut word_of_bank[bank_of(banks, addr[lane] + plus) as usize];
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

    const TESLA: SharedConfig =
        SharedConfig { banks: 16, group: 16, pass_cycles: 2, rule: BankRule::OneBroadcast };

    fn row(f: impl Fn(u32) -> u32) -> Row32 {
        std::array::from_fn(|lane| f(lane as u32))
    }

    fn tesla(f: impl Fn(u32) -> u32, mask: u32, bytes: u32) -> (u32, u32) {
        let p = passes(&TESLA, &row(f), mask, bytes);
        (p.total, p.least)
    }

    #[test]
    fn strides_conflict_by_their_common_factor_with_the_banks() {
        for (stride, ways) in [(1, 1), (2, 2), (3, 1), (4, 4), (5, 1), (8, 8), (16, 16), (17, 1), (32, 16)] {
            assert_eq!(tesla(|l| l * stride * 4, u32::MAX, 4), (2 * ways, 2), "stride {stride} words");
        }
    }

    #[test]
    fn one_word_for_all_is_broadcast() {
        assert_eq!(tesla(|_| 64, u32::MAX, 4), (2, 2));
    }

    #[test]
    fn two_words_of_many_lanes_conflict() {
        // Lanes 0-7 read word 0, lanes 8-15 word 1: the second word has one lane a pass until it is the broadcast one.
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
        let fermi = SharedConfig { banks: 32, group: 32, pass_cycles: 2, rule: BankRule::Multicast };
        assert_eq!(passes(&fermi, &row(|l| l / 8 * 4), u32::MAX, 4).total, 1);
        assert_eq!(passes(&fermi, &row(|l| l), u32::MAX, 1).total, 1);
        assert_eq!(passes(&fermi, &row(|l| l * 8), u32::MAX, 4).total, 2);
    }
}

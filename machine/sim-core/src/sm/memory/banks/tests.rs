//! Examples of bank conflicts of shared memory, and comparison of the fast paths with the general
//! rules.

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
fn a_stride_conflicts_by_its_common_factor_with_the_banks() {
    for (stride, ways) in [(1, 1), (2, 2), (3, 1), (4, 4), (5, 1), (8, 8), (16, 16), (17, 1), (32, 16)] {
        assert_eq!(tesla(|l| l * stride * 4, u32::MAX, 4), (2 * ways, 2), "stride {stride} words");
    }
}

#[test]
fn accesses_known_to_have_no_conflicts_match_the_general_rule() {
    let fermi = SharedConfig { banks: 32, group: 32, rule: BankRule::Multicast, ..TESLA };
    let few = SharedConfig { banks: 8, ..TESLA };
    for (config, least) in [(TESLA, 2), (fermi, 1), (few, 0)] {
        let mut found = 0;
        for (strides, start) in [[0, 0], [4, 4], [0, 4], [4, 0], [8, 8]].into_iter().zip([0, 64, 64, 32, 0]) {
            for second in [start, start + 64, start + 128] {
                let addr = row(|lane| match lane {
                    0..16 => start + lane * strides[0],
                    _ => second + (lane - 16) * strides[1],
                });
                let short = without_conflicts(&config, &addr, Strides::of(&addr), u32::MAX, 4);
                let any = any_passes(&config, &addr, Strides([None; 2]), u32::MAX, 4);
                if let Some(passes) = short {
                    assert_eq!(
                        (passes, passes, least),
                        (any.total, any.least, passes),
                        "{strides:?} {second}"
                    );
                    found += 1;
                }
                for (mask, bytes) in [(u32::MAX >> 1, 4), (u32::MAX, 8), (u32::MAX, 2)] {
                    assert_eq!(without_conflicts(&config, &addr, Strides::of(&addr), mask, bytes), None);
                }
            }
        }
        assert_eq!(found, [0, 2, 12][least as usize], "group of {} lanes", config.group);
    }
}

#[test]
fn regular_addresses_match_the_general_rule() {
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
fn two_rows_match_the_general_rule() {
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
fn atomics_on_words_match_the_general_rule() {
    let config = SharedConfig { banks: 32, group: 32, rule: BankRule::Multicast, ..TESLA };
    let mut random = 1_u32;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        random >> 8
    };
    for (words, masks) in [(1, 3), (2, 10), (40, 200), (256, 500), (4096, 500)] {
        for n in 0..masks {
            let addr: Row32 = std::array::from_fn(|_| 4 * (next() % words));
            let mask = if n == 0 { u32::MAX } else { next() | next() << 24 };
            let expected = any_atomic_passes(&config, &addr, Strides::of(&addr), mask, 4);
            assert_eq!(atomic_words(32, &addr, mask), expected, "{words} words, lanes {mask:x}");
        }
    }
    assert_eq!(atomic_words(32, &[0; 32], 0), any_atomic_passes(&config, &[0; 32], Strides([None; 2]), 0, 4));
}

#[test]
fn one_word_for_all_lanes_is_broadcast() {
    assert_eq!(tesla(|_| 64, u32::MAX, 4), (2, 2));
}

#[test]
fn two_words_of_many_lanes_conflict() {
    // Lanes 0-7 read word 0, lanes 8-15 word 1: the second word is served one lane per pass until
    // it is the broadcast word.
    assert_eq!(tesla(|l| (l % 16 / 8) * 4, 0xffff, 4), (2, 1));
}

#[test]
fn half_warps_do_not_conflict_with_each_other() {
    assert_eq!(tesla(|l| l % 16 * 4, u32::MAX, 4), (2, 2));
    assert_eq!(tesla(|l| l * 4, 0xffff, 4), (1, 1), "an idle half-warp adds no pass");
    assert_eq!(tesla(|l| l * 4, 0, 4), (0, 0));
}

#[test]
fn bytes_of_a_word_conflict_and_doubles_are_two_way() {
    assert_eq!(tesla(|l| l, 0xffff, 1), (4, 1), "four chars share a bank");
    assert_eq!(tesla(|l| l * 8, 0xffff, 8), (4, 2), "two requests of two passes");
}

#[test]
fn fermi_multicasts_several_words_in_one_pass() {
    assert_eq!(fermi(|l| l / 8 * 4, 4), (1, 1), "four words of eight lanes each");
    assert_eq!(fermi(|l| l % 2 * 128, 4), (2, 1), "two words of one bank");
    assert_eq!(fermi(|_| 64, 4), (1, 1));
}

#[test]
fn a_warp_of_fermi_conflicts_within_itself() {
    for (stride, ways) in [(1, 1), (2, 2), (3, 1), (4, 4), (16, 16), (17, 1), (32, 32), (33, 1)] {
        assert_eq!(fermi(|l| l * stride * 4, 4), (ways, 1), "stride {stride} words");
    }
    assert_eq!(fermi(|l| l % 16 * 4 + l / 16 * 128, 4), (2, 1), "the halves conflict in sixteen banks");
}

#[test]
fn bytes_of_a_word_do_not_conflict_on_fermi() {
    assert_eq!(fermi(|l| l, 1), (1, 1));
    assert_eq!(fermi(|l| l * 2, 2), (1, 1));
    assert_eq!(fermi(|l| l % 4 + l / 4 * 128, 1), (8, 1), "eight words of one bank");
}

/// Tests: `coalescing-and-banks`.
#[test]
fn words_of_128_bits_need_four_requests_or_half_a_way_more() {
    assert_eq!(tesla(|l| l * 16, 0xffff, 16), (16, 4), "four requests of four passes");
    assert_eq!(tesla(|_| 64, 0xffff, 16), (4, 4), "each broadcast");
    assert_eq!(fermi(|l| l * 16, 16), (6, 6), "four quarter-warps, one more way for every two");
    assert_eq!(fermi(|_| 64, 16), (6, 6));
    assert_eq!(fermi(|l| l * 32, 16), (10, 6), "two different words of four banks");
}

/// Tests: `coalescing-and-banks`.
#[test]
fn doubles_conflict_within_a_half_warp_of_fermi() {
    assert_eq!(fermi(|l| l * 8, 8), (2, 2), "a pass for each half-warp");
    assert_eq!(fermi(|l| l % 16 * 8 + l / 16 * 1024, 8), (2, 2), "the halves do not conflict");
    assert_eq!(fermi(|l| l / 16 * 8, 8), (2, 2), "one word for each half");
    assert_eq!(fermi(|l| l * 16, 8), (4, 2), "every other pair of banks");
    assert_eq!(fermi(|l| l % 2 * 128, 8), (4, 2), "two words of one pair of banks");
}

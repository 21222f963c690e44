//! Tests of typical and of random control flow.

use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn started(lanes: u32) -> SimtStack {
    let mut stack = SimtStack::empty(4);
    stack.start(lanes);
    stack
}

fn at(stack: &SimtStack) -> (u32, u32) {
    (stack.pc(), stack.mask())
}

#[test]
fn both_sides_of_an_if_run_and_reconverge() {
    // 0: bra 3 | 1, 2: else | 3: then | 4: reconvergence
    let orders = [(FirstPath::LaterInProgram, true), (FirstPath::Taken, true), (FirstPath::NotTaken, false)];
    for (first, jump_first) in orders {
        let mut s = started(0xff);
        assert!(s.branch(0x0f, 3, 4, first));
        assert_eq!(s.depth(), 3);
        if jump_first {
            assert_eq!(at(&s), (3, 0x0f));
            s.advance();
            assert_eq!(at(&s), (1, 0xf0));
            s.advance();
            s.branch(u32::MAX, 4, 4, first);
        } else {
            assert_eq!(at(&s), (1, 0xf0));
            s.advance();
            s.branch(u32::MAX, 4, 4, first);
            assert_eq!(at(&s), (3, 0x0f));
            s.advance();
        }
        assert_eq!((at(&s), s.depth()), ((4, 0xff), 1));
    }
}

#[test]
fn an_empty_side_is_not_pushed_and_a_uniform_branch_does_not_split() {
    let mut s = started(0xff);
    assert!(s.branch(0x0f, 2, 2, FirstPath::Taken));
    assert_eq!((at(&s), s.depth()), ((1, 0xf0), 2));
    s.advance();
    assert_eq!((at(&s), s.depth()), ((2, 0xff), 1));
    assert!(!s.branch(0xffff, 9, 12, FirstPath::Taken));
    assert!(!s.branch(0xff00, 20, 12, FirstPath::Taken));
    assert_eq!((at(&s), s.depth()), ((10, 0xff), 1));
    // Both sides start at the reconvergence point.
    assert!(s.branch(1, 11, 11, FirstPath::Taken));
    assert_eq!((at(&s), s.depth()), ((11, 0xff), 1));
}

#[test]
fn straight_line_code_ends_at_the_reconvergence_point() {
    let mut s = started(0xff);
    s.advance_by(7);
    assert_eq!(at(&s), (7, 0xff));
    assert!(s.branch(0x0f, 2, 12, FirstPath::Taken));
    assert_eq!((at(&s), s.until_reconv()), ((2, 0x0f), 10));
    s.advance_by(0);
    s.advance_by(9);
    assert_eq!((at(&s), s.until_reconv()), ((11, 0x0f), 1));
    s.advance_by(1);
    assert_eq!((at(&s), s.until_reconv()), ((8, 0xf0), 4));
    s.advance_by(4);
    assert_eq!((at(&s), s.depth()), ((12, 0xff), 1));
    assert!(s.until_reconv() > 1_000_000);
}

#[test]
fn nested_branches_reconverge_from_the_inside_out() {
    let mut s = started(0xf);
    s.branch(0b0011, 10, 20, FirstPath::Taken);
    assert_eq!(at(&s), (10, 0b0011));
    s.branch(0b0001, 14, 16, FirstPath::Taken);
    assert_eq!((at(&s), s.depth()), ((14, 0b0001), 5));
    s.branch(1, 16, 0, FirstPath::Taken);
    assert_eq!(at(&s), (11, 0b0010));
    s.branch(2, 16, 0, FirstPath::Taken);
    assert_eq!((at(&s), s.depth()), ((16, 0b0011), 3));
    s.branch(3, 20, 0, FirstPath::Taken);
    assert_eq!(at(&s), (1, 0b1100));
    s.branch(0xc, 20, 0, FirstPath::Taken);
    assert_eq!((at(&s), s.depth()), ((20, 0xf), 1));
}

#[test]
fn a_loop_with_different_trip_counts_does_not_grow_the_stack() {
    // 0: body | 1: bra 0 if lane > round | 2: after
    let mut s = started(u32::MAX);
    for round in 0..31 {
        assert_eq!(at(&s), (0, u32::MAX << round));
        s.advance();
        assert!(s.branch(u32::MAX << (round + 1), 0, 2, FirstPath::LaterInProgram));
        assert_eq!(s.depth(), 2);
    }
    s.advance();
    assert!(!s.branch(0, 0, 2, FirstPath::LaterInProgram));
    assert_eq!((at(&s), s.depth()), ((2, u32::MAX), 1));
}

#[test]
fn lanes_that_break_wait_after_the_loop_for_the_others() {
    // 0: break to 3 | 1: body | 2: bra 0 | 3: after
    let mut s = started(0b111);
    for lane in 0..2 {
        assert!(s.branch(1 << lane, 3, 3, FirstPath::Taken));
        assert_eq!((s.pc(), s.depth()), (1, 2));
        s.advance();
        assert!(!s.branch(u32::MAX, 0, TO_EXIT, FirstPath::Taken));
    }
    assert_eq!(at(&s), (0, 0b100));
    assert!(!s.branch(0b100, 3, 3, FirstPath::Taken));
    assert_eq!((at(&s), s.depth()), ((3, 0b111), 1));
}

#[test]
fn lanes_that_exit_on_one_side_are_not_waited_for() {
    let mut s = started(0xf);
    s.branch(0x3, 5, 8, FirstPath::Taken);
    s.exit(0x1);
    assert_eq!(at(&s), (6, 0x2));
    s.exit(0x2);
    assert_eq!(at(&s), (1, 0xc));
    s.branch(0xc, 8, TO_EXIT, FirstPath::Taken);
    assert_eq!((at(&s), s.depth()), ((8, 0xc), 1));
    s.exit(0xc);
    assert_eq!((s.depth(), s.mask()), (0, 0));
}

#[test]
fn sides_without_reconvergence_run_one_after_the_other() {
    let mut s = started(0x3);
    assert!(s.branch(0x1, 7, TO_EXIT, FirstPath::NotTaken));
    assert_eq!((at(&s), s.depth()), ((1, 0x2), 2));
    s.exit(0x2);
    assert_eq!((at(&s), s.depth()), ((7, 0x1), 1));
    s.exit(0x1);
    assert_eq!(s.depth(), 0);
}

/// Tests: `reconvergence-stack`.
#[test]
fn the_deepest_stack_is_within_its_bound_and_never_reallocates() {
    // Each branch keeps one lane fewer on the running side and has a different reconvergence point.
    let mut s = started(u32::MAX);
    let room = s.below.capacity();
    for k in 1..32 {
        let (target, reconv) = (100 * k, 100_000 - k);
        assert!(s.branch(u32::MAX << k, target, reconv, FirstPath::Taken));
    }
    assert_eq!((s.depth(), s.below.capacity()), (MAX_DEPTH, room));
    assert_eq!(s.clone(), s);
}

/// Tests: `reconvergence-stack`, `verified-programs-do-not-panic`.
#[test]
fn no_program_loses_a_lane_or_exceeds_the_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut deepest = 0;
    for _ in 0..2000 {
        let mut s = started(u32::MAX);
        let mut live = u32::MAX;
        for _ in 0..200 {
            // Any target and any reconvergence point, more irregular than in real programs.
            let lanes = rng.random::<u32>();
            match rng.random_range(0..40) {
                0 => {
                    live &= !(lanes & s.mask());
                    s.exit(lanes & s.mask());
                }
                1..30 => {
                    let reconv = rng.random_range(0..30);
                    let reconv = if reconv == 29 { TO_EXIT } else { reconv };
                    s.branch(lanes, rng.random_range(0..30), reconv, FirstPath::LaterInProgram);
                }
                _ => s.advance(),
            }
            deepest = deepest.max(s.depth());
            let entries: Vec<_> = s.entries().collect();
            assert_eq!(entries.iter().fold(0, |all, e| all | e.mask), live);
            for (i, a) in entries.iter().enumerate() {
                assert!(a.mask != 0 && a.pc != a.reconv);
                // An entry above is a subset of this entry or disjoint from it.
                assert!(entries[i + 1..].iter().all(|b| a.mask & b.mask == 0 || b.mask & !a.mask == 0));
            }
            if live == 0 {
                break;
            }
        }
    }
    assert!((12..=MAX_DEPTH).contains(&deepest), "{deepest}");
}

#[test]
fn each_waiting_lane_is_listed_once_with_its_position() {
    // 0: bra 5 | 1: else | 5: then, a loop with an exit at 7 | 7: reconvergence
    let mut s = started(0xff);
    let waiting =
        |s: &SimtStack| s.waiting().map(|w| (w.lanes, w.pc, w.until, w.arrived)).collect::<Vec<_>>();
    assert_eq!(waiting(&s), []);
    assert!(s.branch(0x0f, 5, 7, FirstPath::Taken));
    assert_eq!(waiting(&s), [(0xf0, 1, 7, false)], "no lane waits at the reconvergence point");
    // Lanes 0 and 1 leave the loop: they wait where the sides reconverge.
    assert!(s.branch(0x3, 7, 7, FirstPath::Taken));
    assert_eq!((at(&s), s.reconv()), ((6, 0x0c), 7));
    assert_eq!(waiting(&s), [(0xf0, 1, 7, false), (0x03, 7, TO_EXIT, true)]);
    s.advance();
    assert_eq!(waiting(&s), [(0x0f, 7, TO_EXIT, true)]);
}

#[test]
fn returned_lanes_wait_for_the_others_of_their_frame() {
    // 3: call 10 | 10: bra 12 | 11: ret | 12: ret
    let mut s = started(0xff);
    (0..3).for_each(|_| s.advance());
    assert!(s.call(0x3f, 0, 10));
    assert_eq!((at(&s), s.depth(), s.returns()), ((10, 0x3f), 2, &[4][..]));
    let waiting = |s: &SimtStack| s.waiting().map(|w| (w.lanes, w.pc, w.arrived)).collect::<Vec<_>>();
    assert_eq!(waiting(&s), [(0xc0, 4, true)], "lanes that do not call wait at the return address");
    assert!(s.branch(0x0f, 12, TO_EXIT, FirstPath::Taken));
    assert_eq!((at(&s), waiting(&s)), ((12, 0x0f), vec![(0x30, 11, false), (0xc0, 4, true)]));
    s.ret(0x03);
    assert_eq!(at(&s), (13, 0x0c));
    s.ret(0x0c);
    assert_eq!((at(&s), s.returns()), ((11, 0x30), &[4][..]));
    s.ret(0x30);
    assert_eq!((at(&s), s.depth(), s.returns()), ((4, 0xff), 1, &[][..]));
}

#[test]
fn lanes_with_other_targets_call_after_the_first_have_returned() {
    // 1: call through a pointer: lanes 0 and 2 to 10, lane 1 to 20; lane 3 does not call.
    let mut s = started(0xf);
    s.advance();
    assert!(s.call(0b0101, 0b0010, 10));
    assert_eq!((at(&s), s.depth()), ((10, 0b0101), 3));
    s.ret(0b0101);
    assert_eq!((at(&s), s.reconv()), ((1, 0b0010), 2));
    assert!(s.call(0b0010, 0, 20));
    assert_eq!((at(&s), s.depth()), ((20, 0b0010), 2), "its entry would end directly after the call");
    s.ret(0b0010);
    assert_eq!((at(&s), s.depth()), ((2, 0xf), 1));
}

#[test]
fn after_a_return_on_one_side_the_other_lanes_reconverge() {
    // In a frame: 10: bra 14, reconvergence at 16 | 14: some return | 16: the rest reconverges
    let mut s = started(0xf);
    assert!(s.call(0xf, 0, 10));
    assert!(s.branch(0b0011, 14, 16, FirstPath::Taken));
    s.ret(0b0001);
    s.branch(0b0010, 16, TO_EXIT, FirstPath::Taken);
    assert_eq!(at(&s), (11, 0b1100));
    s.branch(0b1100, 16, TO_EXIT, FirstPath::Taken);
    assert_eq!(at(&s), (16, 0b1110));
    s.ret(0b1110);
    assert_eq!((at(&s), s.depth()), ((1, 0xf), 1));
}

#[test]
fn an_exit_in_a_function_ends_lanes_in_all_frames() {
    let mut s = started(0xff);
    assert!(s.call(0xf0, 0, 10) && s.call(0x30, 0, 20));
    s.exit(0x10);
    assert_eq!(at(&s), (21, 0x20));
    s.ret(0x20);
    assert_eq!(at(&s), (11, 0xe0));
    s.exit(0xe0);
    assert_eq!((at(&s), s.returns()), ((1, 0x0f), &[][..]));
    assert!(s.call(0x0f, 0, 30));
    s.exit(0x0f);
    assert_eq!((s.depth(), s.returns().len()), (0, 0));
}

/// Tests: `reconvergence-with-calls`.
#[test]
fn a_call_fails_when_the_stack_is_full() {
    let mut s = SimtStack::empty(2);
    s.start(0xf);
    assert!(s.call(0xf, 0, 10) && s.call(0x7, 0, 20));
    let before = s.clone();
    assert!(!s.call(0x3, 0, 30));
    assert_eq!(s, before, "nothing has changed");
    assert!(s.call(0, 0, 30), "a call without active lanes has no effect");
    assert_eq!(at(&s), (21, 0x7));
}

/// Tests: `reconvergence-with-calls`.
#[test]
fn no_program_with_calls_loses_a_lane_or_exceeds_the_bound() {
    const CALLS: u32 = 6;
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut deepest = (0, 0);
    for _ in 0..2000 {
        let mut s = SimtStack::empty(CALLS);
        s.start(u32::MAX);
        let room = s.below.capacity();
        let mut live = u32::MAX;
        for _ in 0..300 {
            let lanes = rng.random::<u32>();
            let side = s.mask();
            match rng.random_range(0..40) {
                0 => {
                    live &= !(lanes & side);
                    s.exit(lanes & side);
                }
                1..18 => {
                    let reconv = rng.random_range(0..30);
                    let reconv = if reconv == 29 { TO_EXIT } else { reconv };
                    s.branch(lanes, rng.random_range(0..30), reconv, FirstPath::LaterInProgram);
                }
                18..28 => {
                    let more = rng.random::<u32>();
                    let called = if rng.random_range(0..4) == 0 { side } else { lanes & side };
                    let full = s.returns().len() as u32 == CALLS && called != 0;
                    assert_eq!(s.call(called, more, rng.random_range(0..30)), !full);
                }
                28..34 if !s.returns().is_empty() => s.ret(lanes & side),
                _ => s.advance(),
            }
            deepest = deepest.max((s.returns().len(), s.depth()));
            let entries: Vec<_> = s.entries().collect();
            assert_eq!(entries.iter().fold(0, |all, e| all | e.mask), live);
            assert!(entries.is_sorted_by_key(|e| e.frame), "outer frames are below inner ones");
            assert_eq!(entries.last().map_or(0, |e| e.frame as usize), s.returns().len());
            assert!(entries.len() <= MAX_DEPTH + s.returns().len());
            for (i, a) in entries.iter().enumerate() {
                assert!(a.mask != 0 && a.pc != a.reconv);
                assert!(entries[i + 1..].iter().all(|b| a.mask & b.mask == 0 || b.mask & !a.mask == 0));
            }
            assert_eq!(s.waiting().fold(s.mask(), |all, w| all ^ w.lanes), live, "each lane waits once");
            if live == 0 {
                break;
            }
        }
        assert_eq!(s.below.capacity(), room, "it never reallocates");
    }
    assert!(deepest.0 == CALLS as usize && deepest.1 > 12, "{deepest:?}");
}

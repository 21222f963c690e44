//! Tests of each policy with three warps of one SM.

use super::*;
use crate::exec::build::memory;
use crate::sm::scheduler::PolicyKind;
use isa::uop::NO_ROW;

/// Returns the warps in issue order.
fn order<const N: usize>(policy: PolicyKind, code: [Inst; N]) -> Vec<usize> {
    let config = config_with(|c| c.policy = policy);
    let sm = TestSm::new(program(3, code), &config, SCENE).run(400);
    assert_eq!(sm.sm.retired.len(), 1, "{policy} must let every warp finish");
    sm.issued.iter().map(|(_, warp)| *warp).collect()
}

/// Three independent instructions, and a fourth that depends on the third and waits six cycles.
fn burst() -> [Inst; 4] {
    [free_add(0), free_add(1), free_add(2), inst(Op::AddB32, 3, [2, CONST])]
}

#[test]
fn loose_round_robin_selects_the_warps_in_turn() {
    let picks = order(PolicyKind::LooseRoundRobin, burst());
    assert_eq!(picks, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
}

#[test]
fn oldest_first_returns_to_the_oldest_warp_when_it_is_eligible() {
    // In cycle 8 warp 0 is eligible again: the third instruction of warp 2 must wait.
    assert_eq!(order(PolicyKind::OldestFirst, burst()), [0, 0, 0, 1, 1, 1, 2, 2, 0, 0, 2, 1, 1, 2, 2]);
}

#[test]
fn greedy_keeps_its_warp() {
    assert_eq!(order(PolicyKind::GreedyThenOldest, burst()), [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 1, 1, 2, 2]);
}

#[test]
fn two_level_excludes_the_third_warp_until_the_active_set_stalls() {
    let picks = order(PolicyKind::TwoLevel { active: 2 }, burst());
    assert_eq!(picks, [0, 1, 0, 1, 0, 1, 2, 2, 2, 0, 0, 1, 1, 2, 2]);
}

#[test]
fn a_warp_at_a_barrier_leaves_the_active_set() {
    let code = [crate::exec::build::with_imm(Op::BarSync, 0, 0), free_add(0)];
    // Warps 0 and 1 wait: warp 2 enters the active set immediately. Then all warps continue, two at
    // a time.
    let picks = order(PolicyKind::TwoLevel { active: 2 }, code);
    assert_eq!(picks[..3], [0, 1, 2]);
    assert_eq!(picks.len(), 9);
}

#[test]
fn priority_prefers_memory_then_the_longest_wait() {
    assert_eq!(order(PolicyKind::Priority, burst()), order(PolicyKind::LooseRoundRobin, burst()));
    let code = [free_add(0), memory(Op::LdSharedB32, 1, NO_ROW, 0)];
    assert_eq!(order(PolicyKind::Priority, code), [0, 0, 1, 1, 2, 2, 0, 1, 2]);
}

#[test]
fn random_is_repeatable() {
    let picks = order(PolicyKind::Random { seed: 3 }, burst());
    assert_eq!(picks, order(PolicyKind::Random { seed: 3 }, burst()));
    assert!((4..20).any(|seed| order(PolicyKind::Random { seed }, burst()) != picks));
}

//! Tests of second dispatch ports, and of instructions that block other schedulers.

use super::*;
use crate::config::{SecondCost, SecondPort};
use crate::exec::Warp;
use crate::exec::build::{bra, guarded, memory};

/// [`config`] with a second port for multiplications, which occupy the special function units for 8
/// shader cycles.
fn multiplier(change: impl Fn(&mut SmConfig)) -> SmConfig {
    config_with(|c| {
        c.second_port = SecondPort::AnyWarp;
        cost(c, Class::FMul).second = Some(SecondCost { unit: SFU, busy: 8, latency: 28 });
        change(c);
    })
}

fn mul(dst: u16) -> Inst {
    inst(Op::MulFtzF32, dst, [CONST, CONST])
}

/// Tests: `dual-issue`.
#[test]
fn a_multiplication_of_another_warp_is_dual_issued() {
    check(
        || TestSm::new(program(2, [mul(0)]), &multiplier(|_| {}), SCENE),
        &["IIX.", "INI."],
        &["III.", "TQQA"],
    );
    // No instruction of the same warp, and only classes that the second port can issue.
    check_ports([mul(0), mul(1)], &multiplier(|_| {}), "III.", ["III.", "QQQA"]);
    check(
        || TestSm::new(program(2, [free_add(0)]), &multiplier(|_| {}), SCENE),
        &["INIX.", "NINI."],
        &["IIII.", "QQQQA"],
    );
}

/// Checks one warp, with the slots of both ports.
fn check_ports<const N: usize>(code: [Inst; N], config: &SmConfig, warp: &str, ports: [&str; 2]) {
    check(|| TestSm::new(program(1, code), config, SCENE), &[warp], &ports);
}

/// Tests: `dual-issue`.
#[test]
fn the_second_port_waits_for_its_unit_and_has_a_different_latency() {
    // The special function units accept a multiplication in every other issue cycle.
    let warps = ["INNNIXXXXX.", "INNNNIXXXX.", "NINNNNIXXX.", "NNINNNNIXX.", "NNINNNNNIX.", "NNNINNNNNI."];
    let slots = ["IIIIIIIIII.", "TQTQQQQQQQA"];
    check(|| TestSm::new(program(6, [mul(0)]), &multiplier(|_| {}), SCENE), &warps, &slots);
    // The result is ready after 24 cycles in the cores, after 28 in the special function units.
    let code = [mul(0), inst(Op::AddB32, 1, [0, CONST])];
    check(
        || TestSm::new(program(2, code), &multiplier(|_| {}), SCENE),
        &["IEEEEEINIX.", "IEEEEEEINI."],
        &["IEEEEEIIII.", "TAAAAAQQQQA"],
    );
}

/// [`config`] with the cores of two schedulers, and a second port for the warp that issues.
fn superscalar(change: impl Fn(&mut SmConfig)) -> SmConfig {
    config_with(|c| {
        c.second_port = SecondPort::SameWarp;
        c.units[SP as usize].count = 2;
        change(c);
    })
}

/// Tests: `dual-issue`.
#[test]
fn two_independent_instructions_of_a_warp_issue_together() {
    let code = [free_add(0), free_add(1), inst(Op::AddB32, 2, [1, CONST]), free_add(3)];
    // The third instruction waits for the second, and issues together with the fourth.
    check_ports(code, &superscalar(|_| {}), "IEEEEEII.", ["IEEEEEII.", "TAAAAATQA"]);
    // Dependent instructions (read after write, write after write) do not issue together.
    let code = [free_add(0), inst(Op::AddB32, 1, [0, CONST])];
    check_ports(code, &superscalar(|_| {}), "IEEEEEII.", ["IEEEEEII.", "QAAAAAQQA"]);
    check_ports([free_add(0), free_add(0)], &superscalar(|_| {}), "IEEEEEII.", ["IEEEEEII.", "QAAAAAQQA"]);
    // No dual issue to a busy unit, with a sequence, or after a branch.
    let one = superscalar(|c| c.units[SP as usize].count = 1);
    check_ports([free_add(0), free_add(1)], &one, "III.", ["III.", "QQQA"]);
    let slow = superscalar(|c| *cost(c, Class::IntMul) = ClassCost::new(SFU, 2, 24));
    let product = inst(Op::MulLoB32, 0, [CONST, CONST]);
    check_ports([product, free_add(1)], &slow, "IIII.", ["IHII.", "QAQQA"]);
    check_ports([free_add(1), product], &slow, "IIII.", ["IIHI.", "QQAQA"]);
    check_ports([bra(1, 1), free_add(1)], &superscalar(|_| {}), "IFII.", ["IFII.", "QAQQA"]);
}

/// Tests: `dual-issue`.
#[test]
fn replays_go_through_the_first_port() {
    let prepare = |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|l| 8 * l as u32);
    let scene = Scene { prepare, ..SCENE };
    // The second pass of the store uses a slot of the first port.
    let code = [free_add(0), memory(Op::StSharedB32, 3, 1, 0), free_add(2)];
    check(
        || TestSm::new(program(2, code), &superscalar(|_| {}), scene),
        &["IINNINIX.", "NNIININI."],
        &["IRIRIIII.", "TATAQQQQA"],
    );
}

/// [`config`] with two schedulers; a multiplication of one scheduler blocks the other.
fn shutting(change: impl Fn(&mut SmConfig)) -> SmConfig {
    config_with(|c| {
        c.schedulers = 2;
        (c.units[SFU as usize].lanes, c.units[SFU as usize].blocks_others) = (8, true);
        c.units[CONTROL as usize].per_scheduler = true;
        cost(c, Class::FMul).unit = SFU;
        change(c);
    })
}

/// Tests: `double-precision-blocks-both`.
#[test]
fn an_instruction_that_uses_both_schedulers_cores_blocks_the_other() {
    check(
        || TestSm::new(program(2, [mul(0)]), &shutting(|_| {}), SCENE),
        &["INI.", "NII."],
        &["IDI.", "DII."],
    );
    // It waits for a cycle in which the other scheduler has not issued before it: scheduler 0
    // issues first in cycles 0, 2, 4 and 5.
    let prepare = |slot, warp: &mut Warp| warp.p[0] = if slot == 1 { u32::MAX } else { 0 };
    let code = [guarded(bra(2, 2), 0, false), free_add(0), mul(1)];
    check(
        || TestSm::new(program(2, code), &shutting(|_| {}), Scene { prepare, ..SCENE }),
        &["IFINII.", "IFPINI."],
        &["IFIDII.", "IFPIDI."],
    );
    // A sequence blocks the other scheduler in all its slots.
    check(
        || TestSm::new(program(2, [mul(0)]), &shutting(|c| cost(c, Class::FMul).slots = 3), SCENE),
        &["IIINNNI.", "NPPIIII."],
        &["IHHDDDI.", "DDDIHHI."],
    );
}

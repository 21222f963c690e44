//! Larger tables: several causes at once, and several schedulers.

use super::*;
use crate::exec::Warp;
use crate::exec::build::{bra, guarded, memory, with_imm};
use isa::uop::NO_ROW;

#[test]
fn every_cycle_of_two_warps_has_its_place() {
    let slow = config_with(|c| *cost(c, Class::IntMul) = ClassCost { unit: SP, slots: 4, latency: 96 });
    let prepare = |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|lane| 8 * lane as u32);
    let code = [
        inst(Op::MulLoB32, 0, [CONST, CONST]),
        memory(Op::LdSharedB32, 3, 1, 0),
        with_imm(Op::BarSync, 0, 0),
        inst(Op::AddB32, 2, [3, 3]),
    ];
    check(
        || Bench::new(program(2, code), &slow, Scene { prepare, ..SCENE }),
        //0       8     14 17
        &["IIIINNNNIINNIBBBBSIIXX.", "NPPPIIIINPIINIBBBSSSII."],
        &["IHHHIHHHIRIRIIBBBSIIII."],
    );
}

/// [`config`] with two schedulers, changed.
fn two_schedulers(change: impl Fn(&mut SmConfig)) -> SmConfig {
    config_with(|c| {
        c.schedulers = 2;
        change(c);
    })
}

#[test]
fn each_scheduler_issues_its_own_warps() {
    // Control is wide enough for one instruction a hot cycle, additions go two ways.
    let config = two_schedulers(|c| cost(c, Class::FMul).unit = LSU);
    let code = [free_add(0), inst(Op::MulFtzF32, 1, [CONST, CONST])];
    check(|| Bench::new(program(2, code), &config, SCENE), &["IIIX.", "PIII."], &["IIIX.", "PIII."]);
}

#[test]
fn a_unit_taken_in_the_same_cycle_is_busy() {
    check(
        || Bench::new(program(2, [free_add(0), free_add(1)]), &two_schedulers(|_| {}), SCENE),
        &["IIIXX.", "PPIII."],
        &["IIIXX.", "PPIII."],
    );
}

#[test]
fn a_queue_filled_in_the_same_cycle_is_full() {
    let prepare = |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
    let scene = Scene { prepare, ..SCENE };
    let (load, store) = (memory(Op::LdGlobalB32, 0, 1, 0), memory(Op::StGlobalB32, 2, 1, 0));
    // Loads have a unit to themselves: in cycle 1 nothing but the queue, filled by warp 0's store, stops warp 1.
    let config = two_schedulers(|c| {
        c.lsu.queue = 2;
        cost(c, Class::LdGlobal).unit = SP;
    });
    let rows = ["IIIXXXXXXXXXXXXXXX.", "PLLLLLLLIIIXXXXXXX."];
    check(|| Bench::new(program(2, [load, store]), &config, scene), &rows, &rows);
    // The queue is full all the time; in cycle 1 warp 0's shared load also takes the unit.
    let config = two_schedulers(|c| c.lsu.queue = 1);
    let code = [store, memory(Op::LdSharedB32, 2, NO_ROW, 0)];
    let rows = ["IIIXXXXXXXX.", "PPLLLLLLIII."];
    check(|| Bench::new(program(2, code), &config, scene), &rows, &rows);
}

#[test]
fn another_scheduler_changes_why_a_slot_is_empty() {
    // Warp 0 waits for the queue from cycle 3 on; in 4 to 6 warp 1's conflicting shared store has the unit.
    let config = two_schedulers(|c| c.lsu.queue = 1);
    let prepare = |slot, warp: &mut Warp| {
        warp.p[0] = if slot == 1 { u32::MAX } else { 0 };
        warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
        warp.w[2] = std::array::from_fn(|l| 16 * l as u32);
    };
    let store = memory(Op::StGlobalB32, 0, 1, 0);
    let code = [guarded(bra(3, 3), 0, false), store, store, memory(Op::StSharedB32, 0, 2, 0)];
    check(
        || Bench::new(program(2, code), &config, Scene { prepare, ..SCENE }),
        &["IFILPPPLLLIIIIII.", "PIFIIIIIXXXXXXXX."],
        &["IFILPPPLLLIIRRRI.", "PIFIRRRIXXXXXXXX."],
    );
}

#[test]
fn a_block_spread_over_schedulers_leaves_both() {
    let exit = two_schedulers(|c| cost(c, Class::Exit).slots = 2);
    // Control takes an exit in one hot cycle a slot: the second scheduler's has to wait for the next issue cycle.
    check(|| Bench::new(program(2, []), &exit, SCENE), &["IIX.", "PII."], &["IHX.", "PIH."]);
}

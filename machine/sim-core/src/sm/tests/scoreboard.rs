//! Tests of dependencies: an instruction stalls until the ready cycle and issues in it.

use super::*;
use crate::exec::build::{guarded, memory, with_imm};
use isa::sreg::SReg;
use isa::uop::NO_ROW;

/// Checks the only warp of `code`, with one slot per instruction.
fn alone<const N: usize>(code: [Inst; N], config: &SmConfig, row: &str) {
    check_alone(code, config, SCENE, row, row);
}

#[test]
fn a_dependent_instruction_waits_for_exactly_the_latency() {
    let code = [free_add(0), inst(Op::AddB32, 1, [0, CONST])];
    for (latency, row) in [(1, "III."), (4, "III."), (5, "IEII."), (24, "IEEEEEII."), (25, "IEEEEEEII.")] {
        alone(code, &config_with(|c| cost(c, Class::IntAdd).latency = latency), row);
    }
}

#[test]
fn an_independent_instruction_issues_in_the_next_cycle() {
    alone([free_add(0), free_add(1)], &config(), "III.");
    // The second instruction overwrites a source, which was read at issue.
    alone([inst(Op::AddB32, 0, [1, CONST]), free_add(1)], &config(), "III.");
}

#[test]
fn writes_to_a_register_stay_in_order() {
    let slow = config_with(|c| cost(c, Class::IntMul).latency = 24);
    alone([inst(Op::MulLoB32, 0, [1, 1]), free_add(0)], &slow, "IEEEEEII.");
}

#[test]
fn an_instruction_waits_for_its_guard_even_if_it_is_false_in_all_lanes() {
    let compare = inst(Op::SetpEqB32, 0, [CONST, CONST]);
    for negated in [false, true] {
        alone([compare, guarded(free_add(0), 0, negated)], &config(), "IEEEEEII.");
        alone([compare, guarded(free_add(0), 1, negated)], &config(), "III.");
    }
    alone([compare, guarded(bra_to_next(), 0, false)], &config(), "IEEEEEIFI.");
    // An instruction waits also for a result that no lane writes: the scoreboard tracks registers,
    // not lanes.
    let code = [guarded(free_add(0), 1, false), inst(Op::AddB32, 1, [0, CONST])];
    alone(code, &config(), "IEEEEEII.");
}

#[test]
fn an_instruction_waits_for_a_second_result_as_for_the_first() {
    let sum = Inst { dst2: 0, ..inst(Op::AddCcB32, 0, [1, CONST]) };
    alone([sum, inst(Op::AddcB32, 2, [1, CONST, 0])], &config(), "IEEEEEII.");
    alone([sum, inst(Op::AddcB32, 2, [1, CONST, 1])], &config(), "III.");
    // Later writes of the second result wait for it, and it waits for earlier writes.
    alone([sum, inst(Op::SetpEqB32, 0, [1, CONST])], &config(), "IEEEEEII.");
    alone([inst(Op::SetpEqB32, 0, [1, CONST]), sum], &config(), "IEEEEEII.");
}

fn bra_to_next() -> Inst {
    crate::exec::build::bra(2, 2)
}

#[test]
fn register_files_are_tracked_separately() {
    let wide = inst(Op::AddB64, 0, [1, 2]);
    alone([wide, inst(Op::AddB64, 3, [0, 1])], &config(), "IEEEEEII.");
    alone([wide, inst(Op::AddB32, 1, [0, CONST])], &config(), "III.");
    alone([wide, guarded(free_add(1), 0, true)], &config(), "III.");
    alone([inst(Op::CvtB64U32, 0, [0]), inst(Op::CvtB32B64, 0, [0])], &config(), "IEEEEEII.");
    // A 64-bit address.
    let mut load = memory(Op::LdSharedB32, 0, 0, 0);
    load.aux |= Inst::ADDR64;
    alone([wide, load], &config(), "IEEEEEII.");
    alone([free_add(0), load], &config(), "IEEEEEII."); // row 0 is its destination
    alone([free_add(1), load], &config(), "III.");
}

#[test]
fn the_slowest_producer_is_the_stall_reason() {
    let sum = inst(Op::AddB32, 2, [0, 1]);
    let constant = memory(Op::LdParamB32, 0, NO_ROW, 0);
    let shared = memory(Op::LdSharedB32, 1, NO_ROW, 0);
    let with_param = |code| {
        let builder = move || program(1, code).banks(&[0; 4], &[]);
        move |row| check(|| TestSm::new(builder(), &config(), SCENE), &[row], &[row])
    };
    with_param([constant, free_add(1), sum])("IICCCCCCII."); // at 32; the addition's at 28
    with_param([constant, shared, sum])("IISSSSSSSSII."); // 32 and 40
    with_param([shared, constant, sum])("IISSSSSSSII."); // both at 36: the one further away
    with_param([with_imm(Op::MovSreg, 0, SReg::TidX as u32), free_add(1), sum])("IIEEEEEII.");
}

#[test]
fn the_consumer_of_a_load_issues_the_load_latency_after_the_last_reply() {
    let code = [memory(Op::LdGlobalB32, 0, 1, 0), inst(Op::AddB32, 2, [0, CONST])];
    let prepare = |_, warp: &mut crate::exec::Warp| warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
    // The messages of the half-warps leave at 26 and 28.
    for (answer, waits) in [(12, 15), (13, 16), (14, 16), (16, 16), (17, 17)] {
        let row = format!("I{}II.", "M".repeat(waits));
        check_alone(code, &config(), Scene { prepare, answer, ..SCENE }, &row, &row);
    }
}

#[test]
fn all_elements_of_a_vector_are_pending_until_the_last_reply() {
    let mut load = memory(Op::LdGlobalV4B32, 0, 1, 0);
    load.set_dsts([3, 0, 2, 1]);
    let prepare = |_, warp: &mut crate::exec::Warp| warp.w[1] = std::array::from_fn(|l| 4096 + 16 * l as u32);
    // Two transactions of each half-warp leave at 26, 28, 30 and 32; the last reply arrives 12
    // cycles later.
    let row = format!("I{}II.", "M".repeat(16));
    for register in 0..4 {
        for after in [inst(Op::AddB32, 0, [register, CONST]), free_add(register)] {
            check_alone([load, after], &config(), Scene { prepare, ..SCENE }, &row, &row);
        }
    }
}

#[test]
fn a_load_without_active_lanes_completes_after_its_latency() {
    let code = [guarded(memory(Op::LdGlobalB32, 0, 1, 0), 0, false), inst(Op::AddB32, 2, [0, CONST])];
    alone(code, &config(), "IMMMMMII.");
}

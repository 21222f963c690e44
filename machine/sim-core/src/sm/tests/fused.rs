//! Tests of instructions of several micro-ops: their single slot, the registers that they wait for,
//! and the cost of operands from memory.
//!
//! Tests: `fused-instruction-times`.

use super::*;
use crate::config::OperandConfig;
use crate::exec::build::{guarded, memory};
use isa::uop::{ConstValue, NO_ROW};

fn fused(inst: Inst) -> Inst {
    Inst { aux: inst.aux | Inst::FUSED, ..inst }
}

/// A fused operand: loads a word of shared memory at the address in row 3 into row `dst`.
fn operand(dst: u16) -> Inst {
    fused(memory(Op::LdSharedB32, dst, 3, 0))
}

/// [`config`] with operands from shared memory that occupy a unit for `cycles` and delay results by
/// `latency`.
fn costing(cycles: u32, latency: u32) -> SmConfig {
    config_with(|c| c.operands.shared = OperandConfig { cycles, latency })
}

/// Checks the only warp of `code`, with one slot per instruction.
fn alone<const N: usize>(code: [Inst; N], config: &SmConfig, row: &str) {
    check_alone(code, config, SCENE, row, row);
}

#[test]
fn an_operand_needs_no_slot_and_delays_the_result() {
    let code = [operand(0), inst(Op::AddB32, 1, [0, CONST]), inst(Op::AddB32, 2, [1, CONST])];
    for (latency, row) in [(0, "IEEEEEII."), (1, "IEEEEEEII."), (12, "IEEEEEEEEII.")] {
        alone(code, &costing(4, latency), row);
    }
}

#[test]
fn an_operand_keeps_the_unit_busy() {
    let code = [operand(0), inst(Op::AddB32, 1, [0, CONST]), operand(0), inst(Op::AddB32, 2, [0, CONST])];
    for (cycles, row) in [(1, "III."), (4, "III."), (8, "IPII."), (12, "IPPII.")] {
        alone(code, &costing(cycles, 0), row);
    }
    // The operand does not occupy the load/store unit.
    let load = memory(Op::LdSharedB32, 2, NO_ROW, 0);
    alone([operand(0), inst(Op::AddB32, 1, [0, CONST]), load], &costing(12, 0), "III.");
}

#[test]
fn an_instruction_waits_for_the_registers_of_all_its_micro_ops() {
    let sum = inst(Op::AddB32, 2, [0, 1]);
    for before in [0, 1, 2, 3] {
        let zero = inst(Op::AddB32, before, [0, 0]);
        alone([zero, operand(0), sum], &costing(4, 0), "IEEEEEII.");
    }
    let other = inst(Op::AddB32, 2, [0, CONST]);
    alone([free_add(1), operand(0), other], &costing(4, 0), "III.");
    let compare = inst(Op::SetpEqB32, 0, [CONST, CONST]);
    let under = [compare, guarded(operand(0), 0, false), guarded(other, 0, false)];
    alone(under, &costing(4, 0), "IEEEEEII.");
}

#[test]
fn a_fused_operand_does_not_occupy_its_register() {
    alone([operand(0), inst(Op::AddB32, 1, [0, CONST]), free_add(0)], &costing(4, 12), "III.");
}

#[test]
fn a_test_is_ready_with_the_result() {
    let test = fused(inst(Op::SetpEqB32, 0, [1, CONST]));
    alone([free_add(1), test, guarded(free_add(2), 0, false)], &config(), "IEEEEEII.");
    alone([free_add(1), test, guarded(free_add(2), 1, false)], &config(), "III.");
}

/// Every second word: each half-warp needs two passes.
const STRIDED: Scene =
    Scene { prepare: |_, warp| warp.w[3] = std::array::from_fn(|lane| 8 * lane as u32), ..SCENE };

#[test]
fn conflicts_are_replayed_and_delay_the_result() {
    let code = [operand(0), inst(Op::AddB32, 1, [0, CONST]), inst(Op::AddB32, 2, [1, CONST])];
    check_alone(code, &costing(6, 12), STRIDED, "IIEEEEEEEEII.", "IREEEEEEEEII.");
    let sm = TestSm::new(program(1, code), &costing(6, 12), STRIDED).run(100);
    let shared = sm.sm.memory.counters.shared_load;
    assert_eq!((shared.requests, shared.conflict_passes), (1, 2));
}

#[test]
fn an_instruction_is_charged_to_its_main_micro_op() {
    let test = fused(inst(Op::SetpEqB32, 0, [1, CONST]));
    let code = [operand(0), inst(Op::AddB32, 1, [0, CONST]), test];
    let mut sm = TestSm::new(program(1, code), &config(), SCENE).run(100);
    sm.sm.close(100);
    let executed: Vec<u64> = sm.sm.account.pcs.iter().map(|pc| pc.executed).collect();
    assert_eq!((executed, sm.sm.account.instructions()), (vec![0, 1, 0, 1], 2));
}

#[test]
fn constant_operands_have_the_configured_cost() {
    let config = config_with(|c| {
        c.operands.param = OperandConfig { cycles: 8, latency: 4 };
        c.operands.constant = OperandConfig { cycles: 4, latency: 8 };
    });
    let of = |value: ConstValue, row: &str| {
        // Row 5 is the constant after the one that is always ready.
        let code = [inst(Op::AddB32, 0, [CONST, 5]), free_add(1), inst(Op::AddB32, 2, [0, CONST])];
        let make = || {
            let mut sm = TestSm::new(program(1, code).const32(0), &config, SCENE);
            let context = Arc::make_mut(&mut sm.context);
            let mut program = (*context.kernel.program).clone();
            program.const32 = vec![ConstValue::Bits(1), value];
            context.code = super::super::decode::decode_program(&program, &config);
            sm
        };
        check(make, &[row], &[row]);
    };
    of(ConstValue::Bits(0), "IIEEEEII.");
    of(ConstValue::Param { offset: 0 }, "IPIEEEEII.");
    of(ConstValue::Bank { offset: 0 }, "IIEEEEEEII.");
}

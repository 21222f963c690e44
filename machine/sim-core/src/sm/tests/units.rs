//! Tests of units, issue slots and banks.

use super::*;
use crate::exec::build::{bra, memory, with_imm};

#[test]
fn a_unit_of_two_lanes_accepts_an_instruction_every_16_cycles() {
    let slow = |c: &mut SmConfig| cost(c, Class::FMul).unit = SFU;
    let code = [inst(Op::MulFtzF32, 0, [CONST, CONST])];
    check(
        || TestSm::new(program(3, code), &config_with(slow), SCENE),
        &["IIXXXXXXXX.", "NPPPIIXXXX.", "NPPPNPPPII."],
        &["IIPPIIPPII."],
    );
    // Exact to the cycle: with an issue period of 1 the second instruction waits for 15 more
    // cycles.
    let every_cycle = |c: &mut SmConfig| {
        slow(c);
        c.issue_period = 1;
    };
    let (first, second) = (format!("II{}.", "X".repeat(16)), format!("N{}II.", "P".repeat(15)));
    let slots = format!("II{}II.", "P".repeat(14));
    check(|| TestSm::new(program(2, code), &config_with(every_cycle), SCENE), &[&first, &second], &[&slots]);
}

#[test]
fn a_busy_unit_does_not_block_other_units() {
    let slow = config_with(|c| cost(c, Class::FMul).unit = SFU);
    let code = [inst(Op::MulFtzF32, 0, [CONST, CONST]), free_add(1), free_add(2)];
    check_alone(code, &slow, SCENE, "IIII.", "IIII.");
}

#[test]
fn warps_take_turns_without_a_gap() {
    check(
        || TestSm::new(program(2, [free_add(0), free_add(1)]), &config(), SCENE),
        &["ININIX.", "NININI."],
        &["IIIIII."],
    );
}

#[test]
fn a_sequence_occupies_the_port_for_its_slots() {
    let slow = config_with(|c| *cost(c, Class::IntMul) = ClassCost::new(SP, 4, 96));
    let code = [inst(Op::MulLoB32, 0, [CONST, CONST]), free_add(1)];
    check(
        || TestSm::new(program(2, code), &slow, SCENE),
        &["IIIINPPPINIX.", "NPPPIIIININI."],
        &["IHHHIHHHIIII."],
    );
}

#[test]
fn the_wait_of_a_control_sequence_starts_after_its_slots() {
    let barrier = config_with(|c| cost(c, Class::Barrier).slots = 3);
    check(
        || TestSm::new(program(2, [with_imm(Op::BarSync, 0, 0)]), &barrier, SCENE),
        &["IIIBBBBIX.", "NNNIIIBNI."],
        &["IHHIHHBII."],
    );
    let branch = config_with(|c| *cost(c, Class::Branch) = ClassCost::new(CONTROL, 2, 12));
    check_alone([bra(1, 1)], &branch, SCENE, "IIFI.", "IHFI.");
    let exit = config_with(|c| cost(c, Class::Exit).slots = 2);
    check(|| TestSm::new(program(2, []), &exit, SCENE), &["IIXX.", "NNII."], &["IHIH."]);
    let fence = config_with(|c| cost(c, Class::Membar).slots = 3);
    let code = [memory(Op::StGlobalB32, 0, 1, 0), Inst::new(Op::MembarCta)];
    let prepare = |_, warp: &mut crate::exec::Warp| warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
    // The last message of the store leaves at 28.
    check_alone(code, &fence, Scene { prepare, ..SCENE }, "IIIIGGGGI.", "IIHHGGGGI.");
}

#[test]
fn a_bank_conflict_uses_a_slot_for_each_further_pass() {
    let code = [memory(Op::LdSharedB32, 0, 1, 0), inst(Op::AddB32, 2, [0, CONST])];
    let stride = |prepare, ways: usize, scene: Scene| {
        let warp = format!("{}{}II.", "I".repeat(ways), "S".repeat(8));
        let slots = format!("I{}{}II.", "R".repeat(ways - 1), "S".repeat(8));
        check_alone(code, &config(), Scene { prepare, ..scene }, &warp, &slots);
    };
    stride(|_, w| w.w[1] = std::array::from_fn(|l| 4 * l as u32), 1, SCENE);
    stride(|_, w| w.w[1] = std::array::from_fn(|l| 8 * l as u32), 2, SCENE);
    stride(|_, w| w.w[1] = std::array::from_fn(|l| 12 * l as u32), 1, SCENE);
    stride(|_, w| w.w[1] = std::array::from_fn(|l| 64 * l as u32), 16, SCENE);
}

#[test]
fn after_a_conflict_the_port_and_the_warp_continue_immediately() {
    let code = [memory(Op::StSharedB32, 0, 1, 0), free_add(2)];
    let prepare = |_, warp: &mut crate::exec::Warp| warp.w[1] = std::array::from_fn(|l| 16 * l as u32);
    check(
        || TestSm::new(program(2, code), &config(), Scene { prepare, ..SCENE }),
        &["IIIINNNNINIX.", "NPPPIIIININI."],
        &["IRRRIRRRIIII."],
    );
}

#[test]
fn a_reply_during_a_sequence_does_not_end_it() {
    let slow = config_with(|c| *cost(c, Class::IntMul) = ClassCost::new(SP, 10, 96));
    let code = [memory(Op::LdGlobalB32, 0, 1, 0), inst(Op::MulLoB32, 2, [CONST, CONST])];
    let prepare = |_, warp: &mut crate::exec::Warp| warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
    // The replies arrive at 38 and 40, in the last of the ten slots.
    check_alone(code, &slow, Scene { prepare, ..SCENE }, "IIIIIIIIIIII.", "IIHHHHHHHHHI.");
}

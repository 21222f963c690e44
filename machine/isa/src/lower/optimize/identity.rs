//! Algebraic simplification with one known operand, or two equal ones. A micro-op without effect
//! becomes a move, and a micro-op with a cheaper equivalent is replaced by it. Only integers and
//! predicates are simplified: no floating-point operand leaves every other operand unchanged,
//! including NaNs.

use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::uop::{ConstValue, Op, OperandKind};

/// Turns `inst` into a move of a row to its only destination.
pub fn to_move(inst: &mut VInst, from: OperandRow) {
    inst.op = match inst.op.shape().dst() {
        Some(OperandKind::D) => Op::MovB64,
        Some(OperandKind::P) => Op::MovPred,
        _ => Op::MovB32,
    };
    inst.src = [from, OperandRow::None, OperandRow::None, OperandRow::None];
    inst.fusable = false;
}

/// Returns the second operand for which a micro-op of two operands returns the first one.
fn neutral(op: Op) -> Option<u64> {
    match op {
        Op::AddB32
        | Op::AddB64
        | Op::SubB32
        | Op::SubB64
        | Op::OrB32
        | Op::OrB64
        | Op::OrPred
        | Op::XorB32
        | Op::XorB64
        | Op::XorPred
        | Op::ShlB32
        | Op::ShlB64
        | Op::ShrU32
        | Op::ShrU64
        | Op::ShrS32
        | Op::ShrS64 => Some(0),
        Op::MulLoB32
        | Op::Mul16B32
        | Op::MulLoB64
        | Op::AndPred
        | Op::DivU32
        | Op::DivU64
        | Op::DivS32
        | Op::DivS64 => Some(1),
        Op::AndB32 => Some(u32::MAX.into()),
        Op::AndB64 => Some(u64::MAX),
        _ => None,
    }
}

/// Returns the operand that a micro-op of two operands returns whenever it is one of them.
fn absorbing(op: Op) -> Option<u64> {
    match op {
        Op::AndB32 | Op::AndB64 | Op::AndPred | Op::MulLoB32 | Op::Mul16B32 | Op::MulLoB64 => Some(0),
        Op::OrPred => Some(1),
        _ => None,
    }
}

/// Whether the two operands of a micro-op can be exchanged.
pub fn commutes(op: Op) -> bool {
    matches!(
        op,
        Op::AddB32
            | Op::AddB64
            | Op::MulLoB32
            | Op::Mul16B32
            | Op::MulLoB64
            | Op::AndB32
            | Op::AndB64
            | Op::AndPred
            | Op::OrB32
            | Op::OrB64
            | Op::OrPred
            | Op::XorB32
            | Op::XorB64
            | Op::XorPred
    )
}

/// Simplifies a micro-op of the `alu` table. Known operands are already replaced.
pub fn simplify(inst: &mut VInst, code: &mut Code) {
    match inst.op {
        Op::MadLoB32 | Op::Mad16B32 | Op::MadLoB64 | Op::MadWideU32 | Op::MadWideS32 => {
            multiply_add(inst, code);
        }
        Op::SelpB32 | Op::SelpB64 => {
            let [a, b, chosen, _] = inst.src;
            match code.bits(File::P, chosen) {
                _ if a == b => to_move(inst, a),
                Some(0) => to_move(inst, b),
                Some(_) => to_move(inst, a),
                None => {}
            }
        }
        _ => two_operands(inst, code),
    }
}

fn two_operands(inst: &mut VInst, code: &mut Code) {
    let (op, [a, b, ..]) = (inst.op, inst.src);
    let mut files = inst.srcs().map(|(file, _)| file);
    let (Some(first), Some(second), None) = (files.next(), files.next(), files.next()) else { return };
    let known = [(a, b, code.bits(second, b)), (b, a, code.bits(first, a))];
    for (value, other, known) in known.into_iter().take(1 + commutes(op) as usize) {
        let Some(known) = known else { continue };
        if neutral(op) == Some(known) {
            return to_move(inst, value);
        }
        if absorbing(op) == Some(known) {
            return to_move(inst, other);
        }
        if known.is_power_of_two() {
            return by_power_of_two(inst, code, value, known);
        }
    }
}

/// Replaces an unsigned product, quotient or remainder by a power of two with a shift or a mask.
fn by_power_of_two(inst: &mut VInst, code: &mut Code, value: OperandRow, power: u64) {
    let (op, file, by) = match inst.op {
        Op::MulLoB32 | Op::Mul16B32 => (Op::ShlB32, File::W, power.trailing_zeros().into()),
        Op::MulLoB64 => (Op::ShlB64, File::W, power.trailing_zeros().into()),
        Op::DivU32 => (Op::ShrU32, File::W, power.trailing_zeros().into()),
        Op::DivU64 => (Op::ShrU64, File::W, power.trailing_zeros().into()),
        Op::RemU32 => (Op::AndB32, File::W, power - 1),
        Op::RemU64 => (Op::AndB64, File::D, power - 1),
        _ => return,
    };
    inst.op = op;
    inst.src = [value, code.constant(file, ConstValue::Bits(by)), OperandRow::None, OperandRow::None];
    // A remainder by one is zero, which the next step finds.
    two_operands(inst, code);
}

/// Replaces a multiply-add with a factor of 0 or 1, or an addend of 0, by a move, a sum or a
/// product.
fn multiply_add(inst: &mut VInst, code: &mut Code) {
    let [a, b, addend, _] = inst.src;
    let wide = matches!(inst.op, Op::MadWideU32 | Op::MadWideS32);
    let factors = if inst.op == Op::MadLoB64 { File::D } else { File::W };
    let result = if matches!(inst.op, Op::MadLoB32 | Op::Mad16B32) { File::W } else { File::D };
    let (product, sum) = match inst.op {
        Op::MadLoB32 => (Op::MulLoB32, Op::AddB32),
        Op::Mad16B32 => (Op::Mul16B32, Op::AddB32),
        Op::MadWideU32 => (Op::MulWideU32, Op::AddB64),
        Op::MadWideS32 => (Op::MulWideS32, Op::AddB64),
        _ => (Op::MulLoB64, Op::AddB64),
    };
    if code.bits(result, addend) == Some(0) {
        inst.op = product;
        inst.src[2] = OperandRow::None;
        return simplify(inst, code);
    }
    for (value, other) in [(a, b), (b, a)].into_iter().filter(|_| !wide) {
        match code.bits(factors, other) {
            Some(0) => return to_move(inst, addend),
            Some(1) => {
                inst.op = sum;
                inst.src = [value, addend, OperandRow::None, OperandRow::None];
                return simplify(inst, code);
            }
            _ => {}
        }
    }
}

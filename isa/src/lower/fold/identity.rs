//! One operand known, or two the same: what does nothing is a move, and what a cheaper micro-op does as well is that
//! one. Integers and predicates only: no operand of floating point leaves all others as they are, NaNs among them.

use crate::lower::code::{Code, File, Row, VInst};
use crate::uop::{ConstValue, Op, OperandKind};

/// Turns `inst` into a move of a row to its only destination.
pub fn to_move(inst: &mut VInst, from: Row) {
    inst.op = match inst.op.shape().dst() {
        Some(OperandKind::D) => Op::MovB64,
        Some(OperandKind::P) => Op::MovPred,
        _ => Op::MovB32,
    };
    inst.src = [from, Row::None, Row::None, Row::None];
    inst.fusable = false;
}

/// Simplifies a micro-op of an alu row; its operands stand as they will be read.
pub fn simplify(inst: &mut VInst, code: &mut Code) {
    let mut files = [File::W; 4];
    files.iter_mut().zip(inst.srcs()).for_each(|(to, (file, _))| *to = file);
    let [a, b, c, _] = inst.src;
    let [known_a, known_b, known_c] = [0, 1, 2].map(|i| code.bits(files[i], inst.src[i]));
    let ones = if files[0] == File::D { u64::MAX } else { u32::MAX as u64 };
    let mut constant = |file, bits| code.constant(file, ConstValue::Bits(bits));
    match (inst.op, known_a, known_b) {
        (Op::AddB32 | Op::AddB64 | Op::OrB32 | Op::OrB64 | Op::XorB32 | Op::XorB64, Some(0), _)
        | (Op::MulLoB32 | Op::MulLoB64 | Op::AndPred, Some(1), _)
        | (Op::OrPred | Op::XorPred, Some(0), _) => to_move(inst, b),
        (Op::AddB32 | Op::AddB64 | Op::OrB32 | Op::OrB64 | Op::XorB32 | Op::XorB64, _, Some(0))
        | (Op::SubB32 | Op::SubB64, _, Some(0))
        | (Op::ShlB32 | Op::ShrU32 | Op::ShrS32 | Op::ShlB64 | Op::ShrU64 | Op::ShrS64, _, Some(0))
        | (Op::DivU32 | Op::DivS32 | Op::DivU64 | Op::DivS64, _, Some(1))
        | (Op::MulLoB32 | Op::MulLoB64 | Op::AndPred, _, Some(1))
        | (Op::OrPred | Op::XorPred, _, Some(0)) => to_move(inst, a),
        (Op::AndB32 | Op::AndB64, Some(known), _) if known == ones => to_move(inst, b),
        (Op::AndB32 | Op::AndB64, _, Some(known)) if known == ones => to_move(inst, a),
        (Op::AndB32 | Op::AndB64 | Op::MulLoB32 | Op::MulLoB64 | Op::AndPred, Some(0), _) => to_move(inst, a),
        (Op::AndB32 | Op::AndB64 | Op::MulLoB32 | Op::MulLoB64 | Op::AndPred, _, Some(0)) => to_move(inst, b),
        (Op::OrPred, Some(1), _) => to_move(inst, a),
        (Op::OrPred, _, Some(1)) => to_move(inst, b),
        (Op::MulLoB32 | Op::MulLoB64, Some(known), _) if known.is_power_of_two() => {
            shifted(inst, b, constant(File::W, known.trailing_zeros().into()));
        }
        (Op::MulLoB32 | Op::MulLoB64, _, Some(known)) if known.is_power_of_two() => {
            shifted(inst, a, constant(File::W, known.trailing_zeros().into()));
        }
        (Op::DivU32 | Op::DivU64, _, Some(known)) if known.is_power_of_two() => {
            inst.op = if inst.op == Op::DivU32 { Op::ShrU32 } else { Op::ShrU64 };
            inst.src[1] = constant(File::W, known.trailing_zeros().into());
        }
        (Op::RemU32 | Op::RemU64, _, Some(known)) if known.is_power_of_two() => {
            inst.op = if inst.op == Op::RemU32 { Op::AndB32 } else { Op::AndB64 };
            inst.src[1] = constant(files[0], known - 1);
        }
        (Op::MadLoB32 | Op::MadLoB64 | Op::MadWideU32 | Op::MadWideS32, ..) if known_c == Some(0) => {
            inst.op = match inst.op {
                Op::MadLoB32 => Op::MulLoB32,
                Op::MadLoB64 => Op::MulLoB64,
                Op::MadWideU32 => Op::MulWideU32,
                _ => Op::MulWideS32,
            };
            inst.src[2] = Row::None;
            simplify(inst, code);
        }
        (Op::MadLoB32 | Op::MadLoB64, Some(0), _) | (Op::MadLoB32 | Op::MadLoB64, _, Some(0)) => {
            to_move(inst, c);
        }
        (Op::MadLoB32 | Op::MadLoB64, Some(1), _) => summed(inst, b, c),
        (Op::MadLoB32 | Op::MadLoB64, _, Some(1)) => summed(inst, a, c),
        (Op::SelpB32 | Op::SelpB64, ..) if a == b || known_c == Some(1) => to_move(inst, a),
        (Op::SelpB32 | Op::SelpB64, ..) if known_c == Some(0) => to_move(inst, b),
        _ => {}
    }
}

/// A product with a power of two: a shift.
fn shifted(inst: &mut VInst, value: Row, amount: Row) {
    inst.op = if inst.op == Op::MulLoB32 { Op::ShlB32 } else { Op::ShlB64 };
    inst.src = [value, amount, Row::None, Row::None];
}

/// A multiply-add with one: a sum.
fn summed(inst: &mut VInst, a: Row, b: Row) {
    inst.op = if inst.op == Op::MadLoB32 { Op::AddB32 } else { Op::AddB64 };
    inst.src = [a, b, Row::None, Row::None];
}

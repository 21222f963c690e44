//! `%lanemask_lt` and the like, which older chips compute from `%laneid`.

use super::Block;
use crate::ptx::ast::{Instruction, OperandKind, Statement};

/// The masks: a number, which is shifted by the number of the lane, and a number that is then
/// subtracted.
const MASKS: [(&str, u64, u64); 5] = [
    ("%lanemask_eq", 1, 0),
    ("%lanemask_lt", 1, 1),
    ("%lanemask_le", 2, 1),
    ("%lanemask_ge", 0xffff_ffff, 0),
    ("%lanemask_gt", 0xffff_fffe, 0),
];

/// Returns the block for a move of a mask; `None` for another instruction.
pub fn code<'t>(inst: &Instruction<'t>) -> Option<Statement<'t>> {
    let ("mov", [to, from]) = (inst.opcode.name, &*inst.operands) else { return None };
    let OperandKind::Name(name) = from.kind else { return None };
    let (_, number, less) = MASKS.iter().find(|(mask, ..)| *mask == name)?;
    let mut block = Block::new(inst);
    let lane = block.word();
    let source = crate::ptx::ast::Operand { kind: OperandKind::Name("%laneid"), span: from.span };
    block.op("mov.u32", [&lane, &source]);
    let mask = block.word();
    let (number, less) = (block.number(*number), block.number(*less));
    block.op("mov.u32", [&mask, &number]);
    block.op("shl.b32", [&mask, &mask, &lane]);
    block.op("sub.u32", [&mask, &mask, &less]);
    block.last("mov.b32", [to, &mask]);
    Some(block.finish())
}

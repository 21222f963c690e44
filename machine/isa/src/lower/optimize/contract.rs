//! Combines a product with the only sum that uses it into one multiply-add.
//!
//! For integers the result is the same. The optimizer combines them where the hardware has the
//! instruction: 24-bit and 16-bit products always, others from `sm_20` on. For floating point the
//! result differs, because it is rounded once or the product is truncated. PTX allows this where
//! neither instruction names a rounding mode, and it is an option of the user. The multiply-add
//! takes the position of the sum, where the factors must still have the same values; this is
//! checked only within a block.

use super::Context;
use super::facts::Facts;
use super::reach::{Reach, uses};
use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::uop::Op;

/// A product that a sum may use as part of a multiply-add.
#[derive(Clone, Copy)]
struct Product {
    pc: usize,
    op: Op,
    factors: [OperandRow; 2],
    fusable: bool,
}

/// Returns the multiply-add of a product and a sum, if there is one.
fn fused(product: &Product, sum: &VInst, context: &Context) -> Option<Op> {
    let fermi = context.target.major >= 2;
    let integer = match (product.op, sum.op) {
        (Op::Mul24LoU32, Op::AddB32) => Some(Op::Mad24LoU32),
        (Op::Mul24LoS32, Op::AddB32) => Some(Op::Mad24LoS32),
        (Op::Mul16B32, Op::AddB32) => Some(Op::Mad16B32),
        (Op::MulLoB32, Op::AddB32) if fermi => Some(Op::MadLoB32),
        (Op::MulLoB64, Op::AddB64) if fermi => Some(Op::MadLoB64),
        (Op::MulWideU32, Op::AddB64) if fermi => Some(Op::MadWideU32),
        (Op::MulWideS32, Op::AddB64) if fermi => Some(Op::MadWideS32),
        _ => None,
    };
    if integer.is_some() || !(context.fmad && product.fusable && sum.fusable) {
        return integer;
    }
    match (product.op, sum.op) {
        (Op::MulFtzF32, Op::AddFtzF32) => Some(if fermi { Op::FmaFtzF32 } else { Op::MadTruncF32 }),
        (Op::MulFtzF32, Op::AddFtzSatF32) => Some(if fermi { Op::FmaFtzSatF32 } else { Op::MadTruncSatF32 }),
        (Op::MulF32, Op::AddF32) => Some(Op::FmaF32),
        (Op::MulF32, Op::AddSatF32) => Some(Op::FmaSatF32),
        (Op::MulF64, Op::AddF64) => Some(Op::FmaF64),
        _ => None,
    }
}

/// Combines products with sums.
pub fn multiply_adds(code: &mut Code, context: &Context) {
    let places = Reach::new(code);
    let numbers = &places.numbers;
    let uses = uses(code, numbers);
    let mut facts = Facts::<Product>::new(&places);
    let mut keep = vec![true; code.insts.len()];
    for block in &places.order {
        facts.enter(*block);
        for pc in places.flow.range(*block as usize) {
            let inst = &mut code.insts[pc];
            if let Some((op, at, src)) = multiply_add(inst, &places, &facts, context) {
                keep[at] = false;
                (inst.op, inst.src, inst.fusable) = (op, src, false);
            }
            let product = product(pc, inst, &places, &uses);
            let mut sources = [0; 2];
            let registers = inst.srcs().filter_map(|(file, row)| match row {
                OperandRow::Reg(register) => Some(numbers.of((file, register))),
                _ => None,
            });
            let count = sources.iter_mut().zip(registers).map(|(to, register)| *to = register).count();
            facts.pass(pc, inst, product.map(|product| (product, &sources[..count])));
        }
    }
    code.retain(&keep);
}

/// Returns the product that `inst` computes, if its result is read only once.
fn product(pc: usize, inst: &VInst, places: &Reach, uses: &[u32]) -> Option<Product> {
    let multiplies = matches!(
        inst.op,
        Op::Mul24LoU32
            | Op::Mul24LoS32
            | Op::Mul16B32
            | Op::MulLoB32
            | Op::MulLoB64
            | Op::MulWideU32
            | Op::MulWideS32
            | Op::MulFtzF32
            | Op::MulF32
            | Op::MulF64
    );
    let result = places.numbers.of(inst.defs().next()?);
    let [a, b, ..] = inst.src;
    let once = multiplies && uses[result] == 1 && places.is_unique(result);
    once.then_some(Product { pc, op: inst.op, factors: [a, b], fusable: inst.fusable })
}

/// Returns the multiply-add that replaces the sum `inst`: the micro-op, the index of the product,
/// the operands.
fn multiply_add(
    inst: &VInst,
    places: &Reach,
    facts: &Facts<Product>,
    context: &Context,
) -> Option<(Op, usize, [OperandRow; 4])> {
    let file = match inst.op {
        Op::AddB32 | Op::AddF32 | Op::AddSatF32 | Op::AddFtzF32 | Op::AddFtzSatF32 => File::W,
        Op::AddB64 | Op::AddF64 => File::D,
        _ => return None,
    };
    let [a, b, ..] = inst.src;
    [(a, b), (b, a)].into_iter().find_map(|(product, addend)| {
        let OperandRow::Reg(register) = product else { return None };
        let product = facts.get_here(places.numbers.of((file, register)))?;
        let op = fused(product, inst, context)?;
        let [a, b] = product.factors;
        Some((op, product.pc, [a, b, addend, OperandRow::None]))
    })
}

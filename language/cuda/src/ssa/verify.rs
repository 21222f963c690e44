//! Checks a function: every value is defined once and before its uses, jumps pass the parameters of
//! their blocks, and operands have the types that their operations ask for.

use super::cfg::Cfg;
use super::func::{Function, Value};
use super::op::{Binary, Op};
use super::types::Ty;

/// Returns the first violation as a sentence.
pub fn verify(function: &Function) -> Result<(), String> {
    let cfg = Cfg::new(function);
    let place = places(function)?;
    for &block in &cfg.order {
        let data = &function.blocks[block.at()];
        let uses = |user: String, position: u32, operand: Value| -> Result<(), String> {
            let Some(&Some((home, at))) = place.get(operand.at()) else {
                return Err(format!("{user} of b{} uses v{}, which is in no block", block.0, operand.0));
            };
            let before = if home == block { at < position } else { cfg.dominates(home, block) };
            if before { Ok(()) } else { Err(format!("{user} uses v{} before its definition", operand.0)) }
        };
        for (index, &value) in data.insts.iter().enumerate() {
            let mut result = Ok(());
            function.op(value).each(|operand| {
                if result.is_ok() {
                    result = uses(format!("v{}", value.0), index as u32 + 1, operand);
                }
            });
            result?;
            types(function, value)?;
        }
        let mut result = Ok(());
        data.term.each(|operand| {
            if result.is_ok() {
                result = uses(format!("the end of b{}", block.0), u32::MAX, operand);
            }
        });
        result?;
        for jump in data.term.jumps() {
            let params = &function.blocks[jump.to.at()].params;
            let same = params.len() == jump.args.len()
                && params.iter().zip(&jump.args).all(|(p, a)| function.ty(*p) == function.ty(*a));
            if !same {
                return Err(format!("the jump from b{} does not match b{}", block.0, jump.to.0));
            }
        }
    }
    Ok(())
}

type Place = Option<(super::func::Block, u32)>;

/// Block and position of each value: 0 for parameters, else from 1 on.
fn places(function: &Function) -> Result<Vec<Place>, String> {
    let mut place: Vec<Place> = vec![None; function.values.len()];
    for block in function.block_ids() {
        let data = &function.blocks[block.at()];
        let params = data.params.iter().map(|param| (*param, 0));
        let insts = data.insts.iter().enumerate().map(|(index, inst)| (*inst, index as u32 + 1));
        for (value, position) in params.chain(insts) {
            if place[value.at()].replace((block, position)).is_some() {
                return Err(format!("v{} is defined twice", value.0));
            }
        }
    }
    Ok(place)
}

fn types(function: &Function, value: Value) -> Result<(), String> {
    let ty = function.ty(value);
    let of = |operand: Value| function.ty(operand);
    let good = match function.op(value) {
        Op::Copy(a) | Op::Unary(_, a) => of(*a) == ty,
        Op::Binary(Binary::MulWideS | Binary::MulWideU, a, b) => {
            of(*a) == Ty::I32 && of(*b) == Ty::I32 && ty == Ty::I64
        }
        Op::Binary(Binary::Shl | Binary::ShrS | Binary::ShrU, a, b) => of(*a) == ty && of(*b) == Ty::I32,
        Op::Binary(_, a, b) => of(*a) == ty && of(*b) == ty,
        Op::Cmp(_, a, b) => of(*a) == of(*b) && ty == Ty::I1,
        Op::Select(c, a, b) => of(*c) == Ty::I1 && of(*a) == ty && of(*b) == ty,
        Op::Convert(convert, a) => of(*a) == convert.from.ty() && ty == convert.to.ty(),
        Op::Bits(a) => of(*a).bits() == ty.bits(),
        Op::Load { mem, lanes, .. } => {
            if *lanes > 1 {
                ty == Ty::Multi
            } else {
                ty == mem.ty()
            }
        }
        Op::Store { mem, values, .. } => values.iter().all(|each| of(*each) == mem.ty()),
        Op::Extract(a, _) => of(*a) == Ty::Multi,
        _ => true,
    };
    if good {
        Ok(())
    } else {
        Err(format!("v{} has operands of wrong types: {:?}", value.0, function.op(value)))
    }
}

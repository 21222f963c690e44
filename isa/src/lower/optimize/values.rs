//! What registers surely hold where they are read: the source of a move, a constant, the negation
//! of a predicate, a parameter. Reads go there directly; the moves that are left without readers
//! are dead.
//!
//! Parameters and words of constant memory at fixed places cannot change during a launch, and
//! arithmetic takes one of them as an operand, without a load: from shared memory on `sm_1x`, from
//! the constant bank on `sm_20`. Loads and stores take registers only, and so do moves, which would
//! be the load again. A store takes no number as its data either, and an access to global memory
//! none as its address.

use super::reach::Reach;
use super::{Context, address, constant, facts::Facts, identity};
use crate::lower::code::{Code, File, Row, VInst};
use crate::uop::{ConstValue, Inst, Memory, MemoryKind, MemorySpace, Op, Width};

/// What a register holds.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// The same as a row of its file.
    Row(Row),
    /// A predicate: the opposite of another register.
    Not(u32),
}

/// Replaces what is read by what it is known to be.
pub fn propagate(code: &mut Code, context: &Context) {
    let places = Reach::new(code);
    let mut facts = Facts::new(&places);
    let mut keep = vec![true; code.insts.len()];
    // What other functions write is copied at once: nothing else reads it.
    let mut lent = vec![false; places.numbers.len];
    code.lent().for_each(|register| lent[places.numbers.of(register)] = true);
    let mut insts = std::mem::take(&mut code.insts);
    for block in &places.order {
        facts.enter(*block);
        for pc in places.flow.range(*block as usize) {
            let inst = &mut insts[pc];
            keep[pc] = guard(inst, &places, &facts) && !is_idle(inst);
            if !keep[pc] {
                continue;
            }
            operands(inst, code, &places, &facts);
            if constant::is_pure(inst.op) {
                simplify(inst, code);
                keep[pc] = !is_idle(inst);
            }
            if keep[pc] {
                let value = value(inst, code, context, &places, &facts);
                let source = match value {
                    Some((file, Value::Row(Row::Reg(register)))) => Some((file, register)),
                    Some((_, Value::Not(register))) => Some((File::P, register)),
                    _ => None,
                };
                let source = source.map(|register| places.numbers.of(register));
                let value = value.filter(|_| source.is_none_or(|register| !lent[register]));
                facts.pass(pc, inst, value.map(|(_, value)| (value, source.as_slice())));
            }
        }
    }
    code.insts = insts;
    code.retain(&keep);
}

/// A move of a register to itself.
fn is_idle(inst: &VInst) -> bool {
    matches!(inst.op, Op::MovB32 | Op::MovB64 | Op::MovPred) && inst.dst == inst.src[0]
}

/// Replaces the guard by what it is known to be. False if it never lets the micro-op happen.
fn guard(inst: &mut VInst, places: &Reach, facts: &Facts<Value>) -> bool {
    let Some((register, negated)) = inst.guard else { return true };
    match facts.get(places.numbers.of((File::P, register))) {
        Some(Value::Row(Row::Reg(other))) => inst.guard = Some((*other, negated)),
        Some(Value::Not(other)) => inst.guard = Some((*other, !negated)),
        Some(Value::Row(Row::Const(truth))) => {
            inst.guard = None;
            return (*truth == 1) != negated;
        }
        _ => {}
    }
    true
}

/// Whether a constant is that of a launch, and so the one operand that arithmetic can take from
/// memory.
pub fn is_of_launch(code: &Code, file: File, row: Row) -> bool {
    let Row::Const(number) = row else { return false };
    let value = code.pools.get(file as usize).map(|pool| pool[number as usize]);
    matches!(value, Some(ConstValue::Param { .. } | ConstValue::Bank { .. }))
}

/// Replaces each source that is known, if the micro-op can read what it is.
fn operands(inst: &mut VInst, code: &Code, places: &Reach, facts: &Facts<Value>) {
    let (op, pure) = (inst.op, constant::is_pure(inst.op));
    let moves = matches!(op, Op::MovB32 | Op::MovB64 | Op::MovPred);
    let based = address::is_near(op);
    let mut from_memory = None;
    let mut place = 0;
    inst.map_srcs(|file, row| {
        place += 1;
        let Row::Reg(register) = row else { return row };
        let Some(Value::Row(value)) = facts.get(places.numbers.of((file, register))) else { return row };
        let can = match value {
            Row::Const(_) if is_of_launch(code, file, *value) => {
                let can = pure && !moves && from_memory.is_none_or(|taken| taken == (file, *value));
                if can {
                    from_memory = Some((file, *value));
                }
                can
            }
            Row::Const(_) => pure || based && place == 1,
            _ => true,
        };
        if can { *value } else { row }
    });
}

/// Works a micro-op out, if all its operands are known, or makes less of it.
fn simplify(inst: &mut VInst, code: &mut Code) {
    let mut operands = [None; 4];
    for (to, (file, row)) in operands.iter_mut().zip(inst.srcs()) {
        *to = code.bits(file, row);
    }
    let file = inst.dsts().next().map(|(file, _)| file);
    let moves = matches!(inst.op, Op::MovB32 | Op::MovB64 | Op::MovPred);
    match (file, constant::fold(inst.op, operands)) {
        (Some(file), Some(bits)) if !moves => {
            let known = code.constant(file, ConstValue::Bits(bits));
            identity::to_move(inst, known);
        }
        _ => displaced(inst, code).unwrap_or_else(|| identity::simplify(inst, code)),
    }
}

/// The address of a variable plus a number: the address of a place in it.
fn displaced(inst: &mut VInst, code: &mut Code) -> Option<()> {
    let file = match inst.op {
        Op::AddB32 => File::W,
        Op::AddB64 => File::D,
        _ => return None,
    };
    let [a, b, ..] = inst.src;
    let (address, number) = match (code.bits(file, a), code.bits(file, b)) {
        (None, Some(number)) => (a, number),
        (Some(number), None) => (b, number),
        _ => return None,
    };
    let Row::Const(at) = address else { return None };
    let ConstValue::Global { symbol, offset } = code.pools[file as usize][at as usize] else { return None };
    let offset = offset.wrapping_add(number);
    let place = code.constant(file, ConstValue::Global { symbol, offset });
    identity::to_move(inst, place);
    Some(())
}

/// What the micro-op's result is, in terms of other rows.
fn value(
    inst: &VInst,
    code: &mut Code,
    context: &Context,
    places: &Reach,
    facts: &Facts<Value>,
) -> Option<(File, Value)> {
    let file = inst.dsts().next()?.0;
    let from = inst.src[0];
    match inst.op {
        Op::MovB32 | Op::MovB64 | Op::MovPred => {
            // A move of what a register is known to hold is one of that, even if the move cannot
            // read it.
            let known = match from {
                Row::Reg(register) => facts.get(places.numbers.of((file, register))),
                _ => None,
            };
            Some((file, known.copied().unwrap_or(Value::Row(from))))
        }
        Op::NotPred => match from {
            Row::Reg(register) => Some((file, Value::Not(register))),
            _ => None,
        },
        op => {
            let Memory { kind: MemoryKind::Load, space, width: width @ (Width::B32 | Width::B64) } =
                op.memory()?
            else {
                return None;
            };
            let offset = inst.imm;
            let (size, value) = match space {
                MemorySpace::Param => (context.param_bytes, ConstValue::Param { offset }),
                MemorySpace::Const => (context.const_bytes, ConstValue::Bank { offset }),
                MemorySpace::Shared | MemorySpace::Global | MemorySpace::Local | MemorySpace::Generic => {
                    return None;
                }
            };
            if from != Row::None || inst.aux & Inst::VOLATILE != 0 {
                return None;
            }
            let bytes = width.bytes();
            let inside = offset.checked_add(bytes).is_some_and(|end| end <= size);
            if !inside || !offset.is_multiple_of(bytes) {
                return None;
            }
            Some((file, Value::Row(code.constant(file, value))))
        }
    }
}

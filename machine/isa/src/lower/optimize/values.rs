//! Value propagation: replaces a register by its known value where it is read. The value is the
//! source of a move, a constant, the negation of a predicate, or a parameter. Moves that lose all
//! readers become dead code.
//!
//! Parameters and words of constant memory at fixed addresses do not change during a launch.
//! Arithmetic can read one of them as an operand without a load: from shared memory on `sm_1x`,
//! from the constant bank on `sm_20`. Loads, stores and moves only read registers; a move from
//! memory would be the load again. The data of a store and the address of an access to global
//! memory cannot be constants.

use super::reach::Reach;
use super::{Context, address, constant, facts::Facts, identity};
use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::lower::pure::is_pure;
use crate::uop::{ConstValue, Inst, Memory, MemoryKind, MemorySpace, Op, Width};

/// Known value of a register.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// The value of a row in the same file.
    Row(OperandRow),
    /// A predicate: the negation of another register.
    Not(u32),
}

/// Replaces operands and guards by their known values.
pub fn propagate(code: &mut Code, context: &Context) {
    let places = Reach::new(code);
    let mut facts = Facts::new(&places);
    let mut keep = vec![true; code.insts.len()];
    // A register that other functions write is only copied, immediately after the call.
    let mut clobbered = vec![false; places.numbers.len];
    code.clobbered().for_each(|register| clobbered[places.numbers.of(register)] = true);
    let mut insts = std::mem::take(&mut code.insts);
    for block in &places.order {
        facts.enter(*block);
        for pc in places.flow.range(*block as usize) {
            let inst = &mut insts[pc];
            keep[pc] = guard(inst, &places, &facts) && !is_self_move(inst);
            if !keep[pc] {
                continue;
            }
            operands(inst, code, &places, &facts);
            if is_pure(inst.op) {
                simplify(inst, code);
                keep[pc] = !is_self_move(inst);
            }
            if keep[pc] {
                let value = value(inst, code, context, &places, &facts);
                let source = match value {
                    Some((file, Value::Row(OperandRow::Reg(register)))) => Some((file, register)),
                    Some((_, Value::Not(register))) => Some((File::P, register)),
                    _ => None,
                };
                let source = source.map(|register| places.numbers.of(register));
                let value = value.filter(|_| source.is_none_or(|register| !clobbered[register]));
                facts.pass(pc, inst, value.map(|(_, value)| (value, source.as_slice())));
            }
        }
    }
    code.insts = insts;
    code.retain(&keep);
}

/// Whether the micro-op moves a register to itself.
fn is_self_move(inst: &VInst) -> bool {
    matches!(inst.op, Op::MovB32 | Op::MovB64 | Op::MovPred) && inst.dst == inst.src[0]
}

/// Replaces the guard by its known value. Returns false if the micro-op never executes.
fn guard(inst: &mut VInst, places: &Reach, facts: &Facts<Value>) -> bool {
    let Some((register, negated)) = inst.guard else { return true };
    match facts.get(places.numbers.of((File::P, register))) {
        Some(Value::Row(OperandRow::Reg(other))) => inst.guard = Some((*other, negated)),
        Some(Value::Not(other)) => inst.guard = Some((*other, !negated)),
        Some(Value::Row(OperandRow::Const(truth))) => {
            inst.guard = None;
            return (*truth == 1) != negated;
        }
        _ => {}
    }
    true
}

/// Whether a constant is a value of the launch, of which arithmetic can read only one as an operand
/// from memory.
pub fn is_launch_constant(code: &Code, file: File, row: OperandRow) -> bool {
    let OperandRow::Const(number) = row else { return false };
    let value = code.pools.get(file as usize).map(|pool| pool[number as usize]);
    matches!(value, Some(ConstValue::Param { .. } | ConstValue::Bank { .. }))
}

/// Replaces each source by its known value if the micro-op can read it.
fn operands(inst: &mut VInst, code: &Code, places: &Reach, facts: &Facts<Value>) {
    let (op, pure) = (inst.op, is_pure(inst.op));
    let moves = matches!(op, Op::MovB32 | Op::MovB64 | Op::MovPred);
    let based = address::has_static_addresses(op);
    let mut from_memory = None;
    let mut place = 0;
    inst.map_srcs(|file, row| {
        place += 1;
        let OperandRow::Reg(register) = row else { return row };
        let Some(Value::Row(value)) = facts.get(places.numbers.of((file, register))) else { return row };
        let can = match value {
            OperandRow::Const(_) if is_launch_constant(code, file, *value) => {
                let can = pure && !moves && from_memory.is_none_or(|taken| taken == (file, *value));
                if can {
                    from_memory = Some((file, *value));
                }
                can
            }
            OperandRow::Const(_) => pure || based && place == 1,
            _ => true,
        };
        if can { *value } else { row }
    });
}

/// Replaces a micro-op by its constant result if all operands are known, or by a simpler one.
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

/// Replaces the sum of a variable's address and a constant by one address within the variable.
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
    let OperandRow::Const(at) = address else { return None };
    let ConstValue::Global { symbol, offset } = code.pools[file as usize][at as usize] else { return None };
    let offset = offset.wrapping_add(number);
    let place = code.constant(file, ConstValue::Global { symbol, offset });
    identity::to_move(inst, place);
    Some(())
}

/// Returns the result of the micro-op in terms of other rows.
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
            // A move of a register with a known value has the same value, even if the move itself
            // cannot read it directly.
            let known = match from {
                OperandRow::Reg(register) => facts.get(places.numbers.of((file, register))),
                _ => None,
            };
            Some((file, known.copied().unwrap_or(Value::Row(from))))
        }
        Op::NotPred => match from {
            OperandRow::Reg(register) => Some((file, Value::Not(register))),
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
            if from != OperandRow::None || inst.aux & Inst::VOLATILE != 0 {
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

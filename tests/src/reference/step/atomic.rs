//! Atomic operations and reductions: read, compute and write back without interruption.

use super::super::float::{DOUBLE, Number, Round, SINGLE, Way};
use super::super::integer;
use super::float::nan_result;
use super::{Context, Instruction, Operand, Result, Thread, number};
use isa::types::{ScalarType, StateSpace};

impl Thread {
    /// `atom.space.op.type d, [a], b{, c}` and `red.space.op.type [a], b`.
    pub(super) fn atomic(&mut self, inst: &Instruction, context: &mut Context) -> Result<()> {
        let ty = *inst.types.first().ok_or("no type")?;
        let at = usize::from(inst.opcode == "atom");
        let (space, address) = self.place(inst, &inst.operands[at], context)?;
        let operand = |i: usize| match inst.operands.get(at + i) {
            Some(operand) => self.read(operand, ty, context),
            None => Ok(0),
        };
        let (b, c) = (operand(1)?, operand(2)?);
        let memory = self.memory(space, context);
        let old = memory.load(address, ty.bytes())?;
        memory.store(address, ty.bytes(), updated(inst, ty, space, [old, b, c])?)?;
        let destination = if at == 1 { &inst.operands[0] } else { &Operand::Sink };
        self.write(destination, number(old, ty), context)
    }
}

/// Returns the new value after an atomic operation on `old`.
fn updated(inst: &Instruction, ty: ScalarType, space: StateSpace, [old, b, c]: [u64; 3]) -> Result<u64> {
    let [x, y] = [old, b].map(|bits| number(bits, ty));
    let is = |word| inst.has(word);
    let result = if is("cas") {
        if old == b { c.into() } else { old.into() }
    } else if is("exch") {
        b.into()
    } else if is("and") {
        x & y
    } else if is("or") {
        x | y
    } else if is("xor") {
        x ^ y
    } else if is("add") && ty == ScalarType::F32 {
        // Recorded on silicon: subnormals are flushed in global memory, and kept in shared memory.
        let flush = space == StateSpace::Global;
        let [a, b] = [old, b].map(|bits| Number::of(bits, SINGLE, flush));
        let sum = a.plus(b, Round::Nearest).bits(Way { format: SINGLE, round: Round::Nearest, flush });
        sum.unwrap_or(0x7fff_ffff).into()
    } else if is("add") && ty == ScalarType::F64 {
        let [first, second] = [old, b].map(|bits| Number::of(bits, DOUBLE, false));
        let sum = first.plus(second, Round::Nearest).bits(Way {
            format: DOUBLE,
            round: Round::Nearest,
            flush: false,
        });
        sum.unwrap_or_else(|| nan_result("add", &[old, b], DOUBLE)).into()
    } else if is("add") {
        x + y
    } else if is("inc") {
        if x >= y { 0 } else { x + 1 }
    } else if is("dec") {
        if x == 0 || x > y { y } else { x - 1 }
    } else if is("min") {
        x.min(y)
    } else if is("max") {
        x.max(y)
    } else {
        return Err("unknown operation".to_owned());
    };
    Ok(integer::truncate(result, integer::width(ty)))
}

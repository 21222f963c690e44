//! Conversions.

use super::super::float::{DOUBLE, Number, Round, Way};
use super::super::integer;
use super::float::{NAN, QUIET, format, saturated};
use super::{Instruction, Operand, Result, Surroundings, Thread, cut, number, width};
use isa::types::{ScalarType, TypeKind};

/// The least and the greatest value of an integer type.
fn limits(ty: ScalarType) -> (i128, i128) {
    let values = 1i128 << width(ty);
    if integer::signed(ty) { (-values / 2, values / 2 - 1) } else { (0, values - 1) }
}

impl Thread {
    /// `cvt{.round}{.ftz}{.sat}.to.from d, a`.
    pub(super) fn convert(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let &[to, from] = inst.types.as_slice() else { return Err("not two types".to_owned()) };
        let source = match inst.operands[1] {
            Operand::Special(_) => ScalarType::U32,
            _ => from,
        };
        let bits = self.read(&inst.operands[1], source, around)?;
        let float = |ty: ScalarType| ty.kind() == TypeKind::Float;
        // Up to PTX 1.4 what has to do with 64 bits flushes only where it says so.
        let legacy = around.program.version <= (1, 4) && (to.bytes() == 8 || from.bytes() == 8);
        let single = if from == ScalarType::F32 || to == ScalarType::F32 { ScalarType::F32 } else { from };
        let flush = if legacy { inst.has("ftz") } else { inst.flushes(single, around) };
        let (least, most) = limits(to);
        let result = match (float(from), float(to)) {
            (false, false) if inst.has("sat") => number(bits, from).clamp(least, most),
            (false, false) => number(cut(number(bits, from), width(to)), to),
            (true, false) => {
                let round = inst.round().ok_or("no rounding")?;
                // Of a NaN silicon makes the top bit, but 0 of single precision in up to 32 bits.
                let top = from == ScalarType::F64 || to.bytes() == 8;
                let nan = if top { number(1 << (width(to) - 1), to) } else { 0 };
                let whole = Number::of(bits, format(from)?, flush).to_integer(round);
                whole.map_or(nan, |whole| whole.clamp(least, most))
            }
            (false, true) => {
                let round = inst.round().ok_or("no rounding")?;
                let way = Way { format: format(to)?, round, flush: false };
                let result = Number::from_integer(number(bits, from)).bits(way).unwrap_or(NAN);
                if inst.has("sat") { saturated(result, way.format) } else { result }.into()
            }
            (true, true) => between(inst, bits, to, from, flush)?.into(),
        };
        self.write(&inst.operands[0], result, around)
    }
}

/// A conversion from a floating-point type to one.
fn between(inst: &Instruction, bits: u64, to: ScalarType, from: ScalarType, flush: bool) -> Result<u64> {
    let (source, target, round) = (format(from)?, format(to)?, inst.round());
    if to == from && round.is_none() && !flush && !inst.has("sat") {
        // It is a move.
        return Ok(bits);
    }
    // A half has subnormals in any case.
    let keeps = |ty| ty == ScalarType::F16;
    let value = Number::of(bits, source, flush && !keeps(from));
    let value = if to == from { round.map_or(value, |round| value.integral(round)) } else { value };
    let way = Way { format: target, round: round.unwrap_or(Round::Zero), flush: flush && !keeps(to) };
    let result = match value.bits(way) {
        _ if inst.has("sat") && source.is_nan(bits) => 0,
        Some(result) => result,
        None => match (from, to) {
            (ScalarType::F64, ScalarType::F64) => bits | QUIET,
            // Signs and payloads go on, but for `.ftz`.
            (ScalarType::F32, ScalarType::F64) if flush => 0x7fff_ffff_e000_0000,
            (ScalarType::F32, ScalarType::F64) => {
                (bits & source.sign()) << 32
                    | DOUBLE.infinity()
                    | QUIET
                    | (bits & (source.hidden() - 1)) << 29
            }
            (ScalarType::F64, ScalarType::F32) => {
                bits >> 32 & target.sign() | 0x7fc0_0000 | bits >> 29 & (target.hidden() / 2 - 1)
            }
            (_, ScalarType::F16) => 0x7fff,
            _ => NAN,
        },
    };
    Ok(if inst.has("sat") { saturated(result, target) } else { result })
}

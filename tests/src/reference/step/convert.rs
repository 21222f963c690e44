//! Conversions.

use super::super::float::{DOUBLE, Number, Round, Way};
use super::super::integer;
use super::float::{NAN, QUIET, format, saturated};
use super::{Context, Instruction, Operand, Result, Thread, number, truncate, width};
use isa::types::{ScalarType, TypeKind};

/// Returns the least and the greatest value of an integer type.
fn limits(ty: ScalarType) -> (i128, i128) {
    let values = 1i128 << width(ty);
    if integer::signed(ty) { (-values / 2, values / 2 - 1) } else { (0, values - 1) }
}

impl Thread {
    /// `cvt{.round}{.ftz}{.sat}.to.from d, a`.
    pub(super) fn convert(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let &[to, from] = inst.types.as_slice() else { return Err("not two types".to_owned()) };
        let source = match inst.operands[1] {
            Operand::Special(_) => ScalarType::U32,
            _ => from,
        };
        let bits = self.read(&inst.operands[1], source, context)?;
        let float = |ty: ScalarType| ty.kind() == TypeKind::Float;
        // Up to PTX 1.4, conversions with a 64-bit type flush only with `.ftz`.
        let legacy = context.program.version <= (1, 4) && (to.bytes() == 8 || from.bytes() == 8);
        let single = if from == ScalarType::F32 || to == ScalarType::F32 { ScalarType::F32 } else { from };
        let flush = if legacy { inst.has("ftz") } else { inst.flushes(single, context) };
        let (least, most) = limits(to);
        let result = match (float(from), float(to)) {
            (false, false) if inst.has("sat") => number(bits, from).clamp(least, most),
            (false, false) => number(truncate(number(bits, from), width(to)), to),
            (true, false) => {
                let round = inst.round().ok_or("no rounding")?;
                // Silicon converts a NaN to the top bit, but a single-precision NaN to 0 for up to
                // 32 bits.
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
            (true, true) => float_to_float(inst, bits, to, from, flush)?.into(),
        };
        self.write(&inst.operands[0], result, context)
    }
}

/// Converts between floating-point types.
fn float_to_float(
    inst: &Instruction,
    bits: u64,
    to: ScalarType,
    from: ScalarType,
    flush: bool,
) -> Result<u64> {
    let (source, target, round) = (format(from)?, format(to)?, inst.round());
    if to == from && round.is_none() && !flush && !inst.has("sat") {
        // It is a move.
        return Ok(bits);
    }
    // Halves always have subnormals.
    let keeps = |ty| ty == ScalarType::F16;
    let value = Number::of(bits, source, flush && !keeps(from));
    let value = if to == from { round.map_or(value, |round| value.integral(round)) } else { value };
    let way = Way { format: target, round: round.unwrap_or(Round::Zero), flush: flush && !keeps(to) };
    let result = match value.bits(way) {
        _ if inst.has("sat") && source.is_nan(bits) => 0,
        Some(result) => result,
        None => match (from, to) {
            (ScalarType::F64, ScalarType::F64) => bits | QUIET,
            // Signs and payloads are kept, except with `.ftz`.
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

//! Arithmetic in single and double precision.

use super::super::float::{DOUBLE, Format, HALF, Number, Round, SINGLE, Way, extreme, truncated};
use super::{Context, Instruction, Result, Thread};
use isa::types::ScalarType;

/// The NaN of every result in single precision.
pub(super) const NAN: u64 = 0x7fff_ffff;
/// The NaN that double precision generates from operands without NaN.
const INVALID: u64 = 0xfff8_0000_0000_0000;
/// The NaN of `rcp.approx.ftz.f64`, which computes the upper half only.
const INVALID_HALF: u64 = 0x7fff_ffff_0000_0000;
/// Bit that makes a double-precision NaN quiet.
pub(super) const QUIET: u64 = 1 << 51;

/// Returns the bit layout of a floating-point type.
pub(super) fn format(ty: ScalarType) -> Result<Format> {
    match ty {
        ScalarType::F16 => Ok(HALF),
        ScalarType::F32 => Ok(SINGLE),
        ScalarType::F64 => Ok(DOUBLE),
        _ => Err(format!("{ty} is not a floating-point type")),
    }
}

impl Instruction {
    /// Returns the rounding mode of the instruction.
    pub(super) fn round(&self) -> Option<Round> {
        self.words.iter().find_map(|word| match word.as_str() {
            "rn" | "rni" => Some(Round::Nearest),
            "rz" | "rzi" => Some(Round::Zero),
            "rm" | "rmi" => Some(Round::Down),
            "rp" | "rpi" => Some(Round::Up),
            _ => None,
        })
    }

    /// Whether its operands and results of type `ty` are flushed.
    pub(super) fn flushes(&self, ty: ScalarType, context: &Context) -> bool {
        self.has("ftz") || ty == ScalarType::F32 && context.program.target < 20
    }
}

/// Clamps to 0 … 1; NaN becomes 0.
pub(super) fn saturated(bits: u64, format: Format) -> u64 {
    if bits > format.infinity() { 0 } else { bits.min(format.one()) }
}

/// Returns the bits of a NaN result. In double precision it is the NaN operand, made quiet: the
/// second operand before the third before the first, and the dividend before the divisor.
pub(super) fn nan_result(opcode: &str, operands: &[u64], format: Format) -> u64 {
    if format != DOUBLE {
        return NAN;
    }
    let order: &[usize] = if opcode == "div" { &[0, 1] } else { &[1, 2, 0] };
    let nan = order.iter().filter_map(|i| operands.get(*i)).find(|bits| DOUBLE.is_nan(**bits));
    nan.map_or(INVALID, |bits| bits | QUIET)
}

impl Thread {
    pub(super) fn float(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let &[ty] = inst.types.as_slice() else { return Err("not one type".to_owned()) };
        let (format, flush) = (format(ty)?, inst.flushes(ty, context));
        let way = Way { format, round: inst.round().unwrap_or(Round::Nearest), flush };
        let bits = self.sources(inst, ty, context)?;
        if inst.opcode == "copysign" {
            let magnitude = format.magnitude(bits[1]);
            return self.write(&inst.operands[0], (magnitude | bits[0] & format.sign()).into(), context);
        }
        let v: Vec<Number> = bits.iter().map(|bits| Number::of(*bits, format, flush)).collect();
        let one = Number::from_integer(1);
        let chosen = |greater| v[usize::from(!extreme(bits[0], bits[1], format, flush, greater))];
        let result = match inst.opcode.as_str() {
            "add" => v[0].plus(v[1], way.round),
            "sub" => v[0].plus(v[1].negated(), way.round),
            "mul" => v[0].times(v[1]),
            "mad" if format == SINGLE && !context.fused => truncated(v[0], v[1], v[2]),
            "mad" | "fma" => v[0].times(v[1]).plus(v[2], way.round),
            "neg" => v[0].negated(),
            "abs" => Number::of(format.magnitude(bits[0]), format, flush),
            "min" => chosen(false),
            "max" => chosen(true),
            "div" => quotient(inst, &v, format),
            "rcp" => one.over(v[0]),
            "sqrt" => v[0].root(),
            "rsqrt" => one.over(v[0].root()),
            "sin" => v[0].sine(0),
            "cos" => v[0].sine(1),
            "lg2" => v[0].logarithm(),
            "ex2" => v[0].power_of_two(),
            _ => return Err("unknown".to_owned()),
        };
        let result = result.bits(way).unwrap_or_else(|| match inst.opcode.as_str() {
            "rcp" if format == DOUBLE && inst.has("approx") => INVALID_HALF,
            opcode => nan_result(opcode, &bits, format),
        });
        let result = if inst.has("sat") { saturated(result, format) } else { result };
        self.write(&inst.operands[0], result.into(), context)
    }

    /// `testp.question.type p, a`.
    pub(super) fn testp(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let &[ty] = inst.types.as_slice() else { return Err("not one type".to_owned()) };
        let format = format(ty)?;
        let magnitude = format.magnitude(self.read(&inst.operands[1], ty, context)?);
        let (infinity, subnormal) = (format.infinity(), (1..format.hidden()).contains(&magnitude));
        let holds = match inst.first() {
            "finite" => magnitude < infinity,
            "infinite" => magnitude == infinity,
            "number" => magnitude <= infinity,
            "notanumber" => magnitude > infinity,
            // A zero counts as normal.
            "normal" => magnitude < infinity && !subnormal,
            "subnormal" => subnormal,
            question => return Err(format!("question `{question}`")),
        };
        self.write(&inst.operands[0], holds.into(), context)
    }
}

/// Returns `v[0] / v[1]`. According to the manual, `.approx`, which PTX 1.0 to 1.3 omits,
/// multiplies the dividend by 0 if the divisor is above 2^126.
fn quotient(inst: &Instruction, v: &[Number], format: Format) -> Number {
    let approximate = format == SINGLE && inst.round().is_none() && !inst.has("full");
    let divisor = v[1].bits(Way { format, round: Round::Zero, flush: false }).unwrap_or(0);
    if approximate && (0x7e80_0001..0x7f80_0000).contains(&format.magnitude(divisor)) {
        return v[0].times(Number::of(divisor & format.sign(), format, false));
    }
    v[0].over(v[1])
}

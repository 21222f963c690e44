//! Instructions of a thread that compute in single precision, or convert from it or to it.

use super::float::{self, Round, Rounding, Way};
use super::integer::{self, cut, number, width};
use super::read::{Instruction, Operand};
use super::step::{Result, Surroundings, Thread};
use isa::types::{ScalarType, TypeKind};

const ONE: u32 = 0x3f80_0000;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;

impl Instruction {
    /// The rounding that it names.
    fn round(&self) -> Option<Round> {
        self.words.iter().find_map(|word| match word.as_str() {
            "rn" | "rni" => Some(Round::Nearest),
            "rz" | "rzi" => Some(Round::Zero),
            "rm" | "rmi" => Some(Round::Down),
            "rp" | "rpi" => Some(Round::Up),
            _ => None,
        })
    }
}

/// Clamped to 0 … 1; a NaN is 0.
fn saturated(bits: u32) -> u32 {
    match bits {
        0..ONE => bits,
        ONE..=INFINITY => ONE,
        _ => 0,
    }
}

/// The number rounded to an integral one, whose zero has the number's sign.
fn integral(bits: u32, way: Way) -> u32 {
    // From 2^23 on all numbers are integral.
    match float::to_integer(bits, way) {
        Some(whole) if whole.abs() < 1 << 23 => float::from_integer(whole, Round::Zero) & !SIGN | bits & SIGN,
        _ => float::clean(bits, way.flush),
    }
}

/// A half from its number in units of 2^-24, which is the distance of its subnormals.
fn half(bits: u32, way: Way) -> u32 {
    let negative = bits & SIGN != 0;
    let sign = if negative { 0x8000 } else { 0 };
    let magnitude = float::clean(bits & !SIGN, way.flush);
    if magnitude > INFINITY {
        return 0x7fff;
    }
    if magnitude == INFINITY {
        return sign | 0x7c00;
    }
    // Digits and the exponent of the last of them.
    let exponent = (magnitude >> 23).max(1) as i32 - 150;
    let digits = u128::from(magnitude & 0x7f_ffff | if magnitude >> 23 == 0 { 0 } else { 1 << 23 });
    let length = 128 - digits.leading_zeros() as i32;
    // The last place of the half: eleven digits, but not below 2^-24.
    let last = (exponent + length - 11).max(-24);
    let mut kept = if last > exponent {
        float::without(digits, (last - exponent) as u32, negative, way.round)
    } else {
        digits << (exponent - last)
    } as u32;
    let mut last = last;
    if kept == 1 << 11 {
        (kept, last) = (kept >> 1, last + 1);
    }
    if last + 10 > 15 {
        return sign | if float::stops(negative, way.round) { 0x7bff } else { 0x7c00 };
    }
    sign | if kept < 1 << 10 { kept } else { ((last + 25) as u32) << 10 | kept & 0x3ff }
}

/// The single that a half is.
fn of_half(half: u32) -> u32 {
    let (sign, exponent, fraction) = ((half & 0x8000) << 16, half >> 10 & 0x1f, half & 0x3ff);
    match (exponent, fraction) {
        (0x1f, 0) => sign | INFINITY,
        (0x1f, _) => float::NAN,
        (0, 0) => sign,
        (0, _) => {
            let length = 32 - fraction.leading_zeros();
            sign | (length + 102) << 23 | fraction << (24 - length) & 0x7f_ffff
        }
        _ => sign | (exponent + 112) << 23 | fraction << 13,
    }
}

impl Thread {
    /// Whether an instruction on f32 takes subnormals for zeros.
    fn flushes(inst: &Instruction, around: &Surroundings) -> bool {
        around.program.target < 20 || inst.has("ftz")
    }

    pub(super) fn float(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let flush = Self::flushes(inst, around);
        if ["div", "rcp", "sqrt", "rsqrt"].contains(&inst.opcode.as_str()) {
            let v = self.sources(inst, ScalarType::F32, around)?;
            return self.write(&inst.operands[0], quotient(inst, &v, flush).into(), around);
        }
        let way = Way { round: inst.round().unwrap_or(Round::Nearest), flush };
        let v: Vec<u32> = self.sources(inst, ScalarType::F32, around)?.iter().map(|v| *v as u32).collect();
        let result = match inst.opcode.as_str() {
            "add" => float::add(v[0], v[1], way),
            "sub" => float::sub(v[0], v[1], way),
            "mul" => float::mul(v[0], v[1], way),
            "mad" if !around.fused => float::mad(v[0], v[1], v[2]),
            "mad" | "fma" => float::fma(v[0], v[1], v[2], way),
            "neg" => float::neg(v[0], flush),
            "abs" => float::abs(v[0], flush),
            "min" => float::extreme(v[0], v[1], false, flush),
            "max" => float::extreme(v[0], v[1], true, flush),
            "copysign" => v[0] & SIGN | v[1] & !SIGN,
            _ => return Err("unknown".to_owned()),
        };
        let result = if inst.has("sat") { saturated(result) } else { result };
        self.write(&inst.operands[0], result.into(), around)
    }

    /// `testp.question.f32 p, a`.
    pub(super) fn testp(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        if inst.types != [ScalarType::F32] {
            return Err("not of f32".to_owned());
        }
        let magnitude = self.read(&inst.operands[1], ScalarType::F32, around)? as u32 & !SIGN;
        let subnormal = magnitude > 0 && magnitude < 1 << 23;
        let holds = match inst.words[0].as_str() {
            "finite" => magnitude < INFINITY,
            "infinite" => magnitude == INFINITY,
            "number" => magnitude <= INFINITY,
            "notanumber" => magnitude > INFINITY,
            "normal" => magnitude < INFINITY && !subnormal,
            "subnormal" => subnormal,
            question => return Err(format!("question `{question}`")),
        };
        self.write(&inst.operands[0], holds.into(), around)
    }

    pub(super) fn convert(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let &[to, from] = inst.types.as_slice() else { return Err("not two types".to_owned()) };
        let source = match inst.operands[1] {
            Operand::Special(_) => ScalarType::U32,
            _ => from,
        };
        let bits = self.read(&inst.operands[1], source, around)?;
        let whole = |ty: ScalarType| ty.kind() != TypeKind::Float;
        let sat = inst.has("sat");
        // Up to PTX 1.4 what has to do with 64 bits flushes only where it says so.
        let legacy = around.program.version <= (1, 4) && (to.bytes() == 8 || from.bytes() == 8);
        let flush = if legacy { inst.has("ftz") } else { Self::flushes(inst, around) };
        let single = |bits: u32| i128::from(if sat { saturated(bits) } else { bits });
        let (values, least) = match whole(to) {
            true if integer::signed(to) => (1i128 << (width(to) - 1), -(1i128 << (width(to) - 1))),
            true => (1i128 << width(to), 0),
            false => (0, 0),
        };
        let result = match (from, to, inst.round()) {
            _ if whole(from) && whole(to) && sat => number(bits, from).clamp(least, values - 1),
            _ if whole(from) && whole(to) => number(cut(number(bits, from), width(to)), to),
            (_, ScalarType::F32, Some(round)) if whole(from) => {
                single(float::from_integer(number(bits, from), round))
            }
            (ScalarType::F32, _, Some(round)) if whole(to) => {
                // Of a NaN silicon makes 0, or in 64 bits the top bit.
                let nan = if to.bytes() == 8 { number(1 << 63, to) } else { 0 };
                let integer = float::to_integer(bits as u32, Way { round, flush });
                integer.map_or(nan, |integer| integer.clamp(least, values - 1))
            }
            (ScalarType::F32, ScalarType::F32, Some(round)) => {
                single(integral(bits as u32, Way { round, flush }))
            }
            // Without a modifier it is a move.
            (ScalarType::F32, ScalarType::F32, None) if !flush && !sat => bits.into(),
            (ScalarType::F32, ScalarType::F32, None) => single(float::clean(bits as u32, flush)),
            (ScalarType::F32, ScalarType::F16, Some(round)) => {
                let clamped = if sat { saturated(bits as u32) } else { bits as u32 };
                half(clamped, Way { round, flush }).into()
            }
            (ScalarType::F16, ScalarType::F32, None) => single(of_half(bits as u32)),
            _ => return Err("unknown".to_owned()),
        };
        self.write(&inst.operands[0], result, around)
    }
}

/// Divisions and roots. What is approximated is to nearest as well.
fn quotient(inst: &Instruction, v: &[u64], flush: bool) -> u32 {
    let named = [("rz", Rounding::Zero), ("rm", Rounding::Down), ("rp", Rounding::Up)];
    let rounding = named.into_iter().find(|(word, _)| inst.has(word)).map_or(Rounding::Nearest, |(_, r)| r);
    let a = v[0] as u32;
    match inst.opcode.as_str() {
        "rcp" => float::divide(1f32.to_bits(), a, rounding, flush),
        "sqrt" => float::square_root(a, rounding, flush),
        "rsqrt" => float::reciprocal_root(a, flush),
        // The manual: by a divisor above 2^126 it is multiplied by 0.
        _ if inst.has("approx") && (0x7e80_0001..0x7f80_0000).contains(&(v[1] & 0x7fff_ffff)) => {
            float::mul(a, v[1] as u32 & 1 << 31, Way { round: Round::Nearest, flush })
        }
        _ => float::divide(a, v[1] as u32, rounding, flush),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_and_back() {
        for bits in (0..0x1_0000).filter(|bits| bits & 0x7fff <= 0x7c00) {
            for round in [Round::Nearest, Round::Zero, Round::Down, Round::Up] {
                assert_eq!(half(of_half(bits), Way { round, flush: false }), bits);
            }
        }
        let way = |round| Way { round, flush: false };
        let all =
            |bits| [Round::Nearest, Round::Zero, Round::Down, Round::Up].map(|round| half(bits, way(round)));
        assert_eq!(all(65_520_f32.to_bits()), [0x7c00, 0x7bff, 0x7bff, 0x7c00]);
        assert_eq!(all((-1.0_f32 - 1.0 / 2048.0).to_bits()), [0xbc00, 0xbc00, 0xbc01, 0xbc00]);
        assert_eq!(all(1), [0, 0, 0, 1]);
        assert_eq!(all(0x7fc0_0000), [0x7fff; 4]);
    }
}

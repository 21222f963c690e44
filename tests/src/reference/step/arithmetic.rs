//! Integers: arithmetic, carries, bit fields.

use super::super::bits;
use super::super::integer;
use super::{Context, Instruction, Result, Thread, truncate, width};
use isa::types::ScalarType;

impl Thread {
    pub(super) fn integer(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let &[ty] = inst.types.as_slice() else { return Err("not one type".to_owned()) };
        let v = self.numbers(inst, ty, context)?;
        // A wide product is added in twice the width; shift amounts are words.
        let wide = || -> Result<i128> {
            let twice = if width(ty) == 16 { ScalarType::B32 } else { ScalarType::B64 };
            Ok(self.read(&inst.operands[3], twice, context)?.into())
        };
        let amount = || self.read(&inst.operands[2], ScalarType::U32, context);
        let product = || v[0].wrapping_mul(v[1]);
        let result = match (inst.opcode.as_str(), inst.first()) {
            ("add", _) => v[0] + v[1],
            ("sub", _) => v[0] - v[1],
            ("neg", _) => -v[0],
            ("abs", _) => v[0].abs(),
            ("min", _) => v[0].min(v[1]),
            ("max", _) => v[0].max(v[1]),
            ("sad", _) => v[2] + (v[0] - v[1]).abs(),
            ("mul", "lo" | "wide") => product(),
            ("mul", _) => integer::high(v[0], v[1], ty),
            ("mad", "lo") => product().wrapping_add(v[2]),
            ("mad", "wide") => product().wrapping_add(wide()?),
            ("mad", _) => integer::high(v[0], v[1], ty) + v[2],
            ("mul24", part) => integer::product24(v[0], v[1], ty, part == "lo"),
            ("mad24", part) => integer::product24(v[0], v[1], ty, part == "lo") + v[2],
            ("div", _) => integer::divide(v[0], v[1], false),
            ("rem", _) => integer::divide(v[0], v[1], true),
            ("and", _) => v[0] & v[1],
            ("or", _) => v[0] | v[1],
            ("xor", _) => v[0] ^ v[1],
            ("not", _) => !v[0],
            ("shl", _) => integer::shift_left(v[0], amount()?, ty),
            ("shr", _) => integer::shift_right(v[0], amount()?),
            _ => return Err("unknown".to_owned()),
        };
        let (least, most) = (-(1 << 31), (1 << 31) - 1);
        let result = if inst.has("sat") { result.clamp(least, most) } else { result };
        self.write(&inst.operands[0], result, context)
    }

    /// Sums with the condition code, written with `.cc` and read by instructions that end
    /// with a `c`.
    pub(super) fn carried(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let ty = inst.types[0];
        let v = self.numbers(inst, ty, context)?;
        let read = matches!(inst.opcode.as_str(), "addc" | "subc" | "madc") && self.carry;
        let word = |value: i128| i128::from(truncate(value, width(ty)));
        let result = if inst.opcode.starts_with("mad") {
            let high = integer::high(v[0], v[1], ty);
            word(if inst.first() == "lo" { v[0] * v[1] } else { high }) + word(v[2]) + i128::from(read)
        } else if inst.opcode.starts_with("sub") {
            let whole = inst.opcode == "sub" || self.carry;
            word(v[0]) - word(v[1]) - i128::from(!whole)
        } else {
            word(v[0]) + word(v[1]) + i128::from(read)
        };
        if inst.has("cc") {
            let fits = (0..1 << 32).contains(&result);
            self.carry = fits == inst.opcode.starts_with("sub");
        }
        self.write(&inst.operands[0], result, context)
    }

    /// Bit fields and similar instructions.
    pub(super) fn field(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let ty = inst.types[0];
        let (width, signed) = (width(ty), integer::signed(ty));
        let value = |i: usize| self.read(&inst.operands[i], ty, context);
        let word = |i: usize| self.read(&inst.operands[i], ScalarType::U32, context);
        let a = value(1)?;
        let result = match inst.opcode.as_str() {
            "popc" => bits::count(a, width),
            "clz" => bits::leading(a, width),
            "brev" => bits::reverse(a, width),
            "cnot" => (a == 0).into(),
            "bfind" => bits::find(a, width, signed, inst.has("shiftamt")),
            "bfe" => bits::extract(a, word(2)?, word(3)?, width, signed),
            "bfi" => bits::insert(a, value(2)?, word(3)?, word(4)?, width),
            "prmt" => bits::permute(a, word(2)?, word(3)?, inst.words.last().map_or("", |word| word))?,
            "lop3" => bits::logic(a, value(2)?, value(3)?, word(4)?),
            _ => bits::funnel(a, word(2)?, word(3)?, inst.has("l"), inst.has("clamp")),
        };
        self.write(&inst.operands[0], result, context)
    }
}

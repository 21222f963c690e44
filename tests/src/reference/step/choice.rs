//! Moves, selection and comparison; packing and unpacking of values.

use super::super::float::{self, Number};
use super::super::integer::number;
use super::float::format;
use super::{Context, Instruction, Operand, Result, Thread, truncate, width};
use isa::types::{ScalarType, TypeKind};
use std::cmp::Ordering;

impl Thread {
    /// `mov`, `selp`, and instructions with the same effect as `mov`.
    pub(super) fn choose(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let first = match inst.operands.get(3) {
            Some(choice) => self.read(choice, ScalarType::Pred, context)? == 1,
            None => true,
        };
        let value = self.read(&inst.operands[if first { 1 } else { 2 }], inst.types[0], context)?;
        self.write(&inst.operands[0], value.into(), context)
    }

    /// `mov` of parts into a value, the lowest first.
    pub(super) fn pack(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let Operand::List(parts) = &inst.operands[1] else { return Err("no list".to_owned()) };
        let bits = width(inst.types[0]) / parts.len() as u32;
        let ty = if bits == 32 { ScalarType::B32 } else { ScalarType::B16 };
        let mut value = 0;
        for (i, part) in parts.iter().enumerate() {
            value |= i128::from(self.read(part, ty, context)?) << (bits * i as u32);
        }
        self.write(&inst.operands[0], value, context)
    }

    /// `mov` of a value into its parts.
    pub(super) fn unpack(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let Operand::List(parts) = &inst.operands[0] else { return Err("no list".to_owned()) };
        let bits = width(inst.types[0]) / parts.len() as u32;
        let value = self.read(&inst.operands[1], inst.types[0], context)?;
        for (i, part) in parts.iter().enumerate() {
            self.write(part, truncate((value >> (bits * i as u32)).into(), bits).into(), context)?;
        }
        Ok(())
    }

    /// `set.cmp{.bool}.dtype.stype d, a, b{, c}`: all ones or 1.0 for true.
    pub(super) fn set(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let &[to, from] = inst.types.as_slice() else { return Err("not two types".to_owned()) };
        let (holds, combine) = self.condition(inst, from, context)?;
        let yes = if to == ScalarType::F32 { 0x3f80_0000 } else { -1 };
        self.write(&inst.operands[0], if combine(holds) { yes } else { 0 }, context)
    }

    /// `slct.type.ctype d, a, b, c`: `a` if `c` is at least 0.
    pub(super) fn slct(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let &[ty, decides] = inst.types.as_slice() else { return Err("not two types".to_owned()) };
        let c = self.read(&inst.operands[3], decides, context)?;
        let first = if decides == ScalarType::F32 {
            let c = Number::of(c, float::SINGLE, inst.flushes(decides, context));
            float::compare(c, Number::from_integer(0)).is_some_and(Ordering::is_ge)
        } else {
            number(c, decides) >= 0
        };
        let value = self.read(&inst.operands[if first { 1 } else { 2 }], ty, context)?;
        self.write(&inst.operands[0], value.into(), context)
    }

    /// `setp.cmp{.bool}.type p{|q}, a, b{, c}`: `p` is (comparison bool c), `q` is (its negation
    /// bool c).
    pub(super) fn setp(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let (holds, combine) = self.condition(inst, inst.types[0], context)?;
        let (p, q) = match inst.operands[0] {
            Operand::Pair(p, q) => (p, q),
            Operand::Register(p) => (Some(p), None),
            _ => (None, None),
        };
        for (register, value) in [(p, combine(holds)), (q, combine(!holds))] {
            if let Some(register) = register {
                self.now.registers[register] = value.into();
            }
        }
        Ok(())
    }

    /// Returns whether the comparison of operands 1 and 2 holds, and a function that combines the
    /// result with operand 3.
    fn condition<'i>(
        &self,
        inst: &'i Instruction,
        ty: ScalarType,
        context: &Context,
    ) -> Result<(bool, impl Fn(bool) -> bool + use<'i>)> {
        let (a, b) = (self.read(&inst.operands[1], ty, context)?, self.read(&inst.operands[2], ty, context)?);
        let order = if ty.kind() == TypeKind::Float {
            let (format, flush) = (format(ty)?, inst.flushes(ty, context));
            float::compare(Number::of(a, format, flush), Number::of(b, format, flush))
        } else {
            Some(number(a, ty).cmp(&number(b, ty)))
        };
        let holds = holds(&inst.words[0], order)?;
        let c = match inst.operands.get(3) {
            Some(c) => self.read(c, ScalarType::Pred, context)? == 1,
            None => false,
        };
        let combine = move |v: bool| match inst.words[1].as_str() {
            "and" => v && c,
            "or" => v || c,
            "xor" => v != c,
            _ => v,
        };
        Ok((holds, combine))
    }
}

/// Whether a comparison holds; no order means that one of the operands is NaN.
fn holds(comparison: &str, order: Option<Ordering>) -> Result<bool> {
    let Some(order) = order else {
        return Ok(matches!(comparison, "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu" | "nan"));
    };
    Ok(match comparison {
        "eq" | "equ" => order.is_eq(),
        "ne" | "neu" => order.is_ne(),
        "lt" | "ltu" | "lo" => order.is_lt(),
        "le" | "leu" | "ls" => order.is_le(),
        "gt" | "gtu" | "hi" => order.is_gt(),
        "ge" | "geu" | "hs" => order.is_ge(),
        "num" => true,
        "nan" => false,
        _ => return Err(format!("comparison `{comparison}`")),
    })
}

//! Translates operators, conversions and divisions.

use super::Translator;
use crate::code::operations::HALF;
use crate::code::{Binary, Divide, Reg, Unary};
use crate::flow::{Class, Set, of_unary};
use crate::machine::jit::context;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32, F64, I8, I16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

impl Translator<'_> {
    pub(super) fn binary(&mut self, binary: Binary, to: Reg, a: Reg, b: Reg) {
        use Binary as B;
        match binary {
            B::AddI32
            | B::AddU32
            | B::SubI32
            | B::SubU32
            | B::MulI32
            | B::MulU32
            | B::ShlI32
            | B::ShlU32
            | B::ShrI32
            | B::ShrU32 => {
                let (a, b) = (self.low(a), self.low(b));
                let ins = self.builder.ins();
                let value = match binary {
                    B::AddI32 | B::AddU32 => ins.iadd(a, b),
                    B::SubI32 | B::SubU32 => ins.isub(a, b),
                    B::MulI32 | B::MulU32 => ins.imul(a, b),
                    B::ShlI32 | B::ShlU32 => ins.ishl(a, b),
                    B::ShrI32 => ins.sshr(a, b),
                    _ => ins.ushr(a, b),
                };
                if matches!(binary, B::AddI32 | B::SubI32 | B::MulI32 | B::ShlI32 | B::ShrI32) {
                    self.set_signed(to, value);
                } else {
                    self.set_unsigned(to, value);
                }
            }
            B::Add64 | B::Sub64 | B::Mul64 | B::And | B::Or | B::Xor | B::Shl64 | B::ShrI64 | B::ShrU64 => {
                let (a, b) = (self.int(a), self.int(b));
                let ins = self.builder.ins();
                let value = match binary {
                    B::Add64 => ins.iadd(a, b),
                    B::Sub64 => ins.isub(a, b),
                    B::Mul64 => ins.imul(a, b),
                    B::And => ins.band(a, b),
                    B::Or => ins.bor(a, b),
                    B::Xor => ins.bxor(a, b),
                    B::Shl64 => ins.ishl(a, b),
                    B::ShrI64 => ins.sshr(a, b),
                    _ => ins.ushr(a, b),
                };
                self.set_int(to, value);
            }
            B::AddF32 | B::SubF32 | B::MulF32 | B::DivF32 | B::AddF64 | B::SubF64 | B::MulF64 | B::DivF64 => {
                let single = matches!(binary, B::AddF32 | B::SubF32 | B::MulF32 | B::DivF32);
                let class = if single { Class::F32 } else { Class::F64 };
                let (a, b) = (self.get(a, class), self.get(b, class));
                let ins = self.builder.ins();
                let value = match binary {
                    B::AddF32 | B::AddF64 => ins.fadd(a, b),
                    B::SubF32 | B::SubF64 => ins.fsub(a, b),
                    B::MulF32 | B::MulF64 => ins.fmul(a, b),
                    _ => ins.fdiv(a, b),
                };
                self.set(to, class, value);
            }
            B::EqInt | B::NeInt | B::LtSigned | B::LeSigned | B::LtUnsigned | B::LeUnsigned => {
                let condition = match binary {
                    B::EqInt => IntCC::Equal,
                    B::NeInt => IntCC::NotEqual,
                    B::LtSigned => IntCC::SignedLessThan,
                    B::LeSigned => IntCC::SignedLessThanOrEqual,
                    B::LtUnsigned => IntCC::UnsignedLessThan,
                    _ => IntCC::UnsignedLessThanOrEqual,
                };
                let (a, b) = (self.int(a), self.int(b));
                let value = self.builder.ins().icmp(condition, a, b);
                self.set_unsigned(to, value);
            }
            B::EqF32 | B::NeF32 | B::LtF32 | B::LeF32 | B::EqF64 | B::NeF64 | B::LtF64 | B::LeF64 => {
                let single = matches!(binary, B::EqF32 | B::NeF32 | B::LtF32 | B::LeF32);
                let class = if single { Class::F32 } else { Class::F64 };
                let condition = match binary {
                    B::EqF32 | B::EqF64 => FloatCC::Equal,
                    B::NeF32 | B::NeF64 => FloatCC::NotEqual,
                    B::LtF32 | B::LtF64 => FloatCC::LessThan,
                    _ => FloatCC::LessThanOrEqual,
                };
                let (a, b) = (self.get(a, class), self.get(b, class));
                let value = self.builder.ins().fcmp(condition, a, b);
                self.set_unsigned(to, value);
            }
        }
    }

    pub(super) fn unary(&mut self, op: Unary, to: Reg, a: Reg) {
        use Unary as U;
        let (operand, result) = of_unary(op);
        let a = self.get(a, operand.unwrap_or(Class::Int));
        let ins = self.builder.ins();
        let value = match op {
            U::ToI8 | U::ToU8 => {
                let low = ins.ireduce(I8, a);
                return if op == U::ToI8 { self.set_signed(to, low) } else { self.set_unsigned(to, low) };
            }
            U::ToI16 | U::ToU16 => {
                let low = ins.ireduce(I16, a);
                return if op == U::ToI16 { self.set_signed(to, low) } else { self.set_unsigned(to, low) };
            }
            U::ToI32 | U::ToU32 => {
                let low = ins.ireduce(I32, a);
                return if op == U::ToI32 { self.set_signed(to, low) } else { self.set_unsigned(to, low) };
            }
            U::NegI32 | U::NegU32 | U::ComplementI32 | U::ComplementU32 => {
                let low = ins.ireduce(I32, a);
                let ins = self.builder.ins();
                let value = if matches!(op, U::NegI32 | U::NegU32) { ins.ineg(low) } else { ins.bnot(low) };
                let signed = matches!(op, U::NegI32 | U::ComplementI32);
                return if signed { self.set_signed(to, value) } else { self.set_unsigned(to, value) };
            }
            U::IntToBool | U::Not => {
                let condition = if op == U::Not { IntCC::Equal } else { IntCC::NotEqual };
                let value = ins.icmp_imm_s(condition, a, 0);
                return self.set_unsigned(to, value);
            }
            U::F32ToBool => {
                let zero = self.builder.ins().f32const(0.0);
                let value = self.builder.ins().fcmp(FloatCC::NotEqual, a, zero);
                return self.set_unsigned(to, value);
            }
            U::F64ToBool => {
                let zero = self.builder.ins().f64const(0.0);
                let value = self.builder.ins().fcmp(FloatCC::NotEqual, a, zero);
                return self.set_unsigned(to, value);
            }
            U::Neg64 => ins.ineg(a),
            U::Complement64 => ins.bnot(a),
            U::NegF32 | U::NegF64 => ins.fneg(a),
            U::SignedToF32 => ins.fcvt_from_sint(F32, a),
            U::SignedToF64 => ins.fcvt_from_sint(F64, a),
            U::UnsignedToF32 => ins.fcvt_from_uint(F32, a),
            U::UnsignedToF64 => ins.fcvt_from_uint(F64, a),
            U::F32ToF64 => ins.fpromote(F64, a),
            U::F64ToF32 => ins.fdemote(F32, a),
            U::F32ToI64 | U::F32ToU64 | U::F32ToI32 => {
                let wide = ins.fpromote(F64, a);
                self.integer_of(op, wide)
            }
            U::F64ToI64 | U::F64ToU64 | U::F64ToI32 => self.integer_of(op, a),
        };
        self.set(to, result.unwrap_or(Class::Int), value);
    }

    /// A conversion to an integer, with the result of x86-64 for values out of range.
    pub(super) fn integer_of(&mut self, op: Unary, value: Value) -> Value {
        use Unary as U;
        let within = |this: &mut Self, value: Value, low: f64, above: bool, high: f64| {
            let (low, high) = (this.builder.ins().f64const(low), this.builder.ins().f64const(high));
            let condition = if above { FloatCC::GreaterThan } else { FloatCC::GreaterThanOrEqual };
            let one = this.builder.ins().fcmp(condition, value, low);
            let other = this.builder.ins().fcmp(FloatCC::LessThan, value, high);
            this.builder.ins().band(one, other)
        };
        let signed = |this: &mut Self, value: Value| {
            let inside = within(this, value, -HALF, false, HALF);
            let number = this.builder.ins().fcvt_to_sint_sat(I64, value);
            let least = this.builder.ins().iconst(I64, i64::MIN);
            this.builder.ins().select(inside, number, least)
        };
        match op {
            U::F32ToI32 | U::F64ToI32 => {
                let inside = within(self, value, -2_147_483_649.0, true, 2_147_483_648.0);
                let number = self.builder.ins().fcvt_to_sint_sat(I64, value);
                let least = self.builder.ins().iconst(I64, i64::from(i32::MIN));
                self.builder.ins().select(inside, number, least)
            }
            U::F32ToU64 | U::F64ToU64 => {
                let half = self.builder.ins().f64const(HALF);
                let is_low = self.builder.ins().fcmp(FloatCC::LessThan, value, half);
                let low = signed(self, value);
                let rest = self.builder.ins().fsub(value, half);
                let high = signed(self, rest);
                let high = self.builder.ins().bxor_imm_s(high, i64::MIN);
                self.builder.ins().select(is_low, low, high)
            }
            _ => signed(self, value),
        }
    }

    pub(super) fn divide(&mut self, op: Divide, to: Reg, (a, b): (Reg, Reg), pc: usize, live: &Set) {
        let wide = matches!(
            op,
            Divide::DivI64
                | Divide::RemI64
                | Divide::DivU64
                | Divide::RemU64
                | Divide::DivU32
                | Divide::RemU32
        );
        let signed = matches!(op, Divide::DivI32 | Divide::RemI32 | Divide::DivI64 | Divide::RemI64);
        let (a, b) = if wide { (self.int(a), self.int(b)) } else { (self.low(a), self.low(b)) };
        let is_valid = if signed {
            // -1 and 0 leave: the first may overflow. All others are above 1 as unsigned numbers.
            let next = self.builder.ins().iadd_imm_s(b, 1);
            self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, next, 1)
        } else {
            self.builder.ins().icmp_imm_s(IntCC::NotEqual, b, 0)
        };
        self.check(is_valid, pc, live);
        let ins = self.builder.ins();
        let value = match op {
            Divide::DivI32 | Divide::DivI64 => ins.sdiv(a, b),
            Divide::RemI32 | Divide::RemI64 => ins.srem(a, b),
            Divide::DivU32 | Divide::DivU64 => ins.udiv(a, b),
            Divide::RemU32 | Divide::RemU64 => ins.urem(a, b),
        };
        if wide { self.set_int(to, value) } else { self.set_signed(to, value) }
    }

    /// A function of the library that is an instruction of the processor. Returns whether it is.
    pub(super) fn library_in_place(&mut self, function: u32, base: Reg, pc: usize, live: &Set) -> bool {
        let name = self.program.library[function as usize].as_str();
        let class = if name.ends_with('f') { Class::F32 } else { Class::F64 };
        match name {
            "sqrt" | "sqrtf" => {
                let value = self.get(base, class);
                let value = self.builder.ins().sqrt(value);
                self.set(base, class, value);
            }
            "memcpy" | "memmove" => {
                let arguments = [base, base + 1, base + 2].map(|reg| self.int(reg));
                let size = self.constants.get(&(base + 2)).copied();
                self.copy(arguments, size, pc, live);
            }
            "memset" => {
                let arguments = [base, base + 1, base + 2].map(|reg| self.int(reg));
                self.bulk(context::fill as *const () as usize, arguments, pc, live);
            }
            "fabs" | "fabsf" => {
                let value = self.get(base, class);
                let value = self.builder.ins().fabs(value);
                self.set(base, class, value);
            }
            _ => return false,
        }
        true
    }
}

//! One instruction as text.

use super::body::{Body, move_type};
use super::registers::is_immediate;
use crate::ssa::intrin::suffix;
use crate::ssa::{
    Binary, Cmp, Convert, Fence, Intrin, Lowering, Num, Op, Rounding, Shuffle, Ternary, Ty, Unary, Value,
    Vote,
};

impl Body<'_> {
    /// The register of a value, or its constant.
    pub(super) fn operand(&self, value: Value) -> String {
        let ty = self.f.ty(value);
        if !is_immediate(self.f, value) {
            return self.registers.name(self.f, value);
        }
        let bits = self.f.constant(value).unwrap_or(0);
        match ty {
            Ty::F32 => format!("0f{:08X}", bits as u32),
            Ty::F64 => format!("0d{bits:016X}"),
            Ty::I64 => (bits as i64).to_string(),
            Ty::I1 => bits.to_string(),
            Ty::I32 | Ty::Void | Ty::Multi => (bits as u32 as i32).to_string(),
        }
    }

    /// A predicate in a register.
    pub(super) fn predicate(&mut self, value: Value) -> String {
        if !is_immediate(self.f, value) {
            return self.registers.name(self.f, value);
        }
        let name = self.registers.fresh(Ty::I1);
        let bits = self.f.constant(value).unwrap_or(0) & 1;
        self.text(&format!("setp.ne.u32 {name}, {bits}, 0"));
        name
    }

    /// A value in a register.
    pub(super) fn register(&mut self, value: Value) -> String {
        let ty = self.f.ty(value);
        if !is_immediate(self.f, value) {
            return self.registers.name(self.f, value);
        }
        if ty == Ty::I1 {
            return self.predicate(value);
        }
        let name = self.registers.fresh(ty);
        let operand = self.operand(value);
        self.text(&format!("mov.{} {name}, {operand}", move_type(ty)));
        name
    }

    /// Appends the instruction of a value.
    pub(super) fn instruction(&mut self, value: Value) {
        let op = self.f.op(value).clone();
        let ty = self.f.ty(value);
        let d = if matches!(ty, Ty::Void | Ty::Multi) {
            String::new()
        } else {
            self.registers.name(self.f, value)
        };
        match op {
            Op::Param | Op::Const(_) | Op::Undef | Op::Extract(..) => {}
            Op::Unary(op, a) => {
                let name = self.unary(op, ty);
                self.simple(&name, &d, &[a]);
            }
            Op::Binary(op, a, b) => {
                let name = self.binary(op, ty);
                self.simple(&name, &d, &[a, b]);
            }
            Op::Ternary(op, a, b, c) => {
                let name = self.ternary(op, ty);
                self.simple(&name, &d, &[a, b, c]);
            }
            Op::Cmp(cmp, a, b) => {
                let name = self.compare(cmp, self.f.ty(a));
                self.simple(&name, &d, &[a, b]);
            }
            Op::Select(c, a, b) => {
                let (a, b, c) = (self.operand(a), self.operand(b), self.predicate(c));
                self.text(&format!("selp.{} {d}, {a}, {b}, {c}", move_type(ty)));
            }
            Op::Convert(convert, a) => {
                let name = self.conversion(convert);
                let a = self.register(a);
                self.text(&format!("{name} {d}, {a}"));
            }
            Op::Copy(a) => {
                let a = self.operand(a);
                self.text(&format!("mov.{} {d}, {a}", move_type(ty)));
            }
            Op::Bits(a) => {
                let kind = match ty.bits() {
                    64 => "b64",
                    1 => "pred",
                    _ => "b32",
                };
                let a = self.register(a);
                self.text(&format!("mov.{kind} {d}, {a}"));
            }
            Op::Intrin(intrin, args) => self.intrin(intrin, &d, &args),
            Op::Special(register) => self.text(&format!("mov.u32 {d}, {}", register.ptx())),
            Op::Clock(name) => self.text(&format!("mov.{} {d}, {name}", move_type(ty))),
            Op::FuncAddress(function) => {
                let name = self.module.functions[function.at()].name.clone();
                self.text(&format!("mov.u64 {d}, {name}"));
            }
            Op::Address(symbol) => {
                let name = self.module.symbols[symbol.at()].name.clone();
                self.text(&format!("mov.{} {d}, {name}", move_type(ty)));
            }
            Op::Slot(slot) => self.text(&format!("mov.{} {d}, __local_{slot}", move_type(ty))),
            Op::ToGeneric(space, a) => {
                let a = self.register(a);
                self.text(&format!("cvta{}.{} {d}, {a}", space.suffix(), move_type(ty)));
            }
            Op::KernelParam { .. }
            | Op::FuncParam(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Atomic { .. }
            | Op::Tex(_)
            | Op::Query(_)
            | Op::Surface(_) => self.memory(value, &op, &d),
            Op::Call { .. } | Op::CallIndirect { .. } | Op::Library(..) => self.call(value, &op),
            Op::Barrier => self.text("bar.sync 0"),
            Op::Fence(fence) => self.text(match fence {
                Fence::Block => "membar.cta",
                Fence::Device => "membar.gl",
                Fence::System => "membar.sys",
            }),
            Op::Vote(vote, a) => self.vote(vote, &d, a),
            Op::Shuffle(mode, a, lane, bound) => {
                let name = match mode {
                    Shuffle::Index => "shfl.idx.b32",
                    Shuffle::Up => "shfl.up.b32",
                    Shuffle::Down => "shfl.down.b32",
                    Shuffle::Xor => "shfl.bfly.b32",
                };
                self.simple(name, &d, &[a, lane, bound]);
            }
            Op::Asm(asm) => self.asm(value, &asm),
            Op::Plain(text) => self.text(&text),
            Op::Trap => self.text("trap"),
        }
    }

    /// An instruction with a register and operands.
    pub(super) fn simple(&mut self, name: &str, d: &str, operands: &[Value]) {
        let mut text = format!("{name} {d}");
        for &operand in operands {
            text.push_str(", ");
            let predicate = self.f.ty(operand) == Ty::I1;
            let operand = if predicate { self.predicate(operand) } else { self.operand(operand) };
            text.push_str(&operand);
        }
        self.text(&text);
    }

    /// `.ftz` where it must be written.
    pub(super) fn ftz(&self, ty: Ty) -> &'static str {
        if ty == Ty::F32 && self.options.ftz && self.target.is_fermi() { ".ftz" } else { "" }
    }

    fn unary(&self, op: Unary, ty: Ty) -> String {
        let name = match op {
            Unary::Not if ty == Ty::I1 => return "not.pred".to_owned(),
            Unary::Not => return format!("not.b{}", ty.bits()),
            Unary::Neg => "neg",
            Unary::Abs => "abs",
        };
        if ty.is_float() {
            format!("{name}{}.f{}", self.ftz(ty), ty.bits())
        } else {
            format!("{name}.s{}", ty.bits())
        }
    }

    fn binary(&self, op: Binary, ty: Ty) -> String {
        let (z, bits) = (self.ftz(ty), ty.bits());
        if ty.is_float() {
            // Without contraction the rounding is written, so that the assembler keeps it too.
            let rn = if self.options.fmad { "" } else { ".rn" };
            return match op {
                Binary::Add => format!("add{rn}{z}.f{bits}"),
                Binary::Sub => format!("sub{rn}{z}.f{bits}"),
                Binary::Mul => format!("mul{rn}{z}.f{bits}"),
                Binary::FMin => format!("min{z}.f{bits}"),
                Binary::FMax => format!("max{z}.f{bits}"),
                _ if ty == Ty::F64 || self.target.is_fermi() && self.options.prec_div => {
                    format!("div.rn{z}.f{bits}")
                }
                _ => format!("div.full{z}.f32"),
            };
        }
        let logic = if ty == Ty::I1 { "pred".to_owned() } else { format!("b{bits}") };
        match op {
            Binary::Add => format!("add.s{bits}"),
            Binary::Sub | Binary::Diff => format!("sub.s{bits}"),
            Binary::Mul => format!("mul.lo.s{bits}"),
            Binary::MulHiS => format!("mul.hi.s{bits}"),
            Binary::MulHiU => format!("mul.hi.u{bits}"),
            Binary::MulWideS => "mul.wide.s32".to_owned(),
            Binary::MulWideU => "mul.wide.u32".to_owned(),
            Binary::Mul24S => "mul24.lo.s32".to_owned(),
            Binary::Mul24U => "mul24.lo.u32".to_owned(),
            Binary::DivS => format!("div.s{bits}"),
            Binary::DivU | Binary::FDiv => format!("div.u{bits}"),
            Binary::RemS => format!("rem.s{bits}"),
            Binary::RemU => format!("rem.u{bits}"),
            Binary::And => format!("and.{logic}"),
            Binary::Or => format!("or.{logic}"),
            Binary::Xor => format!("xor.{logic}"),
            Binary::Shl => format!("shl.b{bits}"),
            Binary::ShrS => format!("shr.s{bits}"),
            Binary::ShrU => format!("shr.u{bits}"),
            Binary::MinS | Binary::FMin => format!("min.s{bits}"),
            Binary::MinU => format!("min.u{bits}"),
            Binary::MaxS | Binary::FMax => format!("max.s{bits}"),
            Binary::MaxU => format!("max.u{bits}"),
        }
    }

    fn ternary(&self, op: Ternary, ty: Ty) -> String {
        let z = self.ftz(ty);
        match op {
            Ternary::Mad | Ternary::Fma if ty == Ty::F64 => "fma.rn.f64".to_owned(),
            Ternary::Mad | Ternary::Fma if ty == Ty::F32 && self.target.is_fermi() => {
                format!("fma.rn{z}.f32")
            }
            Ternary::Mad | Ternary::Fma if ty == Ty::F32 => "mad.f32".to_owned(),
            Ternary::Mad | Ternary::Fma => format!("mad.lo.s{}", ty.bits()),
            Ternary::MadWideS => "mad.wide.s32".to_owned(),
            Ternary::MadWideU => "mad.wide.u32".to_owned(),
            Ternary::Mad24S => "mad24.lo.s32".to_owned(),
            Ternary::Mad24U => "mad24.lo.u32".to_owned(),
        }
    }

    fn compare(&self, cmp: Cmp, ty: Ty) -> String {
        let bits = ty.bits();
        let name = match cmp {
            Cmp::Eq | Cmp::FEq => "eq",
            Cmp::Ne | Cmp::FNe => "ne",
            Cmp::LtS | Cmp::LtU | Cmp::FLt => "lt",
            Cmp::LeS | Cmp::LeU | Cmp::FLe => "le",
            Cmp::GtS | Cmp::GtU | Cmp::FGt => "gt",
            Cmp::GeS | Cmp::GeU | Cmp::FGe => "ge",
            Cmp::FEqu => "equ",
            Cmp::FNeu => "neu",
            Cmp::FLtu => "ltu",
            Cmp::FLeu => "leu",
            Cmp::FGtu => "gtu",
            Cmp::FGeu => "geu",
        };
        let unsigned = matches!(cmp, Cmp::LtU | Cmp::LeU | Cmp::GtU | Cmp::GeU);
        match (cmp.is_float(), unsigned) {
            (true, _) => format!("setp.{name}{}.f{bits}", self.ftz(ty)),
            (false, true) => format!("setp.{name}.u{bits}"),
            (false, false) => format!("setp.{name}.s{bits}"),
        }
    }

    fn conversion(&self, convert: Convert) -> String {
        let Convert { from, to, rounding, integral } = convert;
        let integer = match rounding {
            Rounding::Near => ".rni",
            Rounding::Zero => ".rzi",
            Rounding::Down => ".rmi",
            Rounding::Up => ".rpi",
        };
        let round = match (from.is_float(), to.is_float()) {
            (false, false) => "",
            (true, false) => integer,
            (true, true) if integral => integer,
            // Widening is exact.
            (true, true) if from == Num::F32 => "",
            _ => suffix(rounding),
        };
        // PTX asks for the types of the value's register where the type is narrow.
        let single = from == Num::F32 || to == Num::F32 && from == Num::F64;
        let z = if single { self.ftz(Ty::F32) } else { "" };
        if !from.is_float() && to.bits() < 32 && from.bits() == 32 {
            let wide = if to.signed() { "s32" } else { "u32" };
            return format!("cvt.{wide}.{}", to.ptx());
        }
        format!("cvt{round}{z}.{}.{}", to.ptx(), from.ptx())
    }

    fn intrin(&mut self, intrin: Intrin, d: &str, args: &[Value]) {
        let Some(&first) = args.first() else { return };
        let ftz = self.options.ftz && self.target.is_fermi();
        let name = intrin.ptx(self.f.ty(first), ftz);
        if let Lowering::Block(_) = intrin.row().lowering {
            let text = name.replace('A', &self.register(first)).replace('D', d);
            self.out.extend(["\t", &text, "\n"]);
            return;
        }
        // Some instructions of Fermi are several older ones below. Only those need registers.
        let older = |operands: &[&str]| {
            let capability = self.target.capability;
            (!self.target.is_fermi()).then(|| isa::retarget::older(&name, operands, capability))?
        };
        if older(&vec!["_"; args.len() + 1]).is_none() {
            return self.simple(&name, d, args);
        }
        let registers: Vec<String> = args.iter().map(|arg| self.register(*arg)).collect();
        let operands: Vec<&str> = [d].into_iter().chain(registers.iter().map(String::as_str)).collect();
        let block = isa::retarget::older(&name, &operands, self.target.capability);
        self.out.extend(["\t", &*block.unwrap_or_default()]);
    }

    fn vote(&mut self, vote: Vote, d: &str, a: Value) {
        let a = self.predicate(a);
        self.text(&match vote {
            Vote::All => format!("vote.all.pred {d}, {a}"),
            Vote::Any => format!("vote.any.pred {d}, {a}"),
            Vote::Ballot => format!("vote.ballot.b32 {d}, {a}"),
            Vote::BarrierAnd => format!("bar.red.and.pred {d}, 0, {a}"),
            Vote::BarrierOr => format!("bar.red.or.pred {d}, 0, {a}"),
            Vote::BarrierCount => format!("bar.red.popc.u32 {d}, 0, {a}"),
        });
    }
}

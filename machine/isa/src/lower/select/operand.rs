//! Operands: checks their types against the rules of the PTX manual, reads them from rows and
//! writes them to rows.

use super::super::code::{File, OperandRow};
use super::super::literal;
use super::super::resolve::{Arg, ArgKind, Inst};
use super::super::scope::VarRef;
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::ptx::forms::{self, Opcode};
use crate::ptx::header::Header;
use crate::span::Span;
use crate::sreg::SReg;
use crate::types::{ScalarType, StateSpace, TypeKind, Version};
use crate::uop::{ConstValue, Op, handle};

/// Whether a register of type `register` can be an operand of an instruction of type `ty`. The
/// sizes must be equal, and a float cannot be used as an integer or vice versa, unless one of the
/// types is untyped bits (PTX ISA, "Operand Type Checking").
pub(super) fn fits(register: ScalarType, ty: ScalarType) -> bool {
    register.bytes() == ty.bytes() && same_kind(register, ty)
}

/// Whether a register fits as in [`fits`], except that a register of integers or bits may be wider
/// than the type, as `ld`, `st` and `cvt` allow (PTX ISA, "Operand Size Exceeding Instruction-Type
/// Size").
pub(super) fn fits_in(register: ScalarType, ty: ScalarType) -> bool {
    let integer =
        |ty: ScalarType| matches!(ty.kind(), TypeKind::Bits | TypeKind::Unsigned | TypeKind::Signed);
    fits(register, ty) || register.bytes() > ty.bytes() && ty.bytes() > 0 && integer(register) && integer(ty)
}

/// Returns a description of the types that [`fits_in`] accepts.
pub(super) fn expected_in(ty: ScalarType) -> String {
    if ty.kind() == TypeKind::Float { format!("a {ty}") } else { format!("a {ty} or wider") }
}

/// Returns a hint how to convert a value of type `from` to type `to`.
fn converted(to: ScalarType, from: ScalarType) -> String {
    let float = |ty: ScalarType| ty.kind() == TypeKind::Float;
    let rounding = match (float(to), float(from)) {
        _ if to == ScalarType::Pred => return format!("compare the value with 0: `setp.ne.{}`", bare(from)),
        _ if from == ScalarType::Pred => return "select a value with `selp`".to_owned(),
        (true, false) => "rn.",
        (false, true) => "rzi.",
        (true, true) if to.bytes() < from.bytes() => "rn.",
        _ => "",
    };
    let convert = format!("convert the value with `cvt.{rounding}{}.{}`", bare(to), bare(from));
    let same_size = to.bytes() == from.bytes();
    if same_size { format!("{convert}, or copy its bits with `mov.b{}`", to.bytes() * 8) } else { convert }
}

/// Returns a type's name without the dot; bits are named as unsigned numbers.
fn bare(ty: ScalarType) -> String {
    if ty.kind() == TypeKind::Bits { format!("u{}", 8 * ty.bytes()) } else { ty.name().to_owned() }
}

fn same_kind(register: ScalarType, ty: ScalarType) -> bool {
    match (register.kind(), ty.kind()) {
        (TypeKind::Pred, other) | (other, TypeKind::Pred) => other == TypeKind::Pred,
        (TypeKind::Bits, _) | (_, TypeKind::Bits) => true,
        (a, b) => (a == TypeKind::Float) == (b == TypeKind::Float),
    }
}

impl Selector<'_, '_> {
    /// Returns the type of a PTX register.
    pub(super) fn type_of(&self, register: u32) -> ScalarType {
        self.context.resolved.registers[register as usize].ty
    }

    /// Returns the row of a PTX register.
    pub(super) fn row_of(&self, register: u32) -> OperandRow {
        OperandRow::Reg(self.registers[register as usize].1)
    }

    /// Returns the error for a register of the wrong type.
    pub(super) fn wrong_type(&self, inst: &Inst, register: u32, span: Span, expected: &str) -> Diagnostic {
        let name = &self.context.resolved.registers[register as usize].name;
        let message = format!(
            "`{name}` is {}, but `{}` expects {expected} here",
            self.type_of(register),
            self.name(inst)
        );
        let error = Diagnostic::error("E0305", span, message).label(format!("expected {expected}"));
        match self.for_the_registers(inst) {
            Some((ty, meant)) => error.help(format!("the registers are {ty}: did you mean `{meant}`?")),
            None => error,
        }
    }

    /// Returns the name of the same instruction for the type of its registers, if all registers
    /// have the same other type: `add.f32` for an `add.s32` with .f32 registers.
    fn for_the_registers(&self, inst: &Inst) -> Option<(ScalarType, String)> {
        let ty = inst.form.ty.filter(|_| inst.form.source.is_none())?;
        let mut types = inst.operands.iter().filter_map(|arg| match arg.kind {
            ArgKind::Register(register) => Some(self.type_of(register)).filter(|ty| *ty != ScalarType::Pred),
            _ => None,
        });
        let found = types.next().filter(|found| *found != ty)?;
        if !types.all(|other| other == found) {
            return None;
        }
        // Registers of bits get the kind of the instruction's type.
        let meant = if found.kind() == TypeKind::Bits {
            ScalarType::from_name(&format!("{}{}", &ty.name()[..1], 8 * found.bytes()))?
        } else {
            found
        };
        let moved = matches!(inst.form.opcode, Opcode::Ld | Opcode::St);
        if moved && meant.bytes() != ty.bytes() {
            return None;
        }
        let (stem, _) = self.name(inst).rsplit_once('.').filter(|(_, last)| *last == ty.name())?;
        let opcode = stem.split('.').next()?;
        let stems =
            [stem, opcode, &format!("{opcode}.lo"), &format!("{opcode}.approx"), &format!("{opcode}.rn")];
        let names = stems.into_iter().map(|stem| format!("{stem}.{}", bare(meant)));
        let (major, minor) = self.context.version;
        let version = Version::new(u8::try_from(major).ok()?, u8::try_from(minor).ok()?);
        let target = u32::from(self.context.target.major) * 10 + u32::from(self.context.target.minor);
        let header = Header::new(version, target);
        names.into_iter().find(|name| forms::has(name, &header)).map(|name| (found, name))
    }

    /// Returns the error for an operand of the wrong kind.
    pub(super) fn wrong_operand(&self, inst: &Inst, span: Span, expected: &str) -> Diagnostic {
        let message = format!("invalid operand of `{}`", self.name(inst));
        Diagnostic::error("E0304", span, message).label(format!("expected {expected}"))
    }

    /// Returns the predicate register of a guard.
    pub(super) fn predicate(&self, register: u32, span: Span) -> Selected<u32> {
        let OperandRow::Reg(row) = self.row_of(register) else {
            unreachable!("PTX registers have register rows")
        };
        if self.type_of(register) == ScalarType::Pred {
            return Ok(row);
        }
        let name = &self.context.resolved.registers[register as usize].name;
        let message = format!("`{name}` is {}, but a guard must be .pred", self.type_of(register));
        Err(Diagnostic::error("E0305", span, message).label("expected a predicate"))
    }

    /// Returns the row of a destination of exactly type `ty`; a temporary for `_`.
    pub(super) fn destination(&mut self, inst: &Inst, arg: &Arg, ty: ScalarType) -> Selected<OperandRow> {
        match arg.kind {
            ArgKind::Register(register) if fits(self.type_of(register), ty) => Ok(self.row_of(register)),
            ArgKind::Register(register) => {
                Err(self.wrong_type(inst, register, arg.span, &format!("a {ty} register")))
            }
            ArgKind::Sink => Ok(self.code.register(match ty.bytes() {
                0 => File::P,
                8 => File::D,
                _ => File::W,
            })),
            ArgKind::Special(_) => Err(self.wrong_operand(inst, arg.span, "a register that can be written")),
            _ => Err(self.wrong_operand(inst, arg.span, &format!("a {ty} register"))),
        }
    }

    /// Returns the row of a source of exactly type `ty`; a signed 16-bit value is sign-extended to
    /// 32 bits.
    pub(super) fn read(&mut self, inst: &Inst, arg: &Arg, ty: ScalarType) -> Selected<OperandRow> {
        let row = match arg.kind {
            ArgKind::Register(register) if fits(self.type_of(register), ty) => self.row_of(register),
            ArgKind::Register(register) => {
                let error = self.wrong_type(inst, register, arg.span, &format!("a {ty}"));
                let known = !error.helps.is_empty();
                return Err(if known { error } else { error.help(converted(ty, self.type_of(register))) });
            }
            ArgKind::Literal(_) => return self.literal(arg, ty),
            ArgKind::Not(register) if ty == ScalarType::Pred => {
                let positive = OperandRow::Reg(self.predicate(register, arg.span)?);
                return Ok(self.temp(Op::NotPred, &[positive]));
            }
            ArgKind::Special(special) => {
                self.check_special(inst, arg, special, ty)?;
                let (op, file) =
                    if ty.bytes() == 8 { (Op::MovSreg64, File::D) } else { (Op::MovSreg, File::W) };
                let full = self.code.register(file);
                let read = self.emit(op, full, &[]);
                (read.imm, read.guard) = (special as u32, None);
                if ty.bytes() == 2 { self.temp(Op::CvtU32U16, &[full]) } else { full }
            }
            ArgKind::Function(number) => return self.function_address(arg, number, ty),
            ArgKind::Address(variable, offset) => return self.address_of(inst, arg, variable, offset, ty),
            _ => return Err(self.wrong_operand(inst, arg.span, &format!("a {ty} register or constant"))),
        };
        Ok(if ty == ScalarType::S16 { self.temp(Op::CvtS32S16, &[row]) } else { row })
    }

    /// Returns the constant row of a literal; a signed 16-bit literal is sign-extended to 32 bits.
    pub(super) fn literal(&mut self, arg: &Arg, ty: ScalarType) -> Selected<OperandRow> {
        let ArgKind::Literal(value) = arg.kind else { unreachable!("called for literals only") };
        let literal = literal::bits(value, ty).map_err(|problem| problem.diagnostic(arg.span, ty))?;
        if literal.cut {
            let message =
                format!("the number does not fit in {ty}; only its low {} bits are used", ty.bytes() * 8);
            self.diagnostics
                .push(Diagnostic::warning("W0301", arg.span, message).label("the upper bits are discarded"));
        }
        let file = match ty.bytes() {
            0 => File::P,
            8 => File::D,
            _ => File::W,
        };
        let bits =
            if ty == ScalarType::S16 { literal.bits as u16 as i16 as u32 as u64 } else { literal.bits };
        Ok(self.bits(file, bits))
    }

    /// Checks the type of a read of a special register. Special registers have 32 bits, except
    /// `%clock64`; PTX 1.x also reads the low 16 bits.
    pub(super) fn check_special(&self, inst: &Inst, arg: &Arg, special: SReg, ty: ScalarType) -> Selected {
        let fits = if special.bytes() == 8 { ty.bytes() == 8 } else { matches!(ty.bytes(), 2 | 4) };
        if fits && ty.kind() != TypeKind::Float {
            return Ok(());
        }
        let label = if special.bytes() == 8 {
            format!("a {ty}; `{}` is .u64", special.name())
        } else {
            format!("a {ty}; special registers are .u32 (or .u16 in PTX 1.x)")
        };
        Err(self.wrong_operand(inst, arg.span, &label))
    }

    /// Returns the constant row of a variable's address.
    fn address_of(
        &mut self,
        inst: &Inst,
        arg: &Arg,
        variable: VarRef,
        offset: i64,
        ty: ScalarType,
    ) -> Selected<OperandRow> {
        let copied = self.context.layout.location(variable, self.context.module).is_some();
        if self.passed.contains_key(&variable) && !copied {
            let message = "the address of this parameter is not supported: parameters are in registers";
            return Err(Diagnostic::error("E0402", arg.span, message).label("not supported"));
        }
        let Some(place) = self.context.layout.location(variable, self.context.module) else {
            return Err(self.unplaced(inst, arg.span));
        };
        let opaque = match place.space {
            StateSpace::Tex => {
                Some(("texture", handle::TEXTURES, "read texels with `tex`, and properties with `txq`"))
            }
            StateSpace::Surf => {
                let help = "read its bytes with `suld.b`, and properties with `suq`";
                Some(("surface", handle::SURFACES, help))
            }
            _ => None,
        };
        if place.space == StateSpace::Sampler {
            let message = format!("`{}` cannot read a sampler", self.name(inst));
            let error = Diagnostic::error("E0307", arg.span, message).label("this is a sampler");
            return Err(error.help("write its name after that of the texture: `[t, s, {%f0, %f1}]`"));
        }
        if let Some((what, first, help)) = opaque {
            let is_handle = inst.form.opcode == Opcode::Mov && ty.bytes() == 8 && offset == 0;
            if is_handle && ty.kind() != TypeKind::Float {
                return Ok(self.bits(File::D, (first + place.offset).into()));
            }
            let message = format!("`{}` cannot read a {what}", self.name(inst));
            let label = format!("`mov` to a 64-bit register gives the handle of a {what}");
            return Err(Diagnostic::error("E0307", arg.span, message).label(label).help(help));
        }
        let global = place.space == StateSpace::Global;
        let wide_enough = ty.bytes() == 8 || ty.bytes() == 4 && !(global && self.context.address_bits == 64);
        if !wide_enough || ty.kind() == TypeKind::Float {
            let bits = self.context.address_bits;
            let message = format!(
                "an address of {} memory has {bits} bits, but the instruction has type {ty}",
                place.space
            );
            return Err(Diagnostic::error("E0305", arg.span, message)
                .label(format!("expected an instruction of type .u{bits}")));
        }
        if self.in_frame(variable, place.space) {
            let (stack, offset) = (self.stack(), (place.offset as u64).wrapping_add(offset as u64) as u32);
            let offset = self.bits(File::W, offset as u64);
            let address = self.temp(Op::AddB32, &[stack, offset]);
            return Ok(if ty.bytes() == 8 { self.temp(Op::CvtB64U32, &[address]) } else { address });
        }
        let (file, mask) = if ty.bytes() == 8 { (File::D, u64::MAX) } else { (File::W, u32::MAX as u64) };
        let value = if global {
            ConstValue::Global { symbol: place.offset, offset: offset as u64 }
        } else {
            ConstValue::Bits((place.offset as u64).wrapping_add(offset as u64) & mask)
        };
        Ok(self.code.constant(file, value))
    }

    /// Returns the error for the use of a variable whose declaration was rejected; the cause is
    /// reported at the declaration.
    pub(super) fn unplaced(&self, inst: &Inst, span: Span) -> Diagnostic {
        let message = format!("`{}` uses a variable whose declaration has an error", self.name(inst));
        Diagnostic::error("E0307", span, message).label("see the error at the declaration")
    }
}

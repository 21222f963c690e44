//! `.param` variables of functions and of call sequences. They are in registers, so `ld.param` and
//! `st.param` become moves.
//!
//! A scalar is in one register, zero-extended if it is shorter. An array or vector is in 32-bit
//! registers, lowest bytes first. Accesses of another size extract or insert bits.

use super::super::code::{File, OperandRow};
use super::super::functions::{Passing, Storage};
use super::super::resolve::{Arg, ArgKind, Base, Inst};
use super::super::scope::VarRef;
use super::memory::widening;
use super::operand::{expected_in, fits_in};
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::types::{ScalarType, StateSpace, TypeKind};
use crate::uop::Op;

/// A `.param` variable in registers.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    /// How the variable is passed.
    pub passing: Passing,
    /// Virtual registers of the variable.
    pub registers: Vec<u32>,
}

impl Stored {
    /// Returns the registers with their file.
    pub fn all(&self) -> impl Iterator<Item = (File, u32)> + use<'_> {
        let file = self.passing.file();
        self.registers.iter().map(move |register| (file, *register))
    }

    fn row(&self, number: u32) -> OperandRow {
        OperandRow::Reg(self.registers[number as usize])
    }
}

impl Selector<'_, '_> {
    /// Allocates registers for a passed value.
    pub(super) fn stored(&mut self, passing: Passing) -> Stored {
        let mut register = || match self.code.register(passing.file()) {
            OperandRow::Reg(register) => register,
            OperandRow::None | OperandRow::Const(_) => unreachable!("a new register is a register"),
        };
        Stored { passing, registers: (0..passing.registers()).map(|_| register()).collect() }
    }

    /// Returns the registers of the variable in an address, and the offset; `None` for a parameter
    /// of a kernel.
    fn in_registers(&self, inst: &Inst, arg: &Arg, bytes: u32) -> Selected<Option<(Stored, VarRef, u32)>> {
        let ArgKind::Memory(base, offset) = arg.kind else {
            return Err(self.wrong_operand(inst, arg.span, "an address in brackets"));
        };
        let variable = match base {
            Base::Variable(variable) => variable,
            Base::Register(_) | Base::Zero if self.context.own.is_none() => return Ok(None),
            // A register holds the address of the parameter's copy in local memory.
            Base::Register(_) if !self.context.resolved.addressed.is_empty() => return Ok(None),
            Base::Register(_) | Base::Zero => {
                let message = "the address of this parameter is not supported: parameters are in registers";
                let error = Diagnostic::error("E0402", arg.span, message).label("not supported");
                return Err(error.help("name the parameter: `[name+offset]`"));
            }
        };
        let Some(stored) = self.passed.get(&variable) else { return Ok(None) };
        let size = stored.passing.bytes;
        match u32::try_from(offset) {
            Ok(at) if at.checked_add(bytes).is_some_and(|end| end <= size) => {
                Ok(Some((stored.clone(), variable, at)))
            }
            _ => {
                let message = format!("`{}` accesses bytes outside the parameter", self.name(inst));
                Err(Diagnostic::error("E0308", arg.span, message)
                    .label(format!("the parameter has {size} bytes")))
            }
        }
    }

    /// Copies a parameter of the function to local memory if its address is used.
    pub(super) fn copy_to_local(&mut self, variable: VarRef, stored: &Stored) {
        let Some(place) = self.context.layout.location(variable, self.context.module) else { return };
        let base = if self.in_frame(variable, StateSpace::Local) { self.stack() } else { OperandRow::None };
        let mut at = 0;
        while at < stored.passing.bytes {
            let (ty, op) = match stored.passing.bytes - at {
                _ if stored.passing.storage == Storage::Double => (ScalarType::B64, Op::StLocalB64),
                1 => (ScalarType::B8, Op::StLocalB8),
                2 | 3 => (ScalarType::B16, Op::StLocalB16),
                _ => (ScalarType::B32, Op::StLocalB32),
            };
            let file = if ty.bytes() == 8 { File::D } else { File::W };
            let value = self.code.register(file);
            self.extract(stored, at, ty, value, ty.bytes());
            self.emit(op, OperandRow::None, &[base, value]).imm = place.offset + at;
            at += ty.bytes();
        }
    }

    /// Selects `ld.param` of a variable in registers. Returns false for a parameter of a kernel.
    pub(super) fn load_passed(&mut self, inst: &Inst) -> Selected<bool> {
        let (ty, elements, address) = self.moved(inst, 0, 1)?;
        let Some((stored, _, at)) = self.in_registers(inst, address, ty.bytes() * inst.form.vector)? else {
            return Ok(false);
        };
        for (i, arg) in (0..).zip(elements) {
            let at = at + i * ty.bytes();
            self.check_alignment(inst, address, at, ty)?;
            let register = match arg.kind {
                ArgKind::Register(register) if fits_in(self.type_of(register), ty) => register,
                ArgKind::Register(register) => {
                    return Err(self.wrong_type(inst, register, arg.span, &expected_in(ty)));
                }
                ArgKind::Sink if inst.form.vector > 1 => continue,
                _ => return Err(self.wrong_operand(inst, arg.span, &format!("a {ty} register"))),
            };
            let (dst, held) = (self.row_of(register), self.type_of(register).bytes());
            self.extract(&stored, at, ty, dst, held);
        }
        Ok(true)
    }

    /// Selects `st.param` of a variable in registers. Other parameters cannot be written.
    pub(super) fn store_passed(&mut self, inst: &Inst) -> Selected {
        let (ty, elements, address) = self.moved(inst, 1, 0)?;
        let stored = self.in_registers(inst, address, ty.bytes() * inst.form.vector)?;
        let Some((stored, variable, at)) =
            stored.filter(|(_, variable, _)| !matches!(variable, VarRef::Param(_)))
        else {
            let message = format!("`{}` cannot write an input parameter", self.name(inst));
            let label = "expected a return parameter or a .param variable of a call";
            return Err(Diagnostic::error("E0304", address.span, message).label(label));
        };
        debug_assert!(!matches!(variable, VarRef::Param(_)), "input parameters are read-only");
        for (i, arg) in (0..).zip(elements) {
            let at = at + i * ty.bytes();
            self.check_alignment(inst, address, at, ty)?;
            let value = self.stored_value(inst, arg, ty)?;
            self.insert(&stored, at, ty.bytes(), value);
        }
        Ok(())
    }

    /// Returns the type and the data operands of an `ld.param` or `st.param`, and its address
    /// operand.
    fn moved<'i>(
        &self,
        inst: &'i Inst,
        moved: usize,
        address: usize,
    ) -> Selected<(ScalarType, &'i [Arg], &'i Arg)> {
        let (ty, arg) = (self.ty(inst)?, self.operand(inst, moved)?);
        let elements = match &arg.kind {
            ArgKind::Vector(elements) if elements.len() == inst.form.vector as usize => elements.as_slice(),
            _ if inst.form.vector > 1 => {
                return Err(self.wrong_operand(inst, arg.span, "registers in braces"));
            }
            _ => std::slice::from_ref(arg),
        };
        Ok((ty, elements, self.operand(inst, address)?))
    }

    fn check_alignment(&self, inst: &Inst, address: &Arg, at: u32, ty: ScalarType) -> Selected {
        if at.is_multiple_of(ty.bytes()) {
            return Ok(());
        }
        let message = format!("`{}` at byte {at} of a parameter is misaligned", self.name(inst));
        let label = format!("expected a multiple of {} bytes", ty.bytes());
        Err(Diagnostic::error("E0308", address.span, message).label(label))
    }

    /// Moves the value of type `ty` at byte `at` into `dst`, a register of `held` bytes.
    fn extract(&mut self, stored: &Stored, at: u32, ty: ScalarType, dst: OperandRow, held: u32) {
        if ty.bytes() == 8 {
            match stored.passing.storage {
                Storage::Double => self.emit(Op::MovB64, dst, &[stored.row(0)]),
                _ => self.emit(Op::PackB64, dst, &[stored.row(at / 4), stored.row(at / 4 + 1)]),
            };
            return;
        }
        let mut word = self.word(stored, at / 4);
        let shift = 8 * (at % 4);
        if shift > 0 {
            let shift = self.bits(File::W, shift as u64);
            word = self.temp(Op::ShrU32, &[word, shift]);
        }
        // The upper bits of a short scalar are zero, and so are those of the last element of a word
        // after the shift.
        let zeros = stored.passing.storage == Storage::Word && stored.passing.bytes == ty.bytes()
            || shift + 8 * ty.bytes() == 32;
        let signed = ty.kind() == TypeKind::Signed && held > ty.bytes();
        let extend = match (ty.bytes(), signed) {
            (1, true) => Op::CvtS32S8,
            (2, true) => Op::CvtS32S16,
            (1, false) if !zeros => Op::CvtU32U8,
            (2, false) if !zeros => Op::CvtU32U16,
            _ => Op::MovB32,
        };
        match widening(ty, held) {
            None => self.emit(extend, dst, &[word]),
            Some(op) => {
                let extended = if extend == Op::MovB32 { word } else { self.temp(extend, &[word]) };
                self.emit(op, dst, &[extended])
            }
        };
    }

    /// Returns the row of one 32-bit word of a variable.
    fn word(&mut self, stored: &Stored, number: u32) -> OperandRow {
        match stored.passing.storage {
            Storage::Double if number == 0 => self.temp(Op::CvtB32B64, &[stored.row(0)]),
            Storage::Double => self.temp(Op::HiB64, &[stored.row(0)]),
            _ => stored.row(number),
        }
    }

    /// Moves the low `bytes` bytes of `value` to byte `at` of a variable.
    fn insert(&mut self, stored: &Stored, at: u32, bytes: u32, value: OperandRow) {
        let (number, storage) = (at / 4, stored.passing.storage);
        if bytes == 8 {
            if storage == Storage::Double {
                self.emit(Op::MovB64, stored.row(0), &[value]);
            } else {
                self.emit(Op::CvtB32B64, stored.row(number), &[value]);
                self.emit(Op::HiB64, stored.row(number + 1), &[value]);
            }
            return;
        }
        let whole = storage == Storage::Word && stored.passing.bytes == bytes;
        let put = match (bytes, whole) {
            (4, _) => Op::MovB32,
            (1, true) => Op::CvtU32U8,
            (_, true) => Op::CvtU32U16,
            _ => Op::BfiB32,
        };
        let mut sources = vec![value];
        if put == Op::BfiB32 {
            let (place, width) =
                (self.bits(File::W, 8 * (at % 4) as u64), self.bits(File::W, 8 * bytes as u64));
            sources.extend([self.word(stored, number), place, width]);
        }
        if storage != Storage::Double {
            self.emit(put, stored.row(number), &sources);
            return;
        }
        let word = if put == Op::MovB32 { value } else { self.temp(put, &sources) };
        let other = self.word(stored, 1 - number);
        let halves = if number == 0 { [word, other] } else { [other, word] };
        self.emit(Op::PackB64, stored.row(0), &halves);
    }
}

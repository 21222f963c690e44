//! Selection of loads and stores.

use super::super::code::{File, OperandRow};
use super::super::resolve::{Arg, ArgKind, Inst};
use super::address::Address;
use super::convert::to_64;
use super::operand::{expected_in, fits_in};
use super::{Selected, Selector};
use crate::ptx::forms::Cache;
use crate::types::{ScalarType, StateSpace, TypeKind};
use crate::uop::{self, CacheOperator, Memory, MemoryKind, MemorySpace, Op, Width};

/// Returns the width of an access to `elements` elements of type `ty`. Several elements that are
/// shorter than a register share one. `None` if no micro-op has that width.
fn width(ty: ScalarType, elements: u32, signed: bool) -> Option<Width> {
    Some(match (ty.bytes(), elements) {
        (1, 1) if signed => Width::S8,
        (2, 1) if signed => Width::S16,
        (4, 2) => Width::V2B32,
        (4, 4) => Width::V4B32,
        (8, 2) => Width::V2B64,
        (bytes, elements) => match bytes * elements {
            1 => Width::B8,
            2 => Width::B16,
            4 => Width::B32,
            8 => Width::B64,
            _ => return None,
        },
    })
}

/// Returns the micro-op that extends a loaded value of type `ty` to a register of `held` bytes.
pub(super) fn widening(ty: ScalarType, held: u32) -> Option<Op> {
    match held {
        8 if ty.bytes() < 8 => Some(to_64(ty)),
        2 if signed(ty, held) => Some(Op::CvtU32U16),
        _ => None,
    }
}

/// Whether a loaded value must be sign-extended. The sign does not matter for a register of the
/// same width as the type, because the upper bits of the row are zero.
fn signed(ty: ScalarType, held: u32) -> bool {
    ty.kind() == TypeKind::Signed && held > ty.bytes()
}

/// An access of `ld` or `st`, or to a surface.
pub(super) struct Access<'i> {
    pub ty: ScalarType,
    /// State space; `None` for a generic address.
    pub space: Option<StateSpace>,
    /// Moved data: one operand, or the elements of a vector.
    pub elements: &'i [Arg],
    pub address: Address,
}

impl Access<'_> {
    /// Whether the elements are shorter than a register. All of them then share one row, as in the
    /// hardware.
    fn is_packed(&self) -> bool {
        self.elements.len() > 1 && self.ty.bytes() < 4
    }

    /// Returns the width of the whole access; the value is sign-extended if `signed` is true.
    fn width(&self, signed: bool) -> Option<Width> {
        width(self.ty, self.elements.len() as u32, signed)
    }
}

impl Selector<'_, '_> {
    /// Returns the micro-op with a kind, space and width.
    pub(super) fn accessing(
        &self,
        inst: &Inst,
        kind: MemoryKind,
        space: Option<StateSpace>,
        width: Width,
    ) -> Selected<Op> {
        let op = MemorySpace::named(space).and_then(|space| Op::accessing(Memory::new(kind, space, width)));
        op.ok_or_else(|| self.missing(inst))
    }

    /// Selects the common parts of `ld` and `st`. Operand `moved` is the data; the other operand is
    /// the address.
    fn access<'i>(&mut self, inst: &'i Inst, moved: usize) -> Selected<Access<'i>> {
        let form = &inst.form;
        let (ty, space) = match (form.ty, form.space) {
            (Some(ty), space) if ty != ScalarType::Pred => (ty, space),
            _ => return Err(self.missing(inst)),
        };
        // In a function, the address of a parameter is that of its copy in local memory.
        let copied = space == Some(StateSpace::Param) && self.context.own.is_some();
        let space = if copied { Some(StateSpace::Local) } else { space };
        let elements = self.elements(inst, moved)?;
        let bytes = ty.bytes() * form.vector;
        let address = self.address(inst, self.operand(inst, 1 - moved)?, space, bytes)?;
        Ok(Access { ty, space, elements, address })
    }

    /// Returns the data operand, or the elements of a vector.
    pub(super) fn elements<'i>(&self, inst: &'i Inst, moved: usize) -> Selected<&'i [Arg]> {
        let arg = self.operand(inst, moved)?;
        match &arg.kind {
            ArgKind::Vector(elements) if elements.len() == inst.form.vector as usize => Ok(elements),
            _ if inst.form.vector > 1 => Err(self.wrong_operand(inst, arg.span, "registers in braces")),
            _ => Ok(std::slice::from_ref(arg)),
        }
    }

    pub(super) fn load(&mut self, inst: &Inst) -> Selected {
        if inst.form.space == Some(StateSpace::Param) && self.load_passed(inst)? {
            return Ok(());
        }
        let access = self.access(inst, 0)?;
        self.load_from(inst, &access)
    }

    /// Selects the load of an access.
    pub(super) fn load_from(&mut self, inst: &Inst, access: &Access) -> Selected {
        let ty = access.ty;
        let vector = access.elements.len() > 1;
        let mut registers = Vec::new();
        for arg in access.elements {
            registers.push(match arg.kind {
                ArgKind::Register(register) if fits_in(self.type_of(register), ty) => Some(register),
                ArgKind::Register(register) => {
                    return Err(self.wrong_type(inst, register, arg.span, &expected_in(ty)));
                }
                ArgKind::Sink if vector => None,
                _ => return Err(self.wrong_operand(inst, arg.span, &format!("a {ty} register"))),
            });
        }
        let signed = registers[0].is_some_and(|register| signed(ty, self.type_of(register).bytes()));
        let width = access.width(signed).ok_or_else(|| self.missing(inst))?;
        let op = self.accessing(inst, MemoryKind::Load, access.space, width)?;
        let file = if width.is_wide() { File::D } else { File::W };
        if access.is_packed() {
            let whole = self.code.register(file);
            self.memory(inst, op, &[whole], &access.address, &[]);
            self.unpack_elements(ty, whole, file, &registers);
            return Ok(());
        }
        let mut loaded = Vec::new();
        let mut widened = Vec::new();
        for (i, register) in registers.iter().enumerate() {
            let row = register.map(|register| (self.row_of(register), self.type_of(register).bytes()));
            // If several elements name the same register, the last one determines its value.
            let free = registers[i + 1..].contains(register);
            loaded.push(match row.filter(|_| !free) {
                None => self.code.register(file),
                Some((row, held)) => match widening(ty, held) {
                    None => row,
                    Some(op) => {
                        let narrow = self.code.register(file);
                        widened.push((op, row, narrow));
                        narrow
                    }
                },
            });
        }
        self.memory(inst, op, &loaded, &access.address, &[]);
        for (op, row, narrow) in widened {
            self.emit(op, row, &[narrow]);
        }
        Ok(())
    }

    pub(super) fn store(&mut self, inst: &Inst) -> Selected {
        if inst.form.space == Some(StateSpace::Param) {
            return self.store_passed(inst);
        }
        let access = self.access(inst, 1)?;
        self.store_to(inst, &access)
    }

    /// Selects the store of an access.
    pub(super) fn store_to(&mut self, inst: &Inst, access: &Access) -> Selected {
        let ty = access.ty;
        let width = access.width(false).ok_or_else(|| self.missing(inst))?;
        let op = self.accessing(inst, MemoryKind::Store, access.space, width)?;
        let mut values = Vec::new();
        for arg in access.elements {
            values.push(self.stored_value(inst, arg, ty)?);
        }
        if access.is_packed() {
            values = vec![self.pack_elements(ty, &values)];
        }
        self.memory(inst, op, &[], &access.address, &values);
        Ok(())
    }

    /// Selects a prefetch, a hint without effect on results: it only waits for its address. Without
    /// a space the address is generic.
    pub(super) fn prefetch(&mut self, inst: &Inst) -> Selected {
        let address = self.address(inst, self.operand(inst, 0)?, inst.form.space, 1)?;
        let added = self.emit(Op::Prefetch, OperandRow::None, &[address.row]);
        (added.imm, added.aux) = (address.imm, address.aux);
        Ok(())
    }

    /// Returns the row of the data of a store of type `ty`: a number, or a register of that width
    /// or wider.
    pub(super) fn stored_value(&mut self, inst: &Inst, arg: &Arg, ty: ScalarType) -> Selected<OperandRow> {
        match arg.kind {
            ArgKind::Register(register) if fits_in(self.type_of(register), ty) => {
                let row = self.row_of(register);
                let cut = self.type_of(register).bytes() == 8 && ty.bytes() < 8;
                Ok(if cut { self.temp(Op::CvtB32B64, &[row]) } else { row })
            }
            ArgKind::Register(register) => Err(self.wrong_type(inst, register, arg.span, &expected_in(ty))),
            _ => self.read(inst, arg, ty),
        }
    }

    /// Emits a load into the rows `loaded` or a store of the rows `values`.
    fn memory(
        &mut self,
        inst: &Inst,
        op: Op,
        loaded: &[OperandRow],
        address: &Address,
        values: &[OperandRow],
    ) {
        let volatile = if inst.form.volatile { uop::Inst::VOLATILE } else { 0 };
        let said = match inst.form.cache {
            None => volatile,
            // `.cv` reads memory again, because the value may have changed.
            Some(Cache::Cv) => uop::Inst::VOLATILE,
            Some(Cache::Ca) => CacheOperator::Ca.bits(),
            Some(Cache::Cg) => CacheOperator::Cg.bits(),
            Some(Cache::Cs) => CacheOperator::Cs.bits(),
            Some(Cache::Lu) => CacheOperator::Lu.bits(),
            Some(Cache::Wb) => CacheOperator::Wb.bits(),
            Some(Cache::Wt) => CacheOperator::Wt.bits(),
        };
        let value = values.first().copied().unwrap_or_default();
        let added = self.emit(op, loaded.first().copied().unwrap_or_default(), &[address.row, value]);
        (added.imm, added.aux) = (address.imm, address.aux | said);
        for (to, row) in added.rest.iter_mut().zip(loaded.iter().chain(values).skip(1)) {
            *to = *row;
        }
    }

    /// Extracts the elements of type `ty` from the row `whole` into `registers`.
    fn unpack_elements(&mut self, ty: ScalarType, whole: OperandRow, file: File, registers: &[Option<u32>]) {
        let bits = 8 * ty.bytes() as usize;
        let mut word = whole;
        for (k, register) in registers.iter().enumerate() {
            let at = k * bits % 32;
            if file == File::D && at == 0 {
                let half = if k == 0 {
                    whole
                } else {
                    let shift = self.bits(File::W, 32);
                    self.temp(Op::ShrU64, &[whole, shift])
                };
                word = self.temp(Op::CvtB32B64, &[half]);
            }
            let Some(register) = *register else { continue };
            let (dst, held) = (self.row_of(register), self.type_of(register).bytes());
            let here = if at == 0 {
                word
            } else {
                let shift = self.bits(File::W, at as u64);
                self.temp(Op::ShrU32, &[word, shift])
            };
            let extend = match (ty.bytes(), signed(ty, held)) {
                (1, false) => Op::CvtU32U8,
                (1, true) => Op::CvtS32S8,
                (_, false) => Op::CvtU32U16,
                (_, true) => Op::CvtS32S16,
            };
            match widening(ty, held) {
                None => self.emit(extend, dst, &[here]),
                Some(op) => {
                    let extended = self.temp(extend, &[here]);
                    self.emit(op, dst, &[extended])
                }
            };
        }
    }

    /// Packs the elements `values` of type `ty` into one row.
    fn pack_elements(&mut self, ty: ScalarType, values: &[OperandRow]) -> OperandRow {
        let bits = 8 * ty.bytes();
        let mut words = Vec::new();
        for values in values.chunks((32 / bits) as usize) {
            let mut word = None;
            for (k, value) in values.iter().enumerate() {
                // The upper bits of the last element are shifted out, or not stored.
                let cut = if k + 1 == values.len() {
                    *value
                } else {
                    let mask = self.bits(File::W, (1 << bits) - 1);
                    self.temp(Op::AndB32, &[*value, mask])
                };
                word = Some(match word {
                    None => cut,
                    Some(word) => {
                        let shift = self.bits(File::W, k as u64 * bits as u64);
                        let placed = self.temp(Op::ShlB32, &[cut, shift]);
                        self.temp(Op::OrB32, &[word, placed])
                    }
                });
            }
            words.extend(word);
        }
        let &[low, high] = words.as_slice() else { return words[0] };
        let (low, high) = (self.temp(Op::CvtB64U32, &[low]), self.temp(Op::CvtB64U32, &[high]));
        let shift = self.bits(File::W, 32);
        let high = self.temp(Op::ShlB64, &[high, shift]);
        self.temp(Op::OrB64, &[low, high])
    }
}

//! Loads and stores.

use super::super::code::{File, Row};
use super::super::resolve::{Arg, ArgKind, Inst};
use super::address::Address;
use super::convert::to_64;
use super::operand::{expected_in, fits_in};
use super::{Selected, Selector};
use crate::ptx::forms::Cache;
use crate::types::{ScalarType, StateSpace, TypeKind};
use crate::uop::{self, CacheOperator, Op};

/// Loads of a space, or through generic addresses: 8 bits unsigned and signed, 16 bits unsigned and signed, 32 bits, 64 bits; then vectors of two
/// and four 32-bit and of two 64-bit elements.
fn loads(space: Option<StateSpace>) -> Option<[Op; 9]> {
    macro_rules! of {
        ($($op:ident)*) => { Some([$(Op::$op),*]) };
    }
    let Some(space) = space else {
        return of!(LdGenericB8 LdGenericS8 LdGenericB16 LdGenericS16 LdGenericB32 LdGenericB64
            LdGenericV2B32 LdGenericV4B32 LdGenericV2B64);
    };
    match space {
        StateSpace::Param => of!(LdParamB8 LdParamS8 LdParamB16 LdParamS16 LdParamB32 LdParamB64
            LdParamV2B32 LdParamV4B32 LdParamV2B64),
        StateSpace::Const => of!(LdConstB8 LdConstS8 LdConstB16 LdConstS16 LdConstB32 LdConstB64
            LdConstV2B32 LdConstV4B32 LdConstV2B64),
        StateSpace::Shared => of!(LdSharedB8 LdSharedS8 LdSharedB16 LdSharedS16 LdSharedB32 LdSharedB64
            LdSharedV2B32 LdSharedV4B32 LdSharedV2B64),
        StateSpace::Global => of!(LdGlobalB8 LdGlobalS8 LdGlobalB16 LdGlobalS16 LdGlobalB32 LdGlobalB64
            LdGlobalV2B32 LdGlobalV4B32 LdGlobalV2B64),
        StateSpace::Local => of!(LdLocalB8 LdLocalS8 LdLocalB16 LdLocalS16 LdLocalB32 LdLocalB64
            LdLocalV2B32 LdLocalV4B32 LdLocalV2B64),
        StateSpace::Reg => None,
    }
}

/// Stores of a space, or through generic addresses: 8, 16, 32, 64 bits; then vectors as of [`loads`].
fn stores(space: Option<StateSpace>) -> Option<[Op; 7]> {
    macro_rules! of {
        ($($op:ident)*) => { Some([$(Op::$op),*]) };
    }
    let Some(space) = space else {
        return of!(StGenericB8 StGenericB16 StGenericB32 StGenericB64
            StGenericV2B32 StGenericV4B32 StGenericV2B64);
    };
    match space {
        StateSpace::Shared => of!(StSharedB8 StSharedB16 StSharedB32 StSharedB64
            StSharedV2B32 StSharedV4B32 StSharedV2B64),
        StateSpace::Global => of!(StGlobalB8 StGlobalB16 StGlobalB32 StGlobalB64
            StGlobalV2B32 StGlobalV4B32 StGlobalV2B64),
        StateSpace::Local => of!(StLocalB8 StLocalB16 StLocalB32 StLocalB64
            StLocalV2B32 StLocalV4B32 StLocalV2B64),
        _ => None,
    }
}

/// Which of three vector micro-ops moves `elements` elements of `ty`, of 32 bits or more.
fn vector_op(ops: &[Op], ty: ScalarType, elements: usize) -> Op {
    match (ty.bytes(), elements) {
        (8, _) => ops[2],
        (_, 4) => ops[1],
        _ => ops[0],
    }
}

/// What brings a value of type `ty` that has just been loaded into a register of `held` bytes.
pub(super) fn widening(ty: ScalarType, held: u32) -> Option<Op> {
    match held {
        8 if ty.bytes() < 8 => Some(to_64(ty)),
        2 if signed(ty, held) => Some(Op::CvtU32U16),
        _ => None,
    }
}

/// Into a register of the type's own width the sign does not matter, and rows hold zeros above.
fn signed(ty: ScalarType, held: u32) -> bool {
    ty.kind() == TypeKind::Signed && held > ty.bytes()
}

/// An access of `ld` or `st`.
struct Access<'i> {
    ty: ScalarType,
    /// None: the address is generic.
    space: Option<StateSpace>,
    /// What is moved: one operand, or the elements of a vector.
    elements: &'i [Arg],
    address: Address,
}

impl Access<'_> {
    /// The elements are shorter than a register: all of them travel in one row, as in silicon.
    fn is_packed(&self) -> bool {
        self.elements.len() > 1 && self.ty.bytes() < 4
    }

    /// Bytes of all elements.
    fn bytes(&self) -> u32 {
        self.ty.bytes() * self.elements.len() as u32
    }
}

impl Selector<'_, '_> {
    /// What `ld` and `st` have in common; operand `moved` is moved, the other one is the address.
    fn access<'i>(&mut self, inst: &'i Inst, moved: usize) -> Selected<Access<'i>> {
        let form = &inst.form;
        let (ty, space) = match (form.ty, form.space) {
            (Some(ty), space) if ty != ScalarType::Pred => (ty, space),
            _ => return Err(self.missing(inst)),
        };
        let arg = self.operand(inst, moved)?;
        let elements = match &arg.kind {
            ArgKind::Vector(elements) if elements.len() == form.vector as usize => elements.as_slice(),
            _ if form.vector > 1 => return Err(self.wrong_operand(inst, arg.span, "registers in braces")),
            _ => std::slice::from_ref(arg),
        };
        let bytes = ty.bytes() * form.vector;
        let address = self.address(inst, self.operand(inst, 1 - moved)?, space, bytes)?;
        Ok(Access { ty, space, elements, address })
    }

    pub(super) fn load(&mut self, inst: &Inst) -> Selected {
        if inst.form.space == Some(StateSpace::Param) && self.load_passed(inst)? {
            return Ok(());
        }
        let access = self.access(inst, 0)?;
        let ty = access.ty;
        let ops = loads(access.space).ok_or_else(|| self.missing(inst))?;
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
        if access.is_packed() {
            let (file, op) = match access.bytes() {
                2 => (File::W, ops[2]),
                4 => (File::W, ops[4]),
                _ => (File::D, ops[5]),
            };
            let whole = self.code.register(file);
            self.memory(inst, op, &[whole], &access.address, &[]);
            self.take_apart(ty, whole, file, &registers);
            return Ok(());
        }
        let mut loaded = Vec::new();
        let mut widened = Vec::new();
        for (i, register) in registers.iter().enumerate() {
            let file = if ty.bytes() == 8 { File::D } else { File::W };
            let row = register.map(|register| (self.row_of(register), self.type_of(register).bytes()));
            // Of elements with one register the last one stays.
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
        let signed = registers[0].is_some_and(|register| signed(ty, self.type_of(register).bytes()));
        let op = match ty.bytes() {
            _ if vector => vector_op(&ops[6..], ty, registers.len()),
            1 => ops[signed as usize],
            2 => ops[2 + signed as usize],
            4 => ops[4],
            _ => ops[5],
        };
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
        let ty = access.ty;
        let ops = stores(access.space).ok_or_else(|| self.missing(inst))?;
        let mut values = Vec::new();
        for arg in access.elements {
            values.push(self.stored_value(inst, arg, ty)?);
        }
        let op = if access.is_packed() {
            values = vec![self.put_together(ty, &values)];
            ops[access.bytes().trailing_zeros() as usize]
        } else if values.len() > 1 {
            vector_op(&ops[4..], ty, values.len())
        } else {
            ops[ty.bytes().trailing_zeros() as usize]
        };
        self.memory(inst, op, &[], &access.address, &values);
        Ok(())
    }

    /// A hint that changes nothing: it waits for its address. Without a space the address is generic.
    pub(super) fn prefetch(&mut self, inst: &Inst) -> Selected {
        let address = self.address(inst, self.operand(inst, 0)?, inst.form.space, 1)?;
        let added = self.emit(Op::Prefetch, Row::None, &[address.row]);
        (added.imm, added.aux) = (address.imm, address.aux);
        Ok(())
    }

    /// The row of what a store of type `ty` writes: a number, or a register of that width or wider.
    pub(super) fn stored_value(&mut self, inst: &Inst, arg: &Arg, ty: ScalarType) -> Selected<Row> {
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

    /// Adds a load of rows `loaded` or a store of rows `values`.
    fn memory(&mut self, inst: &Inst, op: Op, loaded: &[Row], address: &Address, values: &[Row]) {
        let volatile = if inst.form.volatile { uop::Inst::VOLATILE } else { 0 };
        let said = match inst.form.cache {
            None => volatile,
            // It loads again what may have changed.
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

    /// Takes the elements of type `ty` out of a row of all of them, into `registers`.
    fn take_apart(&mut self, ty: ScalarType, whole: Row, file: File, registers: &[Option<u32>]) {
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

    /// Puts the elements `values` of type `ty` into one row.
    fn put_together(&mut self, ty: ScalarType, values: &[Row]) -> Row {
        let bits = 8 * ty.bytes();
        let mut words = Vec::new();
        for values in values.chunks((32 / bits) as usize) {
            let mut word = None;
            for (k, value) in values.iter().enumerate() {
                // What the last one has above its bits is shifted out, or not stored.
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

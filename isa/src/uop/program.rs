//! What a machine runs: flat code, constant rows, layouts, and the way back to the source.

use super::class::Class;
use super::issue::{Fused, fused_as, separate};
use super::op::{Op, OperandKind};
use crate::options::Options;
use crate::sem::atomic::Operation;
use crate::span::Span;
use crate::types::{Capability, ScalarType};
use std::sync::Arc;

/// No register row: an absent operand.
pub const NO_ROW: u16 = u16::MAX;

/// A reconvergence point that is the end of the kernel, or of the function that is called.
pub const TO_EXIT: u32 = u32::MAX;

/// A guard predicate `@%p` or `@!%p`, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard(u16);

impl Guard {
    /// Always executes.
    pub const NONE: Self = Self(u16::MAX);

    /// Executes in lanes where predicate row `pred` is set, or clear if `negated`.
    pub fn new(pred: u16, negated: bool) -> Self {
        Self(pred << 1 | negated as u16)
    }

    /// The predicate row and whether it is negated.
    #[inline]
    pub fn get(self) -> Option<(u16, bool)> {
        (self != Self::NONE).then_some((self.0 >> 1, self.0 & 1 == 1))
    }
}

/// One micro-op with its operands.
///
/// A register operand is a row index. Rows `0..n` of each file are registers; row `n + i` is
/// constant `i` of the program's pool for that file ([`Program::const32`], [`Program::const64`];
/// predicates have two constants, false at `n` and true at `n + 1`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// When it does it.
    pub guard: Guard,
    /// Destination row, or [`NO_ROW`].
    pub dst: u16,
    /// Second destination, or fifth source, of a vector access (see [`Inst::dsts`],
    /// [`Inst::srcs`]); a second result; else [`NO_ROW`].
    pub dst2: u16,
    /// Source rows; unused ones are [`NO_ROW`]. A load of four elements has its last two
    /// destinations at the end.
    pub src: [u16; 4],
    /// Branch or call target, byte offset, barrier number, signature or special register's code.
    pub imm: u32,
    /// `bra`: the reconvergence point. Loads and stores: flags such as [`Inst::ADDR64`], and the
    /// cache operator: see [`Inst::cache`]. Atomics: these, and the operation: see
    /// [`Inst::operation`].
    pub aux: u32,
}

impl Inst {
    /// In [`Inst::aux`] of a load or store: the address row is a 64-bit one.
    pub const ADDR64: u32 = 1;
    /// In [`Inst::aux`] of a load or store: `.volatile`.
    pub const VOLATILE: u32 = 2;
    /// In [`Inst::aux`] of anything but a branch: it issues with a micro-op beside it (see
    /// [`issue`](super::issue)).
    pub const FUSED: u32 = 1 << 31;
    /// In [`Inst::aux`] of an atomic the operation's number stands above this bit.
    pub const OPERATION_SHIFT: u32 = 8;

    /// An instruction without guard and operands.
    pub fn new(op: Op) -> Self {
        Self { op, guard: Guard::NONE, dst: NO_ROW, dst2: NO_ROW, src: [NO_ROW; 4], imm: 0, aux: 0 }
    }

    /// The rows of its destinations, whether there are so many or not: as many hold as the shape
    /// has elements.
    #[inline]
    pub fn dst_rows(&self) -> [u16; 4] {
        [self.dst, self.dst2, self.src[2], self.src[3]]
    }

    /// The rows of its sources, whether there are so many or not: the shape's kinds say which hold.
    #[inline]
    pub fn src_rows(&self) -> [u16; 5] {
        [self.src[0], self.src[1], self.src[2], self.src[3], self.dst2]
    }

    /// Writes the rows of destinations, as [`Inst::dsts`] gives them.
    pub fn set_dsts(&mut self, rows: impl IntoIterator<Item = u16>) {
        let [_, _, third, fourth] = &mut self.src;
        for (to, row) in [&mut self.dst, &mut self.dst2, third, fourth].into_iter().zip(rows) {
            *to = row;
        }
    }

    /// Writes the rows of sources, as [`Inst::srcs`] gives them.
    pub fn set_srcs(&mut self, rows: impl IntoIterator<Item = u16>) {
        for (to, row) in self.src.iter_mut().chain([&mut self.dst2]).zip(rows) {
            *to = row;
        }
    }

    /// Its destinations: none, one, two, or those of a vector load.
    pub fn dsts(&self) -> impl Iterator<Item = (OperandKind, u16)> + use<> {
        let rows = self.op.shape().dsts().into_iter().zip(self.dst_rows());
        rows.filter_map(|(kind, row)| Some((kind?, row)))
    }

    /// Its sources in order.
    pub fn srcs(&self) -> impl Iterator<Item = (OperandKind, u16)> + use<> {
        self.op.shape().srcs().iter().copied().zip(self.src_rows())
    }

    /// What it is to the instruction that it is folded into, if it is.
    pub fn fused(&self) -> Option<Fused> {
        fused_as(self.op, self.aux)
    }

    /// What an atomic does to its words; `None` if its number is none.
    pub fn operation(&self) -> Option<Operation> {
        Operation::ALL.get((self.aux >> Self::OPERATION_SHIFT) as usize).copied()
    }
}

const _: () = assert!(size_of::<Inst>() == 24, "the instruction stream is hot: keep it dense");

/// A constant row's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstValue {
    /// Known when lowered.
    Bits(u64),
    /// Device address of module variable `symbol` (index into [`Module::globals`]) plus `offset`:
    /// known when loaded.
    Global {
        /// Index into [`Module::globals`].
        symbol: u32,
        /// Byte offset, wrapping.
        offset: u64,
    },
    /// The bytes of the parameter block from `offset` on, as many as a row holds: known when
    /// launched.
    Param {
        /// Byte offset, a multiple of the row's size.
        offset: u32,
    },
    /// The bytes of the constant bank from `offset` on, as many as a row holds: known when
    /// launched.
    Bank {
        /// Byte offset, a multiple of the row's size.
        offset: u32,
    },
}

/// How many rows of each file a warp has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// 32-bit rows.
    pub w: u16,
    /// 64-bit rows.
    pub d: u16,
    /// Predicates.
    pub p: u16,
}

/// Addresses of functions begin here, above any memory that these machines can have.
pub const FUNCTION_BASE: u32 = 0xfe00_0000;

/// Functions of a module that can have an address.
pub const MOST_FUNCTIONS: usize = 1 << 20;

/// How far the addresses of functions lie apart.
const FUNCTION_STEP: u32 = 16;

/// A `.func` in the code of a kernel that can reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCode {
    /// Its number in the module: what its address says.
    pub number: u32,
    /// Name in the PTX text.
    pub name: String,
    /// Its first instruction.
    pub start: u32,
    /// The one behind its last.
    pub end: u32,
    /// Functions of equal signatures take and give the same.
    pub signature: u32,
}

impl FunctionCode {
    /// The address of function `number`, which is below [`MOST_FUNCTIONS`].
    pub fn address(number: u32) -> u32 {
        FUNCTION_BASE + number * FUNCTION_STEP
    }

    /// The number of the function at an address, if it can be one.
    pub fn number_at(address: u64) -> Option<u32> {
        let offset = u32::try_from(address).ok()?.checked_sub(FUNCTION_BASE)?;
        offset.is_multiple_of(FUNCTION_STEP).then_some(offset / FUNCTION_STEP)
    }
}

/// A kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name in the PTX text.
    pub name: String,
    /// Element type.
    pub ty: ScalarType,
    /// Byte offset in the parameter block.
    pub offset: u32,
    /// Size in bytes (arrays: of the whole).
    pub bytes: u32,
}

/// A laid-out module or function variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name in the PTX text.
    pub name: String,
    /// Element type.
    pub ty: ScalarType,
    /// Byte offset in its space: shared memory or the constant bank; 0 for `.global` (placed when
    /// loaded).
    pub offset: u32,
    /// Size in bytes; 0 for an `.extern .shared` array.
    pub bytes: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Initial bytes, where given; shorter than `bytes` means zeros behind.
    pub init: Vec<u8>,
    /// Places in `init` that hold addresses: (byte offset, `Module::globals` index, addend, size in
    /// bytes).
    pub relocs: Vec<(u32, u32, u64, u8)>,
}

/// One kernel, ready to run on any machine.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of the `.entry`.
    pub name: String,
    /// The code; index is the PC.
    pub code: Vec<Inst>,
    /// For each PC the span of the PTX instruction it came from.
    pub spans: Vec<Span>,
    /// For each PC the one-based source line.
    pub lines: Vec<u32>,
    /// Label names and the PCs they stand at, ascending.
    pub labels: Vec<(u32, String)>,
    /// Rows that one warp needs.
    pub rows: RowCounts,
    /// Pool of 32-bit constant rows.
    pub const32: Vec<ConstValue>,
    /// Pool of 64-bit constant rows.
    pub const64: Vec<ConstValue>,
    /// The functions that the kernel can reach, in the order of their numbers and of their code,
    /// which stands behind the kernel's.
    pub functions: Vec<FunctionCode>,
    /// Most calls that one thread can be inside of.
    pub call_depth: u32,
    /// 32-bit registers per thread, two for each 64-bit value, by liveness.
    pub registers: u32,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Size of the parameter block in bytes.
    pub param_bytes: u32,
    /// `.shared` variables, static ones first.
    pub shared: Vec<Symbol>,
    /// Bytes of static shared memory; dynamic shared memory begins here.
    pub shared_bytes: u32,
    /// Bytes of local memory per thread: `.local` variables, and what lies behind them.
    pub local_bytes: u32,
    /// `.reqntid`, where given.
    pub required_block: Option<[u32; 3]>,
    /// `.maxntid`, where given.
    pub max_block: Option<[u32; 3]>,
    /// What the text was compiled for.
    pub target: Capability,
    /// Address size of the module in bits: 32 or 64.
    pub address_bits: u32,
    /// How it was compiled.
    pub options: Options,
    /// File name and text, for messages.
    pub source: Arc<Source>,
}

/// The text that a program came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// File name as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Program {
    /// The function of a number.
    pub fn function(&self, number: u32) -> Option<&FunctionCode> {
        let place = self.functions.binary_search_by_key(&number, |function| function.number).ok()?;
        self.functions.get(place)
    }

    /// The function that an instruction belongs to; `None`: the kernel itself.
    pub fn function_of(&self, pc: u32) -> Option<&FunctionCode> {
        let behind = self.functions.partition_point(|function| function.start <= pc);
        self.functions.get(behind.checked_sub(1)?)
    }

    /// Instructions of the kernel itself; those of its functions stand behind them.
    pub fn kernel_len(&self) -> usize {
        self.functions.first().map_or(self.code.len(), |function| function.start as usize)
    }
}

impl Source {
    /// The text of one-based line `line`, trimmed.
    pub fn line(&self, line: u32) -> &str {
        self.text.lines().nth((line as usize).saturating_sub(1)).unwrap_or("").trim()
    }
}

/// All that a PTX file holds.
#[derive(Clone, Debug)]
pub struct Module {
    /// The `.entry` functions in order.
    pub entries: Vec<Arc<Program>>,
    /// `.global` variables in order.
    pub globals: Vec<Symbol>,
    /// `.const` variables in order, laid out in the constant bank.
    pub consts: Vec<Symbol>,
    /// Size of the constant bank in bytes.
    pub const_bytes: u32,
}

impl Program {
    /// The number of the barrier that an instruction is about, where the text says it.
    pub fn barrier(&self, inst: &Inst) -> Option<u32> {
        if inst.op == Op::BarSync {
            return Some(inst.imm);
        }
        let constant = (inst.op.class() == Class::Barrier).then(|| inst.src[0].checked_sub(self.rows.w));
        match self.const32.get(constant.flatten()? as usize)? {
            ConstValue::Bits(number) => Some(*number as u32),
            _ => None,
        }
    }
}

impl Module {
    /// The entry of a name.
    pub fn entry(&self, name: &str) -> Option<&Arc<Program>> {
        self.entries.iter().find(|p| p.name == name)
    }

    /// The module as a driver compiles it for a chip of `capability`: from compute capability 2.0
    /// on, which has no truncating multiplier, `mad.f32` of an older target is a fused multiply-add
    /// (PTX ISA 2.3, "mad"); no 24-bit multiplier, a product of 16 bits is one of 32; and no
    /// arithmetic that reads shared memory, what older chips fold is instructions.
    #[must_use]
    pub fn compiled_for(mut self, capability: Capability) -> Self {
        if capability.major >= 2 {
            for program in &mut self.entries {
                separate(program);
                let newer = |op| match op {
                    Op::MadTruncF32 => Some(Op::FmaFtzF32),
                    Op::MadTruncSatF32 => Some(Op::FmaFtzSatF32),
                    Op::Mul16B32 => Some(Op::MulLoB32),
                    Op::Mad16B32 => Some(Op::MadLoB32),
                    _ => None,
                };
                if program.code.iter().any(|inst| newer(inst.op).is_some()) {
                    for inst in &mut Arc::make_mut(program).code {
                        inst.op = newer(inst.op).unwrap_or(inst.op);
                    }
                }
            }
        }
        self
    }
}

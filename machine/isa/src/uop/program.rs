//! The executable program: flat code, constant rows, layouts, and the mapping to the source.

use super::class::Class;
use super::issue::{Fused, fused_as, separate};
use super::sampler::{Sampler, Selections};
use super::symbol::{Param, Symbol, VariableUse};
use super::{Op, OperandKind};
use crate::options::Options;
use crate::sem::atomic::Operation;
use crate::sem::video::Video;
pub use crate::source::Source;
use crate::span::{LineIndex, Span};
use crate::sreg::SReg;
use crate::types::Capability;
use std::borrow::Cow;
use std::sync::Arc;

/// No register row: an absent operand.
pub const NO_ROW: u16 = u16::MAX;

/// Reconvergence point at the end of the kernel or of the called function.
pub const TO_EXIT: u32 = u32::MAX;

/// A guard predicate `@%p` or `@!%p`, or no guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard(u16);

impl Guard {
    /// No guard: always executes.
    pub const NONE: Self = Self(u16::MAX);

    /// Creates a guard: executes in lanes where predicate row `pred` is set, or clear if `negated`.
    pub fn new(pred: u16, negated: bool) -> Self {
        Self(pred << 1 | negated as u16)
    }

    /// Returns the predicate row and whether it is negated; `None` without a guard.
    #[inline]
    pub fn get(self) -> Option<(u16, bool)> {
        (self != Self::NONE).then_some((self.0 >> 1, self.0 & 1 == 1))
    }
}

/// One micro-op with its operands.
///
/// A register operand is a row index. Rows `0..n` of each file are registers. Row `n + i` is
/// constant `i` of the program's pool for that file ([`Program::const32`], [`Program::const64`]).
/// Predicates have two constants, false at `n` and true at `n + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inst {
    /// Operation.
    pub op: Op,
    /// Predicate under which the lanes execute.
    pub guard: Guard,
    /// Destination row, or [`NO_ROW`].
    pub dst: u16,
    /// Second destination, or fifth source, of a vector access (see [`Inst::dsts`],
    /// [`Inst::srcs`]); or a second result; otherwise [`NO_ROW`].
    pub dst2: u16,
    /// Source rows; unused ones are [`NO_ROW`]. In a load of four elements the last two fields are
    /// destinations.
    pub src: [u16; 4],
    /// Branch or call target, byte offset, barrier number, signature, number of a texture or
    /// surface, code of a special register, or modifiers of a video instruction.
    pub imm: u32,
    /// `bra`: the reconvergence point. Loads and stores: flags such as [`Inst::ADDR64`], and the
    /// cache operator, see [`Inst::cache`]. Atomics: these flags and the operation, see
    /// [`Inst::operation`].
    pub aux: u32,
}

impl Inst {
    /// Flag in [`Inst::aux`] of a load or store: the address row has 64 bits.
    pub const ADDR64: u32 = 1;
    /// Flag in [`Inst::aux`] of a load or store: `.volatile`.
    pub const VOLATILE: u32 = 2;
    /// Flag in [`Inst::aux`] of every micro-op except a branch: it issues together with an adjacent
    /// micro-op (see [`issue`](super::issue)).
    pub const FUSED: u32 = 1 << 31;
    /// Position of the operation's number in [`Inst::aux`] of an atomic.
    pub const OPERATION_SHIFT: u32 = 8;

    /// Creates an instruction without guard and operands.
    pub fn new(op: Op) -> Self {
        Self { op, guard: Guard::NONE, dst: NO_ROW, dst2: NO_ROW, src: [NO_ROW; 4], imm: 0, aux: 0 }
    }

    /// Returns all fields that can hold destination rows. As many of them are valid as the shape
    /// has destinations.
    #[inline]
    pub fn dst_rows(&self) -> [u16; 4] {
        [self.dst, self.dst2, self.src[2], self.src[3]]
    }

    /// Returns all fields that can hold source rows. The shape determines which ones are valid.
    #[inline]
    pub fn src_rows(&self) -> [u16; 5] {
        [self.src[0], self.src[1], self.src[2], self.src[3], self.dst2]
    }

    /// Writes the rows of the destinations, in the order of [`Inst::dsts`].
    pub fn set_dsts(&mut self, rows: impl IntoIterator<Item = u16>) {
        let [_, _, third, fourth] = &mut self.src;
        for (to, row) in [&mut self.dst, &mut self.dst2, third, fourth].into_iter().zip(rows) {
            *to = row;
        }
    }

    /// Writes the rows of the sources, in the order of [`Inst::srcs`].
    pub fn set_srcs(&mut self, rows: impl IntoIterator<Item = u16>) {
        for (to, row) in self.src.iter_mut().chain([&mut self.dst2]).zip(rows) {
            *to = row;
        }
    }

    /// Returns the destinations: none, one, two, or those of a vector load.
    pub fn dsts(&self) -> impl Iterator<Item = (OperandKind, u16)> + use<> {
        let rows = self.op.shape().dsts().into_iter().zip(self.dst_rows());
        rows.filter_map(|(kind, row)| Some((kind?, row)))
    }

    /// Returns the sources in order.
    pub fn srcs(&self) -> impl Iterator<Item = (OperandKind, u16)> + use<> {
        self.op.shape().srcs().iter().copied().zip(self.src_rows())
    }

    /// Returns the registers that the micro-op reads, with those of its address and its guard.
    pub fn reads(&self) -> impl Iterator<Item = (OperandKind, u16)> + use<> {
        let address = if self.aux & Self::ADDR64 != 0 { OperandKind::D } else { OperandKind::W };
        let guard = self.guard.get().map(|(row, _)| (OperandKind::P, row));
        let sources = self.srcs().map(move |(kind, row)| match kind {
            OperandKind::Addr => (address, row),
            OperandKind::W | OperandKind::D | OperandKind::P => (kind, row),
        });
        sources.filter(|(_, row)| *row != NO_ROW).chain(guard)
    }

    /// Returns the role of the micro-op in a fused instruction; `None` if it is not fused.
    pub fn fused(&self) -> Option<Fused> {
        fused_as(self.op, self.aux)
    }

    /// Returns the modifiers of a video instruction; `None` if the immediate encodes none.
    pub fn video(&self) -> Option<Video> {
        Video::decode(self.imm)
    }

    /// Returns the operation of an atomic; `None` if its number is invalid.
    pub fn operation(&self) -> Option<Operation> {
        Operation::ALL.get((self.aux >> Self::OPERATION_SHIFT) as usize).copied()
    }
}

const _: () = assert!(
    size_of::<Inst>() == 24,
    "the interpreter reads this stream for every instruction, so it must stay dense"
);

/// Value of a constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstValue {
    /// Known at compile time.
    Bits(u64),
    /// Device address of module variable `symbol` (index into [`Module::globals`]) plus `offset`;
    /// known when the module is loaded.
    Global {
        /// Index into [`Module::globals`].
        symbol: u32,
        /// Byte offset, wrapping.
        offset: u64,
    },
    /// Bytes of the parameter block from `offset` on, as many as a row holds; known at the launch.
    Param {
        /// Byte offset, a multiple of the row's size.
        offset: u32,
    },
    /// Bytes of the constant bank from `offset` on, as many as a row holds; known at the launch.
    Bank {
        /// Byte offset, a multiple of the row's size.
        offset: u32,
    },
}

/// Number of rows of each file that a warp has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// 32-bit rows.
    pub w: u16,
    /// 64-bit rows.
    pub d: u16,
    /// Predicates.
    pub p: u16,
}

/// First address of a function, above any memory that the simulated chips can have.
pub const FUNCTION_BASE: u32 = 0xfe00_0000;

/// Maximum number of functions of a module that can have an address.
pub const MAX_FUNCTIONS: usize = 1 << 20;

/// Distance between the addresses of two functions.
const FUNCTION_STEP: u32 = 16;

/// A `.func` in the code of a kernel that can reach it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionCode {
    /// Number in the module, which determines the address.
    pub number: u32,
    /// Name in the PTX text.
    pub name: String,
    /// PC of the first instruction.
    pub start: u32,
    /// One past the last instruction.
    pub end: u32,
    /// Number of the signature if the module takes the function's address; otherwise `None`, and no
    /// indirect call may reach the function. Functions with equal signatures have their parameters
    /// and results in the same rows.
    pub signature: Option<u32>,
    /// `.local` variables of the function by name, with their offsets in local memory, or in a
    /// stack frame if the function has one.
    pub local: Vec<(String, u32)>,
    /// 32-bit row with the address of the stack frame; `None` for a function without one.
    pub frame: Option<u16>,
}

impl FunctionCode {
    /// Returns the address of function `number`, which is below [`MAX_FUNCTIONS`].
    pub fn address(number: u32) -> u32 {
        FUNCTION_BASE + number * FUNCTION_STEP
    }

    /// Returns the number of the function at an address, if the address can be that of a function.
    pub fn number_at(address: u64) -> Option<u32> {
        let offset = u32::try_from(address).ok()?.checked_sub(FUNCTION_BASE)?;
        offset.is_multiple_of(FUNCTION_STEP).then_some(offset / FUNCTION_STEP)
    }
}

/// Registers of a thread that a limit of the registers moved to local memory, counted as `ptxas`
/// reports them: once for each instruction of the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Spills {
    /// Size of their places in local memory in bytes.
    pub stack_bytes: u32,
    /// Bytes that the inserted stores write.
    pub store_bytes: u32,
    /// Bytes that the inserted loads read.
    pub load_bytes: u32,
}

/// One kernel, ready to execute on every chip.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of the `.entry`.
    pub name: String,
    /// Code; the index is the PC.
    pub code: Vec<Inst>,
    /// Span of the PTX instruction that produced each PC.
    pub spans: Vec<Span>,
    /// One-based line of each PC in `source`.
    pub lines: Vec<u32>,
    /// Label names with their PCs, ascending.
    pub labels: Vec<(u32, String)>,
    /// Number of rows that one warp needs.
    pub rows: RowCounts,
    /// Pool of 32-bit constant rows.
    pub const32: Vec<ConstValue>,
    /// Pool of 64-bit constant rows.
    pub const64: Vec<ConstValue>,
    /// Functions that the kernel can reach, in the order of their numbers and of their code, which
    /// follows the kernel's code.
    pub functions: Vec<FunctionCode>,
    /// Maximum depth of nested calls of a thread.
    pub call_depth: u32,
    /// Number of 32-bit registers per thread, from the liveness analysis; a 64-bit value counts as
    /// two.
    pub registers: u32,
    /// Registers that are kept in local memory because of a limit of `registers`.
    pub spills: Spills,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Size of the parameter block in bytes.
    pub param_bytes: u32,
    /// Offsets of the 64-bit parameters of which only the lower half is read, as an address: the
    /// upper half must be zero ([`Options::wide_addresses`]).
    pub addresses: Vec<u32>,
    /// `.shared` variables, static ones first.
    pub shared: Vec<Symbol>,
    /// `.local` variables, except variables in a stack frame.
    pub local: Vec<Symbol>,
    /// `.const` variables of the module, in the order of the constant bank.
    pub consts: Arc<[Symbol]>,
    /// Instructions that name one of these variables, in the order of the text.
    pub uses: Vec<VariableUse>,
    /// Names of the textures of the module, then of those of `selections`; a texture fetch contains
    /// an index.
    pub textures: Arc<[String]>,
    /// Names of the surfaces, likewise; an access to a surface contains an index.
    pub surfaces: Arc<[String]>,
    /// Textures and surfaces that the launch selects.
    pub selections: Selections,
    /// Size of static shared memory in bytes; dynamic shared memory begins at this offset.
    pub shared_bytes: u32,
    /// Size of local memory per thread in bytes: `.local` variables and the stack.
    pub local_bytes: u32,
    /// `.reqntid`, if given.
    pub required_block: Option<[u32; 3]>,
    /// `.maxntid`, if given.
    pub max_block: Option<[u32; 3]>,
    /// Compute capability that the text was compiled for.
    pub target: Capability,
    /// Address size of the module in bits: 32 or 64.
    pub address_bits: u32,
    /// Compiler options.
    pub options: Options,
    /// Names and text of the PTX files.
    pub ptx: Arc<Source>,
    /// Names and text of the files that the user reads, for messages: of the compiler's source
    /// files if they are known, otherwise of the PTX files.
    pub source: Arc<Source>,
}

impl Program {
    /// Returns the function with a number.
    pub fn function(&self, number: u32) -> Option<&FunctionCode> {
        let place = self.functions.binary_search_by_key(&number, |function| function.number).ok()?;
        self.functions.get(place)
    }

    /// Returns the function that contains a PC; `None` for the kernel.
    pub fn function_of(&self, pc: u32) -> Option<&FunctionCode> {
        let after = self.functions.partition_point(|function| function.start <= pc);
        self.functions.get(after.checked_sub(1)?)
    }

    /// Returns the functions that an instruction may call; none if it is not a call.
    pub fn callees(&self, inst: &Inst) -> impl Iterator<Item = &FunctionCode> {
        let (op, target) = (inst.op, inst.imm);
        self.functions.iter().filter(move |function| match op {
            Op::Call => function.start == target,
            Op::CallInd => function.signature == Some(target),
            _ => false,
        })
    }

    /// Returns the variable that the PTX instruction of a PC names; `None` if it names none.
    pub fn variable_use(&self, pc: u32) -> Option<&VariableUse> {
        let start = self.spans.get(pc as usize)?.start;
        let place = self.uses.binary_search_by_key(&start, |used| used.start).ok()?;
        self.uses.get(place)
    }

    /// Whether the lines are lines of a compiler's source files, not of the PTX.
    pub fn has_listing(&self) -> bool {
        self.ptx.listing().is_some()
    }

    /// Returns the text of the PTX instruction that produced a PC; empty if it is not known.
    pub fn ptx_text(&self, pc: u32) -> &str {
        let span = self.spans.get(pc as usize);
        span.and_then(|span| self.ptx.text.get(span.range())).unwrap_or("")
    }

    /// Returns the one-based line of each PC in the text of the PTX files.
    pub fn ptx_lines(&self) -> Cow<'_, [u32]> {
        if !self.has_listing() {
            return Cow::Borrowed(&self.lines);
        }
        let lines = LineIndex::new(&self.ptx.text);
        Cow::Owned(self.spans.iter().map(|span| lines.line(span.start)).collect())
    }

    /// Returns the number of instructions of the kernel, without its functions.
    pub fn kernel_len(&self) -> usize {
        self.functions.first().map_or(self.code.len(), |function| function.start as usize)
    }
}

/// The contents of a PTX file, or of several files that are linked.
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
    /// Names of the textures in order.
    pub textures: Arc<[String]>,
    /// Names of the surfaces in order.
    pub surfaces: Arc<[String]>,
    /// Samplers in order.
    pub samplers: Arc<[Sampler]>,
}

impl Program {
    /// Whether the code reads `.const` variables.
    pub fn reads_constants(&self) -> bool {
        self.code.iter().any(|inst| inst.op.class() == Class::LdConst)
    }

    /// Whether the code reads a special register.
    pub fn reads(&self, register: SReg) -> bool {
        let is_read = |inst: &Inst| inst.op.class() == Class::Sreg && inst.imm == register as u32;
        self.code.iter().any(is_read)
    }

    /// Returns the number of the barrier that an instruction accesses, if it is a constant.
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

    /// Returns the number of barriers of the kernel as ptxas counts them: the highest number that
    /// is accessed and one, or all 16 if a number is in a register.
    pub fn barriers(&self) -> u32 {
        let barriers = self.code.iter().filter(|inst| inst.op.class() == Class::Barrier);
        barriers.map(|inst| self.barrier(inst).map_or(16, |number| number + 1)).max().unwrap_or(0)
    }
}

impl Module {
    /// Returns the entry with a name.
    pub fn entry(&self, name: &str) -> Option<&Arc<Program>> {
        self.entries.iter().find(|p| p.name == name)
    }

    /// Returns the module as a driver compiles it for a chip of `capability`. From compute
    /// capability 2.0 on, there is no truncating multiplier, so `mad.f32` of an older target
    /// becomes a fused multiply-add (PTX ISA 2.3, "mad"). There is no 24-bit multiplier, so a
    /// 16-bit product becomes a 32-bit one. Arithmetic cannot read shared memory, so operands that
    /// older chips fuse become instructions.
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

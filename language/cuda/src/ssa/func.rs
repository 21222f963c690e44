//! Modules, functions, blocks and values.

use super::op::Op;
use super::types::{Space, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The index into an array.
            pub fn at(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// An instruction or a parameter of a block, and its result.
    Value
}
index! {
    /// A basic block of a function.
    Block
}
index! {
    /// A function of the module.
    FuncId
}
index! {
    /// A variable of the module.
    SymId
}

/// A compilation unit.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Kernels and device functions, callees first.
    pub functions: Vec<Function>,
    /// Variables.
    pub symbols: Vec<Symbol>,
    /// Types of the functions that are called through pointers: parameters and result.
    pub protos: Vec<(Vec<Ty>, Ty)>,
    /// Names of the source files that line numbers refer to.
    pub files: Vec<String>,
    /// Whether the types of pointers name their state spaces (OpenCL C).
    pub typed_pointers: bool,
}

/// A variable of the module.
#[expect(clippy::struct_excessive_bools, reason = "properties of a declaration")]
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Name in PTX.
    pub name: String,
    /// State space.
    pub space: Space,
    /// Bytes; 0 for dynamic shared memory.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Initial bytes; empty for zeros.
    pub init: Vec<u8>,
    /// Addresses in the initial value: offset, variable, offset in that variable.
    pub relocations: Vec<(u64, SymId, i64)>,
    /// Addresses of functions in `init`: offset and function.
    pub code: Vec<(u64, FuncId)>,
    /// Whether another module defines the variable (`extern`), or the launch sets its size.
    pub external: bool,
    /// Whether the host can find the variable by its name.
    pub visible: bool,
    /// A texture reference instead of memory.
    pub texture: bool,
    /// A surface reference instead of memory.
    pub surface: bool,
    /// A sampler of OpenCL C with this value instead of memory.
    pub sampler: Option<u32>,
}

/// A kernel or a device function.
#[expect(clippy::struct_excessive_bools, reason = "properties of a declaration")]
#[derive(Clone, Debug)]
pub struct Function {
    /// Name in PTX.
    pub name: String,
    /// Whether the function is a kernel.
    pub kernel: bool,
    /// Name, type in PTX, alignment and bytes of each parameter of a kernel, at its offset.
    pub kernel_params: Vec<KernelParam>,
    /// Types of the parameters of a device function.
    pub params: Vec<Ty>,
    /// Type of the result.
    pub result: Ty,
    /// Sizes of the only block with which it can be launched.
    pub work_group: Option<[u32; 3]>,
    /// `__launch_bounds__`: threads per block, and blocks per SM (0: not given).
    pub bounds: Option<(u32, u32)>,
    /// Whether the function may not be inlined.
    pub noinline: bool,
    /// Whether the function should always be inlined.
    pub forceinline: bool,
    /// Instructions and block parameters.
    pub values: Vec<ValueData>,
    /// Blocks; the first is the entry.
    pub blocks: Vec<BlockData>,
    /// Local variables in memory.
    pub slots: Vec<Slot>,
    /// Variables of the source, also those of inlined functions.
    pub locals: Vec<Local>,
    /// First and last line of each loop of the source; all lines after a `goto`.
    pub loops: Vec<(u32, u32)>,
    /// Whether each assignment to a variable has an instruction that writes its register (`-O0`).
    pub keeps_variables: bool,
    /// Requested unrolling of loops, by their header blocks.
    pub unroll: Vec<(Block, Unroll)>,
    /// Place of the definition.
    pub loc: Loc,
}

/// A parameter of a kernel.
#[derive(Clone, Debug)]
pub struct KernelParam {
    /// Name in CUDA C.
    pub name: String,
    /// Type in PTX; `None` for an array of bytes.
    pub ptx: Option<&'static str>,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Offset in the parameter space.
    pub offset: u32,
    /// State space and alignment of the objects that it points to, if its type names the space.
    pub points_to: Option<(Space, u64)>,
}

impl KernelParam {
    /// Whether the parameter is an image or sampler.
    pub fn is_object(&self) -> bool {
        matches!(self.ptx, Some("texref" | "surfref" | "samplerref"))
    }
}

/// A place in the source: index into `Module::files` plus one (0: unknown), and line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc {
    /// File plus one.
    pub file: u32,
    /// Line, from 1 on.
    pub line: u32,
}

/// A parameter or variable of the source.
#[derive(Clone, Debug)]
pub struct Local {
    /// Name in CUDA C.
    pub name: String,
    /// Index of its type.
    pub ty: u32,
    /// Type as C writes it.
    pub c_type: String,
    /// Declaration.
    pub loc: Loc,
    /// Last line of the scope.
    pub last: u32,
    /// Whether it is the variable of an inlined function.
    pub is_inlined: bool,
    /// Index of the parameter of the kernel that has the first value.
    pub parameter: Option<usize>,
    /// Assignments whose stores `promote` has removed.
    pub assigned: Assignments,
}

/// The assignments to a variable, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Assignments {
    list: Vec<Assigned>,
    /// Index of the first one with an offset and a place, and with or without a constant.
    first: FxHashMap<(u32, Loc, bool), u32>,
    known: FxHashSet<(u32, Loc, Option<u64>)>,
}

impl Assignments {
    /// Adds an assignment, unless it is known.
    pub fn add(&mut self, offset: u32, loc: Loc, constant: Option<u64>) {
        if self.known.insert((offset, loc, constant)) {
            self.first.entry((offset, loc, constant.is_some())).or_insert(self.list.len() as u32);
            self.list.push(Assigned { offset, loc, constant, made: 0 });
        }
    }

    /// The assignments.
    pub fn iter(&self) -> impl Iterator<Item = &Assigned> {
        self.list.iter()
    }
}

/// An assignment of the source to a scalar part of a variable.
#[derive(Clone, Copy, Debug)]
pub struct Assigned {
    /// Offset of the part.
    pub offset: u32,
    /// Place.
    pub loc: Loc,
    /// The value, if it is a constant.
    pub constant: Option<u64>,
    /// Instructions that were made for it, with those of copied blocks.
    pub made: u32,
}

/// A scalar part of a variable: index into [`Function::locals`], and offset in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// The variable.
    pub local: u32,
    /// Offset in bytes.
    pub offset: u32,
}

/// A local variable in memory.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Name in CUDA C.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// The variable of the source, as an index into [`Function::locals`].
    pub local: Option<u32>,
}

/// An instruction or block parameter.
#[derive(Clone, Debug)]
pub struct ValueData {
    /// Type of the result.
    pub ty: Ty,
    /// What it computes.
    pub op: Op,
    /// Place in the source.
    pub loc: Loc,
    /// Whether the program guarantees that the signed sum, difference or product does not overflow.
    pub nsw: bool,
    /// The variable of the source that has this value from here on.
    pub variable: Option<Variable>,
    /// For a load: the member of an aligned vector that it reads, by the type of the object.
    pub member: Option<Member>,
}

/// A member of a vector of 2 or 4 equal scalars whose alignment is its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Number of the member.
    pub lane: u8,
    /// Number of members.
    pub lanes: u8,
}

/// A requested unrolling of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unroll {
    /// Copies of the body; 0: complete unrolling; 1: none.
    pub factor: u32,
    /// Place of the pragma.
    pub loc: Loc,
}

impl Unroll {
    /// Forbids unrolling.
    pub const NONE: Self = Self { factor: 1, loc: Loc { file: 0, line: 0 } };
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub struct BlockData {
    /// Parameters: values with `Op::Param`.
    pub params: Vec<Value>,
    /// Instructions in order.
    pub insts: Vec<Value>,
    /// What follows the instructions.
    pub term: Terminator,
    /// Place of the terminator in the source.
    pub loc: Loc,
}

/// A jump to a block with arguments for its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jump {
    /// The block.
    pub to: Block,
    /// One argument for each parameter.
    pub args: Vec<Value>,
}

impl Jump {
    /// A jump without arguments.
    pub fn to(to: Block) -> Jump {
        Jump { to, args: Vec::new() }
    }
}

/// The end of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Terminator {
    /// Not reached.
    #[default]
    Unreachable,
    /// A jump.
    Jump(Jump),
    /// A jump to the first block if the predicate is true, else to the second.
    Branch(Value, Jump, Jump),
    /// The end of the function, or of the thread in a kernel.
    Return(Option<Value>),
}

impl Terminator {
    /// The jumps, at most two.
    pub fn jumps(&self) -> impl Iterator<Item = &Jump> {
        let (a, b) = match self {
            Terminator::Jump(a) => (Some(a), None),
            Terminator::Branch(_, a, b) => (Some(a), Some(b)),
            Terminator::Unreachable | Terminator::Return(_) => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// The jumps, which the caller can change.
    pub fn jumps_mut(&mut self) -> impl Iterator<Item = &mut Jump> {
        let (a, b) = match self {
            Terminator::Jump(a) => (Some(a), None),
            Terminator::Branch(_, a, b) => (Some(a), Some(b)),
            Terminator::Unreachable | Terminator::Return(_) => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// Calls a function on each operand.
    pub fn each(&self, mut f: impl FnMut(Value)) {
        match self {
            Terminator::Branch(cond, ..) | Terminator::Return(Some(cond)) => f(*cond),
            Terminator::Unreachable | Terminator::Jump(_) | Terminator::Return(None) => {}
        }
        self.jumps().for_each(|jump| jump.args.iter().for_each(|arg| f(*arg)));
    }

    /// Calls a function on each operand, which it can replace.
    pub fn each_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            Terminator::Branch(cond, ..) | Terminator::Return(Some(cond)) => f(cond),
            Terminator::Unreachable | Terminator::Jump(_) | Terminator::Return(None) => {}
        }
        self.jumps_mut().for_each(|jump| jump.args.iter_mut().for_each(&mut f));
    }
}

impl Function {
    /// A function without blocks.
    pub fn new(name: &str) -> Function {
        Function {
            name: name.to_owned(),
            kernel: false,
            kernel_params: Vec::new(),
            params: Vec::new(),
            result: Ty::Void,
            work_group: None,
            bounds: None,
            noinline: false,
            forceinline: false,
            values: Vec::new(),
            blocks: Vec::new(),
            slots: Vec::new(),
            locals: Vec::new(),
            loops: Vec::new(),
            keeps_variables: false,
            unroll: Vec::new(),
            loc: Loc::default(),
        }
    }

    /// The entry block.
    pub const ENTRY: Block = Block(0);

    /// Adds an empty block.
    pub fn add_block(&mut self) -> Block {
        self.blocks.push(BlockData::default());
        Block(self.blocks.len() as u32 - 1)
    }

    /// Adds a value that is in no block.
    pub fn add_value(&mut self, ty: Ty, op: Op, loc: Loc) -> Value {
        self.values.push(ValueData { ty, op, loc, nsw: false, variable: None, member: None });
        Value(self.values.len() as u32 - 1)
    }

    /// Appends an instruction to a block.
    pub fn push(&mut self, block: Block, ty: Ty, op: Op, loc: Loc) -> Value {
        let value = self.add_value(ty, op, loc);
        self.blocks[block.at()].insts.push(value);
        value
    }

    /// Adds a parameter to a block.
    pub fn add_param(&mut self, block: Block, ty: Ty) -> Value {
        let value = self.add_value(ty, Op::Param, Loc::default());
        self.blocks[block.at()].params.push(value);
        value
    }

    /// The operation of a value.
    pub fn op(&self, value: Value) -> &Op {
        &self.values[value.at()].op
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Ty {
        self.values[value.at()].ty
    }

    /// The bits of a constant.
    pub fn constant(&self, value: Value) -> Option<u64> {
        match self.op(value) {
            Op::Const(bits) => Some(*bits),
            _ => None,
        }
    }

    /// The value of a constant integer, sign-extended from its type.
    pub fn signed(&self, value: Value) -> Option<i64> {
        let bits = self.constant(value)?;
        match self.ty(value) {
            Ty::I32 => Some(i64::from(bits as u32 as i32)),
            Ty::I64 => Some(bits as i64),
            _ => None,
        }
    }

    /// Notes that an instruction was made for an assignment to its variable.
    pub fn note_assigned(&mut self, value: Value) {
        let ValueData { variable, loc, op, .. } = &self.values[value.at()];
        let Some(Variable { local, offset }) = *variable else { return };
        let is_constant = matches!(op, Op::Copy(of) if matches!(self.op(*of), Op::Const(_)));
        let key = (offset, *loc, is_constant);
        let all = &mut self.locals[local as usize].assigned;
        if let Some(first) = all.first.get(&key) {
            all.list[*first as usize].made += 1;
        }
    }

    /// Notes that an instruction moves to another place: if its variable has several values, it is
    /// not the latest one from there on.
    pub fn displace(&mut self, value: Value) {
        let Some(part) = self.values[value.at()].variable else { return };
        let local = &self.locals[part.local as usize];
        let values = local.assigned.iter().filter(|one| one.offset == part.offset).take(2).count();
        if values + usize::from(local.parameter.is_some()) > 1 {
            self.values[value.at()].variable = None;
        }
    }

    /// All blocks.
    pub fn block_ids(&self) -> impl Iterator<Item = Block> + use<> {
        (0..self.blocks.len() as u32).map(Block)
    }

    /// Number of instructions in blocks.
    pub fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.insts.len() + 1).sum()
    }

    /// Replaces operands by the values to which `map` maps them, through chains of replacements.
    pub fn replace(&mut self, map: &mut Replacements) {
        if map.is_empty() {
            return;
        }
        for block in &mut self.blocks {
            for value in block.params.iter().chain(&block.insts) {
                self.values[value.at()].op.each_mut(|operand| *operand = map.find(*operand));
            }
            block.term.each_mut(|operand| *operand = map.find(*operand));
        }
    }
}

/// Values that other values replace.
#[derive(Debug, Default)]
pub struct Replacements {
    to: Vec<u32>,
}

impl Replacements {
    /// Whether no value is replaced.
    pub fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// Replaces `from` by `to`. A value is never replaced by one that it replaces itself.
    pub fn set(&mut self, from: Value, to: Value) {
        let to = self.find(to);
        if to == from {
            return;
        }
        if self.to.len() <= from.at() {
            self.to.resize(from.at() + 1, u32::MAX);
        }
        self.to[from.at()] = to.0;
    }

    /// The value that stands for a value in the end.
    pub fn find(&mut self, value: Value) -> Value {
        let mut last = value;
        while let Some(&next) = self.to.get(last.at()) {
            if next == u32::MAX {
                break;
            }
            last = Value(next);
        }
        let mut at = value;
        while at != last {
            let next = Value(self.to[at.at()]);
            self.to[at.at()] = last.0;
            at = next;
        }
        last
    }
}

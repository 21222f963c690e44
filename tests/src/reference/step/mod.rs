//! Execution of one instruction of one thread.

mod access;
mod arithmetic;
mod atomic;
mod call;
mod choice;
mod convert;
mod float;
mod special;
mod synchronization;

use super::integer::{number, truncate, width};
use super::memory::Memory;
use super::read::{Base, Formal, Instruction, Operand, ReferenceProgram};
use super::space::literal;
use call::Activation;
use isa::types::{Dim3, ScalarType, TypeKind};
pub use synchronization::{Lanes, Outcome, Reduction, Vote, Wait};

/// State that a thread can access.
pub struct Context<'a> {
    /// Program that the thread executes.
    pub program: &'a ReferenceProgram,
    /// Whether the chip has no truncating multiplier.
    pub fused: bool,
    /// Blocks of the grid.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// The block's index.
    pub ctaid: Dim3,
    /// Global memory.
    pub global: &'a mut Memory,
    /// The block's shared memory.
    pub shared: &'a mut Memory,
    /// Bytes of the arguments, at the offsets of the parameters.
    pub arguments: &'a [u8],
    /// Constant memory.
    pub constants: &'a mut Memory,
    /// Byte that registers and local memory consist of before they are written.
    pub fill: u8,
}

/// Registers and position of one thread.
#[derive(Debug)]
pub struct Thread {
    /// Index of the thread.
    pub tid: Dim3,
    /// Linear index in its block.
    pub number: u32,
    /// Index of the next instruction.
    pub pc: usize,
    /// Current activation.
    now: Activation,
    /// Activations of the callers.
    callers: Vec<Activation>,
    /// Condition code: the carry, or no borrow.
    carry: bool,
    /// Local memory.
    local: Memory,
}

/// Status of a thread after an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Running.
    Runs,
    /// Waiting at a barrier.
    Waits(Wait),
    /// Has arrived at a barrier and continues.
    Arrives(u64),
    /// Waiting at a vote.
    Votes(Vote),
    /// Exited.
    Exits,
}

pub(super) type Result<T> = std::result::Result<T, String>;

impl Thread {
    /// Creates a thread before its first instruction.
    pub fn new(tid: Dim3, number: u32, context: &Context) -> Self {
        let entry = &context.program.functions[0];
        let mut now = Activation::new(context.program, 0, context.program.local_bytes, context.fill);
        now.params.fill(context.arguments);
        let local =
            Memory::of(vec![context.fill; (context.program.local_bytes + entry.local_bytes) as usize]);
        Self { tid, number, pc: entry.start, now, callers: Vec::new(), carry: false, local }
    }

    /// Executes one instruction; the end of a function is a return.
    pub fn step(&mut self, context: &mut Context) -> Result<Status> {
        let program = context.program;
        if self.pc == program.functions[self.now.function].end {
            return self.return_from(context);
        }
        let inst = &program.code[self.pc];
        self.pc += 1;
        if inst.guard.is_some_and(|(register, negated)| (self.now.registers[register] != 0) == negated) {
            // The vote must not wait for a thread that does not participate.
            return match inst.opcode.as_str() {
                "vote" | "activemask" => Ok(Status::Votes(Vote { at: self.pc, value: None, offers: 0 })),
                "shfl" => self.shuffle(inst, None, context),
                _ => Ok(Status::Runs),
            };
        }
        self.execute(inst, context).map_err(|e| format!("line {}, `{}`: {e}", inst.line, inst.opcode))
    }

    fn execute(&mut self, inst: &Instruction, context: &mut Context) -> Result<Status> {
        match inst.opcode.as_str() {
            "bra" => match inst.operands[0] {
                Operand::Label(label) => self.pc = context.program.labels[label],
                _ => return Err("no label".to_owned()),
            },
            "bar" if inst.has("warp") => {}
            "bar" => return self.barrier(inst, context),
            "vote" => return self.vote(inst, context),
            "activemask" => return Ok(Status::Votes(Vote { at: self.pc, value: Some(true), offers: 0 })),
            "shfl" => return self.shuffle(inst, Some(true), context),
            "exit" => return Ok(Status::Exits),
            "call" => self.call(inst, context)?,
            "ret" => return self.return_from(context),
            "membar" | "pmevent" | "prefetch" | "prefetchu" | "brkpt" => {}
            "ld" | "ldu" => self.load(inst, context)?,
            "st" => self.store(inst, context)?,
            "atom" | "red" => self.atomic(inst, context)?,
            "setp" => self.setp(inst, context)?,
            "set" => self.set(inst, context)?,
            "slct" => self.slct(inst, context)?,
            "addc" | "subc" | "madc" => self.carried(inst, context)?,
            "add" | "sub" | "mad" if inst.has("cc") => self.carried(inst, context)?,
            "bfe" | "bfi" | "prmt" | "shf" | "lop3" | "popc" | "clz" | "brev" | "bfind" | "cnot" => {
                self.field(inst, context)?;
            }
            "mov" if matches!(inst.operands[1], Operand::List(_)) => self.pack(inst, context)?,
            "mov" if matches!(inst.operands[0], Operand::List(_)) => self.unpack(inst, context)?,
            "cvt" => self.convert(inst, context)?,
            "mov" | "selp" => self.choose(inst, context)?,
            "cvta" => self.generic(inst, context)?,
            "isspacep" => self.is_in_space(inst, context)?,
            "testp" => self.testp(inst, context)?,
            _ if inst.types.first().is_some_and(|ty| ty.kind() == TypeKind::Float) => {
                self.float(inst, context)?;
            }
            _ => self.integer(inst, context)?,
        }
        Ok(Status::Runs)
    }

    /// Reads a source as bits of `ty`.
    fn read(&self, operand: &Operand, ty: ScalarType, context: &Context) -> Result<u64> {
        let bits = match operand {
            Operand::Register(register) => self.now.registers[*register],
            Operand::Not(register) => self.now.registers[*register] ^ 1,
            Operand::Literal(value) => literal(*value, ty),
            Operand::Variable(base, place) => self.base(*base).wrapping_add(place.address),
            Operand::Function(number) => call::address(*number),
            Operand::Special(name) => self.special(name, context)?,
            other => return Err(format!("{other:?} is not a source")),
        };
        Ok(truncate(bits.into(), width(ty)))
    }

    fn base(&self, base: Base) -> u64 {
        match base {
            Base::Zero => 0,
            Base::Register(register) => self.now.registers[register],
            Base::Frame => self.now.frame,
        }
    }

    /// Writes a number to a register, truncated to its width.
    fn write(&mut self, operand: &Operand, value: i128, context: &Context) -> Result<()> {
        match operand {
            Operand::Register(register) => {
                self.now.registers[*register] =
                    truncate(value, width(self.register_type(*register, context)));
                Ok(())
            }
            Operand::Sink => Ok(()),
            other => Err(format!("{other:?} is not a destination")),
        }
    }

    fn register_type(&self, register: usize, context: &Context) -> ScalarType {
        context.program.functions[self.now.function].registers[register]
    }

    /// Reads the sources `operands[1..]` as bits of `ty`.
    fn sources(&self, inst: &Instruction, ty: ScalarType, context: &Context) -> Result<Vec<u64>> {
        inst.operands[1..].iter().map(|operand| self.read(operand, ty, context)).collect()
    }

    /// Reads the sources `operands[1..]` as numbers of an integer type.
    fn numbers(&self, inst: &Instruction, ty: ScalarType, context: &Context) -> Result<Vec<i128>> {
        Ok(self.sources(inst, ty, context)?.iter().map(|bits| number(*bits, ty)).collect())
    }
}

/// Returns the elements of a vector, or one operand.
fn elements(operand: &Operand) -> &[Operand] {
    if let Operand::List(elements) = operand { elements } else { std::slice::from_ref(operand) }
}

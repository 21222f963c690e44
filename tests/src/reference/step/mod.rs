//! One instruction of one thread.

mod access;
mod arithmetic;
mod atomic;
mod call;
mod choice;
mod convert;
mod float;
mod meet;
mod special;

use super::integer::{cut, number, width};
use super::memory::Memory;
use super::read::{Base, Formal, Instruction, Operand, Program};
use super::space::literal;
use call::Activation;
use isa::types::{Dim3, ScalarType, TypeKind};
pub use meet::{Outcome, Reduction, Vote, Wait};

/// What a thread can see and touch.
pub struct Surroundings<'a> {
    /// The program.
    pub program: &'a Program,
    /// The chip has no truncating multiplier.
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
    /// The arguments' bytes, where the parameters are.
    pub arguments: &'a [u8],
    /// Constant memory.
    pub constants: &'a mut Memory,
}

/// A thread.
#[derive(Debug)]
pub struct Thread {
    /// Its index.
    pub tid: Dim3,
    /// Its number in its block.
    pub number: u32,
    /// Next instruction.
    pub pc: usize,
    /// The function that it is in.
    now: Activation,
    /// Those that it will return to.
    callers: Vec<Activation>,
    /// The condition code: carry or borrow.
    carry: bool,
    /// Its local memory.
    local: Memory,
}

/// Where an instruction leaves its thread.
#[derive(Clone, Debug, PartialEq)]
pub enum Then {
    /// Somewhere in its program.
    Runs,
    /// At a barrier.
    Waits(Wait),
    /// It has arrived at a barrier and goes on.
    Arrives(u64),
    /// At a vote.
    Votes(Vote),
    /// At its end.
    Exits,
}

pub(super) type Result<T> = std::result::Result<T, String>;

impl Thread {
    /// A thread before its first instruction.
    pub fn new(tid: Dim3, number: u32, around: &Surroundings) -> Self {
        let entry = &around.program.functions[0];
        let mut now = Activation::new(around.program, 0, around.program.local_bytes);
        now.params.fill(around.arguments);
        let local = Memory::of(vec![0; (around.program.local_bytes + entry.local_bytes) as usize]);
        Self { tid, number, pc: entry.start, now, callers: Vec::new(), carry: false, local }
    }

    /// Executes one instruction; behind the last one of a function is a return.
    pub fn step(&mut self, around: &mut Surroundings) -> Result<Then> {
        let program = around.program;
        if self.pc == program.functions[self.now.function].end {
            return self.give_back(around);
        }
        let inst = &program.code[self.pc];
        self.pc += 1;
        if inst.guard.is_some_and(|(register, negated)| (self.now.registers[register] != 0) == negated) {
            // Who does not vote must not be missed.
            let votes = inst.opcode == "vote";
            return Ok(if votes { Then::Votes(Vote { at: self.pc, value: None }) } else { Then::Runs });
        }
        self.execute(inst, around).map_err(|e| format!("line {}, `{}`: {e}", inst.line, inst.opcode))
    }

    fn execute(&mut self, inst: &Instruction, around: &mut Surroundings) -> Result<Then> {
        match inst.opcode.as_str() {
            "bra" => match inst.operands[0] {
                Operand::Label(label) => self.pc = around.program.labels[label],
                _ => return Err("no label".to_owned()),
            },
            "bar" => return self.barrier(inst, around),
            "vote" => return self.vote(inst, around),
            "exit" => return Ok(Then::Exits),
            "call" => self.call(inst, around)?,
            "ret" => return self.give_back(around),
            "membar" | "prefetch" | "prefetchu" | "brkpt" => {}
            "ld" | "ldu" => self.load(inst, around)?,
            "st" => self.store(inst, around)?,
            "atom" | "red" => self.atomic(inst, around)?,
            "setp" => self.setp(inst, around)?,
            "set" => self.set(inst, around)?,
            "slct" => self.slct(inst, around)?,
            "addc" | "subc" | "madc" => self.carried(inst, around)?,
            "add" | "sub" | "mad" if inst.has("cc") => self.carried(inst, around)?,
            "bfe" | "bfi" | "prmt" | "shf" | "popc" | "clz" | "brev" | "bfind" | "cnot" => {
                self.field(inst, around)?;
            }
            "mov" if matches!(inst.operands[1], Operand::List(_)) => self.pack(inst, around)?,
            "mov" if matches!(inst.operands[0], Operand::List(_)) => self.unpack(inst, around)?,
            "cvt" => self.convert(inst, around)?,
            "mov" | "selp" => self.choose(inst, around)?,
            "cvta" => self.generic(inst, around)?,
            "isspacep" => self.is_in_space(inst, around)?,
            "testp" => self.testp(inst, around)?,
            _ if inst.types.first().is_some_and(|ty| ty.kind() == TypeKind::Float) => {
                self.float(inst, around)?;
            }
            _ => self.integer(inst, around)?,
        }
        Ok(Then::Runs)
    }

    /// A source as bits of `ty`.
    fn read(&self, operand: &Operand, ty: ScalarType, around: &Surroundings) -> Result<u64> {
        let bits = match operand {
            Operand::Register(register) => self.now.registers[*register],
            Operand::Not(register) => self.now.registers[*register] ^ 1,
            Operand::Literal(value) => literal(*value, ty),
            Operand::Variable(base, place) => self.base(*base).wrapping_add(place.address),
            Operand::Function(number) => call::address(*number),
            Operand::Special(name) => self.special(name, around)?,
            other => return Err(format!("{other:?} is no source")),
        };
        Ok(cut(bits.into(), width(ty)))
    }

    fn base(&self, base: Base) -> u64 {
        match base {
            Base::Zero => 0,
            Base::Register(register) => self.now.registers[register],
            Base::Frame => self.now.frame,
        }
    }

    /// Writes a number into a register, cut to the register's own width.
    fn write(&mut self, operand: &Operand, value: i128, around: &Surroundings) -> Result<()> {
        match operand {
            Operand::Register(register) => {
                self.now.registers[*register] = cut(value, width(self.register_type(*register, around)));
                Ok(())
            }
            Operand::Sink => Ok(()),
            other => Err(format!("{other:?} is no destination")),
        }
    }

    fn register_type(&self, register: usize, around: &Surroundings) -> ScalarType {
        around.program.functions[self.now.function].registers[register]
    }

    /// Sources `operands[1..]` as bits of `ty`.
    fn sources(&self, inst: &Instruction, ty: ScalarType, around: &Surroundings) -> Result<Vec<u64>> {
        inst.operands[1..].iter().map(|operand| self.read(operand, ty, around)).collect()
    }

    /// Sources `operands[1..]` as numbers of an integer type.
    fn numbers(&self, inst: &Instruction, ty: ScalarType, around: &Surroundings) -> Result<Vec<i128>> {
        Ok(self.sources(inst, ty, around)?.iter().map(|bits| number(*bits, ty)).collect())
    }
}

/// The elements of a vector, or one operand.
fn elements(operand: &Operand) -> &[Operand] {
    if let Operand::List(elements) = operand { elements } else { std::slice::from_ref(operand) }
}

//! One instruction of one thread.

use super::float::{self, Rounding};
use super::integer::{self, cut, number, width};
use super::memory::Memory;
use super::read::{Instruction, Operand, Program};
use super::space::literal;
use isa::types::{Dim3, ScalarType, StateSpace, TypeKind};
use std::cmp::Ordering;

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
    /// The parameters.
    pub params: &'a mut Memory,
    /// Constant memory.
    pub constants: &'a mut Memory,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its index.
    pub tid: Dim3,
    /// Its number in its block.
    pub number: u32,
    /// Next instruction.
    pub pc: usize,
    registers: Vec<u64>,
}

/// Where an instruction leaves its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Somewhere in its program.
    Runs,
    /// At a barrier.
    Waits(u64),
    /// At its end.
    Exits,
}

type Result<T> = std::result::Result<T, String>;

impl Thread {
    /// A thread before its first instruction.
    pub fn new(tid: Dim3, number: u32, program: &Program) -> Self {
        Self { tid, number, pc: 0, registers: vec![0; program.registers.len()] }
    }

    /// Executes one instruction; behind the last one is an exit.
    pub fn step(&mut self, around: &mut Surroundings) -> Result<Then> {
        let program = around.program;
        let Some(inst) = program.code.get(self.pc) else { return Ok(Then::Exits) };
        self.pc += 1;
        if inst.guard.is_some_and(|(register, negated)| (self.registers[register] != 0) == negated) {
            return Ok(Then::Runs);
        }
        self.execute(inst, around).map_err(|e| format!("line {}, `{}`: {e}", inst.line, inst.opcode))
    }

    fn execute(&mut self, inst: &Instruction, around: &mut Surroundings) -> Result<Then> {
        match inst.opcode.as_str() {
            "bra" => match inst.operands[0] {
                Operand::Label(label) => self.pc = around.program.labels[label],
                _ => return Err("no label".to_owned()),
            },
            "bar" => return Ok(Then::Waits(self.read(&inst.operands[0], ScalarType::U32, around)?)),
            "exit" | "ret" => return Ok(Then::Exits),
            "membar" => {}
            "ld" => self.load(inst, around)?,
            "st" => self.store(inst, around)?,
            "setp" => self.setp(inst, around)?,
            "cvt" => self.convert(inst, around)?,
            "mov" | "selp" => self.choose(inst, around)?,
            // Generic addresses of global memory are its own.
            "cvta" if inst.has("global") => self.choose(inst, around)?,
            _ if inst.types == [ScalarType::F32] => self.float(inst, around)?,
            _ => self.integer(inst, around)?,
        }
        Ok(Then::Runs)
    }

    /// A source as bits of `ty`.
    fn read(&self, operand: &Operand, ty: ScalarType, around: &Surroundings) -> Result<u64> {
        let bits = match operand {
            Operand::Register(register) => self.registers[*register],
            Operand::Not(register) => self.registers[*register] ^ 1,
            Operand::Literal(value) => literal(*value, ty),
            Operand::Address(address) => *address,
            Operand::Special(name) => self.special(name, around)?.into(),
            other => return Err(format!("{other:?} is no source")),
        };
        Ok(cut(bits.into(), width(ty)))
    }

    fn special(&self, name: &str, around: &Surroundings) -> Result<u32> {
        let Some((name, axis)) = name.rsplit_once('.') else {
            return if name == "%laneid" { Ok(self.number % 32) } else { Err(format!("`{name}`")) };
        };
        let of = match name {
            "%tid" => self.tid,
            "%ntid" => around.block,
            "%ctaid" => around.ctaid,
            "%nctaid" => around.grid,
            _ => return Err(format!("`{name}`")),
        };
        Ok(match axis {
            "x" => of.x,
            "y" => of.y,
            _ => of.z,
        })
    }

    /// Writes a number into a register, cut to the register's own width.
    fn write(&mut self, operand: &Operand, value: i128, around: &Surroundings) -> Result<()> {
        match operand {
            Operand::Register(register) => {
                self.registers[*register] = cut(value, width(around.program.registers[*register]));
                Ok(())
            }
            Operand::Sink => Ok(()),
            other => Err(format!("{other:?} is no destination")),
        }
    }

    fn address(&self, operand: &Operand, around: &Surroundings) -> Result<u64> {
        match operand {
            Operand::Memory(None, address) => Ok(*address),
            Operand::Memory(Some(base), offset) => {
                let sum = self.registers[*base].wrapping_add(*offset);
                Ok(cut(sum.into(), width(around.program.registers[*base])))
            }
            other => Err(format!("{other:?} is no address")),
        }
    }

    fn load(&mut self, inst: &Instruction, around: &mut Surroundings) -> Result<()> {
        let (ty, address) = (inst.types[0], self.address(&inst.operands[1], around)?);
        let bits = memory(inst, around)?.load(address, ty.bytes())?;
        self.write(&inst.operands[0], number(bits, ty), around)
    }

    fn store(&mut self, inst: &Instruction, around: &mut Surroundings) -> Result<()> {
        let (ty, address) = (inst.types[0], self.address(&inst.operands[0], around)?);
        let value = self.read(&inst.operands[1], ty, around)?;
        memory(inst, around)?.store(address, ty.bytes(), value)
    }

    /// `mov` and `selp`, and what is the same as `mov`.
    fn choose(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let first = match inst.operands.get(3) {
            Some(choice) => self.read(choice, ScalarType::Pred, around)? == 1,
            None => true,
        };
        let value = self.read(&inst.operands[if first { 1 } else { 2 }], inst.types[0], around)?;
        self.write(&inst.operands[0], value.into(), around)
    }

    /// Sources `operands[1..]` as bits of `ty`.
    fn sources(&self, inst: &Instruction, ty: ScalarType, around: &Surroundings) -> Result<Vec<u64>> {
        inst.operands[1..].iter().map(|operand| self.read(operand, ty, around)).collect()
    }

    fn float(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let old = around.program.target < 20;
        let flush = old || inst.has("ftz");
        if ["div", "rcp", "sqrt", "rsqrt"].contains(&inst.opcode.as_str()) {
            let v = self.sources(inst, ScalarType::F32, around)?;
            return self.write(&inst.operands[0], quotient(inst, &v, flush).into(), around);
        }
        if ["rz", "rm", "rp", "sat"].iter().any(|word| inst.has(word)) {
            return Err("not to nearest, or saturating".to_owned());
        }
        let v: Vec<u32> = self.sources(inst, ScalarType::F32, around)?.iter().map(|v| *v as u32).collect();
        let result = match inst.opcode.as_str() {
            "add" => float::add(v[0], v[1], flush),
            "sub" => float::sub(v[0], v[1], flush),
            "mul" => float::mul(v[0], v[1], flush),
            "mad" if !around.fused => float::mad(v[0], v[1], v[2]),
            "mad" | "fma" => float::fma(v[0], v[1], v[2], flush),
            "neg" => float::neg(v[0], flush),
            "abs" => float::abs(v[0], flush),
            "min" => float::extreme(v[0], v[1], false, flush),
            "max" => float::extreme(v[0], v[1], true, flush),
            _ => return Err("unknown".to_owned()),
        };
        self.write(&inst.operands[0], result.into(), around)
    }

    fn integer(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let &[ty] = inst.types.as_slice() else { return Err("not one type".to_owned()) };
        if ty.kind() == TypeKind::Float || inst.has("sat") || inst.has("cc") {
            return Err("unknown".to_owned());
        }
        let bits = self.sources(inst, ty, around)?;
        let v: Vec<i128> = bits.iter().map(|bits| number(*bits, ty)).collect();
        // A wide product is summed up in twice the width; shifts are by a word.
        let wide = || -> Result<i128> {
            let twice = if width(ty) == 16 { ScalarType::B32 } else { ScalarType::B64 };
            Ok(self.read(&inst.operands[3], twice, around)?.into())
        };
        let amount = || self.read(&inst.operands[2], ScalarType::U32, around);
        let product = || v[0].wrapping_mul(v[1]);
        let result = match (inst.opcode.as_str(), inst.part()) {
            ("add", _) => v[0] + v[1],
            ("sub", _) => v[0] - v[1],
            ("neg", _) => -v[0],
            ("abs", _) => v[0].abs(),
            ("min", _) => v[0].min(v[1]),
            ("max", _) => v[0].max(v[1]),
            ("sad", _) => v[2] + (v[0] - v[1]).abs(),
            ("mul", "lo" | "wide") => product(),
            ("mul", _) => integer::high(v[0], v[1], ty),
            ("mad", "lo") => product().wrapping_add(v[2]),
            ("mad", "wide") => product().wrapping_add(wide()?),
            ("mad", _) => integer::high(v[0], v[1], ty) + v[2],
            ("mul24", part) => integer::product24(v[0], v[1], ty, part == "lo"),
            ("mad24", part) => integer::product24(v[0], v[1], ty, part == "lo") + v[2],
            ("div", _) => integer::divide(v[0], v[1], false),
            ("rem", _) => integer::divide(v[0], v[1], true),
            ("and", _) => v[0] & v[1],
            ("or", _) => v[0] | v[1],
            ("xor", _) => v[0] ^ v[1],
            ("not", _) => !v[0],
            ("shl", _) => integer::shift_left(v[0], amount()?, ty),
            ("shr", _) => integer::shift_right(v[0], amount()?),
            _ => return Err("unknown".to_owned()),
        };
        self.write(&inst.operands[0], result, around)
    }

    /// `setp.cmp{.bool}.type p{|q}, a, b{, c}`: `p` is (comparison bool c), `q` is (its negation bool c).
    fn setp(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let ty = inst.types[0];
        let (a, b) = (self.read(&inst.operands[1], ty, around)?, self.read(&inst.operands[2], ty, around)?);
        let order = if ty == ScalarType::F32 {
            let flush = around.program.target < 20 || inst.has("ftz");
            float::compare(a as u32, b as u32, flush)
        } else {
            Some(number(a, ty).cmp(&number(b, ty)))
        };
        let holds = holds(&inst.words[0], order)?;
        let c = match inst.operands.get(3) {
            Some(c) => self.read(c, ScalarType::Pred, around)? == 1,
            None => false,
        };
        let combine = |v: bool| match inst.words[1].as_str() {
            "and" => v && c,
            "or" => v || c,
            "xor" => v != c,
            _ => v,
        };
        let (p, q) = match inst.operands[0] {
            Operand::Pair(p, q) => (p, q),
            Operand::Register(p) => (Some(p), None),
            _ => (None, None),
        };
        for (register, value) in [(p, combine(holds)), (q, combine(!holds))] {
            if let Some(register) = register {
                self.registers[register] = value.into();
            }
        }
        Ok(())
    }

    fn convert(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let &[to, from] = inst.types.as_slice() else { return Err("not two types".to_owned()) };
        let source = match inst.operands[1] {
            Operand::Special(_) => ScalarType::U32,
            _ => from,
        };
        let bits = self.read(&inst.operands[1], source, around)?;
        let whole = |ty: ScalarType| ty.kind() != TypeKind::Float;
        if inst.has("sat") {
            return Err("saturating".to_owned());
        }
        let result = match (from, to) {
            _ if whole(from) && whole(to) => number(cut(number(bits, from), width(to)), to),
            (_, ScalarType::F32) if whole(from) && inst.has("rn") => {
                float::from_integer(number(bits, from)).into()
            }
            (ScalarType::F32, _) if whole(to) && inst.has("rzi") => {
                let values = 1i128 << (width(to) - u32::from(integer::signed(to)));
                let least = if integer::signed(to) { -values } else { 0 };
                float::to_integer(bits as u32, (least, values - 1))
            }
            _ => return Err("unknown".to_owned()),
        };
        self.write(&inst.operands[0], result, around)
    }
}

impl Instruction {
    /// Whether it has a word behind a dot.
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    /// `lo`, `hi` or `wide`; nothing else comes first where it matters.
    fn part(&self) -> &str {
        &self.words[0]
    }
}

/// Divisions and roots. What is approximated is to nearest as well.
fn quotient(inst: &Instruction, v: &[u64], flush: bool) -> u32 {
    let named = [("rz", Rounding::Zero), ("rm", Rounding::Down), ("rp", Rounding::Up)];
    let rounding = named.into_iter().find(|(word, _)| inst.has(word)).map_or(Rounding::Nearest, |(_, r)| r);
    let a = v[0] as u32;
    match inst.opcode.as_str() {
        "rcp" => float::divide(1f32.to_bits(), a, rounding, flush),
        "sqrt" => float::square_root(a, rounding, flush),
        "rsqrt" => float::reciprocal_root(a, flush),
        // The manual: by a divisor above 2^126 it is multiplied by 0.
        _ if inst.has("approx") && (0x7e80_0001..0x7f80_0000).contains(&(v[1] & 0x7fff_ffff)) => {
            float::mul(a, v[1] as u32 & 1 << 31, flush)
        }
        _ => float::divide(a, v[1] as u32, rounding, flush),
    }
}

/// Whether a comparison holds; without an order one of the two was no number.
fn holds(comparison: &str, order: Option<Ordering>) -> Result<bool> {
    let Some(order) = order else {
        return Ok(matches!(comparison, "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu" | "nan"));
    };
    Ok(match comparison {
        "eq" | "equ" => order.is_eq(),
        "ne" | "neu" => order.is_ne(),
        "lt" | "ltu" | "lo" => order.is_lt(),
        "le" | "leu" | "ls" => order.is_le(),
        "gt" | "gtu" | "hi" => order.is_gt(),
        "ge" | "geu" | "hs" => order.is_ge(),
        "num" => true,
        "nan" => false,
        _ => return Err(format!("comparison `{comparison}`")),
    })
}

/// The memory of an access's space.
fn memory<'a>(inst: &Instruction, around: &'a mut Surroundings) -> Result<&'a mut Memory> {
    for space in [StateSpace::Global, StateSpace::Shared, StateSpace::Param, StateSpace::Const] {
        if inst.has(space.name()) {
            return Ok(match space {
                StateSpace::Global => around.global,
                StateSpace::Shared => around.shared,
                StateSpace::Param => around.params,
                _ => around.constants,
            });
        }
    }
    Err("unknown state space".to_owned())
}

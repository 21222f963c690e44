//! One instruction of one thread.

use super::bits;
use super::float;
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
    /// The condition code: carry or borrow.
    carry: bool,
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

pub(super) type Result<T> = std::result::Result<T, String>;

impl Thread {
    /// A thread before its first instruction.
    pub fn new(tid: Dim3, number: u32, program: &Program) -> Self {
        Self { tid, number, pc: 0, registers: vec![0; program.registers.len()], carry: false }
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
            "membar" | "prefetch" | "prefetchu" => {}
            "ld" | "ldu" => self.load(inst, around)?,
            "st" => self.store(inst, around)?,
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
            // Generic addresses of global memory are its own.
            "cvta" if inst.has("global") => self.choose(inst, around)?,
            "testp" => self.testp(inst, around)?,
            _ if inst.types == [ScalarType::F32] => self.float(inst, around)?,
            _ => self.integer(inst, around)?,
        }
        Ok(Then::Runs)
    }

    /// A source as bits of `ty`.
    pub(super) fn read(&self, operand: &Operand, ty: ScalarType, around: &Surroundings) -> Result<u64> {
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
    pub(super) fn write(&mut self, operand: &Operand, value: i128, around: &Surroundings) -> Result<()> {
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
        let elements = elements(&inst.operands[0]);
        let size = aligned(address, ty, elements)?;
        let mut values = Vec::new();
        for place in 0..elements.len() as u64 {
            values.push(memory(inst, around)?.load(address + place * size, ty.bytes())?);
        }
        for (element, bits) in elements.iter().zip(values) {
            self.write(element, number(bits, ty), around)?;
        }
        Ok(())
    }

    fn store(&mut self, inst: &Instruction, around: &mut Surroundings) -> Result<()> {
        let (ty, address) = (inst.types[0], self.address(&inst.operands[0], around)?);
        let elements = elements(&inst.operands[1]);
        let size = aligned(address, ty, elements)?;
        for (place, element) in (0..).zip(elements) {
            let value = self.read(element, ty, around)?;
            memory(inst, around)?.store(address + place * size, ty.bytes(), value)?;
        }
        Ok(())
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
    pub(super) fn sources(
        &self,
        inst: &Instruction,
        ty: ScalarType,
        around: &Surroundings,
    ) -> Result<Vec<u64>> {
        inst.operands[1..].iter().map(|operand| self.read(operand, ty, around)).collect()
    }

    fn integer(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let &[ty] = inst.types.as_slice() else { return Err("not one type".to_owned()) };
        if ty.kind() == TypeKind::Float {
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
        let (least, most) = (-(1 << 31), (1 << 31) - 1);
        let result = if inst.has("sat") { result.clamp(least, most) } else { result };
        self.write(&inst.operands[0], result, around)
    }

    /// Sums of words with the condition code, written with `.cc`, read by those that end with a `c`.
    fn carried(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let ty = inst.types[0];
        let v: Vec<i128> = self.sources(inst, ty, around)?.iter().map(|v| number(*v, ty)).collect();
        let read = matches!(inst.opcode.as_str(), "addc" | "subc" | "madc") && self.carry;
        let word = |value: i128| i128::from(cut(value, 32));
        let result = if inst.opcode.starts_with("mad") {
            let high = integer::high(v[0], v[1], ty);
            word(if inst.part() == "lo" { v[0] * v[1] } else { high }) + word(v[2]) + i128::from(read)
        } else if inst.opcode.starts_with("sub") {
            word(v[0]) - word(v[1]) - i128::from(read)
        } else {
            word(v[0]) + word(v[1]) + i128::from(read)
        };
        if inst.has("cc") {
            self.carry = !(0..1 << 32).contains(&result);
        }
        self.write(&inst.operands[0], result, around)
    }

    /// Bit fields and the like.
    fn field(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let ty = inst.types[0];
        let (width, signed) = (width(ty), integer::signed(ty));
        let value = |i: usize| self.read(&inst.operands[i], ty, around);
        let word = |i: usize| self.read(&inst.operands[i], ScalarType::U32, around);
        let a = value(1)?;
        let result = match inst.opcode.as_str() {
            "popc" => bits::count(a, width),
            "clz" => bits::leading(a, width),
            "brev" => bits::reverse(a, width),
            "cnot" => (a == 0).into(),
            "bfind" => bits::find(a, width, signed, inst.has("shiftamt")),
            "bfe" => bits::extract(a, word(2)?, word(3)?, width, signed),
            "bfi" => bits::insert(a, value(2)?, word(3)?, word(4)?, width),
            "prmt" => bits::permute(a, word(2)?, word(3)?, inst.words.last().map_or("", |word| word))?,
            _ => bits::funnel(a, word(2)?, word(3)?, inst.has("l"), inst.has("clamp")),
        };
        self.write(&inst.operands[0], result, around)
    }

    /// `mov` of parts into a value, the lowest first.
    fn pack(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let Operand::List(parts) = &inst.operands[1] else { return Err("no list".to_owned()) };
        let bits = width(inst.types[0]) / parts.len() as u32;
        let ty = if bits == 32 { ScalarType::B32 } else { ScalarType::B16 };
        let mut value = 0;
        for (i, part) in parts.iter().enumerate() {
            value |= i128::from(self.read(part, ty, around)?) << (bits * i as u32);
        }
        self.write(&inst.operands[0], value, around)
    }

    /// `mov` of a value into its parts.
    fn unpack(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let Operand::List(parts) = &inst.operands[0] else { return Err("no list".to_owned()) };
        let bits = width(inst.types[0]) / parts.len() as u32;
        let value = self.read(&inst.operands[1], inst.types[0], around)?;
        for (i, part) in parts.iter().enumerate() {
            self.write(part, cut((value >> (bits * i as u32)).into(), bits).into(), around)?;
        }
        Ok(())
    }

    /// `set.cmp{.bool}.dtype.stype d, a, b{, c}`: all ones or 1.0 for true.
    fn set(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let &[to, from] = inst.types.as_slice() else { return Err("not two types".to_owned()) };
        let (holds, combine) = self.condition(inst, from, around)?;
        let yes = if to == ScalarType::F32 { 0x3f80_0000 } else { -1 };
        self.write(&inst.operands[0], if combine(holds) { yes } else { 0 }, around)
    }

    /// `slct.type.ctype d, a, b, c`: `a` if `c` is at least 0.
    fn slct(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let &[ty, decides] = inst.types.as_slice() else { return Err("not two types".to_owned()) };
        let c = self.read(&inst.operands[3], decides, around)?;
        let first = if decides == ScalarType::F32 {
            let flush = around.program.target < 20 || inst.has("ftz");
            float::compare(c as u32, 0, flush).is_some_and(Ordering::is_ge)
        } else {
            number(c, decides) >= 0
        };
        let value = self.read(&inst.operands[if first { 1 } else { 2 }], ty, around)?;
        self.write(&inst.operands[0], value.into(), around)
    }

    /// `setp.cmp{.bool}.type p{|q}, a, b{, c}`: `p` is (comparison bool c), `q` is (its negation bool c).
    fn setp(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let (holds, combine) = self.condition(inst, inst.types[0], around)?;
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

    /// Whether the comparison of operands 1 and 2 holds, and how its outcome is combined with operand 3.
    fn condition<'i>(
        &self,
        inst: &'i Instruction,
        ty: ScalarType,
        around: &Surroundings,
    ) -> Result<(bool, impl Fn(bool) -> bool + use<'i>)> {
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
        let combine = move |v: bool| match inst.words[1].as_str() {
            "and" => v && c,
            "or" => v || c,
            "xor" => v != c,
            _ => v,
        };
        Ok((holds, combine))
    }
}

impl Instruction {
    /// Whether it has a word behind a dot.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    /// `lo`, `hi` or `wide`; nothing else comes first where it matters.
    fn part(&self) -> &str {
        &self.words[0]
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

/// What is loaded or stored: the elements of a vector, or one operand.
fn elements(operand: &Operand) -> &[Operand] {
    if let Operand::List(elements) = operand { elements } else { std::slice::from_ref(operand) }
}

/// The size of an element, if the whole vector is aligned.
fn aligned(address: u64, ty: ScalarType, elements: &[Operand]) -> Result<u64> {
    let size = u64::from(ty.bytes());
    let whole = size * elements.len() as u64;
    if address.is_multiple_of(whole) {
        Ok(size)
    } else {
        Err(format!("{address:#x} is no multiple of {whole}"))
    }
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

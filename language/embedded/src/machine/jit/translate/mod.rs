//! Translates portable code into the code of the processor.
//!
//! A register of a function is a variable of the translation. Wherever the code may leave, the
//! registers that are live there are stored first, so that the interpreter can continue at the same
//! instruction. The translation only does what usually happens: every access that is wrong, watched
//! or of bytes without a value leaves to the interpreter, which executes the instruction again.

mod access;
mod arithmetic;

use super::context::{self, Context, Status};
use crate::code::{Access, Compare, Function, Instr, Program, Reg};
use crate::flow::{Class, Effects, Flow, Known, Set, effects};
use crate::library::Entry;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I32, I64};
use cranelift_codegen::ir::{
    AbiParam, AliasRegionData, Block as Label, InstBuilder, MemFlagsData, SigRef, Signature, Type, Value,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use rustc_hash::FxHashMap;
use std::mem::offset_of;

/// The parameters of translated code: context, number of the first register, number of the first
/// address of variables. The result is a status.
pub fn signature(call_conv: CallConv) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params.extend([I64, I64, I64].map(AbiParam::new));
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// Translates a function from an instruction on.
pub fn translate(
    (program, library): (&Program, &[Entry]),
    (function, entry): (&Function, usize),
    (config, out): (TargetFrontendConfig, &mut cranelift_codegen::ir::Function),
    scratch: &mut FunctionBuilderContext,
) {
    let flow = Flow::new(&program.launches, function, entry);
    let mut builder = FunctionBuilder::new(out, scratch);
    let mut memory = |user_id: u32, description: &'static str| {
        let data = AliasRegionData { user_id, description: description.into() };
        let region = builder.func.dfg.alias_regions.insert(data);
        MemFlagsData::trusted().with_alias_region(Some(region))
    };
    let kinds = Kinds {
        context: memory(0, "context"),
        registers: memory(1, "registers"),
        rows: memory(2, "rows"),
        written: memory(3, "written"),
        bytes: MemFlagsData::new().with_notrap().with_alias_region(memory(4, "bytes").alias_region()),
    };
    let classes = vote(program, function, &flow);
    let registers = classes.iter().map(|class| builder.declare_var(of_class(*class))).collect();
    let steps = builder.declare_var(I64);
    let helper = builder.import_signature(context::signature(config.default_call_conv));
    let start = builder.create_block();
    builder.append_block_params_for_function_params(start);
    builder.switch_to_block(start);
    builder.seal_block(start);
    let [context, base, locals] = [0, 1, 2].map(|at| builder.block_params(start)[at]);
    let labels = flow.blocks.iter().map(|_| builder.create_block()).collect();
    let limit = builder.ins().load(I64, kinds.context, context, offset_of!(Context, limit) as i32);
    let mut translator = Translator {
        program,
        library,
        function,
        flow: &flow,
        builder,
        kinds,
        classes,
        registers,
        steps,
        helper,
        labels,
        context,
        base,
        locals,
        limit,
        now: FxHashMap::default(),
        constants: FxHashMap::default(),
        stored: Vec::new(),
        count: 0,
    };
    translator.run();
    translator.builder.seal_all_blocks();
    translator.builder.finalize(config);
}

/// The kinds of memory, which never overlap.
#[derive(Clone, Copy)]
struct Kinds {
    context: MemFlagsData,
    registers: MemFlagsData,
    rows: MemFlagsData,
    written: MemFlagsData,
    bytes: MemFlagsData,
}

/// A value with its class.
#[derive(Clone, Copy)]
struct Typed {
    value: Value,
    class: Class,
}

fn of_class(class: Class) -> Type {
    match class {
        Class::Int => I64,
        Class::F32 => F32,
        Class::F64 => F64,
    }
}

/// The class of each register between blocks.
fn vote(program: &Program, function: &Function, flow: &Flow) -> Vec<Class> {
    let mut votes = vec![[false; 3]; usize::from(function.registers)];
    let mut give = |reg: Reg, class: Known| {
        if let Some(class) = class {
            votes[usize::from(reg)][class as usize] = true;
        }
    };
    for at in 0..flow.blocks.len() {
        let mut own: FxHashMap<Reg, Known> = FxHashMap::default();
        for instr in &function.code[flow.blocks[at].start..flow.blocks[at].end] {
            let Effects { uses, def, .. } = effects(&program.launches, *instr);
            for (reg, class) in uses {
                if !own.contains_key(&reg) {
                    give(reg, class);
                }
            }
            if let Some((reg, class)) = def {
                own.insert(reg, class);
            }
        }
        let live = flow.live_out(at);
        own.into_iter().filter(|(reg, _)| live.contains(*reg)).for_each(|(reg, class)| give(reg, class));
    }
    let narrow = narrow(program, function);
    let class = |(votes, narrow): (&[bool; 3], bool)| match votes {
        [false, true, false] if narrow => Class::F32,
        [false, false, true] => Class::F64,
        _ => Class::Int,
    };
    votes.iter().zip(narrow).map(class).collect()
}

/// Whether a register only gets values of 32 bits. Temporary values of several types share a
/// register, and moving one does not say its type: as a `float` it would lose its upper half.
fn narrow(program: &Program, function: &Function) -> Vec<bool> {
    let mut narrow = vec![true; usize::from(function.registers)];
    loop {
        let before = narrow.clone();
        for instr in &function.code {
            let Some((to, class)) = effects(&program.launches, *instr).def else { continue };
            narrow[usize::from(to)] &= match *instr {
                Instr::Const { value, .. } => u32::try_from(value).is_ok(),
                Instr::Load { access, .. } | Instr::LoadAt { access, .. } => access == Access::U32,
                Instr::Move { from, .. } => narrow[usize::from(from)],
                _ => class == Some(Class::F32),
            };
        }
        if narrow == before {
            return narrow;
        }
    }
}

struct Translator<'t> {
    program: &'t Program,
    library: &'t [Entry],
    function: &'t Function,
    flow: &'t Flow,
    builder: FunctionBuilder<'t>,
    kinds: Kinds,
    /// Class of each register between blocks.
    classes: Vec<Class>,
    registers: Vec<Variable>,
    /// Executed instructions up to the start of the block.
    steps: Variable,
    helper: SigRef,
    labels: Vec<Label>,
    context: Value,
    base: Value,
    locals: Value,
    limit: Value,
    /// Values of registers that the block has written or read.
    now: FxHashMap<Reg, Typed>,
    /// Registers with constants of the block.
    constants: FxHashMap<Reg, u64>,
    /// Registers whose values are in memory, too.
    stored: Vec<Reg>,
    /// Instructions of the block that were translated.
    count: i64,
}

impl Translator<'_> {
    fn run(&mut self) {
        // The registers that are live at the entry.
        let frame = self.frame();
        for reg in self.flow.blocks[0].live.clone().iter() {
            let class = self.classes[usize::from(reg)];
            let value = self.load_register(frame, reg, class);
            self.builder.def_var(self.registers[usize::from(reg)], value);
        }
        let steps = self.field(offset_of!(Context, steps));
        self.builder.def_var(self.steps, steps);
        self.builder.ins().jump(self.labels[0], &[]);
        let mut reached = vec![false; self.flow.blocks.len()];
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                work.extend(&self.flow.blocks[at].next);
            }
        }
        for (at, is_reached) in reached.into_iter().enumerate() {
            self.builder.switch_to_block(self.labels[at]);
            if is_reached {
                self.block(at);
            } else {
                let status = self.builder.ins().iconst(I64, Status::Again as i64);
                self.builder.ins().return_(&[status]);
            }
        }
    }

    fn block(&mut self, at: usize) {
        self.now.clear();
        self.constants.clear();
        self.stored.clear();
        self.count = 0;
        let block = &self.flow.blocks[at];
        let code = &self.function.code[block.start..block.end];
        // What is live before each instruction.
        let mut live = self.flow.live_out(at);
        let out = live.clone();
        let mut before: Vec<Set> = Vec::with_capacity(code.len());
        for instr in code.iter().rev() {
            self.flow.back(&self.program.launches, *instr, &mut live);
            before.push(live.clone());
        }
        before.reverse();
        for (offset, instr) in code.iter().enumerate() {
            let pc = block.start + offset;
            self.instruction(*instr, pc, &before[offset], at, &out);
            self.count += 1;
        }
        let last = code.last().copied();
        let jumps = matches!(
            last,
            Some(
                Instr::Jump { .. }
                    | Instr::JumpIf { .. }
                    | Instr::JumpCompare { .. }
                    | Instr::JumpCompareImm { .. }
                    | Instr::Return
                    | Instr::NoResult
                    | Instr::Propagate { .. }
            )
        );
        if !jumps {
            self.end_block(&out);
            match block.next.first() {
                Some(next) => {
                    self.builder.ins().jump(self.labels[*next], &[]);
                }
                None => self.leave(Status::Again, block.end),
            }
        }
    }

    /// Gives the variables of registers the values that they have at the end of a block.
    fn end_block(&mut self, live: &Set) {
        let mut now: Vec<(Reg, Typed)> = self.now.drain().collect();
        now.sort_unstable_by_key(|(reg, _)| *reg);
        for (reg, typed) in now {
            if live.contains(reg) {
                let value = self.convert(typed, self.classes[usize::from(reg)]);
                self.builder.def_var(self.registers[usize::from(reg)], value);
            }
        }
        let steps = self.steps();
        self.builder.def_var(self.steps, steps);
        self.count = 0;
    }

    /// Executed instructions, without the current one.
    fn steps(&mut self) -> Value {
        let steps = self.builder.use_var(self.steps);
        self.builder.ins().iadd_imm_s(steps, self.count)
    }

    fn field(&mut self, offset: usize) -> Value {
        self.builder.ins().load(I64, self.kinds.context, self.context, offset as i32)
    }

    fn set_field(&mut self, offset: usize, value: Value) {
        self.builder.ins().store(self.kinds.context, value, self.context, offset as i32);
    }

    /// The address of register 0.
    fn frame(&mut self) -> Value {
        let registers = self.field(offset_of!(Context, registers));
        let offset = self.builder.ins().ishl_imm_s(self.base, 3);
        self.builder.ins().iadd(registers, offset)
    }

    fn load_register(&mut self, frame: Value, reg: Reg, class: Class) -> Value {
        self.builder.ins().load(of_class(class), self.kinds.registers, frame, i32::from(reg) * 8)
    }

    fn convert(&mut self, from: Typed, to: Class) -> Value {
        let plain = MemFlagsData::new();
        if from.class == to {
            return from.value;
        }
        let bits = match from.class {
            Class::Int => from.value,
            Class::F32 => {
                let bits = self.builder.ins().bitcast(I32, plain, from.value);
                self.builder.ins().uextend(I64, bits)
            }
            Class::F64 => self.builder.ins().bitcast(I64, plain, from.value),
        };
        match to {
            Class::Int => bits,
            Class::F32 => {
                let low = self.builder.ins().ireduce(I32, bits);
                self.builder.ins().bitcast(F32, plain, low)
            }
            Class::F64 => self.builder.ins().bitcast(F64, plain, bits),
        }
    }

    fn typed(&mut self, reg: Reg) -> Typed {
        if let Some(typed) = self.now.get(&reg) {
            return *typed;
        }
        let value = self.builder.use_var(self.registers[usize::from(reg)]);
        let typed = Typed { value, class: self.classes[usize::from(reg)] };
        self.now.insert(reg, typed);
        typed
    }

    /// Gets the values of registers here, for a block in which the code leaves.
    fn touch(&mut self, live: &Set) {
        for reg in live.iter() {
            self.typed(reg);
        }
    }

    fn get(&mut self, reg: Reg, class: Class) -> Value {
        let typed = self.typed(reg);
        self.convert(typed, class)
    }

    fn int(&mut self, reg: Reg) -> Value {
        self.get(reg, Class::Int)
    }

    /// The low half of an integer.
    fn low(&mut self, reg: Reg) -> Value {
        let value = self.int(reg);
        self.builder.ins().ireduce(I32, value)
    }

    fn set(&mut self, reg: Reg, class: Class, value: Value) {
        self.now.insert(reg, Typed { value, class });
        self.constants.remove(&reg);
        self.stored.retain(|one| *one != reg);
    }

    fn set_int(&mut self, reg: Reg, value: Value) {
        self.set(reg, Class::Int, value);
    }

    /// Extends an `int` to a register.
    fn set_signed(&mut self, reg: Reg, value: Value) {
        let wide = self.builder.ins().sextend(I64, value);
        self.set_int(reg, wide);
    }

    fn set_unsigned(&mut self, reg: Reg, value: Value) {
        let wide = self.builder.ins().uextend(I64, value);
        self.set_int(reg, wide);
    }

    /// Stores registers for code that finds them in memory.
    fn store(&mut self, frame: Value, reg: Reg) {
        if self.stored.contains(&reg) {
            return;
        }
        let Typed { value, class } = self.typed(reg);
        let value =
            if class == Class::F32 { self.convert(Typed { value, class }, Class::Int) } else { value };
        self.builder.ins().store(self.kinds.registers, value, frame, i32::from(reg) * 8);
    }

    /// Stores registers, and notes that they are stored.
    fn store_all(&mut self, live: impl Iterator<Item = Reg>) {
        let frame = self.frame();
        for reg in live {
            self.store(frame, reg);
            self.stored.push(reg);
        }
    }

    /// Leaves the code at an instruction. The registers are stored.
    fn leave(&mut self, status: Status, pc: usize) {
        let steps = self.steps();
        self.set_field(offset_of!(Context, steps), steps);
        let pc = self.builder.ins().iconst(I64, pc as i64);
        self.set_field(offset_of!(Context, pc), pc);
        let status = self.builder.ins().iconst(I64, status as i64);
        self.builder.ins().return_(&[status]);
    }

    /// Continues if a condition is true, and leaves to the interpreter at an instruction otherwise.
    fn check(&mut self, condition: Value, pc: usize, live: &Set) {
        self.touch(live);
        let [on, off] = [(); 2].map(|()| self.builder.create_block());
        self.builder.set_cold_block(off);
        self.builder.ins().brif(condition, on, &[], off, &[]);
        self.builder.seal_block(off);
        self.builder.seal_block(on);
        self.builder.switch_to_block(off);
        let frame = self.frame();
        live.iter().for_each(|reg| self.store(frame, reg));
        self.leave(Status::Again, pc);
        self.builder.switch_to_block(on);
    }

    /// Calls a helper, whose result is a status.
    fn help(&mut self, address: usize, arguments: [Value; 3]) -> Value {
        let address = self.builder.ins().iconst(I64, address as i64);
        let [a, b, c] = arguments;
        let call = self.builder.ins().call_indirect(self.helper, address, &[self.context, a, b, c]);
        self.builder.inst_results(call)[0]
    }

    /// Calls a helper for an instruction; leaves with its status unless that is `Done`. The live
    /// registers are in memory if `all`, else they are stored where the code leaves.
    fn call(&mut self, address: usize, arguments: [Value; 3], pc: usize, live: &Set, all: bool) {
        if all {
            self.store_all(live.iter());
        }
        let steps = self.steps();
        let steps = self.builder.ins().iadd_imm_s(steps, 1);
        self.set_field(offset_of!(Context, steps), steps);
        let next = self.builder.ins().iconst(I64, pc as i64 + 1);
        self.set_field(offset_of!(Context, pc), next);
        let status = self.help(address, arguments);
        self.touch(live);
        let [on, off] = [(); 2].map(|()| self.builder.create_block());
        self.builder.set_cold_block(off);
        self.builder.ins().brif(status, off, &[], on, &[]);
        self.builder.seal_block(off);
        self.builder.seal_block(on);
        self.builder.switch_to_block(off);
        let frame = self.frame();
        live.iter().for_each(|reg| self.store(frame, reg));
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(on);
        // The helper may have counted more.
        let steps = self.field(offset_of!(Context, steps));
        let steps = self.builder.ins().iadd_imm_s(steps, -self.count - 1);
        self.builder.def_var(self.steps, steps);
    }

    /// The result of a helper is in a register.
    fn take(&mut self, reg: Reg) {
        let frame = self.frame();
        let value = self.load_register(frame, reg, Class::Int);
        self.set_int(reg, value);
        self.stored.push(reg);
    }

    fn absolute(&mut self, reg: Reg) -> Value {
        self.builder.ins().iadd_imm_s(self.base, i64::from(reg))
    }

    fn number(&mut self, number: u32) -> Value {
        self.builder.ins().iconst(I64, i64::from(number))
    }

    fn instruction(&mut self, instr: Instr, pc: usize, live: &Set, block: usize, out: &Set) {
        match instr {
            Instr::Const { to, value } => {
                let bits = self.builder.ins().iconst(I64, value as i64);
                self.set_int(to, bits);
                self.constants.insert(to, value);
            }
            Instr::Move { to, from } => {
                let Typed { value, class } = self.typed(from);
                let constant = self.constants.get(&from).copied();
                self.set(to, class, value);
                if let Some(constant) = constant {
                    self.constants.insert(to, constant);
                }
            }
            Instr::AddImm32 { to, a, value } => {
                let a = self.low(a);
                let sum = self.builder.ins().iadd_imm_s(a, i64::from(value));
                self.set_signed(to, sum);
            }
            Instr::AddImm64 { to, a, value } => {
                let a = self.int(a);
                let sum = self.builder.ins().iadd_imm_s(a, i64::from(value));
                self.set_int(to, sum);
            }
            Instr::Scaled { to, base, index, scale } => {
                let sum = self.element(base, index, scale);
                self.set_int(to, sum);
            }
            Instr::Unary { op, to, a } => self.unary(op, to, a),
            Instr::Divide { op, to, a, b } => self.divide(op, to, (a, b), pc, live),
            Instr::Load { access, to, base, offset } => {
                let base = self.int(base);
                let at = self.address(access, (base, offset), false, pc, live);
                self.load(access, to, at, pc, out);
            }
            Instr::Store { access, from, base, offset } => {
                let base = self.int(base);
                let at = self.address(access, (base, offset), true, pc, live);
                self.store_bytes(access, from, at);
            }
            Instr::LoadAt { access, to, base, index, scale, offset } => {
                let element = self.element(base, index, scale.into());
                let at = self.address(access, (element, offset), false, pc, live);
                self.load(access, to, at, pc, out);
            }
            Instr::StoreAt { access, from, base, index, scale, offset } => {
                let element = self.element(base, index, scale.into());
                let at = self.address(access, (element, offset), true, pc, live);
                self.store_bytes(access, from, at);
            }
            Instr::Jump { .. } => {
                self.count += 1;
                self.end_block(out);
                self.taken(block);
            }
            Instr::JumpIf { a, value, .. } => {
                let a = self.int(a);
                self.count += 1;
                self.branch(a, value, block, out);
            }
            Instr::JumpCompare { compare, a, b, value, .. } => {
                let b = self.int(b);
                self.compare(compare, a, b, value, block, out);
            }
            Instr::JumpCompareImm { compare, a, b, value, .. } => {
                let b = self.builder.ins().iconst(I64, i64::from(b));
                self.compare(compare, a, b, value, block, out);
            }
            _ => self.other(instr, pc, live),
        }
    }

    /// The address of an element of an array.
    fn element(&mut self, base: Reg, index: Reg, scale: u32) -> Value {
        let (base, index) = (self.int(base), self.int(index));
        let offset = if scale.is_power_of_two() {
            self.builder.ins().ishl_imm_s(index, i64::from(scale.trailing_zeros()))
        } else {
            self.builder.ins().imul_imm_s(index, i64::from(scale))
        };
        self.builder.ins().iadd(base, offset)
    }

    /// A jump if a comparison has a value.
    fn compare(&mut self, compare: Compare, a: Reg, b: Value, value: bool, block: usize, out: &Set) {
        let condition = match compare {
            Compare::Eq => IntCC::Equal,
            Compare::LtSigned => IntCC::SignedLessThan,
            Compare::LeSigned => IntCC::SignedLessThanOrEqual,
            Compare::LtUnsigned => IntCC::UnsignedLessThan,
            Compare::LeUnsigned => IntCC::UnsignedLessThanOrEqual,
        };
        let a = self.int(a);
        let holds = self.builder.ins().icmp(condition, a, b);
        self.count += 1;
        self.branch(holds, value, block, out);
    }

    /// Instructions that call, and those on whole objects and exceptions.
    fn other(&mut self, instr: Instr, pc: usize, live: &Set) {
        match instr {
            Instr::Variable { to, variable } => self.variable(to, variable, pc, live),
            Instr::Call { function, base, .. } => {
                let arguments = [self.number(function), self.absolute(base), self.number(0)];
                self.call(context::call as *const () as usize, arguments, pc, live, true);
                self.forget_from(base);
                self.take(base);
            }
            Instr::Library { function, base, count } => {
                if matches!(self.library[function as usize], Entry::Plain(_)) {
                    if self.library_in_place(function, base, pc, live) {
                        return;
                    }
                    let arguments = [self.number(function), self.absolute(base), self.number(count.into())];
                    self.store_all(base..base + count);
                    self.call(context::library as *const () as usize, arguments, pc, live, false);
                } else {
                    let arguments =
                        [self.number(function), self.number(base.into()), self.number(count.into())];
                    self.call(context::event as *const () as usize, arguments, pc, live, true);
                }
                self.take(base);
            }
            Instr::Return => {
                if live.contains(0) {
                    self.store_all(std::iter::once(0));
                }
                let steps = self.steps();
                let steps = self.builder.ins().iadd_imm_s(steps, 1);
                self.set_field(offset_of!(Context, steps), steps);
                let zero = self.number(0);
                let status = self.help(context::leave as *const () as usize, [zero; 3]);
                self.builder.ins().return_(&[status]);
            }
            Instr::Propagate { .. } | Instr::NoResult => {
                self.store_all(live.iter());
                self.leave(Status::Again, pc);
            }
            Instr::CallIndirect { base, .. } | Instr::Keep { base, .. } => {
                self.rare(pc, live, true);
                self.forget_from(base);
                self.take(base);
            }
            Instr::Unwind { base, .. } => {
                self.rare(pc, live, true);
                self.forget_from(base);
            }
            Instr::Launch { .. } | Instr::Throw { .. } | Instr::Rethrow | Instr::Try { .. } => {
                self.rare(pc, live, true);
            }
            Instr::Copy { to, from, size } => {
                let arguments = [self.int(to), self.int(from), self.number(size)];
                self.copy(arguments, Some(size.into()), pc, live);
            }
            Instr::Zero { to, size } => {
                let arguments = [self.int(to), self.number(0), self.number(size)];
                self.bulk(context::fill as *const () as usize, arguments, pc, live);
            }
            Instr::StoreBits { .. } | Instr::Defer { .. } | Instr::Forget { .. } => {
                self.operands(instr, pc, live);
            }
            Instr::Mark { to } | Instr::Catches { to, .. } | Instr::Caught { to, .. } => {
                self.rare(pc, live, false);
                self.take(to);
            }
            _ => {
                let Some((binary, to, a, b)) = instr.binary() else {
                    unreachable!("{instr:?} is translated above")
                };
                self.binary(binary, to, a, b);
            }
        }
    }

    /// An instruction that a helper executes with its operands in memory.
    fn operands(&mut self, instr: Instr, pc: usize, live: &Set) {
        let uses = effects(&self.program.launches, instr).uses;
        self.store_all(uses.into_iter().map(|(reg, _)| reg));
        self.rare(pc, live, false);
    }

    fn rare(&mut self, pc: usize, live: &Set, all: bool) {
        let arguments = [self.number(pc as u32), self.number(0), self.number(0)];
        self.call(context::rare as *const () as usize, arguments, pc, live, all);
    }

    /// Registers that a called function may have overwritten.
    fn forget_from(&mut self, base: Reg) {
        self.now.retain(|reg, _| *reg < base);
        self.stored.retain(|reg| *reg < base);
    }

    /// Continues at the target of a jump, unless the limit of instructions is reached.
    fn taken(&mut self, block: usize) {
        let target = self.flow.blocks[block].next[0];
        let steps = self.builder.use_var(self.steps);
        let over = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, steps, self.limit);
        let stop = self.builder.create_block();
        self.builder.set_cold_block(stop);
        self.builder.ins().brif(over, stop, &[], self.labels[target], &[]);
        self.open(stop);
        let Self { flow, .. } = self;
        let goal = &flow.blocks[target];
        let frame = self.frame();
        for reg in goal.live.iter() {
            self.store(frame, reg);
        }
        self.now.clear();
        self.count = 0;
        self.leave(Status::Budget, goal.start);
    }

    fn branch(&mut self, condition: Value, value: bool, block: usize, out: &Set) {
        self.end_block(out);
        self.stored.clear();
        let edge = self.builder.create_block();
        let next = self.labels[self.flow.blocks[block].next[1]];
        if value {
            self.builder.ins().brif(condition, edge, &[], next, &[]);
        } else {
            self.builder.ins().brif(condition, next, &[], edge, &[]);
        }
        self.open(edge);
        self.taken(block);
    }

    /// Continues in a block that nothing jumps to any more.
    fn open(&mut self, block: Label) {
        self.builder.seal_block(block);
        self.builder.switch_to_block(block);
    }
}

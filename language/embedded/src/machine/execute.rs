//! The loop of the interpreter: executes the instructions of functions.

#![expect(clippy::inline_always, reason = "every operation is one arm of the loop")]
#![expect(clippy::float_cmp, reason = "comparisons are those of C")]

use super::ops::Op;
use super::{Event, Frame, Machine, STACK, WINDOW, unwind, user_span};
use crate::code::operations::{double, float, int, operations, to_i32, to_i64, to_u64};
use crate::code::{Divide, End, FUNCTIONS, Function, Instr, Reg};
use crate::exceptions::{Exception, Keep, Registered};
use crate::library::{Call, Entry};
use crate::memory::{Accessor, Fault, Kind, Memory};
use crate::stop::Stop;
use std::sync::Arc;

/// How the execution of a function goes on.
pub(super) enum Step {
    Call(u32, Reg),
    /// Destroys an object above a mark; the instruction is executed again.
    Unwind {
        mark: usize,
        base: Reg,
    },
    /// An operation on an exception that pointers keep.
    Keep {
        op: Keep,
        object: u64,
        base: Reg,
    },
    /// The exception on top destroys an object, or reaches its handler.
    Propagate {
        base: Reg,
    },
    Return,
    Event(Event),
    /// A line begins at which the watched machine stops.
    Line,
    /// A loop has executed so many instructions that translating it is worth while.
    Hot,
}

impl<'p> Machine<'p> {
    pub(super) fn interpret(&mut self, memory: &mut Memory) -> Result<Event, Stop> {
        // Copies of the runtime have simulated time instead.
        memory.take_steps();
        memory.access_as(Accessor::Instruction);
        let event = self.interpret_with(memory);
        memory.access_as(Accessor::Function);
        event
    }

    fn interpret_with(&mut self, memory: &mut Memory) -> Result<Event, Stop> {
        loop {
            let step = match self.translated(memory) {
                Some(step) => step?,
                None => Some(self.interpreted(memory)?),
            };
            match step {
                None => {}
                Some(Step::Event(event)) => return Ok(event),
                Some(Step::Line) => return Ok(Event::Line),
                Some(Step::Hot) => self.translate_loop(),
                Some(Step::Call(function, base)) => {
                    let first = self.frames.last().map_or(0, |frame| frame.base);
                    let callee = self.enter(function, first + usize::from(base))?;
                    self.frames.push(callee);
                }
                Some(Step::Unwind { mark, base }) => self.destroy_next(mark, base, memory)?,
                Some(Step::Keep { op, object, base }) => self.keep(op, object, base, memory)?,
                Some(Step::Propagate { base }) => self.propagate(base, memory)?,
                Some(Step::Return) => self.returns(memory)?,
            }
        }
    }

    /// Executes the frame on top in the interpreter.
    fn interpreted(&mut self, memory: &mut Memory) -> Result<Step, Stop> {
        let Some(mut frame) = self.frames.pop() else { return Err(Stop::Exit(0)) };
        let before = self.steps;
        let result = if self.watch.is_some() {
            self.frame::<true>(&mut frame, memory)
        } else {
            self.frame::<false>(&mut frame, memory)
        };
        self.frames.push(frame);
        self.spend(frame.function, self.steps - before);
        result
    }

    /// Ends the function of the frame on top.
    pub(super) fn returns(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let code = self.registers[frame.base] as i32;
        self.leave(frame, memory);
        if self.frames.is_empty() { self.end_thread(code) } else { Ok(()) }
    }

    /// Executes a function up to an event; without translated code also the functions that it
    /// calls, and its callers.
    #[expect(clippy::too_many_lines, reason = "one arm for each operation, on local variables")]
    fn frame<const WATCHED: bool>(&mut self, frame: &mut Frame, memory: &mut Memory) -> Result<Step, Stop> {
        let mut function: &'p Function = &self.program.functions[frame.function as usize];
        let all = Arc::clone(&self.ops);
        let mut ops = all[frame.function as usize].as_slice();
        // With translated code or a debugger, the caller of this function looks at each call.
        let calls = !WATCHED && self.jit.is_none();
        let pause = self.pause(frame.function);
        let mut regs = window(&mut self.registers, frame.base);
        let mut rest = ops[frame.pc as usize..].iter();
        // Number of the next operation.
        macro_rules! pc {
            () => {
                ops.len() - rest.len()
            };
        }
        // Behind an instruction, `before + pc` instructions were executed.
        let mut before = self.steps.wrapping_sub(frame.pc.into());
        let limit = self.limit;
        let result = 'run: loop {
            if WATCHED && self.watch.as_ref().is_some_and(|watch| watch.begins_line(frame, pc!())) {
                break 'run Ok(Step::Line);
            }
            let Some(mut op) = rest.next() else { unreachable!("the last instruction leaves") };
            let single;
            if WATCHED {
                // Pairs may have two lines.
                single = Op::new(function.code[pc!() - 1]);
                op = &single;
            }
            macro_rules! reg {
                ($reg:expr) => {
                    regs[usize::from(*$reg)]
                };
            }
            macro_rules! checked {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(stop) => break 'run Err(stop.into()),
                    }
                };
            }
            macro_rules! jump {
                ($target:expr) => {{
                    let (from, to) = (pc!(), *$target);
                    rest = ops[to as usize..].iter();
                    let steps = before.wrapping_add(from as u64);
                    before = steps.wrapping_sub(to.into());
                    if steps >= pause {
                        if steps >= limit {
                            break 'run Err(Stop::Budget);
                        }
                        if (to as usize) < from {
                            break 'run Ok(Step::Hot);
                        }
                    }
                }};
            }
            // A product and its sum: two instructions.
            macro_rules! pair {
                ($product:expr, $value:expr, $to:expr, |$made:ident| $sum:expr) => {{
                    let $made = $value;
                    reg!($product) = $made;
                    reg!($to) = $sum;
                    rest.next();
                }};
            }
            // An instruction on objects, exceptions or launches.
            macro_rules! rare {
                () => {{
                    let pc = pc!();
                    let mut steps = before.wrapping_add(pc as u64);
                    let result = self.rare(function.code[pc - 1], frame, memory, &mut steps);
                    before = steps.wrapping_sub(pc as u64);
                    if let Some(step) = checked!(result) {
                        break 'run Ok(step);
                    }
                    regs = window(&mut self.registers, frame.base);
                }};
            }
            // Continues in the frame that replaces another one.
            macro_rules! switch {
                ($replace:expr, |$old:ident| $keep:expr) => {{
                    let pc = pc!();
                    let steps = before.wrapping_add(pc as u64);
                    let mut $old = $replace;
                    $old.pc = pc as u32;
                    $keep;
                    function = &self.program.functions[frame.function as usize];
                    ops = all[frame.function as usize].as_slice();
                    rest = ops[frame.pc as usize..].iter();
                    regs = window(&mut self.registers, frame.base);
                    before = steps.wrapping_sub(frame.pc.into());
                }};
            }
            macro_rules! dispatch {
                (binary { $($binary:ident |$x:ident, $y:ident| $two:expr;)* }
                 unary { $($unary:ident |$z:ident| $one:expr;)* }
                 load { $($read:ident $load:ident $load_at:ident |$bytes:ident| $loaded:expr;)* }
                 store { $(($access:pat) $store:ident $store_at:ident $int:ident;)* }
                 compare { $($compare:ident $jump:ident $imm:ident $step:ident $step_imm:ident
                    |$p:ident, $q:ident| $holds:expr;)* }
                ) => {
                    match op {
                        $(Op::$binary { to, a, b } => {
                            let ($x, $y) = (reg!(a), reg!(b));
                            reg!(to) = $two;
                        })*
                        $(Op::$unary { to, a } => {
                            let $z = reg!(a);
                            reg!(to) = $one;
                        })*
                        $(Op::$load { to, base, offset } => {
                            let $bytes = checked!(memory.load(behind(reg!(base), *offset)));
                            reg!(to) = $loaded;
                        })*
                        $(Op::$load_at { to, base, index, scale, offset } => {
                            let element = element(reg!(base), reg!(index), *scale);
                            let $bytes = checked!(memory.load(behind(element, *offset)));
                            reg!(to) = $loaded;
                        })*
                        $(Op::$store { from, base, offset } => {
                            let bytes = (reg!(from) as $int).to_le_bytes();
                            checked!(memory.store(behind(reg!(base), *offset), bytes));
                        })*
                        $(Op::$store_at { from, base, index, scale, offset } => {
                            let element = element(reg!(base), reg!(index), *scale);
                            let bytes = (reg!(from) as $int).to_le_bytes();
                            checked!(memory.store(behind(element, *offset), bytes));
                        })*
                        $(Op::$jump { a, b, value, target } => {
                            let ($p, $q) = (reg!(a), reg!(b));
                            if ($holds) == *value {
                                jump!(target);
                            }
                        })*
                        $(Op::$imm { a, b, value, target } => {
                            let ($p, $q) = (reg!(a), i64::from(*b) as u64);
                            if ($holds) == *value {
                                jump!(target);
                            }
                        })*
                        $(Op::$step { a, b, value, target } => {
                            let $p = int((reg!(a) as i32).wrapping_add((*value).into()));
                            let $q = reg!(b);
                            reg!(a) = $p;
                            rest.next();
                            if $holds {
                                jump!(target);
                            }
                        })*
                        $(Op::$step_imm { a, b, value, target } => {
                            let $p = int((reg!(a) as i32).wrapping_add((*value).into()));
                            let $q = i64::from(*b) as u64;
                            reg!(a) = $p;
                            rest.next();
                            if $holds {
                                jump!(target);
                            }
                        })*
                        Op::Const { to, value } => reg!(to) = *value,
                        Op::Move { to, from } => reg!(to) = reg!(from),
                        Op::AddImm32 { to, a, value } => reg!(to) = int((reg!(a) as i32).wrapping_add(*value)),
                        Op::AddImm64 { to, a, value } => reg!(to) = behind(reg!(a), *value),
                        Op::Scaled { to, base, index, scale } => {
                            reg!(to) = reg!(base).wrapping_add(reg!(index).wrapping_mul(u64::from(*scale)));
                        }
                        Op::Jump { target } => jump!(target),
                        Op::JumpIf { a, value, target } => {
                            if (reg!(a) != 0) == *value {
                                jump!(target);
                            }
                        }
                        Op::MulAddI32 { product, a, b, to, c } => pair!(
                            product,
                            int((reg!(a) as i32).wrapping_mul(reg!(b) as i32)),
                            to,
                            |made| int((made as i32).wrapping_add(reg!(c) as i32))
                        ),
                        Op::MulAddF32 { product, a, b, to, c } => pair!(
                            product,
                            u64::from((float(reg!(a)) * float(reg!(b))).to_bits()),
                            to,
                            |made| u64::from((float(made) + float(reg!(c))).to_bits())
                        ),
                        Op::AddMulF32 { product, a, b, to, c } => pair!(
                            product,
                            u64::from((float(reg!(a)) * float(reg!(b))).to_bits()),
                            to,
                            |made| u64::from((float(reg!(c)) + float(made)).to_bits())
                        ),
                        Op::MulAddF64 { product, a, b, to, c } => pair!(
                            product,
                            (double(reg!(a)) * double(reg!(b))).to_bits(),
                            to,
                            |made| (double(made) + double(reg!(c))).to_bits()
                        ),
                        Op::AddMulF64 { product, a, b, to, c } => pair!(
                            product,
                            (double(reg!(a)) * double(reg!(b))).to_bits(),
                            to,
                            |made| (double(reg!(c)) + double(made)).to_bits()
                        ),
                        Op::Divide { op, to, a, b } => {
                            reg!(to) = checked!(divided(*op, reg!(a), reg!(b)));
                        }
                        Op::Variable { to, variable } => {
                            match self.locals[frame.locals + *variable as usize] {
                                0 => rare!(),
                                known => reg!(to) = known,
                            }
                        }
                        Op::Call { function: callee, base } => {
                            let base = *base;
                            if !calls {
                                break 'run Ok(Step::Call(*callee, base));
                            }
                            let callee = checked!(self.enter(*callee, frame.base + usize::from(base)));
                            switch!(std::mem::replace(frame, callee), |caller| {
                                self.frames.push(caller);
                            });
                        }
                        Op::Library { function: entry, base, count } => {
                            let Entry::Plain(called) = self.library[*entry as usize] else {
                                let (function, base, count) = (*entry, *base, *count);
                                break 'run Ok(Step::Event(Event::Api { function, base, count }));
                            };
                            let (first, pc) = (usize::from(*base), pc!());
                            let words = &regs[first..first + usize::from(*count)];
                            let host = &mut self.host;
                            host.now = before.wrapping_add(pc as u64);
                            let span = user_span(self.program, &self.frames, frame.function, pc);
                            memory.access_as(Accessor::Function);
                            let result = called(&mut Call { memory, host, words, span });
                            memory.access_as(Accessor::Instruction);
                            regs[first] = checked!(result);
                            before = before.wrapping_add(memory.take_steps());
                            if memory.has_met() {
                                break 'run Ok(Step::Event(Event::Met));
                            }
                        }
                        Op::Return => {
                            if !calls || self.frames.is_empty() {
                                break 'run Ok(Step::Return);
                            }
                            let Some(caller) = self.frames.pop() else { break 'run Ok(Step::Return) };
                            switch!(std::mem::replace(frame, caller), |done| self.leave(done, memory));
                        }
                        Op::Other => rare!(),
                    }
                };
            }
            operations!(dispatch);
        };
        let pc = pc!();
        frame.pc = pc as u32;
        self.steps = before.wrapping_add(pc as u64);
        result
    }

    /// Executes an instruction on objects, exceptions and whole functions, or says how the function
    /// goes on.
    #[inline(never)]
    pub(super) fn rare(
        &mut self,
        instr: Instr,
        frame: &Frame,
        memory: &mut Memory,
        steps: &mut u64,
    ) -> Result<Option<Step>, Stop> {
        let function: &'p Function = &self.program.functions[frame.function as usize];
        let regs = &mut self.registers[frame.base..];
        macro_rules! reg {
            ($reg:expr) => {
                regs[usize::from($reg)]
            };
        }
        match instr {
            Instr::StoreBits { from, base, offset, bytes, low, width } => {
                store_bits(memory, behind(reg!(base), offset), reg!(from), (bytes, low, width))?;
                *steps += memory.take_steps();
            }
            Instr::Copy { to, from, size } => {
                memory.copy(reg!(to), reg!(from), u64::from(size))?;
                *steps += memory.take_steps();
            }
            Instr::Zero { to, size } => {
                memory.range(reg!(to), u64::from(size))?.fill(0);
                *steps += memory.take_steps();
            }
            Instr::Variable { to, variable } => {
                let address = &mut self.locals[frame.locals + variable as usize];
                if *address == 0 {
                    let variable = &function.variables[variable as usize];
                    self.stack += variable.size;
                    if self.stack > STACK {
                        let megabytes = STACK >> 20;
                        let message = format!(
                            "stack overflow: the variables of nested calls need more than {megabytes} MB"
                        );
                        return Err(Stop::Mistake(message));
                    }
                    let kind = Kind::Local(Arc::clone(&variable.name));
                    *address = memory.allocate(variable.size, kind, false, variable.span)?;
                }
                reg!(to) = *address;
            }
            Instr::CallIndirect { address, base, .. } => {
                let number = reg!(address).wrapping_sub(FUNCTIONS) / 16;
                if reg!(address) == 0 {
                    return Err(Stop::Mistake("a null function pointer is called".to_owned()));
                }
                return Ok(Some(Step::Call(u32::try_from(number).unwrap_or(u32::MAX), base)));
            }
            Instr::Keep { op, object, base } => {
                return Ok(Some(Step::Keep { op, object: reg!(object), base }));
            }
            Instr::Launch { launch, base } => {
                return Ok(Some(Step::Event(Event::Launch { launch, base })));
            }
            Instr::Mark { to } => reg!(to) = self.registered.len() as u64,
            Instr::Defer { object, destructor, end } => {
                let (object, destructor) = (reg!(object), reg!(destructor));
                match end {
                    End::Scope => self.registered.push(Registered::Object { object, destructor }),
                    End::Failure => self.registered.push(Registered::Part { object, destructor }),
                    End::Exit => self.host.at_exit.push((object, destructor)),
                }
            }
            Instr::Forget { object } => {
                let object = reg!(object);
                let is_it = |one: &Registered| matches!(one, Registered::Object { object: known, .. } if *known == object);
                if let Some(at) = self.registered.iter().rposition(is_it) {
                    // The marks of inner scopes count this entry.
                    self.registered[at] = Registered::Nothing;
                }
            }
            Instr::Unwind { mark, base } => {
                let mark = reg!(mark) as usize;
                return Ok((self.registered.len() > mark).then_some(Step::Unwind { mark, base }));
            }
            Instr::Try { handlers, target } => {
                let frame = self.frames.len();
                self.registered.push(Registered::Handlers { handlers, target, frame });
            }
            Instr::Throw { object, destructor, uncaught, ty } => {
                let (object, destructor, uncaught) = (reg!(object), reg!(destructor), reg!(uncaught));
                self.flying.push(Exception { object, destructor, uncaught, ty });
            }
            Instr::Rethrow => {
                let handled = unwind::take_handled(&mut self.registered);
                let missing = || Stop::Mistake("`throw` without an exception that is handled".to_owned());
                self.flying.push(handled.ok_or_else(missing)?);
            }
            Instr::Propagate { base } => return Ok(Some(Step::Propagate { base })),
            Instr::Catches { to, ty } => {
                let thrown = unwind::handled_object(&mut self.registered);
                let takes = |(_, own): (u64, u32)| self.program.thrown[own as usize].taken_by(ty).is_some();
                reg!(to) = u64::from(thrown.is_some_and(takes));
            }
            Instr::Caught { to, ty } => {
                let handled = unwind::handled_object(&mut self.registered);
                reg!(to) = handled.map_or(Ok(0), |handled| unwind::caught_part(self.program, handled, ty))?;
            }
            Instr::NoResult => {
                let message = format!("function `{}` ends without a `return`", function.name);
                return Err(Stop::Mistake(message));
            }
            _ => unreachable!("the loop executes {instr:?}"),
        }
        Ok(None)
    }
}

/// The registers that a frame can name. Their number needs no check of an index.
#[inline(always)]
fn window(registers: &mut [u64], base: usize) -> &mut [u64; WINDOW] {
    let (window, _) = registers[base..].split_first_chunk_mut().expect("`enter` makes room");
    window
}

/// An address with an offset.
#[inline(always)]
fn behind(address: u64, offset: i32) -> u64 {
    address.wrapping_add(i64::from(offset) as u64)
}

/// The address of an element of an array.
#[inline(always)]
fn element(base: u64, index: u64, scale: u16) -> u64 {
    base.wrapping_add(index.wrapping_mul(scale.into()))
}

/// Stores bits of a value in an integer of some bytes.
fn store_bits(
    memory: &mut Memory,
    address: u64,
    value: u64,
    (bytes, low, width): (u8, u8, u8),
) -> Result<(), Fault> {
    let bytes = usize::from(bytes);
    let mut unit = [0; 8];
    unit[..bytes].copy_from_slice(memory.bytes(address, bytes as u64)?);
    let mask = (u64::MAX >> (64 - u32::from(width))) << low;
    let value = u64::from_le_bytes(unit) & !mask | (value << low) & mask;
    memory.write(address, &value.to_le_bytes()[..bytes])
}

#[inline(always)]
fn divided(op: Divide, a: u64, b: u64) -> Result<u64, Stop> {
    op.compute(a, b).ok_or_else(|| {
        let why = if b == 0 { "division by zero" } else { "the quotient is too large" };
        Stop::Mistake(why.to_owned())
    })
}

//! The loop of the interpreter: executes the instructions of functions.

#![expect(clippy::inline_always, reason = "every instruction is one arm of the loop")]

use super::{Event, Frame, Machine, STACK, unwind, user_span};
use crate::code::{Access, Divide, End, FUNCTIONS, Function, Instr, Reg};
use crate::exceptions::{Exception, Registered};
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

/// The instructions that are no arm of the loop.
macro_rules! rare {
    () => {
        Instr::StoreBits { .. }
            | Instr::Copy { .. }
            | Instr::Zero { .. }
            | Instr::Variable { .. }
            | Instr::CallIndirect { .. }
            | Instr::Launch { .. }
            | Instr::Mark { .. }
            | Instr::Defer { .. }
            | Instr::Forget { .. }
            | Instr::Unwind { .. }
            | Instr::Try { .. }
            | Instr::Throw { .. }
            | Instr::Rethrow
            | Instr::Propagate { .. }
            | Instr::Catches { .. }
            | Instr::Caught { .. }
            | Instr::NoResult
    };
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
        if self.frames.is_empty() { Err(Stop::Exit(code)) } else { Ok(()) }
    }

    /// Executes a function up to a call, its return, or an event.
    fn frame<const WATCHED: bool>(&mut self, frame: &mut Frame, memory: &mut Memory) -> Result<Step, Stop> {
        let function: &'p Function = &self.program.functions[frame.function as usize];
        let code = function.code.as_slice();
        let pause = self.pause(frame.function);
        let mut regs = &mut self.registers[frame.base..];
        let mut pc = frame.pc as usize;
        let mut steps = self.steps;
        let limit = self.limit;
        let result = 'run: loop {
            if WATCHED && self.watch.as_ref().is_some_and(|watch| watch.begins_line(frame, pc)) {
                break 'run Ok(Step::Line);
            }
            let instr = code[pc];
            pc += 1;
            steps += 1;
            macro_rules! reg {
                ($reg:expr) => {
                    regs[usize::from($reg)]
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
                    let from = std::mem::replace(&mut pc, $target as usize);
                    if steps >= pause {
                        if steps >= limit {
                            break 'run Err(Stop::Budget);
                        }
                        if pc < from {
                            break 'run Ok(Step::Hot);
                        }
                    }
                }};
            }
            match instr {
                Instr::Const { to, value } => reg!(to) = value,
                Instr::Move { to, from } => reg!(to) = reg!(from),
                Instr::AddImm32 { to, a, value } => {
                    reg!(to) = i64::from((reg!(a) as i32).wrapping_add(value)) as u64;
                }
                Instr::AddImm64 { to, a, value } => reg!(to) = behind(reg!(a), value),
                Instr::Scaled { to, base, index, scale } => {
                    reg!(to) = reg!(base).wrapping_add(reg!(index).wrapping_mul(u64::from(scale)));
                }
                Instr::Unary { op, to, a } => reg!(to) = op.compute(reg!(a)),
                Instr::Divide { op, to, a, b } => reg!(to) = checked!(divided(op, reg!(a), reg!(b))),
                Instr::Load { access, to, base, offset } => {
                    reg!(to) = checked!(load(access, memory, behind(reg!(base), offset)));
                }
                Instr::Store { access, from, base, offset } => {
                    checked!(store(access, memory, behind(reg!(base), offset), reg!(from)));
                }
                Instr::Jump { target } => jump!(target),
                Instr::JumpIf { a, value, target } => {
                    if (reg!(a) != 0) == value {
                        jump!(target);
                    }
                }
                Instr::JumpCompare { compare, a, b, value, target } => {
                    if compare.compute(reg!(a), reg!(b)) == value {
                        jump!(target);
                    }
                }
                Instr::Call { function, base, .. } => break 'run Ok(Step::Call(function, base)),
                Instr::Library { function, base, count } => {
                    let Entry::Plain(entry) = self.library[function as usize] else {
                        break 'run Ok(Step::Event(Event::Api { function, base, count }));
                    };
                    let first = usize::from(base);
                    let (words, host) = (&regs[first..first + usize::from(count)], &mut self.host);
                    host.now = steps;
                    let span = user_span(self.program, &self.frames, frame.function, pc);
                    memory.access_as(Accessor::Function);
                    regs[first] = checked!(entry(&mut Call { memory, host, words, span }));
                    memory.access_as(Accessor::Instruction);
                    steps += memory.take_steps();
                    if memory.has_met() {
                        break 'run Ok(Step::Event(Event::Met));
                    }
                }
                Instr::Return => break 'run Ok(Step::Return),
                rare!() => {
                    if let Some(step) = checked!(self.rare(instr, frame, memory, &mut steps)) {
                        break 'run Ok(step);
                    }
                    regs = &mut self.registers[frame.base..];
                }
                binary => binary.compute(regs),
            }
        };
        frame.pc = pc as u32;
        self.steps = steps;
        result
    }

    /// Executes an instruction on objects, exceptions and whole functions, or says how the function
    /// goes on.
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

/// An address with an offset.
#[inline(always)]
fn behind(address: u64, offset: i32) -> u64 {
    address.wrapping_add(i64::from(offset) as u64)
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

#[inline(always)]
fn load(access: Access, memory: &Memory, address: u64) -> Result<u64, Fault> {
    Ok(match access {
        Access::I8 => i64::from(i8::from_le_bytes(memory.load(address)?)) as u64,
        Access::U8 => u64::from(u8::from_le_bytes(memory.load(address)?)),
        Access::I16 => i64::from(i16::from_le_bytes(memory.load(address)?)) as u64,
        Access::U16 => u64::from(u16::from_le_bytes(memory.load(address)?)),
        Access::I32 => i64::from(i32::from_le_bytes(memory.load(address)?)) as u64,
        Access::U32 => u64::from(u32::from_le_bytes(memory.load(address)?)),
        Access::W64 => u64::from_le_bytes(memory.load(address)?),
    })
}

#[inline(always)]
fn store(access: Access, memory: &mut Memory, address: u64, value: u64) -> Result<(), Fault> {
    match access {
        Access::I8 | Access::U8 => memory.store(address, (value as u8).to_le_bytes()),
        Access::I16 | Access::U16 => memory.store(address, (value as u16).to_le_bytes()),
        Access::I32 | Access::U32 => memory.store(address, (value as u32).to_le_bytes()),
        Access::W64 => memory.store(address, value.to_le_bytes()),
    }
}

//! Destroys registered objects, and takes exceptions to their handlers.

use super::{Machine, Registered};
use crate::code::{FUNCTIONS, Program, Reg};
use crate::exceptions::{Exception, Keep};
use crate::memory::Memory;
use crate::stop::Stop;
use cuda::source::Span;

impl Machine<'_> {
    /// Destroys the last registered object above a mark, and executes the instruction again.
    pub(super) fn destroy_next(&mut self, mark: usize, base: Reg, memory: &mut Memory) -> Result<(), Stop> {
        if self.registered.len() <= mark {
            return Ok(());
        }
        self.again();
        match self.registered.pop() {
            Some(Registered::Object { object, destructor }) => self.enter_for(object, destructor, base),
            Some(Registered::Caught(Some(exception))) => self.end_exception(exception, base, memory),
            Some(Registered::Memory(address)) => {
                memory.release(address, Span::NONE);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The frame on top executes its instruction again.
    fn again(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc -= 1;
        }
    }

    /// Enters a function that takes the address of an object.
    fn enter_for(&mut self, object: u64, destructor: u64, base: Reg) -> Result<(), Stop> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let number = u32::try_from(destructor.wrapping_sub(FUNCTIONS) / 16).unwrap_or(u32::MAX);
        let callee = self.enter(number, frame.base + usize::from(base))?;
        self.registers[callee.base] = object;
        self.frames.push(callee);
        Ok(())
    }

    /// Destroys the object of an exception that was handled, and frees its memory.
    fn end_exception(&mut self, exception: Exception, base: Reg, memory: &mut Memory) -> Result<(), Stop> {
        if let Some((_, owners)) = self.kept.get_mut(&exception.object) {
            *owners -= 1;
            if *owners > 0 {
                return Ok(());
            }
            self.kept.remove(&exception.object);
        }
        if exception.destructor == 0 {
            memory.release(exception.object, Span::NONE);
            return Ok(());
        }
        self.registered.push(Registered::Memory(exception.object));
        self.enter_for(exception.object, exception.destructor, base)
    }

    /// Executes an operation on an exception that pointers keep.
    pub(super) fn keep(&mut self, op: Keep, object: u64, base: Reg, memory: &mut Memory) -> Result<(), Stop> {
        let result = match op {
            Keep::Flying => self.flying.len() as u64,
            Keep::Handled => handled(&mut self.registered).and_then(|one| *one).map_or(0, |exception| {
                self.kept.entry(exception.object).or_insert((exception, 1)).1 += 1;
                exception.object
            }),
            Keep::Share | Keep::Throw => {
                let (exception, owners) = self.kept.get_mut(&object).ok_or_else(not_kept)?;
                *owners += 1;
                if op == Keep::Throw {
                    self.flying.push(*exception);
                }
                object
            }
            Keep::Drop => {
                let (exception, owners) = self.kept.get_mut(&object).ok_or_else(not_kept)?;
                let exception = *exception;
                match *owners {
                    1 if exception.destructor != 0 => {
                        *owners = 0;
                        self.again();
                        return self.enter_for(object, exception.destructor, base);
                    }
                    0 | 1 => {
                        self.kept.remove(&object);
                        memory.release(object, Span::NONE);
                    }
                    _ => *owners -= 1,
                }
                0
            }
        };
        if let Some(frame) = self.frames.last() {
            self.registers[frame.base + usize::from(base)] = result;
        }
        Ok(())
    }

    /// Takes the exception on top one step further.
    pub(super) fn propagate(&mut self, base: Reg, memory: &mut Memory) -> Result<(), Stop> {
        let Some(exception) = self.flying.last().copied() else { return Ok(()) };
        let program = self.program;
        let takes = |one: &Registered| match one {
            Registered::Handlers { handlers, .. } => {
                let thrown = &program.thrown[exception.ty as usize];
                let takes = |ty: &Option<u32>| ty.is_none_or(|ty| thrown.taken_by(ty).is_some());
                program.handlers[*handlers as usize].iter().any(takes)
            }
            _ => false,
        };
        // The stack is as it was when no handler takes the exception, or one without types ends it.
        let ends = |one: &Registered| match one {
            Registered::Handlers { handlers, .. } => program.handlers[*handlers as usize].is_empty(),
            _ => false,
        };
        let found = self.registered.iter().rev().find(|one| takes(one) || ends(one));
        if !found.is_some_and(takes) {
            return self.uncaught(exception, base);
        }
        match self.registered.pop() {
            Some(one @ Registered::Handlers { target, frame, .. }) if takes(&one) => {
                while self.frames.len() > frame + 1 {
                    if let Some(left) = self.frames.pop() {
                        self.leave(left, memory);
                    }
                }
                if let Some(top) = self.frames.last_mut() {
                    top.pc = target;
                }
                self.flying.pop();
                self.registered.push(Registered::Caught(Some(exception)));
                Ok(())
            }
            Some(Registered::Object { object, destructor } | Registered::Part { object, destructor }) => {
                self.again();
                self.enter_for(object, destructor, base)
            }
            Some(Registered::Caught(Some(old))) => {
                self.again();
                self.end_exception(old, base, memory)
            }
            Some(Registered::Memory(address)) => {
                memory.release(address, Span::NONE);
                self.again();
                Ok(())
            }
            _ => {
                self.again();
                Ok(())
            }
        }
    }

    /// Ends the program as the C++ runtime library does.
    fn uncaught(&mut self, exception: Exception, base: Reg) -> Result<(), Stop> {
        let name = &self.program.thrown[exception.ty as usize].name;
        let message = format!("terminate called after throwing an instance of '{name}'\n");
        self.host.print_error(message.as_bytes());
        if exception.uncaught == 0 {
            return Err(Stop::Abort);
        }
        // An exception of this function ends the program, too.
        self.flying.pop();
        self.enter_for(exception.object, exception.uncaught, base)
    }
}

fn not_kept() -> Stop {
    Stop::Mistake("an exception is used after its last `exception_ptr` has ended".to_owned())
}

/// The exception that is handled.
fn handled(registered: &mut [Registered]) -> Option<&mut Option<Exception>> {
    registered.iter_mut().rev().find_map(|one| match one {
        Registered::Caught(exception) if exception.is_some() => Some(exception),
        _ => None,
    })
}

/// Takes the exception that is handled out of its handler.
pub(super) fn take_handled(registered: &mut [Registered]) -> Option<Exception> {
    handled(registered)?.take()
}

/// The address of the part of an exception that a handler of a type takes.
pub(super) fn caught_part(program: &Program, (object, own): (u64, u32), by: u32) -> Result<u64, Stop> {
    let thrown = &program.thrown[own as usize];
    match thrown.taken_by(by) {
        Some(offset) if offset > 0 && thrown.is_pointer => {
            let (from, to) = (&thrown.name, &program.thrown[by as usize].name);
            let message = format!(
                "an exception of type `{from}` is caught as `{to}`, which points to a later part of the \
                 object; catch `{from}`"
            );
            Err(Stop::Mistake(message))
        }
        offset => Ok(object + offset.unwrap_or(0)),
    }
}

/// Object and type of the exception that is handled.
pub(super) fn handled_object(registered: &mut [Registered]) -> Option<(u64, u32)> {
    let exception = (*handled(registered)?)?;
    Some((exception.object, exception.ty))
}

//! Destroys registered objects, and takes exceptions to their handlers.

use super::{Machine, Registered};
use crate::code::{FUNCTIONS, Reg};
use crate::exceptions::Exception;
use crate::memory::Memory;
use crate::stop::Stop;
use cuda::source::Span;

/// Place of the text in an object of `std::exception`: behind the pointer to its virtual functions.
const TEXT: u64 = 8;

impl Machine<'_> {
    /// Destroys the last registered object above a mark, and executes the instruction again.
    pub(super) fn destroy_next(&mut self, mark: usize, base: Reg, memory: &mut Memory) -> Result<(), Stop> {
        if self.registered.len() <= mark {
            return Ok(());
        }
        self.again();
        match self.registered.pop() {
            Some(Registered::Object { object, destructor }) => self.destroy(object, destructor, base),
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

    /// Enters a destructor.
    fn destroy(&mut self, object: u64, destructor: u64, base: Reg) -> Result<(), Stop> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let number = u32::try_from(destructor.wrapping_sub(FUNCTIONS) / 16).unwrap_or(u32::MAX);
        let callee = self.enter(number, frame.base + usize::from(base))?;
        self.registers[callee.base] = object;
        self.frames.push(callee);
        Ok(())
    }

    /// Destroys the object of an exception that was handled, and frees its memory.
    fn end_exception(&mut self, exception: Exception, base: Reg, memory: &mut Memory) -> Result<(), Stop> {
        if exception.destructor == 0 {
            memory.release(exception.object, Span::NONE);
            return Ok(());
        }
        self.registered.push(Registered::Memory(exception.object));
        self.destroy(exception.object, exception.destructor, base)
    }

    /// Takes the exception on top one step further.
    pub(super) fn propagate(&mut self, base: Reg, memory: &mut Memory) -> Result<(), Stop> {
        let Some(exception) = self.flying.last().copied() else { return Ok(()) };
        let program = self.program;
        let takes = |one: &Registered| match one {
            Registered::Handlers { handlers, .. } => {
                let bases = &program.thrown[exception.ty as usize].bases;
                program.handlers[*handlers as usize].iter().any(|ty| ty.is_none_or(|ty| bases.contains(&ty)))
            }
            _ => false,
        };
        if !self.registered.iter().any(takes) {
            return Err(self.uncaught(exception, memory));
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
                self.destroy(object, destructor, base)
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
    fn uncaught(&mut self, exception: Exception, memory: &Memory) -> Stop {
        let thrown = &self.program.thrown[exception.ty as usize];
        let mut message = format!("terminate called after throwing an instance of '{}'\n", thrown.name);
        if thrown.has_text
            && let Ok(bytes) = memory.bytes(exception.object + TEXT, 8)
            && let Ok(address) = <[u8; 8]>::try_from(bytes)
            && let Ok(text) = memory.text(u64::from_le_bytes(address))
        {
            message.push_str("  what():  ");
            message.push_str(&String::from_utf8_lossy(text));
            message.push('\n');
        }
        self.host.print_error(message.as_bytes());
        Stop::Abort
    }
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

/// Object and type of the exception that is handled.
pub(super) fn handled_object(registered: &mut [Registered]) -> Option<(u64, u32)> {
    let exception = (*handled(registered)?)?;
    Some((exception.object, exception.ty))
}

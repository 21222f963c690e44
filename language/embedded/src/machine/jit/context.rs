//! What translated code and the machine share: the state that the code reads and writes, and the
//! functions that it calls.

#![expect(unsafe_code, reason = "translated code calls back with a pointer to its machine")]

use super::Jit;
use crate::code::Reg;
use crate::library::{Call, Entry};
use crate::machine::execute::Step;
use crate::machine::{Event, Machine, user_span};
use crate::memory::{Memory, Row};
use crate::stop::Stop;
use cranelift_codegen::ir::AbiParam;
use cranelift_codegen::ir::Signature;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::isa::CallConv;

/// Why translated code ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Status {
    /// The function has returned, or the helper has done its work.
    Done,
    /// The interpreter continues at the instruction of [`Context::pc`].
    Again,
    /// The limit of instructions is reached at this instruction.
    Budget,
    /// The machine has to do what [`Context::left`] says, or continues with the last frame.
    Left,
}

/// State that translated code shares with the machine.
#[repr(C)]
pub struct Context {
    /// All registers.
    pub registers: *mut u64,
    /// Addresses of the variables of all frames.
    pub locals: *const u64,
    /// Rows of the blocks of memory, and their number.
    pub rows: *const Row,
    pub row_count: u64,
    pub steps: u64,
    pub limit: u64,
    /// The instruction at which the code has left, or the one behind the call of a helper.
    pub pc: u64,
    /// Instructions that the copied or filled bytes count as.
    pub more: u64,
    machine: *mut (),
    memory: *mut Memory,
    left: Option<Result<Step, Stop>>,
}

/// Bytes of the stack of this process that calls of translated code in translated code may use. The
/// calls below continue from the interpreter.
const MOST_STACK: usize = 512 << 10;

/// Translated code.
pub type Code = unsafe extern "C" fn(*mut Context, u64, u64) -> u64;

/// The code at an address.
pub fn code(address: *const u8) -> Code {
    // SAFETY: the address is the one of a function that was translated with this signature.
    unsafe { std::mem::transmute::<*const u8, Code>(address) }
}

/// The parameters of helpers: context, and three numbers. The result is a status.
pub fn signature(call_conv: CallConv) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params.extend([I64; 4].map(AbiParam::new));
    signature.returns.push(AbiParam::new(I64));
    signature
}

impl Context {
    /// Lets the code find what may have moved.
    fn renew(&mut self, machine: &mut Machine<'_>, memory: &Memory) {
        self.registers = machine.registers.as_mut_ptr();
        self.locals = machine.locals.as_ptr();
        let rows = memory.rows();
        (self.rows, self.row_count) = (rows.as_ptr(), rows.len() as u64);
    }
}

/// Executes the frame on top with its translated code.
pub fn run(machine: &mut Machine<'_>, memory: &mut Memory, code: Code) -> Result<Option<Step>, Stop> {
    let Some(frame) = machine.frames.last().copied() else { return Ok(None) };
    let mut context = Context {
        registers: std::ptr::null_mut(),
        locals: std::ptr::null(),
        rows: std::ptr::null(),
        row_count: 0,
        steps: machine.steps,
        limit: machine.limit,
        pc: 0,
        more: 0,
        machine: std::ptr::from_mut(machine).cast(),
        memory,
        left: None,
    };
    context.renew(machine, memory);
    // SAFETY: the code was translated for this function, its registers and variables are those of
    // the frame, and the helpers get back the machine and the memory that this function borrows.
    let status = unsafe { code(&raw mut context, frame.base as u64, frame.locals as u64) };
    machine.steps = context.steps;
    if status == Status::Again as u64 || status == Status::Budget as u64 {
        if let Some(frame) = machine.frames.last_mut() {
            frame.pc = context.pc as u32;
        }
        if let Some(jit) = &mut machine.jit {
            jit.leave();
        }
    }
    if status == Status::Budget as u64 {
        return Err(Stop::Budget);
    }
    context.left.transpose()
}

/// Gives a helper its context, machine and memory.
///
/// # Safety
///
/// The pointer is the one that [`run`] has passed to the code.
unsafe fn parts<'c>(context: *mut Context) -> (&'c mut Context, &'c mut Machine<'c>, &'c mut Memory) {
    // SAFETY: `run` borrows all three for longer than the code runs, and does not use them.
    unsafe {
        let context = &mut *context;
        let machine = &mut *context.machine.cast::<Machine<'c>>();
        let memory = &mut *context.memory;
        (context, machine, memory)
    }
}

/// Notes where the frame on top continues.
fn note(context: &Context, machine: &mut Machine<'_>) {
    machine.steps = context.steps;
    if let Some(frame) = machine.frames.last_mut() {
        frame.pc = context.pc as u32;
    }
}

fn left(context: &mut Context, what: Result<Step, Stop>) -> u64 {
    context.left = Some(what);
    Status::Left as u64
}

/// Calls a function, whose first register has an absolute number.
pub extern "C" fn call(context: *mut Context, function: u64, base: u64, _: u64) -> u64 {
    // SAFETY: translated code passes its context.
    let (own, machine, memory) = unsafe { parts(context) };
    note(own, machine);
    enter(context, (own, machine, memory), function as u32, base as usize)
}

fn enter(
    context: *mut Context,
    (own, machine, memory): (&mut Context, &mut Machine<'_>, &mut Memory),
    function: u32,
    base: usize,
) -> u64 {
    let frame = match machine.enter(function, base) {
        Ok(frame) => frame,
        Err(stop) => return left(own, Err(stop)),
    };
    machine.frames.push(frame);
    // The context is at the start of the translated calls.
    let here = 0_u8;
    if (&raw const here).addr().abs_diff(context.addr()) > MOST_STACK {
        return Status::Left as u64;
    }
    let Some(code) = Jit::function(machine, function) else { return Status::Left as u64 };
    own.renew(machine, memory);
    // SAFETY: as in `run`; the frame is the one of the called function.
    unsafe { code(context, frame.base as u64, frame.locals as u64) }
}

/// Ends the function of the frame on top.
pub extern "C" fn leave(context: *mut Context, _: u64, _: u64, _: u64) -> u64 {
    // SAFETY: translated code passes its context.
    let (own, machine, memory) = unsafe { parts(context) };
    let result = machine.returns(memory);
    own.renew(machine, memory);
    match result {
        Ok(()) => Status::Done as u64,
        Err(stop) => left(own, Err(stop)),
    }
}

/// Calls a function of the library, whose first argument has an absolute number.
pub extern "C" fn library(context: *mut Context, function: u64, base: u64, count: u64) -> u64 {
    // SAFETY: translated code passes its context.
    let (own, machine, memory) = unsafe { parts(context) };
    note(own, machine);
    let Some(frame) = machine.frames.last().copied() else { return Status::Left as u64 };
    let Entry::Plain(entry) = machine.library[function as usize] else { return Status::Left as u64 };
    let callers = &machine.frames[..machine.frames.len() - 1];
    let span = user_span(machine.program, callers, frame.function, frame.pc as usize);
    machine.host.now = own.steps;
    let first = base as usize;
    let words = &machine.registers[first..first + count as usize];
    memory.access_as(crate::memory::Accessor::Function);
    let result = entry(&mut Call { memory, host: &mut machine.host, words, span });
    memory.access_as(crate::memory::Accessor::Instruction);
    match result {
        Ok(value) => machine.registers[first] = value,
        Err(stop) => return left(own, Err(stop)),
    }
    own.steps += memory.take_steps();
    machine.steps = own.steps;
    own.renew(machine, memory);
    if memory.has_met() { left(own, Ok(Step::Event(Event::Met))) } else { Status::Done as u64 }
}

/// Leaves for a call of the runtime.
pub extern "C" fn event(context: *mut Context, function: u64, base: u64, count: u64) -> u64 {
    // SAFETY: translated code passes its context.
    let (own, machine, _) = unsafe { parts(context) };
    note(own, machine);
    let call = Event::Api { function: function as u32, base: base as Reg, count: count as u16 };
    left(own, Ok(Step::Event(call)))
}

/// Copies bytes; `Again` if the interpreter has to do it.
pub extern "C" fn copy(context: *mut Context, to: u64, from: u64, size: u64) -> u64 {
    // SAFETY: translated code passes its context.
    let (own, machine, memory) = unsafe { parts(context) };
    let is_done = memory.copy_open(to, from, size);
    own.renew(machine, memory);
    bulk(own, memory, is_done)
}

/// Gives bytes a value; `Again` if the interpreter has to do it.
pub extern "C" fn fill(context: *mut Context, to: u64, value: u64, size: u64) -> u64 {
    // SAFETY: translated code passes its context.
    let (own, _, memory) = unsafe { parts(context) };
    let is_done = memory.fill_open(to, value as u8, size);
    bulk(own, memory, is_done)
}

fn bulk(own: &mut Context, memory: &Memory, is_done: bool) -> u64 {
    if !is_done {
        return Status::Again as u64;
    }
    own.more = memory.take_steps();
    Status::Done as u64
}

/// Executes an instruction as the interpreter does.
pub extern "C" fn rare(context: *mut Context, pc: u64, _: u64, _: u64) -> u64 {
    // SAFETY: translated code passes its context.
    let (own, machine, memory) = unsafe { parts(context) };
    note(own, machine);
    let Some(frame) = machine.frames.pop() else { return Status::Left as u64 };
    let instr = machine.program.functions[frame.function as usize].code[pc as usize];
    let result = machine.rare(instr, &frame, memory, &mut own.steps);
    machine.frames.push(frame);
    machine.steps = own.steps;
    match result {
        Ok(None) => {
            own.renew(machine, memory);
            Status::Done as u64
        }
        Ok(Some(Step::Call(function, base))) => {
            enter(context, (own, machine, memory), function, frame.base + usize::from(base))
        }
        Ok(Some(step)) => left(own, Ok(step)),
        Err(stop) => left(own, Err(stop)),
    }
}

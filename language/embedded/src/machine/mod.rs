//! Executes portable code.

mod execute;
#[cfg_attr(not(feature = "jit"), path = "no_jit.rs")]
mod jit;
mod ops;
mod threads;
mod unwind;
mod watch;

pub use watch::{CallEnd, Called, Control, Move, Place, Stopped};

use crate::code::{FUNCTIONS, Function, Global, Program, Reg, global_address};
use crate::exceptions::{Exception, Registered};
use crate::library::{Entry, Host};
use crate::memory::{Fault, Kind, Memory};
use crate::stop::Stop;
use cuda::source::{Sources, Span};
use isa::types::Dim3;
use ops::Op;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use threads::Threads;
use warpsim_cuda::abi::words::{self, Words};
use warpsim_cuda::runtime::Runtime;
use warpsim_cuda::runtime::launch::Arguments;
use warpsim_cuda::runtime::thread::Configuration;
use warpsim_opencl::calls::{Endless, Outcome};
use warpsim_opencl::objects::{State, numbers};
use watch::{Asked, Watch, error_name};

/// Bytes of the stack of a program, as Linux has them.
const STACK: u64 = 8 << 20;
/// Bytes of a frame beside its variables.
const FRAME: u64 = 64;
/// Most registers of all frames: half a gigabyte.
const MOST_REGISTERS: usize = 1 << 26;
/// Registers that instructions can name.
const WINDOW: usize = 1 << Reg::BITS;

/// A function that is executed.
#[derive(Clone, Copy, Debug)]
struct Frame {
    function: u32,
    pc: u32,
    /// First register of the function.
    base: usize,
    /// First entry of the function's variables.
    locals: usize,
    /// File and line of the last instruction, if the machine is watched.
    line: (u32, u32),
}

/// What the loop of the interpreter cannot do itself.
enum Event {
    Api {
        function: u32,
        base: Reg,
        count: u16,
    },
    Launch {
        launch: u32,
        base: Reg,
    },
    /// A line of the source begins (watched).
    Line,
    /// A function of the library has accessed memory that a device may still use.
    Met,
}

/// Memory of the host that runtime and interpreter share.
pub type Shared = Arc<Mutex<Memory>>;

/// Locks the memory. A panic leaves memory that can be read.
pub fn lock(memory: &Shared) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Limits of the execution of a program.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most executed instructions.
    pub steps: u64,
    /// Most simulated nanoseconds in calls of the runtime.
    pub called_ns: u64,
    /// Instructions that a function executes before it is translated.
    pub interpreted: u64,
}

/// The host thread of a program.
pub struct Machine<'p> {
    program: &'p Program,
    /// The operations of its functions.
    ops: Arc<[Vec<Op>]>,
    library: Vec<Entry>,
    memory: Shared,
    registers: Vec<u64>,
    frames: Vec<Frame>,
    /// Addresses of the variables of all frames; 0 before a variable has memory.
    locals: Vec<u64>,
    /// Objects that are registered for destruction, and handlers of exceptions.
    registered: Vec<Registered>,
    /// The exit code, once the program has ended.
    exit_code: Option<i32>,
    /// Exceptions that look for their handlers, the last one on top.
    flying: Vec<Exception>,
    /// Exceptions that pointers keep, by the addresses of their objects, and the numbers of owners:
    /// pointers, handlers, and exceptions that look for their handlers.
    kept: FxHashMap<u64, (Exception, u32)>,
    stack: u64,
    threads: Threads,
    steps: u64,
    limit: u64,
    /// Most simulated nanoseconds in calls of the runtime.
    called_limit: u64,
    watch: Option<Watch>,
    /// Translated code; none if the processor is not supported.
    jit: Option<jit::Jit>,
    asked: Option<Asked>,
    /// State of the library.
    pub host: Host,
    /// The runtime, the thread's state in it, and the objects of OpenCL.
    pub api: State,
    /// The texts of the program, for messages.
    pub sources: Option<Arc<Sources>>,
}

impl<'p> Machine<'p> {
    /// A machine at the start of `main`. The variables of the program are in memory.
    pub fn new(
        program: &'p Program,
        memory: Shared,
        host: Host,
        runtime: Runtime,
        limits: Limits,
        arguments: &[u64],
    ) -> Self {
        let library = program.library.iter().filter_map(|name| crate::library::find(name)).collect();
        let ops = program.functions.iter().map(|function| ops::operations(&function.code)).collect();
        let mut machine = Self {
            program,
            ops,
            library,
            memory,
            // Pages that the system clears at their first use.
            registers: vec![0; 2 * WINDOW],
            frames: Vec::new(),
            locals: Vec::new(),
            registered: Vec::new(),
            exit_code: None,
            flying: Vec::new(),
            kept: FxHashMap::default(),
            stack: FRAME,
            threads: Threads::default(),
            steps: 0,
            limit: limits.steps,
            called_limit: limits.called_ns,
            watch: None,
            jit: jit::Jit::new(program.functions.len(), limits.interpreted),
            asked: None,
            host,
            api: State::new(runtime, numbers()),
            sources: None,
        };
        let main = &program.functions[program.main.0 as usize];
        for (register, value) in machine.registers.iter_mut().zip(arguments) {
            *register = *value;
        }
        machine.locals.resize(main.variables.len(), 0);
        machine.frames.push(Frame { function: program.main.0, pc: 0, base: 0, locals: 0, line: (0, 0) });
        // Variables are initialized in a call that returns to the start of `main`.
        if let Some(start) = program.start {
            let base = usize::from(main.registers).max(arguments.len());
            if let Ok(frame) = machine.enter(start, base) {
                machine.frames.push(frame);
            }
        }
        machine
    }

    /// Executed instructions.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The functions that are executed, the innermost first: name, and place of the call or of the
    /// instruction.
    pub fn backtrace(&self) -> Vec<(&'p str, Span)> {
        let place = |frame: &Frame| {
            let function: &'p Function = &self.program.functions[frame.function as usize];
            let at = (frame.pc as usize).saturating_sub(1);
            (function.name.as_str(), function.spans.get(at).copied().unwrap_or(Span::NONE))
        };
        self.frames.iter().rev().map(place).collect()
    }

    /// Enters the next destructor or function of the end of the program; false without one.
    fn next_at_exit(&mut self, code: i32) -> bool {
        let Some((object, destructor)) = self.host.at_exit.pop() else { return false };
        self.exit_code.get_or_insert(code);
        self.threads.ending = Some(self.host.thread);
        // What was called before `exit` never continues.
        self.frames.clear();
        self.registered.clear();
        let number = u32::try_from(destructor.wrapping_sub(FUNCTIONS) / 16).unwrap_or(u32::MAX);
        let Ok(frame) = self.enter(number, 0) else { return false };
        if let Some(first) = self.registers.first_mut() {
            *first = object;
        }
        self.frames.push(frame);
        true
    }

    /// Executes the program to its end.
    pub fn run(&mut self) -> Stop {
        loop {
            let memory = Arc::clone(&self.memory);
            let event = self.interpret(&mut lock(&memory));
            let result = match event {
                Ok(Event::Api { function, base, count }) => self.api(function, base, count),
                Ok(Event::Launch { launch, base }) => self.launch(launch, base),
                Ok(Event::Line) => self.arrive(),
                Ok(Event::Met) => {
                    self.note_met();
                    Ok(())
                }
                Err(Stop::Fault(Fault::Pending)) => {
                    self.note_met();
                    self.execute_again();
                    Ok(())
                }
                Err(stop) => self.fail(stop),
            };
            match result {
                Err(Stop::Exit(code)) if self.next_at_exit(code) => {}
                Err(Stop::Exit(code)) => {
                    self.end();
                    return Stop::Exit(self.exit_code.unwrap_or(code));
                }
                Err(stop) => return stop,
                Ok(()) => {}
            }
        }
    }

    /// Notes the accesses of the last instruction to memory that a device may still use.
    fn note_met(&mut self) {
        let met = lock(&self.memory).take_met();
        self.api.runtime.notes.place = self.called_from();
        for access in met {
            self.api.runtime.note_host_access(access);
        }
        self.take_output();
    }

    /// Lets the machine execute the last instruction again.
    fn execute_again(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc -= 1;
            self.steps -= 1;
        }
    }

    fn api(&mut self, function: u32, base: Reg, count: u16) -> Result<(), Stop> {
        let Some(frame) = self.frames.last() else { return Err(Stop::Exit(0)) };
        let first = frame.base + usize::from(base);
        let name = &self.program.library[function as usize];
        self.host.now = self.steps;
        self.api.runtime.host_code_ns = Some(self.steps.saturating_add(self.host.slept_ns));
        self.api.runtime.notes.place = self.called_from();
        let words: Vec<u64> = self.registers[first..first + usize::from(count)].to_vec();
        let result = match self.library[function as usize] {
            Entry::Api(entry) => {
                let code = words::call(&mut self.api.runtime, &mut self.api.thread, name, entry, &words);
                self.note_call(name, error_name(code));
                i64::from(code) as u64
            }
            Entry::OpenCl(entry) => {
                self.host.show();
                let result = entry(&mut self.api, &mut Words(&words));
                let Outcome { value, status } = result.map_err(|Endless(message)| Stop::Mistake(message))?;
                self.note_call(name, status.error_name());
                value
            }
            Entry::Runtime(entry) => {
                let memory = Arc::clone(&self.memory);
                let mut memory = lock(&memory);
                let State { runtime, thread, .. } = &mut self.api;
                entry(runtime, thread, &mut self.host, &mut memory, &words)?
            }
            Entry::Thread(call) => return self.thread_call(call, first, &words),
            Entry::Plain(_) => 0,
        };
        self.take_output();
        self.registers[first] = result;
        self.call_back()?;
        if lock(&self.memory).has_met() {
            self.note_met();
        }
        self.called()
    }

    /// Enters the functions that a call of OpenCL has left to call, before the program goes on.
    fn call_back(&mut self) -> Result<(), Stop> {
        for callback in std::mem::take(&mut self.api.callbacks).into_iter().rev() {
            let Some(frame) = self.frames.last() else { return Ok(()) };
            let top = frame.base + usize::from(self.program.functions[frame.function as usize].registers);
            let (function, arguments) = callback.call();
            let number = u32::try_from(function.wrapping_sub(FUNCTIONS) / 16).unwrap_or(u32::MAX);
            let callee = self.enter(number, top)?;
            for (register, argument) in self.registers[top..].iter_mut().zip(arguments) {
                *register = argument;
            }
            self.frames.push(callee);
        }
        Ok(())
    }

    /// Notes the time of a call that has ended.
    fn called(&mut self) -> Result<(), Stop> {
        self.host.called_ns = self.api.runtime.host_ns();
        if self.is_interrupted() {
            return Err(Stop::Interrupted);
        }
        self.ask_debugger()?;
        if self.api.runtime.held.is_some() {
            return Err(Stop::Held);
        }
        if self.host.called_ns > self.called_limit { Err(Stop::CallBudget) } else { Ok(()) }
    }

    /// Takes the output of kernels and the messages of the runtime.
    pub fn take_output(&mut self) {
        if let Some(text) = self.api.runtime.notes.take_output() {
            self.host.print(text.as_bytes());
        }
        for note in self.api.runtime.notes.take() {
            self.host.flush();
            let place = if note.is_of_call { self.place() } else { None };
            match place {
                Some(place) => self.host.complain(&format!("{}\n  at {place}", note.text)),
                None => self.host.complain(&note.text),
            }
        }
    }

    /// Span of the call of the runtime that the program executes.
    fn called_span(&self) -> Span {
        let span = |frame: &Frame| user_span(self.program, &self.frames, frame.function, frame.pc as usize);
        self.frames.last().map_or(Span::NONE, span)
    }

    /// Position of this call in the address space of all files: of the outermost macro in it.
    fn called_from(&self) -> u64 {
        let span = self.called_span();
        self.sources.as_ref().map_or(span, |sources| sources.outermost(span)).start.into()
    }

    /// Place of the call of the runtime that the program executes.
    fn place(&self) -> Option<String> {
        describe_place(self.sources.as_ref()?, self.called_span())
    }

    fn launch(&mut self, launch: u32, base: Reg) -> Result<(), Stop> {
        let Some(frame) = self.frames.last() else { return Err(Stop::Exit(0)) };
        let launch = &self.program.launches[launch as usize];
        let first = frame.base + usize::from(base);
        let values = &self.registers[first..first + 9 + launch.parameters.len()];
        let size = |at: usize| Dim3::new(values[at] as u32, values[at + 1] as u32, values[at + 2] as u32);
        let mut parameters = Vec::new();
        let memory = lock(&self.memory);
        for (parameter, value) in launch.parameters.iter().zip(&values[9..]) {
            let at = parameters.len().next_multiple_of(parameter.align.max(1) as usize);
            parameters.resize(at, 0);
            if parameter.by_address {
                parameters.extend_from_slice(memory.bytes(*value, u64::from(parameter.size))?);
            } else {
                parameters.extend_from_slice(&value.to_le_bytes()[..parameter.size as usize]);
            }
        }
        let (has_met, kernel) = (memory.has_met(), values[0]);
        drop(memory);
        let call = Configuration {
            grid: size(1),
            block: size(4),
            shared: values[7],
            stream: values[8],
            parameters: Vec::new(),
        };
        if has_met {
            self.note_met();
        }
        self.api.runtime.notes.place = self.called_from();
        self.host.show();
        let result = self.api.runtime.launch(&self.api.thread, kernel, &call, Arguments::Bytes(&parameters));
        self.note_launch(kernel, (call.grid, call.block), result);
        if let Err(error) = result {
            self.api.runtime.note_failed(self.api.thread.device, "kernel launch", error);
            self.api.thread.last = error;
        }
        self.take_output();
        self.called()
    }

    /// Enters a function whose arguments begin at a register.
    fn enter(&mut self, function: u32, base: usize) -> Result<Frame, Stop> {
        let Some(code) = self.program.functions.get(function as usize) else {
            return Err(Stop::Mistake("the address of a function is wrong".to_owned()));
        };
        let top = base + usize::from(code.registers);
        self.stack += FRAME;
        if self.stack > STACK || top > MOST_REGISTERS {
            return Err(Stop::Mistake("stack overflow: the calls are nested too deeply".to_owned()));
        }
        if self.registers.len() < base + WINDOW {
            self.registers.resize(2 * (base + WINDOW), 0);
        }
        let locals = self.locals.len();
        if !code.variables.is_empty() {
            self.locals.resize(locals + code.variables.len(), 0);
        }
        Ok(Frame { function, pc: 0, base, locals, line: (0, 0) })
    }

    /// Ends the life of the variables of a frame.
    fn leave(&mut self, frame: Frame, memory: &mut Memory) {
        if self.locals.len() > frame.locals {
            let function = &self.program.functions[frame.function as usize];
            for (variable, address) in function.variables.iter().zip(&self.locals[frame.locals..]) {
                if *address != 0 {
                    self.stack -= variable.size;
                    memory.release(*address, variable.span);
                }
            }
            self.locals.truncate(frame.locals);
        }
        self.stack -= FRAME;
        if let Some(watch) = &mut self.watch {
            watch.returned(self.threads.outer + self.frames.len());
        }
    }
}

/// File, line and text of the line of a span.
pub fn describe_place(sources: &Sources, span: Span) -> Option<String> {
    let location = sources.location(span)?;
    let file = sources.file(location.file);
    let line = sources.line_text(location.file, location.line).trim();
    let gap = if line.is_empty() { "" } else { ": " };
    Some(format!("{}:{}{gap}{line}", file.name, location.line))
}

/// Place of the innermost call outside of the compiler's headers.
fn user_span(program: &Program, callers: &[Frame], function: u32, pc: usize) -> Span {
    let is_builtin = |function: u32| program.functions[function as usize].is_builtin;
    let caller = if is_builtin(function) {
        callers.iter().rev().find(|frame| !is_builtin(frame.function))
    } else {
        None
    };
    match caller {
        Some(frame) => function_span(function_spans(program, frame.function), frame.pc as usize),
        None => function_span(function_spans(program, function), pc),
    }
}

fn function_spans(program: &Program, function: u32) -> &[Span] {
    &program.functions[function as usize].spans
}

fn function_span(spans: &[Span], pc: usize) -> Span {
    spans.get(pc.wrapping_sub(1)).copied().unwrap_or(Span::NONE)
}

/// Puts the variables of a program into memory.
///
/// # Errors
///
/// They need more memory than there is: the fault, and the variable.
pub fn load<'p>(program: &'p Program, memory: &mut Memory) -> Result<(), (Fault, &'p Global)> {
    for (number, global) in program.globals.iter().enumerate() {
        let kind = Kind::Global(Arc::clone(&global.name));
        let address =
            memory.allocate(global.size, kind, true, global.span).map_err(|fault| (fault, global))?;
        debug_assert_eq!(address, global_address(number as u32), "variables get the first blocks");
        let mut bytes = global.bytes.clone();
        for (at, of, plus) in &global.addresses {
            let value = global_address(*of).wrapping_add(*plus as u64).to_le_bytes();
            if let Some(place) = bytes.get_mut(*at as usize..*at as usize + 8) {
                place.copy_from_slice(&value);
            }
        }
        memory.write(address, &bytes).map_err(|fault| (fault, global))?;
    }
    Ok(())
}

//! Just-in-time translation of host code: functions and loops in which a program spends its time
//! become code of the processor.
//!
//! The interpreter is the reference. It counts the instructions of each function; one that has
//! executed many is translated from the loop on that it is in, and from its start on for the next
//! calls. Translated code has the same effects, counts the same instructions, and leaves to the
//! interpreter for everything unusual.

mod context;
mod translate;

use super::{Machine, execute::Step};
use crate::code::Program;
use crate::library::Entry;
use crate::memory::Memory;
use crate::stop::Stop;
use context::Code;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};

/// Further instructions before a function is translated, for each instruction that it has: a long
/// function takes longer to translate.
const EACH: u64 = 100;
/// Translations of one function.
const MOST_ENTRIES: usize = 12;
/// Instructions of the longest function that is translated.
const LONGEST: usize = 20_000;

/// What is known about a function.
#[derive(Default)]
struct Known {
    /// Instructions that were interpreted.
    spent: u64,
    /// Translations from an instruction on.
    entries: Vec<(u32, Code)>,
    /// It is not translated: it is too long, or its translation has failed.
    is_refused: bool,
}

/// The translated code of a program.
pub struct Jit {
    module: JITModule,
    scratch: FunctionBuilderContext,
    known: Vec<Known>,
    /// The code of whole functions.
    starts: Vec<Option<Code>>,
    /// Instructions that a function executes before it is translated.
    interpreted: u64,
    /// The interpreter executes the next instruction, in which translated code has left.
    is_left: bool,
}

impl Jit {
    /// No code yet; `None` if the processor is not supported.
    pub fn new(functions: usize, interpreted: u64) -> Option<Self> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
        ] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut known = Vec::new();
        known.resize_with(functions, Known::default);
        Some(Self {
            module,
            scratch: FunctionBuilderContext::new(),
            known,
            starts: vec![None; functions],
            interpreted,
            is_left: false,
        })
    }

    /// The interpreter executes at least one instruction before translated code does.
    pub fn leave(&mut self) {
        self.is_left = true;
    }

    /// Instructions that the interpreter executes before it asks for a translation.
    pub fn patience(&self, program: &Program, function: u32) -> u64 {
        let known = &self.known[function as usize];
        let length = program.functions[function as usize].code.len();
        if known.is_refused {
            return u64::MAX;
        }
        let each = if self.interpreted == 0 { 0 } else { EACH * length as u64 };
        self.interpreted.saturating_add(each).saturating_sub(known.spent)
    }

    /// The code of a function from an instruction on, which is translated if there is none yet.
    fn code(&mut self, program: &Program, library: &[Entry], function: u32, pc: u32) -> Option<Code> {
        let known = &self.known[function as usize];
        if let Some((_, code)) = known.entries.iter().find(|(at, _)| *at == pc) {
            return Some(*code);
        }
        let length = program.functions[function as usize].code.len();
        let is_possible = !known.is_refused && known.entries.len() < MOST_ENTRIES && length <= LONGEST;
        let code = if is_possible { self.translate(program, library, function, pc) } else { None };
        let known = &mut self.known[function as usize];
        match code {
            Some(code) => {
                known.entries.push((pc, code));
                if pc == 0 {
                    self.starts[function as usize] = Some(code);
                }
            }
            None => known.is_refused = true,
        }
        code
    }

    fn translate(&mut self, program: &Program, library: &[Entry], function: u32, pc: u32) -> Option<Code> {
        let mut work = self.module.make_context();
        let config = self.module.target_config();
        work.func.signature = translate::signature(config.default_call_conv);
        let own = &program.functions[function as usize];
        translate::translate(
            (program, library),
            (own, pc as usize),
            (config, &mut work.func),
            &mut self.scratch,
        );
        let id = self.module.declare_anonymous_function(&work.func.signature).ok()?;
        self.module.define_function(id, &mut work).ok()?;
        self.module.finalize_definitions().ok()?;
        Some(context::code(self.module.get_finalized_function(id)))
    }

    /// The code of a whole function that translated code calls.
    fn function(machine: &mut Machine<'_>, function: u32) -> Option<Code> {
        let Machine { jit, program, library, .. } = machine;
        let jit = jit.as_mut()?;
        match jit.starts[function as usize] {
            Some(code) => Some(code),
            None => jit.code(program, library, function, 0),
        }
    }
}

impl Machine<'_> {
    /// Executes the frame on top with translated code, if it is worth while. Returns how its
    /// execution ended, and `None` in it if the machine continues with the frame on top.
    pub(super) fn translated(&mut self, memory: &mut Memory) -> Option<Result<Option<Step>, Stop>> {
        let frame = *self.frames.last()?;
        let jit = self.jit.as_mut()?;
        if std::mem::take(&mut jit.is_left) || self.watch.is_some() {
            return None;
        }
        let known = &jit.known[frame.function as usize];
        let is_known = known.entries.iter().any(|(at, _)| *at == frame.pc);
        if !is_known && (frame.pc != 0 || jit.patience(self.program, frame.function) > 0) {
            return None;
        }
        let code = jit.code(self.program, &self.library, frame.function, frame.pc)?;
        Some(context::run(self, memory, code))
    }

    /// The number of instructions at which the interpreter asks for a translation.
    pub(super) fn pause(&self, function: u32) -> u64 {
        match &self.jit {
            Some(jit) if self.watch.is_none() => {
                self.limit.min(self.steps.saturating_add(jit.patience(self.program, function)))
            }
            _ => self.limit,
        }
    }

    /// Notes instructions that were interpreted.
    pub(super) fn spend(&mut self, function: u32, steps: u64) {
        if let Some(jit) = &mut self.jit {
            jit.known[function as usize].spent += steps;
        }
    }

    /// Translates the function of the frame on top from its instruction on.
    pub(super) fn translate_loop(&mut self) {
        if let (Some(frame), Some(jit)) = (self.frames.last(), &mut self.jit) {
            jit.code(self.program, &self.library, frame.function, frame.pc);
        }
    }
}

//! A watched machine: it stops at lines of the source, where a debugger looks at it.

use super::{Frame, Machine, lock};
use crate::code::{Home, KERNELS, Local, global_address};
use crate::lines::Lines;
use crate::memory::Fault;
use crate::stop::{Stop, reason};
use cuda::source::{FileId, Sources, Span};
use isa::types::Dim3;
use isa::variables::Variables;
use report::inspect::values::Reading;
use report::inspect::variables::{At, Lanes, Place as In, Scope, Shown, Space, Ty};
use report::mangled::plain;
use sim_core::debug::Poll;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use warpsim_cuda::runtime::Interrupted;
use warpsim_cuda::runtime::error::{Error, Outcome};

/// Most calls of the runtime that a watched machine keeps.
const CALLS: usize = 1000;

/// Instructions between two questions whether the user has interrupted the program.
const POLL: u64 = 20_000_000;

/// How a watched machine goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// To the next line.
    Line,
    /// To the next of these lines, each with the number of its file from 1.
    Lines(BTreeSet<(u32, u32)>),
    /// Not at all: the program ends here.
    End,
}

/// A debugger of host code.
pub trait Control: Send {
    /// A line begins. The first one is that of `main`.
    fn arrived(&mut self, at: &mut Stopped<'_, '_>) -> Move;

    /// The program stops for a reason that is a mistake.
    fn failed(&mut self, at: &mut Stopped<'_, '_>, stop: &Stop);

    /// The program has ended.
    fn ended(&mut self, _at: &mut Stopped<'_, '_>) {}

    /// Asked regularly: how the machine goes on from now on, if the user has changed that.
    fn changed(&mut self) -> Option<Move>;
}

/// A function that is executed, for a debugger that looks at it later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Functions that were called before it and have not returned.
    pub outer: usize,
    /// Its number.
    pub function: u32,
}

/// A call of the CUDA runtime, or a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The function, or the kernel with its grid and block.
    pub name: String,
    /// Number of the file and line, from 1.
    pub line: (u32, u32),
    /// How it ended.
    pub end: CallEnd,
}

/// How a call of the runtime ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallEnd {
    /// Without an error.
    Done,
    /// With an error of this name.
    Failed(&'static str),
    /// The kernel has run for so many shader cycles; without timing, 0.
    Ran(u64),
    /// The kernel has not finished: the verdict.
    Stopped(String),
    /// The kernel waits for concurrent ones.
    Queued,
}

/// A call as it is noted.
struct Noted {
    name: String,
    line: (u32, u32),
    error: Option<&'static str>,
    /// Number of the launch from 0, of a launch without an error.
    launch: Option<usize>,
}

/// A machine that can be interrupted without a debugger: it stops at no line, so it is as fast as
/// any other.
pub(super) struct Asked {
    interrupted: Interrupted,
    /// The real limit of the executed instructions.
    limit: u64,
}

/// What a watched machine knows.
pub struct Watch {
    pub(super) lines: Arc<Lines>,
    /// The lines at which it stops; `None`: at each.
    only: Option<BTreeSet<(u32, u32)>>,
    control: Option<Box<dyn Control>>,
    sources: Arc<Sources>,
    variables: Arc<Variables>,
    /// The real limit of the executed instructions.
    limit: u64,
    /// Fewest functions that were executed at one time since the last stop.
    lowest: usize,
    /// The last calls of the runtime.
    calls: VecDeque<Noted>,
    /// Launches without an error so far.
    launches: usize,
}

impl Watch {
    /// Whether a line begins with an instruction of a frame at which the machine stops.
    pub(super) fn begins_line(&self, frame: &mut Frame, pc: usize) -> bool {
        let line = self.lines.line(frame.function, pc);
        if line.1 == 0 || line == frame.line {
            return false;
        }
        frame.line = line;
        self.only.as_ref().is_none_or(|only| only.contains(&line))
    }

    /// Notes that a function has returned: so many are executed now.
    pub(super) fn returned(&mut self, depth: usize) {
        self.lowest = self.lowest.min(depth);
    }

    fn note(&mut self, noted: Noted) {
        if self.calls.len() == CALLS {
            self.calls.pop_front();
        }
        self.calls.push_back(noted);
    }

    fn follow(&mut self, next: Move) -> Result<(), Stop> {
        self.only = match next {
            Move::Line => None,
            Move::Lines(only) => Some(only),
            Move::End => return Err(Stop::Killed),
        };
        Ok(())
    }
}

impl Machine<'_> {
    /// Lets a debugger watch the machine.
    pub fn watch(
        &mut self,
        control: Box<dyn Control>,
        lines: Arc<Lines>,
        sources: Arc<Sources>,
        variables: Arc<Variables>,
    ) {
        let limit = self.limit;
        self.limit = limit.min(POLL);
        self.watch = Some(Watch {
            lines,
            only: None,
            control: Some(control),
            sources,
            variables,
            limit,
            lowest: usize::MAX,
            calls: VecDeque::new(),
            launches: 0,
        });
    }

    /// Asks regularly whether the program ends.
    pub fn ask(&mut self, interrupted: Interrupted) {
        let limit = self.limit;
        self.limit = limit.min(POLL);
        self.asked = Some(Asked { interrupted, limit });
    }

    /// Whether the user interrupts a machine without a debugger.
    pub(super) fn is_interrupted(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| (asked.interrupted)())
    }

    /// Asks the debugger at the start of a line.
    pub(super) fn arrive(&mut self) -> Result<(), Stop> {
        let Some(mut control) = self.watch.as_mut().and_then(|watch| watch.control.take()) else {
            return Ok(());
        };
        self.host.flush();
        let next = control.arrived(&mut Stopped { machine: self });
        let Some(watch) = &mut self.watch else { return Ok(()) };
        watch.control = Some(control);
        watch.lowest = usize::MAX;
        watch.follow(next)
    }

    /// Asks the debugger after a call of the runtime, in which launches run: a program that is to
    /// end does not go on with the rest of the line.
    pub(super) fn ask_debugger(&mut self) -> Result<(), Stop> {
        let Some(watch) = &mut self.watch else { return Ok(()) };
        match watch.control.as_mut().and_then(|control| control.changed()) {
            Some(next) => watch.follow(next),
            None => Ok(()),
        }
    }

    /// Tells the debugger that the program has ended.
    pub(super) fn end(&mut self) {
        if let Some(mut control) = self.watch.as_mut().and_then(|watch| watch.control.take()) {
            control.ended(&mut Stopped { machine: self });
        }
    }

    /// Notes a call of the runtime for the debugger.
    pub(super) fn note_call(&mut self, name: &str, error: Option<&'static str>) {
        let line = self.line_of_call();
        if let Some(watch) = &mut self.watch {
            watch.note(Noted { name: name.to_owned(), line, error, launch: None });
        }
    }

    /// Notes a launch for the debugger, which may have had other wishes during the launch: the
    /// machine asks it at the next line.
    pub(super) fn note_launch(&mut self, kernel: u64, (grid, block): (Dim3, Dim3), result: Outcome) {
        let line = self.line_of_call();
        let number = kernel.wrapping_sub(KERNELS) / 16;
        let kernels = &self.program.kernels;
        let kernel = usize::try_from(number).ok().and_then(|number| kernels.get(number));
        let kernel = plain(kernel.map_or("kernel", String::as_str)).to_owned();
        let Some(watch) = &mut self.watch else { return };
        watch.only = None;
        let launch = result.is_ok().then_some(watch.launches);
        watch.launches += usize::from(result.is_ok());
        let error = result.err().and_then(|error| error_name(error.0));
        watch.note(Noted {
            name: format!("{kernel}<<<{}, {}>>>", size(grid), size(block)),
            line,
            error,
            launch,
        });
    }

    /// File and line, from 1, of the call that the program executes.
    fn line_of_call(&self) -> (u32, u32) {
        let own = |frame: &&Frame| !self.program.functions[frame.function as usize].is_builtin;
        self.frames.iter().rev().find(own).map_or((0, 0), |frame| frame.line)
    }

    /// Lets the debugger see why the program stops, and extends the limit up to which the machine
    /// runs before it asks for an interruption.
    pub(super) fn fail(&mut self, stop: Stop) -> Result<(), Stop> {
        if let Some(asked) =
            self.asked.as_ref().filter(|asked| stop == Stop::Budget && self.limit < asked.limit)
        {
            if (asked.interrupted)() {
                return Err(Stop::Interrupted);
            }
            self.limit = (self.steps + POLL).min(asked.limit);
            self.host.show();
            return Ok(());
        }
        let Some(watch) = &mut self.watch else { return Err(stop) };
        let Some(mut control) = watch.control.take() else { return Err(stop) };
        let mut result = Err(stop);
        match &result {
            Err(Stop::Budget) if self.limit < watch.limit => {
                self.limit = (self.steps + POLL).min(watch.limit);
                result = match control.changed() {
                    Some(next) => {
                        // A loop of one line begins no other one.
                        if let Some(frame) = self.frames.last_mut() {
                            frame.line = (0, 0);
                        }
                        watch.follow(next)
                    }
                    None => Ok(()),
                };
            }
            Err(Stop::Exit(_) | Stop::Killed | Stop::Interrupted) | Ok(()) => {}
            Err(stop) => {
                let stop = stop.clone();
                self.host.flush();
                control.failed(&mut Stopped { machine: self }, &stop);
            }
        }
        if let Some(watch) = &mut self.watch {
            watch.control = Some(control);
        }
        result
    }
}

/// Name of an error, if the code is one.
pub(super) fn error_name(code: i32) -> Option<&'static str> {
    let error = Some(Error(code)).filter(|error| *error != Error::SUCCESS)?;
    Some(error.texts().map_or("an unknown error", |(name, _)| name.trim_end_matches('\0')))
}

/// A grid or a block as CUDA C writes it.
fn size(of: Dim3) -> String {
    let Dim3 { x, y, z } = of;
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("({x},{y})"),
        _ => format!("({x},{y},{z})"),
    }
}

/// A machine that has stopped.
pub struct Stopped<'m, 'p> {
    machine: &'m mut Machine<'p>,
}

impl Stopped<'_, '_> {
    /// Instructions that were executed.
    pub fn steps(&self) -> u64 {
        self.machine.steps
    }

    /// Number of functions that are executed.
    pub fn depth(&self) -> usize {
        self.machine.depth()
    }

    /// The files of the program.
    pub fn sources(&self) -> &Sources {
        &self.parts().sources
    }

    /// The lines of the program.
    pub fn lines(&self) -> &Lines {
        &self.parts().lines
    }

    fn parts(&self) -> &Watch {
        self.machine.watch.as_ref().expect("a stopped machine is watched")
    }

    /// Whether a kernel or device function has a line of a file.
    pub fn is_in_kernel(&self, file: FileId, line: u32) -> bool {
        let name = &self.sources().file(file).name;
        let functions = self.machine.api.runtime.images.locals.iter().flat_map(|device| &device.functions);
        functions.into_iter().any(|one| one.file == *name && (one.lines.0..=one.lines.1).contains(&line))
    }

    /// Returns the line of the first statement of a function of the host or the device.
    pub fn first_line(&self, function: &str) -> Option<u32> {
        let images = &self.machine.api.runtime.images;
        let kernels = images.locals.as_ref().and_then(|device| device.first_line(function));
        self.parts().variables.first_line(function).or(kernels)
    }

    /// Fewest functions that were executed at one time since the last stop.
    pub fn lowest(&self) -> usize {
        self.parts().lowest.min(self.depth())
    }

    /// The names of functions that are no part of a header, and of kernels.
    pub fn functions(&self) -> Vec<String> {
        let program = self.machine.program;
        let own = program.functions.iter().filter(|one| !one.is_builtin && !one.name.is_empty());
        let kernels = program.kernels.iter().map(|kernel| plain(kernel).to_owned());
        own.map(|one| one.name.clone()).chain(kernels).collect()
    }

    /// The last calls of the runtime and the launches, in their order.
    pub fn calls(&self) -> Vec<Called> {
        let launches = &self.machine.api.runtime.program.launches;
        let end = |noted: &Noted| match (noted.error, noted.launch.map(|number| launches.get(number))) {
            (Some(error), _) => CallEnd::Failed(error),
            (None, None) => CallEnd::Done,
            (None, Some(None)) => CallEnd::Queued,
            (None, Some(Some(ran))) if ran.finished => CallEnd::Ran(ran.cycles),
            (None, Some(Some(ran))) => CallEnd::Stopped(ran.verdict.clone()),
        };
        let called = |noted: &Noted| Called { name: noted.name.clone(), line: noted.line, end: end(noted) };
        self.parts().calls.iter().map(called).collect()
    }

    /// The innermost function that is no part of a header.
    pub fn place(&self) -> Option<Place> {
        let outer = self.own()?;
        Some(Place { outer, function: self.machine.frames[outer].function })
    }

    /// The functions that are executed, the innermost first, without those of headers: name, file
    /// and line from 1.
    pub fn frames(&self) -> Vec<(String, (u32, u32))> {
        let program = self.machine.program;
        let all = self.machine.frames.iter().rev();
        let own = all.filter(|frame| !program.functions[frame.function as usize].is_builtin);
        own.map(|frame| (program.functions[frame.function as usize].name.clone(), self.line_of(frame)))
            .filter(|(_, line)| line.1 != 0)
            .collect()
    }

    /// The line of a frame; that of its last instruction if the next one has none.
    fn line_of(&self, frame: &Frame) -> (u32, u32) {
        match frame.line {
            (_, 0) => self.parts().lines.line(frame.function, frame.pc as usize),
            line => line,
        }
    }

    /// File and line, from 1, of the innermost function that is no part of a header.
    pub fn line(&self) -> Option<(u32, u32)> {
        self.own().map(|at| self.line_of(&self.machine.frames[at]))
    }

    /// The names of the variables that the current place sees, without those of the program.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for local in self.locals(self.own()) {
            if !names.contains(&local.name.as_str()) {
                names.push(&local.name);
            }
        }
        names
    }

    /// Index of the innermost function that is no part of a header.
    fn own(&self) -> Option<usize> {
        let program = self.machine.program;
        let own = |frame: &Frame| !program.functions[frame.function as usize].is_builtin;
        self.machine.frames.iter().rposition(own)
    }

    /// The variables of a function that its current place sees.
    fn locals(&self, function: Option<usize>) -> impl Iterator<Item = &Local> {
        let program = self.machine.program;
        let frame = function.map(|at| &self.machine.frames[at]);
        let at = frame.map_or(0, |frame| {
            let lines = &self.parts().lines;
            let here = lines.offset(frame.function, frame.pc as usize);
            // The end of a function is in no line.
            if here == 0 { lines.offset(frame.function, (frame.pc as usize).saturating_sub(1)) } else { here }
        });
        let locals = frame.map_or(&[][..], |frame| &program.functions[frame.function as usize].locals);
        let start = |span: Span| self.parts().sources.outermost(span).start;
        locals.iter().filter(move |local| start(local.span) < at && at <= local.end)
    }

    /// Calls a function with the variables that the current place sees.
    pub fn with_scope(&self, call: &mut dyn FnMut(&dyn Scope<'_>)) {
        self.with_scope_of(self.own(), call);
    }

    /// Calls a function with the variables that another function sees, if that is executed; without
    /// one, with the variables of the program.
    pub fn with_scope_at(&self, place: Option<Place>, call: &mut dyn FnMut(&dyn Scope<'_>)) {
        let Some(Place { outer, function }) = place else { return self.with_scope_of(None, call) };
        if self.machine.frames.get(outer).is_some_and(|frame| frame.function == function) {
            self.with_scope_of(Some(outer), call);
        }
    }

    fn with_scope_of(&self, function: Option<usize>, call: &mut dyn FnMut(&dyn Scope<'_>)) {
        let variables = Arc::clone(&self.parts().variables);
        call(&Sight { stopped: self, function, variables: &variables });
    }
}

/// The variables that a stopped machine sees.
struct Sight<'a, 'm, 'p> {
    stopped: &'a Stopped<'m, 'p>,
    /// Index of the function that sees them.
    function: Option<usize>,
    variables: &'a Variables,
}

impl Sight<'_, '_, '_> {
    /// The bits of a value in memory of the host or of the device.
    fn bits(&self, address: u64, bytes: u32) -> Result<u64, Fault> {
        let memory = lock(&self.stopped.machine.memory);
        let found = match bytes {
            1 => memory.load::<1>(address).map(|bytes| u64::from(bytes[0])),
            2 => memory.load(address).map(|bytes| u64::from(u16::from_le_bytes(bytes))),
            4 => memory.load(address).map(|bytes| u64::from(u32::from_le_bytes(bytes))),
            _ => memory.load(address).map(u64::from_le_bytes),
        };
        let machine = &*self.stopped.machine;
        let mut word = [0; 8];
        match found {
            Err(Fault::Device(..))
                if machine.api.runtime.peek(&machine.api.thread, address, &mut word[..bytes as usize]) =>
            {
                Ok(u64::from_le_bytes(word))
            }
            other => other,
        }
    }
}

impl<'a> Scope<'a> for Sight<'a, '_, '_> {
    fn types(&self) -> &'a Variables {
        self.variables
    }

    fn base(&self, name: &str, _: Poll<'_>) -> Option<Result<In<'a>, String>> {
        let machine = &*self.stopped.machine;
        let place = |at, ty, c_type: &'a str| Ok(In::new(name, c_type, Ty::Of(ty), at));
        let memory = |address: u64| At::Memory(Space::Host, [Some(address); 32]);
        let inner = self.stopped.locals(self.function).filter(|local| local.name == name);
        if let Some(local) = inner.max_by_key(|local| local.span.start) {
            let frame = &machine.frames[self.function?];
            let register = |register: u16| machine.registers.get(frame.base + usize::from(register)).copied();
            let missing = || Err(format!("`{name}` has no memory yet"));
            let at = match local.home {
                Home::Register(at) => At::Value([register(at); 32]),
                Home::Memory(at) => memory(register(at)?),
                Home::Late(number) => match machine.locals.get(frame.locals + number as usize) {
                    None | Some(0) => return Some(missing()),
                    Some(address) => memory(*address),
                },
            };
            return Some(place(at, local.ty, &local.c_type));
        }
        let number = machine.program.globals.iter().position(|global| &*global.name == name)?;
        if machine.program.globals[number].device.is_some()
            && machine.program.globals[number].reference.is_none()
        {
            return Some(Err(format!("`{name}` is in the memory of the device")));
        }
        let symbol = self.variables.symbols.iter().find(|symbol| symbol.name == name)?;
        Some(place(memory(global_address(number as u32)), symbol.ty, &symbol.c_type))
    }

    fn built_in(&self, _: &str) -> Option<Result<Lanes, String>> {
        None
    }

    fn pointee(&self, _: &In<'a>, _: &Lanes) -> Result<Space, String> {
        Ok(Space::Host)
    }

    fn memory(&self) -> Space {
        Space::Host
    }

    fn active(&self) -> u32 {
        1
    }

    fn read(&self, _: Space, lane: usize, address: u64, bytes: u32) -> Option<u64> {
        if lane == 0 { self.bits(address, bytes).ok() } else { None }
    }

    fn unreadable(&self, name: &str, address: u64, bytes: u32) -> String {
        let why = self.bits(address, bytes).err().map(|fault| reason(&Stop::Fault(fault)));
        format!("`{name}`: {}", why.unwrap_or_default())
    }

    fn register(
        &self,
        _: &isa::variables::Local,
        _: u32,
        (name, _): (String, Reading),
        _: Poll<'_>,
    ) -> Result<Shown, String> {
        Err(format!("`{name}` has no value"))
    }
}

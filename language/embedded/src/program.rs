//! A program from its start to its end.

use crate::code::{Global, KERNELS, Program, global_address};
use crate::compile::Compiled;
use crate::library::{Folder, Host, SharedFolder};
use crate::lines::Lines;
use crate::machine::{Control, Limits, Machine, describe_place, load, lock};
use crate::memory::{Accessor, Fault, Kind, Memory, Unwritten};
use crate::stop::{Stop, describe};
use cuda::hir::Reference;
use cuda::source::{Sources, Span};
use isa::options::Compilation;
use isa::types::Capability;
use isa::uop::Module;
use isa::variables::{Type, Variables};
use report::program::Program as Record;
use report::program::streams::Streams;
use sim_core::host::{Gpu, Launch};
use sim_core::stats::Report;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use warpsim_cuda::runtime::element::Element;
use warpsim_cuda::runtime::host::{Conflict, Process};
use warpsim_cuda::runtime::images::{Images, Named};
use warpsim_cuda::runtime::{Interrupted, Runtime};
use warpsim_cuda::settings::Settings;

/// How a program runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// Words of the command line, the name of the program first.
    pub arguments: Vec<String>,
    /// Most bytes of host memory.
    pub memory: u64,
    /// Rule for reads of host memory that nothing has written.
    pub unwritten: Unwritten,
    /// Most executed instructions.
    pub steps: u64,
    /// Most simulated nanoseconds that calls of the runtime take.
    pub called_ns: u64,
    /// Instructions that a function executes in the interpreter before it is translated
    /// ([`INTERPRETED`]; 0 translates every function at once). Nothing is translated without the
    /// feature `jit`.
    pub interpreted: u64,
}

/// The usual number of instructions before a function is translated: translating a short function
/// takes as long as this many.
pub const INTERPRETED: u64 = 20_000;

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// Why it stopped.
    pub stop: Stop,
    /// The exit code of the program; 134 after `abort`, 139 after a wrong access to memory, 130
    /// after an interruption.
    pub code: i32,
    /// Executed instructions of the host.
    pub steps: u64,
    /// What is wrong with the program, as text.
    pub message: Option<String>,
    /// What the user is told at the end: the summary of the program.
    pub summary: Vec<String>,
    /// What it did with its GPU.
    pub record: Record,
    /// The reports of its launches, if it ran on a GPU of the caller.
    pub reports: Vec<Report>,
    /// The launch before which it stopped.
    pub held: Option<Launch>,
}

/// Host memory as the runtime accesses it.
struct HostMemory {
    memory: Arc<Mutex<Memory>>,
    sources: Arc<Sources>,
    /// The elements of pointers and arrays, by their names; `None` if variables of one name differ.
    elements: BTreeMap<String, Option<Element>>,
    /// The files of the program.
    folder: SharedFolder,
}

impl Process for HostMemory {
    fn read(&self, parts: &[(u64, u64)], out: &mut [u8]) -> bool {
        let memory = lock(&self.memory);
        let before = memory.access_as(Accessor::Runtime);
        let is_read = read(&memory, parts, out);
        memory.access_as(before);
        is_read
    }

    fn write(&self, parts: &[(u64, u64)], bytes: &[u8]) -> bool {
        let mut memory = lock(&self.memory);
        let before = memory.access_as(Accessor::Runtime);
        let is_written = write(&mut memory, parts, bytes);
        memory.access_as(before);
        is_written
    }

    fn text(&self, address: u64, most: u64) -> Option<Vec<u8>> {
        let memory = lock(&self.memory);
        let text = memory.text(address).ok()?;
        ((text.len() as u64) < most).then(|| text.to_vec())
    }

    fn line(&self, place: u64) -> Option<String> {
        let start = u32::try_from(place).ok()?;
        let location = self.sources.location(Span { start, ..Span::NONE })?;
        let name = &self.sources.file(location.file).name;
        let name = std::path::Path::new(&**name).file_name()?.to_string_lossy();
        Some(format!("{name}:{}", location.line))
    }

    fn variable(&self, address: u64) -> Option<String> {
        lock(&self.memory).variable(address).map(ToString::to_string)
    }

    fn element(&self, variable: &str) -> Option<Element> {
        self.elements.get(variable).cloned().flatten()
    }

    fn watch(&self, work: u64, parts: &[(u64, u64)], conflict: Conflict) {
        let mut memory = lock(&self.memory);
        for (address, bytes) in parts {
            memory.watch(work, *address, *bytes, conflict);
        }
    }

    fn unwatch(&self, works: &[u64]) {
        lock(&self.memory).unwatch(works);
    }

    fn file(&self, path: &str) -> Option<String> {
        let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8(folder.read(path).ok()?).ok()
    }

    fn allocate(&self, wanted: u64, bytes: u64) -> Option<u64> {
        lock(&self.memory).allocate_mapped(wanted, bytes).ok()
    }

    fn release(&self, address: u64, _bytes: u64) {
        lock(&self.memory).release(address, Span::NONE);
    }
}

fn read(memory: &Memory, parts: &[(u64, u64)], out: &mut [u8]) -> bool {
    let mut at = 0;
    for (address, size) in parts {
        let Ok(bytes) = memory.bytes(*address, *size) else { return false };
        let Some(place) = out.get_mut(at..at + bytes.len()) else { return false };
        place.copy_from_slice(bytes);
        at += bytes.len();
    }
    at == out.len()
}

fn write(memory: &mut Memory, parts: &[(u64, u64)], bytes: &[u8]) -> bool {
    let mut at = 0;
    for (address, size) in parts {
        let Some(part) = bytes.get(at..at + *size as usize) else { return false };
        if memory.write(*address, part).is_err() {
            return false;
        }
        at += part.len();
    }
    at == bytes.len()
}

/// The elements of pointers and arrays, by their names; `None` if variables of one name differ.
fn elements(program: &Program, types: &Variables) -> BTreeMap<String, Option<Element>> {
    let globals = types.symbols.iter().map(|symbol| (&symbol.name, symbol.ty));
    let locals = program.functions.iter().flat_map(|function| &function.locals);
    let mut all = BTreeMap::new();
    for (name, ty) in globals.chain(locals.map(|local| (&local.name, local.ty))) {
        let (Type::Pointer(..) | Type::Array(..)) = types.get(ty) else { continue };
        let element = Element::behind(types, ty);
        let known = all.entry(name.clone()).or_insert_with(|| element.clone());
        if *known != element {
            *known = None;
        }
    }
    all
}

/// What is around a program.
pub struct Outside<'g> {
    /// Its standard streams.
    pub streams: Box<dyn Streams>,
    /// Its files.
    pub folder: Box<dyn Folder>,
    /// The GPU that is its first device; without one it has one that is made for it.
    pub gpu: Option<&'g mut Gpu>,
    /// The kernels, instead of the compiled ones.
    pub module: Option<Module>,
    /// A debugger that watches the host code.
    pub control: Option<Box<dyn Control>>,
    /// Asked regularly, without a debugger: whether the user interrupts the program. A GPU of the
    /// caller has its own monitor.
    pub interrupted: Option<Interrupted>,
}

impl Outside<'_> {
    /// Streams and files.
    pub fn new(streams: Box<dyn Streams>, folder: Box<dyn Folder>) -> Self {
        Self { streams, folder, gpu: None, module: None, control: None, interrupted: None }
    }
}

/// Runs a program.
pub fn run(
    compiled @ Compiled { program, sources, variables, .. }: &Compiled,
    settings: Settings,
    options: &Options,
    Outside { streams, folder, mut gpu, module, control, interrupted }: Outside<'_>,
) -> Ended {
    let memory = Arc::new(Mutex::new(Memory::new(options.memory, options.unwritten)));
    let mut images = images(compiled);
    images.replaced = module;
    let elements = if settings.checks.is_empty() { BTreeMap::new() } else { elements(program, variables) };
    let folder: SharedFolder = Arc::new(Mutex::new(folder));
    let host = Box::new(HostMemory {
        memory: Arc::clone(&memory),
        sources: Arc::clone(sources),
        elements,
        folder: Arc::clone(&folder),
    });
    let mut runtime = Runtime::new(settings, host, images);
    if let Some(interrupted) = &interrupted {
        runtime.ask(interrupted);
    }
    if let Some(gpu) = &mut gpu {
        runtime.exchange(gpu);
    }
    let mut host = Host::new(streams, folder);
    let name = options.arguments.first().and_then(|path| Path::new(path).file_stem());
    host.name = name.map_or(String::new(), |name| name.to_string_lossy().into_owned());
    if let Some(message) = too_large(program, sources, runtime.free_bytes()) {
        if let Some(gpu) = gpu {
            runtime.exchange(gpu);
        }
        let stop = Stop::Mistake(message.clone());
        let (summary, record, reports) = (Vec::new(), Record::default(), Vec::new());
        return Ended {
            stop,
            code: 3,
            steps: 0,
            message: Some(message),
            summary,
            record,
            reports,
            held: None,
        };
    }
    let loaded = load(program, &mut lock(&memory));
    let arguments = match loaded {
        Ok(()) => arguments(&options.arguments, &mut lock(&memory)).map_err(|fault| (fault, None)),
        Err((fault, global)) => Err((fault, Some(global))),
    };
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err((fault, global)) => {
            if let Some(gpu) = gpu {
                runtime.exchange(gpu);
            }
            let stop = Stop::Fault(fault);
            let place: Vec<_> = global.iter().map(|global| (&*global.name, global.span)).collect();
            let message = explain(&stop, &place, sources);
            let (summary, record, reports) = (Vec::new(), Record::default(), Vec::new());
            return Ended { stop, code: 139, steps: 0, message, summary, record, reports, held: None };
        }
    };
    host.flush();
    let mut machine = Machine::new(
        program,
        Arc::clone(&memory),
        host,
        runtime,
        Limits { steps: options.steps, called_ns: options.called_ns, interpreted: options.interpreted },
        &arguments[..program.main.1.min(2)],
    );
    machine.sources = Some(Arc::clone(sources));
    if let Some(control) = control {
        let lines = Arc::new(Lines::new(program, sources));
        machine.watch(control, lines, Arc::clone(sources), Arc::clone(variables));
    } else if let Some(interrupted) = interrupted {
        machine.ask(interrupted);
    }
    let stop = machine.run();
    machine.api.runtime.finish();
    machine.take_output();
    if matches!(stop, Stop::Exit(_) | Stop::Interrupted) {
        machine.host.store_all();
    }
    machine.host.flush();
    let code = match &stop {
        Stop::Exit(code) => code & 0xff,
        Stop::Abort => 134,
        Stop::Fault(_) => 139,
        Stop::Mistake(_) => 136,
        Stop::Budget | Stop::CallBudget => 4,
        Stop::Killed => 137,
        Stop::Held => 0,
        Stop::Interrupted => 130,
    };
    let message = explain(&stop, &machine.backtrace(), sources);
    let (steps, runtime) = (machine.steps(), &mut machine.api.runtime);
    let (summary, reports, held) = (runtime.close(), runtime.take_reports(), runtime.held.take());
    if let Some(gpu) = gpu {
        runtime.exchange(gpu);
    }
    Ended { stop, code, steps, message, summary, record: std::mem::take(&mut runtime.program), reports, held }
}

impl Compiled {
    /// The kernels as a launch on a chip has them.
    ///
    /// # Errors
    ///
    /// The messages of the compiler of PTX.
    pub fn module(&self, chip: Capability, options: isa::Options) -> Result<Module, String> {
        let settings = Compilation { chip: Some(chip), options, ..Compilation::default() };
        let (module, messages) = images(self).compile(0, settings);
        module.map_err(|_| messages.unwrap_or_default())
    }

    /// The lines of the host half.
    pub fn lines(&self) -> Lines {
        Lines::new(&self.program, &self.sources)
    }
}

/// The device code with the names that the host uses.
fn images(Compiled { program, sources, device, module, .. }: &Compiled) -> Images {
    let mut images = Images::new();
    images.shared = Some(module.clone());
    let image = images.add(Some(device.ptx.clone()));
    images.locals = Some(Arc::new(device.variables.clone()));
    let files = sources.files().iter().filter(|file| !file.builtin);
    images.sources = files.map(|file| (file.name.clone(), file.text.to_string())).collect();
    let named = |name: &String| Named { image, name: name.clone(), normalized: false };
    for (number, kernel) in program.kernels.iter().enumerate() {
        images.functions.insert(KERNELS + 16 * number as u64, named(kernel));
    }
    for (number, global) in program.globals.iter().enumerate() {
        let Some(name) = &global.device else { continue };
        let address = global_address(number as u32);
        match global.reference {
            None => {
                images.variables.insert(address, named(name));
                images.shadows.insert(address, global.size);
            }
            Some(Reference::Texture(normalized)) => {
                images.textures.insert(address, Named { normalized, ..named(name) });
            }
            Some(Reference::Surface) => {
                images.surfaces.insert(address, named(name));
            }
        }
    }
    images
}

/// The message about a variable that does not fit in the memory of the device.
fn too_large(program: &Program, sources: &Sources, free: u64) -> Option<String> {
    let mut sum = 0_u64;
    let own = program.globals.iter().filter(|global| global.device.is_some() && global.reference.is_none());
    let large = own.into_iter().find(|global| {
        sum = sum.saturating_add(global.size);
        sum > free
    })?;
    let place = describe_place(sources, large.span).unwrap_or_default();
    let Global { name, size, .. } = large;
    Some(format!(
        "error: variable `{name}` of {size} bytes does not fit: the variables of the device need at least {sum} \
         bytes, and the chip has {free} bytes of free memory\n  declared at {place}"
    ))
}

/// `argc` and `argv`.
fn arguments(words: &[String], memory: &mut Memory) -> Result<[u64; 2], Fault> {
    let kind = || Kind::Global("argv".into());
    let mut pointers = Vec::new();
    for word in words {
        let address = memory.allocate(word.len() as u64 + 1, kind(), true, Span::NONE)?;
        memory.write(address, word.as_bytes())?;
        pointers.extend(address.to_le_bytes());
    }
    pointers.extend([0; 8]);
    let list = memory.allocate(pointers.len() as u64, kind(), true, Span::NONE)?;
    memory.write(list, &pointers)?;
    Ok([words.len() as u64, list])
}

/// What is wrong, with its place and the calls that led to it.
fn explain(stop: &Stop, calls: &[(&str, Span)], sources: &Sources) -> Option<String> {
    let (message, notes) = match stop {
        Stop::Exit(_) | Stop::Abort | Stop::Killed | Stop::Held => return None,
        Stop::Budget => (
            "the host code has executed its limit of instructions".to_owned(),
            vec![(
                None,
                "an endless loop, or too much work for this compiler: `--compiler clang` makes native code"
                    .to_owned(),
            )],
        ),
        Stop::CallBudget => (
            "the copies and launches of the program have taken their limit of simulated time".to_owned(),
            Vec::new(),
        ),
        Stop::Interrupted => ("the host program".to_owned(), Vec::new()),
        Stop::Mistake(message) => (message.clone(), Vec::new()),
        Stop::Fault(fault) => describe(fault),
    };
    let title = if *stop == Stop::Interrupted { "interrupted" } else { "error" };
    let mut text = format!("{title}: {message}");
    let place = |span: Span| describe_place(sources, span);
    let own = |span: &Span| sources.file_of(*span).is_some_and(|file| !sources.file(file).builtin);
    let mut shown = calls.iter().filter(|(_, span)| own(span)).peekable();
    if let Some((function, span)) = shown.peek() {
        let _ = write!(text, "\n  in `{function}` at {}", place(*span).unwrap_or_default());
    }
    for (function, span) in shown.skip(1).take(8) {
        let _ = write!(text, "\n  called by `{function}` at {}", place(*span).unwrap_or_default());
    }
    for (span, note) in notes {
        let _ = write!(text, "\n  {note}");
        if let Some(place) = span.and_then(place) {
            let _ = write!(text, " at {place}");
        }
    }
    Some(text)
}

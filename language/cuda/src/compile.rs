//! The whole compiler: from the text of a file to PTX.

use crate::backend;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::headers::{C_PROGRAM, LIBRARY, OPEN_CL_MATH, OPEN_CL_PROGRAM, library_names, prelude};
use crate::hir::{Function, Program, Storage};
use crate::lex::{Interner, Token};
use crate::lower::Problem;
use crate::opencl;
use crate::options::{Language, Options};
use crate::preprocess::{Loader, Preprocessor};
use crate::sema::{Analyzed, KernelInstance, UsedKernel, analyze};
pub use crate::sema::{Entry, Parameter, ParameterKind};
use crate::source::{Sources, Span};
use crate::syntax::{Keyword, parse};
use crate::target::{Side, Target};
use isa::source::Source;
use isa::variables::Variables;
use rustc_hash::FxHashSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// A compiled file, or what is wrong with it.
#[derive(Debug)]
pub struct Compiled {
    /// The PTX; absent after errors.
    pub ptx: Option<String>,
    /// The variables of the program in the PTX, for debuggers; none after errors.
    pub variables: Variables,
    /// The kernels; empty after errors.
    pub entries: Vec<Entry>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The files, for the messages.
    pub sources: Sources,
}

impl Compiled {
    /// The messages as text, each with its place in the source.
    pub fn messages(&self) -> String {
        let all: Vec<String> = self.diagnostics.iter().map(|one| one.render(&self.sources)).collect();
        all.join("\n")
    }
}

/// Returns the PTX of the file `name` with the lines of its `text` as its own, and with its
/// variables.
pub fn listing(name: &str, text: &str, ptx: &str, variables: Variables) -> Arc<Source> {
    let mut source = Source::new(name, ptx);
    source.set_variables([Arc::new(variables)]);
    source.read_origins(|file| (file == name).then(|| (name.to_owned(), text.to_owned())));
    Arc::new(source)
}

/// Compiles the device half of a file, or a program in OpenCL C. `loader` finds the files that it
/// includes.
pub fn compile(name: &str, text: &str, loader: &dyn Loader, target: Target, options: &Options) -> Compiled {
    let target = match options.language {
        Language::CudaC | Language::C => target,
        Language::OpenClC(_) => target.open_cl(),
    };
    compile_input(&Input { name, text, kernels: None, loader, options }, target)
}

fn compile_input(input: &Input, target: Target) -> Compiled {
    let mut sources = Sources::default();
    let mut out = Diagnostics::default();
    let made = translate(input, target, &mut sources, &mut out);
    let (ptx, variables, entries) = match made.filter(|_| !out.has_errors()) {
        Some((ptx, variables, entries)) => (Some(ptx), variables, entries),
        None => (None, Variables::default(), Vec::new()),
    };
    sources.forget_hidden();
    Compiled { ptx, variables, entries, diagnostics: out.into_list(), sources }
}

/// A compiled program: both halves, or what is wrong with them.
#[derive(Debug)]
pub struct CompiledProgram {
    /// The host half; absent after errors.
    pub host: Option<Program>,
    /// The device half.
    pub device: Compiled,
    /// Errors and warnings of the host half.
    pub diagnostics: Vec<Diagnostic>,
    /// The files of the host half.
    pub sources: Sources,
}

impl CompiledProgram {
    /// The messages of both halves as text; what both say is written once.
    pub fn messages(&self) -> String {
        let mut all: Vec<String> = Vec::new();
        let host = self.diagnostics.iter().map(|one| one.render(&self.sources));
        for text in host.chain(self.device.diagnostics.iter().map(|one| one.render(&self.device.sources))) {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        all.join("\n")
    }
}

/// The types, the variables in memory and the functions of the host half, for debuggers.
pub fn host_variables(program: &Program, sources: &Sources) -> Variables {
    crate::ptx::variables::of(program, sources)
}

/// Compiles both halves of a program. `loader` finds the files that it includes.
pub fn compile_program(
    name: &str,
    text: &str,
    loader: &dyn Loader,
    target: Target,
    options: &Options,
) -> CompiledProgram {
    // Both halves have the same layout of structures.
    let target = Target { pointer_bytes: 8, ..target };
    let mut sources = Sources::default();
    let mut out = Diagnostics::default();
    let input = Input { name, text, kernels: None, loader, options };
    let is_c = options.language == Language::C;
    let side = if is_c { target.in_c() } else { target.host() };
    let host = analyzed(&input, side, &mut sources, &mut out);
    let used = host.as_ref().map_or(&[][..], |host| &host.kernels);
    let instances: Vec<KernelInstance> = used.iter().filter_map(|one| one.instance.clone()).collect();
    let kernels = host.as_ref().map(|_| &*instances);
    // A program in C has no device code.
    let text = if is_c { "" } else { text };
    let device = compile_input(&Input { text, kernels, ..input }, target);
    if device.ptx.is_some() {
        let is_made = |used: &&UsedKernel| device.entries.iter().any(|entry| entry.symbol == used.symbol);
        used.iter().filter(|used| !is_made(used)).for_each(|used| out.push(without_code(used)));
    }
    let host = host.map(|host| host.program).filter(|_| !out.has_errors());
    sources.forget_hidden();
    CompiledProgram { host, device, diagnostics: out.into_list(), sources }
}

/// A use of a kernel that the device half does not have.
fn without_code(used: &UsedKernel) -> Diagnostic {
    let name = &used.name;
    if used.is_defined {
        let message = format!("kernel `{name}` is not in the device code");
        return Diagnostic::error("launch", used.span, message)
            .at(used.declared, "defined here for host code only")
            .help("compile its definition also where `__CUDA_ARCH__` is defined");
    }
    Diagnostic::error("launch", used.span, format!("kernel `{name}` has no body"))
        .at(used.declared, "declared here")
        .help("kernels of other files cannot be launched: include their definition")
}

/// What is compiled.
#[derive(Clone, Copy)]
struct Input<'i> {
    name: &'i str,
    text: &'i str,
    /// Kernels from templates that the host half uses, if it is known.
    kernels: Option<&'i [KernelInstance]>,
    loader: &'i dyn Loader,
    options: &'i Options,
}

/// The macros that the compiler defines.
pub(crate) fn macros(target: Target, options: &Options) -> String {
    let mut text = String::new();
    if target.side.is_device() {
        let _ = writeln!(text, "#define __CUDA_ARCH__ {}0", target.capability);
    }
    if target.side == Side::C {
        text.push_str("#define __WARPSIM_C__ 1\n");
    }
    for name in ["__CUDACC__", "__NVCC__", "__cplusplus 199711L", "__WARPSIM__"] {
        let _ = writeln!(text, "#define {name}{}", if name.contains(' ') { "" } else { " 1" });
    }
    let flags = [
        ("__CUDA_FTZ", options.ftz),
        ("__CUDA_PREC_DIV", options.prec_div),
        ("__CUDA_PREC_SQRT", options.prec_sqrt),
    ];
    for (name, on) in flags {
        let _ = writeln!(text, "#define {name} {}", u8::from(on));
    }
    if options.parts {
        text.push_str("#define __CL_PARTS__ 1\n");
    }
    // Programs test whether this macro is defined, not its value.
    if options.use_fast_math {
        text.push_str("#define __USE_FAST_MATH__ 1\n");
    }
    text
}

/// The macros of the user. They are no part of the compiler's own text, which may use their names.
fn defines(options: &Options) -> String {
    let define = |define: &String| {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        format!("#define {name} {}\n", value.replace('\n', " "))
    };
    options.defines.iter().map(define).collect()
}

/// Bytes of PTX that are within all limits of the assembler.
const LONG_PTX: usize = 32 << 10;

/// The code of the errors of the assembler about a program that is too large.
const TOO_LARGE: &str = "E0403";

/// Whether a program names a function of the device math library.
fn uses_library(tokens: &[Token], is_open_cl: bool, names: &mut Interner) -> bool {
    if is_open_cl {
        return tokens
            .iter()
            .filter_map(Token::name)
            .any(|name| opencl::rows::needs_library(names.text(name)));
    }
    let mut all = FxHashSet::default();
    for name in library_names() {
        all.extend([names.intern(name), names.intern(&format!("{name}f"))]);
    }
    tokens.iter().filter_map(Token::name).any(|name| all.contains(&name))
}

/// The tokens of the device math library. Macros of the program have no effect in it.
pub(crate) fn library(
    macros: &str,
    is_open_cl: bool,
    sources: &mut Sources,
    names: &mut Interner,
    out: &mut Diagnostics,
) -> Option<Vec<Token>> {
    let nothing = |_: &str, _: &str, _: bool| None;
    let mut tokens = Vec::new();
    let mut files = Vec::new();
    for (name, text) in
        [("<macros>", macros)].into_iter().chain(LIBRARY).chain(is_open_cl.then_some(OPEN_CL_MATH))
    {
        files.push(sources.add(name, text, true)?);
    }
    let mut preprocessor = Preprocessor::new(sources, names, out, &nothing);
    for file in files {
        preprocessor.run(file, &mut tokens);
    }
    Some(tokens)
}

/// The typed program of one half.
fn analyzed(input: &Input, target: Target, sources: &mut Sources, out: &mut Diagnostics) -> Option<Analyzed> {
    let mut names = Interner::default();
    Keyword::register(&mut names);
    let macros = macros(target, input.options);
    let defines = defines(input.options);
    let mut files = Vec::new();
    let first = [("<macros>", &*macros)].into_iter().chain(prelude(target.side).iter().copied());
    let program = opencl::macros(target, input.options);
    let own_macros: &[(&str, &str)] = match target.side {
        Side::OpenCl => &[OPEN_CL_PROGRAM, ("<opencl>", &*program)],
        Side::C => &[C_PROGRAM],
        Side::Host | Side::Device => &[],
    };
    let first = first.chain(own_macros.iter().copied());
    for (name, text) in first.chain([("<options>", &*defines)]) {
        files.push(sources.add(name, text, true)?);
    }
    let options = files.len() - 1;
    let Some(file) = sources.add(input.name, input.text, false) else {
        out.push(Diagnostic::error("limit", Span::NONE, format!("{} is too large", input.name)));
        return None;
    };
    files.push(file);
    let mut tokens = Vec::new();
    let mut preprocessor = Preprocessor::new(sources, &mut names, out, input.loader);
    preprocessor.side = target.side;
    files[..options].iter().for_each(|file| preprocessor.run(*file, &mut tokens));
    let own = tokens.len();
    files[options..].iter().for_each(|file| preprocessor.run(*file, &mut tokens));
    let pragmas = std::mem::take(&mut preprocessor.pragmas);
    let is_open_cl = target.side == Side::OpenCl;
    let mut first = own;
    if target.side.is_device() && uses_library(&tokens[own..], is_open_cl, &mut names) {
        let library = library(&macros, is_open_cl, sources, &mut names, out)?;
        first += library.len();
        tokens.splice(own..own, library);
    }
    match target.side {
        Side::OpenCl => {
            opencl::tokens::adapt(&mut tokens, true, &mut names, |at, _| at >= first);
        }
        Side::C => {
            let is_own =
                |at, token: &Token| at >= first && !sources.is_builtin(sources.outermost(token.span));
            opencl::tokens::adapt(&mut tokens, false, &mut names, is_own);
        }
        Side::Host | Side::Device => {}
    }
    // What a missing file declares would be missing everywhere.
    if out.is_stopped() || out.list().iter().any(|one| one.code == "missing-file") {
        return None;
    }
    let mut parsed = parse(&tokens, &names, sources, out, target.side);
    parsed.doubles = is_open_cl
        && opencl::pragmas::apply(&pragmas, target, out).unwrap_or_else(|| {
            opencl::pragmas::uses_doubles(tokens.get(first..).unwrap_or_default(), &names, target, out)
        });
    parsed.single_literals = input.options.single_literals;
    if out.has_errors() {
        return None;
    }
    let mut analyzed = analyze(&parsed, &names, sources, out, target, input.kernels);
    analyzed.contracts = !opencl::pragmas::forbids_contraction(&pragmas);
    (!out.has_errors()).then_some(analyzed)
}

fn translate(
    input: &Input,
    target: Target,
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> Option<(String, Variables, Vec<Entry>)> {
    let analyzed = analyzed(input, target, sources, out)?;
    check_memory(&analyzed.program, input.options, out);
    let options = &Options { fmad: input.options.fmad && analyzed.contracts, ..input.options.clone() };
    if out.has_errors() {
        return None;
    }
    let output = backend::run(&analyzed.program, sources, options);
    for problem in &output.problems {
        out.push(diagnostic(problem, sources));
    }
    let ptx = output.ptx?;
    check_size(&ptx, &analyzed.program, out);
    Some((ptx, output.variables, analyzed.entries))
}

/// Reports a kernel whose PTX no chip can run: the assembler has its limits of registers, constants
/// and instructions, which only long texts reach.
fn check_size(ptx: &str, program: &Program, out: &mut Diagnostics) {
    if ptx.len() < LONG_PTX {
        return;
    }
    let (_, diagnostics) = isa::compile("", ptx);
    for one in diagnostics.iter().filter(|one| one.is_error() && one.code == TOO_LARGE) {
        let mut functions = program.functions.iter();
        let named = |function: &&Function| one.message.contains(&format!("`{}`", function.symbol));
        let Some(function) = functions.clone().find(named).or(functions.next()) else { continue };
        let message = one.message.replace(&format!("`{}`", function.symbol), &format!("`{}`", function.name));
        let label = one.labels.first().map_or("", |(_, label)| label);
        let error = Diagnostic::error("limit", function.span, message).label(label);
        out.push(error.help("divide the kernel into several ones, or keep values in memory"));
    }
}

/// Bytes of variables that the addresses of PTX reach.
const SPACE: u64 = u32::MAX as u64;

/// Reports a variable that does not fit in device memory.
fn check_memory(program: &Program, options: &Options, out: &mut Diagnostics) {
    let most = options.memory_bytes.unwrap_or(u64::MAX);
    let mut sum = 0_u64;
    for global in program.globals.iter().filter(|global| global.storage == Storage::Device) {
        let size = program.types.size(global.ty);
        sum = sum.next_multiple_of(global.align.max(1)).saturating_add(size);
        if sum > most.min(SPACE) {
            let name = &global.name;
            let message = if sum > most {
                format!(
                    "variable `{name}` of {size} bytes does not fit: the variables of the device need at least \
                     {sum} bytes, and the chip has {most} bytes of memory"
                )
            } else {
                format!("variable `{name}` of {size} bytes does not fit in an address space of 4 GiB")
            };
            out.push(Diagnostic::error("limit", global.span, message).label("too large"));
            return;
        }
    }
}

/// A problem of the back end as a message.
fn diagnostic(problem: &Problem, sources: &Sources) -> Diagnostic {
    let span = sources.line_span(problem.loc.file, problem.loc.line);
    let message = problem.message.clone();
    let made = if problem.warning {
        Diagnostic::warning("code-generation", span, message)
    } else {
        Diagnostic::error("code-generation", span, message)
    };
    if problem.help.is_empty() { made } else { made.help(problem.help.clone()) }
}

//! The whole compiler: from the text of a file to PTX.

use crate::backend;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::gnu;
use crate::headers::{
    self, C_PROGRAM, LANES, LIBRARY, OPEN_CL_MATH, OPEN_CL_PROGRAM, library_names, prelude,
};
use crate::hir::{Function, Program, Storage, Types};
use crate::lex::{Interner, Token};
use crate::link;
use crate::lower::Problem;
use crate::opencl;
use crate::options::{Language, Options, Standard};
use crate::preprocess::{Loader, MissingHeader, OPTIONS, Preprocessor};
use crate::sema::{Analyzed, Around, KernelInstance, analyze};
pub use crate::sema::{Entry, Parameter, ParameterKind};
use crate::source::{Sources, Span};
use crate::syntax::{Keyword, WantedLambda, parse, replace_operators};
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
    let input = Input::alone(Unit { name, text, loader, options });
    let mut device = Half::new(target);
    let (is_open, has_kernels) = device
        .add(&input, target)
        .map_or((false, false), |made| (made.has_open_kernels, !made.entries.is_empty()));
    if is_open {
        // The types of the arguments of a launch are types of the host half.
        let side = Target { pointer_bytes: 8, ..target }.host();
        let mut host = Half::new(side);
        match host.add(&Input { is_part: true, ..input }, side).map(wanted) {
            Some((kernels, lambdas)) => {
                device = Half::new(target);
                device.add(&Input { kernels: Some(&kernels), lambdas: &lambdas, ..input }, target);
            }
            None if !has_kernels => return generate(None, host.sources, host.list),
            None => {}
        }
    }
    let linked = device.take().and_then(|units| link::device(units, device.types, &mut device.list));
    generate(linked.map(|(linked, _)| (linked, options)), device.sources, device.list)
}

/// Makes the code of an analyzed program, unless it has errors.
fn generate(made: Option<(Analyzed, &Options)>, mut sources: Sources, mut list: Vec<Diagnostic>) -> Compiled {
    let has_errors = |list: &[Diagnostic]| list.iter().any(Diagnostic::is_error);
    let mut output = None;
    if let Some((analyzed, options)) = made.filter(|_| !has_errors(&list)) {
        output = translate(analyzed, options, &sources, &mut list);
    }
    let (ptx, variables, entries) = match output.filter(|_| !has_errors(&list)) {
        Some((ptx, variables, entries)) => (Some(ptx), variables, entries),
        None => (None, Variables::default(), Vec::new()),
    };
    sources.forget_hidden();
    Compiled { ptx, variables, entries, diagnostics: list, sources }
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

/// A file of a program.
#[derive(Clone, Copy)]
pub struct Unit<'u> {
    /// Its name.
    pub name: &'u str,
    /// Its text.
    pub text: &'u str,
    /// Finds the files that it includes.
    pub loader: &'u dyn Loader,
    /// How it is compiled. The options of the first file are those of the device code.
    pub options: &'u Options,
}

impl<'u> Unit<'u> {
    /// A file with a name and a text.
    pub fn new(name: &'u str, text: &'u str, loader: &'u dyn Loader, options: &'u Options) -> Self {
        Self { name, text, loader, options }
    }
}

/// One half of a program while its files are compiled.
struct Half {
    sources: Sources,
    list: Vec<Diagnostic>,
    /// The types of all files.
    types: Types,
    /// The typed files; absent after errors.
    units: Vec<Option<Analyzed>>,
}

impl Half {
    fn new(target: Target) -> Self {
        Self { sources: Sources::default(), list: Vec::new(), types: Types::new(target), units: Vec::new() }
    }

    /// Analyzes the next file.
    fn add(&mut self, input: &Input, target: Target) -> Option<&Analyzed> {
        let mut out = Diagnostics::default();
        let types = std::mem::replace(&mut self.types, Types::new(target));
        let mut made = analyzed(input, target, types, &mut self.sources, &mut out);
        if let Some(made) = &mut made {
            self.types = std::mem::replace(&mut made.program.types, Types::new(target));
        }
        self.list.extend(out.into_list());
        self.units.push(made);
        self.units.last().and_then(Option::as_ref)
    }

    /// Takes the typed files, if there is no error.
    fn take(&mut self) -> Option<Vec<Analyzed>> {
        std::mem::take(&mut self.units).into_iter().collect()
    }
}

/// Compiles both halves of a program of one or several files.
pub fn compile_program(units: &[Unit], target: Target) -> CompiledProgram {
    // Both halves have the same layout of structures.
    let target = Target { pointer_bytes: 8, ..target };
    let (mut host, mut device) = (Half::new(target), Half::new(target));
    let is_part = units.len() > 1;
    for unit in units {
        let is_c = unit.options.language == Language::C;
        let side = if is_c { target.in_c() } else { target.host() };
        let input = Input { is_part, ..Input::alone(*unit) };
        let used = host.add(&input, side).map(wanted);
        let (kernels, lambdas) = used.as_ref().map(|(kernels, lambdas)| (&**kernels, &**lambdas)).unzip();
        // A program in C has no device code.
        let text = if is_c { "" } else { unit.text };
        let (unit, lambdas) = (Unit { text, ..*unit }, lambdas.unwrap_or_default());
        device.add(&Input { unit, kernels, lambdas, is_part }, target);
    }
    let (host_units, device_units) = (host.take(), device.take());
    let linked = device_units.and_then(|units| link::device(units, device.types, &mut device.list));
    let names = linked.as_ref().map(|(_, names)| names.as_slice());
    let program = host_units.and_then(|units| link::host(units, host.types, names, &mut host.list));
    let options = units.first().map(|unit| unit.options);
    let linked = linked.map(|(linked, _)| linked);
    let device = generate(linked.zip(options), device.sources, device.list);
    host.sources.forget_hidden();
    CompiledProgram { host: program, device, diagnostics: host.list, sources: host.sources }
}

/// What is compiled.
#[derive(Clone, Copy)]
struct Input<'i> {
    unit: Unit<'i>,
    /// Kernels from templates that the host half uses, if it is known.
    kernels: Option<&'i [KernelInstance]>,
    /// Lambda expressions of the host half that those may name.
    lambdas: &'i [WantedLambda],
    /// Whether the program has further files.
    is_part: bool,
}

impl<'i> Input<'i> {
    /// A file of which nothing else is known.
    fn alone(unit: Unit<'i>) -> Self {
        Self { unit, kernels: None, lambdas: &[], is_part: false }
    }
}

/// What the host half of a file wants of its device half.
fn wanted(host: &Analyzed) -> (Vec<KernelInstance>, Vec<WantedLambda>) {
    let kernels = host.kernels.iter().filter_map(|one| one.instance.clone()).collect();
    (kernels, host.closures.iter().map(|one| one.wanted()).collect())
}

/// The macros that the compiler defines.
pub(crate) fn macros(target: Target, options: &Options) -> String {
    let mut text = String::new();
    if target.side.is_device() {
        let _ = writeln!(text, "#define __CUDA_ARCH__ {}0", target.architecture());
        for feature in target.features.iter() {
            let _ = writeln!(text, "#define __ws_{} 1", feature.name());
        }
    }
    if target.side == Side::C {
        text.push_str("#define __WARPSIM_C__ 1\n");
    }
    for name in ["__CUDACC__", "__NVCC__", "__WARPSIM__"] {
        let _ = writeln!(text, "#define {name} 1");
    }
    if target.side != Side::OpenCl {
        text.push_str(gnu::MACROS);
    }
    let given = options.standard.filter(|one| one.is_cpp() && target.side.is_cpp());
    let standard = given.unwrap_or(Standard::USUAL);
    text.push_str(&standard.macros());
    if matches!(target.side, Side::Device | Side::Host) {
        for name in headers::GUARDS.split_whitespace() {
            let _ = writeln!(text, "#define {name} 1");
        }
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
    let used = |name| all.contains(&name) || names.text(name).starts_with(LANES);
    tokens.iter().filter_map(Token::name).any(used)
}

/// The tokens of the device math library.
pub(crate) fn library(
    macros: &str,
    is_open_cl: bool,
    sources: &mut Sources,
    names: &mut Interner,
    out: &mut Diagnostics,
) -> Option<Vec<Token>> {
    let texts = LIBRARY.into_iter().chain(is_open_cl.then_some(OPEN_CL_MATH));
    own_tokens(macros, texts, sources, names, out)
}

/// The tokens of texts of the compiler. Macros of the program have no effect in them.
fn own_tokens<'t>(
    macros: &'t str,
    texts: impl Iterator<Item = (&'t str, &'t str)>,
    sources: &mut Sources,
    names: &mut Interner,
    out: &mut Diagnostics,
) -> Option<Vec<Token>> {
    let nothing = |_: &str, _: &str, _: bool| None;
    let mut tokens = Vec::new();
    let mut files = Vec::new();
    for (name, text) in [("<macros>", macros)].into_iter().chain(texts) {
        files.push(sources.add(name, text, true)?);
    }
    let mut preprocessor = Preprocessor::new(sources, names, out, &nothing);
    for file in files {
        preprocessor.run(file, &mut tokens);
    }
    Some(tokens)
}

/// A preprocessed file.
struct Preprocessed {
    tokens: Vec<Token>,
    /// The first token behind the prelude.
    own: usize,
    pragmas: Vec<(Vec<String>, Span)>,
    /// Headers of the C++ library that the program does not include and needs.
    missing: Vec<MissingHeader>,
}

/// Reads a file behind the prelude and the text `includes`.
fn preprocessed(
    input: &Input,
    target: Target,
    macros: &str,
    includes: &str,
    sources: &mut Sources,
    names: &mut Interner,
    out: &mut Diagnostics,
) -> Option<Preprocessed> {
    let Unit { name, text, loader, options } = input.unit;
    let defines = defines(options);
    let mut files = Vec::new();
    let first = [("<macros>", macros)].into_iter().chain(prelude(target.side).iter().copied());
    let program = match target.side {
        Side::C => options.standard.filter(|one| !one.is_cpp()).unwrap_or(Standard::USUAL_C).macros(),
        _ => opencl::macros(target, options),
    };
    let own_macros: &[(&str, &str)] = match target.side {
        Side::OpenCl => &[OPEN_CL_PROGRAM, ("<opencl>", &*program)],
        Side::C => &[C_PROGRAM, ("<standard>", &*program)],
        Side::Host | Side::Device => &[],
    };
    let first = first.chain(own_macros.iter().copied());
    for (name, text) in first.chain([("<includes>", includes), (OPTIONS, &*defines)]) {
        files.push(sources.add(name, text, true)?);
    }
    let first_own = files.len() - 2;
    let Some(file) = sources.add(name, text, false) else {
        out.push(Diagnostic::error("limit", Span::NONE, format!("{name} is too large")));
        return None;
    };
    files.push(file);
    let mut tokens = Vec::new();
    let mut preprocessor = Preprocessor::new(sources, names, out, loader);
    preprocessor.side = target.side;
    files[..first_own].iter().for_each(|file| preprocessor.run(*file, &mut tokens));
    let own = tokens.len();
    files[first_own..].iter().for_each(|file| preprocessor.run(*file, &mut tokens));
    let pragmas = std::mem::take(&mut preprocessor.pragmas);
    let mut missing = match target.side {
        Side::Host | Side::Device => preprocessor.missing_headers(&tokens),
        Side::C => preprocessor.missing_headers_of_c(&tokens),
        Side::OpenCl => Vec::new(),
    };
    // In device code the other headers of the library are empty.
    missing.retain(|one| target.side != Side::Device || headers::CONSTANTS.contains(&one.header()));
    Some(Preprocessed { tokens, own, pragmas, missing })
}

/// The error about a standard of another language. A program of several files may have files in C
/// beside those in C++, which the standard is for.
fn wrong_standard(input: &Input) -> Option<Diagnostic> {
    let standard = input.unit.options.standard?;
    let (fits, language) = match input.unit.options.language {
        Language::CudaC => (standard.is_cpp(), "C++"),
        Language::C => (!standard.is_cpp() || input.is_part, "C"),
        Language::OpenClC(_) => (false, "OpenCL C"),
    };
    let (file, name) = (input.unit.name, standard.name());
    let message = format!("`-std={name}` is no standard of {language}, the language of {file}");
    (!fits).then(|| Diagnostic::error("standard", Span::NONE, message))
}

/// The typed program of one half.
fn analyzed(
    input: &Input,
    target: Target,
    types: Types,
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> Option<Analyzed> {
    let options = input.unit.options;
    let mut names = Interner::default();
    Keyword::register(&mut names);
    let macros = macros(target, options);
    if let Some(error) = wrong_standard(input) {
        out.push(error);
        return None;
    }
    let mark = out.mark();
    let mut read = preprocessed(input, target, &macros, "", sources, &mut names, out)?;
    if !read.missing.is_empty() {
        out.truncate(mark);
        let missing = std::mem::take(&mut read.missing);
        let text: String = missing.iter().map(MissingHeader::line).collect();
        read = preprocessed(input, target, &macros, &text, sources, &mut names, out)?;
        // The other half includes the header with another one, or warns.
        missing.iter().filter(|_| target.side != Side::Device).for_each(|one| out.push(one.warning()));
    }
    let Preprocessed { mut tokens, own, pragmas, .. } = read;
    let is_open_cl = target.side == Side::OpenCl;
    let mut first = own;
    if !is_open_cl && gnu::replace(&mut tokens[own..], &mut names) {
        let builtins = own_tokens(&macros, [gnu::TEXT].into_iter(), sources, &mut names, out)?;
        first += builtins.len();
        tokens.splice(own..own, builtins);
    }
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
        Side::Host | Side::Device => replace_operators(&mut tokens, &names),
    }
    // What a missing file declares would be missing everywhere.
    if out.is_stopped() || out.list().iter().any(|one| one.code == "missing-file") {
        return None;
    }
    let mut parsed = parse(&tokens, &names, sources, out, target.side, input.lambdas);
    parsed.doubles = is_open_cl
        && opencl::pragmas::apply(&pragmas, target, out).unwrap_or_else(|| {
            opencl::pragmas::uses_doubles(tokens.get(first..).unwrap_or_default(), &names, target, out)
        });
    parsed.single_literals = options.single_literals;
    if out.has_errors() {
        return None;
    }
    let is_cpp20 = options.standard.is_some_and(Standard::is_cpp20);
    let around = Around { kernels: input.kernels, types, is_part: input.is_part, is_cpp20 };
    let mut analyzed = analyze(&parsed, &names, sources, out, target, around);
    analyzed.contracts = !opencl::pragmas::forbids_contraction(&pragmas);
    (!out.has_errors()).then_some(analyzed)
}

fn translate(
    analyzed: Analyzed,
    options: &Options,
    sources: &Sources,
    list: &mut Vec<Diagnostic>,
) -> Option<(String, Variables, Vec<Entry>)> {
    if let Some(error) = too_large(&analyzed.program, options) {
        list.push(error);
        return None;
    }
    let options = &Options { fmad: options.fmad && analyzed.contracts, ..options.clone() };
    let output = backend::run(&analyzed.program, sources, options);
    list.extend(output.problems.iter().map(|problem| diagnostic(problem, sources)));
    let ptx = output.ptx?;
    check_size(&ptx, &analyzed.program, list);
    Some((ptx, output.variables, analyzed.entries))
}

/// Reports a kernel whose PTX no chip can run: the assembler has its limits of registers, constants
/// and instructions, which only long texts reach.
fn check_size(ptx: &str, program: &Program, out: &mut Vec<Diagnostic>) {
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

/// The error about a variable that does not fit in device memory.
fn too_large(program: &Program, options: &Options) -> Option<Diagnostic> {
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
            return Some(Diagnostic::error("limit", global.span, message).label("too large"));
        }
    }
    None
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

//! Programs: sources and binaries, their options, and what a build makes of them.

use super::{Callback, Handle, Object, State};
use crate::status::{Done, Status};
use cuda::compile::{Compiled, Parameter, ParameterKind};
use cuda::options::{Language, Options};
use cuda::preprocess::Included;
use cuda::target::Target;
use isa::diag::render_source;
use isa::source::Source;
use isa::types::StateSpace;
use isa::uop::{Module, Param, Program as Code};
use sim_core::host::ModuleId;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// `CL_BUILD_...`.
pub const BUILD_SUCCESS: i32 = 0;
/// The program was not built.
pub const BUILD_NONE: i32 = -1;
/// The program has errors.
pub const BUILD_ERROR: i32 = -2;

/// A built program.
#[derive(Clone, Debug)]
pub struct Built {
    /// Its module on the device.
    pub module: ModuleId,
    /// Its PTX.
    pub ptx: String,
    /// Its kernels, with what the host passes for each parameter, and their attributes.
    pub kernels: Vec<(Arc<Code>, Vec<Parameter>, String)>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its context.
    pub context: Handle,
    /// Name of its text in messages and reports.
    pub name: String,
    /// Its text; `None` of a program from a binary.
    pub source: Option<String>,
    /// The PTX of a program from a binary.
    pub binary: Option<String>,
    /// What the last build has made.
    pub built: Option<Built>,
    /// The same for ranges that need several launches, after the first of them.
    pub parts: Option<Built>,
    /// `CL_BUILD_...`.
    pub status: i32,
    /// The options of the last build.
    pub options: String,
    /// The messages of the last build.
    pub log: String,
}

/// The options of a build.
#[derive(Debug)]
struct BuildOptions {
    compiler: Options,
    include: Vec<PathBuf>,
    quiet: bool,
    errors: bool,
    verbose: bool,
}

/// Options without an effect on this simulator: they permit optimizations, or ask for a default.
const PERMISSIONS: [&str; 7] = [
    "",
    "-cl-unsafe-math-optimizations",
    "-cl-strict-aliasing",
    "-cl-no-signed-zeros",
    "-cl-finite-math-only",
    "-cl-kernel-arg-info",
    "-g",
];

impl BuildOptions {
    /// Reads the options of `clBuildProgram`.
    fn read(text: &str, target: Target) -> Done<Self> {
        let version = if target.is_fermi() { 110 } else { 100 };
        let compiler = Options::of(target).in_open_cl(version);
        let mut options = Self { compiler, include: Vec::new(), quiet: false, errors: false, verbose: false };
        let words = words(text);
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let mut value = |prefix: &str| -> Done<Option<String>> {
                let Some(own) = word.strip_prefix(prefix) else { return Ok(None) };
                if !own.is_empty() {
                    return Ok(Some(own.to_owned()));
                }
                rest.next().cloned().map(Some).ok_or(Status::INVALID_BUILD_OPTIONS)
            };
            if let Some(define) = value("-D")? {
                options.compiler.defines.push(define);
            } else if let Some(folder) = value("-I")? {
                options.include.push(folder.into());
            } else {
                options.flag(word, target)?;
            }
        }
        Ok(options)
    }

    fn flag(&mut self, word: &str, target: Target) -> Done {
        let compiler = &mut self.compiler;
        match word {
            "-w" => self.quiet = true,
            "-Werror" => self.errors = true,
            "-cl-nv-verbose" => self.verbose = true,
            "-cl-opt-disable" => compiler.opt_level = 0,
            "-cl-mad-enable" => compiler.fmad = true,
            "-cl-denorms-are-zero" => compiler.ftz = true,
            "-cl-single-precision-constant" => compiler.single_literals = true,
            "-cl-fast-relaxed-math" => compiler.use_fast_math = true,
            "-cl-std=CL1.0" => compiler.language = Language::OpenClC(100),
            "-cl-std=CL1.1" if target.is_fermi() => compiler.language = Language::OpenClC(110),
            other if PERMISSIONS.contains(&other) => {}
            other => {
                let (name, value) = other.split_once('=').ok_or(Status::INVALID_BUILD_OPTIONS)?;
                let value: u32 = value.parse().map_err(|_| Status::INVALID_BUILD_OPTIONS)?;
                match name {
                    "-cl-nv-maxrregcount" if value > 0 => compiler.max_registers = Some(value),
                    "-cl-nv-opt-level" if value <= 3 => compiler.opt_level = value,
                    _ => return Err(Status::INVALID_BUILD_OPTIONS),
                }
            }
        }
        Ok(())
    }
}

/// The words of a text; blanks in quotation marks are part of a word.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut any) = (Vec::new(), String::new(), None, false);
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match (char, quoted) {
            (quote, Some(open)) if quote == open => quoted = None,
            ('"' | '\'', None) => (quoted, any) = (Some(char), true),
            ('\\', _) => word.extend(chars.next()),
            (blank, None) if blank.is_whitespace() => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            (char, _) => word.push(char),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

/// What `-cl-nv-verbose` prints of a kernel.
fn resources(code: &Code) -> String {
    format!(
        "note: kernel `{}` uses {} registers, {} bytes of shared memory and {} bytes of local memory\n",
        code.name, code.registers, code.shared_bytes, code.local_bytes
    )
}

/// What the host passes for the parameters of a kernel of foreign PTX.
fn parameters(code: &Code) -> Vec<Parameter> {
    let of = |param: &Param| {
        let pointee = param.pointee;
        let kind = match (param.opaque, pointee.and_then(|to| to.space)) {
            (Some(StateSpace::Surf), _) => ParameterKind::Image { dimensions: 2, is_written: true },
            (Some(StateSpace::Sampler), _) => ParameterKind::Sampler,
            (Some(_), _) => ParameterKind::Image { dimensions: 2, is_written: false },
            (None, Some(StateSpace::Shared)) => ParameterKind::Local(pointee.map_or(4, |to| to.align.into())),
            (None, Some(StateSpace::Const)) => ParameterKind::Constant,
            (None, Some(_)) => ParameterKind::Global,
            (None, None) if pointee.is_some() => ParameterKind::Global,
            (None, None) => ParameterKind::Value,
        };
        Parameter { name: param.name.clone(), c_type: String::new(), kind }
    };
    code.params.iter().map(of).collect()
}

/// Returns the name of a program's text: `program.cl`, and `program2.cl` for the second text. Equal
/// texts have one name.
fn name(texts: &mut Vec<String>, text: &str, ending: &str) -> String {
    let known = texts.iter().position(|known| known == text);
    let place = known.unwrap_or_else(|| {
        texts.push(text.to_owned());
        texts.len() - 1
    });
    if place == 0 { format!("program.{ending}") } else { format!("program{}.{ending}", place + 1) }
}

impl State {
    /// `clCreateProgramWithSource` and `clCreateProgramWithBinary`.
    ///
    /// # Errors
    ///
    /// There is no such context.
    pub fn create_program(
        &mut self,
        context: Handle,
        source: Option<String>,
        binary: Option<String>,
    ) -> Done<Handle> {
        self.context(context)?;
        self.retain(context);
        let name = match (&source, &binary) {
            (None, Some(ptx)) => name(&mut self.texts[1], ptx, "ptx"),
            (text, _) => name(&mut self.texts[0], text.as_deref().unwrap_or_default(), "cl"),
        };
        Ok(self.add(Object::Program(Program {
            context,
            name,
            source,
            binary,
            built: None,
            parts: None,
            status: BUILD_NONE,
            options: String::new(),
            log: String::new(),
        })))
    }

    /// The target of the device.
    fn target(&mut self) -> Done<Target> {
        let chip = self.runtime.device(&self.thread)?.gpu.chip();
        Ok(Target::of_chip(chip.capability, chip.features))
    }

    /// `clBuildProgram`.
    ///
    /// # Errors
    ///
    /// The options are invalid, or the program has errors, which the log names.
    pub fn build(&mut self, handle: Handle, options: &str, (function, data): (u64, u64)) -> Done {
        self.program(handle)?;
        if self.kernels_of(handle) > 0 {
            return Err(Status::INVALID_OPERATION);
        }
        let target = self.target()?;
        let read = BuildOptions::read(options, target)?;
        let program = self.program(handle)?.clone();
        let made = match (&program.source, &program.binary) {
            (Some(text), _) => self.compiled((&program.name, text), target, &read),
            (None, Some(ptx)) => {
                self.loaded(&program.name, ptx, None).map_err(|log| (log, Status::INVALID_BINARY))
            }
            (None, None) => return Err(Status::INVALID_PROGRAM),
        };
        let program = self.program_mut(handle)?;
        options.clone_into(&mut program.options);
        program.parts = None;
        let result = match made {
            Ok((built, mut log)) => {
                if read.verbose {
                    log.extend(built.kernels.iter().map(|(code, ..)| resources(code)));
                }
                (program.built, program.log, program.status) = (Some(built), log, BUILD_SUCCESS);
                Ok(())
            }
            Err((log, status)) => {
                (program.built, program.log, program.status) = (None, log, BUILD_ERROR);
                Err(status)
            }
        };
        if function != 0 {
            self.callbacks.push(Callback::Program(function, handle, data));
            return Ok(());
        }
        result
    }

    /// The code of a kernel for a range of several launches.
    ///
    /// # Errors
    ///
    /// The program is from a binary, whose work-items take their numbers from one launch.
    pub(super) fn in_parts(&mut self, handle: Handle, kernel: &str) -> Done<(ModuleId, Arc<Code>)> {
        let program = self.program(handle)?.clone();
        if program.parts.is_none() {
            let text = program.source.as_ref().ok_or(Status::INVALID_GLOBAL_WORK_SIZE)?;
            let text = (&*program.name, &**text);
            let target = self.target()?;
            let mut options = BuildOptions::read(&program.options, target)?;
            (options.compiler.parts, options.errors) = (true, false);
            let made = self.compiled(text, target, &options);
            let (built, _) = made.map_err(|_| Status::OUT_OF_RESOURCES)?;
            self.program_mut(handle)?.parts = Some(built);
        }
        let built = self.program(handle)?.parts.as_ref().ok_or(Status::OUT_OF_RESOURCES)?;
        let found = built.kernels.iter().find(|(code, ..)| code.name == kernel);
        let (code, ..) = found.ok_or(Status::OUT_OF_RESOURCES)?;
        Ok((built.module, Arc::clone(code)))
    }

    /// Compiles a source. An error is a log.
    fn compiled(
        &mut self,
        (name, text): (&str, &str),
        target: Target,
        options: &BuildOptions,
    ) -> Result<(Built, String), (String, Status)> {
        let load = |wanted: &str, from: &str, angled: bool| {
            let beside = Path::new(from).parent().filter(|_| !angled);
            let given = options.include.iter().map(PathBuf::as_path).chain([Path::new("")]);
            let folders = beside.into_iter().chain(given);
            folders.map(|folder| folder.join(wanted).display().to_string()).find_map(|name| {
                let text = self.runtime.file(&name)?;
                Some(Included { name, text, hidden: false })
            })
        };
        let compiled = cuda::compile(name, text, &load, target, &options.compiler);
        let has_warnings = !compiled.diagnostics.is_empty();
        let log = if options.quiet && compiled.ptx.is_some() { String::new() } else { compiled.messages() };
        let failed = (log.clone(), Status::BUILD_PROGRAM_FAILURE);
        let Compiled { ptx: Some(ptx), .. } = &compiled else { return Err(failed) };
        if options.errors && has_warnings {
            return Err(failed);
        }
        let (built, more) = self
            .loaded(name, &ptx.clone(), Some((text, compiled)))
            .map_err(|log| (log, Status::BUILD_PROGRAM_FAILURE))?;
        Ok((built, [log, more].concat()))
    }

    /// Loads PTX on the device. Returns the program and its messages; an error is messages, too.
    fn loaded(
        &mut self,
        name: &str,
        ptx: &str,
        compiled: Option<(&str, Compiled)>,
    ) -> Result<(Built, String), String> {
        let (source, entries) = match compiled {
            Some((text, compiled)) => (cuda::listing(name, text, ptx, compiled.variables), compiled.entries),
            None => (Arc::new(Source::new(name, ptx)), Vec::new()),
        };
        let (module, diagnostics) = isa::compile_source(&source, self.runtime.settings.compilation);
        let log = render_source(&diagnostics, &source);
        let module: Module = module.ok_or_else(|| log.clone())?;
        let module = self
            .runtime
            .load_module(&self.thread, module)
            .map_err(|_| "error: the device cannot load the program".to_owned())?;
        let gpu =
            &self.runtime.device(&self.thread).map_err(|_| "error: the device has failed".to_owned())?.gpu;
        let kernels = gpu.kernels(module).map(|code| {
            let known = entries.iter().find(|entry| entry.symbol == code.name);
            let own = known.map_or_else(|| parameters(code), |entry| entry.parameters.clone());
            let required = code.required_block.map(|[x, y, z]| format!("reqd_work_group_size({x},{y},{z})"));
            let attributes = known.map_or_else(|| required.unwrap_or_default(), |own| own.attributes.clone());
            (Arc::clone(code), own, attributes)
        });
        Ok((Built { module, ptx: ptx.to_owned(), kernels: kernels.collect() }, log))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_words() {
        assert_eq!(words("-D A=1  -I 'a b' -DB=\"x\\\"y\" -w"), ["-D", "A=1", "-I", "a b", "-DB=x\"y", "-w"]);
        let target = Target::from_name("sm_20").expect("a target");
        let read = BuildOptions::read("-DN=4 -I inc -cl-nv-maxrregcount=20 -cl-opt-disable -Werror", target);
        let read = read.expect("valid options");
        assert_eq!(read.compiler.defines, ["N=4"]);
        assert_eq!((read.compiler.max_registers, read.compiler.opt_level, read.errors), (Some(20), 0, true));
        for wrong in ["-x", "-D", "-cl-std=CL2.0", "-cl-nv-maxrregcount=0", "program.cl"] {
            assert_eq!(
                BuildOptions::read(wrong, target).err(),
                Some(Status::INVALID_BUILD_OPTIONS),
                "{wrong}"
            );
        }
    }
}

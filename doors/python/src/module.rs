//! Kernels: CUDA C or PTX, compiled for the chips that need them.

use crate::chip::Chip;
use crate::errors::{CompileError, LaunchError, error};
use crate::interrupt;
use cuda::compile::Entry;
use cuda::target::Target;
use isa::ptx::is_module;
use isa::source::Source;
use isa::types::Dim3;
use isa::uop;
use isa::variables::Symbol;
use pyo3::prelude::*;
use report::launch_file::c_name;
use report::skeleton::pointers;
use request::Compilation;
use request::compilation::{CompileArgs, PreprocessArgs};
use sim_core::config::Chip as Configured;
use sim_core::occupancy::BlockNeeds;
use sim_core::occupancy::rules::Rules;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Options of the compiler, as the dictionary of Python has them.
#[derive(Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    opt_level: u32,
    fast_math: bool,
    max_registers: Option<u32>,
    defines: Vec<String>,
    include: Vec<PathBuf>,
}

impl Options {
    /// The options of the compiler of CUDA C.
    pub fn of(&self, target: Target) -> cuda::options::Options {
        let mut options = cuda::options::Options {
            opt_level: self.opt_level,
            max_registers: self.max_registers,
            defines: self.defines.clone(),
            ..cuda::options::Options::of(target)
        };
        if self.fast_math {
            options.fast_math();
        }
        options
    }

    /// The options of a request.
    pub fn compile(&self) -> CompileArgs {
        CompileArgs {
            opt_level: self.opt_level,
            maxrregcount: self.max_registers,
            fast_math: self.fast_math,
            ..CompileArgs::default()
        }
    }

    /// The options of the preprocessor.
    pub fn preprocess(&self) -> PreprocessArgs {
        let (include, define) = (self.include.clone(), self.defines.clone());
        PreprocessArgs { include, define, ..PreprocessArgs::default() }
    }
}

/// The kernels for one target.
pub struct Built {
    /// Text of the compiled PTX.
    pub ptx: String,
    /// The micro-ops.
    pub module: uop::Module,
    /// Kernels in CUDA C; none for PTX.
    entries: Vec<Entry>,
    /// Variables in CUDA C; none for PTX.
    symbols: Vec<Symbol>,
    warnings: String,
}

/// A parameter of a kernel.
#[pyclass(frozen, get_all, module = "warpsim._native")]
#[derive(Clone)]
pub struct Parameter {
    /// Name.
    name: String,
    /// Type in CUDA C; `None` for PTX.
    c_type: Option<String>,
    /// Type in PTX, such as `u64`.
    ptx_type: String,
    /// Size in bytes.
    bytes: u32,
    /// Whether the kernel uses it as an address of global memory.
    is_pointer: bool,
}

/// A kernel with its resources.
#[pyclass(frozen, get_all, module = "warpsim._native")]
pub struct Kernel {
    /// Name in CUDA C.
    name: String,
    /// Name in PTX.
    symbol: String,
    /// The parameters in order.
    parameters: Vec<Parameter>,
    /// 32-bit registers per thread.
    registers: u32,
    /// Bytes of static shared memory per block.
    shared_bytes: u32,
    /// Bytes of local memory per thread.
    local_bytes: u32,
    param_bytes: u32,
    /// Block size that the kernel requires.
    required_block: Option<[u32; 3]>,
    /// Number of micro-ops.
    instructions: usize,
}

/// A text with kernels.
#[pyclass(frozen, module = "warpsim._native")]
pub struct Module {
    /// Number of the module; each has another one.
    pub number: u64,
    /// Name for messages.
    #[pyo3(get)]
    pub name: String,
    /// Source text.
    #[pyo3(get)]
    pub text: String,
    /// Whether the text is PTX.
    #[pyo3(get)]
    is_ptx: bool,
    options: Options,
    built: Mutex<BTreeMap<(String, bool), Arc<Built>>>,
}

#[pymethods]
impl Module {
    /// Compiles a text for a chip.
    #[new]
    fn new(py: Python<'_>, text: String, name: String, chip: &Chip, options: Options) -> PyResult<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let (number, is_ptx) = (NUMBER.fetch_add(1, Ordering::Relaxed), is_module(&text));
        let module = Self { number, name, text, is_ptx, options, built: Mutex::default() };
        module.checked(py, chip)?;
        Ok(module)
    }

    /// PTX for a chip.
    fn ptx(&self, py: Python<'_>, chip: &Chip) -> PyResult<String> {
        Ok(self.checked(py, chip)?.ptx.clone())
    }

    /// Warnings of the compiler for a chip.
    fn warnings(&self, py: Python<'_>, chip: &Chip) -> PyResult<String> {
        Ok(self.checked(py, chip)?.warnings.clone())
    }

    /// The kernels, compiled for a chip.
    fn kernels(&self, py: Python<'_>, chip: &Chip) -> PyResult<Vec<Kernel>> {
        let built = self.checked(py, chip)?;
        Ok(built.module.entries.iter().map(|program| built.kernel(program)).collect())
    }

    /// The occupancy of a kernel for blocks of `threads`, as JSON.
    fn occupancy(
        &self,
        py: Python<'_>,
        kernel: &str,
        chip: &Chip,
        threads: u32,
        shared: u32,
    ) -> PyResult<String> {
        let built = self.checked(py, chip)?;
        let Some(program) = built.module.entry(kernel) else {
            return Err(error::<LaunchError>(&format!("the module has no kernel `{kernel}`")));
        };
        let shared_bytes = program.shared_bytes.saturating_add(shared);
        let needs =
            BlockNeeds { threads, registers: program.registers, shared_bytes, barriers: program.barriers() };
        Ok(report::json::pretty(&Rules::of(&chip.chip).launched(needs, program.param_bytes)))
    }
}

impl Module {
    fn checked(&self, py: Python<'_>, chip: &Chip) -> PyResult<Arc<Built>> {
        let own = &chip.chip;
        interrupt::run(py, |_| self.built(own, false))?.map_err(|why| error::<CompileError>(&why))
    }

    /// Returns the kernels for a chip. The code is plain for checkers that need it.
    ///
    /// # Errors
    ///
    /// The messages of the compiler.
    pub fn built(&self, chip: &Configured, is_plain: bool) -> Result<Arc<Built>, String> {
        let key = (format!("{} {}", chip.capability, chip.features), is_plain);
        let lock = || self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(built) = lock().get(&key) {
            return Ok(Arc::clone(built));
        }
        let built = Arc::new(self.build(chip, is_plain)?);
        lock().insert(key, Arc::clone(&built));
        Ok(built)
    }

    fn build(&self, chip: &Configured, is_plain: bool) -> Result<Built, String> {
        let Self { name, text, options, .. } = self;
        let optimize = options.opt_level > 0 && !is_plain;
        let max_registers = options.max_registers;
        let assembler = isa::Options { optimize, max_registers, ..isa::Options::default() };
        if self.is_ptx {
            let source = Arc::new(Source::new(name.as_str(), text.as_str()));
            let (module, warnings) = assembled(&source, assembler)?;
            let lowered = isa::lowered_for(module, chip.capability);
            let (module, more) = lowered.map_err(|errors| isa::diag::render_source(&errors, &source))?;
            let warnings = warnings + &isa::diag::render_source(&more, &source);
            let (entries, symbols) = (Vec::new(), Vec::new());
            return Ok(Built { ptx: text.clone(), module, entries, symbols, warnings });
        }
        let how =
            Compilation::new(options.compile(), &options.preprocess()).on(chip.capability, chip.features);
        let target = how.target();
        let quoted = how.quoted([Path::new(name)]);
        let load = |wanted: &str, from: &str, is_angled| {
            how.load(wanted, (from, is_angled), &quoted).map(|(_, file)| file)
        };
        let compiled = cuda::compile(name, text, &load, target, &options.of(target));
        let warnings = compiled.messages();
        let Some(ptx) = compiled.ptx else { return Err(warnings) };
        let symbols = compiled.variables.symbols.clone();
        let source = cuda::listing(name, text, &ptx, compiled.variables);
        let (module, more) = assembled(&source, assembler)?;
        Ok(Built { ptx, module, entries: compiled.entries, symbols, warnings: warnings + &more })
    }
}

/// Compiles PTX. Returns its warnings, too.
fn assembled(source: &Arc<Source>, options: isa::Options) -> Result<(uop::Module, String), String> {
    let (module, diagnostics) = isa::compile_source(source, options);
    let messages = isa::diag::render_source(&diagnostics, source);
    match module {
        Some(module) => Ok((module, messages)),
        None => Err(messages),
    }
}

impl Built {
    fn kernel(&self, program: &uop::Program) -> Kernel {
        let entry = self.entries.iter().find(|entry| entry.symbol == program.name);
        let pointees = pointers::of(program);
        let parameter = |(at, param): (usize, &uop::Param)| {
            let declared = entry.and_then(|entry| entry.parameters.get(at));
            let name = declared.map_or_else(|| param.name.clone(), |declared| declared.name.clone());
            let c_type = declared.map(|declared| declared.c_type.clone());
            let is_pointer = c_type.as_ref().map_or_else(
                || pointees.get(at).is_some_and(Option::is_some),
                |c_type| c_type.contains('*') || c_type.contains('&'),
            );
            Parameter {
                name,
                c_type,
                ptx_type: param.ty.to_string().trim_start_matches('.').to_owned(),
                bytes: param.bytes,
                is_pointer,
            }
        };
        Kernel {
            name: entry.map_or_else(|| c_name(&self.module, program).to_owned(), |entry| entry.name.clone()),
            symbol: program.name.clone(),
            parameters: program.params.iter().enumerate().map(parameter).collect(),
            registers: program.registers,
            shared_bytes: program.shared_bytes,
            local_bytes: program.local_bytes,
            param_bytes: program.param_bytes,
            required_block: program.required_block,
            instructions: program.code.len(),
        }
    }

    /// Returns the name in PTX of a variable of CUDA C.
    pub fn symbol<'s>(&'s self, name: &'s str) -> &'s str {
        self.symbols.iter().find(|symbol| symbol.name == name).map_or(name, |symbol| &symbol.symbol)
    }
}

/// Whether a text is PTX.
#[pyfunction]
pub fn is_ptx(text: &str) -> bool {
    is_module(text)
}

/// Extents of a grid or block.
pub fn extents([x, y, z]: [u32; 3]) -> Dim3 {
    Dim3::new(x, y, z)
}

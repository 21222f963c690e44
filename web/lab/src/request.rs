//! A run as the page describes it: kernel, launch, chip and options, with the names of the command
//! line.

pub use crate::named::{NamedBytes, NamedText};

use crate::cuda_c;
use isa::Options;
use isa::diag::{nearest, render_all};
use isa::uop::Module;
use kernels::{Settings, Workload};
use report::exit::Failure;
use report::launch_file::{self, Plan, complaints, names_ptx, watchdog_cycles};
use report::outcome::RunResult;
use report::provenance::Provenance;
use serde::Deserialize;
use sim_core::check::{Check as Checker, Checks};
use sim_core::config::Chip;
use sim_core::config::base::{Text, Texts};
use sim_core::config::builtin::builtin_names;
use sim_core::host::{BarrierRule, CachePreference, Gpu, Mode, RunOptions};
use std::path::Path;

/// Rule for the lanes of a warp at a barrier.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Barriers {
    /// All live lanes must arrive together.
    #[default]
    Strict,
    /// Any lane is enough.
    Hardware,
}

/// Division of an SM's memory.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Cache {
    /// The default of the chip.
    PreferNone,
    /// More shared memory.
    PreferShared,
    /// More L1.
    PreferL1,
}

/// A checker.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CheckName {
    /// Memory accesses.
    Memory,
    /// Races.
    Race,
    /// Reads of values that were not written.
    Init,
    /// Barriers.
    Sync,
    /// All of them.
    All,
}

/// A run.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// Name of a built-in kernel; the other choice is `ptx` with `launch`.
    pub kernel: Option<String>,
    /// Problem size of a built-in kernel.
    pub size: Option<u64>,
    /// PTX text, or CUDA C in a file `.cu`.
    pub ptx: Option<NamedText>,
    /// Launch file of the text; a program in CUDA C has none.
    pub launch: Option<NamedText>,
    /// Name of a built-in chip; the default chip if it is absent.
    pub chip: Option<String>,
    /// Chip file, instead of a built-in chip.
    pub chip_file: Option<NamedText>,
    /// Overrides of the chip, path and value.
    pub sets: Vec<(String, String)>,
    /// Registers per thread.
    pub registers: Option<u32>,
    /// Rule at barriers.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub barriers: Barriers,
    /// Division of an SM's memory.
    pub cache: Option<Cache>,
    /// Limit of a launch.
    pub max_cycles: Option<u64>,
    /// Optimization level of the compiler; absent means 3.
    pub opt_level: Option<u32>,
    /// Whether products and sums are fused.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub fmad: bool,
    /// Whether the functional machine runs the kernel.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub functional: bool,
    /// Arguments of a program with its host code: words as in a shell.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub arguments: String,
    /// Standard input of a program with its host code.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub input: String,
    /// Files in the folder of the program.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub files: Vec<NamedBytes>,
    /// Checkers; they run on the functional machine.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub checks: Vec<CheckName>,
}

/// The kernel of a request, compiled.
#[derive(Debug)]
pub enum Program {
    /// A built-in kernel.
    Builtin(&'static Workload, Module),
    /// PTX or CUDA C with its launch file.
    Custom(Module, NamedText, NamedText),
    /// CUDA C with its host code.
    Host(Box<cuda_c::Program>),
}

/// A request whose kernel and chip are valid.
#[derive(Debug)]
pub struct Ready {
    /// The kernel.
    pub program: Program,
    /// The chip.
    pub chip: Chip,
    /// Texts of the chip.
    pub texts: Texts,
    /// Origin of the numbers.
    pub provenance: Provenance,
    /// Settings of the launches.
    pub settings: Settings,
    /// Checkers that are on.
    pub checks: Checks,
    /// Messages that are no errors.
    pub warnings: Vec<String>,
}

impl Request {
    /// Parses the JSON of a request.
    ///
    /// # Errors
    ///
    /// If the text is not a request: the page and the module are of different versions.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        serde_json::from_str(text).map_err(|why| Failure::input(format!("error: invalid request: {why}")))
    }

    /// Returns the checkers that are on.
    pub fn checks(&self) -> Checks {
        self.checks.iter().fold(Checks::NONE, |checks, name| match name {
            CheckName::Memory => checks.and(Checker::Memory),
            CheckName::Race => checks.and(Checker::Race),
            CheckName::Init => checks.and(Checker::Init),
            CheckName::Sync => checks.and(Checker::Sync),
            CheckName::All => Checks::ALL,
        })
    }

    /// Returns the options of the compiler, as `warpsim run` chooses them.
    pub fn options(&self) -> Options {
        let optimize = self.opt_level.unwrap_or(3) > 0;
        let fmad = optimize && self.fmad;
        Options { optimize: optimize && !self.checks().need_plain_code(), fmad, ..Options::default() }
    }

    pub(crate) fn chip_texts(&self) -> Result<(String, Texts), Failure> {
        let known = || format!("built-in chips: {}", builtin_names().collect::<Vec<_>>().join(", "));
        let base = |name: &str, _: &Text| Text::builtin(name).ok_or_else(known);
        if let Some(NamedText { name, text }) = &self.chip_file {
            let own = Text { id: format!("file {name}"), name: name.clone(), text: text.clone().into() };
            return Ok((name.clone(), Texts::collect(own, base)));
        }
        let name = self.chip.as_deref().unwrap_or(report::provenance::DEFAULT_CHIP);
        let own = Text::builtin(name).ok_or_else(|| {
            let near = nearest(name, builtin_names());
            let near = near.map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"));
            Failure::input(format!("error: unknown chip `{name}`{near}\nhelp: {}", known()))
        })?;
        Ok((name.to_owned(), Texts::collect(own, base)))
    }

    /// Returns the chip with its overrides.
    ///
    /// # Errors
    ///
    /// If the chip or an override is invalid.
    pub fn chip(&self) -> Result<Chip, Failure> {
        let (_, texts) = self.chip_texts()?;
        let chip = Chip::from_texts(&texts, &self.sets);
        chip.map(|(chip, _)| chip).map_err(|why| Failure::input(why.to_string()))
    }

    /// Compiles the kernel. Warnings go to `warnings`.
    fn program(&self, chip: &Chip, warnings: &mut Vec<String>) -> Result<Program, Failure> {
        if let Some(name) = &self.kernel {
            let workload = kernels::find(name)
                .ok_or_else(|| Failure::input(format!("error: unknown kernel `{name}`")))?;
            let module = workload.compile_with(self.options())?;
            return Ok(Program::Builtin(workload, module));
        }
        let Some(ptx) = &self.ptx else {
            return Err(Failure::input("error: the request has neither a kernel nor PTX"));
        };
        let level = self.opt_level.unwrap_or(3);
        if cuda_c::is_cuda_c(&ptx.name) && self.launch.is_none() {
            let (mut program, drawn) = cuda_c::program(ptx, chip, level)?;
            program.arguments = cuda_c::words(&self.arguments)?;
            program.input.clone_from(&self.input);
            program.folder = cuda_c::folder(&self.files)?;
            warnings.extend(Some(drawn).filter(|drawn| !drawn.is_empty()));
            return Ok(Program::Host(Box::new(program)));
        }
        let launch = self.launch.clone().ok_or_else(|| {
            Failure::input("error: PTX requires a launch file\nhelp: use `New launch file` to write one")
        })?;
        if names_ptx(&launch.text) {
            let message = format!("error: {} links PTX files, and the lab has only one", launch.name);
            return Err(Failure::input(message + "\nhelp: remove `ptx`, or use the command line"));
        }
        if cuda_c::is_cuda_c(&ptx.name) {
            let (module, drawn) = cuda_c::module(ptx, chip, level, self.options())?;
            warnings.extend(Some(drawn).filter(|drawn| !drawn.is_empty()));
            return Ok(Program::Custom(module, ptx.clone(), launch));
        }
        let (module, diagnostics) = isa::compile_with(&ptx.name, &ptx.text, self.options());
        let drawn = render_all(&diagnostics, &ptx.name, &ptx.text);
        let Some(module) = module else {
            let more = complaints(Path::new(&launch.name), &launch.text);
            let gap = if more.is_empty() { "" } else { "\n\n" };
            return Err(Failure::input(format!("{drawn}{gap}{more}")));
        };
        if !drawn.is_empty() {
            warnings.push(drawn);
        }
        Ok(Program::Custom(module, ptx.clone(), launch))
    }

    /// Compiles the kernel and makes the chip.
    ///
    /// # Errors
    ///
    /// The messages of `warpsim run` for an invalid kernel or chip.
    pub fn ready(&self) -> Result<Ready, Failure> {
        let mut warnings = Vec::new();
        let (name, texts) = self.chip_texts()?;
        let (chip, complaints) =
            Chip::from_texts(&texts, &self.sets).map_err(|why| Failure::input(why.to_string()))?;
        if !complaints.is_empty() {
            warnings.push(complaints.to_string());
        }
        if !chip.simulated {
            let message = format!("chip `{}` ({}) cannot run kernels", chip.name, chip.board);
            return Err(Failure::input(format!("error: {message}: only its occupancy rules are known")));
        }
        let program = self.program(&chip, &mut warnings)?;
        let kernel = match &program {
            Program::Builtin(workload, _) => workload.name,
            Program::Custom(_, ptx, _) => &ptx.name,
            Program::Host(program) => &program.text.name,
        };
        let kernel = (kernel, self.size);
        let provenance =
            Provenance::of(kernel, program.texts().into_iter(), (&name, &self.sets), &texts, &chip);
        let checks = self.checks();
        let functional = self.functional || !checks.is_empty();
        let settings = Settings {
            size: self.size,
            mode: if functional { Mode::Functional } else { Mode::Timed },
            registers: self.registers,
            barriers: match self.barriers {
                // The launch file may say otherwise.
                Barriers::Strict => None,
                Barriers::Hardware => Some(BarrierRule::Hardware),
            },
            memory: None,
            cache: self.cache.map(|cache| match cache {
                Cache::PreferNone => CachePreference::None,
                Cache::PreferShared => CachePreference::Shared,
                Cache::PreferL1 => CachePreference::L1,
            }),
            options: RunOptions {
                threads: 1,
                max_cycles: self.max_cycles.unwrap_or_else(|| watchdog_cycles(&chip)),
                ..RunOptions::default()
            },
        };
        Ok(Ready { program, chip, texts, provenance, settings, checks, warnings })
    }
}

impl Program {
    /// Returns the source texts: PTX, and the launch file of PTX that is not built in.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::Builtin(workload, _) => vec![workload.ptx],
            Self::Custom(_, ptx, launch) => vec![&ptx.text, &launch.text],
            Self::Host(program) => vec![&program.text.text],
        }
    }

    /// Runs the kernel on `gpu`.
    ///
    /// # Errors
    ///
    /// If the launch file is invalid, or the chip refuses the launch.
    pub fn run(&self, gpu: &mut Gpu, settings: Settings) -> Result<RunResult, Failure> {
        match self {
            Self::Builtin(workload, module) => Ok(workload.run(module.clone(), gpu, settings)?.into()),
            Self::Custom(module, _, launch) => {
                let memory = gpu.chip().usable_bytes();
                let plan = Plan::read(Path::new(&launch.name), &launch.text, module, memory);
                let plan = plan.map_err(Failure::input)?;
                launch_file::run(plan, module.clone(), gpu, settings, &mut |_, _, _| Vec::new())
            }
            Self::Host(program) => {
                let (result, output) = program.run(gpu, settings);
                if result.reports.is_empty() {
                    let message = output.messages.join("\n");
                    return Err(Failure::input(format!(
                        "{}error: the program launches no kernel\n{message}",
                        output.text
                    )));
                }
                Ok(result)
            }
        }
    }
}

//! The JSON of the page that describes a run, read as the request that the command line makes.

pub use crate::named::{NamedBytes, NamedText};

use crate::cuda_c::{self, is_cuda_c};
use ::request::compilation::CompileArgs;
use ::request::options::{Barriers, Cache, ChipArgs, RuleArgs};
use ::request::prepared::provenance;
use ::request::program::Program;
use ::request::ptx::Ptx;
use ::request::streams::Input;
use ::request::{Compilation, Prepared, Source, Sources};
use isa::diag::nearest;
use isa::uop::Module;
use kernels::Settings;
use report::exit::Failure;
use report::outcome::RunResult;
use report::provenance::Provenance;
use serde::Deserialize;
use sim_core::check::{Check as Checker, Checks};
use sim_core::config::Chip;
use sim_core::config::base::{Text, Texts};
use sim_core::config::builtin::{DEFAULT_CHIP, builtin_names};
use sim_core::host::{Gpu, Mode};
use std::sync::Mutex;

/// Checkers that the page can select.
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
    pub barriers: Option<Barriers>,
    /// Division of an SM's memory.
    pub cache: Option<Cache>,
    /// Limit of a launch.
    pub max_cycles: Option<u64>,
    /// Optimization level of the compiler; absent means 3.
    pub opt_level: Option<u32>,
    /// Whether products and sums are fused; absent means in CUDA C.
    pub fmad: Option<bool>,
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

/// A request whose kernel and chip are valid.
pub struct Ready {
    /// Compiled input of the run.
    pub prepared: Prepared,
    /// Chip with its settings.
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

    /// The same as a request of the command line.
    ///
    /// # Errors
    ///
    /// There is neither a kernel nor a text, or the arguments are not words.
    pub fn run(&self) -> Result<::request::Request, Failure> {
        let name = match (&self.kernel, &self.ptx) {
            (Some(name), _) => name,
            (None, Some(text)) => &text.name,
            (None, None) => return Err(Failure::input("error: the request has neither a kernel nor PTX")),
        };
        if self.kernel.is_none() && kernels::find(name).is_some() {
            let message = format!("error: `{name}` is the name of a built-in kernel");
            return Err(Failure::input(
                message + "\nhelp: give the text a name that ends in `.ptx` or `.cu`",
            ));
        }
        let texts = [&self.ptx, &self.launch].into_iter().flatten();
        Ok(::request::Request {
            launch: self.launch.as_ref().map(|launch| launch.name.clone().into()),
            size: self.size,
            registers: self.registers,
            compile: CompileArgs {
                opt_level: self.opt_level.unwrap_or(3),
                fmad: self.fmad,
                ..CompileArgs::default()
            },
            rules: RuleArgs { barriers: self.barriers, memory: None },
            cache: self.cache,
            max_cycles: self.max_cycles,
            program_arguments: cuda_c::words(&self.arguments)?.into_iter().map(Into::into).collect(),
            sources: Sources::only(texts.map(|text| (&text.name, text.text.clone()))),
            ..::request::Request::new(name)
        })
    }

    fn compilation(&self, run: &::request::Request, chip: &Chip) -> Compilation {
        let mut how = run.compilation(chip);
        how.options.optimize &= !self.checks().need_plain_code();
        how
    }

    /// Compiles the kernels, without a launch.
    ///
    /// # Errors
    ///
    /// The messages about a text with errors.
    pub fn module(&self) -> Result<Module, Failure> {
        let run = self.run()?;
        let how = self.compilation(&run, &self.chip()?);
        if run.is_program() {
            return Ok(Program::new(&run, &how, &mut |_| {})??.module().clone());
        }
        Ptx::of(&run.kernel, &how)?.compile(&how, &mut |_| {})
    }

    fn chip_args(&self) -> ChipArgs {
        let file = self.chip_file.as_ref().map(|file| file.name.as_str());
        let chip = file.or(self.chip.as_deref()).unwrap_or(DEFAULT_CHIP).to_owned();
        ChipArgs { chip, sets: self.sets.iter().map(|(path, value)| format!("{path}={value}")).collect() }
    }

    pub(crate) fn chip_texts(&self) -> Result<Texts, Failure> {
        let known = || format!("built-in chips: {}", builtin_names().collect::<Vec<_>>().join(", "));
        let base = |name: &str, _: &Text| Text::builtin(name).ok_or_else(known);
        if let Some(NamedText { name, text }) = &self.chip_file {
            let own = Text { id: format!("file {name}"), name: name.clone(), text: text.clone().into() };
            return Ok(Texts::collect(own, base));
        }
        let name = self.chip.as_deref().unwrap_or(DEFAULT_CHIP);
        let own = Text::builtin(name).ok_or_else(|| {
            let near = nearest(name, builtin_names());
            let near = near.map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"));
            Failure::input(format!("error: unknown chip `{name}`{near}\nhelp: {}", known()))
        })?;
        Ok(Texts::collect(own, base))
    }

    /// Returns the chip with its overrides.
    ///
    /// # Errors
    ///
    /// If the chip or an override is invalid.
    pub fn chip(&self) -> Result<Chip, Failure> {
        let texts = self.chip_texts()?;
        let chip = Chip::from_texts(&texts, &self.sets);
        chip.map(|(chip, _)| chip).map_err(|why| Failure::input(why.to_string()))
    }

    /// Compiles the kernel and makes the chip.
    ///
    /// # Errors
    ///
    /// The messages of `warpsim run` for an invalid kernel or chip.
    pub fn ready(&self) -> Result<Ready, Failure> {
        let mut warnings = Vec::new();
        let texts = self.chip_texts()?;
        let (chip, complaints) =
            Chip::from_texts(&texts, &self.sets).map_err(|why| Failure::input(why.to_string()))?;
        if !complaints.is_empty() {
            warnings.push(complaints.to_string());
        }
        if !chip.simulated {
            let message = format!("chip `{}` ({}) cannot run kernels", chip.name, chip.board);
            return Err(Failure::input(format!("error: {message}: only its occupancy rules are known")));
        }
        let run = self.run()?;
        if self.kernel.is_none() && run.launch.is_none() && !is_cuda_c(&run.kernel) {
            let message = "error: PTX requires a launch file\nhelp: use `New launch file` to write one";
            return Err(Failure::input(message));
        }
        let how = self.compilation(&run, &chip);
        let source = Source::of(&run, &how)?;
        let mut prepared = source.prepare(&how, &mut |text| warnings.push(text.to_owned()))?;
        if let Prepared::Program(program) = &mut prepared {
            program.with.input = Input::new(Mutex::new(self.input.clone().into_bytes()));
            program.with.folder = Some(cuda_c::folder(&self.files)?);
        }
        let provenance = provenance(&run, &prepared, &self.chip_args(), &texts, &chip)?;
        let checks = self.checks();
        let functional = self.functional || !checks.is_empty();
        let mode = if functional { Mode::Functional } else { Mode::Timed };
        let settings = run.settings(mode, 1, &chip);
        Ok(Ready { prepared, chip, texts, provenance, settings, checks, warnings })
    }
}

/// Runs it on `gpu`.
///
/// # Errors
///
/// The launch file is invalid, the chip refuses a launch, or a program has none.
pub fn run(prepared: &Prepared, gpu: &mut Gpu, settings: Settings) -> Result<RunResult, Failure> {
    let result = prepared.run(gpu, settings)?;
    match result.lost().filter(|_| result.reports.is_empty()) {
        None => Ok(result),
        Some(why) => {
            let messages = result.program.map_or_else(Vec::new, |ran| ran.messages).join("\n");
            Err(Failure::input(format!("error: {why}\n{messages}")))
        }
    }
}

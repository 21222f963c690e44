//! Counterexamples: a kernel, its launch and its chip as plain text and numbers, made as small as
//! possible ([`reduce`]) and written as a [`folder`] that the program replays.

pub mod folder;
mod kernel;
pub mod reduce;

use crate::generate::chip::ChipSpec;
use crate::rule::{Checker, Property, Violation};
use crate::run::Prepared;
use sim_core::config::Chip;
use sim_core::host::{Arg, Gpu, Launch, Mode, RunOptions};
use sim_core::scheduler::OwnScheduler;
use sim_core::stats::Report;
use std::fmt;

/// Limit in shader cycles of a run of an example.
const LONGEST: u64 = 20_000_000;

/// Limit in warp instructions of a run of an example on the functional machine.
const MOST_INSTRUCTIONS: u64 = 1_000_000;

/// A buffer in device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Name, also of the kernel's parameter.
    pub name: String,
    /// Contents before the launch.
    pub bytes: Vec<u8>,
}

/// A kernel with its launch and its chip. The entry is `k`; its parameters are the addresses of the
/// buffers, in their order.
#[derive(Clone)]
pub struct Example {
    /// The kernel in PTX.
    pub text: String,
    /// Number of blocks.
    pub blocks: u32,
    /// Threads per block.
    pub threads: u32,
    /// Buffers of the launch by their names.
    pub buffers: Vec<Buffer>,
    /// Chip on which the example runs.
    pub chip: ChipSpec,
    /// A user's scheduling policy instead of the chip's.
    pub scheduler: Option<OwnScheduler>,
}

/// A number of things.
fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl fmt::Debug for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, blocks, threads, chip, .. } = self;
        let (of_blocks, of_threads) = (counted(*blocks, "block"), counted(*threads, "thread"));
        write!(f, "{of_blocks} of {of_threads} on {chip:?}\n{text}")
    }
}

/// Results of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// Contents of the buffers.
    pub buffers: Vec<Buffer>,
    /// Shader cycles; 0 on the functional machine.
    pub cycles: u64,
    /// Warp instructions.
    pub instructions: u64,
    /// Blocks that one SM holds at a time.
    pub blocks_per_sm: u32,
}

/// Why an example did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The kernel does not compile, or the chip or the launch is refused.
    Invalid(String),
    /// A property does not hold, or the launch does not finish.
    Broken(Box<Violation>),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) => write!(f, "invalid: {why}"),
            Self::Broken(violation) => violation.fmt(f),
        }
    }
}

impl Failure {
    /// Name of the broken property.
    pub fn property(&self) -> Option<&'static str> {
        if let Self::Broken(violation) = self { Some(violation.property) } else { None }
    }

    /// The failure on a chip with these settings, which the test of an example may have changed.
    fn on(mut self, chip: &ChipSpec) -> Self {
        if let Self::Broken(violation) = &mut self {
            violation.settings = Some(chip.sets.clone());
        }
        self
    }
}

impl Example {
    /// The example of a generated case.
    pub fn of(prepared: &Prepared) -> Self {
        let case = prepared.case();
        Self {
            text: prepared.text().to_owned(),
            blocks: case.extents.blocks,
            threads: case.extents.threads,
            buffers: prepared
                .buffers()
                .map(|(name, bytes)| Buffer { name: name.to_owned(), bytes })
                .collect(),
            chip: case.chip.clone(),
            scheduler: prepared.scheduler.clone(),
        }
    }

    /// The example under a user's scheduling policy.
    #[must_use]
    pub fn under(&self, scheduler: OwnScheduler) -> Self {
        Self { scheduler: Some(scheduler), ..self.clone() }
    }

    /// The example on a chip with other values for some settings.
    #[must_use]
    pub fn with(&self, sets: &[(&str, &str)]) -> Self {
        Self { chip: self.chip.clone().with(sets), ..self.clone() }
    }

    /// Tests a property in a timed run.
    pub fn keeps(&self, property: &Property) -> Result<(), Failure> {
        self.test(RunOptions::default(), vec![property.clone()]).map(|_| ())
    }

    /// Number of instructions of the kernel's text.
    pub fn instructions(&self) -> usize {
        kernel::instructions(&self.text)
    }

    /// Tests properties in a timed run, and returns how often each was put to the test.
    pub fn test(&self, options: RunOptions, properties: Vec<Property>) -> Result<Vec<u64>, Failure> {
        let tested = self.test_on(self.chip.checked().map_err(Failure::Invalid)?, options, properties);
        tested.map_err(|failure| failure.on(&self.chip))
    }

    /// As [`Self::test`], on `chip`.
    pub(crate) fn test_on(
        &self,
        chip: Chip,
        options: RunOptions,
        properties: Vec<Property>,
    ) -> Result<Vec<u64>, Failure> {
        let (mut gpu, launch) = self.ready(chip)?;
        let checker = Checker::of(&mut gpu, properties);
        let options = RunOptions { max_cycles: LONGEST.min(options.max_cycles), ..options };
        let report = gpu.launch(&launch.mode(Mode::Timed).options(options));
        let report = report.map_err(|e| Failure::Invalid(e.to_string()))?;
        let outcome = checker.outcome();
        match outcome.violation {
            Some(violation) => {
                Err(Failure::Broken(Box::new(Violation { policy: self.policy(), ..violation })))
            }
            None if report.verdict.is_finished() => Ok(outcome.tested),
            None => Err(self.unfinished(&report)),
        }
    }

    /// Runs the kernel, and returns what it leaves.
    pub fn run(&self, mode: Mode, options: RunOptions) -> Result<Ran, Failure> {
        let (mut gpu, launch) = self.ready(self.chip.checked().map_err(Failure::Invalid)?)?;
        let options = RunOptions { max_cycles: LONGEST.min(options.max_cycles), ..options };
        let report = gpu.launch(&launch.clone().mode(mode).options(options));
        let report = report.map_err(|e| Failure::Invalid(e.to_string()))?;
        if !report.verdict.is_finished() {
            return Err(self.unfinished(&report));
        }
        let read = |(buffer, arg): (&Buffer, &Arg)| {
            let mut bytes = vec![0; buffer.bytes.len()];
            if let Arg::Ptr(at) = arg {
                gpu.copy_out(*at, &mut bytes).map_err(|e| Failure::Invalid(e.to_string()))?;
            }
            Ok(Buffer { name: buffer.name.clone(), bytes })
        };
        Ok(Ran {
            buffers: self.buffers.iter().zip(&launch.args).map(read).collect::<Result<_, Failure>>()?,
            cycles: report.timing.as_ref().map_or(0, |timing| timing.cycles),
            instructions: report.instructions.warp,
            blocks_per_sm: report.launch.occupancy.blocks,
        })
    }

    /// Name of the user's policy.
    fn policy(&self) -> Option<String> {
        self.scheduler.as_ref().map(|own| own.name().to_owned())
    }

    /// The failure of a launch that has not finished.
    fn unfinished(&self, report: &Report) -> Failure {
        Failure::Broken(Box::new(Violation {
            property: "finishes",
            sentence: "Every launch finishes.",
            policy: self.policy(),
            settings: Some(self.chip.sets.clone()),
            sm: None,
            cycle: report.timing.as_ref().map_or(0, |timing| timing.slots.issue_cycles),
            found: format!("{:?}", report.verdict),
            events: Vec::new(),
        }))
    }

    /// Whether the kernel ends on the functional machine, after a moderate number of instructions.
    pub fn ends(&self) -> bool {
        let Some((mut gpu, launch)) = self.chip.checked().ok().and_then(|chip| self.ready(chip).ok()) else {
            return false;
        };
        let options = RunOptions { max_cycles: MOST_INSTRUCTIONS, ..RunOptions::default() };
        let report = gpu.launch(&launch.mode(Mode::Functional).options(options));
        report.is_ok_and(|report| report.verdict.is_finished())
    }

    /// The GPU with the buffers, and the launch.
    fn ready(&self, chip: Chip) -> Result<(Gpu, Launch), Failure> {
        let invalid = |why: String| Failure::Invalid(why);
        let (module, diagnostics) = isa::compile("kernel.ptx", &self.text);
        let module = module.ok_or_else(|| Failure::Invalid(format!("{diagnostics:?}")))?;
        let mut gpu = Gpu::new(chip);
        gpu.set_scheduler(self.scheduler.clone());
        let module = gpu.load(module).map_err(|e| invalid(e.to_string()))?;
        let mut args = Vec::new();
        for Buffer { name, bytes } in &self.buffers {
            let ptr = gpu.malloc_named(bytes.len() as u64, Some(name)).map_err(|e| invalid(e.to_string()))?;
            gpu.copy_in(ptr, bytes).map_err(|e| invalid(e.to_string()))?;
            args.push(Arg::Ptr(ptr));
        }
        Ok((gpu, Launch::new(module, "k", self.blocks, self.threads).args(args)))
    }
}

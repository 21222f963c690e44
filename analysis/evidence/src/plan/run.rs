//! Runs of a plan: what is launched, and the named values of its result.

use super::Values;
use super::code::code;
use super::host::{self, Call};
use super::kernel::Kernel;
use super::on::{On, shape};
use super::programs::Program;
use super::result::Ran;
use super::scope::Scope;
use super::source::Source;
use super::texts;
use crate::chain::Chain;
use crate::measure::unit::Unit;
use crate::measure::{self, Scale, table};
use crate::pending_loads::PendingLoads;
use crate::residents::{resident_with, too_many_threads};
use crate::runner::Runner;
use crate::why::Used;
use kernels::RunError;
use report::metrics::Reports;
use serde::Deserialize;
use sim_core::config::{CachePreference, Chip};
use sim_core::host::{HostError, LaunchError, Mode};
use sim_core::occupancy::rules::CAPABILITIES;
use sim_core::occupancy::{BlockNeeds, SmResources};

/// One run. Texts are templates, numbers are formulas.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the comment of a variant describes its fields")]
pub enum Run {
    /// Facts of a chip, without a launch.
    Board(On),
    /// The occupancy calculator for bare blocks that need only threads and shared memory, by the
    /// chip or by the `rules` of another compute capability.
    Bare {
        on: On,
        #[serde(default)]
        rules: Option<String>,
        threads: String,
        #[serde(default)]
        shared: Option<String>,
        #[serde(default)]
        cache: Option<Cache>,
    },
    /// A launch of blocks that record when they are resident: every SM must hold as many as the
    /// calculator says. With `or_refused` the chip must refuse blocks of too many threads.
    Resident {
        on: On,
        block: Vec<String>,
        #[serde(default)]
        or_refused: bool,
        #[serde(default)]
        registers: Option<String>,
        #[serde(default)]
        shared: Option<String>,
        #[serde(default)]
        cache: Option<Cache>,
    },
    /// The same with too many threads per block, which the chip must refuse.
    TooManyThreads { on: On, block: Vec<String> },
    /// A built-in workload, whose result is checked.
    Workload {
        on: On,
        name: String,
        size: String,
        #[serde(default)]
        functional: bool,
        /// Observe the `pending` loads: the largest number of loads of threads on an SM.
        #[serde(default)]
        pending: bool,
    },
    /// A program with a rate.
    Program(On, Program),
    /// The value of a program of the published measurements, in its unit.
    Measure(On, table::Program, Unit),
    /// A kernel of the experiments.
    Kernel(Box<Kernel>),
    /// A kernel in OpenCL C or CUDA C.
    Source(Box<Source>),
    /// A kernel of the plan, with more values, whose texts are templates.
    Launch(String, Values),
    /// A chain of `body` in some warps of one block: cycles of one body, and results per clock. The
    /// filler is repeated after each body.
    Chain {
        on: On,
        warps: String,
        body: String,
        #[serde(default)]
        filler: Option<(String, String)>,
        more: usize,
    },
    /// Calls of the host, which launch an entry of a file.
    Host { on: On, file: String, entry: String, calls: Vec<Call> },
    /// The lowered code of the first entry of a file.
    Code { on: On, file: String },
    /// A module that is only loaded.
    Load { on: On, text: String },
    /// A run that may be refused: the `message`, whether it contains all texts of `because`
    /// (`named`), its line from the first of them on (`said`), and the numbers `needed` and
    /// `available` of an exceeded limit.
    Refused {
        run: Box<Self>,
        #[serde(default)]
        because: Vec<String>,
    },
    /// A run in functional mode.
    Functional(Box<Self>),
    /// A curve: a run for each value of a variable.
    Curve { over: String, values: Vec<String>, run: Box<Self> },
}

/// Preference of a launch for shared memory or the L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Cache {
    /// The L1.
    L1,
    /// Shared memory.
    Shared,
}

impl Cache {
    fn preference(of: Option<Self>) -> CachePreference {
        match of {
            None => CachePreference::None,
            Some(Self::L1) => CachePreference::L1,
            Some(Self::Shared) => CachePreference::Shared,
        }
    }
}

impl Run {
    /// Makes the run, in a mode if a mode is given, otherwise timed.
    ///
    /// # Errors
    /// A launch is refused or does not finish, a result is wrong, or a name is unknown.
    pub fn run(&self, runner: &Runner, scope: &Scope<'_>, mode: Option<Mode>) -> Result<Ran, RunError> {
        let whole = |formula: &String| scope.number(formula).map(|number| number as u32);
        let some = |formula: &Option<String>| formula.as_ref().map(whole).transpose();
        let mut ran = Ran::default();
        match self {
            Self::Board(on) => ran.board(&on.chip(runner, scope)?),
            Self::Bare { on, rules, threads, shared, cache } => {
                let shared_bytes = some(shared)?.unwrap_or(0);
                let chip = on.chip(runner, scope)?;
                let chip = chip.divided(Cache::preference(*cache), shared_bytes.into());
                let needs = BlockNeeds { threads: whole(threads)?, registers: 0, shared_bytes, barriers: 0 };
                ran.board(&chip);
                let sm = match rules {
                    Some(rules) => without_board(&scope.text(rules)?)?,
                    None => SmResources::of(&chip),
                };
                ran.occupancy(&sm.occupancy(needs), sm.max_warps);
            }
            Self::Resident { on, block, or_refused, registers, shared, cache } => {
                let chip = on.chip(runner, scope)?;
                let (registers, shared) = (some(registers)?, some(shared)?);
                let block = shape(scope, block)?;
                if *or_refused && block.count() > chip.limits.threads_per_block.into() {
                    too_many_threads(runner, &chip, block)?;
                    ran.text("share", "refused");
                    return Ok(ran);
                }
                let found = resident_with(runner, &chip, block, |launch| {
                    launch.registers = registers;
                    launch.dynamic_shared = shared.unwrap_or(0);
                    launch.cache = Cache::preference(*cache);
                })?;
                ran.board(&chip);
                ran.occupancy(&found, chip.sm.max_warps);
            }
            Self::TooManyThreads { on, block } => {
                let chip = on.chip(runner, scope)?;
                let (message, needed, allowed) = too_many_threads(runner, &chip, shape(scope, block)?)?;
                ran.text("message", message);
                ran.number("needed", needed as f64);
                ran.number("allowed", allowed as f64);
            }
            Self::Workload { on, name, size, functional, pending } => {
                let mode = if *functional { Mode::Functional } else { mode.unwrap_or(Mode::Timed) };
                let size = scope.number(size)? as u64;
                let chip = on.chip(runner, scope)?;
                return workload(runner, &chip, mode, &scope.text(name)?, size, *pending);
            }
            Self::Program(on, program) => return program.run(runner, on, scope),
            Self::Measure(on, program, unit) => {
                let chip = on.chip(runner, scope)?;
                ran.number("value", measure::value(program, *unit, 1, &chip, Scale::Short)?.value);
                ran.board(&chip);
            }
            Self::Kernel(kernel) => return kernel.run(runner, scope, mode.unwrap_or(Mode::Timed)),
            Self::Source(source) => return source.run(runner, scope, mode.unwrap_or(Mode::Timed)),
            Self::Launch(name, values) => {
                let kernel = scope.claim.experiment.as_ref().and_then(|plan| plan.kernels.get(name));
                let kernel = kernel.ok_or_else(|| RunError::Unknown(name.clone()))?;
                let values = scope.filled(values)?;
                return kernel.run(runner, &scope.over(&values), mode.unwrap_or(Mode::Timed));
            }
            Self::Chain { on, warps, body, filler, more } => {
                let chip = on.chip(runner, scope)?;
                let mut body = scope.text(body)?;
                if let Some((text, times)) = filler {
                    body += &text.repeat(scope.number(times)? as usize);
                }
                ran.board(&chip);
                let chain = Chain::on(chip).warps(whole(warps)?);
                let (cycles, report) = chain.measured(&body, *more)?;
                ran.used = Some(Used::of(&report));
                ran.number("cycles", cycles);
                ran.number("rate", f64::from(chain.warps * 32) / cycles);
            }
            Self::Host { on, file, entry, calls } => {
                let (file, text) = texts::text(file)?;
                return host::run(runner, on, (file, &text, entry), calls, scope);
            }
            Self::Code { on, file } => return code(runner, on, file, scope),
            Self::Functional(run) => return run.run(runner, scope, Some(Mode::Functional)),
            Self::Load { on, text } => {
                runner.lab(on.chip(runner, scope)?, "module.ptx", &scope.text(text)?)?;
            }
            Self::Refused { run, because } => {
                let accepted = if matches!(**run, Self::Load { .. }) { "loaded" } else { "it runs" };
                let texts = because.iter().map(|text| scope.text(text)).collect::<Result<Vec<_>, _>>()?;
                return Ok(refused(run.run(runner, scope, mode).err(), accepted, &texts));
            }
            Self::Curve { over, values, run } => {
                ran.over.clone_from(over);
                for value in scope.numbers(values)? {
                    let point = run.run(runner, &scope.with(over, value), mode)?;
                    ran.points.push((value, point));
                }
            }
        }
        Ok(ran)
    }
}

/// Runs [`Run::Workload`].
fn workload(
    runner: &Runner,
    chip: &Chip,
    mode: Mode,
    name: &str,
    size: u64,
    pending: bool,
) -> Result<Ran, RunError> {
    let most = PendingLoads::default();
    let observed = if pending { most.observed(runner) } else { runner.clone() };
    let outcome = observed.workload_on(mode, chip.clone(), name, Some(size))?;
    let mut ran = Ran::default();
    ran.reports = Some(Reports::new(&outcome.reports));
    ran.number("pending", most.most() as f64);
    ran.board(chip);
    if let Some(report) = outcome.reports.last() {
        ran.text("limits", crate::residents::limits_in_words(&report.launch.occupancy));
    }
    Ok(ran)
}

/// Returns the SM resources of a compute capability without a board.
fn without_board(capability: &str) -> Result<SmResources, RunError> {
    let rules = CAPABILITIES.into_iter().find(|rules| rules.capability.to_string() == capability);
    let unknown = || RunError::Chip(format!("there are no rules of compute capability {capability}"));
    rules.map(|rules| rules.sm).ok_or_else(unknown)
}

/// The result of a run that may be refused: [`Run::Refused`].
fn refused(refusal: Option<RunError>, accepted: &str, because: &[String]) -> Ran {
    let mut ran = Ran::default();
    ran.number("refused", f64::from(refusal.is_some()));
    let exceeded = match &refusal {
        Some(RunError::Host(
            HostError::ConstantMemory { needed, available }
            | HostError::Launch(LaunchError::Limit { needed, available, .. }),
        )) => Some((*needed as f64, *available as f64)),
        _ => None,
    };
    if let Some((needed, available)) = exceeded {
        ran.number("needed", needed);
        ran.number("available", available);
    }
    let message = refusal.map_or_else(|| accepted.to_owned(), |why| why.to_string());
    let named = because.iter().all(|text| message.contains(text));
    ran.number("named", f64::from(named));
    let from = because.first().and_then(|text| message.find(text)).map(|at| &message[at..]);
    ran.text("said", from.and_then(|from| from.lines().next()).unwrap_or(&message));
    ran.text("message", message);
    ran
}

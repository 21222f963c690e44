//! Runs of a plan: what is launched, and the named values of its result.

use super::result::Ran;
use super::scope::Scope;
use crate::chain::Chain;
use crate::experiments::perf::products::{self, Widths};
use crate::measure::programs::matmul::Variant;
use crate::probe::{Probe, UNTOUCHED};
use crate::residents::{resident_with, too_many_threads};
use crate::runner::Runner;
use isa::Options;
use isa::types::Dim3;
use kernels::RunError;
use kernels::matmul::Tiled;
use report::metrics::Reports;
use serde::Deserialize;
use sim_core::config::{CachePreference, Chip};
use sim_core::host::{Arg, HostError, LaunchError, Mode};
use sim_core::occupancy::{BlockNeeds, SmResources};

/// Kernels of [`Run::Kernel`] by name.
const FILES: [(&str, &str); 5] = [
    ("chain.ptx", include_str!("../../../kernels/ptx/book/chain.ptx")),
    ("divergence.ptx", include_str!("../../../kernels/ptx/book/divergence.ptx")),
    ("gather.template", include_str!("../../../kernels/ptx/book/gather.template")),
    ("one_sum.ptx", include_str!("../../../kernels/ptx/book/one_sum.ptx")),
    ("walk.ptx", include_str!("../../../kernels/ptx/book/walk.ptx")),
];

/// One run. Texts are templates, numbers are formulas.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the comment of a variant describes its fields")]
pub enum Run {
    /// Facts of a chip, without a launch.
    Board(On),
    /// The occupancy calculator for bare blocks that need only threads and shared memory.
    Bare {
        on: On,
        threads: String,
        #[serde(default)]
        shared: Option<String>,
        #[serde(default)]
        cache: Option<Cache>,
    },
    /// A launch of blocks that record when they are resident: every SM must hold as many as the
    /// calculator says.
    Resident {
        on: On,
        block: Vec<String>,
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
    Workload { on: On, name: String, size: String },
    /// A matrix product, or its first waves of blocks.
    Product {
        on: On,
        #[serde(default)]
        tile: Option<u32>,
        #[serde(default)]
        unrolled: bool,
        #[serde(default)]
        registers: Option<String>,
    },
    /// A kernel of the experiments.
    Kernel(Box<Kernel>),
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
    /// A module that is only loaded.
    Load { on: On, text: String },
    /// A run that may be refused: the `message`, whether it contains all texts of `because`
    /// (`named`), and the numbers `needed` and `available` of an exceeded limit.
    Refused {
        run: Box<Self>,
        #[serde(default)]
        because: Vec<String>,
    },
    /// A curve: a run for each value of a variable.
    Curve { over: String, values: Vec<String>, run: Box<Self> },
}

/// A built-in chip with overrides.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum On {
    /// The chip as it is.
    Chip(String),
    /// With overrides: path, value.
    With(String, Vec<(String, String)>),
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

/// A launch of a kernel. Its first argument is the output: `words` words, one for each thread if
/// `words` is missing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a row")]
pub struct Kernel {
    on: On,
    file: String,
    /// Replacements in the text: pattern, text, repetitions.
    #[serde(default)]
    fill: Vec<(String, String, String)>,
    entry: String,
    grid: String,
    block: Vec<String>,
    /// An input before the output: words, and the formula of word `i`.
    #[serde(default)]
    input: Option<(String, String)>,
    #[serde(default)]
    words: Option<String>,
    /// Further arguments of 32 bits.
    #[serde(default)]
    args: Vec<String>,
    /// Formula of the right word `i`; the words that differ are the value `wrong`.
    #[serde(default)]
    right: Option<String>,
    /// Whether the words are single-precision numbers.
    #[serde(default)]
    float: bool,
    /// Whether the experiment ends with an error if a word is wrong.
    #[serde(default)]
    must_be_right: bool,
    /// Condition on the result (`point`), without which the experiment ends with an error.
    #[serde(default)]
    must: Option<String>,
    /// Whether the output is zero before the launch.
    #[serde(default)]
    zero: bool,
    /// Whether the kernel is not optimized.
    #[serde(default)]
    plain: bool,
    /// Whether the launch is functional.
    #[serde(default)]
    functional: bool,
}

impl On {
    fn chip(&self, runner: &Runner, scope: &Scope<'_>) -> Result<Chip, RunError> {
        let (name, sets) = match self {
            Self::Chip(name) => (name, &[][..]),
            Self::With(name, sets) => (name, &sets[..]),
        };
        let sets = sets.iter().map(|(path, value)| Ok((path.as_str(), scope.text(value)?)));
        let sets = sets.collect::<Result<Vec<_>, RunError>>()?;
        let sets: Vec<(&str, &str)> = sets.iter().map(|(path, value)| (*path, value.as_str())).collect();
        runner.chip(&scope.text(name)?, &sets)
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
            Self::Bare { on, threads, shared, cache } => {
                let shared_bytes = some(shared)?.unwrap_or(0);
                let chip = on.chip(runner, scope)?;
                let chip = chip.divided(Cache::preference(*cache), shared_bytes.into());
                let needs = BlockNeeds { threads: whole(threads)?, registers: 0, shared_bytes };
                ran.board(&chip);
                ran.occupancy(&SmResources::of(&chip).occupancy(needs));
            }
            Self::Resident { on, block, registers, shared, cache } => {
                let chip = on.chip(runner, scope)?;
                let (registers, shared) = (some(registers)?, some(shared)?);
                let found = resident_with(runner, &chip, shape(scope, block)?, |launch| {
                    launch.registers = registers;
                    launch.dynamic_shared = shared.unwrap_or(0);
                    launch.cache = Cache::preference(*cache);
                })?;
                ran.board(&chip);
                ran.occupancy(&found);
            }
            Self::TooManyThreads { on, block } => {
                let chip = on.chip(runner, scope)?;
                let (message, needed, allowed) = too_many_threads(runner, &chip, shape(scope, block)?)?;
                ran.text("message", message);
                ran.number("needed", needed as f64);
                ran.number("allowed", allowed as f64);
            }
            Self::Workload { on, name, size } => {
                let chip = on.chip(runner, scope)?;
                let size = Some(scope.number(size)? as u64);
                let (mode, name) = (mode.unwrap_or(Mode::Timed), scope.text(name)?);
                let outcome = runner.workload_on(mode, chip.clone(), &name, size)?;
                ran.reports = Some(Reports::new(&outcome.reports));
                ran.board(&chip);
            }
            Self::Product { on, tile, unrolled, registers } => {
                let chip = on.chip(runner, scope)?;
                let tiled = tile.map(|tile| Tiled { unrolled: *unrolled, ..Tiled::new(tile) });
                let variant = Variant { tiled, registers: some(registers)? };
                let (gflops, report) = products::product(runner, &chip, variant, Widths::UNNAMED)?;
                ran = Ran::of(&chip, &report);
                ran.number("rate", gflops);
                ran.text("size", products::in_words(runner, Widths::UNNAMED));
                ran.text("dram", crate::why::Shares::of(&report).dram_in_words());
            }
            Self::Kernel(kernel) => return kernel.run(runner, scope, mode.unwrap_or(Mode::Timed)),
            Self::Chain { on, warps, body, filler, more } => {
                let chip = on.chip(runner, scope)?;
                let mut body = scope.text(body)?;
                if let Some((text, times)) = filler {
                    body += &text.repeat(scope.number(times)? as usize);
                }
                ran.board(&chip);
                let chain = Chain::on(chip).warps(whole(warps)?);
                ran.number("cycles", chain.cycles(&body, *more)?);
                ran.number("rate", chain.rate(&body, *more)?);
            }
            Self::Load { on, text } => {
                runner.lab(on.chip(runner, scope)?, "module.ptx", &scope.text(text)?)?;
            }
            Self::Refused { run, because } => {
                let refusal = run.run(runner, scope, mode).err();
                ran.number("refused", f64::from(refusal.is_some()));
                let exceeded = match &refusal {
                    Some(RunError::Host(HostError::ConstantMemory { needed, available })) => {
                        Some((*needed as f64, *available as f64))
                    }
                    Some(RunError::Host(HostError::Launch(LaunchError::Limit {
                        needed, available, ..
                    }))) => Some((*needed as f64, *available as f64)),
                    _ => None,
                };
                if let Some((needed, available)) = exceeded {
                    ran.number("needed", needed);
                    ran.number("available", available);
                }
                let accepted = if matches!(**run, Self::Load { .. }) { "loaded" } else { "it runs" };
                let message = refusal.map_or_else(|| accepted.to_owned(), |why| why.to_string());
                let mut named = true;
                for text in because {
                    named &= message.contains(&scope.text(text)?);
                }
                ran.number("named", f64::from(named));
                ran.text("message", message);
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

/// Returns the shape of a block.
fn shape(scope: &Scope<'_>, block: &[String]) -> Result<Dim3, RunError> {
    let sides = block.iter().map(|side| scope.number(side)).collect::<Result<Vec<_>, _>>()?;
    let side = |i: usize| sides.get(i).map_or(1, |side| *side as u32);
    Ok(Dim3::new(side(0), side(1), side(2)))
}

impl Kernel {
    fn run(&self, runner: &Runner, scope: &Scope<'_>, mode: Mode) -> Result<Ran, RunError> {
        let file = FILES.iter().find(|(name, _)| *name == self.file);
        let (file, text) = file.ok_or_else(|| RunError::Unknown(self.file.clone()))?;
        let mut text = (*text).to_owned();
        for (pattern, with, times) in &self.fill {
            text = text.replace(pattern, &scope.text(with)?.repeat(scope.number(times)? as usize));
        }
        let chip = self.on.chip(runner, scope)?;
        let options = if self.plain { Options::PLAIN } else { Options::default() };
        let mut probe = Probe::compiled(runner, chip.clone(), (file, &text), options)?;
        let (grid, block) = (scope.number(&self.grid)? as u32, shape(scope, &self.block)?);
        let words = match &self.words {
            Some(words) => scope.number(words)? as usize,
            None => grid as usize * block.count() as usize,
        };
        let bits = |formula: &str, words: usize| {
            let bits = |value: f64| if self.float { (value as f32).to_bits() } else { value as i64 as u32 };
            Ok::<Vec<u32>, RunError>(scope.each("i", formula, words)?.into_iter().map(bits).collect())
        };
        let mut args = Vec::new();
        if let Some((words, formula)) = &self.input {
            let input = bits(formula, scope.number(words)? as usize)?;
            args.push(Arg::Ptr(probe.lab.upload(&input)?));
        }
        let before = if self.zero { 0 } else { UNTOUCHED };
        let out = probe.lab.upload(&vec![before; words])?;
        args.push(Arg::Ptr(out));
        for formula in &self.args {
            args.push(Arg::U32(scope.number(formula)? as u32));
        }
        let mode = if self.functional { Mode::Functional } else { mode };
        let launch = probe.launch(&self.entry, grid, block).args(args).mode(mode);
        let report = match probe.run(&launch) {
            // A refused launch has executed nothing.
            Err(RunError::Host(refusal @ HostError::Launch(_))) => {
                let touched = probe.lab.download(out, words)?.iter().any(|word| *word != before);
                let what = || RunError::Wrong(format!("`{}` was refused, but has stored words", self.entry));
                return Err(if touched { what() } else { refusal.into() });
            }
            report => report?,
        };
        let mut ran = Ran::of(&chip, &report);
        if let Some(right) = &self.right {
            let (found, right) = (probe.lab.download(out, words)?, bits(right, words)?);
            let wrong = found.iter().zip(&right).filter(|(found, right)| found != right).count();
            if wrong > 0 && self.must_be_right {
                let what = format!("{wrong} words of `{}` on {}", self.entry, chip.name);
                return Err(RunError::Wrong(what));
            }
            ran.number("wrong", wrong as f64);
        }
        if let Some(must) = &self.must
            && scope.at("", 0.0, &ran).number(must)? == 0.0
        {
            return Err(RunError::Wrong(format!("`{}` on {}: not {must}", self.entry, chip.name)));
        }
        Ok(ran)
    }
}

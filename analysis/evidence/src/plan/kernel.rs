//! Launches of small kernels: the text, the buffers and arguments, and the values of the result.

use super::on::{On, shape};
use super::result::Ran;
use super::scope::Scope;
use super::{texts, verdict};
use crate::divergent_warps::DivergentWarps;
use crate::probe::{Probe, UNTOUCHED, branch};
use crate::runner::Runner;
use crate::text::Value;
use isa::Options;
use isa::types::Dim3;
use kernels::RunError;
use serde::Deserialize;
use sim_core::config::CachePreference;
use sim_core::host::{Arg, BarrierRule, HostError, Launch, Mode};
use sim_core::stats::Report;
use sim_core::stats::report::{RegistersSource, Verdict};

/// A launch of a kernel. Its arguments are `inputs`, the output, `more` inputs, and `args`. The
/// output has `words` words, one for each thread if `words` is missing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a row")]
pub struct Kernel {
    on: On,
    /// Template of the name of the kernel's file or workload.
    #[serde(default)]
    file: String,
    /// The text, if it is in no file.
    #[serde(default)]
    text: Option<String>,
    /// Replacements in the text: pattern, text, repetitions, whose number 0, 1 and so on is `n`.
    /// The pattern must occur.
    #[serde(default)]
    fill: Vec<(String, String, String)>,
    entry: String,
    grid: String,
    /// Rows of the grid.
    #[serde(default)]
    rows: Option<String>,
    block: Vec<String>,
    /// Registers per thread; as many as the code needs if they are missing or 0.
    #[serde(default)]
    registers: Option<String>,
    /// Inputs before the output: words, and the formula of word `i`.
    #[serde(default)]
    inputs: Vec<(String, String)>,
    #[serde(default)]
    words: Option<String>,
    /// Inputs after the output.
    #[serde(default)]
    more: Vec<(String, String)>,
    /// Further arguments of 32 bits.
    #[serde(default)]
    args: Vec<String>,
    /// Template of the formula of the right word `i`; the words that differ are the value `wrong`.
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
    /// Text of the line of the only branch that diverges: the values `executed` and `divergent`,
    /// and the list `divergent_warps`.
    #[serde(default)]
    diverges: Option<String>,
    /// Formula of word `i` of the output before the launch; otherwise a word that no kernel writes.
    #[serde(default)]
    start: Option<String>,
    /// Whether the kernel is not optimized.
    #[serde(default)]
    plain: bool,
    /// Whether the launch is functional.
    #[serde(default)]
    functional: bool,
    /// Condition: the launch is functional and checked for races, and the values say what was found
    /// ([`Ran::races`]).
    #[serde(default)]
    races: Option<String>,
    /// Template of the rule of barriers, `strict` or `hardware`, by which the launch can end in any
    /// way: whether it `finished` or `trapped`, and how it `ended`.
    #[serde(default)]
    barriers: Option<String>,
    /// Templates of the expected races: hazard, beginnings of both lines, variable. The others are
    /// not `named`.
    #[serde(default)]
    hazard: Option<(String, String, String, String)>,
    /// Template of the preference of the launch: `L1`, `shared` or nothing.
    #[serde(default)]
    cache: String,
}

impl Kernel {
    /// Returns the name and the text of the module.
    fn module(&self, scope: &Scope<'_>) -> Result<(&'static str, String), RunError> {
        let (file, mut text) = match &self.text {
            Some(text) => ("module.ptx", text.clone()),
            None => texts::text(&scope.text(&self.file)?)?,
        };
        for (pattern, with, times) in &self.fill {
            if !text.contains(pattern) {
                return Err(RunError::Wrong(format!("{file} does not contain `{pattern}`")));
            }
            let mut all = String::new();
            for n in 0..scope.number(times)? as u32 {
                all += &scope.numbered("n", n.into()).text(with)?;
            }
            text = text.replace(pattern, &all);
        }
        Ok((file, text))
    }

    /// Runs a launch with the preferences of the row.
    fn launched(&self, probe: &mut Probe, launch: Launch, scope: &Scope<'_>) -> Result<Report, RunError> {
        let cache = match scope.text(&self.cache)?.as_str() {
            "L1" => CachePreference::L1,
            "shared" => CachePreference::Shared,
            _ => CachePreference::None,
        };
        let registers = self.registers.as_ref().map_or(Ok(0.0), |registers| scope.number(registers))?;
        let registers = (registers > 0.0).then_some(registers as u32);
        let launch = Launch { registers, ..launch.cache(cache) };
        let Some(rule) = &self.barriers else { return probe.run(&launch) };
        let strict = scope.text(rule)? == "strict";
        let rule = if strict { BarrierRule::Strict } else { BarrierRule::Hardware };
        probe.lab.gpu.launch(&launch.barriers(rule)).map_err(RunError::Host)
    }

    /// Makes the launch.
    ///
    /// # Errors
    /// The launch is refused or does not finish, or a required result is wrong.
    pub fn run(&self, runner: &Runner, scope: &Scope<'_>, mode: Mode) -> Result<Ran, RunError> {
        let (file, text) = self.module(scope)?;
        let chip = self.on.chip(runner, scope)?;
        let options = if self.plain { Options::PLAIN } else { Options::default() };
        let mut probe = Probe::compiled(runner, chip.clone(), (file, &text), options)?;
        let rows = self.rows.as_ref().map_or(Ok(1.0), |rows| scope.number(rows))?;
        let grid = Dim3::new(scope.number(&self.grid)? as u32, rows as u32, 1);
        let block = shape(scope, &self.block)?;
        let words = match &self.words {
            Some(words) => scope.number(words)? as usize,
            None => (grid.count() * block.count()) as usize,
        };
        let bits = |formula: &str, words: usize| {
            let bits = |value: f64| if self.float { (value as f32).to_bits() } else { value as i64 as u32 };
            Ok::<Vec<u32>, RunError>(scope.each("i", formula, words)?.into_iter().map(bits).collect())
        };
        let input = |probe: &mut Probe, (words, formula): &(String, String)| {
            let words = bits(formula, scope.number(words)? as usize)?;
            Ok::<_, RunError>(Arg::Ptr(probe.lab.upload(&words)?))
        };
        let mut args = Vec::new();
        for words in &self.inputs {
            args.push(input(&mut probe, words)?);
        }
        let before = match &self.start {
            Some(formula) => bits(formula, words)?,
            None => vec![UNTOUCHED; words],
        };
        let out = probe.lab.upload(&before)?;
        args.push(Arg::Ptr(out));
        for words in &self.more {
            args.push(input(&mut probe, words)?);
        }
        for formula in &self.args {
            args.push(Arg::U32(scope.number(formula)? as u32));
        }
        let seen = self.diverges.as_ref().map(|_| DivergentWarps::of(&mut probe.lab.gpu));
        let races = self.races.as_ref().map_or(Ok(0.0), |races| scope.number(races))? != 0.0;
        probe.lab.gpu.check_races(races);
        let mode = if self.functional || races { Mode::Functional } else { mode };
        let launch = probe.launch(&scope.text(&self.entry)?, grid, block).args(args).mode(mode);
        let report = match self.launched(&mut probe, launch, scope) {
            // A refused launch has executed nothing.
            Err(RunError::Host(refusal @ HostError::Launch(_))) => {
                let touched = probe.lab.download(out, words)? != before;
                let what = || RunError::Wrong(format!("`{}` was refused, but has stored words", self.entry));
                return Err(if touched { what() } else { refusal.into() });
            }
            report => report?,
        };
        let mut ran = Ran::of(&chip, &report);
        let source = report.launch.registers_source;
        ran.text("registers_source", source.to_string());
        ran.number("by_liveness", f64::from(source == RegistersSource::Liveness));
        ran.number("finished", f64::from(report.verdict.is_finished()));
        ran.number("trapped", f64::from(matches!(report.verdict, Verdict::Trapped { .. })));
        ran.number("by_hardware", f64::from(report.launch.barriers == BarrierRule::Hardware));
        if self.barriers.is_some() {
            // Functional mode stops at the first warp; in timed mode the other warp reaches the
            // barrier, too.
            ran.text("ended", verdict::in_words(&report, if mode == Mode::Timed { &[0, 1] } else { &[0] }));
        }
        let found = probe.lab.download(out, words)?;
        if let Some(right) = &self.right {
            let right = bits(&scope.text(right)?, words)?;
            let wrong = found.iter().zip(&right).filter(|(found, right)| found != right).count();
            if wrong > 0 && self.must_be_right {
                let what = format!("{wrong} words of `{}` on {}", self.entry, chip.name);
                return Err(RunError::Wrong(what));
            }
            ran.number("wrong", wrong as f64);
        }
        let number = |word: u32| if self.float { f32::from_bits(word).into() } else { f64::from(word) };
        ran.set("words", Value::List(found.into_iter().map(number).collect()));
        if let (Some(line), Some(seen)) = (&self.diverges, seen) {
            let (executed, divergent) = branch(&report, line)?;
            if divergent != report.control.divergent_branches {
                return Err(RunError::Wrong(format!("another branch than `{line}` diverges")));
            }
            ran.number("executed", executed as f64);
            ran.number("divergent", divergent as f64);
            ran.set("divergent_warps", Value::List(seen.warps()));
        }
        if races {
            let mut hazard = Vec::new();
            if let Some((kind, first, second, variable)) = &self.hazard {
                for text in [kind, first, second, variable] {
                    hazard.push(scope.text(text)?);
                }
            }
            ran.races(&report, &hazard)?;
        }
        if let Some(must) = &self.must
            && scope.at("", 0.0, &ran).number(must)? == 0.0
        {
            return Err(RunError::Wrong(format!("`{}` on {}: not {must}", self.entry, chip.name)));
        }
        Ok(ran)
    }
}

//! Launches of kernels in OpenCL C and CUDA C, as `warpsim run --global` and `--grid` make them.

use super::on::{On, shape};
use super::result::Ran;
use super::scope::Scope;
use super::texts;
use crate::runner::Runner;
use crate::text::Value;
use isa::types::Dim3;
use isa::uop::{Class, Program};
use kernels::RunError;
use report::exit::Failure;
use report::launch_file::{self, DataName, Device, Plan, decode, kernel};
use request::compilation::{CompileArgs, PreprocessArgs};
use request::direct::{Direct, Threads};
use request::ptx::Ptx;
use request::{Compilation, Sources};
use serde::Deserialize;
use sim_core::check::{Checks, Severity};
use sim_core::host::{LaunchSettings, Mode};
use std::path::Path;

/// A launch of the only kernel of a file in OpenCL C or CUDA C.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    on: On,
    /// Name of the file.
    file: String,
    /// Macros of the preprocessor: `NAME=VALUE`.
    #[serde(default)]
    define: Vec<String>,
    /// Replacements in the text. The pattern must occur.
    #[serde(default)]
    fill: Vec<(String, String)>,
    /// Work-groups or blocks.
    groups: Vec<String>,
    /// Work-items of a work-group, or threads of a block.
    block: Vec<String>,
    /// Templates of the arguments, as `--arg` has them.
    #[serde(default)]
    args: Vec<String>,
    /// The buffer whose elements are the list `words`.
    #[serde(default)]
    words: Option<String>,
    /// Whether all checkers follow the launch: the number of `errors`, and for the first one its
    /// kind (`found`) and the text of its line (`at`).
    #[serde(default)]
    checked: bool,
}

impl Source {
    /// Makes the launch. The value `loop` has the micro-ops of the innermost loop, `loop_length` is
    /// their number.
    ///
    /// # Errors
    /// The file does not compile, or the launch is refused or does not finish.
    pub fn run(&self, runner: &Runner, scope: &Scope<'_>, mode: Mode) -> Result<Ran, RunError> {
        let (file, mut text) = texts::text(&self.file)?;
        for (pattern, with) in &self.fill {
            if !text.contains(pattern) {
                return Err(RunError::Wrong(format!("{file} does not contain `{pattern}`")));
            }
            text = text.replace(pattern, with);
        }
        let chip = self.on.chip(runner, scope)?;
        let refused = |why: Failure| RunError::Kernel { file, rendered: why.message };
        let define = self.define.iter().map(|text| scope.text(text)).collect::<Result<_, _>>()?;
        let preprocess = PreprocessArgs { define, ..PreprocessArgs::default() };
        let compile = CompileArgs { opt_level: if self.checked { 0 } else { 3 }, ..CompileArgs::default() };
        let how = Compilation::new(compile, &preprocess).with(&Sources::only([(file, text)]));
        let how = how.on(chip.capability, chip.features);
        let module = Ptx::linked(file, &[], &how).and_then(|ptx| ptx.compile(&how, &mut |_| {}));
        let module = module.map_err(refused)?;
        let (groups, block) = (shape(scope, &self.groups)?, shape(scope, &self.block)?);
        let is_opencl = Path::new(file).extension().is_some_and(|end| end == "cl");
        let threads = if is_opencl {
            let items = Dim3::new(groups.x * block.x, groups.y * block.y, groups.z * block.z);
            Threads::Range(items, Some(block))
        } else {
            Threads::Grid(groups, block)
        };
        let arguments = self.args.iter().map(|text| scope.text(text)).collect::<Result<Vec<_>, _>>()?;
        let direct = Direct { threads, entry: None, arguments: &arguments, expect: &[], dynamic_shared: 0 };
        let text = direct.launch_file(file, &module, &mut |_| {}).map_err(refused)?;
        let plan = Plan::read(Path::new("launch.ron"), &text, &module, chip.usable_bytes());
        let plan = plan.map_err(|why| refused(Failure::input(why)))?;
        let entry = plan.file.entry.as_ref().and_then(|entry| kernel(&module, &entry.value));
        let micro_ops = entry.map_or_else(String::new, |program| innermost_loop(program));
        let mut gpu = runner.gpu(chip.clone());
        gpu.check(if self.checked { Checks::ALL } else { Checks::NONE });
        let mode = if self.checked { Mode::Functional } else { mode };
        let settings = LaunchSettings { mode, options: runner.options(), ..LaunchSettings::default() };
        let mut words = Vec::new();
        let mut keep = |device: &mut Device<'_>, plan: &Plan, _: bool| {
            let of = plan.file.buffers.iter().find(|array| Some(&array.name.value) == self.words.as_ref());
            let Some((array, ty)) = of.and_then(|array| Some((array, array.ty?))) else { return Vec::new() };
            match device.contents(&DataName::Buffer(array.name.clone())) {
                Ok(bytes) => {
                    let elements = bytes.chunks_exact(ty.bytes() as usize);
                    words.extend(elements.map(|element| decode(ty, element).as_f64()));
                    Vec::new()
                }
                Err(why) => vec![Failure::from(why)],
            }
        };
        let ran = launch_file::run(plan, module, &mut gpu, settings, &mut keep).map_err(refused)?;
        if let Some(why) = ran.failures.into_iter().next() {
            return Err(refused(why));
        }
        let [report] = ran.reports.as_slice() else { return Err(RunError::Unfinished(file.to_owned())) };
        let mut made = Ran::of(&chip, report);
        made.number("loop_length", micro_ops.split_whitespace().count() as f64);
        made.text("loop", micro_ops);
        made.set("words", Value::List(words));
        made.number("finished", f64::from(report.verdict.is_finished()));
        let findings = report.checks.iter().flat_map(|checks| &checks.findings);
        let errors: Vec<_> = findings.filter(|found| found.severity == Severity::Error).collect();
        made.number("errors", errors.len() as f64);
        // A trap that the mistake causes is the other finding.
        if let Some(first) = errors.iter().min_by_key(|found| found.line) {
            made.text("found", first.kind.name());
            made.text("at", first.source.trim());
        }
        if !self.checked && !report.verdict.is_finished() {
            return Err(RunError::Unfinished(file.to_owned()));
        }
        Ok(made)
    }
}

/// The micro-ops from the target of the shortest backward branch to this branch, by their names.
fn innermost_loop(program: &Program) -> String {
    let back = program.code.iter().enumerate().filter_map(|(pc, inst)| {
        let target = inst.imm as usize;
        (inst.op.class() == Class::Branch && target < pc).then_some((target, pc))
    });
    let Some((from, to)) = back.min_by_key(|(from, to)| to - from) else { return String::new() };
    let names: Vec<&str> = program.code[from..=to].iter().map(|inst| inst.op.text()).collect();
    names.join(" ")
}

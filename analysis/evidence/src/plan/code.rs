//! The lowered code of a kernel: its micro-ops as lists, for counts over a part of them.

use super::on::On;
use super::result::Ran;
use super::scope::Scope;
use super::texts;
use crate::runner::Runner;
use crate::text::Value;
use isa::uop::Class;
use isa::uop::issue::issues;
use kernels::RunError;

/// Returns the code of the first entry of a file: its `length`; for each micro-op whether it has a
/// class (`class.int_add`), whether it issues as an instruction (`issues`), and its immediate
/// (`imm`); and the micro-op of each label (`label.inner`).
///
/// # Errors
/// The file does not compile, or has no entry.
pub fn code(runner: &Runner, on: &On, file: &str, scope: &Scope<'_>) -> Result<Ran, RunError> {
    let (file, text) = texts::text(&scope.text(file)?)?;
    let lab = runner.lab(on.chip(runner, scope)?, file, &text)?;
    let program = lab.gpu.module(lab.module).entries.first();
    let program = program.ok_or_else(|| RunError::Unknown(file.to_owned()))?;
    let mut ran = Ran::default();
    let length = program.code.len();
    ran.number("length", length as f64);
    for class in Class::ALL {
        let is = program.code.iter().map(|inst| f64::from(inst.op.class() == class)).collect();
        ran.set(&format!("class.{}", class.name()), Value::List(is));
    }
    let mut issued = vec![0.0; length];
    issues(&program.code).for_each(|issue| issued[issue.main] = 1.0);
    ran.set("issues", Value::List(issued));
    ran.set("imm", Value::List(program.code.iter().map(|inst| f64::from(inst.imm)).collect()));
    for (pc, label) in &program.labels {
        ran.number(&format!("label.{label}"), *pc);
    }
    Ok(ran)
}

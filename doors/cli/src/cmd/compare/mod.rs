//! `warpsim compare`: compares two runs: which one is faster, and why.
//!
//! `subject` prepares the two runs, `report::compare` compares them, `figures::compare`
//! draws the comparison, and `html` writes it as a page.

mod html;
mod subject;

use crate::args::{CompareArgs, CompareFormat, RunToCompare};
use crate::cmd::run::direct;
use crate::exit::{Code, Failure};
use crate::output::{Files, print};
use figures::compare::outcomes;
use figures::svg;
use report::compare::difference::Comparison;
use report::compare::{document, text};
use subject::Subject;

/// Compares two runs.
pub fn run(args: &CompareArgs) -> Result<Code, Failure> {
    let mut runs = args.runs()?;
    let given = args.reports.len() + runs.len();
    let wrong = || {
        Failure::input(format!(
            "error: expected two runs, found {given}: give two report files, or write each run after a separate \
             `--`, as in `warpsim compare -- run matmul-naive --size 64 -- run matmul-tiled --size 64`"
        ))
    };
    if given != 2 {
        return Err(wrong());
    }
    let mut files = Files::new();
    args.reports.iter().try_for_each(|report| files.reads(report))?;
    // Errors of the input are reported before the first run.
    for RunToCompare { args, .. } in &mut runs {
        direct::prepare(&mut args.workload, &args.chip, &args.direct)?;
    }
    let reports = args.reports.iter().map(|path| Subject::read(path));
    let runs = runs.iter().map(|run| Subject::plan(run, &mut files));
    let subjects = reports.chain(runs).collect::<Result<Vec<_>, _>>()?;
    let chart = args.svg.as_ref().map(|path| files.open(path)).transpose()?;
    let page = args.html.as_ref().map(|path| files.open(path)).transpose()?;

    let mut subjects = subjects.into_iter();
    let (Some(a), Some(b)) = (subjects.next(), subjects.next()) else { return Err(wrong()) };
    let ((a, code_a), (b, code_b)) = (a.side()?, b.side()?);
    let comparison = Comparison::of(a, b);
    print(&match args.format {
        CompareFormat::Text => text::text(&comparison),
        CompareFormat::Json => document::json(&comparison),
        CompareFormat::Markdown => text::markdown(&comparison),
        CompareFormat::Svg => svg(&outcomes(&comparison)),
    })?;
    if let Some(file) = chart {
        file.write(svg(&outcomes(&comparison)).as_bytes())?;
    }
    if let Some(file) = page {
        file.write(html::page(&comparison).as_bytes())?;
    }
    Ok(code_a.max(code_b))
}

#[cfg(test)]
mod tests;

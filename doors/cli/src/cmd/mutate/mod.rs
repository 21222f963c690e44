//! `warpsim mutate`: grades the checks of a kernel by mutants of it.
//!
//! `trial` runs a program and decides the `fate` of a mutant, `places` finds the lines that a
//! user reads, `document` has the results, and `text` prints them.
//!
//! Invariant `mutants-are-graded-alike`: The grades of mutants are the same bytes for any number of
//! jobs.

mod document;
mod fate;
mod places;
mod text;
mod trial;

use crate::args::{Format, MutateArgs};
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{Files, print};
use crate::workload::Opened;
use document::{Document, MutantRow};
use isa::diag::render_source;
use isa::uop::Module;
use places::Places;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use sim_core::host::Mode;
use std::collections::BTreeSet;
use trial::Trials;
use warpsim_check::mutate::{Mutant, mutants};

/// Makes the mutants of a kernel, runs them and prints which ones the checks notice.
pub fn run(args: &MutateArgs) -> Result<Code, Failure> {
    let how = (Mode::Functional, 1);
    let Opened { prepared, settings, chip, .. } =
        Opened::new(&args.workload, &args.chip, how, &mut Files::new())?;
    let lowered = isa::lowered_for(prepared.module().clone(), chip.capability);
    let program = |module: &Module| module.entries.first().cloned();
    let Some(first) = program(prepared.module()) else {
        return Err(Failure::input(format!("error: {} has no kernel", args.workload.kernel)));
    };
    let (module, _) = lowered.map_err(|errors| Failure::input(render_source(&errors, &first.ptx)))?;
    let options = args.workload.compile.options();
    let trials = Trials::new(&prepared, module, &chip, settings, options)?;

    let ptx = &first.ptx;
    let called = trials.functions();
    let kinds = args.kinds();
    let is_asked = |mutant: &Mutant| {
        let (name, is_kernel) = &mutant.function;
        kinds.contains(&mutant.kind) && called.contains(&(name.clone(), *is_kernel))
    };
    let mut all: Vec<Mutant> = mutants(ptx).into_iter().filter(is_asked).collect();
    let made = all.len();
    if let Some(limit) = args.limit {
        all = spread(all, limit as usize);
    }
    let places = Places::new(ptx);
    let grade = |mutant: &Mutant| MutantRow::new(mutant, &places, trials.fate(mutant, ptx));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0).into()).build();
    let pool = pool.map_err(|why| Failure::input(format!("error: cannot start threads: {why}")))?;
    let mut rows: Vec<MutantRow> = pool.install(|| all.par_iter().map(grade).collect());
    rows.sort_by(|a, b| a.order().cmp(&b.order()));

    let document = Document::new(&args.workload.kernel, &chip.name, &trials, made, rows);
    print(&match args.format.format {
        Format::Text => text::render(&document, &places),
        Format::Json => json::pretty(&document),
    })?;
    let is_low = |least: f64| document.score.is_some_and(|score| score < least);
    Ok(if args.min_score.is_some_and(is_low) { Code::WrongResult } else { Code::Fine })
}

/// Returns `limit` elements of a list, spread evenly.
fn spread<T>(list: Vec<T>, limit: usize) -> Vec<T> {
    let count = list.len();
    let chosen: BTreeSet<usize> = (0..limit.min(count)).map(|at| at * count / limit.min(count)).collect();
    list.into_iter().enumerate().filter(|(at, _)| chosen.contains(at)).map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_spreads_the_mutants() {
        assert_eq!(spread((0..10).collect(), 3), [0, 3, 6]);
        assert_eq!(spread((0..3).collect(), 10), [0, 1, 2]);
        assert!(spread(Vec::<u8>::new(), 10).is_empty());
    }
}

//! The local engine: simulates the points that a store does not have, on the threads of this
//! process.
//!
//! A result is written to the store as soon as it exists, so that neither Ctrl-C nor a kill loses
//! one.

use crate::design::Point;
use crate::file::{Source, Stop};
use crate::outcome::Outcome;
use crate::plan::{Plan, Planned};
use crate::point::Setup;
use crate::runner::{Done, Runner};
use crate::store::{Description, Entry, Layout, Store, StoreError};
use crate::study::{Study, json};
use report::exit::{Code, Failure};
use report::metrics;
use report::provenance::PROGRAM;
use serde_json::{Map, Value};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Simulates the points `work` of the plan, `jobs` at a time, until a rule of `stop` holds.
///
/// # Errors
///
/// If a result cannot be written.
pub fn run(
    plan: &Plan<'_>,
    store: &mut Store,
    work: &[&Planned],
    jobs: usize,
    stop: Stop,
) -> Result<Done, Failure> {
    let bar = plan.study.host.bar(work.len() as u64);
    let runner = Runner { study: plan.study, jobs, stop, bar };
    // The lock of the store is held for an insertion only.
    let store = Mutex::new((store, None));
    let keep = |number: u64, outcome: &Outcome| {
        let mut guard = store.lock().unwrap_or_else(PoisonError::into_inner);
        let (store, broken) = &mut *guard;
        match store.put(&description(plan, work[number as usize]), outcome) {
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                *broken = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let point = |number: u64| work[number as usize].point.clone();
    let done = runner.run(work.len() as u64, point, keep, |_, _| ControlFlow::Continue(()))?;
    runner.bar.finish_and_clear();
    let (_, broken) = store.into_inner().unwrap_or_else(PoisonError::into_inner);
    broken.map_or(Ok(done), |error| Err(failure(&error)))
}

/// Returns the contents of a store of this program.
pub fn layout(study: &Study<'_>) -> Layout {
    let host = Arc::clone(study.host);
    Layout { metrics: metrics::names(), stops: Arc::new(move || host.interrupted()) }
}

/// Returns the failure of a store. That of a query that a signal stopped has the code of Ctrl-C.
pub fn failure(error: &StoreError) -> Failure {
    let code = match error {
        StoreError::Interrupted { .. } => Code::Interrupted,
        _ => Code::BadInput,
    };
    Failure { code, message: format!("error: {error}") }
}

/// Returns a point as an entry of the store.
pub fn entry(study: &Study<'_>, planned: &Planned) -> Entry {
    let values: Map<String, Value> = study.values(&planned.point).into_iter().collect();
    Entry {
        digest: planned.digest.clone(),
        kernel: study.kernel(&planned.point).name.clone(),
        chip: study.chip(&planned.point).name.clone(),
        factors: Value::Object(values).to_string(),
    }
}

/// Returns the description of the result of a point.
fn description(plan: &Plan<'_>, planned: &Planned) -> Description {
    let Entry { digest, kernel, chip, factors } = entry(&plan.study, planned);
    let point: &Point = &planned.point;
    let kernel = match &plan.study.kernel(point).source {
        Source::Builtin { kernel, .. } => kernel.value.clone(),
        Source::File { .. } | Source::Program { .. } => kernel,
    };
    let overrides = plan.study.setup(point).map_or(factors, |setup| overrides(&setup));
    Description { digest, program: PROGRAM.to_owned(), kernel, chip, overrides }
}

/// Returns all values that a run sets, as a JSON object.
fn overrides(setup: &Setup<'_>) -> String {
    let mut values = Map::new();
    values.extend(setup.size.map(|size| ("size".to_owned(), Value::from(size))));
    values.extend(setup.registers.map(|n| ("registers".to_owned(), Value::from(n))));
    values.extend(setup.seed.map(|seed| ("seed".to_owned(), Value::from(seed))));
    values.extend(setup.sets.iter().map(|(path, value)| (path.clone(), json(value))));
    values.extend(setup.edits.iter().map(|(path, value)| (format!("launch.{path}"), json(value))));
    let argument = |(number, value): &(usize, String)| (format!("argument {number}"), json(value));
    values.extend(setup.arguments.iter().map(argument));
    if !setup.ideal.is_empty() {
        let names: Vec<Value> =
            setup.ideal.iter().map(|resource| Value::from(resource.name.clone())).collect();
        values.insert("ideal".to_owned(), Value::Array(names));
    }
    Value::Object(values).to_string()
}

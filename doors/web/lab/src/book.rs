//! The claims of the course texts, as `warpsim book` runs them.

use evidence::runner::Follow;
use evidence::view::document::{self, Sizes};
use evidence::view::{ClaimResult, claims as view, parts, picture};
use evidence::{Runner, claims};
use report::exit::Failure;
use report::text::visible;
use serde::Serialize;
use sim_core::host::{Gpu, Progress};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Result of a claim.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClaimRan {
    /// The text that `warpsim book CLAIM` prints.
    pub text: String,
    /// The document that `warpsim book CLAIM --format json` prints.
    pub json: String,
    /// Picture of its numbers as SVG; `null` without numbers.
    pub picture: Option<String>,
}

/// Returns all claims with their last recorded verdicts: the document that `warpsim book --format
/// json` prints.
pub fn claims() -> String {
    let results: Vec<ClaimResult> = claims::claims().iter().map(ClaimResult::not_run).collect();
    document::json(&Sizes::default(), &results)
}

/// Runs the claim `id` at small sizes. `watch` receives the progress of its launches.
///
/// # Errors
///
/// If there is no such claim.
pub fn run(id: &str, watch: Option<fn(&Progress<'_>)>) -> Result<ClaimRan, Failure> {
    let unknown = || Failure::input(format!("error: unknown claim `{id}`"));
    let claim = claims::claim(id).ok_or_else(unknown)?;
    let follow = watch.map(|watch| {
        Follow(Arc::new(move |gpu: &mut Gpu| {
            gpu.monitor(Some(Box::new(move |progress: &Progress<'_>| {
                watch(progress);
                ControlFlow::Continue(())
            })));
        }))
    });
    let results = [ClaimResult::run(claim, &Runner { follow, ..Runner::default() })];
    let sizes = Sizes::default();
    let page = parts::text(&view::claim(&results[0])) + &parts::text(&[view::total(&sizes, &results)]);
    let drawn = results[0].shown().and_then(|shown| picture::scene(&shown.findings));
    let picture = drawn.as_ref().map(figures::embedded);
    Ok(ClaimRan { text: visible(&page).into_owned(), json: document::json(&sizes, &results), picture })
}

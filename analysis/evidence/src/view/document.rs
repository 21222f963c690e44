//! Results of claims as JSON.

use super::result::ClaimResult;
use super::{choice, recorded};
use crate::outcome::State;
use crate::{Finding, Sampled};
use report::json;
use serde::Serialize;

/// Version of the JSON document.
const SCHEMA: u32 = 2;

/// The document.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "ClaimDocument"))]
pub struct Document<'a> {
    schema: u32,
    full_size: bool,
    sampled: bool,
    sets: &'a [String],
    claims: Vec<Record<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "Claim"))]
struct Record<'a> {
    id: &'a str,
    section: &'a str,
    source: String,
    places: Vec<String>,
    claim: String,
    must_show: String,
    /// Last recorded verdict.
    recorded: Option<&'static str>,
    verdict: &'static str,
    /// Description of the run.
    ran: Option<&'a str>,
    /// Estimated launches.
    sampled: Option<Estimate>,
    findings: Vec<Found<'a>>,
    why: &'a [String],
    cause: Option<&'a str>,
    /// Message of an error that ended the program.
    error: Option<&'a str>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
struct Estimate {
    launches: u64,
    estimated: u64,
    blocks: u64,
    simulated: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "Finding"))]
struct Found<'a> {
    what: &'a str,
    expected: &'a str,
    simulated: &'a str,
    error_percent: Option<f64>,
    verdict: &'static str,
}

impl Estimate {
    fn of(sampled: Sampled) -> Self {
        let Sampled { launches, estimated, blocks, simulated } = sampled;
        Self { launches, estimated, blocks, simulated }
    }
}

impl<'a> Found<'a> {
    fn of(finding: &'a Finding) -> Self {
        let Finding { what, expected, simulated, error, verdict, .. } = finding;
        // JSON cannot represent infinity.
        let error_percent = error.filter(|error| error.is_finite());
        Self { what, expected, simulated, error_percent, verdict: verdict.word() }
    }
}

fn record(result: &ClaimResult) -> Record<'_> {
    let (claim, shown) = (result.claim, result.shown());
    Record {
        id: &claim.id,
        section: &claim.section,
        source: claim.source(),
        places: choice::places(claim).iter().map(ToString::to_string).collect(),
        claim: claim.statement(),
        must_show: claim.must(),
        recorded: recorded::verdict(&claim.id),
        verdict: result.word(),
        ran: shown.map(|shown| shown.ran.as_str()),
        sampled: shown.and_then(|shown| shown.sampled).map(Estimate::of),
        findings: shown.map(|shown| shown.findings.iter().map(Found::of).collect()).unwrap_or_default(),
        why: shown.map(|shown| shown.why.as_slice()).unwrap_or_default(),
        cause: shown.and_then(|shown| shown.cause.as_deref()),
        error: match &result.state {
            State::Error(why) => Some(why),
            _ => None,
        },
    }
}

/// How the claims were run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes<'a> {
    /// Whether at the sizes of the claims table.
    pub full_size: bool,
    /// Whether large launches were sampled.
    pub sampled: bool,
    /// Overrides of the chips, `PATH=VALUE`.
    pub sets: &'a [String],
}

impl Sizes<'_> {
    /// Returns the sizes in words.
    pub fn words(&self) -> String {
        let size = if self.full_size { "at the sizes of the claims table" } else { "at small sizes" };
        let blocks = if self.sampled { "large launches sampled" } else { "no launch sampled" };
        format!("{size}, {blocks}")
    }
}

/// Returns the document of the results.
pub fn document<'a>(sizes: &Sizes<'a>, results: &'a [ClaimResult]) -> Document<'a> {
    let claims = results.iter().map(record).collect();
    let Sizes { full_size, sampled, sets } = *sizes;
    Document { schema: SCHEMA, full_size, sampled, sets, claims }
}

/// Returns the document as JSON.
pub fn json(sizes: &Sizes<'_>, results: &[ClaimResult]) -> String {
    json::pretty(&document(sizes, results))
}

//! `book --html`: the results of claims with their pictures as one page.

use super::page::cells;
use crate::args::BookArgs;
use crate::provenance::PROGRAM;
use report::book::document::document;
use report::book::result::{ClaimResult, State, tally};
use report::page::{Drawing, Page};

/// Returns the page.
pub fn page(args: &BookArgs, results: &[ClaimResult]) -> String {
    let mut page = Page::new(&format!("Claims of the course texts: {}", args.names.join(" ")));
    let counts: Vec<String> =
        tally(results).iter().map(|(word, number)| format!("{number} {word}")).collect();
    let failed = results.iter().any(ClaimResult::is_failure);
    page.answer(
        !failed,
        &format!("{} claims {}: {}", results.len(), args.sizes().words(), counts.join(", ")),
    );
    page.section("all", "All claims");
    let row = |result: &ClaimResult| {
        vec![result.claim.id.clone(), result.claim.statement(), result.word().to_owned()]
    };
    let rows: Vec<_> = results.iter().map(row).collect();
    page.table("All claims", &["claim", "statement", "verdict"], &[], &rows);
    let mut number = 0;
    for (group, claims) in results.chunk_by(|a, b| a.claim.section == b.claim.section).enumerate() {
        page.section(&format!("group-{group}"), &claims[0].claim.section);
        for result in claims {
            claim(&mut page, result, number);
            number += 1;
        }
    }
    page.finish(PROGRAM, &document(&args.sizes(), results))
}

/// Adds a claim; it has this number in the document.
fn claim(page: &mut Page, result: &ClaimResult, number: usize) {
    let claim = result.claim;
    page.heading(&format!("{} ({}): {}", claim.id, claim.source, result.word()));
    page.paragraph(&claim.statement());
    page.paragraph(&format!("Must show: {}", claim.must()));
    match &result.state {
        State::Shown(shown) => {
            let sampled = shown.sampled.map_or_else(String::new, |sampled| format!(" Sampled: {sampled}."));
            page.note(&format!("Run: {}.{sampled}", shown.ran.trim_end_matches('.')));
            let rows: Vec<Vec<String>> =
                shown.findings.iter().map(|finding| cells(finding).to_vec()).collect();
            let titles = ["value", "claim", "simulated", "error %", "verdict"];
            page.table(&claim.id, &titles, &[false, false, false, true, false], &rows);
            page.drawing(Drawing::Claim, &format!("claims.{number}.findings"));
            shown.why.iter().chain(&shown.cause).for_each(|text| page.paragraph(text));
        }
        State::Error(why) => page.text("Error", why),
        State::NoProgram => page.paragraph("The claim has no program."),
        State::NotRun => page.paragraph("The claim was not run."),
    }
}

//! `book --html`: the results of claims with their pictures as one page.

use super::page::cells;
use crate::args::BookArgs;
use crate::provenance::PROGRAM;
use evidence::State;
use evidence::view::picture;
use evidence::view::result::{ClaimResult, tally};
use figures::embedded;
use report::page::Page;

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
    for (group, claims) in results.chunk_by(|a, b| a.claim.section == b.claim.section).enumerate() {
        page.section(&format!("group-{group}"), &claims[0].claim.section);
        for result in claims {
            claim(&mut page, result);
        }
    }
    page.finish(PROGRAM)
}

/// Adds a claim.
fn claim(page: &mut Page, result: &ClaimResult) {
    let claim = result.claim;
    page.heading(&format!("{} ({}): {}", claim.id, claim.source(), result.word()));
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
            if let Some(scene) = picture::scene(&shown.findings) {
                page.picture(&scene.title, &embedded(&scene));
            }
            shown.why.iter().chain(&shown.cause).for_each(|text| page.paragraph(text));
        }
        State::Error(why) => page.text("Error", why),
        State::NotRun(..) => page.paragraph("The claim was not run."),
    }
}

//! Claims as parts of a view: their list, one claim, and a page of claims.

use super::choice;
use super::document::Sizes;
use super::parts::{Part, Table, cells};
use super::result::{ClaimResult, tally};
use super::{picture, recorded};
use crate::outcome::State;
use crate::{Claim, Verdict};
use report::render::number::plural;
use report::render::table::Column;

/// Width of a claim in the list, in characters.
const CLAIM: usize = 61;

/// Width of the common beginning of claims, in characters.
const BEGIN: usize = 23;

/// Returns all claims, and the commands that run them.
pub fn list(results: &[ClaimResult]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (group, section) in results.chunk_by(|a, b| a.claim.section == b.claim.section).enumerate() {
        let columns = [Column::Words(9), Column::Words(12), Column::Words(CLAIM as u16 + 2), Column::Rest];
        let row = |(result, statement): (&ClaimResult, String)| {
            let verdict = recorded::verdict(&result.claim.id).unwrap_or("-");
            vec![result.claim.id.clone(), places(result.claim), statement, verdict.to_owned()]
        };
        parts.push(Part::Section(format!("group-{group}"), section[0].claim.section.clone()));
        parts.push(Part::Table(Table {
            name: section[0].claim.section.clone(),
            columns: ["id", "where", "claim", "verdict"].into_iter().zip(columns).collect(),
            rows: section.iter().zip(statements(section)).map(row).collect(),
        }));
    }
    let help = "verdict: as last recorded (docs/BOOK.md)\n\
                Run claims: warpsim book PERF-04; a group: warpsim book OCC; a chapter: warpsim book ch6;\n\
                \x20           an appendix: warpsim book appB; claims of slides: warpsim book slides;\n\
                \x20           all: warpsim book all. At the sizes of the claims table: --full-size";
    parts.push(Part::Text(help.to_owned()));
    parts
}

/// The statements of claims, cut to the width of the column. Statements with the same beginning
/// have a shorter beginning, so that the difference is visible.
fn statements(results: &[ClaimResult]) -> Vec<String> {
    let whole = |claim: &Claim| format!("{}: {}", claim.statement(), claim.must());
    let cuts: Vec<String> = results.iter().map(|result| cut(&whole(result.claim), CLAIM)).collect();
    let alike = |one: &String| cuts.iter().filter(|other| *other == one).count() > 1;
    let apart = |claim: &Claim| {
        let whole = whole(claim);
        let begin = claim.what();
        let rest = whole.strip_prefix(&begin).unwrap_or(&whole);
        cut(&format!("{}{rest}", cut(&begin, BEGIN)), CLAIM)
    };
    let shown = results.iter().zip(&cuts);
    shown.map(|(result, one)| if alike(one) { apart(result.claim) } else { one.clone() }).collect()
}

/// Returns the result of a claim: claim, findings, picture, reason.
pub fn claim(result: &ClaimResult) -> Vec<Part> {
    let claim = result.claim;
    let mut parts = vec![Part::Heading(format!("{} ({}): {}", claim.id, claim.source(), result.word()))];
    let mut facts = vec![("claim", claim.statement()), ("must show", claim.must())];
    match &result.state {
        State::Shown(shown) => {
            facts.push(("run", shown.ran.clone()));
            facts.extend(shown.sampled.map(|sampled| ("sampled", sampled.to_string())));
            parts.push(Part::Facts(facts));
            parts.push(Table::findings(&claim.id, false, shown.findings.iter().map(cells).collect()));
            parts.extend(picture::scene(&shown.findings).map(Part::Picture));
            let why = shown.why.iter().map(|sentence| ("why", sentence.clone()));
            let reasons: Vec<_> =
                why.chain(shown.cause.iter().map(|cause| ("cause", cause.clone()))).collect();
            parts.extend((!reasons.is_empty()).then_some(Part::Facts(reasons)));
        }
        State::Error(why) => {
            // A diagnostic with its source line already contains the word "error".
            let lead = if why.contains("error[") { "" } else { "error: " };
            parts.extend([Part::Facts(facts), Part::Text(format!("{lead}{why}"))]);
        }
        State::NotRun(..) => parts.push(Part::Facts(facts)),
    }
    parts
}

/// Returns the answer after claims that were run: the sizes, and the number of claims with each
/// verdict.
pub fn total(sizes: &Sizes<'_>, results: &[ClaimResult]) -> Part {
    let counts: Vec<String> =
        tally(results).iter().map(|(word, number)| format!("{number} {word}")).collect();
    let claims = plural(results.len() as u64, "claim");
    let failed = results.iter().any(ClaimResult::is_failure);
    Part::Answer(!failed, format!("{claims} {}: {}", sizes.words(), counts.join(", ")))
}

/// Returns the page of claims: all of them, failures, findings outside their bands, and every claim
/// by section.
pub fn page(sizes: &Sizes<'_>, results: &[ClaimResult]) -> Vec<Part> {
    let mut parts = vec![total(sizes, results), Part::Section("all".to_owned(), "All claims".to_owned())];
    let row = |result: &ClaimResult| {
        vec![result.claim.id.clone(), result.claim.statement(), result.word().to_owned()]
    };
    parts.push(Part::Table(Table {
        name: "All claims".to_owned(),
        columns: vec![
            ("claim", Column::Words(9)),
            ("statement", Column::Rest),
            ("verdict", Column::Words(13)),
        ],
        rows: results.iter().map(row).collect(),
    }));
    let asides = [
        (Verdict::Failed, "failed", "Failed", "Exact and shape findings that differ from the claim."),
        (
            Verdict::Outside,
            "outside",
            "Outside their band",
            "Measured numbers of real chips that the simulated chip misses by more than the claims table \
             allows. The claims below have the known causes and the attempted corrections.",
        ),
    ];
    for (verdict, id, title, note) in asides {
        let rows: Vec<Vec<String>> = results.iter().flat_map(|result| with(result, verdict)).collect();
        if !rows.is_empty() {
            parts.extend([
                Part::Section(id.to_owned(), title.to_owned()),
                Part::Note(note.to_owned()),
                Table::findings(title, true, rows),
            ]);
        }
    }
    for (group, claims) in results.chunk_by(|a, b| a.claim.section == b.claim.section).enumerate() {
        parts.push(Part::Section(format!("group-{group}"), claims[0].claim.section.clone()));
        parts.extend(claims.iter().flat_map(claim));
    }
    parts
}

/// Cells of the findings of a claim with that verdict, after its name. A claim that failed without
/// findings has a row, too.
fn with(result: &ClaimResult, verdict: Verdict) -> Vec<Vec<String>> {
    let findings = result.shown().map_or(&[][..], |shown| &shown.findings);
    if findings.is_empty() && result.is_failure() && verdict == Verdict::Failed {
        let cells = [result.claim.id.as_str(), "", "", "", "", result.word()];
        return vec![cells.map(str::to_owned).to_vec()];
    }
    let own = findings.iter().filter(|finding| finding.verdict == verdict);
    own.map(|finding| [vec![result.claim.id.clone()], cells(finding)].concat()).collect()
}

/// Returns the places of a claim in the course texts.
fn places(claim: &Claim) -> String {
    choice::places(claim).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the first characters of a text.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end_matches([' ', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::super::parts::{markdown, text};
    use super::*;
    use crate::{Finding, Sampled, Shown, claims};

    /// The claim `id` with these findings.
    fn result(id: &str, findings: Vec<Finding>) -> ClaimResult {
        let (ran, why, cause) =
            ("A kernel.".to_owned(), vec!["It is so.".to_owned()], Some("The cause.".to_owned()));
        let shown = Shown { ran, findings, why, cause, sampled: None };
        ClaimResult::of(claims::claim(id).expect("in the claims table"), Ok(shown))
    }

    #[test]
    fn findings_outside_their_band_come_first_and_rows_end_with_verdicts() {
        let error = State::Error("no\nway".into());
        let v1 = Finding::measured("v1", 100.0, 15.0, 120.0);
        let results = [
            result("OCC-12", vec![Finding::exact("blocks | warps", 3, 3)]),
            result("PERF-07", vec![v1, Finding::measured("v2", 100.0, 15.0, 101.0)]),
            result("PERF-12", vec![Finding::exact("ratio", 8, 9)]),
            ClaimResult { claim: claims::claim("FP-01").unwrap(), state: error },
        ];
        let page = markdown(&page(&Sizes::default(), &results));
        for (id, word) in
            [("OCC-12", "passed"), ("PERF-07", "OUTSIDE BAND"), ("PERF-12", "FAILED"), ("FP-01", "ERROR")]
        {
            let first = page.lines().find(|line| line.starts_with(&format!("| {id} |")));
            assert!(first.is_some_and(|line| line.ends_with(&format!(" {word} |"))), "{page}");
        }
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text:?} in\n{page}"));
        assert!(at("\n## Failed") < at("| PERF-12 | ratio | 8 | 9 |  | FAILED |"), "{page}");
        assert!(at("| FP-01 |  |  |  |  | ERROR |") < at("\n## Outside their band"));
        assert!(at("| PERF-07 | v1 | 100 ±15 % | 120 | +20.0 | OUTSIDE BAND |") < at("\n## Occupancy"));
        assert_eq!(page.matches("| v2 | 100 ±15 % |").count(), 1, "within its band: {page}");
        assert!(at("\n### OCC-12 (B 5.4): passed") < at("| blocks \\| warps | 3 | 3 |  | passed |"));
        assert!(page.contains("\n- *why*: It is so.\n- *cause*: The cause.\n"), "{page}");
        assert!(at("\n### FP-01") < at("\nerror: no\nway\n"), "{page}");
    }

    #[test]
    fn an_estimate_states_its_number_of_blocks() {
        let mut estimated = result("PERF-07", vec![Finding::measured("v1", 100.0, 15.0, 120.0)]);
        let State::Shown(shown) = &mut estimated.state else { panic!("it ran") };
        shown.sampled = Some(Sampled { launches: 5, estimated: 2, blocks: 1000, simulated: 125 });
        let words = "2 of 5 timed launches estimated from the first 125 of their 1000 blocks (12.5 %)";
        assert!(markdown(&claim(&estimated)).contains(&format!("\n- *sampled*: {words}\n")));
        assert!(text(&claim(&estimated)).contains("  sampled   2 of 5 timed launches estimated"));
    }

    #[test]
    fn without_failures_nothing_is_outside_its_band() {
        let claims = [result("OCC-12", vec![Finding::exact("blocks", 3, 3)])];
        let page = markdown(&page(&Sizes::default(), &claims));
        assert!(!page.contains("## Outside") && !page.contains("## Failed"), "{page}");
        assert!(page.contains("\n1 claim at small sizes, no launch sampled: 1 passed\n"));
    }
}

//! The generated part of `docs/BOOK.md`, and `data/verdicts.txt`, from the recorded results.
//! `BLESS=1` writes both.

use super::recorded::VERDICTS;
use super::result::WORDS;
use super::results::{Finding, Recorded, Shown, results};
use crate::{Claim, Verdict, claims};
use report::render::table::wrapped;
use std::fmt::Write as _;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/BOOK.md");
const BEGIN: &str = "<!-- results: generated; BLESS=1 cargo test -p evidence -->\n";
const END: &str = "<!-- end of results -->\n";

/// Most findings that a row shows.
const SHOWN: usize = 3;

/// Characters that a finding without a measured number may have in a row.
const SHORT: usize = 60;

/// A finding at small and at full size.
struct Pair<'a> {
    what: &'a str,
    expected: &'a str,
    small: &'a str,
    full: &'a str,
    verdict: &'a str,
    error: Option<f64>,
}

impl Pair<'_> {
    /// Whether the finding repeats what the claims table says.
    fn is_as_expected(&self) -> bool {
        self.small == self.expected && self.full == self.expected
    }

    /// Order of the findings in a row: measured numbers, then shapes, then reported numbers.
    fn rank(&self) -> u8 {
        match (self.error, self.verdict == Verdict::Reported.word()) {
            (Some(_), _) => 0,
            (None, false) => 1,
            (None, true) => 2,
        }
    }

    fn words(&self) -> String {
        let Self { what, small, full, .. } = self;
        let both = if small == full { (*small).to_owned() } else { format!("{small} / {full}") };
        let error = self.error.map_or_else(String::new, |error| format!(" ({error:+.1} %)"));
        format!("{what}: {both}{error}")
    }
}

/// Returns the result of a claim.
fn of<'r>(results: &'r [Recorded], id: &str) -> &'r Recorded {
    results.iter().find(|result| result.id == id).unwrap_or_else(|| {
        panic!("{id} has no recorded result; docs/BOOK.md has the commands that record them")
    })
}

/// Returns the findings of a claim at both sizes. A finding that only the full size has repeats an
/// experiment with other sizes, which its name contains.
fn pairs<'r>(recorded: &'r Recorded) -> Vec<Pair<'r>> {
    let pair = |Finding(what, expected, small, full): &'r Finding| {
        let Shown(full, verdict, error) = full.as_ref()?;
        let small = small.as_ref().map_or(full, |Shown(small, ..)| small);
        Some(Pair { what, expected, small, full, verdict, error: *error })
    };
    recorded.findings.iter().filter_map(pair).collect()
}

/// Returns the findings of a claim in words: the number of findings that repeat the claim, the most
/// important others if they are short, and the number of the rest.
fn measured(pairs: &[Pair<'_>]) -> String {
    let mut others: Vec<&Pair<'_>> = pairs.iter().filter(|pair| !pair.is_as_expected()).collect();
    others.sort_by_key(|pair| pair.rank());
    let same = pairs.len() - others.len();
    let mut parts = Vec::new();
    match (same, others.len()) {
        (0, _) => {}
        (1, 0) => parts.push("as expected".to_owned()),
        (same, 0) => parts.push(format!("all {same} as expected")),
        (same, _) => parts.push(format!("{same} as expected")),
    }
    let short = |pair: &&&Pair<'_>| pair.error.is_some() || pair.words().chars().count() <= SHORT;
    let shown: Vec<String> = others.iter().filter(short).take(SHOWN).map(|pair| pair.words()).collect();
    let more = others.len() - shown.len();
    parts.extend(shown);
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    parts.join("; ")
}

fn row(claim: &Claim, recorded: &Recorded) -> String {
    let id = claim.id.as_str();
    let (was, is) = &recorded.verdicts;
    let verdict = if was == is { is.to_owned() } else { format!("{was} / {is}") };
    let measured = measured(&pairs(recorded));
    let cells = [id, &claim.statement(), &claim.must(), &measured, &verdict];
    let cells = cells.map(|cell| cell.trim().replace('|', "\\|").replace('\n', " "));
    format!("| {} |\n", cells.join(" | "))
}

/// Returns the generated part of the page.
fn generated(results: &[Recorded]) -> String {
    let mut out = "\n| verdict | claims |\n|---|---:|\n".to_owned();
    let claims = claims::claims();
    for word in WORDS {
        let number = claims.iter().filter(|claim| of(results, &claim.id).verdicts.1 == word).count();
        if number > 0 {
            writeln!(out, "| {word} | {number} |").expect("a string can be written");
        }
    }
    for section in claims.chunk_by(|a, b| a.section == b.section) {
        let head = "| claim | statement | must show | measured, small / full size | verdict |";
        out.extend([format!("\n### {}\n\n{head}\n|---|---|---|---|---|\n", section[0].section)]);
        out.extend(section.iter().map(|claim| row(claim, of(results, &claim.id))));
    }
    out += "\n### Causes of the claims outside their band\n";
    for claim in claims {
        let Recorded { ran, cause, .. } = of(results, &claim.id);
        if let Some(cause) = cause {
            let ran = ran.trim_end_matches('.');
            let cause = format!("**{}.** Ran: {ran}. {cause}", claim.id);
            out.extend([format!("\n{}\n", wrapped("", &cause, 0, 100).join("\n"))]);
        }
    }
    out.push('\n');
    out
}

fn is_blessed() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// Tests: `every-claim-has-a-program`.
#[test]
fn the_page_has_every_claim_with_its_recorded_results() {
    let page = std::fs::read_to_string(PAGE).expect("the page is readable").replace("\r\n", "\n");
    let (before, rest) = page.split_once(BEGIN).expect("the page has the line before the results");
    let (old, after) = rest.split_once(END).expect("the page has the line after the results");
    let now = generated(&results());
    if old == now {
        return;
    }
    assert!(is_blessed(), "docs/BOOK.md has old results; run the test with BLESS=1");
    std::fs::write(PAGE, format!("{before}{BEGIN}{now}{END}{after}")).expect("the page is writable");
}

/// Tests: `every-claim-has-a-program`.
#[test]
fn the_verdicts_are_those_of_the_recorded_results() {
    let results = results();
    let mut verdicts = String::new();
    for claim in claims::claims() {
        let recorded = of(&results, &claim.id);
        let small = recorded.findings.iter().filter_map(|Finding(_, _, small, _)| small.as_ref());
        let shown = small.map(|Shown(_, verdict, _)| verdict.as_str());
        let place = |word: &str| WORDS.iter().position(|known| *known == word);
        let judged = |word: &&str| *word != Verdict::Reported.word();
        let worst = shown.clone().filter(judged).max_by_key(|word| place(word)).or(shown.clone().next_back());
        let word = recorded.verdicts.0.as_str();
        assert!(place(word).is_some(), "{}: {word} is no verdict", claim.id);
        assert_eq!(worst.unwrap_or(word), word, "{}: the verdict of its worst finding", claim.id);
        writeln!(verdicts, "{} {word}", claim.id).expect("a string can be written");
    }
    if verdicts != VERDICTS {
        assert!(is_blessed(), "data/verdicts.txt has old verdicts; run the test with BLESS=1");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/verdicts.txt");
        std::fs::write(path, verdicts).expect("the file is writable");
    }
}

#[test]
fn a_row_shows_what_differs_from_the_claim_and_measured_numbers_first() {
    let pair =
        |what, expected, small, full, verdict, error| Pair { what, expected, small, full, verdict, error };
    let pairs = [
        pair("blocks", "3", "3", "3", "passed", None),
        pair("rate", "", "2.9", "3.1", "reported", None),
        pair("order", "a < b", "1, 2", "1, 2", "passed", None),
        pair("GFLOP/s", "20 ±15 %", "18", "19", "within band", Some(-5.0)),
    ];
    let words = "1 as expected; GFLOP/s: 18 / 19 (-5.0 %); order: 1, 2; rate: 2.9 / 3.1";
    assert_eq!(measured(&pairs), words);
    assert_eq!(measured(&pairs[..1]), "as expected");
    let many: Vec<Pair<'_>> = (0..9).map(|_| pair("n", "", "1", "1", "reported", None)).collect();
    let long = "hazard ".repeat(9);
    assert_eq!(measured(&[pair("which", "", &long, &long, "passed", None)]), "1 more");
    assert!(measured(&many).ends_with("; n: 1; 6 more"), "{}", measured(&many));
}

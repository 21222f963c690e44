//! The list of claims, and their results, as text.

use super::result::{ClaimResult, tally};
use super::{choice, recorded};
use crate::Claim;
use crate::outcome::State;
use report::render::number::plural;
use report::render::table::{Column, Columns, heading, line};

/// Width of a claim in the list, in characters.
const CLAIM: usize = 61;

/// Width of the common beginning of claims, in characters.
const BEGIN: usize = 23;

/// Returns all claims, and the commands that run them.
pub fn list(results: &[ClaimResult]) -> String {
    let mut out = String::new();
    for section in results.chunk_by(|a, b| a.claim.section == b.claim.section) {
        out += &heading(&section[0].claim.section);
        let columns = [Column::Words(9), Column::Words(12), Column::Words(CLAIM as u16 + 2), Column::Rest];
        let mut table = Columns::new(&columns).titles(&["id", "where", "claim", "verdict"]);
        let statements = statements(section);
        for (result, statement) in section.iter().zip(&statements) {
            let claim = result.claim;
            let verdict = recorded::verdict(&claim.id).unwrap_or("-");
            table.row(&[&claim.id, &places(claim), statement, verdict]);
        }
        out += &table.draw();
    }
    out += "\n verdict: as last recorded (docs/BOOK.md)\n";
    out += " Run claims: warpsim book PERF-04; a group: warpsim book OCC; a chapter: warpsim book ch6;\n";
    out += "             an appendix: warpsim book appB; claims of slides: warpsim book slides;\n";
    out += "             all: warpsim book all. At the sizes of the claims table: --full-size\n";
    out
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

/// Returns the result of a claim that was run: claim, findings, reason.
pub fn claim(result: &ClaimResult) -> String {
    let claim = result.claim;
    let mut out = heading(&format!("{} ({}): {}", claim.id, claim.source(), result.word()));
    let mut facts = Columns::new(&[Column::Words(10), Column::Rest]);
    facts.row(&["claim", &claim.statement()]);
    facts.row(&["must show", &claim.must()]);
    let shown = match &result.state {
        State::Shown(shown) => shown,
        State::Error(why) => {
            out += &facts.draw();
            out.push('\n');
            // A diagnostic with its source line already contains the word "error".
            let lead = if why.contains("error[") { "" } else { "error: " };
            for part in format!("{lead}{}", why.trim_end()).lines() {
                line(&mut out, format!(" {part}"));
            }
            return out;
        }
        State::NotRun(..) => return out + &facts.draw(),
    };
    facts.row(&["run", &shown.ran]);
    if let Some(sampled) = &shown.sampled {
        facts.row(&["sampled", &sampled.to_string()]);
    }
    out += &facts.draw();
    out.push('\n');
    let columns =
        [Column::Words(20), Column::Words(10), Column::Words(10), Column::Numbers(8), Column::Words(13)];
    let mut table =
        Columns::new(&columns).titles(&["finding", "expected", "simulated", "error %", "verdict"]);
    for finding in &shown.findings {
        let error = finding.error.map_or_else(String::new, |error| format!("{error:+.1}"));
        let verdict = finding.verdict.word();
        table.row(&[&finding.what, &finding.expected, &finding.simulated, &error, verdict]);
    }
    out += &table.draw();
    let mut reasons = Columns::new(&[Column::Words(10), Column::Rest]);
    for (i, sentence) in shown.why.iter().enumerate() {
        reasons.row(&[if i == 0 { "why" } else { "" }, sentence]);
    }
    if let Some(cause) = &shown.cause {
        reasons.row(&["cause", cause]);
    }
    if !shown.why.is_empty() || shown.cause.is_some() {
        out.push('\n');
        out += &reasons.draw();
    }
    out
}

/// Returns the last line after claims that were run: the sizes, and the number of claims with each
/// verdict.
pub fn total(sizes: &str, results: &[ClaimResult]) -> String {
    let parts: Vec<String> = tally(results).iter().map(|(word, number)| format!("{number} {word}")).collect();
    format!("\n {} {sizes}: {}\n", plural(results.len() as u64, "claim"), parts.join(", "))
}

/// Returns the places of a claim in the course texts.
fn places(claim: &Claim) -> String {
    choice::places(claim).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the first characters of a text.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end_matches([' ', ',', ';', ':']))
}

//! The ledger as a list, and its rows with what running them showed.

use super::outcome::{Outcome, State, tally};
use super::{choice, recorded};
use crate::render::number::plural;
use crate::render::table::{Column, Columns, heading, line};
use kernels::book::Row;

/// Characters of a claim in the list.
const CLAIM: usize = 61;

/// Characters of the first column of claims that begin alike.
const BEGIN: usize = 23;

/// All rows, and how to run them.
pub fn list(outcomes: &[Outcome]) -> String {
    let mut out = String::new();
    for rows in outcomes.chunk_by(|a, b| a.row.section == b.row.section) {
        out += &heading(&rows[0].row.section);
        let columns = [Column::Words(9), Column::Words(12), Column::Words(CLAIM as u16 + 2), Column::Rest];
        let mut table = Columns::new(&columns).titles(&["row", "where", "claim", "verdict"]);
        let claims = claims(rows);
        for (outcome, claim) in rows.iter().zip(&claims) {
            let row = outcome.row;
            let verdict = match &outcome.state {
                State::NoProgram => outcome.word(),
                _ => recorded::verdict(&row.id).unwrap_or("-"),
            };
            table.row(&[&row.id, &places(row), claim, verdict]);
        }
        out += &table.draw();
    }
    out += "\n verdict: as last recorded (docs/book/results.md)\n";
    out += " Run rows:  warpsim book PERF-04, warpsim book OCC MEM-08; a chapter: warpsim book ch6;\n";
    out += "            an appendix: warpsim book appB; what slides say: warpsim book slides; all:\n";
    out += "            warpsim book all. At the sizes that the ledger names: --full-size\n";
    out
}

/// The claims of rows, cut. Of those that begin alike the beginning is cut shorter, so that the
/// difference is seen.
fn claims(rows: &[Outcome]) -> Vec<String> {
    let whole = |row: &Row| format!("{}: {}", row.claim(), row.must());
    let claims: Vec<String> = rows.iter().map(|outcome| cut(&whole(outcome.row), CLAIM)).collect();
    let alike = |claim: &String| claims.iter().filter(|other| *other == claim).count() > 1;
    let apart = |row: &Row| {
        let whole = whole(row);
        let begin = row.columns.first().map_or("", |(_, text)| text.as_str());
        let rest = whole.strip_prefix(begin).unwrap_or(&whole);
        cut(&format!("{}{rest}", cut(begin, BEGIN)), CLAIM)
    };
    let shown = rows.iter().zip(&claims);
    shown.map(|(outcome, claim)| if alike(claim) { apart(outcome.row) } else { claim.clone() }).collect()
}

/// A row that was run: claim, findings, why.
pub fn row(outcome: &Outcome) -> String {
    let row = outcome.row;
    let mut out = heading(&format!("{} ({}): {}", row.id, row.source, outcome.word()));
    let mut facts = Columns::new(&[Column::Words(10), Column::Rest]);
    facts.row(&["claim", &row.claim()]);
    facts.row(&["must show", row.must()]);
    let shown = match &outcome.state {
        State::Shown(shown) => shown,
        State::Error(why) => {
            out += &facts.draw();
            out.push('\n');
            // What is drawn on a text says by itself that it is an error.
            let lead = if why.contains("error[") { "" } else { "error: " };
            for part in format!("{lead}{}", why.trim_end()).lines() {
                line(&mut out, format!(" {part}"));
            }
            return out;
        }
        State::NoProgram | State::NotRun => return out + &facts.draw(),
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

/// The last line of rows that were run: how, and how many have each verdict.
pub fn total(sizes: &str, outcomes: &[Outcome]) -> String {
    let parts: Vec<String> =
        tally(outcomes).iter().map(|(word, number)| format!("{number} {word}")).collect();
    format!("\n {} {sizes}: {}\n", plural(outcomes.len() as u64, "row"), parts.join(", "))
}

/// Where the course texts have a row.
fn places(row: &Row) -> String {
    choice::places(row).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The first characters of a text.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end_matches([' ', ',', ';', ':']))
}

//! `book --markdown`: the results of claims as a page of the documentation.

use crate::args::BookArgs;
use evidence::view::result::{ClaimResult, tally};
use evidence::{Finding, Shown, State, Verdict};

/// Column titles of the findings.
const TITLES: &str = "what | expected | simulated | error % | verdict |\n";

/// Returns the page: failures, findings outside their bands, every claim with its findings, and the
/// reasons.
pub fn page(args: &BookArgs, results: &[ClaimResult]) -> String {
    let mut out = head(args, results);
    let failed: Vec<&ClaimResult> = results.iter().filter(|result| result.is_failure()).collect();
    if !failed.is_empty() {
        out += "\n## Failed\n\nExact and shape findings that differ from the claim.\n";
        out.extend(failed.iter().map(|result| aside(result, Verdict::Failed)));
    }
    out += "\n## Outside their band\n\n";
    let outside: Vec<&ClaimResult> = results.iter().filter(|o| has(o, Verdict::Outside)).collect();
    out += if outside.is_empty() {
        "None.\n"
    } else {
        "Measured numbers of real chips that the simulated chip misses by more than the claims table allows, each with the \
         known cause and the attempted corrections.\n"
    };
    out.extend(outside.iter().map(|result| aside(result, Verdict::Outside)));
    for claims in results.chunk_by(|a, b| a.claim.section == b.claim.section) {
        out.extend([format!(
            "\n## {}\n\n| claim | {TITLES}|---|---|---|---|---:|---|\n",
            claims[0].claim.section
        )]);
        out.extend(claims.iter().map(lines));
    }
    out += "\n## Why\n";
    out.extend(results.iter().map(why));
    out
}

fn head(args: &BookArgs, results: &[ClaimResult]) -> String {
    let flags =
        [(args.full_size, " --full-size"), (args.sample, " --sample"), (args.no_sample, " --no-sample")];
    let mut command = format!("warpsim book {}", args.names.join(" "));
    command.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| *flag));
    command.extend(args.sets.iter().map(|set| format!(" --set {set}")));
    let mut out = format!(
        "# Results of the claims\n\nThe statements of the course texts about these chips, and the results of the simulator, {}. \
         `{command} --markdown FILE` wrote this page. \
         docs/BOOK.md explains it.\n\n| verdict | claims |\n|---|---:|\n",
        args.sizes().words()
    );
    for (word, number) in tally(results) {
        out.extend([format!("| {word} | {number} |\n")]);
    }
    out
}

fn has(result: &ClaimResult, verdict: Verdict) -> bool {
    result.shown().is_some_and(|shown| shown.findings.iter().any(|finding| finding.verdict == verdict))
}

/// Section of one claim: its findings with that verdict, and their cause.
fn aside(result: &ClaimResult, verdict: Verdict) -> String {
    let claim = result.claim;
    let mut out = format!(
        "\n### {}: {}\n\nMust show: {}.\n",
        claim.id,
        claim.statement(),
        full_stop_off(&claim.must())
    );
    match &result.state {
        State::Shown(shown) => {
            out.extend([format!("{}\n| {TITLES}|---|---|---|---:|---|\n", ran(shown))]);
            for finding in shown.findings.iter().filter(|finding| finding.verdict == verdict) {
                out.extend([format!("| {} |\n", escaped(finding).join(" | "))]);
            }
            if shown.findings.is_empty() {
                out += "\nNothing was found.\n";
            }
            if let Some(cause) = &shown.cause {
                out.extend([format!("\n{cause}\n")]);
            }
        }
        State::Error(why) => out.extend([format!("\n```text\n{}\n```\n", why.trim_end())]),
        State::NotRun(..) => {}
    }
    out
}

/// Rows of a claim in the table of its section.
fn lines(result: &ClaimResult) -> String {
    let id = &result.claim.id;
    let Some(shown) = result.shown().filter(|shown| !shown.findings.is_empty()) else {
        return format!("| {id} | | | | | {} |\n", result.word());
    };
    let line = |finding: &Finding| format!("| {id} | {} |\n", escaped(finding).join(" | "));
    shown.findings.iter().map(line).collect::<Vec<_>>().concat()
}

/// Cells of a finding in a table of Markdown.
fn escaped(finding: &Finding) -> [String; 5] {
    cells(finding).map(|cell| cell.replace('|', "\\|").replace('\n', " "))
}

/// Cells of a finding.
pub fn cells(finding: &Finding) -> [String; 5] {
    let Finding { what, expected, simulated, error, verdict, .. } = finding;
    let error = error.map_or_else(String::new, |error| format!("{error:+.1}"));
    [what.clone(), expected.clone(), simulated.clone(), error, verdict.word().to_owned()]
}

/// Description of the run of a claim, and the reason that its report gives.
fn why(result: &ClaimResult) -> String {
    let (claim, Some(shown)) = (result.claim, result.shown()) else { return String::new() };
    let mut out = format!(
        "\n### {} ({})\n\n{}: {}.\n",
        claim.id,
        claim.source(),
        claim.statement(),
        full_stop_off(&claim.must())
    );
    out += &ran(shown);
    if !shown.why.is_empty() {
        out.push('\n');
    }
    for sentence in &shown.why {
        out.extend([format!("- {sentence}\n")]);
    }
    out
}

/// Description of a run, and of the part that was simulated.
fn ran(shown: &Shown) -> String {
    let sampled = shown.sampled.map_or_else(String::new, |sampled| format!(" Sampled: {sampled}."));
    format!("Ran: {}.{sampled}\n", full_stop_off(&shown.ran))
}

fn full_stop_off(text: &str) -> &str {
    text.trim_end().trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;
    use evidence::{Sampled, Shown, claims};

    /// The claim `id` with these findings, a reason and a cause.
    fn result(id: &str, findings: Vec<Finding>) -> ClaimResult {
        let claim = claims::claim(id).expect("in the claims table");
        let ran = "a kernel | on a chip".to_owned();
        let (why, cause) = (vec!["It is so.".to_owned()], Some("The cause.".to_owned()));
        ClaimResult::of(claim, Ok(Shown { ran, findings, why, cause, sampled: None }))
    }

    fn args(line: &str) -> BookArgs {
        let args = Args::try_parse_from(line.split(' ')).expect("good");
        let Command::Book(args) = args.command else { panic!("the command is book") };
        args
    }

    #[test]
    fn findings_outside_their_band_come_first_and_rows_end_with_verdicts() {
        let claims = [
            result("OCC-12", vec![Finding::exact("blocks | warps", 3, 3)]),
            result(
                "PERF-07",
                vec![
                    Finding::measured("v1", 100.0, 15.0, 120.0),
                    Finding::measured("v2", 100.0, 15.0, 101.0),
                ],
            ),
            result("PERF-12", vec![Finding::exact("ratio", 8, 9)]),
            ClaimResult {
                claim: evidence::claims::claim("FP-01").unwrap(),
                state: State::Error("no\nway".into()),
            },
        ];
        let page = page(&args("warpsim book OCC-12 perf --full-size --set a.b=1 --threads 2"), &claims);
        assert!(
            page.contains("`warpsim book OCC-12 perf --full-size --set a.b=1 --markdown FILE`"),
            "{page}"
        );
        for (id, word) in
            [("OCC-12", "passed"), ("PERF-07", "OUTSIDE BAND"), ("PERF-12", "FAILED"), ("FP-01", "ERROR")]
        {
            let last =
                page.lines().rfind(|line| line.starts_with(&format!("| {id} |")) && line.contains(word));
            assert!(last.is_some_and(|line| line.ends_with(&format!(" {word} |"))), "{page}");
        }
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text:?} in\n{page}"));
        assert!(at("\n## Failed") < at("### PERF-12: ") && at("### PERF-12: ") < at("no\nway"));
        assert!(at("no\nway") < at("\n## Outside their band") && at("\n## Outside") < at("### PERF-07: "));
        assert!(at("| v1 | 100 ±15 % | 120 | +20.0 | OUTSIDE BAND |") < at("\n## Occupancy"));
        assert!(at("The cause.") < at("| OCC-12 | blocks \\| warps | 3 | 3 |  | passed |"));
        assert!(at("\n## Performance") < at("\n## Why\n") && at("\n## Why\n") < at("- It is so.\n"));
    }

    #[test]
    fn an_estimate_states_its_number_of_blocks() {
        let mut claim = result("PERF-07", vec![Finding::measured("v1", 100.0, 15.0, 120.0)]);
        let State::Shown(shown) = &mut claim.state else { panic!("it ran") };
        shown.ran = "A kernel.".to_owned();
        shown.sampled = Some(Sampled { launches: 5, estimated: 2, blocks: 1000, simulated: 125 });
        let page = page(&args("warpsim book PERF-07 --full-size"), &[claim]);
        let line = "Ran: A kernel. Sampled: 2 of 5 timed launches estimated from the first 125 of their 1000 blocks (12.5 %).";
        assert_eq!(page.matches(line).count(), 2, "outside its band, and why: {page}");
    }

    #[test]
    fn without_failures_nothing_is_outside_its_band() {
        let claims = [result("OCC-12", vec![Finding::exact("blocks", 3, 3)])];
        let page = page(&args("warpsim book OCC-12"), &claims);
        assert!(page.contains("## Outside their band\n\nNone.\n") && !page.contains("## Failed"), "{page}");
        assert!(page.contains("at small sizes, no launch sampled."));
    }
}

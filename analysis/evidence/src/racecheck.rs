//! Findings of the race checker as text.

use sim_core::check::{Finding, HazardKind, Pair, Severity};

/// Returns the pairs of lines of one severity, in the order of their lines.
pub fn of(findings: &[Finding], severity: Severity) -> Vec<&Pair> {
    let all = findings.iter().filter_map(|finding| finding.race.as_ref()).flat_map(|race| &race.pairs);
    let mut pairs: Vec<&Pair> = all.filter(|pair| pair.severity == severity).collect();
    pairs.sort_by_key(|pair| (pair.first.line, pair.second.line, pair.between));
    pairs
}

/// Text of a hazard with both lines: ``RAW: line 43 `ld…` reads what line 40 `st…` wrote``.
pub fn in_words(pair: &Pair) -> String {
    let Pair { hazard, first, second, .. } = pair;
    let past = if *hazard == HazardKind::War { "read" } else { "wrote" };
    let text = |source: &str| {
        source.split("//").next().unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    format!(
        "{hazard}: line {} `{}` {} what line {} `{}` {past}",
        second.line,
        text(&second.source),
        second.does,
        first.line,
        text(&first.source)
    )
}

/// Text of several hazards.
pub fn list(pairs: &[&Pair]) -> String {
    let all: Vec<String> = pairs.iter().map(|pair| in_words(pair)).collect();
    if all.is_empty() { "none".to_owned() } else { all.join("; ") }
}

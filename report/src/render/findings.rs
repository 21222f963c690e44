//! The findings of the checkers, each drawn on its source lines, and a summary.

use super::number::{count, plural};
use super::races;
use crate::outcome::RunResult;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use sim_core::check::{Bytes, Check, Checks, Finding, Kind, Severity, Thread};
use sim_core::stats::Report;
use std::ops::Range;

/// Maximum number of printed findings.
const SHOWN: usize = 40;
/// Maximum width of a line; longer source lines are cut.
const WIDTH: usize = 100;
/// Width of the text of a note, which is indented.
pub(super) const NOTE_WIDTH: usize = 84;

/// Returns the result of the check, then the findings of all launches.
pub fn render(outcome: &RunResult, checks: Checks) -> String {
    let mut out = super::text::check(outcome, usize::from(super::table::WIDTH));
    let found = merged(&outcome.reports);
    for (at, finding) in found.iter().take(SHOWN) {
        out.extend(["\n", &draw(finding, &outcome.reports[*at], *at, outcome.reports.len()), "\n"]);
    }
    if found.len() > SHOWN {
        let more = plural((found.len() - SHOWN) as u64, "more finding");
        out.extend(["\nand ", &more, ": --json FILE contains all of them\n"]);
    }
    out.extend(["\n", &summary(outcome, &found, checks), "\n"]);
    out
}

/// Returns the error message if a checker other than that of races found errors.
pub fn complaint(reports: &[Report]) -> Option<String> {
    let findings = merged(reports);
    let errors = findings.iter().filter(|(_, finding)| finding.severity == Severity::Error);
    let errors = errors.filter(|(_, finding)| finding.check != Check::Race).count() as u64;
    (errors > 0).then(|| format!("error: the checkers found {}", plural(errors, "error")))
}

/// Merges the findings of all launches by kernel, kind, severity and line, errors first, each with
/// the first launch that has it.
fn merged(reports: &[Report]) -> Vec<(usize, Finding)> {
    let mut found: Vec<(usize, Finding)> = Vec::new();
    for (at, report) in reports.iter().enumerate() {
        for finding in report.checks.iter().flat_map(|checks| &checks.findings) {
            let like = |f: &Finding| (f.kind, f.severity, f.line);
            let same = |(other, f): &&mut (usize, Finding)| {
                reports[*other].launch.kernel == report.launch.kernel && like(f) == like(finding)
            };
            match found.iter_mut().find(same) {
                Some((_, known)) => known.times += finding.times,
                None => found.push((at, finding.clone())),
            }
        }
    }
    found.sort_by_key(|(_, finding)| rank(finding));
    found
}

/// The order of findings: errors first.
fn rank(finding: &Finding) -> (Severity, Check, u32, Kind) {
    (finding.severity, finding.check, finding.line, finding.kind)
}

/// Returns some of the findings of one launch.
pub fn of_launch(report: &Report, mut some: Vec<&Finding>) -> String {
    some.sort_by_key(|finding| rank(finding));
    let drawn = some.iter().take(SHOWN).map(|finding| draw(finding, report, 0, 1));
    let more = some.len().saturating_sub(SHOWN) as u64;
    let rest = (more > 0).then(|| format!("and {}", plural(more, "more finding")));
    drawn.chain(rest).collect::<Vec<_>>().join("\n\n")
}

/// Prints one finding, which occurred first in launch number `at` of `launches`.
fn draw(finding: &Finding, report: &Report, at: usize, launches: usize) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Hint => Level::NOTE.with_name("hint"),
    };
    let files = &report.launch.files;
    let place = |line: u32| files.at(line).map_or(("", line), |(file, line)| (&*file.name, line));
    let threads = &finding.threads;
    let own = [(finding.line, finding.source.replace('\t', " "), None, String::new())];
    let label = |thread: &Thread| {
        let Thread { thread, block, warp, does, .. } = thread;
        format!("thread {thread} of block {block}, warp {warp}, {does}")
    };
    let lines: Vec<(u32, String, Option<Range<u32>>, String)> = if threads.is_empty() {
        own.into()
    } else {
        let line = |t: &Thread| (t.line, t.source.replace('\t', " "), t.columns.clone(), label(t));
        threads.iter().map(line).collect()
    };
    let margin = lines.iter().map(|(line, ..)| line.to_string().len()).max().unwrap_or(0) + " |  ".len();
    let width = WIDTH - "error[]: ".len() - finding.kind.name().len();
    let title = wrap(&format!("line {}: {}", files.described(finding.line), finding.message), width);
    let title = level.primary_title(title.as_str()).id(finding.kind.name());
    let mut snippets: Vec<(u32, Snippet<_>)> = Vec::new();
    for (number, (line, source, columns, label)) in lines.iter().enumerate() {
        let primary = number + 1 == lines.len();
        let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let alone = lines.iter().filter(|(other, ..)| other == line).count() == 1;
        // A single label follows the marked text, which is cut to leave space for it; several
        // labels are below it.
        let space = if alone { WIDTH.saturating_sub(margin + label.len()).max(1) } else { WIDTH };
        let mark = kind.span(marked(source, columns.as_ref(), space)).label(label.as_str());
        if let Some((_, snippet)) = snippets.iter_mut().find(|(known, _)| known == line) {
            *snippet = snippet.clone().annotation(mark);
        } else {
            let (path, number) = place(*line);
            let snippet = Snippet::source(source.as_str()).path(path).line_start(number as usize);
            snippets.push((*line, snippet.annotation(mark)));
        }
    }
    let mut origins: Vec<String> = lines.iter().filter_map(|(line, ..)| files.origin_line(*line)).collect();
    origins.dedup();
    let notes = origins.into_iter().chain(notes(finding, at, launches));
    let notes: Vec<String> = notes.map(|note| wrap(&note, NOTE_WIDTH)).collect();
    let help = finding.help.as_ref().map(|help| wrap(help, NOTE_WIDTH));
    let mut snippets = snippets.into_iter().map(|(_, snippet)| snippet);
    let Some(first) = snippets.next() else { return String::new() };
    let mut group = title.element(first);
    for snippet in snippets {
        group = group.element(snippet);
    }
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().term_width(WIDTH).render(&[group])
}

/// Returns the bytes of a source line that a mark is under: those of the instruction in `columns`,
/// or the whole line. The mark ends within the first `space` characters if it begins there.
pub(super) fn marked(source: &str, columns: Option<&Range<u32>>, space: usize) -> Range<usize> {
    let byte = |character: usize| source.char_indices().nth(character).map_or(source.len(), |(at, _)| at);
    let whole = 1..u32::MAX;
    let columns = columns.unwrap_or(&whole);
    let (start, end) = (columns.start as usize - 1, columns.end as usize - 1);
    byte(start)..byte(end.min(space.max(start + 1)))
}

fn notes(finding: &Finding, at: usize, launches: usize) -> Vec<String> {
    let mut notes: Vec<String> = finding.memory.iter().filter(|memory| memory.bytes > 0).map(place).collect();
    notes.extend(finding.notes.iter().cloned());
    let first =
        if launches > 1 { format!(", first in launch {} of {launches}", at + 1) } else { String::new() };
    if finding.times > 1 || launches > 1 {
        notes.push(format!("met {}{first}", plural(finding.times, "time")));
    }
    notes
}

/// Returns the location of bytes.
fn place(memory: &Bytes) -> String {
    let Bytes { space, address, bytes, object } = memory;
    let object = object.as_ref().and_then(|object| {
        let name = object.name.as_ref()?;
        Some(format!(", byte {} of `{name}`", count(address - object.start)))
    });
    let bytes = plural((*bytes).into(), "byte");
    format!("{bytes} at {address:#x} of {} memory{}", space.name(), object.unwrap_or_default())
}

/// Returns the number of findings of each checker that was on.
fn summary(outcome: &RunResult, found: &[(usize, Finding)], checks: Checks) -> String {
    let number = |check: Check, severity: Severity| {
        let of = found.iter().filter(|(_, f)| f.check == check && f.severity == severity);
        of.count() as u64
    };
    let mut lines = Vec::new();
    for check in checks.iter() {
        let name = match check {
            Check::Memory => "MEMCHECK",
            Check::Race => "RACECHECK",
            Check::Init => "INITCHECK",
            Check::Sync => "SYNCCHECK",
        };
        let (errors, hints) = (number(check, Severity::Error), number(check, Severity::Hint));
        let hints = if hints > 0 { format!(", {}", plural(hints, "hint")) } else { String::new() };
        lines.push(format!("{name}: {}{hints}", plural(errors, "error")));
    }
    if !outcome.reports.iter().all(|report| report.verdict.is_finished()) {
        lines.push("  The kernel did not finish: later instructions were not checked.".to_owned());
    }
    lines.extend(races::unchecked(&outcome.reports));
    lines.join("\n")
}

/// Breaks a text at blanks into lines of at most `width` characters.
pub(super) fn wrap(text: &str, width: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            out.push('\n');
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_under_its_statement() {
        let line = "ld.shared.u32 %a, [x]; st.shared.u32 [y], %a;";
        let part = |columns: Option<Range<u32>>, space| &line[marked(line, columns.as_ref(), space)];
        assert_eq!(part(None, 100), line);
        assert_eq!(part(None, 13), "ld.shared.u32");
        assert_eq!(part(Some(1..23), 100), "ld.shared.u32 %a, [x];");
        assert_eq!(part(Some(24..46), 100), "st.shared.u32 [y], %a;");
        assert_eq!(part(Some(24..46), 36), "st.shared.u32");
        assert_eq!(part(Some(24..46), 5), "s", "a label beyond the width");
    }

    #[test]
    fn texts_are_broken_at_blanks() {
        assert_eq!(wrap("one two three", 7), "one two\nthree");
        assert_eq!(wrap("one\ntwo three", 20), "one two three");
        assert_eq!(wrap("longer-than-that x", 5), "longer-than-that\nx");
    }
}

//! The findings of the checkers, each drawn on its source lines, and a summary.

use super::number::{count, plural};
use super::table::filled;
use crate::outcome::RunResult;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use isa::source::Files;
use isa::terms::Terms;
use sim_core::check::race::Coverage;
use sim_core::check::{Bytes, Check, Checks, Finding, Kind, Pair, Severity, Thread};
use sim_core::stats::Report;
use std::ops::Range;

/// Maximum number of printed findings.
const SHOWN: usize = 40;
/// Maximum width of a line; longer source lines are cut.
const WIDTH: usize = 100;
/// Width of the text of a note, which is indented.
const NOTE_WIDTH: usize = 84;

/// Returns the result of the check, then the findings of all launches.
pub fn render(outcome: &RunResult, checks: Checks) -> String {
    let mut out = super::text::check(outcome, usize::from(super::table::WIDTH));
    let found = merged(&outcome.reports);
    let mut drawn = found.iter().filter(|(_, finding)| is_drawn(finding));
    for (at, finding) in drawn.by_ref().take(SHOWN) {
        out.extend(["\n", &draw(finding, &outcome.reports[*at], *at, outcome.reports.len()), "\n"]);
    }
    let more = drawn.count() as u64;
    if more > 0 {
        let more = plural(more, "more finding");
        out.extend(["\nand ", &more, ": --json FILE contains all of them\n"]);
    }
    out.extend(["\n", &summary(outcome, &found, checks), "\n"]);
    out
}

/// Returns the error message if the checkers found errors, or did not compare all accesses.
pub fn complaint(reports: &[Report]) -> Option<String> {
    let found = merged(reports);
    let errors = found.iter().filter(|(_, finding)| finding.severity == Severity::Error).count() as u64;
    if errors > 0 {
        return Some(format!("error: the checkers found {}", plural(errors, "error")));
    }
    let Coverage { more, not_kept, .. } = coverage(reports);
    let all = more == 0 && not_kept == 0;
    (!all).then(|| "error: some accesses were not checked, so races may be missing".to_owned())
}

/// Merges the findings of all launches by kernel, kind, severity, line and the first pair of a
/// race, errors first, each with the first launch that has it.
fn merged(reports: &[Report]) -> Vec<(usize, Finding)> {
    let mut found: Vec<(usize, Finding)> = Vec::new();
    for (at, report) in reports.iter().enumerate() {
        for finding in report.checks.iter().flat_map(|checks| &checks.findings) {
            let pair = |pair: &Pair| (pair.first.line, pair.hazard, pair.between, pair.memory.space);
            let like = |f: &Finding| {
                let race = f.race.as_ref().and_then(|race| race.pairs.first());
                (f.kind, f.severity, f.line, race.map(pair))
            };
            let same = |(other, f): &&mut (usize, Finding)| {
                reports[*other].launch.kernel == report.launch.kernel && like(f) == like(finding)
            };
            match found.iter_mut().find(same) {
                Some((_, known)) => known.add(finding),
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

/// Whether the finding is drawn: a program with atomics, or with volatile accesses that a warp
/// orders, has many pairs of them, which are counted.
fn is_drawn(finding: &Finding) -> bool {
    finding.kind != Kind::AtomicOrder && !is_lockstep(finding)
}

/// Whether the finding is about volatile accesses that the lockstep of a warp orders.
fn is_lockstep(finding: &Finding) -> bool {
    finding.kind == Kind::WarpSynchronous && finding.severity == Severity::Info
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
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let files = &report.launch.files;
    let terms = Terms::of(files);
    let place = |line: u32| files.at(line).map_or(("", line), |(file, line)| (&*file.name, line));
    let threads = &finding.threads;
    let own = [(finding.line, finding.source.replace('\t', " "), None, String::new())];
    let label = |thread: &Thread| {
        let Thread { thread, block, warp, does, .. } = thread;
        format!("{} {thread} of {} {block}, warp {warp}, {does}", terms.thread, terms.block)
    };
    let lines: Vec<(u32, String, Option<Range<u32>>, String)> = if threads.is_empty() {
        own.into()
    } else {
        let line = |t: &Thread| (t.line, t.source.replace('\t', " "), t.columns.clone(), label(t));
        threads.iter().map(line).collect()
    };
    let margin = lines.iter().map(|(line, ..)| line.to_string().len()).max().unwrap_or(0) + " |  ".len();
    let width = WIDTH - finding.severity.name().len() - "[]: ".len() - finding.kind.name().len();
    let title = filled(&format!("line {}: {}", files.described(finding.line), finding.message), "", width);
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
    let origins = lines.iter().filter_map(|(line, ..)| files.origin(*line));
    let mut origins: Vec<String> = origins.map(|origin| origin.to_string()).collect();
    origins.dedup();
    let notes = origins.into_iter().chain(notes(finding, files, at, launches));
    let notes: Vec<String> = notes.map(|note| filled(&note, "", NOTE_WIDTH)).collect();
    let help = finding.help.as_ref().map(|help| filled(help, "", NOTE_WIDTH));
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
fn marked(source: &str, columns: Option<&Range<u32>>, space: usize) -> Range<usize> {
    let byte = |character: usize| source.char_indices().nth(character).map_or(source.len(), |(at, _)| at);
    let whole = 1..u32::MAX;
    let columns = columns.unwrap_or(&whole);
    let (start, end) = (columns.start as usize - 1, columns.end as usize - 1);
    byte(start)..byte(end.min(space.max(start + 1)))
}

fn notes(finding: &Finding, files: &Files, at: usize, launches: usize) -> Vec<String> {
    let mut notes: Vec<String> = finding
        .memory
        .iter()
        .filter(|memory| memory.bytes > 0)
        .map(|memory| place(memory, Terms::of(files)))
        .collect();
    notes.extend(finding.notes.iter().cloned());
    let first =
        if launches > 1 { format!(", first in launch {} of {launches}", at + 1) } else { String::new() };
    if finding.times > 1 || launches > 1 {
        notes.push(format!("met {}{first}", plural(finding.times, "time")));
    }
    notes.extend(others(finding, files));
    notes
}

/// Returns a note on the other pairs of lines of a race, each once.
fn others(finding: &Finding, files: &Files) -> Option<String> {
    let mut lines: Vec<(u32, u32)> = finding
        .race
        .iter()
        .flat_map(|race| &race.pairs)
        .map(|pair| (pair.first.line, pair.second.line))
        .collect();
    let main = *lines.first()?;
    lines.retain(|lines| *lines != main);
    lines.sort_unstable();
    lines.dedup();
    let list: Vec<String> = lines.into_iter().map(|lines| files.pair(lines)).collect();
    (!list.is_empty()).then(|| format!("the cause is the same at {}", list.join(", ")))
}

/// Returns the location of bytes.
fn place(memory: &Bytes, terms: &Terms) -> String {
    let Bytes { space, address, bytes, .. } = memory;
    let object = memory.offset().map(|(name, offset)| format!(", byte {} of `{name}`", count(offset)));
    let bytes = plural((*bytes).into(), "byte");
    format!("{bytes} at {address:#x} of {}{}", terms.memory(*space), object.unwrap_or_default())
}

/// Returns the number of findings of each checker that was on, and what was not checked.
fn summary(outcome: &RunResult, found: &[(usize, Finding)], checks: Checks) -> String {
    let number = |check: Check, severity: Severity| {
        let of = |f: &Finding| f.check == check && f.severity == severity && is_drawn(f);
        found.iter().filter(|(_, finding)| of(finding)).count() as u64
    };
    let mut lines = Vec::new();
    for check in checks.iter() {
        let name = match check {
            Check::Memory => "MEMCHECK",
            Check::Race => "RACECHECK",
            Check::Init => "INITCHECK",
            Check::Sync => "SYNCCHECK",
        };
        let mut line = format!("{name}: {}", plural(number(check, Severity::Error), "error"));
        for (severity, word) in [(Severity::Warning, "warning"), (Severity::Info, "info")] {
            let count = number(check, severity);
            if count > 0 {
                line.extend([", ", &plural(count, word)]);
            }
        }
        lines.push(line);
    }
    if !outcome.reports.iter().all(|report| report.verdict.is_finished()) {
        lines.push("  The kernel did not finish: later instructions were not checked.".to_owned());
    }
    let pairs = |is: &dyn Fn(&Finding) -> bool| -> usize {
        let of = found.iter().filter(|(_, finding)| is(finding));
        of.filter_map(|(_, finding)| Some(finding.race.as_ref()?.pairs.len())).sum()
    };
    let lockstep = pairs(&is_lockstep);
    if lockstep > 0 {
        let pairs = plural(lockstep as u64, "pair");
        lines.push(format!(
            "  Ordered by the lockstep of warps, with volatile accesses: {pairs} of lines. This is not a race\n  \
             on chips before compute capability 7.0."
        ));
    }
    let atomics = pairs(&|finding| finding.kind == Kind::AtomicOrder);
    if atomics > 0 {
        let pairs = plural(atomics as u64, "pair");
        lines.push(format!(
            "  The results may depend on the order of atomics: {pairs} of lines. This is not a race."
        ));
    }
    let Coverage { synchronized, more, not_kept } = coverage(&outcome.reports);
    if synchronized > 0 {
        let pairs = plural(synchronized, "pair");
        lines.push(format!(
            "  Ordered by locks, flags or counters with fences, as in this run: {pairs} of lines.\n  If the \
             blocks run in another order, other accesses can meet: this was not tried."
        ));
    }
    if more > 0 {
        lines.push(format!("  Pairs of accesses that are not reported: {}.", plural(more, "pair")));
    }
    if not_kept > 0 {
        lines.push(not_all(not_kept));
    }
    lines.join("\n")
}

/// Returns what the race checker did not consider in all launches.
fn coverage(reports: &[Report]) -> Coverage {
    let all = reports.iter().filter_map(|report| report.checks.as_ref()?.race);
    all.fold(Coverage::default(), |sum, one| Coverage {
        synchronized: sum.synchronized + one.synchronized,
        more: sum.more + one.more,
        not_kept: sum.not_kept + one.not_kept,
    })
}

/// Returns the warning that accesses to `words` words were not recorded.
fn not_all(words: u64) -> String {
    format!(
        "  Some accesses were not checked: the checker had no memory for {}, and later\n  \
         accesses were not compared with them. Races may be missing in this report.\n  \
         help: try a smaller launch",
        plural(words, "word")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::Settings;
    use sim_core::config::Chip;
    use sim_core::host::{Gpu, LaunchSettings, Mode};

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
    fn unchecked_accesses_are_not_reported_as_clean() {
        let mut gpu = Gpu::new(Chip::builtin("g80").expect("it is built in"));
        gpu.check_races(true);
        let settings = Settings {
            size: Some(64),
            launches: LaunchSettings { mode: Mode::Functional, ..LaunchSettings::default() },
        };
        let mut reports = kernels::run("vecadd", &mut gpu, settings).expect("it runs").reports;
        assert_eq!(complaint(&reports), None);
        let mut message = |more, not_kept| {
            let checks = reports[0].checks.as_mut().expect("it was checked");
            checks.race = Some(Coverage { synchronized: 0, more, not_kept });
            complaint(&reports)
        };
        let unchecked = "error: some accesses were not checked, so races may be missing";
        assert_eq!([message(1, 0), message(0, 1)].map(Option::unwrap_or_default), [unchecked; 2]);
        assert_eq!(message(0, 0), None);
        let settings = Settings {
            launches: LaunchSettings { mode: Mode::Functional, ..LaunchSettings::default() },
            ..Settings::default()
        };
        let mut reports = kernels::run("dot-product-printed", &mut gpu, settings).expect("it runs").reports;
        let checks = reports[0].checks.as_mut().expect("it was checked");
        checks.race = Some(Coverage { synchronized: 0, more: 1, not_kept: 1 });
        assert_eq!(complaint(&reports).as_deref(), Some("error: the checkers found 1 error"));
        let text = not_all(3_611_392);
        assert!(
            text.contains("memory for 3,611,392 words") && text.lines().all(|line| line.len() <= 100),
            "{text}"
        );
    }
}

//! What the race checker found: each hazard drawn on the two source lines that it is about, and a summary.

use super::number::{count, plural};
use crate::workload::Outcome;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use sim_core::racecheck::{Between, HazardKind, Severity, Space};
use sim_core::stats::Report;
use sim_core::stats::report::{HazardReport, PartyReport};

/// Hazards drawn at most.
const SHOWN: usize = 40;
/// Columns of a line, beyond which source lines are cut.
const WIDTH: usize = 100;

/// What was found in all launches, with the result of the check ahead of it.
pub fn render(outcome: &Outcome) -> String {
    let mut out = super::text::check(outcome, usize::from(super::table::WIDTH));
    let found = merged(&outcome.reports);
    for (at, hazard) in found.iter().take(SHOWN) {
        out.extend(["\n", &draw(hazard, &outcome.reports[*at], *at, outcome.reports.len()), "\n"]);
    }
    if found.len() > SHOWN {
        let more = plural((found.len() - SHOWN) as u64, "more hazard");
        out.extend(["\nand ", &more, ": --json FILE has all that were kept\n"]);
    }
    out.extend(["\n", &summary(outcome, &found), "\n"]);
    out
}

/// What is wrong: there are races; or there may be, for not everything was looked at.
pub fn complaint(reports: &[Report]) -> Option<&'static str> {
    let races = || reports.iter().filter_map(|report| report.races.as_ref());
    if races().any(|races| races.races > 0) {
        Some("error: there are races")
    } else if races().any(|races| races.more > 0 || races.not_kept > 0) {
        Some("error: there may be races: not everything could be checked")
    } else {
        None
    }
}

/// The hazards of all launches, with the first launch of each: those of the same lines, kind and severity once, the gravest
/// first. Two atomics are no hazard.
fn merged(reports: &[Report]) -> Vec<(usize, HazardReport)> {
    let mut found: Vec<(usize, HazardReport)> = Vec::new();
    for (at, report) in reports.iter().enumerate() {
        let hazards = report.races.iter().flat_map(|races| &races.hazards);
        for hazard in hazards.filter(|hazard| hazard.severity != Severity::AtomicOrder) {
            let like = |h: &HazardReport| {
                (
                    h.kind,
                    h.severity,
                    h.between,
                    h.space,
                    h.first.line,
                    h.second.line,
                    h.first.does,
                    h.second.does,
                    h.lost_update,
                )
            };
            let same = |(other, h): &&mut (usize, HazardReport)| {
                reports[*other].launch.kernel == report.launch.kernel && like(h) == like(hazard)
            };
            match found.iter_mut().find(same) {
                Some((_, known)) => known.times += hazard.times,
                None => found.push((at, hazard.clone())),
            }
        }
    }
    found.sort_by_key(|(_, hazard)| hazard.severity);
    found
}

/// One hazard; launch number `at` of `launches` showed it first.
fn draw(hazard: &HazardReport, report: &Report, at: usize, launches: usize) -> String {
    let (first, second) = (&hazard.first, &hazard.second);
    let level = match hazard.severity {
        Severity::Race => Level::ERROR,
        Severity::WarpSynchronous => Level::WARNING,
        Severity::SameValue | Severity::AtomicOrder => Level::NOTE,
    };
    let path = report.launch.file.as_str();
    let lines = [first, second].map(|party| party.source.replace('\t', " "));
    let labels = [first, second].map(|party| {
        let PartyReport { thread, block, warp, does, .. } = party;
        format!("thread {thread} of block {block}, warp {warp}, {does}")
    });
    let title = head(hazard);
    let margin = first.line.max(second.line).to_string().len() + " |  ".len();
    // A single label stands behind what is marked, which is the line, or as much of it as leaves room; two stand below.
    let behind = |label: &str| WIDTH.saturating_sub(margin + label.len()).max(1);
    let mark = |kind: AnnotationKind, line: &str, room: usize, label: &str| {
        let end = line.char_indices().nth(room).map_or(line.len(), |(at, _)| at);
        kind.span(0..end).label(label.to_owned())
    };
    let (one, other) = (AnnotationKind::Primary, AnnotationKind::Context);
    let mut snippet = Snippet::source(&lines[0]).path(path).line_start(first.line as usize);
    let title = level.primary_title(title.as_str());
    let mut group = if first.line == second.line {
        snippet = snippet.annotation(mark(one, &lines[0], WIDTH, &labels[0]));
        title.element(snippet.annotation(mark(one, &lines[0], WIDTH, &labels[1])))
    } else {
        let later = Snippet::source(&lines[1]).path(path).line_start(second.line as usize);
        title
            .element(snippet.annotation(mark(other, &lines[0], behind(&labels[0]), &labels[0])))
            .element(later.annotation(mark(one, &lines[1], behind(&labels[1]), &labels[1])))
    };
    let notes = notes(hazard, at, launches);
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    Renderer::plain().term_width(WIDTH).render(&[group])
}

/// The hazard in a sentence.
fn head(hazard: &HazardReport) -> String {
    let (first, second) = (&hazard.first, &hazard.second);
    let between = match hazard.between {
        Between::Blocks => "blocks",
        Between::Warps => "warps",
        Between::Lanes => "lanes of a warp",
        Between::Instruction => "lanes of an instruction",
    };
    let missing = match (hazard.severity, hazard.between) {
        (_, Between::Blocks | Between::Warps) if hazard.lost_update => "an update can be lost",
        (_, Between::Lanes | Between::Instruction) if hazard.lost_update => "an update is lost",
        (Severity::SameValue, _) => "always the same value",
        (_, Between::Blocks) => "nothing orders them",
        (_, Between::Warps) => "no barrier between",
        (_, Between::Lanes) => "only lockstep orders them",
        (_, Between::Instruction) => "the highest lane wins",
    };
    let lines = if first.line == second.line {
        format!("line {}", first.line)
    } else {
        format!("lines {} and {}", first.line, second.line)
    };
    format!("{} hazard between {between}, {lines}: {missing}", hazard.kind)
}

/// Where the bytes are.
fn place(hazard: &HazardReport) -> String {
    let space = match hazard.space {
        Space::Global => "global",
        Space::Shared => "shared",
    };
    let variable = hazard.variable.as_ref();
    let variable = variable.map(|(name, offset)| format!(", byte {} of `{name}`", count((*offset).into())));
    let bytes = plural(hazard.bytes.into(), "byte");
    format!("{bytes} at {:#x} of {space} memory{}", hazard.address, variable.unwrap_or_default())
}

fn notes(hazard: &HazardReport, at: usize, launches: usize) -> Vec<String> {
    let mut notes = vec![place(hazard)];
    let passed = format!("both warps had passed {}", plural(hazard.barriers.into(), "barrier"));
    let met = format!("met {}", plural(hazard.times, "time"));
    let first =
        if launches > 1 { format!(", first in launch {} of {launches}", at + 1) } else { String::new() };
    notes.push(match hazard.between {
        Between::Warps => format!("{passed}; {met}{first}"),
        _ => met + &first,
    });
    match (hazard.severity, hazard.between, hazard.kind) {
        _ if hazard.lost_update => notes.push(
            "each thread loads this word, computes a new value from it and stores that value: an\n\
             update that another thread makes in between is lost. A barrier does not help: use an\n\
             atomic (`atom` or `red`), or give each thread a word of its own and add them up later"
                .to_owned(),
        ),
        (Severity::WarpSynchronous, Between::Lanes, _) => notes.push(
            "warp-synchronous: ordered where the warps of the hardware run in step, as here;\n\
             the programming model does not promise it"
                .to_owned(),
        ),
        (Severity::WarpSynchronous, ..) => {
            notes.push("CUDA leaves open which lane of an instruction wins".to_owned());
        }
        (Severity::Race, Between::Blocks, HazardKind::Waw) => {
            notes.push("let one block write it, or use an atomic".to_owned());
        }
        (Severity::Race, Between::Blocks, _) => {
            notes.push("no barrier orders blocks: use a launch of its own for what comes after".to_owned());
        }
        (Severity::Race, Between::Warps, HazardKind::Waw) if hazard.first.line == hazard.second.line => {
            notes.push("let one thread write it".to_owned());
        }
        (Severity::Race, Between::Warps, HazardKind::Waw) => {
            notes.push("a `bar.sync` between the two orders them".to_owned());
        }
        (Severity::Race, Between::Warps, kind) => {
            let (one, other) = if kind == HazardKind::Raw { ("write", "read") } else { ("read", "write") };
            notes.push(format!("a `bar.sync` behind the {one} and ahead of the {other} orders them"));
        }
        _ => {}
    }
    notes
}

/// How many of each there are, and what was not looked at.
fn summary(outcome: &Outcome, found: &[(usize, HazardReport)]) -> String {
    let of = |severity| found.iter().filter(|(_, hazard)| hazard.severity == severity).count() as u64;
    let races = || outcome.reports.iter().filter_map(|report| report.races.as_ref());
    let mut text = format!(
        "RACECHECK: {}, {} warp-synchronous, {} of the same value",
        plural(of(Severity::Race), "race"),
        of(Severity::WarpSynchronous),
        of(Severity::SameValue),
    );
    if !outcome.reports.iter().all(|report| report.verdict.is_finished()) {
        text += "\n  The kernel did not run to its end: what would have come after is not looked at.";
    }
    let atomics = races().map(|races| races.atomic_orders).sum::<usize>() as u64;
    if atomics > 0 {
        let pairs = plural(atomics, "pair");
        text.extend([
            "\n  The order of atomics may show in results: ",
            &pairs,
            " of lines. That is no race.",
        ]);
    }
    if races().any(|races| races.partial_barriers) {
        text += "\n  Barriers for a part of a block, and all from a `bar.arrive` on, are not counted as an order:\n  \
                 pairs that only they order are among these.";
    }
    let (more, lost) = races().fold((0, 0), |sum, races| (sum.0 + races.more, sum.1 + races.not_kept));
    if more > 0 {
        let times = plural(more, "time");
        text.extend(["\n  More pairs of lines met than are told of: ", &times, "."]);
    }
    if lost > 0 {
        text.extend(["\n", &not_all(lost)]);
    }
    text
}

/// That so many words of accesses were not kept.
fn not_all(words: u64) -> String {
    format!(
        "  Not everything was checked: there was no room to keep {} of what was accessed,\n  \
         and what came after was not checked against them. There may be races that are not told;\n  \
         try a smaller launch.",
        plural(words, "word")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::Settings;
    use sim_core::config::Chip;
    use sim_core::host::{Gpu, Mode};

    #[test]
    fn what_was_not_looked_at_is_not_clean() {
        let mut gpu = Gpu::new(Chip::builtin("g80").expect("it is built in"));
        gpu.check_races(true);
        let settings = Settings { size: Some(64), mode: Mode::Functional, ..Settings::default() };
        let mut reports = kernels::run("vecadd", &mut gpu, settings).expect("it runs").reports;
        assert_eq!(complaint(&reports), None);
        let unchecked = Some("error: there may be races: not everything could be checked");
        let mut tell = |races, more, not_kept| {
            let found = reports[0].races.as_mut().expect("it was checked");
            (found.races, found.more, found.not_kept) = (races, more, not_kept);
            complaint(&reports)
        };
        assert_eq!([tell(0, 1, 0), tell(0, 0, 1)], [unchecked; 2]);
        assert_eq!(tell(1, 1, 1), Some("error: there are races"));
        let text = not_all(3_611_392);
        assert!(
            text.contains("keep 3,611,392 words") && text.lines().all(|line| line.len() <= 100),
            "{text}"
        );
    }
}

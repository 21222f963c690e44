//! The hazards of the race checker, each printed with its two source lines, and a summary.

use super::findings::{NOTE_WIDTH, marked, wrap};
use super::number::{count, plural};
use crate::outcome::RunResult;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use isa::source::Files;
use sim_core::check::Kind;
use sim_core::racecheck::{HazardKind, MissingOrder, Severity, Space, advice};
use sim_core::stats::Report;
use sim_core::stats::report::{HazardReport, PartyReport};
use std::collections::BTreeMap;

/// Maximum number of printed hazards.
const SHOWN: usize = 40;
/// Maximum width of a line; longer source lines are cut.
const WIDTH: usize = 100;

/// Hazards of one cause: the most severe one, and the others.
struct Group {
    /// First launch that has it.
    launch: usize,
    main: HazardReport,
    /// Their lines, each pair once.
    others: Vec<(u32, u32)>,
    /// Number of pairs of accesses.
    times: u64,
}

/// Returns the result of the check, then the hazards of all launches.
pub fn render(outcome: &RunResult) -> String {
    let mut out = super::text::check(outcome, usize::from(super::table::WIDTH));
    let found = merged(&outcome.reports);
    for group in found.iter().take(SHOWN) {
        out.extend(["\n", &draw(group, &outcome.reports[group.launch], outcome.reports.len()), "\n"]);
    }
    if found.len() > SHOWN {
        let more = plural((found.len() - SHOWN) as u64, "more finding");
        out.extend(["\nand ", &more, ": --json FILE contains all of them\n"]);
    }
    out.extend(["\n", &summary(outcome, &found), "\n"]);
    out
}

/// Returns the error message if races were found or some accesses were not checked.
pub fn complaint(reports: &[Report]) -> Option<&'static str> {
    let races = || reports.iter().filter_map(|report| report.races.as_ref());
    if races().any(|races| races.races > 0) {
        Some("error: races found")
    } else if races().any(|races| races.more > 0 || races.not_kept > 0) {
        Some("error: some accesses were not checked, so races may be missing")
    } else {
        None
    }
}

/// Returns the groups of the hazards of all launches, the most severe first. Groups of several
/// launches are merged if their most severe hazards have the same lines, kind and severity. Pairs
/// of atomics are not hazards.
fn merged(reports: &[Report]) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    for (launch, report) in reports.iter().enumerate() {
        let hazards = report.races.iter().flat_map(|races| &races.hazards);
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for hazard in hazards.filter(|hazard| hazard.severity != Severity::AtomicOrder) {
            let lines = (hazard.first.line, hazard.second.line);
            if let Some(group) = groups.get_mut(&hazard.group) {
                group.others.push(lines);
                group.times += hazard.times;
            } else {
                let (main, others, times) = (hazard.clone(), Vec::new(), hazard.times);
                groups.insert(hazard.group, Group { launch, main, others, times });
            }
        }
        for group in groups.into_values() {
            let like = |h: &HazardReport| {
                (h.kind, h.severity, h.between, h.space, h.first.line, h.second.line, h.lost_update)
            };
            let same = |other: &&mut Group| {
                reports[other.launch].launch.kernel == report.launch.kernel
                    && like(&other.main) == like(&group.main)
            };
            if let Some(known) = found.iter_mut().find(same) {
                known.times += group.times;
                known.others.extend(group.others);
            } else {
                found.push(group);
            }
        }
    }
    for group in &mut found {
        let main = (group.main.first.line, group.main.second.line);
        group.others.retain(|lines| *lines != main);
        group.others.sort_unstable();
        group.others.dedup();
    }
    found.sort_by_key(|group| {
        (group.main.severity, group.launch, group.main.first.line, group.main.second.line)
    });
    found
}

/// Prints one group, in a run of `launches` launches.
fn draw(group: &Group, report: &Report, launches: usize) -> String {
    let hazard = &group.main;
    let (first, second) = (&hazard.first, &hazard.second);
    let level = match hazard.severity {
        Severity::Race => Level::ERROR,
        Severity::WarpSynchronous => Level::NOTE.with_name("hint"),
        Severity::SameValue | Severity::AtomicOrder => Level::NOTE,
    };
    let files = &report.launch.files;
    let places = [first, second].map(|party| {
        let at = files.at(party.line);
        at.map_or(("", party.line as usize), |(file, line)| (&*file.name, line as usize))
    });
    let lines = [first, second].map(|party| party.source.replace('\t', " "));
    let labels = [first, second].map(|party| {
        let PartyReport { thread, block, warp, does, .. } = party;
        format!("thread {thread} of block {block}, warp {warp}, {does}")
    });
    let title = head(hazard, files);
    let margin = first.line.max(second.line).to_string().len() + " |  ".len();
    // A single label follows the marked text, which is cut to leave space for it; two labels are
    // below it.
    let after = |label: &str| WIDTH.saturating_sub(margin + label.len()).max(1);
    let mark = |kind: AnnotationKind, which: usize, space: usize| {
        let party = [first, second][which];
        kind.span(marked(&lines[which], party.columns.as_ref(), space)).label(labels[which].clone())
    };
    let (one, other) = (AnnotationKind::Primary, AnnotationKind::Context);
    let mut snippet = Snippet::source(&lines[0]).path(places[0].0).line_start(places[0].1);
    let title = wrap(&title, WIDTH - "error[]: ".len() - id(hazard).len());
    let title = level.primary_title(title.as_str()).id(id(hazard));
    let mut drawn =
        if first.line == second.line {
            snippet = snippet.annotation(mark(one, 0, WIDTH));
            title.element(snippet.annotation(mark(one, 1, WIDTH)))
        } else {
            let later = Snippet::source(&lines[1]).path(places[1].0).line_start(places[1].1);
            title
                .element(snippet.annotation(mark(other, 0, after(&labels[0]))))
                .element(later.annotation(mark(one, 1, after(&labels[1]))))
        };
    let notes = notes(group, files, launches);
    for note in &notes {
        drawn = drawn.element(Level::NOTE.message(note.as_str()));
    }
    let help = help(hazard, files);
    if let Some(help) = &help {
        drawn = drawn.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().term_width(WIDTH).render(&[drawn])
}

/// Returns the kind of the hazard, as findings have it.
fn id(hazard: &HazardReport) -> &'static str {
    match (hazard.severity, hazard.between, hazard.kind) {
        (Severity::SameValue, ..) => "same_value",
        _ if hazard.lost_update => Kind::LostUpdate.name(),
        (Severity::WarpSynchronous, MissingOrder::Lanes, _) => Kind::WarpSynchronous.name(),
        (_, MissingOrder::Paths, _) => Kind::DivergentPaths.name(),
        (.., HazardKind::Raw) => Kind::ReadAfterWrite.name(),
        (.., HazardKind::War) => Kind::WriteAfterRead.name(),
        (.., HazardKind::Waw) => Kind::WriteAfterWrite.name(),
    }
}

/// Returns a sentence about the hazard.
fn head(hazard: &HazardReport, files: &Files) -> String {
    let (first, second) = (&hazard.first, &hazard.second);
    let between = match hazard.between {
        MissingOrder::Blocks => "blocks",
        MissingOrder::Warps => "warps",
        MissingOrder::Paths => "two paths of a branch",
        MissingOrder::Lanes => "lanes of a warp",
        MissingOrder::Instruction => "lanes of an instruction",
    };
    let missing = match (hazard.severity, hazard.between) {
        (_, MissingOrder::Blocks | MissingOrder::Warps) if hazard.lost_update => "updates can be lost",
        (_, MissingOrder::Paths | MissingOrder::Lanes | MissingOrder::Instruction) if hazard.lost_update => {
            "updates are lost"
        }
        (Severity::SameValue, _) => "always the same value",
        (_, MissingOrder::Blocks) => "not ordered",
        (_, MissingOrder::Warps) => "no barrier between them",
        (_, MissingOrder::Paths) => "the path that runs first decides",
        (_, MissingOrder::Lanes) => "lockstep only",
        (_, MissingOrder::Instruction) => "the highest lane wins",
    };
    let lines = files.pair((first.line, second.line));
    let what = match hazard.kind {
        _ if hazard.lost_update => "lost update",
        HazardKind::Raw => "read after write",
        HazardKind::War => "write after read",
        HazardKind::Waw => "write after write",
    };
    format!("{what} between {between}, {lines}: {missing}")
}

/// Returns the location of the bytes.
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

fn notes(group: &Group, files: &Files, launches: usize) -> Vec<String> {
    let (hazard, at) = (&group.main, group.launch);
    let origins = [hazard.first.line, hazard.second.line].map(|line| files.origin_line(line));
    let mut notes: Vec<String> = origins.into_iter().flatten().map(|text| wrap(&text, NOTE_WIDTH)).collect();
    notes.dedup();
    notes.push(place(hazard));
    let passed = format!("both warps had passed {}", plural(hazard.barriers.into(), "barrier"));
    let met = format!("met {}", plural(group.times, "time"));
    let first =
        if launches > 1 { format!(", first in launch {} of {launches}", at + 1) } else { String::new() };
    notes.push(match hazard.between {
        MissingOrder::Warps => format!("{passed}; {met}{first}"),
        _ => met + &first,
    });
    if !group.others.is_empty() {
        let lines: Vec<String> = group.others.iter().map(|lines| files.pair(*lines)).collect();
        notes.push(wrap(&format!("the cause is the same at {}", lines.join(", ")), NOTE_WIDTH));
    }
    match (hazard.severity, hazard.between, hazard.kind) {
        _ if hazard.lost_update => notes.push(
            "lost update: each thread loads this word, computes a new value from it and stores it;\n\
             an update of another thread between the load and the store is lost"
                .to_owned(),
        ),
        (Severity::WarpSynchronous, MissingOrder::Lanes, _) => notes.push(
            "warp-synchronous: ordered only because the lanes of a warp run in lockstep on this\n\
             hardware; the programming model does not guarantee the order"
                .to_owned(),
        ),
        (Severity::Race, MissingOrder::Paths, _) => notes.push(
            "the lanes are on different paths of a branch; `sm.first_path` selects the path that runs\n\
             first here, and the programming model leaves it open"
                .to_owned(),
        ),
        (Severity::WarpSynchronous, ..) => {
            notes.push("the programming model does not define which lane of an instruction wins".to_owned());
        }
        _ => {}
    }
    notes
}

/// Returns advice about a hazard; `None` if it is not a race.
fn help(hazard: &HazardReport, files: &Files) -> Option<String> {
    if let Some((after, before)) = hazard.barrier.filter(|_| hazard.severity == Severity::Race) {
        let (after, before) = (files.described(after), files.described(before));
        return Some(format!("add a `bar.sync` after line {after} and before line {before}"));
    }
    let same_line = hazard.first.line == hazard.second.line;
    let advice = advice(hazard.kind, hazard.severity, hazard.between, hazard.lost_update, same_line);
    advice.map(str::to_owned)
}

/// Returns the number of hazards of each severity, and the accesses that were not checked.
fn summary(outcome: &RunResult, found: &[Group]) -> String {
    let of = |severity| found.iter().filter(|group| group.main.severity == severity).count() as u64;
    let races = || outcome.reports.iter().filter_map(|report| report.races.as_ref());
    let mut text = format!(
        "RACECHECK: {}, {} warp-synchronous, {} of the same value",
        plural(of(Severity::Race), "race"),
        of(Severity::WarpSynchronous),
        of(Severity::SameValue),
    );
    if !outcome.reports.iter().all(|report| report.verdict.is_finished()) {
        text += "\n  The kernel did not finish: later accesses were not checked.";
    }
    let atomics = races().map(|races| races.atomic_orders).sum::<usize>() as u64;
    if atomics > 0 {
        let pairs = plural(atomics, "pair");
        text.extend([
            "\n  The results may depend on the order of atomics: ",
            &pairs,
            " of lines. This is not a race.",
        ]);
    }
    let ordered = races().map(|races| races.synchronized).sum::<u64>();
    if ordered > 0 {
        let pairs = plural(ordered, "pair");
        text.extend([
            "\n  Ordered by locks, flags or counters with fences, as in this run: ",
            &pairs,
            " of lines.\n  If the blocks run in another order, other accesses can meet: this was not tried.",
        ]);
    }
    for line in unchecked(&outcome.reports) {
        text.extend(["\n", &line]);
    }
    text
}

/// Returns what the race checker did not consider: pairs and accesses.
pub fn unchecked(reports: &[Report]) -> Vec<String> {
    let races = || reports.iter().filter_map(|report| report.races.as_ref());
    let mut lines = Vec::new();
    let (more, lost) = races().fold((0, 0), |sum, races| (sum.0 + races.more, sum.1 + races.not_kept));
    if more > 0 {
        lines.push(format!("  Pairs of accesses that are not reported: {}.", plural(more, "pair")));
    }
    if lost > 0 {
        lines.push(not_all(lost));
    }
    lines
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
    use sim_core::host::{Gpu, Mode};

    #[test]
    fn unchecked_accesses_are_not_reported_as_clean() {
        let mut gpu = Gpu::new(Chip::builtin("g80").expect("it is built in"));
        gpu.check_races(true);
        let settings = Settings { size: Some(64), mode: Mode::Functional, ..Settings::default() };
        let mut reports = kernels::run("vecadd", &mut gpu, settings).expect("it runs").reports;
        assert_eq!(complaint(&reports), None);
        let unchecked = Some("error: some accesses were not checked, so races may be missing");
        let mut message = |races, more, not_kept| {
            let found = reports[0].races.as_mut().expect("it was checked");
            (found.races, found.more, found.not_kept) = (races, more, not_kept);
            complaint(&reports)
        };
        assert_eq!([message(0, 1, 0), message(0, 0, 1)], [unchecked; 2]);
        assert_eq!(message(1, 1, 1), Some("error: races found"));
        let text = not_all(3_611_392);
        assert!(
            text.contains("memory for 3,611,392 words") && text.lines().all(|line| line.len() <= 100),
            "{text}"
        );
    }
}

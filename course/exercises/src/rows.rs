//! Rows of a grade: points for tests, checkers, limits and the source, and what is known about each
//! failure.

use crate::attempt::Ran;
use crate::exercise::Exercise;
use crate::grade::{Part, Row, RowKind};
use crate::observed::Observed;
use crate::rubric::{Limit, OfProgram};
use crate::source::Tokens;
use crate::submission::Submission;
use figures::{embedded as svg, race, stalls};
use report::condition::{Quantity, value_of};
use report::terms::Terms;
use sim_core::check::{Check, Finding};
use sim_core::stats::Report;
use std::fmt::Write as _;

/// Most findings of a checker in a grade.
const MOST_FINDINGS: usize = 5;
/// Lines of the picture of a slow launch.
const PICTURE_LINES: usize = 12;

/// Why a row failed.
struct Failure {
    why: String,
    parts: Vec<Part>,
    /// Whether it failed only because of another row.
    is_consequence: bool,
    /// Whether the hint of the row can help.
    is_hinted: bool,
}

impl Failure {
    fn consequence(why: String) -> Self {
        Self { why, parts: Vec::new(), is_consequence: true, is_hinted: false }
    }
}

impl From<(String, Vec<Part>)> for Failure {
    fn from((why, parts): (String, Vec<Part>)) -> Self {
        Self { why, parts, is_consequence: false, is_hinted: true }
    }
}

/// Makes the rows. Without a right result there are no points.
pub fn rows(
    exercise: &Exercise,
    submission: &Submission,
    tests: &[usize],
    ran: &[Ran<'_>],
    is_broken: bool,
    open_only: bool,
) -> Vec<Row> {
    let rubric = &exercise.rubric;
    let is_right =
        |test: usize| !is_broken && ran.iter().filter(|one| one.test == test).all(|one| one.why.is_none());
    let none_right = !tests.iter().any(|test| is_right(*test));
    let row = |kind, name: String, is_open: bool, of: u32, hint: &Option<String>, failed: Option<Failure>| {
        let is_hinted = !is_broken && failed.as_ref().is_some_and(|failed| failed.is_hinted);
        let hint = hint.clone().filter(|_| is_hinted);
        let failed = match (is_broken, failed) {
            (true, _) => Some(Failure::consequence("the program did not run".to_owned())),
            (false, None) if none_right && kind != RowKind::Test => {
                Some(Failure::consequence("no points without a right result".to_owned()))
            }
            (false, failed) => failed,
        };
        let points = if failed.is_some() { 0 } else { of };
        let (why, parts, is_consequence) = failed.map_or((None, Vec::new(), false), |failed| {
            (Some(failed.why), failed.parts, failed.is_consequence)
        });
        Row { kind, name, is_open, points, of, why, is_consequence, parts, hint }
    };
    let (mut all, mut has_extra) = (Vec::new(), false);
    for &number in tests {
        let test = &rubric.tests[number];
        let mut own = ran.iter().filter(|one| one.test == number);
        let failed = own.clone().find_map(|one| {
            let (why, parts) = one.why.clone()?;
            let why = format!("on {}: {why}", one.chip);
            let is_hinted = !one.is_consequence && !one.is_of_host;
            Some(Failure { why, parts, is_consequence: one.is_consequence, is_hinted })
        });
        // Lines beside the results cost the points of one test.
        let extra = own.find_map(|one| one.extra.clone().filter(|_| failed.is_none() && !has_extra));
        has_extra |= extra.is_some();
        let failed =
            failed.or_else(|| extra.map(|extra| Failure { is_hinted: false, ..Failure::from(extra) }));
        let mut made = row(
            RowKind::Test,
            test.name.clone(),
            test.entry.open,
            test.entry.points,
            &test.entry.hint,
            failed,
        );
        if !made.passed() {
            made.parts.insert(0, Part::text("Command line", exercise.command(test, submission.seed)));
        }
        all.push(made);
    }
    for check in &rubric.checks {
        let failed = findings(ran, check.check).map(Failure::from);
        all.push(row(RowKind::Check, check.check.name().to_owned(), true, check.points, &check.hint, failed));
    }
    for limit in &rubric.limits {
        let of = |one: &&Ran<'_>| limit.test.is_none_or(|only| only == one.test);
        let is_open = limit.test.is_none_or(|only| rubric.tests[only].entry.open);
        if open_only && !is_open {
            continue;
        }
        let failed = ran.iter().filter(of).find_map(|one| broken_limit(exercise, limit, one));
        all.push(row(
            RowKind::Limit,
            limit.condition.text.clone(),
            is_open,
            limit.points,
            &limit.hint,
            failed,
        ));
    }
    let text = submission.program(exercise).ok().map_or("", |(name, _)| &submission.files[name]);
    let tokens = Tokens::new(text);
    for rule in &rubric.source {
        let failed = (tokens.has(&rule.words) != rule.is_required).then(|| {
            let why = if rule.is_required { "is not in the source" } else { "is in the source" };
            Failure::from((format!("`{}` {why}", rule.words), Vec::new()))
        });
        all.push(row(RowKind::Source, rule.name(), true, rule.points, &rule.hint, failed));
    }
    all
}

/// The errors that a checker has found in the tests.
fn findings(ran: &[Ran<'_>], check: Check) -> Option<(String, Vec<Part>)> {
    let mut known: Vec<(&Finding, String)> = Vec::new();
    for one in ran {
        for (finding, place) in one.checked.iter().flat_map(Observed::errors) {
            let is_new = !known.iter().any(|(other, at)| (other.kind, at) == (finding.kind, &place));
            if finding.check == check && is_new {
                known.push((finding, place));
            }
        }
    }
    let Some((first, place)) = known.first() else {
        // An access or a barrier that ends a launch is a finding of its checker.
        let failed = ran.iter().find_map(|one| {
            let why = one.checked.as_ref()?.failure.as_ref()?;
            let is_timed = one.timed.as_ref().is_some_and(|timed| timed.failure.is_some());
            (!is_timed).then(|| format!("a launch with checkers did not finish: {why}"))
        });
        return failed.map(|why| (why, Vec::new()));
    };
    let why = format!("{place}: {}", first.message);
    let mut parts = Vec::new();
    for (finding, place) in known.iter().take(MOST_FINDINGS) {
        let mut text = format!("{place}: {}\n{}", finding.source.trim(), finding.message);
        let more = finding.notes.iter().map(|note| ("note", note));
        for (word, line) in more.chain(finding.help.iter().map(|help| ("help", help))) {
            let _ = write!(text, "\n{word}: {line}");
        }
        parts.push(Part::text(format!("{} at {place}", finding.kind.name()), text));
    }
    let reports = ran.iter().filter_map(|one| one.checked.as_ref()).flat_map(|checked| &checked.reports);
    let terms = reports.map(|report| Terms::of(&report.launch.files)).next().unwrap_or_default();
    let scene = race::scene(first, terms);
    parts.extend(scene.map(|scene| Part::Picture { title: "The two accesses".to_owned(), svg: svg(&scene) }));
    Some((why, parts))
}

/// Why a limit is not held in a test.
fn broken_limit(exercise: &Exercise, limit: &Limit, ran: &Ran<'_>) -> Option<Failure> {
    let test = &exercise.rubric.tests[ran.test];
    let place = format!("test `{}` on {}", test.name, ran.chip);
    let Some(observed) = ran.timed.as_ref().filter(|_| ran.why.is_none()) else {
        return Some(Failure::consequence(format!("{place} has no right result")));
    };
    let metrics = observed.metrics();
    let reference = ran.answer.reference;
    let tested = limit.condition.test(&|quantity| match quantity {
        Quantity::Metric(metric) => value_of(metric, &metrics),
        Quantity::Other(OfProgram::Ns) => observed.program_ns as f64,
        Quantity::Other(OfProgram::Reference) => reference.map_or(f64::NAN, |(cycles, _)| cycles),
        Quantity::Other(OfProgram::ReferenceNs) => reference.map_or(f64::NAN, |(_, ns)| ns),
    });
    if tested.holds == Some(true) {
        return None;
    }
    let longest =
        observed.reports.iter().max_by_key(|report| report.timing.as_ref().map(|timing| timing.cycles));
    let parts: Vec<Part> = longest.and_then(slow).into_iter().collect();
    Some(Failure::from((format!("{place}: {}", tested.values()), parts)))
}

/// The picture of the time of a launch by source line.
fn slow(report: &Report) -> Option<Part> {
    let timing = report.timing.as_ref()?;
    let lines: Vec<stalls::Line> = timing.lines.iter().map(stalls::Line::from).collect();
    let title = format!("{}: time of warps by source line", report.launch.kernel);
    let scene = stalls::scene(&title, &[], &lines, PICTURE_LINES, stalls::Order::Time);
    Some(Part::Picture { title, svg: svg(&scene) })
}

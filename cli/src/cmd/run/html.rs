//! `run --html`: the report with its pictures as one page.

use super::hazard;
use super::recording::Drawn;
use crate::cmd::occupancy::curves::Curves;
use crate::exit::Code;
use crate::provenance::{PROGRAM, Provenance};
use crate::render::number::count;
use crate::workload::RunResult;
use report::page::{Drawing, Page};
use report::recorded::access::Found;
use report::recorded::lanes::Lanes;
use report::recorded::recorder::Recording;
use report::recorded::timeline::Timeline;
use serde::Serialize;
use sim_core::stats::Report;

/// Largest number of source lines in the pictures.
const MOST_LINES: usize = 60;
/// Largest number of drawn accesses.
const MOST_ACCESSES: usize = 32;
/// Largest number of launches in the table.
const MOST_LAUNCHES: usize = 200;

/// What the drawings show.
#[derive(Serialize)]
struct Data<'a> {
    report: Option<&'a Report>,
    timeline: Option<&'a Timeline>,
    lanes: Option<&'a Lanes>,
    accesses: &'a [&'a Found],
    curves: Option<&'a Curves>,
}

/// Returns the page of a run with this short report, these messages and this exit code.
pub fn page(
    (text, messages, code): (&str, &[String], Code),
    outcome: &RunResult,
    provenance: &Provenance,
    drawn: &Drawn,
) -> String {
    let shown = drawn.launch.and_then(|place| outcome.reports.get(place)).cloned();
    let shown = shown.map(|mut report| {
        if let Some(timing) = &mut report.timing {
            timing.lines.truncate(MOST_LINES);
        }
        report
    });
    let mut page = Page::new(&title(shown.as_ref(), provenance));
    let is_good = code == Code::Fine;
    page.answer(is_good, &answer(text, messages, outcome));
    if let Some(limit) = paragraph(text, "limited by ").filter(|_| is_good) {
        page.answer(true, &limit);
    }
    page.section("report", "Report");
    page.text("Report", text);
    if !messages.is_empty() {
        page.section("messages", "Messages");
        page.text("Messages", &messages.join("\n"));
    }
    hazard::add(&mut page, &outcome.reports);
    let accesses: Vec<&Found> = drawn.accesses.iter().filter(|one| one.is_drawn()).collect();
    if let Some(report) = &shown {
        launches(&mut page, outcome, drawn);
        if report.timing.is_some() {
            time(&mut page, report, drawn, outcome);
            memory(&mut page, accesses.len(), drawn);
        }
        lanes(&mut page, drawn.recording.as_ref());
        if report.timing.is_some() {
            page.section("roofline", "Roofline");
            page.note(
                "A kernel on the slope is limited by DRAM traffic, under the flat part by arithmetic. \
                 The dashed line is the gap to the limit.",
            );
            page.drawing(Drawing::Roofline, "report");
        }
        occupancy(&mut page, drawn.curves.is_some());
        if report.timing.is_some() {
            load(&mut page);
        }
    }
    let recording = drawn.recording.as_ref();
    let data = Data {
        report: shown.as_ref(),
        timeline: recording.map(|recording| &recording.timeline),
        lanes: recording.map(|recording| &recording.lanes),
        accesses: &accesses[..accesses.len().min(MOST_ACCESSES)],
        curves: drawn.curves.as_ref(),
    };
    page.finish(PROGRAM, &data)
}

/// Returns the answer: the reason of a failure, the summary of the checkers, or the first row of
/// the report.
fn answer(text: &str, messages: &[String], outcome: &RunResult) -> String {
    let is_checked = |report: &Report| report.races.is_some() || report.checks.is_some();
    let message = messages.iter().find_map(|message| message.lines().next()?.strip_prefix("error: "));
    match message {
        Some(message) => message.to_owned(),
        None if outcome.reports.iter().any(is_checked) => text.lines().last().unwrap_or_default().to_owned(),
        None => paragraph(text, "").unwrap_or_default(),
    }
}

/// Returns the first row of the short report that begins with `start`, on one line. A row continues
/// on lines that begin with blanks.
fn paragraph(text: &str, start: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(start));
    let mut row = lines.next()?.to_owned();
    for line in lines.take_while(|line| line.starts_with(' ')) {
        row.extend([" ", line.trim()]);
    }
    Some(row)
}

fn title(shown: Option<&Report>, provenance: &Provenance) -> String {
    let size = provenance.size.map_or_else(String::new, |size| format!(", size {size}"));
    let board = shown.map_or(&provenance.chip, |report| &report.chip.board);
    format!("{}{size} on {board}", provenance.kernel)
}

/// Adds the table of the launches, if there are several.
fn launches(page: &mut Page, outcome: &RunResult, drawn: &Drawn) {
    let all = &outcome.reports;
    let (Some(place), true) = (drawn.launch, all.len() > 1) else { return };
    page.section("launches", "Launches");
    page.paragraph(&format!(
        "The pictures show launch {} of {}, {}.",
        place + 1,
        all.len(),
        if all[place].verdict.is_whole() { "the longest" } else { "which did not finish" }
    ));
    if all.len() > MOST_LAUNCHES {
        page.note(&format!("The table has the first {MOST_LAUNCHES} launches; --json has all."));
    }
    let row = |(number, report): (usize, &Report)| {
        let timing = report.timing.as_ref();
        vec![
            (number + 1).to_string(),
            report.launch.kernel.clone(),
            count(report.launch.grid.count()),
            count(report.launch.block.count()),
            count(report.instructions.warp),
            timing.map_or_else(String::new, |timing| count(timing.cycles)),
            timing.map_or_else(String::new, |timing| format!("{:.2}", timing.microseconds)),
        ]
    };
    let rows: Vec<_> = all.iter().enumerate().take(MOST_LAUNCHES).map(row).collect();
    let titles = ["launch", "kernel", "blocks", "threads", "warp instructions", "cycles", "us"];
    page.table("Launches", &titles, &[true, false, true, true, true, true, true], &rows);
}

/// Adds the time by source line and by state, and the timeline.
fn time(page: &mut Page, shown: &Report, drawn: &Drawn, outcome: &RunResult) {
    page.section("lines", "Where the time goes, by source line");
    page.note(
        "The bar of a line is the time that all warps spend at it; the colors are the states of the warps.",
    );
    let all = drawn.launch.and_then(|place| outcome.reports[place].timing.as_ref());
    let all = all.map_or(0, |timing| timing.lines.len());
    if all > MOST_LINES {
        let most = format!("The {MOST_LINES} lines with the most time, of {all} executed lines.");
        page.note(&most);
    }
    page.drawing(Drawing::Stalls, "report");
    page.section("states", "What the warps do");
    page.drawing(Drawing::States, "report");
    page.section("timeline", "Timeline of the warps of one SM");
    match &drawn.recording {
        Some(recording) => {
            let Timeline { cut, end, .. } = &recording.timeline;
            if *cut {
                page.note(&format!(
                    "The page has the first {} of {} shader cycles.",
                    count(*end),
                    count(shown.timing.as_ref().map_or(0, |timing| timing.cycles))
                ));
            }
            page.drawing(Drawing::Timeline, "timeline");
        }
        None => page.paragraph(drawn.unrecorded.unwrap_or("The launch was not recorded.")),
    }
}

/// Adds the drawings of accesses, of which there are `all`.
fn memory(page: &mut Page, all: usize, drawn: &Drawn) {
    page.section("memory", "Memory accesses");
    if all == 0 {
        page.paragraph(if drawn.accesses.is_empty() {
            "No access was recorded."
        } else {
            "The first block of SM 0 accesses neither global, local nor shared memory."
        });
        return;
    }
    page.note(
        "One access of each memory instruction that the first block of SM 0 executes: the second \
         access of the warp, if there is one. Lanes of one segment have one color; a red bank serves several words.",
    );
    if all > MOST_ACCESSES {
        page.note(&format!(
            "The first {MOST_ACCESSES} of {all} memory instructions, in the order of their lines."
        ));
    }
    page.drawing(Drawing::Accesses, "accesses");
}

fn lanes(page: &mut Page, recording: Option<&Recording>) {
    let title = if recording.is_some() { "Active lanes by source line" } else { "Divergence" };
    page.section("lanes", title);
    if recording.is_some() {
        page.note(
            "How many of the 32 lanes are active when a warp of SM 0 executes the line. A lane whose \
             guard is false counts as active.",
        );
        page.drawing(Drawing::Lanes, "lanes");
    }
    page.heading("Divergent branches");
    page.drawing(Drawing::Divergence, "report");
}

fn occupancy(page: &mut Page, has_curves: bool) {
    page.section("occupancy", "Occupancy");
    page.drawing(Drawing::Residency, "report");
    if has_curves {
        page.note("Each curve varies one number and keeps the others. The marked point is this launch.");
        page.drawing(Drawing::Occupancy, "curves");
    }
}

fn load(page: &mut Page) {
    page.section("load", "Load of SMs and memory");
    page.columns();
    page.heading("SMs");
    page.drawing(Drawing::Sms, "report");
    page.next_column();
    page.heading("Memory partitions");
    page.drawing(Drawing::Partitions, "report");
    page.heading("DRAM row buffer");
    page.drawing(Drawing::Rows, "report");
    page.end_columns();
}

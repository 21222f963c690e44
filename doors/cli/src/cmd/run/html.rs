//! `run --html`: the report with its pictures as one page.

use super::hazard;
use super::recording::Drawn;
use crate::cmd::program_page;
use crate::exit::Code;
use crate::provenance::{PROGRAM, Provenance};
use crate::render::number::count;
use crate::workload::RunResult;
use figures::roofline::{self, Kernel, Peaks};
use figures::scene::Scene;
use figures::stalls::{self, Line, Order};
use figures::{access, embedded, launch, timeline};
use report::mangled::plain;
use report::page::Page;
use report::recorded::recorder::Recording;
use report::terms::Terms;
use sim_core::stats::Report;
use sim_core::stats::report::TimingReport;

/// Largest number of source lines in the pictures.
const MOST_LINES: usize = 60;
/// Largest number of drawn accesses.
const MOST_ACCESSES: usize = 32;
/// Largest number of launches in the table.
const MOST_LAUNCHES: usize = 200;

/// Returns the page of a run with this short report, these messages and this exit code.
pub fn page(
    (text, messages, code): (&str, &[String], Code),
    outcome: &RunResult,
    provenance: &Provenance,
    drawn: &Drawn,
) -> String {
    let shown = drawn.launch.and_then(|place| outcome.reports.get(place));
    let mut page = Page::new(&title(shown, provenance));
    let is_good = code == Code::Fine;
    let program = outcome.program.as_deref();
    match program {
        Some(ran) => {
            if let Some(message) = ran.messages.first() {
                page.answer(false, message.lines().next().unwrap_or_default());
            }
            program_page::answer(&mut page, &ran.record);
        }
        None => page.answer(is_good, &answer(text, messages, outcome)),
    }
    if let Some(limit) = paragraph(text, "limited by ").filter(|_| is_good) {
        page.answer(true, &limit);
    }
    if let Some(ran) = program {
        program_page::sections(&mut page, &ran.record);
    }
    page.section("report", "Report");
    page.text("Report", text);
    if !messages.is_empty() {
        page.section("messages", "Messages");
        page.text("Messages", &messages.join("\n"));
    }
    hazard::add(&mut page, &outcome.reports);
    if let Some(report) = shown {
        if program.is_none() {
            launches(&mut page, outcome, drawn);
        }
        if let Some(timing) = &report.timing {
            time(&mut page, report, timing, drawn);
            memory(&mut page, report, drawn);
        }
        lanes(&mut page, report, drawn.recording.as_ref());
        if report.timing.is_some() {
            roof(&mut page, report);
        }
        occupancy(&mut page, report, drawn);
        if let Some(timing) = &report.timing {
            load(&mut page, report, timing);
        }
    }
    page.finish(PROGRAM)
}

/// Adds a picture.
fn picture(page: &mut Page, scene: &Scene) {
    page.picture(&scene.title, &embedded(scene));
}

/// Returns the answer: the reason of a failure, the summary of the checkers, or the first row of
/// the report.
fn answer(text: &str, messages: &[String], outcome: &RunResult) -> String {
    let is_checked = |report: &Report| report.checks.is_some();
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
            plain(&report.launch.kernel).to_owned(),
            count(report.launch.grid.count()),
            count(report.launch.block.count()),
            count(report.instructions.warp),
            timing.map_or_else(String::new, |timing| count(timing.cycles)),
            timing.map_or_else(String::new, |timing| format!("{:.2}", timing.microseconds)),
        ]
    };
    let rows: Vec<_> = all.iter().enumerate().take(MOST_LAUNCHES).map(row).collect();
    let Terms { thread, block, .. } = Terms::of(&all[place].launch.files);
    let (blocks, threads) = (format!("{block}s"), format!("{thread}s"));
    let titles = ["launch", "kernel", &blocks, &threads, "warp instructions", "cycles", "us"];
    page.table("Launches", &titles, &[true, false, true, true, true, true, true], &rows);
}

/// Adds the time by source line and by state, and the timeline.
fn time(page: &mut Page, shown: &Report, timing: &TimingReport, drawn: &Drawn) {
    page.section("lines", "Where the time goes, by source line");
    page.note(
        "The bar of a line is the time that all warps spend at it; the colors are the states of the warps.",
    );
    let lines: Vec<Line> = timing.lines.iter().map(Line::from).collect();
    let title = format!("{}: time of warps by source line", plain(&shown.launch.kernel));
    picture(page, &stalls::scene(&title, &[], &lines, MOST_LINES, Order::Source));
    page.section("states", "What the warps do");
    picture(page, &launch::states(timing.warps.resident, &timing.warps.states));
    let terms = Terms::of(&shown.launch.files);
    page.section("timeline", &terms.fill("Timeline of the warps of one {sm}"));
    match &drawn.recording {
        Some(recording) => {
            let recorded = &recording.timeline;
            if recorded.cut {
                page.note(&format!(
                    "The page has the first {} of {} shader cycles.",
                    count(recorded.end),
                    count(timing.cycles)
                ));
            }
            let title = format!("{}: states of the warps of {} {}", recorded.kernel, terms.sm, recorded.sm);
            let scene = timeline::scene(&title, &[], &recorded.into(), &(0..recorded.end.max(1)));
            page.timeline(recorded, &embedded(&scene));
        }
        None => page.paragraph(drawn.unrecorded.unwrap_or("The launch was not recorded.")),
    }
}

/// Adds the pictures of accesses.
fn memory(page: &mut Page, report: &Report, drawn: &Drawn) {
    let terms = Terms::of(&report.launch.files);
    page.section("memory", "Memory accesses");
    let all: Vec<Scene> =
        drawn.accesses.iter().filter_map(|one| access::one(&one.access, &one.view)).collect();
    if all.is_empty() {
        page.paragraph(&if drawn.accesses.is_empty() {
            "No access was recorded.".into()
        } else {
            terms.fill("The first {block} of {sm} 0 accesses neither global memory, {local} nor {shared}.")
        });
        return;
    }
    page.note(&terms.fill(
        "One access of each memory instruction that the first {block} of {sm} 0 executes: the second \
         access of the warp, if there is one. Lanes of one segment have one color; a red bank serves several words.",
    ));
    if all.len() > MOST_ACCESSES {
        page.note(&format!(
            "The first {MOST_ACCESSES} of {} memory instructions, in the order of their lines.",
            all.len()
        ));
    }
    all.iter().take(MOST_ACCESSES).for_each(|scene| picture(page, scene));
}

fn lanes(page: &mut Page, report: &Report, recording: Option<&Recording>) {
    let title = if recording.is_some() { "Active lanes by source line" } else { "Divergence" };
    page.section("lanes", title);
    if let Some(recording) = recording {
        let terms = Terms::of(&report.launch.files);
        page.note(&terms.fill(
            "How many of the 32 lanes are active when a warp of {sm} 0 executes the line. A lane whose \
             guard is false counts as active.",
        ));
        picture(page, &figures::lanes::scene(&recording.lanes));
    }
    picture(page, &launch::divergence(&report.control));
}

fn roof(page: &mut Page, report: &Report) {
    page.section("roofline", "Roofline");
    match Kernel::of(plain(&report.launch.kernel), report) {
        Ok(kernel) => {
            page.note(
                "A kernel on the slope is limited by DRAM traffic, under the flat part by arithmetic. \
                 The dashed line is the gap to the limit.",
            );
            let title = format!("Roofline of {}", report.chip.board);
            picture(page, &roofline::scene(&title, &[], Peaks::of(report), &[kernel]));
        }
        Err(why) => page.paragraph(&format!("The roofline does not apply to the kernel: {why}.")),
    }
}

fn occupancy(page: &mut Page, report: &Report, drawn: &Drawn) {
    page.section("occupancy", "Occupancy");
    picture(page, &launch::residency(&report.launch.occupancy, Terms::of(&report.launch.files)));
    if let Some(curves) = &drawn.curves {
        page.note("Each curve varies one number and keeps the others. The marked point is this launch.");
        let title = format!("Occupancy of {}", plain(&report.launch.kernel));
        picture(page, &figures::occupancy::scene(&title, &[], curves));
    }
}

fn load(page: &mut Page, report: &Report, timing: &TimingReport) {
    let terms = Terms::of(&report.launch.files);
    page.section("load", &terms.fill("Load of {sm}s and memory"));
    page.columns();
    picture(page, &launch::sms(&timing.sms, terms));
    page.next_column();
    picture(page, &launch::partitions(&timing.dram));
    picture(page, &launch::rows(&timing.dram));
    page.end_columns();
}

//! The page of a program: first the picture of its copies and kernels, then a row for each launch,
//! the worst lines, and what the program should not leave as it is.

use crate::provenance::PROGRAM;
use crate::render::number::{count, fixed, percent, plural};
use figures::{embedded, streams};
use isa::terms::Terms;
use report::page::Page;
use report::program::{CallError, Found, Launched, Program, Series, Unchecked};
use std::collections::BTreeMap;

/// Most launches in the table, and most lines in theirs.
const MOST_LAUNCHES: usize = 1000;
const MOST_LINES: usize = 20;

/// Returns the page of a program that ran in a separate process.
pub fn page(program: &Program) -> String {
    let mut page = Page::new(&format!("{} on {}", program.command, program.board));
    answer(&mut page, program);
    sections(&mut page, program);
    page.finish(PROGRAM)
}

/// Adds the answer: how the launches ended, or what took longest.
pub fn answer(page: &mut Page, program: &Program) {
    match program.launches.iter().find(|launch| !launch.finished) {
        Some(launch) => page.answer(false, &format!("`{}`: {}", launch.kernel, launch.verdict)),
        None => page.answer(wrong(program).is_empty(), &summary(program)),
    }
}

/// Adds what a program did, a section for each part.
pub fn sections(page: &mut Page, program: &Program) {
    page.section("timeline", "Timeline");
    if program.calls.is_empty() {
        page.paragraph("The program made neither copies nor launches.");
    } else {
        let drawn = streams::program(program);
        page.picture(&drawn.title, &embedded(&drawn));
    }
    launches(page, program);
    estimates(page, program);
    lines(page, program);
    let error = |error: &CallError| {
        vec![format!("`{}`", error.function), format!("`{}`", error.error), count(error.times)]
    };
    list(
        page,
        ("errors", "Calls that failed"),
        &["call", "error", "times"],
        program.errors.iter().map(error),
    );
    let unchecked = |error: &Unchecked| {
        vec![format!("`{}`", error.kernel), format!("`{}`", error.error), count(error.times)]
    };
    list(
        page,
        ("unchecked", "Errors of launches that the program did not read"),
        &["kernel", "error", "launches"],
        program.unchecked.iter().map(unchecked),
    );
    let found = |found: &Found| {
        vec![
            format!("`{}`", found.kernel),
            found.kind.clone(),
            found.place.clone(),
            found.message.clone(),
            count(found.launches),
        ]
    };
    list(
        page,
        ("findings", "Findings of the checkers"),
        &["kernel", "finding", "line", "", "times"],
        program.findings.iter().map(found),
    );
    let leaks: Vec<u64> = program.leaks.iter().chain(&program.pinned_leaks).copied().collect();
    if !leaks.is_empty() {
        page.section("leaks", "Memory that was not freed");
        let (number, bytes) = (leaks.len() as u64, count(leaks.iter().sum()));
        page.paragraph(&format!(
            "{bytes} bytes in {} were not freed before the program ended.",
            plural(number, "allocation")
        ));
    }
}

/// The sentence about a program whose launches have all finished.
fn summary(program: &Program) -> String {
    let longest = program.launches.iter().max_by(|a, b| time(a).total_cmp(&time(b)));
    let longest =
        longest.filter(|launch| launch.timed || launch.estimated).map_or_else(String::new, |launch| {
            let limit = launch.limit().map_or_else(String::new, |limit| format!(", limited by {limit}"));
            format!("; the longest is `{}` with {} µs{limit}", launch.kernel, fixed(time(launch), 2))
        });
    format!(
        "{} in {} µs{}, {} bytes copied to the device and {} back{longest}{}",
        program.counted(),
        fixed(program.simulated_ns as f64 / 1e3, 2),
        program.error(),
        count(program.bytes_to_device),
        count(program.bytes_to_host),
        wrong(program),
    )
}

/// Returns the errors of a program whose launches have all finished: `; 1 call failed`.
fn wrong(program: &Program) -> String {
    let failed = program.errors.iter().map(|error| error.times).sum();
    let parts = [(failed, "call", " failed"), (program.findings.len() as u64, "finding", " of the checkers")];
    let some = parts.into_iter().filter(|(number, ..)| *number > 0);
    some.flat_map(|(number, what, end)| ["; ".to_owned(), plural(number, what), end.to_owned()]).collect()
}

fn time(launch: &Launched) -> f64 {
    launch.ns as f64 / 1e3
}

/// Extents of a grid or of a block.
fn extent([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("({x}, {y})"),
        _ => format!("({x}, {y}, {z})"),
    }
}

/// Adds the series of launches with estimated ones, and the error of their times.
fn estimates(page: &mut Page, program: &Program) {
    let row = |series: &Series| {
        vec![
            format!("`{}`", series.kernel),
            extent(series.grid),
            extent(series.block),
            count(series.launches),
            count(series.timed),
            fixed(series.estimated_ns as f64 / 1e3, 2),
            format!("{} %", fixed(100.0 * series.error, 2)),
        ]
    };
    let Terms { blocks, block, .. } = program.terms();
    let titles = ["kernel", blocks, block, "launches", "timed", "µs of the others", "measured error"];
    let title = ("estimates", "Estimated launches");
    list(page, title, &titles, program.series.iter().take(MOST_LAUNCHES).map(row));
}

/// Adds the table of the launches.
fn launches(page: &mut Page, program: &Program) {
    let row = |(number, launch): (usize, &Launched)| {
        let ended = match (launch.finished, launch.estimated) {
            (false, _) => launch.verdict.clone(),
            (true, true) => "estimated".to_owned(),
            (true, false) => launch.limit().unwrap_or_default().to_owned(),
        };
        let has_time = launch.timed || launch.estimated;
        vec![
            (number + 1).to_string(),
            format!("`{}`", launch.kernel),
            extent(launch.grid),
            extent(launch.block),
            count(launch.warp_instructions),
            if has_time { count(launch.cycles) } else { "functional".to_owned() },
            if has_time { fixed(time(launch), 2) } else { String::new() },
            ended,
            count(launch.findings as u64),
        ]
    };
    if program.launches.is_empty() {
        return;
    }
    page.section("launches", "Launches");
    if program.launches.len() > MOST_LAUNCHES {
        page.note(&format!("The table has the first {MOST_LAUNCHES} of {} launches; the document of --report FILE.json has all.", count(program.launches.len() as u64)));
    }
    let rows: Vec<_> = program.launches.iter().enumerate().take(MOST_LAUNCHES).map(row).collect();
    let Terms { blocks, block, .. } = program.terms();
    let titles =
        ["launch", "kernel", blocks, block, "warp instructions", "cycles", "µs", "limited by", "findings"];
    page.table("Launches", &titles, &[true, false, true, true, true, true, true, false, true], &rows);
}

/// Adds the lines with most waiting of the longest launch of each kernel.
fn lines(page: &mut Page, program: &Program) {
    let mut longest: BTreeMap<&str, &Launched> = BTreeMap::new();
    for launch in program.launches.iter().filter(|launch| !launch.lines.is_empty()) {
        let kept = longest.entry(&launch.kernel).or_insert(launch);
        if time(launch) > time(kept) {
            *kept = launch;
        }
    }
    let rows = longest.into_iter().flat_map(|(kernel, launch)| {
        launch.lines.iter().map(move |line| {
            let text = if line.text.is_empty() { String::new() } else { format!("`{}`", line.text.trim()) };
            vec![
                format!("`{kernel}`"),
                line.place.clone(),
                text,
                format!("{} %", percent(line.share)),
                line.reason.clone(),
            ]
        })
    });
    let titles = ["kernel", "line", "", "share of the waits", "reason"];
    list(page, ("lines", "Lines at which warps wait most"), &titles, rows.take(MOST_LINES));
}

/// Adds a section with a table, unless it has no rows.
fn list(
    page: &mut Page,
    (id, title): (&str, &str),
    titles: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) {
    let rows: Vec<Vec<String>> = rows.collect();
    if !rows.is_empty() {
        page.section(id, title);
        page.table(title, titles, &[], &rows);
    }
}

//! The report of a program at its end: where its time goes, its launches, and hints with their
//! evidence.

use super::number::{count, fixed, percent, plural};
use super::rows::Rows;
use super::short;
use crate::program::{Called, Kind, Launched, Program, Uncovered, elapsed};
use isa::terms::Terms;
use sim_core::stats::Report;
use std::collections::BTreeMap;

/// Characters of a row of the timeline.
const CELLS: u64 = 56;
/// Most rows of the timeline.
const MOST_STREAMS: usize = 6;
/// Most launches with a line each; more are joined by kernel.
const MOST_LAUNCHES: usize = 10;
/// Least share of copies and of kernels in the time for which overlap is worth a hint.
const WORTH: f64 = 0.1;

/// Most leaks that are named.
const MOST_LEAKS: usize = 4;

/// Kinds of calls with their signs and names, in the order of most programs.
const KINDS: [(Kind, char, &str); 4] = [
    (Kind::CopyIn, '>', "copies to the device"),
    (Kind::Kernel, '#', "kernels"),
    (Kind::CopyOut, '<', "copies to the host"),
    (Kind::CopyPeer, '=', "copies between devices"),
];

impl Program {
    /// Returns the report, `width` characters wide, with what limits one of its launches: its
    /// number from 0 and its report.
    pub fn text(&self, width: usize, shown: Option<(usize, &Report)>) -> String {
        let mut page = Rows { text: String::new(), width };
        let copies =
            if self.copies == 1 { "1 copy".to_owned() } else { format!("{} copies", count(self.copies)) };
        page.row(
            "program",
            &format!(
                "{} and {copies} in {} us{} on {} ({})",
                self.counted(),
                us(self.simulated_ns),
                self.error(),
                self.board,
                self.chip
            ),
        );
        self.timeline(&mut page);
        self.rows_of_launches(&mut page);
        match shown {
            Some((number, report)) => self.row_of_shown(&mut page, number, report),
            None => self.row_of_longest(&mut page),
        }
        if let Some(why) = self.work_limit() {
            page.row("limit", &why);
        }
        for (number, line) in self.estimates().iter().enumerate() {
            page.row(if number == 0 { "estimated" } else { "" }, line);
        }
        for (number, hint) in self.hints().iter().enumerate() {
            page.row(if number == 0 { "hints" } else { "" }, hint);
        }
        if !self.launches.is_empty() {
            page.row("checked", &self.checked());
            page.row("next", self.next(shown.is_none()));
        }
        page.text
    }

    /// Returns the findings of the checkers, or that no checker ran.
    fn checked(&self) -> String {
        if self.checks.is_empty() {
            return "not checked for races, wrong addresses, undefined values: --check all".to_owned();
        }
        let errors = self.findings.iter().filter(|found| found.is_error).count() as u64;
        let warnings = self.findings.len() as u64 - errors;
        let more = if warnings > 0 { format!(", {}", plural(warnings, "warning")) } else { String::new() };
        format!("--check {}: {}, {}{more}", self.checks.join(","), self.counted(), plural(errors, "error"))
    }

    /// Returns the options and commands that show more. The reports of a native program are not in
    /// this process.
    fn next(&self, is_native: bool) -> &'static str {
        if is_native {
            return "--html FILE, --check all; --record DIR: launches for all other commands";
        }
        match (self.launches.iter().any(|launch| launch.timed), self.checks.is_empty()) {
            (true, _) => "--details, --why, --html FILE, --check all, warpsim debug",
            (false, true) if self.timed_work.is_some() => {
                "--timed-work all: times; --check all, warpsim debug"
            }
            (false, true) => "without --functional: times; --check all, warpsim debug",
            (false, false) => "without --check: times; warpsim debug",
        }
    }

    /// Writes the row with the limit of a launch.
    fn row_of_shown(&self, page: &mut Rows, number: usize, report: &Report) {
        let longest = self.launches.iter().map(|launch| launch.ns).max();
        let is_longest = self.launches.get(number).map(|launch| launch.ns) == longest;
        let which = if is_longest && self.launches.len() > 1 { ", the longest" } else { "" };
        let name = self.launches.get(number).map_or("", |launch| &launch.kernel);
        page.row("shown", &format!("launch {} of `{name}`{which}", number + 1));
        short::launch(page, report);
    }

    /// A row for each stream: what is on the device at each time.
    fn timeline(&self, page: &mut Rows) {
        let total = self.simulated_ns.max(1);
        if self.calls.is_empty() {
            return;
        }
        let mut streams: BTreeMap<(usize, usize), Vec<&Called>> = BTreeMap::new();
        for call in &self.calls {
            streams.entry((call.device, call.stream)).or_default().push(call);
        }
        let is_alone = streams.len() == 1;
        for (number, ((device, stream), calls)) in streams.iter().take(MOST_STREAMS).enumerate() {
            let mut cells = vec![[0_u64; KINDS.len()]; CELLS as usize];
            for call in calls {
                let kind = KINDS.iter().position(|(kind, ..)| *kind == call.kind).unwrap_or(0);
                let (from, to) = (call.start_ns, call.start_ns + call.duration_ns);
                let (first, last) = (from * CELLS / total, (to * CELLS).div_ceil(total).min(CELLS));
                for cell in first..last {
                    let (start, end) = (cell * total / CELLS, (cell + 1) * total / CELLS);
                    let time = to.min(end).saturating_sub(from.max(start)).max(1);
                    cells[cell as usize][kind] += time;
                }
            }
            let sign = |times: &[u64; KINDS.len()]| {
                let longest = times.iter().zip(KINDS).max_by_key(|(time, _)| **time);
                longest.filter(|(time, _)| **time > 0).map_or('.', |(_, (_, sign, _))| sign)
            };
            let name = match (is_alone, device) {
                (true, _) => String::new(),
                (false, 0) => format!("  stream {stream}"),
                (false, device) => format!("  device {device}, stream {stream}"),
            };
            let row: String = cells.iter().map(sign).collect();
            page.row(if number == 0 { "timeline" } else { "" }, &(row + &name));
        }
        let share = |kind| percent(self.time_of(kind) as f64 / total as f64);
        let used = KINDS.iter().filter(|(kind, ..)| self.time_of(*kind) > 0);
        let parts: Vec<String> =
            used.map(|(kind, sign, name)| format!("{sign} {name} {} %", share(*kind))).collect();
        page.row("", &format!("{} of the time", parts.join(", ")));
    }

    /// Nanoseconds in which a call of a kind is on a device.
    fn time_of(&self, kind: Kind) -> u64 {
        let own = self.calls.iter().filter(|call| call.kind == kind);
        elapsed(own.map(|call| (call.start_ns, call.duration_ns)).collect())
    }

    /// A line for each launch, or for each kernel if there are many, and the limit of the longest.
    fn rows_of_launches(&self, page: &mut Rows) {
        if self.launches.len() <= MOST_LAUNCHES {
            for (number, launch) in self.launches.iter().enumerate() {
                page.row(&format!("launch {}", number + 1), &of_launch(launch, self.terms()));
            }
        } else {
            let mut kernels: BTreeMap<_, Vec<&Launched>> = BTreeMap::new();
            for launch in &self.launches {
                kernels.entry((&launch.kernel, launch.grid, launch.block)).or_default().push(launch);
            }
            let time =
                |all: &[&Launched]| elapsed(all.iter().map(|launch| (launch.start_ns, launch.ns)).collect());
            let mut kernels: Vec<_> = kernels.into_values().collect();
            kernels.sort_by_key(|all| std::cmp::Reverse(time(all)));
            for (number, all) in kernels.iter().take(MOST_LAUNCHES).enumerate() {
                let is_one_line = all.iter().all(|launch| launch.place == all[0].place);
                let place = all[0].place.as_ref().filter(|_| is_one_line);
                let text = format!(
                    "{}{} {} x, {} us in all",
                    shape(all[0], self.terms()),
                    of_place(place, ","),
                    count(all.len() as u64),
                    us(time(all)),
                );
                page.row(if number == 0 { "launches" } else { "" }, &text);
            }
            if kernels.len() > MOST_LAUNCHES {
                page.row("", &format!("and {} other kernels or sizes", kernels.len() - MOST_LAUNCHES));
            }
        }
    }

    /// The longest launch and its limit, and its worst line.
    fn row_of_longest(&self, page: &mut Rows) {
        let longest = self.launches.iter().enumerate().max_by_key(|(_, launch)| launch.ns);
        if let Some((number, launch)) = longest.filter(|(_, launch)| launch.limited_by.is_some()) {
            page.row("longest", &format!("launch {}{}", number + 1, limit(launch)));
            for line in launch.lines.iter().take(1) {
                let text = format!(
                    "{} % of its time: {} {} ({})",
                    percent(line.share),
                    line.place,
                    line.text,
                    line.reason
                );
                page.row("", text.trim());
            }
        }
    }

    /// Returns what the program should not leave as it is, each with its evidence.
    pub fn hints(&self) -> Vec<String> {
        let mut hints = Vec::new();
        for error in &self.errors {
            let at = of_place(error.place.as_ref(), if error.times > 1 { ", first in" } else { " in" });
            let times = count(error.times);
            hints.push(format!("{} failed with {} ({times} x){at}", error.function, error.error));
        }
        for error in &self.unchecked {
            hints.push(format!("{error}: call cudaGetLastError after it"));
        }
        let mut known: Vec<(&str, &Uncovered)> = Vec::new();
        for (number, launch) in self.launches.iter().enumerate() {
            let Some(one) = &launch.uncovered else { continue };
            if known.contains(&(&*launch.kernel, one)) {
                continue;
            }
            known.push((&launch.kernel, one));
            let Uncovered { argument, elements, threads, block } = one;
            hints.push(format!(
                "launch {} of {}{} has {} threads, and the kernel compares their index with its argument {argument}, \
                 which is {}: the last {} have no thread; ({argument} + {}) / {block} blocks have one for each",
                number + 1,
                launch.kernel,
                of_place(launch.place.as_ref(), " in"),
                count(*threads),
                count(*elements),
                elements - threads,
                block - 1,
            ));
        }
        let (copies, kernels) =
            (self.time_of(Kind::CopyIn) + self.time_of(Kind::CopyOut), self.time_of(Kind::Kernel));
        let share = |ns: u64| ns as f64 / self.simulated_ns.max(1) as f64;
        // Without a copy engine nothing overlaps, and commands of OpenCL wait for each other.
        if self.copy_engines > 0
            && !self.is_opencl
            && share(copies) >= WORTH
            && share(kernels) >= WORTH
            && !self.overlaps()
        {
            hints.push(format!(
                "copies take {} us and kernels {} us, one after the other: parts in streams with cudaMemcpyAsync and \
                 pinned memory can overlap, and save up to {} us",
                us(copies),
                us(kernels),
                us(copies.min(kernels))
            ));
        }
        let free = if self.is_opencl { "clReleaseMemObject" } else { "cudaFree" };
        for (leaks, free, memory, is_pinned) in [
            (&self.leaks, free, "device memory", false),
            (&self.pinned_leaks, "cudaFreeHost", "pinned host memory", true),
        ] {
            let leaked: u64 = leaks.iter().sum();
            if leaked > 0 {
                let number = plural(leaks.len() as u64, "allocation");
                let places = self.places_of_leaks(is_pinned);
                hints.push(format!("no {free} for {} bytes of {memory} in {number}{places}", count(leaked)));
            }
        }
        hints
    }

    /// Returns the variables and lines of the largest leaks, after a colon.
    fn places_of_leaks(&self, is_pinned: bool) -> String {
        let mut bytes: BTreeMap<(&str, Option<&str>), u64> = BTreeMap::new();
        for leak in self.leaked_at.iter().filter(|leak| leak.is_pinned == is_pinned) {
            *bytes.entry((&leak.place, leak.variable.as_deref())).or_default() += leak.bytes;
        }
        let mut all: Vec<_> = bytes.into_iter().collect();
        // The order of lines decides between equal sizes.
        all.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        let name = |((place, variable), _): &((&str, Option<&str>), u64)| match variable {
            Some(variable) => format!("{variable} ({place})"),
            None => (*place).to_owned(),
        };
        let mut names: Vec<String> = all.iter().take(MOST_LEAKS).map(name).collect();
        if all.len() > MOST_LEAKS {
            names.push("others".to_owned());
        }
        if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) }
    }

    /// Whether a copy and a kernel are on a device at the same time.
    fn overlaps(&self) -> bool {
        let of =
            |is_kernel: bool| self.calls.iter().filter(move |call| (call.kind == Kind::Kernel) == is_kernel);
        let mut kernels: Vec<(u64, u64)> =
            of(true).map(|call| (call.start_ns, call.start_ns + call.duration_ns)).collect();
        kernels.sort_unstable();
        of(false).any(|copy| {
            let end = copy.start_ns + copy.duration_ns;
            let first = kernels.partition_point(|(_, until)| *until <= copy.start_ns);
            kernels.get(first).is_some_and(|(from, _)| *from < end)
        })
    }
}

fn us(ns: u64) -> String {
    fixed(ns as f64 / 1e3, 2)
}

fn of_launch(launch: &Launched, terms: &Terms) -> String {
    let result = if !launch.finished {
        launch.verdict.clone()
    } else if launch.timed || launch.estimated {
        format!("{} us", us(launch.ns))
    } else {
        format!("{} warp instructions, not timed", count(launch.warp_instructions))
    };
    let findings = match launch.findings {
        0 => String::new(),
        number => format!(", {}", plural(number as u64, "finding")),
    };
    format!("{}{}: {result}{findings}", shape(launch, terms), of_place(launch.place.as_ref(), ","))
}

/// Returns a place after a word; nothing without a place.
fn of_place(place: Option<&String>, word: &str) -> String {
    place.map_or_else(String::new, |place| format!("{word} {place}"))
}

fn shape(launch: &Launched, terms: &Terms) -> String {
    let blocks: u64 = launch.grid.iter().map(|extent| u64::from(*extent)).product();
    let threads: u64 = launch.block.iter().map(|extent| u64::from(*extent)).product();
    format!("{}, {} of {}", launch.kernel, plural(blocks, terms.block), plural(threads, terms.thread))
}

fn limit(launch: &Launched) -> String {
    launch.limit().map_or_else(String::new, |limit| format!(", limited by {limit}"))
}

//! Copies to the host of device memory that nothing has written: which elements of which buffer.
//!
//! An element has the type of the kernel's parameter, or of the variable that got the pointer, if
//! the compiler of the program tells it.

use super::Runtime;
use super::element::Element;
use super::thread::Thread;
use isa::mangled::plain;
use isa::uop::Program;
use report::number::{count, plural};
use sim_core::check::{Check, Kind};
use sim_core::host::{Arg, Launch, Row};
use std::fmt::Write as _;
use std::ops::Range;

/// Most ranges of elements that a message names.
const MOST_RANGES: usize = 3;
/// The last launch with a parameter that is the address of a buffer.
#[derive(Clone, Debug)]
pub(super) struct Passed {
    kernel: String,
    /// Number of the launch, from 1.
    launch: usize,
    line: Option<String>,
    threads: u64,
    parameter: String,
    element: Option<Element>,
}

impl Passed {
    fn described(&self, name: Option<&str>) -> String {
        let Self { kernel, launch, line, threads, parameter, .. } = self;
        let line = line.as_ref().map_or_else(String::new, |line| format!(" at {line}"));
        let name = match name {
            Some(name) if name != parameter => format!("`{name}` is"),
            Some(_) => "it has".to_owned(),
            None => "the memory is".to_owned(),
        };
        format!(
            "launch {launch}, of `{kernel}`{line}, has {}; {name} its parameter `{parameter}`",
            plural(*threads, "thread")
        )
    }
}

/// Rows of a copy with the elements of each that nothing has written.
struct Group {
    rows: Range<usize>,
    missing: Vec<Range<u64>>,
}

impl Runtime {
    /// Notes the buffers that a launch gets as parameters.
    pub(super) fn note_passed(
        &mut self,
        device: usize,
        program: &Program,
        launch: &Launch,
        line: Option<&String>,
    ) {
        if !self.settings.checks.has(Check::Init) {
            return;
        }
        let number = self.launched() + 1;
        for (index, (param, arg)) in program.params.iter().zip(&launch.args).enumerate() {
            let Arg::Ptr(ptr) = arg else { continue };
            let table = self.devices[device].gpu.allocations();
            if table.find(ptr.address()).is_none_or(|range| range.start != ptr.address()) {
                continue;
            }
            let types = self.images.locals.as_deref();
            let local = types.and_then(|types| {
                let of = |local: &&isa::variables::Local| {
                    local.function == program.name && local.parameter.as_ref() == Some(&param.name)
                };
                types.locals.iter().find(of).map(|local| (local, Element::behind(types, local.ty)))
            });
            let parameter = match &local {
                Some((local, _)) => local.name.clone(),
                // The PTX of clang has no names of its parameters.
                None if param.name.contains("_param_") => (index + 1).to_string(),
                None => param.name.clone(),
            };
            let passed = Passed {
                kernel: plain(&program.name).to_owned(),
                launch: number,
                line: line.cloned(),
                threads: launch.grid.count() * launch.block.count(),
                parameter,
                element: local.and_then(|(_, element)| element),
            };
            self.places.passed.insert((device, ptr.address()), passed);
        }
    }

    /// Notes a copy to the host of rows of device memory, if nothing has written some of their
    /// bytes. `variable` is the name of the variable of the device that is copied.
    pub(super) fn note_unwritten(&mut self, thread: &Thread, rows: &[Row], variable: Option<&str>) {
        if !self.settings.checks.has(Check::Init) {
            return;
        }
        let gpu = &self.devices[thread.device].gpu;
        let missing: Vec<Vec<Range<u64>>> = rows.iter().map(|row| gpu.unwritten(*row)).collect();
        if missing.iter().all(Vec::is_empty) {
            return;
        }
        let first = rows.first().map_or(0, |row| row.ptr.address());
        let start = gpu.allocations().find(first).map_or(first, |range| range.start);
        let passed = self.places.passed.get(&(thread.device, start)).cloned();
        let made = self.variable_of_allocation(thread.device, start.into());
        let own = variable.map(ToOwned::to_owned).or(made);
        let element = passed.as_ref().and_then(|passed| passed.element.clone());
        let element = element.or_else(|| self.process.element(own.as_deref()?));
        let is_typed = element.is_some();
        let element = element.unwrap_or_else(Element::byte);
        let mut groups: Vec<Group> = Vec::new();
        for (number, (row, missing)) in rows.iter().zip(&missing).enumerate() {
            // Elements of several rows are counted in their row.
            let base = if rows.len() == 1 { start } else { row.ptr.address() };
            let missing = element.missing(base.into(), missing);
            match groups.last_mut().filter(|last| last.missing == missing) {
                Some(last) => last.rows.end = number + 1,
                None => groups.push(Group { rows: number..number + 1, missing }),
            }
        }
        groups.retain(|group| !group.missing.is_empty());
        if groups.is_empty() {
            return;
        }
        let name = own.or_else(|| passed.as_ref().map(|passed| passed.parameter.clone()));
        let of = name.as_ref().map_or_else(|| "device memory".to_owned(), |name| format!("`{name}`"));
        let number = |group: &Group| {
            let one: u64 = group.missing.iter().map(|range| range.end - range.start).sum();
            one * group.rows.len() as u64
        };
        let (number, all) = (
            groups.iter().map(number).sum::<u64>(),
            rows.iter().map(|row| row.bytes.div_ceil(element.bytes())).sum::<u64>(),
        );
        let all_of_it = plural(all, if is_typed { "element" } else { "byte" });
        let message = if number >= all {
            format!("a copy to the host reads {all_of_it} of {of}, which nothing has written")
        } else {
            let part = count(number);
            format!("a copy to the host reads {part} of {all_of_it} of {of} that nothing has written")
        };
        let line = self.line();
        if !self.program.add_host_finding(Kind::UnwrittenCopy, line, name.as_deref(), &message) {
            return;
        }
        let mut text = format!("error[{}]: {message}", Kind::UnwrittenCopy.name());
        if number < all {
            let ranges = listed(&groups, rows.len() > 1, name.as_deref().filter(|_| is_typed));
            let _ = write!(text, "\n  {ranges} never written");
            // The elements behind the last thread.
            let has_no_thread = passed.as_ref().is_some_and(|passed| {
                let is_behind =
                    |group: &Group| matches!(&group.missing[..], [one] if one.start == passed.threads);
                is_typed && rows.len() == 1 && groups.iter().all(is_behind)
            });
            if has_no_thread {
                text += ": no thread had these indices";
            }
        }
        if let Some(passed) = &passed {
            let _ = write!(text, "\n  {}", passed.described(name.as_deref()));
        }
        text += if number < all {
            "\nhelp: let a kernel or cudaMemset write these elements, or copy the other elements only"
        } else {
            "\nhelp: check that a kernel or a copy to the device writes them before, and the directions of the copies"
        };
        self.notes.once_for_call(text);
    }
}

/// Names the elements that nothing has written, with the verb. `name` is the buffer; without it
/// bytes are counted.
fn listed(groups: &[Group], has_rows: bool, name: Option<&str>) -> String {
    let one = |range: &Range<u64>| {
        let (first, last) = (range.start, range.end - 1);
        match (name.filter(|_| !has_rows), name.is_some(), first == last) {
            (Some(name), _, true) => format!("`{name}[{first}]`"),
            (Some(name), _, false) => format!("`{name}[{first}] ... {name}[{last}]`"),
            (None, true, true) => format!("element {first}"),
            (None, true, false) => format!("elements {first} to {last}"),
            (None, false, true) => format!("byte {first}"),
            (None, false, false) => format!("bytes {first} to {last}"),
        }
    };
    let rows = |group: &Group| match (has_rows, group.rows.start, group.rows.end - 1) {
        (false, ..) => String::new(),
        (true, first, last) if first == last => format!(" of row {first}"),
        (true, first, last) => format!(" of rows {first} to {last}"),
    };
    let all = groups.iter().flat_map(|group| group.missing.iter().map(move |range| (group, range)));
    let number = all.clone().count();
    let mut parts: Vec<String> =
        all.take(MOST_RANGES).map(|(group, range)| one(range) + &rows(group)).collect();
    if number > MOST_RANGES {
        parts.push(format!("{} more", count((number - MOST_RANGES) as u64)));
    }
    let is_single = number == 1 && groups[0].missing[0].end - groups[0].missing[0].start == 1;
    let is_single = is_single && groups[0].rows.len() == 1;
    let verb = if is_single { "was" } else { "were" };
    let last = parts.pop().unwrap_or_default();
    if parts.is_empty() {
        format!("{last} {verb}")
    } else {
        format!("{} and {last} {verb}", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_named_and_the_others_counted() {
        let group = |rows: Range<usize>, missing: &[(u64, u64)]| Group {
            rows,
            missing: missing.iter().map(|(start, end)| *start..*end).collect(),
        };
        let one = [group(0..1, &[(70, 150)])];
        assert_eq!(listed(&one, false, Some("c")), "`c[70] ... c[149]` were");
        assert_eq!(listed(&one, false, None), "bytes 70 to 149 were");
        let several = [group(0..1, &[(1, 2), (3, 4), (5, 7), (9, 10), (11, 12)])];
        assert_eq!(listed(&several, false, Some("c")), "`c[1]`, `c[3]`, `c[5] ... c[6]` and 2 more were");
        assert_eq!(listed(&[group(0..1, &[(4, 5)])], false, Some("c")), "`c[4]` was");
        let rows = [group(0..8, &[(90, 100)]), group(9..10, &[(0, 100)])];
        let text = "elements 90 to 99 of rows 0 to 7 and elements 0 to 99 of row 9 were";
        assert_eq!(listed(&rows, true, Some("c")), text);
    }
}

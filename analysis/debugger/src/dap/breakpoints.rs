//! The breakpoints of the client, and the stops of the debugger that they are.

use super::filters::{self, Filter, LONG_STALL};
use super::hits::{HitPosition, Hits};
use super::program::DapProgram;
use super::protocol::{SetExceptions, Shown, Source, Wanted};
use crate::front::checks::check_variable;
use crate::front::command::Stop;
use crate::front::parse;
use crate::front::stops::{HostWatch, Point, Tested};
use crate::program::Frame;
use isa::uop::Program as Kernel;
use report::inspect::variables::{Expression, is_known, known_names};
use report::mangled;
use serde_json::json;
use sim_core::debug::{Names, Session};

/// Most breakpoints of a kind.
const MOST: usize = 1000;

/// Longest text of a log point.
const LONGEST_LOG: usize = 4096;

/// The text of a log point, with values instead of the expressions in braces.
pub fn filled(text: &str, mut value: impl FnMut(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out += before;
        let Some((expression, end)) = after.split_once('}') else {
            out.push('{');
            rest = after;
            break;
        };
        out += &value(expression.trim());
        rest = end;
    }
    out += rest;
    out.chars().take(LONGEST_LOG).collect()
}

/// A breakpoint of the client.
#[derive(Debug)]
pub struct Breakpoint {
    /// As the client shows it.
    pub shown: Shown,
    /// Kind of the breakpoint.
    pub kind: BreakpointKind,
    /// Text to print instead of a stop.
    pub log: Option<String>,
    hits: Option<Hits>,
    /// Tests of the condition in this launch.
    tested: Tested,
}

/// Kind of a breakpoint.
#[derive(Clone, Debug, PartialEq)]
pub enum BreakpointKind {
    /// A breakpoint that cannot be reached.
    Nothing,
    /// A stop of a search.
    Point(Point),
    /// The start of a kernel of this name, in CUDA C or in PTX.
    Kernel(String),
    /// The start or the end of a launch.
    Launch(Filter),
}

/// The kinds of breakpoints that a client sets separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Breakpoints at lines of a source.
    Lines,
    /// Kernels.
    Functions,
    /// Events.
    Exceptions,
    /// Registers and memory.
    Data,
}

/// Whether the user means a kernel by its name in CUDA C or in PTX.
pub fn is_kernel(name: &str, wanted: &str) -> bool {
    name == wanted || mangled::plain(name) == wanted
}

/// All breakpoints of the client.
#[derive(Debug, Default)]
pub struct Breakpoints {
    groups: [Vec<Breakpoint>; 4],
    /// Numbers given so far.
    count: u32,
}

impl Breakpoints {
    /// Returns the breakpoints of all kinds.
    pub fn all(&self) -> impl Iterator<Item = (Group, &Breakpoint)> {
        let groups = [Group::Lines, Group::Functions, Group::Exceptions, Group::Data];
        groups.into_iter().zip(&self.groups).flat_map(|(group, all)| all.iter().map(move |one| (group, one)))
    }

    /// Returns the stops for a search.
    pub fn points(&self) -> Vec<Point> {
        let point = |(_, one): (Group, &Breakpoint)| match &one.kind {
            BreakpointKind::Point(point) => Some(point.clone()),
            BreakpointKind::Nothing | BreakpointKind::Kernel(_) | BreakpointKind::Launch(_) => None,
        };
        self.all().filter_map(point).collect()
    }

    /// Adds the tests of a search to the stops, in the order of [`points`](Self::points).
    pub fn add_tests(&mut self, tested: &[Tested]) {
        let own = self.groups.iter_mut().flatten().filter(|one| matches!(one.kind, BreakpointKind::Point(_)));
        for (one, tested) in own.zip(tested) {
            one.tested.add(tested);
        }
    }

    /// Returns messages about conditions that could never be evaluated in the launch, and forgets
    /// their tests.
    pub fn never_evaluated(&mut self) -> String {
        let message = |one: &mut Breakpoint| {
            let tested = std::mem::take(&mut one.tested);
            let BreakpointKind::Point(point) = &one.kind else { return None };
            let name = one
                .shown
                .line
                .map_or("a breakpoint".to_owned(), |line| format!("the breakpoint at line {line}"));
            tested.message(&name, point)
        };
        self.groups.iter_mut().flatten().filter_map(message).collect()
    }

    /// Whether launches stop at this event.
    pub fn stops_at(&self, filter: Filter) -> bool {
        self.all().any(|(_, one)| one.kind == BreakpointKind::Launch(filter))
    }

    /// Counts a hit of a breakpoint. Returns whether it stops the launch.
    pub fn hit(&mut self, id: u32, place: HitPosition) -> bool {
        let one = self.groups.iter_mut().flatten().find(|one| one.shown.id == id);
        one.is_none_or(|one| one.hits.as_mut().is_none_or(|hits| hits.hit(place)))
    }

    /// Another launch begins: forgets the hits inside the last one and the breakpoints at registers
    /// and shared memory, which belong to one launch. Returns the latter.
    pub fn begin(&mut self) -> Vec<Shown> {
        for hits in self.groups.iter_mut().flatten().filter_map(|one| one.hits.as_mut()) {
            hits.clear();
        }
        self.forget("its launch has ended", |point| {
            matches!(point, Point::Register { .. } | Point::Variable { .. } | Point::Shared { .. })
        })
    }

    /// Functions of host code have returned: forgets the breakpoints at their variables. Returns
    /// these breakpoints.
    pub fn returned(&mut self, ended: &[Point]) -> Vec<Shown> {
        self.forget("its function has returned", |point| ended.contains(point))
    }

    /// Forgets breakpoints for a reason, and returns them.
    fn forget(&mut self, why: &str, is_gone: impl Fn(&Point) -> bool) -> Vec<Shown> {
        let mut gone = Vec::new();
        for one in self.groups.iter_mut().flatten() {
            if matches!(&one.kind, BreakpointKind::Point(point) if is_gone(point)) {
                one.kind = BreakpointKind::Nothing;
                one.shown.verified = false;
                one.shown.message = Some(why.to_owned());
                gone.push(one.shown.clone());
            }
        }
        gone
    }

    /// Replaces the breakpoints of a group. `kind` returns what each is, and its line and source.
    fn replace(
        &mut self,
        group: Group,
        wanted: Vec<Wanted>,
        kind: impl Fn(&Wanted) -> Result<(BreakpointKind, Option<u32>), String>,
        source: Option<&Source>,
    ) -> Vec<Shown> {
        let mut all = Vec::new();
        for (i, wanted) in wanted.into_iter().enumerate() {
            self.count += 1;
            let hits = wanted.hit_condition.as_deref().filter(|text| !text.trim().is_empty()).map(Hits::read);
            let found = if i < MOST { kind(&wanted) } else { Err(format!("more than {MOST} breakpoints")) };
            let read = found.and_then(|found| Ok((found, hits.transpose()?)));
            let (((kind, line), hits), message) = match read {
                Ok(read) => (read, None),
                Err(message) => (((BreakpointKind::Nothing, None), None), Some(message)),
            };
            let shown = Shown {
                id: self.count,
                verified: message.is_none(),
                message,
                line: line.or(Some(wanted.line).filter(|line| *line > 0)),
                source: source.cloned(),
            };
            let tested = Tested::default();
            all.push(Breakpoint { shown, kind, log: wanted.log_message, hits, tested });
        }
        let shown = all.iter().map(|one| one.shown.clone()).collect();
        self.groups[group as usize] = all;
        shown
    }

    /// Sets the breakpoints at lines. A line without an instruction means the next line with one.
    /// Those of other sources stay.
    pub fn set_lines(&mut self, program: &DapProgram, part: usize, wanted: Vec<Wanted>) -> Vec<Shown> {
        let source = program.source(part);
        let kind = |wanted: &Wanted| {
            let line = program.line_from(part, wanted.line);
            let line = line.ok_or("no instruction follows this line")?;
            let event = event(program, &line.to_string(), wanted.condition.as_deref())?;
            Ok((event, Some(program.at(line).1)))
        };
        let mut kept = std::mem::take(&mut self.groups[Group::Lines as usize]);
        kept.retain(|one| one.shown.source.as_ref().and_then(|of| of.path.as_ref()) != source.path.as_ref());
        let shown = self.replace(Group::Lines, wanted, kind, Some(source));
        self.groups[Group::Lines as usize].extend(kept);
        shown
    }

    /// Answers for lines of a source that the program does not have.
    pub fn refuse_lines(&mut self, wanted: &[Wanted]) -> Vec<Shown> {
        let refuse = |wanted: &Wanted| {
            self.count += 1;
            let message = Some("this file is not the source of the launched program".to_owned());
            Shown { id: self.count, verified: false, message, line: Some(wanted.line), source: None }
        };
        wanted.iter().map(refuse).collect()
    }

    /// Sets the breakpoints at kernels.
    pub fn set_functions(&mut self, program: &DapProgram, wanted: Vec<Wanted>) -> Vec<Shown> {
        let kind = |wanted: &Wanted| {
            let names = || program.module.entries.iter().map(|entry| entry.name.as_str());
            if !names().any(|name| is_kernel(name, &wanted.name)) {
                let all: Vec<&str> = names().map(mangled::plain).collect();
                return Err(format!("there is no kernel `{}`; kernels: {}", wanted.name, all.join(", ")));
            }
            if wanted.condition.as_deref().is_some_and(|text| !text.trim().is_empty()) {
                return Err("a breakpoint at a kernel has no condition".to_owned());
            }
            Ok((BreakpointKind::Kernel(wanted.name.clone()), None))
        };
        self.replace(Group::Functions, wanted, kind, None)
    }

    /// Sets the breakpoints at events.
    pub fn set_exceptions(&mut self, program: &DapProgram, wanted: SetExceptions) -> Vec<Shown> {
        let plain = wanted.filters.into_iter().map(|filter_id| Wanted { filter_id, ..Wanted::default() });
        let kind = |wanted: &Wanted| {
            let row = filters::find(&wanted.filter_id);
            let row = row.ok_or_else(|| format!("there is no filter `{}`", wanted.filter_id))?;
            let condition = wanted.condition.as_deref().map(str::trim).filter(|text| !text.is_empty());
            let kind = match (row.event, condition) {
                (Filter::Event(words), _) => event(program, words, condition)?,
                (Filter::Stall, None) => event(program, &format!("stall {LONG_STALL}"), None)?,
                (Filter::Stall, Some(text)) => event(program, &format!("stall {text}"), None)?,
                (Filter::Launch | Filter::Trap | Filter::Hang | Filter::End, None) => {
                    BreakpointKind::Launch(row.event)
                }
                (Filter::Launch | Filter::Trap | Filter::Hang | Filter::End, Some(_)) => {
                    return Err(format!("the filter `{}` has no condition", row.filter));
                }
            };
            Ok((kind, None))
        };
        let all = plain.chain(wanted.filter_options).collect();
        self.replace(Group::Exceptions, all, kind, None)
    }

    /// Sets the breakpoints at writes. Registers and shared memory need a stopped launch.
    pub fn set_data(&mut self, session: Option<&Session<'_>>, wanted: Vec<Wanted>) -> Vec<Shown> {
        let kind = |wanted: &Wanted| {
            if wanted.condition.as_deref().is_some_and(|text| !text.trim().is_empty()) {
                return Err("a breakpoint at a write has no condition".to_owned());
            }
            Ok((BreakpointKind::Point(of_data_id(session, &wanted.data_id)?), None))
        };
        self.replace(Group::Data, wanted, kind, None)
    }
}

/// Reads the rest of a `break` command. A condition without the word `if` is an expression.
fn event(program: &DapProgram, words: &str, condition: Option<&str>) -> Result<BreakpointKind, String> {
    let condition = condition.unwrap_or("").trim();
    let first = condition.split([' ', '(']).next().unwrap_or("");
    let before =
        if condition.is_empty() || ["block", "warp", "thread", "if"].contains(&first) { "" } else { "if " };
    let breakpoint = parse::breakpoint("break", &format!("{words} {before}{condition}"))?;
    if let Some(condition) = &breakpoint.condition {
        for name in condition.names() {
            check_name(program, &name, breakpoint.stop)?;
        }
    }
    Ok(BreakpointKind::Point(Point::Break(breakpoint)))
}

/// Rejects a condition with a name that no kernel with the place of the breakpoint has. The names
/// of host code are checked when it stops there.
fn check_name(program: &DapProgram, name: &str, stop: Stop) -> Result<(), String> {
    let is_here = |entry: &&Kernel| match stop {
        Stop::Line(line) => entry.lines.contains(&line),
        _ => true,
    };
    let entries: Vec<&Kernel> = program.module.entries.iter().map(|entry| &**entry).filter(is_here).collect();
    let names: Vec<Names> = entries.iter().map(|entry| Names::of(entry)).collect();
    let all = || entries.iter().zip(&names);
    let Some((entry, own)) = all().find(|(entry, names)| is_known(entry, names, name)) else {
        if entries.is_empty() {
            return Ok(());
        }
        let near = isa::diag::nearest(name, all().flat_map(|(entry, names)| known_names(entry, names)));
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(if name.starts_with('%') {
            format!("no instruction writes a register `{name}`{near}")
        } else {
            format!("no kernel has a variable `{name}` here{near}")
        });
    };
    let is_register = own.all().iter().any(|known| known == name);
    let is_variable = entry.ptx.variables().locals.iter().any(|local| local.name == name);
    if is_variable && !is_register { check_variable(entry, name, stop) } else { Ok(()) }
}

/// The identity of a place that a data breakpoint observes.
pub fn data_id(point: &Point) -> String {
    match point {
        Point::Register { sm, slot, name } => format!("register {sm} {slot} {name}"),
        Point::Variable { sm, slot, name, writers } => {
            let writers: Vec<String> = writers.iter().map(u32::to_string).collect();
            format!("variable {sm} {slot} {name} {}", writers.join(","))
        }
        Point::Shared { block, address } => format!("shared {block} {address}"),
        Point::Global(address) => format!("global {address}"),
        Point::Host(HostWatch { expression, frame }) => {
            let frame = frame.as_ref().map(|(Frame { outer, function }, name)| (outer, function, name));
            format!("host {}", json!([expression.text, frame]))
        }
        Point::Break(_) => String::new(),
    }
}

/// Reads the identity of an expression of host code.
fn of_host_id(text: &str) -> Option<Point> {
    type Read = (String, Option<(usize, u32, String)>);
    let (text, frame): Read = serde_json::from_str(text).ok()?;
    let expression = Expression::parse(&text).ok()?;
    let frame = frame.map(|(outer, function, name)| (Frame { outer, function }, name));
    Some(Point::Host(HostWatch { expression, frame }))
}

/// Reads [`data_id`].
fn of_data_id(session: Option<&Session<'_>>, text: &str) -> Result<Point, String> {
    if let Some(point) = text.strip_prefix("host ").and_then(of_host_id) {
        return Ok(point);
    }
    let words: Vec<&str> = text.split(' ').collect();
    let unknown = || format!("`{text}` is not a data breakpoint of this program");
    match (words.as_slice(), session) {
        (["global", address], _) => Ok(Point::Global(address.parse().map_err(|_| unknown())?)),
        (["shared", block, address], Some(session)) => {
            let (block, address) =
                (block.parse().map_err(|_| unknown())?, address.parse().map_err(|_| unknown())?);
            session.shared(block).ok_or("the block is not resident")?;
            Ok(Point::Shared { block, address })
        }
        (["register", sm, slot, name], Some(session)) => {
            let (sm, slot) = (sm.parse().map_err(|_| unknown())?, slot.parse().map_err(|_| unknown())?);
            session.warp(sm, slot).ok_or("the warp is not resident")?;
            Ok(Point::Register { sm, slot, name: (*name).to_owned() })
        }
        (["variable", sm, slot, name, writers], Some(session)) => {
            let (sm, slot) = (sm.parse().map_err(|_| unknown())?, slot.parse().map_err(|_| unknown())?);
            session.warp(sm, slot).ok_or("the warp is not resident")?;
            let writers: Result<_, _> = writers.split(',').map(str::parse).collect();
            Ok(Point::Variable {
                sm,
                slot,
                name: (*name).to_owned(),
                writers: writers.map_err(|_| unknown())?,
            })
        }
        _ => Err(unknown()),
    }
}

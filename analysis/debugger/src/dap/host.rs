//! The host code of a program as a thread: its stops, its stack and its variables.

use super::Shared;
use super::adapter::{Adapter, After, Answer, Movement};
use super::breakpoints::data_id;
use super::breakpoints::{BreakpointKind, filled};
use super::frames;
use super::hits::HitPosition;
use super::inbox::{Next, Request, Wish};
use super::protocol::{
    Command, Context, DataInfo, Evaluate, OfFrame, OfThread, Scope, Source, Variable, Variables,
};
use super::protocol::{Granularity, arguments};
use super::stop::Stop;
use super::variables::fact;
use super::wire::Refusal;
use crate::front::End;
use crate::front::stops::Point;
use crate::host_code::{HostCode, Movement as HostMovement, watch_of};
use crate::program::{Control, Move, Stopped};
use report::inspect::values::Format;
use report::inspect::variables::{Expression, Shown};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Number of the group of the variables of the innermost function.
const LOCALS: usize = 1;

impl Control for Shared {
    fn arrived(&mut self, at: &dyn Stopped) -> Move {
        self.lock().arrived(at)
    }

    fn failed(&mut self, at: &dyn Stopped, why: &str) {
        let mut adapter = self.lock();
        let is_watched = adapter.host_code.as_ref().is_some_and(HostCode::is_watched);
        if is_watched && !adapter.is_over() {
            adapter.stops_in_host(at, Stop { text: why.to_owned(), ..Stop::new("exception", why) });
        }
    }

    fn changed(&mut self) -> Option<Move> {
        self.lock().changed()
    }
}

impl Adapter {
    /// Whether the program runs without stops, or ends.
    fn is_over(&self) -> bool {
        self.detached || self.leave.is_some() || self.inbox.leaves()
    }

    /// All breakpoints, of the client and of its debug console.
    fn all_points(&self) -> Vec<Point> {
        let mut points = self.front.all_points();
        points.extend(self.breakpoints.points());
        points
    }

    /// A line of host code begins.
    fn arrived(&mut self, at: &dyn Stopped) -> Move {
        if let (false, Some(mut code)) = (self.is_over(), self.host_code.take()) {
            code.watches(self.all_points().iter(), at);
            // Hits are counted where the user sees the program run.
            let is_there = |point: &Point| code.breaks_at(point, at);
            let (own, ids) = if code.is_watched() {
                (self.front.breaks_in_host(is_there), self.hits(&code, at))
            } else if code.has_breakpoints() {
                (Ok(self.all_points().iter().any(|point| is_there(point).unwrap_or(false))), Vec::new())
            } else {
                (Ok(false), Vec::new())
            };
            if let Err(why) = &own {
                self.inbox.wire.output("console", &format!("The breakpoint stops for an error: {why}\n"));
            }
            let stops = code.arrives(!matches!(own, Ok(false)) || !ids.is_empty(), at);
            let (text, ended) = (code.changes(), code.ended_watches());
            self.host_code = Some(code);
            if stops {
                for ended in &ended {
                    self.front.remove(ended);
                }
                for gone in self.breakpoints.returned(&ended) {
                    self.inbox.wire.event("breakpoint", json!({ "reason": "changed", "breakpoint": gone }));
                }
                let stop = match (text.is_empty(), ids.is_empty()) {
                    (false, _) => {
                        self.inbox.wire.output("console", &text);
                        Stop::new("data breakpoint", text.trim_end())
                    }
                    (true, true) => Stop::new("step", "Stopped in host code"),
                    (true, false) => Stop::new("breakpoint", "Stopped in host code"),
                };
                self.stops_in_host(at, Stop { ids, ..stop });
            }
        }
        let points = self.all_points();
        if let Some(code) = &mut self.host_code {
            code.note_watches(points.iter(), at);
        }
        self.goes_on(|code| code.next(&points, at))
    }

    /// How the machine goes on.
    fn goes_on(&self, next: impl FnOnce(&HostCode) -> Move) -> Move {
        match &self.host_code {
            _ if self.leave.is_some() || self.inbox.leaves() => Move::End,
            Some(code) if !self.detached => next(code),
            _ => Move::Lines(BTreeSet::new()),
        }
    }

    /// Reads requests while host code runs.
    fn changed(&mut self) -> Option<Move> {
        let _ = self.inbox.poll();
        if self.leave.is_some() || self.host_code.as_ref().is_some_and(HostCode::is_leaving) {
            return Some(Move::End);
        }
        match self.inbox.end() {
            Some(Wish::Leave) => Some(Move::End),
            Some(Wish::Pause) => {
                self.host_code.as_mut()?.notes(false);
                Some(Move::Line)
            }
            Some(Wish::Apply) => {
                while let Some(request) = self.inbox.change() {
                    self.handle(&request, None);
                }
                // The lines at which it stops are others now: it says them at the next one.
                Some(Move::Line)
            }
            None => None,
        }
    }

    /// The breakpoints of the client that stop at the line that begins; log points are printed.
    fn hits(&mut self, code: &HostCode, at: &dyn Stopped) -> Vec<u32> {
        let mut here = Vec::new();
        for (_, one) in self.breakpoints.all() {
            let BreakpointKind::Point(point) = &one.kind else { continue };
            let breaks = code.breaks_at(point, at);
            if let Err(why) = &breaks {
                self.inbox.wire.output("console", &format!("The breakpoint stops for an error: {why}\n"));
            }
            if !matches!(breaks, Ok(false)) {
                here.push((one.shown.id, one.log.clone().filter(|text| !text.is_empty())));
            }
        }
        here.retain(|(id, _)| self.breakpoints.hit(*id, HitPosition::Host(at.steps())));
        for text in here.iter().filter_map(|(_, log)| log.as_ref()) {
            let text = filled(text, |expression| match at.evaluate(expression, None) {
                Some(found) => variable(expression, found).value,
                None => format!("<no variable `{expression}`>"),
            });
            self.inbox.wire.output("console", &format!("{text}\n"));
        }
        here.into_iter().filter(|(_, log)| log.is_none()).map(|(id, _)| id).collect()
    }

    /// Tells the client that the host code has stopped, and answers requests until it moves.
    fn stops_in_host(&mut self, at: &dyn Stopped, stop: Stop) {
        self.inbox.end();
        self.announce_thread(frames::HOST, stop);
        while !self.is_over() {
            let request = match self.inbox.wait() {
                Next::Request(request) => request,
                end @ (Next::End | Next::Broken(_)) => {
                    self.inbox.wait_for(end);
                    self.leave = Some(false);
                    return;
                }
            };
            let answer = self.host_answer(&request, at);
            match self.reply(&request, answer) {
                After::Stay | After::Start => {}
                After::Go(_) => {
                    self.inbox.threads = json!([frames::host()]);
                    self.inbox.begin(true);
                    return;
                }
                After::Detach => self.detached = true,
                After::Leave(session_too) => self.leave = Some(session_too),
            }
        }
    }

    /// The answer to a request while the host code is stopped.
    fn host_answer(&mut self, request: &Request, at: &dyn Stopped) -> Answer {
        let given = &request.arguments;
        let stay = |body: Value| Ok((body, After::Stay));
        let movement = match request.command {
            Command::Continue => HostMovement::Continue,
            Command::ReverseContinue => HostMovement::ContinueBack,
            Command::Next => HostMovement::Next(1),
            Command::StepIn => HostMovement::Step(1),
            Command::StepOut => HostMovement::Finish,
            Command::StepBack => HostMovement::StepBack(1),
            Command::Threads => return stay(json!({ "threads": [frames::host()] })),
            Command::StackTrace => return stay(self.host_stack(given, at)?),
            Command::Scopes => {
                let OfFrame { frame_id } = arguments(given)?;
                let locals = Scope {
                    name: "Locals".to_owned(),
                    presentation_hint: Some("locals"),
                    variables_reference: LOCALS,
                    expensive: false,
                };
                // Only the innermost function shows its variables.
                let scopes = if frame_id == 1 { vec![locals] } else { Vec::new() };
                return stay(json!({ "scopes": scopes }));
            }
            Command::Variables => {
                let wanted: Variables = arguments(given)?;
                let format = wanted.format.hex.then_some(Format::Hex);
                let all: Vec<Variable> = at
                    .names()
                    .into_iter()
                    .filter_map(|name| Some(variable(name, at.evaluate(name, format)?)))
                    .skip(wanted.start)
                    .collect();
                return stay(json!({ "variables": all }));
            }
            Command::Evaluate => return self.host_evaluate(&arguments(given)?, at),
            Command::ExceptionInfo => {
                return stay(json!({
                    "exceptionId": self.stop.description, "description": self.stop.text, "breakMode": "always",
                }));
            }
            Command::DataBreakpointInfo => {
                let DataInfo { name, .. } = arguments(given)?;
                let found = Expression::parse(&name).and_then(|expression| watch_of(at, expression));
                return stay(match found.map(Point::Host) {
                    Ok(point) => json!({
                        "dataId": data_id(&point), "description": point.to_string(), "accessTypes": ["write"],
                        "canPersist": false,
                    }),
                    Err(why) => json!({ "dataId": null, "description": why }),
                });
            }
            Command::ReadMemory => return Err("the memory of host code is read by expressions".into()),
            Command::Initialize
            | Command::Launch
            | Command::Attach
            | Command::ConfigurationDone
            | Command::SetBreakpoints
            | Command::SetFunctionBreakpoints
            | Command::SetExceptionBreakpoints
            | Command::SetDataBreakpoints
            | Command::BreakpointLocations
            | Command::Source
            | Command::Pause
            | Command::Cancel
            | Command::Terminate
            | Command::Disconnect => return self.answer(request, None),
        };
        if let Ok(OfThread { granularity: Granularity::Instruction, .. }) = arguments(given) {
            return Err("host code moves by lines".into());
        }
        if let Some(code) = &mut self.host_code {
            code.go(movement, at);
        }
        Ok((json!({ "allThreadsContinued": true }), After::Go(Movement::Continue)))
    }

    fn host_stack(&self, given: &Value, at: &dyn Stopped) -> Result<Value, Refusal> {
        let OfThread { start_frame, levels, .. } = arguments(given)?;
        let mut all = Vec::new();
        for (number, (function, (file, line))) in (1..).zip(at.frames()) {
            let path = Path::new(at.file(file).0);
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            let source = Source {
                name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
                path: Some(absolute.to_string_lossy().into_owned()),
                source_reference: None,
            };
            all.push(json!({
                "id": number, "name": function, "line": line, "column": 1, "source": source,
            }));
        }
        self.client_lines(&mut all);
        let total = all.len();
        let levels = if levels == 0 { usize::MAX } else { levels };
        let some: Vec<Value> = all.into_iter().skip(start_frame).take(levels).collect();
        Ok(json!({ "stackFrames": some, "totalFrames": total }))
    }

    /// An expression, or a command of the debug console.
    fn host_evaluate(&mut self, wanted: &Evaluate, at: &dyn Stopped) -> Answer {
        let format = wanted.format.hex.then_some(Format::Hex);
        let text = |text: &str| json!({ "result": text, "variablesReference": 0 });
        let name = wanted.expression.trim();
        if let Some(found) = at.evaluate(name, format) {
            let Variable { value, ty, .. } = variable(name, found);
            return Ok((json!({ "result": value, "type": ty, "variablesReference": 0 }), After::Stay));
        }
        if wanted.context != Context::Repl {
            return Err(format!("this line of host code sees no variable `{name}`").into());
        }
        let Some(mut code) = self.host_code.take() else { return Err("no host code runs".into()) };
        let done = code.execute(&mut self.front, at, name);
        self.host_code = Some(code);
        let (printed, then) = done?;
        let after = match then {
            None => After::Stay,
            Some(End::Launch) => After::Go(Movement::Continue),
            Some(End::Detach) => After::Detach,
            Some(End::Kill | End::Quit) => After::Leave(false),
        };
        Ok((text(printed.trim_end()), after))
    }
}

/// A variable with all its parts.
fn variable(name: &str, found: Result<Vec<Shown>, String>) -> Variable {
    let all = match found {
        Ok(all) => all,
        Err(why) => return fact(name, why),
    };
    let ty = all.first().map(|one| one.c_type.clone()).filter(|ty| !ty.is_empty());
    let value = match &all[..] {
        [one] if one.name == name => one.text(0),
        all => {
            let part = |one: &Shown| {
                format!("{} = {}", one.name.strip_prefix(name).unwrap_or(&one.name), one.text(0))
            };
            all.iter().map(part).collect::<Vec<_>>().join(", ")
        }
    };
    Variable { ty, evaluate_name: Some(name.to_owned()), ..fact(name, value) }
}

//! The state of a session with a client, and the answers to requests.

use super::breakpoints::{Breakpoints, data_id};
use super::evaluate::evaluate;
use super::filters::FILTERS;
use super::frames::{self, Frame};
use super::groups::{Group, Groups};
use super::inbox::{Inbox, Request};
use super::memory;
use super::movement::{Movement, moves};
use super::program::Program;
use super::protocol::{
    Client, Command, Context, DataInfo, Evaluate, Locations, OfFrame, OfThread, ReadMemory, SetBreakpoints,
    SetExceptions, Variable, Variables, arguments,
};
use super::stop::Stop;
use super::variables::Place;
use super::wire::Refusal;
use crate::cmd::debug::command::{self, Format};
use crate::cmd::debug::front::{End, Front};
use crate::cmd::debug::parse;
use crate::cmd::debug::stops::Point;
use serde_json::{Value, json};
use sim_core::debug::Session;

/// What follows from a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Nothing.
    Stay,
    /// The launch moves.
    Go(Movement),
    /// The program starts.
    Start,
    /// The launch runs on without stops.
    Detach,
    /// The program ends; with `true` the session as well.
    Leave(bool),
}

/// The answer to a request.
pub type Answer = Result<(Value, After), Refusal>;

/// A session with a client.
pub struct Adapter {
    /// Requests.
    pub inbox: Inbox,
    /// Commands of the debug console.
    pub front: Front,
    /// The launched program.
    pub program: Option<Program>,
    /// Breakpoints of the client.
    pub breakpoints: Breakpoints,
    /// Groups and frames that the client knows.
    pub groups: Groups,
    /// Why the launch has stopped.
    pub stop: Stop,
    /// Stop at the start of the first launch.
    pub stop_on_entry: bool,
    /// Launches run without stops.
    pub detached: bool,
    /// Launches that have begun.
    pub launches: u32,
    /// The program ends; with `true` the session as well.
    pub leave: Option<bool>,
    client: Client,
}

impl Adapter {
    /// A session without a program.
    pub fn new(inbox: Inbox) -> Self {
        Self {
            inbox,
            front: Front::default(),
            program: None,
            breakpoints: Breakpoints::default(),
            groups: Groups::default(),
            stop: Stop::default(),
            stop_on_entry: false,
            detached: false,
            launches: 0,
            leave: None,
            client: Client::default(),
        }
    }

    /// Answers a request; `session` is the stopped launch.
    pub fn handle(&mut self, request: &Request, session: Option<&mut Session<'_>>) -> After {
        match self.answer(request, session) {
            Ok((body, after)) => {
                self.inbox.wire.answer(&request.header, body);
                after
            }
            Err(refusal) => {
                self.inbox.wire.refuse(&request.header, &refusal);
                After::Stay
            }
        }
    }

    fn answer(&mut self, request: &Request, session: Option<&mut Session<'_>>) -> Answer {
        let given = &request.arguments;
        let stay = |body: Value| Ok((body, After::Stay));
        match request.command {
            Command::Initialize => self.initialize(given),
            Command::Launch => Err("a program is already launched".into()),
            Command::Attach => Err("there is nothing to attach to: use a launch configuration".into()),
            Command::ConfigurationDone if session.is_none() && self.program.is_some() => {
                Ok((json!({}), After::Start))
            }
            Command::ConfigurationDone => Err("no program waits for its configuration".into()),
            Command::SetBreakpoints
            | Command::SetFunctionBreakpoints
            | Command::SetExceptionBreakpoints
            | Command::SetDataBreakpoints => {
                stay(json!({ "breakpoints": self.set(request.command, given, session.as_deref())? }))
            }
            Command::BreakpointLocations => stay(self.locations(given)?),
            Command::Source => {
                let text = self.program.as_ref().and_then(|program| program.text);
                let text = text.ok_or("the source of this program is a file")?;
                stay(json!({ "content": text }))
            }
            Command::Threads => {
                let threads = session.map_or(json!([]), |session| frames::threads(session));
                stay(json!({ "threads": threads }))
            }
            Command::Pause | Command::Cancel => stay(json!({})),
            Command::Terminate => Ok((json!({}), After::Leave(false))),
            Command::Disconnect => Ok((json!({}), After::Leave(true))),
            Command::DataBreakpointInfo
            | Command::ExceptionInfo
            | Command::StackTrace
            | Command::Scopes
            | Command::Variables
            | Command::Evaluate
            | Command::ReadMemory
            | Command::Continue
            | Command::ReverseContinue
            | Command::Next
            | Command::StepIn
            | Command::StepOut
            | Command::StepBack => match session {
                Some(session) => self.stopped(request, session),
                None => {
                    let text = "no launch is stopped".to_owned();
                    Err(Refusal { short: Some("notStopped"), text, show: false })
                }
            },
        }
    }

    /// Answers a request that needs a stopped launch.
    fn stopped(&mut self, request: &Request, session: &mut Session<'_>) -> Answer {
        let given = &request.arguments;
        let stay = |body: Value| Ok((body, After::Stay));
        let all = || json!({ "allThreadsContinued": true });
        let warp = || -> Result<(u32, u32), Refusal> {
            let OfThread { thread_id, .. } = arguments(given)?;
            let warp = frames::warp_of(session, thread_id)?;
            Ok((warp.sm, warp.slot))
        };
        match request.command {
            Command::Continue => Ok((all(), After::Go(Movement::Continue))),
            Command::ReverseContinue => Ok((all(), After::Go(Movement::Back))),
            Command::Next => Ok((all(), After::Go(Movement::Next(warp()?)))),
            Command::StepIn => Ok((all(), After::Go(Movement::Step(warp()?)))),
            Command::StepOut => Ok((all(), After::Go(Movement::Out(warp()?)))),
            Command::StepBack => Ok((all(), After::Go(Movement::StepBack(warp()?)))),
            Command::StackTrace => stay(self.stack_trace(given, session)?),
            Command::Scopes => {
                let OfFrame { frame_id } = arguments(given)?;
                let frame = self.groups.frame(frame_id)?;
                stay(json!({ "scopes": self.groups.scopes(frame) }))
            }
            Command::Variables => {
                let wanted: Variables = arguments(given)?;
                let format = wanted.format.hex.then_some(Format::Hex);
                let found = self.place(session, format).variables(&wanted)?;
                stay(json!({ "variables": found }))
            }
            Command::Evaluate => self.evaluate(&arguments(given)?, session),
            Command::ReadMemory => {
                let wanted: ReadMemory = arguments(given)?;
                stay(memory::read(session, &wanted)?)
            }
            Command::DataBreakpointInfo => stay(self.data_info(&arguments(given)?, session)?),
            Command::ExceptionInfo => stay(json!({
                "exceptionId": self.stop.description,
                "description": if self.stop.text.is_empty() { &self.stop.description } else { &self.stop.text },
                "breakMode": "always",
            })),
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
            | Command::Threads
            | Command::Pause
            | Command::Cancel
            | Command::Terminate
            | Command::Disconnect => Err("unexpected request".into()),
        }
    }

    fn initialize(&mut self, given: &Value) -> Answer {
        self.client = arguments(given)?;
        self.inbox.shows_progress = self.client.supports_progress_reporting;
        let body = json!({
            "supportsConfigurationDoneRequest": true,
            "supportsFunctionBreakpoints": true,
            "supportsConditionalBreakpoints": true,
            "supportsHitConditionalBreakpoints": true,
            "supportsLogPoints": true,
            "supportsEvaluateForHovers": true,
            "supportsStepBack": true,
            "supportsExceptionInfoRequest": true,
            "supportsExceptionFilterOptions": true,
            "supportsDataBreakpoints": true,
            "supportsReadMemoryRequest": true,
            "supportsBreakpointLocationsRequest": true,
            "supportsTerminateRequest": true,
            "supportsCancelRequest": true,
            "supportsValueFormattingOptions": true,
            "supportsDelayedStackTraceLoading": true,
            "exceptionBreakpointFilters": FILTERS,
        });
        Ok((body, After::Stay))
    }

    /// Numbers of lines from 1, from those of the client.
    fn line(&self, line: u32) -> u32 {
        if self.client.lines_start_at_1 { line } else { line.saturating_add(1) }
    }

    /// Changes lines from 1 in a body to the client's.
    fn client_lines(&self, all: &mut [Value]) {
        if self.client.lines_start_at_1 {
            return;
        }
        for one in all {
            if let Some(line) = one["line"].as_u64() {
                one["line"] = line.saturating_sub(1).into();
            }
        }
    }

    /// Replaces breakpoints.
    fn set(
        &mut self,
        which: Command,
        given: &Value,
        session: Option<&Session<'_>>,
    ) -> Result<Vec<Value>, Refusal> {
        let no_program = "breakpoints are set after the event `initialized`";
        let program = self.program.as_ref().ok_or(no_program)?;
        let shown = if which == Command::SetExceptionBreakpoints {
            let wanted: SetExceptions = arguments(given)?;
            self.breakpoints.set_exceptions(program, wanted)
        } else {
            let SetBreakpoints { source, mut breakpoints } = arguments(given)?;
            for one in &mut breakpoints {
                one.line = self.line(one.line);
            }
            match which {
                Command::SetFunctionBreakpoints => self.breakpoints.set_functions(program, breakpoints),
                Command::SetDataBreakpoints => self.breakpoints.set_data(session, breakpoints),
                _ if program.is(&source) => self.breakpoints.set_lines(program, &program.source, breakpoints),
                _ => self.breakpoints.refuse_lines(&breakpoints),
            }
        };
        let mut all: Vec<Value> = shown.iter().map(|one| json!(one)).collect();
        self.client_lines(&mut all);
        Ok(all)
    }

    fn locations(&self, given: &Value) -> Result<Value, Refusal> {
        let Locations { source, line, end_line } = arguments(given)?;
        let program = self.program.as_ref().filter(|program| program.is(&source));
        let (first, last) = (self.line(line), self.line(end_line.unwrap_or(line)));
        let lines = program.into_iter().flat_map(|program| program.lines(first, last));
        let mut all: Vec<Value> = lines.map(|line| json!({ "line": line })).collect();
        self.client_lines(&mut all);
        Ok(json!({ "breakpoints": all }))
    }

    fn stack_trace(&mut self, given: &Value, session: &Session<'_>) -> Result<Value, Refusal> {
        let OfThread { thread_id, start_frame, levels } = arguments(given)?;
        let warp = frames::warp_of(session, thread_id)?;
        let source = self.program.as_ref().map(|program| program.source.clone()).unwrap_or_default();
        let mut all = frames::stack(session, self.front.words(), &source, &warp, &mut self.groups.frames);
        self.client_lines(&mut all);
        let total = all.len();
        let levels = if levels == 0 { usize::MAX } else { levels };
        let some: Vec<Value> = all.into_iter().skip(start_frame).take(levels).collect();
        Ok(json!({ "stackFrames": some, "totalFrames": total }))
    }

    /// What variables need.
    pub fn place<'a, 's>(&'a mut self, session: &'a Session<'s>, format: Option<Format>) -> Place<'a, 's> {
        Place { session, words: self.front.words(), groups: &mut self.groups, format }
    }

    /// The frame of an expression: the given one, or the running lanes of the warp in focus.
    fn frame(&self, given: Option<usize>, session: &Session<'_>) -> Result<Option<Frame>, String> {
        if let Some(number) = given {
            return self.groups.frame(number).map(Some);
        }
        let focus = self.front.focus();
        let warp = session.warp(focus.sm, focus.slot);
        Ok(warp.map(|warp| Frame { sm: warp.sm, slot: warp.slot, lanes: warp.active }))
    }

    fn evaluate(&mut self, wanted: &Evaluate, session: &mut Session<'_>) -> Answer {
        let frame = self.frame(wanted.frame_id, session)?;
        let format = wanted.format.hex.then_some(Format::Hex);
        if wanted.context != Context::Repl {
            let found = evaluate(&mut self.place(session, format), frame, &wanted.expression)?;
            return Ok((result(found), After::Stay));
        }
        let command = match parse::parse(&wanted.expression) {
            Ok(Some(command)) => command,
            Ok(None) => return Ok((json!({ "result": "", "variablesReference": 0 }), After::Stay)),
            // Not a command: perhaps an expression.
            Err(why) => {
                let found = evaluate(&mut self.place(session, format), frame, &wanted.expression);
                return found.map(|found| (result(found), After::Stay)).map_err(|_| why.into());
            }
        };
        // The command is about the warp whose frame is selected in the editor.
        if let Some(frame) = frame {
            self.front.look_at(frame.sm, frame.slot);
        }
        self.execute(command, session)
    }

    /// Executes a command of the debug console.
    fn execute(&mut self, command: command::Command, session: &mut Session<'_>) -> Answer {
        let text = |text: String| json!({ "result": text, "variablesReference": 0 });
        match command {
            command::Command::Continue => return Ok((text(String::new()), After::Go(Movement::Continue))),
            command::Command::ContinueBack(None) => {
                return Ok((text(String::new()), After::Go(Movement::Back)));
            }
            _ => {}
        }
        let moved = moves(&command);
        self.inbox.begin(false);
        let Self { front, inbox, .. } = self;
        let answer = front.execute(session, command, &mut || inbox.poll());
        self.inbox.end();
        let (printed, end) = answer?;
        if moved {
            self.groups.clear();
            self.announce(session, Stop::new("goto", "Moved by a command"));
        }
        let after = match end {
            None => After::Stay,
            Some(End::Launch) => After::Go(Movement::Continue),
            Some(End::Detach) => After::Detach,
            Some(End::Kill | End::Quit) => After::Leave(false),
        };
        Ok((text(printed.trim_end().to_owned()), after))
    }

    /// Answers `dataBreakpointInfo`: registers, and words of memory.
    fn data_info(&mut self, wanted: &DataInfo, session: &Session<'_>) -> Result<Value, Refusal> {
        let point = self.data_point(wanted, session)?;
        Ok(match point {
            Some(point) => json!({
                "dataId": data_id(&point), "description": point.to_string(), "accessTypes": ["write"],
                "canPersist": false,
            }),
            None => json!({
                "dataId": null, "description": format!("`{}` has no data breakpoint", wanted.name),
            }),
        })
    }

    fn data_point(&mut self, wanted: &DataInfo, session: &Session<'_>) -> Result<Option<Point>, Refusal> {
        let register = |frame: Frame, name: &str| {
            let known = session.register(frame.sm, frame.slot, name).is_some();
            known.then(|| Point::Register { sm: frame.sm, slot: frame.slot, name: name.to_owned() })
        };
        let word = |space: memory::Space, address: u32| match space {
            memory::Space::Global => Point::Global(address & !3),
            memory::Space::Shared(block) => Point::Shared { block, address: address & !3 },
        };
        if wanted.variables_reference == 0 {
            let Some(frame) = self.frame(wanted.frame_id, session)? else { return Ok(None) };
            let name = wanted.name.trim();
            let name = name.split('[').next().unwrap_or(name);
            let named = register(frame, name).or_else(|| register(frame, &format!("%{name}")));
            if named.is_some() {
                return Ok(named);
            }
            let found = evaluate(&mut self.place(session, None), Some(frame), &wanted.name)?;
            let place = found.memory_reference.as_deref().map(memory::place).transpose()?;
            return Ok(place.map(|(space, address)| word(space, address)));
        }
        Ok(match self.groups.get(wanted.variables_reference)? {
            Group::Registers(frame) | Group::Predicates(frame) => register(*frame, &wanted.name),
            Group::Lanes(lanes) => register(lanes.frame, &lanes.name),
            Group::Elements(elements) => {
                let index = wanted.name.trim_matches(['[', ']']).parse::<u32>().ok();
                let size = elements.reading.ty.bytes().max(1);
                let address = index.filter(|index| *index < elements.count);
                address.map(|index| word(elements.space, elements.start + index * size))
            }
            Group::Special(_)
            | Group::Parameters
            | Group::Warp(_)
            | Group::Stack(_)
            | Group::Scoreboard(_)
            | Group::Access(_)
            | Group::Barriers(_)
            | Group::Shared(_)
            | Group::Global
            | Group::Facts(_) => None,
        })
    }
}

/// A variable as the result of an expression.
fn result(variable: Variable) -> Value {
    let mut body = json!(variable);
    body["result"] = body["value"].take();
    if let Some(body) = body.as_object_mut() {
        body.remove("value");
        body.remove("name");
        body.remove("evaluateName");
    }
    body
}

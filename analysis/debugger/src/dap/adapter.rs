//! The state of a session with a client, and the answers to requests.

use super::breakpoints::Breakpoints;
use super::filters::FILTERS;
use super::frames;
use super::groups::Groups;
use super::inbox::{Inbox, Request};
use super::program::DapProgram;
use super::protocol::{Client, Command, Locations, SetBreakpoints, SetExceptions, arguments};
use super::stop::Stop;
use super::variables::VariableContext;
use super::wire::Refusal;
use crate::front::Front;
use crate::host_code::HostCode;
use report::inspect::values::Format;
use report::step::{By, Step};
use serde_json::{Value, json};
use sim_core::debug::Session;

/// A movement. Those of a warp have its SM and its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// To the next breakpoint, or to the end.
    Continue,
    /// Back to the latest breakpoint, or to the start.
    Back,
    /// A step of a warp.
    Step((u32, u32), Step),
    /// Until the running entry of a warp's SIMT stack has ended.
    Out((u32, u32)),
    /// A step back of a warp.
    StepBack((u32, u32), By),
}

/// Next step of the adapter after a request.
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
    pub program: Option<DapProgram>,
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
    /// The program ends; with `true` the session as well.
    pub leave: Option<bool>,
    /// The host code, if it is debugged, too.
    pub host_code: Option<HostCode>,
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
            leave: None,
            host_code: None,
            client: Client::default(),
        }
    }

    /// Answers a request; `session` is the stopped launch.
    pub fn handle(&mut self, request: &Request, session: Option<&mut Session<'_>>) -> After {
        let answer = self.answer(request, session);
        self.reply(request, answer)
    }

    /// Sends an answer.
    pub fn reply(&mut self, request: &Request, answer: Answer) -> After {
        match answer {
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

    /// The answer to a request.
    pub fn answer(&mut self, request: &Request, session: Option<&mut Session<'_>>) -> Answer {
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
                let text = self.program.as_ref().and_then(|program| program.text.clone());
                let text = text.ok_or("the source of this program is a file")?;
                stay(json!({ "content": text }))
            }
            Command::Threads => {
                let mut threads = session.map_or(json!([]), |session| frames::threads(session));
                if let (Some(_), Some(all)) = (&self.host_code, threads.as_array_mut()) {
                    all.insert(0, frames::host());
                }
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
            | Command::StepBack => {
                if let Some(session) = session {
                    self.stopped(request, session)
                } else {
                    let text = "no launch is stopped".to_owned();
                    Err(Refusal { short: Some("notStopped"), text, show: false })
                }
            }
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
            "supportsSteppingGranularity": true,
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
    pub fn client_lines(&self, all: &mut [Value]) {
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
                _ => match program.find(&source) {
                    Some(part) => self.breakpoints.set_lines(program, part, breakpoints),
                    None => self.breakpoints.refuse_lines(&breakpoints),
                },
            }
        };
        let mut all: Vec<Value> = shown.iter().map(|one| json!(one)).collect();
        self.client_lines(&mut all);
        Ok(all)
    }

    fn locations(&self, given: &Value) -> Result<Value, Refusal> {
        let Locations { source, line, end_line } = arguments(given)?;
        let (first, last) = (self.line(line), self.line(end_line.unwrap_or(line)));
        let program = self.program.as_ref().and_then(|program| Some((program, program.find(&source)?)));
        let lines = program.into_iter().flat_map(|(program, part)| program.lines(part, first, last));
        let mut all: Vec<Value> = lines.map(|line| json!({ "line": line })).collect();
        self.client_lines(&mut all);
        Ok(json!({ "breakpoints": all }))
    }

    /// Returns the state from which variables are read.
    pub fn place<'a, 's>(
        &'a mut self,
        session: &'a Session<'s>,
        format: Option<Format>,
    ) -> VariableContext<'a, 's> {
        VariableContext { session, words: self.front.words(), groups: &mut self.groups, format }
    }
}

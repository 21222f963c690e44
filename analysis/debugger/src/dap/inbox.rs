//! Requests of the client, also those that arrive while the launch runs.

use super::protocol::{Cancel, Command, arguments};
use super::wire::{Header, Input, Refusal, Wire};
use crate::host::AnyHost;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A request of the client with its number.
#[derive(Clone, Debug)]
pub struct Request {
    /// Number and name, for the answer.
    pub header: Header,
    /// Which request.
    pub command: Command,
    /// Arguments; null if there are none.
    pub arguments: Value,
}

/// The next thing to do.
#[derive(Clone, Debug)]
pub enum Next {
    /// A request that waits for its answer.
    Request(Request),
    /// The client has closed the connection, or a signal ends the program.
    End,
    /// No further message can be read.
    Broken(String),
}

/// Requests of the client to a running launch, the strongest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wish {
    /// Apply changed breakpoints and run on.
    Apply,
    /// Stop.
    Pause,
    /// End the launch.
    Leave,
}

/// Time after which a movement shows its progress.
const LONG: Duration = Duration::from_secs(1);

/// The progress of a movement.
#[derive(Debug)]
struct Progress {
    /// Number of the movement.
    number: u64,
    start: Instant,
    /// Seconds shown; `None`: the client shows no progress.
    shown: Option<u64>,
}

/// Requests in the order of their arrival.
pub struct Inbox {
    /// Signals end the session.
    pub host: AnyHost,
    /// The connection.
    pub wire: Wire,
    /// Threads for a client that asks while the launch runs.
    pub threads: Value,
    /// Whether the client shows progress.
    pub shows_progress: bool,
    waiting: VecDeque<Next>,
    wish: Option<Wish>,
    /// Whether a movement can be interrupted and continued.
    resumes: bool,
    progress: Progress,
}

impl Inbox {
    /// Creates an inbox without requests.
    pub fn new(host: AnyHost, wire: Wire) -> Self {
        let progress = Progress { number: 0, start: Instant::now(), shown: None };
        Self {
            host,
            wire,
            threads: json!([]),
            shows_progress: false,
            waiting: VecDeque::new(),
            wish: None,
            resumes: false,
            progress,
        }
    }

    /// Reads a message. Answers a message that is no request of the protocol.
    fn read(&mut self, input: Input) -> Option<Next> {
        let message = match input {
            Input::End => return Some(Next::End),
            Input::Broken(why) => return Some(Next::Broken(why)),
            Input::Invalid(why) => {
                self.wire.output("stderr", &format!("error: {why}\n"));
                return None;
            }
            Input::Message(message) => message,
        };
        // Answers to requests of the adapter, which sends none.
        if message["type"] == "response" {
            return None;
        }
        let command = message["command"].as_str().unwrap_or("").to_owned();
        let header = Header { seq: message["seq"].as_i64().unwrap_or(0), command };
        if !message["command"].is_string() {
            self.wire.refuse(&header, &"a message without a command".into());
            return None;
        }
        if let Ok(command) = Command::deserialize(&message["command"]) {
            Some(Next::Request(Request { header, command, arguments: message["arguments"].clone() }))
        } else {
            let text = format!("unknown request `{}`", header.command);
            self.wire.refuse(&header, &text.into());
            None
        }
    }

    /// Waits for the next request.
    pub fn wait(&mut self) -> Next {
        loop {
            if let Some(next) = self.waiting.pop_front() {
                return next;
            }
            let host = self.host;
            let input = self.wire.wait(|| host.is_asked_to_end());
            if let Some(next) = self.read(input) {
                return next;
            }
        }
    }

    /// Whether the client ends the launch.
    pub fn leaves(&self) -> bool {
        self.wish == Some(Wish::Leave)
    }

    /// Puts back what was read, to be read again.
    pub fn wait_for(&mut self, next: Next) {
        self.waiting.push_front(next);
    }

    /// Returns a waiting request that changes breakpoints.
    pub fn change(&mut self) -> Option<Request> {
        match self.waiting.front() {
            Some(Next::Request(request)) if changes_breakpoints(request.command) => {}
            _ => return None,
        }
        match self.waiting.pop_front() {
            Some(Next::Request(request)) => Some(request),
            _ => None,
        }
    }

    /// A movement begins. If it `resumes`, new breakpoints interrupt it.
    pub fn begin(&mut self, resumes: bool) {
        self.resumes = resumes;
        self.wish = None;
        self.progress = Progress { number: self.progress.number + 1, start: Instant::now(), shown: None };
    }

    /// A movement has ended. Returns what the client asked of it.
    pub fn end(&mut self) -> Option<Wish> {
        if self.progress.shown.take().is_some() {
            self.wire.event("progressEnd", json!({ "progressId": self.progress_id() }));
        }
        self.wish.take()
    }

    fn progress_id(&self) -> String {
        format!("run {}", self.progress.number)
    }

    /// Called regularly while the launch runs: handles requests that cannot wait.
    pub fn poll(&mut self) -> ControlFlow<()> {
        if self.host.is_asked_to_end() {
            self.wish = Some(Wish::Leave);
        }
        // A client that floods the adapter does not stop the launch.
        for _ in 0..64 {
            let Some(input) = self.wire.poll() else { break };
            let Some(next) = self.read(input) else { continue };
            let wish = self.running(next);
            self.wish = self.wish.max(wish);
            if self.wish == Some(Wish::Leave) {
                break;
            }
        }
        self.show_progress();
        if self.wish.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Handles a request while the launch runs. Returns what it asks of the launch.
    fn running(&mut self, next: Next) -> Option<Wish> {
        let Next::Request(request) = &next else {
            self.waiting.push_back(next);
            return Some(Wish::Leave);
        };
        let header = &request.header;
        match request.command {
            Command::Pause => {
                self.wire.answer(header, json!({}));
                Some(Wish::Pause)
            }
            Command::Cancel => {
                let cancel: Cancel = arguments(&request.arguments).unwrap_or_default();
                self.wire.answer(header, json!({}));
                (cancel.progress_id == Some(self.progress_id())).then_some(Wish::Pause)
            }
            Command::Threads => {
                self.wire.answer(header, json!({ "threads": self.threads }));
                None
            }
            Command::Terminate | Command::Disconnect => {
                self.waiting.push_back(next);
                Some(Wish::Leave)
            }
            Command::SetBreakpoints
            | Command::SetFunctionBreakpoints
            | Command::SetExceptionBreakpoints
            | Command::SetDataBreakpoints => {
                self.waiting.push_back(next);
                self.resumes.then_some(Wish::Apply)
            }
            Command::Source | Command::BreakpointLocations | Command::DataBreakpointInfo => {
                self.waiting.push_back(next);
                None
            }
            Command::Initialize
            | Command::Launch
            | Command::Attach
            | Command::ConfigurationDone
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
                let text = "the launch runs; pause it first".to_owned();
                let refusal = Refusal { short: Some("notStopped"), text, show: false };
                self.wire.refuse(header, &refusal);
                None
            }
        }
    }

    fn show_progress(&mut self) {
        let passed = self.progress.start.elapsed();
        if !self.shows_progress || passed < LONG || self.progress.shown == Some(passed.as_secs()) {
            return;
        }
        let message = format!("{} s", passed.as_secs());
        let id = self.progress_id();
        match self.progress.shown.replace(passed.as_secs()) {
            None => self.wire.event(
                "progressStart",
                json!({ "progressId": id, "title": "Simulating", "message": message, "cancellable": true }),
            ),
            Some(_) => self.wire.event("progressUpdate", json!({ "progressId": id, "message": message })),
        }
    }
}

/// Whether a request replaces breakpoints.
fn changes_breakpoints(command: Command) -> bool {
    matches!(
        command,
        Command::SetBreakpoints
            | Command::SetFunctionBreakpoints
            | Command::SetExceptionBreakpoints
            | Command::SetDataBreakpoints
    )
}

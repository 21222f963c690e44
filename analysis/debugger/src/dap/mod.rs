//! The Debug Adapter Protocol on standard input and output, so that editors step through the warps
//! of a launch, forward and back.
//!
//! Each warp is a thread, each entry of its SIMT stack a frame. `wire` has the framing, `protocol`
//! the types, `inbox` the requests of a running launch, `launch` a program that is launched, and
//! `program` its source; `host` is its host code, one more thread. `adapter` and `stopped` answer
//! requests; `movement` moves the launch with the searches of `front`; `stop` and `writer` say why
//! it stopped. `breakpoints`, `filters` and `hits` are the breakpoints. `frames`, `groups`,
//! `variables` and `memory` show the state; `evaluate` reads expressions.

mod adapter;
mod breakpoints;
mod evaluate;
mod filters;
mod frames;
mod groups;
mod hits;
mod host;
mod inbox;
mod launch;
mod memory;
mod movement;
mod program;
mod protocol;
mod stop;
mod stopped;
mod variables;
mod wire;
mod writer;

pub use launch::{Launch, Launched, Run, Sources};

use crate::again::Again;
use crate::front::show;
use crate::host::AnyHost;
use crate::host_code::{HostCode, InLaunch};
use crate::program::Ended;
use adapter::Movement;
use adapter::{Adapter, After};
use breakpoints::BreakpointKind;
use filters::{FILTERS, Filter};
use hits::HitPosition;
use inbox::{Inbox, Next, Request};
use program::DapProgram;
use protocol::{Command, SetExceptions};
use report::exit::{Code, Failure};
use report::outcome::RunResult;
use report::program::streams::Streams;
use report::render::verdict;
use serde_json::json;
use sim_core::config::Chip;
use sim_core::debug::{Debugger, Session};
use sim_core::host::{Gpu, StopReason};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stop::Stop;
use wire::{Refusal, Wire};

/// How a session ends.
enum End {
    /// The client has disconnected, or closed its end.
    Client,
    /// A message has no known end.
    Broken(String),
}

/// The adapter as the GPU and this module hold it.
#[derive(Clone)]
struct Shared(Arc<Mutex<Adapter>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Adapter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The output of host code, for the client.
struct Output(Shared);

impl Streams for Output {
    fn print(&mut self, bytes: &[u8]) {
        self.0.lock().inbox.wire.output("stdout", &String::from_utf8_lossy(bytes));
    }

    fn complain(&mut self, bytes: &[u8]) {
        self.0.lock().inbox.wire.output("stderr", &String::from_utf8_lossy(bytes));
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        // Standard input has the messages of the client.
        Some(Vec::new())
    }
}

impl Debugger for Shared {
    fn debug(&mut self, session: &mut Session<'_>) {
        let mut adapter = self.lock();
        adapter.debug(session);
        let mut never = adapter.front.never_evaluated();
        never += &adapter.breakpoints.never_evaluated();
        if session.has_ended() && !never.is_empty() {
            adapter.inbox.wire.output("stderr", &never);
        }
        if adapter.leave.is_some() {
            session.kill();
        }
    }
}

impl Adapter {
    /// Serves the client during a launch. When it returns, the launch runs to its end.
    fn debug(&mut self, session: &mut Session<'_>) {
        if self.detached || self.leave.is_some() {
            return;
        }
        let has_stops = self.breakpoints.all().next().is_some() || self.front.points().next().is_some();
        let in_launch =
            self.host_code.as_ref().map(|code| code.in_launch(has_stops, self.front.breaks_on_launch));
        if in_launch == Some(InLaunch::Runs) {
            return;
        }
        for gone in self.breakpoints.begin() {
            self.inbox.wire.event("breakpoint", json!({ "reason": "changed", "breakpoint": gone }));
        }
        self.inbox.wire.output("console", &show::begin(session));
        self.front.reset(session);
        let name = &session.program().name;
        let is_here = |kind: &BreakpointKind| matches!(kind, BreakpointKind::Kernel(wanted) if breakpoints::is_kernel(name, wanted));
        let at_kernel: Vec<u32> = self
            .breakpoints
            .all()
            .filter(|(_, one)| is_here(&one.kind))
            .map(|(_, one)| one.shown.id)
            .collect();
        let at_kernel: Vec<u32> = at_kernel
            .into_iter()
            .filter(|id| self.breakpoints.hit(*id, HitPosition::Launch(session.launch())))
            .collect();
        let at_launch = self.breakpoints.stops_at(Filter::Launch);
        let on_entry = match in_launch {
            Some(in_launch) => in_launch == InLaunch::Stops,
            None => self.stop_on_entry && session.launch() == 1,
        };
        let mut stays = true;
        if on_entry || at_launch || !at_kernel.is_empty() {
            self.inbox.begin(false);
            let Self { front, inbox, .. } = self;
            front.begin(session, &mut |_| inbox.poll());
            self.inbox.end();
            let reason = if at_kernel.is_empty() { "entry" } else { "function breakpoint" };
            let description = format!("Start of launch {}", session.launch());
            self.announce(session, Stop { ids: at_kernel, ..Stop::new(reason, description) });
        } else {
            stays = self.go(session, Movement::Continue);
        }
        while stays {
            match self.next_after(Some(session)) {
                Ok(After::Go(movement)) => {
                    if let Some(code) = &mut self.host_code {
                        code.notes(movement == Movement::Continue);
                    }
                    stays = self.go(session, movement);
                }
                Ok(After::Stay | After::Start) => {}
                Ok(After::Detach) => {
                    self.detached = true;
                    return;
                }
                Ok(After::Leave(session_too)) => {
                    self.leave = Some(session_too);
                    return;
                }
                Err(next) => {
                    // The end of the session is read again after the report.
                    self.inbox.wait_for(next);
                    self.leave = Some(false);
                    return;
                }
            }
        }
    }

    /// Answers the next request. `Err`: there is no further request.
    fn next_after(&mut self, session: Option<&mut Session<'_>>) -> Result<After, Next> {
        match self.inbox.wait() {
            Next::Request(request) => Ok(self.handle(&request, session)),
            end @ (Next::End | Next::Broken(_)) => Err(end),
        }
    }

    /// Waits for a `launch` request.
    fn until_launch(&mut self) -> Result<Request, End> {
        loop {
            let request = match self.inbox.wait() {
                Next::Request(request) => request,
                end @ (Next::End | Next::Broken(_)) => return Err(of(end)),
            };
            if request.command == Command::Launch {
                return Ok(request);
            }
            if let After::Leave(true) = self.handle(&request, None) {
                return Err(End::Client);
            }
        }
    }

    /// A program cannot be launched.
    fn refuse_launch(&mut self, request: &Request, why: &str) {
        self.inbox.wire.output("stderr", &format!("{why}\n"));
        let first = why.trim_start_matches("error: ").to_owned();
        self.inbox.wire.refuse(&request.header, &Refusal { short: None, text: first, show: true });
    }

    /// A program is compiled: asks the client for its breakpoints, and waits until they are set.
    /// Returns false if the client ends the session instead.
    fn configure(&mut self, request: &Request, launched: &Launched<'_>) -> Result<bool, End> {
        let mut program = DapProgram::new(launched.module.clone(), launched.sources);
        if let Run::Program { file, lines, .. } = &launched.run {
            let shift = program.add_host_lines(file, lines.iter().copied());
            self.host_code = Some(HostCode::new(shift, launched.stop_on_entry));
        }
        let on = FILTERS.iter().filter(|row| row.default).map(|row| row.filter.to_owned()).collect();
        let defaults = SetExceptions { filters: on, filter_options: Vec::new() };
        self.breakpoints.set_exceptions(&program, defaults);
        self.program = Some(program);
        self.stop_on_entry = launched.stop_on_entry;
        self.detached = launched.no_debug;
        self.inbox.wire.answer(&request.header, json!({}));
        self.inbox.wire.event("initialized", json!({}));
        loop {
            match self.next_after(None) {
                Ok(After::Start) => return Ok(true),
                Ok(After::Leave(false)) => return Ok(false),
                Ok(After::Leave(true)) => return Err(End::Client),
                Ok(After::Stay | After::Go(_) | After::Detach) => {}
                Err(next) => return Err(of(next)),
            }
        }
    }

    /// Reports the results of the program; `None`: it has not started.
    fn report(&mut self, result: Option<Result<RunResult, Failure>>) {
        let Inbox { wire, host, .. } = &mut self.inbox;
        let mut code = Code::Fine;
        match result {
            None => {}
            Some(Ok(result)) => {
                for report in &result.reports {
                    code = code.max(host.code_of(&report.verdict));
                    if let Some(message) = verdict::message(report) {
                        wire.output("stderr", &format!("{message}\n"));
                    }
                }
                wire.output("stdout", &show::lines(result.check.texts()));
                if result.check.passed == Some(false) {
                    code = code.max(Code::WrongResult);
                }
                for failure in result.failures {
                    wire.output("stderr", &format!("{}\n", failure.message));
                    code = code.max(failure.code);
                }
            }
            Some(Err(failure)) => {
                wire.output("stderr", &format!("{}\n", failure.message));
                code = failure.code;
            }
        }
        wire.event("exited", json!({ "exitCode": code as u8 }));
        wire.event("terminated", json!({}));
    }

    /// Reports the end of a program with host code.
    fn end_of_program(&mut self, ended: Result<Ended, Failure>) {
        self.host_code = None;
        let (message, code) = match ended {
            Ok(ended) => (ended.message, ended.code),
            Err(failure) => (Some(failure.message), i32::from(failure.code as u8)),
        };
        let wire = &mut self.inbox.wire;
        if let Some(message) = message {
            wire.output("stderr", &format!("{message}\n"));
        }
        wire.event("exited", json!({ "exitCode": code }));
        wire.event("terminated", json!({}));
    }

    /// After the end of the program: waits until the client ends the session.
    fn until_the_end(&mut self) -> End {
        loop {
            if self.leave == Some(true) {
                return End::Client;
            }
            match self.next_after(None) {
                Ok(After::Leave(true)) => return End::Client,
                Ok(_) => {}
                Err(next) => return of(next),
            }
        }
    }
}

/// The end of a session after the last request.
fn of(next: Next) -> End {
    match next {
        Next::Broken(why) => End::Broken(why),
        Next::End | Next::Request(_) => End::Client,
    }
}

/// Serves a client on standard input and output until it disconnects; `launch` prepares programs.
///
/// # Errors
/// A message has no known end.
pub fn serve(host: AnyHost, launch: &mut Launch<'_>) -> Result<(), Failure> {
    let wire = Wire::start().map_err(|why| Failure::input(format!("error: cannot start a thread: {why}")))?;
    let shared = Shared(Arc::new(Mutex::new(Adapter::new(Inbox::new(host, wire)))));
    match shared.serve(launch) {
        End::Broken(why) if !host.is_asked_to_end() => {
            shared.lock().inbox.wire.output("stderr", &format!("error: {why}\n"));
            Err(Failure::input(format!("error: {why}")))
        }
        End::Client | End::Broken(_) => Ok(()),
    }
}

impl Shared {
    fn serve(&self, launch: &mut Launch<'_>) -> End {
        loop {
            let request = match self.lock().until_launch() {
                Ok(request) => request,
                Err(end) => return end,
            };
            let mut end = None;
            let mut warn = |warning: &str| self.lock().inbox.wire.output("stderr", warning);
            let launched =
                launch(&request.arguments, &mut warn, &mut |program| end = Some(self.run(&request, program)));
            match (launched, end) {
                (Err(failure), None) => self.lock().refuse_launch(&request, &failure.message),
                (_, Some(Err(end))) => return end,
                (_, Some(Ok(())) | None) => return self.lock().until_the_end(),
            }
        }
    }

    /// A GPU whose launches are debugged.
    fn gpu(&self, chip: Chip) -> Gpu {
        let mut gpu = Gpu::new(chip);
        gpu.debug(Some(Box::new(self.clone())));
        let monitor = self.clone();
        gpu.monitor(Some(Box::new(move |_| {
            let inbox = &mut monitor.lock().inbox;
            let _ = inbox.poll();
            if inbox.leaves() {
                ControlFlow::Break(StopReason::Interrupted)
            } else {
                ControlFlow::Continue(())
            }
        })));
        gpu
    }

    /// Runs a program. `Err` is the end of the session.
    fn run(&self, request: &Request, launched: Launched<'_>) -> Result<(), End> {
        if !self.lock().configure(request, &launched)? {
            self.lock().report(None);
            return Ok(());
        }
        let Launched { chip, run, .. } = launched;
        match run {
            Run::Launches(run) => {
                let result = run(&mut self.gpu(chip));
                self.lock().report(Some(result));
            }
            Run::Program { run, .. } => {
                let leaving = self.clone();
                let is_leaving = move || {
                    let adapter = leaving.lock();
                    adapter.leave.is_some() || adapter.host_code.as_ref().is_some_and(HostCode::is_leaving)
                };
                let again = Again::new(Box::new(Output(self.clone())), Arc::new(is_leaving));
                let ended = loop {
                    let mut gpu = self.gpu(chip.clone());
                    let ended = run(&mut gpu, Box::new(self.clone()), Box::new(again.start()));
                    let adapter = &mut *self.lock();
                    let goes_back = adapter.host_code.as_mut().is_some_and(HostCode::runs_again);
                    if adapter.leave.is_some() || !goes_back {
                        break ended;
                    }
                };
                self.lock().end_of_program(ended);
            }
        }
        Ok(())
    }
}

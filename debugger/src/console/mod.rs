//! The text front end: reads commands line by line and prints what they show. With a screen, it
//! passes the lines of the script to the screen.
//!
//! `lines` has the commands, and `program` is what happens while host code runs.

mod lines;
mod program;

use crate::front::command::Command;
use crate::front::{End, Front, parse, show};
use crate::host::AnyHost;
use crate::host_code::{HostCode, InLaunch};
use crate::screen::Terminal;
use lines::{Line, Lines};
use report::exit::Failure;
use sim_core::debug::{Debugger, Session};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where commands come from: the lines of a script, then standard input.
#[derive(Debug, Default)]
pub struct Script {
    /// Name of the script for messages; empty without a script.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Ends after the script, or after standard input, prints each command before its output, and
    /// stops at the first command that fails.
    pub batch: bool,
}

/// The text front end: one for all launches of a host program.
struct Console {
    host: AnyHost,
    lines: Lines,
    front: Front,
    /// The program is to end: launches are killed.
    quit: bool,
    /// No launch is debugged any more.
    detached: bool,
    /// A command of a script failed, or the output was lost.
    failure: Option<Failure>,
    /// The screen, if commands come from one.
    screen: Option<Terminal>,
    /// The host code, if it is debugged, too.
    host_code: Option<HostCode>,
}

impl Console {
    fn debug(&mut self, session: &mut Session<'_>) {
        if self.detached {
            return;
        }
        if self.quit {
            session.kill();
            return;
        }
        let in_launch = self.host_code.as_mut().map_or(InLaunch::Stops, |code| {
            code.enter(&mut self.front, session);
            code.in_launch(self.front.points().next().is_some())
        });
        if in_launch == InLaunch::Runs {
            return;
        }
        if let Some(screen) = &mut self.screen {
            let script = self.lines.take_script();
            let end = screen.debug(&mut self.front, session, script).unwrap_or_else(|failure| {
                self.failure = Some(failure);
                End::Quit
            });
            return self.end(session, end);
        }
        let host = self.host;
        let mut position = self.front.begin(session, &mut |_| host.flow());
        let first = session.cycle();
        if in_launch == InLaunch::Searches && !self.front.is_at_breakpoint(session) {
            match self.front.execute(session, Command::Continue, &mut |_| host.flow()) {
                Ok((text, None)) => position = text,
                Ok((_, Some(_))) | Err(_) => return,
            }
        }
        self.say(&show::begin(session));
        self.say(&position);
        loop {
            let Some(line) = self.next_line() else {
                if self.failure.is_none() {
                    self.say(&show::out_of_commands(session));
                }
                return self.stop(session);
            };
            match self.execute(session, &line.text, first) {
                Ok((text, end)) => {
                    self.say(&text);
                    if self.host.is_asked_to_end() {
                        return self.stop(session);
                    }
                    if let Some(end) = end {
                        return self.end(session, end);
                    }
                }
                Err(message) if self.refuse(&line, &message) => return self.stop(session),
                Err(_) => {}
            }
        }
    }

    /// Executes a command on a launch whose first instruction issues at cycle `first`.
    fn execute(
        &mut self,
        session: &mut Session<'_>,
        line: &str,
        first: u64,
    ) -> Result<(String, Option<End>), String> {
        let text = session.program().source.files().numbered(line.trim());
        let text = parse::with_line(&text, |name| session.program().ptx.variables().first_line(name));
        let Some(command) = parse::parse(&text)? else { return Ok((String::new(), None)) };
        let goes_back = HostCode::goes_back(&command);
        if let Some(code) = &mut self.host_code {
            code.notes(command == Command::Continue);
        }
        let host = self.host;
        let answer = self.front.execute(session, command, &mut |_| host.flow());
        match &mut self.host_code {
            // Before its first instruction, the launch is left for the host code.
            Some(code) if goes_back && session.cycle() < first => {
                code.leave();
                session.kill();
                Ok((String::new(), Some(End::Launch)))
            }
            _ => answer,
        }
    }

    /// Reads the next command, and prints it if no terminal shows it; `None` at the end, or after a
    /// failure.
    fn next_line(&mut self) -> Option<Line> {
        match self.lines.next() {
            Ok(line) => {
                let line = line?;
                if self.lines.batch || line.from_script {
                    self.say(&format!("(warpsim) {}\n", line.text.trim()));
                }
                Some(line)
            }
            Err(error) => {
                self.failure = Some(Failure::input(format!("error: cannot read standard input: {error}")));
                None
            }
        }
    }

    /// A command is wrong. Returns whether the commands end with it, as those of a script do.
    fn refuse(&mut self, line: &Line, message: &str) -> bool {
        let message = format!("error: {}: {message}", line.place);
        let ends = self.lines.batch || line.from_script;
        if ends {
            self.failure = Some(Failure::input(message));
        } else {
            self.host.complain(&message);
        }
        ends
    }

    /// Ends the work on a launch.
    fn end(&mut self, session: &mut Session<'_>, end: End) {
        match end {
            End::Quit => self.stop(session),
            End::Kill => session.kill(),
            End::Launch => {}
            End::Detach => {
                self.detached = true;
                self.screen = None;
            }
        }
    }

    fn say(&mut self, text: &str) {
        if self.failure.is_none()
            && let Err(failure) = self.host.print(text)
        {
            self.failure = Some(failure);
        }
    }

    fn stop(&mut self, session: &mut Session<'_>) {
        self.quit = true;
        self.screen = None;
        session.kill();
    }
}

/// A console as the GPU and the program hold it.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Console>>);

impl Debugger for Shared {
    fn debug(&mut self, session: &mut Session<'_>) {
        self.lock().debug(session);
    }
}

impl Shared {
    /// Opens a console, with a screen if `has_screen`.
    ///
    /// # Errors
    /// The terminal does not accept a screen.
    pub fn open(host: AnyHost, script: Script, has_screen: bool) -> Result<Self, Failure> {
        let screen = if has_screen { Some(Terminal::open(host)?) } else { None };
        let console = Console {
            host,
            lines: Lines::new(script),
            front: Front::default(),
            quit: false,
            detached: false,
            failure: None,
            screen,
            host_code: None,
        };
        Ok(Self(Arc::new(Mutex::new(console))))
    }

    fn lock(&self) -> MutexGuard<'_, Console> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the console debugs the host code of a program, too.
    pub fn with_host_code(&self) {
        self.lock().host_code = Some(HostCode::default());
    }

    /// Whether the program is about to end, or to run again from its start.
    pub fn is_leaving(&self) -> bool {
        let console = self.lock();
        console.quit || console.host_code.as_ref().is_some_and(HostCode::is_leaving)
    }

    /// Whether a command goes back in the host code, for which the program must run again from its
    /// start.
    pub fn runs_again(&self) -> bool {
        let console = &mut *self.lock();
        !console.quit && console.host_code.as_mut().is_some_and(HostCode::runs_again)
    }

    /// Closes the console: messages and results are printed to the normal screen.
    pub fn close(&self) -> Closed {
        let mut console = self.lock();
        console.screen = None;
        Closed { failure: console.failure.take(), quit: console.quit }
    }
}

/// How a session has ended.
#[derive(Debug)]
pub struct Closed {
    /// A command of a script failed, or the output was lost.
    pub failure: Option<Failure>,
    /// Whether the program ends without results: launches were killed.
    pub quit: bool,
}

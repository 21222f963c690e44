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
use sim_core::stats::report::Verdict;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where commands come from: the lines of a script, then standard input.
#[derive(Debug, Default)]
pub struct Script {
    /// Name of the script for messages; empty without a script.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Commands of `-ex`, which follow the script.
    pub commands: Vec<String>,
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
    /// A command of `-ex` failed.
    has_failed: bool,
    /// The screen, if commands come from one.
    screen: Option<Terminal>,
    /// The host code, if it is debugged, too.
    host_code: Option<HostCode>,
}

impl Console {
    fn debug(&mut self, session: &mut Session<'_>) {
        self.launch(session);
        let never = self.front.never_evaluated();
        if session.has_ended() {
            self.say(&never);
        }
    }

    fn launch(&mut self, session: &mut Session<'_>) {
        if self.detached {
            return;
        }
        if self.quit {
            session.kill();
            return;
        }
        let mut in_launch = self.host_code.as_mut().map_or(InLaunch::Stops, |code| {
            code.enter(&mut self.front, session);
            code.in_launch(self.front.points().next().is_some(), self.front.breaks_on_launch)
        });
        if in_launch == InLaunch::Runs {
            return;
        }
        for (message, is_wrong) in self.front.check(session) {
            if !is_wrong {
                self.say(&format!("[{message}]\n"));
                continue;
            }
            let message = format!("error: launch {}: {message}", session.launch());
            if self.lines.is_script() {
                self.failure = Some(Failure::input(message));
                return self.stop(session);
            }
            self.host.complain(&message);
            in_launch = InLaunch::Stops;
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
        if in_launch == InLaunch::Searches && self.front.stops_here(session) {
            position = self.front.position(session);
        } else if in_launch == InLaunch::Searches {
            match self.front.execute(session, Command::Continue, &mut |_| host.flow()) {
                Ok((text, None)) => position = text,
                Ok((_, Some(_))) | Err(_) => return,
            }
        }
        self.say(&show::begin(session));
        self.say(&position);
        loop {
            if self.leaves_end(session) {
                return;
            }
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
                    match end {
                        // The end of a launch can be inspected.
                        Some(End::Launch)
                            if self.host_code.is_none()
                                && matches!(session.verdict(), Some(Verdict::Finished)) => {}
                        Some(end) => return self.end(session, end),
                        None => {}
                    }
                }
                Err(message) if self.refuse(&line, &message) => return self.stop(session),
                Err(_) => {}
            }
        }
    }

    /// Whether a launch that has finished is left: no command follows that shows its end or goes
    /// back.
    fn leaves_end(&mut self, session: &Session<'_>) -> bool {
        let is_finished = matches!(session.verdict(), Some(Verdict::Finished));
        if !is_finished || self.host_code.is_some() {
            return false;
        }
        let next = self.lines.peek().map(parse::parse);
        !matches!(next, Some(Ok(Some(command))) if command.is_for_end())
    }

    /// Executes the commands that follow the end of the program.
    pub(super) fn after_the_end(&mut self) {
        while self.failure.is_none()
            && !self.quit
            && !self.host.is_asked_to_end()
            && self.lines.peek().is_some()
        {
            let Some(line) = self.next_line() else { return };
            let answer = match parse::parse(&line.text) {
                Ok(None) => Ok(String::new()),
                Ok(Some(Command::Quit | Command::Kill | Command::Detach)) => return,
                Ok(Some(command)) => self
                    .front
                    .shared(&command, None, &isa::source::Files::default())
                    .unwrap_or_else(|| Ok("The program has ended.\n".to_owned())),
                Err(why) => Err(why),
            };
            match answer {
                Ok(text) => self.say(&text),
                Err(why) => self.quit |= self.refuse(&line, &why),
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
        let ends = (self.lines.batch || line.from_script) && !line.goes_on;
        if line.goes_on {
            self.host.complain(&message);
            self.has_failed = true;
        } else if ends {
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
            has_failed: false,
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
        console.after_the_end();
        let has_failed = console.has_failed;
        Closed { failure: console.failure.take(), quit: console.quit, has_failed }
    }
}

/// How a session has ended.
#[derive(Debug)]
pub struct Closed {
    /// A command of a script failed, or the output was lost.
    pub failure: Option<Failure>,
    /// Whether the program ends without results: launches were killed.
    pub quit: bool,
    /// Whether a command of `-ex` failed; its message is printed.
    pub has_failed: bool,
}

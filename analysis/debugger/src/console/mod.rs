//! The text front end: reads commands line by line and prints what they show. With a screen, it
//! passes the lines of the script to the screen.
//!
//! `lines` has the commands, `edit` reads them from a terminal, and `program` is what happens while
//! host code runs.

mod edit;
mod lines;
mod program;

use crate::completion::Words;
use crate::front::command::Command;
use crate::front::{End, Front, parse, show};
use crate::host::AnyHost;
use crate::host_code::{HostCode, InLaunch};
use crate::program::Ended;
use crate::screen::Terminal;
use crate::site::Site;
use lines::{Line, Lines};
use report::exit::Failure;
use sim_core::debug::{Debugger, Session};
use sim_core::stats::report::Verdict;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where commands come from: the lines of a script, then standard input.
#[derive(Debug, Default)]
pub struct Script {
    /// Name of the script for messages; empty without a script.
    pub name: String,
    /// Text of the line in the console.
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
    /// How the session ends, so far.
    end: Closed,
    /// No launch is debugged any more.
    detached: bool,
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
        if self.end.quit {
            session.kill();
            return;
        }
        // On a screen, a launch is debugged also without breakpoints, so that Ctrl-C stops it.
        let has_points = self.front.stops_in_launches() || self.screen.is_some();
        let mut in_launch = self.host_code.as_mut().map_or(InLaunch::Stops, |code| {
            code.enter(&mut self.front, session);
            code.in_launch(has_points, self.front.breaks_on_launch)
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
                self.end.failure = Some(Failure::input(message));
                return self.stop(session);
            }
            self.complain(&message);
            in_launch = InLaunch::Stops;
        }
        let mut poll = self.poll();
        let mut position = self.front.begin(session, &mut poll);
        let first = session.cycle();
        if in_launch == InLaunch::Searches && self.front.stops_here(session) {
            position = self.front.position(session);
        } else if in_launch == InLaunch::Searches {
            match self.front.execute(session, Command::Continue, &mut poll) {
                Ok((text, None)) => position = text,
                Ok((_, Some(_))) | Err(_) => return,
            }
        }
        self.say(&show::begin(session));
        self.say(&position);
        if let Some(screen) = &mut self.screen {
            let script = self.lines.take_script();
            let mut site = Site::Launch { session, code: self.host_code.as_mut(), first };
            let end = screen.debug(&mut self.front, &mut site, script).unwrap_or_else(|failure| {
                self.end.failure = Some(failure);
                End::Quit
            });
            return self.leave(session, end);
        }
        loop {
            if self.leaves_end(session) {
                return;
            }
            let Some(line) = self.next_line(|| Words::of_launch(session)) else {
                if self.end.failure.is_none() {
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
                        Some(end) => return self.leave(session, end),
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
        while self.end.failure.is_none()
            && !self.end.quit
            && !self.host.is_asked_to_end()
            && self.lines.peek().is_some()
        {
            let Some(line) = self.next_line(Words::default) else { return };
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
                Err(why) => self.end.quit |= self.refuse(&line, &why),
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
        let host = self.host;
        let mut site = Site::Launch { session, code: self.host_code.as_mut(), first };
        site.execute(&mut self.front, line, &mut |_| host.flow())
    }

    /// Returns the function that long movements call: a signal, or Ctrl-C on a screen, stops them.
    fn poll(&self) -> impl FnMut(u64) -> ControlFlow<()> + use<> {
        let host = self.host;
        let mut screen = self.screen.as_ref().map(Terminal::poll);
        move |at| screen.as_mut().map_or_else(|| host.flow(), |screen| screen(at))
    }

    /// Reads the next command, and prints it if no terminal shows it; `None` at the end, or after a
    /// failure. `words` returns the words that complete it.
    fn next_line(&mut self, words: impl FnOnce() -> Words) -> Option<Line> {
        match self.lines.next(self.host, words) {
            Ok(line) => {
                let line = line?;
                if self.lines.batch || line.from_script {
                    self.say(&format!("(warpsim) {}\n", line.text.trim()));
                }
                Some(line)
            }
            Err(error) => {
                self.end.failure =
                    Some(Failure::input(format!("error: cannot read standard input: {error}")));
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
            self.end.has_failed = true;
        } else if ends {
            self.end.failure = Some(Failure::input(message));
        } else {
            self.host.complain(&message);
        }
        ends
    }

    /// Ends the work on a launch.
    fn leave(&mut self, session: &mut Session<'_>, end: End) {
        match end {
            End::Quit => self.stop(session),
            End::Kill => {
                self.end.is_killed = true;
                // With host code, the command ends the program.
                self.end.quit |= self.host_code.is_some();
                session.kill();
            }
            End::Launch => {}
            End::Detach => {
                self.detached = true;
                self.screen = None;
            }
        }
    }

    /// Shows a message.
    fn complain(&mut self, message: &str) {
        match &mut self.screen {
            Some(screen) => screen.complain(message),
            None => self.host.complain(message),
        }
    }

    /// Shows why the program has stopped.
    fn notice(&mut self, text: &str) {
        match &mut self.screen {
            Some(screen) => screen.notice(text),
            None => self.say(text),
        }
    }

    fn say(&mut self, text: &str) {
        if let Some(screen) = &mut self.screen {
            return screen.say(text);
        }
        if self.end.failure.is_none()
            && let Err(failure) = self.host.print(text)
        {
            self.end.failure = Some(failure);
        }
    }

    fn stop(&mut self, session: &mut Session<'_>) {
        self.end.quit = true;
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
            end: Closed::default(),
            detached: false,
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
        console.end.quit || console.host_code.as_ref().is_some_and(HostCode::is_leaving)
    }

    /// Whether a command goes back in the host code, for which the program must run again from its
    /// start. On a screen, the end of the program waits for commands.
    pub fn runs_again(&self, ended: &Ended) -> bool {
        let console = &mut *self.lock();
        if console.end.quit {
            return false;
        }
        let Some(code) = &mut console.host_code else { return false };
        if code.runs_again() {
            return true;
        }
        let Some(screen) = &mut console.screen else { return false };
        screen.ends(ended);
        let end = screen.debug(&mut console.front, &mut Site::End { code }, []).unwrap_or_else(|failure| {
            console.end.failure = Some(failure);
            End::Quit
        });
        end == End::Launch && code.runs_again()
    }

    /// Shows output of the program on the screen. Without a screen, returns the output that only a
    /// screen has shown so far and these bytes, which must be printed.
    pub fn shows(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut console = self.lock();
        console.end.output.extend_from_slice(bytes);
        match &mut console.screen {
            Some(screen) => {
                screen.output(&String::from_utf8_lossy(bytes));
                None
            }
            None => Some(std::mem::take(&mut console.end.output)),
        }
    }

    /// Closes the console: messages and results are printed to the normal screen.
    pub fn close(&self) -> Closed {
        let mut console = self.lock();
        console.screen = None;
        console.after_the_end();
        std::mem::take(&mut console.end)
    }
}

/// How a session has ended.
#[derive(Debug, Default)]
pub struct Closed {
    /// A command of a script failed, or the output was lost.
    pub failure: Option<Failure>,
    /// Whether the program ends without results: launches were killed.
    pub quit: bool,
    /// Whether `kill` has ended it.
    pub is_killed: bool,
    /// Whether a command of `-ex` failed; its message is printed.
    pub has_failed: bool,
    /// Output of the program that only the screen has shown.
    pub output: Vec<u8>,
}

//! The text front end: reads commands line by line and prints what they show. With a screen, it
//! passes the lines of the script to the screen.

use crate::front::command::Command;
use crate::front::{End, Front, parse, show};
use crate::host::AnyHost;
use crate::program::{After, InLaunch, Program};
use crate::screen::Terminal;
use embedded::stop::{Stop, reason};
use embedded::{Control, Move, Stopped};
use report::exit::Failure;
use sim_core::debug::{Debugger, Session};
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, IsTerminal, Write};
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

/// The lines of a script with their numbers, then those of standard input.
struct Lines {
    name: String,
    script: VecDeque<(usize, String)>,
    batch: bool,
    /// Lines of standard input so far.
    read: usize,
}

/// A command line, and its place for messages.
struct Line {
    place: String,
    text: String,
    from_script: bool,
}

impl Lines {
    /// The next line; `None` at the end.
    fn next(&mut self) -> io::Result<Option<Line>> {
        if let Some((number, text)) = self.script.pop_front() {
            return Ok(Some(Line { place: format!("{}:{number}", self.name), text, from_script: true }));
        }
        if self.batch && !self.name.is_empty() {
            return Ok(None);
        }
        if io::stdin().is_terminal() {
            print!("(warpsim) ");
            io::stdout().flush()?;
        }
        let mut text = String::new();
        self.read += 1;
        let bytes = io::stdin().lock().read_line(&mut text)?;
        Ok((bytes > 0).then(|| Line { place: format!("stdin:{}", self.read), text, from_script: false }))
    }
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
    program: Option<Program>,
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
        let is_stepped = match &mut self.program {
            None => true,
            Some(program) => {
                program.enter(&mut self.front, session);
                match program.in_launch() {
                    InLaunch::Stops => true,
                    InLaunch::Searches => false,
                    InLaunch::Runs => return,
                }
            }
        };
        if let Some(screen) = &mut self.screen {
            let script = self.lines.script.drain(..).map(|(_, text)| text);
            let end = screen.debug(&mut self.front, session, script).unwrap_or_else(|failure| {
                self.failure = Some(failure);
                End::Quit
            });
            return self.end(session, end);
        }
        let host = self.host;
        let mut position = self.front.begin(session, &mut |_| host.flow());
        if !is_stepped {
            let first = self.front.is_at_breakpoint(session);
            match self.front.execute(session, Command::Continue, &mut |_| host.flow()) {
                _ if first => {}
                Ok((text, None)) => position = text,
                Ok((_, Some(_))) | Err(_) => return,
            }
        }
        self.say(&show::begin(session));
        self.say(&position);
        let first = session.cycle();
        loop {
            let line = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => {
                    self.say(&show::out_of_commands(session));
                    return self.stop(session);
                }
                Err(error) => {
                    self.failure =
                        Some(Failure::input(format!("error: cannot read standard input: {error}")));
                    return self.stop(session);
                }
            };
            if self.lines.batch || line.from_script {
                self.say(&format!("(warpsim) {}\n", line.text.trim()));
            }
            let text = session.program().source.files().numbered(line.text.trim());
            let text = parse::with_line(&text, |name| session.program().ptx.variables().first_line(name));
            let answer = parse::parse(&text).and_then(|command| match command {
                Some(command) => {
                    let goes_back = Program::goes_back(&command);
                    if let Some(program) = &mut self.program {
                        program.notes(&command);
                    }
                    let answer = self.front.execute(session, command, &mut |_| host.flow());
                    // Before its first instruction, the launch is left for the host code.
                    match &mut self.program {
                        Some(program) if goes_back && session.cycle() < first => {
                            program.leave();
                            session.kill();
                            Ok((String::new(), Some(End::Launch)))
                        }
                        _ => answer,
                    }
                }
                None => Ok((String::new(), None)),
            });
            match answer {
                Ok((text, end)) => {
                    self.say(&text);
                    if self.host.is_asked_to_end() {
                        return self.stop(session);
                    }
                    if let Some(end) = end {
                        return self.end(session, end);
                    }
                }
                Err(message) => {
                    let message = format!("error: {}: {message}", line.place);
                    if self.lines.batch || line.from_script {
                        self.failure = Some(Failure::input(message));
                        return self.stop(session);
                    }
                    self.host.complain(&message);
                }
            }
        }
    }

    /// Ends the work on a launch.
    fn end(&mut self, session: &mut Session<'_>, end: End) {
        match end {
            End::Quit => self.stop(session),
            End::Kill => session.kill(),
            End::Launch => {}
            End::Detach => {
                if let Some(program) = &mut self.program {
                    program.detach();
                }
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

impl Control for Shared {
    fn arrived(&mut self, at: &mut Stopped<'_, '_>) -> Move {
        self.lock().arrived(at)
    }

    fn failed(&mut self, at: &mut Stopped<'_, '_>, stop: &Stop) {
        self.lock().failed(at, stop);
    }

    fn is_interrupted(&mut self) -> bool {
        self.lock().host.is_asked_to_end()
    }
}

impl Console {
    /// A line of host code begins.
    fn arrived(&mut self, at: &Stopped<'_, '_>) -> Move {
        if self.quit || self.host.is_asked_to_end() {
            return Move::End;
        }
        let Some(program) = &mut self.program else { return Move::Lines(BTreeSet::new()) };
        if program.arrives(&self.front, at) {
            self.ask(at);
        }
        match &self.program {
            _ if self.quit => Move::End,
            Some(program) if !self.detached => program.next(&self.front, at),
            _ => Move::Lines(BTreeSet::new()),
        }
    }

    /// The host code stops for a mistake of the program.
    fn failed(&mut self, at: &Stopped<'_, '_>, stop: &Stop) {
        let is_watched = self.program.as_ref().is_some_and(Program::is_watched);
        if self.quit || self.detached || !is_watched {
            return;
        }
        self.say(&format!("The program stops: {}\n", reason(stop)));
        self.ask(at);
    }

    /// Shows the position in the host code, and executes commands up to one that moves.
    fn ask(&mut self, at: &Stopped<'_, '_>) {
        self.say(&Program::position(at));
        loop {
            let line = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => {
                    self.say("[End of the commands: the program is stopped]\n");
                    self.quit = true;
                    return;
                }
                Err(error) => {
                    self.failure =
                        Some(Failure::input(format!("error: cannot read standard input: {error}")));
                    self.quit = true;
                    return;
                }
            };
            if self.lines.batch || line.from_script {
                self.say(&format!("(warpsim) {}\n", line.text.trim()));
            }
            let Some(program) = &mut self.program else { return };
            match program.execute(&mut self.front, at, &line.text) {
                Ok((text, after)) => {
                    self.say(&text);
                    match after {
                        _ if self.host.is_asked_to_end() => self.quit = true,
                        After::Stays => continue,
                        After::Moves => {}
                        After::Detaches => self.detached = true,
                        After::Quits => self.quit = true,
                    }
                    return;
                }
                Err(message) => {
                    let message = format!("error: {}: {message}", line.place);
                    if self.lines.batch || line.from_script {
                        self.failure = Some(Failure::input(message));
                        self.quit = true;
                        return;
                    }
                    self.host.complain(&message);
                }
            }
        }
    }
}

impl Shared {
    /// Opens a console, with a screen if `has_screen`.
    ///
    /// # Errors
    /// The terminal does not accept a screen.
    pub fn open(host: AnyHost, script: Script, has_screen: bool) -> Result<Self, Failure> {
        let Script { name, text, batch } = script;
        let screen = if has_screen { Some(Terminal::open(host)?) } else { None };
        let script = (1..).zip(text.lines().map(str::to_owned)).collect();
        let lines = Lines { name, script, batch, read: 0 };
        let (front, failure) = (Front::default(), None);
        let program = None;
        let console = Console { host, lines, front, quit: false, detached: false, failure, screen, program };
        Ok(Self(Arc::new(Mutex::new(console))))
    }

    fn lock(&self) -> MutexGuard<'_, Console> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the console debugs the host code of a program, too.
    pub fn with_program(&self) {
        self.lock().program = Some(Program::default());
    }

    /// Whether the program is about to end, or to run again from its start.
    pub fn is_leaving(&self) -> bool {
        let console = self.lock();
        console.quit || console.program.as_ref().is_some_and(Program::is_leaving)
    }

    /// Whether a command goes back in the host code, for which the program must run again from its
    /// start.
    pub fn runs_again(&self) -> bool {
        let console = &mut *self.lock();
        !console.quit && console.program.as_mut().is_some_and(Program::runs_again)
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

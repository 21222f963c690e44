//! The text front end: reads commands line by line and prints what they show. With a screen, it
//! passes the lines of the script to the screen.

use crate::front::{End, Front, parse, show};
use crate::host::AnyHost;
use crate::screen::Terminal;
use report::exit::Failure;
use sim_core::debug::{Debugger, Session};
use std::collections::VecDeque;
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
        if let Some(screen) = &mut self.screen {
            let script = self.lines.script.drain(..).map(|(_, text)| text);
            let end = screen.debug(&mut self.front, session, script).unwrap_or_else(|failure| {
                self.failure = Some(failure);
                End::Quit
            });
            return self.end(session, end);
        }
        let host = self.host;
        self.say(&show::begin(session));
        let position = self.front.begin(session, &mut |_| host.flow());
        self.say(&position);
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
            let text = session.program().source.files().numbered(&line.text);
            let answer = parse::parse(&text).and_then(|command| match command {
                Some(command) => self.front.execute(session, command, &mut |_| host.flow()),
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
        let Script { name, text, batch } = script;
        let screen = if has_screen { Some(Terminal::open(host)?) } else { None };
        let script = (1..).zip(text.lines().map(str::to_owned)).collect();
        let lines = Lines { name, script, batch, read: 0 };
        let (front, failure) = (Front::default(), None);
        let console = Console { host, lines, front, quit: false, detached: false, failure, screen };
        Ok(Self(Arc::new(Mutex::new(console))))
    }

    fn lock(&self) -> MutexGuard<'_, Console> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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

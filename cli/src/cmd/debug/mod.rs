//! `warpsim debug`: step through the warps of a launch, forward and back, with commands in the
//! words of cuda-gdb.
//!
//! `command` has the commands, `parse` reads them from a line, `front` executes commands on a
//! [`Session`], `show`, `print`, `threads`, `why` and `memory` write what they print, `checks`
//! rejects commands, `stops` decides where a movement stops. Commands come from a script, then from
//! standard input. `tui` is the screen of a terminal.

mod checks;
pub mod command;
pub mod front;
pub mod memory;
pub mod parse;
pub mod print;
pub mod seek;
pub mod show;
pub mod stops;
mod threads;
mod tui;
pub mod values;
pub mod views;
mod why;

use crate::args::{DebugArgs, ShowProgress};
use crate::chip;
use crate::exit::{Code, Failure, code_of};
use crate::output::{Files, complain, print, read_text};
use crate::render::verdict;
use crate::watch::{Watch, interrupt};
use crate::workload::{Source, settings};
use front::{End, Front};
use sim_core::debug::{Debugger, Session};
use sim_core::host::{Gpu, Mode};
use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use tui::Tui;

/// Largest script in bytes.
const LONGEST_SCRIPT: u64 = 1 << 20;

/// Where commands come from: lines of the script with their numbers, then standard input.
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
    lines: Lines,
    front: Front,
    /// The program is to end: launches are killed.
    quit: bool,
    /// No launch is debugged any more.
    detached: bool,
    /// A command of a script failed, or the output was lost.
    failure: Option<Failure>,
    /// The screen, if commands come from one.
    screen: Option<Tui>,
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
        self.say(&show::begin(session));
        let position = self.front.begin(session, &mut |_| interrupt::flow());
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
                Some(command) => self.front.execute(session, command, &mut |_| interrupt::flow()),
                None => Ok((String::new(), None)),
            });
            match answer {
                Ok((text, end)) => {
                    self.say(&text);
                    if interrupt::asked() {
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
                    complain(&message);
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
            && let Err(failure) = print(text)
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

/// [`Console`] as the GPU and this module hold it.
#[derive(Clone)]
struct Shared(Arc<Mutex<Console>>);

impl Debugger for Shared {
    fn debug(&mut self, session: &mut Session<'_>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).debug(session);
    }
}

/// Whether commands come from a screen: if standard input and output are terminals, and neither
/// `--batch` nor a script is given. `--tui` and `--no-tui` select it.
///
/// # Errors
/// `--tui` is given without a terminal.
fn has_screen(args: &DebugArgs) -> Result<bool, Failure> {
    if args.tui && !tui::is_possible() {
        let message = "error: --tui requires a terminal on standard input and output\n\
                       help: without --tui, commands are read line by line";
        return Err(Failure::input(message));
    }
    let by_default = !args.no_tui && !args.batch && args.script.is_none();
    Ok(args.tui || by_default && tui::is_possible())
}

/// Debugs.
pub fn run(args: &DebugArgs) -> Result<Code, Failure> {
    let source = Source::of(&args.workload)?;
    let (chip, _) = chip::load_to_run(&args.chip)?;
    let mode = if args.functional { Mode::Functional } else { Mode::Timed };
    let settings = settings(&args.workload, mode, args.threads, &chip);
    let prepared = source.prepare(args.workload.compile.options())?;
    let mut files = Files::new();
    files.reads_chip(&args.chip.chip)?;
    prepared.reads(&mut files)?;
    let (name, script) = match &args.script {
        Some(path) => {
            let text = read_text(path, LONGEST_SCRIPT)?;
            let lines = (1..).zip(text.lines().map(str::to_owned)).collect();
            (crate::output::shown(path), lines)
        }
        None => (String::new(), VecDeque::new()),
    };
    let lines = Lines { name, script, batch: args.batch, read: 0 };
    interrupt::catch();
    let screen = if has_screen(args)? { Some(Tui::open()?) } else { None };
    let console =
        Console { lines, front: Front::default(), quit: false, detached: false, failure: None, screen };
    let shared = Shared(Arc::new(Mutex::new(console)));
    let mut gpu = Gpu::new(chip);
    gpu.debug(Some(Box::new(shared.clone())));
    Watch::new(ShowProgress::Never).follow(&mut gpu);
    let result = prepared.run(&mut gpu, settings, Some(&mut files));
    let mut console = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
    // Messages and results are printed to the normal screen.
    console.screen = None;
    let result = result?;
    if let Some(failure) = console.failure.take() {
        return Err(failure);
    }
    if console.quit {
        return Ok(if interrupt::asked() { interrupt::code() } else { Code::Fine });
    }
    let mut code = Code::Fine;
    for report in &result.reports {
        code = code.max(code_of(&report.verdict));
        if let Some(message) = verdict::message(report) {
            complain(&message);
        }
    }
    print(&show::lines(&result.check.lines))?;
    if result.check.passed == Some(false) {
        code = code.max(Code::WrongResult);
    }
    Ok(code)
}

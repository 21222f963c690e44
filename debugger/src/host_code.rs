//! Debugs the host code of a program: lines, variables, and the way into its launches and back.
//!
//! The host code is deterministic, so a position is its number of executed instructions. To go
//! back, the program runs again from its start: first to find the position before the present one,
//! then to it. Meanwhile its launches are not debugged, and its output is not printed.

use crate::front::Front;
use crate::front::command::{Breakpoint, Command, Condition, Info, Stop};
use crate::front::parse;
use crate::front::print::value;
use crate::front::show;
use crate::front::stops::Point;
use cuda::source::{FileId, Sources};
use embedded::{Move, Stopped};
use report::inspect::variables::table;
use report::inspect::{Subject, text};
use sim_core::debug::Session;
use std::collections::{BTreeSet, VecDeque};

/// Lines that `list` prints.
const LISTED: u32 = 10;

/// Most lines that `reverse-step N` goes back.
const MOST_BACK: u64 = 1 << 20;

/// What the program does up to its next stop.
#[derive(Debug)]
enum Mode {
    /// Runs to the first line of `main`.
    Begin,
    /// Executes lines.
    Step { left: u64 },
    /// Executes lines of functions that are at most as deep.
    Next { left: u64, depth: usize },
    /// Runs to the end of functions that are as deep.
    Finish { depth: usize },
    /// Runs to a breakpoint.
    Continue,
    /// Runs to a position.
    GoTo(u64),
    /// Runs to position `before` to find the last lines, or breakpoints, before it.
    Search { before: u64, breakpoints: bool, lines: usize, found: VecDeque<u64> },
}

/// A movement in host code.
#[derive(Clone, Copy, Debug)]
pub enum Movement {
    /// So many lines forward.
    Step(u64),
    /// So many lines forward; a called function is one.
    Next(u64),
    /// To the end of the function.
    Finish,
    /// To the next breakpoint.
    Continue,
    /// So many lines back.
    StepBack(u64),
    /// To the latest breakpoint.
    ContinueBack,
}

/// What happens with a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InLaunch {
    /// It stops at its first instruction.
    Stops,
    /// It runs to a breakpoint.
    Searches,
    /// It runs to its end.
    Runs,
}

/// What follows from a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The program does not move.
    Stays,
    /// The program moves.
    Moves,
    /// The program runs on without the debugger.
    Detaches,
    /// The program ends.
    Quits,
}

/// The host code of a program.
#[derive(Debug)]
pub struct HostCode {
    mode: Mode,
    /// Position of the last line.
    at: u64,
    /// The program runs again from its start.
    again: bool,
    /// Lines of other files before the program's file in the source of its kernels, once known.
    shift: Option<u32>,
    /// Name of the program's file, once it has stopped.
    name: String,
}

impl Default for HostCode {
    fn default() -> Self {
        Self { mode: Mode::Begin, at: 0, again: false, shift: None, name: String::new() }
    }
}

/// The program's file.
pub fn main_file(sources: &Sources) -> FileId {
    let own = (0..).zip(sources.files()).find(|(_, file)| !file.builtin);
    FileId(own.map_or(0, |(at, _)| at))
}

impl HostCode {
    /// Host code whose first line is `shift` lines behind the start of the source of its kernels.
    /// It stops in `main`, or at breakpoints only.
    pub fn new(shift: u32, stops_in_main: bool) -> Self {
        let mode = if stops_in_main { Mode::Begin } else { Mode::Continue };
        Self { mode, shift: Some(shift), ..Self::default() }
    }

    /// A launch begins: breakpoints have the numbers of its lines.
    pub fn enter(&mut self, front: &mut Front, session: &Session<'_>) {
        if self.shift.is_some() {
            return;
        }
        // A kernel may come from another file of the program.
        let Some(file) = session.program().source.files().named(&self.name) else { return };
        let first = file.first_line - 1;
        front.move_lines(first.into());
        self.shift = Some(first);
    }

    /// What happens with the launch that begins.
    pub fn in_launch(&self, has_points: bool) -> InLaunch {
        match self.mode {
            Mode::Step { .. } => InLaunch::Stops,
            Mode::Next { .. } | Mode::Finish { .. } | Mode::Continue => {
                if has_points {
                    InLaunch::Searches
                } else {
                    InLaunch::Runs
                }
            }
            Mode::Begin | Mode::GoTo(_) | Mode::Search { .. } => InLaunch::Runs,
        }
    }

    /// Notes a movement in a launch, which may end the launch.
    pub fn notes(&mut self, continues: bool) {
        // In the second case, the host code stops at its next line.
        self.mode = if continues { Mode::Continue } else { Mode::Step { left: 1 } };
    }

    /// Whether a command goes back by instructions or lines, or to a breakpoint.
    pub fn goes_back(command: &Command) -> bool {
        matches!(command, Command::StepBack(..) | Command::ContinueBack(None))
    }

    /// Leaves a launch for the line of the host code that the program has reached before it.
    pub fn leave(&mut self) {
        self.mode = Mode::GoTo(self.at);
        self.again = true;
    }

    /// Whether the program must run again; it does so once.
    pub fn runs_again(&mut self) -> bool {
        if !self.again && matches!(self.mode, Mode::Search { .. }) {
            // The position before which it looks is the end of the program.
            self.found();
        }
        std::mem::take(&mut self.again)
    }

    /// Whether the program is about to run again.
    pub fn is_leaving(&self) -> bool {
        self.again
    }

    /// Whether the user sees what the program does now.
    pub fn is_watched(&self) -> bool {
        !self.again && !matches!(self.mode, Mode::Begin | Mode::GoTo(_) | Mode::Search { .. })
    }

    /// Ends a search: the program runs again to the position that was found, or to its start.
    fn found(&mut self) {
        let Mode::Search { found, .. } = &self.mode else { return };
        self.mode = found.front().map_or(Mode::Begin, |position| Mode::GoTo(*position));
        self.again = true;
    }

    /// Whether a point is a breakpoint at the line that begins, and its condition holds.
    pub fn breaks_at(&self, point: &Point, at: &Stopped<'_, '_>) -> bool {
        let Point::Break(Breakpoint { stop: Stop::Line(wanted), condition, .. }) = point else {
            return false;
        };
        let Some((file, line)) = at.line() else { return false };
        let is_here = file == main_file(at.sources()).0 + 1 && *wanted == line + self.shift.unwrap_or(0);
        let is_met = |condition: &Condition| {
            let found = at.evaluate(&condition.register, None)?.ok()?;
            let one = found.first()?;
            Some(condition.is_met(one.reading.ty, one.lanes[0]?))
        };
        is_here && condition.as_ref().is_none_or(|condition| is_met(condition).unwrap_or(false))
    }

    /// A line begins. Returns whether the program stops there.
    pub fn arrives(&mut self, points: &[Point], at: &Stopped<'_, '_>) -> bool {
        if self.again {
            return false;
        }
        let (steps, depth) = (at.steps(), at.depth());
        self.at = steps;
        let breaks = !matches!(self.mode, Mode::Begin | Mode::GoTo(_))
            && points.iter().any(|point| self.breaks_at(point, at));
        match &mut self.mode {
            Mode::Begin => {
                at.frames().last().is_some_and(|(name, _)| name == "main") && at.frames().len() == 1
            }
            Mode::Next { depth: outer, .. } if depth > *outer => breaks,
            Mode::Step { left } | Mode::Next { left, .. } => {
                *left = left.saturating_sub(1);
                *left == 0 || breaks
            }
            Mode::Finish { depth: outer } => depth < *outer || breaks,
            Mode::Continue => breaks,
            Mode::GoTo(position) => steps >= *position,
            Mode::Search { before, .. } if steps >= *before => {
                self.found();
                false
            }
            Mode::Search { breakpoints, lines, found, .. } => {
                if breaks || !*breakpoints {
                    found.push_back(steps);
                    if found.len() > *lines {
                        found.pop_front();
                    }
                }
                false
            }
        }
    }

    /// How the machine goes on.
    pub fn next(&self, points: &[Point], at: &Stopped<'_, '_>) -> Move {
        match self.mode {
            _ if self.again => Move::End,
            Mode::Continue => {
                let (file, shift) = (main_file(at.sources()).0 + 1, self.shift.unwrap_or(0));
                let lines = points.iter().filter_map(Point::line);
                let lines = lines.filter_map(|line| line.checked_sub(shift));
                Move::Lines(lines.map(|line| (file, line)).collect::<BTreeSet<_>>())
            }
            Mode::Begin
            | Mode::Step { .. }
            | Mode::Next { .. }
            | Mode::Finish { .. }
            | Mode::GoTo(_)
            | Mode::Search { .. } => Move::Line,
        }
    }

    /// Where the program is.
    pub fn position(at: &Stopped<'_, '_>) -> String {
        let Some((function, (file, line))) = at.frames().into_iter().next() else { return String::new() };
        let (sources, id) = (at.sources(), FileId(file - 1));
        let text = sources.line_text(id, line).trim();
        let name = &sources.file(id).name;
        let name = if id == main_file(sources) { String::new() } else { format!("{name}:") };
        format!("host, in {function}\n  {name}{line}\t{text}\n")
    }

    /// Executes a command. Returns what is printed.
    ///
    /// # Errors
    /// What is wrong with the command.
    pub fn execute(
        &mut self,
        front: &mut Front,
        at: &Stopped<'_, '_>,
        line: &str,
    ) -> Result<(String, After), String> {
        let sources = at.sources();
        sources.file(main_file(sources)).name.clone_into(&mut self.name);
        let text = parse::with_line(line.trim(), |function| at.first_line(function));
        self.check_file(&text)?;
        let Some(command) = parse::parse(&text)? else { return Ok((String::new(), After::Stays)) };
        let stays = |text: String| Ok((text, After::Stays));
        let mut moves = |movement| {
            self.go(movement, at);
            Ok((String::new(), After::Moves))
        };
        match command {
            Command::Step(step, left) if step.over => moves(Movement::Next(left)),
            Command::Step(_, left) => moves(Movement::Step(left)),
            Command::Finish => moves(Movement::Finish),
            Command::Continue => moves(Movement::Continue),
            Command::StepBack(_, count) => moves(Movement::StepBack(count)),
            Command::ContinueBack(None) => moves(Movement::ContinueBack),
            Command::Break(breakpoint) => stays(self.add(front, at, breakpoint)?),
            Command::Delete(number) => {
                front.delete(number)?;
                stays(String::new())
            }
            Command::Info(Info::Breakpoints) => stays(front.list_points(&isa::source::Files::default())),
            Command::Info(Info::Facts(Subject::Locals)) => stays(locals(at)),
            Command::Print(format, name) => {
                let found = at.evaluate(&name, format);
                let found = found.ok_or_else(|| {
                    let near = isa::diag::nearest(&name, at.names());
                    let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                    format!("this line of host code sees no variable `{name}`{near}")
                })??;
                stays(found.iter().map(value).collect())
            }
            Command::List(line) => stays(list(at, line)),
            Command::Where => stays(calls(at)),
            Command::Help(name) => {
                stays(parse::help(name.as_deref())?.iter().map(|line| show::help(line)).collect())
            }
            Command::Detach => Ok((String::new(), After::Detaches)),
            Command::Kill | Command::Quit => Ok((String::new(), After::Quits)),
            Command::ContinueBack(Some(_))
            | Command::Cycle(_)
            | Command::CycleBack(_)
            | Command::GoTo(_)
            | Command::Watch(_)
            | Command::Focus(_)
            | Command::Info(_)
            | Command::Examine(..)
            | Command::Why => {
                let word = line.split_whitespace().next().unwrap_or("");
                Err(format!(
                    "`{word}` is about the warps of a launch, and host code runs now; `step` at a launch enters it"
                ))
            }
        }
    }

    /// Prepares a movement.
    pub fn go(&mut self, movement: Movement, at: &Stopped<'_, '_>) {
        self.at = at.steps();
        let depth = at.depth();
        let mut search = |breakpoints, lines| {
            self.again = true;
            Mode::Search { before: self.at, breakpoints, lines, found: VecDeque::new() }
        };
        self.mode = match movement {
            Movement::Step(left) => Mode::Step { left },
            Movement::Next(left) => Mode::Next { left, depth },
            Movement::Finish => Mode::Finish { depth },
            Movement::Continue => Mode::Continue,
            Movement::StepBack(count) => search(false, count.clamp(1, MOST_BACK) as usize),
            Movement::ContinueBack => search(true, 1),
        };
    }

    /// Refuses a breakpoint in another file than the program's, which has other numbers of lines.
    fn check_file(&self, text: &str) -> Result<(), String> {
        let place = text.strip_prefix("break ").or_else(|| text.strip_prefix("b "));
        let place = place.and_then(|rest| rest.split_whitespace().next()?.rsplit_once(':'));
        match place {
            Some((file, _)) if file != self.name && !self.name.ends_with(&format!("/{file}")) => {
                Err(format!(
                    "`{file}` is not the file of `main`; a launch takes breakpoints in all files of its kernel"
                ))
            }
            _ => Ok(()),
        }
    }

    /// Adds a breakpoint in host code or in a kernel.
    fn add(&self, front: &mut Front, at: &Stopped<'_, '_>, breakpoint: Breakpoint) -> Result<String, String> {
        let Stop::Line(line) = breakpoint.stop else {
            return Ok(front.add(Point::Break(breakpoint)));
        };
        let sources = at.sources();
        let file = main_file(sources);
        if at.lines().with_code(file, line) != Some(line) && !at.is_in_kernel(file, line) {
            let next = at.lines().with_code(file, line);
            let hint = next.map_or(String::new(), |next| format!("; the next line of host code is {next}"));
            return Err(format!("line {line} has no code{hint}"));
        }
        let shown = front.add(Point::Break(breakpoint));
        front.move_last(self.shift.unwrap_or(0));
        Ok(shown)
    }
}

/// `info locals`.
fn locals(at: &Stopped<'_, '_>) -> String {
    let all = at.names().into_iter().filter_map(|name| Some((name.to_owned(), at.evaluate(name, None)?)));
    text::print(&table("Variables:".to_owned(), all))
}

/// `list`.
fn list(at: &Stopped<'_, '_>, around: Option<u32>) -> String {
    let frames = at.frames();
    let (file, here) = frames.first().map_or((1, 1), |(_, line)| *line);
    let first = around.unwrap_or(here).saturating_sub(LISTED / 2).max(1);
    let source = at.sources().file(FileId(file - 1));
    let numbered = (1..).zip(source.text.lines()).skip(first as usize - 1).take(LISTED as usize);
    let mark = |number: u32| if number == here { "=>" } else { "  " };
    show::lines(numbered.map(|(number, text)| format!("{} {number:>4} {text}", mark(number))))
}

/// `where`: the functions that are executed.
fn calls(at: &Stopped<'_, '_>) -> String {
    let shown = |(number, (function, (file, line))): (usize, (String, (u32, u32)))| {
        let name = &at.sources().file(FileId(file - 1)).name;
        format!("#{number} {function} at {name}:{line}\n")
    };
    at.frames().into_iter().enumerate().map(shown).collect()
}

//! Debugs the host code of a program: lines, variables, and the way into its launches and back.
//!
//! The host code is deterministic, so a position is its number of executed instructions. To go
//! back, the program runs again from its start: first to find the position before the present one,
//! then to it. Meanwhile its launches are not debugged, and its output is not printed.

use crate::front::command::{Address, Breakpoint, Command, Examined, Info, Lines, Stop, Units};
use crate::front::memory::{self, Next};
use crate::front::parse;
use crate::front::print::{in_lane, type_text, value};
use crate::front::show;
use crate::front::stops::Point;
use crate::front::{Front, RUNS};
use cuda::source::{FileId, Sources};
use embedded::{Move, Stopped};
use isa::source::Files;
use report::inspect::variables::{Missing, Space, never, table};
use report::inspect::{Subject, text};
use sim_core::debug::Session;
use std::collections::{BTreeSet, VecDeque};

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
    /// Runs to a line of the program's file, to the end of the function, or to a breakpoint;
    /// without a line to a later line of the function.
    Until { line: Option<u32>, from: u32, depth: usize },
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
    /// To a line, or to a later one.
    Until(Option<u32>),
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
    pub fn in_launch(&self, has_points: bool, stops: bool) -> InLaunch {
        match self.mode {
            Mode::Step { .. } => InLaunch::Stops,
            Mode::Next { .. } | Mode::Finish { .. } | Mode::Until { .. } | Mode::Continue if stops => {
                InLaunch::Stops
            }
            Mode::Next { .. } | Mode::Finish { .. } | Mode::Until { .. } | Mode::Continue => {
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
    ///
    /// # Errors
    /// Why the condition has no value.
    pub fn breaks_at(&self, point: &Point, at: &Stopped<'_, '_>) -> Result<bool, String> {
        let Point::Break(Breakpoint { stop: Stop::Line(wanted), condition, .. }) = point else {
            return Ok(false);
        };
        let Some((file, line)) = at.line() else { return Ok(false) };
        if file != main_file(at.sources()).0 + 1 || *wanted != line + self.shift.unwrap_or(0) {
            return Ok(false);
        }
        let Some(condition) = condition else { return Ok(true) };
        let lanes = at.with_scope(|scope| scope.lanes_where(condition, 1, &mut never));
        lanes.map(|lanes| lanes != 0).map_err(|why| format!("condition `{}`: {why}", condition.text))
    }

    /// Whether breakpoints stop now.
    pub fn has_breakpoints(&self) -> bool {
        !self.again && !matches!(self.mode, Mode::Begin | Mode::GoTo(_))
    }

    /// A line begins, at which a breakpoint stops if `breaks`. Returns whether the program stops
    /// there.
    pub fn arrives(&mut self, breaks: bool, at: &Stopped<'_, '_>) -> bool {
        if self.again {
            return false;
        }
        let (steps, depth) = (at.steps(), at.depth());
        self.at = steps;
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
            Mode::Until { depth: outer, .. } if depth > *outer => breaks,
            Mode::Until { line, from, depth: outer } => {
                let here = at.line().map_or(0, |(_, line)| line);
                let is_there = line.map_or(here > *from, |line| here == line);
                breaks || is_there || depth < *outer
            }
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
            | Mode::Until { .. }
            | Mode::GoTo(_)
            | Mode::Search { .. } => Move::Line,
        }
    }

    /// Where the program is.
    pub fn position(at: &Stopped<'_, '_>) -> String {
        let Some((function, (file, line))) = at.frames().into_iter().next() else { return String::new() };
        let (sources, id) = (at.sources(), FileId(file - 1));
        let text = sources.line_text(id, line).trim_end();
        let name = &sources.file(id).name;
        let name = if id == main_file(sources) { String::new() } else { format!("{name}:") };
        format!("host, in {function}\n  {name}{line}\t{text}\n")
    }

    /// Executes a command. Returns what is printed.
    ///
    /// # Errors
    /// What is wrong with the command.
    #[expect(clippy::too_many_lines, reason = "one arm for each command")]
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
        let here = at.line().map(|(_, line)| line);
        let shift = self.shift.unwrap_or(0);
        let shifted = here.map(|line| line + shift);
        let shared = match &command {
            Command::Clear(Some(line)) => {
                front.shared(&Command::Clear(Some(line + shift)), None, &Files::default())
            }
            other => front.shared(other, shifted, &Files::default()),
        };
        if let Some(done) = shared {
            return done.and_then(stays);
        }
        if command.moves() && !front.moves() && command == Command::Run {
            return Err(RUNS.to_owned());
        }
        let mut moves = |movement| {
            self.go(movement, at);
            Ok((String::new(), After::Moves))
        };
        match command {
            Command::Step(step, left) if step.over => moves(Movement::Next(left)),
            Command::Step(_, left) => moves(Movement::Step(left)),
            Command::Finish => moves(Movement::Finish),
            Command::Continue | Command::Run => moves(Movement::Continue),
            Command::Until(Some(line)) if is_host(at, line) => moves(Movement::Until(Some(line))),
            Command::Until(Some(line)) => {
                // A line of a kernel.
                self.add(front, at, Breakpoint::new(Stop::Line(line)), true)?;
                self.go(Movement::Continue, at);
                Ok((String::new(), After::Moves))
            }
            Command::Until(None) => moves(Movement::Until(None)),
            Command::StepBack(_, count) => moves(Movement::StepBack(count)),
            Command::ContinueBack(None) => moves(Movement::ContinueBack),
            Command::Break(mut breakpoint, is_temporary) => {
                if let Stop::Here(lines) = breakpoint.stop {
                    let line = here.ok_or("there is no current line")?;
                    breakpoint.stop = Stop::Line(line.saturating_add_signed(lines));
                }
                stays(self.add(front, at, breakpoint, is_temporary)?)
            }
            Command::Condition(number, condition) => {
                front.set_condition(number, condition)?;
                stays(String::new())
            }
            Command::Info(Info::Facts(Subject::Locals)) => stays(locals(at)),
            Command::Info(Info::Facts(Subject::Kernels)) => stays("No kernel runs now.\n".to_owned()),
            Command::Info(Info::Position) => stays(Self::position(at)),
            Command::Info(Info::Source) => {
                let file = &at.sources().file(main_file(at.sources())).name;
                stays(format!("Current source file is {file}\nSource language CUDA C\n"))
            }
            Command::Print(format, expression) => {
                let found = at.value(&expression, format).map_err(|why| missing(at, why))?;
                stays(found.iter().map(value).collect())
            }
            Command::Display(None) => stays(Self::displays(front, at)),
            Command::Display(Some((format, expression))) => {
                let text = match at.value(&expression, format) {
                    Ok(all) => in_lane(&expression.text, &all, 0),
                    // It may have a value later, or in a kernel.
                    Err(why) => format!("{} = - ({})", expression.text, missing(at, why)),
                };
                let number = front.add_display((format, expression));
                stays(format!("{number}: {text}\n"))
            }
            Command::Type(expression, is_full) => {
                let found = at.with_scope(|scope| scope.type_of(&expression, &mut never));
                stays(type_text(found.map_err(|why| missing(at, why))?, is_full))
            }
            Command::Examine(units, place) => stays(examine(front, at, units, place)?),
            Command::List(lines) => stays(list(at, lines)),
            Command::Where => stays(calls(at)),
            Command::Detach => Ok((String::new(), After::Detaches)),
            Command::Kill | Command::Quit => Ok((String::new(), After::Quits)),
            Command::ContinueBack(Some(_))
            | Command::Cycle(_)
            | Command::CycleBack(_)
            | Command::GoTo(_)
            | Command::Watch(_)
            | Command::Focus(_)
            | Command::Info(_)
            | Command::Disassemble
            | Command::Why
            | Command::Delete(_)
            | Command::Clear(_)
            | Command::Enable(..)
            | Command::Ignore(..)
            | Command::Undisplay(_)
            | Command::BreakOnLaunch(_)
            | Command::Settled
            | Command::Echo(_)
            | Command::Help(_) => {
                let word = line.split_whitespace().next().unwrap_or("");
                Err(format!(
                    "`{word}` is about the warps of a launch, and host code runs now; `step` at a launch enters it"
                ))
            }
        }
    }

    /// The displayed expressions in host code.
    pub fn displays(front: &Front, at: &Stopped<'_, '_>) -> String {
        front.displayed(0, |expression, format| at.value(expression, format))
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
            Movement::Until(line) => Mode::Until { line, from: at.line().map_or(0, |(_, line)| line), depth },
            Movement::StepBack(count) => search(false, count.clamp(1, MOST_BACK) as usize),
            Movement::ContinueBack => search(true, 1),
        };
    }

    /// Refuses a breakpoint in another file than the program's, which has other numbers of lines.
    fn check_file(&self, text: &str) -> Result<(), String> {
        let mut words = text.split_whitespace();
        let is_place = words.next().is_some_and(|word| word.starts_with('b') || word.starts_with("tb"));
        let place = words.next().filter(|_| is_place).and_then(|word| word.rsplit_once(':'));
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
    fn add(
        &self,
        front: &mut Front,
        at: &Stopped<'_, '_>,
        breakpoint: Breakpoint,
        is_temporary: bool,
    ) -> Result<String, String> {
        let Stop::Line(line) = breakpoint.stop else {
            return Ok(front.add(Point::Break(breakpoint), is_temporary));
        };
        let sources = at.sources();
        let file = main_file(sources);
        if at.lines().with_code(file, line) != Some(line) && !at.is_in_kernel(file, line) {
            let next = at.lines().with_code(file, line);
            let hint = next.map_or(String::new(), |next| format!("; the next line of host code is {next}"));
            return Err(format!("line {line} has no code{hint}"));
        }
        let shown = front.add(Point::Break(breakpoint), is_temporary);
        front.move_last(self.shift.unwrap_or(0));
        Ok(shown)
    }
}

/// `info locals`.
fn locals(at: &Stopped<'_, '_>) -> String {
    let all = at.names().into_iter().filter_map(|name| Some((name.to_owned(), at.evaluate(name, None)?)));
    text::print(&table("Variables:".to_owned(), all))
}

/// Whether a line of the program's file has host code.
fn is_host(at: &Stopped<'_, '_>, line: u32) -> bool {
    let file = main_file(at.sources());
    at.lines().with_code(file, line) == Some(line)
}

/// The message about an expression without a value.
fn missing(at: &Stopped<'_, '_>, why: Missing) -> String {
    match why {
        Missing::Name(name) => {
            let near = isa::diag::nearest(&name, at.names());
            let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            format!("this line of host code sees no variable `{name}`{near}")
        }
        Missing::Value(why) => why,
    }
}

/// `x`.
fn examine(
    front: &mut Front,
    at: &Stopped<'_, '_>,
    units: Option<Units>,
    place: Examined,
) -> Result<String, String> {
    let units = memory::units_or_last(units, front.next());
    let (space, address) = match place {
        Examined::Memory(Address::Global(address)) => (Space::Host, address.into()),
        Examined::Memory(Address::Shared(_)) => {
            return Err("shared memory belongs to the blocks of a launch, and host code runs now".to_owned());
        }
        Examined::Next => {
            let next = front.next().ok_or("x requires an address")?;
            (next.space, next.address)
        }
        Examined::Place(expression) => {
            let found = at.with_scope(|scope| scope.address(&expression, &mut never));
            let (space, lanes) = found.map_err(|why| missing(at, why))?;
            (space, lanes[0].ok_or_else(|| format!("`{}` has no value", expression.text))?)
        }
    };
    let next = Next { space, address, units };
    let (text, end) = at.with_scope(|scope| {
        let read = |at: u64, bytes: u32| scope.read(space, 0, at, bytes);
        memory::examine(next, read, |at| scope.unreadable(&format!("{address:#x}"), at, 1))
    })?;
    front.examined(Next { address: end, ..next });
    Ok(text)
}

/// `list`.
fn list(at: &Stopped<'_, '_>, wanted: Lines) -> String {
    let frames = at.frames();
    let (file, here) = frames.first().map_or((1, 1), |(_, line)| *line);
    let source = at.sources().file(FileId(file - 1));
    show::listing(&source.text, wanted, Some(here), |line| line.to_string())
}

/// `where`: the functions that are executed.
fn calls(at: &Stopped<'_, '_>) -> String {
    let shown = |(number, (function, (file, line))): (usize, (String, (u32, u32)))| {
        let name = &at.sources().file(FileId(file - 1)).name;
        format!("#{number} {function} at {name}:{line}\n")
    };
    at.frames().into_iter().enumerate().map(shown).collect()
}

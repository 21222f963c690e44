//! Debugs the host code of a program: lines, variables, and the way into its launches and back.
//!
//! The host code is deterministic, so a position is its number of executed instructions. To go
//! back, the program runs again from its start: first to find the position before the present one,
//! then to it. Meanwhile its launches are not debugged, and its output is not printed.
//!
//! `commands` executes commands, and `watched` compares the values of watchpoints.

mod commands;
mod watched;

use crate::front::Front;
use crate::front::command::{Breakpoint, Command, Stop};
use crate::front::stops::Point;
use crate::program::{Move, Stopped};
pub use commands::watch_of;
use report::inspect::variables::{Expressions as _, Missing, never};
use sim_core::debug::Session;
use std::collections::{BTreeSet, VecDeque};
use watched::Watched;

/// Most lines that `reverse-step N` goes back.
const MOST_BACK: u64 = 1 << 20;

/// Movement of the program up to its next stop.
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

/// Treatment of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InLaunch {
    /// It stops at its first instruction.
    Stops,
    /// It runs to a breakpoint.
    Searches,
    /// It runs to its end.
    Runs,
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
    watched: Watched,
}

impl Default for HostCode {
    fn default() -> Self {
        let (at, again, shift, name) = (0, false, None, String::new());
        Self { mode: Mode::Begin, at, again, shift, name, watched: Watched::default() }
    }
}

impl HostCode {
    /// Host code whose first line is `shift` lines behind the start of the source of its kernels.
    /// It stops in `main`, or at breakpoints only.
    pub fn new(shift: u32, stops_in_main: bool) -> Self {
        let mode = if stops_in_main { Mode::Begin } else { Mode::Continue };
        Self { mode, shift: Some(shift), ..Self::default() }
    }

    /// Lines that breakpoints have before those of the program's file.
    pub fn shift(&self) -> u32 {
        self.shift.unwrap_or(0)
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

    /// Returns the treatment of the launch that begins.
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
        let again = std::mem::take(&mut self.again);
        if again {
            self.watched.restarts();
        }
        again
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
    pub fn breaks_at(&self, point: &Point, at: &dyn Stopped) -> Result<bool, String> {
        if let Point::Host(watch) = point {
            return Ok(self.watched.stops(watch));
        }
        let Point::Break(Breakpoint { stop: Stop::Line(wanted), condition, .. }) = point else {
            return Ok(false);
        };
        let Some((file, line)) = at.place() else { return Ok(false) };
        if file != at.main_file() || *wanted != line + self.shift() {
            return Ok(false);
        }
        let Some(condition) = condition else { return Ok(true) };
        let lanes = at.scoped(|scope| Ok(scope.lanes_where(condition, 1, &mut never)?));
        let why = |why: Missing| format!("condition `{}`: {}", condition.text, at.missing(why));
        lanes.map(|lanes| lanes != 0).map_err(why)
    }

    /// A line begins: compares the values of watchpoints.
    pub fn watches<'p>(&mut self, points: impl Iterator<Item = &'p Point>, at: &dyn Stopped) {
        self.watched.note(points, at);
        self.watched.arrives(at);
    }

    /// Notes the values of new watchpoints before the program goes on.
    pub fn note_watches<'p>(&mut self, points: impl Iterator<Item = &'p Point>, at: &dyn Stopped) {
        self.watched.note(points, at);
    }

    /// The changes of watched values by the last line, and which functions have returned.
    pub fn changes(&self) -> String {
        self.watched.changes()
    }

    /// The watchpoints that end, as their functions have returned.
    pub fn ended_watches(&self) -> Vec<Point> {
        self.watched.returned().map(|watch| Point::Host(watch.clone())).collect()
    }

    /// Whether breakpoints stop now.
    pub fn has_breakpoints(&self) -> bool {
        !self.again && !matches!(self.mode, Mode::Begin | Mode::GoTo(_))
    }

    /// A line begins, at which a breakpoint stops if `breaks`. Returns whether the program stops
    /// there.
    pub fn arrives(&mut self, breaks: bool, at: &dyn Stopped) -> bool {
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
                let here = at.place().map_or(0, |(_, line)| line);
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
    pub fn next(&self, points: &[Point], at: &dyn Stopped) -> Move {
        match self.mode {
            _ if self.again => Move::End,
            // A watched value can change in each line.
            Mode::Continue if points.iter().any(|point| matches!(point, Point::Host(_))) => Move::Line,
            Mode::Continue => {
                let (file, shift) = (at.main_file(), self.shift());
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
    pub fn position(at: &dyn Stopped) -> String {
        let Some((function, place)) = at.frames().into_iter().next() else { return String::new() };
        let (file, line) = place;
        let text = at.line_text(place);
        let (name, _) = at.file(file);
        let name = if file == at.main_file() { String::new() } else { format!("{name}:") };
        format!("host, in {function}\n  {name}{line}\t{text}\n")
    }

    /// Prepares a movement.
    pub fn go(&mut self, movement: Movement, at: &dyn Stopped) {
        self.at = at.steps();
        let depth = at.depth();
        self.mode = match movement {
            Movement::Step(left) => Mode::Step { left },
            Movement::Next(left) => Mode::Next { left, depth },
            Movement::Finish => Mode::Finish { depth },
            Movement::Continue => Mode::Continue,
            Movement::Until(line) => {
                Mode::Until { line, from: at.place().map_or(0, |(_, line)| line), depth }
            }
            Movement::StepBack(_) | Movement::ContinueBack => return self.search(movement, self.at),
        };
    }

    /// Prepares a movement back from the end of the program.
    pub fn go_back(&mut self, movement: Movement) {
        self.search(movement, u64::MAX);
    }

    /// Prepares a movement back from a position.
    fn search(&mut self, movement: Movement, before: u64) {
        let (breakpoints, lines) = match movement {
            Movement::StepBack(count) => (false, count.clamp(1, MOST_BACK) as usize),
            _ => (true, 1),
        };
        self.again = true;
        self.mode = Mode::Search { before, breakpoints, lines, found: VecDeque::new() };
    }
}

//! Executes commands on a session: focus, breakpoints, and movements.
//!
//! `command` has the commands, `parse` reads them from a line, `show`, `print` and `memory` write
//! what they print, `checks` rejects commands, `stops` decides where a movement stops, `seek` moves
//! there. The steps by lines and instructions are those of `report::step`, the facts those of
//! `report::inspect`.

pub mod checks;
pub mod command;
pub mod memory;
pub mod parse;
pub mod print;
pub mod seek;
pub mod show;
pub mod stops;

use checks::{check_breakpoint, check_names, check_register, is_inside, is_variable, unknown, without_time};
use command::{Address, Breakpoint, Command, Examined, Focus, Info, Stop, Target, Units};
use memory::Next;
use parse::help;
use report::step::{self, By, Step};
use seek::{Found, Resting, hit, seek};
use stops::{Point, Tested, ended_at, stopped_lanes};

use isa::source::Files;
use isa::types::Dim3;
pub use report::inspect::InFocus;
use report::inspect::values::Format;
use report::inspect::variables::{Expression, Missing, Scope, Shown, Sight, Space, is_known, never};
use report::inspect::{Scene, Subject, text};
use report::render::number::plural;
use report::words::Words;
use sim_core::debug::{Halt, Poll, Session, WarpView};
use sim_core::host::Mode;
use sim_core::observe::{Event, Launched, What, Why};
use sim_core::stats::report::Verdict;
use std::fmt::Write as _;

/// Why `run` is refused.
pub const RUNS: &str = "the program runs already: `continue` goes on, and `goto 0`, `reverse-continue` and \
                        `reverse-step` go back";

/// What follows from a command that ends the work on a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The launch runs to its end.
    Launch,
    /// The launch is killed.
    Kill,
    /// All launches run to their end without the debugger.
    Detach,
    /// The program ends.
    Quit,
}

/// A breakpoint or watchpoint with its number.
struct Numbered {
    point: Point,
    /// Whether it stops.
    is_enabled: bool,
    /// Whether it is deleted when it stops.
    is_temporary: bool,
    /// Hits that do not stop.
    ignored: u64,
    /// Hits so far, of movements forward.
    hits: u64,
    /// Tests of the condition in this launch.
    tested: Tested,
}

/// A point that a movement has reached.
enum Hit {
    /// It stops the movement, in these lanes.
    Stops(u32),
    /// `ignore` passes it.
    Passes,
}

/// State of the front end that outlives a launch.
#[derive(Default)]
pub struct Front {
    focus: InFocus,
    /// Breakpoints and watchpoints by their numbers from 1; a removed one is `None`.
    points: Vec<Option<Numbered>>,
    /// Expressions that are printed at each stop, by their numbers from 1.
    displays: Vec<Option<(Option<Format>, Expression)>>,
    words: Words,
    /// Warps that have stopped at a line.
    resting: Resting,
    /// What `x` without an address prints.
    next: Option<Next>,
    /// Whether each launch of a program stops at its start.
    pub breaks_on_launch: bool,
    /// Whether the program has moved.
    has_moved: bool,
    /// Whether the focus is on a lane that the last stop has chosen.
    is_chosen: bool,
}

type Answer = Result<(String, Option<End>), String>;

impl Front {
    /// Returns the warp and the lane in focus.
    pub fn focus(&self) -> InFocus {
        self.focus
    }

    /// Returns the launch with the focus.
    pub fn scene<'a, 's>(&'a self, session: &'a Session<'s>) -> Scene<'a, 's> {
        Scene { session, words: &self.words, focus: self.focus }
    }

    /// Returns the names of the launch.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// Iterates over the lines that have a breakpoint.
    pub fn break_lines(&self) -> impl Iterator<Item = u32> {
        self.points().filter_map(Point::line)
    }

    /// Adds `lines` to the line of the last breakpoint.
    pub fn move_last(&mut self, lines: u32) {
        if let Some(Some(Numbered {
            point: Point::Break(Breakpoint { stop: Stop::Line(line), .. }), ..
        })) = self.points.last_mut()
        {
            *line += lines;
        }
    }

    /// Whether the warp in focus is about to execute a line with a breakpoint, which then stops.
    pub fn stops_here(&mut self, session: &Session<'_>) -> bool {
        let Ok(warp) = self.warp(session) else { return false };
        let here = self.words.line(warp.pc);
        let words = std::mem::take(&mut self.words);
        let lanes = |point: &Point, tested: &mut Tested| match point {
            Point::Break(one) if one.stop == Stop::Line(here) => {
                stopped_lanes(session, &words, one, (warp.sm, warp.slot), tested)
            }
            _ => 0,
        };
        let hits = self.hits(lanes);
        self.words = words;
        self.chooses(session, &hits)
    }

    /// Counts the points that a movement has reached; `lanes` returns the lanes of each. Temporary
    /// ones are deleted.
    fn hits(&mut self, mut lanes: impl FnMut(&Point, &mut Tested) -> u32) -> Vec<Hit> {
        let mut all = Vec::new();
        for one in &mut self.points {
            let Some(Numbered { point, is_enabled: true, is_temporary, ignored, hits, tested }) = one else {
                continue;
            };
            let lanes = lanes(point, tested);
            if lanes == 0 {
                continue;
            }
            *hits += 1;
            if *ignored > 0 {
                *ignored -= 1;
                all.push(Hit::Passes);
                continue;
            }
            if *is_temporary {
                *one = None;
            }
            all.push(Hit::Stops(lanes));
        }
        all
    }

    /// Moves the focus to the first lane that stops. Returns whether a point stops.
    fn chooses(&mut self, session: &Session<'_>, hits: &[Hit]) -> bool {
        let lanes = hits.iter().filter_map(|hit| match hit {
            Hit::Stops(lanes) => Some(*lanes),
            Hit::Passes => None,
        });
        let some = lanes.clone().find(|lanes| *lanes != u32::MAX);
        self.choose(session, some);
        lanes.count() > 0
    }

    /// Moves the focus to the first of some lanes, or to one that executes the next instruction.
    pub fn choose(&mut self, session: &Session<'_>, lanes: Option<u32>) {
        let Ok(warp) = self.warp(session) else { return };
        if let Some(lanes) = lanes {
            self.focus.lane = lanes.trailing_zeros() % 32;
            self.is_chosen = true;
        } else if warp.active >> self.focus.lane & 1 == 0 && warp.active != 0 {
            self.focus.lane = warp.active.trailing_zeros();
        }
    }

    /// Checks the breakpoints of a launch that begins: their names, blocks and threads. Returns a
    /// message about each that does not fit, and whether its condition is wrong; such a breakpoint
    /// is disabled.
    pub fn check(&mut self, session: &Session<'_>) -> Vec<(String, bool)> {
        let mut all = Vec::new();
        for (number, one) in (1..).zip(&mut self.points) {
            let Some(Numbered { point: Point::Break(point), is_enabled: is_enabled @ true, .. }) = one else {
                continue;
            };
            let is_at_line = match point.stop {
                Stop::Line(line) => session.program().lines.contains(&line),
                _ => false,
            };
            // A line outside of the kernel is one of the host or of another kernel.
            if matches!(point.stop, Stop::Line(line) if !is_at_line && !is_inside(session, line)) {
                continue;
            }
            let names = point.condition.as_ref().map(|condition| check_names(session, condition, point.stop));
            match (names, check_breakpoint(session, point)) {
                (Some(Err(why)), _) if is_at_line => {
                    *is_enabled = false;
                    all.push((format!("breakpoint {number}: {why}"), true));
                }
                (_, Err(why)) => {
                    all.push((format!("breakpoint {number} does not stop in this launch: {why}"), false));
                }
                (_, Ok(())) => {}
            }
        }
        all
    }

    /// Returns messages about the conditions that could never be evaluated in the launch, and
    /// forgets their tests.
    pub fn never_evaluated(&mut self) -> String {
        let tested = (1..).zip(&mut self.points).filter_map(|(number, one)| {
            let one = one.as_mut()?;
            let message = one.tested.message(&format!("breakpoint {number}"), &one.point);
            one.tested = Tested::default();
            message
        });
        tested.collect()
    }

    /// Removes breakpoints and watchpoints by their numbers, or all.
    ///
    /// # Errors
    /// There is none with this number.
    fn delete(&mut self, numbers: &[usize]) -> Result<(), String> {
        for number in numbers {
            self.numbered(*number)?;
        }
        if numbers.is_empty() {
            self.points.iter_mut().for_each(|one| *one = None);
        }
        for number in numbers {
            self.points[number - 1] = None;
        }
        Ok(())
    }

    /// The breakpoint or watchpoint with a number.
    fn numbered(&mut self, number: usize) -> Result<&mut Numbered, String> {
        let found = number.checked_sub(1).and_then(|i| self.points.get_mut(i)).and_then(Option::as_mut);
        found.ok_or_else(|| format!("there is no breakpoint {number}"))
    }

    /// Executes a command that needs neither a launch nor host code; `line` is the current line,
    /// and `files` are those of the program. `None` for another command.
    pub fn shared(
        &mut self,
        command: &Command,
        line: Option<u32>,
        files: &Files,
    ) -> Option<Result<String, String>> {
        let done = |done: Result<(), String>| done.map(|()| String::new());
        Some(match command {
            Command::Delete(numbers) => done(self.delete(numbers)),
            Command::Clear(at) => self.clear(at.or(line), files),
            Command::Enable(numbers, is_enabled) => done(self.enable(numbers, *is_enabled)),
            Command::Ignore(number, count) => self.numbered(*number).map(|one| {
                one.ignored = *count;
                let times = plural(*count, "time");
                format!("breakpoint {number} does not stop the next {times}\n")
            }),
            Command::Undisplay(numbers) => done(self.undisplay(numbers)),
            Command::Info(Info::Breakpoints) => Ok(self.list_points(files)),
            Command::Info(Info::Displays) => Ok(self.list_displays()),
            Command::Help(name) => {
                help(name.as_deref()).map(|lines| lines.iter().map(|line| show::help(line)).collect())
            }
            Command::BreakOnLaunch(breaks) => {
                self.breaks_on_launch = *breaks;
                Ok(String::new())
            }
            Command::Settled => Ok(String::new()),
            Command::Echo(text) => Ok(if text.ends_with('\n') { text.clone() } else { format!("{text}\n") }),
            _ => return None,
        })
    }

    /// Removes the breakpoints at a line.
    fn clear(&mut self, line: Option<u32>, files: &Files) -> Result<String, String> {
        let line = line.ok_or("clear requires a line")?;
        let mut cleared = Vec::new();
        for (number, one) in (1..).zip(&mut self.points) {
            if one.as_ref().is_some_and(|one| one.point.line() == Some(line)) {
                *one = None;
                cleared.push(i32::to_string(&number));
            }
        }
        match cleared.len() {
            0 => Err(format!("there is no breakpoint at line {}", files.place(line))),
            _ => Ok(format!("deleted breakpoints: {}\n", cleared.join(", "))),
        }
    }

    /// Enables or disables breakpoints by their numbers, or all.
    fn enable(&mut self, numbers: &[usize], is_enabled: bool) -> Result<(), String> {
        for number in numbers {
            self.numbered(*number)?.is_enabled = is_enabled;
        }
        if numbers.is_empty() {
            self.points.iter_mut().flatten().for_each(|one| one.is_enabled = is_enabled);
        }
        Ok(())
    }

    /// Sets or removes the condition of a breakpoint.
    ///
    /// # Errors
    /// There is none with this number, or it is a watchpoint.
    pub fn set_condition(&mut self, number: usize, condition: Option<Expression>) -> Result<(), String> {
        let Numbered { point: Point::Break(point), .. } = self.numbered(number)? else {
            return Err(format!("{number} is a watchpoint, which has no condition"));
        };
        point.condition = condition;
        Ok(())
    }

    /// Returns what `x` without an address prints.
    pub fn next(&self) -> Option<Next> {
        self.next
    }

    /// Notes what `x` has printed.
    pub fn examined(&mut self, next: Next) {
        self.next = Some(next);
    }

    /// Whether a point stops at a line of host code that begins, apart from those that `ignore`
    /// passes; `breaks` says which points are there. A condition without a value stops.
    ///
    /// # Errors
    /// Why the condition of a breakpoint has no value.
    pub fn breaks_in_host(
        &mut self,
        mut breaks: impl FnMut(&Point) -> Result<bool, String>,
    ) -> Result<bool, String> {
        let mut wrong = None;
        let hits = self.hits(|point, _| match breaks(point) {
            Ok(breaks) => u32::from(breaks),
            Err(why) => {
                wrong = Some(why);
                1
            }
        });
        let stops = hits.iter().any(|hit| matches!(hit, Hit::Stops(_)));
        wrong.filter(|_| stops).map_or(Ok(stops), Err)
    }

    /// Ends displays by their numbers, or all.
    fn undisplay(&mut self, numbers: &[usize]) -> Result<(), String> {
        for number in numbers {
            let found = number.checked_sub(1).and_then(|i| self.displays.get_mut(i)).and_then(Option::take);
            found.ok_or_else(|| format!("there is no display {number}"))?;
        }
        if numbers.is_empty() {
            self.displays.clear();
        }
        Ok(())
    }

    fn list_displays(&self) -> String {
        let one = |(number, one): (usize, &Option<(Option<Format>, Expression)>)| {
            Some(format!("{number}: {}\n", one.as_ref()?.1.text))
        };
        let all: String = (1..).zip(&self.displays).filter_map(one).collect();
        if all.is_empty() { "No expressions are displayed.\n".to_owned() } else { all }
    }

    /// Adds an expression that is printed at each stop. Returns its number.
    pub fn add_display(&mut self, display: (Option<Format>, Expression)) -> usize {
        self.displays.push(Some(display));
        self.displays.len()
    }

    /// Returns the values of the displayed expressions in a lane; `evaluate` has their values. An
    /// expression with names that mean nothing here is not shown.
    pub fn displayed(
        &self,
        lane: usize,
        mut evaluate: impl FnMut(&Expression, Option<Format>) -> Result<Vec<Shown>, Missing>,
    ) -> String {
        let mut out = String::new();
        for (number, display) in (1..).zip(&self.displays) {
            let number: usize = number;
            let Some((format, expression)) = display else { continue };
            let text = &expression.text;
            match evaluate(expression, *format) {
                Ok(all) => {
                    let _ = writeln!(out, "{number}: {}", print::in_lane(text, &all, lane));
                }
                Err(Missing::Name(_)) => {}
                Err(Missing::Value(why)) => {
                    let _ = writeln!(out, "{number}: {text} = - ({why})");
                }
            }
        }
        out
    }

    /// The displayed expressions in the lane in focus.
    fn displays(&self, session: &Session<'_>) -> String {
        let Ok(warp) = self.warp(session) else { return String::new() };
        let sight = Sight::new(session, &self.words, &warp);
        self.displayed(self.focus.lane as usize, |expression, format| {
            sight.evaluate_expression(expression, format, &mut never)
        })
    }

    /// Notes a movement. Returns whether it is the first one.
    pub fn moves(&mut self) -> bool {
        !std::mem::replace(&mut self.has_moved, true)
    }

    /// Returns the breakpoints and watchpoints as text.
    pub fn list_points(&self, files: &Files) -> String {
        let one = |(number, one): (usize, &Option<Numbered>)| {
            let Numbered { point, is_enabled, is_temporary, ignored, hits, .. } = one.as_ref()?;
            let mut text = format!("{number}: {}", point.shown(files));
            let notes = [
                (*is_temporary, "stops once".to_owned()),
                (!is_enabled, "disabled".to_owned()),
                (*hits > 0, format!("reached {}", plural(*hits, "time"))),
                (*ignored > 0, format!("does not stop the next {}", plural(*ignored, "time"))),
            ];
            for (_, note) in notes.into_iter().filter(|(is, _)| *is) {
                text.extend(["; ", &note]);
            }
            Some(text + "\n")
        };
        let text: String = (1..).zip(&self.points).filter_map(one).collect();
        if text.is_empty() { "No breakpoints or watchpoints.\n".to_owned() } else { text }
    }

    /// Adds `lines` to the lines of all breakpoints.
    pub fn move_lines(&mut self, lines: i64) {
        for one in self.points.iter_mut().flatten() {
            if let Point::Break(Breakpoint { stop: Stop::Line(line), .. }) = &mut one.point {
                *line = u32::try_from(i64::from(*line) + lines).unwrap_or(0);
            }
        }
    }

    /// Moves the focus to a warp.
    pub fn look_at(&mut self, sm: u32, slot: u32) {
        self.focus = InFocus { sm, slot, ..self.focus };
    }

    /// The breakpoints and watchpoints that stop.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().flatten().filter(|one| one.is_enabled).map(|one| &one.point)
    }

    /// Returns copies of all points.
    pub fn all_points(&self) -> Vec<Point> {
        self.points().cloned().collect()
    }

    /// A launch begins, at its first cycle.
    pub fn reset(&mut self, session: &Session<'_>) {
        let (grid, block) = session.extents();
        let (number, program, chip) = (session.launch(), session.program(), session.chip());
        self.words = Words::new(&Launched { number, program, grid, block, chip });
        self.focus = InFocus::default();
        self.resting.clear();
        self.next = None;
        // Registers of warps and shared memory of blocks belong to one launch.
        for one in &mut self.points {
            let point = one.as_ref().map(|one| &one.point);
            if matches!(point, Some(Point::Register { .. } | Point::Variable { .. } | Point::Shared { .. })) {
                *one = None;
            }
        }
    }

    /// A launch begins: goes to its first instruction. Returns the position.
    pub fn begin(&mut self, session: &mut Session<'_>, poll: Poll<'_>) -> String {
        self.reset(session);
        let mut issues = |event: &Event| matches!(event.what, What::State { why: Why::Issued(_), .. });
        let halt = session.find(&mut issues, poll);
        if let Halt::Event(Event { sm, what: What::State { warp, .. }, .. }) = halt {
            self.focus = InFocus { sm, slot: warp, lane: 0 };
        }
        show::position(&self.scene(session)) + &self.displays(session)
    }

    /// Returns the position of the warp in focus, the focus if a stop has chosen its lane, and the
    /// displayed expressions.
    pub fn position(&mut self, session: &Session<'_>) -> String {
        self.with_focus(session, show::position(&self.scene(session)))
    }

    fn with_focus(&mut self, session: &Session<'_>, mut out: String) -> String {
        if std::mem::take(&mut self.is_chosen) {
            out += &show::focus(session, self.focus);
        }
        out + &self.displays(session)
    }

    /// Executes a command. Returns what it prints.
    #[expect(clippy::too_many_lines, reason = "one arm for each command")]
    pub fn execute(&mut self, session: &mut Session<'_>, command: Command, poll: Poll<'_>) -> Answer {
        let go_on = |text: String| Ok((text, None));
        if session.mode() == Mode::Functional {
            without_time(session, &command)?;
        }
        let line = self.warp(session).ok().map(|warp| self.words.line(warp.pc));
        let files = self.words.files().clone();
        if let Some(done) = self.shared(&command, line, &files) {
            return done.map(|text| (text, None));
        }
        if command.moves() && command != Command::Run {
            self.moves();
        }
        match command {
            Command::Run => {
                if !self.moves() {
                    return Err(RUNS.to_owned());
                }
                self.execute(session, Command::Continue, poll)
            }
            Command::Until(line) => self.until(session, line, poll),
            Command::Step(step, count) => self.step(session, step, count, poll),
            Command::StepBack(by, count) => go_on(self.step_back(session, by, count, poll)),
            Command::Cycle(count) => {
                let to = session.cycle().saturating_add(count.saturating_mul(session.issue_period()));
                let halt = session.go_to(to, poll);
                go_on(self.stopped(session, &halt))
            }
            Command::CycleBack(count) => {
                let mut halt = Halt::Done;
                let period = session.issue_period();
                let whole = session.cycle().div_ceil(period) * period;
                if whole == 0 {
                    halt = Halt::Start;
                } else {
                    session.go_to(whole.saturating_sub(count.saturating_mul(period)), poll);
                }
                go_on(self.stopped(session, &halt))
            }
            Command::GoTo(cycle) => {
                let halt = session.go_to(cycle, poll);
                go_on(self.stopped(session, &halt))
            }
            Command::Finish => {
                let InFocus { sm, slot, .. } = self.focus;
                if let Some(halt) = step::finish(session, (sm, slot), poll) {
                    return go_on(self.stopped(session, &halt));
                }
                self.execute(session, Command::Continue, poll)
            }
            Command::Continue => {
                if session.has_ended() {
                    return Ok((String::new(), Some(End::Launch)));
                }
                let halt = self.search(session, None, &[], true, poll);
                if halt == Halt::Ended && matches!(session.verdict(), Some(Verdict::Finished)) {
                    return Ok((show::ended(session), Some(End::Launch)));
                }
                go_on(self.stopped(session, &halt))
            }
            Command::ContinueBack(target) => {
                let only = target.map(|target| self.point(session, target)).transpose()?;
                let halt = self.search(session, only.as_ref(), &[], false, poll);
                go_on(self.stopped(session, &halt))
            }
            Command::Break(mut breakpoint, is_temporary) => {
                if let Stop::Here(lines) = breakpoint.stop {
                    let line = line.ok_or("no warp is in focus, so there is no current line")?;
                    breakpoint.stop = Stop::Line(line.saturating_add_signed(lines));
                }
                check_breakpoint(session, &breakpoint)?;
                go_on(self.add(Point::Break(breakpoint), is_temporary))
            }
            Command::Condition(number, condition) => {
                if let (Some(condition), Point::Break(point)) = (&condition, &self.numbered(number)?.point) {
                    check_names(session, condition, point.stop)?;
                }
                self.set_condition(number, condition)?;
                go_on(String::new())
            }
            Command::Watch(target) => {
                let point = self.point(session, target)?;
                go_on(self.add(point, false))
            }
            Command::Focus(change) => {
                self.change_focus(session, &change)?;
                let shown = change.shown;
                go_on(if shown.is_empty() {
                    show::focus(session, self.focus)
                } else {
                    show::coordinates(session, self.focus, &shown)
                })
            }
            Command::Info(Info::Register(name)) => {
                let warp = self.warp(session)?;
                let name = Expression::parse(&name)?;
                print::print(session, &self.words, &warp, (None, &name), poll).map(|text| (text, None))
            }
            Command::Info(Info::Line(line)) => {
                show::line_info(&self.scene(session), line).map(|text| (text, None))
            }
            Command::Info(info) => go_on(show::info(&self.scene(session), info)),
            Command::Print(format, expression) => {
                let warp = self.warp(session)?;
                print::print(session, &self.words, &warp, (format, &expression), poll)
                    .map(|text| (text, None))
            }
            Command::Display(None) => go_on(self.displays(session)),
            Command::Display(Some((format, expression))) => {
                let warp = self.warp(session)?;
                let sight = Sight::new(session, &self.words, &warp);
                let text = match sight.evaluate_expression(&expression, format, poll) {
                    Ok(all) => print::in_lane(&expression.text, &all, self.focus.lane as usize),
                    Err(Missing::Name(name)) => return Err(unknown(session, &name)),
                    // It may have a value later.
                    Err(Missing::Value(why)) => format!("{} = - ({why})", expression.text),
                };
                let number = self.add_display((format, expression));
                go_on(format!("{number}: {text}\n"))
            }
            Command::Type(expression, is_full) => {
                let warp = self.warp(session)?;
                match Sight::new(session, &self.words, &warp).type_of(&expression, poll) {
                    Ok(found) => go_on(print::type_text(found, is_full)),
                    Err(Missing::Name(name)) => Err(unknown(session, &name)),
                    Err(Missing::Value(why)) => Err(why),
                }
            }
            Command::Examine(units, place) => {
                self.examine(session, units, place, poll).map(|text| (text, None))
            }
            Command::List(lines) => go_on(show::list(session, lines, line)),
            Command::Disassemble => {
                let warp = self.warp(session)?;
                go_on(show::instructions(session, &self.words, warp.pc, None))
            }
            Command::Where => go_on(show::position(&self.scene(session))),
            Command::Why => {
                self.warp(session)?;
                go_on(text::print(&Subject::Why.facts(&self.scene(session))))
            }
            Command::Kill => Ok((String::new(), Some(End::Kill))),
            Command::Detach => Ok((String::new(), Some(End::Detach))),
            Command::Quit => Ok((String::new(), Some(End::Quit))),
            Command::Delete(_)
            | Command::Clear(_)
            | Command::Enable(..)
            | Command::Ignore(..)
            | Command::Undisplay(_)
            | Command::BreakOnLaunch(_)
            | Command::Settled
            | Command::Echo(_)
            | Command::Help(_) => go_on(String::new()),
        }
    }

    /// Runs until the warp in focus reaches a line, or exits; without a line, as `next`, but past
    /// the end of a loop.
    fn until(&mut self, session: &mut Session<'_>, line: Option<u32>, poll: Poll<'_>) -> Answer {
        let warp = self.warp(session)?;
        let place = (warp.sm, warp.slot);
        let Some(line) = line else {
            let from = self.words.line(warp.pc);
            let next = Step { by: By::Line, over: true };
            loop {
                let halt = step::forward(session, &self.words, place, next, poll);
                let here = session.warp(warp.sm, warp.slot).filter(|now| now.block == warp.block);
                let is_before = here.is_some_and(|here| self.words.line(here.pc) <= from && here.live != 0);
                if !matches!(halt, Halt::Event(_)) || !is_before {
                    return Ok((self.stopped(session, &halt), None));
                }
            }
        };
        let of_warp = |stop| Breakpoint {
            block: Some(warp.block_index),
            warp: Some(warp.index),
            ..Breakpoint::new(stop)
        };
        let reached = of_warp(Stop::Line(line));
        check_breakpoint(session, &reached)?;
        let ends = [Point::Break(reached), Point::Break(of_warp(Stop::Exit))];
        let halt = self.search(session, None, &ends, true, poll);
        Ok((self.stopped(session, &halt), None))
    }

    /// `x`.
    fn examine(
        &mut self,
        session: &Session<'_>,
        units: Option<Units>,
        place: Examined,
        poll: Poll<'_>,
    ) -> Result<String, String> {
        let units = memory::units_or_last(units, self.next);
        if let Units::Instructions(count) = units {
            let warp = self.warp(session)?;
            let is_here = match &place {
                Examined::Next => true,
                Examined::Place(expression) => expression.text == "$pc",
                Examined::Memory(_) => false,
            };
            return if is_here {
                Ok(show::instructions(session, &self.words, warp.pc, Some(count)))
            } else {
                Err("`x/4i $pc` prints instructions; `disassemble` those of the whole function".to_owned())
            };
        }
        let (space, address) = match place {
            Examined::Memory(Address::Global(address)) => (Space::Global, address.into()),
            Examined::Memory(Address::Shared(address)) => (Space::Shared, address.into()),
            Examined::Next => {
                let next = self.next.ok_or("x requires an address")?;
                (next.space, next.address)
            }
            Examined::Place(expression) => self.address(session, &expression, poll)?,
        };
        let next = Next { space, address, units };
        let (text, end) = memory::of_launch(session, self.focus, next)?;
        self.next = Some(Next { address: end, ..next });
        Ok(text)
    }

    /// The memory and the address that an expression means in the lane in focus.
    fn address(
        &self,
        session: &Session<'_>,
        expression: &Expression,
        poll: Poll<'_>,
    ) -> Result<(Space, u64), String> {
        // At the end of a launch, buffers have names, too.
        let mut allocations = session.allocations().iter();
        let named = allocations.find(|one| one.name.as_deref() == Some(&*expression.text));
        let warp = match (self.warp(session), named) {
            (Err(_), Some(named)) => return Ok((Space::Global, named.start.into())),
            (warp, _) => warp?,
        };
        match Sight::new(session, &self.words, &warp).address(expression, poll) {
            Ok((space, lanes)) => {
                let lane = self.focus.lane;
                let address = lanes[lane as usize].ok_or_else(|| format!("lane {lane} has no value"))?;
                Ok((space, address))
            }
            Err(Missing::Name(name)) => Err(unknown(session, &name)),
            Err(Missing::Value(why)) => Err(why),
        }
    }

    /// Executes `count` steps of the warp in focus.
    fn step(&mut self, session: &mut Session<'_>, step: Step, count: u64, poll: Poll<'_>) -> Answer {
        let mut halt = Halt::Done;
        for _ in 0..count {
            let warp = self.warp(session)?;
            halt = step::forward(session, &self.words, (warp.sm, warp.slot), step, poll);
            if !matches!(halt, Halt::Event(_)) {
                break;
            }
        }
        Ok((self.stopped(session, &halt), None))
    }

    /// Goes back `count` steps of the warp in focus.
    fn step_back(&mut self, session: &mut Session<'_>, by: By, count: u64, poll: Poll<'_>) -> String {
        let InFocus { sm, slot, .. } = self.focus;
        let mut halt = Halt::Done;
        if by == By::Instruction || !self.words.files().is_listing() {
            halt = session.step_instructions_back(sm, slot, count, poll);
        } else {
            for _ in 0..count {
                halt = step::back(session, &self.words, (sm, slot), by, poll);
                if !matches!(halt, Halt::Event(_)) {
                    break;
                }
            }
        }
        self.stopped(session, &halt)
    }

    /// The warp in focus.
    fn warp(&self, session: &Session<'_>) -> Result<WarpView, String> {
        let InFocus { sm, slot, .. } = self.focus;
        session.warp(sm, slot).ok_or_else(|| {
            let resident = if session.has_ended() {
                "the launch has ended; `reverse-step` and `reverse-continue` go back".to_owned()
            } else if session.warps().is_empty() {
                "no warp is resident; `continue` or `cycle` runs the launch".to_owned()
            } else {
                "`info warps` and `info blocks` list the resident warps".to_owned()
            };
            format!("no warp is resident in slot {slot} of SM {sm}; {resident}")
        })
    }

    /// What is printed after a movement. A trap or a hang gets the focus.
    fn stopped(&mut self, session: &Session<'_>, halt: &Halt) -> String {
        if *halt == Halt::Ended
            && let Some(InFocus { sm, slot, lane }) =
                session.verdict().and_then(|end| ended_at(session, &end))
        {
            self.focus = InFocus { sm, slot, lane };
        }
        self.with_focus(session, show::stopped(&self.scene(session), halt))
    }

    /// Adds a breakpoint or watchpoint. Returns what is printed.
    pub fn add(&mut self, point: Point, is_temporary: bool) -> String {
        let temporary = if is_temporary { "temporary " } else { "" };
        let text = format!("{}: {temporary}{}\n", self.points.len() + 1, point.shown(self.words.files()));
        let (ignored, hits, tested) = (0, 0, Tested::default());
        self.points.push(Some(Numbered { point, is_enabled: true, is_temporary, ignored, hits, tested }));
        text
    }

    /// The watchpoint of a target.
    fn point(&self, session: &Session<'_>, target: Target) -> Result<Point, String> {
        Ok(match target {
            Target::Register(name) if is_variable(session, &name) => {
                let warp = self.warp(session)?;
                let writers = Sight::new(session, &self.words, &warp).writers(&name)?;
                Point::Variable { sm: warp.sm, slot: warp.slot, name, writers }
            }
            Target::Place(expression) => {
                let text = format!("&({})", expression.text);
                let (space, address) = self.address(session, &Expression::parse(&text)?, &mut never)?;
                let address = u32::try_from(address).map_err(|_| "the address is outside of the memory")?;
                let memory = match space {
                    Space::Global => Address::Global(address),
                    Space::Shared => Address::Shared(address),
                    Space::Constant | Space::Local | Space::Host => {
                        return Err(format!(
                            "`{}` is not in shared or global memory, where changes are watched",
                            expression.text
                        ));
                    }
                };
                return self.point(session, Target::Memory(memory));
            }
            Target::Register(name)
                if session.names().all().iter().all(|known| *known != name)
                    && is_known(session.program(), session.names(), &name) =>
            {
                return self.point(session, Target::Place(Expression::parse(&name)?));
            }
            Target::Register(name) => {
                if !name.starts_with('%') && !session.names().all().contains(&name) {
                    return Err(unknown(session, &name));
                }
                check_register(session, &name)?;
                let InFocus { sm, slot, .. } = self.focus;
                Point::Register { sm, slot, name }
            }
            Target::Memory(Address::Global(address)) => {
                if session.global(address, 4).is_none() {
                    return Err(memory::outside(session, address));
                }
                Point::Global(address)
            }
            Target::Memory(Address::Shared(address)) => {
                let block = self.warp(session)?.block;
                let bytes = session.shared(block).map_or(0, <[u8]>::len);
                if address as usize + 4 > bytes {
                    return Err(format!("shared {address:#x} is outside of the {bytes} bytes of the block"));
                }
                Point::Shared { block, address }
            }
        })
    }

    /// Runs forward or back to the next stop, at `only` or at any point, or at one of `ends`.
    fn search(
        &mut self,
        session: &mut Session<'_>,
        only: Option<&Point>,
        ends: &[Point],
        forward: bool,
        poll: Poll<'_>,
    ) -> Halt {
        loop {
            let mut points: Vec<Point> = match only {
                Some(point) => vec![point.clone()],
                None => self.all_points(),
            };
            points.extend(ends.iter().cloned());
            let Found { halt, at, tested } = self.seek(session, &points, forward, poll);
            if only.is_none() {
                self.add_tests(&tested);
            }
            let (Halt::Event(event), Some((sm, slot))) = (&halt, at) else { return halt };
            self.look_at(sm, slot);
            let words = std::mem::take(&mut self.words);
            let is_end = ends.iter().any(|end| hit(session, &words, end, event) != 0);
            let hits = if forward {
                self.hits(|point, _| hit(session, &words, point, event))
            } else {
                points.iter().map(|point| Hit::Stops(hit(session, &words, point, event))).collect()
            };
            self.words = words;
            let hits: Vec<Hit> = hits.into_iter().filter(|hit| !matches!(hit, Hit::Stops(0))).collect();
            if self.chooses(session, &hits) || is_end || hits.is_empty() {
                return halt;
            }
        }
    }

    /// Runs forward or back to the next stop at one of the points.
    pub fn seek(
        &mut self,
        session: &mut Session<'_>,
        points: &[Point],
        forward: bool,
        poll: Poll<'_>,
    ) -> Found {
        let from = (self.focus.sm, self.focus.slot);
        seek(session, &self.words, points, (&mut self.resting, from), forward, poll)
    }

    /// Adds the tests of a search to the points that stop, in their order.
    pub fn add_tests(&mut self, tested: &[Tested]) {
        let own = self.points.iter_mut().flatten().filter(|one| one.is_enabled);
        for (one, tested) in own.zip(tested) {
            one.tested.add(tested);
        }
    }

    /// Applies a change of the focus.
    fn change_focus(&mut self, session: &Session<'_>, change: &Focus) -> Result<(), String> {
        let Focus { block, thread, sm, warp, lane, device, launch, shown: _ } = *change;
        if let Some(device) = device.filter(|device| *device != 0) {
            return Err(format!("device {device} does not exist; the only device is 0"));
        }
        if let Some(launch) = launch.filter(|launch| *launch != session.launch()) {
            return Err(format!(
                "kernel {} (launch {launch}) does not run now; kernel {} (launch {}) does",
                launch.saturating_sub(1),
                session.launch() - 1,
                session.launch()
            ));
        }
        let mut focus = self.focus;
        let (grid, extents) = session.extents();
        if let Some(sm) = sm {
            if sm >= session.sms() {
                return Err(format!("SM {sm} does not exist; the chip has {} SMs", session.sms()));
            }
            (focus.sm, focus.slot) = (sm, 0);
        }
        let block =
            block.or_else(|| thread.and(session.warp(focus.sm, focus.slot)).map(|warp| warp.block_index));
        if let Some(index) = block {
            if index.x >= grid.x || index.y >= grid.y || index.z >= grid.z {
                return Err(format!("block {index} is outside of the grid {grid}"));
            }
            let resident = session.blocks().into_iter().find(|block| block.index == index);
            let resident =
                resident.ok_or_else(|| format!("block {index} is not resident now; see `info blocks`"))?;
            let thread = thread.unwrap_or(Dim3::new(0, 0, 0));
            if thread.x >= extents.x || thread.y >= extents.y || thread.z >= extents.z {
                return Err(format!("thread {thread} is outside of the block {extents}"));
            }
            let linear = (thread.z * extents.y + thread.y) * extents.x + thread.x;
            let number = warp.unwrap_or(linear / 32);
            let slots = (0..64).filter(|slot| resident.warps >> slot & 1 == 1);
            let of = |slot: &u32| session.warp(resident.sm, *slot).is_some_and(|warp| warp.index == number);
            let slot = slots.into_iter().find(of);
            focus.slot = slot.ok_or_else(|| format!("block {index} has no warp {number}"))?;
            (focus.sm, focus.lane) = (resident.sm, linear % 32);
        } else if let Some(slot) = warp {
            let slots = session.warp_slots();
            if slot >= slots {
                return Err(format!("warp slot {slot} does not exist; an SM has {slots} warp slots"));
            }
            focus.slot = slot;
        }
        if let Some(lane) = lane {
            if lane > 31 {
                return Err(format!("lane {lane} does not exist; a warp has lanes 0 to 31"));
            }
            focus.lane = lane;
        }
        self.focus = focus;
        Ok(())
    }
}

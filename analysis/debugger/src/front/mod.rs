//! Executes commands on a session: focus, breakpoints, and movements.
//!
//! `command` has the commands, `parse` reads them from a line, `show`, `print` and `memory` write
//! what they print, `checks` rejects commands. `points` has the breakpoints and watchpoints,
//! `stops` decides where a movement stops, `seek` moves there, and `moves` has all movements.
//! `focus` changes the focus, and `displays` has what is printed at each stop. The steps by lines
//! and instructions are those of `report::step`, the facts those of `report::inspect`.

pub mod checks;
pub mod command;
mod displays;
mod focus;
pub mod memory;
mod moves;
pub mod parse;
mod points;
pub mod print;
pub mod seek;
pub mod show;
pub mod stops;

use checks::{check_breakpoint, check_names, unknown, without_time};
use command::{Breakpoint, Command, Info, Stop};
use isa::source::Files;
use memory::Next;
use parse::help;
use points::Numbered;
pub use report::inspect::InFocus;
use report::inspect::values::Format;
use report::inspect::variables::{Expression, Expressions as _, Missing, Sight};
use report::inspect::{Scene, Subject, text};
use report::render::number::plural;
use report::step;
use report::words::Words;
use seek::Resting;
use sim_core::debug::{Halt, Poll, Session, WarpView};
use sim_core::host::Mode;
use sim_core::observe::{Event, Launched, What, Why};
use sim_core::stats::report::Verdict;
use stops::{Point, ended_at};

/// Why `run` is refused.
pub const RUNS: &str = "the program runs already: `continue` goes on, and `goto 0`, `reverse-continue` and \
                        `reverse-step` go back";

/// Effect of a command with which the program leaves the position where it has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The launch runs to its end, or host code moves.
    Launch,
    /// The launch is killed.
    Kill,
    /// All launches run to their end without the debugger.
    Detach,
    /// The program ends.
    Quit,
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
    /// Memory that `x` without an address prints.
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

    /// Notes a movement. Returns whether it is the first one.
    pub fn moves(&mut self) -> bool {
        !std::mem::replace(&mut self.has_moved, true)
    }

    /// A launch begins, at its first cycle.
    pub fn reset(&mut self, session: &Session<'_>) {
        let (grid, block) = session.extents();
        let (number, program, chip) = (session.launch(), session.program(), session.chip());
        self.words = Words::new(&Launched { number, program, grid, block, chip });
        self.focus = InFocus::default();
        self.resting.clear();
        self.next = None;
        self.forget_launch();
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
            Command::CycleBack(count) => go_on(self.cycle_back(session, count, poll)),
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
            Command::Continue => Ok(self.go_on(session, poll)),
            Command::ContinueBack(target) => {
                let only = target.map(|target| self.point(session, target)).transpose()?;
                let halt = self.search(session, only.as_ref(), &[], false, poll);
                go_on(self.stopped(session, &halt))
            }
            Command::Break(breakpoint, is_temporary) => {
                self.add_breakpoint(session, (breakpoint, is_temporary), line).and_then(go_on)
            }
            Command::Condition(number, condition) => {
                if let (Some(condition), Point::Break(point)) = (&condition, &self.numbered(number)?.point) {
                    check_names(session, condition, point.stop)?;
                }
                self.set_condition(number, condition).map(|()| (String::new(), None))
            }
            Command::Watch(target) => {
                let point = self.point(session, target)?;
                go_on(self.add(point, false))
            }
            Command::Focus(change) => {
                self.change_focus(session, &change)?;
                go_on(match change.shown.as_slice() {
                    [] => show::focus(session, self.focus),
                    shown => show::coordinates(session, self.focus, shown),
                })
            }
            Command::Info(Info::Register(name)) => {
                let warp = self.warp(session)?;
                let name = Expression::parse(&name)?;
                print::print(session, &self.words, &warp, (None, &name), poll).map(|text| (text, None))
            }
            Command::Info(Info::Line(line)) => show::line_info(&self.scene(session), line).and_then(go_on),
            Command::Info(info) => go_on(show::info(&self.scene(session), info)),
            Command::Print(format, expression) => {
                let warp = self.warp(session)?;
                print::print(session, &self.words, &warp, (format, &expression), poll)
                    .map(|text| (text, None))
            }
            Command::Display(None) => go_on(self.displays(session)),
            Command::Display(Some(shown)) => self.display(session, shown, poll).and_then(go_on),
            Command::Type(expression, is_full) => {
                self.type_of(session, &expression, is_full, poll).and_then(go_on)
            }
            Command::Examine(units, place) => self.examine(session, units, place, poll).and_then(go_on),
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
            // What `shared` executes.
            _ => go_on(String::new()),
        }
    }

    /// Adds a breakpoint; one without a line is at the current `line`.
    fn add_breakpoint(
        &mut self,
        session: &Session<'_>,
        (mut breakpoint, is_temporary): (Breakpoint, bool),
        line: Option<u32>,
    ) -> Result<String, String> {
        if let Stop::Here(lines) = breakpoint.stop {
            let line = line.ok_or("no warp is in focus, so there is no current line")?;
            breakpoint.stop = Stop::Line(line.saturating_add_signed(lines));
        }
        check_breakpoint(session, &breakpoint)?;
        Ok(self.add(Point::Break(breakpoint), is_temporary))
    }

    /// Goes back by issue cycles.
    fn cycle_back(&mut self, session: &mut Session<'_>, count: u64, poll: Poll<'_>) -> String {
        let period = session.issue_period();
        let whole = session.cycle().div_ceil(period) * period;
        if whole == 0 {
            return self.stopped(session, &Halt::Start);
        }
        session.go_to(whole.saturating_sub(count.saturating_mul(period)), poll);
        self.stopped(session, &Halt::Done)
    }

    /// Runs to the next breakpoint, or to the end of the launch.
    fn go_on(&mut self, session: &mut Session<'_>, poll: Poll<'_>) -> (String, Option<End>) {
        if session.has_ended() {
            return (String::new(), Some(End::Launch));
        }
        let halt = self.search(session, None, &[], true, poll);
        if halt == Halt::Ended && matches!(session.verdict(), Some(Verdict::Finished)) {
            return (show::ended(session), Some(End::Launch));
        }
        (self.stopped(session, &halt), None)
    }

    /// Adds an expression that each stop shows.
    fn display(
        &mut self,
        session: &Session<'_>,
        (format, expression): (Option<Format>, Expression),
        poll: Poll<'_>,
    ) -> Result<String, String> {
        let warp = self.warp(session)?;
        let sight = Sight::new(session, &self.words, &warp);
        let text = match sight.evaluate_expression(&expression, format, poll) {
            Ok(all) => print::in_lane(&expression.text, &all, self.focus.lane as usize),
            Err(Missing::Name(name)) => return Err(unknown(session, &name)),
            // It may have a value later.
            Err(Missing::Value(why)) => format!("{} = - ({why})", expression.text),
        };
        let number = self.add_display((format, expression));
        Ok(format!("{number}: {text}\n"))
    }

    /// The type of an expression.
    fn type_of(
        &self,
        session: &Session<'_>,
        expression: &Expression,
        is_full: bool,
        poll: Poll<'_>,
    ) -> Result<String, String> {
        let warp = self.warp(session)?;
        match Sight::new(session, &self.words, &warp).type_of(expression, poll) {
            Ok(found) => Ok(print::type_text(found, is_full)),
            Err(Missing::Name(name)) => Err(unknown(session, &name)),
            Err(Missing::Value(why)) => Err(why),
        }
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
            format!("no warp is resident in slot {slot} of {} {sm}; {resident}", self.words.terms().sm)
        })
    }

    /// Returns the text after a movement. A trap or a hang gets the focus.
    fn stopped(&mut self, session: &Session<'_>, halt: &Halt) -> String {
        if *halt == Halt::Ended
            && let Some(InFocus { sm, slot, lane }) =
                session.verdict().and_then(|end| ended_at(session, &end))
        {
            self.focus = InFocus { sm, slot, lane };
        }
        self.with_focus(session, show::stopped(&self.scene(session), halt))
    }
}

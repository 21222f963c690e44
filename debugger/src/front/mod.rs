//! Executes commands on a session: focus, breakpoints, and movements.
//!
//! `command` has the commands, `parse` reads them from a line, `show`, `print` and `memory` write
//! what they print, `checks` rejects commands, `stops` decides where a movement stops, `seek` moves
//! there. The steps by lines and instructions are those of `report::step`, the facts those of
//! `report::inspect`.

pub mod checks;
pub mod command;
mod memory;
pub mod parse;
pub mod print;
pub mod seek;
pub mod show;
pub mod stops;

use checks::{check_breakpoint, check_register, is_variable, without_time};
use command::{Address, Breakpoint, Command, Focus, Stop, Target};
use parse::help;
use report::step::{self, By, Step};
use seek::seek;
use stops::{Point, ended_at};

use isa::source::Files;
use isa::types::Dim3;
pub use report::inspect::InFocus;
use report::inspect::variables::Sight;
use report::inspect::{Scene, Subject, text};
use report::words::Words;
use sim_core::debug::{Halt, Poll, Session, WarpView};
use sim_core::host::Mode;
use sim_core::observe::{Event, Launched, What, Why};
use sim_core::stats::report::Verdict;

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

/// State of the front end that outlives a launch.
#[derive(Default)]
pub struct Front {
    focus: InFocus,
    /// Breakpoints and watchpoints by their numbers from 1; a removed one is `None`.
    points: Vec<Option<Point>>,
    words: Words,
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
        self.points.iter().flatten().filter_map(Point::line)
    }

    /// Adds `lines` to the line of the last breakpoint.
    pub fn move_last(&mut self, lines: u32) {
        if let Some(Some(Point::Break(Breakpoint { stop: Stop::Line(line), .. }))) = self.points.last_mut() {
            *line += lines;
        }
    }

    /// Whether the warp in focus is about to execute a line with a breakpoint.
    pub fn is_at_breakpoint(&self, session: &Session<'_>) -> bool {
        let Ok(warp) = self.warp(session) else { return false };
        let here = self.words.line(warp.pc);
        self.points().any(|point| match point {
            Point::Break(point) => {
                point.stop == Stop::Line(here)
                    && stops::holds(session, &self.words, point, warp.sm, warp.slot)
            }
            _ => false,
        })
    }

    /// Removes a breakpoint or watchpoint by its number, or all.
    ///
    /// # Errors
    /// There is none with this number.
    pub fn delete(&mut self, number: Option<usize>) -> Result<(), String> {
        let Some(number) = number else {
            self.points.clear();
            return Ok(());
        };
        let point = number.checked_sub(1).and_then(|i| self.points.get_mut(i)).and_then(Option::take);
        point.map(|_| ()).ok_or_else(|| format!("there is no breakpoint {number}"))
    }

    /// Returns the breakpoints and watchpoints as text.
    pub fn list_points(&self, files: &Files) -> String {
        show::breakpoints(&self.points, files)
    }

    /// Adds `lines` to the lines of all breakpoints.
    pub fn move_lines(&mut self, lines: i64) {
        for point in self.points.iter_mut().flatten() {
            if let Point::Break(Breakpoint { stop: Stop::Line(line), .. }) = point {
                *line = u32::try_from(i64::from(*line) + lines).unwrap_or(0);
            }
        }
    }

    /// Moves the focus to a warp.
    pub fn look_at(&mut self, sm: u32, slot: u32) {
        self.focus = InFocus { sm, slot, ..self.focus };
    }

    /// The breakpoints and watchpoints.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().flatten()
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
        // Registers of warps and shared memory of blocks belong to one launch.
        for point in &mut self.points {
            if matches!(point, Some(Point::Register { .. } | Point::Variable { .. } | Point::Shared { .. })) {
                *point = None;
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
        show::position(&self.scene(session))
    }

    /// Executes a command. Returns what it prints.
    pub fn execute(&mut self, session: &mut Session<'_>, command: Command, poll: Poll<'_>) -> Answer {
        let go_on = |text: String| Ok((text, None));
        if session.mode() == Mode::Functional {
            without_time(session, &command)?;
        }
        match command {
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
                let warp = self.warp(session)?;
                if let Some(halt) = step::finish(session, (warp.sm, warp.slot), poll) {
                    return go_on(self.stopped(session, &halt));
                }
                self.execute(session, Command::Continue, poll)
            }
            Command::Continue => {
                if session.has_ended() {
                    return Ok((String::new(), Some(End::Launch)));
                }
                let halt = self.search(session, None, true, poll);
                if halt == Halt::Ended && matches!(session.verdict(), Some(Verdict::Finished)) {
                    return Ok((show::ended(session), Some(End::Launch)));
                }
                go_on(self.stopped(session, &halt))
            }
            Command::ContinueBack(target) => {
                let only = target.map(|target| self.point(session, target)).transpose()?;
                let halt = self.search(session, only, false, poll);
                go_on(self.stopped(session, &halt))
            }
            Command::Break(breakpoint) => {
                check_breakpoint(session, &breakpoint)?;
                go_on(self.add(Point::Break(breakpoint)))
            }
            Command::Watch(target) => {
                let point = self.point(session, target)?;
                go_on(self.add(point))
            }
            Command::Delete(number) => {
                self.delete(number)?;
                go_on(String::new())
            }
            Command::Focus(change) => {
                self.change_focus(session, change)?;
                go_on(show::focus(session, self.focus))
            }
            Command::Info(info) => go_on(show::info(&self.scene(session), &self.points, info)),
            Command::Print(format, name) => {
                let warp = self.warp(session)?;
                print::print(session, &self.words, &warp, (format, &name), poll).map(|text| (text, None))
            }
            Command::Examine(count, format, bytes, address) => {
                let block = self.warp(session).ok().map(|warp| warp.block);
                memory::examine(session, block, (count, format, bytes), address).map(|text| (text, None))
            }
            Command::List(line) => {
                let here = self.warp(session).ok().map(|warp| self.words.line(warp.pc));
                go_on(show::list(session, line.or(here).unwrap_or(1), here))
            }
            Command::Where => go_on(show::position(&self.scene(session))),
            Command::Why => {
                self.warp(session)?;
                go_on(text::print(&Subject::Why.facts(&self.scene(session))))
            }
            Command::Help(name) => {
                let lines = help(name.as_deref())?;
                go_on(lines.iter().map(|line| show::help(line)).collect())
            }
            Command::Kill => Ok((String::new(), Some(End::Kill))),
            Command::Detach => Ok((String::new(), Some(End::Detach))),
            Command::Quit => Ok((String::new(), Some(End::Quit))),
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
            let resident = if session.warps().is_empty() {
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
        show::stopped(&self.scene(session), halt)
    }

    /// Adds a breakpoint or watchpoint. Returns what is printed.
    pub fn add(&mut self, point: Point) -> String {
        let text = format!("{}: {}\n", self.points.len() + 1, point.shown(self.words.files()));
        self.points.push(Some(point));
        text
    }

    /// The watchpoint of a target.
    fn point(&self, session: &Session<'_>, target: Target) -> Result<Point, String> {
        Ok(match target {
            Target::Register(name) if is_variable(session, &name) => {
                let warp = self.warp(session)?;
                let sight = Sight::new(session, &self.words, &warp).ok_or("there are no variables")?;
                let writers = sight.writers(&name)?;
                Point::Variable { sm: warp.sm, slot: warp.slot, name, writers }
            }
            Target::Register(name) => {
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

    /// Runs forward or back to the next stop, at `only` or at any point.
    fn search(
        &mut self,
        session: &mut Session<'_>,
        only: Option<Point>,
        forward: bool,
        poll: Poll<'_>,
    ) -> Halt {
        let points: Vec<Point> = match only {
            Some(point) => vec![point],
            None => self.points.iter().flatten().cloned().collect(),
        };
        let (halt, at) = seek(session, &self.words, &points, forward, poll);
        if let Some((sm, slot)) = at {
            self.focus = InFocus { sm, slot, lane: self.focus.lane };
        }
        halt
    }

    /// Applies a change of the focus.
    fn change_focus(&mut self, session: &Session<'_>, change: Focus) -> Result<(), String> {
        let Focus { block, thread, sm, warp, lane } = change;
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

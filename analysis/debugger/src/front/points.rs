//! Breakpoints and watchpoints with their numbers: they are added, changed, listed and counted.

use super::checks::{check_breakpoint, check_names, check_register, is_inside, is_variable, unknown};
use super::command::{Address, Breakpoint, Stop, Target};
use super::stops::{Point, Tested, stopped_lanes};
use super::{Front, InFocus, memory};
use isa::source::Files;
use report::inspect::terms;
use report::inspect::variables::{Expression, Sight, Space, is_known, never};
use report::render::number::plural;
use sim_core::debug::Session;

/// A breakpoint or watchpoint with its number.
pub(super) struct Numbered {
    pub(super) point: Point,
    /// Whether it stops.
    pub(super) is_enabled: bool,
    /// Whether it is deleted when it stops.
    pub(super) is_temporary: bool,
    /// Hits that do not stop.
    pub(super) ignored: u64,
    /// Hits so far, of movements forward.
    pub(super) hits: u64,
    /// Tests of the condition in this launch.
    pub(super) tested: Tested,
}

/// A point that a movement has reached.
pub(super) enum Hit {
    /// It stops the movement, in these lanes.
    Stops(u32),
    /// `ignore` passes it.
    Passes,
}

impl Front {
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
    pub(super) fn hits(&mut self, mut lanes: impl FnMut(&Point, &mut Tested) -> u32) -> Vec<Hit> {
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
    pub(super) fn chooses(&mut self, session: &Session<'_>, hits: &[Hit]) -> bool {
        let lanes = hits.iter().filter_map(|hit| match hit {
            Hit::Stops(lanes) => Some(*lanes),
            Hit::Passes => None,
        });
        let some = lanes.clone().find(|lanes| *lanes != u32::MAX);
        self.choose(session, some);
        lanes.count() > 0
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
    pub(super) fn delete(&mut self, numbers: &[usize]) -> Result<(), String> {
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
    pub(super) fn numbered(&mut self, number: usize) -> Result<&mut Numbered, String> {
        let found = number.checked_sub(1).and_then(|i| self.points.get_mut(i)).and_then(Option::as_mut);
        found.ok_or_else(|| format!("there is no breakpoint {number}"))
    }

    /// Removes the breakpoints at a line.
    pub(super) fn clear(&mut self, line: Option<u32>, files: &Files) -> Result<String, String> {
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
    pub(super) fn enable(&mut self, numbers: &[usize], is_enabled: bool) -> Result<(), String> {
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

    /// The breakpoints and watchpoints that stop.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().flatten().filter(|one| one.is_enabled).map(|one| &one.point)
    }

    /// Returns copies of all points.
    pub fn all_points(&self) -> Vec<Point> {
        self.points().cloned().collect()
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
    pub(super) fn point(&self, session: &Session<'_>, target: Target) -> Result<Point, String> {
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
                            "`{}` is not in {} or global memory, where changes are watched",
                            expression.text,
                            terms(session).shared
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
                    let word = terms(session).block;
                    return Err(format!("shared {address:#x} is outside of the {bytes} bytes of the {word}"));
                }
                Point::Shared { block, address }
            }
        })
    }

    /// Adds the tests of a search to the points that stop, in their order.
    pub fn add_tests(&mut self, tested: &[Tested]) {
        let own = self.points.iter_mut().flatten().filter(|one| one.is_enabled);
        for (one, tested) in own.zip(tested) {
            one.tested.add(tested);
        }
    }

    /// Forgets the watchpoints that belong to one launch: on registers of warps and shared memory
    /// of blocks.
    pub(super) fn forget_launch(&mut self) {
        for one in &mut self.points {
            let point = one.as_ref().map(|one| &one.point);
            if matches!(point, Some(Point::Register { .. } | Point::Variable { .. } | Point::Shared { .. })) {
                *one = None;
            }
        }
    }

    /// Whether a breakpoint or watchpoint can stop in a launch.
    pub fn stops_in_launches(&self) -> bool {
        self.points().any(|point| !matches!(point, Point::Host(_)))
    }

    /// Removes a point.
    pub fn remove(&mut self, point: &Point) {
        for one in &mut self.points {
            if one.as_ref().is_some_and(|one| one.point == *point) {
                *one = None;
            }
        }
    }
}

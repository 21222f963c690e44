//! Movements: steps, and searches for breakpoints.

use super::checks::check_breakpoint;
use super::command::{Breakpoint, Stop};
use super::points::Hit;
use super::seek::{Found, hit, seek};
use super::stops::Point;
use super::{Answer, Front, InFocus};
use report::step::{self, By, Step};
use sim_core::debug::{Halt, Poll, Session};

impl Front {
    /// Runs until the warp in focus reaches a line, or exits; without a line, as `next`, but past
    /// the end of a loop.
    pub(super) fn until(&mut self, session: &mut Session<'_>, line: Option<u32>, poll: Poll<'_>) -> Answer {
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

    /// Executes `count` steps of the warp in focus.
    pub(super) fn step(
        &mut self,
        session: &mut Session<'_>,
        step: Step,
        count: u64,
        poll: Poll<'_>,
    ) -> Answer {
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
    pub(super) fn step_back(
        &mut self,
        session: &mut Session<'_>,
        by: By,
        count: u64,
        poll: Poll<'_>,
    ) -> String {
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

    /// Runs forward or back to the next stop, at `only` or at any point, or at one of `ends`.
    pub(super) fn search(
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
}

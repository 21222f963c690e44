//! Steps of a warp, by instructions or by lines of CUDA C.

use crate::words::Words;
use sim_core::debug::{Halt, Poll, Session, WarpView};
use std::ops::ControlFlow;

/// Unit that a step executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Instructions up to the next one of another line. Each instruction of a PTX file has its own
    /// line.
    Line,
    /// One instruction of PTX.
    Instruction,
}

/// A step forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Unit that it executes.
    pub by: By,
    /// Whether a called function is executed as a whole.
    pub over: bool,
}

/// SM and slot of a warp.
type Warp = (u32, u32);

/// Executes a step of a warp.
pub fn forward(session: &mut Session<'_>, words: &Words, warp: Warp, step: Step, poll: Poll<'_>) -> Halt {
    let start = place(session, words, warp, step.by);
    let from = line(session, words, warp);
    loop {
        // A call is executed as a whole.
        let calls = session.warp(warp.0, warp.1).as_ref().and_then(depth).filter(|_| step.over);
        let halt = until_depth(session, warp, calls.unwrap_or(usize::MAX), poll);
        if !matches!(halt, Halt::Event(_)) || start.is_none() {
            return halt;
        }
        // The code of a called function may be inlined.
        let called = from.as_ref().zip(line(session, words, warp)).filter(|_| step.over);
        let is_called = called.is_some_and(|(from, to)| {
            let variables = session.program().ptx.variables();
            variables.calls((&from.0, from.1), (&to.0, to.1))
        });
        if place(session, words, warp, step.by) != start && !is_called {
            return halt;
        }
    }
}

/// File and line of the next instruction of a warp.
fn line(session: &Session<'_>, words: &Words, (sm, slot): Warp) -> Option<(String, u32)> {
    let (file, line) = words.files().at(words.line(session.warp(sm, slot)?.pc))?;
    Some((file.name.clone(), line))
}

/// Executes the rest of the function that a warp runs; `None` for a kernel.
pub fn finish(session: &mut Session<'_>, warp: Warp, poll: Poll<'_>) -> Option<Halt> {
    let depth = session.warp(warp.0, warp.1).as_ref().and_then(depth)?;
    Some(until_depth(session, warp, depth.checked_sub(1)?, poll))
}

/// Goes back to the first instruction of the line that a warp has executed last, or by one
/// instruction.
pub fn back(session: &mut Session<'_>, words: &Words, warp: Warp, by: By, poll: Poll<'_>) -> Halt {
    let mut halt = session.step_instruction_back(warp.0, warp.1, poll);
    let line = place(session, words, warp, by);
    while line.is_some() && matches!(halt, Halt::Event(_)) {
        let first = session.cycle();
        let earlier = session.step_instruction_back(warp.0, warp.1, poll);
        match earlier {
            Halt::Event(_) if place(session, words, warp, by) == line => halt = earlier,
            Halt::Event(_) => return session.step_instruction(warp.0, warp.1, poll),
            Halt::Interrupted => return earlier,
            Halt::Start | Halt::Done | Halt::Changed | Halt::Ended => {
                session.go_to(first, &mut |_| ControlFlow::Continue(()));
                return halt;
            }
        }
    }
    halt
}

/// The block of a warp, the depth of its calls, and the line of its next instruction; `None` if
/// steps of this kind do not depend on lines.
fn place(session: &Session<'_>, words: &Words, warp: Warp, by: By) -> Option<(u64, Option<usize>, u32)> {
    if by == By::Instruction || !words.files().is_listing() {
        return None;
    }
    let view = session.warp(warp.0, warp.1);
    view.map(|view| (view.block, depth(&view), words.line(view.pc)))
}

/// The depth of a warp's calls.
fn depth(warp: &WarpView) -> Option<usize> {
    warp.stack.last().map(|entry| entry.frame as usize)
}

/// Executes an instruction of a warp, and further ones while more than `most` calls of the same
/// block are nested.
fn until_depth(session: &mut Session<'_>, (sm, slot): Warp, most: usize, poll: Poll<'_>) -> Halt {
    let block = session.warp(sm, slot).map(|warp| warp.block);
    loop {
        let halt = session.step_instruction(sm, slot, poll);
        let is_deeper = session
            .warp(sm, slot)
            .is_some_and(|warp| Some(warp.block) == block && depth(&warp).is_some_and(|depth| depth > most));
        if !matches!(halt, Halt::Event(_)) || !is_deeper {
            return halt;
        }
    }
}

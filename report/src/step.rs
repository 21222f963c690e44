//! Steps of a warp, by instructions or by lines of CUDA C.

use crate::words::Words;
use isa::uop::Program;
use sim_core::debug::{Halt, Poll, Session, WarpView};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What a step executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Instructions up to the next one of another line. Each instruction of a PTX file has its own
    /// line.
    Line,
    /// One instruction.
    Instruction,
}

/// A step forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it executes.
    pub by: By,
    /// Whether a called function is executed as a whole.
    pub over: bool,
}

/// SM and slot of a warp.
type Warp = (u32, u32);

/// Executes a step of a warp.
pub fn forward(session: &mut Session<'_>, words: &Words, warp: Warp, step: Step, poll: Poll<'_>) -> Halt {
    let start = place(session, words, warp, step.by);
    let inlined = (step.over && start.is_some()).then(|| Inlined::new(session, warp));
    loop {
        let halt = if step.over {
            over_call(session, warp, poll)
        } else {
            session.step_instruction(warp.0, warp.1, poll)
        };
        if !matches!(halt, Halt::Event(_)) || start.is_none() {
            return halt;
        }
        let is_inside = inlined.as_ref().is_some_and(|inlined| inlined.is_inside(session, warp));
        if place(session, words, warp, step.by) != start && !is_inside {
            return halt;
        }
    }
}

/// Functions that the function at the start of a step calls, and whose code is inlined.
struct Inlined {
    program: Arc<Program>,
    /// Line of the PTX for each instruction.
    ptx_lines: Vec<u32>,
    /// Instruction at the start.
    start: u32,
}

impl Inlined {
    fn new(session: &Session<'_>, (sm, slot): Warp) -> Self {
        let program = Arc::clone(session.program());
        let ptx_lines = program.ptx_lines().into_owned();
        Self { program, ptx_lines, start: session.warp(sm, slot).map_or(0, |view| view.pc) }
    }

    /// Whether a warp is in one of them.
    fn is_inside(&self, session: &Session<'_>, (sm, slot): Warp) -> bool {
        let line = |pc: u32| {
            let origin = self.program.ptx.files().origin(*self.ptx_lines.get(pc as usize)?)?;
            Some((origin.file, origin.line))
        };
        let now = session.warp(sm, slot).and_then(|view| line(view.pc));
        let lines = line(self.start).zip(now);
        lines.is_some_and(|(from, to)| self.program.ptx.variables().calls(from, to))
    }
}

/// Executes the rest of the function that a warp runs; `None` for a kernel.
pub fn finish(session: &mut Session<'_>, (sm, slot): Warp, poll: Poll<'_>) -> Option<Halt> {
    let calls = |session: &Session<'_>| session.warp(sm, slot).map(|warp| (warp.block, depth(&warp)));
    let (block, frame) = calls(session)?;
    frame.filter(|frame| *frame > 0)?;
    loop {
        let halt = session.step_instruction(sm, slot, poll);
        let is_inside = calls(session).is_some_and(|(now, inner)| now == block && inner >= frame);
        if !matches!(halt, Halt::Event(_)) || !is_inside {
            return Some(halt);
        }
    }
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

/// Executes the next instruction of a warp; a call is executed as a whole.
fn over_call(session: &mut Session<'_>, (sm, slot): Warp, poll: Poll<'_>) -> Halt {
    let calls = |session: &Session<'_>| session.warp(sm, slot).map(|warp| (warp.block, depth(&warp)));
    let before = calls(session);
    loop {
        let halt = session.step_instruction(sm, slot, poll);
        let deeper = match (before, calls(session)) {
            (Some((block, frame)), Some((now, inner))) => block == now && inner > frame,
            _ => false,
        };
        if !matches!(halt, Halt::Event(_)) || !deeper {
            return halt;
        }
    }
}

//! Movements of the stepper.

use super::{Focus, Stepper};
use report::inspect::ending;
use report::step::{self, By, Step};
use serde::{Deserialize, Serialize};
use sim_core::debug::Halt;
use sim_core::observe::{Event, What};
use std::ops::ControlFlow;

/// Calls of the poll function in one movement: about a quarter of a second of simulation. A longer
/// movement is continued by the same command, so that the page can show the progress and stop it.
const POLLS: u32 = 200;

/// A movement.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// One issue cycle forward, or back.
    Cycle {
        /// Whether the launch moves back.
        back: bool,
    },
    /// Until the warp in focus has issued an instruction, or back to the issue of its latest one.
    Instruction {
        /// Whether the launch moves back.
        back: bool,
    },
    /// Until the warp in focus has executed a line of CUDA C, or back to the first instruction of
    /// the line that it has executed last. Each instruction of a PTX file has its own line.
    Line {
        /// Whether the launch moves back.
        back: bool,
    },
    /// To the next issue of any warp of the SM in focus, or the latest one before this cycle.
    Issue {
        /// Whether the launch moves back.
        back: bool,
    },
    /// To the next issue at a line with a breakpoint, or the latest one before this cycle.
    Continue {
        /// Whether the launch moves back.
        back: bool,
    },
    /// To a shader cycle.
    Goto {
        /// Shader cycle to which the stepper goes.
        cycle: u64,
    },
}

/// Why a movement stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// The step is done.
    Done,
    /// At the event that was searched for.
    Event,
    /// At the end of the launch.
    Ended,
    /// At the first cycle of the launch.
    Start,
    /// It takes long: the same command continues it.
    Unfinished,
}

/// Result of a movement.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Moved {
    /// Why the movement stopped.
    pub halt: Stopped,
    /// Where it stopped or how the launch ended, in words; empty after a plain step.
    pub message: String,
    /// SM and warp slot of the event at which it stopped.
    pub at: Option<[u32; 2]>,
}

/// Returns the instruction that the warp issues in this event.
fn issued(event: &Event) -> Option<(u32, u32)> {
    match &event.what {
        What::State { warp, pc, why, .. } => {
            let issued = why.issued().filter(|issued| issued.origin.cycle == event.cycle)?;
            (issued.lanes != 0).then_some((*warp, *pc))
        }
        What::BlockStarted { .. }
        | What::BlockRetired { .. }
        | What::Stack { .. }
        | What::LoadCompleted { .. }
        | What::Written { .. } => None,
    }
}

impl Stepper {
    /// Moves the launch.
    pub fn step(&mut self, command: Command, focus: Focus) -> Moved {
        let mut polls = 0;
        let mut poll = |_: u64| {
            polls += 1;
            if polls > POLLS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let Self { session, words, breakpoints } = self;
        let Focus { sm, slot, .. } = focus;
        let halt = match command {
            Command::Cycle { back: false } => session.step_cycle(),
            Command::Cycle { back: true } => session.step_cycle_back(),
            Command::Instruction { back: false } => session.step_instruction(sm, slot, &mut poll),
            Command::Instruction { back: true } => session.step_instruction_back(sm, slot, &mut poll),
            Command::Line { back: false } => {
                let line = Step { by: By::Line, over: false };
                step::forward(session, words, (sm, slot), line, &mut poll)
            }
            Command::Line { back: true } => step::back(session, words, (sm, slot), By::Line, &mut poll),
            Command::Issue { back } => {
                let mut stops = |event: &Event| event.sm == sm && issued(event).is_some();
                if back {
                    session.find_back(&mut stops, &mut poll)
                } else {
                    session.find(&mut stops, &mut poll)
                }
            }
            Command::Continue { back } => {
                let mut stops = |event: &Event| {
                    issued(event).is_some_and(|(_, pc)| breakpoints.contains(&words.line(pc)))
                };
                if back {
                    session.find_back(&mut stops, &mut poll)
                } else {
                    session.find(&mut stops, &mut poll)
                }
            }
            Command::Goto { cycle } => session.go_to(cycle, &mut poll),
        };
        self.describe(&halt)
    }

    fn describe(&self, halt: &Halt) -> Moved {
        let plain = |halt, message: &str| Moved { halt, message: message.to_owned(), at: None };
        match halt {
            Halt::Done | Halt::Changed => plain(Stopped::Done, ""),
            Halt::Start => plain(Stopped::Start, "This is the first cycle of the launch."),
            Halt::Interrupted => plain(Stopped::Unfinished, ""),
            Halt::Ended => {
                let message = ending(&self.session);
                plain(Stopped::Ended, message.as_deref().unwrap_or("The launch has finished."))
            }
            Halt::Event(event) => {
                let Some((warp, pc)) = issued(event) else {
                    return plain(Stopped::Event, "The block of the warp has retired.");
                };
                let (sm, line, text) = (event.sm, self.words.line(pc), self.words.text(pc));
                let message = format!("SM {sm}, warp {warp}, line {line}: {text}");
                Moved { halt: Stopped::Event, message, at: Some([sm, warp]) }
            }
        }
    }
}

//! The debugger: a launch that is stepped forward and back, and what the page shows of it.
//!
//! `command` moves the launch, `view` describes it at one cycle. The launch belongs to the stepper:
//! the host program of the kernel ran up to the launch and ended there.

mod command;
mod view;

pub use command::{Command, Moved, Stopped};
pub use report::inspect::InFocus as Focus;
pub use report::inspect::values::Format;
pub use view::View;

use crate::request::{Ready, Request, run};
use report::exit::Failure;
use report::mangled::plain;
use report::recorded::access::{Found, accesses};
use report::words::Words;
use serde::{Deserialize, Serialize};
use sim_core::debug::{Debugger, Session};
use sim_core::host::Gpu;
use std::sync::{Arc, Mutex, PoisonError};

/// A launch under the debugger.
pub struct Stepper {
    session: Session<'static>,
    words: Words,
    /// Source lines at which a search stops.
    breakpoints: Vec<u32>,
}

/// Data that does not change during a launch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "StepProgram"))]
pub struct Program {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the PTX file.
    pub file: String,
    /// Text of the lines: PTX, or CUDA C.
    pub text: String,
    /// Whether it is CUDA C.
    pub is_cuda_c: bool,
    /// Number of the launch in the host program, from 1.
    pub launch: u32,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Name of the chip.
    pub chip: String,
    /// Shader cycles of an issue cycle.
    pub period: u64,
    /// Number of SMs.
    pub sms: u32,
    /// Warp slots of an SM.
    pub warp_slots: u32,
    /// Banks of shared memory.
    pub banks: u32,
    /// Source lines with instructions, in ascending order.
    pub lines: Vec<u32>,
    /// Reconvergence points do not exist in PTX; the stack names them by line. Line of each
    /// micro-op.
    pub line_of: Vec<u32>,
}

/// A request of the page.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Step {
    /// A movement; without one, the launch is only described.
    pub command: Option<Command>,
    /// The warp and the lane to describe.
    pub focus: Focus,
    /// Source lines at which a search stops.
    pub breakpoints: Vec<u32>,
    /// Format of values.
    pub format: Format,
}

/// The answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Stepped {
    /// Result of the movement.
    pub moved: Option<Moved>,
    /// The state after it.
    pub view: View,
}

/// Keeps a copy of a launch and ends the original.
#[derive(Clone)]
struct Keep {
    launch: u32,
    kept: Arc<Mutex<Option<Session<'static>>>>,
}

impl Debugger for Keep {
    fn debug(&mut self, session: &mut Session<'_>) {
        if session.launch() == self.launch {
            *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = session.detached();
            session.kill();
        }
    }
}

impl Stepper {
    /// Starts launch number `launch`, from 1, of a kernel. Earlier launches run to their end.
    ///
    /// # Errors
    ///
    /// If the kernel, the chip or the launch file is invalid, or there is no such launch.
    pub fn new(request: &Request, launch: u32) -> Result<Self, Failure> {
        let plain = Request { functional: false, checks: Vec::new(), ..request.clone() };
        let Ready { prepared, chip, settings, .. } = plain.ready()?;
        let kept = Arc::new(Mutex::new(None));
        let mut gpu = Gpu::new(chip);
        gpu.debug(Some(Box::new(Keep { launch, kept: Arc::clone(&kept) })));
        let outcome = run(&prepared, &mut gpu, settings);
        let session = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(session) = session else {
            let launches = outcome?.reports.len();
            let message = format!("error: there is no launch {launch}: the last one has number {launches}");
            return Err(Failure::input(message));
        };
        let words = Words::of(session.program(), session.chip());
        Ok(Self { session, words, breakpoints: Vec::new() })
    }

    /// Returns the parts of the launch that do not change.
    pub fn program(&self) -> Program {
        let (session, program) = (&self.session, self.session.program());
        let (grid, block) = session.extents();
        let line_of: Vec<u32> = (0..program.code.len() as u32).map(|pc| self.words.line(pc)).collect();
        let mut lines = line_of.clone();
        lines.sort_unstable();
        lines.dedup();
        Program {
            kernel: plain(&program.name).to_owned(),
            file: program.source.name.clone(),
            text: program.source.text.clone(),
            is_cuda_c: program.source.files().is_listing(),
            launch: session.launch(),
            grid: [grid.x, grid.y, grid.z],
            block: [block.x, block.y, block.z],
            chip: session.chip().name.clone(),
            period: session.issue_period(),
            sms: session.sms(),
            warp_slots: session.warp_slots(),
            banks: session.chip().sm.shared.banks,
            lines,
            line_of,
        }
    }

    /// Returns one access of each memory instruction, from a launch at its start.
    pub fn accesses(&mut self) -> Vec<Found> {
        accesses(&mut self.session, &self.words, &mut || true)
    }

    /// Sets the source lines at which a search stops.
    pub fn set_breakpoints(&mut self, lines: Vec<u32>) {
        self.breakpoints = lines;
    }
}

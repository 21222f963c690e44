//! A trace: all events of all SMs of one run, with the data to interpret them.

use crate::generate::Case;
use crate::run::Prepared;
use crate::watch::Recording;
use isa::uop::{Inst, Program};
use sim_core::config::Chip;
use sim_core::host::{Mode, RunOptions};
use sim_core::observe::{Event, Issued, What, Why};
use sim_core::stats::Report;
use std::sync::Arc;

/// The trace of one run.
pub struct Trace {
    /// Events, ordered by cycle, then SM.
    pub events: Vec<Event>,
    /// The kernel.
    pub program: Arc<Program>,
    /// The chip.
    pub chip: Chip,
    /// Threads per block.
    pub threads: u32,
    /// Blocks of the grid.
    pub blocks: u64,
    /// Report of the run.
    pub report: Report,
}

impl Trace {
    /// Runs `case` with `options`. The error describes a run that does not finish.
    pub fn record(case: &Case, options: RunOptions) -> Result<Self, String> {
        let prepared = Prepared::new(case);
        let mut recording = None;
        let options = RunOptions { max_cycles: 20_000_000, ..options };
        let report = prepared
            .run_observed(Mode::Timed, options, 0, |gpu| recording = Some(Recording::of(gpu, 0..u64::MAX)))
            .report;
        if !report.verdict.is_finished() {
            return Err(format!("{:?}", report.verdict));
        }
        let events = std::mem::take(&mut recording.expect("the run was prepared").seen().events);
        Ok(Self {
            events,
            program: prepared.program(),
            chip: prepared.chip,
            threads: case.extents.threads,
            blocks: case.extents.blocks.into(),
            report,
        })
    }

    /// Shader cycles per issue cycle.
    pub fn period(&self) -> u64 {
        self.chip.sm.issue_period.into()
    }

    /// Number of SMs of the chip.
    pub fn sms(&self) -> u32 {
        self.chip.clusters * self.chip.cluster.sms
    }

    /// Warps per block.
    pub fn warps_per_block(&self) -> u64 {
        self.threads.div_ceil(32).into()
    }

    /// Returns the events of an SM.
    pub fn of_sm(&self, sm: u32) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.sm == sm)
    }

    /// Returns the instruction at `pc`.
    pub fn inst(&self, pc: u32) -> &Inst {
        &self.program.code[pc as usize]
    }

    /// Returns the slots and launch numbers of the warps of `block`, which has the slots `warps`.
    pub fn ages(&self, block: u64, warps: u64) -> impl Iterator<Item = (u32, u64)> {
        bits(warps).zip(block * self.warps_per_block()..)
    }
}

/// Returns the instruction that issues in the cycle of the event, if the event reports one.
pub fn issues(event: &Event) -> Option<Issued> {
    match event.what {
        What::State { why: Why::Issued(issued), .. } if issued.origin.cycle == event.cycle => Some(issued),
        _ => None,
    }
}

/// Returns the set bits of a mask, in ascending order.
pub fn bits(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| mask >> bit & 1 == 1)
}

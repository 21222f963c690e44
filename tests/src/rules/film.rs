//! A film: every event of every SM of one run, with what is needed to understand it.

use crate::generate::Case;
use crate::run::Prepared;
use crate::watch::Recording;
use isa::uop::{Inst, Program};
use sim_core::config::Chip;
use sim_core::hooks::{Hooks, Mutant};
use sim_core::host::{Mode, RunOptions};
use sim_core::observe::{Event, Issued, What, Why};
use sim_core::stats::Report;
use std::sync::Arc;

/// One run.
pub struct Film {
    /// What happened, ordered by cycle, then SM.
    pub events: Vec<Event>,
    /// The kernel.
    pub program: Arc<Program>,
    /// The chip.
    pub chip: Chip,
    /// Threads of a block.
    pub threads: u32,
    /// Blocks of the grid.
    pub blocks: u64,
    /// How it ended.
    pub report: Report,
}

impl Film {
    /// Runs `case`, with a rule of the engine broken if there is a mutant. An error is a run that
    /// does not finish.
    pub fn shoot(case: &Case, mutant: Option<Mutant>) -> Result<Self, String> {
        let prepared = Prepared::new(case);
        let mut recording = None;
        let options = RunOptions {
            max_cycles: 20_000_000,
            hooks: Hooks { mutant, ..Hooks::default() },
            ..RunOptions::default()
        };
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

    /// Hot cycles of an issue cycle.
    pub fn period(&self) -> u64 {
        self.chip.sm.issue_period.into()
    }

    /// SMs of the chip.
    pub fn sms(&self) -> u32 {
        self.chip.clusters * self.chip.cluster.sms
    }

    /// Warps of a block.
    pub fn warps_per_block(&self) -> u64 {
        self.threads.div_ceil(32).into()
    }

    /// The events of an SM.
    pub fn of_sm(&self, sm: u32) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.sm == sm)
    }

    /// An instruction.
    pub fn inst(&self, pc: u32) -> &Inst {
        &self.program.code[pc as usize]
    }

    /// Launch numbers of the warps of `block`, which has the slots `warps`, each with its slot.
    pub fn ages(&self, block: u64, warps: u64) -> impl Iterator<Item = (u32, u64)> {
        bits(warps).zip(block * self.warps_per_block()..)
    }
}

/// The instruction that issues in this very cycle, if the event tells of one.
pub fn issues(event: &Event) -> Option<Issued> {
    match event.what {
        What::State { why: Why::Issued(issued), .. } if issued.origin.cycle == event.cycle => Some(issued),
        _ => None,
    }
}

/// The set bits of a mask, ascending.
pub fn bits(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| mask >> bit & 1 == 1)
}

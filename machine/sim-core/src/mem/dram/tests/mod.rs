//! Tests of the channel: exact cycles, the choices of the scheduler, and random traffic against the
//! timing rules.

mod definition;
mod earliest;
mod random;
mod scheduler;

use super::{Command, Dram};
use crate::config::{DramConfig, DramScheduler, DramTiming, PagePolicy};

/// Returns the GDDR3 of the G80 with the parameters of the usual models: 8 banks, 32 bytes in two
/// command cycles, no refresh.
pub(in crate::mem) fn gddr3() -> DramConfig {
    let timing = DramTiming {
        ccd: 2,
        ccdl: 2,
        rrd: 8,
        faw: 0,
        rcd: 12,
        ras: 25,
        rp: 10,
        rc: 35,
        cl: 10,
        wl: 7,
        cdlr: 6,
        wr: 11,
        rtp: 2,
        refi: 0,
        rfc: 0,
    };
    DramConfig {
        banks: 8,
        row_bytes: 2048,
        burst_bytes: 32,
        bank_groups: 1,
        interleaved_banks: 1,
        interleave_bytes: 2048,
        ecc_bursts: 0,
        scheduler: DramScheduler::FrFcfs,
        page: PagePolicy::Open,
        queue: 16,
        starvation: 1_000,
        timing,
    }
}

/// Returns the local address of a column in a bank's row.
fn address(config: &DramConfig, row: u32, bank: u32, column: u32) -> u32 {
    (row * config.banks + bank) * config.row_bytes + column
}

/// Ticks every command cycle of `clocks` and returns the issued commands.
fn run(dram: &mut Dram, clocks: std::ops::Range<u64>) -> Vec<(u64, Command)> {
    clocks.filter_map(|now| dram.tick(now).map(|command| (now, command))).collect()
}

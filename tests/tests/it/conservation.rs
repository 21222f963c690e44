//! Nothing is lost between units: for random kernels on random chips, the bytes that the report
//! counts for L1, L2 and DRAM are consistent wherever two units exchange data. (The code itself
//! asserts that every request has one reply and that no queue exceeds its capacity: a block does
//! not end before its loads have returned, and a link refuses a message without credit.)

use sim_core::host::{Mode, RunOptions};
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::run::Prepared;

fn same(what: &str, a: u64, b: u64) -> Checked {
    if a == b { Ok(()) } else { Err(format!("{what}: {a} and {b}")) }
}

fn bytes_are_kept(case: &Case) -> Checked {
    let prepared = Prepared::new(case);
    let options = RunOptions { max_cycles: 50_000_000, ..RunOptions::default() };
    let report = prepared.run(Mode::Timed, options).report;
    let t = report.timing.as_ref().ok_or("a timed run")?;
    let (l1, l2, dram) = (&t.l1.counters, &t.l2.counters, &t.dram);
    if prepared.chip.partition.l2.is_some() {
        same("bytes read for the L2, and by the DRAM", l2.read_bytes, dram.read_bytes)?;
        same("bytes written by the L2, and by the DRAM", l2.written_bytes, dram.write_bytes)?;
        same("sectors left dirty", l2.dirty_sectors, 0)?;
    } else {
        same(
            "sectors requested from an L2 that does not exist",
            l2.read_sector_queries + l2.write_sector_queries,
            0,
        )?;
    }
    if prepared.chip.sm.l1.is_some() {
        let seen = l1.global_load_hit + l1.global_load_miss + l1.uncached_global_loads;
        same("lines of global loads in the L1, and their transactions", seen, t.global.load.transactions)?;
        let seen = l1.local_load_hit + l1.local_load_miss;
        same("lines of local loads, and their transactions", seen, t.local.load.transactions)?;
        let seen = l1.local_store_hit + l1.local_store_miss;
        same("lines of local stores, and their transactions", seen, t.local.store.transactions)?;
        let gone = l1.local_words_written_back + t.l1.local_words_left;
        same("words made dirty, and written back or left", l1.local_words_dirtied, gone)?;
    } else {
        let seen = l1.global_load_hit + l1.global_load_miss + l1.uncached_global_loads;
        same("lines of an L1 that does not exist", seen, 0)?;
    }
    Ok(())
}

/// The byte counts of L1, L2 and DRAM are consistent.
///
/// Tests: `bytes-are-conserved`.
#[test]
fn bytes_in_are_bytes_out() {
    for_all(&case(), Draw::Same, 128, bytes_are_kept);
}

/// The same as [`bytes_in_are_bytes_out`], with more cases.
#[test]
#[ignore = "minutes"]
fn bytes_in_are_bytes_out_at_length() {
    for_all(&case(), Draw::New, 5_000, bytes_are_kept);
}

//! Host program of the sum reductions (section 6.1).
//!
//! The book sums one block. Here each block of 512 threads sums its 512 elements and writes one partial sum, and the
//! host adds those: blocks of one launch cannot wait for each other.

use crate::Workload;
use crate::check::Check;
use crate::host::{Outcome, RunError, Session};
use crate::numbers::{floats, wholes};
use isa::types::Dim3;
use sim_core::host::Arg;

const THREADS: u32 = 512;
/// Threads of a block.
const BLOCK: Dim3 = Dim3::new(THREADS, 1, 1);

/// The family's workloads.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, about, book, file, ptx, entry: &'static str| Workload {
        name,
        family: None,
        about,
        book,
        default_size: 262_144,
        size_meaning: "elements, at least 1; the last block is filled up with zeros",
        block: BLOCK,
        registers: None,
        file,
        ptx,
        program: Box::new(move |session, size| run(session, entry, size)),
    };
    vec![
        workload(
            "reduce-interleaved",
            "sums a vector in blocks of 512 with a doubling stride: diverges in every warp",
            "Kirk & Hwu, section 6.1, figure 6.2",
            "reduce_interleaved.ptx",
            include_str!("../ptx/reduce_interleaved.ptx"),
            "reduce_interleaved",
        ),
        workload(
            "reduce-halving",
            "sums a vector in blocks of 512 with a halving stride: keeps warps whole",
            "Kirk & Hwu, section 6.1, figure 6.4",
            "reduce_halving.ptx",
            include_str!("../ptx/reduce_halving.ptx"),
            "reduce_halving",
        ),
    ]
}

/// Sums `size` elements with the kernel `entry`.
fn run(session: &mut Session<'_>, entry: &str, size: u64) -> Result<Outcome, RunError> {
    let blocks = session.blocks(size, THREADS)?;
    session.require_memory(size, u128::from(size) + u128::from(blocks))?;
    let values = wholes(1, size, 0, 15);

    let input = session.upload(&floats(&values))?;
    let output = session.allocate(u64::from(blocks))?;
    let args = [Arg::Ptr(input), Arg::Ptr(output), Arg::U32(size as u32)];
    let report = session.launch(entry, blocks, BLOCK, args)?;

    let (check, total) = if report.verdict.is_finished() {
        let partial = session.download(output, u64::from(blocks))?;
        let expected = values.chunks(THREADS as usize).map(|block| f64::from(block.iter().sum::<i32>()));
        let total: f64 = partial.iter().map(|sum| f64::from(*sum)).sum();
        (Check::compare(expected, &partial, 0.0), format!(" is {total}"))
    } else {
        (Check::none(&report.verdict), String::new())
    };
    let s = if size == 1 { "" } else { "s" };
    let summary = format!("sum of {size} element{s}{total}: {}", check.describe("partial sums"));
    Ok(Outcome { reports: vec![report], check, summary })
}

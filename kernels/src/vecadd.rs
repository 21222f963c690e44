//! Host program of vector addition (chapter 3).

use crate::Workload;
use crate::check::Check;
use crate::host::{HostRun, RunError, Session};
use crate::numbers::{counted, floats, wholes};
use isa::types::Dim3;
use sim_core::host::Arg;

const THREADS: u32 = 256;
/// Threads per block.
const BLOCK: Dim3 = Dim3::new(THREADS, 1, 1);

/// Returns the family's workloads.
pub fn workloads() -> Vec<Workload> {
    vec![Workload {
        name: "vecadd",
        family: None,
        about: "adds two vectors, one thread per element",
        book: "Kirk & Hwu, chapter 3",
        default_size: 262_144,
        small_sizes: &[1, 256, 1_001],
        size_meaning: "elements of each vector, at least 1",
        block: BLOCK,
        registers: None,
        file: "vecadd.ptx",
        ptx: include_str!("../ptx/vecadd.ptx"),
        cuda: include_str!("../cuda/vecadd.cu"),
        program: Box::new(run),
    }]
}

/// Adds two vectors of `size` elements.
fn run(session: &mut Session<'_>, size: u64) -> Result<HostRun, RunError> {
    let blocks = session.blocks(size, THREADS)?;
    session.require_memory(size, 3 * u128::from(size))?;
    let (left, right) = (wholes(1, size, -1000, 1000), wholes(2, size, -1000, 1000));

    let a = session.upload(&floats(&left))?;
    let b = session.upload(&floats(&right))?;
    let c = session.allocate(size)?;
    let args = [Arg::Ptr(a), Arg::Ptr(b), Arg::Ptr(c), Arg::S32(size as i32)];
    let report = session.launch("vecadd", blocks, BLOCK, args)?;

    let check = if report.verdict.is_finished() {
        let sums = session.download(c, size)?;
        Check::compare(left.iter().zip(&right).map(|(l, r)| f64::from(l + r)), &sums, 0.0)
    } else {
        Check::none(&report.verdict)
    };
    let elements = counted(size, "element", "elements");
    let summary = format!("vector addition of {elements}: {}", check.describe("elements"));
    Ok(HostRun { reports: vec![report], check, summary })
}

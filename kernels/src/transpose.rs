//! Host program of the block transpose (exercise 4.2): each block of a matrix is transposed in
//! place.

use crate::Workload;
use crate::check::Check;
use crate::host::{HostRun, RunError, Session};
use crate::numbers::{floats, wholes};
use crate::template::{define, fill};
use isa::types::Dim3;
use sim_core::host::Arg;

const TEMPLATE: &str = include_str!("../ptx/block_transpose.template");
const CUDA: &str = include_str!("../cuda/block_transpose.cu");
/// Rows and columns of a block in the workloads.
const SIDE: u32 = 16;

/// Name of the kernel in its text.
pub fn entry(barrier: bool) -> &'static str {
    if barrier { "block_transpose" } else { "block_transpose_no_barrier" }
}

/// Fills the template for blocks of `side` x `side` threads, with the barrier that the exercise
/// asks for or without.
pub fn text(side: u32, barrier: bool) -> String {
    let (how, pseudo, line) = if barrier {
        (
            "with the barrier that it asks for.",
            "//   wait for the block                          the tile is complete\n",
            "\n\t// No thread may read a word before another thread has written it.\n\tbar.sync\t0;\n",
        )
    } else {
        ("as printed: the barrier is missing.", "", "")
    };
    let values = [
        ("SIDE", side.to_string()),
        ("HOW", how.to_owned()),
        ("PSEUDO", pseudo.to_owned()),
        ("ENTRY", entry(barrier).to_owned()),
        ("WORDS", (side * side).to_string()),
        ("BARRIER", line.to_owned()),
    ];
    fill(TEMPLATE, &values)
}

/// Returns the kernel of [`text`] in CUDA C.
fn cuda(side: u32, barrier: bool) -> String {
    let values = [
        ("ENTRY", entry(barrier).to_owned()),
        ("SIDE", side.to_string()),
        ("BARRIER", u8::from(barrier).to_string()),
    ];
    define(&values, CUDA)
}

/// Returns the workloads.
pub fn workloads() -> Vec<Workload> {
    [true, false].map(workload).into_iter().collect()
}

fn workload(barrier: bool) -> Workload {
    let about = if barrier {
        "transposes each 16x16 block of a matrix in place, through shared memory"
    } else {
        "transposes each block with a race, as the exercise is printed: results may be wrong"
    };
    Workload {
        name: if barrier { "block-transpose" } else { "block-transpose-printed" },
        family: Some("block-transpose"),
        about,
        book: "Kirk & Hwu, exercise 4.2",
        default_size: 256,
        small_sizes: &[16, 48],
        size_meaning: "rows and columns of the matrix, a multiple of 16",
        block: Dim3::new(SIDE, SIDE, 1),
        registers: None,
        file: if barrier { "block_transpose.ptx" } else { "block_transpose_no_barrier.ptx" },
        ptx: text(SIDE, barrier).leak(),
        cuda: cuda(SIDE, barrier).leak(),
        program: Box::new(move |session, size| run(session, barrier, size)),
    }
}

fn run(session: &mut Session<'_>, barrier: bool, size: u64) -> Result<HostRun, RunError> {
    if !size.is_multiple_of(SIDE.into()) {
        return Err(session.bad_size(size, format!("it must be a multiple of {SIDE}")));
    }
    let blocks = session.blocks(size, SIDE)?;
    session.require_memory(size, u128::from(size) * u128::from(size))?;
    let matrix = wholes(1, size * size, -1000, 1000);
    let a = session.upload(&floats(&matrix))?;
    let args = [Arg::Ptr(a), Arg::S32(size as i32)];
    let report = session.launch(entry(barrier), (blocks, blocks), (SIDE, SIDE), args)?;
    let check = if report.verdict.is_finished() {
        let expected = transposed(&matrix, size as usize, SIDE as usize);
        Check::compare(expected.into_iter().map(f64::from), &session.download(a, size * size)?, 0.0)
    } else {
        Check::none(&report.verdict)
    };
    let summary = format!("{size} x {size} matrix in {SIDE} x {SIDE} blocks: {}", check.describe("elements"));
    Ok(HostRun { reports: vec![report], check, summary })
}

/// Reference: transposes each block of `side` x `side` elements of a matrix with rows of `width`
/// elements.
pub fn transposed<T: Copy>(matrix: &[T], width: usize, side: usize) -> Vec<T> {
    let place = |i: usize| {
        let (row, col) = (i / width, i % width);
        let (top, left) = (row / side * side, col / side * side);
        (top + col - left) * width + left + row - top
    };
    (0..matrix.len()).map(|i| matrix[place(i)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_transposes_each_block() {
        let matrix: Vec<u32> = (0..16).collect();
        let expected = [0, 4, 2, 6, 1, 5, 3, 7, 8, 12, 10, 14, 9, 13, 11, 15];
        assert_eq!(transposed(&matrix, 4, 2), expected);
        assert_eq!(transposed(&matrix, 4, 1), matrix);
        assert_eq!(transposed(&matrix, 4, 4)[..5], [0, 4, 8, 12, 1]);
    }
}

//! Host program of the matrix multiplications (chapters 4 and 5).

use crate::Workload;
use crate::check::Check;
use crate::host::{Outcome, RunError, Session};
use crate::numbers::{floats, wholes};
use isa::types::Dim3;
use sim_core::host::Arg;

/// Rows and columns of a block, and of the tile.
const TILE: u32 = 16;
/// Threads of a block.
const BLOCK: Dim3 = Dim3::new(TILE, TILE, 1);

/// The family's workloads.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, about, book, registers, file, ptx, entry: &'static str| Workload {
        name,
        family: None,
        about,
        book,
        default_size: 256,
        size_meaning: "rows and columns of each matrix, a multiple of 16",
        block: BLOCK,
        registers,
        file,
        ptx,
        program: Box::new(move |session, size| run(session, entry, size)),
    };
    vec![
        workload(
            "matmul-naive",
            "multiplies two square matrices, all operands from global memory",
            "Kirk & Hwu, chapter 4",
            None,
            "matmul_naive.ptx",
            include_str!("../ptx/matmul_naive.ptx"),
            "matmul_naive",
        ),
        workload(
            "matmul-tiled",
            "multiplies two square matrices by 16x16 tiles in shared memory",
            "Kirk & Hwu, chapter 5",
            // Kirk & Hwu, sections 5.4 and 6.3; Ryoo et al., PPoPP 2008.
            Some(10),
            "matmul_tiled.ptx",
            include_str!("../ptx/matmul_tiled.ptx"),
            "matmul_tiled",
        ),
    ]
}
/// Inputs are whole numbers from -`LARGEST` to `LARGEST`.
const LARGEST: i32 = 8;
/// Above this width a sum of products could leave the whole numbers that single precision holds exactly.
const EXACT_WIDTH: u64 = (1 << 24) / (LARGEST * LARGEST) as u64;

/// Multiplies two square matrices of `size` rows with the kernel `entry`.
fn run(session: &mut Session<'_>, entry: &str, size: u64) -> Result<Outcome, RunError> {
    if size == 0 || !size.is_multiple_of(u64::from(TILE)) {
        let lower = size / u64::from(TILE) * u64::from(TILE);
        let near = if lower == 0 { String::new() } else { format!("{lower} or ") };
        let why =
            format!("it must be a multiple of {TILE}; the nearest are {near}{}", lower + u64::from(TILE));
        return Err(session.bad_size(size, why));
    }
    if size > EXACT_WIDTH {
        return Err(session.bad_size(size, format!("it must be at most {EXACT_WIDTH}")));
    }
    let blocks = session.blocks(size, TILE)?;
    let elements = size * size;
    session.require_memory(size, 3 * u128::from(elements))?;
    let left = wholes(1, elements, -LARGEST, LARGEST);
    let right = wholes(2, elements, -LARGEST, LARGEST);

    let m = session.upload(&floats(&left))?;
    let n = session.upload(&floats(&right))?;
    let p = session.allocate(elements)?;
    let args = [Arg::Ptr(m), Arg::Ptr(n), Arg::Ptr(p), Arg::S32(size as i32)];
    let report = session.launch(entry, (blocks, blocks), BLOCK, args)?;

    let check = if report.verdict.is_finished() {
        let product = session.download(p, elements)?;
        let expected = multiply(&left, &right, size as usize);
        Check::compare(expected.into_iter().map(f64::from), &product, 0.0)
    } else {
        Check::none(&report.verdict)
    };
    let summary = format!("product of two {size} x {size} matrices: {}", check.describe("elements"));
    Ok(Outcome { reports: vec![report], check, summary })
}

/// The reference: rows of the right factor added up, so that the host walks memory in order.
pub(crate) fn multiply(left: &[i32], right: &[i32], width: usize) -> Vec<i32> {
    let mut product = vec![0; width * width];
    for (row, sums) in product.chunks_exact_mut(width).enumerate() {
        for (k, factor) in left[row * width..][..width].iter().enumerate() {
            for (sum, value) in sums.iter_mut().zip(&right[k * width..][..width]) {
                *sum += factor * value;
            }
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_multiplies() {
        // The book's example (appendix A.5): m[i][j] = n[i][j] = i + j + 1, 8 x 8.
        let matrix: Vec<i32> = (0..64).map(|i| i / 8 + i % 8 + 1).collect();
        let product = multiply(&matrix, &matrix, 8);
        assert_eq!(product[..8], [204, 240, 276, 312, 348, 384, 420, 456]);
        assert_eq!(product[63], 1100);
        assert_eq!(product.iter().sum::<i32>(), 35_456);
    }
}

//! Host programs of the matrix products: square products by several kernels, and products of any
//! shape.

use crate::check::Check;
use crate::host::{HostRun, RunError, Session};
use crate::numbers::{floats, wholes};
use isa::types::Dim3;
use sim_core::host::Arg;

/// Inputs are whole numbers from -`LARGEST` to `LARGEST`.
const LARGEST: i32 = 8;
/// Above this width a sum of products could exceed the whole numbers that single precision
/// represents exactly.
const EXACT_WIDTH: u64 = (1 << 24) / (LARGEST * LARGEST) as u64;

/// Launch parameters of a kernel for square products.
#[derive(Clone, Debug)]
pub struct Square {
    /// Name of the kernel in the text.
    pub entry: String,
    /// Threads per block.
    pub block: Dim3,
    /// Columns of the product per block: a multiple of the block's side.
    pub wide: u32,
}

/// Multiplies two square matrices of `size` rows.
pub fn square(session: &mut Session<'_>, kernel: &Square, size: u64) -> Result<HostRun, RunError> {
    let wide = u64::from(kernel.wide);
    if size == 0 || !size.is_multiple_of(wide) {
        let lower = size / wide * wide;
        let nearest = match lower.checked_add(wide) {
            Some(upper) if lower == 0 => format!("is {upper}"),
            Some(upper) => format!("are {lower} or {upper}"),
            None => format!("is {lower}"),
        };
        return Err(session.bad_size(size, format!("it must be a multiple of {wide}; the nearest {nearest}")));
    }
    let rows = session.blocks(size, kernel.block.y)?;
    let grid = (session.blocks(size, kernel.wide)?, rows);
    let shape = Shape { rows: size, inner: size, columns: size };
    multiply_on(session, &kernel.entry, (grid, (kernel.block.x, kernel.block.y)), shape, [size as i32])
}

/// Multiplies two square matrices with one block that has a thread per element of the product.
pub fn single(session: &mut Session<'_>, size: u64) -> Result<HostRun, RunError> {
    let limit = u64::from(session.chip().limits.threads_per_block);
    if size == 0 || size.saturating_mul(size) > limit {
        let why =
            format!("a block has size x size threads, at most {limit} on this chip: 1 to {}", limit.isqrt());
        return Err(session.bad_size(size, why));
    }
    let shape = Shape { rows: size, inner: size, columns: size };
    let side = size as u32;
    multiply_on(session, "matmul_single", ((1, 1), (side, side)), shape, [size as i32])
}

/// Multiplies two matrices of any shape with tiles of 16 x 16.
pub fn any(session: &mut Session<'_>, shape: Shape) -> Result<HostRun, RunError> {
    const TILE: u32 = 16;
    session.blocks(shape.inner, TILE)?;
    let grid = (session.blocks(shape.columns, TILE)?, session.blocks(shape.rows, TILE)?);
    let extents = [shape.rows, shape.inner, shape.columns].map(|extent| extent as i32);
    multiply_on(session, "matmul_any", (grid, (TILE, TILE)), shape, extents)
}

/// Shape of a product: `rows` x `inner` times `inner` x `columns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of the left factor and of the product.
    pub rows: u64,
    /// Columns of the left factor, rows of the right one.
    pub inner: u64,
    /// Columns of the right factor and of the product.
    pub columns: u64,
}

/// Uploads the factors, launches, and compares the product. `extents` are the arguments after the
/// addresses.
fn multiply_on(
    session: &mut Session<'_>,
    entry: &str,
    (grid, block): ((u32, u32), (u32, u32)),
    shape: Shape,
    extents: impl IntoIterator<Item = i32>,
) -> Result<HostRun, RunError> {
    let Shape { rows, inner, columns } = shape;
    if inner > EXACT_WIDTH {
        return Err(session.bad_size(inner, format!("it must be at most {EXACT_WIDTH}")));
    }
    let words = [rows * inner, inner * columns, rows * columns];
    session.require_memory(rows, words.iter().map(|&n| u128::from(n)).sum())?;
    let left = wholes(1, words[0], -LARGEST, LARGEST);
    let right = wholes(2, words[1], -LARGEST, LARGEST);

    let m = session.upload(&floats(&left))?;
    let n = session.upload(&floats(&right))?;
    let p = session.allocate(words[2])?;
    let args = [m, n, p].map(Arg::Ptr).into_iter().chain(extents.into_iter().map(Arg::S32));
    let report = session.launch(entry, grid, block, args)?;

    let check = if report.verdict.is_finished() {
        let product = session.download(p, words[2])?;
        let expected = multiply(&left, &right, inner as usize, columns as usize);
        Check::compare(expected.into_iter().map(f64::from), &product, 0.0)
    } else {
        Check::none(&report.verdict)
    };
    let what = if rows == inner && inner == columns {
        format!("two {rows} x {rows} matrices")
    } else {
        format!("a {rows} x {inner} and a {inner} x {columns} matrix")
    };
    let summary = format!("product of {what}: {}", check.describe("elements"));
    Ok(HostRun { reports: vec![report], check, summary })
}

/// Reference product; it adds up rows of the right factor, so that the host reads memory in order.
pub fn multiply(left: &[i32], right: &[i32], inner: usize, columns: usize) -> Vec<i32> {
    let mut product = vec![0; left.len() / inner * columns];
    for (row, sums) in product.chunks_exact_mut(columns).enumerate() {
        for (k, factor) in left[row * inner..][..inner].iter().enumerate() {
            for (sum, value) in sums.iter_mut().zip(&right[k * columns..][..columns]) {
                *sum += factor * value;
            }
        }
    }
    product
}

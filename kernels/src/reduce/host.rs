//! Host programs of the sums and dot products.

use crate::check::Check;
use crate::host::{HostRun, RunError, Session};
use crate::numbers::{counted, floats, wholes};
use sim_core::host::Arg;
use std::iter::successors;

/// Elements that a block sums.
pub const PER_BLOCK: u32 = 512;
/// Elements of a dot product.
pub const LENGTH: u32 = 256;
/// Elements of a sum are whole numbers from 0 to this.
const LARGEST: i32 = 15;

/// Sums `size` elements with the kernel `entry` in blocks of `threads` threads; the host adds the
/// blocks' sums.
pub fn sum(session: &mut Session<'_>, entry: &str, threads: u32, size: u64) -> Result<HostRun, RunError> {
    let blocks = session.blocks(size, PER_BLOCK)?;
    session.require_memory(size, u128::from(size) + u128::from(blocks))?;
    let values = wholes(1, size, 0, LARGEST);

    let input = session.upload(&floats(&values))?;
    let output = session.allocate(u64::from(blocks))?;
    let args = [Arg::Ptr(input), Arg::Ptr(output), Arg::U32(size as u32)];
    let report = session.launch(entry, blocks, threads, args)?;

    let (check, total) = if report.verdict.is_finished() {
        let partial = session.download(output, u64::from(blocks))?;
        let expected = values.chunks(PER_BLOCK as usize).map(|block| f64::from(block.iter().sum::<i32>()));
        let total: f64 = partial.iter().map(|sum| f64::from(*sum)).sum();
        (Check::compare(expected, &partial, 0.0), format!(" is {total}"))
    } else {
        (Check::none(&report.verdict), String::new())
    };
    let elements = counted(size, "element", "elements");
    let summary = format!("sum of {elements}{total}: {}", check.describe("partial sums"));
    Ok(HostRun { reports: vec![report], check, summary })
}

/// Sums `size` elements by launches of `reduce_halving`: the first on the elements, each later one
/// on the sums of the previous one, until one is left.
pub fn sum_repeatedly(session: &mut Session<'_>, size: u64) -> Result<HostRun, RunError> {
    // Single precision represents all sums exactly.
    let most = (1 << 24) / LARGEST as u64;
    if size > most {
        return Err(session.bad_size(size, format!("it must be at most {most}")));
    }
    // The sums of all launches: the host frees none before the end.
    let first = session.blocks(size, PER_BLOCK)?;
    let per_block = u64::from(PER_BLOCK);
    let sums = successors(Some(u64::from(first)), |left| (*left > 1).then(|| left.div_ceil(per_block)));
    session.require_memory(size, u128::from(size + sums.sum::<u64>()))?;
    let values = wholes(1, size, 0, LARGEST);
    let mut from = session.upload(&floats(&values))?;
    let (mut left, mut reports) = (size, Vec::new());
    loop {
        let blocks = session.blocks(left, PER_BLOCK)?;
        let to = session.allocate(blocks.into())?;
        let args = [Arg::Ptr(from), Arg::Ptr(to), Arg::U32(left as u32)];
        let report = session.launch("reduce_halving", blocks, PER_BLOCK, args)?;
        let whole = report.verdict.is_whole();
        reports.push(report);
        (from, left) = (to, blocks.into());
        if left == 1 || !whole {
            break;
        }
    }
    let check = if let Some(none) = Check::unfinished(&reports) {
        none
    } else {
        let total = f64::from(values.iter().sum::<i32>());
        Check::compare([total].into_iter(), &session.download(from, 1)?, 0.0)
    };
    let summary = format!(
        "sum of {} by {}: {}",
        counted(size, "element", "elements"),
        counted(reports.len() as u64, "launch", "launches"),
        check.describe("sums")
    );
    Ok(HostRun { reports, check, summary })
}

/// Computes `size` dot products with the kernel `entry`.
pub fn products(session: &mut Session<'_>, entry: &str, size: u64) -> Result<HostRun, RunError> {
    let blocks = session.blocks(size, 1)?;
    let elements = size * u64::from(LENGTH);
    session.require_memory(size, 2 * u128::from(elements) + u128::from(size))?;
    let factors = [1, 2].map(|stream| wholes(stream, elements, -3, 3));
    let a = session.upload(&floats(&factors[0]))?;
    let b = session.upload(&floats(&factors[1]))?;
    let out = session.allocate(size)?;
    let report = session.launch(entry, blocks, LENGTH, [Arg::Ptr(a), Arg::Ptr(b), Arg::Ptr(out)])?;
    let check = if report.verdict.is_finished() {
        let length = LENGTH as usize;
        let product = |(a, b): (&[i32], &[i32])| a.iter().zip(b).map(|(a, b)| a * b).sum::<i32>();
        let expected = factors[0].chunks(length).zip(factors[1].chunks(length)).map(product);
        Check::compare(expected.map(f64::from), &session.download(out, size)?, 0.0)
    } else {
        Check::none(&report.verdict)
    };
    let products = counted(size, "dot product", "dot products");
    let summary = format!("{products} of {LENGTH} elements: {}", check.describe("products"));
    Ok(HostRun { reports: vec![report], check, summary })
}

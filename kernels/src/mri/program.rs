//! The host programs: a kernel sums a scan of the phantom, and the result is compared with the
//! host's sums.

use super::kernel::{CHUNK, Kernel, Trig};
use super::phantom::Phantom;
use super::reference::Order;
use super::scatter::{THREADS, Update};
use crate::check::Check;
use crate::host::{HostRun, RunError, Session};
use crate::numbers::{counted, floats, wholes};
use sim_core::host::{Arg, DevicePtr};
use sim_core::stats::Report;

/// The number of voxels in each direction is a multiple of this.
const STEP: u64 = 4;
/// Largest number of voxels in each direction: the host computes 10^9 angles for its reference.
const LARGEST: u64 = 32;

/// Method of the summation of F^H d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One thread per voxel.
    Gather(Kernel),
    /// One thread per sample.
    Scatter(Update),
}

/// Result of a reconstruction.
pub struct Reconstruction {
    /// One report per launch.
    pub reports: Vec<Report>,
    /// Comparison of the real sums, then the imaginary sums, with the host's.
    pub check: Check,
    /// PSNR in decibels of the kernel's image and of the image from the host's sums.
    pub psnr: [f64; 2],
}

/// Runs `way` on an image of `size` voxels in each direction.
pub fn run(session: &mut Session<'_>, way: Way, size: u64) -> Result<HostRun, RunError> {
    if size == 0 || !size.is_multiple_of(STEP) || size > LARGEST {
        let why = format!("it must be a multiple of {STEP} from {STEP} to {LARGEST}");
        return Err(session.bad_size(size, why));
    }
    let made = reconstruct(session, way, &Phantom::new(size as u32, 0))?;
    let voxels = size.pow(3);
    let image = if made.check.verdict().is_none() {
        String::new()
    } else {
        let [psnr, reference] = made.psnr;
        format!("; PSNR {psnr:.2} dB, {reference:.2} dB by the host's sums in double precision")
    };
    let summary =
        format!("F^H d of {voxels} voxels from {voxels} samples: {}{image}", made.check.describe("sums"));
    Ok(HostRun { reports: made.reports, check: made.check, summary })
}

/// Sums a scan, compares the sums, and computes the quality of the image.
pub fn reconstruct(
    session: &mut Session<'_>,
    way: Way,
    phantom: &Phantom,
) -> Result<Reconstruction, RunError> {
    let count = phantom.samples();
    let threads = match way {
        Way::Gather(kernel) => kernel.threads(),
        Way::Scatter(_) => THREADS,
    };
    // The last block is padded with voxels that are ignored, or with samples that add nothing.
    let padded = count.next_multiple_of(threads as usize);
    let mut columns = Vec::new();
    for column in &phantom.voxels {
        columns.push(upload(session, column, padded)?);
    }
    for _ in 0..2 {
        columns.push(upload(session, &[], padded)?);
    }
    let sums = [columns[3], columns[4]];
    let (reports, trig, order) = match way {
        Way::Gather(kernel) => {
            (gather(session, kernel, phantom, columns, padded)?, kernel.trig, Order::OfSamples)
        }
        Way::Scatter(_) => (scatter(session, phantom, columns, padded)?, Trig::Software, Order::Any),
    };
    if let Some(check) = Check::unfinished(&reports) {
        return Ok(Reconstruction { reports, check, psnr: [f64::NAN; 2] });
    }
    let mut got = session.download(sums[0], count as u64)?;
    let [re, im] = phantom.reference();
    let psnr =
        [phantom.psnr(got.iter().map(|sum| f64::from(*sum))), phantom.psnr(re.iter().map(|sum| sum.value))];
    got.extend(session.download(sums[1], count as u64)?);
    let expected: Vec<_> =
        re.iter().chain(&im).map(|sum| (sum.value, sum.bound(count, trig, order))).collect();
    let check = Check::compare_each(expected.into_iter(), &got);
    Ok(Reconstruction { reports, check, psnr })
}

/// Uploads a column, padded with zeros.
fn upload(session: &mut Session<'_>, column: &[f32], words: usize) -> Result<DevicePtr, RunError> {
    let mut column = column.to_vec();
    column.resize(words, 0.0);
    session.upload(&column)
}

/// Launches one thread per voxel. `columns`: x, y, z and the sums.
fn gather(
    session: &mut Session<'_>,
    kernel: Kernel,
    phantom: &Phantom,
    mut columns: Vec<DevicePtr>,
    padded: usize,
) -> Result<Vec<Report>, RunError> {
    let [kx, ky, kz] = phantom.places.clone();
    let [a, b] = phantom.mu();
    let samples = [kx, ky, kz, a, b];
    for column in &samples {
        columns.push(session.upload(column)?);
    }
    let all = phantom.samples();
    let at_once = if kernel.in_constant() { CHUNK as usize } else { all };
    let mut reports = Vec::new();
    for first in (0..all).step_by(at_once) {
        let count = at_once.min(all - first);
        let mut pointers = columns.clone();
        if kernel.in_constant() {
            let chunk = kernel.chunk(&samples, first, count);
            let bytes: Vec<u8> = chunk.iter().flat_map(|v| v.to_le_bytes()).collect();
            session.copy_to_symbol("scan", 0, &bytes)?;
            for values in &mut pointers[8..] {
                *values = values.offset(4 * first as u32);
            }
        }
        let args = pointers.into_iter().map(Arg::Ptr).chain([Arg::S32(count as i32)]);
        let blocks = padded as u32 / kernel.threads();
        let report = session.launch(kernel.entry(), blocks, kernel.threads(), args)?;
        let whole = report.verdict.is_whole();
        reports.push(report);
        if !whole {
            break;
        }
    }
    Ok(reports)
}

/// Launches one thread per sample. `columns`: x, y, z and the sums.
fn scatter(
    session: &mut Session<'_>,
    phantom: &Phantom,
    mut columns: Vec<DevicePtr>,
    padded: usize,
) -> Result<Vec<Report>, RunError> {
    for column in phantom.places.iter().chain(&phantom.phi).chain(&phantom.data) {
        columns.push(upload(session, column, padded)?);
    }
    let args = columns.into_iter().map(Arg::Ptr).chain([Arg::S32(phantom.voxels[0].len() as i32)]);
    Ok(vec![session.launch("mri_fhd", padded as u32 / THREADS, THREADS, args)?])
}

/// Computes the values of `size` samples with the kernel of figure 8.7, on whole numbers: exact.
pub fn mu(session: &mut Session<'_>, size: u64) -> Result<HostRun, RunError> {
    let blocks = session.blocks(size, THREADS)?;
    let padded = u64::from(blocks) * u64::from(THREADS);
    session.require_memory(size, 6 * u128::from(padded))?;
    let columns: Vec<Vec<i32>> = (1..=4).map(|stream| wholes(stream, size, -100, 100)).collect();
    let mut pointers = Vec::new();
    for column in &columns {
        pointers.push(upload(session, &floats(column), padded as usize)?);
    }
    let results = [session.allocate(padded)?, session.allocate(padded)?];
    pointers.extend(results);
    let report = session.launch("mri_mu", blocks, THREADS, pointers.into_iter().map(Arg::Ptr))?;
    let check = if report.verdict.is_finished() {
        let mut got = session.download(results[0], size)?;
        got.extend(session.download(results[1], size)?);
        let value = |m: usize, k: usize| f64::from(columns[k][m]);
        let all = 0..size as usize;
        let re = all.clone().map(|m| value(m, 0) * value(m, 2) + value(m, 1) * value(m, 3));
        let im = all.map(|m| value(m, 0) * value(m, 3) - value(m, 1) * value(m, 2));
        Check::compare(re.chain(im).collect::<Vec<_>>().into_iter(), &got, 0.0)
    } else {
        Check::none(&report.verdict)
    };
    let summary = format!("values of {}: {}", counted(size, "sample", "samples"), check.describe("parts"));
    Ok(HostRun { reports: vec![report], check, summary })
}

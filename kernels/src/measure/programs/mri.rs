//! F^H d and Q of the book's MRI reconstruction, in three versions of one template (`ptx/measure/mri.template`, with
//! `ptx/measure/trig.template` for sine and cosine in software).
//!
//! **What is counted.** Published are minutes and GFLOP/s. 128^3 voxels times 284,592 samples in 41.0, 9.8 and 1.5
//! minutes at 5.4, 22.8 and 144.5 GFLOP/s make 22.3 to 22.5 operations for a voxel and sample of F^H d; Q, which has
//! 256^3 points, has 16.7 to 16.9 by its 260.2, 72.0 and 7.5 minutes. That is 1.4 times the 16 and 12 operations of the
//! formulas (14 and 10, and two trigonometric functions). Counted here are 22.4 and 16.8, so that a GFLOP/s is what
//! was published as one.

mod text;

use super::{compiled_for, unknown, wave};
use crate::RunError;
use crate::measure::lab::Lab;
use crate::measure::{Experiment, Measured, Scale};
use crate::numbers::whole;
use isa::Options;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Launch};

/// Samples of the published scan.
const SAMPLES: u32 = 284_592;
/// Samples in constant memory at a time.
const CHUNK: u32 = 2048;

/// The rows.
pub static EXPERIMENTS: &[Experiment] =
    &[Experiment { rows: &["V194", "V195", "V196", "V197", "V198", "V199"], run }];

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sum {
    /// F^H d: a sample has two values.
    Fhd,
    /// Q: a sample has a weight.
    Q,
}

/// How.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// Everything in global memory, sine and cosine in software.
    Global,
    /// Samples in constant memory, an array for each of their words; sine and cosine in software.
    Constant,
    /// Samples in constant memory, word by word of each; sine and cosine by special function units; unrolled.
    Tuned,
}

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kernel {
    sum: Sum,
    version: Version,
}

fn of(row: &str) -> Option<Kernel> {
    let (sum, version) = match row {
        "V194" => (Sum::Fhd, Version::Global),
        "V195" => (Sum::Fhd, Version::Constant),
        "V196" => (Sum::Fhd, Version::Tuned),
        "V197" => (Sum::Q, Version::Global),
        "V198" => (Sum::Q, Version::Constant),
        "V199" => (Sum::Q, Version::Tuned),
        _ => return None,
    };
    Some(Kernel { sum, version })
}

fn run(chip: &Chip, row: &str, scale: Scale) -> Result<Measured, RunError> {
    let kernel = of(row).ok_or_else(|| unknown(row))?;
    let mut lab = kernel.laboratory(chip)?;
    let threads = kernel.threads();
    let nothing =
        kernel.launch(&lab, &Buffers { voxels: [DevicePtr::new(0); 5], samples: [DevicePtr::new(0); 5] });
    let side = kernel.side();
    let (voxels, samples) = super::by_scale(
        scale,
        (wave(&lab, &nothing) * threads, kernel.few_samples()),
        (side.pow(3), SAMPLES),
    );
    let scan = Scan::made(voxels, samples);
    let (ns, _) = kernel.whole(&mut lab, &scan)?;
    let measured = Measured::emergent(kernel.flops() * f64::from(voxels) * f64::from(samples) / ns);
    Ok(match scale {
        Scale::Short => measured
            .instead(format!("{voxels} voxels and {samples} samples instead of {side}^3 and {SAMPLES}")),
        Scale::Full => measured,
    })
}

/// What lies in device memory.
struct Buffers {
    /// x, y, z, and the sums: a word for each voxel each.
    voxels: [DevicePtr; 5],
    /// kx, ky, kz and the values: a word for each sample each, if samples are in global memory.
    samples: [DevicePtr; 5],
}

/// Places of voxels (x, y, z) and samples (kx, ky, kz, and two values).
struct Scan {
    voxels: [Vec<f32>; 3],
    samples: [Vec<f32>; 5],
}

impl Scan {
    /// Places on grids of their own, so that angles are those of many turns.
    fn made(voxels: u32, samples: u32) -> Self {
        let column = |stream, count: u32, unit: f32| {
            (0..count).map(|i| whole(stream, i.into(), -64, 63) as f32 * unit).collect()
        };
        Self {
            voxels: [1, 2, 3].map(|stream| column(stream, voxels, 1.0)),
            samples: [4, 5, 6, 7, 8].map(|stream| column(stream, samples, 1.0 / 128.0)),
        }
    }
}

impl Kernel {
    /// Operations for a voxel and sample, as they were counted: see the head of this file.
    fn flops(self) -> f64 {
        match self.sum {
            Sum::Fhd => 1.4 * 16.0,
            Sum::Q => 1.4 * 12.0,
        }
    }

    /// Voxels of the published scan in a row.
    fn side(self) -> u32 {
        match self.sum {
            Sum::Fhd => 128,
            Sum::Q => 256,
        }
    }

    /// Words of a sample.
    fn words(self) -> u32 {
        match self.sum {
            Sum::Fhd => 5,
            Sum::Q => 4,
        }
    }

    /// Threads of a block; of the last version, small blocks that fit the registers well.
    fn threads(self) -> u32 {
        if self.version == Version::Tuned { 128 } else { 256 }
    }

    /// As many samples as make a steady state; from constant memory, more than its cache holds.
    fn few_samples(self) -> u32 {
        match self.version {
            Version::Global => 64,
            Version::Constant => 512,
            Version::Tuned => 1024,
        }
    }

    fn laboratory(self, chip: &Chip) -> Result<Lab, RunError> {
        Lab::new(chip.clone(), "mri.ptx", &compiled_for(chip, &self.text()), Options::default())
    }

    /// Everything about a launch but its blocks and samples.
    fn launch(self, lab: &Lab, buffers: &Buffers) -> Launch {
        let pointers = buffers.voxels.into_iter().chain(buffers.samples).map(Arg::Ptr);
        Launch::new(lab.module, "mri", 1, self.threads()).args(pointers.chain([Arg::S32(0)]))
    }

    /// The sums of all samples: nanoseconds of all launches, and where the sums lie.
    fn whole(self, lab: &mut Lab, scan: &Scan) -> Result<(f64, [DevicePtr; 2]), RunError> {
        let voxels = scan.voxels[0].len();
        // Columns lie as far apart as those of the published scan do, one right behind the other: by that they meet in
        // partitions or do not.
        let places = scan.voxels.each_ref().map(Vec::as_slice);
        let [x, y, z, re, im] =
            columns(lab, self.side().pow(3), [places[0], places[1], places[2], &[], &[]])?;
        let samples = match self.version {
            Version::Global => columns(lab, SAMPLES, scan.samples.each_ref().map(Vec::as_slice))?,
            Version::Constant | Version::Tuned => [DevicePtr::new(0); 5],
        };
        let mut launch = self.launch(lab, &Buffers { voxels: [x, y, z, re, im], samples });
        launch.grid.x = voxels as u32 / self.threads();

        let all = scan.samples[0].len();
        let at_once = if self.version == Version::Global { all } else { CHUNK as usize };
        let (mut ns, mut first) = (0.0, 0);
        while first < all {
            let count = at_once.min(all - first);
            if self.version != Version::Global {
                let words: Vec<u8> =
                    self.chunk(scan, first, count).iter().flat_map(|v| v.to_le_bytes()).collect();
                lab.gpu.copy_to_symbol(lab.module, "scan", 0, &words)?;
            }
            launch.args[10] = Arg::S32(count as i32);
            ns += Lab::kernel_ns(&lab.run(&launch)?);
            first += count;
        }
        Ok((ns, [re, im]))
    }

    /// A chunk of samples, as it lies in constant memory.
    fn chunk(self, scan: &Scan, first: usize, count: usize) -> Vec<f32> {
        let words = self.words() as usize;
        let mut chunk = vec![0.0; words * CHUNK as usize];
        for i in 0..count {
            for (k, column) in scan.samples[..words].iter().enumerate() {
                let place =
                    if self.version == Version::Tuned { words * i + k } else { CHUNK as usize * k + i };
                chunk[place] = column[first + i];
            }
        }
        chunk
    }
}

/// Columns of `words` words at least, rounded up to 256 bytes as allocations are, with what they begin with.
fn columns(lab: &mut Lab, words: u32, columns: [&[f32]; 5]) -> Result<[DevicePtr; 5], RunError> {
    let pitch = 4 * words.next_multiple_of(64);
    let first = lab.allocate(5 * u64::from(pitch / 4))?;
    let pointers = [0, 1, 2, 3, 4].map(|k| first.offset(k * pitch));
    for (pointer, column) in pointers.into_iter().zip(columns) {
        lab.write(pointer, &column.iter().map(|v| v.to_bits()).collect::<Vec<_>>())?;
    }
    Ok(pointers)
}

#[cfg(test)]
mod tests;

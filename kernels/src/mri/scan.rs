//! Sums over a scan as they are measured: on generated coordinates, with columns at the same
//! distances as in the published scan, by the time of the kernels alone.
//!
//! Invariant `time-from-samples`: The time of a large map that is computed from samples of its
//! kernels is the time of the whole map, where the whole map is simulated too.

use super::kernel::{CHUNK, Kernel, Sum};
use super::text::Head;
use crate::RunError;
use crate::lab::Lab;
use crate::lab::{compiled_for, wave};
use crate::numbers::whole;
use crate::repeat::Repeated;
use isa::Options;
use sim_core::host::{Arg, DevicePtr, Gpu, Launch};

/// Samples of the published scan.
pub const SAMPLES: u32 = 284_592;

/// Buffers in device memory.
struct Buffers {
    /// x, y, z, and the sums: one word per voxel each.
    voxels: [DevicePtr; 5],
    /// kx, ky, kz and the values: one word per sample each, if a kernel reads any of them from
    /// global memory.
    samples: [DevicePtr; 5],
}

/// Coordinates of voxels (x, y, z) and samples (kx, ky, kz, and two values).
pub struct Scan {
    /// Columns of the voxels.
    pub voxels: [Vec<f32>; 3],
    /// Columns of the samples.
    pub samples: [Vec<f32>; 5],
}

impl Scan {
    /// Generates coordinates with angles of many turns.
    pub fn made(voxels: u32, samples: u32) -> Self {
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
    /// Operations per voxel and sample, as counted in the publication: 1.4 times those of the
    /// formula.
    pub fn flops(self) -> f64 {
        match self.sum {
            Sum::Fhd => 1.4 * 16.0,
            Sum::Q => 1.4 * 12.0,
        }
    }

    /// Voxels of the published scan in each direction.
    pub fn side(self) -> u32 {
        match self.sum {
            Sum::Fhd => 128,
            Sum::Q => 256,
        }
    }

    /// Number of samples for a steady state; with constant memory, more than its cache holds.
    pub fn few_samples(self) -> u32 {
        match (self.in_constant(), self.unrolled) {
            (false, _) => 64,
            (true, 1) => 512,
            (true, _) => 1024,
        }
    }

    /// Loads the kernel on `gpu`.
    pub fn laboratory(self, gpu: Gpu) -> Result<Lab, RunError> {
        let head = Head { title: "F^H d or Q of a scan, as it is measured.", look: &[] };
        let text = compiled_for(gpu.chip(), &self.text(&head));
        Lab::on(gpu, "mri.ptx", &text, Options::default())
    }

    /// Describes a launch without its number of blocks and samples.
    fn launch(self, lab: &Lab, buffers: &Buffers) -> Launch {
        let pointers = buffers.voxels.into_iter().chain(buffers.samples).map(Arg::Ptr);
        Launch::new(lab.module, self.entry(), 1, self.threads()).args(pointers.chain([Arg::S32(0)]))
    }

    /// Number of voxels that equals the number of threads that the chip holds at a time.
    pub fn voxels_at_once(self, lab: &Lab) -> u32 {
        let nowhere = [DevicePtr::new(0); 5];
        let nothing = self.launch(lab, &Buffers { voxels: nowhere, samples: nowhere });
        wave(lab, &nothing) * self.threads()
    }

    /// Sums all samples, with one launch per chunk. Returns the launches and the addresses of the
    /// sums. With sampling, only some of the launches are simulated.
    pub fn whole(self, lab: &mut Lab, scan: &Scan) -> Result<(Repeated, [DevicePtr; 2]), RunError> {
        let voxels = scan.voxels[0].len();
        // The columns have the same distances as those of the published scan, which determines
        // their partitions.
        let places = scan.voxels.each_ref().map(Vec::as_slice);
        let [x, y, z, re, im] =
            columns(lab, self.side().pow(3), [places[0], places[1], places[2], &[], &[]])?;
        let samples = if self.constant_words() == self.words() {
            [DevicePtr::new(0); 5]
        } else {
            columns(lab, SAMPLES, scan.samples.each_ref().map(Vec::as_slice))?
        };
        let mut launch = self.launch(lab, &Buffers { voxels: [x, y, z, re, im], samples });
        launch.grid.x = voxels as u32 / self.threads();

        let all = scan.samples[0].len();
        let at_once = if self.in_constant() { CHUNK as usize } else { all };
        let launches = all.div_ceil(at_once) as u32;
        let ran = lab.repeat(launches, |lab, i| {
            let first = i as usize * at_once;
            let count = at_once.min(all - first);
            if self.in_constant() {
                let chunk = self.chunk(&scan.samples, first, count);
                let words: Vec<u8> = chunk.iter().flat_map(|v| v.to_le_bytes()).collect();
                lab.gpu.copy_to_symbol(lab.module, "scan", 0, &words)?;
                // The values, if they are in global memory.
                for k in [3, 4] {
                    launch.args[5 + k] = Arg::Ptr(samples[k].offset(4 * first as u32));
                }
            }
            launch.args[10] = Arg::S32(count as i32);
            lab.run(&launch)
        })?;
        Ok((ran, [re, im]))
    }
}

/// Allocates columns of at least `words` words, rounded up to 256 bytes as allocations are, and
/// writes their first words.
fn columns(lab: &mut Lab, words: u32, columns: [&[f32]; 5]) -> Result<[DevicePtr; 5], RunError> {
    let pitch = 4 * words.next_multiple_of(64);
    let first = lab.allocate(5 * u64::from(pitch / 4))?;
    let pointers = [0, 1, 2, 3, 4].map(|k| first.offset(k * pitch));
    for (pointer, column) in pointers.into_iter().zip(columns) {
        lab.write(pointer, &column.iter().map(|v| v.to_bits()).collect::<Vec<_>>())?;
    }
    Ok(pointers)
}

//! The kernels with one thread per voxel, as variants of one template (`ptx/mri_fhd.template`, with
//! `ptx/trig.template` for sine and cosine in software). The variant determines the memory layout
//! of samples and values.

/// Samples in constant memory at a time: with five words each they use 40 KB of its 64.
pub const CHUNK: u32 = 2048;
/// Samples per iteration of the unrolled loop; the number of samples of a scan and of a chunk is a
/// multiple of it.
pub const UNROLLED: u32 = 8;

/// The computed sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// F^H d: a sample has two values.
    Fhd,
    /// Q: a sample has a weight.
    Q,
}

/// Memory of voxels, sums and the coordinates of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataPlacement {
    /// All data in global memory, including the sums (figure 8.10).
    Memory,
    /// A thread's voxel and sums in registers, samples in global memory (figure 8.11).
    Registers,
    /// The same with samples in constant memory, one array per word of a sample (figure 8.13).
    Arrays,
    /// The same with samples as an array of structures (figures 8.15 and 8.16).
    Structs,
}

/// Memory of the values of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Global memory.
    Global,
    /// Constant memory, with the coordinates of samples.
    Constant,
}

/// Implementation of sine and cosine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trig {
    /// Sine and cosine computed with arithmetic instructions.
    Software,
    /// Special function units (figure 8.17).
    Units,
}

/// Versions whose times are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// All data in global memory, sine and cosine in software.
    Global,
    /// Samples in constant memory, one array per word, sine and cosine in software.
    Constant,
    /// The tuned kernel.
    Tuned,
}

/// A variant of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The computed sum.
    pub sum: Sum,
    /// Memory of the voxels, sums and coordinates.
    pub place: DataPlacement,
    /// Memory of the values of samples; constant memory only together with the coordinates.
    pub values: Values,
    /// Implementation of sine and cosine.
    pub trig: Trig,
    /// Samples per iteration of the loop: more than one only from constant memory.
    pub unrolled: u32,
}

impl Kernel {
    /// F^H d, values in global memory, sine and cosine in software, not unrolled.
    pub const fn fhd(place: DataPlacement) -> Self {
        Self { sum: Sum::Fhd, place, values: Values::Global, trig: Trig::Software, unrolled: 1 }
    }

    /// The tuned kernel of section 8.4: all words of a sample in one structure, sine and cosine by
    /// the units, unrolled.
    pub const fn tuned(sum: Sum) -> Self {
        Self {
            sum,
            place: DataPlacement::Structs,
            values: Values::Constant,
            trig: Trig::Units,
            unrolled: UNROLLED,
        }
    }

    /// The kernel in the version of a published time.
    pub const fn measured(sum: Sum, version: Version) -> Self {
        match version {
            Version::Global => Self { sum, ..Self::fhd(DataPlacement::Memory) },
            Version::Constant => Self { sum, values: Values::Constant, ..Self::fhd(DataPlacement::Arrays) },
            Version::Tuned => Self::tuned(sum),
        }
    }

    /// Name of the kernel.
    pub fn entry(self) -> &'static str {
        match self.sum {
            Sum::Fhd => "mri_fhd",
            Sum::Q => "mri_q",
        }
    }

    /// Words of a sample.
    pub fn words(self) -> u32 {
        match self.sum {
            Sum::Fhd => 5,
            Sum::Q => 4,
        }
    }

    /// Whether samples are in constant memory.
    pub fn in_constant(self) -> bool {
        matches!(self.place, DataPlacement::Arrays | DataPlacement::Structs)
    }

    /// Words of a sample in constant memory.
    pub fn constant_words(self) -> u32 {
        match (self.in_constant(), self.values) {
            (false, _) => 0,
            (true, Values::Global) => 3,
            (true, Values::Constant) => self.words(),
        }
    }

    /// Threads per block; the unrolled loop uses small blocks that fit the registers well.
    pub fn threads(self) -> u32 {
        if self.unrolled > 1 { 128 } else { 256 }
    }

    /// Returns `count` samples from `first` on in their constant-memory layout, from the columns of
    /// a scan.
    pub fn chunk(self, columns: &[Vec<f32>; 5], first: usize, count: usize) -> Vec<f32> {
        let words = self.constant_words() as usize;
        let mut chunk = vec![0.0; words * CHUNK as usize];
        for i in 0..count {
            for (k, column) in columns[..words].iter().enumerate() {
                let place =
                    if self.place == DataPlacement::Structs { words * i + k } else { CHUNK as usize * k + i };
                chunk[place] = column[first + i];
            }
        }
        chunk
    }
}

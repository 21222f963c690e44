//! The kernels whose threads are voxels, as choices of one template (`ptx/mri_fhd.template`, with
//! `ptx/trig.template` for sine and cosine in software): how samples and values lie in memory
//! follows from the choice.

/// Samples in constant memory at a time: of five words each they take 40 KB of its 64.
pub const CHUNK: u32 = 2048;
/// Samples of a trip of the unrolled loop; those of a scan and of a chunk are a multiple of it.
pub const UNROLLED: u32 = 8;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// F^H d: a sample has two values.
    Fhd,
    /// Q: a sample has a weight.
    Q,
}

/// Where voxels, sums and the places of samples are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataPlacement {
    /// All of it in global memory, sums too (figure 8.10).
    Memory,
    /// A thread's voxel and sums in registers, samples in global memory (figure 8.11).
    Registers,
    /// As before, samples in constant memory, an array for each of their words (figure 8.13).
    Arrays,
    /// As before, samples word by word of each: an array of structures (figures 8.15 and 8.16).
    Structs,
}

/// Where the values of samples are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// In global memory.
    Global,
    /// In constant memory, with the places of samples.
    Constant,
}

/// How sines and cosines are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trig {
    /// By instructions.
    Software,
    /// By special function units (figure 8.17).
    Units,
}

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// What is computed.
    pub sum: Sum,
    /// Where most of it is.
    pub place: DataPlacement,
    /// Where the values of samples are; in constant memory only if samples are.
    pub values: Values,
    /// How sines and cosines are made.
    pub trig: Trig,
    /// Samples of a trip of the loop: more than one only from constant memory.
    pub unrolled: u32,
}

impl Kernel {
    /// F^H d, values in global memory, sine and cosine in software, not unrolled.
    pub const fn fhd(place: DataPlacement) -> Self {
        Self { sum: Sum::Fhd, place, values: Values::Global, trig: Trig::Software, unrolled: 1 }
    }

    /// The tuned kernel of section 8.4: everything that a sample has in one structure, sine and
    /// cosine by the units, unrolled.
    pub const fn tuned(sum: Sum) -> Self {
        Self {
            sum,
            place: DataPlacement::Structs,
            values: Values::Constant,
            trig: Trig::Units,
            unrolled: UNROLLED,
        }
    }

    /// The name of the kernel.
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

    /// Words of a sample there.
    pub fn constant_words(self) -> u32 {
        match (self.in_constant(), self.values) {
            (false, _) => 0,
            (true, Values::Global) => 3,
            (true, Values::Constant) => self.words(),
        }
    }

    /// Threads of a block; of the unrolled loop, small blocks that fit the registers well.
    pub fn threads(self) -> u32 {
        if self.unrolled > 1 { 128 } else { 256 }
    }

    /// The samples from `first` on, `count` of them, of a scan's columns as they lie in constant
    /// memory.
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

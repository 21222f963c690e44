//! The versions of F^H d, figure by figure: their names, and the head comments of their texts.

use super::kernel::{DataPlacement, Kernel, Sum, Trig};
use super::program::Way;
use super::scatter::Update;
use super::text::Head;

/// A version of F^H d.
pub struct Variant {
    /// Name of the workload.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Place in the book.
    pub book: &'static str,
    /// Name of the PTX file.
    pub file: &'static str,
    /// Method of the summation.
    pub way: Way,
    head: Head,
}

impl Variant {
    /// Whether it reads its samples from constant memory, which makes it fast enough for more than
    /// the smallest image.
    pub fn is_quick(&self) -> bool {
        matches!(self.way, Way::Gather(kernel) if kernel.in_constant())
    }

    /// Returns the text of the kernel.
    pub fn text(&self) -> String {
        match self.way {
            Way::Gather(kernel) => kernel.text(&self.head),
            Way::Scatter(update) => update.text(&self.head),
        }
    }

    /// Returns the kernel in CUDA C.
    pub fn cuda(&self) -> String {
        match self.way {
            Way::Gather(kernel) => kernel.cuda(),
            Way::Scatter(update) => update.cuda(),
        }
    }
}

/// Returns the version of this name.
pub fn variant(name: &str) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.name == name)
}

/// All versions, in the order of the figures.
pub static VARIANTS: &[Variant] = &[
    Variant {
        name: "mri-fhd-racing",
        about: "F^H d with a thread for each sample, adding without atomics: loses sums, as the book says",
        book: "Kirk & Hwu, chapter 8, figure 8.5 as printed",
        file: "mri_fhd_racing.ptx",
        way: Way::Scatter(Update::Racing),
        head: Head {
            title: "F^H d, a thread for each sample, without atomics: WRONG, because threads overwrite each other's sums.",
            look: &[
                "The check fails: of 32 lanes that store to one word only one value remains, and warps overtake each other.",
                "The race checker names the two lines that load and store a sum.",
                "Stores of a warp to one word: one transaction for each lane on G80.",
            ],
        },
    },
    Variant {
        name: "mri-fhd-scatter-cas",
        about: "F^H d with a thread for each sample, adding by compare and swap (from capability 1.1 on)",
        book: "Kirk & Hwu, chapter 8, figure 8.5 with atomics",
        file: "mri_fhd_scatter_cas.ptx",
        way: Way::Scatter(Update::Swap),
        head: Head {
            title: "F^H d, a thread for each sample, sums by compare and swap.",
            look: &[
                "Refused on G80: a global atomic needs capability 1.1.",
                "All lanes use one word: at least one attempt for each lane that adds, more if warps conflict.",
                "All warps wait for the round trip of atomics to memory.",
            ],
        },
    },
    Variant {
        name: "mri-fhd-scatter",
        about: "F^H d with a thread for each sample, adding by floating-point atomics (from capability 2.0 on)",
        book: "Kirk & Hwu, chapter 8, figure 8.5 with atomics",
        file: "mri_fhd_scatter.ptx",
        way: Way::Scatter(Update::Atomic),
        head: Head {
            title: "F^H d, a thread for each sample, sums by floating-point atomics.",
            look: &[
                "Refused below capability 2.0, which is the first with an atomic addition of floating-point numbers.",
                "32 lanes add to one word, one after the other, in the L2 cache.",
                "The order of additions is undefined: the last bits of a sum depend on the timing.",
            ],
        },
    },
    Variant {
        name: "mri-fhd-global",
        about: "F^H d with a thread for each voxel, all data in global memory, including the sums",
        book: "Kirk & Hwu, chapter 8, figure 8.10",
        file: "mri_fhd_global.ptx",
        way: Way::Gather(Kernel::fhd(DataPlacement::Memory)),
        head: Head {
            title: "F^H d, a thread for each voxel, all data in global memory.",
            look: &[
                "14 accesses to global memory for 14 operations and two functions: memory is the limit.",
                "Lanes of a half-warp read one word of a sample: 16 transactions on G80, one from capability 1.2 on.",
                "Sines and cosines diverge: odd and even quarter turns use different polynomials.",
            ],
        },
    },
    Variant {
        name: "mri-fhd-registers",
        about: "F^H d with a thread's voxel and sums in registers",
        book: "Kirk & Hwu, chapter 8, figure 8.11",
        file: "mri_fhd_registers.ptx",
        way: Way::Gather(Kernel::fhd(DataPlacement::Registers)),
        head: Head {
            title: "F^H d, the voxel and its sums in registers.",
            look: &[
                "5 accesses to global memory for a sample instead of 14: those to the sample's own words.",
                "These do not coalesce on G80, so the time decreases by less than that.",
            ],
        },
    },
    Variant {
        name: "mri-fhd-constant",
        about: "F^H d with the coordinates of samples in constant memory, three arrays of them",
        book: "Kirk & Hwu, chapter 8, figures 8.12 and 8.13",
        file: "mri_fhd_constant.ptx",
        way: Way::Gather(Kernel::fhd(DataPlacement::Arrays)),
        head: Head {
            title: "F^H d, the coordinates of samples in three arrays in constant memory.",
            look: &[
                "2 accesses to global memory for a sample remain: its value, the same word for all lanes.",
                "All lanes read one constant: an operand of an instruction, no load.",
                "The constant cache misses once for 16 samples in each of three arrays, if warps keep in step.",
                "Chunk by chunk through 64 KB: a launch for each.",
            ],
        },
    },
    Variant {
        name: "mri-fhd-structs",
        about: "F^H d with the coordinates of samples in constant memory as an array of structures",
        book: "Kirk & Hwu, chapter 8, figures 8.15 and 8.16",
        file: "mri_fhd_structs.ptx",
        way: Way::Gather(Kernel::fhd(DataPlacement::Structs)),
        head: Head {
            title: "F^H d, the coordinates of samples as structures in constant memory.",
            look: &[
                "The words of a sample are adjacent, usually in one line of the cache instead of three.",
                "Compare the misses with those of mri-fhd-constant, especially on Fermi.",
            ],
        },
    },
    Variant {
        name: "mri-fhd-sfu",
        about: "F^H d with sine and cosine by the special function units",
        book: "Kirk & Hwu, chapter 8, figure 8.17",
        file: "mri_fhd_sfu.ptx",
        way: Way::Gather(Kernel { trig: Trig::Units, ..Kernel::fhd(DataPlacement::Structs) }),
        head: Head {
            title: "F^H d, sine and cosine by the special function units.",
            look: &[
                "Two instructions instead of about 80, and no divergence.",
                "Their results are less exact: compare the PSNR with that of mri-fhd-structs.",
                "On G80 only the two loads of a sample's value still cause waits.",
            ],
        },
    },
    Variant {
        name: "mri-fhd-tuned",
        about: "F^H d with all words of a sample in constant memory, unrolled 8 times",
        book: "Kirk & Hwu, chapter 8, section 8.3 (tuning)",
        file: "mri_fhd_tuned.ptx",
        way: Way::Gather(Kernel::tuned(Sum::Fhd)),
        head: Head {
            title: "F^H d, tuned: values in the structures too, 8 samples per iteration, blocks of 128 threads.",
            look: &[
                "No global memory in the loop.",
                "Sine and cosine each take 16 cycles per warp on G80: about half of the time if the SMs are full.",
                "Then most warps wait in state `pipe busy`; with few blocks they wait for results of earlier instructions.",
            ],
        },
    },
];

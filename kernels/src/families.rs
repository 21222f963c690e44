//! Families of workloads: what their variants have in common, in words of its own.

/// Workloads that do the same in different ways, most of them made of one template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// What the names of its variants begin with.
    pub name: &'static str,
    /// What they do.
    pub about: &'static str,
    /// Where the book has them.
    pub book: &'static str,
    /// What the size counts, and which sizes are possible.
    pub size_meaning: &'static str,
}

/// What the size of a product by tiles counts.
const TIMES_ELEMENTS: &str =
    "rows and columns of each matrix, a multiple of the tile's side times a thread's elements";

/// All of them, in the order of [`all`](crate::all).
pub const FAMILIES: [Family; 10] = [
    Family {
        name: "matmul-tiled",
        about: "multiplies two square matrices by tiles in shared memory, 16x16 or as the ending says",
        book: "Kirk & Hwu, chapter 5",
        size_meaning: "rows and columns of each matrix, a multiple of the tile's side",
    },
    Family {
        name: "matmul-8x8",
        about: "multiplies two square matrices by 8x8 tiles, one or more elements a thread, unrolled or not, \
                fetching ahead or not",
        book: "Kirk & Hwu, chapter 5 and sections 6.4 to 6.7 (figure 6.16)",
        size_meaning: TIMES_ELEMENTS,
    },
    Family {
        name: "matmul-16x16",
        about: "multiplies two square matrices by 16x16 tiles, one or more elements a thread, unrolled or not, \
                fetching ahead or not",
        book: "Kirk & Hwu, chapter 5 and sections 6.4 to 6.7 (figure 6.16)",
        size_meaning: TIMES_ELEMENTS,
    },
    Family {
        name: "matadd",
        about: "adds two square matrices, one element per thread, directly or by way of shared memory",
        book: "Kirk & Hwu, exercise 5.1",
        size_meaning: "rows and columns of each matrix, at least 1",
    },
    Family {
        name: "dot-product",
        about: "makes scalar products, one for each block: mended, as the exercise is printed, or with the last warp \
                without barriers",
        book: "Kirk & Hwu, exercises 6.7 and 6.9",
        size_meaning: "scalar products of 256 elements each, at least 1",
    },
    Family {
        name: "block-transpose",
        about: "transposes each 16x16 block of a matrix in place, with the barrier that the exercise asks for or as \
                it is printed",
        book: "Kirk & Hwu, exercise 4.2",
        size_meaning: "rows and columns of the matrix, a multiple of 16",
    },
    Family {
        name: "coulomb",
        about: "electrostatic potential of a slice by direct summation: a point for each thread, four neighbouring \
                ones, or eight a block's width apart",
        book: "Kirk & Hwu, sections 9.2 to 9.4",
        size_meaning: "points of a row and rows of the slice, 1 to 512; the box of atoms is as wide and 32 points high",
    },
    Family {
        name: "cutoff",
        about: "electrostatic potential within 12 angstrom, by large bins in constant memory or small ones in global \
                memory",
        book: "Kirk & Hwu, section 10.3",
        size_meaning: "points along each axis of a cube of water, 1 to 128",
    },
    Family {
        name: "mri-fhd",
        about: "F^H d of an MRI scan: a thread for each sample, without atomics or with, or for each voxel, tuned \
                step by step",
        book: "Kirk & Hwu, chapter 8, figures 8.5 to 8.17 and section 8.3",
        size_meaning: "voxels of the image in each direction, a multiple of 4 up to 32; as many samples as voxels",
    },
    Family {
        name: "histogram",
        about: "counts bytes in 256 bins by atomics: on global memory (from capability 1.1 on), or on shared memory \
                in each block (from 1.2 on)",
        book: "slides on threads and occupancy; S. Cook, CUDA Programming",
        size_meaning: "bytes of input, a multiple of what a block counts: 256, 1024, or 16,384 with 16 words; at most 16,777,216",
    },
];

/// The family of that name.
pub fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::all;

    #[test]
    fn every_family_has_words_and_variants_in_one_order() {
        let mut names: Vec<&str> = all().iter().filter_map(|workload| workload.family).collect();
        names.dedup();
        assert_eq!(names, FAMILIES.map(|family| family.name));
    }

    #[test]
    fn each_text_stands_by_itself() {
        for workload in all() {
            assert!(!workload.about.starts_with("the same"), "{}: {}", workload.name, workload.about);
        }
    }
}

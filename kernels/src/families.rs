//! Families of workloads: the common description of their variants.

use isa::diag::nearest;

/// Workloads that do the same in different ways, usually generated from one template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// Common prefix of the variants' names.
    pub name: &'static str,
    /// Description of the family.
    pub about: &'static str,
    /// Place in the book; `None` if all variants have the same one.
    pub book: Option<&'static str>,
    /// Meaning and allowed values of the size; `None` if all variants have the same.
    pub size_meaning: Option<&'static str>,
}

/// Meaning of the size of a tiled product.
const TIMES_ELEMENTS: &str =
    "rows and columns of each matrix, a multiple of the tile's side times a thread's elements";

/// All families, in the order of [`all`](crate::all).
pub const FAMILIES: [Family; 10] = [
    Family {
        name: "matmul-tiled",
        about: "multiplies two square matrices by tiles in shared memory, 16x16 or as the ending says",
        book: Some("Kirk & Hwu, chapter 5"),
        size_meaning: Some("rows and columns of each matrix, a multiple of the tile's side"),
    },
    Family {
        name: "matmul-8x8",
        about: "multiplies two square matrices by 8x8 tiles, one or more elements a thread, unrolled or not, \
                with or without prefetching",
        book: Some("Kirk & Hwu, chapter 5 and sections 6.4 to 6.7 (figure 6.16)"),
        size_meaning: Some(TIMES_ELEMENTS),
    },
    Family {
        name: "matmul-16x16",
        about: "multiplies two square matrices by 16x16 tiles, one or more elements a thread, unrolled or not, \
                with or without prefetching",
        book: Some("Kirk & Hwu, chapter 5 and sections 6.4 to 6.7 (figure 6.16)"),
        size_meaning: Some(TIMES_ELEMENTS),
    },
    Family {
        name: "matadd",
        about: "adds two square matrices, one element per thread, directly or through shared memory",
        book: None,
        size_meaning: None,
    },
    Family {
        name: "dot-product",
        about: "computes dot products, one for each block: corrected, as the exercise is printed, or with the last warp \
                without barriers",
        book: Some("Kirk & Hwu, exercises 6.7 and 6.9"),
        size_meaning: None,
    },
    Family {
        name: "block-transpose",
        about: "transposes each 16x16 block of a matrix in place, with the barrier that the exercise asks for or as \
                it is printed",
        book: None,
        size_meaning: None,
    },
    Family {
        name: "coulomb",
        about: "electrostatic potential of a slice by direct summation: a point for each thread, four neighboring \
                ones, or eight a block's width apart",
        book: Some("Kirk & Hwu, sections 9.2 to 9.4"),
        size_meaning: None,
    },
    Family {
        name: "cutoff",
        about: "electrostatic potential within 12 angstrom, with large bins in constant memory or small ones in \
                global memory",
        book: None,
        size_meaning: None,
    },
    Family {
        name: "mri-fhd",
        about: "F^H d of an MRI scan: a thread for each sample, without atomics or with, or for each voxel, tuned \
                step by step",
        book: Some("Kirk & Hwu, chapter 8, figures 8.5 to 8.17 and section 8.3"),
        size_meaning: None,
    },
    Family {
        name: "histogram",
        about: "counts bytes in 256 bins by atomics: on global memory (from capability 1.1 on), or on shared memory \
                in each block (from 1.2 on)",
        book: None,
        size_meaning: None,
    },
];

/// Returns the names of the variants of the family `name`; empty if there is no such family.
pub fn members(name: &str) -> Vec<&'static str> {
    crate::all()
        .iter()
        .filter(|workload| workload.family == Some(name))
        .map(|workload| workload.name)
        .collect()
}

/// Returns the family of this name.
pub fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

/// Returns a help line with the kernel or family nearest to `name`; empty if none is near.
pub fn near(name: &str) -> String {
    let known = crate::all().iter().flat_map(|w| [Some(w.name), w.family]).flatten();
    nearest(name, known).map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Workload, all};

    #[test]
    fn families_have_the_order_of_their_variants() {
        let mut names: Vec<&str> = all().iter().filter_map(|workload| workload.family).collect();
        names.dedup();
        assert_eq!(names, FAMILIES.map(|family| family.name));
    }

    #[test]
    fn a_family_has_texts_exactly_where_its_variants_differ() {
        for family in FAMILIES {
            let same = |text: fn(&Workload) -> &'static str| {
                let mut texts: Vec<_> =
                    all().iter().filter(|w| w.family == Some(family.name)).map(text).collect();
                texts.dedup();
                texts.len() == 1
            };
            assert_eq!(family.book.is_none(), same(|w| w.book), "{}: book", family.name);
            assert_eq!(family.size_meaning.is_none(), same(|w| w.size_meaning), "{}: size", family.name);
        }
    }

    #[test]
    fn no_description_refers_to_another_one() {
        for workload in all() {
            assert!(!workload.about.starts_with("the same"), "{}: {}", workload.name, workload.about);
        }
    }
}

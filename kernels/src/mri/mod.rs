//! MRI reconstruction from a non-Cartesian scan (chapter 8): F^H d in the versions of the chapter's
//! figures, and the values of samples that it needs.
//!
//! Two templates make the texts, one for threads that are samples (figure 8.5) and one for threads
//! that are voxels, with switches for where things lie and how sines are made. The programs that
//! measure what was published take their texts from the same template.

pub(crate) mod kernel;
pub(crate) mod phantom;
pub(crate) mod program;
mod reference;
pub(crate) mod scan;
mod scatter;
#[cfg(test)]
mod tests;
mod text;
mod variants;

use crate::Workload;
use isa::types::Dim3;
use program::Way;
use std::sync::LazyLock;
pub(crate) use variants::{Variant, variant};

/// The family's name.
const FAMILY: &str = "mri-fhd";

/// The chapter's workloads.
pub fn workloads() -> Vec<Workload> {
    let mu = Workload {
        name: "mri-mu",
        family: None,
        about: "works out the values of an MRI scan's samples, split off from the sums that need them",
        book: "Kirk & Hwu, chapter 8, figure 8.7",
        default_size: 16_384,
        small_sizes: &[1, 512, 1_537],
        size_meaning: "samples, at least 1; the last block is filled up with zeros",
        block: Dim3::new(scatter::THREADS, 1, 1),
        registers: None,
        file: "mri_mu.ptx",
        ptx: include_str!("../../ptx/mri_mu.ptx"),
        program: Box::new(program::mu),
    };
    let variants = variants::VARIANTS.iter().zip(texts()).map(|(variant, ptx)| fhd(variant, ptx));
    [mu].into_iter().chain(variants).collect()
}

/// The texts of the variants, made once.
fn texts() -> impl Iterator<Item = &'static str> {
    static TEXTS: LazyLock<Vec<String>> =
        LazyLock::new(|| variants::VARIANTS.iter().map(Variant::text).collect());
    TEXTS.iter().map(String::as_str)
}

fn fhd(variant: &'static Variant, ptx: &'static str) -> Workload {
    let threads = match variant.way {
        Way::Gather(kernel) => kernel.threads(),
        Way::Scatter(_) => scatter::THREADS,
    };
    Workload {
        name: variant.name,
        family: Some(FAMILY),
        about: variant.about,
        book: variant.book,
        default_size: 8,
        small_sizes: if variant.is_quick() { &[8, 4] } else { &[4] },
        size_meaning: "voxels of the image in each direction, a multiple of 4 up to 32; as many samples as voxels",
        block: Dim3::new(threads, 1, 1),
        registers: None,
        file: variant.file,
        ptx,
        program: Box::new(|session, size| program::run(session, variant.way, size)),
    }
}

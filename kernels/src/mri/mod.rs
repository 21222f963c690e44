//! MRI reconstruction from a non-Cartesian scan (chapter 8): F^H d in the versions of the chapter's
//! figures, and the sample values that it needs.
//!
//! Two templates generate the texts, one with a thread per sample (figure 8.5) and one with a
//! thread per voxel, with options for the memory of the data and the implementation of sines. The
//! programs that reproduce published measurements use the same template.

pub mod kernel;
pub mod phantom;
pub mod program;
mod reference;
pub mod scan;
mod scatter;
#[cfg(test)]
mod tests;
mod text;
mod variants;

use crate::Workload;
use isa::types::Dim3;
use program::Way;
use std::sync::LazyLock;
pub use variants::{Variant, variant};

/// Name of the family.
const FAMILY: &str = "mri-fhd";

/// Returns the chapter's workloads.
pub fn workloads() -> Vec<Workload> {
    let mu = Workload {
        name: "mri-mu",
        family: None,
        about: "computes the values of an MRI scan's samples, separately from the sums that need them",
        book: "Kirk & Hwu, chapter 8, figure 8.7",
        default_size: 16_384,
        small_sizes: &[1, 512, 1_537],
        size_meaning: "samples, at least 1; the last block is padded with zeros",
        block: Dim3::new(scatter::THREADS, 1, 1),
        registers: None,
        file: "mri_mu.ptx",
        ptx: include_str!("../../ptx/mri_mu.ptx"),
        cuda: include_str!("../../cuda/mri_mu.cu"),
        program: Box::new(program::mu),
    };
    let variants =
        variants::VARIANTS.iter().zip(texts()).map(|(variant, [ptx, cuda])| fhd(variant, ptx, cuda));
    [mu].into_iter().chain(variants).collect()
}

/// Returns the texts of the variants in PTX and in CUDA C, generated once.
fn texts() -> impl Iterator<Item = [&'static str; 2]> {
    static TEXTS: LazyLock<Vec<[String; 2]>> =
        LazyLock::new(|| variants::VARIANTS.iter().map(|v| [v.text(), v.cuda()]).collect());
    TEXTS.iter().map(|texts| texts.each_ref().map(String::as_str))
}

fn fhd(variant: &'static Variant, ptx: &'static str, cuda: &'static str) -> Workload {
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
        cuda,
        program: Box::new(|session, size| program::run(session, variant.way, size)),
    }
}

//! `warpsim picture`: pictures of runs and chips as SVG and PNG, for slides and documents.
//!
//! `runs` runs a kernel, `files` writes the files; every other module measures the values of a
//! kind of picture, which the module of that name in `figures` draws.
//! `docs/PICTURES.md` shows all kinds.

mod figure;
mod files;
pub mod latency;
mod occupancy;
mod roofline;
mod runs;
mod segments;
mod stalls;
pub mod streams;
mod timeline;
mod tree;

use crate::args::{PictureArgs, PictureKind};
use crate::exit::{Code, Failure};

/// Draws a picture.
pub fn run(args: &PictureArgs) -> Result<Code, Failure> {
    match &args.kind {
        PictureKind::Stalls(args) => stalls::run(args),
        PictureKind::Roofline(args) => roofline::run(args),
        PictureKind::Occupancy(args) => occupancy::run(args),
        PictureKind::Timeline(args) => timeline::run(args),
        PictureKind::Streams(args) => streams::run(args),
        PictureKind::Segments(args) => segments::run(args),
        PictureKind::Tree(args) => tree::run(args),
        PictureKind::Figure(args) => figure::run(args),
        PictureKind::Latency(args) => latency::run(args),
    }
}

#[cfg(test)]
mod tests;

//! Pictures: shapes and texts with their places, written as SVG and as PNG.
//!
//! `scene` is a picture, `plot` adds axes, `axis` has their tick marks, `palette` and `hatch` the
//! colors, markers and patterns of all pictures, `font` measures texts. `svg` writes files and
//! parts of pages, `png` writes files, with shapes that `render` draws with plotters and `pixels`
//! averages. Every other module is a kind of picture: a function from plain data to a scene.
//!
//! It must not know a file, a command line or an operating system, so that the browser lab draws
//! the same pictures.
//!
//! Invariant `pictures-are-legible`: No text of a picture overlaps another one or reaches over the
//! edge, areas with different meanings differ in brightness or hatch, and equal pictures give equal
//! bytes.

pub mod access;
pub mod axis;
pub mod bars;
pub mod columns;
pub mod compare;
pub mod font;
pub mod hatch;
pub mod lanes;
pub mod latency;
pub mod launch;
pub mod lines;
pub mod matrix;
pub mod occupancy;
pub mod palette;
#[cfg(feature = "png")]
mod pixels;
pub mod plot;
#[cfg(feature = "png")]
mod png;
pub mod race;
#[cfg(feature = "png")]
mod render;
pub mod report;
pub mod roofline;
pub mod scatter;
pub mod scene;
pub mod stalls;
pub mod streams;
mod svg;
pub mod timeline;
pub mod tree;

#[cfg(feature = "png")]
pub use png::png;
pub use svg::{embedded, svg};

/// A place in pixels: to the right, and down.
pub type Point = (f64, f64);

#[cfg(test)]
mod tests;

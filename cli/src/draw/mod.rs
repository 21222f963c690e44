//! Pictures: shapes and texts with their places, written as SVG and as PNG.
//!
//! `scene` is a picture, `plot` adds axes, `axis` has their tick marks, `palette` and `hatch` the
//! colors, markers and patterns of all pictures, `font` measures texts. `render` draws shapes with
//! plotters, `svg` and `png` write the files.
//!
//! Invariant `pictures-are-legible`: No text of a picture overlaps another one or reaches over the
//! edge, areas with different meanings differ in brightness or hatch, and equal pictures give equal
//! bytes.

pub mod axis;
pub mod font;
pub mod hatch;
pub mod palette;
pub mod plot;
mod png;
mod render;
pub mod scene;
mod svg;

pub use png::png;
pub use svg::svg;

#[cfg(test)]
mod tests;

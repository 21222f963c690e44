//! Views of grades: text, CSV, XML for tools that show test results, the JSON of Gradescope, and
//! pages.

mod files;
mod page;
mod text;

pub use files::{csv, gradescope, junit};
pub use page::{class, student};
pub use text::text;

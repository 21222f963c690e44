//! One run: what is asked for, and what runs.
//!
//! [`Request`] is the record of a run: a built-in kernel, a kernel with its launch file, or a
//! program with its host code, with all options. The command line, the page, notebooks, studies and
//! debuggers read it from what their user writes. [`Prepared`] is the compiled request. It runs as
//! often as an answer needs it, on any chip, with any setting, observer and checker, and each run
//! gives a `report::outcome::RunResult`.
//!
//! It must not know who asks: it prints nothing, and reads only the files of the request.

pub mod builtin;
pub mod compilation;
pub mod direct;
pub mod kernel;
pub mod options;
pub mod prepared;
pub mod program;
pub mod ptx;
pub mod sources;
pub mod streams;

pub use compilation::Compilation;
pub use options::{ChipArgs, Request};
pub use prepared::{Prepared, Source};
pub use sources::Sources;

/// Takes warnings of a compilation.
pub type Warn<'w> = &'w mut dyn FnMut(&str);

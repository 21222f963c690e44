//! Launches as files and results as reports: what the command line and the browser lab share.
//!
//! `launch_file` reads launch files and runs their launches, `skeleton` writes them, `access`
//! restricts the files that other files may name, `chip` finds chips, `outcome` is the result of a
//! run, `formula` the expression language of launch files and experiments, `provenance` the origin
//! of its numbers, `why` the result of the experiments that test a limit. `render` writes reports
//! as text, `json` as JSON, `page` as HTML; `recorded` has what pictures need in addition to a
//! report. `trace` writes traces, `inspect` makes a tree of facts about a launch under the
//! debugger. `compare` compares two reports, `metrics` is the registry of metrics, `exit` lists the
//! exit codes, `schema` is the JSON Schema of chip files, `ron_text` writes values of a chip,
//! `mangled` reads names of kernels, `words` names instructions and waits, `step` moves a warp by
//! lines of CUDA C, `micro_ops` shows lowered kernels with their PTX, `text` handles texts from
//! outside, and `packed` compresses saved states.
//!
//! It must not know a terminal, an option of the command line, the built-in kernels or the store of
//! results. It prints nothing, and starts no run itself except the launch of a launch file.

pub mod access;
pub mod chip;
pub mod compare;
pub mod condition;
mod element;
pub mod exit;
pub mod formula;
pub mod inspect;
pub mod json;
mod known;
pub mod launch_file;
pub mod metrics;
pub mod micro_ops;
pub mod number;
pub mod outcome;
pub mod packed;
pub mod page;
pub mod pointers;
pub mod program;
pub mod provenance;
pub mod recorded;
pub mod render;
pub mod ron_text;
pub mod schema;
pub mod skeleton;
pub mod step;
pub mod text;
pub mod trace;
pub mod why;
pub mod words;

pub use isa::mangled;
pub use isa::terms;

//! The engine of the browser lab: JSON in, JSON out, without a file, a clock or a thread.
//!
//! `request` describes a run, `catalog` lists programs, kernels, chips and settings, `check`
//! compiles PTX, `cuda_c` compiles CUDA C and runs it with its host code, `lowered` shows the PTX
//! and the micro-ops of a text, `names` lists names for the editor, `named` is a text with its
//! name, `run` runs a kernel and writes the reports of `warpsim run`, `compare` compares two
//! reports, `book` runs claims of the course texts, `course` has the lessons, `exercise` opens and
//! grades exercises, `chip_file` checks chip files and writes new ones, `recording` records what
//! warps do and counts active lanes, `accesses` finds one access of each memory instruction,
//! `pictures` draws, `states` lists the states of warps, `stepper` is the debugger, and `wasm` is
//! the interface of the WebAssembly module. All of it except `wasm` is plain Rust, so that tests
//! run it natively.
//!
//! It must not know the page, a file, a clock or a thread.
//!
//! Invariant `lab-reports`: The text report and the JSON report of the lab are the bytes that
//! `warpsim run` prints, also when the lab runs as WebAssembly.

pub mod accesses;
pub mod book;
pub mod catalog;
pub mod check;
pub mod chip_file;
pub mod compare;
pub mod course;
pub mod cuda_c;
pub mod exercise;
pub mod lowered;
mod named;
pub mod names;
pub mod pictures;
pub mod recording;
pub mod request;
pub mod run;
pub mod states;
pub mod stepper;
#[cfg(test)]
mod types;
#[cfg(target_arch = "wasm32")]
mod wasm;

use serde::Serialize;

/// Returns a value as JSON on one line.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("string keys and finite trees only")
}

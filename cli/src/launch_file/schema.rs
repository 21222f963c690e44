//! What a launch file says, as plain data. `docs/LAUNCH.md` describes the format in RON.

use super::Spanned;
use super::value::Number;
use isa::span::Span;
use isa::types::{Dim3, ScalarType};
use sim_core::host::CachePreference;
use std::path::PathBuf;

/// What a launch file says. Where a required part was missing or wrong there is a complaint and a
/// `None`.
#[derive(Debug)]
pub struct LaunchFile {
    /// The kernel's name.
    pub entry: Option<Spanned<String>>,
    /// Blocks.
    pub grid: Option<Dim3>,
    /// Threads per block.
    pub block: Option<Dim3>,
    /// Bytes of dynamic shared memory per block.
    pub dynamic_shared: u32,
    /// Registers per thread instead of what liveness says.
    pub registers: Option<u32>,
    /// How an SM's memory is to be divided between L1 and shared memory.
    pub cache: Option<CachePreference>,
    /// Arguments in order, with the place of the whole list; `None` for one that is wrong.
    pub params: Spanned<Vec<Option<Spanned<Argument>>>>,
    /// Buffers in order.
    pub buffers: Vec<Array>,
    /// Values for module symbols in order.
    pub symbols: Vec<Array>,
    /// What to write to files after the run.
    pub dumps: Vec<Dump>,
    /// What should come out.
    pub expect: Vec<Expectation>,
}

impl LaunchFile {
    /// The files that it names to be read, counted from its folder.
    pub fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        let arrays = self.buffers.iter().chain(&self.symbols).filter_map(|array| match &array.init {
            Some(Spanned { value: Init::File(path), .. }) => Some(path),
            _ => None,
        });
        arrays.chain(self.expect.iter().filter_map(|expectation| match &expectation.source {
            Some(Source::File(path)) => Some(&path.value),
            _ => None,
        }))
    }
}

/// One kernel argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The address of a buffer, plus a byte offset.
    Buffer(String, u64),
    /// A scalar's type and bytes.
    Scalar(ScalarType, Vec<u8>),
    /// Raw bytes, for parameters that are arrays.
    Bytes(Vec<u8>),
}

/// A buffer, or the values for a symbol.
#[derive(Debug)]
pub struct Array {
    /// Its name.
    pub name: Spanned<String>,
    /// Element type; for symbols `None` means the declared one.
    pub ty: Option<ScalarType>,
    /// Bytes, where given by `len` or `bytes`.
    pub bytes: Option<Spanned<u64>>,
    /// What it holds before the launch; `None` where that was wrong.
    pub init: Option<Spanned<Init>>,
}

/// What an array holds before the launch.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// All zero.
    Zero,
    /// One value everywhere.
    Fill(Number),
    /// `start + i * step`.
    Iota(Number, Number),
    /// Seeded random numbers from `low` up to, not including, `high`.
    Random(u64, Number, Number),
    /// These, then zeros.
    Values(Vec<Spanned<Number>>),
    /// A raw binary file.
    File(PathBuf),
}

/// A buffer or a symbol by name.
#[derive(Clone, Debug, PartialEq)]
pub enum DataName {
    /// A buffer of the launch file.
    Buffer(Spanned<String>),
    /// A variable of the module.
    Symbol(Spanned<String>),
}

/// What to write to a file after the run.
#[derive(Debug)]
pub struct Dump {
    /// What.
    pub what: DataName,
    /// Where to.
    pub to: Spanned<PathBuf>,
}

/// What a buffer or symbol should hold after the run.
#[derive(Debug)]
pub struct Expectation {
    /// What.
    pub what: DataName,
    /// Element type to compare as, where not the declared one.
    pub ty: Option<ScalarType>,
    /// The right values.
    pub source: Option<Source>,
    /// Absolute tolerance.
    pub abs: f64,
    /// Tolerance relative to the expected value.
    pub rel: f64,
    /// The whole entry.
    pub span: Span,
}

/// Where the right values come from.
#[derive(Debug)]
pub enum Source {
    /// A raw binary file.
    File(Spanned<PathBuf>),
    /// A formula.
    Formula(Spanned<String>),
}

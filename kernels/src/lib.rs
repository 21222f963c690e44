//! The book's kernels as data and host programs: PTX text in `ptx/`, and for each family a program that uses the
//! simulator as any user of the library does: allocate, copy in, launch, copy out, compare, free.
//!
//! Inputs are small integers, so that every product and every partial sum is exact in single precision, even where
//! the hardware cuts products or adds in another order: a result is right only if it is equal to the reference.

mod check;
mod host;
mod matmul;
pub mod measure;
mod numbers;
mod reduce;
pub mod repeat;
mod vecadd;

pub use check::{Check, Mismatch, error_text};
pub use host::{Outcome, RunError, Settings};

use host::Session;
use isa::Options;
use isa::diag;
use isa::types::Dim3;
use isa::uop::Module;
use sim_core::host::Gpu;

/// A kernel with its host program.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// What it is called on the command line.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// Where the book has it.
    pub book: &'static str,
    /// Size where none is given.
    pub default_size: u64,
    /// What the size counts, and which sizes are possible.
    pub size_meaning: &'static str,
    /// Threads per block, as its host program launches it.
    pub block: Dim3,
    /// Registers per thread that `ptxas` gave the book's kernel, where that is published: its launches have them.
    pub registers: Option<u32>,
    /// Name of the PTX file.
    pub file: &'static str,
    /// Its text.
    pub ptx: &'static str,
    program: fn(&mut Session<'_>, u64) -> Result<Outcome, RunError>,
}

/// All workloads.
pub static ALL: [Workload; 5] = [
    Workload {
        name: "vecadd",
        about: "adds two vectors, one thread per element",
        book: "Kirk & Hwu, chapter 3",
        default_size: 262_144,
        size_meaning: "elements of each vector, at least 1",
        block: vecadd::BLOCK,
        registers: None,
        file: "vecadd.ptx",
        ptx: include_str!("../ptx/vecadd.ptx"),
        program: vecadd::run,
    },
    Workload {
        name: "matmul-naive",
        about: "multiplies two square matrices, all operands from global memory",
        book: "Kirk & Hwu, chapter 4",
        default_size: 256,
        size_meaning: "rows and columns of each matrix, a multiple of 16",
        block: matmul::BLOCK,
        registers: None,
        file: "matmul_naive.ptx",
        ptx: include_str!("../ptx/matmul_naive.ptx"),
        program: |session, size| matmul::run(session, "matmul_naive", size),
    },
    Workload {
        name: "matmul-tiled",
        about: "multiplies two square matrices by 16x16 tiles in shared memory",
        book: "Kirk & Hwu, chapter 5",
        default_size: 256,
        size_meaning: "rows and columns of each matrix, a multiple of 16",
        block: matmul::BLOCK,
        // Kirk & Hwu, sections 5.4 and 6.3; Ryoo et al., PPoPP 2008.
        registers: Some(10),
        file: "matmul_tiled.ptx",
        ptx: include_str!("../ptx/matmul_tiled.ptx"),
        program: |session, size| matmul::run(session, "matmul_tiled", size),
    },
    Workload {
        name: "reduce-interleaved",
        about: "sums a vector in blocks of 512 with a doubling stride: diverges in every warp",
        book: "Kirk & Hwu, section 6.1, figure 6.2",
        default_size: 262_144,
        size_meaning: "elements, at least 1; the last block is filled up with zeros",
        block: reduce::BLOCK,
        registers: None,
        file: "reduce_interleaved.ptx",
        ptx: include_str!("../ptx/reduce_interleaved.ptx"),
        program: |session, size| reduce::run(session, "reduce_interleaved", size),
    },
    Workload {
        name: "reduce-halving",
        about: "sums a vector in blocks of 512 with a halving stride: keeps warps whole",
        book: "Kirk & Hwu, section 6.1, figure 6.4",
        default_size: 262_144,
        size_meaning: "elements, at least 1; the last block is filled up with zeros",
        block: reduce::BLOCK,
        registers: None,
        file: "reduce_halving.ptx",
        ptx: include_str!("../ptx/reduce_halving.ptx"),
        program: |session, size| reduce::run(session, "reduce_halving", size),
    },
];

/// The workload of a name.
pub fn find(name: &str) -> Option<&'static Workload> {
    ALL.iter().find(|w| w.name == name)
}

impl Workload {
    /// Its text, compiled.
    pub fn compile(&self) -> Result<Module, RunError> {
        self.compile_with(Options::default())
    }

    /// Its text, compiled as `options` say.
    pub fn compile_with(&self, options: Options) -> Result<Module, RunError> {
        let (module, diagnostics) = isa::compile_with(self.file, self.ptx, options);
        module.ok_or_else(|| {
            let rendered = diag::render_all(&diagnostics, self.file, self.ptx);
            RunError::Kernel { file: self.file, rendered }
        })
    }

    /// Runs it on `gpu`; `module` is its compiled text.
    ///
    /// A kernel that traps, hangs or reaches a limit is an [`Outcome`] whose last report says so, with its results
    /// unchecked; an error is what kept a launch from happening. What was allocated is freed in either case.
    pub fn run(
        &'static self,
        module: Module,
        gpu: &mut Gpu,
        settings: Settings,
    ) -> Result<Outcome, RunError> {
        let mut session = Session::new(self, module, gpu, settings)?;
        let outcome = (self.program)(&mut session, settings.size.unwrap_or(self.default_size));
        session.free_all()?;
        outcome
    }
}

/// Compiles the workload `name` and runs it on `gpu`; see [`Workload::run`].
pub fn run(name: &str, gpu: &mut Gpu, settings: Settings) -> Result<Outcome, RunError> {
    let workload = find(name).ok_or_else(|| RunError::Unknown(name.to_owned()))?;
    workload.run(workload.compile()?, gpu, settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_unique() {
        for (i, workload) in ALL.iter().enumerate() {
            assert_eq!(find(workload.name).map(|w| w.file), Some(workload.file));
            assert!(ALL[..i].iter().all(|w| w.name != workload.name));
            assert_eq!(workload.file, format!("{}.ptx", workload.name.replace('-', "_")));
        }
        assert!(find("matmul").is_none());
    }

    #[test]
    fn every_text_holds_the_entry_of_its_name() {
        for workload in &ALL {
            let entry = workload.name.replace('-', "_");
            assert!(workload.ptx.contains(&format!(".entry {entry} (")), "{}", workload.name);
        }
    }
}

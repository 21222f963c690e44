//! The book's kernels as data and host programs: PTX text in `ptx/`, the same kernels in CUDA C in
//! `cuda/`, and for each family a program that uses the simulator like any other user of the
//! library: allocate, copy in, launch, copy out, compare, free.
//!
//! It must not know the command line, files or the text of a report.
//!
//! Most inputs are small integers, so that every product and every partial sum is exact in single
//! precision, even if the hardware truncates products or adds in another order: a result is correct
//! only if it equals the reference. The potentials ([`coulomb`], [`cutoff`]) and F^H d of a scan
//! are rounded; their results are correct within a bound that follows from the kernel's own
//! arithmetic.
//!
//! Invariant `kernels-are-right`: The book's kernels give the right result on both machines at any
//! size, and only the kernels that the book prints with a race have one.

mod check;
pub mod coulomb;
pub mod cutoff;
pub mod families;
pub mod histogram;
mod host;
pub mod identities;
pub mod lab;
mod matadd;
pub mod matmul;
pub mod mri;
pub mod numbers;
pub mod reduce;
pub mod repeat;
pub mod template;
pub mod transpose;
mod vecadd;

pub use check::{Check, Mismatch};
pub use host::{HostRun, RunError, Session, Settings};

use isa::Options;
use isa::diag;
use isa::types::{Capability, Dim3};
use isa::uop::Module;
use sim_core::host::Gpu;
use std::fmt;
use std::sync::LazyLock;

/// A host program: runs a problem of some size in a session.
pub type Program = Box<dyn Fn(&mut Session<'_>, u64) -> Result<HostRun, RunError> + Send + Sync>;

/// A kernel with its host program.
pub struct Workload {
    /// Name on the command line: words between hyphens; a variant of a family begins with the
    /// family's name.
    pub name: &'static str,
    /// Family of variants from one template, if any; the variants are consecutive in [`all`].
    pub family: Option<&'static str>,
    /// Description in one line.
    pub about: &'static str,
    /// Place in the book.
    pub book: &'static str,
    /// Default size.
    pub default_size: u64,
    /// Sizes that run quickly: less than a block, exactly a block, and more than a block, if the
    /// kernel supports them.
    pub small_sizes: &'static [u64],
    /// Meaning and allowed values of the size.
    pub size_meaning: &'static str,
    /// Threads per block of its launches.
    pub block: Dim3,
    /// Registers per thread that `ptxas` allocated for the book's kernel, if published: its
    /// launches use them.
    pub registers: Option<u32>,
    /// Name of the PTX file.
    pub file: &'static str,
    /// PTX text.
    pub ptx: &'static str,
    /// The same kernel in CUDA C, complete: it compiles for [`Workload::target`].
    pub cuda: &'static str,
    program: Program,
}

/// Returns all workloads. The texts of families are generated from their templates at the first
/// call, and kept.
pub fn all() -> &'static [Workload] {
    static ALL: LazyLock<Vec<Workload>> = LazyLock::new(|| {
        [
            vecadd::workloads(),
            matmul::workloads(),
            matadd::workloads(),
            reduce::workloads(),
            transpose::workloads(),
            coulomb::workloads(),
            cutoff::workloads(),
            mri::workloads(),
            histogram::workloads(),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
    &ALL
}

/// Workloads whose kernels have a race, as printed in the book: their result depends on the order
/// of warps.
pub const RACING: [&str; 3] = ["dot-product-printed", "block-transpose-printed", "mri-fhd-racing"];

/// Returns the workload of this name.
pub fn find(name: &str) -> Option<&'static Workload> {
    // The first call of `all` makes many texts, which a run of a file does not need.
    let is_path = name.contains(['.', '/', '\\']);
    if is_path { None } else { all().iter().find(|w| w.name == name) }
}

impl fmt::Debug for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Workload({})", self.name)
    }
}

impl Workload {
    /// Compute capability of the text's target, if it names one.
    pub fn target(&self) -> Option<Capability> {
        let targets = self.ptx.lines().find_map(|line| line.trim().strip_prefix(".target"))?;
        Capability::from_target(targets.split([',', ' ', '\t', ';']).find(|word| !word.is_empty())?)
    }

    /// Compiles the text.
    pub fn compile(&self) -> Result<Module, RunError> {
        self.compile_with(Options::default())
    }

    /// Compiles the text with `options`.
    pub fn compile_with(&self, options: Options) -> Result<Module, RunError> {
        let (module, diagnostics) = isa::compile_with(self.file, self.ptx, options);
        module.ok_or_else(|| {
            let rendered = diag::render_all(&diagnostics, self.file, self.ptx);
            RunError::Kernel { file: self.file, rendered }
        })
    }

    /// Runs the workload on `gpu`; `module` is its compiled text.
    ///
    /// A kernel that traps, hangs or reaches a limit gives a [`HostRun`] whose last report says so,
    /// with its results unchecked; an error means that a launch could not happen. All allocations
    /// are freed in either case.
    pub fn run(
        &'static self,
        module: Module,
        gpu: &mut Gpu,
        settings: Settings,
    ) -> Result<HostRun, RunError> {
        let mut session = Session::new(self, module, gpu, settings)?;
        let outcome = (self.program)(&mut session, settings.size.unwrap_or(self.default_size));
        session.free_all()?;
        outcome
    }
}

/// Compiles the workload `name` and runs it on `gpu`; see [`Workload::run`].
pub fn run(name: &str, gpu: &mut Gpu, settings: Settings) -> Result<HostRun, RunError> {
    let workload = find(name).ok_or_else(|| RunError::Unknown(name.to_owned()))?;
    workload.run(workload.compile()?, gpu, settings)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_unique() {
        for (i, workload) in all().iter().enumerate() {
            assert_eq!(find(workload.name).map(|w| w.file), Some(workload.file));
            assert!(all()[..i].iter().all(|w| w.name != workload.name));
        }
        assert!(find("matmul").is_none());
    }

    /// Checks that every remaining `@` is a guard, and that lines have at most 120 columns, with
    /// tabs of 8.
    pub fn is_filled_and_fits(name: &str, text: &str) {
        let guards =
            text.match_indices('@').all(|(at, _)| ["@%", "@!%"].iter().any(|g| text[at..].starts_with(g)));
        assert!(guards, "{name}");
        for line in text.lines() {
            let columns = line.chars().fold(0, |at, c| if c == '\t' { (at / 8 + 1) * 8 } else { at + 1 });
            assert!(columns <= 120 && line == line.trim_end(), "{name}: {columns} columns: {line}");
        }
    }

    #[test]
    fn texts_are_filled_and_fit_their_lines() {
        for workload in all() {
            is_filled_and_fits(workload.name, workload.ptx);
        }
        // Kernels of the experiments.
        for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/ptx/book")).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "ptx") {
                is_filled_and_fits(&path.display().to_string(), &std::fs::read_to_string(&path).unwrap());
            }
        }
    }

    #[test]
    fn every_text_compiles() {
        for workload in all() {
            assert!(workload.ptx.contains(".entry "), "{}", workload.name);
            assert!(workload.target().is_some(), "{}", workload.name);
            let module = workload.compile().unwrap_or_else(|e| panic!("{}: {e}", workload.name));
            for program in &module.entries {
                assert_eq!(isa::uop::verify::verify(program), Ok(()), "{}", workload.name);
                assert_eq!(program.address_bits, 32, "{}", workload.name);
            }
        }
    }
}

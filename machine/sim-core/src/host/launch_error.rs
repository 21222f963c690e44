//! Reasons for which a launch is refused.

use crate::occupancy::Refusal;
use crate::words::words;
use isa::feature::Features;
use isa::mangled::plain;
use isa::terms::Terms;
use isa::types::{Dim3, ScalarType};
use std::borrow::Cow;

words! {
    /// A limit that a launch can exceed.
    pub enum LaunchLimit {
        /// Threads per block, limited by the chip.
        Threads = "the number of threads per block",
        /// Threads per block, limited by the kernel's `.maxntid`.
        MaxThreads = "the number of threads per block (.maxntid)",
        /// Extent x of the grid, in blocks.
        GridX = "grid x",
        /// Extent y of the grid, in blocks.
        GridY = "grid y",
        /// Extent z of the grid, in blocks.
        GridZ = "grid z",
        /// Extent x of the block, in threads.
        BlockX = "block x",
        /// Extent y of the block, in threads.
        BlockY = "block y",
        /// Extent z of the block, in threads.
        BlockZ = "block z",
        /// Bytes of parameters.
        Parameters = "the size of the parameters in bytes",
        /// Local memory per thread.
        Local = "the local memory per thread in bytes",
        /// Local memory of all resident threads, which is part of device memory.
        ResidentLocal = "the local memory of all resident threads in bytes",
        /// Static and dynamic shared memory per block.
        Shared = "the shared memory per block in bytes",
    }
}

impl LaunchLimit {
    /// Name of the limit in the words of a language.
    fn name_in(self, terms: &Terms) -> Cow<'static, str> {
        if !terms.is_opencl() {
            return self.name().into();
        }
        match self {
            Self::Threads => "the number of work-items per work-group".into(),
            Self::MaxThreads => "the number of work-items per work-group (reqd_work_group_size)".into(),
            Self::GridX => "the number of work-groups in dimension 0".into(),
            Self::GridY => "the number of work-groups in dimension 1".into(),
            Self::GridZ => "the number of work-groups in dimension 2".into(),
            Self::BlockX => "the number of work-items per work-group in dimension 0".into(),
            Self::BlockY => "the number of work-items per work-group in dimension 1".into(),
            Self::BlockZ => "the number of work-items per work-group in dimension 2".into(),
            Self::Parameters => self.name().into(),
            Self::Local => "the private memory per work-item in bytes".into(),
            Self::ResidentLocal => "the private memory of all resident work-items in bytes".into(),
            Self::Shared => "the local memory per work-group in bytes".into(),
        }
    }

    /// Returns a sentence with the number that a launch needs, and the limit.
    pub fn sentence(self, terms: &Terms, needed: u64, available: u64) -> String {
        let whose = match self {
            Self::MaxThreads => "the kernel",
            Self::ResidentLocal => "the free device memory",
            Self::Threads
            | Self::GridX
            | Self::GridY
            | Self::GridZ
            | Self::BlockX
            | Self::BlockY
            | Self::BlockZ
            | Self::Parameters
            | Self::Local
            | Self::Shared => "this chip",
        };
        format!("{} is {needed}; {whose} allows at most {available}", self.name_in(terms))
    }
}

/// Reason for which a launch was rejected before its first cycle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// Only the occupancy rules of the chip are known.
    #[error("{board} cannot run kernels: only its occupancy rules are known (`simulated: false`)")]
    NotSimulated {
        /// The chip's board.
        board: String,
    },
    /// The module has no kernel of this name.
    #[error("the module has no kernel `{name}`; its kernels: {known}")]
    NoEntry {
        /// Name of the kernel.
        name: String,
        /// Names of the module's kernels.
        known: String,
    },
    /// The number of arguments is wrong.
    #[error("kernel `{name}` expects {expected} arguments, found {given}", name = plain(kernel))]
    ArgumentCount {
        /// Name of the kernel.
        kernel: String,
        /// Number of parameters.
        expected: usize,
        /// Number of arguments.
        given: usize,
    },
    /// An argument has the wrong size.
    #[error(
        "argument {index} of kernel `{name}` does not match parameter `{param}` of {expected} bytes ({ty})",
        name = plain(kernel)
    )]
    ArgumentSize {
        /// Name of the kernel.
        kernel: String,
        /// Position of the argument, from 0.
        index: usize,
        /// Name of the parameter.
        param: String,
        /// Size of the parameter in bytes.
        expected: u32,
        /// Type of the parameter.
        ty: ScalarType,
    },
    /// The launch exceeds a limit.
    #[error("launch of `{}` refused: {}", plain(kernel), limit.sentence(terms, *needed, *available))]
    Limit {
        /// Name of the kernel.
        kernel: String,
        /// Exceeded limit of the chip.
        limit: LaunchLimit,
        /// Number needed.
        needed: u64,
        /// Number available.
        available: u64,
        /// Words of the kernel's language.
        terms: &'static Terms,
    },
    /// A block needs more than an SM has.
    #[error("launch of `{}` refused: {}", plain(kernel), refusal.sentence(terms))]
    Refused {
        /// Name of the kernel.
        kernel: String,
        /// The resource, the number needed and the number available.
        refusal: Refusal,
        /// Words of the kernel's language.
        terms: &'static Terms,
    },
    /// An extent of the grid or the block is zero.
    #[error("launch of `{name}` refused: extent {what} is 0", name = plain(kernel))]
    Empty {
        /// Name of the kernel.
        kernel: String,
        /// Name of the extent.
        what: &'static str,
    },
    /// The block differs from the kernel's `.reqntid`.
    #[error(
        "kernel `{name}` requires {block}s of {required} ({attribute}), but the launch has {given}",
        name = plain(kernel),
        block = terms.block,
        attribute = terms.required
    )]
    RequiredBlock {
        /// Name of the kernel.
        kernel: String,
        /// Block size of `.reqntid`.
        required: Dim3,
        /// Block size of the launch.
        given: Dim3,
        /// Words of the kernel's language.
        terms: &'static Terms,
    },
    /// The chip has no texture units.
    #[error(
        "kernel `{name}` reads textures, but the chip `{chip}` has no texture units (`cluster.texture_cache`)",
        name = plain(kernel)
    )]
    NoTextureUnits {
        /// Name of the kernel.
        kernel: String,
        /// Name of the chip.
        chip: String,
    },
    /// The module was compiled for a newer chip.
    #[error("kernel `{name}` requires compute capability {target}, but the chip has {chip}", name = plain(kernel))]
    Capability {
        /// Name of the kernel.
        kernel: String,
        /// Compute capability of the module's target.
        target: String,
        /// Compute capability of the chip.
        chip: String,
    },
    /// The kernel has an instruction after Fermi that the chip does not have.
    #[error(
        "kernel `{name}` uses `{instruction}` in {place}, which the chip has only with `features: {features}`",
        name = plain(kernel)
    )]
    Feature {
        /// Name of the kernel.
        kernel: String,
        /// First such instruction, as written.
        instruction: String,
        /// Line of the instruction, with its place in CUDA C if a `.loc` names it.
        place: String,
        /// Groups that a chip needs for the kernel, with those that this chip has.
        features: Features,
    },
}

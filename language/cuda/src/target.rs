//! What code is generated for: a compute capability, or the host.

use isa::feature::Features;
use isa::types::Capability;

/// The half of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Kernels and device functions.
    Device,
    /// Host functions, with 64-bit pointers.
    Host,
    /// A program in C, which has no other half: host functions.
    C,
    /// A program in OpenCL C, which has no other half: kernels and their functions.
    OpenCl,
}

impl Side {
    /// Whether code of the device is made.
    pub fn is_device(self) -> bool {
        !matches!(self, Self::Host | Self::C)
    }

    /// Whether the language is CUDA C++, not C or OpenCL C.
    pub fn is_cpp(self) -> bool {
        matches!(self, Self::Host | Self::Device)
    }
}

/// A half of a program, and a compute capability with what follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Capability times ten: 10, 11, 12, 13, 20 or 21.
    pub capability: u32,
    /// Size of pointers, `size_t` and `ptrdiff_t`.
    pub pointer_bytes: u8,
    /// The half of the program.
    pub side: Side,
    /// Instructions after Fermi that the chip has.
    pub features: Features,
}

impl Target {
    /// The targets by name.
    pub const NAMES: [&str; 6] = ["sm_10", "sm_11", "sm_12", "sm_13", "sm_20", "sm_21"];

    /// Returns the target `sm_10` to `sm_13`, `sm_20` or `sm_21`.
    pub fn from_name(name: &str) -> Option<Self> {
        let known = Self::NAMES.contains(&name).then_some(name)?;
        let capability = known.strip_prefix("sm_")?.parse().ok()?;
        let pointer_bytes = if capability < 20 { 4 } else { 8 };
        Some(Self { capability, pointer_bytes, side: Side::Device, features: Features::NONE })
    }

    /// Returns the target of a chip's code. Later chips run the code of the latest target, with the
    /// instructions of their features.
    pub fn of_chip(Capability { major, minor }: Capability, features: Features) -> Self {
        let [.., latest] = Self::NAMES;
        let own = Self::from_name(&format!("sm_{major}{minor}")).or_else(|| Self::from_name(latest));
        own.expect("the latest target exists").with(features)
    }

    /// The same target with these instructions after Fermi.
    #[must_use]
    pub fn with(self, features: Features) -> Self {
        Self { features, ..self }
    }

    /// The host half of a program for this capability.
    #[must_use]
    pub fn host(self) -> Self {
        Self { pointer_bytes: 8, side: Side::Host, ..self }
    }

    /// A program in C.
    #[must_use]
    pub fn in_c(self) -> Self {
        Self { side: Side::C, ..self.host() }
    }

    /// A program in OpenCL C for this capability, with 32-bit pointers.
    #[must_use]
    pub fn open_cl(self) -> Self {
        Self { pointer_bytes: 4, side: Side::OpenCl, ..self }
    }

    /// Number of the architecture that programs see in `__CUDA_ARCH__`, divided by ten: the first
    /// one with all features of the chip.
    pub fn architecture(self) -> u32 {
        let since = |first: Capability| u32::from(first.major) * 10 + u32::from(first.minor);
        self.features.since().map_or(self.capability, |first| since(first).max(self.capability))
    }

    /// Name such as `sm_13`.
    pub fn name(self) -> String {
        format!("sm_{}", self.architecture())
    }

    /// Whether the target is `sm_20` or later: calls, generic addresses, 64-bit pointers.
    pub fn is_fermi(self) -> bool {
        self.capability >= 20
    }

    /// Whether the target computes `double`; older targets compute it as `float`.
    pub fn has_double(self) -> bool {
        self.capability >= 13
    }

    /// Local memory of a thread in bytes.
    pub fn local_bytes(self) -> u64 {
        if self.is_fermi() { 512 << 10 } else { 16 << 10 }
    }

    /// Shared memory of a block in bytes.
    pub fn shared_bytes(self) -> u64 {
        if self.is_fermi() { 48 << 10 } else { 16 << 10 }
    }
}

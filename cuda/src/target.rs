//! The compute capability that code is generated for.

/// A compute capability and what follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Capability times ten: 10, 11, 12, 13, 20 or 21.
    pub capability: u32,
    /// Size of pointers, `size_t` and `ptrdiff_t` in device code.
    pub pointer_bytes: u8,
}

impl Target {
    /// The targets by name.
    pub const NAMES: [&str; 6] = ["sm_10", "sm_11", "sm_12", "sm_13", "sm_20", "sm_21"];

    /// Returns the target `sm_10` to `sm_13`, `sm_20` or `sm_21`.
    pub fn from_name(name: &str) -> Option<Self> {
        let known = Self::NAMES.contains(&name).then_some(name)?;
        let capability = known.strip_prefix("sm_")?.parse().ok()?;
        Some(Self { capability, pointer_bytes: if capability < 20 { 4 } else { 8 } })
    }

    /// Name such as `sm_13`.
    pub fn name(self) -> String {
        format!("sm_{}", self.capability)
    }

    /// Whether the target is `sm_20` or later: calls, generic addresses, 64-bit pointers.
    pub fn is_fermi(self) -> bool {
        self.capability >= 20
    }

    /// Whether the target computes `double`; older targets compute it as `float`.
    pub fn has_double(self) -> bool {
        self.capability >= 13
    }

    /// Shared memory of a block in bytes.
    pub fn shared_bytes(self) -> u64 {
        if self.is_fermi() { 48 << 10 } else { 16 << 10 }
    }
}

//! Address spaces of OpenCL C, which are part of the types of pointers.

/// The memory that an object is in, as far as its type says so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AddressSpace {
    /// The type does not say it. In CUDA C a pointer to such an object can point to any memory; in
    /// OpenCL C it points to private memory.
    #[default]
    Unnamed,
    /// `__global`.
    Global,
    /// `__constant`.
    Constant,
    /// `__local`.
    Local,
    /// `__private`.
    Private,
}

impl AddressSpace {
    /// The qualifier; empty without one.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unnamed => "",
            Self::Global => "__global",
            Self::Constant => "__constant",
            Self::Local => "__local",
            Self::Private => "__private",
        }
    }

    /// The space in which OpenCL C has an object: without a name it is private.
    #[must_use]
    pub fn or_private(self) -> Self {
        if self == Self::Unnamed { Self::Private } else { self }
    }
}

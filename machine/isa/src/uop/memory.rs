//! Kind, state space and width of micro-ops that access memory: the columns of the memory rows in
//! the micro-op table.

use crate::sem;
use crate::types::StateSpace;

/// Kind of an access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// Reads memory into registers.
    Load,
    /// Writes registers to memory.
    Store,
    /// Reads, changes and writes one word atomically, and returns the old value.
    Atomic,
    /// Compare-and-swap: writes the word if it equals an operand, and returns the old value.
    Cas,
    /// Changes one word atomically, without returning the old value.
    Reduction,
}

impl MemoryKind {
    /// Whether the access reads and writes its word atomically.
    pub const fn is_atomic(self) -> bool {
        match self {
            Self::Load | Self::Store => false,
            Self::Atomic | Self::Cas | Self::Reduction => true,
        }
    }

    /// Whether the access writes memory.
    pub const fn writes(self) -> bool {
        match self {
            Self::Load => false,
            Self::Store | Self::Atomic | Self::Cas | Self::Reduction => true,
        }
    }

    /// Whether the access returns a value to registers.
    pub const fn returns(self) -> bool {
        match self {
            Self::Load | Self::Atomic | Self::Cas => true,
            Self::Store | Self::Reduction => false,
        }
    }
}

/// State space of an access, or generic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemorySpace {
    /// Kernel parameters.
    Param,
    /// Constant memory.
    Const,
    /// Shared memory of the block.
    Shared,
    /// Global memory.
    Global,
    /// Local memory of each thread.
    Local,
    /// Generic addresses: the address of each lane selects the state space.
    Generic,
}

impl MemorySpace {
    /// Returns the space that an instruction names; `None` as the argument means generic addresses.
    /// Returns `None` for registers, which are not memory, and for textures and
    /// surfaces, which have their own micro-ops.
    pub const fn named(space: Option<StateSpace>) -> Option<Self> {
        match space {
            None => Some(Self::Generic),
            Some(StateSpace::Param) => Some(Self::Param),
            Some(StateSpace::Const) => Some(Self::Const),
            Some(StateSpace::Shared) => Some(Self::Shared),
            Some(StateSpace::Global) => Some(Self::Global),
            Some(StateSpace::Local) => Some(Self::Local),
            Some(StateSpace::Reg | StateSpace::Tex | StateSpace::Surf | StateSpace::Sampler) => None,
        }
    }
}

/// Registers that hold the value of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registers {
    /// A 32-bit register.
    W,
    /// A 64-bit register.
    D,
    /// Two 32-bit registers.
    W2,
    /// Four 32-bit registers.
    W4,
    /// Two 64-bit registers.
    D2,
}

impl Registers {
    /// Number of registers.
    pub const fn count(self) -> usize {
        match self {
            Self::W | Self::D => 1,
            Self::W2 | Self::D2 => 2,
            Self::W4 => 4,
        }
    }

    /// Whether the registers have 64 bits.
    pub const fn is_wide(self) -> bool {
        match self {
            Self::W | Self::W2 | Self::W4 => false,
            Self::D | Self::D2 => true,
        }
    }
}

macro_rules! widths {
    ($(#[doc = $doc:literal] $width:ident $bytes:literal $registers:ident $module:ident :: $extension:ident;)*) => {
        /// Width of the value that one lane loads or stores, and extension of a narrow value to its
        /// register.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Width {
            $(#[doc = $doc] $width),*
        }

        impl Width {
            /// All widths.
            pub const ALL: &'static [Self] = &[$(Self::$width),*];

            /// Returns the number of bytes per lane.
            pub const fn bytes(self) -> u32 {
                match self {
                    $(Self::$width => $bytes),*
                }
            }

            /// Returns the registers that hold the value of one lane.
            pub const fn registers(self) -> Registers {
                match self {
                    $(Self::$width => Registers::$registers),*
                }
            }

            /// Returns the function that extends a value, read as 32 bits, to its register. It
            /// ignores the bits above the width.
            pub const fn extension(self) -> fn(u32) -> u32 {
                match self {
                    $(Self::$width => sem::$module::$extension),*
                }
            }
        }
    };
}

// Bytes per lane, registers that hold them, and the extension of a narrow value.
widths! {
    /// A byte, zero-extended.
    B8    1  W  int::zext8;
    /// A byte, sign-extended.
    S8    1  W  int::sext8;
    /// Two bytes, zero-extended.
    B16   2  W  int::zext16;
    /// Two bytes, sign-extended.
    S16   2  W  int::sext16;
    /// Four bytes.
    B32   4  W  int::id32;
    /// Eight bytes.
    B64   8  D  int::id32;
    /// Two words of four bytes, each in a register.
    V2B32 8  W2 int::id32;
    /// Four words of four bytes, each in a register.
    V4B32 16 W4 int::id32;
    /// Two words of eight bytes, each in a register.
    V2B64 16 D2 int::id32;
}

impl Width {
    /// Returns the number of registers that hold the value of one lane.
    pub const fn rows(self) -> usize {
        self.registers().count()
    }

    /// Whether these registers have 64 bits.
    pub const fn is_wide(self) -> bool {
        self.registers().is_wide()
    }
}

/// A memory access of a micro-op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Kind of the access.
    pub kind: MemoryKind,
    /// State space of the access.
    pub space: MemorySpace,
    /// Width of the value of one lane.
    pub width: Width,
}

impl Memory {
    /// Creates an access with this kind, space and width.
    pub const fn new(kind: MemoryKind, space: MemorySpace, width: Width) -> Self {
        Self { kind, space, width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uop::Op;

    #[test]
    fn every_width_has_a_micro_op() {
        for width in Width::ALL {
            let used = Op::ALL.iter().filter_map(|op| op.memory()).any(|memory| memory.width == *width);
            assert!(used, "no row of table.rs has the width {width:?}");
        }
    }
}

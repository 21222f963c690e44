//! What one lane of a load, store or atomic moves.

use isa::uop::Op;

/// What one lane of a load or store moves, and how a narrow value fills its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// A byte, zero-extended.
    U8,
    /// A byte, sign-extended.
    S8,
    /// Two bytes, zero-extended.
    U16,
    /// Two bytes, sign-extended.
    S16,
    /// Four bytes.
    B32,
    /// Eight bytes.
    B64,
    /// Two words of four bytes, each with a row of its own.
    V2B32,
    /// Four words of four bytes.
    V4B32,
    /// Two words of eight bytes.
    V2B64,
}

impl Width {
    /// The width of a load, store or atomic; four bytes for all else.
    pub fn of(op: Op) -> Self {
        match op {
            Op::LdParamB8
            | Op::LdConstB8
            | Op::LdSharedB8
            | Op::LdGlobalB8
            | Op::LdLocalB8
            | Op::LdGenericB8
            | Op::StSharedB8
            | Op::StGlobalB8
            | Op::StLocalB8
            | Op::StGenericB8 => Self::U8,
            Op::LdParamS8
            | Op::LdConstS8
            | Op::LdSharedS8
            | Op::LdGlobalS8
            | Op::LdLocalS8
            | Op::LdGenericS8 => Self::S8,
            Op::LdParamB16
            | Op::LdConstB16
            | Op::LdSharedB16
            | Op::LdGlobalB16
            | Op::LdLocalB16
            | Op::LdGenericB16
            | Op::StSharedB16
            | Op::StGlobalB16
            | Op::StLocalB16
            | Op::StGenericB16 => Self::U16,
            Op::LdParamS16
            | Op::LdConstS16
            | Op::LdSharedS16
            | Op::LdGlobalS16
            | Op::LdLocalS16
            | Op::LdGenericS16 => Self::S16,
            Op::LdParamB64
            | Op::LdConstB64
            | Op::LdSharedB64
            | Op::LdGlobalB64
            | Op::LdLocalB64
            | Op::LdGenericB64
            | Op::StSharedB64
            | Op::StGlobalB64
            | Op::StLocalB64
            | Op::StGenericB64
            | Op::AtomGlobalB64
            | Op::AtomGenericB64
            | Op::CasGenericB64
            | Op::RedGenericB64
            | Op::CasGlobalB64
            | Op::RedGlobalB64
            | Op::AtomSharedB64
            | Op::CasSharedB64
            | Op::RedSharedB64 => Self::B64,
            Op::LdParamV2B32
            | Op::LdConstV2B32
            | Op::LdSharedV2B32
            | Op::LdGlobalV2B32
            | Op::LdLocalV2B32
            | Op::LdGenericV2B32
            | Op::StSharedV2B32
            | Op::StGlobalV2B32
            | Op::StLocalV2B32
            | Op::StGenericV2B32 => Self::V2B32,
            Op::LdParamV4B32
            | Op::LdConstV4B32
            | Op::LdSharedV4B32
            | Op::LdGlobalV4B32
            | Op::LdLocalV4B32
            | Op::LdGenericV4B32
            | Op::StSharedV4B32
            | Op::StGlobalV4B32
            | Op::StLocalV4B32
            | Op::StGenericV4B32 => Self::V4B32,
            Op::LdParamV2B64
            | Op::LdConstV2B64
            | Op::LdSharedV2B64
            | Op::LdGlobalV2B64
            | Op::LdLocalV2B64
            | Op::LdGenericV2B64
            | Op::StSharedV2B64
            | Op::StGlobalV2B64
            | Op::StLocalV2B64
            | Op::StGenericV2B64 => Self::V2B64,
            _ => Self::B32,
        }
    }

    /// Bytes per lane.
    pub fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 => 2,
            Self::B32 => 4,
            Self::B64 | Self::V2B32 => 8,
            Self::V4B32 | Self::V2B64 => 16,
        }
    }

    /// Its elements are 64-bit rows.
    pub(super) fn is_wide(self) -> bool {
        matches!(self, Self::B64 | Self::V2B64)
    }

    /// How many rows it fills or reads.
    pub(super) fn rows(self) -> usize {
        match self {
            Self::V2B32 | Self::V2B64 => 2,
            Self::V4B32 => 4,
            _ => 1,
        }
    }

    /// How a value that was read as 32 bits, whatever stands above its own, fills its row.
    pub(super) fn extension(self) -> fn(u32) -> u32 {
        match self {
            Self::U8 => |v| v & 0xff,
            Self::S8 => |v| i32::from(v as i8) as u32,
            Self::U16 => |v| v & 0xffff,
            Self::S16 => |v| i32::from(v as i16) as u32,
            _ => |v| v,
        }
    }
}

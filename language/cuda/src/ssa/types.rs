//! Types of values and of memory accesses.

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    /// No value: stores, barriers, calls of void functions.
    Void,
    /// A predicate.
    I1,
    /// An integer of 32 bits, signed or unsigned.
    I32,
    /// An integer of 64 bits, signed or unsigned.
    I64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// Several values, which `Op::Extract` reads.
    Multi,
}

impl Ty {
    /// Whether the type is an integer of 32 or 64 bits.
    pub fn is_int(self) -> bool {
        matches!(self, Ty::I32 | Ty::I64)
    }

    /// Whether the type is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    /// Bits of a value; 0 for `Void` and `Multi`.
    pub fn bits(self) -> u32 {
        match self {
            Ty::Void | Ty::Multi => 0,
            Ty::I1 => 1,
            Ty::I32 | Ty::F32 => 32,
            Ty::I64 | Ty::F64 => 64,
        }
    }

    /// Mask of the bits of a value.
    pub fn mask(self) -> u64 {
        match self.bits() {
            0 => 0,
            64 => u64::MAX,
            bits => (1 << bits) - 1,
        }
    }
}

/// Type of an element in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mem {
    /// One byte, zero-extended to 32 bits.
    U8,
    /// One byte, sign-extended to 32 bits.
    S8,
    /// Two bytes, zero-extended to 32 bits.
    U16,
    /// Two bytes, sign-extended to 32 bits.
    S16,
    /// An integer of four bytes.
    B32,
    /// An integer of eight bytes.
    B64,
    /// Four bytes, binary32.
    F32,
    /// Eight bytes, binary64.
    F64,
}

impl Mem {
    /// Bytes of the element.
    pub fn bytes(self) -> u64 {
        match self {
            Mem::U8 | Mem::S8 => 1,
            Mem::U16 | Mem::S16 => 2,
            Mem::B32 | Mem::F32 => 4,
            Mem::B64 | Mem::F64 => 8,
        }
    }

    /// Type of a loaded value.
    pub fn ty(self) -> Ty {
        match self {
            Mem::F32 => Ty::F32,
            Mem::F64 => Ty::F64,
            Mem::B64 => Ty::I64,
            _ => Ty::I32,
        }
    }

    /// The memory type of whole values of a type; `None` for types without one.
    pub fn of(ty: Ty) -> Option<Mem> {
        match ty {
            Ty::I32 => Some(Mem::B32),
            Ty::I64 => Some(Mem::B64),
            Ty::F32 => Some(Mem::F32),
            Ty::F64 => Some(Mem::F64),
            Ty::Void | Ty::I1 | Ty::Multi => None,
        }
    }

    /// The type in PTX.
    pub fn ptx(self) -> &'static str {
        match self {
            Mem::U8 => "u8",
            Mem::S8 => "s8",
            Mem::U16 => "u16",
            Mem::S16 => "s16",
            Mem::B32 => "u32",
            Mem::B64 => "u64",
            Mem::F32 => "f32",
            Mem::F64 => "f64",
        }
    }
}

/// State space of an access or a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Unknown until the space is inferred; then a generic address (from `sm_20` on).
    Generic,
    /// Global memory.
    Global,
    /// Shared memory of the block.
    Shared,
    /// Local memory of the thread.
    Local,
    /// Constant memory.
    Const,
}

impl Space {
    /// The space as a suffix of an instruction, with its dot; empty for generic addresses.
    pub fn suffix(self) -> &'static str {
        match self {
            Space::Generic => "",
            Space::Global => ".global",
            Space::Shared => ".shared",
            Space::Local => ".local",
            Space::Const => ".const",
        }
    }
}

/// A number type of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the types of PTX by their names")]
pub enum Num {
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
    F32,
    F64,
}

impl Num {
    /// Whether the type is signed; floating-point types are.
    pub fn signed(self) -> bool {
        !matches!(self, Num::U8 | Num::U16 | Num::U32 | Num::U64)
    }

    /// Whether the type is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Num::F32 | Num::F64)
    }

    /// Bits of the type.
    pub fn bits(self) -> u32 {
        match self {
            Num::U8 | Num::S8 => 8,
            Num::U16 | Num::S16 => 16,
            Num::U32 | Num::S32 | Num::F32 => 32,
            Num::U64 | Num::S64 | Num::F64 => 64,
        }
    }

    /// Type of the value that holds the number.
    pub fn ty(self) -> Ty {
        match self {
            Num::F32 => Ty::F32,
            Num::F64 => Ty::F64,
            Num::U64 | Num::S64 => Ty::I64,
            _ => Ty::I32,
        }
    }

    /// The type in PTX.
    pub fn ptx(self) -> &'static str {
        match self {
            Num::U8 => "u8",
            Num::S8 => "s8",
            Num::U16 => "u16",
            Num::S16 => "s16",
            Num::U32 => "u32",
            Num::S32 => "s32",
            Num::U64 => "u64",
            Num::S64 => "s64",
            Num::F32 => "f32",
            Num::F64 => "f64",
        }
    }
}

/// A comparison. The floating-point comparisons without `U` are false if an operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the comparisons of PTX by their names")]
pub enum Cmp {
    Eq,
    Ne,
    LtS,
    LeS,
    GtS,
    GeS,
    LtU,
    LeU,
    GtU,
    GeU,
    FEq,
    FNe,
    FLt,
    FLe,
    FGt,
    FGe,
    FEqu,
    FNeu,
    FLtu,
    FLeu,
    FGtu,
    FGeu,
}

impl Cmp {
    /// The comparison with the opposite result.
    #[must_use]
    pub fn negated(self) -> Cmp {
        use Cmp::{
            Eq, FEq, FEqu, FGe, FGeu, FGt, FGtu, FLe, FLeu, FLt, FLtu, FNe, FNeu, GeS, GeU, GtS, GtU, LeS,
            LeU, LtS, LtU, Ne,
        };
        match self {
            Eq => Ne,
            Ne => Eq,
            LtS => GeS,
            LeS => GtS,
            GtS => LeS,
            GeS => LtS,
            LtU => GeU,
            LeU => GtU,
            GtU => LeU,
            GeU => LtU,
            FEq => FNeu,
            FNe => FEqu,
            FLt => FGeu,
            FLe => FGtu,
            FGt => FLeu,
            FGe => FLtu,
            FEqu => FNe,
            FNeu => FEq,
            FLtu => FGe,
            FLeu => FGt,
            FGtu => FLe,
            FGeu => FLt,
        }
    }

    /// The comparison with exchanged operands.
    #[must_use]
    pub fn swapped(self) -> Cmp {
        use Cmp::{FGe, FGeu, FGt, FGtu, FLe, FLeu, FLt, FLtu, GeS, GeU, GtS, GtU, LeS, LeU, LtS, LtU};
        match self {
            LtS => GtS,
            LeS => GeS,
            GtS => LtS,
            GeS => LeS,
            LtU => GtU,
            LeU => GeU,
            GtU => LtU,
            GeU => LeU,
            FLt => FGt,
            FLe => FGe,
            FGt => FLt,
            FGe => FLe,
            FLtu => FGtu,
            FLeu => FGeu,
            FGtu => FLtu,
            FGeu => FLeu,
            same => same,
        }
    }

    /// Whether the operands are floating-point numbers.
    pub fn is_float(self) -> bool {
        self >= Cmp::FEq
    }
}

//! Scalar types, state spaces, dimensions and compute capabilities, named as in PTX.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A PTX scalar type (PTX ISA, "Fundamental Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own type names")]
pub enum ScalarType {
    B8,
    B16,
    B32,
    B64,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F32,
    F64,
    Pred,
}

/// How the bits of a type are interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own words")]
pub enum TypeKind {
    Bits,
    Unsigned,
    Signed,
    Float,
    Pred,
}

impl ScalarType {
    /// All types with their PTX names.
    pub const ALL: [(&'static str, Self); 16] = [
        ("b8", Self::B8),
        ("b16", Self::B16),
        ("b32", Self::B32),
        ("b64", Self::B64),
        ("u8", Self::U8),
        ("u16", Self::U16),
        ("u32", Self::U32),
        ("u64", Self::U64),
        ("s8", Self::S8),
        ("s16", Self::S16),
        ("s32", Self::S32),
        ("s64", Self::S64),
        ("f16", Self::F16),
        ("f32", Self::F32),
        ("f64", Self::F64),
        ("pred", Self::Pred),
    ];

    /// Returns the type with a PTX name, given without the dot.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, t)| *t)
    }

    /// Returns the PTX name without the dot.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, t)| *t == self).expect("every type is listed").0
    }

    /// Returns the size in memory in bytes; 0 for a predicate, which cannot be in memory.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Pred => 0,
            Self::B8 | Self::U8 | Self::S8 => 1,
            Self::B16 | Self::U16 | Self::S16 | Self::F16 => 2,
            Self::B32 | Self::U32 | Self::S32 | Self::F32 => 4,
            Self::B64 | Self::U64 | Self::S64 | Self::F64 => 8,
        }
    }

    /// Returns how the bits are interpreted.
    pub fn kind(self) -> TypeKind {
        match self {
            Self::Pred => TypeKind::Pred,
            Self::B8 | Self::B16 | Self::B32 | Self::B64 => TypeKind::Bits,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => TypeKind::Unsigned,
            Self::S8 | Self::S16 | Self::S32 | Self::S64 => TypeKind::Signed,
            Self::F16 | Self::F32 | Self::F64 => TypeKind::Float,
        }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name())
    }
}

/// A PTX state space (PTX ISA, "State Spaces").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the variants are PTX's own names of its state spaces")]
pub enum StateSpace {
    Reg,
    Const,
    Global,
    Local,
    Param,
    Shared,
    Tex,
    Surf,
    Sampler,
}

impl StateSpace {
    /// Returns the PTX name without the dot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reg => "reg",
            Self::Const => "const",
            Self::Global => "global",
            Self::Local => "local",
            Self::Param => "param",
            Self::Shared => "shared",
            Self::Tex => "tex",
            Self::Surf => "surf",
            Self::Sampler => "sampler",
        }
    }
}

impl fmt::Display for StateSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name())
    }
}

/// An extent of a grid or block, or an index into it; x varies fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "CUDA's own field names")]
pub struct Dim3 {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

impl Dim3 {
    /// The extent or index `(x, y, z)`.
    pub const fn new(x: u32, y: u32, z: u32) -> Self {
        Self { x, y, z }
    }

    /// Returns x·y·z. The product saturates, so that a limit check still rejects an oversized
    /// extent.
    pub fn count(self) -> u64 {
        (self.x as u64).saturating_mul(self.y as u64).saturating_mul(self.z as u64)
    }

    /// Returns the index of linear position `i` within this extent: x varies fastest, then y, then
    /// z.
    #[must_use]
    pub fn index_of(self, i: u64) -> Self {
        let (x, y) = (self.x as u64, self.y as u64);
        Self::new((i % x) as u32, (i / x % y) as u32, (i / x / y) as u32)
    }
}

impl From<u32> for Dim3 {
    fn from(x: u32) -> Self {
        Self::new(x, 1, 1)
    }
}

impl From<(u32, u32)> for Dim3 {
    fn from((x, y): (u32, u32)) -> Self {
        Self::new(x, y, 1)
    }
}

impl From<(u32, u32, u32)> for Dim3 {
    fn from((x, y, z): (u32, u32, u32)) -> Self {
        Self::new(x, y, z)
    }
}

impl fmt::Display for Dim3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{},{})", self.x, self.y, self.z)
    }
}

/// A version of the PTX language, as written in `.version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    /// Number before the point.
    pub major: u8,
    /// Number after the point.
    pub minor: u8,
}

impl Version {
    /// The version `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A compute capability such as 1.0; a `.target` writes it as `sm_10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Capability {
    /// Generation: 1 is Tesla (G80, GT200), 2 is Fermi.
    pub major: u8,
    /// Revision within the generation.
    pub minor: u8,
}

impl Capability {
    /// The capability `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// Returns the capability of a target name: `sm_13` is 1.3. From `sm_90` on a target may have
    /// the letter `a` for features of this target alone, from `sm_100` on the letter `f` for
    /// features of its family.
    pub fn from_target(name: &str) -> Option<Self> {
        let name = name.strip_prefix("sm_")?;
        let digits = name.trim_end_matches(['a', 'f']);
        let number: u32 = digits.parse().ok()?;
        let has_letter = match &name[digits.len()..] {
            "" => true,
            "a" => number >= 90,
            "f" => number >= 100,
            _ => false,
        };
        ((10..1000).contains(&number) && has_letter)
            .then(|| Self::new((number / 10) as u8, (number % 10) as u8))
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

//! Special registers (PTX ISA, "Special Registers").

use crate::ptx::header::Needs;
use crate::types::Version;

/// A special register that a micro-op can read into a 32-bit row.
///
/// 64-bit `%clock64` is read as two of these; PTX 1.x's 16-bit views (`mov.u16 %rh, %tid.x`) take the low half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum SReg {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    LaneId,
    WarpId,
    NwarpId,
    SmId,
    NsmId,
    GridId,
    Clock,
}

impl SReg {
    /// All special registers with their PTX names.
    pub const ALL: [(&'static str, Self); 19] = [
        ("%tid.x", Self::TidX),
        ("%tid.y", Self::TidY),
        ("%tid.z", Self::TidZ),
        ("%ntid.x", Self::NtidX),
        ("%ntid.y", Self::NtidY),
        ("%ntid.z", Self::NtidZ),
        ("%ctaid.x", Self::CtaidX),
        ("%ctaid.y", Self::CtaidY),
        ("%ctaid.z", Self::CtaidZ),
        ("%nctaid.x", Self::NctaidX),
        ("%nctaid.y", Self::NctaidY),
        ("%nctaid.z", Self::NctaidZ),
        ("%laneid", Self::LaneId),
        ("%warpid", Self::WarpId),
        ("%nwarpid", Self::NwarpId),
        ("%smid", Self::SmId),
        ("%nsmid", Self::NsmId),
        ("%gridid", Self::GridId),
        ("%clock", Self::Clock),
    ];

    /// The register of a PTX name with its percent sign and component.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, r)| *r)
    }

    /// What it needs of a module's header.
    pub fn needs(self) -> Needs {
        match self {
            Self::LaneId | Self::WarpId | Self::SmId => Needs::version(Version::new(1, 3)),
            Self::NwarpId | Self::NsmId => Needs { sm: 20, ..Needs::version(Version::new(2, 0)) },
            _ => Needs::version(Version::new(1, 0)),
        }
    }

    /// PTX's name.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// The register of a code in [`crate::uop::Inst::imm`].
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(code as usize).map(|(_, r)| *r)
    }
}

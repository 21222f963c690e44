//! Special registers (PTX ISA, "Special Registers").

use crate::ptx::header::Needs;
use crate::types::Version;

/// A special register that a micro-op can read. All except `%clock64` are read into a 32-bit row.
///
/// The 16-bit reads of PTX 1.x (`mov.u16 %rh, %tid.x`) take the low half.
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
    Clock64,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    TidW,
    NtidW,
    CtaidW,
    NctaidW,
    Pm0,
    Pm1,
    Pm2,
    Pm3,
}

impl SReg {
    /// All special registers with their PTX names.
    pub const ALL: [(&'static str, Self); 33] = [
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
        ("%clock64", Self::Clock64),
        ("%lanemask_eq", Self::LaneMaskEq),
        ("%lanemask_le", Self::LaneMaskLe),
        ("%lanemask_lt", Self::LaneMaskLt),
        ("%lanemask_ge", Self::LaneMaskGe),
        ("%lanemask_gt", Self::LaneMaskGt),
        ("%tid.w", Self::TidW),
        ("%ntid.w", Self::NtidW),
        ("%ctaid.w", Self::CtaidW),
        ("%nctaid.w", Self::NctaidW),
        ("%pm0", Self::Pm0),
        ("%pm1", Self::Pm1),
        ("%pm2", Self::Pm2),
        ("%pm3", Self::Pm3),
    ];

    /// Returns the register with a PTX name, given with percent sign and component.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, r)| *r)
    }

    /// Returns the PTX version and target that the register requires.
    pub fn needs(self) -> Needs {
        match self {
            Self::LaneId | Self::WarpId | Self::SmId | Self::Pm0 | Self::Pm1 | Self::Pm2 | Self::Pm3 => {
                Needs::version(Version::new(1, 3))
            }
            Self::NwarpId
            | Self::NsmId
            | Self::Clock64
            | Self::LaneMaskEq
            | Self::LaneMaskLe
            | Self::LaneMaskLt
            | Self::LaneMaskGe
            | Self::LaneMaskGt => Needs { sm: 20, ..Needs::version(Version::new(2, 0)) },
            _ => Needs::version(Version::new(1, 0)),
        }
    }

    /// Returns the size in bytes: 8 for `%clock64`, 4 for all others.
    pub fn bytes(self) -> u32 {
        if self == Self::Clock64 { 8 } else { 4 }
    }

    /// Whether the register is a clock.
    pub fn is_clock(self) -> bool {
        matches!(self, Self::Clock | Self::Clock64)
    }

    /// Returns the PTX name.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// Returns the register for a code in [`crate::uop::Inst::imm`].
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(code as usize).map(|(_, r)| *r)
    }
}

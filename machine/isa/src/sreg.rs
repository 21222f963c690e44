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
    Envreg0,
    Envreg1,
    Envreg2,
    Envreg3,
    Envreg4,
    Envreg5,
    Envreg6,
    Envreg7,
    Envreg8,
    Envreg9,
    Envreg10,
    Envreg11,
    Envreg12,
    Envreg13,
    Envreg14,
    Envreg15,
    Envreg16,
    Envreg17,
    Envreg18,
    Envreg19,
    Envreg20,
    Envreg21,
    Envreg22,
    Envreg23,
    Envreg24,
    Envreg25,
    Envreg26,
    Envreg27,
    Envreg28,
    Envreg29,
    Envreg30,
    Envreg31,
}

impl SReg {
    /// All special registers with their PTX names.
    pub const ALL: [(&'static str, Self); 65] = [
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
        ("%envreg0", Self::Envreg0),
        ("%envreg1", Self::Envreg1),
        ("%envreg2", Self::Envreg2),
        ("%envreg3", Self::Envreg3),
        ("%envreg4", Self::Envreg4),
        ("%envreg5", Self::Envreg5),
        ("%envreg6", Self::Envreg6),
        ("%envreg7", Self::Envreg7),
        ("%envreg8", Self::Envreg8),
        ("%envreg9", Self::Envreg9),
        ("%envreg10", Self::Envreg10),
        ("%envreg11", Self::Envreg11),
        ("%envreg12", Self::Envreg12),
        ("%envreg13", Self::Envreg13),
        ("%envreg14", Self::Envreg14),
        ("%envreg15", Self::Envreg15),
        ("%envreg16", Self::Envreg16),
        ("%envreg17", Self::Envreg17),
        ("%envreg18", Self::Envreg18),
        ("%envreg19", Self::Envreg19),
        ("%envreg20", Self::Envreg20),
        ("%envreg21", Self::Envreg21),
        ("%envreg22", Self::Envreg22),
        ("%envreg23", Self::Envreg23),
        ("%envreg24", Self::Envreg24),
        ("%envreg25", Self::Envreg25),
        ("%envreg26", Self::Envreg26),
        ("%envreg27", Self::Envreg27),
        ("%envreg28", Self::Envreg28),
        ("%envreg29", Self::Envreg29),
        ("%envreg30", Self::Envreg30),
        ("%envreg31", Self::Envreg31),
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
            _ if self.environment().is_some() => Needs::version(Version::new(2, 1)),
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

    /// Returns the number of an environment register, `%envreg0` to `%envreg31`: the driver that
    /// launches a kernel defines their values.
    pub fn environment(self) -> Option<usize> {
        (self as usize).checked_sub(Self::Envreg0 as usize)
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

/// Numbers of the environment registers that kernels of OpenCL read, as NVIDIA's compiler uses
/// them. The PTX manual does not define them; two public translators of PTX from NVIDIA's OpenCL
/// compiler agree on this order, and one of them compared results on a GPU.
pub mod opencl {
    /// First of three registers: number of the first work-group of the launch in x, y and z.
    pub const FIRST_GROUP: usize = 0;
    /// First of three registers: global offset in x, y and z.
    pub const OFFSET: usize = 3;
    /// First of three registers: number of work-groups of the whole range in x, y and z.
    pub const GROUPS: usize = 6;
    /// Dimensions of the range, 1 to 3.
    pub const DIMENSIONS: usize = 9;
}

//! Operands of the operations that only a GPU has: special registers, atomics, fences, votes,
//! textures, surfaces, inline PTX.

use super::func::{SymId, Value};
use super::types::{Mem, Num};
use smallvec::SmallVec;

/// A special register that has one value during a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Special {
    /// Index of the thread in its block; 0 is x.
    Tid(u8),
    /// Threads of a block.
    Ntid(u8),
    /// Index of the block in the grid.
    Ctaid(u8),
    /// Blocks of the grid.
    Nctaid(u8),
    /// A word that the host gives a launch: 0 to 15.
    Environment(u8),
    /// Lane of the thread.
    Lane,
    /// Threads of a warp: 32.
    WarpSize,
}

impl Special {
    /// The register in PTX.
    pub fn ptx(self) -> &'static str {
        const NAMES: [[&str; 3]; 4] = [
            ["%tid.x", "%tid.y", "%tid.z"],
            ["%ntid.x", "%ntid.y", "%ntid.z"],
            ["%ctaid.x", "%ctaid.y", "%ctaid.z"],
            ["%nctaid.x", "%nctaid.y", "%nctaid.z"],
        ];
        let (row, axis) = match self {
            Special::Tid(axis) => (0, axis),
            Special::Ntid(axis) => (1, axis),
            Special::Ctaid(axis) => (2, axis),
            Special::Nctaid(axis) => (3, axis),
            Special::Environment(number) => {
                const NAMES: [&str; 16] = [
                    "%envreg0",
                    "%envreg1",
                    "%envreg2",
                    "%envreg3",
                    "%envreg4",
                    "%envreg5",
                    "%envreg6",
                    "%envreg7",
                    "%envreg8",
                    "%envreg9",
                    "%envreg10",
                    "%envreg11",
                    "%envreg12",
                    "%envreg13",
                    "%envreg14",
                    "%envreg15",
                ];
                return NAMES[usize::from(number & 15)];
            }
            Special::Lane => return "%laneid",
            Special::WarpSize => return "WARP_SZ",
        };
        NAMES[row][usize::from(axis.min(2))]
    }
}

/// Operation of an atomic access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the operations of PTX by their names")]
pub enum Atomic {
    Add,
    MinS,
    MinU,
    MaxS,
    MaxU,
    Inc,
    Dec,
    And,
    Or,
    Xor,
    Exch,
    Cas,
}

/// Reach of a memory fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fence {
    /// The block.
    Block,
    /// The device.
    Device,
    /// The device and the host.
    System,
}

/// A vote of a warp, or a barrier that combines a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Vote {
    /// Whether the predicate holds in all lanes.
    All,
    /// Whether the predicate holds in any lane.
    Any,
    /// The predicates as a mask of lanes.
    Ballot,
    /// Barrier: whether the predicate holds in all threads.
    BarrierAnd,
    /// Barrier: whether the predicate holds in any thread.
    BarrierOr,
    /// Barrier: number of threads in which the predicate holds.
    BarrierCount,
}

/// A shuffle: how a lane finds the lane whose word it copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shuffle {
    /// The lane of this number in the segment.
    Index,
    /// The lane this far below.
    Up,
    /// The lane this far above.
    Down,
    /// The lane whose number is the exclusive or.
    Xor,
}

/// The texture, surface or sampler of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// A variable of the module.
    Symbol(SymId),
    /// A parameter of the kernel, by its index.
    Param(u32),
    /// Its handle is the next value in front of the coordinates.
    Handle,
}

/// A query of a property of a texture or surface.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// The instruction, such as `txq.width`.
    pub instruction: &'static str,
    /// What is queried.
    pub object: Object,
    /// Its handle, if it has no name.
    pub handle: SmallVec<[Value; 4]>,
}

/// A texture fetch: four results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tex {
    /// The texture.
    pub texture: Object,
    /// The sampler of an image (OpenCL).
    pub sampler: Option<Object>,
    /// Geometry in PTX: `1d`, `2d`, `3d`, `a1d`, `a2d`, `cube`, `acube`.
    pub geometry: &'static str,
    /// Type of the texel in PTX: `f32`, `s32`, `u32`.
    pub texel: Num,
    /// Whether the coordinates are floating-point numbers.
    pub float: bool,
    /// Handles of objects without a name, and the coordinates.
    pub coords: SmallVec<[Value; 4]>,
}

/// Inline PTX.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asm {
    /// Pieces of text, each followed by an operand: outputs have the first numbers.
    pub pieces: Vec<(String, Option<u32>)>,
    /// Kinds of the outputs, and the input whose value an output has at the start.
    pub outputs: Vec<(AsmKind, Option<u32>)>,
    /// Kinds of the inputs.
    pub kinds: Vec<AsmKind>,
    /// The inputs.
    pub inputs: Vec<Value>,
    /// Whether the text has effects besides its outputs.
    pub volatile: bool,
}

/// The register of an operand of inline PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsmKind {
    /// 16 bits.
    Half,
    /// 32 bits.
    Word,
    /// 64 bits.
    Long,
    /// A float.
    Float,
    /// A double.
    Double,
    /// A constant instead of a register.
    Immediate,
}

/// A surface access.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Surface {
    /// The surface.
    pub surface: Object,
    /// Geometry in PTX: `1d`, `2d`, `3d`, `a1d`, `a2d`.
    pub geometry: &'static str,
    /// What happens outside, in PTX: `zero`, `clamp`, `trap`.
    pub boundary: &'static str,
    /// Type of an element.
    pub mem: Mem,
    /// The handle of an object without a name, and the coordinates.
    pub coords: SmallVec<[Value; 4]>,
    /// The stored values; none for a load.
    pub values: SmallVec<[Value; 4]>,
    /// Number of elements.
    pub lanes: u8,
}

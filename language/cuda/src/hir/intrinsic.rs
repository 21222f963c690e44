//! Operations that the back end emits as one PTX instruction or a fixed short sequence.
//!
//! Operand and result types come from the expressions: `min` of two `i32` is `min.s32`, of two
//! `float` it is `min.f32`.

use super::GlobalId;
use crate::ssa::{Intrin, Shuffle};

/// Dimension of `threadIdx` and its like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// `.x`.
    X,
    /// `.y`.
    Y,
    /// `.z`.
    Z,
}

/// A special register; the result is `u32`, or `i64` for `Clock64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Special {
    /// `threadIdx`: `%tid`.
    ThreadIdx(Axis),
    /// `blockIdx`: `%ctaid`.
    BlockIdx(Axis),
    /// `blockDim`: `%ntid`.
    BlockDim(Axis),
    /// `gridDim`: `%nctaid`.
    GridDim(Axis),
    /// `%envreg` with this number (OpenCL).
    Environment(u8),
    /// `clock()`: `%clock`; must not move or be merged.
    Clock,
    /// `clock64()`: `%clock64` on `sm_20`; must not move or be merged.
    Clock64,
}

/// Atomic operations; the first argument is the address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    /// `atomicAdd`; `atomicSub` is an addition of the negated value.
    Add,
    /// `atomicExch`.
    Exchange,
    /// `atomicMin`.
    Min,
    /// `atomicMax`.
    Max,
    /// `atomicInc`.
    Increment,
    /// `atomicDec`.
    Decrement,
    /// `atomicCAS`: address, expected, new value.
    CompareAndSwap,
    /// `atomicAnd`.
    And,
    /// `atomicOr`.
    Or,
    /// `atomicXor`.
    Xor,
}

/// Votes of a warp; one `bool` argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VoteOp {
    /// `__all`, result `bool`.
    All,
    /// `__any`, result `bool`.
    Any,
    /// `__ballot`, result `u32` (`sm_20`).
    Ballot,
}

/// Barriers with a reduction; one `bool` argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BarrierReduction {
    /// `__syncthreads_count`, result `i32`.
    Count,
    /// `__syncthreads_and`, result `bool`.
    And,
    /// `__syncthreads_or`, result `bool`.
    Or,
}

/// Geometry of an access to a texture or surface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextureShape {
    /// `.1d`, one coordinate.
    OneD,
    /// `.2d`, two coordinates.
    TwoD,
    /// `.3d`, three coordinates.
    ThreeD,
    /// `.a1d`, a layer and one coordinate.
    OneDLayered,
    /// `.a2d`, a layer and two coordinates.
    TwoDLayered,
    /// `.cube`, three coordinates.
    Cube,
    /// `.acube`, a layer and three coordinates.
    CubeLayered,
}

impl TextureShape {
    /// Number of coordinates.
    pub fn coordinates(self) -> usize {
        match self {
            Self::OneD | Self::OneDLayered => 1,
            Self::TwoD | Self::TwoDLayered => 2,
            Self::ThreeD | Self::Cube | Self::CubeLayered => 3,
        }
    }

    /// Whether a layer is named too.
    pub fn is_layered(self) -> bool {
        matches!(self, Self::OneDLayered | Self::TwoDLayered | Self::CubeLayered)
    }
}

/// What an access outside of a surface does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Boundary {
    /// It reads 0, and writes nothing.
    Zero,
    /// It accesses the nearest element.
    Clamp,
    /// It ends the launch.
    Trap,
}

/// An access through a surface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SurfaceAccess {
    /// The surface reference; without one, the handle of an object is an argument.
    pub surface: Option<GlobalId>,
    /// Geometry.
    pub shape: TextureShape,
    /// What happens outside.
    pub boundary: Boundary,
}

/// An operation of the hardware that C has no operator for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Intrinsic {
    /// Reads a special register; no arguments.
    Special(Special),
    /// `__syncthreads()`: `bar.sync 0`.
    Barrier,
    /// `__syncthreads_count` and its like (`sm_20`).
    BarrierReduce(BarrierReduction),
    /// `__threadfence_block()`: `membar.cta`.
    FenceBlock,
    /// `__threadfence()`: `membar.gl`.
    FenceDevice,
    /// `__threadfence_system()`: `membar.sys` (`sm_20`).
    FenceSystem,
    /// A vote of the warp.
    Vote(VoteOp),
    /// A shuffle of the warp (feature `shuffle`). Arguments: a word, the lane or the distance, and
    /// the bound of the segment, all `u32`.
    Shuffle(Shuffle),
    /// An atomic operation; the result is the old value.
    Atomic(AtomicOp),
    /// Arithmetic: a row of the table of [`Intrin`].
    Math(Intrin),
    /// Texture fetch from the texture reference, or from an object, whose handle is the first
    /// argument; then the layer (`i32`) and the coordinates, all `i32` (`tex1Dfetch`) or all
    /// `f32`. The result is the structure `float4`, `int4` or `uint4`.
    Texture(Option<GlobalId>, TextureShape),
    /// Read of an image (OpenCL C). Arguments: image, sampler, and the coordinates as of a fetch;
    /// result likewise.
    Image(TextureShape),
    /// A property of the image that is the argument, by its instruction, such as `txq.width`;
    /// result `u32`.
    ImageQuery(&'static str),
    /// Loads through a surface (`sm_20`); arguments: handle of an object, layer, byte offset x,
    /// then y; result of 1, 2, 4, 8 or
    /// 16 bytes; traps out of bounds.
    SurfaceLoad(SurfaceAccess),
    /// Stores through a surface (`sm_20`); arguments: value, then as for a load.
    SurfaceStore(SurfaceAccess),
    /// `printf` (`sm_20`). Arguments: address of the format (`const char *`), then the values after
    /// the default promotions. Result `i32`.
    Printf,
    /// Failed `assert` (`sm_20`). Arguments in the order of `__assertfail`: address of the message,
    /// address of the file, line (`u32`), address of the function.
    AssertFail,
    /// `malloc` (`sm_20`): one `u64`, result `void *`.
    Malloc,
    /// `free` (`sm_20`).
    Free,
    /// `__trap()`: `trap`.
    Trap,
    /// `__brkpt()`: `brkpt`.
    Breakpoint,
    /// `__prof_trigger(n)`: `pmevent`; one constant argument.
    ProfilerTrigger,
    /// A function of the host's library by its name, such as `printf`.
    Library(String),
    /// Registers an object for destruction at the end of the innermost scope (host). Arguments:
    /// its address, and that of the destructor.
    Defer,
    /// Registers an object for destruction if an exception leaves the innermost scope (host);
    /// arguments as of `Defer`. It is a member of an object whose constructor runs.
    Guard,
    /// An object that was registered is not destroyed: its value has moved (host). Argument: its
    /// address.
    Forget,
    /// Registers an object for destruction at the end of the program (host); arguments as of
    /// `Defer`.
    AtExit,
    /// Throws an object of this type of [`super::Program::thrown`] (host). Arguments: its address
    /// in allocated memory, that of its destructor or 0, and that of the function that prints its
    /// text and ends the program if no handler takes it, or 0.
    Throw(u32),
    /// Throws the exception again that is handled (host).
    Rethrow,
    /// The address of the part with a type of [`super::Program::thrown`] of the object of the
    /// exception that is handled (host).
    Caught(u32),
}

impl Intrinsic {
    /// Whether the operation may be removed, repeated or moved freely: its result depends on its
    /// arguments alone.
    pub fn is_pure(&self) -> bool {
        match self {
            Self::Special(special) => !matches!(special, Special::Clock | Special::Clock64),
            Self::Math(_) | Self::Texture(..) | Self::Image(_) | Self::ImageQuery(_) => true,
            _ => false,
        }
    }
}

//! Operations that the back end emits as one PTX instruction or a fixed short sequence.
//!
//! Operand and result types come from the expressions: `Math(MathOp::Min)` of two `i32` is
//! `min.s32`, of two `float` it is `min.f32`.

use super::GlobalId;

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
    /// `clock()`: `%clock`; must not move or be merged.
    Clock,
    /// `clock64()`: `%clock64` on `sm_20`; must not move or be merged.
    Clock64,
}

/// Rounding of a floating-point operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// `.rn`: to nearest, ties to even.
    Nearest,
    /// `.rz`: toward zero.
    Zero,
    /// `.ru`: toward plus infinity.
    Up,
    /// `.rd`: toward minus infinity.
    Down,
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

/// Arithmetic that maps onto PTX instructions. The operands have the type of the result unless the
/// variant says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MathOp {
    /// Absolute value (integer or floating point).
    Abs,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// `floorf`, `floor`: `cvt.rmi`.
    Floor,
    /// `ceilf`, `ceil`: `cvt.rpi`.
    Ceil,
    /// `truncf`, `trunc`: `cvt.rzi`.
    Trunc,
    /// `rintf`, `rint`: `cvt.rni`.
    Rint,
    /// `__saturatef`: clamps to [0, 1].
    Saturate,
    /// `sqrtf`, `sqrt` under the option `prec_sqrt`.
    Sqrt,
    /// `rsqrtf`, `rsqrt`: `rsqrt.approx`.
    Rsqrt,
    /// `__sinf`: `sin.approx.f32`.
    SinApprox,
    /// `__cosf`: `cos.approx.f32`.
    CosApprox,
    /// 2 to the power of x: `ex2.approx.f32`.
    Ex2Approx,
    /// Logarithm to base 2: `lg2.approx.f32`.
    Lg2Approx,
    /// `1/x`: `rcp.approx.f32`.
    RcpApprox,
    /// `__fdividef`: `div.approx.f32`.
    DivApprox,
    /// `fmaf`, `fma` under the target: `fma.rn` where the target has it, `mad.f32` on `sm_1x`.
    Fma,
    /// `__fadd_rn`: a sum that is never contracted.
    AddRounded(Rounding),
    /// `__fmul_rn`: a product that is never contracted.
    MulRounded(Rounding),
    /// `__fmaf_rn`, `__fma_rn`.
    FmaRounded(Rounding),
    /// `__fdiv_rn`.
    DivRounded(Rounding),
    /// `__frcp_rn`.
    RcpRounded(Rounding),
    /// `__fsqrt_rn`.
    SqrtRounded(Rounding),
    /// `__mul24`, `__umul24`: `mul24.lo`.
    Mul24,
    /// `__mulhi` and its like, 32 or 64 bits: `mul.hi`.
    MulHi,
    /// `__sad`, `__usad`: `sad`; operands x, y of the signedness in the operands, sum `u32`.
    Sad,
    /// `__popc`, `__popcll`: operand `u32` or `u64`, result `i32`.
    Popc,
    /// `__clz`, `__clzll`: operand `u32` or `u64`, result `i32`.
    Clz,
    /// `__brev`, `__brevll`.
    Brev,
    /// `__byte_perm`: three `u32`; `prmt.b32` on `sm_20`.
    BytePerm,
    /// Same bits, other type of the same size (`__float_as_int`).
    Bitcast,
    /// Conversion between integer and floating point or between `double` and `float` with this
    /// rounding: `__float2int_rn`, `__int2float_rz`, `__double2float_ru`. A plain conversion of C
    /// is [`super::ExprKind::Cast`].
    ConvertRounded(Rounding),
    /// `__float2half_rn`: operand `f32`, result the 16 bits of the half.
    FloatToHalf,
    /// `__half2float`: operand `u16`, result `f32`.
    HalfToFloat,
    /// `isnan`, result `bool`: `testp` or an unordered comparison.
    IsNan,
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
    /// An atomic operation; the result is the old value.
    Atomic(AtomicOp),
    /// Arithmetic.
    Math(MathOp),
    /// Texture fetch from the texture reference, or from an object, whose handle is the first
    /// argument; then the layer (`i32`) and the coordinates, all `i32` (`tex1Dfetch`) or all
    /// `f32`. The result is the structure `float4`, `int4` or `uint4`.
    Texture(Option<GlobalId>, TextureShape),
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
    /// in allocated memory, and that of its destructor or 0.
    Throw(u32),
    /// Throws the exception again that is handled (host).
    Rethrow,
    /// The address of the object of the exception that is handled (host).
    Caught,
}

impl Intrinsic {
    /// Whether the operation may be removed, repeated or moved freely: its result depends on its
    /// arguments alone.
    pub fn is_pure(&self) -> bool {
        match self {
            Self::Special(special) => !matches!(special, Special::Clock | Special::Clock64),
            Self::Math(_) | Self::Texture(..) => true,
            _ => false,
        }
    }
}

//! Timing classes of instructions, in one list with one row each.

macro_rules! classes {
    ($($(#[doc = $doc:literal])+ $class:ident $name:literal;)*) => {
        /// Timing class of an instruction; a chip file gives unit, issue slots and latency of each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Class {
            $($(#[doc = $doc])+ $class),*
        }

        impl Class {
            /// Number of classes.
            pub const COUNT: usize = [$($name),*].len();

            /// All classes, in the order of their numbers.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$class),*];

            /// The name in chip files and reports.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$class => $name),*
                }
            }

            /// Description of its micro-ops in one line.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$class => concat!($($doc),+).trim_ascii()),*
                }
            }
        }

        impl Class {
            /// Whether its micro-ops divide integers, or compute the remainder.
            pub const fn is_integer_division(self) -> bool {
                matches!(self, Self::IntDiv | Self::IntDivS | Self::IntRem | Self::IntRemS | Self::IntDiv64)
            }
        }

        impl serde::Serialize for Class {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

classes! {
    /// 32-bit move.
    Mov "mov";
    /// 64-bit move: two 32-bit moves on hardware with 32-bit registers.
    Mov64 "mov64";
    /// 32-bit select by predicate.
    Select "select";
    /// 64-bit select by predicate.
    Select64 "select64";
    /// 32-bit integer add, subtract, min, max.
    IntAdd "int_add";
    /// 32-bit integer negate, absolute.
    IntAbs "int_abs";
    /// 32-bit sum of absolute differences.
    IntSad "int_sad";
    /// 32-bit integer comparison into a predicate.
    IntCmp "int_cmp";
    /// 32-bit bitwise logic.
    Logic "logic";
    /// 32-bit shift; bit counts, bit fields and permutations, which have the throughput of a shift.
    Shift "shift";
    /// 24-bit multiply and multiply-add; 16-bit factors on compute capability 1.x.
    IntMul24 "int_mul24";
    /// 32-bit multiply, low half.
    IntMul "int_mul";
    /// 32-bit multiply-add, low half.
    IntMad "int_mad";
    /// 32-bit multiply, high half, unsigned.
    IntMulHi "int_mul_hi";
    /// 32-bit multiply, high half, signed.
    IntMulHiS "int_mul_hi_s";
    /// 32 × 32 → 64-bit multiply.
    IntMulWide "int_mul_wide";
    /// 32 × 32 + 64-bit multiply-add.
    IntMadWide "int_mad_wide";
    /// 32-bit integer division, unsigned.
    IntDiv "int_div";
    /// 32-bit integer division, signed.
    IntDivS "int_div_s";
    /// 32-bit integer remainder, unsigned.
    IntRem "int_rem";
    /// 32-bit integer remainder, signed.
    IntRemS "int_rem_s";
    /// 64-bit add, subtract, sign extension; conversions from or to a 64-bit integer.
    Int64 "int64";
    /// 64-bit comparison into a predicate.
    IntCmp64 "int_cmp64";
    /// 64-bit bitwise logic.
    Logic64 "logic64";
    /// 64-bit shift, counts and bit fields.
    Shift64 "shift64";
    /// 64-bit multiply and multiply-add, low half.
    IntMul64 "int_mul64";
    /// 64-bit multiply, high half.
    IntMulHi64 "int_mul_hi64";
    /// 64-bit integer division and remainder.
    IntDiv64 "int_div64";
    /// Conversion between 32-bit types.
    Cvt "cvt";
    /// f32 add, subtract, min, max, negate, absolute.
    FAdd "fp_add";
    /// f32 multiply.
    FMul "fp_mul";
    /// f32 multiply-add.
    FMad "fp_mad";
    /// f32 comparison into a predicate.
    FCmp "fp_cmp";
    /// f64 add, subtract, min, max.
    DAdd "dp_add";
    /// f64 multiply.
    DMul "dp_mul";
    /// f64 fused multiply-add.
    DFma "dp_fma";
    /// f64 comparison into a predicate.
    DCmp "dp_cmp";
    /// Conversion from or to f64.
    DCvt "dp_cvt";
    /// f64 division: a sequence.
    DDiv "dp_div";
    /// f64 reciprocal: a sequence.
    DRcp "dp_rcp";
    /// f64 square root and its reciprocal: a sequence.
    DSqrt "dp_sqrt";
    /// Upper half of an f64 reciprocal, or of a reciprocal root, from a table.
    DLookup "dp_lookup";
    /// f32 approximate reciprocal, reciprocal square root, logarithm: one pass of a special
    /// function unit.
    FRcp "fp_rcp";
    /// f32 sine, cosine, power of two: a reduction of the operand, then a pass of a special
    /// function unit.
    FSin "fp_sin";
    /// f32 approximate square root.
    FSqrt "fp_sqrt";
    /// f32 division with `.approx`: reciprocal and product.
    FDivApprox "fp_div_approx";
    /// f32 division with `.full`: like `.approx`, for operands of any size.
    FDiv "fp_div";
    /// f32 reciprocal, correctly rounded.
    FRcpRn "fp_rcp_rn";
    /// f32 square root, correctly rounded.
    FSqrtRn "fp_sqrt_rn";
    /// f32 division, correctly rounded.
    FDivRn "fp_div_rn";
    /// Predicate logic and votes.
    Pred "pred";
    /// Reading a special register.
    Sreg "sreg";
    /// Reading a kernel parameter.
    LdParam "ld_param";
    /// Reading constant memory.
    LdConst "ld_const";
    /// Reading shared memory.
    LdShared "ld_shared";
    /// Writing shared memory.
    StShared "st_shared";
    /// Reading global memory, or through a generic address.
    LdGlobal "ld_global";
    /// Writing global memory, or through a generic address.
    StGlobal "st_global";
    /// Atomic operation on global memory, or through a generic address.
    AtomGlobal "atom_global";
    /// Atomic operation on shared memory.
    AtomShared "atom_shared";
    /// Reading local memory.
    LdLocal "ld_local";
    /// Writing local memory.
    StLocal "st_local";
    /// Texture fetch.
    Tex "tex";
    /// Reading a property of a texture.
    Txq "txq";
    /// Branch.
    Branch "branch";
    /// Block-wide barrier.
    Barrier "barrier";
    /// Memory fence.
    Membar "membar";
    /// End of a thread, and `trap`.
    Exit "exit";
}

//! [`Op`], [`Class`] and [`Shape`]: what the list says of each micro-op, as data.

use crate::for_each_uop;
use crate::sem::fidelity::{self, Bound, Fidelity};

/// What an instruction is to the machine's units; a chip's config gives unit, issue slots and latency of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// 32-bit move.
    Mov,
    /// 64-bit move: two 32-bit moves on hardware with 32-bit registers.
    Mov64,
    /// 32-bit select by predicate.
    Select,
    /// 64-bit select by predicate.
    Select64,
    /// 32-bit integer add, subtract, negate, absolute, min, max, sum of absolute differences.
    IntAdd,
    /// 32-bit integer comparison into a predicate.
    IntCmp,
    /// 32-bit bitwise logic.
    Logic,
    /// 32-bit shift; counts, bit fields and permutations, which the machines do at the rate of a shift.
    Shift,
    /// 24-bit multiply and multiply-add.
    IntMul24,
    /// 32-bit multiply, low half.
    IntMul,
    /// 32-bit multiply-add, low half.
    IntMad,
    /// 32-bit multiply, high half.
    IntMulHi,
    /// 32 × 32 → 64-bit multiply.
    IntMulWide,
    /// 32 × 32 + 64-bit multiply-add.
    IntMadWide,
    /// 32-bit integer division and remainder.
    IntDiv,
    /// 64-bit add, subtract, sign extension; conversions with a 64-bit integer at one end or both.
    Int64,
    /// 64-bit comparison into a predicate.
    IntCmp64,
    /// 64-bit bitwise logic.
    Logic64,
    /// 64-bit shift, counts and bit fields.
    Shift64,
    /// 64-bit multiply and multiply-add, low half.
    IntMul64,
    /// 64-bit multiply, high half.
    IntMulHi64,
    /// 64-bit integer division and remainder.
    IntDiv64,
    /// Conversion between 32-bit types.
    Cvt,
    /// f32 add, subtract, min, max, negate, absolute.
    FAdd,
    /// f32 multiply.
    FMul,
    /// f32 multiply-add.
    FMad,
    /// f32 comparison into a predicate.
    FCmp,
    /// f64 add, subtract, min, max.
    DAdd,
    /// f64 multiply.
    DMul,
    /// f64 fused multiply-add.
    DFma,
    /// f64 comparison into a predicate.
    DCmp,
    /// Conversion from or to f64.
    DCvt,
    /// f64 division: a sequence.
    DDiv,
    /// f64 reciprocal: a sequence.
    DRcp,
    /// f64 square root and its reciprocal: a sequence.
    DSqrt,
    /// Upper half of an f64 reciprocal, from a table.
    DLookup,
    /// f32 approximate reciprocal, reciprocal square root, logarithm: one pass of a special function unit.
    FRcp,
    /// f32 sine, cosine, power of two: a reduction of the operand, then a pass of a special function unit.
    FSin,
    /// f32 approximate square root.
    FSqrt,
    /// f32 division by `.approx`: reciprocal and product.
    FDivApprox,
    /// f32 division by `.full`: as `.approx`, with operands of any size.
    FDiv,
    /// f32 reciprocal, correctly rounded.
    FRcpRn,
    /// f32 square root, correctly rounded.
    FSqrtRn,
    /// f32 division, correctly rounded.
    FDivRn,
    /// Predicate logic.
    Pred,
    /// Reading a special register.
    Sreg,
    /// Reading a kernel parameter.
    LdParam,
    /// Reading constant memory.
    LdConst,
    /// Reading shared memory.
    LdShared,
    /// Writing shared memory.
    StShared,
    /// Reading global memory.
    LdGlobal,
    /// Writing global memory.
    StGlobal,
    /// Branch.
    Branch,
    /// Block-wide barrier.
    Barrier,
    /// Memory fence.
    Membar,
    /// End of a thread, and `trap`.
    Exit,
}

impl Class {
    /// All classes, in the order of their numbers.
    pub const ALL: [Self; 56] = [
        Self::Mov,
        Self::Mov64,
        Self::Select,
        Self::Select64,
        Self::IntAdd,
        Self::IntCmp,
        Self::Logic,
        Self::Shift,
        Self::IntMul24,
        Self::IntMul,
        Self::IntMad,
        Self::IntMulHi,
        Self::IntMulWide,
        Self::IntMadWide,
        Self::IntDiv,
        Self::Int64,
        Self::IntCmp64,
        Self::Logic64,
        Self::Shift64,
        Self::IntMul64,
        Self::IntMulHi64,
        Self::IntDiv64,
        Self::Cvt,
        Self::FAdd,
        Self::FMul,
        Self::FMad,
        Self::FCmp,
        Self::DAdd,
        Self::DMul,
        Self::DFma,
        Self::DCmp,
        Self::DCvt,
        Self::DDiv,
        Self::DRcp,
        Self::DSqrt,
        Self::DLookup,
        Self::FRcp,
        Self::FSin,
        Self::FSqrt,
        Self::FDivApprox,
        Self::FDiv,
        Self::FRcpRn,
        Self::FSqrtRn,
        Self::FDivRn,
        Self::Pred,
        Self::Sreg,
        Self::LdParam,
        Self::LdConst,
        Self::LdShared,
        Self::StShared,
        Self::LdGlobal,
        Self::StGlobal,
        Self::Branch,
        Self::Barrier,
        Self::Membar,
        Self::Exit,
    ];

    /// The name that config files and reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mov => "mov",
            Self::Mov64 => "mov64",
            Self::Select => "select",
            Self::Select64 => "select64",
            Self::IntAdd => "int_add",
            Self::IntCmp => "int_cmp",
            Self::Logic => "logic",
            Self::Shift => "shift",
            Self::IntMul24 => "int_mul24",
            Self::IntMul => "int_mul",
            Self::IntMad => "int_mad",
            Self::IntMulHi => "int_mul_hi",
            Self::IntMulWide => "int_mul_wide",
            Self::IntMadWide => "int_mad_wide",
            Self::IntDiv => "int_div",
            Self::Int64 => "int64",
            Self::IntCmp64 => "int_cmp64",
            Self::Logic64 => "logic64",
            Self::Shift64 => "shift64",
            Self::IntMul64 => "int_mul64",
            Self::IntMulHi64 => "int_mul_hi64",
            Self::IntDiv64 => "int_div64",
            Self::Cvt => "cvt",
            Self::FAdd => "fp_add",
            Self::FMul => "fp_mul",
            Self::FMad => "fp_mad",
            Self::FCmp => "fp_cmp",
            Self::DAdd => "dp_add",
            Self::DMul => "dp_mul",
            Self::DFma => "dp_fma",
            Self::DCmp => "dp_cmp",
            Self::DCvt => "dp_cvt",
            Self::DDiv => "dp_div",
            Self::DRcp => "dp_rcp",
            Self::DSqrt => "dp_sqrt",
            Self::DLookup => "dp_lookup",
            Self::FRcp => "fp_rcp",
            Self::FSin => "fp_sin",
            Self::FSqrt => "fp_sqrt",
            Self::FDivApprox => "fp_div_approx",
            Self::FDiv => "fp_div",
            Self::FRcpRn => "fp_rcp_rn",
            Self::FSqrtRn => "fp_sqrt_rn",
            Self::FDivRn => "fp_div_rn",
            Self::Pred => "pred",
            Self::Sreg => "sreg",
            Self::LdParam => "ld_param",
            Self::LdConst => "ld_const",
            Self::LdShared => "ld_shared",
            Self::StShared => "st_shared",
            Self::LdGlobal => "ld_global",
            Self::StGlobal => "st_global",
            Self::Branch => "branch",
            Self::Barrier => "barrier",
            Self::Membar => "membar",
            Self::Exit => "exit",
        }
    }
}

/// Which file of rows an operand lives in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// A 32-bit row (one value per lane).
    W,
    /// A 64-bit row.
    D,
    /// A predicate: one bit per lane.
    P,
    /// An address: a 32-bit or a 64-bit row as [`Inst::ADDR64`](super::Inst::ADDR64) says, or no row at all.
    Addr,
}

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident $dst:expr, [$($src:ident),*];)*) => {
        /// The operands of a micro-op: destinations and sources.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(non_camel_case_types, reason = "named as the rows of the list name them")]
        pub enum Shape { $($(#[$doc])* $name,)* }

        impl Shape {
            /// The destination's kind, where there is a destination.
            pub const fn dst(self) -> Option<OperandKind> {
                match self { $(Self::$name => $dst,)* }
            }

            /// The second destination's kind, where there are two.
            pub const fn dst2(self) -> Option<OperandKind> {
                match self {
                    Self::wp_ww | Self::wp_wwp => Some(OperandKind::P),
                    _ => None,
                }
            }

            /// The kinds of the sources, in order.
            pub const fn srcs(self) -> &'static [OperandKind] {
                match self { $(Self::$name => &[$(OperandKind::$src),*],)* }
            }
        }
    };
}

shapes! {
    /// 32 ← 32.
    w_w Some(OperandKind::W), [W];
    /// 32 ← 32, 32.
    w_ww Some(OperandKind::W), [W, W];
    /// 32 ← 32, 32, 32.
    w_www Some(OperandKind::W), [W, W, W];
    /// 32 ← 32, 32, predicate.
    w_wwp Some(OperandKind::W), [W, W, P];
    /// 32 ← 32, 32, 32, 32.
    w_wwww Some(OperandKind::W), [W, W, W, W];
    /// 32 and predicate ← 32, 32.
    wp_ww Some(OperandKind::W), [W, W];
    /// 32 and predicate ← 32, 32, predicate.
    wp_wwp Some(OperandKind::W), [W, W, P];
    /// 32 ← 64.
    w_d Some(OperandKind::W), [D];
    /// 64 ← 32.
    d_w Some(OperandKind::D), [W];
    /// 64 ← 32, 32.
    d_ww Some(OperandKind::D), [W, W];
    /// 64 ← 32, 32, 64.
    d_wwd Some(OperandKind::D), [W, W, D];
    /// 64 ← 64.
    d_d Some(OperandKind::D), [D];
    /// 64 ← 64, 64.
    d_dd Some(OperandKind::D), [D, D];
    /// 64 ← 64, 64, 64.
    d_ddd Some(OperandKind::D), [D, D, D];
    /// 64 ← 64, 32.
    d_dw Some(OperandKind::D), [D, W];
    /// 64 ← 64, 32, 32.
    d_dww Some(OperandKind::D), [D, W, W];
    /// 64 ← 64, 64, 32, 32.
    d_ddww Some(OperandKind::D), [D, D, W, W];
    /// 64 ← 64, 64, predicate.
    d_ddp Some(OperandKind::D), [D, D, P];
    /// Predicate ← 32, 32.
    p_ww Some(OperandKind::P), [W, W];
    /// Predicate ← 64, 64.
    p_dd Some(OperandKind::P), [D, D];
    /// Predicate ← predicate.
    p_p Some(OperandKind::P), [P];
    /// Predicate ← predicate, predicate.
    p_pp Some(OperandKind::P), [P, P];
    /// 32 ← immediate.
    w_imm Some(OperandKind::W), [];
    /// 32 ← memory.
    w_addr Some(OperandKind::W), [Addr];
    /// 64 ← memory.
    d_addr Some(OperandKind::D), [Addr];
    /// Memory ← 32.
    addr_w None, [Addr, W];
    /// Memory ← 64.
    addr_d None, [Addr, D];
    /// An address of which nothing is moved.
    addr None, [Addr];
    /// 32, 32 ← memory.
    w2_addr Some(OperandKind::W), [Addr];
    /// 32, 32, 32, 32 ← memory.
    w4_addr Some(OperandKind::W), [Addr];
    /// 64, 64 ← memory.
    d2_addr Some(OperandKind::D), [Addr];
    /// Memory ← 32, 32.
    addr_w2 None, [Addr, W, W];
    /// Memory ← 32, 32, 32, 32.
    addr_w4 None, [Addr, W, W, W, W];
    /// Memory ← 64, 64.
    addr_d2 None, [Addr, D, D];
    /// No rows.
    control None, [];
}

impl Shape {
    /// The kinds of all destinations, in order.
    pub const fn dsts(self) -> [Option<OperandKind>; 4] {
        let first = self.dst();
        match self.elements() {
            1 => [first, self.dst2(), None, None],
            2 => [first, first, None, None],
            _ => [first; 4],
        }
    }

    /// Elements of what is loaded or stored: 2 or 4 of a vector, 1 of all else.
    pub const fn elements(self) -> usize {
        match self {
            Self::w2_addr | Self::d2_addr | Self::addr_w2 | Self::addr_d2 => 2,
            Self::w4_addr | Self::addr_w4 => 4,
            _ => 1,
        }
    }
}

macro_rules! define_op {
    (alu { $($a:ident $at:literal $ac:ident $as:ident $af:literal $am:path $(=> $ab:ident)?;)* }
     machine { $($m:ident $mt:literal $mc:ident $ms:ident;)* }) => {
        /// A micro-op. The type is in the opcode: one executor arm each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        #[expect(missing_docs, reason = "the list in `table.rs` is the documentation of its rows")]
        pub enum Op { $($a,)* $($m,)* }

        impl Op {
            /// Every micro-op in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$a,)* $(Self::$m,)*];

            /// Its name in the text form.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$a => $at,)* $(Self::$m => $mt,)* }
            }

            /// Its class.
            pub const fn class(self) -> Class {
                match self { $(Self::$a => Class::$ac,)* $(Self::$m => Class::$mc,)* }
            }

            /// Its operands.
            pub const fn shape(self) -> Shape {
                match self { $(Self::$a => Shape::$as,)* $(Self::$m => Shape::$ms,)* }
            }

            /// Floating-point operations of one lane.
            pub const fn flops(self) -> u32 {
                match self { $(Self::$a => $af,)* $(Self::$m => 0,)* }
            }

            /// How near its result is to the silicon's.
            pub fn fidelity(self) -> Fidelity {
                let bound: Option<Bound> = match self {
                    $($(Self::$a => Some(fidelity::$ab),)?)*
                    _ => None,
                };
                bound.into()
            }

            /// The path below `isa::sem` of the function that is its meaning; none where memory, control flow or
            /// other warps are touched.
            pub const fn meaning(self) -> Option<&'static str> {
                match self { $(Self::$a => Some(stringify!($am)),)* $(Self::$m => None,)* }
            }
        }
    };
}
for_each_uop!(define_op);

impl Op {
    /// Bytes that one lane moves, for loads and stores; 0 for all else.
    pub fn access_bytes(self) -> u32 {
        if self.shape().srcs().first() != Some(&OperandKind::Addr) || self.shape() == Shape::addr {
            return 0;
        }
        let element = match self.text().rsplit('.').next() {
            Some("b8" | "u8" | "s8") => 1,
            Some("b16" | "u16" | "s16") => 2,
            Some("b64") => 8,
            _ => 4,
        };
        element * self.shape().elements() as u32
    }
}

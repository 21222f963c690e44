//! Arithmetic instructions of PTX that have no operator in the intermediate form.

use super::op::Rounding;
use super::types::Ty;

/// An instruction that depends on its operands only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Intrin {
    /// `sin.approx.f32`.
    Sin,
    /// `cos.approx.f32`.
    Cos,
    /// `ex2.approx.f32`.
    Ex2,
    /// `lg2.approx.f32`.
    Lg2,
    /// `rcp.approx.f32`.
    Rcp,
    /// `rsqrt.approx`.
    Rsqrt,
    /// `sqrt.approx.f32`.
    Sqrt,
    /// `div.approx.f32`.
    DivApprox,
    /// `div.full.f32`.
    DivFull,
    /// A sum that is not contracted.
    Add(Rounding),
    /// A product that is not contracted.
    Mul(Rounding),
    /// A fused multiply-add.
    Fma(Rounding),
    /// A quotient.
    Div(Rounding),
    /// A reciprocal.
    RcpRounded(Rounding),
    /// A square root.
    SqrtRounded(Rounding),
    /// Clamps a float to 0 … 1.
    Saturate,
    /// Number of one bits.
    Popc,
    /// Number of leading zeros.
    Clz,
    /// Bits in reverse order.
    Brev,
    /// Selection of bytes.
    Prmt,
    /// c + |a - b|, signed.
    SadS,
    /// c + |a - b|, unsigned.
    SadU,
    /// Float to the 16 bits of a half.
    ToHalf,
    /// The 16 bits of a half to a float.
    FromHalf,
}

/// The rounding as a suffix of an instruction.
pub fn suffix(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Near => ".rn",
        Rounding::Zero => ".rz",
        Rounding::Down => ".rm",
        Rounding::Up => ".rp",
    }
}

impl Intrin {
    /// The instruction with its modifiers for a result or, for counts of bits, an operand of the
    /// type; `ftz` asks for subnormals as zeros.
    pub fn ptx(self, ty: Ty, ftz: bool) -> String {
        let float = if ty == Ty::F64 { "f64" } else { "f32" };
        let wide = if ty == Ty::I64 { "b64" } else { "b32" };
        let z = if ftz && ty != Ty::F64 { ".ftz" } else { "" };
        match self {
            Intrin::Sin => format!("sin.approx{z}.f32"),
            Intrin::Cos => format!("cos.approx{z}.f32"),
            Intrin::Ex2 => format!("ex2.approx{z}.f32"),
            Intrin::Lg2 => format!("lg2.approx{z}.f32"),
            Intrin::Rcp => format!("rcp.approx{z}.f32"),
            Intrin::Rsqrt => format!("rsqrt.approx{z}.{float}"),
            Intrin::Sqrt => format!("sqrt.approx{z}.f32"),
            Intrin::DivApprox => format!("div.approx{z}.f32"),
            Intrin::DivFull => format!("div.full{z}.f32"),
            Intrin::Add(r) => format!("add{}{z}.{float}", suffix(r)),
            Intrin::Mul(r) => format!("mul{}{z}.{float}", suffix(r)),
            Intrin::Fma(r) => format!("fma{}{z}.{float}", suffix(r)),
            Intrin::Div(r) => format!("div{}{z}.{float}", suffix(r)),
            Intrin::RcpRounded(r) => format!("rcp{}{z}.{float}", suffix(r)),
            Intrin::SqrtRounded(r) => format!("sqrt{}{z}.{float}", suffix(r)),
            Intrin::Saturate => format!("cvt.sat{z}.f32.f32"),
            Intrin::Popc => format!("popc.{wide}"),
            Intrin::Clz => format!("clz.{wide}"),
            Intrin::Brev => format!("brev.{wide}"),
            Intrin::Prmt => "prmt.b32".to_owned(),
            Intrin::SadS => "sad.s32".to_owned(),
            Intrin::SadU => "sad.u32".to_owned(),
            Intrin::ToHalf => format!("cvt.rn{z}.f16.f32"),
            Intrin::FromHalf => "cvt.f32.f16".to_owned(),
        }
    }
}

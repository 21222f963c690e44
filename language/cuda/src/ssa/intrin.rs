//! Built-in functions that depend on their operands only: one row for each.
//!
//! A header declares a function with `__intrinsic__("name")`; its types follow from that. The row
//! says the rest: what the function computes, by which operation or instruction, and its time. A
//! new function is a row here and its line in the header. `tests/library` compares its results with
//! clang's.

use super::op::{Binary, Rounding, Unary};
use super::types::Ty;
use Lowering::{Block, Exact, Fermi, Integral, MultiplyAdd, Ptx};
use Time::{Long, Longest};

/// How a function becomes code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// An operation of one operand.
    Unary(Unary),
    /// An operation of two operands: of floats, of signed, and of unsigned integers.
    Binary(Binary, Binary, Binary),
    /// A float without its part behind the point.
    Integral(Rounding),
    /// Whether a float is NaN.
    IsNan,
    /// The same bits as another type.
    Bits,
    /// A conversion between numbers, with the rounding of the name.
    Convert,
    /// An instruction of PTX. In its text, `R` is the rounding of the name, `Z` is `.ftz` or
    /// nothing, `F` is `f32` or `f64`, `B` is `b32` or `b64`, and `S` is `s32` or `u32`.
    Ptx(&'static str),
    /// The same; `D` is the result, and `A` the operand.
    Block(&'static str),
    /// An instruction that floats have from `sm_20` on, and the row that replaces it below.
    Fermi(&'static str, &'static str),
    /// The row for floats under the option `prec_sqrt` and for `double`, and the row without it.
    Exact(&'static str, &'static str),
    /// A multiply-add, which rounds once from `sm_20` on and for `double`.
    MultiplyAdd,
}

/// Time of an instruction, which decides where it may be executed without being needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// One instruction or a few.
    Short,
    /// A division, which no branch is replaced for.
    Long,
    /// A division or root that stays in its place.
    Longest,
}

/// A function.
#[derive(Debug)]
pub struct IntrinRow {
    /// Name in headers; `_` before a rounding (`add_rn`).
    pub name: &'static str,
    /// What it computes.
    pub meaning: &'static str,
    /// Its time.
    pub time: Time,
    /// Its code.
    pub lowering: Lowering,
}

const fn row(name: &'static str, meaning: &'static str, lowering: Lowering) -> IntrinRow {
    IntrinRow { name, meaning, time: Time::Short, lowering }
}

const fn long(time: Time, name: &'static str, meaning: &'static str, lowering: Lowering) -> IntrinRow {
    IntrinRow { name, meaning, time, lowering }
}

/// All functions. Rows whose name ends in `_` have four names, one for each rounding.
pub const ROWS: &[IntrinRow] = &[
    row("abs", "absolute value", Lowering::Unary(Unary::Abs)),
    row("min", "minimum", Lowering::Binary(Binary::FMin, Binary::MinS, Binary::MinU)),
    row("max", "maximum", Lowering::Binary(Binary::FMax, Binary::MaxS, Binary::MaxU)),
    row("mul24", "product of 24 bits", Lowering::Binary(Binary::Mul24S, Binary::Mul24S, Binary::Mul24U)),
    row("mulhi", "upper half of a product", Lowering::Binary(Binary::MulHiS, Binary::MulHiS, Binary::MulHiU)),
    row("floor", "largest integer below", Integral(Rounding::Down)),
    row("ceil", "smallest integer above", Integral(Rounding::Up)),
    row("trunc", "integer toward zero", Integral(Rounding::Zero)),
    row("rint", "nearest integer", Integral(Rounding::Near)),
    row("isnan", "whether it is no number", Lowering::IsNan),
    row("bitcast", "same bits as another type", Lowering::Bits),
    row("cvt_", "conversion with a rounding", Lowering::Convert),
    row("fma", "multiply-add of the target", MultiplyAdd),
    row("fma_", "multiply-add, rounded once", MultiplyAdd),
    row("add_", "sum that is never contracted", Ptx("addRZ.F")),
    row("mul_", "product that is never contracted", Ptx("mulRZ.F")),
    long(Longest, "div_", "quotient", Fermi("divRZ.F", "div.full")),
    long(Long, "rcp_", "reciprocal", Fermi("rcpRZ.F", "rcp.approx")),
    long(Longest, "sqrt_", "square root", Fermi("sqrtRZ.F", "sqrt.approx")),
    long(Longest, "sqrt", "square root of the option `prec_sqrt`", Exact("sqrt_", "sqrt.approx")),
    row("saturate", "number in 0 to 1", Ptx("cvt.satZ.f32.f32")),
    row("rsqrt", "reciprocal of the square root", Ptx("rsqrt.approxZ.F")),
    row("sqrt.approx", "square root, approximately", Ptx("sqrt.approxZ.f32")),
    row("sin.approx", "sine, approximately", Ptx("sin.approxZ.f32")),
    row("cos.approx", "cosine, approximately", Ptx("cos.approxZ.f32")),
    row("ex2.approx", "power of two, approximately", Ptx("ex2.approxZ.f32")),
    row("lg2.approx", "logarithm to base two, approximately", Ptx("lg2.approxZ.f32")),
    row("rcp.approx", "reciprocal, approximately", Ptx("rcp.approxZ.f32")),
    row("div.approx", "quotient, approximately", Ptx("div.approxZ.f32")),
    long(Long, "div.full", "quotient of all floats, approximately", Ptx("div.fullZ.f32")),
    row("sad", "c + |a - b|", Ptx("sad.S")),
    row("popc", "number of ones", Ptx("popc.B")),
    row("clz", "number of leading zeros", Ptx("clz.B")),
    row("brev", "bits in reverse order", Ptx("brev.B")),
    row("byte_perm", "selection of bytes", Ptx("prmt.b32")),
    row(
        "float2half",
        "bits of the half of a float",
        Block("{ .reg .b16 %h; cvt.rnZ.f16.f32 %h, A; cvt.u32.u16 D, %h; }"),
    ),
    row(
        "half2float",
        "float of the bits of a half",
        Block("{ .reg .b16 %h; cvt.u16.u32 %h, A; cvt.f32.f16 D, %h; }"),
    ),
];

/// A function with the rounding of its name and the signedness of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Intrin {
    row: u8,
    /// The rounding.
    pub rounding: Rounding,
    /// Whether its operands are signed.
    pub signed: bool,
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
    /// The function with a name of the headers.
    pub fn named(name: &str) -> Option<Self> {
        let plain = |name: &str, rounding| {
            let row = ROWS.iter().position(|row| row.name == name)?;
            Some(Self { row: row as u8, rounding, signed: false })
        };
        let rounded = || {
            let (front, mode) = name.split_at_checked(name.len().checked_sub(2)?)?;
            let rounding = match mode {
                "rn" => Rounding::Near,
                "rz" => Rounding::Zero,
                "ru" => Rounding::Up,
                "rd" => Rounding::Down,
                _ => return None,
            };
            plain(front, rounding).filter(|_| front.ends_with('_'))
        };
        rounded().or_else(|| plain(name, Rounding::Near))
    }

    /// The function for operands of this signedness, if its text depends on it.
    #[must_use]
    pub fn of_signed(self, signed: bool) -> Self {
        Self { signed: signed && matches!(self.row().lowering, Ptx(text) if text.contains('S')), ..self }
    }

    /// The row of the function.
    pub fn row(self) -> &'static IntrinRow {
        &ROWS[usize::from(self.row)]
    }

    /// The text of the instruction for operands of a type; `ftz` asks for subnormals as zeros.
    pub fn ptx(self, ty: Ty, ftz: bool) -> String {
        let text = match self.row().lowering {
            Ptx(text) | Block(text) | Fermi(text, _) => text,
            MultiplyAdd => "fmaRZ.F",
            _ => "",
        };
        let mut written = String::new();
        for letter in text.chars() {
            match letter {
                'R' => written += suffix(self.rounding),
                'Z' => written += if ftz && ty != Ty::F64 { ".ftz" } else { "" },
                'F' => written += if ty == Ty::F64 { "f64" } else { "f32" },
                'B' => written += if ty == Ty::I64 { "b64" } else { "b32" },
                'S' => written += if self.signed { "s32" } else { "u32" },
                other => written.push(other),
            }
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headers::{LIBRARY, PRELUDE};

    /// The names that headers give to `__intrinsic__`; `##S` stands for a rounding.
    fn declared() -> impl Iterator<Item = &'static str> {
        let texts = PRELUDE.iter().chain(&LIBRARY).flat_map(|(_, text)| text.split("__intrinsic__(").skip(1));
        texts.map(|rest| rest.split(')').next().unwrap_or(rest).trim_matches('"'))
    }

    #[test]
    fn each_row_has_one_name_a_meaning_and_a_declaration() {
        let replaced: Vec<&str> = ROWS
            .iter()
            .filter_map(|row| match row.lowering {
                Fermi(_, other) | Exact(other, _) => Some(other),
                _ => None,
            })
            .chain(["sqrt.approx", "rcp.approx"])
            .collect();
        for (at, row) in ROWS.iter().enumerate() {
            assert!(ROWS[..at].iter().all(|other| other.name != row.name), "{} twice", row.name);
            assert!(!row.meaning.is_empty());
            let operations = ["__WS_UNARY(", "__WS_OPERATION("];
            let texts = PRELUDE.iter().chain(&LIBRARY).map(|(_, text)| *text);
            let by_macro = texts.flat_map(str::lines).any(|line| {
                operations.iter().any(|name| line.starts_with(name))
                    && line.contains(&format!("\"{}\"", row.name))
            });
            let is_declared = declared().any(|name| {
                let name = name.replace("##S", "rn");
                Intrin::named(&name).is_some_and(|found| found.row().name == row.name)
            });
            assert!(is_declared || by_macro || replaced.contains(&row.name), "no header uses {}", row.name);
        }
    }

    #[test]
    fn names_have_their_text() {
        let text = |name: &str, ty| Intrin::named(name).map(|one| one.ptx(ty, true));
        assert_eq!(text("add_ru", Ty::F32).as_deref(), Some("add.rp.ftz.f32"));
        assert_eq!(text("fma_rz", Ty::F64).as_deref(), Some("fma.rz.f64"));
        assert_eq!(text("popc", Ty::I64).as_deref(), Some("popc.b64"));
        assert_eq!(text("fma", Ty::F32).as_deref(), Some("fma.rn.ftz.f32"));
        assert_eq!(text("popc_rn", Ty::I32), None);
        assert_eq!(text("rn", Ty::I32), None);
    }
}

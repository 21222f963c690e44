//! Specification of a floating-point micro-op, derived from its text.

use rustc_apfloat::Round;

/// The type of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `f16`
    Half,
    /// `f32`
    Single,
    /// `f64`
    Double,
    /// An integer type.
    Integer {
        /// Whether it is signed.
        signed: bool,
        /// Width in bits.
        bits: u32,
    },
    /// A predicate.
    Predicate,
}

impl Type {
    fn read(word: &str) -> Option<Self> {
        let integer = |signed, bits: &str| Some(Self::Integer { signed, bits: bits.parse().ok()? });
        match word {
            "f16" => Some(Self::Half),
            "f32" => Some(Self::Single),
            "f64" => Some(Self::Double),
            _ if word.starts_with('s') => integer(true, &word[1..]),
            _ if word.starts_with('u') => integer(false, &word[1..]),
            _ => None,
        }
    }

    /// Returns the letter of its row file.
    fn letter(self) -> char {
        match self {
            Self::Predicate => 'p',
            Self::Double | Self::Integer { bits: 64, .. } => 'd',
            _ => 'w',
        }
    }
}

/// Operation that the oracle computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    Fma,
    /// `mad.f32` of `sm_1x`, which truncates its product.
    Mad,
    Div,
    Rcp,
    Sqrt,
    Min,
    Max,
    Neg,
    Abs,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Cvt,
}

/// An operation with all properties from its text.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Operation of the micro-op.
    pub operation: Operation,
    /// Rounding mode; to nearest by default.
    pub round: Round,
    /// Whether the result is rounded to an integral value (`.rni` and similar), not only to a
    /// number of the result's type.
    pub integral: bool,
    /// Whether subnormal f32 numbers are flushed to zero.
    pub flush: bool,
    /// Whether the result is saturated to 0 … 1.
    pub saturate: bool,
    /// Type of the result.
    pub to: Type,
    /// Type of the sources.
    pub from: Type,
    /// Number of sources.
    pub sources: usize,
}

impl Spec {
    /// Parses a text; `None` if it contains an unknown word.
    pub fn read(text: &str) -> Option<Self> {
        use Operation::{
            Abs, Add, Cvt, Div, Eq, Fma, Ge, Gt, Le, Lt, Mad, Max, Min, Mul, Ne, Neg, Rcp, Sqrt, Sub,
        };
        let mut words = text.split('.');
        let (mut operation, sources) = match words.next()? {
            "add" => (Add, 2),
            "sub" => (Sub, 2),
            "mul" => (Mul, 2),
            "fma" => (Fma, 3),
            "mad" => (Mad, 3),
            "div" => (Div, 2),
            "rcp" => (Rcp, 1),
            "sqrt" => (Sqrt, 1),
            "min" => (Min, 2),
            "max" => (Max, 2),
            "neg" => (Neg, 1),
            "abs" => (Abs, 1),
            "setp" => (Eq, 2),
            "cvt" => (Cvt, 1),
            _ => return None,
        };
        let (mut round, mut integral, mut flush, mut saturate) =
            (Round::NearestTiesToEven, false, false, false);
        let mut types = Vec::new();
        for word in words {
            match word {
                "rn" | "rni" => round = Round::NearestTiesToEven,
                "rz" | "rzi" => round = Round::TowardZero,
                "rm" | "rmi" => round = Round::TowardNegative,
                "rp" | "rpi" => round = Round::TowardPositive,
                "ftz" => flush = true,
                "sat" => saturate = true,
                "eq" => operation = Eq,
                "ne" => operation = Ne,
                "lt" => operation = Lt,
                "le" => operation = Le,
                "gt" => operation = Gt,
                "ge" => operation = Ge,
                _ => types.push(Type::read(word)?),
            }
            integral |= word.len() == 3 && word.starts_with('r');
        }
        let (to, from) = match (operation, types.as_slice()) {
            (Cvt, &[to, from]) => (to, from),
            (Eq | Ne | Lt | Le | Gt | Ge, &[ty]) => (Type::Predicate, ty),
            (Cvt, _) => return None,
            (_, &[ty]) => (ty, ty),
            _ => return None,
        };
        Some(Self { operation, round, integral, flush, saturate, to, from, sources })
    }

    /// Returns the operands in the notation of the table.
    pub fn shape(&self) -> String {
        format!("{}_{}", self.to.letter(), self.from.letter().to_string().repeat(self.sources))
    }
}

//! Values of modifiers: the fields of a [`Form`](super::Form).

/// A comparison of `setp`. The unsigned spellings `lo ls hi hs` are resolved to `lt le gt ge`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names of its comparisons")]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Floating point: true if either operand is NaN; the next five are the same.
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    /// True if neither operand is NaN.
    Num,
    /// True if either operand is NaN.
    Nan,
}

/// How `setp` combines its comparison with the predicate operand `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Combine {
    And,
    Or,
    Xor,
}

/// The property of a number that `testp` tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Test {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// The part of a product that is the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// `.lo`: the lower half, as wide as the operands.
    Lo,
    /// `.hi`: the upper half.
    Hi,
    /// `.wide`: the whole product, twice as wide as the operands.
    Wide,
}

/// A mode of `prmt` with a fixed byte selection, in contrast to the selection by the digits of the
/// third operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names of its modes")]
pub enum Permute {
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

/// A rounding mode as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "the variants are PTX's own names; those with `i` round to an integral value"
)]
pub enum Rounding {
    Rn,
    Rz,
    Rm,
    Rp,
    Rni,
    Rzi,
    Rmi,
    Rpi,
}

/// Treatment of an amount or a position out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// `.clamp`: the nearest value in range.
    Clamp,
    /// `.wrap`: shifts: the amount modulo 32.
    Wrap,
    /// `.trap`: surfaces: a fault.
    Trap,
    /// `.zero`: surfaces: zeros, and no store.
    Zero,
}

/// The shift of the sum of `vmad`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Scale {
    Shr7,
    Shr15,
}

/// A cache operator of `ld` or `st` (`sm_20`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names of its cache operators")]
pub enum Cache {
    Ca,
    Cg,
    Cs,
    Lu,
    Cv,
    Wb,
    Wt,
}

/// The operation of `atom` and `red` on a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Atomic {
    Add,
    Inc,
    Dec,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exch,
    Cas,
}

/// The mode of `vote`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Vote {
    All,
    Any,
    Uni,
    Ballot,
}

/// The mode of `shfl`: which lane is the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Shuffle {
    Up,
    Down,
    Bfly,
    Idx,
}

/// The threads for which `membar` orders accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names of its levels")]
pub enum Level {
    Cta,
    Gl,
    Sys,
}

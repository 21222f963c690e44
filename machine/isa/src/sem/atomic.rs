//! Atomic operations of one lane: the new value of a word from its old value and the operands.
//!
//! One word is read, changed and written atomically. The memory system determines where and in
//! which order. Votes combine lanes, so they are not functions of one lane; the executor implements
//! them.

use super::{double, float};

/// Operation of an atomic on a word. Its number is part of an instruction's flags
/// ([`Inst::operation`]).
///
/// [`Inst::operation`]: crate::uop::Inst::operation
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Operation {
    /// `old + b`, wrapping.
    Add,
    /// `old >= b ? 0 : old + 1`, unsigned.
    Inc,
    /// `old == 0 || old > b ? b : old - 1`, unsigned.
    Dec,
    /// Minimum, unsigned.
    MinU,
    /// Minimum, signed.
    MinS,
    /// Maximum, unsigned.
    MaxU,
    /// Maximum, signed.
    MaxS,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// `b`.
    Exch,
    /// `old == b ? c : old`.
    Cas,
    /// Sum of f32, rounded to nearest even, with subnormals flushed to zero: for words in global
    /// memory.
    AddFtzF32,
    /// Sum of f32, rounded to nearest even, with subnormals kept: for words in shared memory.
    AddF32,
    /// Sum of f64, rounded to nearest even.
    AddF64,
}

impl Operation {
    /// All operations in the order of their numbers.
    pub const ALL: [Self; 15] = [
        Self::Add,
        Self::Inc,
        Self::Dec,
        Self::MinU,
        Self::MinS,
        Self::MaxU,
        Self::MaxS,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Exch,
        Self::Cas,
        Self::AddFtzF32,
        Self::AddF32,
        Self::AddF64,
    ];

    /// Returns the name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Inc => "inc",
            Self::Dec => "dec",
            Self::MinU => "min.u",
            Self::MinS => "min.s",
            Self::MaxU => "max.u",
            Self::MaxS => "max.s",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Exch => "exch",
            Self::Cas => "cas",
            Self::AddFtzF32 => "add.ftz.f32",
            Self::AddF32 => "add.f32",
            Self::AddF64 => "add.f64",
        }
    }

    /// Whether the operation exists for 32-bit words.
    pub const fn is_narrow(self) -> bool {
        !matches!(self, Self::AddF64)
    }

    /// Whether the operation exists for 64-bit words.
    pub const fn is_wide(self) -> bool {
        matches!(self, Self::Add | Self::Exch | Self::Cas) || self.is_wide_after_fermi()
    }

    /// Whether the operation exists for 64-bit words only on chips after Fermi
    /// ([`Feature`](crate::feature::Feature)).
    pub const fn is_wide_after_fermi(self) -> bool {
        match self {
            Self::MinU
            | Self::MinS
            | Self::MaxU
            | Self::MaxS
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::AddF64 => true,
            Self::Add | Self::Inc | Self::Dec | Self::Exch | Self::Cas | Self::AddFtzF32 | Self::AddF32 => {
                false
            }
        }
    }
}

/// Returns the new value of a 32-bit word with value `old`; only `cas` reads `c`. An operation that
/// is not [`Operation::is_narrow`] leaves the word unchanged; no verified program contains one.
#[inline]
pub fn apply32(operation: Operation, old: u32, b: u32, c: u32) -> u32 {
    match operation {
        Operation::Add => old.wrapping_add(b),
        Operation::Inc => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        Operation::Dec => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
        Operation::MinU => old.min(b),
        Operation::MinS => (old as i32).min(b as i32) as u32,
        Operation::MaxU => old.max(b),
        Operation::MaxS => (old as i32).max(b as i32) as u32,
        Operation::And => old & b,
        Operation::Or => old | b,
        Operation::Xor => old ^ b,
        Operation::Exch => b,
        Operation::Cas => {
            if old == b {
                c
            } else {
                old
            }
        }
        Operation::AddFtzF32 => float::add_rn_ftz_f32(old, b),
        Operation::AddF32 => float::add_rn_f32(old, b),
        Operation::AddF64 => old,
    }
}

/// Returns the new value of a 64-bit word with value `old`; only `cas` reads `c`. An operation that
/// is not [`Operation::is_wide`] leaves the word unchanged; no verified program contains one.
#[inline]
pub fn apply64(operation: Operation, old: u64, b: u64, c: u64) -> u64 {
    match operation {
        Operation::Add => old.wrapping_add(b),
        Operation::MinU => old.min(b),
        Operation::MinS => (old as i64).min(b as i64) as u64,
        Operation::MaxU => old.max(b),
        Operation::MaxS => (old as i64).max(b as i64) as u64,
        Operation::And => old & b,
        Operation::Or => old | b,
        Operation::Xor => old ^ b,
        Operation::Exch => b,
        Operation::Cas if old == b => c,
        Operation::AddF64 => double::add_rn(old, b),
        Operation::Cas | Operation::Inc | Operation::Dec | Operation::AddFtzF32 | Operation::AddF32 => old,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operation, old value, operands and new value, recorded on a GPU.
    const RECORDED: &[(Operation, u32, u32, u32, u32)] = &[
        (Operation::Add, 0xffff_ffff, 0x7fff_ffff, 0, 0x7fff_fffe),
        (Operation::Add, 0x8000_0000, 0x8000_0001, 0, 1),
        (Operation::Inc, 0, 1, 0, 1),
        (Operation::Inc, 2, 2, 0, 0),
        (Operation::Inc, 0xffff_ffff, 0x7fff_ffff, 0, 0),
        (Operation::Inc, 0x8000_0000, 0x8000_0001, 0, 0x8000_0001),
        (Operation::Dec, 0, 1, 0, 1),
        (Operation::Dec, 2, 2, 0, 1),
        (Operation::Dec, 0xffff_ffff, 0x7fff_ffff, 0, 0x7fff_ffff),
        (Operation::Dec, 0x8000_0000, 0x8000_0001, 0, 0x7fff_ffff),
        (Operation::MinU, 0xffff_ffff, 0x7fff_ffff, 0, 0x7fff_ffff),
        (Operation::MinS, 0xffff_ffff, 0x7fff_ffff, 0, 0xffff_ffff),
        (Operation::MaxU, 0x5555_5555, 0xaaaa_aaaa, 0, 0xaaaa_aaaa),
        (Operation::MaxS, 0x5555_5555, 0xaaaa_aaaa, 0, 0x5555_5555),
        (Operation::And, 0x8000_0000, 0x8000_0001, 0, 0x8000_0000),
        (Operation::Or, 0x8000_0000, 0x8000_0001, 0, 0x8000_0001),
        (Operation::Xor, 0xffff_ffff, 0x7fff_ffff, 0, 0x8000_0000),
        (Operation::Exch, 0x5555_5555, 0xaaaa_aaaa, 0, 0xaaaa_aaaa),
        (Operation::Cas, 0xffff_ffff, 0xffff_ffff, 0x8000_0000, 0x8000_0000),
        (Operation::Cas, 0xffff, 0xffff, 0, 0),
        // Subnormals are zero in global memory …
        (Operation::AddFtzF32, 0x8000_0000, 0x007f_ffff, 0, 0),
        (Operation::AddFtzF32, 0x807f_ffff, 0x3f80_0000, 0, 0x3f80_0000),
        (Operation::AddFtzF32, 0x8000_0001, 0x7f81_2345, 0, 0x7fff_ffff),
        // … and are kept in shared memory.
        (Operation::AddF32, 0x8000_0000, 0x007f_ffff, 0, 0x007f_ffff),
        (Operation::AddF32, 0x8000_0000, 0x0040_0000, 0, 0x0040_0000),
        (Operation::AddF32, 0xffc1_2345, 0x0080_0000, 0, 0x7fff_ffff),
    ];

    /// The same for 64-bit words.
    const RECORDED_WIDE: &[(Operation, u64, u64, u64, u64)] = &[
        (Operation::Add, u64::MAX, 0x7fff_ffff_ffff_ffff, 0, 0x7fff_ffff_ffff_fffe),
        (Operation::Exch, 0x8000_0000_0000_0000, 0x8000_0000_0000_0001, 0, 0x8000_0000_0000_0001),
        (Operation::Cas, u64::MAX, u64::MAX, 0x8000_0000_0000_0000, 0x8000_0000_0000_0000),
        (Operation::Cas, 0xffff_ffff, 0xffff_ffff, 0, 0),
    ];

    #[test]
    fn numbers_are_indices_into_the_list() {
        for (number, operation) in Operation::ALL.into_iter().enumerate() {
            assert_eq!(operation as usize, number);
        }
    }

    #[test]
    fn new_values_agree_with_the_hardware() {
        for (operation, old, b, c, new) in RECORDED {
            assert_eq!(apply32(*operation, *old, *b, *c), *new, "{operation:?} {old:#x} {b:#x} {c:#x}");
        }
        for (operation, old, b, c, new) in RECORDED_WIDE {
            assert_eq!(apply64(*operation, *old, *b, *c), *new, "{operation:?} {old:#x} {b:#x} {c:#x}");
        }
    }

    #[test]
    fn counters_wrap_at_their_bound() {
        assert_eq!([0, 1, 2, 3, 9].map(|old| apply32(Operation::Inc, old, 3, 0)), [1, 2, 3, 0, 0]);
        assert_eq!([0, 1, 2, 3, 9].map(|old| apply32(Operation::Dec, old, 3, 0)), [3, 0, 1, 2, 3]);
    }

    /// Operations on 64-bit words that no recorded GPU has; the values are those of the manual.
    const WIDE: &[(Operation, u64, u64, u64)] = &[
        (Operation::MinU, u64::MAX, 5, 5),
        (Operation::MinS, u64::MAX, 5, u64::MAX),
        (Operation::MaxU, 1 << 63, 1 << 32, 1 << 63),
        (Operation::MaxS, 1 << 63, 1 << 32, 1 << 32),
        (Operation::And, 0xff00_ff00_0000_0001, 0x0ff0_0ff0_ffff_ffff, 0x0f00_0f00_0000_0001),
        (Operation::Or, 1 << 40, 1, 1 << 40 | 1),
        (Operation::Xor, 3 << 40, 1 << 40, 2 << 40),
        // 1.5 + 2.25 = 3.75; the smallest subnormal is kept; 2^53 + 1 rounds to even.
        (Operation::AddF64, 0x3ff8_0000_0000_0000, 0x4002_0000_0000_0000, 0x400e_0000_0000_0000),
        (Operation::AddF64, 1, 1, 2),
        (Operation::AddF64, 0x4340_0000_0000_0000, 0x3ff0_0000_0000_0000, 0x4340_0000_0000_0000),
    ];

    #[test]
    fn wide_operations_after_fermi_have_the_values_of_the_manual() {
        for (operation, old, b, new) in WIDE {
            assert!(operation.is_wide_after_fermi());
            assert_eq!(apply64(*operation, *old, *b, 0), *new, "{operation:?} {old:#x} {b:#x}");
        }
    }

    #[test]
    fn operations_change_only_words_of_their_sizes() {
        for operation in Operation::ALL {
            let pairs = [(5, 5), (5, 7), (7, 5), (2, 5)];
            let changed = pairs.iter().any(|(old, b)| apply64(operation, *old, *b, 9) != *old);
            assert_eq!(changed, operation.is_wide(), "{operation:?}");
            let pairs = pairs.map(|(old, b)| (old as u32, b as u32));
            let changed = pairs.iter().any(|(old, b)| apply32(operation, *old, *b, 9) != *old);
            // Subnormal numbers are flushed.
            assert_eq!(changed, operation.is_narrow(), "{operation:?}");
        }
    }
}

//! What is known about the bits of integers.

use crate::ssa::{Binary, Function, Mem, Num, Op, Special, Ty, Value};

/// Number of values that one question may look at.
const DEPTH: u32 = 6;

/// Upper bound of the number of significant bits of a value as an unsigned integer.
pub fn upper_bits(f: &Function, value: Value) -> u32 {
    bits(f, value, DEPTH)
}

/// Whether the sign bit of an integer is certainly 0.
pub fn non_negative(f: &Function, value: Value) -> bool {
    upper_bits(f, value) < f.ty(value).bits()
}

/// Whether a sum with a constant is exact for signed integers of 32 bits, because the value is
/// small and not negative.
pub fn exact_signed(f: &Function, value: Value, constant: i64) -> bool {
    let bits = upper_bits(f, value);
    f.ty(value) == Ty::I32 && bits < 32 && constant < (1 << 31) - (1 << bits)
}

/// Whether a sum with a constant is exact for unsigned integers of 32 bits.
pub fn exact_unsigned(f: &Function, value: Value, constant: u64) -> bool {
    let bits = upper_bits(f, value);
    f.ty(value) == Ty::I32 && constant < (1 << 32) - ((1 << bits) - 1)
}

fn bits(f: &Function, value: Value, depth: u32) -> u32 {
    let full = f.ty(value).bits();
    if depth == 0 {
        return full;
    }
    let of = |v: Value| bits(f, v, depth - 1);
    let known = match f.op(value) {
        Op::Const(bits) => 64 - bits.leading_zeros(),
        // Limits of all chips up to Fermi: 1024 threads, 65535 blocks.
        Op::Special(Special::Tid(0 | 1)) => 10,
        Op::Special(Special::Ntid(_)) => 11,
        Op::Special(Special::Ctaid(_) | Special::Nctaid(_)) | Op::Load { mem: Mem::U16, .. } => 16,
        Op::Special(Special::Lane) => 5,
        Op::Special(Special::WarpSize | Special::Tid(_)) => 6,
        Op::Load { mem: Mem::U8, .. } => 8,
        // The type of a vector load is that of its elements.
        Op::Extract(all, _) => match f.op(*all) {
            Op::Load { mem: Mem::U8, .. } => 8,
            Op::Load { mem: Mem::U16, .. } => 16,
            _ => full,
        },
        Op::Convert(convert, a) if !convert.from.is_float() => match convert.to {
            Num::U8 => of(*a).min(8),
            Num::U16 => of(*a).min(16),
            Num::S8 => {
                if of(*a) < 8 {
                    of(*a)
                } else {
                    full
                }
            }
            Num::S16 => {
                if of(*a) < 16 {
                    of(*a)
                } else {
                    full
                }
            }
            _ => {
                let inner = of(*a);
                if !convert.from.signed() || inner < convert.from.bits() { inner } else { full }
            }
        },
        Op::Binary(op, a, b) => match op {
            Binary::Or | Binary::Xor | Binary::MaxU => of(*a).max(of(*b)),
            Binary::And | Binary::MinU | Binary::RemU => of(*a).min(of(*b)),
            Binary::Add => of(*a).max(of(*b)) + 1,
            Binary::Mul | Binary::MulWideU | Binary::MulWideS => {
                let (x, y) = (of(*a), of(*b));
                let narrow = f.ty(*a).bits();
                // A wide signed product of operands that may be negative has all bits.
                if *op == Binary::MulWideS && (x == narrow || y == narrow) { full } else { x + y }
            }
            Binary::Mul24U => of(*a).min(24) + of(*b).min(24),
            Binary::ShrU => of(*a).saturating_sub(shift(f, *b)),
            Binary::ShrS if of(*a) < full => of(*a).saturating_sub(shift(f, *b)),
            Binary::Shl => match f.constant(*b) {
                Some(count) => of(*a) + count.min(64) as u32,
                None => full,
            },
            Binary::DivU => of(*a),
            Binary::DivS if of(*a) < full && of(*b) < full => of(*a),
            Binary::RemS if of(*a) < full => of(*a),
            Binary::MinS if of(*a) < full && of(*b) < full => of(*a).min(of(*b)),
            Binary::MaxS if of(*a) < full && of(*b) < full => of(*a).max(of(*b)),
            _ => full,
        },
        Op::Select(_, a, b) => of(*a).max(of(*b)),
        Op::Cmp(..) => 1,
        _ => full,
    };
    debug_assert!(f.ty(value) != Ty::Void || known == 0 || full == 0);
    known.min(full)
}

fn shift(f: &Function, count: Value) -> u32 {
    f.constant(count).map_or(0, |count| count.min(64) as u32)
}

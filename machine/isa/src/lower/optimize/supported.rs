//! Operands and tests that the hardware can fuse, by compute capability.
//!
//! On compute capability 1.x (envytools' description of the Tesla instruction set), the first
//! source of arithmetic, logic, shifts and comparisons may be a word of shared memory. The second
//! or third source may be a word of constant memory. Both are addressed by an address register plus
//! an offset. The first two sources of a product or sum are interchangeable. These instructions
//! also write a condition code that says how the result compares with zero. Arithmetic on Fermi
//! reads neither shared memory nor constants at computed addresses, and a comparison is a separate
//! instruction. Both generations can change the sign of floating-point operands. Tesla takes the
//! magnitude only in minimum, maximum and comparison, and before the special functions.
//!
//! Operations that the hardware executes as a sequence of instructions cannot fuse operands; an
//! example is a 32-bit integer product on 1.x.

use crate::types::Capability;
use crate::uop::{Class, MemorySpace, Op, Shape};

/// Whether `op` can read source `place` from state space `from` when the instruction issues.
pub fn reads(op: Op, place: usize, from: MemorySpace, target: Capability) -> bool {
    if target.major != 1 {
        return false;
    }
    let unary = op.shape() == Shape::w_w;
    let constant = from == MemorySpace::Const;
    match op.class() {
        // The only source is the first one.
        Class::IntAdd | Class::FAdd | Class::Cvt if unary => !constant,
        Class::IntAdd | Class::FAdd | Class::FMul | Class::FMad | Class::IntMul24 => place < 2 || constant,
        Class::IntCmp | Class::FCmp => place < 2,
        Class::Logic => match op {
            Op::NotB32 => !constant,
            op => matches!(op, Op::AndB32 | Op::OrB32 | Op::XorB32),
        },
        Class::Shift if matches!(op, Op::ShlB32 | Op::ShrU32 | Op::ShrS32) => place == usize::from(constant),
        _ => false,
    }
}

/// Whether `op` can change the sign of source `place`, or take its magnitude, as `modifier` does.
pub fn modifies(op: Op, place: usize, modifier: Op, target: Capability) -> bool {
    // A modifier that flushes subnormals changes more than the sign bit, unless the instruction
    // flushes its operands anyway.
    if modifier.is_ftz() && !op.is_ftz() {
        return false;
    }
    let least_or_most =
        matches!(op, Op::MinF32 | Op::MaxF32 | Op::MinFtzF32 | Op::MaxFtzF32 | Op::MinF64 | Op::MaxF64);
    let special = matches!(op.class(), Class::FRcp | Class::FSin);
    let binary = !matches!(op.shape(), Shape::w_w | Shape::w_row | Shape::d_d);
    match modifier {
        Op::NegS32 => op == Op::AddB32 || op == Op::SubB32 && place == 1,
        Op::NegF32 | Op::NegFtzF32 => {
            special || binary && matches!(op.class(), Class::FAdd | Class::FMul | Class::FMad | Class::FCmp)
        }
        Op::AbsF32 | Op::AbsFtzF32 => {
            let sum = target.major >= 2 && op.class() == Class::FAdd;
            special
                || binary && (least_or_most && op.class() == Class::FAdd || op.class() == Class::FCmp || sum)
        }
        Op::NegF64 => binary && matches!(op.class(), Class::DAdd | Class::DMul | Class::DFma | Class::DCmp),
        Op::AbsF64 => {
            let sum = target.major >= 2 && op.class() == Class::DAdd;
            binary && (least_or_most && op.class() == Class::DAdd || op.class() == Class::DCmp || sum)
        }
        _ => false,
    }
}

/// Whether the condition code of `op` contains the result of `test`, a comparison of the result of
/// `op` with zero, so that the test needs no instruction.
pub fn fuses_test(op: Op, test: Op, target: Capability) -> bool {
    if target.major != 1 {
        return false;
    }
    match test.class() {
        Class::IntCmp => match op.class() {
            Class::IntAdd | Class::IntMul24 => true,
            Class::Logic => op != Op::PackB32,
            Class::Shift => matches!(op, Op::ShlB32 | Op::ShrU32 | Op::ShrS32),
            _ => false,
        },
        Class::FCmp => matches!(op.class(), Class::FAdd | Class::FMul | Class::FMad),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: Capability = Capability::new(1, 0);
    const NEW: Capability = Capability::new(2, 0);

    #[test]
    fn shared_memory_is_a_first_source_and_constant_memory_a_later_one() {
        let mad = |place, from| reads(Op::MadTruncF32, place, from, OLD);
        assert_eq!([0, 1, 2].map(|place| mad(place, MemorySpace::Shared)), [true, true, false]);
        assert_eq!([0, 1, 2].map(|place| mad(place, MemorySpace::Const)), [true; 3]);
        assert!(
            reads(Op::ShlB32, 0, MemorySpace::Shared, OLD) && !reads(Op::ShlB32, 1, MemorySpace::Shared, OLD)
        );
        assert!(!reads(Op::MovB32, 0, MemorySpace::Shared, OLD), "a move from memory is the load itself");
        assert!(!reads(Op::MulLoB32, 0, MemorySpace::Shared, OLD), "a sequence");
        assert!(!reads(Op::RcpApproxFtzF32, 0, MemorySpace::Shared, OLD));
        assert!(!reads(Op::FmaF32, 0, MemorySpace::Shared, NEW));
    }

    #[test]
    fn sign_changes_are_always_fused_and_magnitudes_depend_on_the_generation() {
        for target in [OLD, NEW] {
            assert!(modifies(Op::MulFtzF32, 1, Op::NegFtzF32, target));
            assert!(modifies(Op::MaxFtzF32, 0, Op::AbsFtzF32, target));
            assert!(!modifies(Op::MulFtzF32, 1, Op::AbsFtzF32, target));
            assert!(!modifies(Op::AndB32, 0, Op::NegS32, target));
            assert_eq!(modifies(Op::AddFtzF32, 0, Op::AbsFtzF32, target), target == NEW);
        }
        assert!(!modifies(Op::AddF32, 0, Op::NegFtzF32, NEW), "a subnormal would not be flushed");
        assert!(!modifies(Op::SubB32, 0, Op::NegS32, NEW));
    }

    #[test]
    fn a_condition_code_only_serves_comparisons_of_the_same_type() {
        assert!(fuses_test(Op::AndB32, Op::SetpEqB32, OLD));
        assert!(!fuses_test(Op::AndB32, Op::SetpEqFtzF32, OLD));
        assert!(!fuses_test(Op::AndB32, Op::SetpEqB32, NEW));
        assert!(!fuses_test(Op::MulLoB32, Op::SetpEqB32, OLD), "a sequence");
    }
}

//! The meaning of the names of the instruction classes.

use isa::terms::Terms;
use isa::uop::Class;
use std::borrow::Cow;

/// Returns a short description of the instructions of a class.
pub fn meaning(class: Class, terms: &Terms) -> Cow<'static, str> {
    terms.fill(match class {
        Class::Mov => "moves",
        Class::Mov64 => "64-bit moves",
        Class::Select | Class::Select64 => "choices by a predicate",
        Class::IntAdd => "integer add, subtract, min, max",
        Class::IntAbs => "integer negate, abs",
        Class::IntSad => "sums of absolute differences",
        Class::IntCmp | Class::IntCmp64 => "integer comparisons",
        Class::Logic | Class::Logic64 => "and, or, xor, not",
        Class::Shift | Class::Shift64 => "shifts",
        Class::IntMul24 => "24-bit multiply and multiply-add",
        Class::IntMul => "32-bit multiply",
        Class::IntMad => "32-bit multiply-add",
        Class::IntMulHi => "32-bit multiply, high half, unsigned",
        Class::IntMulHiS => "32-bit multiply, high half, signed",
        Class::IntMulWide => "32 x 32 to 64-bit multiply",
        Class::IntMadWide => "the same with a 64-bit add",
        Class::IntDiv => "integer division, unsigned",
        Class::IntDivS => "integer division, signed",
        Class::IntRem => "integer remainder, unsigned",
        Class::IntRemS => "integer remainder, signed",
        Class::Int64 => "64-bit add, subtract",
        Class::IntMul64 => "64-bit multiply",
        Class::IntMulHi64 => "64-bit multiply, upper half",
        Class::IntDiv64 => "64-bit division",
        Class::Cvt => "conversions of type",
        Class::FAdd => "floating-point add, subtract, min, max",
        Class::FMul => "floating-point multiply",
        Class::FMad => "floating-point multiply-add",
        Class::FCmp => "floating-point comparisons",
        Class::DAdd => "double-precision add, subtract, min, max",
        Class::DMul => "double-precision multiply",
        Class::DFma => "double-precision multiply-add",
        Class::DCmp => "double-precision comparisons",
        Class::DCvt => "conversions from and to f64",
        Class::DDiv => "double-precision division",
        Class::DRcp => "double-precision reciprocal",
        Class::DSqrt => "double-precision roots",
        Class::DLookup => "approximate f64 reciprocal",
        Class::FRcp => "reciprocal, 1/square root, logarithm",
        Class::FSin => "sine, cosine, power of two",
        Class::FSqrt => "square root, approximate",
        Class::FDivApprox | Class::FDiv => "division, approximate",
        Class::FRcpRn => "reciprocal, correctly rounded",
        Class::FSqrtRn => "square root, correctly rounded",
        Class::FDivRn => "division, correctly rounded",
        Class::Pred => "logic of predicates, votes",
        Class::Sreg => "special registers such as %tid",
        Class::LdParam => "loads of parameters",
        Class::LdConst => "loads of constant memory",
        Class::LdShared => "loads from {shared}",
        Class::StShared => "stores to {shared}",
        Class::LdGlobal => "loads from global memory",
        Class::StGlobal => "stores to global memory",
        Class::AtomGlobal => "atomics on global memory",
        Class::AtomShared => "atomics on {shared}",
        Class::LdLocal => "loads from {local}",
        Class::Tex => "texture fetches",
        Class::Txq => "reads of texture properties",
        Class::StLocal => "stores to {local}",
        Class::Branch => "branches",
        Class::Barrier => "bar.sync",
        Class::Membar => "memory fences",
        Class::Exit => "ends of {thread}s, and trap",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_meaning_that_fits() {
        for class in Class::ALL {
            let meaning = meaning(class, &Terms::CUDA);
            assert!(!meaning.is_empty() && meaning.len() <= 41, "{}: {meaning}", class.name());
        }
    }
}

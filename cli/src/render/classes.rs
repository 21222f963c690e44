//! What the names of the instruction classes stand for.

/// The instructions of a class, in few words; nothing for a name that is no class.
pub fn meaning(class: &str) -> &'static str {
    match class {
        "mov" => "moves",
        "mov64" => "64-bit moves",
        "select" | "select64" => "choices by a predicate",
        "int_add" => "integer add, subtract, min, max",
        "int_abs" => "integer negate, abs",
        "int_sad" => "sums of absolute differences",
        "int_cmp" | "int_cmp64" => "integer comparisons",
        "logic" | "logic64" => "and, or, xor, not",
        "shift" | "shift64" => "shifts",
        "int_mul24" => "24-bit multiply and multiply-add",
        "int_mul" => "32-bit multiply",
        "int_mad" => "32-bit multiply-add",
        "int_mul_hi" => "32-bit multiply, high half, unsigned",
        "int_mul_hi_s" => "32-bit multiply, high half, signed",
        "int_mul_wide" => "32 x 32 to 64-bit multiply",
        "int_mad_wide" => "the same with a 64-bit add",
        "int_div" => "integer division, unsigned",
        "int_div_s" => "integer division, signed",
        "int_rem" => "integer remainder, unsigned",
        "int_rem_s" => "integer remainder, signed",
        "int64" => "64-bit add, subtract",
        "int_mul64" => "64-bit multiply",
        "int_mul_hi64" => "64-bit multiply, upper half",
        "int_div64" => "64-bit division",
        "cvt" => "conversions of type",
        "fp_add" => "floating-point add, subtract, min, max",
        "fp_mul" => "floating-point multiply",
        "fp_mad" => "floating-point multiply-add",
        "fp_cmp" => "floating-point comparisons",
        "dp_add" => "double-precision add, subtract, min, max",
        "dp_mul" => "double-precision multiply",
        "dp_fma" => "double-precision multiply-add",
        "dp_cmp" => "double-precision comparisons",
        "dp_cvt" => "conversions from and to f64",
        "dp_div" => "double-precision division",
        "dp_rcp" => "double-precision reciprocal",
        "dp_sqrt" => "double-precision roots",
        "dp_lookup" => "approximate f64 reciprocal",
        "fp_rcp" => "reciprocal, 1/square root, logarithm",
        "fp_sin" => "sine, cosine, power of two",
        "fp_sqrt" => "square root, approximate",
        "fp_div_approx" | "fp_div" => "division, approximate",
        "fp_rcp_rn" => "reciprocal, correctly rounded",
        "fp_sqrt_rn" => "square root, correctly rounded",
        "fp_div_rn" => "division, correctly rounded",
        "pred" => "logic of predicates, votes",
        "sreg" => "special registers such as %tid",
        "ld_param" => "loads of parameters",
        "ld_const" => "loads of constant memory",
        "ld_shared" => "loads from shared memory",
        "st_shared" => "stores to shared memory",
        "ld_global" => "loads from global memory",
        "st_global" => "stores to global memory",
        "atom_global" => "atomics on global memory",
        "atom_shared" => "atomics on shared memory",
        "ld_local" => "loads from local memory",
        "st_local" => "stores to local memory",
        "branch" => "branches",
        "barrier" => "bar.sync",
        "membar" => "memory fences",
        "exit" => "ends of threads, and trap",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_meaning_that_fits() {
        for class in isa::uop::Class::ALL {
            let meaning = meaning(class.name());
            assert!(!meaning.is_empty() && meaning.len() <= 41, "{}: {meaning}", class.name());
        }
    }
}

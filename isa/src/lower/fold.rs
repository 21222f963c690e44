//! What `ptxas` would fold or fuse: an empty room so far.
//!
//! Real code for these machines has fewer instructions than PTX: `ptxas` folds a shared or constant load that is
//! used once into its consumer, `ld.param` into an operand, `neg` and `abs` into operand modifiers, and a
//! comparison with zero into the condition code of its producer. Until that pass stands here, every micro-op is
//! issued by itself, so instruction counts and times of arithmetic-bound kernels are somewhat high. `mul` and
//! `add` are never fused.

//! Codes of errors that only experiment files have; the codes for RON are in
//! `sim_core::config::codes`.

/// An unknown kernel, factor, metric, formula or path.
pub const UNKNOWN_NAME: &str = "E0701";
/// A duplicate name.
pub const DUPLICATE: &str = "E0702";
/// An entry with both or neither of two fields.
pub const ONE_OF: &str = "E0703";
/// A formula with a syntax error or without a number as value.
pub const FORMULA: &str = "E0704";
/// A list or a range without values, or too many points.
pub const VALUES: &str = "E0705";
/// A field that does not apply to the kernel or to the design.
pub const NOT_APPLICABLE: &str = "E0706";
/// A kernel, a launch file or a chip that cannot be used.
pub const INPUT: &str = "E0707";

/// Every code with its meaning, in order.
pub const ALL: [(&str, &str); 7] = [
    (UNKNOWN_NAME, "an unknown kernel, factor, metric, formula or path"),
    (DUPLICATE, "a duplicate name"),
    (ONE_OF, "an entry with both or neither of two fields"),
    (FORMULA, "a formula with a syntax error or without a number as value"),
    (VALUES, "a list or a range without values, or too many points"),
    (NOT_APPLICABLE, "a field that does not apply to the kernel or to the design"),
    (INPUT, "a kernel, a launch file or a chip that cannot be used"),
];

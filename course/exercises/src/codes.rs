//! Codes of errors that only rubrics have; the codes for RON are in `sim_core::config::codes`.

/// An unknown chip, test or metric.
pub const UNKNOWN_NAME: &str = "E0801";
/// A formula with a syntax error.
pub const FORMULA: &str = "E0802";
/// Two rows of a rubric with one name.
pub const DUPLICATE: &str = "E0803";
/// A rubric without tests or points, or a rule without a condition.
pub const EMPTY: &str = "E0804";

/// Every code with its meaning, in order.
pub const ALL: [(&str, &str); 4] = [
    (UNKNOWN_NAME, "an unknown chip, test or metric in a rubric"),
    (FORMULA, "a formula of a rubric with a syntax error"),
    (DUPLICATE, "two rows of a rubric with one name"),
    (EMPTY, "a rubric without tests or points, or a rule without a condition"),
];

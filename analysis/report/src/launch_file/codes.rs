//! Codes of errors that only launch files have; the codes for RON are in `sim_core::config::codes`.

/// An unknown kernel, buffer, symbol or texture.
pub const UNKNOWN_NAME: &str = "E0601";
/// A formula with a syntax error or without a value.
pub const FORMULA: &str = "E0602";
/// A file that cannot be read or has the wrong size.
pub const FILE: &str = "E0603";
/// Arguments that do not match the kernel's parameters.
pub const ARGUMENTS: &str = "E0604";
/// A duplicate name or path.
pub const DUPLICATE: &str = "E0605";
/// A missing, contradictory or too large length.
pub const LENGTH: &str = "E0606";
/// An entry with both or neither of two fields.
pub const ONE_OF: &str = "E0607";
/// A path to a file outside the permitted folders.
pub const OUTSIDE: &str = "E0608";
/// A call of `streams` that cannot be made.
pub const STREAMS: &str = "E0609";

/// Every code with its meaning, in order.
pub const ALL: [(&str, &str); 9] = [
    (UNKNOWN_NAME, "an unknown kernel, buffer, symbol or texture"),
    (FORMULA, "a formula with a syntax error or without a value"),
    (FILE, "a file that cannot be read or has the wrong size"),
    (ARGUMENTS, "arguments that do not match the kernel's parameters"),
    (DUPLICATE, "a duplicate name or path"),
    (LENGTH, "a missing, contradictory or too large length"),
    (ONE_OF, "an entry with both or neither of two fields"),
    (OUTSIDE, "a path to a file outside the permitted folders"),
    (STREAMS, "a call of `streams` that cannot be made"),
];

//! Codes of complaints that only launch files have; those about RON itself are `sim_core::config::codes`.

/// A name stands for nothing: an entry, a parameter's buffer, a symbol.
pub const UNKNOWN_NAME: &str = "E0601";
/// A formula cannot be read or has no value.
pub const FORMULA: &str = "E0602";
/// A file cannot be read or has the wrong size.
pub const FILE: &str = "E0603";
/// The arguments do not fit the kernel's parameters.
pub const ARGUMENTS: &str = "E0604";
/// A name or a path is used twice.
pub const DUPLICATE: &str = "E0605";
/// A length is missing, contradictory or too large.
pub const LENGTH: &str = "E0606";
/// An entry has both or none of two fields of which it needs one.
pub const ONE_OF: &str = "E0607";
/// A path leads out of the folders that a launch file may use.
pub const OUTSIDE: &str = "E0608";

/// Every code with its meaning, in order.
pub const ALL: [(&str, &str); 8] = [
    (UNKNOWN_NAME, "a name stands for nothing"),
    (FORMULA, "a formula cannot be read or has no value"),
    (FILE, "a file cannot be read or has the wrong size"),
    (ARGUMENTS, "the arguments do not fit the kernel's parameters"),
    (DUPLICATE, "a name or a path is used twice"),
    (LENGTH, "a length is missing, contradictory or too large"),
    (ONE_OF, "an entry has both or none of two fields"),
    (OUTSIDE, "a path leads out of the folders that a launch file may use"),
];

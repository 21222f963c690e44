//! Codes of the errors and warnings in chip files, launch files and `--set` arguments.

/// Invalid RON.
pub const SYNTAX: &str = "E0501";
/// An unknown field.
pub const UNKNOWN_FIELD: &str = "E0502";
/// A missing field.
pub const MISSING_FIELD: &str = "E0503";
/// A duplicate field.
pub const DUPLICATE_FIELD: &str = "E0504";
/// A value of the wrong type.
pub const WRONG_TYPE: &str = "E0505";
/// A number outside the range of its field.
pub const OUT_OF_RANGE: &str = "E0506";
/// A word that the field does not accept.
pub const UNKNOWN_WORD: &str = "E0507";
/// An unknown or ambiguous path in `--set`.
pub const UNKNOWN_PATH: &str = "E0508";
/// A number that is not a power of two.
pub const POWER_OF_TWO: &str = "E0509";
/// Contradictory values.
pub const CONTRADICTION: &str = "E0510";
/// An instruction class with an unknown unit.
pub const UNKNOWN_UNIT: &str = "E0511";
/// Contradictory DRAM timing values.
pub const DRAM_TIMING: &str = "E0512";
/// A chip that is too large to be simulated.
pub const TOO_LARGE: &str = "E0513";
/// An unknown base chip.
pub const UNKNOWN_BASE: &str = "E0514";
/// A circular or too long chain of base chips.
pub const BASE_CIRCLE: &str = "E0515";
/// Control characters in a name or a path.
pub const CONTROL: &str = "E0516";
/// Warning: thread slots, warp slots and the largest block do not match.
pub const THREAD_SLOTS: &str = "E0520";
/// Warning: a partition's links hold less data than its DRAM transfers before a credit returns.
pub const SHALLOW_LINK: &str = "E0521";

/// Every code with its meaning, in order.
pub const ALL: [(&str, &str); 18] = [
    (SYNTAX, "invalid RON"),
    (UNKNOWN_FIELD, "an unknown field"),
    (MISSING_FIELD, "a missing field"),
    (DUPLICATE_FIELD, "a duplicate field"),
    (WRONG_TYPE, "a value of the wrong type"),
    (OUT_OF_RANGE, "a number outside the range of its field"),
    (UNKNOWN_WORD, "a word that the field does not accept"),
    (UNKNOWN_PATH, "an unknown or ambiguous path in `--set`"),
    (POWER_OF_TWO, "a number that is not a power of two"),
    (CONTRADICTION, "contradictory values"),
    (UNKNOWN_UNIT, "an instruction class with an unknown unit"),
    (DRAM_TIMING, "contradictory DRAM timing values"),
    (TOO_LARGE, "a chip that is too large to be simulated"),
    (UNKNOWN_BASE, "an unknown base chip"),
    (BASE_CIRCLE, "a circular or too long chain of base chips"),
    (CONTROL, "control characters in a name or a path"),
    (THREAD_SLOTS, "warning: thread slots, warp slots and the largest block size do not match"),
    (
        SHALLOW_LINK,
        "warning: a partition's links hold less data than its DRAM transfers before a credit returns",
    ),
];

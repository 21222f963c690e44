//! Codes of complaints about chip files, launch files and `--set` arguments.

/// The text is not RON.
pub const SYNTAX: &str = "E0501";
/// A struct has a field of an unknown name.
pub const UNKNOWN_FIELD: &str = "E0502";
/// A field is not there.
pub const MISSING_FIELD: &str = "E0503";
/// A field is given twice.
pub const DUPLICATE_FIELD: &str = "E0504";
/// A value is of another kind than its field.
pub const WRONG_TYPE: &str = "E0505";
/// A number lies outside its field's range.
pub const OUT_OF_RANGE: &str = "E0506";
/// A word is none of those that the field knows.
pub const UNKNOWN_WORD: &str = "E0507";
/// A `--set` names a path that the file does not have.
pub const UNKNOWN_PATH: &str = "E0508";
/// A number has to be a power of two.
pub const POWER_OF_TWO: &str = "E0509";
/// Two values contradict each other.
pub const CONTRADICTION: &str = "E0510";
/// An instruction class names a unit that the SM does not have.
pub const UNKNOWN_UNIT: &str = "E0511";
/// DRAM times contradict each other.
pub const DRAM_TIMING: &str = "E0512";
/// The chip is too large to be simulated.
pub const TOO_LARGE: &str = "E0513";
/// A chip file names a base that there is not.
pub const UNKNOWN_BASE: &str = "E0514";
/// A chip is based on itself, by whatever way round, or on too many others.
pub const BASE_CIRCLE: &str = "E0515";
/// A name or a path has control characters.
pub const CONTROL: &str = "E0516";
/// Warning: thread slots, warp slots and the largest block do not match.
pub const THREAD_SLOTS: &str = "E0520";
/// Warning: a link holds less than is on its way at the port's full rate.
pub const SHALLOW_LINK: &str = "E0521";

/// Every code with its meaning, in order.
pub const ALL: [(&str, &str); 18] = [
    (SYNTAX, "the text is not RON"),
    (UNKNOWN_FIELD, "a struct has a field of an unknown name"),
    (MISSING_FIELD, "a field is not there"),
    (DUPLICATE_FIELD, "a field is given twice"),
    (WRONG_TYPE, "a value is of another kind than its field"),
    (OUT_OF_RANGE, "a number lies outside its field's range"),
    (UNKNOWN_WORD, "a word is none of those that the field knows"),
    (UNKNOWN_PATH, "a --set names a path that the file does not have"),
    (POWER_OF_TWO, "a number has to be a power of two"),
    (CONTRADICTION, "two values contradict each other"),
    (UNKNOWN_UNIT, "an instruction class names a unit that the SM does not have"),
    (DRAM_TIMING, "DRAM times contradict each other"),
    (TOO_LARGE, "the chip is too large to be simulated"),
    (UNKNOWN_BASE, "a chip file names a base that there is not"),
    (BASE_CIRCLE, "a chip is based on itself, by whatever way round, or on too many others"),
    (CONTROL, "a name or a path has control characters"),
    (THREAD_SLOTS, "warning: thread slots, warp slots and the largest block do not match"),
    (
        SHALLOW_LINK,
        "warning: a partition's links together hold less than its DRAM moves until a credit returns",
    ),
];

//! Types of the elements of buffers.

use isa::types::ScalarType;

/// Types of buffers and arguments, by their names in launch files.
pub const TYPES: [(&str, ScalarType); 14] = [
    ("f32", ScalarType::F32),
    ("f64", ScalarType::F64),
    ("s32", ScalarType::S32),
    ("u32", ScalarType::U32),
    ("b32", ScalarType::B32),
    ("s64", ScalarType::S64),
    ("u64", ScalarType::U64),
    ("b64", ScalarType::B64),
    ("s16", ScalarType::S16),
    ("u16", ScalarType::U16),
    ("b16", ScalarType::B16),
    ("s8", ScalarType::S8),
    ("u8", ScalarType::U8),
    ("b8", ScalarType::B8),
];

//! Parameters and variables of a program, and the instructions that name them.

use crate::types::{ScalarType, StateSpace};

/// A kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name in the PTX text.
    pub name: String,
    /// Element type.
    pub ty: ScalarType,
    /// Byte offset in the parameter block.
    pub offset: u32,
    /// Size in bytes (of the whole array).
    pub bytes: u32,
    /// `.tex`, `.surf` or `.sampler` for a parameter `.texref`, `.surfref` or `.samplerref`: its
    /// value is the handle of a texture, surface or sampler of the host program.
    pub opaque: Option<StateSpace>,
    /// `.ptr`: the memory to which the parameter points.
    pub pointee: Option<Pointee>,
}

/// The memory to which a parameter points, as `.ptr .space .align n` declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointee {
    /// `.const`, `.global`, `.local` or `.shared`; `None` for a generic address.
    pub space: Option<StateSpace>,
    /// Alignment in bytes: 4 if it is not declared.
    pub align: u32,
}

/// A module or function variable with its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name in the PTX text.
    pub name: String,
    /// Element type.
    pub ty: ScalarType,
    /// Byte offset in its state space: shared memory or the constant bank; 0 for `.global`, which
    /// is placed when the module is loaded.
    pub offset: u32,
    /// Size in bytes; 0 for an `.extern .shared` array.
    pub bytes: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// Line of the declaration of a `.global` variable in the whole text, from 1; 0 for others.
    pub line: u32,
    /// Initial bytes, if any; the bytes after them, up to `bytes`, are zero.
    pub init: Vec<u8>,
    /// Addresses in `init`: (byte offset, `Module::globals` index, addend, size in bytes).
    pub relocs: Vec<(u32, u32, u64, u8)>,
}

/// A PTX instruction that names a `.shared`, `.local` or `.const` variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableUse {
    /// Start of the instruction's span.
    pub start: u32,
    /// State space of the variable.
    pub space: StateSpace,
    /// Index into [`super::Program::shared`], [`super::Program::local`] or
    /// [`super::Program::consts`].
    pub symbol: u32,
    /// Whether the instruction accesses the variable's memory; otherwise the address is an operand.
    pub accesses: bool,
}

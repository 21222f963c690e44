//! Micro-ops: the table of micro-ops, instructions, and the executable program.

pub mod assemble;
mod cache;
pub mod class;
mod columns;
pub mod disasm;
pub mod issue;
mod memory;
pub mod op;
pub mod program;
mod sampler;
mod shape;
mod surface;
mod symbol;
mod table;
mod texture;
pub mod verify;

pub use cache::CacheOperator;
pub use class::Class;
pub use memory::{Memory, MemoryKind, MemorySpace, Registers, Width};
pub use op::{Op, Precision};
pub use program::{
    ConstValue, FunctionCode, Guard, Inst, Module, NO_ROW, Program, RowCounts, Spills, TO_EXIT,
};
pub use sampler::{ObjectSource, SampledTexture, Sampler, SamplerAddress, Selections};
pub use shape::{OperandKind, Shape};
pub use surface::{Outside, SurfaceAccess};
pub use symbol::{Param, Pointee, Symbol, VariableUse};
pub use texture::{Geometry, TextureFetch, TextureQuery, handle};

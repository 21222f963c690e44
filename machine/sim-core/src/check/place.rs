//! The variable or allocation at an address.

use super::finding::Object;
use crate::exec::Kernel;
use isa::mangled::plain;
use isa::types::StateSpace;
use isa::uop::Symbol;

/// Returns the variable or allocation that contains byte `address` of a state space. Dynamic shared
/// memory, whose variables have no size in the text, extends to the end of the block's memory.
pub fn object_at(kernel: &Kernel, space: StateSpace, address: u64) -> Option<Object> {
    if space == StateSpace::Global {
        let range = kernel.allocations.find(u32::try_from(address).ok()?)?;
        return Some(Object {
            name: range.name.clone(),
            start: range.start.into(),
            bytes: range.bytes.into(),
        });
    }
    variables(kernel, space).find(|object| address >= object.start && address - object.start < object.bytes)
}

/// Returns the symbols of shared, local or constant memory; other state spaces have none here.
pub fn symbols(kernel: &Kernel, space: StateSpace) -> &[Symbol] {
    match space {
        StateSpace::Shared => kernel.program.shared.as_slice(),
        StateSpace::Local => kernel.program.local.as_slice(),
        StateSpace::Const => &kernel.program.consts,
        StateSpace::Global
        | StateSpace::Param
        | StateSpace::Reg
        | StateSpace::Tex
        | StateSpace::Surf
        | StateSpace::Sampler => &[],
    }
}

/// Iterates over the variables of shared, local or constant memory; other state spaces have none
/// here.
pub fn variables(kernel: &Kernel, space: StateSpace) -> impl Iterator<Item = Object> {
    symbols(kernel, space).iter().map(move |symbol| object_of(kernel, space, symbol))
}

/// Returns a variable of shared, local or constant memory.
pub fn object_of(kernel: &Kernel, space: StateSpace, symbol: &Symbol) -> Object {
    let end = if space == StateSpace::Shared && symbol.bytes == 0 {
        kernel.shared_bytes
    } else {
        symbol.offset.saturating_add(symbol.bytes)
    };
    let start = symbol.offset;
    let name = Some(plain(&symbol.name).to_owned());
    Object { name, start: start.into(), bytes: end.saturating_sub(start).into() }
}

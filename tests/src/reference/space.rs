//! Addresses of variables: each is at the next multiple of its alignment.

use super::integer;
use isa::ptx::ast::{Init, Literal, Variable};
use isa::types::{ScalarType, StateSpace};

/// First address of module variables in global memory: above the addresses that hosts allocate.
pub const GLOBALS: u64 = 0xf000_0000;

/// Location of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariablePlace {
    /// State space.
    pub space: StateSpace,
    /// Address in the space.
    pub address: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// One space, filled from address 0 on.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// End of the allocated part.
    pub end: u64,
    /// Bytes that stay free behind each variable.
    pub gap: u64,
}

impl Space {
    /// Allocates a variable at the end.
    pub fn place(&mut self, variable: &Variable) -> VariablePlace {
        let align = variable.align.map_or_else(|| element(variable), |(align, _)| align.into());
        let address = self.end.next_multiple_of(align.max(1));
        let bytes = size(variable);
        self.end = address + bytes + self.gap;
        VariablePlace { space: variable.space, address, bytes }
    }
}

/// Bytes of an element.
fn element(variable: &Variable) -> u64 {
    u64::from(variable.ty.bytes()) * u64::from(variable.vector)
}

/// Bytes of a variable; the length of an open array is that of its initializer.
fn size(variable: &Variable) -> u64 {
    let given = variable.init.as_ref().map_or(0, Vec::len) as u64;
    match variable.dims.first() {
        Some(None) => given * u64::from(variable.ty.bytes()),
        _ => variable.dims.iter().flatten().product::<u64>() * element(variable),
    }
}

/// Converts a literal to a value of `ty`.
pub fn literal(literal: Literal, ty: ScalarType) -> u64 {
    match literal {
        Literal::Int { value, .. } if ty == ScalarType::Pred => u64::from(value != 0),
        Literal::Int { value, .. } => integer::truncate(value.into(), integer::width(ty)),
        Literal::F32(bits) => bits.into(),
        Literal::F64(bits) if ty == ScalarType::F32 => (f64::from_bits(bits) as f32).to_bits().into(),
        Literal::F64(bits) => bits,
    }
}

/// Returns the initial bytes of a variable; `address` resolves the addresses of names.
pub fn image(variable: &Variable, address: impl Fn(&str) -> Result<u64, String>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for init in variable.init.iter().flatten() {
        let value = match init {
            Init::Value(value, _) => literal(*value, variable.ty),
            Init::Address(name, offset) | Init::Generic(name, offset) => {
                address(name.name)?.wrapping_add(*offset as u64)
            }
        };
        bytes.extend(&value.to_le_bytes()[..variable.ty.bytes() as usize]);
    }
    bytes.resize(size(variable) as usize, 0);
    Ok(bytes)
}

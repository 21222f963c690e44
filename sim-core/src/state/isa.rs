//! Values of the crate `isa`.

use super::{Corrupt, Reader, Value, Writer};
use isa::sem::atomic::Operation;
use isa::types::{Dim3, StateSpace};
use isa::uop::Op;

impl Value for Dim3 {
    fn put(&self, out: &mut Writer) {
        let Self { x, y, z } = self;
        (*x, *y, *z).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        let (x, y, z) = Value::take(from)?;
        Ok(Self { x, y, z })
    }
}

/// A micro-op is its index in the table; the version of the state file covers the table.
impl Value for Op {
    fn put(&self, out: &mut Writer) {
        (*self as u16).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        let index = usize::from(u16::take(from)?);
        Self::ALL.get(index).copied().ok_or_else(|| from.corrupt())
    }
}

impl Value for Operation {
    fn put(&self, out: &mut Writer) {
        out.byte(*self as u8);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        let index = usize::from(from.byte()?);
        Self::ALL.get(index).copied().ok_or_else(|| from.corrupt())
    }
}

impl Value for StateSpace {
    fn put(&self, out: &mut Writer) {
        out.byte(match self {
            Self::Reg => 0,
            Self::Const => 1,
            Self::Global => 2,
            Self::Local => 3,
            Self::Param => 4,
            Self::Shared => 5,
        });
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        const ALL: [StateSpace; 6] = [
            StateSpace::Reg,
            StateSpace::Const,
            StateSpace::Global,
            StateSpace::Local,
            StateSpace::Param,
            StateSpace::Shared,
        ];
        ALL.get(usize::from(from.byte()?)).copied().ok_or_else(|| from.corrupt())
    }
}

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

/// An enum without fields: each variant is its number here.
macro_rules! numbered {
    ($type:ident: $($number:literal $variant:ident)*) => {
        impl Value for $type {
            fn put(&self, out: &mut Writer) {
                out.byte(match self { $(Self::$variant => $number),* });
            }

            fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
                match from.byte()? {
                    $($number => Ok(Self::$variant),)*
                    _ => Err(from.corrupt()),
                }
            }
        }
    };
}
numbered!(StateSpace: 0 Reg 1 Const 2 Global 3 Local 4 Param 5 Shared 6 Tex 7 Surf 8 Sampler);

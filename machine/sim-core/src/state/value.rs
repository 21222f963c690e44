//! Values of the standard library, and random number generators.

use super::{Corrupt, Reader, Value, Writer};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::sync::Arc;

macro_rules! numbers {
    ($($number:ident)*) => {
        $(impl Value for $number {
            fn put(&self, out: &mut Writer) {
                out.raw(&self.to_le_bytes());
            }

            fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
                from.array().map(Self::from_le_bytes)
            }
        })*
    };
}
numbers!(u8 u16 u32 u64 u128);

impl Value for usize {
    fn put(&self, out: &mut Writer) {
        (*self as u64).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        Self::try_from(u64::take(from)?).map_err(|_| from.corrupt())
    }
}

impl Value for bool {
    fn put(&self, out: &mut Writer) {
        out.byte(u8::from(*self));
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(from.corrupt()),
        }
    }
}

impl<T: Value> Value for Option<T> {
    fn put(&self, out: &mut Writer) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        if bool::take(from)? { T::take(from).map(Some) } else { Ok(None) }
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn put(&self, out: &mut Writer) {
        for value in self {
            value.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        let all: Vec<T> = (0..N).map(|_| T::take(from)).collect::<Result<_, _>>()?;
        all.try_into().map_err(|_| from.corrupt())
    }
}

/// Lists: the length, then the elements.
macro_rules! lists {
    ($($list:ty)*) => {
        $(impl<T: Value> Value for $list {
            fn put(&self, out: &mut Writer) {
                self.len().put(out);
                for value in self {
                    value.put(out);
                }
            }

            fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
                let length = from.length()?;
                (0..length).map(|_| T::take(from)).collect()
            }
        })*
    };
}
lists!(Vec<T> VecDeque<T> Box<[T]>);

impl<T: Value> Value for Box<T> {
    fn put(&self, out: &mut Writer) {
        self.as_ref().put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        T::take(from).map(Self::new)
    }
}

impl<T: Value> Value for Arc<T> {
    fn put(&self, out: &mut Writer) {
        self.as_ref().put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        T::take(from).map(Self::new)
    }
}

impl Value for String {
    fn put(&self, out: &mut Writer) {
        self.len().put(out);
        out.raw(self.as_bytes());
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        let length = from.length()?;
        let bytes = from.raw(length)?.to_vec();
        Self::from_utf8(bytes).map_err(|_| from.corrupt())
    }
}

impl<A: Value, B: Value> Value for (A, B) {
    fn put(&self, out: &mut Writer) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        Ok((A::take(from)?, B::take(from)?))
    }
}

impl<A: Value, B: Value, C: Value> Value for (A, B, C) {
    fn put(&self, out: &mut Writer) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        Ok((A::take(from)?, B::take(from)?, C::take(from)?))
    }
}

/// A generator is its seed, its stream and the number of words that it has returned.
impl Value for ChaCha8Rng {
    fn put(&self, out: &mut Writer) {
        self.get_seed().put(out);
        self.get_stream().put(out);
        self.get_word_pos().put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        let mut rng = Self::from_seed(Value::take(from)?);
        rng.set_stream(u64::take(from)?);
        rng.set_word_pos(u128::take(from)?);
        Ok(rng)
    }
}

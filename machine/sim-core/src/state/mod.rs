//! State as bytes: how a paused machine is written and restored.
//!
//! A machine consists of parts. A [`Part`] is restored in place, into a machine that was built for
//! the same launch on the same chip; so its program, its configuration and everything else that
//! never changes are not in the bytes. A [`Value`] has no such fields and is made from its bytes
//! alone.
//!
//! Both traits are derived, and the derives cover every field: a field that is added to the machine
//! is stored, unless `#[state(fixed)]` marks it as a field that never changes.
//!
//! All numbers are little-endian. A list begins with its length as 8 bytes.

mod bytes;
mod isa;
mod value;

pub use bytes::{Corrupt, Reader, Writer};
pub use state_derive::{CloneFrom, Part, Value};

/// Plain data that is made from its bytes.
pub trait Value: Sized {
    /// Writes the value.
    fn put(&self, out: &mut Writer);

    /// Reads a value. The error is that the bytes are not such a value.
    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt>;
}

/// A part of the machine that is restored in place.
pub trait Part {
    /// Writes everything that changes while the launch runs.
    fn save(&self, out: &mut Writer);

    /// Restores the part. After an error it has an undefined state.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Corrupt>;
}

/// Parts of a fixed number.
impl<T: Part> Part for Vec<T> {
    fn save(&self, out: &mut Writer) {
        for part in self {
            part.save(out);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Corrupt> {
        self.iter_mut().try_for_each(|part| part.load(from))
    }
}

/// A part that a chip has or has not.
impl<T: Part> Part for Option<T> {
    fn save(&self, out: &mut Writer) {
        if let Some(part) = self {
            part.save(out);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Corrupt> {
        self.iter_mut().try_for_each(|part| part.load(from))
    }
}

impl<T: Part> Part for Box<T> {
    fn save(&self, out: &mut Writer) {
        self.as_ref().save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Corrupt> {
        self.as_mut().load(from)
    }
}

impl<A: Part, B: Part> Part for (A, B) {
    fn save(&self, out: &mut Writer) {
        self.0.save(out);
        self.1.save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Corrupt> {
        self.0.load(from)?;
        self.1.load(from)
    }
}

#[cfg(test)]
mod tests;

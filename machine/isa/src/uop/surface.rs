//! Accesses to surfaces, as encoded in micro-ops.

use super::{Geometry, Inst, Op, Program};

/// Treatment of an access outside of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outside {
    /// `.trap`: a fault.
    Trap,
    /// `.clamp`: the access is to the nearest place inside.
    Clamp,
    /// `.zero`: a load returns zeros, a store has no effect.
    Zero,
}

impl Outside {
    /// All variants in the order of their numbers in [`Inst::aux`].
    const ALL: [Self; 3] = [Self::Trap, Self::Clamp, Self::Zero];
}

/// An access of one lane to a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceAccess {
    /// Bytes of the access: 1, 2, 4, 8 or 16.
    pub bytes: u32,
    /// Geometry of the surface.
    pub geometry: Geometry,
    /// Behavior outside of the surface.
    pub outside: Outside,
    /// Whether the access is a store.
    pub is_store: bool,
}

impl SurfaceAccess {
    /// Returns the access that [`Inst::aux`] encodes; `None` if it encodes none.
    pub fn decode(aux: u32) -> Option<Self> {
        let access = Self {
            bytes: aux & 0xff,
            geometry: Geometry::numbered(aux >> 8 & 0xf)?,
            outside: *Outside::ALL.get((aux >> 12 & 0xf) as usize)?,
            is_store: aux >> 16 & 1 != 0,
        };
        let is_cube = matches!(access.geometry, Geometry::Cube | Geometry::CubeArray);
        let known = matches!(access.bytes, 1 | 2 | 4 | 8 | 16) && !is_cube;
        (known && access.encode() == aux).then_some(access)
    }

    /// Returns the encoding in [`Inst::aux`].
    pub fn encode(&self) -> u32 {
        let outside = Outside::ALL.iter().position(|known| *known == self.outside).unwrap_or_default();
        self.bytes | self.geometry.number() << 8 | (outside as u32) << 12 | u32::from(self.is_store) << 16
    }
}

impl Inst {
    /// Returns the access of a micro-op that computes a surface address; `None` if it is invalid.
    pub fn surface(&self) -> Option<SurfaceAccess> {
        SurfaceAccess::decode(self.aux)
    }

    /// Whether the instruction accesses a surface or reads its properties.
    fn uses_surface(&self) -> bool {
        matches!(self.op, Op::Suq | Op::SuqHandle | Op::Sulea | Op::SuleaWide)
    }
}

impl Program {
    /// Whether the code accesses surfaces or reads their properties.
    pub fn uses_surfaces(&self) -> bool {
        self.code.iter().any(Inst::uses_surface)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_is_read_back_and_other_words_are_invalid() {
        let mut valid = 0;
        for aux in 0..1 << 18 {
            if let Some(access) = SurfaceAccess::decode(aux) {
                assert_eq!(access.encode(), aux);
                valid += 1;
            }
        }
        assert_eq!(valid, 5 * 5 * 3 * 2);
    }
}

//! Accesses to surfaces, as encoded in micro-ops.

use super::{Inst, Op, Program};

/// What happens in an access outside of a surface.
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
    /// Dimensions: 1 or 2.
    pub dimensions: u32,
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
            dimensions: aux >> 8 & 0xf,
            outside: *Outside::ALL.get((aux >> 12 & 0xf) as usize)?,
            is_store: aux >> 16 & 1 != 0,
        };
        let known = matches!(access.bytes, 1 | 2 | 4 | 8 | 16) && matches!(access.dimensions, 1 | 2);
        (known && access.encode() == aux).then_some(access)
    }

    /// Returns the encoding in [`Inst::aux`].
    pub fn encode(&self) -> u32 {
        let outside = Outside::ALL.iter().position(|known| *known == self.outside).unwrap_or_default();
        self.bytes | self.dimensions << 8 | (outside as u32) << 12 | u32::from(self.is_store) << 16
    }
}

impl Inst {
    /// Returns the access of a micro-op that computes a surface address; `None` if it is invalid.
    pub fn surface(&self) -> Option<SurfaceAccess> {
        SurfaceAccess::decode(self.aux)
    }
}

impl Program {
    /// Returns the surfaces that the code accesses or queries: the number of the surface, and the
    /// dimensions of the access, or 0 for a query. In ascending order, each pair once.
    pub fn used_surfaces(&self) -> Vec<(u32, u32)> {
        let uses = self.code.iter().filter_map(|inst| match inst.op {
            Op::Suq => Some((inst.imm, 0)),
            Op::Sulea => Some((inst.imm, inst.surface()?.dimensions)),
            _ => None,
        });
        let mut found: Vec<(u32, u32)> = uses.collect();
        found.sort_unstable();
        found.dedup();
        found
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
        assert_eq!(valid, 5 * 2 * 3 * 2);
    }
}

//! Cache operators of loads and stores (PTX ISA, "Cache Operators"), as encoded in a micro-op.
//! `.cv` is not included: it is the same as `.volatile`, see [`Inst::VOLATILE`].

use super::Inst;

/// Cache operator of a load or store. It does not change results; it selects the cache levels that
/// keep the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheOperator {
    /// No operator: the default of the chip.
    #[default]
    Default,
    /// `.ca`: cache at all levels.
    Ca,
    /// `.cg`: cache in the L2, not in the L1.
    Cg,
    /// `.cs`: streaming, likely to be accessed once.
    Cs,
    /// `.lu`: last use.
    Lu,
    /// `.wb`: write back.
    Wb,
    /// `.wt`: write through.
    Wt,
}

impl CacheOperator {
    /// All operators, by number.
    pub const ALL: [Self; 7] = [Self::Default, Self::Ca, Self::Cg, Self::Cs, Self::Lu, Self::Wb, Self::Wt];

    /// Returns the PTX word; empty for the default.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "",
            Self::Ca => "ca",
            Self::Cg => "cg",
            Self::Cs => "cs",
            Self::Lu => "lu",
            Self::Wb => "wb",
            Self::Wt => "wt",
        }
    }

    /// Returns the bits of the operator in [`Inst::aux`].
    pub const fn bits(self) -> u32 {
        (self as u32) << Inst::CACHE_SHIFT
    }
}

impl Inst {
    /// Position of the cache operator in [`Inst::aux`] of a load or store.
    pub const CACHE_SHIFT: u32 = 2;
    /// Mask of the cache operator in [`Inst::aux`].
    pub const CACHE_BITS: u32 = 7 << Self::CACHE_SHIFT;

    /// Returns the cache operator of a load or store.
    pub fn cache(&self) -> CacheOperator {
        let number = (self.aux & Self::CACHE_BITS) >> Self::CACHE_SHIFT;
        CacheOperator::ALL.get(number as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uop::Op;

    #[test]
    fn every_operator_survives_encoding() {
        for operator in CacheOperator::ALL {
            let inst = Inst { aux: operator.bits() | Inst::ADDR64 | 1 << 8, ..Inst::new(Op::LdGlobalB32) };
            assert_eq!(inst.cache(), operator);
        }
        assert_eq!(Inst { aux: Inst::CACHE_BITS, ..Inst::new(Op::Exit) }.cache(), CacheOperator::Default);
    }
}

//! The cache operators of loads and stores (PTX ISA, "Cache Operators"), as a micro-op carries
//! them. `.cv` is none of them: it is `.volatile`, see [`Inst::VOLATILE`].

use super::Inst;

/// What a load or store says of the caches that it goes through: nothing that changes what it does,
/// but where on the way its line is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheOperator {
    /// Nothing: what the chip does where nothing is said.
    #[default]
    Default,
    /// `.ca`: in all caches.
    Ca,
    /// `.cg`: in the L2, not in the L1.
    Cg,
    /// `.cs`: used once.
    Cs,
    /// `.lu`: used for the last time.
    Lu,
    /// `.wb`: written back.
    Wb,
    /// `.wt`: written through.
    Wt,
}

impl CacheOperator {
    /// All of them, by number.
    pub const ALL: [Self; 7] = [Self::Default, Self::Ca, Self::Cg, Self::Cs, Self::Lu, Self::Wb, Self::Wt];

    /// Its word; empty where nothing is said.
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

    /// As it stands in [`Inst::aux`].
    pub const fn bits(self) -> u32 {
        (self as u32) << Inst::CACHE_SHIFT
    }
}

impl Inst {
    /// Where its cache operator stands in [`Inst::aux`] of a load or store.
    pub const CACHE_SHIFT: u32 = 2;
    /// The bits of the operator there.
    pub const CACHE_BITS: u32 = 7 << Self::CACHE_SHIFT;

    /// The cache operator of a load or store.
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
    fn an_operator_is_found_again() {
        for operator in CacheOperator::ALL {
            let inst = Inst { aux: operator.bits() | Inst::ADDR64 | 1 << 8, ..Inst::new(Op::LdGlobalB32) };
            assert_eq!(inst.cache(), operator);
        }
        assert_eq!(Inst { aux: Inst::CACHE_BITS, ..Inst::new(Op::Exit) }.cache(), CacheOperator::Default);
    }
}

//! Clock domains: the shader cycle in which a cycle of another clock starts, and the exact division
//! for this conversion.
//!
//! Cycle n of a clock with frequency f starts at shader cycle ceil(n · s / f), where s is the
//! shader clock's frequency. Several cycles of a clock that is faster than the shader clock may
//! start in one shader cycle; the results are exact in this case too.

use super::NEVER;

/// Division by a number that is known in advance: two multiplications replace the processor's slow
/// division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divider {
    divisor: u64,
    /// floor((2^64 - 1) / divisor)
    reciprocal: u64,
}

impl Divider {
    /// A divider by `divisor`, which must not be zero.
    pub const fn new(divisor: u64) -> Self {
        assert!(divisor != 0, "a divisor is never zero");
        Self { divisor, reciprocal: u64::MAX / divisor }
    }

    /// Quotient and remainder of `value`, exact for every value.
    ///
    /// Let 2^64 = reciprocal · divisor + e with 1 <= e <= divisor. Then value · reciprocal / 2^64
    /// equals value / divisor - value · e / (divisor · 2^64), and the last term is less than 1. The
    /// estimate, which is rounded down, is therefore correct or one too small.
    #[inline]
    pub const fn div_rem(self, value: u64) -> (u64, u64) {
        let estimate = ((value as u128 * self.reciprocal as u128) >> 64) as u64;
        let rest = value - estimate * self.divisor;
        if rest >= self.divisor { (estimate + 1, rest - self.divisor) } else { (estimate, rest) }
    }

    /// Quotient of `value`, rounded up.
    #[inline]
    pub const fn div_ceil(self, value: u64) -> u64 {
        let (quotient, rest) = self.div_rem(value);
        quotient + (rest != 0) as u64
    }

    /// The divisor.
    pub const fn divisor(self) -> u64 {
        self.divisor
    }
}

/// A clock and its ratio to the shader clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// This clock's frequency. Both frequencies are divided by their greatest common divisor.
    own: Divider,
    /// The shader clock's frequency, divided likewise.
    hot: Divider,
}

impl Domain {
    /// A clock of frequency `own` with a shader clock of frequency `hot`, both in the same unit and
    /// neither zero.
    pub const fn new(own: u64, hot: u64) -> Self {
        let divisor = gcd(own, hot);
        Self { own: Divider::new(own / divisor), hot: Divider::new(hot / divisor) }
    }

    /// The shader cycle in which cycle `n` of this clock starts: ceil(n · hot / own). Returns
    /// [`NEVER`] for [`NEVER`] and for results that do not fit into 64 bits.
    #[inline]
    pub const fn start_of(self, n: u64) -> u64 {
        if let Some(product) = n.checked_mul(self.hot.divisor)
            && let Some(dividend) = product.checked_add(self.own.divisor - 1)
        {
            return self.own.div_rem(dividend).0;
        }
        if n == NEVER { NEVER } else { wide(n, self.hot.divisor, self.own.divisor - 1, self.own.divisor) }
    }

    /// The first cycle of this clock that starts at shader cycle `hot` or later: the smallest n
    /// with `start_of(n) >= hot`.
    #[inline]
    pub const fn cycle_at_or_after(self, hot: u64) -> u64 {
        // ceil(n · h / f) >= t  <=>  n · h > (t - 1) · f
        let Some(before) = hot.checked_sub(1) else { return 0 };
        if let Some(product) = before.checked_mul(self.own.divisor) {
            return self.hot.div_rem(product).0 + 1;
        }
        if hot == NEVER {
            return NEVER;
        }
        wide(before, self.own.divisor, 0, self.hot.divisor).saturating_add(1)
    }
}

/// (a · b + c) / d, at most [`NEVER`].
#[cold]
const fn wide(a: u64, b: u64, c: u64, d: u64) -> u64 {
    let quotient = (a as u128 * b as u128 + c as u128) / d as u128;
    if quotient > NEVER as u128 { NEVER } else { quotient as u64 }
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// `start_of` computed from its definition.
    fn start_by_definition(n: u64, own: u64, hot: u64) -> u64 {
        (u128::from(n) * u128::from(hot)).div_ceil(u128::from(own)) as u64
    }

    #[test]
    fn divider_agrees_with_division() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let edges =
            [0, 1, 2, 3, 5, 6, 7, 8, 255, 256, u64::from(u32::MAX), 1 << 32, 1 << 63, u64::MAX - 1, u64::MAX];
        for divisor in edges.into_iter().filter(|&d| d != 0) {
            let divider = Divider::new(divisor);
            for value in edges {
                assert_eq!(divider.div_rem(value), (value / divisor, value % divisor), "{value} / {divisor}");
            }
        }
        for _ in 0..200_000 {
            let divisor = (rng.next_u64() >> rng.random_range(0..64)).max(1);
            let value = rng.next_u64() >> rng.random_range(0..64);
            // An estimate error would occur first near a multiple of the divisor.
            for value in [value, (value - value % divisor).wrapping_sub(1), value - value % divisor] {
                assert_eq!(
                    Divider::new(divisor).div_rem(value),
                    (value / divisor, value % divisor),
                    "{value} / {divisor}"
                );
            }
        }
    }

    /// Tests: `exact-clocks`.
    #[test]
    fn core_and_memory_clock_of_g80() {
        // 575 / 1350 = 23 / 54, 900 / 1350 = 2 / 3.
        let core = Domain::new(575_000, 1_350_000);
        assert_eq!([0, 1, 2, 3, 22, 23, 24].map(|n| core.start_of(n)), [0, 3, 5, 8, 52, 54, 57]);
        let memory = Domain::new(900_000, 1_350_000);
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|n| memory.start_of(n)), [0, 2, 3, 5, 6, 8, 9]);
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|t| memory.cycle_at_or_after(t)), [0, 1, 1, 2, 3, 3, 4]);
        for (own, domain) in [(575, core), (900, memory)] {
            for n in (0..5_000).chain((1 << 40)..(1 << 40) + 5_000) {
                assert_eq!(domain.start_of(n), start_by_definition(n, own, 1350), "cycle {n} of {own}");
            }
        }
    }

    /// Tests: `exact-clocks`.
    #[test]
    fn cycle_at_or_after_returns_the_smallest_cycle() {
        for (own, hot) in [(575, 1350), (900, 1350), (1350, 1350), (1, 7), (1848, 1401), (3, 2), (7, 1)] {
            let domain = Domain::new(own, hot);
            for t in (0..3_000).chain((1 << 50)..(1 << 50) + 300) {
                let n = domain.cycle_at_or_after(t);
                assert!(domain.start_of(n) >= t, "{own}/{hot}: cycle {n} starts before {t}");
                assert!(n == 0 || domain.start_of(n - 1) < t, "{own}/{hot}: {n} is not the first at {t}");
            }
        }
    }

    /// Tests: `exact-clocks`.
    #[test]
    fn large_cycle_numbers_are_exact_and_do_not_overflow() {
        let domain = Domain::new(575_001, 1_350_000);
        for n in [1 << 45, 1 << 60, (1 << 62) + 12_345] {
            assert_eq!(domain.start_of(n), start_by_definition(n, 575_001, 1_350_000));
            assert_eq!(domain.cycle_at_or_after(domain.start_of(n)), n);
        }
        for (own, hot) in [(1, 3), (3, 1), (1, 1), (2, 3)] {
            assert_eq!(Domain::new(own, hot).start_of(NEVER), NEVER);
        }
        assert_eq!(domain.cycle_at_or_after(NEVER), NEVER);
    }
}

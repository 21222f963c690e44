//! Settings of the random designs, from a seed.

use super::rule::Rule;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// Returns `points` settings in which each factor has each of its values equally often, or once
/// more than others if the values do not divide the points.
pub(super) fn latin_hypercube(points: u64, seed: u64, counts: Vec<usize>) -> Rule {
    let points = points as usize;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut strata = Vec::with_capacity(counts.len());
    for _ in &counts {
        let mut permutation: Vec<u32> = (0..points as u32).collect();
        for i in (1..points).rev() {
            permutation.swap(i, rng.random_range(0..=i));
        }
        strata.push(permutation);
    }
    Rule::LatinHypercube { strata, counts, points }
}

/// Returns up to `points` different settings with independent values: all settings if there are
/// not more.
pub(super) fn random(points: u64, seed: u64, counts: Vec<usize>) -> Rule {
    let all = counts.iter().try_fold(1usize, |all, count| all.checked_mul(*count));
    let points = points as usize;
    if all.is_some_and(|all| all <= points) {
        return Rule::Full(counts);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut settings, mut seen) = (Vec::new(), BTreeSet::new());
    while settings.len() < points {
        let setting: Vec<usize> = counts.iter().map(|count| rng.random_range(0..*count)).collect();
        if seen.insert(setting.clone()) {
            settings.push(setting);
        }
    }
    Rule::Listed(settings)
}
